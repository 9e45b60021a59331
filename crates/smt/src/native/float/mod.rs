//! Circuits for operators on floats.
//!
//! - `parts`: taking a float apart, numbers with a leading one, shifters;
//! - `round`: the one place that rounds and puts a float together;
//! - `add`, `multiply`, `divide`, `remainder`, `root`: arithmetic;
//! - `compare`: relations, minimum and maximum, on the bits;
//! - `convert`: other formats, integers, integral floats.
//!
//! Sizes in thousands of clauses, rounding to nearest even and without constant operands; integers have 32 bits:
//!
//! | | add | mul | div | fma | sqrt | rem | integral | min | = | < | to the other | from integer | to integer |
//! |---|---|---|---|---|---|---|---|---|---|---|---|---|---|
//! | single | 3.8 | 15.8 | 18.9 | 23.0 | 9.0 | 123 | 1.7 | 0.8 | 0.3 | 0.6 | 1.1 | 1.7 | 1.7 |
//! | double | 8.1 | 70.5 | 81.9 | 86.9 | 39.9 | 790 | 3.5 | 1.6 | 0.5 | 1.1 | 1.6 | 1.5 | 1.9 |
//!
//! Remainders by a known divisor take less, see `remainder`.

mod add;
mod compare;
mod convert;
mod divide;
mod multiply;
mod parts;
mod remainder;
mod root;
mod round;
#[cfg(test)]
mod tests;

use super::words::{Circuits, Word};
use aster_term::FpOp;
pub(super) use parts::Normalised;
use remainder::Quotient;

impl Circuits {
    /// The bits of an application.
    pub(super) fn float(&mut self, op: FpOp, args: &[Word]) -> Word {
        let (a, b) = (&args[0], args.get(1).map_or(&[][..], |b| b));
        match op {
            FpOp::Add(format, rounding) => self.float_add(format, rounding, a, b),
            FpOp::Sub(format, rounding) => {
                let mut negated = b.to_vec();
                if let Some(sign) = negated.last_mut() {
                    *sign = -*sign;
                }
                self.float_add(format, rounding, a, &negated)
            }
            FpOp::Mul(format, rounding) => self.float_multiply(format, rounding, a, b),
            FpOp::Fma(format, rounding) => self.float_fma(format, rounding, a, b, &args[2]),
            FpOp::Div(format, rounding) => self.float_divide(format, rounding, a, b),
            FpOp::Rem(format) => self.float_remainder(format, Quotient::Nearest, a, b),
            FpOp::Mod(format) => self.float_remainder(format, Quotient::TowardZero, a, b),
            FpOp::Sqrt(format, rounding) => self.float_root(format, rounding, a),
            FpOp::RoundToIntegral(format, rounding) => self.float_to_integral(format, rounding, a),
            FpOp::Min(format) => self.float_extreme(format, a, b, true),
            FpOp::Max(format) => self.float_extreme(format, a, b, false),
            FpOp::Eq(format) => vec![self.float_equal(format, a, b)],
            FpOp::Lt(format) => vec![self.float_less(format, a, b)],
            FpOp::Le(format) => vec![self.float_at_most(format, a, b)],
            FpOp::Convert { from, to, rounding } => self.float_convert(from, to, rounding, a),
            FpOp::FromSigned { to, rounding } => {
                let sign = a[a.len() - 1];
                let magnitude = self.negate_if(sign, a);
                self.float_from_magnitude(to, rounding, sign, &magnitude)
            }
            FpOp::FromUnsigned { to, rounding } => {
                self.float_from_magnitude(to, rounding, super::sat::FALSE, a)
            }
            FpOp::ToSigned { from, width, rounding } => {
                self.float_to_integer(from, width as usize, rounding, a, true)
            }
            FpOp::ToUnsigned { from, width, rounding } => {
                self.float_to_integer(from, width as usize, rounding, a, false)
            }
        }
    }
}
