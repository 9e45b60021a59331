//! Products, and products with a sum.

use super::super::sat::{FALSE, Lit, TRUE, constant};
use super::super::words::{Circuits, Word, constant_word};
use super::parts::{Normalised, Parts, extended, shifted_up, sign_extended};
use super::round::{Bounds, Special, Unrounded};
use aster_term::{FloatFormat, Rounding};

/// The exact product of two numbers.
struct Product {
    sign: Lit,
    /// Biased and signed, two bits wider than in the format.
    exponent: Word,
    /// Twice as wide as in the format. The highest bit is set, unless a factor is zero.
    significand: Word,
    is_zero: Lit,
    is_infinite: Lit,
    is_nan: Lit,
}

impl Circuits {
    /// `a * b`.
    pub(super) fn float_multiply(
        &mut self,
        format: FloatFormat,
        rounding: Rounding,
        a: &[Lit],
        b: &[Lit],
    ) -> Word {
        let product = self.product(format, a, b);
        let number = Unrounded {
            sign: product.sign,
            exponent: product.exponent,
            significand: product.significand,
            sticky: FALSE,
        };
        let rounded = self.round(format, rounding, &number, Bounds { underflow: true, overflow: true });
        let special = Special { nan: product.is_nan, infinite: product.is_infinite, zero: product.is_zero };
        self.assemble(format, rounding, &rounded, &special)
    }

    fn product(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Product {
        let (x, y) = (self.parts(format, a), self.parts(format, b));
        let (p, q) = (self.normalised(format, a), self.normalised(format, b));
        let width = 2 * format.significand as usize;
        let product =
            self.multiply(&extended(&p.significand, width, FALSE), &extended(&q.significand, width, FALSE));
        // Between one and four.
        let is_large = product[width - 1];
        let significand = self.choose(is_large, &product, &shifted_up(&product[..width - 1], 1));
        let bits = format.exponent + 2;
        let sum = self.add(&p.exponent, &q.exponent);
        let unbias = constant_word(bits, u128::from(format.bias()).wrapping_neg());
        let (exponent, _) = self.add_with_carry(&sum, &unbias, is_large);

        let is_zero = self.gates.or(x.is_zero, y.is_zero);
        let is_infinite = self.gates.or(x.is_infinite, y.is_infinite);
        let undefined = self.gates.and(is_zero, is_infinite);
        let is_nan = self.gates.or_all(&[x.is_nan, y.is_nan, undefined]);
        Product {
            sign: self.gates.xor(x.sign, y.sign),
            exponent,
            significand,
            is_zero: self.gates.and(is_zero, -is_nan),
            is_infinite: self.gates.and(is_infinite, -is_nan),
            is_nan,
        }
    }

    /// `a * b + c`, rounded once: the product is exact in twice the bits, where `c` is added to it.
    pub(super) fn float_fma(
        &mut self,
        format: FloatFormat,
        rounding: Rounding,
        a: &[Lit],
        b: &[Lit],
        c: &[Lit],
    ) -> Word {
        let product = self.product(format, a, b);
        let parts = self.parts(format, c);
        let normalised = self.normalised(format, c);
        let (exponent, significand) = self.addend(format, &parts, &normalised);

        let magnitude = |significand: &[Lit], exponent: &[Lit]| {
            // The sign flipped, so that the unsigned order is that of the numbers.
            let mut word = [significand, exponent].concat();
            if let Some(sign) = word.last_mut() {
                *sign = -*sign;
            }
            word
        };
        let product_exponent = sign_extended(&product.exponent, exponent.len());
        let first = magnitude(&product.significand, &product_exponent);
        let second = magnitude(&significand, &exponent);
        let swap = self.less_unsigned(&first, &second);
        let sign = self.gates.ite(swap, parts.sign, product.sign);
        let subtract = self.gates.xor(parts.sign, product.sign);
        let larger = self.choose(swap, &significand, &product.significand);
        let smaller = self.choose(swap, &product.significand, &significand);
        let high = self.choose(swap, &exponent, &product_exponent);
        let low = self.choose(swap, &product_exponent, &exponent);

        let distance = self.subtract(&high, &low);
        let (aligned, lost) = self.shift_down(&shifted_up(&smaller, 2), &distance);
        let mut addend = vec![lost];
        addend.extend(aligned);
        let width = larger.len() + 4;
        let larger = extended(&shifted_up(&larger, 3), width, FALSE);
        let addend = self.complement_if(subtract, &extended(&addend, width, FALSE));
        let (sum, _) = self.add_with_carry(&larger, &addend, subtract);
        let nothing_left = self.is_zero(&sum);

        let (significand, zeros) = self.shift_out_zeros(&sum);
        let bits = high.len().max(zeros.len() + 1) + 1;
        // One more than the larger exponent: the sum has a bit for the carry.
        let zeros = self.negate(&extended(&zeros, bits, FALSE));
        let (exponent, _) = self.add_with_carry(&sign_extended(&high, bits), &zeros, TRUE);
        let cancelled = constant(rounding == Rounding::TowardNegative);
        let sum_sign = self.gates.ite(nothing_left, cancelled, sign);
        let number = Unrounded { sign: sum_sign, exponent, significand, sticky: FALSE };
        let mut rounded = self.round(format, rounding, &number, Bounds { underflow: true, overflow: true });

        let infinite = self.gates.or(product.is_infinite, parts.is_infinite);
        let opposite = self.gates.and_all(&[product.is_infinite, parts.is_infinite, subtract]);
        let nan = self.gates.or_all(&[product.is_nan, parts.is_nan, opposite]);
        let infinite = self.gates.and(infinite, -nan);
        let infinite_sign = self.gates.ite(product.is_infinite, product.sign, parts.sign);
        rounded.sign = self.gates.ite(infinite, infinite_sign, rounded.sign);
        let special = Special { nan, infinite, zero: nothing_left };
        let sum = self.assemble(format, rounding, &rounded, &special);

        // To a product of zero, `c` is added as it is; two zeros of different signs cancel each other.
        let mut alone = c.to_vec();
        let is_cancelled = self.gates.and(parts.is_zero, subtract);
        if let Some(sign) = alone.last_mut() {
            *sign = self.gates.ite(is_cancelled, cancelled, *sign);
        }
        let no_product = self.gates.and(product.is_zero, -nan);
        self.choose(no_product, &alone, &sum)
    }

    /// Exponent and significand of a number that is added to a product; zero gets the least exponent.
    fn addend(&mut self, format: FloatFormat, parts: &Parts, number: &Normalised) -> (Word, Word) {
        let bits = format.exponent as usize + 3;
        let mut exponent: Word = sign_extended(&number.exponent, bits)
            .into_iter()
            .map(|bit| self.gates.and(bit, -parts.is_zero))
            .collect();
        exponent[bits - 1] = self.gates.or(exponent[bits - 1], parts.is_zero);
        let mut significand = shifted_up(&number.significand, format.significand as usize);
        if let Some(top) = significand.last_mut() {
            *top = -parts.is_zero;
        }
        (exponent, significand)
    }
}
