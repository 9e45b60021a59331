//! The interface of all solvers and of the layers around them.

use aster_term::{Model, Term, TermPool};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Decides satisfiability of the asserted formulas together with assumptions.
///
/// Laws: `Sat(model)` means that every asserted formula and every assumption evaluates to true under
/// the model. `Unsat(core)` means that no assignment satisfies all of them; the core is a subset of the
/// assumptions that is unsatisfiable together with the asserted formulas. Whatever cannot be decided is
/// `Unknown`, never a guess. The answer does not depend on earlier checks.
pub trait Solver {
    /// Opens a scope.
    fn push(&mut self);

    /// Closes the last scope: what was asserted in it is gone. Closing none is ignored.
    fn pop(&mut self);

    /// Adds a Boolean term to the current scope.
    fn assert(&mut self, pool: &mut TermPool, formula: Term);

    /// Decides the asserted formulas together with the assumptions (Boolean terms of any shape).
    fn check(&mut self, pool: &mut TermPool, assumptions: &[Term]) -> Answer;

    /// Limits that hold for each later check on its own.
    fn set_limits(&mut self, limits: Limits);

    /// What was counted so far, of this solver and those behind it.
    fn statistics(&self) -> Statistics;
}

/// The answer to a check.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Satisfiable, with a model.
    Sat(Model),
    /// Unsatisfiable, with the assumptions that are needed for it.
    Unsat(Vec<Term>),
    /// Not decided.
    Unknown(UnknownReason),
}

/// Why a check was not decided.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownReason {
    /// Interrupted from another thread.
    #[error("interrupted")]
    Interrupted,
    /// The time limit of the check was hit.
    #[error("time limit of the query")]
    TimeLimit,
    /// The conflict limit of the check was hit.
    #[error("conflict limit of the query")]
    ConflictLimit,
    /// The solver cannot handle something in the query, or its process failed.
    #[error("{0}")]
    Backend(String),
    /// Two solvers gave different answers; the text holds the query. This must end the run.
    #[error("solvers disagree: {0}")]
    Disagreement(String),
}

/// Limits of one check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Conflicts of the SAT solver.
    pub conflicts: Option<u32>,
}

/// A flag that ends the running check from any thread. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// A flag that is not raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks everyone who watches this flag to stop. It stays raised.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True once somebody raised the flag.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Counters of a solver and the layers in front of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Checks asked for from outside.
    pub checks: u64,
    /// Checks answered by a recent model.
    pub model_hits: u64,
    /// Checks that were split into independent parts.
    pub sliced: u64,
    /// Checks answered by the cache.
    pub cache_hits: u64,
    /// Checks decided by ranges of integers or floats.
    pub range_hits: u64,
    /// Checks that reached the SAT solver (or the process).
    pub solved: u64,
    /// Time spent in the SAT solver (or waiting for the process), and with ranges.
    pub solve_time: Duration,
    /// Variables of the SAT solver.
    pub sat_variables: u64,
    /// Clauses given to the SAT solver.
    pub sat_clauses: u64,
    /// Array lemmas added on demand.
    pub array_lemmas: u64,
}
