//! Constructs that compilers accept and the parser does not, brought into a form that it does.

use super::dialect;
use super::nesting::Token;
use super::scan::Scanner;
use crate::treatment::{self, Treatment};

/// Stands for the omitted operand of GNU's `a ?: b`: the value of the condition.
pub(crate) const SAME_AS_CONDITION: &str = "__aster_condition";

/// What the fixups need to know about the tokens before.
#[derive(Debug, Default)]
pub(super) struct Context {
    /// The last punctuation byte; `b'a'` after a word or literal; 0 at the start.
    pub(super) previous: u8,
    /// What `previous` was before.
    pub(super) before_previous: u8,
    /// The last token was `return`.
    pub(super) after_return: bool,
    /// Text to insert at places ahead, the next one last.
    pub(super) insertions: Vec<(usize, String)>,
    /// Outside of all brackets: the last closing brace closed the body of a function.
    body_closed: bool,
    /// Outside of all brackets: the brace that is open now opened after `)` or `;`.
    body_open: bool,
    open_brackets: usize,
    /// Outside of all brackets: an initialiser has begun.
    in_initializer: bool,
    /// The last token was `struct`, `union` or `enum`.
    after_tag_keyword: bool,
    /// Attributes written before the tag of a type whose body is or will be open: they are written again
    /// after the body, which closes with this many open brackets.
    tag_attributes: Vec<(usize, String)>,
}

impl Context {
    /// A token passes; `open_brackets` counts those that are open after it.
    pub(super) fn note(&mut self, token: Token, open_brackets: usize) {
        let byte = match token {
            Token::Punctuation(byte) => byte,
            _ => b'a',
        };
        if byte == b'{' && open_brackets == 1 {
            // `;` comes last before the body of a function with parameters declared in the old way.
            self.body_open = matches!(self.previous, b')' | b';') && !self.in_initializer;
        }
        if open_brackets == 0 && matches!(byte, b'=' | b';') {
            self.in_initializer = byte == b'=';
        }
        if byte == b'}' && open_brackets == 0 {
            self.body_closed = self.body_open;
        }
        if byte != b'a' {
            self.after_tag_keyword = false;
        }
        self.before_previous = std::mem::replace(&mut self.previous, byte);
        self.after_return = false;
        self.open_brackets = open_brackets;
    }

    /// A declaration outside of functions may start here.
    fn at_external_declaration(&self) -> bool {
        self.open_brackets == 0
            && match self.previous {
                0 | b';' => true,
                b'}' => self.body_closed,
                _ => false,
            }
    }
}

