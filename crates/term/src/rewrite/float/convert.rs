//! Conversions between formats and between floats and integers.

use super::super::Args;
use crate::float::{FloatFormat, FpOp, Rounding};
use crate::node::Tag;
use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::value::BitVec;

/// A conversion to the same format.
pub(super) fn convert_same(pool: &mut TermPool, op: Op, [a, ..]: Args) -> Option<Term> {
    match op {
        Op::Fp(FpOp::Convert { from, to, .. }) if from == to => Some(pool.canonical(from, a)),
        _ => None,
    }
}

/// What was widened is converted from its own format.
pub(super) fn convert_widened(pool: &mut TermPool, op: Op, [a, ..]: Args) -> Option<Term> {
    let Op::Fp(FpOp::Convert { to, rounding, .. }) = op else { return None };
    let (format, x) = pool.widened(a)?;
    Some(pool.fp_convert(format, to, rounding, x))
}

/// Arithmetic on widened numbers whose result is narrowed again is arithmetic on the narrow numbers.
///
/// Rounding twice to the nearest is the same as rounding once if the wide format has at least twice the bits and two more
/// (Figueroa, "When is double rounding innocuous?", 1995), and if its range makes sure that only the last rounding
/// meets subnormal numbers or infinity.
pub(super) fn convert_widened_arithmetic(pool: &mut TermPool, op: Op, [a, ..]: Args) -> Option<Term> {
    let nearest = Rounding::NearestEven;
    let Op::Fp(FpOp::Convert { from: wide, to: narrow, rounding }) = op else { return None };
    if rounding != nearest
        || wide.significand < 2 * narrow.significand + 2
        || wide.exponent < narrow.exponent + 2
    {
        return None;
    }
    let (inner, first) = pool.float_operator(a)?;
    let narrow_op = match inner {
        FpOp::Add(_, rounding) if rounding == nearest => FpOp::Add(narrow, nearest),
        FpOp::Mul(_, rounding) if rounding == nearest => FpOp::Mul(narrow, nearest),
        FpOp::Div(_, rounding) if rounding == nearest => FpOp::Div(narrow, nearest),
        FpOp::Sqrt(_, rounding) if rounding == nearest => FpOp::Sqrt(narrow, nearest),
        _ => return None,
    };
    if inner.arity() == 1 {
        let x = narrowed(pool, wide, narrow, first)?;
        return Some(pool.apply(Op::Fp(narrow_op), &[x]));
    }
    let second = pool.args(a)[1];
    let (x, y) = (narrowed(pool, wide, narrow, first)?, narrowed(pool, wide, narrow, second)?);
    Some(pool.apply(Op::Fp(narrow_op), &[x, y]))
}

/// The same number in the narrow format, if it is known to be there. NaNs may differ.
fn narrowed(pool: &mut TermPool, wide: FloatFormat, narrow: FloatFormat, term: Term) -> Option<Term> {
    if let Some(bits) = pool.float_literal(term) {
        let there = FpOp::Convert { from: wide, to: narrow, rounding: Rounding::TowardZero };
        let back = FpOp::Convert { from: narrow, to: wide, rounding: Rounding::TowardZero };
        let small = there.apply(&[BitVec::new(wide.width(), bits)])?;
        let is_same = back.apply(&[small])?.unsigned() == bits;
        return is_same.then(|| pool.bv_value(small));
    }
    if let Some(x) = pool.negated(wide, term) {
        let (format, x) = pool.widened(x)?;
        return (format == narrow).then(|| pool.fp_neg(narrow, x));
    }
    let (format, x) = pool.widened(term)?;
    (format == narrow).then_some(x)
}

/// An extended integer is converted from its own width.
pub(super) fn from_extended(pool: &mut TermPool, op: Op, [a, ..]: Args) -> Option<Term> {
    let (to, rounding, is_signed) = match op {
        Op::Fp(FpOp::FromSigned { to, rounding }) => (to, rounding, true),
        Op::Fp(FpOp::FromUnsigned { to, rounding }) => (to, rounding, false),
        _ => return None,
    };
    if is_signed && let Some(x) = pool.unary(a, Tag::BvSignExtend) {
        return Some(pool.fp_from_signed(to, rounding, x));
    }
    let x = pool.unary(a, Tag::BvZeroExtend)?;
    (pool.width(x) < pool.width(a)).then(|| pool.fp_from_unsigned(to, rounding, x))
}

/// An integer that was converted without loss is converted to the other format directly.
pub(super) fn convert_integer(pool: &mut TermPool, op: Op, [a, ..]: Args) -> Option<Term> {
    let Op::Fp(FpOp::Convert { from, to, rounding }) = op else { return None };
    let integer = pool.converted_integer(a)?;
    if !integer.is_exact(from) {
        return None;
    }
    Some(if integer.is_signed {
        pool.fp_from_signed(to, rounding, integer.argument)
    } else {
        pool.fp_from_unsigned(to, rounding, integer.argument)
    })
}

/// An integer that was converted without loss and is converted back to at least as many bits.
pub(super) fn to_integer_of_integer(pool: &mut TermPool, op: Op, [a, ..]: Args) -> Option<Term> {
    let (from, width, is_signed) = match op {
        Op::Fp(FpOp::ToSigned { from, width, .. }) => (from, width, true),
        Op::Fp(FpOp::ToUnsigned { from, width, .. }) => (from, width, false),
        _ => return None,
    };
    let integer = pool.converted_integer(a)?;
    if !integer.is_exact(from) {
        return None;
    }
    match (integer.is_signed, is_signed) {
        (true, true) if width >= integer.width => Some(pool.sign_extend_to(width, integer.argument)),
        (false, true) if width > integer.width => Some(pool.zero_extend_to(width, integer.argument)),
        (false, false) if width >= integer.width => Some(pool.zero_extend_to(width, integer.argument)),
        _ => None,
    }
}

/// Integers and integral floats are integral.
pub(super) fn integral_already(pool: &mut TermPool, op: Op, [a, ..]: Args) -> Option<Term> {
    let Op::Fp(FpOp::RoundToIntegral(..)) = op else { return None };
    let (inner, _) = pool.float_operator(a)?;
    matches!(inner, FpOp::RoundToIntegral(..) | FpOp::FromSigned { .. } | FpOp::FromUnsigned { .. })
        .then_some(a)
}
