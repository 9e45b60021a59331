//! All solutions of a formula over given predicates.

use crate::solver::{Answer, Solver, UnknownReason};
use aster_term::{Evaluator, Term, TermPool, Value};

/// The truth values of `predicates` in all models of `formula` (together with what the solver has asserted), each once and
/// in ascending order. A predicate is a Boolean term of any shape. An error if the solver gave up; what it had found is
/// lost, as it need not be all.
///
/// ```
/// use aster_smt::{Interrupt, NativeSolver, all_solutions};
/// use aster_term::{Sort, TermPool};
///
/// let mut pool = TermPool::new();
/// let x = pool.variable("x", Sort::Int);
/// let (zero, five) = (pool.int(0), pool.int(5));
/// let (positive, large) = (pool.num_gt(x, zero), pool.num_gt(x, five));
/// let always = pool.bool(true);
/// let mut solver = NativeSolver::new(Interrupt::new());
/// let found = all_solutions(&mut pool, &mut solver, always, &[positive, large]);
/// assert_eq!(found, Ok(vec![vec![false, false], vec![true, false], vec![true, true]]));
/// ```
pub fn all_solutions(
    pool: &mut TermPool,
    solver: &mut dyn Solver,
    formula: Term,
    predicates: &[Term],
) -> Result<Vec<Vec<bool>>, UnknownReason> {
    let mut found = Vec::new();
    solver.push();
    solver.assert(pool, formula);
    let outcome = loop {
        let model = match solver.check(pool, &[]) {
            Answer::Sat(model) => model,
            Answer::Unsat(_) => break Ok(()),
            Answer::Unknown(reason) => break Err(reason),
        };
        let mut evaluator = Evaluator::new(&model);
        let solution: Vec<bool> = predicates
            .iter()
            .map(|&predicate| evaluator.value(pool, predicate) == Value::Bool(true))
            .collect();
        let mut another = pool.bool(false);
        for (&predicate, &truth) in predicates.iter().zip(&solution) {
            let differs = if truth { pool.not(predicate) } else { predicate };
            another = pool.or(another, differs);
        }
        found.push(solution);
        solver.assert(pool, another);
    };
    solver.pop();
    outcome?;
    found.sort_unstable();
    Ok(found)
}
