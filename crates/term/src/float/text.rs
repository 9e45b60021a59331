//! Floats as text: C's literals are read, and numbers are printed so that reading them gives the same bits.

use super::{FloatFormat, FpOp, Rounding};
use crate::value::BitVec;
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, Round};

/// No format needs more digits to tell its numbers apart.
const MAX_DIGITS: usize = 36;

/// Numbers from `10^-5` on and below `10^16` are printed without an exponent.
const PLAIN: std::ops::Range<i32> = -5..16;

impl FloatFormat {
    /// The format of one of C's types, by the width of its values.
    pub fn of_width(width: u32) -> Option<FloatFormat> {
        [Self::HALF, Self::SINGLE, Self::DOUBLE, Self::EXTENDED, Self::QUAD]
            .into_iter()
            .find(|format| format.width() == width)
    }
}

/// Reads a number as C writes it (decimal or hexadecimal, with an exponent or without), rounded to the nearest number
/// of the format. Also what [`show_float`] prints: `inf`, `nan`, and `nan(0x7fc00001)` with all bits.
///
/// ```
/// use aster_term::{FloatFormat, parse_float};
/// let single = |text| parse_float(FloatFormat::SINGLE, text).map(|bits| bits.unsigned());
/// assert_eq!(single("0.1"), Some(0x3dcc_cccd));
/// assert_eq!(single("-0x1.8p1"), Some(0xc040_0000));
/// assert_eq!(single("nan(0x7fc00001)"), Some(0x7fc0_0001));
/// assert_eq!(single("1.5x"), None);
/// ```
pub fn parse_float(format: FloatFormat, text: &str) -> Option<BitVec> {
    let (negative, magnitude) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let sign = if negative { format.sign_mask() } else { 0 };
    let lower = magnitude.to_ascii_lowercase();
    let bits = match lower.as_str() {
        "inf" | "infinity" => format.infinity(false),
        "nan" => format.nan() & !format.sign_mask(),
        other if other.starts_with("nan(") => return parse_nan(format, other).filter(|_| !negative),
        other => parse_number(format, other)?,
    };
    Some(BitVec::new(format.width(), bits | sign))
}

fn parse_nan(format: FloatFormat, text: &str) -> Option<BitVec> {
    let digits = text.strip_prefix("nan(0x")?.strip_suffix(')')?;
    let digits = Some(digits).filter(|digits| digits.chars().all(|c| c.is_ascii_hexdigit()))?;
    let bits = u128::from_str_radix(digits, 16).ok()?;
    (bits >> format.width() == 0 && format.is_nan(bits)).then(|| BitVec::new(format.width(), bits))
}

/// Bits of a number without sign, in lower case.
fn parse_number(format: FloatFormat, text: &str) -> Option<u128> {
    let hexadecimal = text.strip_prefix("0x");
    let (mantissa, exponent) = match hexadecimal {
        Some(rest) => rest.split_once('p').unwrap_or((rest, "0")),
        None => text.split_once('e').unwrap_or((text, "0")),
    };
    let is_digit = |c: char| if hexadecimal.is_some() { c.is_ascii_hexdigit() } else { c.is_ascii_digit() };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let has_digits = !(whole.is_empty() && fraction.is_empty());
    let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let is_number = has_digits
        && whole.chars().chain(fraction.chars()).all(is_digit)
        && !unsigned.is_empty()
        && unsigned.chars().all(|c| c.is_ascii_digit());
    if !is_number {
        return None;
    }
    if whole.chars().chain(fraction.chars()).all(|c| c == '0') {
        return Some(0);
    }
    // The soft float wants an exponent of at most so many digits.
    let exponent = if unsigned.trim_start_matches('0').len() > 8 {
        if exponent.starts_with('-') { "-99999999" } else { "99999999" }
    } else {
        exponent
    };
    let (prefix, mark) = if hexadecimal.is_some() { ("0x", 'p') } else { ("", 'e') };
    let text = format!("{prefix}{whole}.{fraction}{mark}{exponent}");
    let round = Round::NearestTiesToEven;
    Some(match format {
        FloatFormat::HALF => Half::from_str_r(&text, round).ok()?.value.to_bits(),
        FloatFormat::SINGLE => Single::from_str_r(&text, round).ok()?.value.to_bits(),
        FloatFormat::DOUBLE => Double::from_str_r(&text, round).ok()?.value.to_bits(),
        FloatFormat::QUAD => Quad::from_str_r(&text, round).ok()?.value.to_bits(),
        FloatFormat::EXTENDED => {
            let bits = X87DoubleExtended::from_str_r(&text, round).ok()?.value.to_bits();
            let fraction = FloatFormat::EXTENDED.fraction();
            (bits >> (fraction + 1) << fraction) | (bits & FloatFormat::EXTENDED.fraction_mask())
        }
        _ => return None,
    })
}

