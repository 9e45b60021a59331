//! Numbers as SMT-LIB 2 writes them.

use super::Rational;
use crate::sort::Sort;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed};
use std::fmt::{self, Write};

/// Writes a literal of sort `Int` or `Real`.
pub(crate) fn write_number(out: &mut impl Write, sort: Sort, number: &BigRational) -> fmt::Result {
    let point = if sort == Sort::Real { ".0" } else { "" };
    let magnitude = number.abs();
    let (numerator, denominator) = (magnitude.numer(), magnitude.denom());
    let (open, close) = if number.is_negative() { ("(- ", ")") } else { ("", "") };
    if denominator.is_one() {
        write!(out, "{open}{numerator}{point}{close}")
    } else {
        write!(out, "{open}(/ {numerator}{point} {denominator}{point}){close}")
    }
}

/// Reads digits, possibly with a decimal point. Signs are applications in SMT-LIB.
pub(crate) fn parse_number(text: &str) -> Option<Rational> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !is_digits(whole) || !is_digits(fraction) || text.ends_with('.') {
        return None;
    }
    let digits: BigInt = format!("{whole}{fraction}").parse().ok()?;
    let scale = BigInt::from(10).pow(u32::try_from(fraction.len()).ok()?);
    Some(BigRational::new(digits, scale).into())
}
