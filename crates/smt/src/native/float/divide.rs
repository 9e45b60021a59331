//! Quotients.

use super::super::sat::{FALSE, Lit, TRUE};
use super::super::words::{Circuits, Word, complement, constant_value, constant_word};
use super::parts::{extended, shifted_up};
use super::round::{Bounds, Special, Unrounded};
use aster_term::{FloatFormat, Rounding};

impl Circuits {
    /// `a / b`.
    pub(super) fn float_divide(
        &mut self,
        format: FloatFormat,
        rounding: Rounding,
        a: &[Lit],
        b: &[Lit],
    ) -> Word {
        let (x, y) = (self.parts(format, a), self.parts(format, b));
        let (p, q) = (self.normalised(format, a), self.normalised(format, b));
        let digits = format.significand as usize + 2;
        let (quotient, rest) = self.divide_significands(&p.significand, &q.significand, digits);
        // Between a half and two.
        let is_large = quotient[digits - 1];
        let significand = self.choose(is_large, &quotient, &shifted_up(&quotient[..digits - 1], 1));
        let difference = self.subtract(&p.exponent, &q.exponent);
        let bias = constant_word(format.exponent + 2, u128::from(format.bias() - 1));
        let (exponent, _) = self.add_with_carry(&difference, &bias, is_large);
        let sign = self.gates.xor(x.sign, y.sign);
        let number = Unrounded { sign, exponent, significand, sticky: rest };
        let rounded = self.round(format, rounding, &number, Bounds { underflow: true, overflow: true });

        let both_zero = self.gates.and(x.is_zero, y.is_zero);
        let both_infinite = self.gates.and(x.is_infinite, y.is_infinite);
        let nan = self.gates.or_all(&[x.is_nan, y.is_nan, both_zero, both_infinite]);
        let infinite = self.gates.or(x.is_infinite, y.is_zero);
        let zero = self.gates.or(x.is_zero, y.is_infinite);
        let special = Special { nan, infinite: self.gates.and(infinite, -nan), zero };
        self.assemble(format, rounding, &rounded, &special)
    }

    /// The first `digits` binary digits of `a / b`, both with a leading one, and whether there are more.
    fn divide_significands(&mut self, a: &[Lit], b: &[Lit], digits: usize) -> (Word, Lit) {
        let width = a.len();
        if constant_value(&b[..width - 1]) == Some(0) {
            return (shifted_up(a, digits - width), FALSE);
        }
        let mut quotient = vec![FALSE; digits];
        // Always below twice the divisor.
        let mut rest = extended(a, width + 1, FALSE);
        let divisor = complement(&extended(b, width + 1, FALSE));
        for digit in quotient.iter_mut().rev() {
            let (difference, fits) = self.add_with_carry(&rest, &divisor, TRUE);
            *digit = fits;
            let reduced = self.choose(fits, &difference[..width], &rest[..width]);
            rest = shifted_up(&reduced, 1);
        }
        (quotient, self.gates.or_all(&rest))
    }
}
