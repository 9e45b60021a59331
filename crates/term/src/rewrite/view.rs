//! Small questions about the shape of terms, shared by the rules.

use crate::node::Tag;
use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::value::{BitVec, mask};

impl TermPool {
    /// True for literals.
    #[inline]
    pub(super) fn is_literal(&self, term: Term) -> bool {
        matches!(self.tag(term), Tag::BvConst | Tag::BoolConst | Tag::NumberConst)
    }

    /// The argument, if the term is an application of this unary operator.
    #[inline]
    pub(super) fn unary(&self, term: Term, tag: Tag) -> Option<Term> {
        if self.tag(term) != tag {
            return None;
        }
        match *self.args(term) {
            [a] => Some(a),
            _ => None,
        }
    }

    /// The arguments, if the term is an application of this binary operator.
    #[inline]
    pub(super) fn binary(&self, term: Term, tag: Tag) -> Option<(Term, Term)> {
        if self.tag(term) != tag {
            return None;
        }
        match *self.args(term) {
            [a, b] => Some((a, b)),
            _ => None,
        }
    }

    /// The arguments, if the term is an application of this ternary operator.
    #[inline]
    pub(super) fn ternary(&self, term: Term, tag: Tag) -> Option<(Term, Term, Term)> {
        if self.tag(term) != tag {
            return None;
        }
        match *self.args(term) {
            [a, b, c] => Some((a, b, c)),
            _ => None,
        }
    }

    /// The arguments, if the term applies this binary operator to something and a literal.
    #[inline]
    pub(super) fn with_literal(&self, term: Term, tag: Tag) -> Option<(Term, BitVec)> {
        let (a, b) = self.binary(term, tag)?;
        Some((a, self.bv_constant(b)?))
    }

    /// The arguments, if the term subtracts something from a literal.
    #[inline]
    pub(super) fn literal_minus(&self, term: Term) -> Option<(BitVec, Term)> {
        let (a, b) = self.binary(term, Tag::BvSub)?;
        Some((self.bv_constant(a)?, b))
    }

    /// The condition and the two literals, if the term is a choice between bit-vector literals.
    #[inline]
    pub(super) fn literal_choice(&self, term: Term) -> Option<(Term, Term, Term)> {
        let (condition, then, otherwise) = self.ternary(term, Tag::Ite)?;
        let literals = self.tag(then) == Tag::BvConst && self.tag(otherwise) == Tag::BvConst;
        literals.then_some((condition, then, otherwise))
    }

    /// The bounds and the argument of an extraction.
    #[inline]
    pub(super) fn extraction(&self, term: Term) -> Option<(u32, u32, Term)> {
        match self.op(term) {
            Op::BvExtract { high, low } => Some((high, low, self.args(term)[0])),
            _ => None,
        }
    }

    /// True if one of the terms is the negation (`Not` or `BvNot`) of the other.
    #[inline]
    pub(super) fn complementary(&self, a: Term, b: Term, negation: Tag) -> bool {
        self.unary(a, negation) == Some(b) || self.unary(b, negation) == Some(a)
    }

    /// An upper bound of the term read as an unsigned number. Looks at the root only.
    pub(super) fn unsigned_bound(&self, term: Term) -> u128 {
        let whole = mask(self.width(term));
        let literal = |i: usize| self.bv_constant(self.args(term)[i]).map(BitVec::unsigned);
        match self.tag(term) {
            Tag::BvConst => self.bv_constant(term).map_or(whole, BitVec::unsigned),
            Tag::BvZeroExtend => mask(self.width(self.args(term)[0])),
            Tag::BvAnd => literal(1).unwrap_or(whole),
            Tag::BvUrem => literal(1).filter(|&c| c > 0).map_or(whole, |c| c - 1),
            Tag::BvUdiv => literal(1).filter(|&c| c > 0).map_or(whole, |c| whole / c),
            Tag::Ite => match self.literal_choice(term) {
                Some((_, a, b)) => self.unsigned_bound(a).max(self.unsigned_bound(b)),
                None => whole,
            },
            _ => whole,
        }
    }

    /// The literal zero.
    pub(super) fn zero(&mut self, width: u32) -> Term {
        self.bv(width, 0)
    }

    /// The literal with all bits set.
    pub(super) fn ones(&mut self, width: u32) -> Term {
        self.bv(width, u128::MAX)
    }
}

impl BitVec {
    /// True if no bit is set.
    pub(super) fn is_zero(self) -> bool {
        self.unsigned() == 0
    }

    /// True if all bits are set.
    pub(super) fn is_ones(self) -> bool {
        self.unsigned() == mask(self.width())
    }

    /// The exponent, if exactly one bit is set.
    pub(super) fn log2(self) -> Option<u32> {
        self.unsigned().is_power_of_two().then(|| self.unsigned().trailing_zeros())
    }

    /// The sum modulo the width.
    pub(super) fn plus(self, other: Self) -> Self {
        Self::new(self.width(), self.unsigned().wrapping_add(other.unsigned()))
    }

    /// The difference modulo the width.
    pub(super) fn minus(self, other: Self) -> Self {
        Self::new(self.width(), self.unsigned().wrapping_sub(other.unsigned()))
    }

    /// The product modulo the width.
    pub(super) fn times(self, other: Self) -> Self {
        Self::new(self.width(), self.unsigned().wrapping_mul(other.unsigned()))
    }

    /// The complement.
    pub(super) fn complement(self) -> Self {
        Self::new(self.width(), !self.unsigned())
    }

    /// The lowest `width` bits.
    pub(super) fn low(self, width: u32) -> Self {
        Self::new(width, self.unsigned())
    }

    /// True if zero-extending the lowest `width` bits gives this value.
    pub(super) fn fits_unsigned(self, width: u32) -> bool {
        self.unsigned() <= mask(width)
    }

    /// True if sign-extending the lowest `width` bits gives this value.
    pub(super) fn fits_signed(self, width: u32) -> bool {
        self.low(width).signed() == self.signed()
    }

    /// The smallest and the largest value of this width, as the comparison reads them.
    pub(super) fn extremes(less: Op, width: u32) -> (Self, Self) {
        let half = 1u128 << (width - 1);
        match less {
            Op::BvSlt => (Self::new(width, half), Self::new(width, half - 1)),
            _ => (Self::new(width, 0), Self::new(width, u128::MAX)),
        }
    }
}

/// Both ways to look at the arguments of a symmetric operator.
pub(super) fn both_ways(a: Term, b: Term) -> [(Term, Term); 2] {
    [(a, b), (b, a)]
}
