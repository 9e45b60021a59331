//! Unsatisfiable cores, made smaller with a limited number of checks.

use crate::{Answer, Solver};
use aster_term::{Term, TermPool};
use rustc_hash::FxHashSet;

/// The part of `removable` that is needed for a contradiction with `fixed`, which is contradictory as a whole.
/// At most `checks` checks are spent; what comes first is dropped first.
pub(super) fn minimise(
    pool: &mut TermPool,
    solver: &mut dyn Solver,
    fixed: &[Term],
    mut removable: Vec<Term>,
    mut checks: u32,
) -> Vec<Term> {
    let mut chunk = removable.len().div_ceil(4).max(1);
    loop {
        let mut start = 0;
        while start < removable.len() {
            if checks == 0 || removable.len() < 2 {
                return removable;
            }
            checks -= 1;
            let end = (start + chunk).min(removable.len());
            let mut attempt = fixed.to_vec();
            attempt.extend_from_slice(&removable[..start]);
            attempt.extend_from_slice(&removable[end..]);
            match solver.check(pool, &attempt) {
                Answer::Unsat(core) => {
                    let core: FxHashSet<Term> = core.into_iter().collect();
                    // What was found to be needed before stays in front, all of it in the core.
                    let before = removable[..start].iter().filter(|t| core.contains(t)).count();
                    let mut position = 0;
                    removable.retain(|term| {
                        position += 1;
                        !(start + 1..=end).contains(&position) && core.contains(term)
                    });
                    start = before;
                }
                Answer::Sat(_) | Answer::Unknown(_) => start = end,
            }
        }
        if chunk == 1 {
            return removable;
        }
        chunk = chunk.div_ceil(4);
    }
}
