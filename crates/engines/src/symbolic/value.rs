//! Values of program variables over inputs.

use super::array::SymbolicArray;
use aster_term::{Op, Sort, Term, TermPool};
use std::rc::Rc;

/// A Boolean or a bit-vector.
///
/// Invariant: a literal below two to the power of 64 is a `Word` (truth values are 0 and 1). So what is
/// computed from literals alone costs the pool nothing, and two scalars of one sort are the same term
/// exactly if they are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    Word(u64),
    Term(Term),
}

impl Scalar {
    /// The scalar that a term of a scalar sort denotes.
    pub(crate) fn of(pool: &TermPool, term: Term) -> Self {
        let word = match pool.op(term) {
            Op::BoolConst(truth) => Some(u64::from(truth)),
            Op::BvConst(bits) => u64::try_from(bits).ok(),
            _ => None,
        };
        word.map_or(Scalar::Term(term), Scalar::Word)
    }

    /// The literal of a sort with these bits.
    #[inline]
    pub(crate) fn literal(pool: &mut TermPool, sort: Sort, bits: u128) -> Self {
        match u64::try_from(bits) {
            Ok(word) => Scalar::Word(word),
            Err(_) => Scalar::Term(literal(pool, sort, bits)),
        }
    }

    /// The term of this scalar, which has the given sort.
    pub(crate) fn term(self, pool: &mut TermPool, sort: Sort) -> Term {
        match self {
            Scalar::Word(word) => literal(pool, sort, u128::from(word)),
            Scalar::Term(term) => term,
        }
    }
}

fn literal(pool: &mut TermPool, sort: Sort, bits: u128) -> Term {
    match sort {
        Sort::BitVec(width) => pool.bv(width, bits),
        _ => pool.bool(bits != 0),
    }
}

/// The value of a variable. Equal ones are the same; arrays that are the same may be unequal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Scalar(Scalar),
    /// Values of array sorts are always held in this form.
    Array(Rc<SymbolicArray>),
}

impl Value {
    /// The value that a term denotes.
    pub(crate) fn of(pool: &TermPool, term: Term) -> Self {
        match pool.sort(term) {
            Sort::Array { index, element } => Value::Array(Rc::new(SymbolicArray::new(term, index, element))),
            _ => Value::Scalar(Scalar::of(pool, term)),
        }
    }

    /// True if it depends on no input; of arrays only small ones are looked at.
    pub(crate) fn is_literal(&self, pool: &TermPool) -> bool {
        match self {
            Value::Scalar(Scalar::Word(_)) => true,
            Value::Scalar(Scalar::Term(term)) => pool.constant(*term).is_some(),
            Value::Array(array) => array.is_small_literal(pool),
        }
    }

    /// The term of this value, which has the given sort.
    pub(crate) fn term(&self, pool: &mut TermPool, sort: Sort) -> Term {
        match self {
            Value::Scalar(scalar) => scalar.term(pool, sort),
            Value::Array(array) => array.term(pool),
        }
    }
}
