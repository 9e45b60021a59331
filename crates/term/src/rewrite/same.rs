//! Terms that are equal because they differ only in the order of operands.
//!
//! Sums of few parts are sorted when they are made; sorting long ones again and again would cost too much. So they
//! are compared without regard to order where an equality asks for it, once.

use super::Args;
use crate::node::Tag;
use crate::op::Op;
use crate::pool::{Term, TermPool};

/// Terms with more parts than this are not compared.
const MAX_PARTS: usize = 1 << 21;

/// Both sides are the same but for the order of operands.
pub(super) fn eq_same_parts(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    same_up_to_order(pool, a, b).then(|| pool.bool(true))
}

fn same_up_to_order(pool: &TermPool, a: Term, b: Term) -> bool {
    let mut open = vec![(a, b)];
    let mut budget = MAX_PARTS;
    while let Some((x, y)) = open.pop() {
        if x == y {
            continue;
        }
        let (op, args) = (pool.op(x), pool.args(x));
        if op != pool.op(y) || args.is_empty() || budget < args.len() {
            return false;
        }
        budget -= args.len();
        let Some(tag) = order_free(op) else {
            open.extend(args.iter().copied().zip(pool.args(y).iter().copied()));
            continue;
        };
        let (Some(mut left), Some(mut right)) =
            (parts(pool, x, tag, &mut budget), parts(pool, y, tag, &mut budget))
        else {
            return false;
        };
        if left.len() != right.len() {
            return false;
        }
        left.sort_unstable();
        right.sort_unstable();
        let (left, right) = differences(&left, &right);
        match (left.as_slice(), right.as_slice()) {
            ([], []) => {}
            (&[x], &[y]) => open.push((x, y)),
            _ => return false,
        }
    }
    true
}

/// Operators whose operands can be put in any order and grouped in any way.
fn order_free(op: Op) -> Option<Tag> {
    match op {
        Op::BvAdd => Some(Tag::BvAdd),
        Op::BvMul => Some(Tag::BvMul),
        Op::BvXor => Some(Tag::BvXor),
        Op::BvAnd => Some(Tag::BvAnd),
        Op::BvOr => Some(Tag::BvOr),
        _ => None,
    }
}

/// The operands of nested applications of one operator.
fn parts(pool: &TermPool, term: Term, tag: Tag, budget: &mut usize) -> Option<Vec<Term>> {
    let mut parts = Vec::new();
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        match pool.binary(term, tag) {
            Some((x, y)) => stack.extend([x, y]),
            None => parts.push(term),
        }
        *budget = budget.checked_sub(1)?;
    }
    Some(parts)
}

/// What is only in one of two sorted lists.
fn differences(left: &[Term], right: &[Term]) -> (Vec<Term>, Vec<Term>) {
    let (mut i, mut j) = (0, 0);
    let (mut only_left, mut only_right) = (Vec::new(), Vec::new());
    while i < left.len() && j < right.len() {
        match left[i].cmp(&right[j]) {
            std::cmp::Ordering::Equal => (i, j) = (i + 1, j + 1),
            std::cmp::Ordering::Less => {
                only_left.push(left[i]);
                i += 1;
            }
            std::cmp::Ordering::Greater => {
                only_right.push(right[j]);
                j += 1;
            }
        }
    }
    only_left.extend(&left[i..]);
    only_right.extend(&right[j..]);
    (only_left, only_right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn long_sums_are_equal_in_any_order() {
        let mut pool = TermPool::new();
        let parts: Vec<Term> =
            (0..1000).map(|index| pool.variable(&format!("x{index}"), Sort::BitVec(32))).collect();
        for op in [Op::BvAdd, Op::BvXor, Op::BvAnd, Op::BvOr] {
            let mut chain = |order: &mut dyn Iterator<Item = &Term>| {
                let first = *order.next().unwrap();
                order.fold(first, |chain, &part| pool.apply(op, &[chain, part]))
            };
            let (forwards, backwards) = (chain(&mut parts.iter()), chain(&mut parts.iter().rev()));
            let shorter = chain(&mut parts[1..].iter());
            let divisor = pool.bv(32, 7);
            let (one, other) = (pool.udiv(forwards, divisor), pool.udiv(backwards, divisor));
            let equal = pool.eq(one, other);
            assert_eq!(pool.bool_constant(equal), Some(true), "{op:?}");
            let unequal = pool.eq(shorter, backwards);
            assert_eq!(pool.bool_constant(unequal), None, "{op:?}");
        }
    }
}
