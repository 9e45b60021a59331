//! Functions that deal with the world outside of the program: what they read, and what they give.
//!
//! They change no memory of the program. Those that do are models in C.

use super::format::{Format, Kind, Size, Use};
use crate::typed::{Expr, ExprKind, LValue, LValueKind, ObjectId, Storage, TypedProgram};
use crate::types::{Type, TypeId};

/// A function that reads memory and gives a number or a stream. Numbers are positions of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outside {
    /// The stream that it works on.
    pub(crate) stream: Option<usize>,
    /// It may be null, which stands for all streams.
    pub(crate) all_streams: bool,
    /// The memory that it reads.
    pub(crate) reads: Reads,
    /// What it gives.
    pub(crate) gives: Gives,
}

/// The memory that a function reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reads {
    /// None.
    Nothing,
    /// Texts up to their end: the first argument and how many follow it.
    Texts(usize, usize),
    /// A text, unless the pointer is null.
    OptionalText(usize),
    /// A text of wide characters.
    WideText(usize),
    /// A format, and what it asks for of the arguments after it.
    Format(usize),
    /// A format of wide characters.
    WideFormat(usize),
    /// A format; the arguments are in a list.
    FormatOfList(usize),
    /// A number of bytes.
    Bytes { from: usize, length: usize },
    /// A number of elements of some size.
    Elements { from: usize, size: usize, count: usize },
}

/// The result of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gives {
    /// Nothing.
    Nothing,
    /// A number in a range.
    Range(i64, i64),
    /// How many characters the format makes, or -1.
    Length,
    /// The argument as an `unsigned char`, or -1.
    Character(usize),
    /// The argument as it is, or -1.
    Same(usize),
    /// From 0 to the argument.
    UpTo(usize),
    /// From -1 to the argument.
    UpToOrError(usize),
    /// A stream that is not open yet, or null.
    NewStream,
    /// Null, or a pointer to nothing of the program.
    Pointer,
    /// -1 or 0, and the stream is closed.
    ClosedStream,
}

const INT: i64 = 0x7fff_ffff;
const STATUS: Gives = Gives::Range(-1, 0);
const ANY: Gives = Gives::Range(-INT - 1, INT);
/// Not negative, or -1.
const NATURAL: Gives = Gives::Range(-1, INT);

const fn plain(gives: Gives) -> Outside {
    Outside { stream: None, all_streams: false, reads: Reads::Nothing, gives }
}

const fn reading(reads: Reads, gives: Gives) -> Outside {
    Outside { stream: None, all_streams: false, reads, gives }
}

const fn on(stream: usize, reads: Reads, gives: Gives) -> Outside {
    Outside { stream: Some(stream), all_streams: false, reads, gives }
}

const fn format(at: usize) -> Outside {
    reading(Reads::Format(at), Gives::Length)
}

const fn list(at: usize) -> Outside {
    reading(Reads::FormatOfList(at), Gives::Length)
}

const fn stream_format(at: usize) -> Outside {
    on(0, Reads::Format(at), Gives::Length)
}

const fn stream_list(at: usize) -> Outside {
    on(0, Reads::FormatOfList(at), Gives::Length)
}

