//! Concrete values: what a term evaluates to under a model.

use crate::sort::{MAX_WIDTH, Sort};
use imbl::OrdMap;
use std::fmt;

/// A bit-vector value; bits above the width are always zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BitVec {
    width: u32,
    bits: u128,
}

/// The lowest `width` bits set.
#[inline]
pub(crate) fn mask(width: u32) -> u128 {
    if width >= MAX_WIDTH { u128::MAX } else { (1u128 << width) - 1 }
}

impl BitVec {
    /// The value `bits` modulo two to the power of `width`.
    #[inline]
    pub fn new(width: u32, bits: u128) -> Self {
        assert!((1..=MAX_WIDTH).contains(&width), "bit-vector width {width} is not supported");
        BitVec { width, bits: bits & mask(width) }
    }

    /// A signed value, wrapped into `width` bits.
    pub fn from_signed(width: u32, value: i128) -> Self {
        Self::new(width, value as u128)
    }

    /// Number of bits.
    pub fn width(self) -> u32 {
        self.width
    }

    /// The value read as an unsigned number.
    #[inline]
    pub fn unsigned(self) -> u128 {
        self.bits
    }

    /// The value read as a two's complement number.
    #[inline]
    pub fn signed(self) -> i128 {
        let shift = MAX_WIDTH - self.width;
        ((self.bits << shift) as i128) >> shift
    }

    /// The bit at `position`, counted from the least significant one.
    pub fn bit(self, position: u32) -> bool {
        position < self.width && (self.bits >> position) & 1 == 1
    }

    /// Unsigned division; a zero divisor gives all ones, as in SMT-LIB.
    pub fn udiv(self, other: Self) -> Self {
        match self.bits.checked_div(other.bits) {
            Some(quotient) => Self::new(self.width, quotient),
            None => Self::new(self.width, u128::MAX),
        }
    }

    /// Unsigned remainder; a zero divisor gives the dividend, as in SMT-LIB.
    pub fn urem(self, other: Self) -> Self {
        Self::new(self.width, self.bits.checked_rem(other.bits).unwrap_or(self.bits))
    }

    /// Signed division rounding towards zero. A zero divisor gives 1 for negative dividends and -1
    /// otherwise, and the smallest number divided by -1 wraps to itself, as in SMT-LIB.
    pub fn sdiv(self, other: Self) -> Self {
        if other.bits == 0 {
            return Self::from_signed(self.width, if self.signed() < 0 { 1 } else { -1 });
        }
        Self::from_signed(self.width, self.signed().wrapping_div(other.signed()))
    }

    /// Signed remainder with the sign of the dividend; a zero divisor gives the dividend.
    pub fn srem(self, other: Self) -> Self {
        if other.bits == 0 {
            return self;
        }
        Self::from_signed(self.width, self.signed().wrapping_rem(other.signed()))
    }

    /// Shift left; amounts of at least the width give zero.
    // Not `std::ops::Shl`: the amount is a bit-vector, as in SMT-LIB.
    #[allow(clippy::should_implement_trait)]
    pub fn shl(self, amount: Self) -> Self {
        if amount.bits >= u128::from(self.width) {
            return Self::new(self.width, 0);
        }
        Self::new(self.width, self.bits << amount.bits)
    }

    /// Logical shift right; amounts of at least the width give zero.
    pub fn lshr(self, amount: Self) -> Self {
        if amount.bits >= u128::from(self.width) {
            return Self::new(self.width, 0);
        }
        Self::new(self.width, self.bits >> amount.bits)
    }

    /// Arithmetic shift right; amounts of at least the width give copies of the sign.
    pub fn ashr(self, amount: Self) -> Self {
        let amount = amount.bits.min(u128::from(self.width - 1));
        Self::from_signed(self.width, self.signed() >> amount)
    }

    /// Rotation towards the most significant bit.
    pub fn rotate_left(self, amount: u32) -> Self {
        let amount = amount % self.width;
        if amount == 0 {
            return self;
        }
        Self::new(self.width, (self.bits << amount) | (self.bits >> (self.width - amount)))
    }
}

/// Prints the value as an SMT-LIB 2 literal.
impl fmt::Display for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.width.is_multiple_of(4) {
            write!(f, "#x{:0digits$x}", self.bits, digits = (self.width / 4) as usize)
        } else {
            write!(f, "#b{:0digits$b}", self.bits, digits = self.width as usize)
        }
    }
}

