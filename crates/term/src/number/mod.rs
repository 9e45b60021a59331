//! Integers and exact rationals: literals, operators, linear sums.
//!
//! Sums are kept canonical (see [`crate::rewrite`]'s rules for numbers), so that equal linear terms are the same term.

mod build;
mod linear;
mod rational;
mod text;

pub use linear::LinearSum;
pub use rational::Rational;
pub(crate) use text::{parse_number, write_number};

use crate::op::Op;
use crate::sort::Sort;
use crate::value::Value;
use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_hash::FxHashMap;

/// The number literals of a pool, each once.
#[derive(Default)]
pub(crate) struct Numbers {
    table: Vec<(Rational, BigRational)>,
    index: FxHashMap<Rational, u32>,
}

impl Numbers {
    /// The place of the number in the table.
    pub(crate) fn intern(&mut self, number: Rational) -> u32 {
        if let Some(&index) = self.index.get(&number) {
            return index;
        }
        let index = u32::try_from(self.table.len()).expect("fewer than 2^32 literals");
        self.table.push((number.clone(), number.to_big()));
        self.index.insert(number, index);
        index
    }

    /// The number at a place.
    pub(crate) fn get(&self, index: u32) -> &Rational {
        &self.table[index as usize].0
    }

    /// As [`Numbers::get`], in the other representation.
    pub(crate) fn get_big(&self, index: u32) -> &BigRational {
        &self.table[index as usize].1
    }
}

/// True for the sorts of numbers.
pub(crate) fn is_number(sort: Sort) -> bool {
    matches!(sort, Sort::Int | Sort::Real)
}

/// The sort of an application of an operator on numbers; `None` if the arguments do not fit.
pub(crate) fn result_sort(op: Op, args: &[Sort]) -> Option<Sort> {
    match (op, args) {
        (Op::NumAdd | Op::NumSub | Op::NumMul, &[a, b]) if a == b && is_number(a) => Some(a),
        (Op::NumNeg, &[a]) if is_number(a) => Some(a),
        (Op::NumLe | Op::NumLt, &[a, b]) if a == b && is_number(a) => Some(Sort::Bool),
        (Op::IntDiv | Op::IntMod, [Sort::Int, Sort::Int]) => Some(Sort::Int),
        (Op::ToReal, [Sort::Int]) => Some(Sort::Real),
        (Op::ToInt, [Sort::Real]) => Some(Sort::Int),
        _ => None,
    }
}

/// The meaning of the operators on numbers; `None` for other operators and values.
pub(crate) fn apply(op: Op, args: &[&Value]) -> Option<Value> {
    use Value::{Bool, Int, Real};
    let integers = |a: &BigInt, b: &BigInt| {
        Some(match op {
            Op::NumAdd => Int(a + b),
            Op::NumSub => Int(a - b),
            Op::NumMul => Int(a * b),
            Op::NumLe => Bool(a <= b),
            Op::NumLt => Bool(a < b),
            Op::Eq => Bool(a == b),
            Op::IntDiv => Int(rational::euclidean(a, b).0),
            Op::IntMod => Int(rational::euclidean(a, b).1),
            _ => return None,
        })
    };
    let rationals = |a: &BigRational, b: &BigRational| {
        Some(match op {
            Op::NumAdd => Real(a + b),
            Op::NumSub => Real(a - b),
            Op::NumMul => Real(a * b),
            Op::NumLe => Bool(a <= b),
            Op::NumLt => Bool(a < b),
            Op::Eq => Bool(a == b),
            _ => return None,
        })
    };
    match (op, args) {
        (Op::NumNeg, [Int(a)]) => Some(Int(-a)),
        (Op::NumNeg, [Real(a)]) => Some(Real(-a)),
        (Op::ToReal, [Int(a)]) => Some(Real(BigRational::from_integer(a.clone()))),
        (Op::ToInt, [Real(a)]) => Some(Int(a.floor().to_integer())),
        (_, [Int(a), Int(b)]) => integers(a, b),
        (_, [Real(a), Real(b)]) => rationals(a, b),
        _ => None,
    }
}
