//! Conversions: other formats, integers, integral floats.

use super::super::sat::{FALSE, Lit, TRUE};
use super::super::words::{Circuits, Shift, Word, complement, constant_word};
use super::parts::{Parts, extended, sign_extended};
use super::round::{Bounds, Rounded, Special, Unrounded};
use aster_term::{FloatFormat, Rounding};

impl Circuits {
    /// The number in another format.
    pub(super) fn float_convert(
        &mut self,
        from: FloatFormat,
        to: FloatFormat,
        rounding: Rounding,
        a: &[Lit],
    ) -> Word {
        let x = self.parts(from, a);
        let rounded = if from.exponent == to.exponent {
            self.convert_fraction(to, rounding, &x)
        } else {
            let wider = from.exponent < to.exponent;
            // What is subnormal in the larger range is below every number of the smaller one: all of it is lost, wherever its
            // highest bit is.
            let (exponent, significand) = if wider {
                let p = self.normalised(from, a);
                (p.exponent, p.significand)
            } else {
                (extended(&x.exponent, from.exponent as usize + 2, FALSE), x.significand())
            };
            let bits = from.exponent.max(to.exponent) as usize + 2;
            let shift = i128::from(to.bias()) - i128::from(from.bias());
            let exponent =
                self.add(&sign_extended(&exponent, bits), &constant_word(bits as u32, shift as u128));
            let number = Unrounded { sign: x.sign, exponent, significand, sticky: FALSE };
            self.round(to, rounding, &number, Bounds { underflow: !wider, overflow: !wider })
        };
        let special = Special { nan: x.is_nan, infinite: x.is_infinite, zero: x.is_zero };
        self.assemble(to, rounding, &rounded, &special)
    }

    /// The number in a format with exponents of the same size: subnormal numbers stay subnormal.
    fn convert_fraction(&mut self, to: FloatFormat, rounding: Rounding, x: &Parts) -> Rounded {
        let (significand, sticky) = self.highest(&x.significand(), to.significand as usize + 1);
        // The stored exponent less one, or zero.
        let mut exponent = x.exponent.clone();
        let mut borrow = -x.is_small;
        for bit in &mut exponent {
            let before = *bit;
            *bit = self.gates.xor(before, borrow);
            borrow = self.gates.and(-before, borrow);
        }
        self.round_in_range(to, rounding, x.sign, &exponent, &significand, sticky)
    }

    /// The number that a sign and a magnitude make.
    pub(super) fn float_from_magnitude(
        &mut self,
        to: FloatFormat,
        rounding: Rounding,
        sign: Lit,
        magnitude: &[Lit],
    ) -> Word {
        let (mut significand, zeros) = self.shift_out_zeros(magnitude);
        let width = magnitude.len();
        let is_zero = match significand.last_mut() {
            Some(top) => -std::mem::replace(top, TRUE),
            None => TRUE,
        };
        let bits = (to.exponent as usize).max(zeros.len()) + 2;
        let highest = u128::from(to.bias()) + width as u128 - 1;
        let exponent = self.subtract(&constant_word(bits as u32, highest), &extended(&zeros, bits, FALSE));
        let number = Unrounded { sign, exponent, significand, sticky: FALSE };
        let overflow = width > to.bias() as usize;
        let rounded = self.round(to, rounding, &number, Bounds { underflow: false, overflow });
        self.assemble(to, rounding, &rounded, &Special { nan: FALSE, infinite: FALSE, zero: is_zero })
    }

