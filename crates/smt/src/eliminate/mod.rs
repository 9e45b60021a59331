//! Elimination of quantifiers over integers: Cooper's method (Theorem Proving in Arithmetic without Multiplication, 1972).
//!
//! - `normal`: the formula as conjunctions and disjunctions of literals about the variable;
//! - `cooper`: one variable of such a formula;
//! - this module: the order of work, and simplification of the result.

mod cooper;
mod normal;
#[cfg(test)]
mod tests;

use crate::solver::{Answer, Solver};
use aster_term::{Op, Sort, Term, TermPool, free_variables};
use normal::Normal;
use rustc_hash::FxHashSet;

/// Why a variable was not eliminated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EliminationError {
    /// Only integers are eliminated.
    #[error("a variable of sort {0} cannot be eliminated")]
    Sort(Sort),
    /// The variable occurs in a term that is not linear.
    #[error("the variable occurs in a term that is not linear")]
    NotLinear,
    /// The result would be too large.
    #[error("the formula without the variable would be too large")]
    TooLarge,
}

/// A formula without quantifiers and without the `variables`, of sort `Int`, that is true exactly where some integer values
/// of them make `formula` true. The other variables may have any sort. Divisibility is expressed by `IntMod`.
///
/// ```
/// use aster_smt::eliminate;
/// use aster_term::{Sort, TermPool};
///
/// let mut pool = TermPool::new();
/// let [x, y] = ["x", "y"].map(|name| pool.variable(name, Sort::Int));
/// let two = pool.int(2);
/// let double = pool.num_mul(x, two);
/// let is_double = pool.eq(double, y);
/// let is_even = eliminate(&mut pool, &[x], is_double).unwrap();
/// let remainder = pool.int_mod(y, two);
/// let zero = pool.int(0);
/// assert_eq!(is_even, pool.eq(remainder, zero));
/// ```
pub fn eliminate(pool: &mut TermPool, variables: &[Term], formula: Term) -> Result<Term, EliminationError> {
    let mut formula = formula;
    let mut pending: Vec<Term> = variables.to_vec();
    pending.sort_unstable();
    pending.dedup();
    if let Some(&variable) = pending.iter().find(|&&variable| pool.sort(variable) != Sort::Int) {
        return Err(EliminationError::Sort(pool.sort(variable)));
    }
    // Variables that are introduced are determined by the others, so they are eliminated like them.
    for _ in 0..normal::MAX_VARIABLES {
        let mentioned: FxHashSet<Term> = free_variables(pool, &[formula]).into_iter().collect();
        pending.retain(|variable| mentioned.contains(variable));
        let Some(variable) = next(pool, &pending, formula) else { return Ok(formula) };
        let normal = Normal::new(pool, variable, formula)?;
        pending.extend(&normal.introduced);
        formula = cooper::eliminate(pool, normal)?;
    }
    Err(EliminationError::TooLarge)
}

/// The variable to eliminate next: one for which an equation says what it is, otherwise the last one, which may have been
/// introduced.
fn next(pool: &TermPool, pending: &[Term], formula: Term) -> Option<Term> {
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        match (pool.op(term), pool.args(term)) {
            (Op::And, &[a, b]) => stack.extend([b, a]),
            (Op::Eq, &[a, b]) if pool.sort(a) == Sort::Int => {
                for side in [a, b] {
                    let sum = pool.linear_sum(side);
                    let unit =
                        sum.monomials.iter().find(|(part, c)| c.abs().is_one() && pending.contains(part));
                    if let Some((variable, _)) = unit {
                        return Some(*variable);
                    }
                }
            }
            _ => {}
        }
    }
    pending.last().copied()
}

/// The formula without parts that the solver finds to be redundant: disjuncts that are unsatisfiable or follow from the
/// others, and conjuncts that follow from the others. At most so many checks are spent; what is not decided stays.
pub fn without_redundancy(
    pool: &mut TermPool,
    solver: &mut dyn Solver,
    formula: Term,
    checks: usize,
) -> Term {
    let mut left = checks;
    let disjuncts = parts(pool, formula, Op::Or);
    let mut kept = Vec::with_capacity(disjuncts.len());
    for disjunct in disjuncts {
        let conjuncts = parts(pool, disjunct, Op::And);
        let conjuncts = drop_implied(pool, solver, conjuncts, Op::And, &mut left);
        kept.push(join(pool, &conjuncts, Op::And));
    }
    let kept = drop_implied(pool, solver, kept, Op::Or, &mut left);
    join(pool, &kept, Op::Or)
}

/// The arguments of nested applications of `And` or `Or`, each once.
fn parts(pool: &TermPool, formula: Term, op: Op) -> Vec<Term> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if pool.op(term) == op {
            stack.extend(pool.args(term).iter().rev());
        } else {
            found.push(term);
        }
    }
    found
}

fn join(pool: &mut TermPool, parts: &[Term], op: Op) -> Term {
    let start = pool.bool(op == Op::And);
    parts.iter().fold(start, |all, &part| pool.apply(op, &[all, part]))
}

/// The parts without those that the others make redundant.
fn drop_implied(
    pool: &mut TermPool,
    solver: &mut dyn Solver,
    mut parts: Vec<Term>,
    op: Op,
    checks: &mut usize,
) -> Vec<Term> {
    let mut at = 0;
    while at < parts.len() && parts.len() > usize::from(op == Op::And) {
        let Some(rest) = checks.checked_sub(1) else { break };
        *checks = rest;
        let others: Vec<Term> =
            parts.iter().copied().enumerate().filter(|&(i, _)| i != at).map(|(_, p)| p).collect();
        let mut query = Vec::with_capacity(parts.len());
        if op == Op::And {
            query.extend(&others);
            query.push(pool.not(parts[at]));
        } else {
            query.push(parts[at]);
            query.extend(others.iter().map(|&other| pool.not(other)));
        }
        solver.push();
        let answer = solver.check(pool, &query);
        solver.pop();
        if matches!(answer, Answer::Unsat(_)) {
            parts.remove(at);
        } else {
            at += 1;
        }
    }
    parts
}
