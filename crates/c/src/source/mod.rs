//! From a file to text that the parser can read, and back to positions in the user's files.

mod dialect;
mod extensions;
mod fixups;
mod nesting;
mod offsets;
mod packing;
mod positions;
mod preprocess;
mod scan;
mod tables;

use crate::Diagnostic;
use crate::LoadOptions;
use crate::diagnostic::LoadError;
use crate::library;
use aster_cfa::{SourceMap, Span};
use nesting::Nesting;
use offsets::Offsets;
use positions::Positions;
use scan::{Scan, scan};
use std::path::{Path, PathBuf};
use tables::Tables;

pub(crate) use dialect::source_name;
pub(crate) use extensions::{AUTO_TYPE, COMPUTED_GOTO, LABEL_ADDRESS};
pub(crate) use fixups::SAME_AS_CONDITION;
pub(crate) use packing::{LayoutPragma, Packing, WeakPragma, big_endian_at, packing_at};
pub(crate) use tables::TableItems;

/// What is to be loaded.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// How messages call it.
    pub(crate) name: String,
    /// Where it is, if it is a file.
    pub(crate) path: Option<PathBuf>,
    /// What it holds.
    pub(crate) bytes: Vec<u8>,
}

impl Input {
    /// Reads a file.
    pub(crate) fn read(path: &Path) -> Result<Self, LoadError> {
        let name = path.display().to_string();
        match std::fs::read(path) {
            Ok(bytes) => Ok(Input { name, path: Some(path.to_owned()), bytes }),
            Err(error) => Err(LoadError::Io { path: name, message: io_message(&error) }),
        }
    }

    /// Takes text that is not in a file.
    pub(crate) fn from_text(name: &str, text: &str) -> Self {
        Input { name: name.to_owned(), path: None, bytes: text.as_bytes().to_vec() }
    }

    /// True if the name says that the text has been through a preprocessor.
    fn is_preprocessed_by_name(&self) -> bool {
        let extension = self.path.as_deref().and_then(Path::extension);
        extension.is_some_and(|extension| extension == "i")
    }
}

fn io_message(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        std::io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
        _ => error.to_string(),
    }
}

/// The text that is parsed and where each part of it came from.
#[derive(Debug)]
pub(crate) struct PreparedSource {
    /// What is parsed.
    pub(crate) text: String,
    /// The user's files.
    pub(crate) sources: SourceMap,
    /// Offsets in `text` of pragmas that change how structures are laid out (`#pragma pack`).
    pub(crate) layout_pragmas: Vec<LayoutPragma>,
    /// What `#pragma weak` says.
    pub(crate) weak: Vec<WeakPragma>,
    /// How deep the syntax is nested.
    pub(crate) nesting: Nesting,
    /// Long lists of integers, which are not in `text`.
    pub(crate) tables: Tables,
    /// Models of library functions that the text may call.
    pub(crate) library: Option<LibrarySource>,
    offsets: Offsets,
    positions: Positions,
}

/// The models of library functions that a program may call.
#[derive(Debug)]
pub(crate) struct LibrarySource {
    /// What is parsed: as many blanks as the program's text has bytes and one more, so that no offset means
    /// two things, then the models.
    pub(crate) text: String,
    positions: Positions,
}

impl LibrarySource {
    fn new(program: &str, sources: &mut SourceMap) -> Option<Self> {
        let unneeded = library::unneeded(program)?;
        let original = library::text();
        let mut models = scan(original.as_bytes()).text.into_bytes();
        for byte in unneeded.into_iter().flat_map(|(start, end)| start..end) {
            if let Some(byte) = models.get_mut(byte).filter(|byte| **byte != b'\n') {
                *byte = b' ';
            }
        }
        let mut text = " ".repeat(program.len() + 1);
        text.push_str(&String::from_utf8_lossy(&models));
        let positions = Positions::of_text(sources, library::FILE_NAME, original.as_bytes());
        let library = sources.files().last();
        library.into_iter().for_each(|file| sources.set_internal(file));
        Some(LibrarySource { text, positions })
    }
}

