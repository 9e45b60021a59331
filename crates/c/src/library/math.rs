//! Functions of `<math.h>` and `<fenv.h>` that are operators: what they are called, their types, and which operator.
//! Those that are made of several steps are models in C, from one text for all types.

use crate::types::FloatKind;
use aster_term::Rounding;
use std::sync::LazyLock;

/// A function that the lowering gives a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Math {
    /// The absolute value.
    Absolute,
    /// The square root.
    SquareRoot,
    /// Rounding to an integral number; `None` in the mode of the program.
    Integral(Option<Rounding>),
    /// Rounding to an integer; `None` in the mode of the program.
    Integer(Option<Rounding>),
    /// The remainder of a division towards zero.
    TruncatingRemainder,
    /// The remainder of a division to nearest.
    NearestRemainder,
    /// The first number with the sign of the second.
    CopySign,
    /// The smaller number.
    Minimum,
    /// The larger number.
    Maximum,
    /// `x * y + z`, rounded once.
    MultiplyAdd,
    /// Tells NaN from numbers.
    IsNan,
    /// 1 for positive infinity, -1 for negative.
    InfinitySign,
    /// Tells both infinities from everything else.
    IsInfinite,
    /// Tells numbers from infinities and NaN.
    IsFinite,
    /// Tells normal numbers from everything else.
    IsNormal,
    /// The sign bit.
    SignBit,
    /// The class by glibc's numbers.
    Classify,
    /// A NaN whose payload the text gives.
    Nan,
    /// The bit pattern as an integer.
    ToBits,
    /// The number with a bit pattern.
    FromBits,
    /// A value that the function at hand may give.
    Unknown,
    /// Gives the rounding mode.
    GetRounding,
    /// Sets the rounding mode.
    SetRounding,
}

/// What a function of this name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MathFunction {
    /// The operator.
    pub(crate) operator: Math,
    /// The type that it is for.
    pub(crate) kind: FloatKind,
    /// Its type: a letter for the result, then one for each parameter. `r` is the floating-point type, `u` an unsigned
    /// integer that holds its bits, `i` is `int`, `l` is `long`, `L` is `long long`, `s` is a string.
    pub(crate) signature: &'static str,
}

/// Functions by their name for `double`; with `f` and `l` at the end they are for the other types.
const FUNCTIONS: &[(&str, &str, Math)] = &[
    ("fabs", "rr", Math::Absolute),
    ("sqrt", "rr", Math::SquareRoot),
    ("floor", "rr", Math::Integral(Some(Rounding::TowardNegative))),
    ("ceil", "rr", Math::Integral(Some(Rounding::TowardPositive))),
    ("trunc", "rr", Math::Integral(Some(Rounding::TowardZero))),
    ("round", "rr", Math::Integral(Some(Rounding::NearestAway))),
    ("roundeven", "rr", Math::Integral(Some(Rounding::NearestEven))),
    ("rint", "rr", Math::Integral(None)),
    ("nearbyint", "rr", Math::Integral(None)),
    ("lrint", "lr", Math::Integer(None)),
    ("llrint", "Lr", Math::Integer(None)),
    ("lround", "lr", Math::Integer(Some(Rounding::NearestAway))),
    ("llround", "Lr", Math::Integer(Some(Rounding::NearestAway))),
    ("fmod", "rrr", Math::TruncatingRemainder),
    ("remainder", "rrr", Math::NearestRemainder),
    ("drem", "rrr", Math::NearestRemainder),
    ("copysign", "rrr", Math::CopySign),
    ("fmin", "rrr", Math::Minimum),
    ("fmax", "rrr", Math::Maximum),
    ("fma", "rrrr", Math::MultiplyAdd),
    ("isnan", "ir", Math::IsNan),
    ("__isnan", "ir", Math::IsNan),
    ("isinf", "ir", Math::InfinitySign),
    ("__isinf", "ir", Math::InfinitySign),
    ("isinf_sign", "ir", Math::InfinitySign),
    ("aster_isinf", "ir", Math::IsInfinite),
    ("isfinite", "ir", Math::IsFinite),
    ("finite", "ir", Math::IsFinite),
    ("__finite", "ir", Math::IsFinite),
    ("isnormal", "ir", Math::IsNormal),
    ("signbit", "ir", Math::SignBit),
    ("__signbit", "ir", Math::SignBit),
    ("__fpclassify", "ir", Math::Classify),
    ("fpclassify", "ir", Math::Classify),
    ("nan", "rs", Math::Nan),
    ("aster_bits", "ur", Math::ToBits),
    ("aster_real", "ru", Math::FromBits),
    ("aster_unknown", "r", Math::Unknown),
];

/// Functions for which there is only one type.
const PLAIN: &[(&str, &str, Math)] =
    &[("fegetround", "i", Math::GetRounding), ("fesetround", "ii", Math::SetRounding)];

