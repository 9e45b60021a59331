//! Floating-point numbers as bit patterns.
//!
//! A float is the bit-vector of its interchange format: sign, biased exponent, fraction. There is no sort of its own, so
//! memory, models, copies (which keep the payload of a NaN) and type punning need nothing new; only operators are
//! added. Their meaning is IEEE 754, made total:
//!
//! - Every NaN that an operator computes is the canonical one: sign set, exponent all ones, of the fraction only the top bit set
//!   (what x86 computes).
//! - A number that does not fit the integer it is converted to, and a NaN, become zero.
//! - The minimum and the maximum of a NaN and a number are the number (its bits unchanged), and `-0` is less than `+0` for them.

mod arithmetic;
mod build;
mod evaluate;
mod pack;
#[cfg(test)]
mod tests;
mod text;

pub use text::{parse_float, show_float, show_hexadecimal_float};

use crate::sort::{MAX_WIDTH, Sort};

/// A binary interchange format: one sign bit, the exponent, and the significand without its leading bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FloatFormat {
    /// Bits of the exponent.
    pub exponent: u32,
    /// Bits of the significand, the hidden bit included (as SMT-LIB counts them).
    pub significand: u32,
}

impl FloatFormat {
    /// Six bits, for exhaustive tests of operators with three arguments.
    pub const TINY: Self = Self { exponent: 3, significand: 3 };
    /// Seven bits, for exhaustive tests.
    pub const SMALL: Self = Self { exponent: 3, significand: 4 };
    /// C's `_Float16`.
    pub const HALF: Self = Self { exponent: 5, significand: 11 };
    /// C's `float`.
    pub const SINGLE: Self = Self { exponent: 8, significand: 24 };
    /// C's `double`.
    pub const DOUBLE: Self = Self { exponent: 11, significand: 53 };
    /// The numbers of the x87, without their explicit integer bit: 79 bits.
    pub const EXTENDED: Self = Self { exponent: 15, significand: 64 };
    /// C's `_Float128`.
    pub const QUAD: Self = Self { exponent: 15, significand: 113 };

    /// The formats that operators exist for.
    pub const ALL: [Self; 7] =
        [Self::TINY, Self::SMALL, Self::HALF, Self::SINGLE, Self::DOUBLE, Self::EXTENDED, Self::QUAD];

    /// The width of the bit pattern.
    pub fn width(self) -> u32 {
        self.exponent + self.significand
    }

    /// True if there are operators for the format.
    pub fn is_supported(self) -> bool {
        Self::ALL.contains(&self)
    }

    /// How many bits of the fraction are stored.
    pub fn fraction(self) -> u32 {
        self.significand - 1
    }

    /// What is added to an exponent to store it; also the largest exponent of a number.
    pub fn bias(self) -> u32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The bits of the exponent, in place.
    pub fn exponent_mask(self) -> u128 {
        ((1 << self.exponent) - 1) << self.fraction()
    }

    /// The bits of the fraction.
    pub fn fraction_mask(self) -> u128 {
        (1 << self.fraction()) - 1
    }

    /// The sign bit, in place.
    pub fn sign_mask(self) -> u128 {
        1 << (self.width() - 1)
    }

    /// The NaN that operators give.
    pub fn nan(self) -> u128 {
        self.sign_mask() | self.exponent_mask() | (1 << (self.fraction() - 1))
    }

    /// Infinity.
    pub fn infinity(self, negative: bool) -> u128 {
        self.exponent_mask() | if negative { self.sign_mask() } else { 0 }
    }

    /// True if the bits are those of a NaN.
    pub fn is_nan(self, bits: u128) -> bool {
        bits & !self.sign_mask() > self.exponent_mask()
    }

    /// True if every number of this format is one of `other` too.
    pub fn is_within(self, other: Self) -> bool {
        self.exponent <= other.exponent && self.significand <= other.significand
    }
}

/// How a result that is not representable is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rounding {
    /// To the nearest number; of two that are equally near, to the one with the even significand.
    NearestEven,
    /// To the nearest number; of two that are equally near, to the one of larger magnitude.
    NearestAway,
    /// Upwards.
    TowardPositive,
    /// Downwards.
    TowardNegative,
    /// To the number of smaller magnitude.
    TowardZero,
}

impl Rounding {
    /// All modes.
    pub const ALL: [Self; 5] =
        [Self::NearestEven, Self::NearestAway, Self::TowardPositive, Self::TowardNegative, Self::TowardZero];

    /// As SMT-LIB calls it.
    pub(crate) fn smtlib_name(self) -> &'static str {
        match self {
            Rounding::NearestEven => "RNE",
            Rounding::NearestAway => "RNA",
            Rounding::TowardPositive => "RTP",
            Rounding::TowardNegative => "RTN",
            Rounding::TowardZero => "RTZ",
        }
    }
}

