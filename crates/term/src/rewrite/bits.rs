//! Bitwise operators. The rules named `bitwise_*` serve `bvand` and, with zeros and ones exchanged, `bvor`.

use super::lift::{lift_flags, lift_literal, lift_same_condition, lift_unary};
use super::view::both_ways;
use super::{Args, Rule, rules};
use crate::node::Tag;
use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::value::{BitVec, mask};

pub(super) const NOT: &[Rule] =
    rules![bvnot_bvnot, bvnot_neg, bvnot_add_constant, bvnot_constant_minus, bvnot_xor_constant, lift_unary];

pub(super) const AND: &[Rule] = rules![
    bitwise_constant,
    bitwise_idempotent,
    bitwise_complement,
    bitwise_nested_constant,
    bitwise_nested_same,
    bitwise_nested_dual,
    bitwise_zero_extend_constant,
    bvand_low_mask,
    bitwise_sign_extend_constant,
    bitwise_extensions,
    lift_literal,
    lift_same_condition,
    lift_flags,
];

pub(super) const OR: &[Rule] = rules![
    bitwise_constant,
    bitwise_idempotent,
    bitwise_complement,
    bitwise_nested_constant,
    bitwise_nested_same,
    bitwise_nested_dual,
    bitwise_zero_extend_constant,
    bitwise_sign_extend_constant,
    bitwise_extensions,
    bvor_disjoint_shift,
    lift_literal,
    lift_same_condition,
    lift_flags,
];

pub(super) const XOR: &[Rule] = rules![
    bvxor_constant,
    bvxor_self,
    bvxor_complement,
    bitwise_nested_constant,
    bvxor_bvnot,
    bvxor_nested,
    bitwise_zero_extend_constant,
    bitwise_sign_extend_constant,
    bitwise_extensions,
    lift_literal,
    lift_same_condition,
    lift_flags,
];

fn bvnot_bvnot(pool: &mut TermPool, _: Op, [a, ..]: Args) -> Option<Term> {
    pool.unary(a, Tag::BvNot)
}

/// `~(-x)` is `x - 1`.
fn bvnot_neg(pool: &mut TermPool, _: Op, [a, ..]: Args) -> Option<Term> {
    let x = pool.unary(a, Tag::BvNeg)?;
    let width = pool.width(x);
    let minus_one = pool.ones(width);
    Some(pool.add(x, minus_one))
}

/// `~(x + c)` is `~c - x`.
fn bvnot_add_constant(pool: &mut TermPool, _: Op, [a, ..]: Args) -> Option<Term> {
    let (x, c) = pool.with_literal(a, Tag::BvAdd)?;
    let constant = pool.bv_value(c.complement());
    Some(pool.sub(constant, x))
}

/// `~(c - x)` is `x + ~c`.
fn bvnot_constant_minus(pool: &mut TermPool, _: Op, [a, ..]: Args) -> Option<Term> {
    let (c, x) = pool.literal_minus(a)?;
    let constant = pool.bv_value(c.complement());
    Some(pool.add(x, constant))
}

/// `~(x ^ c)` is `x ^ ~c`.
fn bvnot_xor_constant(pool: &mut TermPool, _: Op, [a, ..]: Args) -> Option<Term> {
    let (x, c) = pool.with_literal(a, Tag::BvXor)?;
    let constant = pool.bv_value(c.complement());
    Some(pool.bvxor(x, constant))
}

/// The literal that decides the operator: zero for `bvand`, ones for `bvor`.
fn is_absorbing(op: Op, value: BitVec) -> bool {
    if op == Op::BvAnd { value.is_zero() } else { value.is_ones() }
}

/// The operator itself and its dual.
fn with_dual(op: Op) -> (Tag, Tag) {
    if op == Op::BvAnd { (Tag::BvAnd, Tag::BvOr) } else { (Tag::BvOr, Tag::BvAnd) }
}

fn absorbing(pool: &mut TermPool, op: Op, width: u32) -> Term {
    if op == Op::BvAnd { pool.zero(width) } else { pool.ones(width) }
}

/// A neutral or absorbing literal.
fn bitwise_constant(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    if is_absorbing(op, c) {
        Some(b)
    } else if is_absorbing(op, c.complement()) {
        Some(a)
    } else {
        None
    }
}

fn bitwise_idempotent(_: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    (a == b).then_some(a)
}

/// `x & ~x` is zero.
fn bitwise_complement(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let width = pool.width(a);
    pool.complementary(a, b, Tag::BvNot).then(|| absorbing(pool, op, width))
}

/// `(x & c) & d` is `x & (c & d)`.
fn bitwise_nested_constant(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let d = pool.bv_constant(b)?;
    let (x, c) = pool.with_literal(a, op.tag())?;
    let constant = pool.bv_value(op.apply_binary(c, d)?);
    Some(pool.apply(op, &[x, constant]))
}

