//! Conjunction and disjunction. Each rule serves both: what is said about `and` holds for `or` with all
//! truth values and operators exchanged.

use super::view::both_ways;
use super::{Args, Rule, rules};
use crate::node::Tag;
use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::value::BitVec;

pub(super) const JUNCTION: &[Rule] = rules![
    junction_constant,
    junction_idempotent,
    junction_complement,
    junction_nested_same,
    junction_nested_dual,
    junction_negated_same,
    junction_negated_dual,
    junction_bounds,
];

/// The operator itself and its dual.
fn with_dual(op: Op) -> (Tag, Tag) {
    if op == Op::And { (Tag::And, Tag::Or) } else { (Tag::Or, Tag::And) }
}

/// The value that decides the operator: false for `and`.
fn absorbing(op: Op) -> bool {
    op == Op::Or
}

fn junction_constant(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let value = pool.bool_constant(b)?;
    Some(if value == absorbing(op) { b } else { a })
}

fn junction_idempotent(_: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    (a == b).then_some(a)
}

/// `a and not a` is false.
fn junction_complement(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    pool.complementary(a, b, Tag::Not).then(|| pool.bool(absorbing(op)))
}

/// `a and (a and b)` is `a and b`; `a and (not a and b)` is false.
fn junction_nested_same(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let (same, _) = with_dual(op);
    for (x, y) in both_ways(a, b) {
        let Some((p, q)) = pool.binary(y, same) else { continue };
        if x == p || x == q {
            return Some(y);
        }
        if pool.complementary(x, p, Tag::Not) || pool.complementary(x, q, Tag::Not) {
            return Some(pool.bool(absorbing(op)));
        }
    }
    None
}

/// `a and (a or b)` is `a`; `a and (not a or b)` is `a and b`.
fn junction_nested_dual(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let (_, dual) = with_dual(op);
    for (x, y) in both_ways(a, b) {
        let Some((p, q)) = pool.binary(y, dual) else { continue };
        if x == p || x == q {
            return Some(x);
        }
        for (p, q) in both_ways(p, q) {
            if pool.complementary(x, p, Tag::Not) {
                return Some(pool.apply(op, &[x, q]));
            }
        }
    }
    None
}

/// `a and not (a and b)` is `a and not b`; `a and not (not a and b)` is `a`.
fn junction_negated_same(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let (same, _) = with_dual(op);
    for (x, y) in both_ways(a, b) {
        let Some((p, q)) = pool.unary(y, Tag::Not).and_then(|y| pool.binary(y, same)) else { continue };
        for (p, q) in both_ways(p, q) {
            if x == p {
                let rest = pool.not(q);
                return Some(pool.apply(op, &[x, rest]));
            }
            if pool.complementary(x, p, Tag::Not) {
                return Some(x);
            }
        }
    }
    None
}

/// `a and not (a or b)` is false; `a and not (not a or b)` is `a and not b`, which is the second part alone.
fn junction_negated_dual(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let (_, dual) = with_dual(op);
    for (x, y) in both_ways(a, b) {
        let Some((p, q)) = pool.unary(y, Tag::Not).and_then(|y| pool.binary(y, dual)) else { continue };
        if x == p || x == q {
            return Some(pool.bool(absorbing(op)));
        }
        if pool.complementary(x, p, Tag::Not) || pool.complementary(x, q, Tag::Not) {
            return Some(y);
        }
    }
    None
}

/// A comparison of some term with a literal, or its negation.
#[derive(Clone, Copy)]
struct Bound {
    positive: bool,
    relation: Op,
    subject: Term,
    limit: BitVec,
}

impl Bound {
    fn of(pool: &TermPool, term: Term) -> Option<Self> {
        let (positive, atom) = match pool.unary(term, Tag::Not) {
            Some(atom) => (false, atom),
            None => (true, term),
        };
        let relation = match pool.tag(atom) {
            Tag::Eq => Op::Eq,
            Tag::BvUlt => Op::BvUlt,
            Tag::BvSlt => Op::BvSlt,
            _ => return None,
        };
        let (subject, limit) = pool.with_literal(atom, relation.tag())?;
        Some(Bound { positive, relation, subject, limit })
    }

    fn negated(self) -> Self {
        Bound { positive: !self.positive, ..self }
    }

    fn holds_for(self, value: BitVec) -> bool {
        self.relation.compare(value, self.limit) == Some(self.positive)
    }

    fn term(self, pool: &mut TermPool) -> Term {
        let limit = pool.bv_value(self.limit);
        let atom = pool.apply(self.relation, &[self.subject, limit]);
        if self.positive { atom } else { pool.not(atom) }
    }

    /// A bound that says the same as both, or `Err` if they contradict each other. `None` if one bound
    /// cannot say it.
    fn conjunction(self, other: Self) -> Option<Result<Self, ()>> {
        for (x, y) in [(self, other), (other, self)] {
            let one = BitVec::new(x.limit.width(), 1);
            match (x.relation, x.positive, y.relation, y.positive) {
                // A value is given: it decides the other bound.
                (Op::Eq, true, _, _) => return Some(if y.holds_for(x.limit) { Ok(x) } else { Err(()) }),
                // An excluded value is irrelevant or at the edge of the range.
                (Op::Eq, false, Op::BvUlt | Op::BvSlt, positive) => {
                    if !y.holds_for(x.limit) {
                        return Some(Ok(y));
                    }
                    // The range is not empty, so moving its edge by one does not wrap.
                    let edge = if positive { y.limit.minus(one) } else { y.limit };
                    if edge == x.limit {
                        let limit = if positive { edge } else { edge.plus(one) };
                        // The least value as limit means that the only value of the range was excluded.
                        let (least, _) = BitVec::extremes(y.relation, limit.width());
                        return Some(if limit == least { Err(()) } else { Ok(Bound { limit, ..y }) });
                    }
                    return None;
                }
                (r, true, s, true) if r == s => {
                    return Some(Ok(if r.compare(x.limit, y.limit) == Some(true) { x } else { y }));
                }
                (r, false, s, false) if r == s && r != Op::Eq => {
                    return Some(Ok(if r.compare(x.limit, y.limit) == Some(true) { y } else { x }));
                }
                // y.limit <= subject < x.limit
                (r, true, s, false) if r == s => {
                    if r.compare(y.limit, x.limit) != Some(true) {
                        return Some(Err(()));
                    }
                    let single = y.limit.plus(one) == x.limit;
                    return single.then_some(Ok(Bound {
                        positive: true,
                        relation: Op::Eq,
                        subject: x.subject,
                        limit: y.limit,
                    }));
                }
                _ => {}
            }
        }
        None
    }
}

/// Two comparisons of one term with literals that contradict each other, or of which one is enough.
fn junction_bounds(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let (x, y) = (Bound::of(pool, a)?, Bound::of(pool, b)?);
    if x.subject != y.subject {
        return None;
    }
    // A disjunction is the negation of the conjunction of the negations.
    let dual = op == Op::Or;
    let (x, y) = if dual { (x.negated(), y.negated()) } else { (x, y) };
    match x.conjunction(y)? {
        Ok(bound) => Some(if dual { bound.negated() } else { bound }.term(pool)),
        Err(()) => Some(pool.bool(absorbing(op))),
    }
}
