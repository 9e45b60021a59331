//! Choices.

use super::{Args, Rule, rules};
use crate::node::Tag;
use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::sort::Sort;

pub(super) const ITE: &[Rule] = rules![
    ite_constant_condition,
    ite_same_branches,
    ite_negated_condition,
    ite_bool_then,
    ite_bool_else,
    ite_bool_complement,
    ite_bool_negated,
    ite_nested_condition,
    ite_merge_then,
    ite_merge_else,
    ite_equality,
    ite_one_bit,
];

fn ite_constant_condition(pool: &mut TermPool, _: Op, [c, a, b]: Args) -> Option<Term> {
    Some(if pool.bool_constant(c)? { a } else { b })
}

fn ite_same_branches(_: &mut TermPool, _: Op, [_, a, b]: Args) -> Option<Term> {
    (a == b).then_some(a)
}

fn ite_negated_condition(pool: &mut TermPool, _: Op, [c, a, b]: Args) -> Option<Term> {
    let c = pool.unary(c, Tag::Not)?;
    Some(pool.ite(c, b, a))
}

/// What `branch` is worth where `condition` has the given value, if that decides it.
fn decided(pool: &TermPool, condition: Term, value: bool, branch: Term) -> Option<bool> {
    if branch == condition {
        return Some(value);
    }
    if pool.complementary(branch, condition, Tag::Not) {
        return Some(!value);
    }
    pool.bool_constant(branch)
}

/// A Boolean choice whose first branch is known is a disjunction or conjunction.
fn ite_bool_then(pool: &mut TermPool, _: Op, [c, a, b]: Args) -> Option<Term> {
    match decided(pool, c, true, a)? {
        true => Some(pool.or(c, b)),
        false => {
            let negated = pool.not(c);
            Some(pool.and(negated, b))
        }
    }
}

/// A Boolean choice whose second branch is known is a disjunction or conjunction.
fn ite_bool_else(pool: &mut TermPool, _: Op, [c, a, b]: Args) -> Option<Term> {
    match decided(pool, c, false, b)? {
        false => Some(pool.and(c, a)),
        true => {
            let negated = pool.not(c);
            Some(pool.or(negated, a))
        }
    }
}

/// `ite(c, a, not a)` is `c = a`.
fn ite_bool_complement(pool: &mut TermPool, _: Op, [c, a, b]: Args) -> Option<Term> {
    pool.complementary(a, b, Tag::Not).then(|| pool.eq(c, a))
}

/// Negations of both branches move out.
fn ite_bool_negated(pool: &mut TermPool, _: Op, [c, a, b]: Args) -> Option<Term> {
    let (a, b) = (pool.unary(a, Tag::Not)?, pool.unary(b, Tag::Not)?);
    let inner = pool.ite(c, a, b);
    Some(pool.not(inner))
}

/// A branch does not ask again what is known in it.
fn ite_nested_condition(pool: &mut TermPool, _: Op, [c, a, b]: Args) -> Option<Term> {
    let then = pool.ternary(a, Tag::Ite).and_then(|(d, x, _)| (d == c).then_some(x));
    let otherwise = pool.ternary(b, Tag::Ite).and_then(|(d, _, y)| (d == c).then_some(y));
    if then.is_none() && otherwise.is_none() {
        return None;
    }
    Some(pool.ite(c, then.unwrap_or(a), otherwise.unwrap_or(b)))
}

/// `ite(c, ite(d, x, b), b)` is `ite(c and d, x, b)`, and likewise with the inner branches exchanged.
fn ite_merge_then(pool: &mut TermPool, _: Op, [c, a, b]: Args) -> Option<Term> {
    let (d, x, y) = pool.ternary(a, Tag::Ite)?;
    if y == b {
        let both = pool.and(c, d);
        return Some(pool.ite(both, x, b));
    }
    if x == b {
        let not_d = pool.not(d);
        let both = pool.and(c, not_d);
        return Some(pool.ite(both, y, b));
    }
    None
}

/// `ite(c, a, ite(d, a, y))` is `ite(c or d, a, y)`, and likewise with the inner branches exchanged.
fn ite_merge_else(pool: &mut TermPool, _: Op, [c, a, b]: Args) -> Option<Term> {
    let (d, x, y) = pool.ternary(b, Tag::Ite)?;
    if x == a {
        let either = pool.or(c, d);
        return Some(pool.ite(either, a, y));
    }
    if y == a {
        let not_d = pool.not(d);
        let either = pool.or(c, not_d);
        return Some(pool.ite(either, a, x));
    }
    None
}

/// `ite(a = b, a, b)` is `b`: where the branches differ, the second is chosen.
fn ite_equality(pool: &mut TermPool, _: Op, [c, a, b]: Args) -> Option<Term> {
    let (p, q) = pool.binary(c, Tag::Eq)?;
    ((p, q) == (a, b) || (p, q) == (b, a)).then_some(b)
}

/// A choice between the two one-bit literals by the value of a bit is the bit or its complement.
fn ite_one_bit(pool: &mut TermPool, _: Op, [c, a, b]: Args) -> Option<Term> {
    if pool.sort(a) != Sort::BitVec(1) {
        return None;
    }
    let (bit, one) = pool.with_literal(c, Tag::Eq)?;
    if one.width() != 1 {
        return None;
    }
    let (then, otherwise) = (pool.bv_constant(a)?, pool.bv_constant(b)?);
    if then == otherwise {
        return None;
    }
    Some(if then == one { bit } else { pool.bvnot(bit) })
}
