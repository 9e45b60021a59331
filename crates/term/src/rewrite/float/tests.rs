//! Every rule for floats against the evaluator.

use super::super::tests::assert_equal;
use super::super::{MAX_ARITY, order};
use super::*;
use crate::float::Rounding;
use crate::node::NO_TERM;
use crate::sort::Sort;
use crate::testing::Generator;
use crate::value::BitVec;
use std::collections::BTreeMap;

/// Each is wide enough for arithmetic on the ones before.
const FORMATS: [FloatFormat; 4] =
    [FloatFormat::TINY, FloatFormat::TINY, FloatFormat::SMALL, FloatFormat::HALF];

fn format(g: &mut Generator) -> FloatFormat {
    g.random.pick(&FORMATS)
}

fn rounding(g: &mut Generator) -> Rounding {
    if g.random.percent(60) { Rounding::NearestEven } else { g.random.pick(&Rounding::ALL) }
}

fn literal(g: &mut Generator, format: FloatFormat) -> Term {
    // Small powers of two, and two itself more often than others.
    let exponent = g.random.pick(&[-2, -1, 0, 1, 1, 1, 2]);
    let power = u128::from(format.bias().wrapping_add_signed(exponent)) << format.fraction();
    let sign = if g.random.percent(50) { format.sign_mask() } else { 0 };
    let bits = match g.random.below(8) {
        0 => sign,
        1 => sign | format.exponent_mask(),
        2 => format.nan(),
        3 => sign | (u128::from(format.bias()) << format.fraction()),
        4 | 5 => sign | power,
        _ => u128::from(g.random.next()),
    };
    g.pool.bv(format.width(), bits)
}

fn integer(g: &mut Generator) -> Term {
    let width = g.random.pick(&[1, 2, 3, 4, 6, 9]);
    let x = g.pool.variable(&format!("n{width}"), Sort::BitVec(width));
    match g.random.below(4) {
        0 => g.apply(Op::BvSignExtend(2), &[x]),
        1 => g.apply(Op::BvZeroExtend(2), &[x]),
        _ => x,
    }
}

/// A float of the format, of a shape that rules look for.
fn float(g: &mut Generator, to: FloatFormat, depth: u32) -> Term {
    let variable = |g: &mut Generator| {
        let name = format!("{}{}", g.random.pick(&["x", "y"]), to.width());
        g.pool.variable(&name, Sort::BitVec(to.width()))
    };
    if depth == 0 || g.random.percent(15) {
        return variable(g);
    }
    let rounding = rounding(g);
    match g.random.below(12) {
        0 => literal(g, to),
        1 | 2 => {
            let x = float(g, to, depth - 1);
            let sign = g.pool.bv(to.width(), to.sign_mask());
            g.apply(Op::BvXor, &[x, sign])
        }
        3..=5 => {
            let from = format(g);
            let x = float(g, from, depth - 1);
            g.apply(Op::Fp(FpOp::Convert { from, to, rounding }), &[x])
        }
        6 | 7 => {
            let x = integer(g);
            let op = if g.random.percent(50) {
                FpOp::FromSigned { to, rounding }
            } else {
                FpOp::FromUnsigned { to, rounding }
            };
            g.apply(Op::Fp(op), &[x])
        }
        8 => {
            let x = float(g, to, depth - 1);
            g.apply(Op::Fp(FpOp::RoundToIntegral(to, rounding)), &[x])
        }
        9 => {
            let c = g.pool.variable("c", Sort::Bool);
            let (x, y) = (literal(g, to), literal(g, to));
            g.apply(Op::Ite, &[c, x, y])
        }
        _ => {
            let (op, args) = arithmetic(g, to, depth - 1);
            g.apply(op, &args)
        }
    }
}

