//! From offsets to files, lines and columns.

use super::scan::Marker;
use super::{Input, readable};
use aster_cfa::{FileId, SourceMap, Span};

/// Where each line of a text came from.
#[derive(Debug)]
pub(crate) struct Positions {
    /// The text that offsets point into.
    text: Vec<u8>,
    /// Offset of each line's first byte.
    line_starts: Vec<usize>,
    /// Stretches of lines that follow each other in one file: index of the first line in this text,
    /// its file, its number there. Sorted, starts with line 0.
    origins: Vec<(usize, FileId, u32)>,
    /// The text came out of a preprocessor, so that columns may have moved.
    expanded: bool,
}

impl Positions {
    /// Positions in the user's own file, whatever line markers it may have.
    pub(crate) fn of_file(name: &str, bytes: &[u8]) -> (Self, SourceMap) {
        let mut sources = SourceMap::new();
        let positions = Self::of_text(&mut sources, name, bytes);
        (positions, sources)
    }

    /// Positions in a text that becomes a file of the map.
    pub(crate) fn of_text(sources: &mut SourceMap, name: &str, bytes: &[u8]) -> Self {
        let file = sources.add(name, &readable(bytes));
        Positions {
            text: bytes.to_vec(),
            line_starts: line_starts(bytes),
            origins: vec![(0, file, 1)],
            expanded: false,
        }
    }

    /// Positions in the files that a preprocessor read, by the line markers that it left.
    pub(crate) fn of_expansion(input: &Input, output: &[u8], markers: &[Marker]) -> (Self, SourceMap) {
        let mut sources = SourceMap::new();
        let main = sources.add(&input.name, &readable(&input.bytes));
        let mut files: Vec<(String, FileId)> = vec![(input.name.clone(), main), ("<stdin>".to_owned(), main)];
        let line_starts = line_starts(output);
        let mut origins = vec![(0, main, 1)];
        let mut current = main;
        for marker in markers {
            if let Some(name) = &marker.file {
                current = match files.iter().find(|(known, _)| known == name) {
                    Some((_, file)) => *file,
                    None => {
                        let text = std::fs::read(name).map(|bytes| readable(&bytes)).unwrap_or_default();
                        let file = sources.add(name, &text);
                        files.push((name.clone(), file));
                        file
                    }
                };
            }
            let line = line_starts.partition_point(|&start| start < marker.offset);
            origins.push((line, current, marker.line));
        }
        (Positions { text: output.to_vec(), line_starts, origins, expanded: true }, sources)
    }

    /// A stretch of the text that offsets point into.
    pub(crate) fn text(&self, start: usize, end: usize) -> String {
        readable(self.text.get(start..end).unwrap_or_default())
    }

    /// The span from one offset to another, cut at the end of the line.
    pub(crate) fn span(&self, sources: &SourceMap, start: usize, end: usize) -> Span {
        let start = self.last_byte_before_blank_end(start);
        let index = self.line_starts.partition_point(|&first| first <= start).saturating_sub(1);
        let first = self.line_starts[index];
        let line_end = self.line_starts.get(index + 1).map_or(self.text.len(), |next| next - 1);
        let line_text = self.text[first..line_end.max(first)].trim_ascii_end();
        let column = start - first;
        let length = end.min(first + line_text.len()).saturating_sub(start).max(1);
        let at = self.origins.partition_point(|(line, _, _)| *line <= index).saturating_sub(1);
        let (origin, file, number) = self.origins[at];
        let line = number.saturating_add(small(index - origin)).max(1);
        let span = Span { file, line, column: small(column) + 1, length: small(length) };
        if self.expanded { self.relocate(sources, span, first + column) } else { span }
    }

    /// An offset at the end of the text is moved back to the last line that has text, so that there
    /// is a line to show.
    fn last_byte_before_blank_end(&self, offset: usize) -> usize {
        let text_end = self.text.trim_ascii_end().len();
        offset.min(text_end)
    }

    /// Finds the column in the user's line: macros that were expanded moved what follows them.
    fn relocate(&self, sources: &SourceMap, span: Span, offset: usize) -> Span {
        let Some(line) = sources.line(span) else {
            return span;
        };
        let token = token_at(&self.text, offset);
        let bytes = line.as_bytes();
        let wanted = span.column as usize - 1;
        let column = (0..bytes.len())
            .filter(|&column| !token.is_empty() && token_at(bytes, column) == token)
            .filter(|&column| column == 0 || !is_word(bytes[column - 1]) || !is_word(token[0]))
            .min_by_key(|column| column.abs_diff(wanted));
        let indent = bytes.len() - line.trim_start().len();
        match column {
            Some(column) => {
                let rest = line.trim_end().len() - column;
                let length = span.length.min(small(rest)).max(1);
                Span { column: small(column) + 1, length, ..span }
            }
            // It came out of a macro: show the line.
            None => {
                let length = small(line.trim().len()).max(1);
                Span { column: small(indent) + 1, length, ..span }
            }
        }
    }
}

fn line_starts(bytes: &[u8]) -> Vec<usize> {
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    std::iter::once(0).chain(ends.map(|(offset, _)| offset + 1)).collect()
}

/// The word that starts at `offset`, or the one byte there if it is no word.
fn token_at(text: &[u8], offset: usize) -> &[u8] {
    let rest = text.get(offset..).unwrap_or_default();
    let length = rest.iter().take_while(|byte| is_word(**byte)).count().max(1);
    &rest[..length.min(rest.len())]
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn small(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX - 1)
}
