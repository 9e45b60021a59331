//! Negation, addition, subtraction and multiplication.
//!
//! Constants move outwards: a sum is written `t + c` with `t` free of outer constants, a difference from a
//! literal `c - t`.

use super::lift::{lift_literal, lift_same_condition, lift_unary};
use super::view::both_ways;
use super::{Args, Rule, rules};
use crate::node::Tag;
use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::value::BitVec;

pub(super) const NEG: &[Rule] = rules![neg_neg, neg_not, neg_sub, neg_add_constant, neg_multiple, lift_unary];

pub(super) const ADD: &[Rule] = rules![
    add_zero,
    add_nested_constant,
    add_constant_minus,
    add_not_constant,
    add_complement,
    add_negation,
    add_multiples,
    add_cancel,
    add_lift_constant,
    add_lift_constant_minus,
    add_sorted,
    lift_literal,
    lift_same_condition,
];

pub(super) const SUB: &[Rule] = rules![
    sub_self,
    sub_constant,
    sub_from_zero,
    sub_from_ones,
    sub_negation,
    sub_from_constant,
    sub_multiples,
    sub_cancel_sum,
    sub_cancel_difference,
    sub_lift_constant,
    sub_lift_constant_minus,
    lift_literal,
    lift_same_condition,
];

pub(super) const MUL: &[Rule] = rules![
    mul_special_constant,
    mul_power_of_two,
    mul_nested_constant,
    mul_shifted,
    mul_sum_constant,
    mul_constant_minus,
    mul_negation,
    mul_extended,
    lift_literal,
    lift_same_condition,
];

fn neg_neg(pool: &mut TermPool, _: Op, [a, ..]: Args) -> Option<Term> {
    pool.unary(a, Tag::BvNeg)
}

/// `-(~x)` is `x + 1`.
fn neg_not(pool: &mut TermPool, _: Op, [a, ..]: Args) -> Option<Term> {
    let x = pool.unary(a, Tag::BvNot)?;
    let width = pool.width(x);
    let one = pool.bv(width, 1);
    Some(pool.add(x, one))
}

/// `-(x - y)` is `y - x`.
fn neg_sub(pool: &mut TermPool, _: Op, [a, ..]: Args) -> Option<Term> {
    let (x, y) = pool.binary(a, Tag::BvSub)?;
    Some(pool.sub(y, x))
}

/// `-(x + c)` is `(-c) - x`.
fn neg_add_constant(pool: &mut TermPool, _: Op, [a, ..]: Args) -> Option<Term> {
    let (x, c) = pool.with_literal(a, Tag::BvAdd)?;
    Some(constant_minus(pool, negated(c), x))
}

/// `-(x * c)` is `x * -c`, and likewise for a shift.
fn neg_multiple(pool: &mut TermPool, _: Op, [a, ..]: Args) -> Option<Term> {
    let (x, c) = multiple(pool, a);
    (x != a).then(|| times_constant(pool, x, negated(c)))
}

fn add_zero(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    pool.bv_constant(b)?.is_zero().then_some(a)
}

/// `(x + c) + d` is `x + (c + d)`.
fn add_nested_constant(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let d = pool.bv_constant(b)?;
    let (x, c) = pool.with_literal(a, Tag::BvAdd)?;
    Some(plus_constant(pool, x, c.plus(d)))
}

/// `(c - x) + d` is `(c + d) - x`.
fn add_constant_minus(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let d = pool.bv_constant(b)?;
    let (c, x) = pool.literal_minus(a)?;
    Some(constant_minus(pool, c.plus(d), x))
}

/// `~x + c` is `(c - 1) - x`.
fn add_not_constant(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    let x = pool.unary(a, Tag::BvNot)?;
    let one = BitVec::new(c.width(), 1);
    Some(constant_minus(pool, c.minus(one), x))
}

/// `x + ~x` has all bits set.
fn add_complement(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let width = pool.width(a);
    pool.complementary(a, b, Tag::BvNot).then(|| pool.ones(width))
}

/// `x + (-y)` is `x - y`.
fn add_negation(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    for (x, y) in both_ways(a, b) {
        if let Some(y) = pool.unary(y, Tag::BvNeg) {
            return Some(pool.sub(x, y));
        }
    }
    None
}

/// `x*c + x*d` is `x*(c + d)`, where shifts and negations count as multiplications.
fn add_multiples(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let ((x, c), (y, d)) = (multiple(pool, a), multiple(pool, b));
    (x == y).then(|| times_constant(pool, x, c.plus(d)))
}

/// `(x - y) + y` is `x`.
fn add_cancel(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    for (p, q) in both_ways(a, b) {
        match pool.binary(p, Tag::BvSub) {
            Some((x, y)) if y == q => return Some(x),
            _ => {}
        }
    }
    None
}

