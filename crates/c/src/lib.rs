//! C front end: a C file becomes an [`aster_cfa::Program`].
//!
//! The text is prepared for the parser (`source`: comments, line markers, the preprocessor), parsed
//! (`parse`), checked and typed (`check`, `typed`), and lowered to control-flow automata
//! (`lower`).
//!
//! Knows nothing about solvers, engines or verdicts.

mod check;
mod diagnostic;
mod library;
mod lower;
mod parse;
mod regions;
mod source;
mod stack;
mod treatment;
mod typed;
mod types;

pub use aster_cfa::Diagnostic;
pub use diagnostic::LoadError;

use aster_cfa::Program;
use aster_term::TermPool;
use source::PreparedSource;
use std::path::Path;

/// Sizes of the integer types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    Ilp32,
    /// `int` has 32 bits, `long` and pointers have 64.
    Lp64,
}

/// Undefined behaviour that counts as an error instead of ending the path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    /// Signed overflow, division by zero, shifts that go too far.
    pub overflow: bool,
    /// Accesses outside of objects that are alive, wrong calls of `free`.
    pub memory: bool,
    /// Allocated memory that nothing points to when the program ends.
    pub leaks: bool,
    /// Allocated memory that was not freed when the program ends.
    pub cleanup: bool,
}

/// How a program is loaded.
#[derive(Clone, Debug)]
pub struct LoadOptions {
    /// Sizes of the integer types.
    pub data_model: DataModel,
    /// Functions whose call is an error.
    pub error_functions: Vec<String>,
    /// A failing `assert` is an error; otherwise it just ends the program.
    pub assert_is_error: bool,
    /// What else is an error.
    pub checks: Checks,
    /// No run is looked at in which the program does something undefined that is not an error.
    pub assume_defined: bool,
    /// What is undefined counts wherever it is, not only where an error may follow.
    pub undefined_counts: bool,
    /// Allocation of memory may fail: `malloc` and its relatives may give a null pointer.
    pub malloc_may_fail: bool,
    /// The C compiler that is used as preprocessor, if the file needs one.
    pub compiler: String,
}

impl Default for LoadOptions {
    fn default() -> Self {
        LoadOptions {
            data_model: DataModel::Lp64,
            error_functions: vec!["__VERIFIER_error".to_owned(), "reach_error".to_owned()],
            assert_is_error: true,
            checks: Checks::default(),
            assume_defined: false,
            undefined_counts: false,
            malloc_may_fail: false,
            compiler: std::env::var("CC")
                .ok()
                .filter(|name| !name.is_empty())
                .unwrap_or_else(|| "cc".to_owned()),
        }
    }
}

/// Loads a C file.
pub fn load(pool: &mut TermPool, path: &Path, options: &LoadOptions) -> Result<Program, LoadError> {
    let input = source::Input::read(path)?;
    load_input(pool, &input, options)
}

/// Loads C text that is not in a file; `name` is used in messages.
///
/// ```
/// use aster_c::{LoadOptions, load_text};
/// use aster_term::TermPool;
/// let text = "int main(void) {\n    return 1 + ;\n}\n";
/// let error = load_text(&mut TermPool::new(), "sum.c", text, &LoadOptions::default()).unwrap_err();
/// assert_eq!(
///     error.render(),
///     "sum.c:2:16: error: expected an expression, found ';'\n  2 |     return 1 + ;\n    |                ^\n"
/// );
/// ```
pub fn load_text(
    pool: &mut TermPool,
    name: &str,
    text: &str,
    options: &LoadOptions,
) -> Result<Program, LoadError> {
    let input = source::Input::from_text(name, text);
    load_input(pool, &input, options)
}

fn load_input(
    pool: &mut TermPool,
    input: &source::Input,
    options: &LoadOptions,
) -> Result<Program, LoadError> {
    let prepared = PreparedSource::new(input, options)?;
    stack::with_big_stack(|size| load_prepared(pool, prepared, options, size))
}

/// Parses and lowers. Both recurse over the syntax, as does dropping the syntax tree, so that all of
/// it happens here, on the big stack.
fn load_prepared(
    pool: &mut TermPool,
    prepared: PreparedSource,
    options: &LoadOptions,
    stack_size: usize,
) -> Result<Program, LoadError> {
    let lowered =
        parse::parse(&prepared, stack_size).and_then(|unit| lower::lower(pool, &unit, &prepared, options));
    lowered.map_err(|diagnostics| LoadError::Diagnostics { sources: prepared.sources, diagnostics })
}
