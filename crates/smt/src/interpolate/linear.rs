//! Comparisons of integers, and of bit-vectors read as integers, as linear inequalities, and back.
//!
//! Reading ignores that bit-vectors wrap around. Whoever uses it has to confirm the outcome.

use super::simplex::gcd;
use aster_term::{LinearSum, Op, Rational, Sort, Term, TermPool};
use std::collections::BTreeMap;

/// How many subterms of a sum are looked at.
const MAX_VISITS: usize = 1000;
/// The widest bit-vectors that are read; literals of these can be multiplied without a second thought.
const MAX_WIDTH: u32 = 64;

/// Which number a term stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    Signed,
    Unsigned,
    /// The term is an integer.
    Integer,
}

/// A linear expression: coefficients of terms that are not read further, and a number. Used as an
/// inequality, it says that the expression is at most zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Linear {
    pub(super) coefficients: BTreeMap<Term, i128>,
    pub(super) constant: i128,
}

/// What a formula says about integers.
pub(super) enum Constraint {
    /// All of these are at most zero.
    AtMostZero(Vec<Linear>),
    /// The expression is not zero.
    NotZero(Linear),
}

impl Linear {
    /// Adds a multiple of another expression.
    pub(super) fn add(&mut self, factor: i128, other: &Linear) -> Option<()> {
        for (&term, &coefficient) in &other.coefficients {
            let entry = self.coefficients.entry(term).or_insert(0);
            *entry = entry.checked_add(coefficient.checked_mul(factor)?)?;
        }
        self.coefficients.retain(|_, coefficient| *coefficient != 0);
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        Some(())
    }

    /// The expression with the other sign and a number added.
    pub(super) fn negated_plus(&self, number: i128) -> Option<Linear> {
        let mut result = Linear { constant: number, ..Linear::default() };
        result.add(-1, self)?;
        Some(result)
    }

    /// The expression with a number added.
    pub(super) fn plus(mut self, number: i128) -> Option<Linear> {
        self.constant = self.constant.checked_add(number)?;
        Some(self)
    }

    /// The difference of two terms.
    pub(super) fn difference(pool: &TermPool, reading: Reading, a: Term, b: Term) -> Option<Linear> {
        let mut result = read(pool, reading, a)?;
        result.add(-1, &read(pool, reading, b)?)?;
        Some(result)
    }
}

/// Reads an integer as a sum.
fn read_integer(pool: &TermPool, term: Term) -> Option<Linear> {
    let sum = pool.linear_sum(term);
    let number = |c: &Rational| c.to_i64().map(i128::from);
    let parts = sum.monomials.iter().map(|(part, c)| Some((*part, number(c)?)));
    Some(Linear { coefficients: parts.collect::<Option<_>>()?, constant: number(&sum.constant)? })
}

/// Reads a term as a sum.
fn read(pool: &TermPool, reading: Reading, term: Term) -> Option<Linear> {
    if reading == Reading::Integer {
        return if pool.sort(term) == Sort::Int { read_integer(pool, term) } else { None };
    }
    let mut result = Linear::default();
    if let Some(bits) = pool.bv_constant(term) {
        result.constant = match reading {
            _ if bits.width() > MAX_WIDTH => return None,
            Reading::Signed => bits.signed(),
            Reading::Unsigned => bits.unsigned() as i128,
            Reading::Integer => return None,
        };
        return Some(result);
    }
    let mut stack = vec![(term, 1i128)];
    let mut visits = 0;
    while let Some((current, factor)) = stack.pop() {
        visits += 1;
        if visits > MAX_VISITS || pool.sort(current).width()? > MAX_WIDTH {
            return None;
        }
        let literal = |term| pool.bv_constant(term).map(|bits| bits.signed());
        match (pool.op(current), pool.args(current)) {
            // Within a sum, literals are what is nearest to zero: adding the largest number is subtracting one.
            (Op::BvConst(_), _) => {
                let number = literal(current)?.checked_mul(factor)?;
                result.constant = result.constant.checked_add(number)?;
            }
            (Op::BvAdd, &[a, b]) => stack.extend([(a, factor), (b, factor)]),
            (Op::BvSub, &[a, b]) => stack.extend([(a, factor), (b, factor.checked_neg()?)]),
            (Op::BvNeg, &[a]) => stack.push((a, factor.checked_neg()?)),
            (Op::BvMul, &[a, b]) if literal(b).is_some() => {
                stack.push((a, factor.checked_mul(literal(b)?)?));
            }
            (Op::BvMul, &[a, b]) if literal(a).is_some() => {
                stack.push((b, factor.checked_mul(literal(a)?)?));
            }
            (Op::BvShl, &[a, b]) if literal(b).is_some_and(|n| (0..32).contains(&n)) => {
                stack.push((a, factor.checked_mul(1 << literal(b)?)?));
            }
            (Op::BvSignExtend(_), &[a]) if reading == Reading::Signed => stack.push((a, factor)),
            (Op::BvZeroExtend(_), &[a]) if reading == Reading::Unsigned => stack.push((a, factor)),
            _ => {
                let entry = result.coefficients.entry(current).or_insert(0);
                *entry = entry.checked_add(factor)?;
            }
        }
    }
    result.coefficients.retain(|_, coefficient| *coefficient != 0);
    Some(result)
}