/// An operator on floats. Floats are taken and given as bit patterns; the module's documentation says what is
/// computed where IEEE 754 leaves a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FpOp {
    /// Sum.
    Add(FloatFormat, Rounding),
    /// Difference.
    Sub(FloatFormat, Rounding),
    /// Product.
    Mul(FloatFormat, Rounding),
    /// Quotient.
    Div(FloatFormat, Rounding),
    /// `a * b + c`, rounded once.
    Fma(FloatFormat, Rounding),
    /// Square root.
    Sqrt(FloatFormat, Rounding),
    /// IEEE remainder: `a - b * n` with `n` the integer nearest to `a / b`, the even one of two.
    Rem(FloatFormat),
    /// Remainder of a division towards zero, C's `fmod`: `a - b * n` with `n` the integer next to `a / b` towards zero.
    Mod(FloatFormat),
    /// The integral number that the mode chooses.
    RoundToIntegral(FloatFormat, Rounding),
    /// The smaller one.
    Min(FloatFormat),
    /// The larger one.
    Max(FloatFormat),
    /// Equality of numbers: zeros are equal, a NaN equals nothing.
    Eq(FloatFormat),
    /// Less-than; false if one is a NaN.
    Lt(FloatFormat),
    /// At-most; false if one is a NaN.
    Le(FloatFormat),
    /// The same number in another format.
    Convert {
        /// The format of the argument.
        from: FloatFormat,
        /// The format of the result.
        to: FloatFormat,
        /// How it is made to fit.
        rounding: Rounding,
    },
    /// The number that a two's complement integer of any width is.
    FromSigned {
        /// The format of the result.
        to: FloatFormat,
        /// How it is made to fit.
        rounding: Rounding,
    },
    /// The number that an unsigned integer of any width is.
    FromUnsigned {
        /// The format of the result.
        to: FloatFormat,
        /// How it is made to fit.
        rounding: Rounding,
    },
    /// The two's complement integer that a number is rounded to; zero if it does not fit.
    ToSigned {
        /// The format of the argument.
        from: FloatFormat,
        /// The width of the result.
        width: u32,
        /// How fractions are rounded.
        rounding: Rounding,
    },
    /// The unsigned integer that a number is rounded to; zero if it does not fit.
    ToUnsigned {
        /// The format of the argument.
        from: FloatFormat,
        /// The width of the result.
        width: u32,
        /// How fractions are rounded.
        rounding: Rounding,
    },
}

impl FpOp {
    /// How many arguments the operator takes.
    #[inline]
    pub fn arity(self) -> usize {
        match self {
            FpOp::Fma(..) => 3,
            FpOp::Add(..)
            | FpOp::Sub(..)
            | FpOp::Mul(..)
            | FpOp::Div(..)
            | FpOp::Rem(_)
            | FpOp::Mod(_)
            | FpOp::Min(_)
            | FpOp::Max(_)
            | FpOp::Eq(_)
            | FpOp::Lt(_)
            | FpOp::Le(_) => 2,
            FpOp::Sqrt(..)
            | FpOp::RoundToIntegral(..)
            | FpOp::Convert { .. }
            | FpOp::FromSigned { .. }
            | FpOp::FromUnsigned { .. }
            | FpOp::ToSigned { .. }
            | FpOp::ToUnsigned { .. } => 1,
        }
    }

    /// True if the first two arguments may be swapped.
    pub fn is_commutative(self) -> bool {
        matches!(
            self,
            FpOp::Add(..) | FpOp::Mul(..) | FpOp::Fma(..) | FpOp::Min(_) | FpOp::Max(_) | FpOp::Eq(_)
        )
    }

    /// True if the operator gives a truth value.
    #[inline]
    pub fn is_relation(self) -> bool {
        matches!(self, FpOp::Eq(_) | FpOp::Lt(_) | FpOp::Le(_))
    }

    /// The format of the float arguments; `None` if the argument is an integer.
    pub fn operand_format(self) -> Option<FloatFormat> {
        match self {
            FpOp::Add(format, _)
            | FpOp::Sub(format, _)
            | FpOp::Mul(format, _)
            | FpOp::Div(format, _)
            | FpOp::Fma(format, _)
            | FpOp::Sqrt(format, _)
            | FpOp::RoundToIntegral(format, _)
            | FpOp::Rem(format)
            | FpOp::Mod(format)
            | FpOp::Min(format)
            | FpOp::Max(format)
            | FpOp::Eq(format)
            | FpOp::Lt(format)
            | FpOp::Le(format) => Some(format),
            FpOp::Convert { from, .. } | FpOp::ToSigned { from, .. } | FpOp::ToUnsigned { from, .. } => {
                Some(from)
            }
            FpOp::FromSigned { .. } | FpOp::FromUnsigned { .. } => None,
        }
    }