/// `x & (x & y)` is `x & y`; `x & (~x & y)` is zero.
fn bitwise_nested_same(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let (same, _) = with_dual(op);
    let width = pool.width(a);
    for (x, y) in both_ways(a, b) {
        let Some((p, q)) = pool.binary(y, same) else { continue };
        if x == p || x == q {
            return Some(y);
        }
        if pool.complementary(x, p, Tag::BvNot) || pool.complementary(x, q, Tag::BvNot) {
            return Some(absorbing(pool, op, width));
        }
    }
    None
}

/// `x & (x | y)` is `x`; `x & (~x | y)` is `x & y`.
fn bitwise_nested_dual(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let (_, dual) = with_dual(op);
    for (x, y) in both_ways(a, b) {
        let Some((p, q)) = pool.binary(y, dual) else { continue };
        if x == p || x == q {
            return Some(x);
        }
        for (p, q) in both_ways(p, q) {
            if pool.complementary(x, p, Tag::BvNot) {
                return Some(pool.apply(op, &[x, q]));
            }
        }
    }
    None
}

/// Masking the lowest bits is extraction and extension.
fn bvand_low_mask(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    let bits = c.unsigned().trailing_ones();
    if bits == 0 || bits == c.width() || c.unsigned() != mask(bits) {
        return None;
    }
    let low = pool.extract(bits - 1, 0, a);
    Some(pool.zero_extend_to(c.width(), low))
}

/// An operation on a zero-extended term and a literal happens at the term's own width, if the literal does
/// nothing to the zeros.
fn bitwise_zero_extend_constant(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    let x = pool.unary(a, Tag::BvZeroExtend)?;
    let width = pool.width(x);
    if op != Op::BvAnd && !c.fits_unsigned(width) {
        return None;
    }
    let low = pool.bv_value(c.low(width));
    let narrow = pool.apply(op, &[x, low]);
    Some(pool.zero_extend_to(c.width(), narrow))
}

/// An operation on a sign-extended term and a literal that is sign-extended too happens before extending.
fn bitwise_sign_extend_constant(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    let x = pool.unary(a, Tag::BvSignExtend)?;
    let width = pool.width(x);
    if !c.fits_signed(width) {
        return None;
    }
    let low = pool.bv_value(c.low(width));
    let narrow = pool.apply(op, &[x, low]);
    Some(pool.sign_extend_to(c.width(), narrow))
}

/// An operation on two terms that were extended alike happens before extending.
fn bitwise_extensions(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let extension = pool.tag(a);
    if !matches!(extension, Tag::BvZeroExtend | Tag::BvSignExtend) || pool.op(a) != pool.op(b) {
        return None;
    }
    let (x, y) = (pool.unary(a, extension)?, pool.unary(b, extension)?);
    let extend = pool.op(a);
    let narrow = pool.apply(op, &[x, y]);
    Some(pool.apply(extend, &[narrow]))
}

/// `(x << k) | y` with `y` below `2^k` puts the two side by side.
fn bvor_disjoint_shift(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let width = pool.width(a);
    for (p, q) in both_ways(a, b) {
        let Some((x, amount)) = pool.with_literal(p, Tag::BvShl) else { continue };
        let Ok(k) = u32::try_from(amount.unsigned()) else { continue };
        if k == 0 || k >= width || pool.unsigned_bound(q) > mask(k) {
            continue;
        }
        let (high, low) = (pool.extract(width - 1 - k, 0, x), pool.extract(k - 1, 0, q));
        return Some(pool.concat(high, low));
    }
    None
}

/// `x ^ 0` is `x`, `x ^ -1` is `~x`.
fn bvxor_constant(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    if c.is_zero() {
        Some(a)
    } else if c.is_ones() {
        Some(pool.bvnot(a))
    } else {
        None
    }
}

fn bvxor_self(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let width = pool.width(a);
    (a == b).then(|| pool.zero(width))
}

fn bvxor_complement(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let width = pool.width(a);
    pool.complementary(a, b, Tag::BvNot).then(|| pool.ones(width))
}

/// `~x ^ y` is `~(x ^ y)`; with a literal or a second complement nothing of the complement remains.
fn bvxor_bvnot(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    for (p, y) in both_ways(a, b) {
        if let Some(x) = pool.unary(p, Tag::BvNot) {
            let inner = pool.bvxor(x, y);
            return Some(pool.bvnot(inner));
        }
    }
    None
}

/// `x ^ (x ^ y)` is `y`.
fn bvxor_nested(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    for (x, y) in both_ways(a, b) {
        match pool.binary(y, Tag::BvXor) {
            Some((p, q)) if p == x => return Some(q),
            Some((p, q)) if q == x => return Some(p),
            _ => {}
        }
    }
    None
}
