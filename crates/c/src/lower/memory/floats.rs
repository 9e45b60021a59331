//! Floating-point constants as bits in memory. Arithmetic on them is not modelled yet, but a constant that is stored
//! has known bytes, which may be read as something else.

use super::super::Lowering;
use super::Place;
use crate::typed::{Expr, ExprKind};
use crate::types::{FloatKind, Type};
use aster_term::Term;
use lang_c::span::Span;

impl Lowering<'_> {
    /// The bits of a constant expression of type `float` or `double`.
    pub(in crate::lower) fn float_constant(&mut self, expr: &Expr) -> Option<Term> {
        let Type::Float(kind) = *self.typed.types.get(expr.ty) else { return None };
        match kind {
            FloatKind::Float => {
                let value = self.single(expr)?;
                Some(self.pool.bv(32, u128::from(value.to_bits())))
            }
            FloatKind::Double => {
                let value = self.double(expr)?;
                Some(self.pool.bv(64, u128::from(value.to_bits())))
            }
            _ => None,
        }
    }

    /// Writes a constant to a place.
    pub(in crate::lower) fn store_float(&mut self, place: &Place, value: &Expr, span: Span) {
        let size = self.typed.types.size(value.ty).unwrap_or(0);
        match self.float_constant(value) {
            Some(bits) if size.is_multiple_of(self.cell(place.region)) => {
                self.check_access(place, size, span);
                self.write_bytes(place.region, place.address, bits, span);
            }
            _ => self.unsupported("floating-point arithmetic", span),
        }
    }

    fn double(&self, expr: &Expr) -> Option<f64> {
        match &expr.kind {
            ExprKind::Float(FloatKind::Double, text) => parse_double(text),
            ExprKind::Float(FloatKind::Float, _) => self.single(expr).map(f64::from),
            ExprKind::Convert(inner) if self.typed.types.is_float(inner.ty) => self.double(inner),
            ExprKind::Convert(inner) => self.small_integer(inner).map(f64::from),
            _ => None,
        }
    }

    fn single(&self, expr: &Expr) -> Option<f32> {
        match &expr.kind {
            ExprKind::Float(FloatKind::Float, text) => match parse_hexadecimal(text) {
                // Exact, or not taken: no number is rounded twice.
                Some(value) => (f64::from(value as f32) == value).then_some(value as f32),
                None => text.parse().ok(),
            },
            // The literal is rounded to its own type first, then to this one.
            ExprKind::Convert(inner) if self.typed.types.is_float(inner.ty) => {
                self.double(inner).map(|value| value as f32)
            }
            ExprKind::Convert(inner) => {
                self.small_integer(inner).filter(|value| value.abs() <= 1 << 24).map(|value| value as f32)
            }
            _ => None,
        }
    }

    /// An integer constant that every format holds exactly, or nearly so.
    fn small_integer(&self, expr: &Expr) -> Option<i32> {
        let bits = expr.constant()?;
        let width = self.width(expr.ty)?;
        let value = aster_term::BitVec::new(width, bits);
        let number =
            if self.is_signed(expr.ty) { value.signed() } else { i128::try_from(value.unsigned()).ok()? };
        i32::try_from(number).ok()
    }
}

fn parse_double(text: &str) -> Option<f64> {
    match parse_hexadecimal(text) {
        Some(value) => Some(value),
        None if is_hexadecimal(text) => None,
        None => text.parse().ok(),
    }
}

fn is_hexadecimal(text: &str) -> bool {
    text.starts_with("0x") || text.starts_with("0X")
}

/// A hexadecimal literal that a double holds exactly.
fn parse_hexadecimal(text: &str) -> Option<f64> {
    if !is_hexadecimal(text) {
        return None;
    }
    let (digits, exponent) = text[2..].split_once(['p', 'P'])?;
    let mut exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut mantissa: u64 = 0;
    for digit in whole.chars().chain(fraction.chars()) {
        mantissa = mantissa.checked_mul(16)?.checked_add(u64::from(digit.to_digit(16)?))?;
    }
    exponent = exponent.checked_sub(4 * i32::try_from(fraction.len()).ok()?)?;
    if mantissa >= 1 << 53 || !(-900..900).contains(&exponent) {
        return None;
    }
    Some(mantissa as f64 * 2f64.powi(exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_literals_are_exact() {
        assert_eq!(parse_hexadecimal("0x1.4p+4"), Some(20.0));
        assert_eq!(parse_hexadecimal("0X.8P0"), Some(0.5));
        assert_eq!(parse_hexadecimal("0x1p-3"), Some(0.125));
        assert_eq!(
            parse_hexadecimal("0x1.fffffffffffffp1023"),
            None,
            "too large to be computed exactly here"
        );
        assert_eq!(parse_double("1.5e3"), Some(1500.0));
    }
}
