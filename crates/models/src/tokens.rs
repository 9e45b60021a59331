//! Tokens, and a cursor over them that parsers share.

use aster_cfa::{Diagnostic, FileId, Span};

/// How deep syntax may be nested: parsers and everything after them recurse over it.
pub(crate) const MAX_DEPTH: usize = 200;

/// What kind of token it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or a keyword.
    Word,
    /// Decimal digits.
    Number,
    /// One of the language's symbols.
    Symbol,
    /// The end of the file.
    End,
}

/// A token with its place.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) text: String,
    pub(crate) span: Span,
}

impl Token {
    /// How messages name it.
    fn shown(&self) -> String {
        match self.kind {
            Kind::End => "the end of the file".to_owned(),
            _ => format!("`{}`", self.text),
        }
    }
}

/// A name with its place.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// The stretch from one span to the end of another one, as far as it is on the first one's line.
pub(crate) fn join(first: Span, last: Span) -> Span {
    if first.line != last.line || last.column < first.column {
        return first;
    }
    let length = (last.column + last.length - first.column).max(first.length);
    Span { length, ..first }
}

/// Splits a text. `symbols` lists longer symbols before their prefixes.
fn split(file: FileId, text: &str, symbols: &[&str]) -> Result<Vec<Token>, Diagnostic> {
    let mut tokens = Vec::new();
    let mut comment: Option<Span> = None;
    let mut end = Span::line_start(file, 1);
    for (index, line) in text.lines().enumerate() {
        let at = |column: usize, length: usize| Span {
            file,
            line: index as u32 + 1,
            column: column as u32 + 1,
            length: length.max(1) as u32,
        };
        let mut column = 0;
        while column < line.len() {
            let rest = &line[column..];
            if comment.is_some() {
                match rest.find("*/") {
                    Some(close) => (comment, column) = (None, column + close + 2),
                    None => break,
                }
                continue;
            }
            if rest.starts_with("//") {
                break;
            }
            if rest.starts_with("/*") {
                comment = Some(at(column, 2));
                column += 2;
                continue;
            }
            let first = rest.chars().next().unwrap_or(' ');
            if first.is_whitespace() {
                column += first.len_utf8();
                continue;
            }
            let run = |test: fn(char) -> bool| rest.find(|c: char| !test(c)).unwrap_or(rest.len());
            let (kind, length) = if first.is_ascii_alphabetic() || first == '_' {
                (Kind::Word, run(|c| c.is_ascii_alphanumeric() || c == '_'))
            } else if first.is_ascii_digit() {
                (Kind::Number, run(|c| c.is_ascii_digit()))
            } else if let Some(symbol) = symbols.iter().find(|symbol| rest.starts_with(**symbol)) {
                (Kind::Symbol, symbol.len())
            } else {
                let span = at(column, first.len_utf8());
                return Err(Diagnostic::new(span, format!("unexpected character `{first}`")));
            };
            tokens.push(Token { kind, text: rest[..length].to_owned(), span: at(column, length) });
            column += length;
        }
        end = at(line.len(), 1);
    }
    if let Some(span) = comment {
        return Err(Diagnostic::new(span, "this comment is not closed"));
    }
    tokens.push(Token { kind: Kind::End, text: String::new(), span: end });
    Ok(tokens)
}

/// A place in a list of tokens.
pub(crate) struct Cursor {
    /// The last one is the end of the file.
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    keywords: &'static [&'static str],
}

