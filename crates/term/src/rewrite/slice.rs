//! Extraction, concatenation and extension.

use super::lift::{lift_literal, lift_same_condition, lift_unary};
use super::{Args, Rule, rules};
use crate::node::Tag;
use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::value::BitVec;

pub(super) const EXTRACT: &[Rule] = rules![
    extract_whole,
    extract_extract,
    extract_concat,
    extract_zero_extend,
    extract_sign_extend,
    extract_bvnot,
    extract_bitwise_constant,
    extract_shl,
    extract_ite,
    extract_truncated_arithmetic,
];

pub(super) const CONCAT: &[Rule] = rules![
    concat_zero,
    concat_adjacent,
    concat_nested_left,
    concat_nested_adjacent,
    concat_zero_extend,
    lift_literal,
    lift_same_condition
];

pub(super) const ZERO_EXTEND: &[Rule] = rules![extend_by_nothing, zero_extend_zero_extend, lift_unary];

pub(super) const SIGN_EXTEND: &[Rule] =
    rules![extend_by_nothing, sign_extend_sign_extend, sign_extend_zero_extend, lift_unary];

/// The bounds of the extraction that the rule was called for.
fn bounds(op: Op) -> Option<(u32, u32)> {
    match op {
        Op::BvExtract { high, low } => Some((high, low)),
        _ => None,
    }
}

fn extract_whole(pool: &mut TermPool, op: Op, [a, ..]: Args) -> Option<Term> {
    let (high, low) = bounds(op)?;
    (low == 0 && high + 1 == pool.width(a)).then_some(a)
}

fn extract_extract(pool: &mut TermPool, op: Op, [a, ..]: Args) -> Option<Term> {
    let (high, low) = bounds(op)?;
    let (_, inner_low, x) = pool.extraction(a)?;
    Some(pool.extract(high + inner_low, low + inner_low, x))
}

/// Takes from the part that holds the bits, or from both.
fn extract_concat(pool: &mut TermPool, op: Op, [a, ..]: Args) -> Option<Term> {
    let (high, low) = bounds(op)?;
    let (x, y) = pool.binary(a, Tag::BvConcat)?;
    let split = pool.width(y);
    if high < split {
        return Some(pool.extract(high, low, y));
    }
    if low >= split {
        return Some(pool.extract(high - split, low - split, x));
    }
    let (upper, lower) = (pool.extract(high - split, 0, x), pool.extract(split - 1, low, y));
    Some(pool.concat(upper, lower))
}

/// Takes from the extended term, from the zeros, or from both.
fn extract_zero_extend(pool: &mut TermPool, op: Op, [a, ..]: Args) -> Option<Term> {
    let (high, low) = bounds(op)?;
    let x = pool.unary(a, Tag::BvZeroExtend)?;
    let width = pool.width(x);
    if high < width {
        return Some(pool.extract(high, low, x));
    }
    if low >= width {
        return Some(pool.zero(high - low + 1));
    }
    let lower = pool.extract(width - 1, low, x);
    Some(pool.zero_extend_to(high - low + 1, lower))
}

/// Takes from the extended term, or its sign and more copies of that.
fn extract_sign_extend(pool: &mut TermPool, op: Op, [a, ..]: Args) -> Option<Term> {
    let (high, low) = bounds(op)?;
    let x = pool.unary(a, Tag::BvSignExtend)?;
    let width = pool.width(x);
    if high < width {
        return Some(pool.extract(high, low, x));
    }
    let lower = pool.extract(width - 1, low.min(width - 1), x);
    Some(pool.sign_extend_to(high - low + 1, lower))
}

fn extract_bvnot(pool: &mut TermPool, op: Op, [a, ..]: Args) -> Option<Term> {
    let x = pool.unary(a, Tag::BvNot)?;
    let inner = pool.apply(op, &[x]);
    Some(pool.bvnot(inner))
}

/// Bits of `x & c` are the bits of `x` and of `c`; likewise for `|` and `^`.
fn extract_bitwise_constant(pool: &mut TermPool, op: Op, [a, ..]: Args) -> Option<Term> {
    let outer = match pool.tag(a) {
        Tag::BvAnd => Op::BvAnd,
        Tag::BvOr => Op::BvOr,
        Tag::BvXor => Op::BvXor,
        _ => return None,
    };
    let (x, c) = pool.with_literal(a, outer.tag())?;
    let constant = pool.bv_value(op.apply_unary(c)?);
    let inner = pool.apply(op, &[x]);
    Some(pool.apply(outer, &[inner, constant]))
}

/// Bits of `x << k` are bits of `x`, zeros, or (for a truncation) a narrower shift.
fn extract_shl(pool: &mut TermPool, op: Op, [a, ..]: Args) -> Option<Term> {
    let (high, low) = bounds(op)?;
    let (x, amount) = pool.with_literal(a, Tag::BvShl)?;
    let width = high - low + 1;
    let Ok(k) = u32::try_from(amount.unsigned()) else { return Some(pool.zero(width)) };
    if high < k {
        return Some(pool.zero(width));
    }
    if low >= k {
        return Some(pool.extract(high - k, low - k, x));
    }
    if low > 0 {
        return None;
    }
    let inner = pool.extract(high, 0, x);
    // k <= high, so it can be written in high + 1 bits.
    let amount = pool.bv_value(BitVec::new(width, u128::from(k)));
    Some(pool.shl(inner, amount))
}