/// The shortest decimal number that [`parse_float`] reads as these bits; a NaN with all its bits.
///
/// ```
/// use aster_term::{BitVec, FloatFormat, show_float};
/// assert_eq!(show_float(FloatFormat::SINGLE, BitVec::new(32, 0x3dcc_cccd)), "0.1");
/// assert_eq!(show_float(FloatFormat::SINGLE, BitVec::new(32, 0x7f7f_ffff)), "3.4028235e+38");
/// ```
pub fn show_float(format: FloatFormat, bits: BitVec) -> String {
    let pattern = bits.unsigned();
    if format.is_nan(pattern) {
        return format!("nan({pattern:#x})");
    }
    let sign = if pattern & format.sign_mask() != 0 { "-" } else { "" };
    let magnitude = pattern & !format.sign_mask();
    if magnitude == format.infinity(false) {
        return format!("{sign}inf");
    }
    if magnitude == 0 {
        return format!("{sign}0.0");
    }
    let exact = FpOp::Convert { from: format, to: FloatFormat::QUAD, rounding: Rounding::NearestEven };
    let Some(exact) = exact.apply(&[BitVec::new(format.width(), magnitude)]) else {
        return format!("{pattern:#x}");
    };
    let exact = Quad::from_bits(exact.unsigned());
    let is_enough = |text: &str| parse_number(format, &text.to_ascii_lowercase()) == Some(magnitude);
    // Numbers with more digits are nearer. All are printed with the most digits.
    let (mut low, mut high) = (1, MAX_DIGITS);
    while low < high {
        let middle = usize::midpoint(low, high);
        if is_enough(&exact_digits(exact, middle)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    let shown = exact_digits(exact, low);
    format!("{sign}{}", arrange(&shown))
}

/// So many digits in scientific notation: `1.5E+3`.
fn exact_digits(value: Quad, digits: usize) -> String {
    let width = 0;
    format!("{value:width$.digits$}")
}

/// `1.5E+3` as `1500.0`, or with an exponent if it is long.
fn arrange(scientific: &str) -> String {
    let (mantissa, exponent) = scientific.split_once('E').unwrap_or((scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_end_matches('0');
    let digits = if digits.is_empty() { "0" } else { digits };
    if !PLAIN.contains(&exponent) {
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        return format!("{first}{point}{rest}e{exponent:+}");
    }
    match usize::try_from(exponent) {
        Err(_) => format!("0.{}{digits}", "0".repeat(exponent.unsigned_abs() as usize - 1)),
        Ok(before) if digits.len() > before + 1 => {
            let (whole, fraction) = digits.split_at(before + 1);
            format!("{whole}.{fraction}")
        }
        Ok(before) => format!("{digits}{}.0", "0".repeat(before + 1 - digits.len())),
    }
}

/// The number in C's hexadecimal notation, with a leading one; `None` for infinities and NaN.
///
/// ```
/// use aster_term::{BitVec, FloatFormat, show_hexadecimal_float};
/// let text = show_hexadecimal_float(FloatFormat::SINGLE, BitVec::new(32, 0x3dcc_cccd));
/// assert_eq!(text.as_deref(), Some("0x1.99999ap-4"));
/// ```
pub fn show_hexadecimal_float(format: FloatFormat, bits: BitVec) -> Option<String> {
    let pattern = bits.unsigned();
    let stored = (pattern & format.exponent_mask()) >> format.fraction();
    if pattern & format.exponent_mask() == format.exponent_mask() {
        return None;
    }
    let sign = if pattern & format.sign_mask() != 0 { "-" } else { "" };
    let mut significand = pattern & format.fraction_mask();
    let mut exponent = i64::try_from(stored).ok()? - i64::from(format.bias());
    if stored == 0 {
        if significand == 0 {
            return Some(format!("{sign}0x0p+0"));
        }
        let shift = significand.leading_zeros() - (127 - format.fraction());
        significand = (significand << shift) & format.fraction_mask();
        exponent = 1 - i64::from(format.bias()) - i64::from(shift);
    }
    let aligned = significand << (3 - (format.fraction() + 3) % 4);
    let digits = format!("{aligned:0width$x}", width = format.fraction().div_ceil(4) as usize);
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    Some(format!("{sign}0x1{point}{digits}p{exponent:+}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMATS: [FloatFormat; 5] = [
        FloatFormat::HALF,
        FloatFormat::SINGLE,
        FloatFormat::DOUBLE,
        FloatFormat::EXTENDED,
        FloatFormat::QUAD,
    ];

    fn round_trip(format: FloatFormat, pattern: u128) {
        let bits = BitVec::new(format.width(), pattern);
        let shown = show_float(format, bits);
        assert_eq!(parse_float(format, &shown), Some(bits), "{shown} of {pattern:#x} in {format:?}");
        if let Some(shown) = show_hexadecimal_float(format, bits) {
            assert_eq!(parse_float(format, &shown), Some(bits), "{shown} of {pattern:#x} in {format:?}");
        }
    }

    #[test]
    fn what_is_printed_is_read_as_the_same_bits() {
        for pattern in (0..=0xffff).step_by(7) {
            round_trip(FloatFormat::HALF, pattern);
        }
        let mut state = 0x9e37_79b9_7f4a_7c15_u128;
        for format in FORMATS {
            let (zero, one) = (0, 1u128);
            for pattern in [zero, one, format.sign_mask(), format.sign_mask() | 1, format.exponent_mask()] {
                round_trip(format, pattern);
            }
            round_trip(format, format.exponent_mask() - 1);
            round_trip(format, format.fraction_mask());
            round_trip(format, format.fraction_mask() + 1);
            let rounds = if format.exponent == 15 { 10 } else { 200 };
            for _ in 0..rounds {
                state = state.wrapping_mul(0x2d99_787d_a1b2_c3d4_5e6f_7081_92a3_b4c5).rotate_left(41) ^ 0x55;
                round_trip(format, BitVec::new(format.width(), state).unsigned());
            }
        }
    }

    #[test]
    fn decimals_are_the_shortest_ones() {
        for value in [0.1f64, 1.0, 100.0, 1.5e300, 5e-324, 0.3, 123456789.125, 1e15, 1e16, 1e-5, 1e-6, 2.5e-7]
        {
            let shown = show_float(FloatFormat::DOUBLE, BitVec::new(64, u128::from(value.to_bits())));
            let digits = |text: &str| {
                let mantissa = text.split('e').next().unwrap_or_default().replace('.', "");
                mantissa.trim_matches('0').len()
            };
            assert_eq!(shown.parse::<f64>(), Ok(value), "{shown}");
            assert_eq!(digits(&shown), digits(&format!("{value:e}")), "{shown}");
        }
        let shown =
            |value: f64| show_float(FloatFormat::DOUBLE, BitVec::new(64, u128::from(value.to_bits())));
        assert_eq!(shown(100.0), "100.0");
        assert_eq!(shown(0.00001), "0.00001");
        assert_eq!(shown(1e-6), "1e-6");
        assert_eq!(shown(1e16), "1e+16");
        assert_eq!(shown(-2.5), "-2.5");
        assert_eq!(shown(-0.0), "-0.0");
        assert_eq!(shown(f64::NEG_INFINITY), "-inf");
    }

    #[test]
    fn literals_are_rounded_once() {
        let bits = |format, text| parse_float(format, text).map(|bits| bits.unsigned());
        // Halfway between two numbers of single precision, and a little above.
        assert_eq!(bits(FloatFormat::SINGLE, "16777217"), Some(0x4b80_0000));
        assert_eq!(bits(FloatFormat::SINGLE, "16777217.0000000000000000000001"), Some(0x4b80_0001));
        assert_eq!(bits(FloatFormat::SINGLE, "0x1.0000010000000000000000000001p0"), Some(0x3f80_0001));
        assert_eq!(bits(FloatFormat::DOUBLE, "1e400"), Some(FloatFormat::DOUBLE.infinity(false)));
        assert_eq!(bits(FloatFormat::DOUBLE, "1e99999999999999999999"), Some(0x7ff0 << 48));
        assert_eq!(bits(FloatFormat::DOUBLE, "1e-99999999999999999999"), Some(0));
        assert_eq!(bits(FloatFormat::DOUBLE, "0e99999999999999999999"), Some(0));
        assert_eq!(bits(FloatFormat::EXTENDED, "1"), Some(0x3fff << 63));
        assert_eq!(bits(FloatFormat::EXTENDED, "0x1.8p0"), Some(0x3fff << 63 | 1 << 62));
        assert_eq!(bits(FloatFormat::DOUBLE, ".5"), Some(0x3fe0 << 48));
        assert_eq!(bits(FloatFormat::DOUBLE, "5."), Some(0x4014 << 48));
        for bad in
            ["", ".", "-", "1e", "0x", "0xp1", "1.5f", "--1", "1 ", "e5", "nan(0x1)", "-nan(0x7fc00000)"]
        {
            assert_eq!(bits(FloatFormat::SINGLE, bad), None, "{bad}");
        }
    }
}
