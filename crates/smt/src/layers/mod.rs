//! What stands in front of a solver to keep questions away from it. Each layer is a [`Solver`]
//! around another one; [`crate::assemble`] puts them together.
//!
//! A layer keeps the asserted formulas itself and hands everything down as assumptions, so that the
//! solver behind it never sees a scope and its unsat cores speak about all conjuncts.
//!
//! Everything that a layer remembers is keyed on [`Term`] ids: one instance serves one
//! [`aster_term::TermPool`] for its whole life.
//!
//! [`Solver`]: crate::Solver

mod cache;
#[cfg(test)]
mod clueless;
mod cross_check;
mod float_search;
mod integer_search;
mod model_reuse;
mod partition;
mod record;
mod slicing;

pub use cache::QueryCache;
pub use cross_check::CrossCheck;
pub use float_search::FloatSearch;
pub use integer_search::IntegerSearch;
pub use model_reuse::ModelReuse;
pub use record::{QueryLog, Recording};
pub use slicing::Slicing;

use aster_term::Term;
use rustc_hash::FxHashSet;

/// The asserted formulas of all open scopes.
#[derive(Default)]
pub(crate) struct AssertionStack {
    formulas: Vec<Term>,
    scopes: Vec<usize>,
}

impl AssertionStack {
    /// Opens a scope.
    pub(crate) fn push(&mut self) {
        self.scopes.push(self.formulas.len());
    }

    /// Closes the last scope, if there is one.
    pub(crate) fn pop(&mut self) {
        if let Some(length) = self.scopes.pop() {
            self.formulas.truncate(length);
        }
    }

    /// Adds a formula to the current scope.
    pub(crate) fn assert(&mut self, formula: Term) {
        self.formulas.push(formula);
    }

    /// The asserted formulas, oldest first.
    pub(crate) fn formulas(&self) -> &[Term] {
        &self.formulas
    }

    /// The asserted formulas followed by the assumptions.
    pub(crate) fn with(&self, assumptions: &[Term]) -> Vec<Term> {
        [&self.formulas, assumptions].concat()
    }

    /// The part of a core of [`AssertionStack::with`] that the caller's assumptions stand for. What is
    /// asserted needs no mention.
    pub(crate) fn core_of_assumptions(&self, core: Vec<Term>, assumptions: &[Term]) -> Vec<Term> {
        if self.formulas.is_empty() {
            return core;
        }
        let asserted: FxHashSet<Term> = self.formulas.iter().copied().collect();
        let assumed: FxHashSet<Term> = assumptions.iter().copied().collect();
        core.into_iter().filter(|t| assumed.contains(t) && !asserted.contains(t)).collect()
    }
}
