//! Parsing, and syntax errors that a person understands.

use crate::Diagnostic;
use crate::source::PreparedSource;
use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, Parse, SyntaxError, parse_preprocessed};
use lang_c::span::Span;
use std::collections::HashSet;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::Builder;
use std::time::Duration;

/// Bytes of stack for one level of nesting: several times what parsing and lowering were seen to use.
const STACK_PER_LEVEL: usize = 24 << 10;

/// The parser's memory grows with this measure; at the limit it needs about half a gigabyte.
const MAX_COPIES: usize = 2_000_000;

/// The parser tries both `--x` and `-(-x)`, for each of so many prefix operators in a row at most.
const MAX_STEPS: usize = 12;

/// There are texts without a meaning for which the parser tries very many readings. It reads a megabyte in about a second.
const LONGEST: Duration = Duration::from_secs(20);
const LONGEST_PER_MEGABYTE: Duration = Duration::from_secs(20);

/// Parses the prepared text, on a stack of that many bytes. The models of library functions come first.
pub(crate) fn parse(
    prepared: &PreparedSource,
    stack_size: usize,
) -> Result<TranslationUnit, Vec<Diagnostic>> {
    check_nesting(prepared, stack_size)?;
    check_steps(prepared)?;
    let unit = |text: &str| match parse_in_time(text, stack_size) {
        Some(Ok(parsed)) => Ok(parsed.unit),
        Some(Err(error)) => Err(vec![explain(prepared, &error)]),
        None => {
            let (_, offset) = prepared.nesting.deepest;
            let span = prepared.span(Span::span(offset, offset + 1));
            let message = "the parser does not come to an end";
            let note = "this is where brackets and operators are nested most deeply";
            Err(vec![Diagnostic::new(span, message).with_note(note)])
        }
    };
    let program = unit(&prepared.text)?;
    let Some(library) = &prepared.library else { return Ok(program) };
    let mut all = unit(&library.text)?;
    all.0.extend(program.0);
    Ok(all)
}

/// Parses a text; `None` if that takes too long.
fn parse_in_time(text: &str, stack_size: usize) -> Option<Result<Parse, SyntaxError>> {
    let megabytes = u32::try_from(text.len() >> 20).unwrap_or(u32::MAX);
    let limit = LONGEST.saturating_add(LONGEST_PER_MEGABYTE.saturating_mul(megabytes));
    let (sender, receiver) = mpsc::channel();
    let owned = text.to_owned();
    let work = move || {
        // Whoever asked may have given up.
        let _ = sender.send(parse_preprocessed(&Config::with_gcc(), owned));
    };
    let Ok(thread) = Builder::new().name("parser".to_owned()).stack_size(stack_size).spawn(work) else {
        return Some(parse_preprocessed(&Config::with_gcc(), text.to_owned()));
    };
    match receiver.recv_timeout(limit) {
        Ok(parsed) => Some(parsed),
        // The thread goes on until the process ends, which is soon.
        Err(RecvTimeoutError::Timeout) => None,
        Err(RecvTimeoutError::Disconnected) => match thread.join() {
            Ok(()) => None,
            Err(panic) => std::panic::resume_unwind(panic),
        },
    }
}

/// Refuses long rows of prefix operators with many `--` and `++` among them.
fn check_steps(prepared: &PreparedSource) -> Result<(), Vec<Diagnostic>> {
    let text = prepared.text.as_bytes();
    let (mut at, mut steps) = (0, 0);
    while at < text.len() {
        let end = if text[at].is_ascii_whitespace() { at + 1 } else { token_end(text, at) };
        match &text[at..end] {
            b"--" | b"++" => steps += 1,
            b"-" | b"+" | b"*" | b"&" | b"&&" | b"!" | b"~" => {}
            [blank] if blank.is_ascii_whitespace() => {}
            _ => steps = 0,
        }
        if steps > MAX_STEPS {
            let span = prepared.span(Span::span(at, end));
            let message = format!("more than {MAX_STEPS} '--' and '++' are applied to each other");
            return Err(vec![Diagnostic::new(span, message)]);
        }
        at = end;
    }
    Ok(())
}

