//! Front ends for models that are no programs: textual control-flow automata ([`theta`]) and guarded commands
//! ([`gcl`]). Both are parsed (`tokens` and a parser each), checked, and lowered to terms and an
//! [`aster_cfa::Program`]; guarded commands also have a form of their own, the transition [`gcl::System`].
//!
//! Knows nothing about solvers, engines or verdicts.

mod automaton;
pub mod gcl;
pub mod theta;
mod tokens;

use aster_cfa::{Diagnostic, SourceMap};

/// A model with errors.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the model has {} errors", diagnostics.len())]
pub struct Rejected {
    /// The files that the spans point into.
    pub sources: SourceMap,
    /// The errors, at least one.
    pub diagnostics: Vec<Diagnostic>,
}

impl Rejected {
    /// The errors with their positions, usually several lines, ending with a line end.
    pub fn render(&self) -> String {
        self.diagnostics.iter().map(|diagnostic| diagnostic.render(&self.sources)).collect()
    }
}