/// An array value: a default element and the entries that differ from it.
///
/// Invariant: no entry equals the default, so arrays with the same default are equal exactly if
/// their entries are.
#[derive(Clone, Debug)]
pub struct ArrayValue {
    index_width: u32,
    element_width: u32,
    default: u128,
    entries: OrdMap<u128, u128>,
}

impl ArrayValue {
    /// The array that maps every index to `default`.
    pub fn constant(index_width: u32, default: BitVec) -> Self {
        ArrayValue {
            index_width,
            element_width: default.width,
            default: default.bits,
            entries: OrdMap::new(),
        }
    }

    /// The sort of this array.
    pub fn sort(&self) -> Sort {
        Sort::Array { index: self.index_width, element: self.element_width }
    }

    /// The element at `index`.
    pub fn select(&self, index: BitVec) -> BitVec {
        let bits = self.entries.get(&index.bits).copied().unwrap_or(self.default);
        BitVec::new(self.element_width, bits)
    }

    /// This array with `element` at `index`; shares what did not change.
    pub fn store(&self, index: BitVec, element: BitVec) -> Self {
        let mut result = self.clone();
        if element.bits == self.default {
            result.entries.remove(&index.bits);
        } else {
            result.entries.insert(index.bits, element.bits);
        }
        result
    }

    /// The element at all indices that [`ArrayValue::entries`] does not list.
    pub fn default_element(&self) -> BitVec {
        BitVec::new(self.element_width, self.default)
    }

    /// The entries that differ from the default, by ascending index.
    pub fn entries(&self) -> impl Iterator<Item = (BitVec, BitVec)> + '_ {
        self.entries
            .iter()
            .map(|(&i, &e)| (BitVec::new(self.index_width, i), BitVec::new(self.element_width, e)))
    }
}

/// Extensional: arrays are equal if they agree on every index.
impl PartialEq for ArrayValue {
    fn eq(&self, other: &Self) -> bool {
        if self.sort() != other.sort() {
            return false;
        }
        if self.default == other.default {
            return self.entries == other.entries;
        }
        // The defaults are never seen only if every index is listed by one of the two.
        let listed = self.entries.len() + other.entries.len();
        if self.index_width >= usize::BITS - 1 || listed < 1 << self.index_width {
            return false;
        }
        (0..1u128 << self.index_width).all(|i| {
            let index = BitVec::new(self.index_width, i);
            self.select(index) == other.select(index)
        })
    }
}

impl Eq for ArrayValue {}

/// The value of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit-vector.
    BitVec(BitVec),
    /// An array.
    Array(ArrayValue),
}

impl Value {
    /// The sort of the value.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::BitVec(bits) => Sort::BitVec(bits.width),
            Value::Array(array) => array.sort(),
        }
    }

    /// What a variable of this sort holds in a model that does not mention it: false, zero, or the
    /// array of zeros. `None` for sorts without values in this version.
    pub fn default_of(sort: Sort) -> Option<Self> {
        match sort {
            Sort::Bool => Some(Value::Bool(false)),
            Sort::BitVec(width) => Some(Value::BitVec(BitVec::new(width, 0))),
            Sort::Array { index, element } => {
                Some(Value::Array(ArrayValue::constant(index, BitVec::new(element, 0))))
            }
            Sort::Int | Sort::Real => None,
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// The bit-vector, if it is one.
    pub fn as_bit_vec(&self) -> Option<BitVec> {
        match self {
            Value::BitVec(bits) => Some(*bits),
            _ => None,
        }
    }

    /// The array, if it is one.
    pub fn as_array(&self) -> Option<&ArrayValue> {
        match self {
            Value::Array(array) => Some(array),
            _ => None,
        }
    }
}

/// Prints the value as an SMT-LIB 2 term.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::BitVec(bits) => write!(f, "{bits}"),
            Value::Array(array) => {
                for _ in array.entries() {
                    write!(f, "(store ")?;
                }
                write!(f, "((as const {}) {})", array.sort(), array.default_element())?;
                for (index, element) in array.entries() {
                    write!(f, " {index} {element})")?;
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests;