/// Extraction from a choice, if it simplifies both branches.
fn extract_ite(pool: &mut TermPool, op: Op, [a, ..]: Args) -> Option<Term> {
    let (c, x, y) = pool.ternary(a, Tag::Ite)?;
    if !absorbs_extraction(pool, x) || !absorbs_extraction(pool, y) {
        return None;
    }
    let (x, y) = (pool.apply(op, &[x]), pool.apply(op, &[y]));
    Some(pool.ite(c, x, y))
}

/// True for terms of which an extraction is again a term without an extraction around it (or around a
/// narrower term).
fn absorbs_extraction(pool: &TermPool, term: Term) -> bool {
    matches!(
        pool.tag(term),
        Tag::BvConst | Tag::BvZeroExtend | Tag::BvSignExtend | Tag::BvExtract | Tag::BvConcat
    )
}

/// How deep [`extract_truncated_arithmetic`] looks.
const TRUNCATION_DEPTH: u32 = 3;

/// Truncated arithmetic on extended arguments happens at the narrow width: `(char)((int)c + 1)` is `c + 1`.
fn extract_truncated_arithmetic(pool: &mut TermPool, op: Op, [a, ..]: Args) -> Option<Term> {
    let (_, low) = bounds(op)?;
    if low != 0 || !is_modular(pool.tag(a)) || !absorbs_truncation(pool, a, TRUNCATION_DEPTH) {
        return None;
    }
    let arithmetic = pool.op(a);
    match *pool.args(a) {
        [x] => {
            let x = pool.apply(op, &[x]);
            Some(pool.apply(arithmetic, &[x]))
        }
        [x, y] => {
            let (x, y) = (pool.apply(op, &[x]), pool.apply(op, &[y]));
            Some(pool.apply(arithmetic, &[x, y]))
        }
        _ => None,
    }
}

/// True for operators whose lowest bits depend only on as many lowest bits of the arguments.
fn is_modular(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::BvNeg | Tag::BvNot | Tag::BvAdd | Tag::BvSub | Tag::BvMul | Tag::BvAnd | Tag::BvOr | Tag::BvXor
    )
}

fn absorbs_truncation(pool: &TermPool, term: Term, depth: u32) -> bool {
    if absorbs_extraction(pool, term) {
        return true;
    }
    if depth == 0 {
        return false;
    }
    match pool.tag(term) {
        Tag::BvShl => {
            pool.with_literal(term, Tag::BvShl).is_some_and(|(x, _)| absorbs_truncation(pool, x, depth - 1))
        }
        tag if is_modular(tag) => pool.args(term).iter().all(|&arg| absorbs_truncation(pool, arg, depth - 1)),
        _ => false,
    }
}

/// Zeros in front are a zero extension.
fn concat_zero(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let width = pool.width(a) + pool.width(b);
    pool.bv_constant(a)?.is_zero().then(|| pool.zero_extend_to(width, b))
}

/// The concatenation of two literals or of adjacent extractions, as one term.
fn joined(pool: &mut TermPool, a: Term, b: Term) -> Option<Term> {
    if let (Some(x), Some(y)) = (pool.bv_constant(a), pool.bv_constant(b)) {
        let joined = Op::BvConcat.apply_binary(x, y)?;
        return Some(pool.bv_value(joined));
    }
    let (high, middle, x) = pool.extraction(a)?;
    let (below, low, y) = pool.extraction(b)?;
    (x == y && middle == below + 1).then(|| pool.extract(high, low, x))
}

fn concat_adjacent(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    joined(pool, a, b)
}

/// Concatenations nest to the right.
fn concat_nested_left(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let (x, y) = pool.binary(a, Tag::BvConcat)?;
    let rest = pool.concat(y, b);
    Some(pool.concat(x, rest))
}

fn concat_nested_adjacent(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let (x, y) = pool.binary(b, Tag::BvConcat)?;
    let front = joined(pool, a, x)?;
    Some(pool.concat(front, y))
}

/// Zeros in front of the first part are zeros in front of the whole.
fn concat_zero_extend(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let width = pool.width(a) + pool.width(b);
    let x = pool.unary(a, Tag::BvZeroExtend)?;
    let inner = pool.concat(x, b);
    Some(pool.zero_extend_to(width, inner))
}

fn extend_by_nothing(_: &mut TermPool, op: Op, [a, ..]: Args) -> Option<Term> {
    matches!(op, Op::BvZeroExtend(0) | Op::BvSignExtend(0)).then_some(a)
}

fn zero_extend_zero_extend(pool: &mut TermPool, op: Op, [a, ..]: Args) -> Option<Term> {
    let Op::BvZeroExtend(by) = op else { return None };
    let width = pool.width(a) + by;
    let x = pool.unary(a, Tag::BvZeroExtend)?;
    Some(pool.zero_extend_to(width, x))
}

fn sign_extend_sign_extend(pool: &mut TermPool, op: Op, [a, ..]: Args) -> Option<Term> {
    let Op::BvSignExtend(by) = op else { return None };
    let width = pool.width(a) + by;
    let x = pool.unary(a, Tag::BvSignExtend)?;
    Some(pool.sign_extend_to(width, x))
}

/// The sign of a zero-extended term is zero.
fn sign_extend_zero_extend(pool: &mut TermPool, op: Op, [a, ..]: Args) -> Option<Term> {
    let Op::BvSignExtend(by) = op else { return None };
    let width = pool.width(a) + by;
    let x = pool.unary(a, Tag::BvZeroExtend)?;
    // An extension by nothing leaves the sign bit as it is.
    (pool.width(x) < pool.width(a)).then(|| pool.zero_extend_to(width, x))
}
