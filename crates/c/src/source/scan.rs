//! One pass over C text that leaves what the parser can read.
//!
//! The parser expects preprocessed text without comments. The scanner blanks comments, line markers
//! and pragmas, removes line continuations, and rewrites the few tokens and constructs that the parser
//! does not know ([`super::dialect`], [`super::fixups`]). What it writes keeps its offsets wherever possible; where it does not (a
//! continuation inside a token, a replaced token), [`Offsets`] knows the way back.

use super::dialect::{self, Rewrite};
use super::fixups::Context;
use super::nesting::{Nesting, Token};
use super::offsets::Offsets;
use super::packing::{LayoutPragma, WeakPragma};
use crate::treatment::{self, Treatment};

/// What one pass found.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// Text for the parser.
    pub(crate) text: String,
    /// The way from `text` back to what was scanned.
    pub(crate) offsets: Offsets,
    /// Line markers in order.
    pub(crate) markers: Vec<Marker>,
    /// The first directive that only a preprocessor can handle.
    pub(crate) directive: Option<usize>,
    /// The first use of a macro that preprocessors define on their own.
    pub(crate) predefined_macro: Option<usize>,
    /// Errors: offset, length and message.
    pub(crate) problems: Vec<Problem>,
    /// Pragmas that change how structures are laid out, by offset in `text`.
    pub(crate) layout_pragmas: Vec<LayoutPragma>,
    /// What `#pragma weak` says.
    pub(crate) weak: Vec<WeakPragma>,
    /// How deep the syntax is nested at most.
    pub(crate) nesting: Nesting,
}

/// A line marker: the next line is this line of that file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Marker {
    /// Offset in the scanned text of the line after the marker.
    pub(crate) offset: usize,
    /// What the next line is called.
    pub(crate) line: u32,
    /// Which file it is in; `None` if the marker does not change it.
    pub(crate) file: Option<String>,
}

/// Text that no C program can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    /// Where in the scanned text.
    pub(crate) offset: usize,
    /// How many bytes.
    pub(crate) length: usize,
    /// What is wrong.
    pub(crate) message: String,
    /// More about it.
    pub(crate) note: Option<String>,
}

/// Scans a whole text.
pub(crate) fn scan(input: &[u8]) -> Scan {
    let mut scanner =
        Scanner { input, at: 0, line_start: true, context: Context::default(), out: Scan::default() };
    scanner.out.text.reserve(input.len());
    scanner.run();
    scanner.out
}

/// The state of a pass.
pub(super) struct Scanner<'a> {
    pub(super) input: &'a [u8],
    pub(super) at: usize,
    /// Only blanks and comments so far on this line, so that `#` starts a directive.
    line_start: bool,
    /// What came before.
    pub(super) context: Context,
    pub(super) out: Scan,
}

