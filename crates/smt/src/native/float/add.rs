//! Sums.

use super::super::sat::{FALSE, Lit, constant};
use super::super::words::{Circuits, Word};
use super::parts::{extended, shifted_up};
use super::round::Special;
use aster_term::{FloatFormat, Rounding};

impl Circuits {
    /// `a + b`: the smaller magnitude is aligned to the larger one and added to it or subtracted from it; leading zeros are
    /// shifted out as far as the exponent allows, so that subnormal results need no further shifting.
    pub(super) fn float_add(
        &mut self,
        format: FloatFormat,
        rounding: Rounding,
        a: &[Lit],
        b: &[Lit],
    ) -> Word {
        let top = a.len() - 1;
        let swap = self.less_unsigned(&a[..top], &b[..top]);
        let (x, y) = (self.choose(swap, b, a), self.choose(swap, a, b));
        let (x, y) = (self.parts(format, &x), self.parts(format, &y));
        let subtract = self.gates.xor(x.sign, y.sign);

        // The exponent of subnormal numbers is one.
        let effective = |circuits: &mut Self, exponent: &[Lit], is_small: Lit| {
            let mut exponent = exponent.to_vec();
            exponent[0] = circuits.gates.or(exponent[0], is_small);
            exponent
        };
        let exponent = effective(self, &x.exponent, x.is_small);
        let smaller = effective(self, &y.exponent, y.is_small);
        let distance = self.subtract(&exponent, &smaller);
        // Guard bits: two, and one that says whether others were lost.
        let (aligned, lost) = self.shift_down(&shifted_up(&y.significand(), 2), &distance);
        let mut addend = vec![lost];
        addend.extend(aligned);
        let width = format.significand as usize + 4;
        let larger = extended(&shifted_up(&x.significand(), 3), width, FALSE);
        let addend = self.complement_if(subtract, &extended(&addend, width, FALSE));
        let (sum, _) = self.add_with_carry(&larger, &addend, subtract);
        let nothing_left = self.is_zero(&sum);

        let (sum, exponent) = self.normalise_within(&sum, &exponent);
        let (significand, sticky) = self.highest(&sum, format.significand as usize + 1);
        let cancelled = constant(rounding == Rounding::TowardNegative);
        let is_cancelled = self.gates.and(nothing_left, subtract);
        let sign = self.gates.ite(is_cancelled, cancelled, x.sign);
        let rounded = self.round_in_range(format, rounding, sign, &exponent, &significand, sticky);

        // A NaN has the largest magnitude, infinity the next.
        let opposite = self.gates.and_all(&[x.is_infinite, y.is_infinite, subtract]);
        let nan = self.gates.or(x.is_nan, opposite);
        let infinite = self.gates.and(x.is_infinite, -opposite);
        let special = Special { nan, infinite, zero: nothing_left };
        self.assemble(format, rounding, &rounded, &special)
    }

    /// Shifts out leading zeros, but no more than `exponent` says; gives the word and what is left of the exponent. For a
    /// word of zeros both mean nothing.
    fn normalise_within(&mut self, word: &[Lit], exponent: &[Lit]) -> (Word, Word) {
        let width = word.len();
        let stages = width.next_power_of_two().trailing_zeros() as usize;
        let (mut word, mut exponent) = (word.to_vec(), exponent.to_vec());
        for stage in (0..stages.min(exponent.len())).rev() {
            let distance = 1 << stage;
            let empty = self.is_zero(&word[width - distance..]);
            let allowed = self.gates.or_all(&exponent[stage..]);
            let shift = self.gates.and(empty, allowed);
            let shifted = shifted_up(&word[..width - distance], distance);
            word = self.choose(shift, &shifted, &word);
            // Minus one, counted in units of the distance.
            let mut borrow = shift;
            for bit in &mut exponent[stage..] {
                let before = *bit;
                *bit = self.gates.xor(before, borrow);
                borrow = self.gates.and(-before, borrow);
            }
        }
        (word, exponent)
    }
}
