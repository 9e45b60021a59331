//! Arithmetic on floats.

use super::super::Args;
use crate::float::{FloatFormat, FpOp, Rounding};
use crate::op::Op;
use crate::pool::{Term, TermPool};

/// The bits of `2^exponent`, if that is a normal number.
fn power_of_two(format: FloatFormat, exponent: i64) -> Option<u128> {
    let stored = exponent + i64::from(format.bias());
    let is_normal = (1..(1 << format.exponent) - 1).contains(&stored);
    is_normal.then(|| (stored as u128) << format.fraction())
}

/// `a - b` is `a + (-b)`: the sign of a NaN does not matter to a sum.
pub(super) fn sub_as_add(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let Op::Fp(FpOp::Sub(format, rounding)) = op else { return None };
    let negated = pool.fp_neg(format, b);
    Some(pool.fp_add(format, rounding, a, negated))
}

/// `a + (-0)` is `a`, except that rounding downwards makes `+0 + (-0)` negative; then `a + (+0)` is `a`.
pub(super) fn add_zero(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let Op::Fp(FpOp::Add(format, rounding)) = op else { return None };
    let neutral = if rounding == Rounding::TowardNegative { 0 } else { format.sign_mask() };
    (pool.float_literal(b)? == neutral).then(|| pool.canonical(format, a))
}

/// `a * 1` is `a`, and `a * (-1)` is `-a`.
pub(super) fn mul_unit(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let Op::Fp(FpOp::Mul(format, _)) = op else { return None };
    times_unit(pool, format, a, b)
}

/// `a / 1` is `a`, and `a / (-1)` is `-a`.
pub(super) fn div_unit(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let Op::Fp(FpOp::Div(format, _)) = op else { return None };
    times_unit(pool, format, a, b)
}

fn times_unit(pool: &mut TermPool, format: FloatFormat, a: Term, b: Term) -> Option<Term> {
    let factor = pool.float_literal(b)?;
    if factor & !format.sign_mask() != power_of_two(format, 0)? {
        return None;
    }
    let signed = if factor & format.sign_mask() == 0 { a } else { pool.fp_neg(format, a) };
    Some(pool.canonical(format, signed))
}

/// `a * 2` is `a + a`, the smaller circuit.
pub(super) fn mul_two(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let Op::Fp(FpOp::Mul(format, rounding)) = op else { return None };
    (pool.float_literal(b)? == power_of_two(format, 1)?).then(|| pool.fp_add(format, rounding, a, a))
}

/// Division by a power of two is multiplication by another, if that is a number.
pub(super) fn div_power_of_two(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let Op::Fp(FpOp::Div(format, rounding)) = op else { return None };
    let divisor = pool.float_literal(b)?;
    let stored = (divisor & format.exponent_mask()) >> format.fraction();
    if divisor & format.fraction_mask() != 0 {
        return None;
    }
    let exponent = stored as i64 - i64::from(format.bias());
    // Only the inverse of a power of two is exact, and only a normal divisor is looked at.
    power_of_two(format, exponent)?;
    let inverse = power_of_two(format, -exponent)? | (divisor & format.sign_mask());
    let inverse = pool.bv(format.width(), inverse);
    Some(pool.fp_mul(format, rounding, a, inverse))
}

/// `(-a) * (-b)` is `a * b`, and likewise for quotients and literals.
pub(super) fn signs_cancel(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let Op::Fp(FpOp::Mul(format, _) | FpOp::Div(format, _)) = op else { return None };
    let (a, b) = match (pool.negated(format, a), pool.negated(format, b)) {
        (Some(a), Some(b)) => (a, b),
        (Some(a), None) => {
            pool.float_literal(b)?;
            (a, pool.fp_neg(format, b))
        }
        (None, Some(b)) => {
            pool.float_literal(a)?;
            (pool.fp_neg(format, a), b)
        }
        (None, None) => return None,
    };
    Some(pool.apply(op, &[a, b]))
}

/// The minimum and the maximum of one float with itself.
pub(super) fn extreme_of_one(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let Op::Fp(FpOp::Min(format) | FpOp::Max(format)) = op else { return None };
    (a == b).then(|| pool.canonical(format, a))
}
