//! Relations, minimum and maximum: on the bits, without taking numbers apart.

use super::super::sat::Lit;
use super::super::words::{Circuits, Word};
use aster_term::FloatFormat;

impl Circuits {
    /// A word whose unsigned order is that of the numbers, with `-0` below `+0`.
    fn order_key(&mut self, word: &[Lit]) -> Word {
        let (&sign, magnitude) = word.split_last().expect("floats have bits");
        let mut key = self.complement_if(sign, magnitude);
        key.push(-sign);
        key
    }

    /// `a < b`, false for NaNs.
    pub(super) fn float_less(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Lit {
        let less = self.key_less(a, b);
        let (numbers, zeros) = self.numbers_and_zeros(format, a, b);
        self.gates.and_all(&[less, numbers, -zeros])
    }

    /// `a <= b`, false for NaNs.
    pub(super) fn float_at_most(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Lit {
        let more = self.key_less(b, a);
        let (numbers, zeros) = self.numbers_and_zeros(format, a, b);
        let holds = self.gates.or(-more, zeros);
        self.gates.and(holds, numbers)
    }

    /// `a == b`, false for NaNs.
    pub(super) fn float_equal(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Lit {
        let same = self.equal(a, b);
        let (numbers, zeros) = self.numbers_and_zeros(format, a, b);
        let holds = self.gates.or(same, zeros);
        self.gates.and(holds, numbers)
    }

    /// The smaller or the larger one of two numbers.
    pub(super) fn float_extreme(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit], least: bool) -> Word {
        let (x, y) = (self.parts(format, a), self.parts(format, b));
        let less = if least { self.key_less(a, b) } else { self.key_less(b, a) };
        let wanted = self.gates.or(less, y.is_nan);
        let takes_first = self.gates.and(wanted, -x.is_nan);
        let chosen = self.choose(takes_first, a, b);
        let nan = self.gates.and(x.is_nan, y.is_nan);
        self.or_nan(format, nan, &chosen)
    }

    fn key_less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let (a, b) = (self.order_key(a), self.order_key(b));
        self.less_unsigned(&a, &b)
    }

    /// Whether neither is a NaN, and whether both are zero.
    fn numbers_and_zeros(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> (Lit, Lit) {
        let (x, y) = (self.parts(format, a), self.parts(format, b));
        (self.gates.and(-x.is_nan, -y.is_nan), self.gates.and(x.is_zero, y.is_zero))
    }
}
