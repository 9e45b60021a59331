//! Models of library functions, written in C.
//!
//! A model of the function `NAME` is a C function `__aster_NAME` in one of the texts beside this file. To
//! add one, write it there. The texts are made of paragraphs, separated by blank lines; each defines one
//! function and has no blank line inside. Models may use each other, functions of their own whose names
//! start with `__asterlib_`, and what the prelude declares, but nothing else.
//!
//! The models that a program may need are parsed and checked before it; the checker then lets them stand
//! in for the functions that have no body.

pub(crate) mod format;
mod math;
mod outside;

pub(crate) use math::{Math, MathFunction, is_unmodelled, math_function, nan_payload, sets_errno};
pub(crate) use outside::{
    Gives, Outside, Reads, character_size, formats, literals, outside_function, stream_argument,
    stream_number, stream_of_object,
};

use rustc_hash::FxHashSet;
use std::sync::LazyLock;

/// How the names of all models start.
pub(crate) const PREFIX: &str = "__aster_";

/// How messages call the text of the models.
pub(crate) const FILE_NAME: &str = "<library>";

/// What all models see.
const PRELUDE: &str = include_str!("prelude.c");

/// Models of functions that gcc knows even if they are not declared.
fn builtins() -> [&'static str; 3] {
    [include_str!("string.c"), include_str!("ctype.c"), math::text()]
}

/// Models of other functions.
const OTHERS: [&str; 7] = [
    include_str!("tokens.c"),
    include_str!("stdlib.c"),
    include_str!("checked.c"),
    include_str!("exit.c"),
    include_str!("wide.c"),
    include_str!("time.c"),
    include_str!("stdio.c"),
];

/// Models that a program with a certain one needs too, although that does not mention them.
const COMPANIONS: &[(&str, &str)] = &[("__aster_atexit", "__asterlib_run_at_exit")];

/// Functions of the C library that the lowering itself gives a meaning, so that there is no model of them.
const MEMORY_FUNCTIONS: &[&str] =
    &["malloc", "calloc", "realloc", "free", "cfree", "alloca", "memcpy", "memmove", "memset", "valloc"];

/// One paragraph of the texts.
struct Paragraph {
    /// Its first byte in the whole text, and the one after its last.
    start: usize,
    end: usize,
    /// The function that it defines; `None` for comments and for the prelude.
    defines: Option<&'static str>,
    is_builtin: bool,
    text: &'static str,
}

fn paragraphs() -> &'static [Paragraph] {
    static PARAGRAPHS: LazyLock<Vec<Paragraph>> = LazyLock::new(split_paragraphs);
    &PARAGRAPHS
}

fn split_paragraphs() -> Vec<Paragraph> {
    let mut all = Vec::new();
    let mut start = 0;
    let sections = std::iter::once((PRELUDE, None))
        .chain(builtins().map(|text| (text, Some(true))))
        .chain(OTHERS.map(|text| (text, Some(false))));
    for (section, model) in sections {
        for text in section.split_inclusive("\n\n") {
            let end = start + text.len();
            let defines = model.and_then(|_| defined_name(text));
            all.push(Paragraph { start, end, defines, is_builtin: model == Some(true), text });
            start = end;
        }
    }
    all
}

/// The function that a paragraph defines: what its first line of code names in front of a parenthesis.
fn defined_name(text: &'static str) -> Option<&'static str> {
    let line = text.lines().find(|line| !line.starts_with("//") && !line.is_empty())?;
    let head = &line[..line.find('(')?];
    words(head).last()
}

/// The words of a text: identifiers, keywords and numbers, also those in literals and comments.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$')).filter(|word| !word.is_empty())
}

/// The name of the library's function that a builtin is: `strlen` for `__builtin_strlen`.
pub(crate) fn without_builtin(name: &str) -> &str {
    name.strip_prefix("__builtin_").unwrap_or(name)
}

/// The name of the model of a function, if there may be one.
pub(crate) fn model_name(name: &str) -> String {
    format!("{PREFIX}{}", without_builtin(name))
}

/// True if gcc knows the type of this function even if it is not declared.
pub(crate) fn is_builtin(name: &str) -> bool {
    let model = model_name(name);
    name.starts_with("__builtin_")
        || paragraphs().iter().any(|paragraph| paragraph.is_builtin && paragraph.defines == Some(&model))
}

/// True for functions that allocate or copy memory, whose meaning is in the lowering.
pub(crate) fn is_memory_function(name: &str) -> bool {
    MEMORY_FUNCTIONS.contains(&without_builtin(name))
}

/// True for functions of the models, which are not the program's.
pub(crate) fn is_own(name: &str) -> bool {
    name.starts_with(PREFIX) || name.starts_with("__asterlib_")
}

/// The text of all models.
pub(crate) fn text() -> String {
    paragraphs().iter().map(|paragraph| paragraph.text).collect()
}

/// The stretches of [`text`] that a program with this text does not need; `None` if it needs no model at
/// all.
pub(crate) fn unneeded(program: &str) -> Option<Vec<(usize, usize)>> {
    let paragraphs = paragraphs();
    let by_name = |name: &str| paragraphs.iter().position(|paragraph| paragraph.defines == Some(name));
    let models = paragraphs.iter().filter_map(|paragraph| paragraph.defines?.strip_prefix(PREFIX));
    let models: FxHashSet<&str> = models.collect();
    let mentioned: FxHashSet<&str> =
        words(program).map(without_builtin).filter(|word| models.contains(word)).collect();
    if mentioned.is_empty() {
        return None;
    }
    let mut needed = vec![false; paragraphs.len()];
    let mut waiting: Vec<usize> = mentioned.iter().filter_map(|name| by_name(&model_name(name))).collect();
    while let Some(index) = waiting.pop() {
        if !std::mem::replace(&mut needed[index], true) {
            waiting.extend(words(paragraphs[index].text).filter_map(by_name));
            let companions = COMPANIONS.iter().filter(|(name, _)| paragraphs[index].defines == Some(name));
            waiting.extend(companions.filter_map(|(_, companion)| by_name(companion)));
        }
    }
    let all = paragraphs.iter().zip(&needed);
    let unneeded = all.filter(|(paragraph, needed)| paragraph.defines.is_some() && !**needed);
    Some(unneeded.map(|(paragraph, _)| (paragraph.start, paragraph.end)).collect())
}

#[cfg(test)]
mod table;
#[cfg(test)]
mod tests;
