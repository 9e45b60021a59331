//! GNU and newer C constructs that the parser has no syntax for, written as expressions and attributes that it has.
//! The checker knows what they stand for.

use super::nesting::Token;
use super::scan::Scanner;

/// The operand of `typeof` that stands for `__auto_type`: the type of the initialiser.
pub(crate) const AUTO_TYPE: &str = "__aster_auto_type";

/// `&&label` is written as a call of this with the label's name.
pub(crate) const LABEL_ADDRESS: &str = "__aster_label_address";

/// `goto *address;` is written as a call of this.
pub(crate) const COMPUTED_GOTO: &str = "__aster_goto";

/// Before and after what may be a type or an expression, where only an expression can be parsed: a cast to a pointer
/// to the type. The expression is kept in the syntax tree as the operand of `typeof`.
const QUOTE: [&str; 2] = ["(__typeof__(", ")*)0"];

impl Scanner<'_> {
    /// Called before the word that ends at `end` is written. True if it has been dealt with.
    pub(super) fn extend_word(&mut self, word: &str, end: usize) -> bool {
        match word {
            "_Static_assert" | "static_assert" => {
                // C23: without a message.
                if let Some((commas, close)) = self.list(end)
                    && commas.is_empty()
                {
                    self.insert_at(close, ", \"\"");
                }
            }
            "__builtin_types_compatible_p" => {
                if let Some((commas, close)) = self.list(end)
                    && let [comma] = commas[..]
                {
                    self.insert_at(close, QUOTE[1]);
                    self.insert_at(comma + 1, QUOTE[0]);
                    self.insert_at(comma, QUOTE[1]);
                    self.insert_at(self.skip_blank(end) + 1, QUOTE[0]);
                }
            }
            // The parser knows it everywhere but on members of structures.
            "_Alignas" => {
                if let Some((_, close)) = self.list(end) {
                    self.insert_at(close + 1, "*)0))) ");
                    self.note(Token::Operand);
                    self.replace(end, " __attribute__((aligned((__typeof__");
                    return true;
                }
            }
            "goto" => {
                let star = self.skip_blank(end);
                let close = self.statement_end(star);
                if self.input.get(star) == Some(&b'*') && close > star {
                    self.insert_at(close - 1, ")");
                    self.note(Token::Statement);
                    self.replace(star + 1, &format!("{COMPUTED_GOTO}("));
                    return true;
                }
            }
            _ => {}
        }
        false
    }

    /// `&&label` where an operand is expected. True if it has been dealt with.
    pub(super) fn extend_label_address(&mut self) -> bool {
        let start = self.skip_blank(self.at + 2);
        // A text that ends here has nothing at all there.
        let rest = self.input.get(start..).unwrap_or_default();
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        if length == 0 || rest[0].is_ascii_digit() || self.ahead(1) != Some(b'&') || !self.expects_operand() {
            return false;
        }
        let text = format!("{LABEL_ADDRESS}({})", String::from_utf8_lossy(&rest[..length]));
        self.note(Token::Operand);
        self.replace(start + length, &text);
        true
    }

    /// The tokens before cannot end an expression.
    fn expects_operand(&self) -> bool {
        match self.context.previous {
            // After `x++`, `x--` an operator follows.
            sign @ (b'+' | b'-') => self.context.before_previous != sign,
            // `(void *)` is a cast.
            b')' => self.context.before_previous == b'*',
            b'a' => self.context.after_return,
            b']' | b'}' | 0 => false,
            _ => true,
        }
    }

    /// The commas directly inside of the parenthesised list that follows `at`, and its closing parenthesis.
    fn list(&self, at: usize) -> Option<(Vec<usize>, usize)> {
        let open = self.skip_blank(at);
        if self.input.get(open) != Some(&b'(') {
            return None;
        }
        let (mut depth, mut quote, mut commas) = (0usize, None, Vec::new());
        let mut cursor = open;
        while let Some(&byte) = self.input.get(cursor) {
            match (quote, byte) {
                (Some(_), b'\\') => cursor += 1,
                (Some(open), _) if open == byte => quote = None,
                (Some(_), _) => {}
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'(' | b'[' | b'{') => depth += 1,
                (None, b')' | b']' | b'}') => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some((commas, cursor));
                    }
                }
                (None, b',') if depth == 1 => commas.push(cursor),
                _ => {}
            }
            cursor += 1;
        }
        None
    }

    /// Text that is inserted when the scanner gets to a place ahead. Places are given from back to front.
    fn insert_at(&mut self, at: usize, text: &str) {
        self.context.insertions.push((at, text.to_owned()));
    }

    /// Called before anything that starts here is written.
    pub(super) fn insert_what_waits(&mut self) {
        while self.context.insertions.last().is_some_and(|(at, _)| *at <= self.at) {
            if let Some((_, text)) = self.context.insertions.pop() {
                self.insert(&text);
            }
        }
    }
}
