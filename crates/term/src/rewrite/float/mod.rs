//! Floats. Every rule is exact for zeros of both signs and for NaNs: where an operator would give the canonical NaN, the
//! result has to be that too.

mod arith;
mod compare;
mod convert;
#[cfg(test)]
mod tests;

use super::lift::{lift_literal, lift_same_condition, lift_unary};
use super::{Args, Rule, rules};
use crate::float::{FloatFormat, FpOp};
use crate::node::Tag;
use crate::op::Op;
use crate::pool::{Term, TermPool};
use arith::{
    add_zero, div_power_of_two, div_unit, extreme_of_one, mul_two, mul_unit, signs_cancel, sub_as_add,
};
use compare::{
    compare_infinity, compare_integer_literal, compare_integers, compare_nan, compare_negated,
    compare_negated_literal, compare_same, compare_widened, compare_widened_literal,
};
use convert::{
    convert_integer, convert_same, convert_widened, convert_widened_arithmetic, from_extended,
    integral_already, to_integer_of_integer,
};

pub(super) const FLOAT: &[Rule] = rules![
    lift_float_unary,
    lift_float_literal,
    lift_float_same_condition,
    sub_as_add,
    add_zero,
    mul_unit,
    mul_two,
    div_unit,
    div_power_of_two,
    signs_cancel,
    extreme_of_one,
    compare_same,
    compare_nan,
    compare_infinity,
    compare_negated,
    compare_negated_literal,
    compare_integers,
    compare_integer_literal,
    compare_widened,
    compare_widened_literal,
    convert_same,
    convert_widened,
    convert_widened_arithmetic,
    from_extended,
    convert_integer,
    to_integer_of_integer,
    integral_already,
];

/// Choices between literals, as for other operators.
fn lift_float_unary(pool: &mut TermPool, op: Op, args: Args) -> Option<Term> {
    if op.arity() == 1 { lift_unary(pool, op, args) } else { None }
}

fn lift_float_literal(pool: &mut TermPool, op: Op, args: Args) -> Option<Term> {
    if op.arity() == 2 { lift_literal(pool, op, args) } else { None }
}

fn lift_float_same_condition(pool: &mut TermPool, op: Op, args: Args) -> Option<Term> {
    if op.arity() == 2 { lift_same_condition(pool, op, args) } else { None }
}

/// An integer that is converted to a float.
#[derive(Clone, Copy)]
struct Integer {
    op: FpOp,
    argument: Term,
    is_signed: bool,
    width: u32,
}

impl Integer {
    /// True if every integer of this width is a number of the format.
    fn is_exact(self, format: FloatFormat) -> bool {
        let bits = if self.is_signed { self.width - 1 } else { self.width };
        // The least signed integer is a power of two.
        bits <= format.significand && bits <= format.bias()
    }
}

impl TermPool {
    /// The operator and the first argument, if the term applies an operator on floats.
    fn float_operator(&self, term: Term) -> Option<(FpOp, Term)> {
        match (self.tag(term), self.op(term)) {
            (Tag::Fp, Op::Fp(op)) => Some((op, self.args(term)[0])),
            _ => None,
        }
    }

    /// The integer that the term converts.
    fn converted_integer(&self, term: Term) -> Option<Integer> {
        let (op, argument) = self.float_operator(term)?;
        let is_signed = match op {
            FpOp::FromSigned { .. } => true,
            FpOp::FromUnsigned { .. } => false,
            _ => return None,
        };
        Some(Integer { op, argument, is_signed, width: self.width(argument) })
    }

    /// The float that the term brings to a format that has all its numbers, and its own format.
    fn widened(&self, term: Term) -> Option<(FloatFormat, Term)> {
        match self.float_operator(term)? {
            (FpOp::Convert { from, to, .. }, argument) if from.is_within(to) && from != to => {
                Some((from, argument))
            }
            _ => None,
        }
    }

    /// The float whose sign the term flips.
    fn negated(&self, format: FloatFormat, term: Term) -> Option<Term> {
        let (x, mask) = self.with_literal(term, Tag::BvXor)?;
        (mask.unsigned() == format.sign_mask()).then_some(x)
    }

    /// The literal's bits.
    fn float_literal(&self, term: Term) -> Option<u128> {
        self.bv_constant(term).map(|value| value.unsigned())
    }

    /// The float with the canonical NaN for every NaN.
    fn canonical(&mut self, format: FloatFormat, term: Term) -> Term {
        let is_canonical = match self.float_literal(term) {
            Some(bits) => !format.is_nan(bits) || bits == format.nan(),
            None => self.float_operator(term).is_some_and(|(op, _)| op.result_format() == Some(format)),
        };
        if is_canonical {
            return term;
        }
        let (is_nan, nan) = (self.fp_is_nan(format, term), self.bv(format.width(), format.nan()));
        self.ite(is_nan, nan, term)
    }

    /// True of all floats but NaNs.
    fn is_number(&mut self, format: FloatFormat, term: Term) -> Term {
        let is_nan = self.fp_is_nan(format, term);
        self.not(is_nan)
    }
}