impl PreparedSource {
    /// Prepares a text, with the help of a preprocessor if it has directives.
    pub(crate) fn new(input: &Input, options: &LoadOptions) -> Result<Self, LoadError> {
        check_text(&input.name, &input.bytes)?;
        let scanned = scan(&input.bytes);
        let expanded = !scanned.markers.is_empty() || input.is_preprocessed_by_name();
        let reason = match (scanned.directive, scanned.predefined_macro) {
            (Some(directive), _) => Some(directive),
            (None, Some(name)) if !expanded => Some(name),
            _ => None,
        };
        match reason {
            None => {
                let positions = Positions::of_file(&input.name, &input.bytes);
                Self::from_scan(scanned, positions)
            }
            Some(offset) => {
                let line = input.bytes[..offset].iter().filter(|&&byte| byte == b'\n').count() + 1;
                let output = preprocess::run(input, options, line)?;
                let scanned = scan(&output);
                let positions = Positions::of_expansion(input, &output, &scanned.markers);
                Self::from_scan(scanned, positions)
            }
        }
    }

    fn from_scan(mut scanned: Scan, (positions, sources): (Positions, SourceMap)) -> Result<Self, LoadError> {
        let problems = scanned.problems;
        let mut sources = sources;
        let tables = Tables::take(&mut scanned.text);
        let library = LibrarySource::new(&scanned.text, &mut sources);
        let prepared = PreparedSource {
            text: scanned.text,
            sources,
            tables,
            library,
            layout_pragmas: scanned.layout_pragmas,
            weak: scanned.weak,
            nesting: scanned.nesting,
            offsets: scanned.offsets,
            positions,
        };
        if problems.is_empty() {
            return Ok(prepared);
        }
        let diagnostics = problems.into_iter().map(|problem| {
            let end = problem.offset + problem.length;
            let span = prepared.positions.span(&prepared.sources, problem.offset, end);
            let notes = problem.note.into_iter().collect();
            Diagnostic { span, message: problem.message, notes }
        });
        let diagnostics = diagnostics.take(MAX_PROBLEMS).collect();
        Err(LoadError::Diagnostics { sources: prepared.sources, diagnostics })
    }

    /// What the user wrote for a stretch of the parsed text.
    pub(crate) fn original_text(&self, start: usize, end: usize) -> String {
        if let Some(library) = &self.library
            && start > self.text.len()
        {
            let base = self.text.len() + 1;
            return library.positions.text(start - base, end.saturating_sub(base));
        }
        let (start, end) = (self.offsets.original(start), self.offsets.original(end));
        self.positions.text(start, end)
    }

    /// The place in the user's files that a stretch of the parsed text came from. A stretch of several
    /// lines is cut at the end of its first line.
    pub(crate) fn span(&self, span: lang_c::span::Span) -> Span {
        let (start, end) = if span.is_none() { (0, 0) } else { (span.start, span.end) };
        if let Some(library) = &self.library
            && start > self.text.len()
        {
            let base = self.text.len() + 1;
            return library.positions.span(&self.sources, start - base, end.saturating_sub(base));
        }
        let start = start.min(self.text.len());
        let end = end.clamp(start, self.text.len());
        let original = self.offsets.original(start);
        // The end is mapped through the last byte: what follows it may have been moved elsewhere.
        let original_end = if end > start { self.offsets.original(end - 1) + 1 } else { original };
        self.positions.span(&self.sources, original, original_end)
    }
}

/// After this many errors there is little to learn from more.
const MAX_PROBLEMS: usize = 20;

/// Refuses what is no text at all.
fn check_text(name: &str, bytes: &[u8]) -> Result<(), LoadError> {
    let refuse = |message: String| Err(LoadError::NotText { path: name.to_owned(), message });
    if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
        return refuse("it is UTF-16, UTF-8 is expected".to_owned());
    }
    if let Some(offset) = bytes.iter().position(|&byte| byte == 0) {
        return refuse(format!("binary data (a zero byte at offset {offset})"));
    }
    let odd = |byte: &&u8| matches!(byte, 0x01..=0x08 | 0x0E..=0x1F | 0x7F);
    if bytes.iter().filter(odd).count() * 10 > bytes.len() {
        return refuse("binary data".to_owned());
    }
    Ok(())
}

/// Text in which every byte that is not valid UTF-8 is a question mark, so that columns stay.
fn readable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(std::iter::repeat_n('?', chunk.invalid().len()));
    }
    text
}

#[cfg(test)]
mod tests;