fn check_nesting(prepared: &PreparedSource, stack_size: usize) -> Result<(), Vec<Diagnostic>> {
    let (depth, offset) = prepared.nesting.deepest;
    let limit = stack_size / STACK_PER_LEVEL;
    if depth <= limit && prepared.nesting.copies <= MAX_COPIES {
        return Ok(());
    }
    let span = prepared.span(Span::span(offset, offset + 1));
    let message = format!("the program is nested too deeply ({depth} levels of brackets and operators)");
    let note = match depth <= limit {
        true => "parentheses are nested in expressions more deeply than memory allows".to_owned(),
        false => format!("at most {limit} levels fit the stack"),
    };
    Err(vec![Diagnostic::new(span, message).with_note(note)])
}

/// A token of the prepared text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Token {
    start: usize,
    end: usize,
}

fn explain(prepared: &PreparedSource, error: &SyntaxError) -> Diagnostic {
    let text = prepared.text.as_bytes();
    let found = offending_token(text, error);
    let previous = last_token_before(text, found.start);
    let word = |token: Token| &prepared.text[token.start..token.end];
    let quoted = |token: Token| format!("'{}'", prepared.original_text(token.start, token.end));
    let at = |token: Token| prepared.span(Span::span(token.start, token.end));

    if found.start == found.end {
        return explain_end(prepared, error);
    }
    if text[found.start].is_ascii_digit() && error.offset > found.start {
        return Diagnostic::new(at(found), format!("malformed number {}", quoted(found)));
    }
    if error.offset == found.end {
        return explain_keyword(at(found), word(found), previous.map(word));
    }
    if is_outside_of_functions(text, previous, found) {
        let message = match word(found) {
            bracket @ ("}" | ")" | "]") => format!("there is nothing open that this '{bracket}' could close"),
            name if is_identifier(name) && is_type_position(prepared, found) => {
                format!("unknown type {}", quoted(found))
            }
            _ => format!("expected a declaration, found {}", quoted(found)),
        };
        return Diagnostic::new(at(found), message);
    }
    let expected = expectation(&error.expected);
    let mut diagnostic = match previous {
        // The place to mend is behind the token before, which is often on the line before.
        Some(previous) if error.expected.contains(";") && is_on_later_line(text, previous, found) => {
            let end = prepared.span(Span::span(previous.end - 1, previous.end));
            let span = aster_cfa::Span { column: end.column + 1, length: 1, ..end };
            let message = format!("expected {expected} after {}", quoted(previous));
            Diagnostic::new(span, message).with_note(format!("the next token is {}", quoted(found)))
        }
        _ => Diagnostic::new(at(found), format!("expected {expected}, found {}", quoted(found))),
    };
    if let Some(previous) = previous.filter(|token| is_identifier(word(*token)) && is_identifier(word(found)))
    {
        diagnostic.notes.push(format!("{} is not the name of a type here", quoted(previous)));
    }
    diagnostic
}

/// A keyword that the parser read as a name, and then found to be none.
fn explain_keyword(span: aster_cfa::Span, keyword: &str, previous: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::new(span, format!("unexpected keyword '{keyword}'"));
    match (keyword, previous) {
        ("else", _) => diagnostic.with_note("there is no 'if' that it belongs to"),
        (_, Some("}" | ")")) => diagnostic.with_note("perhaps a ';' is missing before it"),
        _ => diagnostic,
    }
}

/// The text ended too early: the bracket that is open is more interesting than the last line.
fn explain_end(prepared: &PreparedSource, error: &SyntaxError) -> Diagnostic {
    let expected = expectation(&error.expected);
    let end = last_token_before(prepared.text.as_bytes(), prepared.text.len());
    let span = end.map_or(Span::span(0, 0), |end| Span::span(end.start, end.end));
    let mut diagnostic =
        Diagnostic::new(prepared.span(span), format!("expected {expected}, but the file ends here"));
    if let Some((bracket, offset)) = prepared.nesting.unclosed.last() {
        let opened = prepared.span(Span::span(*offset, offset + 1));
        let position = prepared.sources.position(opened);
        diagnostic.notes.push(format!("the '{}' at {position} is never closed", char::from(*bracket)));
    }
    diagnostic
}

