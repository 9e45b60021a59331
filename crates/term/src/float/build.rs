//! Constructors of float operators, and what bit operations can say about floats.

use super::{FloatFormat, FpOp, Rounding};
use crate::op::Op;
use crate::pool::{Term, TermPool};

macro_rules! rounding_constructors {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),+) = $op:ident;)+) => {
        impl TermPool {
            $($(#[$doc])* pub fn $name(&mut self, format: FloatFormat, rounding: Rounding, $($arg: Term),+) -> Term {
                self.apply(Op::Fp(FpOp::$op(format, rounding)), &[$($arg),+])
            })+
        }
    };
}

rounding_constructors! {
    /// Sum of floats.
    fp_add(a, b) = Add;
    /// Difference of floats.
    fp_sub(a, b) = Sub;
    /// Product of floats.
    fp_mul(a, b) = Mul;
    /// Quotient of floats.
    fp_div(a, b) = Div;
    /// `a * b + c` of floats, rounded once.
    fp_fma(a, b, c) = Fma;
    /// Square root of a float.
    fp_sqrt(a) = Sqrt;
    /// The integral float that the rounding mode chooses.
    fp_round_to_integral(a) = RoundToIntegral;
}

macro_rules! exact_constructors {
    ($($(#[$doc:meta])* $name:ident = $op:ident;)+) => {
        impl TermPool {
            $($(#[$doc])* pub fn $name(&mut self, format: FloatFormat, a: Term, b: Term) -> Term {
                self.apply(Op::Fp(FpOp::$op(format)), &[a, b])
            })+
        }
    };
}

exact_constructors! {
    /// IEEE remainder of floats.
    fp_rem = Rem;
    /// Remainder of a division of floats towards zero.
    fp_mod = Mod;
    /// The smaller one of two floats.
    fp_min = Min;
    /// The larger one of two floats.
    fp_max = Max;
    /// Equality of floats as numbers.
    fp_eq = Eq;
    /// Less-than of floats.
    fp_lt = Lt;
    /// At-most of floats.
    fp_le = Le;
}

impl TermPool {
    /// A float in another format.
    pub fn fp_convert(&mut self, from: FloatFormat, to: FloatFormat, rounding: Rounding, a: Term) -> Term {
        self.apply(Op::Fp(FpOp::Convert { from, to, rounding }), &[a])
    }

    /// The float that a two's complement integer is.
    pub fn fp_from_signed(&mut self, to: FloatFormat, rounding: Rounding, a: Term) -> Term {
        self.apply(Op::Fp(FpOp::FromSigned { to, rounding }), &[a])
    }

    /// The float that an unsigned integer is.
    pub fn fp_from_unsigned(&mut self, to: FloatFormat, rounding: Rounding, a: Term) -> Term {
        self.apply(Op::Fp(FpOp::FromUnsigned { to, rounding }), &[a])
    }

    /// The two's complement integer that a float is rounded to; zero if it does not fit.
    pub fn fp_to_signed(&mut self, from: FloatFormat, width: u32, rounding: Rounding, a: Term) -> Term {
        self.apply(Op::Fp(FpOp::ToSigned { from, width, rounding }), &[a])
    }

    /// The unsigned integer that a float is rounded to; zero if it does not fit.
    pub fn fp_to_unsigned(&mut self, from: FloatFormat, width: u32, rounding: Rounding, a: Term) -> Term {
        self.apply(Op::Fp(FpOp::ToUnsigned { from, width, rounding }), &[a])
    }

    /// The float with its sign flipped, also that of a NaN.
    pub fn fp_neg(&mut self, format: FloatFormat, a: Term) -> Term {
        let sign = self.bv(format.width(), format.sign_mask());
        self.bvxor(a, sign)
    }

    /// The float without its sign, also that of a NaN.
    pub fn fp_abs(&mut self, format: FloatFormat, a: Term) -> Term {
        let magnitude = self.fp_magnitude(format, a);
        self.zero_extend_to(format.width(), magnitude)
    }

    /// True of NaNs.
    pub fn fp_is_nan(&mut self, format: FloatFormat, a: Term) -> Term {
        let magnitude = self.fp_magnitude(format, a);
        let infinity = self.bv(format.width() - 1, format.infinity(false));
        self.ult(infinity, magnitude)
    }

    /// True of both infinities.
    pub fn fp_is_infinite(&mut self, format: FloatFormat, a: Term) -> Term {
        let magnitude = self.fp_magnitude(format, a);
        let infinity = self.bv(format.width() - 1, format.infinity(false));
        self.eq(magnitude, infinity)
    }

    /// True of both zeros.
    pub fn fp_is_zero(&mut self, format: FloatFormat, a: Term) -> Term {
        let magnitude = self.fp_magnitude(format, a);
        let zero = self.bv(format.width() - 1, 0);
        self.eq(magnitude, zero)
    }

    /// True of numbers other than zeros and subnormal ones.
    pub fn fp_is_normal(&mut self, format: FloatFormat, a: Term) -> Term {
        let exponent = self.extract(format.width() - 2, format.fraction(), a);
        let (lowest, highest) = (self.bv(format.exponent, 0), self.bv(format.exponent, u128::MAX));
        let (above, below) = (self.ne(exponent, lowest), self.ne(exponent, highest));
        self.and(above, below)
    }

    /// True of numbers between zero and the normal ones.
    pub fn fp_is_subnormal(&mut self, format: FloatFormat, a: Term) -> Term {
        let exponent = self.extract(format.width() - 2, format.fraction(), a);
        let fraction = self.extract(format.fraction() - 1, 0, a);
        let (lowest, zero) = (self.bv(format.exponent, 0), self.bv(format.fraction(), 0));
        let (small, nonzero) = (self.eq(exponent, lowest), self.ne(fraction, zero));
        self.and(small, nonzero)
    }

    /// True if the sign bit is set, also of a zero or NaN.
    pub fn fp_is_negative(&mut self, format: FloatFormat, a: Term) -> Term {
        let top = format.width() - 1;
        let sign = self.extract(top, top, a);
        let one = self.bv(1, 1);
        self.eq(sign, one)
    }

    /// All bits but the sign.
    pub(crate) fn fp_magnitude(&mut self, format: FloatFormat, a: Term) -> Term {
        self.extract(format.width() - 2, 0, a)
    }
}
