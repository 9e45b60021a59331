//! Comparisons. The rules named `less_*` serve `bvult` and `bvslt`.

use super::lift::{lift_literal, lift_relation, lift_same_condition};
use super::{Args, Rule, rules};
use crate::node::Tag;
use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::value::{BitVec, mask};

pub(super) const AT_MOST: &[Rule] = rules![at_most_as_less];

pub(super) const LESS: &[Rule] = rules![
    less_irreflexive,
    lift_literal,
    less_literal_first,
    less_extreme,
    less_range,
    less_zero_extend_literal,
    less_sign_extend_literal,
    less_zero_extend,
    less_sign_extend,
    less_one_bit,
    less_complement,
    lift_relation,
    lift_same_condition,
];

/// `a <= b` is `not (b < a)`.
fn at_most_as_less(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let less = if op == Op::BvUle { pool.ult(b, a) } else { pool.slt(b, a) };
    Some(pool.not(less))
}

fn less_irreflexive(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    (a == b).then(|| pool.bool(false))
}

/// `c < x` is `not (x < c + 1)`, or false if there is no `c + 1`.
fn less_literal_first(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(a)?;
    let (_, greatest) = BitVec::extremes(op, c.width());
    if c == greatest {
        return Some(pool.bool(false));
    }
    let next = pool.bv_value(c.plus(BitVec::new(c.width(), 1)));
    let less = pool.apply(op, &[b, next]);
    Some(pool.not(less))
}

/// Nothing is below the least value, only that is below the next, and all but the greatest are below that.
fn less_extreme(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    let (least, greatest) = BitVec::extremes(op, c.width());
    if c == least {
        return Some(pool.bool(false));
    }
    if c.minus(BitVec::new(c.width(), 1)) == least {
        let least = pool.bv_value(least);
        return Some(pool.eq(a, least));
    }
    (c == greatest).then(|| pool.ne(a, b))
}

/// The range of the left-hand side decides.
fn less_range(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    let bound = pool.unsigned_bound(a);
    match op {
        Op::BvUlt => (bound < c.unsigned()).then(|| pool.bool(true)),
        // Only if the left-hand side cannot be negative.
        _ if bound > mask(c.width()) >> 1 => None,
        _ if c.signed() <= 0 => Some(pool.bool(false)),
        _ => (bound < c.unsigned()).then(|| pool.bool(true)),
    }
}

/// A zero-extended term is compared at its own width, without sign. (Literals out of its range are left to
/// [`less_range`].)
fn less_zero_extend_literal(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    let x = pool.unary(a, Tag::BvZeroExtend)?;
    let width = pool.width(x);
    if width == c.width() || !c.fits_unsigned(width) || (op == Op::BvSlt && c.signed() < 0) {
        return None;
    }
    let narrow = pool.bv_value(c.low(width));
    Some(pool.ult(x, narrow))
}

/// A sign-extended term is compared at its own width if the literal fits; otherwise the literal is beyond its
/// values on one side, or (without sign) between those of negative and of other terms.
fn less_sign_extend_literal(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    let x = pool.unary(a, Tag::BvSignExtend)?;
    let width = pool.width(x);
    if c.fits_signed(width) {
        let narrow = pool.bv_value(c.low(width));
        return Some(pool.apply(op, &[x, narrow]));
    }
    if op == Op::BvSlt {
        return Some(pool.bool(c.signed() >= 0));
    }
    let zero = pool.zero(width);
    let negative = pool.slt(x, zero);
    Some(pool.not(negative))
}

/// Two zero-extended terms are compared at the larger of their own widths, without sign.
fn less_zero_extend(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let (x, y) = (pool.unary(a, Tag::BvZeroExtend)?, pool.unary(b, Tag::BvZeroExtend)?);
    let width = pool.width(x).max(pool.width(y));
    if op == Op::BvSlt && width == pool.width(a) {
        return None;
    }
    let (x, y) = (pool.zero_extend_to(width, x), pool.zero_extend_to(width, y));
    Some(pool.ult(x, y))
}

/// Two sign-extended terms are compared at the larger of their own widths. Sign extension keeps the order
/// of numbers without sign, too.
fn less_sign_extend(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let (x, y) = (pool.unary(a, Tag::BvSignExtend)?, pool.unary(b, Tag::BvSignExtend)?);
    let width = pool.width(x).max(pool.width(y));
    let (x, y) = (pool.sign_extend_to(width, x), pool.sign_extend_to(width, y));
    Some(pool.apply(op, &[x, y]))
}

/// On single bits, `0 < 1` without sign and `1 < 0` with sign.
fn less_one_bit(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    if pool.width(a) != 1 {
        return None;
    }
    let (zero_side, one_side) = if op == Op::BvUlt { (a, b) } else { (b, a) };
    let (zero, one) = (pool.bv(1, 0), pool.bv(1, 1));
    let (is_zero, is_one) = (pool.eq(zero_side, zero), pool.eq(one_side, one));
    Some(pool.and(is_zero, is_one))
}

/// `~x < ~y` is `y < x`.
fn less_complement(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let (x, y) = (pool.unary(a, Tag::BvNot)?, pool.unary(b, Tag::BvNot)?);
    Some(pool.apply(op, &[y, x]))
}
