//! Division and remainder, with SMT-LIB's total meaning.

use super::lift::{lift_literal, lift_same_condition};
use super::{Args, Rule, rules};
use crate::node::Tag;
use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::value::{BitVec, mask};

pub(super) const UDIV: &[Rule] = rules![
    udiv_by_zero_or_one,
    udiv_by_power_of_two,
    unsigned_division_narrow,
    lift_literal,
    lift_same_condition
];

pub(super) const UREM: &[Rule] = rules![
    rem_zero_or_self,
    urem_by_zero,
    urem_by_power_of_two,
    unsigned_division_narrow,
    lift_literal,
    lift_same_condition
];

pub(super) const SDIV: &[Rule] = rules![
    sdiv_by_zero,
    sdiv_by_one,
    signed_division_of_nonnegative,
    sdiv_by_negative,
    signed_division_narrow,
    lift_literal,
    lift_same_condition
];

pub(super) const SREM: &[Rule] = rules![
    rem_zero_or_self,
    srem_by_zero_or_one,
    signed_division_of_nonnegative,
    srem_by_negative,
    signed_division_narrow,
    lift_literal,
    lift_same_condition
];

fn udiv_by_zero_or_one(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    match c.unsigned() {
        0 => Some(pool.ones(c.width())),
        1 => Some(a),
        _ => None,
    }
}

/// `x / 2^k` is a shift to the right by `k`.
fn udiv_by_power_of_two(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    let amount = pool.bv(c.width(), u128::from(c.log2()?));
    Some(pool.lshr(a, amount))
}

/// The remainder of zero, and of a term and itself, is zero (also for a zero divisor).
fn rem_zero_or_self(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let width = pool.width(a);
    (a == b || pool.bv_constant(a).is_some_and(BitVec::is_zero)).then(|| pool.zero(width))
}

fn urem_by_zero(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    pool.bv_constant(b)?.is_zero().then_some(a)
}

/// The remainder of a division by `2^k` are the lowest `k` bits.
fn urem_by_power_of_two(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    let low_bits = pool.bv(c.width(), mask(c.log2()?));
    Some(pool.bvand(a, low_bits))
}

/// Division of a zero-extended number by a literal happens at its own width.
fn unsigned_division_narrow(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    let x = pool.unary(a, Tag::BvZeroExtend)?;
    let width = pool.width(x);
    if c.is_zero() {
        return None;
    }
    if !c.fits_unsigned(width) {
        return Some(if op == Op::BvUdiv { pool.zero(c.width()) } else { a });
    }
    let narrow = pool.bv_value(c.low(width));
    let result = pool.apply(op, &[x, narrow]);
    Some(pool.zero_extend_to(c.width(), result))
}

/// `x / 0` is 1 for negative `x` and -1 otherwise.
fn sdiv_by_zero(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    if !c.is_zero() {
        return None;
    }
    let negative = pool.slt(a, b);
    let (one, minus_one) = (pool.bv(c.width(), 1), pool.ones(c.width()));
    Some(pool.ite(negative, one, minus_one))
}

/// Division by 1 and -1.
fn sdiv_by_one(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    match pool.bv_constant(b)?.signed() {
        1 => Some(a),
        -1 => Some(pool.neg(a)),
        _ => None,
    }
}

fn srem_by_zero_or_one(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    match c.signed() {
        0 => Some(a),
        1 | -1 => Some(pool.zero(c.width())),
        _ => None,
    }
}

/// Signed division of a number that cannot be negative by a positive literal is unsigned division.
fn signed_division_of_nonnegative(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    let largest = mask(c.width()) >> 1;
    if c.signed() <= 0 || pool.unsigned_bound(a) > largest {
        return None;
    }
    Some(if op == Op::BvSdiv { pool.udiv(a, b) } else { pool.urem(a, b) })
}

/// `x / -c` is `-(x / c)`, as division rounds towards zero.
fn sdiv_by_negative(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let opposite = opposite_of_negative(pool, b)?;
    let quotient = pool.sdiv(a, opposite);
    Some(pool.neg(quotient))
}

/// The sign of the divisor does not matter for the remainder.
fn srem_by_negative(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let opposite = opposite_of_negative(pool, b)?;
    Some(pool.srem(a, opposite))
}

/// The literal's negation, if the literal is negative and has one.
fn opposite_of_negative(pool: &mut TermPool, literal: Term) -> Option<Term> {
    let c = pool.bv_constant(literal)?;
    let (least, _) = BitVec::extremes(Op::BvSlt, c.width());
    if c.signed() >= -1 || c == least {
        return None;
    }
    Some(pool.bv_signed(c.width(), -c.signed()))
}

/// Division of a sign-extended number by a literal that fits happens at the number's own width. (The
/// one quotient that does not fit, least number by -1, is excluded.)
fn signed_division_narrow(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    let x = pool.unary(a, Tag::BvSignExtend)?;
    let width = pool.width(x);
    if c.is_zero() || c.is_ones() || !c.fits_signed(width) {
        return None;
    }
    let narrow = pool.bv_value(c.low(width));
    let result = pool.apply(op, &[x, narrow]);
    Some(pool.sign_extend_to(c.width(), result))
}