    /// The integer that a number is rounded to; zero if it does not fit.
    pub(super) fn float_to_integer(
        &mut self,
        from: FloatFormat,
        width: usize,
        rounding: Rounding,
        a: &[Lit],
        is_signed: bool,
    ) -> Word {
        let x = self.parts(from, a);
        // The significand below the highest bit of the integer, with one guard bit, shifted down to where it belongs.
        let (significand, low) = self.highest(&x.significand(), width + 1);
        let bits = (from.exponent as usize).max(width.ilog2() as usize + 1) + 2;
        let mut exponent = x.exponent.clone();
        exponent[0] = self.gates.or(exponent[0], x.is_small);
        let highest = u128::from(from.bias()) + width as u128 - 1;
        let distance = self.subtract(&constant_word(bits as u32, highest), &extended(&exponent, bits, FALSE));
        let too_large = distance[bits - 1];
        let (shifted, lost) = self.shift_down(&significand, &distance[..bits - 1]);
        let sticky = self.gates.or(low, lost);
        let (guard, magnitude) = (shifted[0], &shifted[1..]);
        let up = self.round_up(rounding, x.sign, magnitude[0], guard, sticky);

        // -(m + 1) is the complement of m, so one adder rounds and negates.
        let magnitude = extended(magnitude, width + 1, FALSE);
        let flipped = self.complement_if(x.sign, &magnitude);
        let carry = self.gates.xor(up, x.sign);
        let (result, _) = self.add_with_carry(&flipped, &vec![FALSE; width + 1], carry);
        let fits = if is_signed {
            self.gates.iff(result[width], result[width - 1])
        } else {
            let is_zero = self.is_zero(&result);
            self.gates.or(-result[width], is_zero)
        };
        let not_special = self.gates.and(-x.is_nan, -x.is_infinite);
        let fits = self.gates.and_all(&[fits, -too_large, not_special]);
        result[..width].iter().map(|&bit| self.gates.and(bit, fits)).collect()
    }

    /// The integral number that the mode chooses. On the bits: those below the point are cleared, and one unit is added
    /// where the mode says so; a carry into the exponent is right as it is.
    pub(super) fn float_to_integral(&mut self, format: FloatFormat, rounding: Rounding, a: &[Lit]) -> Word {
        let x = self.parts(format, a);
        let fraction = format.fraction() as usize;
        let width = fraction + format.exponent as usize;
        let stored = |value: u32| constant_word(format.exponent, u128::from(value));
        let is_fractional = self.less_unsigned(&x.exponent, &stored(format.bias()));
        let is_integral = -self.less_unsigned(&x.exponent, &stored(format.bias() + format.fraction()));

        // How many bits are below the point: bias + fraction - exponent, if that is between 1 and the fraction.
        let below = self.subtract(&stored(format.bias() + format.fraction()), &x.exponent);
        let stages = (fraction + 1).next_power_of_two().trailing_zeros() as usize;
        let below = extended(&below[..below.len().min(stages)], fraction + 1, FALSE);
        // Ones from `below` upwards.
        let above = self.shift(&vec![TRUE; fraction + 1], &below, Shift::Left);
        let unit: Word = (0..=fraction)
            .map(|i| if i == 0 { above[0] } else { self.gates.and(above[i], -above[i - 1]) })
            .collect();
        let low_bits = &a[..=fraction];
        let mut selected = |word: &[Lit], mask: &[Lit]| {
            let bits = self.bitwise(word, mask, |gates, bit, chosen| gates.and(bit, chosen));
            self.gates.or_all(&bits)
        };
        let odd = selected(low_bits, &unit);
        let guard = selected(&low_bits[..fraction], &unit[1..]);
        let sticky = selected(&low_bits[..fraction], &complement(&above[1..]));
        let up = self.round_up(rounding, x.sign, odd, guard, sticky);
        let cleared: Word =
            (0..width).map(|i| if i < fraction { self.gates.and(a[i], above[i]) } else { a[i] }).collect();
        let addend: Word =
            (0..width).map(|i| if i <= fraction { self.gates.and(unit[i], up) } else { FALSE }).collect();
        let rounded = self.add(&cleared, &addend);

        // Below one: zero or one.
        let at_least_half = self.equal(&x.exponent, &stored(format.bias() - 1));
        let has_fraction = self.gates.or_all(&x.fraction);
        let not_half = self.gates.or(-at_least_half, has_fraction);
        let sticky = self.gates.and(not_half, -x.is_zero);
        let up = self.round_up(rounding, x.sign, FALSE, at_least_half, sticky);
        let one = constant_word(width as u32, u128::from(format.bias()) << fraction);
        let fractional: Word = one.iter().map(|&bit| self.gates.and(bit, up)).collect();

        let mut result = self.choose(is_fractional, &fractional, &rounded);
        result = self.choose(is_integral, &a[..width], &result);
        result.push(x.sign);
        self.or_nan(format, x.is_nan, &result)
    }
}
