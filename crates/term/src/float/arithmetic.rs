//! Arithmetic through the soft float of `rustc_apfloat`, and exactly on integers where that has no operation.
//!
//! Every number of every format is one of the quadruple format, too, so conversions go through that: the first step
//! is exact, the second rounds.

use super::{FloatFormat, Rounding};
use rustc_apfloat::ieee::{Double, Half, IeeeFloat, Quad, Semantics, Single};
use rustc_apfloat::{Float, FloatConvert, Round, Status};

/// [`FloatFormat::TINY`].
struct TinySemantics;
impl Semantics for TinySemantics {
    const BITS: usize = 6;
    const EXP_BITS: usize = 3;
}

/// [`FloatFormat::SMALL`].
struct SmallSemantics;
impl Semantics for SmallSemantics {
    const BITS: usize = 7;
    const EXP_BITS: usize = 3;
}

/// [`FloatFormat::EXTENDED`].
struct ExtendedSemantics;
impl Semantics for ExtendedSemantics {
    const BITS: usize = 79;
    const EXP_BITS: usize = 15;
}

/// Evaluates the body with `$soft` as the soft float of the format. Sort checks rule out other formats than those of
/// [`FloatFormat::ALL`].
macro_rules! with_format {
    ($format:expr, $soft:ident => $body:expr) => {
        match $format {
            FloatFormat::TINY => {
                type $soft = IeeeFloat<TinySemantics>;
                $body
            }
            FloatFormat::SMALL => {
                type $soft = IeeeFloat<SmallSemantics>;
                $body
            }
            FloatFormat::HALF => {
                type $soft = Half;
                $body
            }
            FloatFormat::SINGLE => {
                type $soft = Single;
                $body
            }
            FloatFormat::DOUBLE => {
                type $soft = Double;
                $body
            }
            FloatFormat::EXTENDED => {
                type $soft = IeeeFloat<ExtendedSemantics>;
                $body
            }
            FloatFormat::QUAD => {
                type $soft = Quad;
                $body
            }
            other => unreachable!("no operator takes {other:?}"),
        }
    };
}

/// Arithmetic on two floats that rounds.
#[derive(Clone, Copy)]
pub(super) enum Operation {
    Add,
    Sub,
    Mul,
    Div,
}

fn mode(rounding: Rounding) -> Round {
    match rounding {
        Rounding::NearestEven => Round::NearestTiesToEven,
        Rounding::NearestAway => Round::NearestTiesToAway,
        Rounding::TowardPositive => Round::TowardPositive,
        Rounding::TowardNegative => Round::TowardNegative,
        Rounding::TowardZero => Round::TowardZero,
    }
}

/// The bits of a result; there is only one NaN.
fn bits_of<F: Float>(format: FloatFormat, value: F) -> u128 {
    if value.is_nan() { format.nan() } else { value.to_bits() }
}

pub(super) fn binary(
    operation: Operation,
    format: FloatFormat,
    rounding: Rounding,
    a: u128,
    b: u128,
) -> u128 {
    let round = mode(rounding);
    with_format!(format, Soft => {
        let (a, b) = (Soft::from_bits(a), Soft::from_bits(b));
        let result = match operation {
            Operation::Add => a.add_r(b, round),
            Operation::Sub => a.sub_r(b, round),
            Operation::Mul => a.mul_r(b, round),
            Operation::Div => a.div_r(b, round),
        };
        bits_of(format, result.value)
    })
}

pub(super) fn fma(format: FloatFormat, rounding: Rounding, a: u128, b: u128, c: u128) -> u128 {
    with_format!(format, Soft => {
        let (a, b, c) = (Soft::from_bits(a), Soft::from_bits(b), Soft::from_bits(c));
        bits_of(format, a.mul_add_r(b, c, mode(rounding)).value)
    })
}

pub(super) fn remainder(format: FloatFormat, a: u128, b: u128) -> u128 {
    with_format!(format, Soft => bits_of(format, Soft::from_bits(a).ieee_rem(Soft::from_bits(b)).value))
}

