//! Equality. Against a literal, invertible operators move to the other side.

use super::boolean::{eq_bool_constant, eq_bool_negation, eq_bool_nested};
use super::lift::{lift_eq_choices, lift_literal, lift_relation, lift_same_condition};
use super::number;
use super::same::eq_same_parts;
use super::view::both_ways;
use super::{Args, Rule, rules};
use crate::node::Tag;
use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::value::{BitVec, mask};

pub(super) const EQ: &[Rule] = rules![
    eq_same,
    eq_same_parts,
    eq_complement,
    eq_bool_constant,
    eq_bool_negation,
    eq_bool_nested,
    number::eq_numbers,
    number::eq_number_choice,
    lift_literal,
    lift_relation,
    lift_same_condition,
    lift_eq_choices,
    eq_one_bit,
    eq_range,
    eq_add_constant,
    eq_constant_minus,
    eq_negated_constant,
    eq_xor_constant,
    eq_mul_constant,
    eq_shl_constant,
    eq_extended_constant,
    eq_concat_constant,
    eq_masked_constant,
    eq_srem_power_of_two,
    eq_difference_zero,
    eq_offsets,
    eq_cancel,
    eq_negations,
    eq_extensions,
    eq_concats,
    eq_const_arrays,
    eq_store_same_array,
];

fn eq_same(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    (a == b).then(|| pool.bool(true))
}

/// A term and its complement differ.
fn eq_complement(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let differ = pool.complementary(a, b, Tag::Not) || pool.complementary(a, b, Tag::BvNot);
    differ.then(|| pool.bool(false))
}

/// A bit is zero if it is not one.
fn eq_one_bit(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    if c.width() != 1 || !c.is_zero() {
        return None;
    }
    let one = pool.bv(1, 1);
    Some(pool.ne(a, one))
}

/// The literal is larger than the term can be.
fn eq_range(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    (c.unsigned() > pool.unsigned_bound(a)).then(|| pool.bool(false))
}

/// `x + c = d` is `x = d - c`.
fn eq_add_constant(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let d = pool.bv_constant(b)?;
    let (x, c) = pool.with_literal(a, Tag::BvAdd)?;
    Some(eq_value(pool, x, d.minus(c)))
}

/// `c - x = d` is `x = c - d`.
fn eq_constant_minus(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let d = pool.bv_constant(b)?;
    let (c, x) = pool.literal_minus(a)?;
    Some(eq_value(pool, x, c.minus(d)))
}

/// `-x = c` is `x = -c`, and likewise for the complement.
fn eq_negated_constant(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    let op = match pool.tag(a) {
        Tag::BvNeg => Op::BvNeg,
        Tag::BvNot => Op::BvNot,
        _ => return None,
    };
    let x = pool.unary(a, op.tag())?;
    Some(eq_value(pool, x, op.apply_unary(c)?))
}

/// `x ^ c = d` is `x = c ^ d`.
fn eq_xor_constant(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let d = pool.bv_constant(b)?;
    let (x, c) = pool.with_literal(a, Tag::BvXor)?;
    Some(eq_value(pool, x, BitVec::new(c.width(), c.unsigned() ^ d.unsigned())))
}

/// `x * c = d` is `x = d / c` for odd `c`, as those have an inverse. For other `c` the trailing zeros of `d`
/// may not be enough.
fn eq_mul_constant(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let d = pool.bv_constant(b)?;
    let (x, c) = pool.with_literal(a, Tag::BvMul)?;
    if c.unsigned() & 1 == 1 {
        return Some(eq_value(pool, x, d.times(inverse(c))));
    }
    let impossible = !d.is_zero() && d.unsigned().trailing_zeros() < c.unsigned().trailing_zeros();
    impossible.then(|| pool.bool(false))
}

/// The multiplicative inverse of an odd number modulo two to the power of its width.
fn inverse(odd: BitVec) -> BitVec {
    // Newton's iteration doubles the number of right bits; an odd number is its own inverse modulo 8.
    let c = odd.unsigned();
    let mut inverse = c;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(c.wrapping_mul(inverse)));
    }
    BitVec::new(odd.width(), inverse)
}

/// `x << k = c` says what the lower bits of `x` are, or is false if `c` has other bits.
fn eq_shl_constant(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    let (x, amount) = pool.with_literal(a, Tag::BvShl)?;
    let k = u32::try_from(amount.unsigned()).ok().filter(|&k| k < c.width())?;
    if c.unsigned() & mask(k) != 0 {
        return Some(pool.bool(false));
    }
    let low = pool.extract(c.width() - 1 - k, 0, x);
    Some(eq_value(pool, low, BitVec::new(c.width() - k, c.unsigned() >> k)))
}

/// An extended term equals a literal if the literal is an extension of what it must equal itself.
fn eq_extended_constant(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    let tag = pool.tag(a);
    if !matches!(tag, Tag::BvZeroExtend | Tag::BvSignExtend) {
        return None;
    }
    let x = pool.unary(a, tag)?;
    let width = pool.width(x);
    let fits = if tag == Tag::BvZeroExtend { c.fits_unsigned(width) } else { c.fits_signed(width) };
    if !fits {
        return Some(pool.bool(false));
    }
    Some(eq_value(pool, x, c.low(width)))
}

/// A concatenation equals a literal if both parts do.
fn eq_concat_constant(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    let (x, y) = pool.binary(a, Tag::BvConcat)?;
    let (high, low) = (pool.width(x), pool.width(y));
    let upper = eq_value(pool, x, BitVec::new(high, c.unsigned() >> low));
    let lower = eq_value(pool, y, c.low(low));
    Some(pool.and(upper, lower))
}

