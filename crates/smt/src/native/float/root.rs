//! Square roots.

use super::super::sat::{FALSE, Lit, TRUE};
use super::super::words::{Circuits, Word, complement, constant_word};
use super::parts::{extended, shifted_up};
use super::round::{Bounds, Special, Unrounded};
use aster_term::{FloatFormat, Rounding};

impl Circuits {
    /// The square root.
    pub(super) fn float_root(&mut self, format: FloatFormat, rounding: Rounding, a: &[Lit]) -> Word {
        let x = self.parts(format, a);
        let p = self.normalised(format, a);
        // With the bias, which is odd, an even exponent is odd.
        let is_odd = -p.exponent[0];
        let digits = format.significand as usize + 1;
        // In [1, 4), with two bits before the point.
        let single = shifted_up(&extended(&p.significand, digits, FALSE), digits);
        let double = shifted_up(&p.significand, digits + 1);
        let radicand = self.choose(is_odd, &double, &single);
        let (root, rest) = self.integer_root(&radicand);
        let bias = constant_word(format.exponent + 2, u128::from(format.bias()));
        let exponent = self.add(&p.exponent, &bias)[1..].to_vec();
        let number = Unrounded { sign: FALSE, exponent, significand: root, sticky: rest };
        // The exponent halves; only with a very small range the root of a subnormal number is subnormal.
        let underflow = format.significand > format.bias();
        let mut rounded = self.round(format, rounding, &number, Bounds { underflow, overflow: false });
        rounded.sign = x.sign;

        let negative = self.gates.and(x.sign, -x.is_zero);
        let nan = self.gates.or(x.is_nan, negative);
        let infinite = self.gates.and(x.is_infinite, -nan);
        self.assemble(format, rounding, &rounded, &Special { nan, infinite, zero: x.is_zero })
    }

    /// The integer part of the root of a word whose highest two bits are not both zero, digit by digit, and whether there is
    /// something left.
    fn integer_root(&mut self, radicand: &[Lit]) -> (Word, Lit) {
        let digits = radicand.len() / 2;
        let mut root: Word = Vec::with_capacity(digits);
        let mut rest: Word = Vec::new();
        for step in 0..digits {
            let pair = &radicand[2 * (digits - 1 - step)..][..2];
            // The rest is at most twice the root, so with the next pair it has this many bits.
            let width = step + 3;
            let rest_now = extended(&[pair, &rest[..]].concat(), width, FALSE);
            let trial = extended(&[&[TRUE, FALSE], &root[..]].concat(), width, FALSE);
            let (difference, fits) = self.add_with_carry(&rest_now, &complement(&trial), TRUE);
            let fits = if step == 0 { TRUE } else { fits };
            rest = self.choose(fits, &difference, &rest_now);
            rest.truncate(step + 2);
            root.insert(0, fits);
        }
        (root, self.gates.or_all(&rest))
    }
}