/// `(x + c) + y` is `(x + y) + c`.
fn add_lift_constant(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    for (p, y) in both_ways(a, b) {
        if let Some((x, c)) = pool.with_literal(p, Tag::BvAdd) {
            let sum = pool.add(x, y);
            return Some(plus_constant(pool, sum, c));
        }
    }
    None
}

/// `(c - x) + y` is `(y - x) + c`.
fn add_lift_constant_minus(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    for (p, y) in both_ways(a, b) {
        if let Some((c, x)) = pool.literal_minus(p) {
            let difference = pool.sub(y, x);
            return Some(plus_constant(pool, difference, c));
        }
    }
    None
}

/// Sums of more parts than this are left in the order in which they were written.
const SORTED_PARTS: usize = 100;

/// Sums are added from the oldest part to the newest, so that sums of the same parts are the same term.
fn add_sorted(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let is_sum = |term| pool.binary(term, Tag::BvAdd).is_some();
    if !is_sum(a) && !is_sum(b) || pool.bv_constant(b).is_some() {
        return None;
    }
    let mut parts = Vec::with_capacity(8);
    let mut stack = vec![a, b];
    while let Some(term) = stack.pop() {
        match pool.binary(term, Tag::BvAdd) {
            Some((x, y)) => stack.extend([x, y]),
            None => parts.push(term),
        }
        if parts.len() + stack.len() > SORTED_PARTS {
            return None;
        }
    }
    parts.sort_unstable();
    let newest = *parts.last()?;
    let repeats = parts.windows(2).any(|pair| pair[0] == pair[1]);
    if !repeats && (a == newest || b == newest) {
        return None;
    }
    if repeats {
        let mut distinct = Vec::with_capacity(parts.len());
        for group in parts.chunk_by(|x, y| x == y) {
            let count = BitVec::new(pool.width(a), group.len() as u128);
            distinct.push(times_constant(pool, group[0], count));
        }
        distinct.sort_unstable();
        parts = distinct;
    }
    let mut sum = *parts.first()?;
    for &part in &parts[1..] {
        sum = pool.add(sum, part);
    }
    Some(sum)
}

fn sub_self(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let width = pool.width(a);
    (a == b).then(|| pool.zero(width))
}

/// `x - c` is `x + (-c)`.
fn sub_constant(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    Some(plus_constant(pool, a, negated(c)))
}

fn sub_from_zero(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    pool.bv_constant(a)?.is_zero().then(|| pool.neg(b))
}

/// `-1 - x` is `~x`.
fn sub_from_ones(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    pool.bv_constant(a)?.is_ones().then(|| pool.bvnot(b))
}

/// `x - (-y)` is `x + y`; `(-x) - y` is `-(x + y)`.
fn sub_negation(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    if let Some(y) = pool.unary(b, Tag::BvNeg) {
        return Some(pool.add(a, y));
    }
    let x = pool.unary(a, Tag::BvNeg)?;
    let sum = pool.add(x, b);
    Some(pool.neg(sum))
}

/// `c - (x + d)` is `(c - d) - x`, `c - (d - x)` is `x + (c - d)`, and `c - ~x` is `x + (c + 1)`.
fn sub_from_constant(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(a)?;
    if let Some((x, d)) = pool.with_literal(b, Tag::BvAdd) {
        return Some(constant_minus(pool, c.minus(d), x));
    }
    if let Some((d, x)) = pool.literal_minus(b) {
        return Some(plus_constant(pool, x, c.minus(d)));
    }
    let x = pool.unary(b, Tag::BvNot)?;
    let one = BitVec::new(c.width(), 1);
    Some(plus_constant(pool, x, c.plus(one)))
}

/// `x*c - x*d` is `x*(c - d)`, where shifts and negations count as multiplications.
fn sub_multiples(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let ((x, c), (y, d)) = (multiple(pool, a), multiple(pool, b));
    (x == y).then(|| times_constant(pool, x, c.minus(d)))
}

/// `(x + y) - x` is `y`; `x - (x + y)` is `-y`.
fn sub_cancel_sum(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    if let Some((x, y)) = pool.binary(a, Tag::BvAdd) {
        for (x, y) in both_ways(x, y) {
            if x == b {
                return Some(y);
            }
        }
    }
    let (x, y) = pool.binary(b, Tag::BvAdd)?;
    for (x, y) in both_ways(x, y) {
        if x == a {
            return Some(pool.neg(y));
        }
    }
    None
}

/// `(x - y) - x` is `-y`; `x - (x - y)` is `y`.
fn sub_cancel_difference(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    match (pool.binary(a, Tag::BvSub), pool.binary(b, Tag::BvSub)) {
        (Some((x, y)), _) if x == b => Some(pool.neg(y)),
        (_, Some((x, y))) if x == a => Some(y),
        _ => None,
    }
}

