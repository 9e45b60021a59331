//! How values are held: whole, or, for arrays that terms have no sort for, one term for each index that the model mentions.

use super::syntax::Type;
use aster_term::{MAX_WIDTH, Sort, Term, TermPool};

/// How the values of a type are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Representation {
    /// As one term.
    Whole(Sort),
    /// An array as one term of this sort for each index that the model mentions. That is exact as long as only these are read
    /// and written, and arrays are not compared.
    Split(Sort),
}

/// The terms of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Whole(Term),
    /// In the order of the model's indices.
    Split(Vec<Term>),
}

impl Value {
    /// The value as one term; the reason if it is none.
    pub(super) fn whole(&self) -> Result<Term, String> {
        match self {
            Value::Whole(term) => Ok(*term),
            Value::Split(_) => Err("an array with integers or rationals as a whole".to_owned()),
        }
    }
}

/// How a type is held; the reason if it is not.
pub(super) fn representation(ty: &Type) -> Result<Representation, String> {
    if let Some(sort) = scalar(ty) {
        return Ok(Representation::Whole(sort));
    }
    let Type::Array(index, element) = ty else { return Err(format!("a value of type {ty}")) };
    match (&**index, scalar(element)) {
        (Type::Bv(width), Some(Sort::BitVec(element))) if *width <= MAX_WIDTH => {
            Ok(Representation::Whole(Sort::Array { index: *width, element }))
        }
        (Type::Bv(width), Some(Sort::Bool)) if *width <= MAX_WIDTH => {
            Ok(Representation::Whole(Sort::Array { index: *width, element: 1 }))
        }
        (Type::Int | Type::Bv(_), Some(sort)) => Ok(Representation::Split(sort)),
        _ => Err(format!("an array of type {ty}")),
    }
}

fn scalar(ty: &Type) -> Option<Sort> {
    match ty {
        Type::Bool => Some(Sort::Bool),
        Type::Int => Some(Sort::Int),
        Type::Rat => Some(Sort::Real),
        Type::Bv(width) if *width <= MAX_WIDTH => Some(Sort::BitVec(*width)),
        Type::Fp(format) if format.exponent.saturating_add(format.significand) <= MAX_WIDTH => {
            Some(Sort::BitVec(format.width()))
        }
        _ => None,
    }
}

/// One of two values of one type.
pub(super) fn join_values(
    pool: &mut TermPool,
    condition: Term,
    a: &Value,
    b: &Value,
) -> Result<Value, String> {
    match (a, b) {
        (Value::Split(a), Value::Split(b)) => {
            Ok(Value::Split(a.iter().zip(b).map(|(&a, &b)| pool.ite(condition, a, b)).collect()))
        }
        _ => Ok(Value::Whole(pool.ite(condition, a.whole()?, b.whole()?))),
    }
}
