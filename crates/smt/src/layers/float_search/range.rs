//! Sets of values: what a term can be if its variables are in a box.

use aster_term::{BitVec, FloatFormat};

/// A superset of the values of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Range {
    /// Anything.
    Any,
    /// One bit-vector.
    Exact(BitVec),
    Truth(Truth),
    Float(Floats),
    Integer(Integers),
}

/// Which truth values are possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Truth {
    pub(super) may_hold: bool,
    pub(super) may_fail: bool,
}

impl Truth {
    pub(super) const UNKNOWN: Truth = Truth { may_hold: true, may_fail: true };

    pub(super) fn of(value: bool) -> Self {
        Truth { may_hold: value, may_fail: !value }
    }
}

/// All floats between two of them, and perhaps all NaNs. The bounds are positions in the order of floats, see
/// [`position`]; there are no numbers if `low > high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Floats {
    pub(super) format: FloatFormat,
    pub(super) low: i128,
    pub(super) high: i128,
    pub(super) nan: bool,
}

/// Where a number stands among all numbers of its format: `-0` at -1, `+0` at 0.
pub(super) fn position(format: FloatFormat, bits: u128) -> i128 {
    let magnitude = (bits & !format.sign_mask()) as i128;
    if bits & format.sign_mask() != 0 { -1 - magnitude } else { magnitude }
}

/// The number at a position.
pub(super) fn bits_at(format: FloatFormat, position: i128) -> u128 {
    if position < 0 { (-1 - position) as u128 | format.sign_mask() } else { position as u128 }
}

/// The position as a value: both zeros are at 0.
pub(super) fn numeric(position: i128) -> i128 {
    if position < 0 { position + 1 } else { position }
}

impl Floats {
    /// All floats.
    pub(super) fn all(format: FloatFormat) -> Self {
        let infinity = format.infinity(false) as i128;
        Floats { format, low: -1 - infinity, high: infinity, nan: true }
    }

    /// All numbers.
    pub(super) fn numbers(format: FloatFormat) -> Self {
        Floats { nan: false, ..Self::all(format) }
    }

    /// One float.
    pub(super) fn exact(format: FloatFormat, bits: u128) -> Self {
        if format.is_nan(bits) {
            return Floats { format, low: 0, high: -1, nan: true };
        }
        let at = position(format, bits);
        Floats { format, low: at, high: at, nan: false }
    }

    /// True if there is no number among them.
    pub(super) fn is_empty(self) -> bool {
        self.low > self.high
    }

    pub(super) fn contains_zero(self) -> bool {
        self.low <= 0 && self.high >= -1
    }

    /// True if one of the infinities is among them.
    pub(super) fn has_infinity(self, negative: bool) -> bool {
        let infinity = position(self.format, self.format.infinity(negative));
        self.low <= infinity && infinity <= self.high
    }

    /// All of both and what is between.
    pub(super) fn hull(self, other: Self) -> Self {
        let nan = self.nan || other.nan;
        match (self.is_empty(), other.is_empty()) {
            (true, _) => Floats { nan, ..other },
            (_, true) => Floats { nan, ..self },
            _ => Floats { low: self.low.min(other.low), high: self.high.max(other.high), nan, ..self },
        }
    }

    /// The same with the other sign.
    pub(super) fn negated(self) -> Self {
        Floats { low: -1 - self.high, high: -1 - self.low, ..self }
    }

    /// With the other zero if one is a bound: for operators whose sign of zero does not follow the order.
    pub(super) fn with_both_zeros(self) -> Self {
        if self.is_empty() {
            return self;
        }
        Floats {
            low: if self.low == 0 { -1 } else { self.low },
            high: if self.high == -1 { 0 } else { self.high },
            ..self
        }
    }

    /// The magnitudes as unsigned numbers, those of NaNs included.
    pub(super) fn magnitudes(self) -> Integers {
        let (low, high) = match self.is_empty() {
            true => (self.format.infinity(false) as i128 + 1, 0),
            false if self.low >= 0 => (self.low, self.high),
            false if self.high < 0 => (-1 - self.high, -1 - self.low),
            false => (0, self.high.max(-1 - self.low)),
        };
        let high = if self.nan { (self.format.sign_mask() - 1) as i128 } else { high };
        Integers { low, high, is_signed: false }
    }
}

/// All integers between two, read from bits with or without a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Integers {
    pub(super) low: i128,
    pub(super) high: i128,
    pub(super) is_signed: bool,
}

impl Integers {
    /// All of a width, which is below 128.
    pub(super) fn all(width: u32, is_signed: bool) -> Self {
        let half = 1i128 << (width - 1);
        if is_signed {
            Integers { low: -half, high: half - 1, is_signed }
        } else {
            Integers { low: 0, high: half - 1 + half, is_signed }
        }
    }
}

impl Range {
    pub(super) fn truth(self) -> Truth {
        match self {
            Range::Truth(truth) => truth,
            _ => Truth::UNKNOWN,
        }
    }

    /// As floats of a format.
    pub(super) fn floats(self, format: FloatFormat) -> Floats {
        match self {
            Range::Exact(bits) => Floats::exact(format, bits.unsigned()),
            Range::Float(floats) if floats.format == format => floats,
            Range::Integer(Integers { low, high, is_signed: false }) if high < format.sign_mask() as i128 => {
                let infinity = format.infinity(false) as i128;
                Floats { format, low, high: high.min(infinity), nan: high > infinity }
            }
            _ => Floats::all(format),
        }
    }

    /// As integers of a width.
    pub(super) fn integers(self, width: u32, is_signed: bool) -> Option<Integers> {
        if width >= 128 {
            return None;
        }
        let all = Integers::all(width, is_signed);
        Some(match self {
            Range::Exact(bits) => {
                let value = if is_signed { bits.signed() } else { bits.unsigned() as i128 };
                Integers { low: value, high: value, is_signed }
            }
            Range::Integer(integers) if integers.is_signed == is_signed => integers,
            // Both readings agree where the highest bit is clear.
            Range::Integer(integers) => {
                let half = 1i128 << (width - 1);
                if integers.low >= 0 && integers.high < half {
                    Integers { is_signed, ..integers }
                } else {
                    all
                }
            }
            Range::Float(floats) if !floats.nan && floats.low >= 0 => {
                Integers { low: floats.low, high: floats.high, is_signed }
            }
            _ => all,
        })
    }

    /// The only value, if there is one.
    pub(super) fn exact(self, width: u32) -> Option<BitVec> {
        match self {
            Range::Exact(bits) => Some(bits),
            Range::Float(floats) if !floats.nan && floats.low == floats.high => {
                Some(BitVec::new(floats.format.width(), bits_at(floats.format, floats.low)))
            }
            Range::Integer(integers) if integers.low == integers.high => {
                Some(BitVec::from_signed(width, integers.low))
            }
            _ => None,
        }
    }
}