/// Arithmetic, often on operands that were widened from one narrower format.
fn arithmetic(g: &mut Generator, format: FloatFormat, depth: u32) -> (Op, Vec<Term>) {
    let rounding = rounding(g);
    let op = g.random.pick(&[
        FpOp::Add(format, rounding),
        FpOp::Sub(format, rounding),
        FpOp::Mul(format, rounding),
        FpOp::Div(format, rounding),
        FpOp::Sqrt(format, rounding),
        FpOp::Fma(format, rounding),
        FpOp::Rem(format),
        FpOp::Mod(format),
        FpOp::Min(format),
        FpOp::Max(format),
    ]);
    let narrow = g.random.percent(40).then(|| g.random.pick(&[FloatFormat::TINY, FloatFormat::SMALL]));
    let args = (0..op.arity())
        .map(|_| match narrow {
            Some(from) if from.is_within(format) && g.random.percent(70) => {
                let x = float(g, from, depth.min(1));
                g.apply(Op::Fp(FpOp::Convert { from, to: format, rounding }), &[x])
            }
            _ if g.random.percent(25) => literal(g, format),
            _ => float(g, format, depth),
        })
        .collect();
    (Op::Fp(op), args)
}

/// Arithmetic at twice the width on numbers of a narrow format.
fn narrowed_arithmetic(g: &mut Generator, narrow: FloatFormat) -> (Op, Vec<Term>) {
    let (wide, rounding) = (FloatFormat::HALF, Rounding::NearestEven);
    let op =
        g.random.pick(&[FpOp::Add(wide, rounding), FpOp::Mul(wide, rounding), FpOp::Div(wide, rounding)]);
    let op = if g.random.percent(20) { FpOp::Sqrt(wide, rounding) } else { op };
    let args: Vec<Term> = (0..op.arity())
        .map(|_| {
            let x = if g.random.percent(20) { literal(g, narrow) } else { float(g, narrow, 1) };
            let x = g.pool.fp_convert(narrow, wide, rounding, x);
            if g.random.percent(20) { g.pool.fp_neg(wide, x) } else { x }
        })
        .collect();
    let result = g.apply(Op::Fp(op), &args);
    (Op::Fp(FpOp::Convert { from: wide, to: narrow, rounding }), vec![result])
}

fn application(g: &mut Generator) -> (Op, Vec<Term>) {
    let (from, to, rounding) = (format(g), format(g), rounding(g));
    let width = g.random.pick(&[1, 3, 4, 8, 11]);
    let depth = 1 + g.random.below(3);
    let op = match g.random.below(15) {
        0..=3 => return arithmetic(g, from, depth),
        4..=8 => {
            let op = g.random.pick(&[FpOp::Eq(from), FpOp::Lt(from), FpOp::Le(from)]);
            let a = float(g, from, depth);
            let b = match g.random.below(3) {
                0 => literal(g, from),
                1 if g.random.percent(20) => a,
                _ => float(g, from, depth),
            };
            return (Op::Fp(op), if g.random.percent(50) { vec![a, b] } else { vec![b, a] });
        }
        9 => {
            let x = integer(g);
            let op = if g.random.percent(50) {
                FpOp::FromSigned { to, rounding }
            } else {
                FpOp::FromUnsigned { to, rounding }
            };
            return (Op::Fp(op), vec![x]);
        }
        10 => FpOp::ToSigned { from, width, rounding },
        11 => FpOp::ToUnsigned { from, width, rounding },
        12 => FpOp::RoundToIntegral(from, rounding),
        13 => {
            let narrow = g.random.pick(&[FloatFormat::TINY, FloatFormat::SMALL]);
            return narrowed_arithmetic(g, narrow);
        }
        _ => FpOp::Convert { from, to, rounding },
    };
    (Op::Fp(op), vec![float(g, from, depth)])
}

