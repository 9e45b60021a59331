//! How deep the syntax of a text is nested, measured before it is parsed.
//!
//! Parser, lowering and the destruction of the syntax tree recurse over the syntax. They run on a big
//! stack, but every stack ends somewhere, so that texts nested deeper than it allows are refused.
//!
//! The measure is an upper bound of the depth of the syntax tree up to a constant factor. It counts
//! open brackets, and within each bracket the operators and keywords that can make the tree deeper
//! without brackets: `a + b + c`, `- - - a`, `(int)(int)a`, `else if`, `case 1: case 2:`.

/// A token as far as nesting goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// An identifier, a literal or a type name: makes nothing deeper.
    Operand,
    /// A keyword that starts or continues a statement.
    Statement,
    /// `else`: what was nested before goes on.
    Else,
    /// A byte of an operator, or a bracket.
    Punctuation(u8),
}

impl Token {
    /// The token for a word.
    pub(crate) fn word(word: &str) -> Self {
        match word {
            "else" => Token::Else,
            "if" | "while" | "for" | "do" | "switch" | "case" | "default" => Token::Statement,
            "sizeof" | "_Alignof" | "__alignof__" | "__extension__" | "__real__" | "__imag__" => {
                Token::Punctuation(b'~')
            }
            _ => Token::Operand,
        }
    }
}

/// Programs written by people, and most that are generated, have fewer brackets open at once.
const ORDINARY_NESTING: usize = 200;

#[derive(Clone, Copy, Debug, Default)]
struct Level {
    /// The bracket that opened it and where.
    bracket: (u8, usize),
    statements: usize,
    expressions: usize,
    /// How many operands and operators there were before it.
    content_before: usize,
    /// The last token was `;` or `}`: what comes next tells whether the construct goes on.
    ended_by: Option<u8>,
}

/// Counts as tokens come by.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nesting {
    levels: Vec<Level>,
    current: Level,
    depth: usize,
    /// Operands and operators so far.
    content: usize,
    /// How much syntax the parser copies because it sits in deeply nested parentheses: it remembers
    /// what is in each pair of them, each time with all that is nested in it.
    pub(crate) copies: usize,
    /// The greatest depth so far and the offset where it was reached.
    pub(crate) deepest: (usize, usize),
    /// Brackets that are never closed, outermost first.
    pub(crate) unclosed: Vec<(u8, usize)>,
    /// The first closing bracket that closes nothing.
    pub(crate) unopened: Option<(u8, usize)>,
}

impl Nesting {
    /// The next token, at `offset`.
    pub(crate) fn token(&mut self, token: Token, offset: usize) {
        self.settle(token);
        if !matches!(token, Token::Punctuation(b'(' | b')' | b'[' | b']' | b'{' | b'}')) {
            self.content += 1;
        }
        match token {
            Token::Operand => {}
            Token::Statement | Token::Else => {
                self.current.statements += 1;
                self.depth += 1;
            }
            Token::Punctuation(b',') => self.reset_expressions(),
            Token::Punctuation(b';') => self.current.ended_by = Some(b';'),
            Token::Punctuation(open @ (b'(' | b'[' | b'{')) => {
                let level =
                    Level { bracket: (open, offset), content_before: self.content, ..Level::default() };
                self.levels.push(std::mem::replace(&mut self.current, level));
                self.depth += 1;
            }
            Token::Punctuation(close @ (b')' | b']' | b'}')) => self.close(close, offset),
            Token::Punctuation(_) => {
                self.current.expressions += 1;
                self.depth += 1;
            }
        }
        if self.depth > self.deepest.0 {
            self.deepest = (self.depth, offset);
        }
    }

    /// Number of brackets that are open.
    pub(crate) fn open_brackets(&self) -> usize {
        self.levels.len()
    }

    /// The text ends.
    pub(crate) fn finish(&mut self) {
        let open = self.levels.iter().skip(1).chain((!self.levels.is_empty()).then_some(&self.current));
        self.unclosed = open.map(|level| level.bracket).collect();
    }

