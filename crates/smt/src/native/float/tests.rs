//! Circuits against the evaluator. Gates of constants are constants, so most of it needs no SAT solver.

use super::super::gates::Gates;
use super::super::sat::{Lit, Outcome, Sat, TRUE};
use super::super::words::{Circuits, Word, constant_value, constant_word};
use super::remainder::{Method, Quotient};
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
    let result = circuits.float(op, &words);
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
        FpOp::Mod(format),
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
            let result = circuits.float(op, &args);
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
            circuits.float(op, &args);
            let clauses = circuits.gates.sat.clauses();
            assert!(clauses <= limit && clauses > limit * 9 / 10, "{op:?} takes {clauses} clauses");
        }
    }
}

fn methods(format: FloatFormat) -> Vec<Method> {
    let furthest = (1 << format.exponent) - 3 + u64::from(format.fraction());
    Method::all(format.significand as usize, furthest, true)
}

/// The operator for a format.
type OperatorOf = fn(FloatFormat) -> FpOp;

const REMAINDERS: [(Quotient, OperatorOf); 2] =
    [(Quotient::Nearest, FpOp::Rem), (Quotient::TowardZero, FpOp::Mod)];

/// Every method against the evaluator. Constant divisors allow for all of them.
#[test]
fn remainders_are_exact_by_every_method() {
    let mut random = SmallRng::seed_from_u64(8);
    let circuits = &mut circuits();
    let mut check = |format: FloatFormat, methods: &[Method], a: BitVec, b: BitVec| {
        for (quotient, op) in REMAINDERS {
            let expected = op(format).apply(&[a, b]).expect("a value").unsigned();
            for &method in methods {
                let chosen = |_, _, _| method;
                let result = circuits.float_remainder_by(format, quotient, &word(a), &word(b), chosen);
                let result = constant_value(&result);
                assert_eq!(result, Some(expected), "{format:?} {quotient:?} {method:?} {a:?} {b:?}");
            }
        }
    };
    for format in [TINY, SMALL] {
        let methods = methods(format);
        for a in patterns(format.width()) {
            patterns(format.width()).for_each(|b| check(format, &methods, a, b));
        }
    }
    for &format in &FloatFormat::ALL[2..] {
        let mut methods = methods(format);
        // Too many steps.
        methods.retain(|&method| method != Method::Steps || format.exponent < 15);
        for _ in 0..30 {
            let (a, b) = (random_float(&mut random, format), random_float(&mut random, format));
            check(format, &methods, a, b);
        }
    }
}

/// Unknown dividends, and divisors that are known or not: the SAT solver finds the remainder of numbers that are assumed.
#[test]
fn unknown_remainders_are_exact() {
    let mut random = SmallRng::seed_from_u64(9);
    for (format, knows_divisor) in [
        (FloatFormat::HALF, false),
        (FloatFormat::SINGLE, false),
        (FloatFormat::SINGLE, true),
        (FloatFormat::DOUBLE, false),
        (FloatFormat::DOUBLE, true),
        (FloatFormat::EXTENDED, true),
    ] {
        for (quotient, op) in REMAINDERS {
            let circuits = &mut circuits();
            let divisor = random_float(&mut random, format);
            let x = circuits.fresh(format.width());
            let y = if knows_divisor { word(divisor) } else { circuits.fresh(format.width()) };
            let result = circuits.float_remainder(format, quotient, &x, &y);
            for _ in 0..4 {
                let a = random_float(&mut random, format);
                let b = if knows_divisor { divisor } else { random_float(&mut random, format) };
                let assumed: Vec<Lit> = x
                    .iter()
                    .zip(word(a))
                    .chain(y.iter().zip(word(b)))
                    .filter(|(bit, value)| *bit != value)
                    .map(|(&bit, value)| if value == TRUE { bit } else { -bit })
                    .collect();
                assert_eq!(circuits.gates.sat.solve(&assumed, None), Outcome::Sat, "{a:?} {b:?}");
                let bits = result
                    .iter()
                    .enumerate()
                    .fold(0u128, |bits, (i, &bit)| bits | (u128::from(circuits.gates.sat.value(bit)) << i));
                let expected = op(format).apply(&[a, b]).map(BitVec::unsigned);
                assert_eq!(Some(bits), expected, "{format:?} {quotient:?} {a:?} {b:?}");
            }
        }
    }
}

/// Thousands of clauses of remainders, by divisors that are not known and that are. The documentation of the module has these
/// numbers.
#[test]
fn remainders_are_compact() {
    for (format, is_known, expected) in [
        (FloatFormat::HALF, false, 17),
        (FloatFormat::SINGLE, false, 123),
        (FloatFormat::DOUBLE, false, 790),
        (FloatFormat::HALF, true, 5),
        (FloatFormat::SINGLE, true, 27),
        (FloatFormat::DOUBLE, true, 117),
        (FloatFormat::EXTENDED, true, 208),
        (FloatFormat::QUAD, true, 562),
    ] {
        // Some digits of pi.
        let fraction = 0x921f_b544_42d1_8469_898c_c517_01b8u128 >> (112 - format.fraction());
        let pi = (u128::from(format.bias() + 1) << format.fraction()) | fraction;
        let circuits = &mut circuits();
        let x = circuits.fresh(format.width());
        let y = if is_known { constant_word(format.width(), pi) } else { circuits.fresh(format.width()) };
        circuits.float_remainder(format, Quotient::Nearest, &x, &y);
        let clauses = circuits.gates.sat.clauses();
        assert_eq!(clauses.div_ceil(1000), expected, "{format:?}, known divisor: {is_known}");
    }
}
