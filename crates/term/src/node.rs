//! The compact form in which the pool stores terms: 24 bytes each, literals included.

use crate::float::FpOp;
use crate::op::Op;
use crate::pool::Term;
use crate::sort::Sort;

/// No operator takes more than three arguments.
pub(crate) const MAX_ARITY: usize = 3;

/// Fills the places that an operator does not use.
pub(crate) const NO_TERM: Term = Term(0);

macro_rules! tags {
    ($($plain:ident),+ ; $($indexed:ident),+) => {
        /// The kind of a term: the operator without its indices.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub(crate) enum Tag { $($plain,)+ $($indexed,)+ }

        impl Tag {
            /// The operator of a kind that has no indices.
            fn plain(self) -> Option<Op> {
                match self {
                    $(Tag::$plain => Some(Op::$plain),)+
                    $(Tag::$indexed => None,)+
                }
            }
        }

        impl Op {
            /// The kind of the operator.
            pub(crate) fn tag(self) -> Tag {
                match self {
                    $(Op::$plain => Tag::$plain,)+
                    $(Op::$indexed { .. } => Tag::$indexed,)+
                }
            }
        }
    };
}

tags! {
    Not, And, Or, Xor, Eq, Ite, BvNot, BvNeg, BvAnd, BvOr, BvXor, BvAdd, BvSub, BvMul, BvUdiv, BvUrem,
    BvSdiv, BvSrem, BvShl, BvLshr, BvAshr, BvUlt, BvUle, BvSlt, BvSle, BvConcat, Select, Store;
    Variable, BoolConst, BvConst, BvRotateLeft, BvRotateRight, BvExtract, BvZeroExtend, BvSignExtend,
    ConstArray, Fp
}

/// A stored term. The four words hold the arguments and then the index of the operator; a literal,
/// which has no arguments, uses all four for its bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node {
    words: [Term; MAX_ARITY],
    index: u32,
    sort: PackedSort,
    tag: Tag,
    arity: u8,
}

impl Node {
    /// The stored form; unused places of `args` hold [`NO_TERM`].
    #[inline]
    pub(crate) fn new(op: Op, args: [Term; MAX_ARITY], sort: Sort) -> Self {
        let (words, index) = match op {
            Op::BvConst(bits) => {
                let word = |i: u32| (bits >> (32 * i)) as u32;
                ([Term(word(0)), Term(word(1)), Term(word(2))], word(3))
            }
            Op::Variable(n)
            | Op::BvRotateLeft(n)
            | Op::BvRotateRight(n)
            | Op::BvZeroExtend(n)
            | Op::BvSignExtend(n)
            | Op::ConstArray { index: n } => (args, n),
            Op::BoolConst(b) => (args, u32::from(b)),
            // Positions are below MAX_WIDTH, so a byte each is enough.
            Op::BvExtract { high, low } => (args, (high << 8) | low),
            Op::Fp(op) => (args, op.pack()),
            _ => (args, 0),
        };
        Node { words, index, sort: PackedSort::new(sort), tag: op.tag(), arity: op.arity() as u8 }
    }

    /// The operator at the root.
    #[inline]
    pub(crate) fn op(&self) -> Op {
        let n = self.index;
        match self.tag {
            Tag::BvConst => Op::BvConst(self.bits()),
            Tag::Variable => Op::Variable(n),
            Tag::BoolConst => Op::BoolConst(n != 0),
            Tag::BvRotateLeft => Op::BvRotateLeft(n),
            Tag::BvRotateRight => Op::BvRotateRight(n),
            Tag::BvExtract => Op::BvExtract { high: n >> 8, low: n & 0xff },
            Tag::BvZeroExtend => Op::BvZeroExtend(n),
            Tag::BvSignExtend => Op::BvSignExtend(n),
            Tag::ConstArray => Op::ConstArray { index: n },
            Tag::Fp => Op::Fp(FpOp::unpack(n)),
            plain => plain.plain().expect("the other kinds have no index"),
        }
    }

    /// The kind of the root.
    #[inline]
    pub(crate) fn tag(&self) -> Tag {
        self.tag
    }

