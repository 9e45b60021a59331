//! What the rules are for: shapes that C programs give rise to, and their normal forms.

use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::sort::Sort;

struct Setting {
    pool: TermPool,
    x: Term,
    y: Term,
    c: Term,
    d: Term,
}

/// Two ints and two chars.
fn setting() -> Setting {
    let mut pool = TermPool::new();
    let [x, y] = ["x", "y"].map(|name| pool.variable(name, Sort::BitVec(32)));
    let [c, d] = ["c", "d"].map(|name| pool.variable(name, Sort::BitVec(8)));
    Setting { pool, x, y, c, d }
}

/// The C integer of a condition.
fn as_int(pool: &mut TermPool, condition: Term) -> Term {
    let (one, zero) = (pool.bv(32, 1), pool.bv(32, 0));
    pool.ite(condition, one, zero)
}

#[test]
fn conditions_come_back_from_integers() {
    let Setting { mut pool, x, y, .. } = setting();
    let less = pool.slt(x, y);
    let int = as_int(&mut pool, less);
    let zero = pool.bv(32, 0);
    // (a < b) != 0, !(a < b), !!(a < b), (a < b) == 1, (a < b) + 1 > 1, (char)(a < b) != 0
    assert_eq!(pool.ne(int, zero), less);
    let is_zero = pool.eq(int, zero);
    assert_eq!(is_zero, pool.not(less));
    let negated = as_int(&mut pool, is_zero);
    assert_eq!(pool.eq(negated, zero), less);
    let one = pool.bv(32, 1);
    assert_eq!(pool.eq(int, one), less);
    let sum = pool.add(int, one);
    assert_eq!(pool.slt(one, sum), less);
    let narrow = pool.extract(7, 0, int);
    let byte_zero = pool.bv(8, 0);
    assert_eq!(pool.ne(narrow, byte_zero), less);
    let wide = pool.sign_extend_to(64, int);
    let wide_zero = pool.bv(64, 0);
    assert_eq!(pool.ne(wide, wide_zero), less);
}

#[test]
fn bitwise_operators_on_conditions_are_connectives() {
    let Setting { mut pool, x, y, .. } = setting();
    let (less, equal) = (pool.slt(x, y), pool.eq(x, y));
    let (a, b) = (as_int(&mut pool, less), as_int(&mut pool, equal));
    let zero = pool.bv(32, 0);
    let both = pool.bvand(a, b);
    let both_hold = pool.ne(both, zero);
    assert_eq!(both_hold, pool.and(less, equal));
    let either = pool.bvor(a, b);
    let either_holds = pool.ne(either, zero);
    assert_eq!(either_holds, pool.or(less, equal));
    let same = pool.eq(a, b);
    assert_eq!(same, pool.eq(less, equal));
}

#[test]
fn comparisons_have_one_form() {
    let Setting { mut pool, x, y, .. } = setting();
    let (less, at_most) = (pool.slt(x, y), pool.sle(y, x));
    assert_eq!(pool.not(at_most), less);
    let (five, six) = (pool.bv(32, 5), pool.bv(32, 6));
    // x <= 5, x < 6, !(x > 5), !(5 < x), 6 > x
    let below = pool.slt(x, six);
    assert_eq!(pool.sle(x, five), below);
    let above = pool.slt(five, x);
    assert_eq!(pool.not(above), below);
    let (zero, one) = (pool.bv(32, 0), pool.bv(32, 1));
    let is_zero = pool.eq(x, zero);
    assert_eq!(pool.ult(x, one), is_zero);
    let positive = pool.ult(zero, x);
    assert_eq!(pool.not(positive), is_zero);
    assert_eq!(pool.ule(x, zero), is_zero);
}

#[test]
fn narrow_types_are_computed_narrowly() {
    let Setting { mut pool, c, d, .. } = setting();
    let (int_c, int_d) = (pool.sign_extend_to(32, c), pool.sign_extend_to(32, d));
    // c = c + 1; c = c * d + 2
    let one = pool.bv(32, 1);
    let sum = pool.add(int_c, one);
    let byte_one = pool.bv(8, 1);
    let expected = pool.add(c, byte_one);
    assert_eq!(pool.extract(7, 0, sum), expected);
    let product = pool.mul(int_c, int_d);
    let two = pool.bv(32, 2);
    let sum = pool.add(product, two);
    let byte_two = pool.bv(8, 2);
    let expected = pool.mul(c, d);
    let expected = pool.add(expected, byte_two);
    assert_eq!(pool.extract(7, 0, sum), expected);
    // c < d, c == d, c < 'a', c < 1000
    let expected = pool.slt(c, d);
    assert_eq!(pool.slt(int_c, int_d), expected);
    let expected = pool.eq(c, d);
    assert_eq!(pool.eq(int_c, int_d), expected);
    let (a, byte_a) = (pool.bv(32, 97), pool.bv(8, 97));
    let expected = pool.slt(c, byte_a);
    assert_eq!(pool.slt(int_c, a), expected);
    let thousand = pool.bv(32, 1000);
    let always = pool.bool(true);
    assert_eq!(pool.slt(int_c, thousand), always);
}

