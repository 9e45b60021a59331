//! Sequence interpolants of infeasible paths: word-level formulas over the program variables at chosen
//! points of the path which say why it cannot be executed.
//!
//! - `path`: symbolic execution, slicing, what happens between two cuts;
//! - `unsat_core`: which assumptions of the path contradict each other;
//! - `strategies`: weakest preconditions and strongest postconditions along the path;
//! - `project`: elimination of inputs and dead variables, with `solve` for equations, `reads` for arrays, `resolve`
//!   for bounds, and `cover` for the rest;
//! - `farkas`: proofs in linear integer arithmetic, with `linear` to read bit-vectors and `simplex` to prove;
//! - `law`: what every result has to satisfy, checked by the solver;
//! - `atoms`: the predicates in a formula;
//! - `series`: what takes the place of predicates that refinement would find one after the other.

mod atoms;
mod cover;
mod farkas;
mod law;
mod linear;
mod path;
mod project;
mod reads;
mod resolve;
mod series;
mod simplex;
mod solve;
mod strategies;
#[cfg(test)]
mod tests;
mod unsat_core;

use crate::{Answer, Solver};
use aster_term::{Term, TermPool};
use law::Verdict;
use path::Path;
use rustc_hash::FxHashMap;
use strategies::Problem;

pub use atoms::atoms;
pub use series::{FAR, Suggestion, series};

/// One operation of a path. Variables are variable terms of the pool, of any sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The path goes on only where the formula holds.
    Assume(Term),
    /// The variable takes the value of a term over the variables before the step.
    Assign {
        /// What is written.
        variable: Term,
        /// The new value.
        value: Term,
    },
    /// The variable takes any value.
    Havoc(Term),
}

/// A way to find interpolants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Strategy {
    /// Backward along the unsatisfiable core.
    WeakestPrecondition,
    /// Forward along the unsatisfiable core.
    StrongestPostcondition,
    /// Sums of linear inequalities, found by reading the path over the integers and confirmed by the solver.
    Farkas,
}

/// How interpolants are searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The strategies that are tried, first to last.
    pub order: Vec<Strategy>,
    /// How many checks may be spent on making the unsatisfiable core of the path smaller.
    pub core_checks: u32,
    /// How many checks may be spent at each cut on dropping formulas that are not needed.
    pub cut_checks: u32,
    /// Whether sums of inequalities are wanted too that are interpolants only as long as nothing wraps around.
    pub sums: bool,
}

/// Weakest preconditions first: they nearly always succeed, and their predicates are those of the program. Sums of
/// inequalities fail fast and generalise where they succeed; strongest postconditions are precise, but tell iterations
/// of a loop apart.
impl Default for Options {
    fn default() -> Self {
        use Strategy::{Farkas, StrongestPostcondition, WeakestPrecondition};
        Options {
            order: vec![WeakestPrecondition, Farkas, StrongestPostcondition],
            core_checks: 30,
            cut_checks: 8,
            sums: false,
        }
    }
}

/// What [`sequence`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// One formula for each cut, over program variables that the path mentions before the cut and uses after it.
    Interpolants {
        /// The formulas, in the order of the cuts.
        formulas: Vec<Term>,
        /// How they were found.
        strategy: Strategy,
        /// If asked for: formulas for each cut which the law below need not hold for.
        sums: Vec<Vec<Term>>,
    },
    /// The path can be executed.
    Feasible,
    /// The solver gave up, or no strategy succeeded.
    Unknown(String),
}

