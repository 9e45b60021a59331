//! Rounding, and putting floats together.

use super::super::sat::{FALSE, Lit, TRUE};
use super::super::words::{Circuits, Word, complement};
use super::parts::extended;
use aster_term::{FloatFormat, Rounding};

/// A number before rounding.
pub(super) struct Unrounded {
    pub(super) sign: Lit,
    /// The biased exponent, signed, of any width.
    pub(super) exponent: Word,
    /// The highest bit is set. Of any width.
    pub(super) significand: Word,
    /// True if there are set bits below the significand.
    pub(super) sticky: Lit,
}

/// Which exponents an unrounded number can have; circuits for what cannot happen are left out.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// It may be too small for a normal number.
    pub(super) underflow: bool,
    /// It may be too large.
    pub(super) overflow: bool,
}

/// A rounded number, or the values that replace it.
pub(super) struct Rounded {
    pub(super) sign: Lit,
    /// Exponent and fraction.
    pub(super) magnitude: Word,
    /// The number is too large for its format; the magnitude means nothing then.
    pub(super) overflow: Lit,
}

/// When the result is not the rounded number; at most one of them holds.
pub(super) struct Special {
    pub(super) nan: Lit,
    pub(super) infinite: Lit,
    pub(super) zero: Lit,
}

impl Circuits {
    /// Whether a magnitude is increased by one unit of its last bit `odd`, when `guard` is the bit below and `sticky` says
    /// whether others are set.
    pub(super) fn round_up(
        &mut self,
        rounding: Rounding,
        sign: Lit,
        odd: Lit,
        guard: Lit,
        sticky: Lit,
    ) -> Lit {
        match rounding {
            Rounding::NearestEven => {
                let more = self.gates.or(sticky, odd);
                self.gates.and(guard, more)
            }
            Rounding::NearestAway => guard,
            Rounding::TowardZero => FALSE,
            Rounding::TowardPositive | Rounding::TowardNegative => {
                let inexact = self.gates.or(guard, sticky);
                let away = if rounding == Rounding::TowardPositive { -sign } else { sign };
                self.gates.and(away, inexact)
            }
        }
    }

    /// Rounds a number whose exponent is at least one if its significand has its highest bit set, and one otherwise.
    ///
    /// `exponent` is one less than that, in the width of the format; `significand` has all its bits and the guard bit below. In the
    /// stored form the significand's highest bit, added to the exponent, makes the difference between subnormal and
    /// normal numbers, and a carry out of the fraction is right as it is.
    pub(super) fn round_in_range(
        &mut self,
        format: FloatFormat,
        rounding: Rounding,
        sign: Lit,
        exponent: &[Lit],
        significand: &[Lit],
        sticky: Lit,
    ) -> Rounded {
        let (guard, kept) = (significand[0], &significand[1..]);
        let up = self.round_up(rounding, sign, kept[0], guard, sticky);
        let fraction = format.fraction() as usize;
        let width = fraction + format.exponent as usize;
        let mut upper = vec![FALSE; fraction];
        upper.extend_from_slice(exponent);
        let (magnitude, carry) = self.add_with_carry(&upper, &extended(kept, width, FALSE), up);
        let full = self.gates.and_all(&magnitude[fraction..]);
        Rounded { sign, magnitude, overflow: self.gates.or(carry, full) }
    }

    /// Rounds a number with any exponent.
    pub(super) fn round(
        &mut self,
        format: FloatFormat,
        rounding: Rounding,
        number: &Unrounded,
        bounds: Bounds,
    ) -> Rounded {
        let (significand, lost) = self.highest(&number.significand, format.significand as usize + 1);
        let sticky = self.gates.or(number.sticky, lost);
        let bits = format.exponent as usize;
        let width = number.exponent.len().max(bits + 1);
        let exponent = extended(&number.exponent, width, number.exponent[number.exponent.len() - 1]);
        // One less, as `round_in_range` wants it.
        let exponent = self.add(&exponent, &vec![TRUE; width]);
        if !bounds.underflow {
            let mut rounded =
                self.round_in_range(format, rounding, number.sign, &exponent[..bits], &significand, sticky);
            rounded.overflow = if bounds.overflow {
                let large = self.gates.or_all(&exponent[bits..]);
                self.gates.or(large, rounded.overflow)
            } else {
                FALSE
            };
            return rounded;
        }
        let small = exponent[width - 1];
        let distance = self.negate(&exponent);
        let distance: Word = distance.iter().map(|&bit| self.gates.and(bit, small)).collect();
        let (significand, lost) = self.shift_down(&significand, &distance);
        let sticky = self.gates.or(sticky, lost);
        let stored: Word = exponent[..bits].iter().map(|&bit| self.gates.and(bit, -small)).collect();
        let mut rounded = self.round_in_range(format, rounding, number.sign, &stored, &significand, sticky);
        rounded.overflow = if bounds.overflow {
            let large = self.gates.or_all(&exponent[bits..width - 1]);
            let large = self.gates.and(large, -small);
            self.gates.or(large, rounded.overflow)
        } else {
            FALSE
        };
        rounded
    }

    /// The bits of a result.
    pub(super) fn assemble(
        &mut self,
        format: FloatFormat,
        rounding: Rounding,
        rounded: &Rounded,
        special: &Special,
    ) -> Word {
        let Rounded { sign, ref magnitude, overflow } = *rounded;
        let ordinary = self.gates.and_all(&[-special.nan, -special.infinite, -special.zero]);
        let overflow = self.gates.and(overflow, ordinary);
        // What is too large becomes infinity or the largest number.
        let to_infinity = match rounding {
            Rounding::NearestEven | Rounding::NearestAway => TRUE,
            Rounding::TowardZero => FALSE,
            Rounding::TowardPositive => -sign,
            Rounding::TowardNegative => sign,
        };
        let overflow_to_infinity = self.gates.and(overflow, to_infinity);
        let largest = self.gates.and(overflow, -to_infinity);
        let infinite = self.gates.or(special.infinite, overflow_to_infinity);
        let large = self.gates.or_all(&[special.nan, infinite, largest]);
        let (fraction, exponent) = magnitude.split_at(format.fraction() as usize);
        let keeps_fraction = self.gates.and_all(&[ordinary, -infinite, -largest]);
        let mut word: Word = fraction
            .iter()
            .map(|&bit| {
                let kept = self.gates.and(bit, keeps_fraction);
                self.gates.or(kept, largest)
            })
            .collect();
        if let Some(top) = word.last_mut() {
            *top = self.gates.or(*top, special.nan);
        }
        let lowest = word.len();
        for &bit in exponent {
            let kept = self.gates.and(bit, keeps_fraction);
            word.push(self.gates.or(kept, large));
        }
        // The exponent of the largest number is even.
        word[lowest] = self.gates.and(word[lowest], -largest);
        word.push(self.gates.or(sign, special.nan));
        word
    }

    /// The bits of the canonical NaN where `nan` holds and of `word` elsewhere.
    pub(super) fn or_nan(&mut self, format: FloatFormat, nan: Lit, word: &[Lit]) -> Word {
        let canonical = super::super::words::constant_word(format.width(), format.nan());
        self.choose(nan, &canonical, word)
    }

    /// The complement of a word where `condition` holds.
    pub(super) fn complement_if(&mut self, condition: Lit, word: &[Lit]) -> Word {
        if condition == TRUE {
            return complement(word);
        }
        word.iter().map(|&bit| self.gates.xor(bit, condition)).collect()
    }
}