    fn close(&mut self, close: u8, offset: usize) {
        let expected = match self.current.bracket.0 {
            b'(' => b')',
            b'[' => b']',
            b'{' => b'}',
            _ => 0,
        };
        if close != expected && self.unopened.is_none() {
            self.unopened = Some((close, offset));
        }
        let Some(outer) = self.levels.pop() else {
            return;
        };
        if close == b')' && self.levels.len() > ORDINARY_NESTING {
            self.copies += self.content - self.current.content_before;
        }
        self.depth -= 1 + self.current.statements + self.current.expressions;
        self.current = outer;
        if close == b'}' {
            self.current.ended_by = Some(b'}');
        } else {
            // `(int)(int)a` is nested although no bracket stays open.
            self.current.expressions += 1;
            self.depth += 1;
        }
    }

    /// Forgets what the end of a statement ended, now that the next token is known.
    fn settle(&mut self, next: Token) {
        let Some(end) = self.current.ended_by.take() else {
            return;
        };
        match next {
            Token::Else => self.reset_expressions(),
            // `(struct s){0}.x + 1`: the brace closed an operand.
            Token::Punctuation(byte) if end == b'}' && !b"({};".contains(&byte) => {}
            _ => {
                self.reset_expressions();
                self.depth -= self.current.statements;
                self.current.statements = 0;
            }
        }
    }

    fn reset_expressions(&mut self) {
        self.depth -= self.current.expressions;
        self.current.expressions = 0;
    }
}

#[cfg(test)]
mod tests {
    use crate::source::scan::scan;

    fn depth(text: &str) -> usize {
        scan(text.as_bytes()).nesting.deepest.0
    }

    #[test]
    fn sequences_are_not_deep() {
        assert!(depth(&"int f(int a) { if (a) { return a + 1; } else { return -a; } }\n".repeat(100)) < 20);
        assert!(depth(&format!("int a[] = {{ {} }};", "(1 + 2), ".repeat(100))) < 10);
        assert!(depth(&format!("void f(void) {{ {} }}", "if (x) y = 1; *p = 2; ".repeat(100))) < 20);
    }

    #[test]
    fn every_kind_of_nesting_counts() {
        let cases = [
            format!("int x = {}1{};", "(".repeat(100), ")".repeat(100)),
            format!("int x = 1{};", " + 1".repeat(100)),
            format!("int x = {}1;", "- ".repeat(100)),
            format!("int x = {}1;", "(int)".repeat(100)),
            format!("int x = 1{};", " ? 1 : 1".repeat(100)),
            format!("int x = 1{};", " + (struct s){0}.x".repeat(100)),
            format!("void f(void) {}{}", "{".repeat(100), "}".repeat(100)),
            format!("void f(void) {{ {} x = 1, y = 2; }}", "if (a) x = 1, y = 2; else ".repeat(100)),
            format!("void f(void) {{ {} ; }}", "if (a) { x = 1; } else ".repeat(100)),
            format!("void f(void) {{ {} ; }}", "if (a) while (b) for (;;) do ".repeat(30)),
            format!("void f(void) {{ switch (x) {{ {} ; }} }}", "case 1: ".repeat(100)),
            format!("void f(void) {{ {} ; }}", "l: ".repeat(100)),
            format!("int x = sizeof {} 1;", "sizeof ".repeat(100)),
            format!("int x{};", "[1]".repeat(100)),
        ];
        for case in cases {
            assert!(depth(&case) >= 100, "{} in {case}", depth(&case));
        }
    }

    #[test]
    fn brackets_that_do_not_match_are_found() {
        let nesting = scan(b"int f(void) { if (x { }").nesting;
        assert_eq!(nesting.unclosed, [(b'{', 12), (b'(', 17)]);
        assert_eq!(nesting.unopened, None);
        let nesting = scan(b"int f(void) { ) }").nesting;
        assert_eq!(nesting.unopened, Some((b')', 14)));
        assert!(scan(b"{}}}").nesting.unopened.is_some());
    }
}