pub(super) fn truncating_remainder(format: FloatFormat, a: u128, b: u128) -> u128 {
    with_format!(format, Soft => bits_of(format, Soft::from_bits(a).c_fmod(Soft::from_bits(b)).value))
}

/// The number as one of the quadruple format.
fn widen(format: FloatFormat, bits: u128) -> Quad {
    with_format!(format, Soft => {
        let value = Soft::from_bits(bits);
        FloatConvert::<Quad>::convert(value, &mut false).value
    })
}

/// The bits of the number in a format that may be narrower.
fn narrow(format: FloatFormat, rounding: Rounding, value: Quad) -> u128 {
    with_format!(format, Soft => {
        let result: Soft = value.convert_r(mode(rounding), &mut false).value;
        bits_of(format, result)
    })
}

pub(super) fn convert(from: FloatFormat, to: FloatFormat, rounding: Rounding, a: u128) -> u128 {
    narrow(to, rounding, widen(from, a))
}

/// In the quadruple format: the soft float adds a large number for it, which a tiny format may not have.
pub(super) fn round_to_integral(format: FloatFormat, rounding: Rounding, a: u128) -> u128 {
    narrow(format, rounding, widen(format, a).round_to_integral(mode(rounding)).value)
}

pub(super) fn from_signed(to: FloatFormat, rounding: Rounding, a: i128) -> u128 {
    with_format!(to, Soft => bits_of(to, Soft::from_i128_r(a, mode(rounding)).value))
}

pub(super) fn from_unsigned(to: FloatFormat, rounding: Rounding, a: u128) -> u128 {
    with_format!(to, Soft => bits_of(to, Soft::from_u128_r(a, mode(rounding)).value))
}

/// Sign and magnitude of the integer that a number is rounded to; `None` if the magnitude has more than 128 bits.
pub(super) fn to_integer(from: FloatFormat, rounding: Rounding, a: u128) -> Option<(bool, u128)> {
    let value = widen(from, a);
    let (magnitude, round) =
        if value.is_negative() { (-value, -mode(rounding)) } else { (value, mode(rounding)) };
    let result = magnitude.to_u128_r(128, round, &mut false);
    (!result.status.contains(Status::INVALID_OP)).then_some((value.is_negative(), result.value))
}

pub(super) fn square_root(format: FloatFormat, rounding: Rounding, a: u128) -> u128 {
    let value = widen(format, a);
    if value.is_zero() || value.is_pos_infinity() {
        return a;
    }
    if value.is_nan() || value.is_negative() {
        return format.nan();
    }
    // value = integer * 2^scale, with an integer of `significand` bits or one more, and an even scale.
    let precision = format.significand;
    let scale = (value.ilogb() - (precision as i32 - 1)) & !1;
    let integer = value.scalbn(-scale).to_u128(128).value;
    let digits = precision / 2 + 2;
    let (root, is_exact) = integer_root(integer, digits);
    // More bits than the format holds, and the last one says whether there are others: rounding sees all that it needs.
    // In the quadruple format making a float of it rounds, in the others narrowing does; never both.
    let root = (root << 1) | u128::from(!is_exact);
    let wide = Quad::from_u128_r(root, mode(rounding)).value.scalbn(scale / 2 - (digits as i32 + 1));
    narrow(format, rounding, wide)
}

/// The integer part of `sqrt(value) * 2^digits`, and whether that is all of it. The rest is below twice the root, so a root
/// of up to 124 bits can be computed.
fn integer_root(value: u128, digits: u32) -> (u128, bool) {
    let (mut root, mut rest) = (0u128, 0u128);
    let pairs = (u128::BITS - value.leading_zeros()).div_ceil(2);
    let known = (0..pairs).rev().map(|pair| (value >> (2 * pair)) & 3);
    for pair in known.chain((0..digits).map(|_| 0)) {
        rest = (rest << 2) | pair;
        let trial = (root << 2) | 1;
        root <<= 1;
        if rest >= trial {
            rest -= trial;
            root |= 1;
        }
    }
    (root, rest == 0)
}