    /// The arguments.
    #[inline]
    pub(crate) fn args(&self) -> &[Term] {
        &self.words[..self.arity as usize]
    }

    /// The sort.
    #[inline]
    pub(crate) fn sort(&self) -> Sort {
        self.sort.unpack()
    }

    /// The bits of a literal.
    #[inline]
    pub(crate) fn bits(&self) -> u128 {
        let [a, b, c] = self.words.map(|word| u128::from(word.0));
        a | (b << 32) | (c << 64) | (u128::from(self.index) << 96)
    }
}

impl std::hash::Hash for Node {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        let pair = |low: u32, high: u32| u64::from(low) | (u64::from(high) << 32);
        let [a, b, c] = self.words;
        state.write_u64(pair(a.0, b.0));
        state.write_u64(pair(c.0, self.index));
        state.write_u64(pair(self.sort.0, self.tag as u32));
    }
}

/// A sort in 32 bits: three for the kind, fourteen for each of two numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
struct PackedSort(u32);

const NUMBER_BITS: u32 = 14;

impl PackedSort {
    #[inline]
    fn new(sort: Sort) -> Self {
        let pack = |kind: u32, a: u32, b: u32| PackedSort(kind | (a << 3) | (b << (3 + NUMBER_BITS)));
        match sort {
            Sort::Bool => pack(0, 0, 0),
            Sort::BitVec(width) => pack(1, width, 0),
            Sort::Array { index, element } => pack(2, index, element),
            Sort::Int => pack(3, 0, 0),
            Sort::Real => pack(4, 0, 0),
        }
    }

    #[inline]
    fn unpack(self) -> Sort {
        let number = |at: u32| (self.0 >> at) & ((1 << NUMBER_BITS) - 1);
        let (a, b) = (number(3), number(3 + NUMBER_BITS));
        match self.0 & 7 {
            0 => Sort::Bool,
            1 => Sort::BitVec(a),
            2 => Sort::Array { index: a, element: b },
            3 => Sort::Int,
            _ => Sort::Real,
        }
    }
}

/// True if the pool can hold terms of this sort.
pub(crate) fn is_storable(sort: Sort) -> bool {
    let width = |n: u32| (1..=crate::sort::MAX_WIDTH).contains(&n);
    match sort {
        Sort::Bool | Sort::Int | Sort::Real => true,
        Sort::BitVec(w) => width(w),
        Sort::Array { index, element } => width(index) && width(element),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_small() {
        assert_eq!(size_of::<Node>(), 24);
    }

    #[test]
    fn operators_survive_storage() {
        let args = [Term(7), Term(8), Term(9)];
        for op in [
            Op::BoolConst(true),
            Op::BoolConst(false),
            Op::Variable(u32::MAX),
            Op::BvConst(u128::MAX - 5),
            Op::BvConst(1 << 100),
            Op::BvRotateLeft(u32::MAX),
            Op::BvRotateRight(3),
            Op::BvExtract { high: 127, low: 0 },
            Op::BvExtract { high: 127, low: 127 },
            Op::BvZeroExtend(127),
            Op::BvSignExtend(1),
            Op::ConstArray { index: 128 },
            Op::Not,
            Op::BvUrem,
            Op::Store,
        ] {
            let node = Node::new(op, args, Sort::Bool);
            assert_eq!(node.op(), op);
            assert_eq!(node.args(), &args[..op.arity()]);
            assert_eq!(node.tag(), op.tag());
        }
    }

    #[test]
    fn sorts_survive_storage() {
        for sort in [
            Sort::Bool,
            Sort::BitVec(1),
            Sort::BitVec(128),
            Sort::Array { index: 128, element: 1 },
            Sort::Array { index: 1, element: 128 },
            Sort::Int,
            Sort::Real,
        ] {
            assert!(is_storable(sort));
            assert_eq!(PackedSort::new(sort).unpack(), sort);
        }
        assert!(!is_storable(Sort::BitVec(0)));
        assert!(!is_storable(Sort::BitVec(129)));
        assert!(!is_storable(Sort::Array { index: 0, element: 8 }));
    }
}