impl Scanner<'_> {
    fn run(&mut self) {
        if self.input.starts_with(b"\xEF\xBB\xBF") {
            self.blank(3);
        }
        while self.at < self.input.len() {
            self.insert_what_waits();
            self.step();
        }
        // Offsets at the very end must have a line to be on.
        if !self.out.text.ends_with('\n') {
            self.out.offsets.note(self.out.text.len(), self.input.len());
            self.out.text.push('\n');
        }
        self.out.nesting.finish();
    }

    /// Handles whatever starts here; always moves on.
    fn step(&mut self) {
        let byte = self.input[self.at];
        match byte {
            b'\n' => {
                self.blank(1);
                self.line_start = true;
            }
            b' ' | b'\t' => self.copy(1),
            b'\r' | 0x0B | 0x0C => self.blank(1),
            b'\\' if self.splice(self.at) > 0 => self.blank(self.splice(self.at)),
            b'/' if self.ahead(1) == Some(b'*') => self.block_comment(),
            b'/' if self.ahead(1) == Some(b'/') => self.line_comment(),
            b'#' if self.line_start => self.directive(),
            b'%' if self.line_start && self.ahead(1) == Some(b':') => self.directive(),
            _ => {
                self.line_start = false;
                self.token(byte);
            }
        }
    }

    fn token(&mut self, byte: u8) {
        match byte {
            b'"' | b'\'' => self.literal(0),
            b'_' | b'$' | b'a'..=b'z' | b'A'..=b'Z' => self.word(),
            b'0'..=b'9' => self.number(),
            b'.' if self.ahead(1).is_some_and(|next| next.is_ascii_digit()) => self.number(),
            0x80.. => self.foreign(),
            0x00..=0x1F | 0x7F => self.stray(format!("unexpected byte 0x{byte:02x}")),
            _ => self.punctuation(byte),
        }
    }

    /// The byte `distance` places ahead, where continuations do not count as places. (The byte here is
    /// place 0.)
    pub(super) fn ahead(&self, distance: usize) -> Option<u8> {
        let mut at = self.at;
        for _ in 0..distance {
            at = self.skip_splices(at + 1);
        }
        self.input.get(at).copied()
    }

    /// Length of the continuation (backslash and line end, perhaps with blanks between) at `at`; 0 if
    /// there is none.
    fn splice(&self, at: usize) -> usize {
        if self.input.get(at) != Some(&b'\\') {
            return 0;
        }
        let rest = &self.input[at + 1..];
        let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        if rest.get(blanks) == Some(&b'\n') { blanks + 2 } else { 0 }
    }

    pub(super) fn skip_splices(&self, mut at: usize) -> usize {
        loop {
            match self.splice(at) {
                0 => return at,
                length => at += length,
            }
        }
    }

    /// Copies bytes that are ASCII.
    fn copy(&mut self, length: usize) {
        for &byte in &self.input[self.at..self.at + length] {
            self.out.text.push(char::from(byte));
        }
        self.at += length;
    }

    /// Replaces bytes by blanks; line ends stay.
    pub(super) fn blank(&mut self, length: usize) {
        for &byte in &self.input[self.at..self.at + length] {
            self.out.text.push(if byte == b'\n' { '\n' } else { ' ' });
        }
        self.at += length;
    }

    /// Writes `text` for the bytes up to `end`.
    pub(super) fn replace(&mut self, end: usize, text: &str) {
        self.out.offsets.note(self.out.text.len(), self.at);
        self.out.text.push_str(text);
        self.out.offsets.note(self.out.text.len(), end);
        self.at = end;
    }

    /// Writes `text` that stands for nothing.
    pub(super) fn insert(&mut self, text: &str) {
        self.replace(self.at, text);
    }

    /// Tells everyone who counts about the token that starts here.
    pub(super) fn note(&mut self, token: Token) {
        self.out.nesting.token(token, self.out.text.len());
        self.context.note(token, self.out.nesting.open_brackets());
    }

    fn block_comment(&mut self) {
        // The two bytes that open it may have a continuation between them.
        let body = self.skip_splices(self.at + 1) + 1;
        let mut at = body;
        while at < self.input.len() {
            if self.input[at] == b'*' && self.input.get(self.skip_splices(at + 1)) == Some(&b'/') {
                let end = self.skip_splices(at + 1) + 1;
                self.blank(end - self.at);
                return;
            }
            at += 1;
        }
        self.problem(self.at, 2, "unterminated comment", Some("'*/' is missing".to_owned()));
        self.blank(self.input.len() - self.at);
    }

    fn line_comment(&mut self) {
        let end = self.logical_line_end(self.at);
        self.blank(end - self.at);
    }

    /// Where the line that `from` is on ends (at its line end or the end of the text), continuations
    /// included.
    fn logical_line_end(&self, from: usize) -> usize {
        let mut at = from;
        while at < self.input.len() && self.input[at] != b'\n' {
            at += self.splice(at).max(1);
        }
        at
    }

    /// A line that starts with `#`: line markers and pragmas are dropped, anything else is work for a
    /// preprocessor.
    fn directive(&mut self) {
        let start = self.at;
        let end = self.directive_end();
        let line = self.logical_line(start, end);
        let content = line.strip_prefix("%:").or(line.strip_prefix('#')).unwrap_or(&line).trim();
        let word: &str = content.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
        let marker = match word {
            "line" => parse_marker(&content[4..]),
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => parse_marker(content),
            _ => None,
        };
        if let Some((line, file)) = marker {
            self.out.markers.push(Marker { offset: (end + 1).min(self.input.len()), line, file });
        } else if word == "pragma" {
            self.pragma(content["pragma".len()..].trim(), end);
        } else if !matches!(word, "ident" | "sccs") && !content.is_empty() {
            self.out.directive.get_or_insert(start);
        }
        self.blank(end - start);
    }

    /// A pragma that starts here and ends at `end`.
    fn pragma(&mut self, text: &str, end: usize) {
        let understood = match treatment::pragma(text) {
            Treatment::NoEffect(_) => true,
            Treatment::Refused => false,
            Treatment::Modelled => match text.strip_prefix("weak") {
                Some(names) => WeakPragma::parse(names).map(|pragma| self.out.weak.push(pragma)).is_some(),
                None => {
                    let offset = self.out.text.len();
                    self.out.layout_pragmas.push(LayoutPragma { offset, text: text.to_owned() });
                    true
                }
            },
        };
        if !understood {
            let note = "what a pragma does that is not known cannot be left out".to_owned();
            self.problem(self.at, end - self.at, "this pragma is not modelled", Some(note));
        }
    }

    /// The text of `_Pragma("text")`, whose parenthesis follows `from`; blanks and the literal's prefix do not matter.
    fn quoted_pragma(&self, from: usize, end: usize) -> Option<String> {
        let call = self.logical_line(from, end);
        let literal = call.trim().strip_prefix('(')?.strip_suffix(')')?.trim().trim_start_matches('L');
        let text = literal.strip_prefix('"')?.strip_suffix('"')?;
        Some(text.replace("\\\"", "\"").replace("\\\\", "\\"))
    }

    /// The end of a directive: the end of its line, where a comment may go over several lines.
    fn directive_end(&self) -> usize {
        let mut at = self.at;
        let mut quote = None;
        while at < self.input.len() && self.input[at] != b'\n' {
            let byte = self.input[at];
            match (quote, byte) {
                (Some(_), b'\\') if self.splice(at) == 0 => at += 1,
                (Some(open), _) if open == byte => quote = None,
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'/') if self.input.get(at + 1) == Some(&b'/') => return self.logical_line_end(at),
                (None, b'/') if self.input.get(at + 1) == Some(&b'*') => {
                    let body = &self.input[at + 2..];
                    match body.windows(2).position(|pair| pair == b"*/") {
                        Some(length) => at += 2 + length + 1,
                        None => return self.input.len(),
                    }
                }
                _ => {}
            }
            at += self.splice(at).max(1);
        }
        at.min(self.input.len())
    }

    fn logical_line(&self, start: usize, end: usize) -> String {
        let mut bytes = Vec::with_capacity(end - start);
        let mut at = start;
        while at < end {
            match self.splice(at) {
                0 => {
                    bytes.push(self.input[at]);
                    at += 1;
                }
                length => at += length,
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// A string or character literal whose quote is `prefix` places ahead.
    fn literal(&mut self, prefix: usize) {
        let start = self.at;
        let mut at = start;
        for _ in 0..prefix {
            at = self.skip_splices(at + 1);
        }
        let quote = self.input[at];
        at += 1;
        let mut changed = false;
        let mut closed = false;
        while at < self.input.len() {
            if self.splice(at) > 0 {
                changed = true;
                at += self.splice(at);
                continue;
            }
            match self.input[at] {
                b'\n' => break,
                b'\\' => {
                    let escaped = self.skip_splices(at + 1);
                    changed |= matches!(self.input.get(escaped), Some(b'e' | b'E' | b'u' | b'U'))
                        || escaped != at + 1;
                    at = (escaped + 1).min(self.input.len());
                }
                byte if byte == quote => {
                    at += 1;
                    closed = true;
                    break;
                }
                byte => {
                    changed |= !byte.is_ascii();
                    at += 1;
                }
            }
        }
        if !closed {
            let kind = if quote == b'"' { "string" } else { "character constant" };
            let message = format!("unterminated {kind}");
            let note = format!("the closing {} is missing on this line", char::from(quote));
            self.problem(start, at - start, &message, Some(note));
            self.blank(at - start);
            return;
        }
        self.note(Token::Operand);
        if changed || prefix > 0 {
            let text = self.literal_text(start, at, quote);
            self.replace(at, &text);
        } else {
            self.copy(at - start);
        }
    }

    /// A literal without continuations and with every byte that is not ASCII as an octal escape, which
    /// means the same (each byte is one element) and does not depend on the file's encoding.
    ///
    /// Wide literals keep characters in UTF-8, as their elements are characters.
    fn literal_text(&self, start: usize, end: usize, quote: u8) -> String {
        let mut bytes = Vec::with_capacity(end - start);
        let mut at = start;
        while at < end {
            match self.splice(at) {
                0 => {
                    bytes.push(self.input[at]);
                    at += 1;
                }
                length => at += length,
            }
        }
        let wide = matches!(bytes[0], b'L' | b'U') || bytes[0] == b'u' && bytes.get(1) == Some(&quote);
        let bytes = resolve_universal_names(&bytes);
        match String::from_utf8(bytes) {
            Ok(text) if wide => text,
            Ok(text) => escape(text.as_bytes()),
            Err(error) => escape(error.as_bytes()),
        }
    }

    /// A keyword, an identifier, or the prefix of a literal.
    fn word(&mut self) {
        let start = self.at;
        let mut end = start;
        let mut spliced = false;
        while self.input.get(end).is_some_and(|byte| is_word(*byte)) {
            end += 1;
            let next = self.skip_splices(end);
            if next != end && self.input.get(next).is_some_and(|byte| is_word(*byte)) {
                spliced = true;
                end = next;
            }
        }
        let bytes: Vec<u8> = match spliced {
            false => self.input[start..end].to_vec(),
            true => self.logical_line(start, end).into_bytes(),
        };
        let word = String::from_utf8_lossy(&bytes).into_owned();
        let quote = self.input.get(self.skip_splices(end));
        if matches!(word.as_str(), "L" | "u" | "U" | "u8") && matches!(quote, Some(b'"' | b'\'')) {
            self.literal(word.len());
            return;
        }
        if dialect::is_predefined_macro(&word) {
            self.out.predefined_macro.get_or_insert(start);
        }
        if self.fix_before_word(&word, end) {
            return;
        }
        self.note(Token::word(&word));
        self.context.after_return = word == "return";
        match dialect::rewrite(&word) {
            Rewrite::Keep if word.contains('$') => self.replace(end, &word.replace('$', dialect::DOLLAR)),
            Rewrite::Keep if spliced => self.replace(end, &word),
            Rewrite::Keep => self.copy(end - start),
            Rewrite::With(text) if text.len() <= end - start && !spliced => {
                let padding = end - start - text.len();
                self.out.text.push_str(text);
                self.out.text.extend(std::iter::repeat_n(' ', padding));
                self.at = end;
            }
            Rewrite::With(text) => self.replace(end, text),
            Rewrite::Pragma => {
                let close = self.call_end(end);
                match self.quoted_pragma(end, close) {
                    Some(text) => self.pragma(text.trim(), close),
                    None => self.problem(start, end - start, "'_Pragma' needs a string in parentheses", None),
                }
                self.blank(close - start);
            }
            Rewrite::DropStatement => {
                let end = self.statement_end(end);
                self.blank(end - start);
            }
        }
    }

    fn number(&mut self) {
        let start = self.at;
        let mut end = start;
        let mut spliced = false;
        let mut previous = 0u8;
        while let Some(&byte) = self.input.get(end) {
            let sign = matches!(byte, b'+' | b'-') && matches!(previous, b'e' | b'E' | b'p' | b'P');
            // In a hexadecimal integer `e` is a digit, so that `0xe+1` is one malformed number in C as
            // well; compilers reject it, and so does the parser.
            if !(is_word(byte) || byte == b'.' || sign) {
                break;
            }
            previous = byte;
            let next = self.skip_splices(end + 1);
            spliced |= next != end + 1;
            end = next;
        }
        self.note(Token::Operand);
        let text = self.logical_line(start, end);
        match dialect::rewrite_number(&text) {
            Some(text) => self.replace(end, &text),
            None if spliced => self.replace(end, &text),
            None => self.copy(end - start),
        }
    }

    /// Text outside of literals that is not ASCII.
    fn foreign(&mut self) {
        let rest = &self.input[self.at..];
        let head = &rest[..rest.len().min(4)];
        let valid = match std::str::from_utf8(head) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or(""),
        };
        match valid.chars().next() {
            Some(character) => {
                self.problem(
                    self.at,
                    character.len_utf8(),
                    &format!("unexpected character '{character}'"),
                    None,
                );
                self.blank(character.len_utf8());
            }
            None => self.stray(format!("unexpected byte 0x{:02x}", self.input[self.at])),
        }
    }

    fn stray(&mut self, message: String) {
        self.problem(self.at, 1, &message, None);
        self.blank(1);
    }

    /// One operator or bracket. Operators of several bytes are told apart only as far as digraphs,
    /// continuations and the nesting need it.
    fn punctuation(&mut self, byte: u8) {
        let next = self.ahead(1);
        if let Some(text) = dialect::digraph(byte, next) {
            self.note(Token::Punctuation(text.as_bytes()[0]));
            let end = self.skip_splices(self.at + 1) + 1;
            if end == self.at + 2 {
                self.out.text.push_str(text);
                self.out.text.push(' ');
                self.at = end;
            } else {
                self.replace(end, text);
            }
            return;
        }
        if byte == b'\\' || byte == b'`' || byte == b'@' {
            self.stray(format!("unexpected character '{}'", char::from(byte)));
            return;
        }
        if self.fix_before_punctuation(byte) {
            return;
        }
        self.note(Token::Punctuation(byte));
        let end = self.skip_splices(self.at + 1);
        let glued = end > self.at + 1 && self.input.get(end).is_some_and(|next| is_operator(*next));
        if glued && is_operator(byte) {
            // `+\` and `=` on the next line is one operator.
            self.replace(end, &char::from(byte).to_string());
        } else {
            self.copy(1);
        }
        if byte == b'}' {
            self.fix_after_brace();
        }
    }

    fn problem(&mut self, offset: usize, length: usize, message: &str, note: Option<String>) {
        self.out.problems.push(Problem { offset, length, message: message.to_owned(), note });
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

fn is_operator(byte: u8) -> bool {
    b"+-*/%&|^<>=!.#".contains(&byte)
}

/// Writes what is not ASCII as octal escapes, and GNU's `\e` as the octal escape that it stands for.
fn escape(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut escaped = false;
    for &byte in bytes {
        match byte {
            b'e' | b'E' if escaped => text.push_str("033"),
            _ if byte.is_ascii() => text.push(char::from(byte)),
            _ => text.push_str(&format!("\\{byte:03o}")),
        }
        escaped = byte == b'\\' && !escaped;
    }
    text
}

/// Writes `\\u00e9` and `\\U0001f600` as the characters that they name. What names none is left alone.
fn resolve_universal_names(bytes: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, tail @ ..] = rest {
        let digits = match (first, tail.first()) {
            (b'\\', Some(b'u')) => 4,
            (b'\\', Some(b'U')) => 8,
            _ => 0,
        };
        let number = tail.get(1..1 + digits).and_then(|digits| std::str::from_utf8(digits).ok());
        let number = number.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let named = number.and_then(|digits| char::from_u32(u32::from_str_radix(digits, 16).ok()?));
        // Below that there are only three that may be named, and none of them is a quote.
        let named = named.filter(|&c| c >= '\u{a0}' || matches!(c, '$' | '@' | '`'));
        let taken = match (named, first) {
            (Some(character), _) => {
                result.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                2 + digits
            }
            (None, b'\\') => rest.len().min(2),
            (None, _) => 1,
        };
        if named.is_none() {
            result.extend_from_slice(&rest[..taken]);
        }
        rest = &rest[taken..];
    }
    result
}

/// Reads `12 "file" flags`.
fn parse_marker(content: &str) -> Option<(u32, Option<String>)> {
    let content = content.trim_start();
    let digits = content.len() - content.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let line = content[..digits].parse().ok()?;
    let rest = content[digits..].trim_start();
    let Some(quoted) = rest.strip_prefix('"') else {
        return if rest.is_empty() { Some((line, None)) } else { None };
    };
    let mut name = String::new();
    let mut characters = quoted.chars();
    loop {
        match characters.next()? {
            '"' => return Some((line, Some(name))),
            '\\' => name.push(characters.next()?),
            character => name.push(character),
        }
    }
}
