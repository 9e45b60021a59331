//! Elimination of variables from bounds: from `l <= p` and `p <= u` follows `l <= u`.

use super::atoms::{Mentions, all_conjuncts};
use crate::eliminate;
use aster_term::{Op, Sort, Term, TermPool, free_variables};

/// Variables with more pairs of bounds are dropped without resolvents.
const MAX_PAIRS: usize = 64;

/// A comparison of a term with a variable to eliminate against one without it.
#[derive(Clone, Copy)]
struct Bound {
    /// `BvSlt` or `BvUlt`.
    less: Op,
    pivot: Term,
    bound: Term,
    is_lower: bool,
    is_strict: bool,
}

/// Formulas without the variables that the given ones imply.
pub(super) fn resolvents(pool: &mut TermPool, formulas: &[Term], variables: &mut Mentions) -> Vec<Term> {
    let mut current = formulas.to_vec();
    for variable in free_variables(pool, formulas) {
        if variables.has(variable) {
            current = without(pool, &current, variable);
        }
    }
    current
}

/// Resolves all bounds on terms with the variable and drops every formula that mentions it. Integers are eliminated
/// exactly.
fn without(pool: &mut TermPool, formulas: &[Term], variable: Term) -> Vec<Term> {
    let mut mentions = Mentions::of([variable]);
    let mut kept = Vec::new();
    let mut bounds = Vec::new();
    if pool.sort(variable) == Sort::Int {
        let (with, mut without): (Vec<Term>, Vec<Term>) =
            formulas.iter().partition(|&&formula| mentions.any(pool, formula));
        let all = pool.and_all(&with);
        // Nothing but what follows is lost if the variable cannot be eliminated.
        without.extend(eliminate(pool, &[variable], all).ok());
        return all_conjuncts(pool, &without);
    }
    for &formula in formulas {
        if mentions.any(pool, formula) {
            bounds.extend(bound(pool, formula, &mut mentions));
        } else {
            kept.push(formula);
        }
    }
    let (lower, upper): (Vec<Bound>, Vec<Bound>) = bounds.into_iter().partition(|bound| bound.is_lower);
    if lower.len() * upper.len() <= MAX_PAIRS {
        for &below in &lower {
            for &above in &upper {
                kept.extend(resolve(pool, below, above));
            }
        }
    }
    all_conjuncts(pool, &kept)
}

/// The formula as a bound, if it is a comparison with the variable on one side only.
fn bound(pool: &TermPool, formula: Term, mentions: &mut Mentions) -> Option<Bound> {
    let (atom, positive) = match (pool.op(formula), pool.args(formula)) {
        (Op::Not, &[atom]) => (atom, false),
        _ => (formula, true),
    };
    let (less @ (Op::BvSlt | Op::BvUlt), &[a, b]) = (pool.op(atom), pool.args(atom)) else { return None };
    // `a < b`, or `b <= a`.
    let (left, right) = if positive { (a, b) } else { (b, a) };
    match (mentions.any(pool, left), mentions.any(pool, right)) {
        (true, false) => {
            Some(Bound { less, pivot: left, bound: right, is_lower: false, is_strict: positive })
        }
        (false, true) => Some(Bound { less, pivot: right, bound: left, is_lower: true, is_strict: positive }),
        _ => None,
    }
}

/// What follows from a lower and an upper bound of the same term.
fn resolve(pool: &mut TermPool, lower: Bound, upper: Bound) -> Option<Term> {
    if lower.pivot != upper.pivot || lower.less != upper.less {
        return None;
    }
    let (mut low, high) = (lower.bound, upper.bound);
    let mut formula = pool.bool(true);
    if lower.is_strict {
        // Something is above the bound, so its successor does not wrap around.
        let one = pool.bv(pool.width(low), 1);
        let next = pool.add(low, one);
        formula = pool.apply(lower.less, &[low, next]);
        low = next;
    }
    let ordered = if upper.is_strict {
        pool.apply(lower.less, &[low, high])
    } else {
        let less = pool.apply(lower.less, &[high, low]);
        pool.not(less)
    };
    Some(pool.and(formula, ordered))
}
