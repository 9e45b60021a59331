//! Corner cases of bit-vector and array values.

use super::*;
use crate::op::Op;

fn bits(width: u32, value: i128) -> BitVec {
    BitVec::from_signed(width, value)
}

const WIDTHS: [u32; 8] = [1, 2, 7, 8, 32, 63, 64, 128];

#[test]
fn values_are_taken_modulo_the_width() {
    assert_eq!(BitVec::new(8, 0x1ff).unsigned(), 0xff);
    assert_eq!(BitVec::new(8, 0xff).signed(), -1);
    assert_eq!(BitVec::new(1, 1).signed(), -1);
    assert_eq!(BitVec::new(128, u128::MAX).signed(), -1);
    assert_eq!(bits(128, i128::MIN).signed(), i128::MIN);
    assert_eq!(bits(64, -1).unsigned(), u64::MAX.into());
    assert!(BitVec::new(128, 1 << 127).bit(127));
    assert!(!BitVec::new(8, 0xff).bit(8));
}

#[test]
fn division_by_zero_is_that_of_smtlib() {
    for width in WIDTHS {
        let zero = bits(width, 0);
        for value in [0, 1, -1, 5, -5] {
            let a = bits(width, value);
            assert_eq!(a.udiv(zero), bits(width, -1));
            assert_eq!(a.urem(zero), a);
            assert_eq!(a.sdiv(zero), bits(width, if a.signed() < 0 { 1 } else { -1 }));
            assert_eq!(a.srem(zero), a);
        }
    }
}

#[test]
fn signed_division_rounds_towards_zero() {
    let q = |a, b| bits(8, a).sdiv(bits(8, b)).signed();
    let r = |a, b| bits(8, a).srem(bits(8, b)).signed();
    assert_eq!((q(7, 2), r(7, 2)), (3, 1));
    assert_eq!((q(-7, 2), r(-7, 2)), (-3, -1));
    assert_eq!((q(7, -2), r(7, -2)), (-3, 1));
    assert_eq!((q(-7, -2), r(-7, -2)), (3, -1));
}

#[test]
fn the_least_number_divided_by_minus_one_wraps() {
    for width in WIDTHS {
        let least = BitVec::new(width, 1 << (width - 1));
        let minus_one = bits(width, -1);
        // At width 1 the least number is -1 itself, and 1 wraps to it.
        assert_eq!(least.sdiv(minus_one), least);
        assert_eq!(least.srem(minus_one), bits(width, 0));
    }
}

#[test]
fn shifts_by_the_width_or_more_empty_the_word() {
    for width in WIDTHS {
        let all = bits(width, -1);
        let positive = BitVec::new(width, mask(width) >> 1);
        // The width itself has to fit into its own word, which it does not at widths 1 and 2.
        if width > 2 {
            let amount = BitVec::new(width, width.into());
            assert_eq!(all.shl(amount), bits(width, 0));
            assert_eq!(all.lshr(amount), bits(width, 0));
            assert_eq!(all.ashr(amount), all);
            assert_eq!(positive.ashr(amount), bits(width, 0));
        }
        let largest = bits(width, -1);
        assert_eq!(all.ashr(largest), all);
        assert_eq!(positive.ashr(largest), bits(width, 0));
        if width > 1 {
            assert_eq!(all.shl(largest), bits(width, 0));
            assert_eq!(all.lshr(largest), bits(width, 0));
        }
    }
}

#[test]
fn shifts_below_the_width() {
    for width in WIDTHS {
        let zero = bits(width, 0);
        let top = BitVec::new(width, 1 << (width - 1));
        assert_eq!(top.shl(zero), top);
        assert_eq!(top.lshr(zero), top);
        assert_eq!(top.ashr(zero), top);
        if width > 1 {
            let almost = BitVec::new(width, (width - 1).into());
            assert_eq!(bits(width, 1).shl(almost), top);
            assert_eq!(top.lshr(almost), bits(width, 1));
            assert_eq!(top.ashr(almost), bits(width, -1));
        }
    }
    // Width 1 has the amounts 0 and 1; the latter is the width.
    assert_eq!(bits(1, 1).shl(bits(1, 1)), bits(1, 0));
    assert_eq!(bits(1, 1).lshr(bits(1, 1)), bits(1, 0));
    assert_eq!(bits(1, 1).ashr(bits(1, 1)), bits(1, 1));
}

