//! The law of sequence interpolants, checked by the solver.

use super::path::{Path, substitute};
use crate::{Answer, Solver};
use aster_term::{Term, TermPool};

/// Whether formulas are interpolants of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// They are.
    Holds,
    /// The formula at this cut (or, past the last one, the end of the path) does not follow from what is before.
    Broken(usize),
    /// The solver gave up.
    Undecided,
}

/// Checks that each formula follows from the one before and the steps between them, and that the last
/// one contradicts the steps after it.
pub(super) fn verdict(
    pool: &mut TermPool,
    solver: &mut dyn Solver,
    path: &Path,
    length: usize,
    cuts: &[usize],
    formulas: &[Term],
) -> Verdict {
    let mut start = 0;
    let mut verdict = Verdict::Holds;
    for position in 0..=cuts.len() {
        let end = cuts.get(position).copied().unwrap_or(length);
        let segment = path.segment(pool, start..end, None, |_| true);
        let mut query = segment.assumptions;
        if position > 0 {
            query.push(formulas[position - 1]);
        }
        if let Some(&formula) = formulas.get(position) {
            let after = substitute(pool, formula, &segment.memory);
            query.push(pool.not(after));
        }
        match solver.check(pool, &query) {
            Answer::Unsat(_) => {}
            Answer::Sat(_) => return Verdict::Broken(position),
            Answer::Unknown(_) => verdict = Verdict::Undecided,
        }
        start = end;
    }
    verdict
}