/// By name; `__builtin_` in front may be left out.
const FUNCTIONS: &[(&str, Outside)] = &[
    ("printf", format(0)),
    ("fprintf", stream_format(1)),
    ("dprintf", format(1)),
    ("vprintf", list(0)),
    ("vfprintf", stream_list(1)),
    ("vdprintf", list(1)),
    ("__printf_chk", format(1)),
    ("__fprintf_chk", stream_format(2)),
    ("__dprintf_chk", format(2)),
    ("__vprintf_chk", list(1)),
    ("__vfprintf_chk", stream_list(2)),
    ("__vdprintf_chk", list(2)),
    ("wprintf", reading(Reads::WideFormat(0), Gives::Length)),
    ("fwprintf", on(0, Reads::WideFormat(1), Gives::Length)),
    ("puts", reading(Reads::Texts(0, 1), NATURAL)),
    ("fputs", on(1, Reads::Texts(0, 1), NATURAL)),
    ("fputws", on(1, Reads::WideText(0), NATURAL)),
    ("perror", reading(Reads::OptionalText(0), Gives::Nothing)),
    ("putchar", plain(Gives::Character(0))),
    ("putc", on(1, Reads::Nothing, Gives::Character(0))),
    ("fputc", on(1, Reads::Nothing, Gives::Character(0))),
    ("putwchar", plain(Gives::Same(0))),
    ("fputwc", on(1, Reads::Nothing, Gives::Same(0))),
    ("fwrite", on(3, Reads::Elements { from: 0, size: 1, count: 2 }, Gives::UpTo(2))),
    ("write", reading(Reads::Bytes { from: 1, length: 2 }, Gives::UpToOrError(2))),
    ("fopen", reading(Reads::Texts(0, 2), Gives::NewStream)),
    ("tmpfile", plain(Gives::NewStream)),
    ("fclose", on(0, Reads::Nothing, Gives::ClosedStream)),
    ("fflush", Outside { all_streams: true, ..on(0, Reads::Nothing, STATUS) }),
    ("fgetc", on(0, Reads::Nothing, Gives::Range(-1, 255))),
    ("getc", on(0, Reads::Nothing, Gives::Range(-1, 255))),
    ("getchar", plain(Gives::Range(-1, 255))),
    ("ungetc", on(1, Reads::Nothing, Gives::Character(0))),
    ("feof", on(0, Reads::Nothing, Gives::Range(0, 1))),
    ("ferror", on(0, Reads::Nothing, Gives::Range(0, 1))),
    ("clearerr", on(0, Reads::Nothing, Gives::Nothing)),
    ("rewind", on(0, Reads::Nothing, Gives::Nothing)),
    ("fseek", on(0, Reads::Nothing, STATUS)),
    ("ftell", on(0, Reads::Nothing, Gives::Range(-1, i64::MAX))),
    ("fileno", on(0, Reads::Nothing, NATURAL)),
    ("remove", reading(Reads::Texts(0, 1), STATUS)),
    ("unlink", reading(Reads::Texts(0, 1), STATUS)),
    ("rmdir", reading(Reads::Texts(0, 1), STATUS)),
    ("chdir", reading(Reads::Texts(0, 1), STATUS)),
    ("mkdir", reading(Reads::Texts(0, 1), STATUS)),
    ("access", reading(Reads::Texts(0, 1), STATUS)),
    ("rename", reading(Reads::Texts(0, 2), STATUS)),
    ("getenv", reading(Reads::Texts(0, 1), Gives::Pointer)),
    ("system", reading(Reads::OptionalText(0), ANY)),
    ("open", reading(Reads::Texts(0, 1), NATURAL)),
    ("close", plain(STATUS)),
    ("socket", plain(NATURAL)),
    ("listen", plain(STATUS)),
    ("bind", reading(Reads::Bytes { from: 1, length: 2 }, STATUS)),
    ("connect", reading(Reads::Bytes { from: 1, length: 2 }, STATUS)),
    ("send", reading(Reads::Bytes { from: 1, length: 2 }, Gives::UpToOrError(2))),
    ("inet_addr", reading(Reads::Texts(0, 1), ANY)),
    ("sleep", plain(Gives::UpTo(0))),
    ("usleep", plain(STATUS)),
    ("clock", plain(Gives::Range(-1, i64::MAX))),
    ("getpid", plain(Gives::Range(1, INT))),
    ("getppid", plain(Gives::Range(0, INT))),
    ("getuid", plain(ANY)),
    ("isatty", plain(Gives::Range(0, 1))),
    ("rand", plain(Gives::Range(0, INT))),
    ("random", plain(Gives::Range(0, INT))),
];

/// The names of all of them.
#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|(name, _)| *name)
}

/// What is known about a function that deals with the world outside.
pub(crate) fn outside_function(name: &str) -> Option<Outside> {
    let name = super::without_builtin(name);
    FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, outside)| *outside)
}