/// Sequence interpolants of a path at the given cuts.
///
/// Cuts are ascending positions in `0..=steps.len()`; cut `k` lies between `steps[cuts[k] - 1]` and `steps[cuts[k]]`.
/// Variables that are read before they are written hold arbitrary values. Nothing may be asserted in the solver; its
/// limits hold for each of the many checks.
///
/// Law: the first formula holds after the steps before its cut, each formula follows from the one before it and
/// the steps between them, and the last one contradicts the steps after it.
///
/// ```
/// use aster_smt::interpolate::{Interpolation, Options, Step, sequence};
/// use aster_smt::{Interrupt, NativeSolver};
/// use aster_term::{Sort, TermPool};
///
/// let mut pool = TermPool::new();
/// let x = pool.variable("x", Sort::BitVec(32));
/// let (zero, one) = (pool.bv(32, 0), pool.bv(32, 1));
/// let (next, negative) = (pool.add(x, one), pool.slt(x, zero));
/// // x := 0; (cut) x := x + 1; assume x < 0
/// let steps = [
///     Step::Assign { variable: x, value: zero },
///     Step::Assign { variable: x, value: next },
///     Step::Assume(negative),
/// ];
/// let mut solver = NativeSolver::new(Interrupt::new());
/// let found = sequence(&mut pool, &mut solver, &steps, &[1], &Options::default());
/// assert!(matches!(found, Interpolation::Interpolants { formulas, .. } if formulas.len() == 1));
/// ```
pub fn sequence(
    pool: &mut TermPool,
    solver: &mut dyn Solver,
    steps: &[Step],
    cuts: &[usize],
    options: &Options,
) -> Interpolation {
    if !cuts.is_sorted() || cuts.last().is_some_and(|&last| last > steps.len()) {
        return Interpolation::Unknown("the cuts are not ascending positions of the path".to_owned());
    }
    let Some(path) = Path::new(pool, steps) else {
        return Interpolation::Unknown("the path uses names that are reserved for inputs".to_owned());
    };
    let core = match contradiction(pool, solver, &path, options.core_checks) {
        Ok(core) => core,
        Err(other) => return other,
    };
    let slice = path.slice(pool, cuts, |assumption| core.binary_search(&assumption).is_ok());
    let problem = Problem { path: &path, length: steps.len(), cuts, core: &core, slice: &slice, options };
    for &strategy in &options.order {
        let found = match strategy {
            Strategy::WeakestPrecondition => strategies::weakest_preconditions(pool, solver, &problem),
            Strategy::StrongestPostcondition => strategies::strongest_postconditions(pool, solver, &problem),
            Strategy::Farkas => farkas::interpolants(pool, solver, &problem),
        };
        let Some(formulas) = found else { continue };
        if cfg!(debug_assertions) {
            let verdict = law::verdict(pool, solver, &path, steps.len(), cuts, &formulas);
            debug_assert!(!matches!(verdict, Verdict::Broken(_)), "{strategy:?}: {verdict:?}");
        }
        let sums = if options.sums && strategy != Strategy::Farkas {
            farkas::candidates(pool, &problem)
        } else {
            Vec::new()
        };
        return Interpolation::Interpolants { formulas, strategy, sums };
    }
    Interpolation::Unknown("no strategy found interpolants".to_owned())
}

/// Assumptions of the path that contradict each other, in order, or what to answer if there are none.
fn contradiction(
    pool: &mut TermPool,
    solver: &mut dyn Solver,
    path: &Path,
    checks: u32,
) -> Result<Vec<usize>, Interpolation> {
    // Of equal assumptions the last one counts: it is nearest to the end.
    let mut last: FxHashMap<Term, usize> = FxHashMap::default();
    for (index, assumption) in path.assumptions.iter().enumerate() {
        if pool.bool_constant(assumption.symbolic) == Some(false) {
            return Ok(vec![index]);
        }
        last.insert(assumption.symbolic, index);
    }
    let mut indices: Vec<usize> = last.values().copied().collect();
    indices.sort_unstable();
    let conditions: Vec<Term> = indices.iter().map(|&i| path.assumptions[i].symbolic).collect();
    let core = match solver.check(pool, &conditions) {
        Answer::Sat(_) => return Err(Interpolation::Feasible),
        Answer::Unknown(reason) => return Err(Interpolation::Unknown(reason.to_string())),
        Answer::Unsat(core) => core,
    };
    let core = unsat_core::minimise(pool, solver, &[], core, checks);
    let mut indices: Vec<usize> = core.iter().map(|condition| last[condition]).collect();
    indices.sort_unstable();
    Ok(indices)
}
