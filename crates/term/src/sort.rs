//! The sorts of terms.

use std::fmt;

/// The widest bit-vector: values are held in a `u128`.
pub const MAX_WIDTH: u32 = 128;

/// The sort of a term.
///
/// Floats are bit-vectors: only operators tell them apart (see [`crate::FpOp`]). `Int` and `Real` are part of the
/// vocabulary so that front ends and printers can name them; no operator of this version takes or gives them yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Bit-vectors of a width between 1 and [`MAX_WIDTH`].
    BitVec(u32),
    /// Total maps from bit-vectors to bit-vectors.
    Array {
        /// Width of the index.
        index: u32,
        /// Width of the element.
        element: u32,
    },
    /// Mathematical integers.
    Int,
    /// Real numbers.
    Real,
}

impl Sort {
    /// The width of a bit-vector sort.
    pub fn width(self) -> Option<u32> {
        match self {
            Sort::BitVec(width) => Some(width),
            _ => None,
        }
    }
}

/// Prints the sort as SMT-LIB 2 does.
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => write!(f, "Bool"),
            Sort::BitVec(width) => write!(f, "(_ BitVec {width})"),
            Sort::Array { index, element } => {
                write!(f, "(Array (_ BitVec {index}) (_ BitVec {element}))")
            }
            Sort::Int => write!(f, "Int"),
            Sort::Real => write!(f, "Real"),
        }
    }
}