#[test]
fn every_float_rule_is_sound_and_alive() {
    let mut fired: BTreeMap<&'static str, u32> = FLOAT.iter().map(|rule| (rule.name, 0)).collect();
    for seed in 0..150 {
        let mut g = Generator::new(seed, 20);
        for _ in 0..100 {
            let (op, args) = application(&mut g);
            if args.iter().all(|&a| g.pool.tag(a) == Tag::BvConst) {
                continue;
            }
            let mut places = [NO_TERM; MAX_ARITY];
            places[..args.len()].copy_from_slice(&args);
            let places = order(&g.pool, op, places);
            let raw = g.pool.apply_raw(op, &args);
            for rule in FLOAT {
                if let Some(result) = (rule.apply)(&mut g.pool, op, places) {
                    assert_equal(&mut g, raw, result, rule.name);
                    *fired.entry(rule.name).or_default() += 1;
                }
            }
            let normal = g.pool.apply(op, &args);
            assert_equal(&mut g, raw, normal, "constructor");
        }
    }
    let rare: Vec<_> = fired.iter().filter(|&(_, &count)| count < 5).collect();
    assert!(rare.is_empty(), "rules that the test hardly reached: {rare:?}");
}

/// The theorem behind narrowing, on all numbers of the tiny formats.
#[test]
fn rounding_twice_does_no_harm() {
    let nearest = Rounding::NearestEven;
    for (narrow, wide) in [(FloatFormat::TINY, FloatFormat::HALF), (FloatFormat::SMALL, FloatFormat::HALF)] {
        let widen = FpOp::Convert { from: narrow, to: wide, rounding: nearest };
        let shrink = FpOp::Convert { from: wide, to: narrow, rounding: nearest };
        let numbers: Vec<BitVec> =
            (0..1 << narrow.width()).map(|bits| BitVec::new(narrow.width(), bits)).collect();
        let check = |make: fn(FloatFormat, Rounding) -> FpOp, args: &[BitVec]| {
            let widened: Vec<BitVec> = args.iter().map(|&a| widen.apply(&[a]).unwrap()).collect();
            let twice = shrink.apply(&[make(wide, nearest).apply(&widened).unwrap()]);
            assert_eq!(twice, make(narrow, nearest).apply(args), "{args:?}");
        };
        for &a in &numbers {
            check(FpOp::Sqrt, &[a]);
            for &b in &numbers {
                check(FpOp::Add, &[a, b]);
                check(FpOp::Mul, &[a, b]);
                check(FpOp::Div, &[a, b]);
            }
        }
    }
}

/// Shapes that C programs give rise to, and what they become.
#[test]
fn usual_shapes_become_simple() {
    let mut pool = TermPool::new();
    let (single, double) = (FloatFormat::SINGLE, FloatFormat::DOUBLE);
    let nearest = Rounding::NearestEven;
    let x = pool.variable("x", Sort::BitVec(32));
    let n = pool.variable("n", Sort::BitVec(32));
    let wide = pool.fp_convert(single, double, nearest, x);
    // x < 0.1 with a float x
    let tenth = pool.bv(64, u128::from(0.1f64.to_bits()));
    let less = pool.fp_lt(double, wide, tenth);
    let next = pool.bv(32, u128::from(0.1f32.to_bits()));
    assert_eq!(less, pool.fp_lt(single, x, next));
    // (float) (x * 0.5)
    let half = pool.bv(64, u128::from(0.5f64.to_bits()));
    let product = pool.fp_mul(double, nearest, wide, half);
    let product = pool.fp_convert(double, single, nearest, product);
    let half = pool.bv(32, u128::from(0.5f32.to_bits()));
    assert_eq!(product, pool.fp_mul(single, nearest, x, half));
    // (double) n < 10.5, (int) (double) n
    let number = pool.fp_from_signed(double, nearest, n);
    let limit = pool.bv(64, u128::from(10.5f64.to_bits()));
    let (less, eleven) = (pool.fp_lt(double, number, limit), pool.bv(32, 11));
    assert_eq!(less, pool.slt(n, eleven));
    assert_eq!(pool.fp_to_signed(double, 32, Rounding::TowardZero, number), n);
    // (float) n == 16777216.0f rounds two integers to this float.
    let number = pool.fp_from_signed(single, nearest, n);
    let limit = pool.bv(32, u128::from(16_777_216f32.to_bits()));
    let equal = pool.fp_eq(single, number, limit);
    let (low, high) = (pool.bv(32, 16_777_216), pool.bv(32, 16_777_217));
    let (above, below) = (pool.sle(low, n), pool.sle(n, high));
    assert_eq!(equal, pool.and(above, below));
}
