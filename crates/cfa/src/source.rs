//! Source files and positions in them.

use crate::arena::id;
use std::fmt;

id! {
    /// A file of the [`SourceMap`].
    FileId
}

/// A stretch of one line of a source file. Lines and columns count from 1; columns count bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Line, from 1.
    pub line: u32,
    /// Column of the first byte, from 1.
    pub column: u32,
    /// Number of bytes; at least 1.
    pub length: u32,
}

impl Span {
    /// The first byte of a line, for what has no better position.
    pub fn line_start(file: FileId, line: u32) -> Self {
        Span { file, line, column: 1, length: 1 }
    }
}

/// A source file with its text, if the text is at hand.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name as the user knows it.
    pub name: String,
    /// It is none of the user's files: models of library functions. What happens there is told where it is called.
    pub internal: bool,
    lines: Vec<String>,
}

/// All files that a program came from.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// A map without files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file.
    pub fn add(&mut self, name: impl Into<String>, text: &str) -> FileId {
        let lines = text.lines().map(str::to_owned).collect();
        self.files.push(SourceFile { name: name.into(), internal: false, lines });
        FileId::from_index(self.files.len() - 1)
    }

    /// Marks a file as none of the user's.
    pub fn set_internal(&mut self, id: FileId) {
        self.files[id.index()].internal = true;
    }

    /// The span is in a file that is none of the user's.
    pub fn is_internal(&self, span: Span) -> bool {
        self.files.get(span.file.index()).is_some_and(|file| file.internal)
    }

    /// The file with this id.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.index()]
    }

    /// All files, in the order of their ids.
    pub fn files(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..self.files.len()).map(FileId::from_index)
    }

    /// The text of the line that a span is on, if it is known.
    pub fn line(&self, span: Span) -> Option<&str> {
        let index = (span.line as usize).checked_sub(1)?;
        self.files.get(span.file.index())?.lines.get(index).map(String::as_str)
    }

    /// The position as `file:line:column`.
    pub fn position(&self, span: Span) -> impl fmt::Display + '_ {
        Position { map: self, span }
    }
}

struct Position<'a> {
    map: &'a SourceMap,
    span: Span,
}

impl fmt::Display for Position<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.map.files.get(self.span.file.index()).map_or("?", |file| &file.name);
        write!(f, "{name}:{}:{}", self.span.line, self.span.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_count_from_one_and_lose_their_line_ends() {
        let mut map = SourceMap::new();
        let file = map.add("a.c", "first\r\nsecond\n\nfourth");
        let text = |line| map.line(Span::line_start(file, line));
        assert_eq!(text(0), None);
        assert_eq!(text(1), Some("first"));
        assert_eq!(text(2), Some("second"));
        assert_eq!(text(3), Some(""));
        assert_eq!(text(4), Some("fourth"));
        assert_eq!(text(5), None);
    }

    #[test]
    fn positions_name_file_line_and_column() {
        let mut map = SourceMap::new();
        map.add("a.c", "");
        let file = map.add("b.c", "x");
        let span = Span { file, line: 7, column: 3, length: 2 };
        assert_eq!(map.position(span).to_string(), "b.c:7:3");
        let unknown = Span { file: FileId::from_index(9), ..span };
        assert_eq!(map.position(unknown).to_string(), "?:7:3");
        assert_eq!(map.line(unknown), None);
    }
}
