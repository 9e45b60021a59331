//! Circuits against the evaluator. Gates of constants are constants, so most of it needs no SAT solver.

use super::super::gates::Gates;
use super::super::sat::Sat;
use super::super::words::{Circuits, Word, constant_value, constant_word};
use crate::solver::Interrupt;
use aster_term::{BitVec, FloatFormat, FpOp, Rounding};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

const TINY: FloatFormat = FloatFormat::TINY;
const SMALL: FloatFormat = FloatFormat::SMALL;

fn circuits() -> Circuits {
    Circuits::new(Gates::new(Sat::new(Interrupt::default())))
}

fn word(value: BitVec) -> Word {
    constant_word(value.width(), value.unsigned())
}

/// The circuit, fed with constants, gives what the evaluator says.
fn check(circuits: &mut Circuits, op: FpOp, args: &[BitVec]) {
    let words: Vec<Word> = args.iter().map(|&arg| word(arg)).collect();
    let Some(result) = circuits.float(op, &words) else {
        let FpOp::Rem(format) = op else { panic!("no circuit for {op:?}") };
        assert!(format.exponent > FloatFormat::SINGLE.exponent, "{op:?}");
        return;
    };
    let expected = op.apply(args).expect("a value");
    assert_eq!(result.len(), expected.width() as usize, "{op:?}");
    assert_eq!(constant_value(&result), Some(expected.unsigned()), "{op:?} {args:?}, expected {expected:?}");
}

fn patterns(width: u32) -> impl Iterator<Item = BitVec> + Clone {
    (0..1 << width).map(move |bits| BitVec::new(width, bits))
}

fn binary_operators(format: FloatFormat) -> Vec<FpOp> {
    let mut ops = vec![
        FpOp::Rem(format),
        FpOp::Min(format),
        FpOp::Max(format),
        FpOp::Eq(format),
        FpOp::Lt(format),
        FpOp::Le(format),
    ];
    for rounding in Rounding::ALL {
        ops.extend([FpOp::Add(format, rounding), FpOp::Sub(format, rounding)]);
        ops.extend([FpOp::Mul(format, rounding), FpOp::Div(format, rounding)]);
    }
    ops
}

fn unary_operators(format: FloatFormat) -> Vec<FpOp> {
    let mut ops = Vec::new();
    for rounding in Rounding::ALL {
        ops.extend([FpOp::Sqrt(format, rounding), FpOp::RoundToIntegral(format, rounding)]);
        ops.extend(FloatFormat::ALL.map(|to| FpOp::Convert { from: format, to, rounding }));
        for width in [1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 64, 127, 128] {
            ops.push(FpOp::ToSigned { from: format, width, rounding });
            ops.push(FpOp::ToUnsigned { from: format, width, rounding });
        }
    }
    ops
}

#[test]
fn tiny_unary_circuits_are_exact() {
    let circuits = &mut circuits();
    for format in [TINY, SMALL] {
        for op in unary_operators(format) {
            patterns(format.width()).for_each(|a| check(circuits, op, &[a]));
        }
    }
    for (from, to) in [(FloatFormat::HALF, TINY), (FloatFormat::HALF, SMALL)] {
        for rounding in Rounding::ALL {
            let op = FpOp::Convert { from, to, rounding };
            patterns(16).for_each(|a| check(circuits, op, &[a]));
        }
    }
}

#[test]
fn tiny_binary_circuits_are_exact() {
    let circuits = &mut circuits();
    for format in [TINY, SMALL] {
        for op in binary_operators(format) {
            for a in patterns(format.width()) {
                patterns(format.width()).for_each(|b| check(circuits, op, &[a, b]));
            }
        }
    }
}

#[test]
fn tiny_fused_circuits_are_exact() {
    let circuits = &mut circuits();
    for rounding in Rounding::ALL {
        // All in one mode; in the others every third addend, each pair of factors with other ones.
        let stride = if rounding == Rounding::NearestEven { 1 } else { 5 };
        for (i, a) in patterns(TINY.width()).enumerate() {
            for (j, b) in patterns(TINY.width()).enumerate() {
                let addends = patterns(TINY.width()).skip((i + j) % stride).step_by(stride);
                addends.for_each(|c| check(circuits, FpOp::Fma(TINY, rounding), &[a, b, c]));
            }
        }
    }
}

