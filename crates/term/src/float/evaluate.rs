//! The meaning of float operators on bit patterns. Arithmetic is done by a soft float, what depends on the order of
//! numbers on the bits.

use super::arithmetic::{self, Operation};
use super::{FloatFormat, FpOp};
use crate::value::BitVec;
use std::cmp::Ordering;

impl FpOp {
    /// The meaning of the operator on as many values as its arity says, of widths that fit it. Truth values are given as
    /// zero and one of width one.
    pub fn apply(self, args: &[BitVec]) -> Option<BitVec> {
        if args.len() != self.arity() || !self.is_supported() {
            return None;
        }
        let bits = |at: usize| args.get(at).map_or(0, |value| value.unsigned());
        let (a, b, c) = (bits(0), bits(1), bits(2));
        let binary = |operation, format, rounding| arithmetic::binary(operation, format, rounding, a, b);
        let result = match self {
            FpOp::Add(format, rounding) => binary(Operation::Add, format, rounding),
            FpOp::Sub(format, rounding) => binary(Operation::Sub, format, rounding),
            FpOp::Mul(format, rounding) => binary(Operation::Mul, format, rounding),
            FpOp::Div(format, rounding) => binary(Operation::Div, format, rounding),
            FpOp::Fma(format, rounding) => arithmetic::fma(format, rounding, a, b, c),
            FpOp::Rem(format) => arithmetic::remainder(format, a, b),
            FpOp::Mod(format) => arithmetic::truncating_remainder(format, a, b),
            FpOp::Sqrt(format, rounding) => arithmetic::square_root(format, rounding, a),
            FpOp::RoundToIntegral(format, rounding) => arithmetic::round_to_integral(format, rounding, a),
            FpOp::Convert { from, to, rounding } => arithmetic::convert(from, to, rounding, a),
            FpOp::FromSigned { to, rounding } => arithmetic::from_signed(to, rounding, args[0].signed()),
            FpOp::FromUnsigned { to, rounding } => arithmetic::from_unsigned(to, rounding, a),
            FpOp::ToSigned { from, width, rounding } => {
                let value = arithmetic::to_integer(from, rounding, a).filter(|&(negative, magnitude)| {
                    let limit = 1u128 << (width - 1);
                    if negative { magnitude <= limit } else { magnitude < limit }
                });
                return Some(integer(width, value));
            }
            FpOp::ToUnsigned { from, width, rounding } => {
                let value = arithmetic::to_integer(from, rounding, a).filter(|&(negative, magnitude)| {
                    magnitude == 0 || (!negative && magnitude.checked_shr(width).unwrap_or(0) == 0)
                });
                return Some(integer(width, value));
            }
            FpOp::Min(format) => extreme(format, a, b, Ordering::Less),
            FpOp::Max(format) => extreme(format, a, b, Ordering::Greater),
            FpOp::Eq(_) | FpOp::Lt(_) | FpOp::Le(_) => {
                return self.compare(a, b).map(|truth| BitVec::new(1, u128::from(truth)));
            }
        };
        Some(BitVec::new(self.result_format()?.width(), result))
    }

    /// The meaning of the relations on bit patterns; `None` for other operators.
    pub(crate) fn compare(self, a: u128, b: u128) -> Option<bool> {
        Some(match self {
            FpOp::Eq(format) => compare(format, a, b) == Some(Ordering::Equal),
            FpOp::Lt(format) => compare(format, a, b) == Some(Ordering::Less),
            FpOp::Le(format) => {
                matches!(compare(format, a, b), Some(Ordering::Less | Ordering::Equal))
            }
            _ => return None,
        })
    }
}

/// The integer of a sign and a magnitude; zero for none.
fn integer(width: u32, value: Option<(bool, u128)>) -> BitVec {
    let (negative, magnitude) = value.unwrap_or_default();
    BitVec::new(width, if negative { magnitude.wrapping_neg() } else { magnitude })
}

/// The order of two numbers; `None` if one is a NaN.
fn compare(format: FloatFormat, a: u128, b: u128) -> Option<Ordering> {
    let order = |bits: u128| {
        let magnitude = (bits & !format.sign_mask()) as i128;
        if bits & format.sign_mask() != 0 { -magnitude } else { magnitude }
    };
    (!format.is_nan(a) && !format.is_nan(b)).then(|| order(a).cmp(&order(b)))
}

/// The number that stands on the wanted side of the other one.
fn extreme(format: FloatFormat, a: u128, b: u128, wanted: Ordering) -> u128 {
    match (format.is_nan(a), format.is_nan(b)) {
        (true, true) => format.nan(),
        (true, false) => b,
        (false, true) => a,
        (false, false) => {
            // Equal numbers differ in their sign at most; the one with the sign is the smaller one.
            let sign_order = (b & format.sign_mask()).cmp(&(a & format.sign_mask()));
            let order = compare(format, a, b).unwrap_or(Ordering::Equal).then(sign_order);
            if order == wanted { a } else { b }
        }
    }
}
