//! Quotients and remainders.

use super::super::sat::{FALSE, Lit, TRUE};
use super::super::words::{Circuits, Word, complement, constant_value, constant_word};
use super::parts::{extended, shifted_up, sign_extended};
use super::round::{Bounds, Special, Unrounded};
use aster_term::{FloatFormat, Rounding};

/// The most steps of a remainder: enough for single precision (about 220,000 clauses), whose exponents differ by at most 276.
const MAX_REMAINDER_STEPS: usize = 300;

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

    /// The IEEE remainder, by long division with as many steps as the exponents may differ; `None` if that is too many.
    pub(super) fn float_remainder(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Option<Word> {
        let (x, y) = (self.parts(format, a), self.parts(format, b));
        let most = |word: &[Lit]| constant_value_where(word, |bit| bit != FALSE);
        let least = |word: &[Lit]| constant_value_where(word, |bit| bit == TRUE);
        let fraction = format.fraction() as usize;
        let lowest = match least(&y.exponent) {
            0 => 1 - fraction as i64,
            stored => stored as i64,
        };
        let highest = most(&x.exponent).min((1 << format.exponent) - 2).max(1) as i64;
        let steps = usize::try_from(highest - lowest + 1).unwrap_or(0);
        if steps > MAX_REMAINDER_STEPS {
            return None;
        }
        let (p, q) = (self.normalised(format, a), self.normalised(format, b));
        let bits = format.exponent as usize + 2;
        let difference = self.subtract(&p.exponent, &q.exponent);
        let at_least = |circuits: &mut Self, limit: i128| {
            -circuits.less_signed(&difference, &constant_word(bits as u32, limit as u128))
        };

        let width = format.significand as usize;
        let divisor = extended(&q.significand, width + 1, FALSE);
        let mut rest = extended(&p.significand, width + 1, FALSE);
        let mut odd = FALSE;
        for step in (0..steps).rev() {
            // Steps before the first one leave everything as it is.
            let active = at_least(self, step as i128);
            let (reduced, fits) = self.add_with_carry(&rest, &complement(&divisor), TRUE);
            let fits = self.gates.and(fits, active);
            let reduced = self.choose(fits, &reduced, &rest);
            odd = fits;
            rest = if step == 0 {
                reduced
            } else {
                self.choose(active, &shifted_up(&reduced[..width], 1), &reduced)
            };
        }
        // Now in halves of a unit, so that a dividend of half the size fits in, too: rest < 2 * divisor.
        let is_whole = at_least(self, 0);
        let is_half = at_least(self, -1);
        let rest = self.choose(is_whole, &shifted_up(&rest[..width], 1), &rest);
        let doubled = shifted_up(&q.significand, 1);
        let more = self.less_unsigned(&divisor, &rest);
        let tie = self.equal(&divisor, &rest);
        let tie_up = self.gates.and(tie, odd);
        let up = self.gates.or(more, tie_up);
        let complementary = self.subtract(&doubled, &rest);
        let rest = self.choose(up, &complementary, &rest);
        let nothing_left = self.is_zero(&rest);

        let (significand, zeros) = self.shift_out_zeros(&rest);
        let exponent = sign_extended(&q.exponent, bits + 1);
        let zeros = extended(&zeros, bits + 1, FALSE);
        let exponent = self.subtract(&exponent, &zeros);
        let flipped = self.gates.xor(x.sign, up);
        let sign = self.gates.ite(nothing_left, x.sign, flipped);
        let number = Unrounded { sign, exponent, significand, sticky: FALSE };
        let exact = Rounding::TowardZero;
        let rounded = self.round(format, exact, &number, Bounds { underflow: true, overflow: false });
        let nan = self.gates.or_all(&[x.is_nan, y.is_nan, x.is_infinite, y.is_zero]);
        let special = Special { nan, infinite: FALSE, zero: nothing_left };
        let result = self.assemble(format, exact, &rounded, &special);
        // A dividend of less than half the divisor stays, as does a zero.
        let stays = self.gates.or_all(&[-is_half, x.is_zero, y.is_infinite]);
        let stays = self.gates.and(stays, -nan);
        Some(self.choose(stays, a, &result))
    }
}

/// The number whose bits are those for which the condition holds.
fn constant_value_where(word: &[Lit], condition: impl Fn(Lit) -> bool) -> u128 {
    word.iter().enumerate().fold(0, |value, (i, &bit)| value | (u128::from(condition(bit)) << i))
}