/// The streams that always exist, by the names of their variables.
const STREAMS: &[&str] = &["stdin", "stdout", "stderr", "__stdinp", "__stdoutp", "__stderrp"];

/// The number of the stream that a variable of the C library holds.
pub(crate) fn stream_number(typed: &TypedProgram, place: &LValue) -> Option<usize> {
    let LValueKind::Object(object) = place.kind else { return None };
    stream_of_object(typed, object)
}

/// The same for the variable itself.
pub(crate) fn stream_of_object(typed: &TypedProgram, object: ObjectId) -> Option<usize> {
    let info = &typed.objects[object.index()];
    let is_pointer = info.storage == Storage::External && typed.types.is_pointer(info.ty);
    let position = STREAMS.iter().position(|name| is_pointer && *name == info.name)?;
    Some(position % 3)
}

/// The number of the stream that an argument is, if it is the variable of one.
pub(crate) fn stream_argument(typed: &TypedProgram, argument: &Expr) -> Option<usize> {
    match &argument.kind {
        ExprKind::Convert(inner) => stream_argument(typed, inner),
        ExprKind::Load(place) => stream_number(typed, place),
        _ => None,
    }
}

/// Characters of some bytes each.
pub(crate) type Characters = Vec<u32>;

/// The text that a pointer points to, if it is a string literal of such characters.
pub(crate) fn literal(typed: &TypedProgram, pointer: &Expr, bytes: u64) -> Option<Characters> {
    match &pointer.kind {
        ExprKind::Convert(inner) => literal(typed, inner, bytes),
        ExprKind::AddressOf(LValue { kind: LValueKind::String(text), ty }) => {
            let element = match typed.types.get(*ty) {
                Type::Array(element, _) => typed.types.size(*element),
                _ => None,
            };
            let size = usize::try_from(bytes).ok()?;
            let character =
                |chunk: &[u8]| chunk.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte));
            (element == Some(bytes)).then(|| text.chunks(size).map(character).collect())
        }
        _ => None,
    }
}

/// All texts that a pointer may point to, if they are string literals.
pub(crate) fn literals(typed: &TypedProgram, pointer: &Expr, bytes: u64) -> Option<Vec<Characters>> {
    match &pointer.kind {
        ExprKind::Convert(inner) => literals(typed, inner, bytes),
        ExprKind::Conditional(_, left, right) => {
            let mut all = literals(typed, left, bytes)?;
            all.extend(literals(typed, right, bytes)?);
            Some(all)
        }
        _ => Some(vec![literal(typed, pointer, bytes)?]),
    }
}

/// The formats that may be meant; `None` if that cannot be seen, or one is not known.
pub(crate) fn formats(typed: &TypedProgram, pointer: &Expr, bytes: u64) -> Option<Vec<Format>> {
    literals(typed, pointer, bytes)?.iter().map(|text| Format::parse(text)).collect()
}

/// Bytes per character of texts that a directive reads.
pub(crate) fn character_size(size: Size) -> u64 {
    if size == Size::Long { WIDE } else { 1 }
}

/// Bytes of a wide character.
pub(crate) const WIDE: u64 = 4;