#[test]
fn sums_collect_their_constants() {
    let Setting { mut pool, x, y, .. } = setting();
    let (one, two, three) = (pool.bv(32, 1), pool.bv(32, 2), pool.bv(32, 3));
    let mut sum = pool.add(x, one);
    sum = pool.add(sum, y);
    sum = pool.sub(sum, three);
    sum = pool.add(sum, two);
    assert_eq!(sum, pool.add(x, y));
    let doubled = pool.add(x, x);
    assert_eq!(doubled, pool.mul(x, two));
    assert_eq!(doubled, pool.shl(x, one));
    let tripled = pool.add(doubled, x);
    assert_eq!(tripled, pool.mul(x, three));
    assert_eq!(pool.sub(tripled, doubled), x);
}

#[test]
fn bytes_come_apart_and_together() {
    let Setting { mut pool, x, .. } = setting();
    let eight = pool.bv(32, 8);
    let mask = pool.bv(32, 0xff);
    // (x >> 8) & 0xff is the second byte.
    let shifted = pool.lshr(x, eight);
    let byte = pool.bvand(shifted, mask);
    let expected = pool.extract(15, 8, x);
    assert_eq!(byte, pool.zero_extend_to(32, expected));
    // The halves of x, put together with << and |.
    let sixteen = pool.bv(32, 16);
    let (high, low) = (pool.extract(31, 16, x), pool.extract(15, 0, x));
    let (high, low) = (pool.zero_extend_to(32, high), pool.zero_extend_to(32, low));
    let high = pool.shl(high, sixteen);
    assert_eq!(pool.bvor(high, low), x);
    let there = pool.rotate_left(5, x);
    assert_eq!(pool.rotate_right(5, there), x);
}

#[test]
fn parity_is_a_bit() {
    let Setting { mut pool, x, .. } = setting();
    let (zero, one, two) = (pool.bv(32, 0), pool.bv(32, 1), pool.bv(32, 2));
    let remainder = pool.srem(x, two);
    let even = pool.eq(remainder, zero);
    let masked = pool.bvand(x, one);
    assert_eq!(even, pool.eq(masked, zero));
    let unsigned = pool.urem(x, two);
    assert_eq!(even, pool.eq(unsigned, zero));
}

#[test]
fn contradictions_are_noticed() {
    let Setting { mut pool, x, .. } = setting();
    let [three, five, six] = [3, 5, 6].map(|n| pool.bv(32, n));
    let never = pool.bool(false);
    let (is_three, is_five) = (pool.eq(x, three), pool.eq(x, five));
    assert_eq!(pool.and(is_three, is_five), never);
    let below = pool.slt(x, three);
    let above = pool.slt(five, x);
    assert_eq!(pool.and(below, above), never);
    assert_eq!(pool.and(below, is_five), never);
    let not_five = pool.not(is_five);
    assert_eq!(pool.and(is_three, not_five), is_three);
    // 5 <= x < 6
    let from_five = pool.sle(five, x);
    let below_six = pool.slt(x, six);
    assert_eq!(pool.and(from_five, below_six), is_five);
}

#[test]
fn reads_look_behind_writes() {
    let mut pool = TermPool::new();
    let sort = Sort::Array { index: 32, element: 8 };
    let a = pool.variable("a", sort);
    let i = pool.variable("i", Sort::BitVec(32));
    let j = pool.variable("j", Sort::BitVec(32));
    let (one, two) = (pool.bv(32, 1), pool.bv(32, 2));
    let (e, f) = (pool.variable("e", Sort::BitVec(8)), pool.variable("f", Sort::BitVec(8)));
    let (next, after) = (pool.add(i, one), pool.add(i, two));
    let written = pool.store(a, i, e);
    let written = pool.store(written, next, f);
    assert_eq!(pool.select(written, i), e);
    let expected = pool.select(a, after);
    assert_eq!(pool.select(written, after), expected);
    // Another index may be one of those.
    let unknown = pool.select(written, j);
    assert_eq!(pool.op(unknown), Op::Select);
    assert_eq!(pool.args(unknown), [written, j]);
    // Writing again at the same place, and writing what is there.
    let again = pool.store(written, i, f);
    let expected = pool.store(a, next, f);
    assert_eq!(again, pool.store(expected, i, f));
    assert_eq!(pool.store(written, i, e), written);
    let present = pool.select(a, after);
    assert_eq!(pool.store(written, after, present), written);
}
