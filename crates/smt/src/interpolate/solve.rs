//! Solving an equation for a variable.

use super::atoms::Mentions;
use super::path::auxiliary_of_sort;
use aster_term::{Op, Sort, Term, TermPool};

/// How many subterms are looked at in one equation.
const MAX_VISITS: usize = 64;

/// A conjunct in solved form: it holds exactly if, for some value of `unknown`, the variable has this value and the
/// conditions hold.
pub(super) struct Solved {
    pub(super) variable: Term,
    pub(super) value: Term,
    pub(super) conditions: Vec<Term>,
    /// A variable without a meaning so far that the value mentions.
    pub(super) unknown: Option<Term>,
}

/// An equation `left = right` that is still to be solved, with the conditions found on the way.
#[derive(Clone)]
struct Equation {
    left: Term,
    right: Term,
    conditions: Vec<Term>,
    unknown: Option<Term>,
}

/// Solves the conjunct for one of the variables, if it is an equation and its operators can be inverted.
/// `fresh` is a number for a new unknown that was not used before.
pub(super) fn solve(
    pool: &mut TermPool,
    conjunct: Term,
    variables: &mut Mentions,
    fresh: usize,
) -> Option<Solved> {
    let mut pending = equations(pool, conjunct);
    let mut visits = 0;
    while let Some(equation) = pending.pop() {
        visits += 1;
        if visits > MAX_VISITS {
            return None;
        }
        if !variables.any(pool, equation.left) {
            continue;
        }
        if variables.has(equation.left) {
            if !Mentions::of([equation.left]).any(pool, equation.right) {
                return Some(Solved {
                    variable: equation.left,
                    value: equation.right,
                    conditions: equation.conditions,
                    unknown: equation.unknown,
                });
            }
            continue;
        }
        pending.extend(invert(pool, &equation, fresh).into_iter().rev());
    }
    None
}

/// The conjunct as equations, the one to try first last.
fn equations(pool: &mut TermPool, conjunct: Term) -> Vec<Equation> {
    let args = pool.args(conjunct).to_vec();
    let of = |left, right| Equation { left, right, conditions: Vec::new(), unknown: None };
    match (pool.op(conjunct), &args[..]) {
        (Op::Eq, &[a, b]) => vec![of(b, a), of(a, b)],
        _ => {
            let truth = pool.bool(true);
            vec![of(conjunct, truth)]
        }
    }
}

/// The equations for the arguments of the left-hand side that are equivalent to the whole one.
fn invert(pool: &mut TermPool, equation: &Equation, fresh: usize) -> Vec<Equation> {
    let right = equation.right;
    let args = pool.args(equation.left).to_vec();
    let mut found = Vec::new();
    let mut solved = |left, right, condition: Option<Term>| {
        let mut next = Equation { left, right, ..equation.clone() };
        next.conditions.extend(condition);
        found.push(next);
    };
    match (pool.op(equation.left), &args[..]) {
        (Op::Not, &[a]) => solved(a, pool.not(right), None),
        (Op::Xor, &[a, b]) => {
            solved(a, pool.xor(right, b), None);
            solved(b, pool.xor(right, a), None);
        }
        (Op::Eq, &[a, b]) if pool.sort(a) == Sort::Bool => {
            solved(a, pool.eq(right, b), None);
            solved(b, pool.eq(right, a), None);
        }
        (Op::Eq, &[a, b]) if pool.bool_constant(right) == Some(true) => {
            solved(a, b, None);
            solved(b, a, None);
        }
        (Op::BvNot, &[a]) => solved(a, pool.bvnot(right), None),
        (Op::BvNeg, &[a]) => solved(a, pool.neg(right), None),
        (Op::BvAdd, &[a, b]) => {
            solved(a, pool.sub(right, b), None);
            solved(b, pool.sub(right, a), None);
        }
        (Op::BvSub, &[a, b]) => {
            solved(a, pool.add(right, b), None);
            solved(b, pool.sub(a, right), None);
        }
        (Op::BvXor, &[a, b]) => {
            solved(a, pool.bvxor(right, b), None);
            solved(b, pool.bvxor(right, a), None);
        }
        (Op::BvMul, &[a, b]) => {
            for (factor, other) in [(b, a), (a, b)] {
                if let Some(c) = pool.bv_constant(factor).filter(|c| c.bit(0)) {
                    let inverse = pool.bv(c.width(), inverse(c.unsigned()));
                    solved(other, pool.mul(right, inverse), None);
                }
            }
        }
        (Op::NumAdd, &[a, b]) => {
            solved(a, pool.num_sub(right, b), None);
            solved(b, pool.num_sub(right, a), None);
        }
        (Op::NumMul, &[a, factor]) if pool.sort(a) == Sort::Int && pool.number_constant(factor).is_some() => {
            let quotient = pool.int_div(right, factor);
            let product = pool.num_mul(quotient, factor);
            solved(a, quotient, Some(pool.eq(product, right)));
        }
        (Op::BvRotateLeft(n), &[a]) => solved(a, pool.rotate_right(n, right), None),
        (Op::BvRotateRight(n), &[a]) => solved(a, pool.rotate_left(n, right), None),
        (Op::BvConcat, &[high, low]) => {
            let (width, split) = (pool.width(right), pool.width(low));
            let upper = pool.extract(width - 1, split, right);
            let lower = pool.extract(split - 1, 0, right);
            let (upper_fits, lower_fits) = (pool.eq(high, upper), pool.eq(low, lower));
            solved(high, upper, Some(lower_fits));
            solved(low, lower, Some(upper_fits));
        }
        (op @ (Op::BvZeroExtend(_) | Op::BvSignExtend(_)), &[a]) => {
            let narrow = pool.width(a);
            let lower = pool.extract(narrow - 1, 0, right);
            let extended = pool.apply(op, &[lower]);
            let fits = pool.eq(extended, right);
            solved(a, lower, Some(fits));
        }
        (Op::Store, &[array, index, element]) if equation.unknown.is_none() => {
            let sort = pool.sort(element);
            let overwritten = auxiliary_of_sort(pool, "overwritten", fresh, sort);
            let before = pool.store(right, index, overwritten);
            let read = pool.select(right, index);
            solved(array, before, Some(pool.eq(read, element)));
            if let Some(last) = found.last_mut() {
                last.unknown = Some(overwritten);
            }
        }
        _ => {}
    }
    found
}

/// The inverse of an odd number modulo a power of two, by Newton's method: each step doubles the number of
/// right bits, and an odd number is its own inverse modulo 8.
fn inverse(odd: u128) -> u128 {
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_numbers_have_inverses() {
        for odd in [1, 3, 5, 7, 0xdead_beef, u128::MAX, u128::MAX / 3] {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1, "{odd}");
        }
    }
}
