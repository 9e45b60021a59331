//! Choices between literals swallow the operators around them, so that conditions which C turns into
//! integers become conditions again. Nothing is duplicated but literals.

use super::Args;
use crate::node::Tag;
use crate::op::Op;
use crate::pool::{Term, TermPool};

/// `f(ite(c, 1, 2))` is `ite(c, f(1), f(2))`.
pub(super) fn lift_unary(pool: &mut TermPool, op: Op, [a, ..]: Args) -> Option<Term> {
    let (c, x, y) = pool.literal_choice(a)?;
    let (x, y) = (pool.apply(op, &[x]), pool.apply(op, &[y]));
    Some(pool.ite(c, x, y))
}

/// `f(ite(c, 1, 2), 3)` is `ite(c, f(1, 3), f(2, 3))`, and likewise with the arguments exchanged.
pub(super) fn lift_literal(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    if pool.tag(b) == Tag::BvConst {
        let (c, x, y) = pool.literal_choice(a)?;
        let (x, y) = (pool.apply(op, &[x, b]), pool.apply(op, &[y, b]));
        return Some(pool.ite(c, x, y));
    }
    if pool.tag(a) == Tag::BvConst {
        let (c, x, y) = pool.literal_choice(b)?;
        let (x, y) = (pool.apply(op, &[a, x]), pool.apply(op, &[a, y]));
        return Some(pool.ite(c, x, y));
    }
    None
}

/// `f(ite(c, 1, 2), ite(c, 3, 4))` is `ite(c, f(1, 3), f(2, 4))`.
pub(super) fn lift_same_condition(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let (c, x, y) = pool.literal_choice(a)?;
    let (d, p, q) = pool.literal_choice(b)?;
    if c != d {
        return None;
    }
    let (then, otherwise) = (pool.apply(op, &[x, p]), pool.apply(op, &[y, q]));
    Some(pool.ite(c, then, otherwise))
}

/// A relation `r` to a literal where one branch of a choice is a literal: `r(ite(c, 1, x), 2)` is
/// `not c and r(x, 2)` or `c or r(x, 2)`, as `r(1, 2)` says.
pub(super) fn lift_relation(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let limit = pool.bv_constant(b)?;
    let (c, x, y) = pool.ternary(a, Tag::Ite)?;
    let (guard, value, rest) = match (pool.bv_constant(x), pool.bv_constant(y)) {
        (Some(value), None) => (c, value, y),
        (None, Some(value)) => (pool.not(c), value, x),
        _ => return None,
    };
    let decided = op.compare(value, limit)?;
    let rest = pool.apply(op, &[rest, b]);
    if decided {
        Some(pool.or(guard, rest))
    } else {
        let other = pool.not(guard);
        Some(pool.and(other, rest))
    }
}

/// Flags: `ite(c, k, 0) & ite(d, k, 0)` is `ite(c and d, k, 0)`; likewise for the other bitwise operators,
/// and a choice that is zero in its first branch counts as one with the negated condition.
pub(super) fn lift_flags(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let (c, k) = flag(pool, a)?;
    let (d, l) = flag(pool, b)?;
    if k != l {
        return None;
    }
    let (c, d) = (c.term(pool), d.term(pool));
    let condition = match op {
        Op::BvAnd => pool.and(c, d),
        Op::BvOr => pool.or(c, d),
        Op::BvXor => pool.ne(c, d),
        _ => return None,
    };
    let width = pool.width(k);
    let zero = pool.zero(width);
    Some(pool.ite(condition, k, zero))
}

/// Equality of two choices between the same two literals is equality of the conditions.
pub(super) fn lift_eq_choices(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let (c, x, y) = pool.literal_choice(a)?;
    let (d, p, q) = pool.literal_choice(b)?;
    if x == y {
        return None;
    }
    if (x, y) == (p, q) {
        return Some(pool.eq(c, d));
    }
    if (x, y) == (q, p) {
        return Some(pool.ne(c, d));
    }
    None
}

struct Condition {
    positive: bool,
    atom: Term,
}

impl Condition {
    fn term(self, pool: &mut TermPool) -> Term {
        if self.positive { self.atom } else { pool.not(self.atom) }
    }
}

/// The condition and the literal, if the term is a choice between a literal and zero.
fn flag(pool: &TermPool, term: Term) -> Option<(Condition, Term)> {
    let (atom, x, y) = pool.literal_choice(term)?;
    let is_zero = |t| pool.bv_constant(t).is_some_and(|v| v.is_zero());
    if is_zero(y) {
        Some((Condition { positive: true, atom }, x))
    } else if is_zero(x) {
        Some((Condition { positive: false, atom }, y))
    } else {
        None
    }
}
