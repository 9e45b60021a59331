//! Relations between floats.

use super::super::Args;
use super::Integer;
use crate::float::{FloatFormat, FpOp, Rounding};
use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::value::{BitVec, mask};

/// A relation between floats.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Equal,
    Less,
    AtMost,
}

/// The relation and the format of its arguments.
fn relation(op: Op) -> Option<(Relation, FloatFormat)> {
    match op {
        Op::Fp(FpOp::Eq(format)) => Some((Relation::Equal, format)),
        Op::Fp(FpOp::Lt(format)) => Some((Relation::Less, format)),
        Op::Fp(FpOp::Le(format)) => Some((Relation::AtMost, format)),
        _ => None,
    }
}

impl Relation {
    fn of_floats(self, pool: &mut TermPool, format: FloatFormat, a: Term, b: Term) -> Term {
        match self {
            Relation::Equal => pool.fp_eq(format, a, b),
            Relation::Less => pool.fp_lt(format, a, b),
            Relation::AtMost => pool.fp_le(format, a, b),
        }
    }

    fn of_integers(self, pool: &mut TermPool, is_signed: bool, a: Term, b: Term) -> Term {
        match (self, is_signed) {
            (Relation::Equal, _) => pool.eq(a, b),
            (Relation::Less, true) => pool.slt(a, b),
            (Relation::Less, false) => pool.ult(a, b),
            (Relation::AtMost, true) => pool.sle(a, b),
            (Relation::AtMost, false) => pool.ule(a, b),
        }
    }
}

/// A float equals itself and is at most itself if it is a number; it is never less.
pub(super) fn compare_same(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let (relation, format) = relation(op)?;
    if a != b {
        return None;
    }
    Some(if relation == Relation::Less { pool.bool(false) } else { pool.is_number(format, a) })
}

/// Nothing is related to a NaN.
pub(super) fn compare_nan(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let (_, format) = relation(op)?;
    let is_nan = |term| pool.float_literal(term).is_some_and(|bits| format.is_nan(bits));
    (is_nan(a) || is_nan(b)).then(|| pool.bool(false))
}

/// Nothing is below or above all numbers, and every number is at most the largest and at least the smallest.
pub(super) fn compare_infinity(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let (relation, format) = relation(op)?;
    let (beyond, other) = match (pool.float_literal(a), pool.float_literal(b)) {
        (Some(bits), _) => (bits == format.infinity(relation == Relation::AtMost), b),
        (_, Some(bits)) => (bits == format.infinity(relation == Relation::Less), a),
        _ => return None,
    };
    match relation {
        _ if !beyond => None,
        Relation::Equal => None,
        Relation::Less => Some(pool.bool(false)),
        Relation::AtMost => Some(pool.is_number(format, other)),
    }
}

/// `-a < -b` is `b < a`.
pub(super) fn compare_negated(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let (_, format) = relation(op)?;
    let (a, b) = (pool.negated(format, a)?, pool.negated(format, b)?);
    Some(pool.apply(op, &[b, a]))
}

/// `-a < c` is `-c < a`.
pub(super) fn compare_negated_literal(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let (_, format) = relation(op)?;
    let (a, b) = if pool.float_literal(b).is_some() {
        (pool.negated(format, a)?, pool.fp_neg(format, b))
    } else {
        pool.float_literal(a)?;
        (pool.fp_neg(format, a), pool.negated(format, b)?)
    };
    Some(pool.apply(op, &[b, a]))
}

/// Integers that are converted without loss are compared as integers.
pub(super) fn compare_integers(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let (relation, format) = relation(op)?;
    let (x, y) = (pool.converted_integer(a)?, pool.converted_integer(b)?);
    if !x.is_exact(format) || !y.is_exact(format) {
        return None;
    }
    // Exact integers are far narrower than the widest bit-vector, so one bit more for a sign fits.
    let is_signed = x.is_signed || y.is_signed;
    let needed = |integer: Integer| integer.width + u32::from(is_signed && !integer.is_signed);
    let width = needed(x).max(needed(y));
    let mut extended = |integer: Integer| {
        if integer.is_signed {
            pool.sign_extend_to(width, integer.argument)
        } else {
            pool.zero_extend_to(width, integer.argument)
        }
    };
    let (a, b) = (extended(x), extended(y));
    Some(relation.of_integers(pool, is_signed, a, b))
}

