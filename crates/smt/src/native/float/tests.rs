//! Circuits against the evaluator. Gates of constants are constants, so most of it needs no SAT solver.

use super::super::gates::Gates;
use super::super::sat::{Lit, Outcome, Sat, TRUE};
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
    let mut near_one = || (u128::from(format.bias() + random.random_range(0..5)) - 2) << format.fraction();
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

/// Circuits of unknown operands, whose values are assumed one after another. The first operand is all unknown, the
/// second has some constant bits.
#[test]
fn unknown_operands_give_the_same_results() {
    let mut random = SmallRng::seed_from_u64(7);
    for format in [SMALL, FloatFormat::HALF] {
        let mut ops = binary_operators(format);
        ops.extend(unary_operators(format));
        ops.extend(Rounding::ALL.map(|rounding| FpOp::Fma(format, rounding)));
        for op in ops {
            let circuits = &mut circuits();
            let words: Vec<Word> = (0..op.arity()).map(|_| circuits.fresh(format.width())).collect();
            let mask: u128 =
                if random.random() { 0 } else { random.random::<u128>() & random.random::<u128>() };
            let pattern: u128 = random.random();
            let args: Vec<Word> = words
                .iter()
                .enumerate()
                .map(|(number, word)| {
                    let constants = constant_word(format.width(), pattern);
                    let is_constant = |i: usize| number == 1 && (mask >> i) & 1 == 1;
                    (0..word.len()).map(|i| if is_constant(i) { constants[i] } else { word[i] }).collect()
                })
                .collect();
            let result = circuits.float(op, &args).expect("a circuit");
            for _ in 0..20 {
                let values: Vec<BitVec> = (0..op.arity())
                    .map(|number| {
                        let bits = random_float(&mut random, format).unsigned();
                        let bits = if number == 1 { (bits & !mask) | (pattern & mask) } else { bits };
                        BitVec::new(format.width(), bits)
                    })
                    .collect();
                let assumed: Vec<Lit> = args
                    .iter()
                    .zip(&values)
                    .flat_map(|(word, value)| {
                        word.iter().enumerate().map(|(i, &bit)| if value.bit(i as u32) { bit } else { -bit })
                    })
                    .filter(|&literal| literal != TRUE)
                    .collect();
                assert_eq!(circuits.gates.sat.solve(&assumed, None), Outcome::Sat, "{op:?} {values:?}");
                let bits = result
                    .iter()
                    .enumerate()
                    .fold(0u128, |bits, (i, &bit)| bits | (u128::from(circuits.gates.sat.value(bit)) << i));
                assert_eq!(Some(bits), op.apply(&values).map(BitVec::unsigned), "{op:?} {values:?}");
            }
        }
    }
}

/// How many clauses each operator takes, with operands about which nothing is known. The documentation of the module has
/// these numbers.
#[test]
fn circuits_are_compact() {
    for (format, other, limits) in [
        (
            FloatFormat::SINGLE,
            FloatFormat::DOUBLE,
            [3_800, 16_000, 19_000, 23_500, 9_100, 1_700, 850, 280, 560, 1_150, 1_700, 1_700],
        ),
        (
            FloatFormat::DOUBLE,
            FloatFormat::SINGLE,
            [8_200, 71_000, 82_000, 87_500, 40_000, 3_600, 1_700, 510, 1_100, 1_600, 1_600, 1_900],
        ),
    ] {
        let rounding = Rounding::NearestEven;
        let ops = [
            FpOp::Add(format, rounding),
            FpOp::Mul(format, rounding),
            FpOp::Div(format, rounding),
            FpOp::Fma(format, rounding),
            FpOp::Sqrt(format, rounding),
            FpOp::RoundToIntegral(format, rounding),
            FpOp::Min(format),
            FpOp::Eq(format),
            FpOp::Lt(format),
            FpOp::Convert { from: format, to: other, rounding },
            FpOp::FromSigned { to: format, rounding },
            FpOp::ToSigned { from: format, width: 32, rounding },
        ];
        for (op, limit) in ops.into_iter().zip(limits) {
            let circuits = &mut circuits();
            let width = op.operand_format().map_or(32, FloatFormat::width);
            let args: Vec<Word> = (0..op.arity()).map(|_| circuits.fresh(width)).collect();
            circuits.float(op, &args).expect("a circuit");
            let clauses = circuits.gates.sat.clauses();
            assert!(clauses <= limit && clauses > limit * 9 / 10, "{op:?} takes {clauses} clauses");
        }
    }
}