impl Cursor {
    /// The start of a text. Keywords are no names.
    pub(crate) fn new(
        file: FileId,
        text: &str,
        symbols: &[&str],
        keywords: &'static [&'static str],
    ) -> Result<Self, Diagnostic> {
        Ok(Cursor { tokens: split(file, text, symbols)?, at: 0, depth: 0, keywords })
    }

    /// The token `ahead` places on; the end of the file from there on.
    pub(crate) fn ahead(&self, ahead: usize) -> &Token {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    pub(crate) fn peek(&self) -> &Token {
        self.ahead(0)
    }

    pub(crate) fn span(&self) -> Span {
        self.peek().span
    }

    /// The place of the token before this one.
    pub(crate) fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    /// The stretch from `first` to the token before this one.
    pub(crate) fn since(&self, first: Span) -> Span {
        join(first, self.last_span())
    }

    pub(crate) fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    pub(crate) fn at_end(&self) -> bool {
        self.peek().kind == Kind::End
    }

    /// True if the token is this symbol or keyword.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.is_ahead(0, text)
    }

    pub(crate) fn is_ahead(&self, ahead: usize, text: &str) -> bool {
        let token = self.ahead(ahead);
        matches!(token.kind, Kind::Word | Kind::Symbol) && token.text == text
    }

    /// Takes the symbol or keyword if it is there.
    pub(crate) fn eat(&mut self, text: &str) -> bool {
        let found = self.is(text);
        if found {
            self.next();
        }
        found
    }

    /// Takes the symbol or keyword; `after` says in messages what it belongs to.
    pub(crate) fn expect(&mut self, text: &str, after: &str) -> Result<Span, Diagnostic> {
        if self.is(text) {
            return Ok(self.next().span);
        }
        Err(self.unexpected(&format!("`{text}` {after}")))
    }

    /// True if the token `ahead` places on can be a name.
    pub(crate) fn is_name(&self, ahead: usize) -> bool {
        let token = self.ahead(ahead);
        token.kind == Kind::Word && !self.keywords.contains(&token.text.as_str())
    }

    /// Takes a name.
    pub(crate) fn name(&mut self, what: &str) -> Result<Name, Diagnostic> {
        if !self.is_name(0) {
            let mut error = self.unexpected(what);
            if self.peek().kind == Kind::Word {
                error = error.with_note(format!("`{}` is a keyword", self.peek().text));
            }
            return Err(error);
        }
        let token = self.next();
        Ok(Name { text: token.text, span: token.span })
    }

    /// Takes decimal digits.
    pub(crate) fn number(&mut self, what: &str) -> Result<Name, Diagnostic> {
        if self.peek().kind != Kind::Number {
            return Err(self.unexpected(what));
        }
        let token = self.next();
        Ok(Name { text: token.text, span: token.span })
    }

    /// Takes a number that counts or measures something.
    pub(crate) fn small_number(&mut self, what: &str) -> Result<u32, Diagnostic> {
        let name = self.number(what)?;
        name.text.parse().map_err(|_| Diagnostic::new(name.span, format!("`{}` is too large", name.text)))
    }

    /// The error that something else was expected here.
    pub(crate) fn unexpected(&self, expected: &str) -> Diagnostic {
        // Where a token is missing at the end of a line, that line is what the reader has to look at.
        let token = self.peek();
        let last = self.last_span();
        let message = format!("expected {expected}, found {}", token.shown());
        if self.at > 0 && token.span.line > last.line {
            let after = Span { column: last.column + last.length, length: 1, ..last };
            return Diagnostic::new(after, message);
        }
        Diagnostic::new(token.span, message)
    }

    /// Begins something that can be nested in itself; fails if that goes too deep.
    pub(crate) fn enter(&mut self) -> Result<(), Diagnostic> {
        if self.depth >= MAX_DEPTH {
            return Err(Diagnostic::new(
                self.span(),
                format!("this is nested more than {MAX_DEPTH} levels deep"),
            ));
        }
        self.depth += 1;
        Ok(())
    }

    /// Ends what [`Cursor::enter`] began.
    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aster_cfa::SourceMap;

    fn texts(text: &str) -> Result<Vec<String>, String> {
        let file = SourceMap::new().add("m", text);
        let tokens = split(file, text, &["->", "-", ">"]).map_err(|error| error.message)?;
        Ok(tokens.iter().map(|token| format!("{}:{}", token.text, token.span.column)).collect())
    }

    #[test]
    fn comments_separate_tokens_and_symbols_are_as_long_as_possible() {
        assert_eq!(texts("a->b /* x\n y */ 12 // z").unwrap(), ["a:1", "->:2", "b:4", "12:7", ":14"]);
        assert_eq!(texts("-> - >").unwrap(), ["->:1", "-:4", ">:6", ":7"]);
    }

    #[test]
    fn strange_characters_and_open_comments_are_errors() {
        assert_eq!(texts("a é").unwrap_err(), "unexpected character `é`");
        assert_eq!(texts("a /* b").unwrap_err(), "this comment is not closed");
    }

    #[test]
    fn what_is_missing_at_the_end_of_a_line_is_reported_there() {
        let text = "ab\n-";
        let file = SourceMap::new().add("m", text);
        let mut cursor = Cursor::new(file, text, &["-"], &[]).unwrap();
        cursor.next();
        let error = cursor.unexpected("`;`");
        assert_eq!((error.span.line, error.span.column), (1, 3));
        assert_eq!(error.message, "expected `;`, found `-`");
    }
}