#[test]
fn tiny_integers_are_converted_exactly() {
    let circuits = &mut circuits();
    for format in [TINY, SMALL, FloatFormat::HALF] {
        for rounding in Rounding::ALL {
            for width in [1, 2, 4, 5, 8, 9] {
                for a in patterns(width) {
                    check(circuits, FpOp::FromSigned { to: format, rounding }, &[a]);
                    check(circuits, FpOp::FromUnsigned { to: format, rounding }, &[a]);
                }
            }
        }
    }
}

/// Random bits, often special, subnormal or of similar size.
fn random_float(random: &mut SmallRng, format: FloatFormat) -> BitVec {
    let wild: u128 = random.random();
    let (sign, fraction) = (wild & format.sign_mask(), wild & format.fraction_mask());
    let mut near_one = || (u128::from(format.bias() + random.random_range(0..9)) - 4) << format.fraction();
    let bits = match wild >> 124 {
        0 => sign,
        1 => sign | format.exponent_mask(),
        2 => format.exponent_mask() | fraction | 1,
        3 => sign | fraction,
        4 => sign | 1,
        5 => sign | (format.exponent_mask() - 1),
        6..=8 => sign | near_one() | fraction,
        9 => sign | near_one(),
        10 => sign | near_one() | (fraction & (format.fraction_mask() << (format.fraction() / 2))),
        _ => wild,
    };
    BitVec::new(format.width(), bits)
}

#[test]
fn large_circuits_are_exact() {
    let mut random = SmallRng::seed_from_u64(6);
    let circuits = &mut circuits();
    for format in [
        FloatFormat::HALF,
        FloatFormat::SINGLE,
        FloatFormat::DOUBLE,
        FloatFormat::EXTENDED,
        FloatFormat::QUAD,
    ] {
        let rounds = if format.significand > 60 { 3 } else { 20 };
        for _ in 0..rounds {
            for op in unary_operators(format) {
                check(circuits, op, &[random_float(&mut random, format)]);
            }
            for op in binary_operators(format) {
                let (a, b) = (random_float(&mut random, format), random_float(&mut random, format));
                check(circuits, op, &[a, b]);
                // A small difference of large numbers.
                let close = BitVec::new(format.width(), a.unsigned() ^ random.random_range(0..8));
                check(circuits, op, &[a, close]);
            }
            for rounding in Rounding::ALL {
                let [a, b, c] = [(); 3].map(|()| random_float(&mut random, format));
                check(circuits, FpOp::Fma(format, rounding), &[a, b, c]);
                let product = FpOp::Mul(format, rounding).apply(&[a, b]).unwrap();
                let negated = BitVec::new(format.width(), product.unsigned() ^ format.sign_mask());
                check(circuits, FpOp::Fma(format, rounding), &[a, b, negated]);
                for width in [8, 16, 32, 33, 64, 128] {
                    let bits = random.random::<u128>() >> random.random_range(0..128);
                    let integer = BitVec::new(width, bits);
                    check(circuits, FpOp::FromSigned { to: format, rounding }, &[integer]);
                    check(circuits, FpOp::FromUnsigned { to: format, rounding }, &[integer]);
                }
            }
        }
    }
}

/// How many clauses each operator takes, with operands about which nothing is known.
#[test]
fn circuits_are_compact() {
    for format in [FloatFormat::SINGLE, FloatFormat::DOUBLE] {
        let rounding = Rounding::NearestEven;
        let other = if format == FloatFormat::SINGLE { FloatFormat::DOUBLE } else { FloatFormat::SINGLE };
        for op in [
            FpOp::Add(format, rounding),
            FpOp::Mul(format, rounding),
            FpOp::Div(format, rounding),
            FpOp::Fma(format, rounding),
            FpOp::Sqrt(format, rounding),
            FpOp::Rem(format),
            FpOp::RoundToIntegral(format, rounding),
            FpOp::Min(format),
            FpOp::Eq(format),
            FpOp::Lt(format),
            FpOp::Convert { from: format, to: other, rounding },
            FpOp::FromSigned { to: format, rounding },
            FpOp::ToSigned { from: format, width: 32, rounding },
        ] {
            let circuits = &mut circuits();
            let width = op.operand_format().map_or(32, FloatFormat::width);
            let args: Vec<Word> = (0..op.arity()).map(|_| circuits.fresh(width)).collect();
            let found = circuits.float(op, &args).is_some();
            println!("{:?} {}: {} {}", format, op.name(), circuits.gates.sat.clauses(), found);
        }
    }
}