/// Functions of `<math.h>` that nothing is known about, by their name for `double`.
const UNMODELLED: &[&str] = &[
    "drand48",
    "exp10",
    "fmaxmag",
    "fminmag",
    "gamma",
    "j0",
    "j1",
    "jn",
    "lgamma",
    "lgamma_r",
    "nextdown",
    "nexttoward",
    "nextup",
    "nans",
    "pow10",
    "remquo",
    "scalb",
    "significand",
    "sincos",
    "strtod",
    "tgamma",
    "y0",
    "y1",
    "yn",
];

/// What sets `errno` for some arguments, by the name for `double`.
const SETS_ERRNO: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "atan2",
    "atanh",
    "cos",
    "cosh",
    "drem",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fdim",
    "fma",
    "fmod",
    "hypot",
    "ilogb",
    "ldexp",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "nextafter",
    "pow",
    "remainder",
    "scalbln",
    "scalbn",
    "sin",
    "sinh",
    "sqrt",
    "tan",
];

/// The types by the suffix of their functions.
const SUFFIXES: [(&str, FloatKind); 3] =
    [("", FloatKind::Double), ("f", FloatKind::Float), ("l", FloatKind::LongDouble)];

/// Takes a name apart; `find` knows the name for `double`.
fn by_suffix<T>(name: &str, find: impl Fn(&str) -> Option<T>) -> Option<(T, FloatKind)> {
    let name = super::without_builtin(name);
    SUFFIXES
        .iter()
        .find_map(|(suffix, kind)| name.strip_suffix(suffix).and_then(&find).map(|found| (found, *kind)))
}

/// The function of this name, with `__builtin_` in front or not.
pub(crate) fn math_function(name: &str) -> Option<MathFunction> {
    let row = |table: &[(&str, &'static str, Math)], name: &str| {
        table.iter().find(|(known, ..)| *known == name).map(|&(_, signature, operator)| (signature, operator))
    };
    if let Some((signature, operator)) = row(PLAIN, super::without_builtin(name)) {
        return Some(MathFunction { operator, kind: FloatKind::Double, signature });
    }
    let ((signature, operator), kind) = by_suffix(name, |base| row(FUNCTIONS, base))?;
    Some(MathFunction { operator, kind, signature })
}

/// A function of `<math.h>` without any model.
pub(crate) fn is_unmodelled(name: &str) -> bool {
    by_suffix(name, |base| UNMODELLED.contains(&base).then_some(())).is_some()
}

/// The function sets `errno` for some arguments, which the models do not do.
pub(crate) fn sets_errno(name: &str) -> bool {
    by_suffix(name, |base| SETS_ERRNO.contains(&base).then_some(())).is_some()
}

/// What the text in `nan("text")` puts into the fraction: a number as in C, or nothing. `None` if that is not known.
pub(crate) fn nan_payload(text: &[u8]) -> Option<u128> {
    let text = std::str::from_utf8(text).ok()?.trim_end_matches('\0');
    if text.is_empty() {
        return Some(0);
    }
    let (digits, radix) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None if text.starts_with('0') => (text, 8),
        None => (text, 10),
    };
    let is_number = digits.chars().all(|c| c.is_digit(radix)) && !digits.is_empty();
    // What is no number, or a large one, is treated differently by libraries.
    u64::from_str_radix(digits, radix).ok().filter(|_| is_number).map(u128::from)
}

/// The names of the functions for `double` that are operators, for the documentation.
#[cfg(test)]
pub(super) fn documented() -> impl Iterator<Item = &'static str> {
    let names = FUNCTIONS.iter().chain(PLAIN).map(|(name, ..)| *name);
    names.filter(|name| !name.starts_with("__") && !name.starts_with("aster_"))
}

/// The models in C for all types.
pub(super) fn text() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let template = include_str!("math.c");
        SUFFIXES.iter().map(|(suffix, kind)| instance(template, suffix, *kind)).collect()
    });
    &TEXT
}

/// The template for one type. Constants are spelled by their exponents.
fn instance(template: &str, suffix: &str, kind: FloatKind) -> String {
    let (real, bits) = match kind {
        FloatKind::Float => ("float", "unsigned int"),
        // `__int128` as the prepared source has it: the text must not change its length any more.
        FloatKind::LongDouble => ("long double", "unsigned _Float16x"),
        _ => ("double", "unsigned long long"),
    };
    let format = kind.format();
    let (bias, fraction) = (format.bias(), format.fraction());
    let power = |exponent: i64| format!("0x1p{exponent}{suffix}");
    let (bias, fraction) = (i64::from(bias), i64::from(fraction));
    // Longer names first, where one is part of another.
    [
        ("TWO_PRECISION", power(fraction + 1)),
        ("TWO_BIAS", power(bias)),
        ("TWO_DOWN", power(2 + fraction - bias)),
        ("INF", "__builtin_inf$()".to_owned()),
        ("NAN", "(-__builtin_nan$(\"\"))".to_owned()),
        ("FRACTION", fraction.to_string()),
        ("BIAS", bias.to_string()),
        ("REAL", real.to_owned()),
        ("BITS", bits.to_owned()),
        ("$", suffix.to_owned()),
    ]
    .iter()
    .fold(template.to_owned(), |text, (name, value)| text.replace(name, value))
}