#[test]
fn rotations_keep_all_bits() {
    for width in WIDTHS {
        let value = BitVec::new(width, 0x1234_5678_9abc_def0_0fed_cba9_8765_4321);
        assert_eq!(value.rotate_left(0), value);
        assert_eq!(value.rotate_left(width), value);
        for amount in [1, 3, width - 1, width + 1, u32::MAX] {
            let left = Op::BvRotateLeft(amount).apply_unary(value).unwrap();
            let back = Op::BvRotateRight(amount).apply_unary(left).unwrap();
            assert_eq!(back, value, "width {width}, amount {amount}");
        }
    }
    assert_eq!(BitVec::new(8, 0x81).rotate_left(1), BitVec::new(8, 0x03));
}

#[test]
fn extensions_and_slices() {
    let apply = |op: Op, a: BitVec| op.apply(&[Value::BitVec(a)]).and_then(|v| v.as_bit_vec()).unwrap();
    assert_eq!(apply(Op::BvSignExtend(127), bits(1, 1)), bits(128, -1));
    assert_eq!(apply(Op::BvZeroExtend(127), bits(1, 1)), bits(128, 1));
    assert_eq!(apply(Op::BvSignExtend(0), bits(8, -3)), bits(8, -3));
    assert_eq!(apply(Op::BvExtract { high: 127, low: 127 }, bits(128, -1)), bits(1, 1));
    assert_eq!(apply(Op::BvExtract { high: 127, low: 0 }, bits(128, -5)), bits(128, -5));
    let parts = [Value::BitVec(bits(1, 1)), Value::BitVec(bits(127, 0))];
    assert_eq!(Op::BvConcat.apply(&parts), Some(Value::BitVec(BitVec::new(128, 1 << 127))));
    assert_eq!(Op::BvAdd.apply(&[Value::Bool(true), Value::Bool(true)]), None);
    assert_eq!(Op::Variable(0).apply(&[]), None);
}

#[test]
fn literals_are_printed_with_all_digits() {
    assert_eq!(BitVec::new(8, 10).to_string(), "#x0a");
    assert_eq!(BitVec::new(7, 10).to_string(), "#b0001010");
    assert_eq!(BitVec::new(128, 1).to_string(), format!("#x{}1", "0".repeat(31)));
}

#[test]
fn arrays_are_equal_if_their_elements_are() {
    let e = |v| BitVec::new(8, v);
    let i = |v| BitVec::new(2, v);
    let zeros = ArrayValue::constant(2, e(0));
    let ones = ArrayValue::constant(2, e(1));
    assert_ne!(zeros, ones);
    assert_eq!(zeros.store(i(1), e(5)).store(i(1), e(0)), zeros);
    assert_ne!(zeros.store(i(1), e(5)), zeros.store(i(2), e(5)));
    // All entries listed, so the default is not seen.
    let mut covered = zeros.clone();
    for k in 0..4 {
        covered = covered.store(i(k), e(1));
    }
    assert_eq!(covered, ones);
    assert_eq!(ones, covered);
    assert_ne!(covered.store(i(3), e(2)), ones);
    // Neither lists all entries, but both together do.
    let left = zeros.store(i(0), e(1)).store(i(1), e(1));
    let right = ones.store(i(2), e(0)).store(i(3), e(0));
    assert_eq!(left, right);
    assert_ne!(left, ones.store(i(2), e(0)));
    assert_ne!(ArrayValue::constant(3, e(0)), zeros);
    assert_ne!(ArrayValue::constant(128, e(0)), ArrayValue::constant(128, e(1)));
    assert_eq!(ArrayValue::constant(1, e(7)).sort(), Sort::Array { index: 1, element: 8 });
}

#[test]
fn arrays_are_printed_as_writes() {
    let array = ArrayValue::constant(4, BitVec::new(8, 0)).store(BitVec::new(4, 2), BitVec::new(8, 255));
    let text = Value::Array(array).to_string();
    assert_eq!(text, "(store ((as const (Array (_ BitVec 4) (_ BitVec 8))) #x00) #x2 #xff)");
}
