//! Literals and constructors of numbers.

use super::Rational;
use crate::node::{MAX_ARITY, NO_TERM, Node};
use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::sort::Sort;
use num_bigint::BigInt;
use num_rational::BigRational;

impl TermPool {
    /// An integer literal.
    pub fn int(&mut self, value: i128) -> Term {
        self.number(Sort::Int, value.into())
    }

    /// An integer literal of any size.
    pub fn int_big(&mut self, value: BigInt) -> Term {
        self.number(Sort::Int, value.into())
    }

    /// A literal of sort `Real`.
    pub fn real(&mut self, value: BigRational) -> Term {
        // Reduced again: the parts may have been put together without.
        let (numerator, denominator) = value.into();
        self.number(Sort::Real, BigRational::new(numerator, denominator).into())
    }

    /// The literal of a number; the sort is `Int` or `Real`, and an `Int` must be an integer.
    pub fn number(&mut self, sort: Sort, value: Rational) -> Term {
        assert!(
            sort == Sort::Real || sort == Sort::Int && value.is_integer(),
            "{value} is no literal of {sort}"
        );
        let index = self.numbers.intern(value);
        self.intern(Node::new(Op::NumberConst(index), [NO_TERM; MAX_ARITY], sort))
    }

    /// The value of a literal of sort `Int` or `Real`.
    pub fn number_constant(&self, term: Term) -> Option<&BigRational> {
        match self.op(term) {
            Op::NumberConst(index) => Some(self.numbers.get_big(index)),
            _ => None,
        }
    }

    /// As [`TermPool::number_constant`], in the representation that computes faster.
    pub fn rational_constant(&self, term: Term) -> Option<&Rational> {
        match self.op(term) {
            Op::NumberConst(index) => Some(self.numbers.get(index)),
            _ => None,
        }
    }

    /// `a >= b` on numbers.
    pub fn num_ge(&mut self, a: Term, b: Term) -> Term {
        self.num_le(b, a)
    }

    /// `a > b` on numbers.
    pub fn num_gt(&mut self, a: Term, b: Term) -> Term {
        self.num_lt(b, a)
    }
}

macro_rules! constructors {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),+) = $op:expr;)+) => {
        impl TermPool {
            $($(#[$doc])* pub fn $name(&mut self, $($arg: Term),+) -> Term {
                self.apply($op, &[$($arg),+])
            })+
        }
    };
}

constructors! {
    /// Sum of numbers of one sort.
    num_add(a, b) = Op::NumAdd;
    /// Difference of numbers of one sort.
    num_sub(a, b) = Op::NumSub;
    /// The number with the other sign.
    num_neg(a) = Op::NumNeg;
    /// Product of numbers of one sort.
    num_mul(a, b) = Op::NumMul;
    /// `a <= b` on numbers of one sort.
    num_le(a, b) = Op::NumLe;
    /// `a < b` on numbers of one sort.
    num_lt(a, b) = Op::NumLt;
    /// SMT-LIB's quotient of integers, such that the remainder is not negative; zero for the divisor zero.
    int_div(a, b) = Op::IntDiv;
    /// SMT-LIB's remainder of integers, which is not negative; zero for the divisor zero.
    int_mod(a, b) = Op::IntMod;
    /// The integer as a real number.
    to_real(a) = Op::ToReal;
    /// The largest integer that is not above the real number.
    to_int(a) = Op::ToInt;
}
