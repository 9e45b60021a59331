//! Floating-point numbers in memory. All formats are held as they are, but that of the x87: there is an explicit integer
//! bit between exponent and fraction, and padding above, which a write leaves alone.

use super::super::Lowering;
use crate::types::{FloatKind, TypeId};
use aster_term::{FloatFormat, Term};

const EXTENDED: FloatFormat = FloatFormat::EXTENDED;

impl Lowering<'_> {
    fn has_integer_bit(&self, ty: TypeId) -> bool {
        self.typed.types.float_kind(ty) == Some(FloatKind::LongDouble)
    }

    /// The bits that memory holds for a value, without padding.
    pub(in crate::lower) fn to_memory(&mut self, value: Term, ty: TypeId) -> Term {
        if !self.has_integer_bit(ty) {
            return value;
        }
        let fraction = self.pool.extract(EXTENDED.fraction() - 1, 0, value);
        let head = self.pool.extract(EXTENDED.width() - 1, EXTENDED.fraction(), value);
        let exponent = self.pool.extract(EXTENDED.width() - 2, EXTENDED.fraction(), value);
        let zero = self.pool.bv(EXTENDED.exponent, 0);
        let is_normal = self.pool.ne(exponent, zero);
        let integer = self.bool_to_bits(is_normal, 1);
        let significand = self.pool.concat(integer, fraction);
        self.pool.concat(head, significand)
    }

    /// The value of the bits that memory holds. With the integer bit but exponent zero it is the number with exponent
    /// one; without the bit but with an exponent it is not a number.
    pub(in crate::lower) fn from_memory(&mut self, bits: Term, ty: TypeId) -> Term {
        if !self.has_integer_bit(ty) {
            return bits;
        }
        let fraction_bits = EXTENDED.fraction();
        let fraction = self.pool.extract(fraction_bits - 1, 0, bits);
        let integer = self.pool.extract(fraction_bits, fraction_bits, bits);
        let exponent = self.pool.extract(fraction_bits + EXTENDED.exponent, fraction_bits + 1, bits);
        let sign_at = fraction_bits + EXTENDED.exponent + 1;
        let sign = self.pool.extract(sign_at, sign_at, bits);
        let (zero, one) = (self.pool.bv(EXTENDED.exponent, 0), self.pool.bv(EXTENDED.exponent, 1));
        let set = self.pool.bv(1, 1);
        let has_integer = self.pool.eq(integer, set);
        let no_exponent = self.pool.eq(exponent, zero);
        let raised = self.pool.and(has_integer, no_exponent);
        let exponent = self.pool.ite(raised, one, exponent);
        let head = self.pool.concat(sign, exponent);
        let value = self.pool.concat(head, fraction);
        let is_number = self.pool.or(has_integer, no_exponent);
        let nan = self.pool.bv(EXTENDED.width(), EXTENDED.nan());
        self.pool.ite(is_number, value, nan)
    }
}
