//! Shifts and rotations.

use super::lift::{lift_literal, lift_same_condition};
use super::{Args, Rule, rules};
use crate::node::Tag;
use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::value::BitVec;

pub(super) const SHL: &[Rule] = rules![
    shift_of_zero,
    shl_constant_range,
    shl_shl,
    shl_multiple,
    shl_sum_constant,
    shl_constant_minus,
    lift_literal,
    lift_same_condition
];

pub(super) const LSHR: &[Rule] = rules![shift_of_zero, lshr_constant, lift_literal, lift_same_condition];

pub(super) const ASHR: &[Rule] =
    rules![shift_of_zero, ashr_of_ones, ashr_constant, lift_literal, lift_same_condition];

pub(super) const ROTATE: &[Rule] = rules![rotate_as_concat];

fn shift_of_zero(pool: &mut TermPool, _: Op, [a, ..]: Args) -> Option<Term> {
    pool.bv_constant(a)?.is_zero().then_some(a)
}

/// The amount of a shift by a literal, or the width if it is larger.
fn literal_amount(pool: &TermPool, amount: Term) -> Option<u32> {
    let c = pool.bv_constant(amount)?;
    Some(u32::try_from(c.unsigned()).unwrap_or(c.width()).min(c.width()))
}

/// Shifts by zero and by at least the width.
fn shl_constant_range(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let width = pool.width(a);
    match literal_amount(pool, b)? {
        0 => Some(a),
        k if k == width => Some(pool.zero(width)),
        _ => None,
    }
}

/// `(x << j) << k` is `x << (j + k)`.
fn shl_shl(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let k = literal_amount(pool, b)?;
    let (x, inner) = pool.binary(a, Tag::BvShl)?;
    let sum = (literal_amount(pool, inner)? + k).min(pool.width(x));
    Some(shl_by(pool, x, sum))
}

/// `(x * c) << k` is `x * (c << k)`.
fn shl_multiple(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let k = pool.bv_constant(b)?;
    let (x, c) = pool.with_literal(a, Tag::BvMul)?;
    let factor = pool.bv_value(c.shl(k));
    Some(pool.mul(x, factor))
}

/// `(x + c) << k` is `(x << k) + (c << k)`.
fn shl_sum_constant(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let k = pool.bv_constant(b)?;
    let (x, c) = pool.with_literal(a, Tag::BvAdd)?;
    let (shifted, constant) = (pool.shl(x, b), pool.bv_value(c.shl(k)));
    Some(pool.add(shifted, constant))
}

/// `(c - x) << k` is `(c << k) - (x << k)`.
fn shl_constant_minus(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let k = pool.bv_constant(b)?;
    let (c, x) = pool.literal_minus(a)?;
    let (constant, shifted) = (pool.bv_value(c.shl(k)), pool.shl(x, b));
    Some(pool.sub(constant, shifted))
}

/// A logical shift to the right by a literal takes the upper bits and extends them.
fn lshr_constant(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let width = pool.width(a);
    let k = literal_amount(pool, b)?;
    if k == width {
        return Some(pool.zero(width));
    }
    let upper = pool.extract(width - 1, k, a);
    Some(pool.zero_extend_to(width, upper))
}

fn ashr_of_ones(pool: &mut TermPool, _: Op, [a, ..]: Args) -> Option<Term> {
    pool.bv_constant(a)?.is_ones().then_some(a)
}

/// An arithmetic shift to the right by a literal takes the upper bits and extends them by the sign.
fn ashr_constant(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let width = pool.width(a);
    let k = literal_amount(pool, b)?.min(width - 1);
    let upper = pool.extract(width - 1, k, a);
    Some(pool.sign_extend_to(width, upper))
}

/// A rotation exchanges the lower and the upper bits.
fn rotate_as_concat(pool: &mut TermPool, op: Op, [a, ..]: Args) -> Option<Term> {
    let width = pool.width(a);
    let left = match op {
        Op::BvRotateLeft(n) => n % width,
        Op::BvRotateRight(n) => (width - n % width) % width,
        _ => return None,
    };
    if left == 0 {
        return Some(a);
    }
    let (high, low) = (pool.extract(width - 1 - left, 0, a), pool.extract(width - 1, width - left, a));
    Some(pool.concat(high, low))
}

fn shl_by(pool: &mut TermPool, term: Term, amount: u32) -> Term {
    let width = pool.width(term);
    // The width itself may not be representable (it is not at width 1), and means zero anyway.
    if amount >= width {
        return pool.zero(width);
    }
    let amount = pool.bv_value(BitVec::new(width, u128::from(amount)));
    pool.shl(term, amount)
}