/// The token that the error is about; empty at the end of the text.
fn offending_token(text: &[u8], error: &SyntaxError) -> Token {
    let offset = error.offset.min(text.len());
    let word_start = offset - text[..offset].iter().rev().take_while(|byte| is_word(**byte)).count();
    if word_start < offset {
        let word = Token { start: word_start, end: token_end(text, word_start) };
        let is_number = text[word_start].is_ascii_digit();
        // A number that stops in its middle, or at its end although nothing may follow it; or a keyword
        // that nothing may follow because it must not be there.
        let in_the_middle = offset < word.end;
        let nothing_may_follow = ![";", ",", ")", "]", "}"].iter().any(|mark| error.expected.contains(mark));
        let keyword = std::str::from_utf8(&text[word.start..word.end]).is_ok_and(is_keyword);
        if in_the_middle || nothing_may_follow && (is_number || keyword) {
            return word;
        }
    }
    let start = offset + text[offset..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    Token { start, end: token_end(text, start) }
}

/// True if a declaration outside of functions starts with the token.
fn is_outside_of_functions(text: &[u8], previous: Option<Token>, token: Token) -> bool {
    let mut at = 0;
    let mut depth = 0usize;
    while at < token.start {
        match text[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at = if text[at].is_ascii_whitespace() { at + 1 } else { token_end(text, at) };
    }
    depth == 0 && previous.is_none_or(|previous| matches!(text[previous.start], b';' | b'}'))
}

fn token_end(text: &[u8], start: usize) -> usize {
    let rest = &text[start..];
    let Some(&first) = rest.first() else {
        return start;
    };
    let length = match first {
        _ if is_word(first) => rest.iter().take_while(|byte| is_word(**byte)).count(),
        b'"' | b'\'' => quoted_length(rest),
        _ => OPERATORS.iter().find(|operator| rest.starts_with(operator.as_bytes())).map_or(1, |it| it.len()),
    };
    start + length
}

fn quoted_length(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != rest[0] {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

/// Operators of several bytes, longest first.
const OPERATORS: [&str; 22] = [
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=", "/=", "%=",
    "+=", "-=", "&=", "^=", "|=",
];

fn last_token_before(text: &[u8], offset: usize) -> Option<Token> {
    let end = text[..offset].trim_ascii_end().len();
    let last = end.checked_sub(1)?;
    let mut start = last;
    if is_word(text[last]) {
        while start > 0 && is_word(text[start - 1]) {
            start -= 1;
        }
    }
    Some(Token { start, end })
}

fn is_on_later_line(text: &[u8], previous: Token, next: Token) -> bool {
    text[previous.end..next.start].contains(&b'\n')
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_identifier(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') && !is_keyword(word)
}

fn is_keyword(word: &str) -> bool {
    const KEYWORDS: [&str; 34] = [
        "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
        "extern", "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return",
        "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void",
        "volatile", "while",
    ];
    KEYWORDS.contains(&word)
}

/// True if what follows makes sense only if the word is a type: a name or a star.
fn is_type_position(prepared: &PreparedSource, word: Token) -> bool {
    let text = prepared.text.as_bytes();
    let rest = &text[word.end..];
    let blank = rest.len() - rest.trim_ascii_start().len();
    let next = Token { start: word.end + blank, end: token_end(text, word.end + blank) };
    let next = &prepared.text[next.start..next.end];
    next == "*" || is_identifier(next)
}

/// What the parser would have taken, in words: a few punctuation marks and the names of what else
/// could have stood there.
fn expectation(expected: &HashSet<&'static str>) -> String {
    let has = |item: &str| expected.contains(item);
    let statement = has("{") && has("}") && has("~");
    let mut words: Vec<String> = Vec::new();
    for mark in [";", ")", "]", "}", "{", ":", "(", ",", "="] {
        // An expression may start with a bracket, and an operator may be one.
        let part_of_more = match mark {
            "(" => has("~") || has("<<") || has("[") || has("*"),
            "{" | ";" => statement,
            "=" => has("<<="),
            ":" => has("<<") && has(";"),
            _ => false,
        };
        if has(mark) && !part_of_more {
            words.push(format!("'{mark}'"));
        }
    }
    if statement {
        words.push("a statement".to_owned());
    } else if has("struct") && has("void") && !has("~") {
        words.push("a declaration".to_owned());
    } else if has("~") && has("!") {
        words.push("an expression".to_owned());
    } else if has("[_a-zA-Z]") {
        words.push("a name".to_owned());
    }
    if has("<<") && has("&&") {
        words.push("an operator".to_owned());
    }
    if words.is_empty() {
        let mut rest: Vec<_> = expected.iter().filter(|item| is_readable(item)).collect();
        rest.sort();
        words.extend(rest.iter().take(4).map(|item| format!("'{item}'")));
    }
    match words.split_last() {
        None => "something else".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}

/// False for character classes and the like.
fn is_readable(item: &str) -> bool {
    !item.trim().is_empty() && (item.len() < 3 || !item.starts_with(['[', '<']))
}