impl Scanner<'_> {
    /// Called before the word that ends at `end` is written. True if it has been dealt with.
    pub(super) fn fix_before_word(&mut self, word: &str, end: usize) -> bool {
        if word == "__attribute__" || word == "__attribute" {
            return self.move_tag_attribute(end) || self.drop_attribute_statement(end);
        }
        if self.extend_word(word, end) {
            return true;
        }
        self.context.after_tag_keyword = matches!(word, "struct" | "union" | "enum");
        if self.context.previous == b':' && dialect::starts_declaration(word) {
            // A declaration right after a label.
            self.insert(";");
        }
        if self.context.at_external_declaration()
            && !dialect::is_keyword(word)
            && self.is_definition_without_type(end)
        {
            self.insert("int ");
        }
        false
    }

    /// Called before a punctuation byte is written. True if it has been dealt with.
    pub(super) fn fix_before_punctuation(&mut self, byte: u8) -> bool {
        match (self.context.previous, byte) {
            // GNU's conditional with an omitted operand.
            (b'?', b':') => self.insert(SAME_AS_CONDITION),
            // A label at the end of a block.
            (b':', b'}') => self.insert(";"),
            // An empty declaration.
            (_, b';') if self.context.at_external_declaration() => {
                self.blank(1);
                return true;
            }
            (_, b'[') => return self.drop_standard_attribute(),
            (_, b'&') => return self.extend_label_address(),
            _ => {}
        }
        false
    }

    /// Called after a closing brace was written.
    pub(super) fn fix_after_brace(&mut self) {
        while self
            .context
            .tag_attributes
            .last()
            .is_some_and(|(depth, _)| *depth == self.context.open_brackets)
        {
            if let Some((_, text)) = self.context.tag_attributes.pop() {
                self.insert(&text);
            }
        }
    }

    /// `struct __attribute__((packed)) tag { ... }`: the parser knows attributes only after the body.
    /// Without a body they mean nothing.
    fn move_tag_attribute(&mut self, end: usize) -> bool {
        if !self.context.after_tag_keyword {
            return false;
        }
        let close = self.call_end(end);
        if close == end {
            return false;
        }
        let mut next = self.skip_blank(close);
        let mut following = &self.input[next..];
        while following.starts_with(b"__attribute") {
            let word =
                following.iter().take_while(|byte| byte.is_ascii_lowercase() || **byte == b'_').count();
            let after = self.call_end(next + word);
            if after == next + word {
                break;
            }
            next = self.skip_blank(after);
            following = &self.input[next..];
        }
        let tag = following.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        if self.next_byte(next + tag) == Some(b'{') {
            let arguments = String::from_utf8_lossy(&self.input[end..close]);
            let text = format!(" __attribute__{}", arguments.replace('\n', " "));
            self.context.tag_attributes.push((self.context.open_brackets, text));
        }
        self.blank(close - self.at);
        true
    }

    /// `__attribute__((fallthrough));` and `label: __attribute__((unused))`: attributes that are a statement on their own
    /// or belong to a label. Those that have an effect are left to the parser.
    fn drop_attribute_statement(&mut self, end: usize) -> bool {
        if !matches!(self.context.previous, b';' | b'{' | b'}' | b':') || self.context.open_brackets == 0 {
            return false;
        }
        let close = self.call_end(end);
        let is_label = self.context.previous == b':';
        if !is_label && self.next_byte(close) != Some(b';') {
            return false;
        }
        let inside = String::from_utf8_lossy(&self.input[end..close]).trim().to_owned();
        let inside = inside.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).map(str::trim);
        let inside = inside.and_then(|rest| rest.strip_prefix('(')?.strip_suffix(')'));
        let without_effect = |name: &str| matches!(treatment::attribute(name), Treatment::NoEffect(_));
        if !inside.is_some_and(|inside| listed_names(inside).iter().all(|name| without_effect(name))) {
            return false;
        }
        self.blank(close - self.at);
        true
    }

    /// `[[fallthrough]]`, `[[noreturn]]`: standard attributes, of which one means something. All others, such as those
    /// of vendors, are left to the parser, which refuses them.
    fn drop_standard_attribute(&mut self) -> bool {
        let rest = &self.input[self.at..];
        if !rest.starts_with(b"[[") {
            return false;
        }
        let Some(length) = rest.windows(2).position(|pair| pair == b"]]") else {
            return false;
        };
        let inside = String::from_utf8_lossy(&rest[2..length]).into_owned();
        let names = listed_names(&inside);
        if names.iter().any(|name| treatment::standard_attribute(name) == Treatment::Refused) {
            return false;
        }
        if names.iter().any(|name| treatment::plain_name(name) == "noreturn") {
            self.replace(self.at + length + 2, "_Noreturn ");
        } else {
            self.blank(length + 2);
        }
        true
    }

    /// True if a parenthesised list follows, and after it the body of a function or the declarations of
    /// its parameters in the old way: `main() {`, where the type is `int`.
    fn is_definition_without_type(&self, end: usize) -> bool {
        if self.next_byte(end) != Some(b'(') {
            return false;
        }
        let close = self.call_end(end);
        let start = self.skip_blank(close);
        let rest = &self.input[start..];
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let word = std::str::from_utf8(&rest[..length]).unwrap_or("");
        rest.first() == Some(&b'{')
            || matches!(
                word,
                "int"
                    | "char"
                    | "long"
                    | "short"
                    | "unsigned"
                    | "signed"
                    | "register"
                    | "struct"
                    | "union"
                    | "enum"
                    | "float"
                    | "double"
                    | "void"
                    | "const"
                    | "volatile"
            )
    }

    /// Where the parenthesised list that follows `at` ends; `at` itself if there is none.
    pub(super) fn call_end(&self, at: usize) -> usize {
        let mut depth = 0usize;
        let mut quoted = false;
        let mut cursor = at;
        while let Some(&byte) = self.input.get(cursor) {
            match byte {
                b'\\' if quoted => cursor += 1,
                b'"' => quoted = !quoted,
                b'(' if !quoted => depth += 1,
                b')' if !quoted => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return cursor + 1;
                    }
                }
                _ if depth == 0 && !byte.is_ascii_whitespace() => return at,
                _ => {}
            }
            cursor += 1;
        }
        at
    }

    /// Where the statement that goes on at `at` ends, its semicolon included; `at` itself if it does not.
    pub(super) fn statement_end(&self, at: usize) -> usize {
        self.input[at..].iter().position(|&byte| byte == b';').map_or(at, |length| at + length + 1)
    }

    fn next_byte(&self, at: usize) -> Option<u8> {
        self.input.get(self.skip_blank(at)).copied()
    }

    /// The first place from `at` on that is no blank and in no comment.
    pub(super) fn skip_blank(&self, mut at: usize) -> usize {
        loop {
            let rest = self.input.get(at..).unwrap_or_default();
            if rest.starts_with(b"/*") {
                at += rest[2..]
                    .windows(2)
                    .position(|pair| pair == b"*/")
                    .map_or(rest.len(), |length| length + 4);
            } else if rest.starts_with(b"//") {
                at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            } else if rest.first().is_some_and(u8::is_ascii_whitespace) {
                at += 1;
            } else if self.skip_splices(at) != at {
                at = self.skip_splices(at);
            } else {
                return at;
            }
        }
    }
}

/// What the items of a list separated by commas start with, as far as it is a name.
fn listed_names(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut names) = (0usize, 0, Vec::new());
    for (at, byte) in list.bytes().chain([b',']).enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                let text = list[start..at].trim();
                let name = text.split('(').next().unwrap_or_default().trim_end();
                if !name.is_empty() {
                    names.push(name);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    names
}