/// `(x + c) - y` is `(x - y) + c`; `x - (y + c)` is `(x - y) - c`.
fn sub_lift_constant(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    if let Some((x, c)) = pool.with_literal(a, Tag::BvAdd) {
        let difference = pool.sub(x, b);
        return Some(plus_constant(pool, difference, c));
    }
    let (y, c) = pool.with_literal(b, Tag::BvAdd)?;
    let difference = pool.sub(a, y);
    Some(plus_constant(pool, difference, negated(c)))
}

/// `(c - x) - y` is `c - (x + y)`; `x - (c - y)` is `(x + y) - c`.
fn sub_lift_constant_minus(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    if let Some((c, x)) = pool.literal_minus(a) {
        let sum = pool.add(x, b);
        return Some(constant_minus(pool, c, sum));
    }
    let (c, y) = pool.literal_minus(b)?;
    let sum = pool.add(a, y);
    Some(plus_constant(pool, sum, negated(c)))
}

/// Multiplication by 0, 1 and -1.
fn mul_special_constant(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    if c.is_zero() {
        Some(b)
    } else if c.unsigned() == 1 {
        Some(a)
    } else if c.is_ones() {
        Some(pool.neg(a))
    } else {
        None
    }
}

/// `x * 2^k` is `x << k`, which needs no adders.
fn mul_power_of_two(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    let amount = pool.bv(c.width(), u128::from(c.log2()?));
    Some(pool.shl(a, amount))
}

/// `(x * c) * d` is `x * (c * d)`.
fn mul_nested_constant(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let d = pool.bv_constant(b)?;
    let (x, c) = pool.with_literal(a, Tag::BvMul)?;
    Some(times_constant(pool, x, c.times(d)))
}

/// `(x << k) * c` is `x * (c << k)`.
fn mul_shifted(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    let (x, k) = pool.with_literal(a, Tag::BvShl)?;
    Some(times_constant(pool, x, c.shl(k)))
}

/// `(x + c) * d` is `x*d + c*d`.
fn mul_sum_constant(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let d = pool.bv_constant(b)?;
    let (x, c) = pool.with_literal(a, Tag::BvAdd)?;
    let product = pool.mul(x, b);
    Some(plus_constant(pool, product, c.times(d)))
}

/// `(c - x) * d` is `c*d - x*d`.
fn mul_constant_minus(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let d = pool.bv_constant(b)?;
    let (c, x) = pool.literal_minus(a)?;
    let product = pool.mul(x, b);
    Some(constant_minus(pool, c.times(d), product))
}

/// `(-x) * y` is `-(x * y)`.
fn mul_negation(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    for (p, y) in both_ways(a, b) {
        if let Some(x) = pool.unary(p, Tag::BvNeg) {
            let product = pool.mul(x, y);
            return Some(pool.neg(product));
        }
    }
    None
}

/// The product of two extended numbers is the extension of a product of few bits.
fn mul_extended(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let width = pool.width(a);
    for tag in [Tag::BvSignExtend, Tag::BvZeroExtend] {
        let (Some(x), Some(y)) = (pool.unary(a, tag), pool.unary(b, tag)) else { continue };
        let enough = pool.width(x) + pool.width(y);
        if enough >= width {
            return None;
        }
        let extend = |pool: &mut TermPool, term, to| match tag {
            Tag::BvSignExtend => pool.sign_extend_to(to, term),
            _ => pool.zero_extend_to(to, term),
        };
        let (x, y) = (extend(pool, x, enough), extend(pool, y, enough));
        let product = pool.mul(x, y);
        return Some(extend(pool, product, width));
    }
    None
}

/// The term as a multiple of another one.
fn multiple(pool: &TermPool, term: Term) -> (Term, BitVec) {
    let one = BitVec::new(pool.width(term), 1);
    if let Some(parts) = pool.with_literal(term, Tag::BvMul) {
        return parts;
    }
    if let Some((x, k)) = pool.with_literal(term, Tag::BvShl) {
        return (x, one.shl(k));
    }
    match pool.unary(term, Tag::BvNeg) {
        Some(x) => (x, negated(one)),
        None => (term, one),
    }
}

fn negated(value: BitVec) -> BitVec {
    BitVec::new(value.width(), value.unsigned().wrapping_neg())
}

fn plus_constant(pool: &mut TermPool, term: Term, constant: BitVec) -> Term {
    let constant = pool.bv_value(constant);
    pool.add(term, constant)
}

fn constant_minus(pool: &mut TermPool, constant: BitVec, term: Term) -> Term {
    let constant = pool.bv_value(constant);
    pool.sub(constant, term)
}

fn times_constant(pool: &mut TermPool, term: Term, constant: BitVec) -> Term {
    let constant = pool.bv_value(constant);
    pool.mul(term, constant)
}