/// The comparison that a formula is, negated or not.
pub(super) fn comparison(pool: &TermPool, formula: Term) -> Option<(Op, bool, Term, Term)> {
    let (atom, positive) = match (pool.op(formula), pool.args(formula)) {
        (Op::Not, &[atom]) => (atom, false),
        _ => (formula, true),
    };
    match (pool.op(atom), pool.args(atom)) {
        (op @ (Op::BvSlt | Op::BvSle | Op::BvUlt | Op::BvUle | Op::Eq), &[a, b])
            if matches!(pool.sort(a), Sort::BitVec(_)) =>
        {
            Some((op, positive, a, b))
        }
        (op @ (Op::NumLe | Op::NumLt | Op::Eq), &[a, b]) if pool.sort(a) == Sort::Int => {
            Some((op, positive, a, b))
        }
        _ => None,
    }
}

/// What a formula says; `None` if it is no comparison, or one that reads bit-vectors in another way.
pub(super) fn constraint(pool: &TermPool, reading: Reading, formula: Term) -> Option<Constraint> {
    let (op, positive, a, b) = comparison(pool, formula)?;
    let difference = Linear::difference(pool, reading, a, b)?;
    let other = match reading {
        Reading::Signed => [Op::BvUlt, Op::BvUle],
        Reading::Unsigned => [Op::BvSlt, Op::BvSle],
        // Those of bit-vectors have no difference in this reading.
        Reading::Integer => [Op::BvUlt, Op::BvSlt],
    };
    if other.contains(&op) {
        return None;
    }
    Some(match (op, positive) {
        (Op::Eq, true) => {
            let opposite = difference.negated_plus(0)?;
            Constraint::AtMostZero(vec![difference, opposite])
        }
        (Op::Eq, false) => Constraint::NotZero(difference),
        (Op::BvSlt | Op::BvUlt | Op::NumLt, true) => Constraint::AtMostZero(vec![difference.plus(1)?]),
        (Op::BvSlt | Op::BvUlt | Op::NumLt, false) => {
            Constraint::AtMostZero(vec![difference.negated_plus(0)?])
        }
        (_, true) => Constraint::AtMostZero(vec![difference]),
        (_, false) => Constraint::AtMostZero(vec![difference.negated_plus(1)?]),
    })
}

/// The formula that says that the expression is at most zero if nothing wraps around. Terms with
/// positive coefficients are on the left, those with negative ones on the right.
pub(super) fn formula(pool: &mut TermPool, reading: Reading, linear: &Linear) -> Option<Term> {
    if linear.coefficients.is_empty() {
        return Some(pool.bool(linear.constant <= 0));
    }
    let mut divisor = 0;
    for &coefficient in linear.coefficients.values() {
        divisor = gcd(divisor, coefficient)?;
    }
    if reading == Reading::Integer {
        let monomials = linear.coefficients.iter().map(|(&term, &c)| (term, c.into())).collect();
        let sum = LinearSum { monomials, constant: linear.constant.into() };
        let (sum, zero) = (pool.linear_term(Sort::Int, &sum), pool.int(0));
        return Some(pool.num_le(sum, zero));
    }
    let width = linear.coefficients.keys().map(|&term| pool.width(term)).max()?;
    let (mut left, mut right) = (pool.bv(width, 0), pool.bv(width, 0));
    for (&term, &coefficient) in &linear.coefficients {
        let wide = match reading {
            Reading::Signed => pool.sign_extend_to(width, term),
            _ => pool.zero_extend_to(width, term),
        };
        let factor = pool.bv_signed(width, (coefficient / divisor).abs());
        let product = pool.mul(factor, wide);
        if coefficient > 0 { left = pool.add(left, product) } else { right = pool.add(right, product) }
    }
    // The sum over the integers is at most `bound`.
    let bound = linear.constant.checked_neg()?.div_euclid(divisor);
    let number = |pool: &mut TermPool, n: i128| -> Option<Term> {
        let limit = 1i128 << (width - 1);
        (n.abs() < if reading == Reading::Signed { limit } else { 2 * limit })
            .then(|| pool.bv_signed(width, n))
    };
    if bound >= 0 {
        let number = number(pool, bound)?;
        right = pool.add(right, number);
    } else {
        // One of it is in the strict comparison below.
        let number = number(pool, -(bound + 1))?;
        left = pool.add(left, number);
    }
    let (at_most, less) = match reading {
        Reading::Signed => (Op::BvSle, Op::BvSlt),
        _ => (Op::BvUle, Op::BvUlt),
    };
    Some(pool.apply(if bound >= 0 { at_most } else { less }, &[left, right]))
}