impl Outside {
    /// True if a call can mean the library's function. Programs also have functions of their own by such names.
    pub(crate) fn fits(&self, typed: &TypedProgram, arguments: &[Expr], result: TypeId) -> bool {
        let types = &typed.types;
        let ty = |position: usize| arguments.get(position).map(|argument| argument.ty);
        let is_integer = |position: usize| ty(position).is_some_and(|ty| types.is_integer(ty));
        // Without a declaration, and with one of the program's own, a zero need not be as wide as a pointer.
        let is_null = |position: usize| {
            arguments.get(position).is_some_and(|argument| {
                argument.constant() == Some(0)
                    && types.size(argument.ty) == Some(u64::from(types.pointer_bits()) / 8)
            })
        };
        let points_to = |position: usize, bytes: u64| {
            let target = ty(position).and_then(|ty| types.pointee(ty));
            target.is_some_and(|target| types.is_void(target) || types.size(target) == Some(bytes))
                || is_null(position)
        };
        let reads = match self.reads {
            Reads::Nothing => true,
            Reads::Texts(first, count) => (first..first + count).all(|position| points_to(position, 1)),
            Reads::OptionalText(position) | Reads::Format(position) => points_to(position, 1),
            Reads::WideText(position) | Reads::WideFormat(position) => points_to(position, WIDE),
            Reads::FormatOfList(position) => points_to(position, 1) && arguments.len() == position + 2,
            Reads::Bytes { from, length } => {
                ty(from).is_some_and(|ty| types.is_pointer(ty)) && is_integer(length)
            }
            Reads::Elements { from, size, count } => {
                ty(from).is_some_and(|ty| types.is_pointer(ty)) && is_integer(size) && is_integer(count)
            }
        };
        let gives = match self.gives {
            Gives::Nothing => true,
            Gives::NewStream | Gives::Pointer => types.is_pointer(result),
            Gives::Range(..) | Gives::Length | Gives::ClosedStream => types.is_integer(result),
            Gives::Character(position)
            | Gives::Same(position)
            | Gives::UpTo(position)
            | Gives::UpToOrError(position) => types.is_integer(result) && is_integer(position),
        };
        let known = self.known_arguments();
        let others = arguments.iter().enumerate().filter(|(position, _)| !known.contains(position));
        let has_stream = self.stream.is_none_or(|stream| ty(stream).is_some_and(|ty| types.is_pointer(ty)));
        reads
            && (gives || types.is_void(result))
            && has_stream
            && (self.is_format() || others.into_iter().all(|(_, argument)| types.is_integer(argument.ty)))
    }

    /// The rest of the arguments are what the format asks for.
    pub(crate) fn is_format(&self) -> bool {
        matches!(self.reads, Reads::Format(_) | Reads::WideFormat(_) | Reads::FormatOfList(_))
    }

    /// The arguments that are streams or memory.
    fn known_arguments(&self) -> Vec<usize> {
        let mut known: Vec<usize> = self.stream.into_iter().collect();
        match self.reads {
            Reads::Texts(first, count) => known.extend(first..first + count),
            Reads::OptionalText(position) | Reads::WideText(position) => known.push(position),
            Reads::Bytes { from, .. } | Reads::Elements { from, .. } => known.push(from),
            Reads::Nothing | Reads::Format(_) | Reads::WideFormat(_) | Reads::FormatOfList(_) => {}
        }
        known
    }

    /// The texts that are read and are no literals: position of the argument, and bytes per character.
    pub(crate) fn texts(&self, typed: &TypedProgram, arguments: &[Expr]) -> Vec<(usize, u64)> {
        let mut texts = match self.reads {
            Reads::Texts(first, count) => (first..first + count).map(|position| (position, 1)).collect(),
            Reads::OptionalText(position) => vec![(position, 1)],
            Reads::WideText(position) => vec![(position, WIDE)],
            Reads::Format(position) | Reads::FormatOfList(position) => {
                texts_of_format(typed, arguments, position, 1)
            }
            Reads::WideFormat(position) => texts_of_format(typed, arguments, position, WIDE),
            Reads::Nothing | Reads::Bytes { .. } | Reads::Elements { .. } => Vec::new(),
        };
        texts.retain(|&(position, bytes)| {
            arguments.get(position).is_some_and(|argument| literals(typed, argument, bytes).is_none())
        });
        texts
    }
}

fn texts_of_format(
    typed: &TypedProgram,
    arguments: &[Expr],
    position: usize,
    bytes: u64,
) -> Vec<(usize, u64)> {
    let mut texts = vec![(position, bytes)];
    let formats = arguments.get(position).and_then(|argument| formats(typed, argument, bytes));
    for format in formats.unwrap_or_default() {
        for (distance, used) in format.uses().into_iter().enumerate() {
            if let Use::Converted(index, _) = used
                && format.conversions[index].kind == Kind::Text
            {
                texts.push((position + 1 + distance, character_size(format.conversions[index].size)));
            }
        }
    }
    texts
}
