//! Negation and exclusive or of Booleans, and equality of Booleans.

use super::view::both_ways;
use super::{Args, Rule, rules};
use crate::node::Tag;
use crate::op::Op;
use crate::pool::{Term, TermPool};

pub(super) const NOT: &[Rule] = rules![not_constant, not_not];

pub(super) const XOR: &[Rule] = rules![xor_as_eq];

fn not_constant(pool: &mut TermPool, _: Op, [a, ..]: Args) -> Option<Term> {
    let value = pool.bool_constant(a)?;
    Some(pool.bool(!value))
}

fn not_not(pool: &mut TermPool, _: Op, [a, ..]: Args) -> Option<Term> {
    pool.unary(a, Tag::Not)
}

/// `a xor b` is `not (a = b)`.
fn xor_as_eq(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    Some(pool.ne(a, b))
}

/// `a = true` is `a`, `a = false` is `not a`.
pub(super) fn eq_bool_constant(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    match pool.bool_constant(b)? {
        true => Some(a),
        false => Some(pool.not(a)),
    }
}

/// Negations move out of equalities; two of them cancel.
pub(super) fn eq_bool_negation(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    for (x, y) in both_ways(a, b) {
        if let Some(inner) = pool.unary(x, Tag::Not) {
            return Some(pool.ne(inner, y));
        }
    }
    None
}

/// `a = (a = b)` is `b`.
pub(super) fn eq_bool_nested(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    for (x, y) in both_ways(a, b) {
        match pool.binary(y, Tag::Eq) {
            Some((p, q)) if p == x => return Some(q),
            Some((p, q)) if q == x => return Some(p),
            _ => {}
        }
    }
    None
}