    /// The format of the result; `None` if it is a truth value or an integer.
    pub fn result_format(self) -> Option<FloatFormat> {
        match self {
            FpOp::Eq(_) | FpOp::Lt(_) | FpOp::Le(_) | FpOp::ToSigned { .. } | FpOp::ToUnsigned { .. } => None,
            FpOp::Convert { to, .. } | FpOp::FromSigned { to, .. } | FpOp::FromUnsigned { to, .. } => {
                Some(to)
            }
            _ => self.operand_format(),
        }
    }

    /// True if the operator exists for its formats.
    fn is_supported(self) -> bool {
        [self.operand_format(), self.result_format()].iter().flatten().all(|format| format.is_supported())
    }

    /// The sort of an application, or `None` if the arguments do not fit.
    pub(crate) fn result_sort(self, args: &[Sort]) -> Option<Sort> {
        if args.len() != self.arity() {
            return None;
        }
        if !self.is_supported() {
            return None;
        }
        let fits = args.iter().all(|sort| match self.operand_format() {
            Some(format) => *sort == Sort::BitVec(format.width()),
            None => sort.width().is_some(),
        });
        match self {
            _ if !fits => None,
            FpOp::ToSigned { width, .. } | FpOp::ToUnsigned { width, .. } => {
                (1..=MAX_WIDTH).contains(&width).then_some(Sort::BitVec(width))
            }
            _ => Some(self.result_format().map_or(Sort::Bool, |format| Sort::BitVec(format.width()))),
        }
    }
}

impl FpOp {
    /// What SMT-LIB calls the operator, without its indices and its rounding mode; it has no `fp.mod`.
    pub fn name(self) -> &'static str {
        match self {
            FpOp::Add(..) => "fp.add",
            FpOp::Sub(..) => "fp.sub",
            FpOp::Mul(..) => "fp.mul",
            FpOp::Div(..) => "fp.div",
            FpOp::Fma(..) => "fp.fma",
            FpOp::Sqrt(..) => "fp.sqrt",
            FpOp::RoundToIntegral(..) => "fp.roundToIntegral",
            FpOp::Rem(_) => "fp.rem",
            FpOp::Mod(_) => "fp.mod",
            FpOp::Min(_) => "fp.min",
            FpOp::Max(_) => "fp.max",
            FpOp::Eq(_) => "fp.eq",
            FpOp::Lt(_) => "fp.lt",
            FpOp::Le(_) => "fp.leq",
            FpOp::Convert { .. } | FpOp::FromSigned { .. } => "to_fp",
            FpOp::FromUnsigned { .. } => "to_fp_unsigned",
            FpOp::ToSigned { .. } => "fp.to_sbv",
            FpOp::ToUnsigned { .. } => "fp.to_ubv",
        }
    }

    /// The rounding mode, if the operator has one.
    pub fn rounding(self) -> Option<Rounding> {
        match self {
            FpOp::Add(_, rounding)
            | FpOp::Sub(_, rounding)
            | FpOp::Mul(_, rounding)
            | FpOp::Div(_, rounding)
            | FpOp::Fma(_, rounding)
            | FpOp::Sqrt(_, rounding)
            | FpOp::RoundToIntegral(_, rounding)
            | FpOp::Convert { rounding, .. }
            | FpOp::FromSigned { rounding, .. }
            | FpOp::FromUnsigned { rounding, .. }
            | FpOp::ToSigned { rounding, .. }
            | FpOp::ToUnsigned { rounding, .. } => Some(rounding),
            FpOp::Rem(_)
            | FpOp::Mod(_)
            | FpOp::Min(_)
            | FpOp::Max(_)
            | FpOp::Eq(_)
            | FpOp::Lt(_)
            | FpOp::Le(_) => None,
        }
    }

    /// The operator as SMT-LIB spells it between floats, with indices and rounding mode.
    pub(crate) fn smtlib_name(self) -> String {
        let name = self.name();
        let head = match self {
            FpOp::Convert { to, .. } | FpOp::FromSigned { to, .. } | FpOp::FromUnsigned { to, .. } => {
                format!("(_ {name} {} {})", to.exponent, to.significand)
            }
            FpOp::ToSigned { width, .. } | FpOp::ToUnsigned { width, .. } => format!("(_ {name} {width})"),
            _ => name.to_owned(),
        };
        match self.rounding() {
            Some(rounding) => format!("{head} {}", rounding.smtlib_name()),
            None => head,
        }
    }
}