/// `x & c` has no bits beside those of `c`, and `x | c` has all of them.
fn eq_masked_constant(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let d = pool.bv_constant(b)?.unsigned();
    let impossible = match pool.tag(a) {
        Tag::BvAnd => d & !pool.with_literal(a, Tag::BvAnd)?.1.unsigned() != 0,
        Tag::BvOr => !d & pool.with_literal(a, Tag::BvOr)?.1.unsigned() != 0,
        _ => return None,
    };
    impossible.then(|| pool.bool(false))
}

/// C's `x % 2^k == c` asks for the lowest bits of `x` and, unless `c` is zero, for its sign.
fn eq_srem_power_of_two(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let c = pool.bv_constant(b)?;
    let (x, divisor) = pool.with_literal(a, Tag::BvSrem)?;
    let k = divisor.log2()?;
    if k == 0 || divisor.signed() < 0 {
        return None;
    }
    if c.signed().unsigned_abs() >= divisor.unsigned() {
        return Some(pool.bool(false));
    }
    let low = pool.extract(k - 1, 0, x);
    let lowest = eq_value(pool, low, c.low(k));
    if c.is_zero() {
        return Some(lowest);
    }
    let zero = pool.zero(c.width());
    let negative = pool.slt(x, zero);
    let sign = if c.signed() < 0 { negative } else { pool.not(negative) };
    Some(pool.and(sign, lowest))
}

/// `x - y = 0` and `x ^ y = 0` are `x = y`.
fn eq_difference_zero(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    if !pool.bv_constant(b)?.is_zero() {
        return None;
    }
    let (x, y) = pool.binary(a, Tag::BvSub).or_else(|| pool.binary(a, Tag::BvXor))?;
    Some(pool.eq(x, y))
}

/// `x + c = x + d` is false for different literals, and `x + c = y + c` is `x = y`.
fn eq_offsets(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    if pool.sort(a).width().is_none() || pool.is_literal(b) {
        return None;
    }
    let split = |term| match pool.with_literal(term, Tag::BvAdd) {
        Some(parts) => parts,
        None => (term, BitVec::new(pool.width(term), 0)),
    };
    let ((x, c), (y, d)) = (split(a), split(b));
    if x == y {
        return Some(pool.bool(c == d));
    }
    (c == d && !c.is_zero()).then(|| pool.eq(x, y))
}

/// `x + y = x` is `y = 0`, `x + y = x + z` is `y = z`, and likewise for `x - y` and for `^`.
fn eq_cancel(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    for (p, q) in both_ways(a, b) {
        let tag = pool.tag(p);
        if !matches!(tag, Tag::BvAdd | Tag::BvXor | Tag::BvSub) {
            continue;
        }
        let Some((x, y)) = pool.binary(p, tag) else { continue };
        let others = pool.binary(q, tag);
        let width = pool.width(p);
        if tag == Tag::BvSub {
            match others {
                Some((z, w)) if z == x => return Some(pool.eq(y, w)),
                Some((z, w)) if w == y => return Some(pool.eq(x, z)),
                _ if q == x => return Some(eq_value(pool, y, BitVec::new(width, 0))),
                _ => continue,
            }
        }
        for (x, y) in both_ways(x, y) {
            if q == x {
                return Some(eq_value(pool, y, BitVec::new(width, 0)));
            }
            match others {
                Some((z, w)) if z == x => return Some(pool.eq(y, w)),
                Some((z, w)) if w == x => return Some(pool.eq(y, z)),
                _ => {}
            }
        }
    }
    None
}

/// `-x = -y` is `x = y`, and likewise for the complement.
fn eq_negations(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let tag = pool.tag(a);
    if !matches!(tag, Tag::BvNeg | Tag::BvNot) {
        return None;
    }
    let (x, y) = (pool.unary(a, tag)?, pool.unary(b, tag)?);
    Some(pool.eq(x, y))
}

/// Two terms that were extended in the same way are compared at the larger of their own widths.
fn eq_extensions(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let tag = pool.tag(a);
    if !matches!(tag, Tag::BvZeroExtend | Tag::BvSignExtend) {
        return None;
    }
    let (x, y) = (pool.unary(a, tag)?, pool.unary(b, tag)?);
    let width = pool.width(x).max(pool.width(y));
    let (x, y) = if tag == Tag::BvZeroExtend {
        (pool.zero_extend_to(width, x), pool.zero_extend_to(width, y))
    } else {
        (pool.sign_extend_to(width, x), pool.sign_extend_to(width, y))
    };
    Some(pool.eq(x, y))
}

/// Concatenations that are split at the same place are compared part by part.
fn eq_concats(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let (x, y) = pool.binary(a, Tag::BvConcat)?;
    let (z, w) = pool.binary(b, Tag::BvConcat)?;
    if pool.width(y) != pool.width(w) {
        return None;
    }
    let (upper, lower) = (pool.eq(x, z), pool.eq(y, w));
    Some(pool.and(upper, lower))
}

fn eq_const_arrays(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let (x, y) = (pool.unary(a, Tag::ConstArray)?, pool.unary(b, Tag::ConstArray)?);
    Some(pool.eq(x, y))
}

/// Writing changes nothing if the element was there.
fn eq_store_same_array(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    for (p, q) in both_ways(a, b) {
        if let Some((array, index, element)) = pool.ternary(p, Tag::Store)
            && array == q
        {
            let present = pool.select(array, index);
            return Some(pool.eq(present, element));
        }
    }
    None
}

fn eq_value(pool: &mut TermPool, term: Term, value: BitVec) -> Term {
    let value = pool.bv_value(value);
    pool.eq(term, value)
}
