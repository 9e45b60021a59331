//! The evaluator against definitions: exact numbers on tiny formats, the host's floats on large ones.

use super::{FloatFormat, FpOp, Rounding};
use crate::node::Node;
use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::sort::Sort;
use crate::testing::Random;
use crate::value::BitVec;

/// An exact value: `numerator / denominator`, the denominator positive.
#[derive(Clone, Copy, Debug)]
struct Ratio(i128, i128);

impl Ratio {
    fn cmp(self, other: Ratio) -> std::cmp::Ordering {
        (self.0 * other.1).cmp(&(other.0 * self.1))
    }

    fn minus(self, other: Ratio) -> Ratio {
        Ratio(self.0 * other.1 - other.0 * self.1, self.1 * other.1)
    }

    fn abs(self) -> Ratio {
        Ratio(self.0.abs(), self.1)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Class {
    Nan,
    Infinite,
    Finite,
}

fn class(format: FloatFormat, bits: u128) -> Class {
    match bits & format.exponent_mask() == format.exponent_mask() {
        false => Class::Finite,
        true if bits & format.fraction_mask() == 0 => Class::Infinite,
        true => Class::Nan,
    }
}

fn is_negative(format: FloatFormat, bits: u128) -> bool {
    bits & format.sign_mask() != 0
}

/// The value of a finite number of a tiny format; all have the denominator `2^(bias - 1 + fraction)`.
fn exact(format: FloatFormat, bits: u128) -> Ratio {
    let fraction = (bits & format.fraction_mask()) as i128;
    let exponent = ((bits & format.exponent_mask()) >> format.fraction()) as i128;
    let magnitude =
        if exponent == 0 { fraction } else { (fraction + (1 << format.fraction())) << (exponent - 1) };
    let denominator = 1 << (format.bias() - 1 + format.fraction());
    Ratio(if is_negative(format, bits) { -magnitude } else { magnitude }, denominator)
}

/// Rounds by definition: looks at all numbers. `zero_sign` is the sign of an exact zero.
fn round(format: FloatFormat, rounding: Rounding, value: Ratio, zero_sign: bool) -> u128 {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let sign = if value.0 == 0 { zero_sign } else { value.0 < 0 };
    let with_sign = |magnitude: u128| magnitude | if sign { format.sign_mask() } else { 0 };
    // Magnitudes in order; infinity stands for the next number after the largest one, which decides ties.
    let infinity = format.infinity(false);
    let number = |magnitude: u128| match magnitude == infinity {
        true => {
            let Ratio(n, d) = exact(format, 1 << format.fraction());
            Ratio(n << ((1 << format.exponent) - 2), d)
        }
        false => exact(format, magnitude),
    };
    let magnitude = value.abs();
    let below = (0..infinity).rev().find(|&m| number(m).cmp(magnitude) != Greater).unwrap();
    if number(below).cmp(magnitude) == Equal {
        return with_sign(below);
    }
    let above = below + 1;
    let up = match rounding {
        Rounding::TowardZero => false,
        Rounding::TowardPositive => !sign,
        Rounding::TowardNegative => sign,
        Rounding::NearestEven | Rounding::NearestAway => {
            match magnitude.minus(number(below)).cmp(number(above).minus(magnitude)) {
                Less => false,
                Greater => true,
                Equal if rounding == Rounding::NearestAway => true,
                Equal => below & 1 == 1,
            }
        }
    };
    with_sign(if up { above } else { below })
}

fn apply(op: FpOp, args: &[u128]) -> u128 {
    let values: Vec<BitVec> =
        args.iter().map(|&a| BitVec::new(op.operand_format().unwrap().width(), a)).collect();
    op.apply(&values).unwrap().unsigned()
}

fn patterns(format: FloatFormat) -> std::ops::Range<u128> {
    0..1 << format.width()
}

/// The sign of a sum that is exactly zero.
fn sum_zero_sign(a: bool, b: bool, rounding: Rounding) -> bool {
    if a == b { a } else { rounding == Rounding::TowardNegative }
}

fn add(format: FloatFormat, rounding: Rounding, a: u128, b: u128) -> u128 {
    let (sign_a, sign_b) = (is_negative(format, a), is_negative(format, b));
    match (class(format, a), class(format, b)) {
        (Class::Nan, _) | (_, Class::Nan) => format.nan(),
        (Class::Infinite, Class::Infinite) if sign_a != sign_b => format.nan(),
        (Class::Infinite, _) => a,
        (_, Class::Infinite) => b,
        _ => {
            let (Ratio(x, d), Ratio(y, _)) = (exact(format, a), exact(format, b));
            round(format, rounding, Ratio(x + y, d), sum_zero_sign(sign_a, sign_b, rounding))
        }
    }
}

fn multiply(format: FloatFormat, rounding: Rounding, a: u128, b: u128) -> u128 {
    let sign = is_negative(format, a) != is_negative(format, b);
    match (class(format, a), class(format, b)) {
        (Class::Nan, _) | (_, Class::Nan) => format.nan(),
        (Class::Finite, Class::Finite) => {
            let (Ratio(x, d), Ratio(y, e)) = (exact(format, a), exact(format, b));
            round(format, rounding, Ratio(x * y, d * e), sign)
        }
        (Class::Finite, _) if exact(format, a).0 == 0 => format.nan(),
        (_, Class::Finite) if exact(format, b).0 == 0 => format.nan(),
        _ => format.infinity(sign),
    }
}

fn divide(format: FloatFormat, rounding: Rounding, a: u128, b: u128) -> u128 {
    let sign = is_negative(format, a) != is_negative(format, b);
    let zero = if sign { format.sign_mask() } else { 0 };
    match (class(format, a), class(format, b)) {
        (Class::Nan, _) | (_, Class::Nan) | (Class::Infinite, Class::Infinite) => format.nan(),
        (Class::Infinite, _) => format.infinity(sign),
        (_, Class::Infinite) => zero,
        _ => match (exact(format, a).0, exact(format, b).0) {
            (0, 0) => format.nan(),
            (_, 0) => format.infinity(sign),
            (x, y) => round(format, rounding, Ratio(x * y.signum(), y.abs()), sign),
        },
    }
}

fn fma(format: FloatFormat, rounding: Rounding, a: u128, b: u128, c: u128) -> u128 {
    let product_sign = is_negative(format, a) != is_negative(format, b);
    if [a, b, c].iter().all(|&x| class(format, x) == Class::Finite) {
        let (Ratio(x, d), Ratio(y, e), Ratio(z, f)) = (exact(format, a), exact(format, b), exact(format, c));
        let zero_sign = sum_zero_sign(product_sign, is_negative(format, c), rounding);
        let sum = x * y * f + z * d * e;
        // With a product that is zero and another sign than the sum, the sign of the sum comes from its value.
        return round(format, rounding, Ratio(sum, d * e * f), zero_sign);
    }
    let product = multiply(format, rounding, a, b);
    // Only infinities and NaNs matter now, and an infinite product is one of infinite factors.
    let product = match (class(format, a), class(format, b)) {
        (Class::Finite, Class::Finite) => 0,
        _ => product,
    };
    add(format, rounding, product, c)
}

fn square_root(format: FloatFormat, rounding: Rounding, a: u128) -> u128 {
    match class(format, a) {
        Class::Nan => return format.nan(),
        Class::Infinite if !is_negative(format, a) => return a,
        Class::Finite if exact(format, a).0 == 0 => return a,
        _ if is_negative(format, a) => return format.nan(),
        _ => {}
    }
    // An approximation with far more bits than the format has, and a last bit that says it is not exact.
    let Ratio(n, d) = exact(format, a);
    let scaled = (n << 60) / d;
    let mut root = (scaled as f64).sqrt() as i128;
    while root * root > scaled {
        root -= 1;
    }
    while (root + 1) * (root + 1) <= scaled {
        root += 1;
    }
    let is_exact = root * root == scaled;
    round(format, rounding, Ratio(2 * root + i128::from(!is_exact), 1 << 31), false)
}

/// The integer that a ratio is rounded to.
fn integer(rounding: Rounding, Ratio(n, d): Ratio) -> i128 {
    let (floor, rest) = (n.div_euclid(d), n.rem_euclid(d));
    let up = match rounding {
        _ if rest == 0 => false,
        Rounding::TowardNegative => false,
        Rounding::TowardPositive => true,
        Rounding::TowardZero => n < 0,
        Rounding::NearestEven => 2 * rest > d || (2 * rest == d && floor % 2 != 0),
        Rounding::NearestAway => 2 * rest > d || (2 * rest == d && n > 0),
    };
    floor + i128::from(up)
}

fn remainder(format: FloatFormat, quotient: Rounding, a: u128, b: u128) -> u128 {
    match (class(format, a), class(format, b)) {
        (Class::Nan, _) | (_, Class::Nan) | (Class::Infinite, _) => format.nan(),
        (_, Class::Infinite) => a,
        _ => {
            let (Ratio(x, d), Ratio(y, _)) = (exact(format, a), exact(format, b));
            if y == 0 {
                return format.nan();
            }
            let n = integer(quotient, Ratio(x * y.signum(), y.abs()));
            round(format, Rounding::NearestEven, Ratio(x - n * y, d), is_negative(format, a))
        }
    }
}

#[test]
fn tiny_formats_follow_the_definition() {
    for format in [FloatFormat::TINY, FloatFormat::SMALL] {
        for rounding in Rounding::ALL {
            for a in patterns(format) {
                let show = |op: FpOp, args: &[u128]| format!("{op:?} {args:x?}");
                let root = FpOp::Sqrt(format, rounding);
                assert_eq!(apply(root, &[a]), square_root(format, rounding, a), "{}", show(root, &[a]));
                for b in patterns(format) {
                    let check = |op: FpOp, expected: u128| {
                        assert_eq!(apply(op, &[a, b]), expected, "{}", show(op, &[a, b]));
                    };
                    check(FpOp::Add(format, rounding), add(format, rounding, a, b));
                    let negated = b ^ format.sign_mask();
                    check(FpOp::Sub(format, rounding), add(format, rounding, a, negated));
                    check(FpOp::Mul(format, rounding), multiply(format, rounding, a, b));
                    check(FpOp::Div(format, rounding), divide(format, rounding, a, b));
                    check(FpOp::Rem(format), remainder(format, Rounding::NearestEven, a, b));
                    check(FpOp::Mod(format), remainder(format, Rounding::TowardZero, a, b));
                }
            }
        }
    }
}

#[test]
fn tiny_fused_operations_follow_the_definition() {
    let format = FloatFormat::TINY;
    for rounding in Rounding::ALL {
        for a in patterns(format) {
            for b in patterns(format) {
                for c in patterns(format) {
                    let op = FpOp::Fma(format, rounding);
                    let expected = fma(format, rounding, a, b, c);
                    assert_eq!(apply(op, &[a, b, c]), expected, "{op:?} {a:x} {b:x} {c:x}");
                }
            }
        }
    }
}

#[test]
fn tiny_conversions_follow_the_definition() {
    for format in [FloatFormat::TINY, FloatFormat::SMALL] {
        for rounding in Rounding::ALL {
            for a in patterns(format) {
                let value = (class(format, a) == Class::Finite).then(|| integer(rounding, exact(format, a)));
                for width in 1..8 {
                    let signed = FpOp::ToSigned { from: format, width, rounding };
                    let fitting = value.filter(|v| (-(1 << (width - 1))..1 << (width - 1)).contains(v));
                    let expected = BitVec::from_signed(width, fitting.unwrap_or(0)).unsigned();
                    assert_eq!(apply(signed, &[a]), expected, "{signed:?} {a:x}");
                    let unsigned = FpOp::ToUnsigned { from: format, width, rounding };
                    let fitting = value.filter(|v| (0..1 << width).contains(v));
                    assert_eq!(apply(unsigned, &[a]), fitting.unwrap_or(0) as u128, "{unsigned:?} {a:x}");
                }
                let op = FpOp::RoundToIntegral(format, rounding);
                let expected = match class(format, a) {
                    Class::Nan => format.nan(),
                    Class::Infinite => a,
                    Class::Finite => {
                        let value = Ratio(integer(rounding, exact(format, a)), 1);
                        round(format, rounding, value, is_negative(format, a))
                    }
                };
                assert_eq!(apply(op, &[a]), expected, "{op:?} {a:x}");
                for to in [FloatFormat::TINY, FloatFormat::SMALL] {
                    let op = FpOp::Convert { from: format, to, rounding };
                    let expected = match class(format, a) {
                        Class::Nan => to.nan(),
                        Class::Infinite => to.infinity(is_negative(format, a)),
                        Class::Finite => round(to, rounding, exact(format, a), is_negative(format, a)),
                    };
                    assert_eq!(apply(op, &[a]), expected, "{op:?} {a:x}");
                }
            }
            for width in [1, 3, 7] {
                for bits in 0..1 << width {
                    let value = BitVec::new(width, bits);
                    let from = |op: FpOp| op.apply(&[value]).unwrap().unsigned();
                    let signed = round(format, rounding, Ratio(value.signed(), 1), false);
                    assert_eq!(
                        from(FpOp::FromSigned { to: format, rounding }),
                        signed,
                        "{value} {rounding:?}"
                    );
                    let unsigned = round(format, rounding, Ratio(bits as i128, 1), false);
                    assert_eq!(
                        from(FpOp::FromUnsigned { to: format, rounding }),
                        unsigned,
                        "{value} {rounding:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn tiny_comparisons_follow_the_definition() {
    let format = FloatFormat::SMALL;
    for a in patterns(format) {
        for b in patterns(format) {
            let numbers = class(format, a) != Class::Nan && class(format, b) != Class::Nan;
            // Larger than all numbers; enough for comparisons.
            let value = |bits: u128| match class(format, bits) {
                Class::Finite => exact(format, bits),
                _ => Ratio(if is_negative(format, bits) { -1 << 30 } else { 1 << 30 }, 1),
            };
            let order = value(a).cmp(value(b));
            assert_eq!(apply(FpOp::Eq(format), &[a, b]) == 1, numbers && order.is_eq());
            assert_eq!(apply(FpOp::Lt(format), &[a, b]) == 1, numbers && order.is_lt());
            assert_eq!(apply(FpOp::Le(format), &[a, b]) == 1, numbers && order.is_le());
            let (least, greatest) = (apply(FpOp::Min(format), &[a, b]), apply(FpOp::Max(format), &[a, b]));
            match (class(format, a), class(format, b)) {
                (Class::Nan, Class::Nan) => assert_eq!([least, greatest], [format.nan(); 2]),
                (Class::Nan, _) => assert_eq!([least, greatest], [b; 2]),
                (_, Class::Nan) => assert_eq!([least, greatest], [a; 2]),
                _ => {
                    let sign = |bits| is_negative(format, bits);
                    let a_is_less = order.then(sign(b).cmp(&sign(a))).is_lt();
                    assert_eq!([least, greatest], if a_is_less { [a, b] } else { [b, a] });
                }
            }
        }
    }
}

/// Random bits, often special, subnormal or close to each other.
fn random_float(random: &mut Random, format: FloatFormat) -> u128 {
    let wild = (u128::from(random.next()) << 64) | u128::from(random.next());
    let wild = BitVec::new(format.width(), wild).unsigned();
    let fraction = wild & format.fraction_mask();
    let sign = wild & format.sign_mask();
    let near_one = |random: &mut Random| {
        let exponent = u128::from(format.bias() + random.below(9) - 4);
        sign | (exponent << format.fraction())
    };
    match random.below(12) {
        0 => sign,
        1 => sign | format.exponent_mask(),
        2 => format.exponent_mask() | fraction | 1,
        3 => sign | fraction,
        4 => sign | 1,
        5 => sign | (format.exponent_mask() - 1),
        6 | 7 => near_one(random) | fraction,
        8 => near_one(random),
        _ => wild,
    }
}

#[test]
fn large_formats_agree_with_the_host() {
    let mut random = Random::new(1);
    let (single, double) = (FloatFormat::SINGLE, FloatFormat::DOUBLE);
    let rounding = Rounding::NearestEven;
    let same32 = |op: FpOp, args: &[u128], host: f32| {
        let expected = if host.is_nan() { single.nan() } else { u128::from(host.to_bits()) };
        assert_eq!(apply(op, args), expected, "{op:?} {args:x?}");
    };
    let same64 = |op: FpOp, args: &[u128], host: f64| {
        let expected = if host.is_nan() { double.nan() } else { u128::from(host.to_bits()) };
        assert_eq!(apply(op, args), expected, "{op:?} {args:x?}");
    };
    for _ in 0..20_000 {
        let [a, b, c] = [(); 3].map(|()| random_float(&mut random, single));
        let [x, y, z] = [a, b, c].map(|bits| f32::from_bits(bits as u32));
        same32(FpOp::Add(single, rounding), &[a, b], x + y);
        same32(FpOp::Sub(single, rounding), &[a, b], x - y);
        same32(FpOp::Mul(single, rounding), &[a, b], x * y);
        same32(FpOp::Div(single, rounding), &[a, b], x / y);
        same32(FpOp::Sqrt(single, rounding), &[a], x.sqrt());
        same32(FpOp::Fma(single, rounding), &[a, b, c], x.mul_add(y, z));
        same32(FpOp::RoundToIntegral(single, rounding), &[a], x.round_ties_even());
        same32(FpOp::RoundToIntegral(single, Rounding::TowardNegative), &[a], x.floor());
        same32(FpOp::RoundToIntegral(single, Rounding::NearestAway), &[a], x.round());
        same64(FpOp::Convert { from: single, to: double, rounding }, &[a], f64::from(x));
        assert_eq!(apply(FpOp::Lt(single), &[a, b]) == 1, x < y);
        assert_eq!(apply(FpOp::Eq(single), &[a, b]) == 1, x == y);
        let truncated = FpOp::ToSigned { from: single, width: 32, rounding: Rounding::TowardZero };
        if x.abs() < 2_147_483_648.0 {
            assert_eq!(apply(truncated, &[a]) as u32 as i32, x as i32);
        }

        let [a, b, c] = [(); 3].map(|()| random_float(&mut random, double));
        let [x, y, z] = [a, b, c].map(|bits| f64::from_bits(bits as u64));
        same64(FpOp::Add(double, rounding), &[a, b], x + y);
        same64(FpOp::Mul(double, rounding), &[a, b], x * y);
        same64(FpOp::Div(double, rounding), &[a, b], x / y);
        same64(FpOp::Sqrt(double, rounding), &[a], x.sqrt());
        same64(FpOp::Fma(double, rounding), &[a, b, c], x.mul_add(y, z));
        same64(FpOp::RoundToIntegral(double, Rounding::TowardPositive), &[a], x.ceil());
        same32(FpOp::Convert { from: double, to: single, rounding }, &[a], x as f32);
        let number = BitVec::new(64, u128::from(random.next() >> random.below(64)));
        let converted = FpOp::FromSigned { to: double, rounding }.apply(&[number]).unwrap();
        assert_eq!(converted.unsigned() as u64, (number.signed() as f64).to_bits());
        let converted = FpOp::FromUnsigned { to: single, rounding }.apply(&[number]).unwrap();
        assert_eq!(converted.unsigned() as u32, (number.unsigned() as f32).to_bits());
    }
}

/// A root of the widest formats, checked by squaring: exact squares have exact roots.
#[test]
fn wide_roots_of_squares_are_exact() {
    let mut random = Random::new(2);
    for format in [FloatFormat::EXTENDED, FloatFormat::QUAD] {
        for rounding in Rounding::ALL {
            for _ in 0..200 {
                let value = BitVec::new(30, u128::from(random.next()));
                let root = FpOp::FromUnsigned { to: format, rounding }.apply(&[value]).unwrap().unsigned();
                let square = apply(FpOp::Mul(format, rounding), &[root, root]);
                assert_eq!(apply(FpOp::Sqrt(format, rounding), &[square]), root);
            }
        }
    }
}

/// Every operator, with all rounding modes and several formats.
pub(crate) fn all_operators() -> Vec<FpOp> {
    let mut ops = Vec::new();
    for format in FloatFormat::ALL {
        ops.extend([FpOp::Rem(format), FpOp::Mod(format), FpOp::Min(format), FpOp::Max(format)]);
        ops.extend([FpOp::Eq(format), FpOp::Lt(format), FpOp::Le(format)]);
        for rounding in Rounding::ALL {
            ops.extend([
                FpOp::Add(format, rounding),
                FpOp::Sub(format, rounding),
                FpOp::Mul(format, rounding),
            ]);
            ops.extend([
                FpOp::Div(format, rounding),
                FpOp::Fma(format, rounding),
                FpOp::Sqrt(format, rounding),
            ]);
            ops.push(FpOp::RoundToIntegral(format, rounding));
            ops.extend(FloatFormat::ALL.map(|to| FpOp::Convert { from: format, to, rounding }));
            ops.push(FpOp::FromSigned { to: format, rounding });
            ops.push(FpOp::FromUnsigned { to: format, rounding });
            for width in [1, 64, 128] {
                ops.push(FpOp::ToSigned { from: format, width, rounding });
                ops.push(FpOp::ToUnsigned { from: format, width, rounding });
            }
        }
    }
    ops
}

#[test]
fn operators_survive_storage() {
    let args = [Term(7), Term(8), Term(9)];
    for op in all_operators().into_iter().map(Op::Fp) {
        let node = Node::new(op, args, Sort::Bool);
        assert_eq!(node.op(), op);
        assert_eq!(node.args(), &args[..op.arity()]);
    }
}

#[test]
fn sorts_are_checked() {
    let mut pool = TermPool::new();
    let [x, y] = ["x", "y"].map(|name| pool.variable(name, Sort::BitVec(32)));
    let narrow = pool.variable("narrow", Sort::BitVec(16));
    let (format, rounding) = (FloatFormat::SINGLE, Rounding::NearestEven);
    let sum = pool.fp_add(format, rounding, x, y);
    assert_eq!(pool.sort(sum), Sort::BitVec(32));
    let less = pool.fp_lt(format, x, y);
    assert_eq!(pool.sort(less), Sort::Bool);
    let wide = pool.fp_convert(format, FloatFormat::EXTENDED, rounding, x);
    assert_eq!(pool.sort(wide), Sort::BitVec(79));
    let small = pool.fp_from_signed(FloatFormat::HALF, rounding, x);
    assert_eq!(pool.sort(small), Sort::BitVec(16));
    assert!(pool.try_apply(Op::Fp(FpOp::Add(format, rounding)), &[x, narrow]).is_err());
    assert!(pool.try_apply(Op::Fp(FpOp::Add(format, rounding)), &[x]).is_err());
    let unknown = FloatFormat { exponent: 7, significand: 25 };
    assert!(pool.try_apply(Op::Fp(FpOp::Min(unknown)), &[x, y]).is_err());
    let too_wide = FpOp::ToSigned { from: format, width: 129, rounding };
    assert!(pool.try_apply(Op::Fp(too_wide), &[x]).is_err());
}

#[test]
fn classification_is_by_bits() {
    let mut pool = TermPool::new();
    let format = FloatFormat::SMALL;
    for bits in patterns(format) {
        let a = pool.bv(format.width(), bits);
        let exponent = (bits & format.exponent_mask()) >> format.fraction();
        let fraction = bits & format.fraction_mask();
        let expected = [
            class(format, bits) == Class::Nan,
            class(format, bits) == Class::Infinite,
            exponent == 0 && fraction == 0,
            (1..7).contains(&exponent),
            exponent == 0 && fraction != 0,
            is_negative(format, bits),
        ];
        let found = [
            pool.fp_is_nan(format, a),
            pool.fp_is_infinite(format, a),
            pool.fp_is_zero(format, a),
            pool.fp_is_normal(format, a),
            pool.fp_is_subnormal(format, a),
            pool.fp_is_negative(format, a),
        ];
        assert_eq!(found.map(|term| pool.bool_constant(term)), expected.map(Some), "{bits:x}");
        let (negated, magnitude) = (pool.fp_neg(format, a), pool.fp_abs(format, a));
        assert_eq!(pool.bv_constant(negated).unwrap().unsigned(), bits ^ 64);
        assert_eq!(pool.bv_constant(magnitude).unwrap().unsigned(), bits & 63);
    }
}