/// An integer that is converted, with or without loss, is compared with a literal as an integer: conversion keeps the order.
pub(super) fn compare_integer_literal(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let (relation, format) = relation(op)?;
    let literal = pool.float_literal(b).or(pool.float_literal(a))?;
    if format.is_nan(literal) {
        return None;
    }
    if let Some(limit) = pool.float_literal(b) {
        let integer = pool.converted_integer(a)?;
        let at_most = integer.below(pool, FpOp::Le(format), limit);
        if relation == Relation::AtMost {
            return Some(at_most);
        }
        let less = integer.below(pool, FpOp::Lt(format), limit);
        if relation == Relation::Less {
            return Some(less);
        }
        let not_less = pool.not(less);
        return Some(pool.and(at_most, not_less));
    }
    // No conversion gives a NaN, so the opposite of a relation is its negation.
    let limit = pool.float_literal(a)?;
    let integer = pool.converted_integer(b)?;
    let opposite = match relation {
        Relation::Equal => return None,
        Relation::Less => FpOp::Le(format),
        Relation::AtMost => FpOp::Lt(format),
    };
    let holds = integer.below(pool, opposite, limit);
    Some(pool.not(holds))
}

impl Integer {
    /// The integers whose floats are below the limit (or equal to it, as the operator says): those below a bound, which is
    /// found by bisection.
    fn below(self, pool: &mut TermPool, op: FpOp, limit: u128) -> Term {
        // Positions count from the least integer.
        let flip = if self.is_signed { 1 << (self.width - 1) } else { 0 };
        let holds = |position: u128| {
            let value = BitVec::new(self.width, position ^ flip);
            let converted = self.op.apply(&[value]).map_or(0, BitVec::unsigned);
            op.compare(converted, limit) == Some(true)
        };
        let greatest = mask(self.width);
        if holds(greatest) {
            return pool.bool(true);
        }
        let (mut low, mut high) = (0, greatest);
        while low < high {
            let middle = low + (high - low) / 2;
            if holds(middle) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let bound = pool.bv(self.width, low ^ flip);
        Relation::Less.of_integers(pool, self.is_signed, self.argument, bound)
    }
}

/// Floats that are widened are compared at their own width.
pub(super) fn compare_widened(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let (relation, _) = relation(op)?;
    let ((format, x), (other, y)) = (pool.widened(a)?, pool.widened(b)?);
    if format == other {
        return Some(relation.of_floats(pool, format, x, y));
    }
    None
}

/// A float that is widened is compared at its own width with the literal rounded to the side that keeps the relation.
pub(super) fn compare_widened_literal(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let (relation, wide) = relation(op)?;
    let (literal, widened, literal_is_first) = match (pool.float_literal(a), pool.float_literal(b)) {
        (_, Some(literal)) => (literal, a, false),
        (Some(literal), None) => (literal, b, true),
        _ => return None,
    };
    if wide.is_nan(literal) {
        return None;
    }
    let (format, x) = pool.widened(widened)?;
    let narrow = |rounding: Rounding| {
        let op = FpOp::Convert { from: wide, to: format, rounding };
        op.apply(&[BitVec::new(wide.width(), literal)]).map(BitVec::unsigned)
    };
    let (up, down) = (narrow(Rounding::TowardPositive)?, narrow(Rounding::TowardNegative)?);
    let limit = match (relation, literal_is_first) {
        // Between two neighbours there is no number.
        (Relation::Equal, _) if FpOp::Eq(format).compare(up, down) != Some(true) => {
            return Some(pool.bool(false));
        }
        (Relation::Equal, _) => up,
        // x < c: below the next number that is not below c. c <= x: from there on.
        (Relation::Less, false) | (Relation::AtMost, true) => up,
        (Relation::AtMost, false) | (Relation::Less, true) => down,
    };
    let limit = pool.bv(format.width(), limit);
    Some(if literal_is_first {
        relation.of_floats(pool, format, limit, x)
    } else {
        relation.of_floats(pool, format, x, limit)
    })
}
