//! Errors in the text of a program, and how they are shown: the same for all front ends.

use crate::source::{SourceMap, Span};
use std::fmt::Write;

/// An error in the program text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Where it is.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What else helps to understand it.
    pub notes: Vec<String>,
}

impl Diagnostic {
    /// A diagnostic without notes.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Diagnostic { span, message: message.into(), notes: Vec::new() }
    }

    /// The same with one more note.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// The message with its position, the source line and a marker under what it is about.
    ///
    /// ```text
    /// leap.c:3:14: error: expected ';' after '1'
    ///   3 |     int x = 1
    ///     |              ^
    ///     = the next token is 'return'
    /// ```
    pub fn render(&self, sources: &SourceMap) -> String {
        let mut text = format!("{}: error: {}\n", sources.position(self.span), self.message);
        let number = self.span.line.to_string();
        let margin = " ".repeat(number.len());
        if let Some(line) = sources.line(self.span) {
            let (shown, marker) = frame(line, self.span);
            // Writing to a string cannot fail.
            let _ = write!(text, "  {number} | {shown}\n  {margin} | {marker}\n");
        }
        for note in &self.notes {
            let _ = writeln!(text, "  {margin} = {note}");
        }
        text
    }
}

/// Columns of a source line that are shown.
const MAX_LINE: usize = 120;

/// The part of a line around a span, and the marker for the line below it.
fn frame(line: &str, span: Span) -> (String, String) {
    let before = char_count(line, span.column as usize - 1);
    let marked = char_count(line, span.column as usize - 1 + span.length as usize) - before;
    let characters: Vec<char> = line.chars().collect();
    let first = if characters.len() <= MAX_LINE { 0 } else { before.saturating_sub(MAX_LINE / 2) };
    let last = characters.len().min(first + MAX_LINE);
    let ellipsis = |cut: bool| if cut { "..." } else { "" };

    let visible = &characters[first.min(last)..last];
    let mut shown = ellipsis(first > 0).to_owned();
    shown.extend(visible);
    shown.push_str(ellipsis(last < characters.len()));

    // Tabs stay tabs, so that the marker stands where the text stands.
    let mut marker = " ".repeat(ellipsis(first > 0).len());
    let indent = visible.iter().take(before - first.min(before));
    marker.extend(indent.map(|&character| if character == '\t' { '\t' } else { ' ' }));
    marker.push('^');
    let rest = marked.min(last.saturating_sub(before)).saturating_sub(1);
    marker.extend(std::iter::repeat_n('~', rest));
    (shown.trim_end().to_owned(), marker)
}

/// Number of characters in the first `bytes` bytes.
fn char_count(line: &str, bytes: usize) -> usize {
    line.char_indices().take_while(|(offset, _)| *offset < bytes).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(line: &str, column: u32, length: u32) -> String {
        let mut sources = SourceMap::new();
        let file = sources.add("a.c", line);
        Diagnostic::new(Span { file, line: 1, column, length }, "wrong").with_note("really").render(&sources)
    }

    #[test]
    fn the_marker_is_below_what_it_marks() {
        let expected = "a.c:1:5: error: wrong\n  1 | int x = 1;\n    |     ^\n    = really\n";
        assert_eq!(rendered("int x = 1;", 5, 1), expected);
        assert!(rendered("int abc = 1;", 5, 3).contains("\n    |     ^~~\n"));
        assert!(rendered("\tint abc;", 6, 3).contains("\n    | \t    ^~~\n"));
        // Columns count bytes, the marker counts characters.
        assert!(rendered("\"éé\" abc;", 8, 3).contains("\n    |      ^~~\n"));
    }

    #[test]
    fn positions_outside_of_the_line_do_no_harm() {
        assert!(rendered("int x", 6, 1).contains("\n    |      ^\n"));
        assert!(rendered("", 1, 1).starts_with("a.c:1:1: error: wrong\n"));
        assert!(rendered("x", 500, 9).contains('^'));
    }

    #[test]
    fn long_lines_are_cut() {
        let line = format!("{}HERE{}", "a ".repeat(1000), "b ".repeat(1000));
        let text = rendered(&line, 2001, 4);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[1].len() < 140);
        let marker = lines[2].find('^').unwrap();
        assert_eq!(&lines[1][marker..marker + 4], "HERE");
        assert_eq!(&lines[2][marker..], "^~~~");
    }
}
