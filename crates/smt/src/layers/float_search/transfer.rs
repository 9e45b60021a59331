//! What operators make of ranges. Rounding keeps the order of numbers, so bounds of results come from bounds of arguments,
//! rounded as the operator rounds.

use super::range::{Floats, Integers, Range, Truth, bits_at, numeric, position};
use aster_term::{BitVec, FpOp, Op, Rounding, Sort, Term, TermPool, Value};

/// The range of an application, given those of its arguments.
pub(super) fn apply(pool: &TermPool, term: Term, args: &[Range]) -> Range {
    let (op, terms) = (pool.op(term), pool.args(term));
    let width = |at: usize| pool.sort(terms[at]).width().unwrap_or(1);
    match (op, args) {
        (Op::BoolConst(value), _) => Range::Truth(Truth::of(value)),
        (Op::BvConst(bits), _) => match pool.sort(term) {
            Sort::BitVec(width) => Range::Exact(BitVec::new(width, bits)),
            _ => Range::Any,
        },
        (Op::Fp(op), _) => float(op, terms, args),
        (Op::Not, [a]) => {
            let Truth { may_hold, may_fail } = a.truth();
            Range::Truth(Truth { may_hold: may_fail, may_fail: may_hold })
        }
        (Op::And, [a, b]) => {
            let (a, b) = (a.truth(), b.truth());
            Range::Truth(Truth { may_hold: a.may_hold && b.may_hold, may_fail: a.may_fail || b.may_fail })
        }
        (Op::Or, [a, b]) => {
            let (a, b) = (a.truth(), b.truth());
            Range::Truth(Truth { may_hold: a.may_hold || b.may_hold, may_fail: a.may_fail && b.may_fail })
        }
        (Op::Ite, [c, a, b]) => match c.truth() {
            Truth { may_fail: false, .. } => *a,
            Truth { may_hold: false, .. } => *b,
            _ => join(*a, *b),
        },
        (Op::Eq, [a, b]) => equal(*a, *b, width(0)),
        (Op::BvUlt | Op::BvSlt, [a, b]) => {
            let is_signed = op == Op::BvSlt;
            match (a.integers(width(0), is_signed), b.integers(width(0), is_signed)) {
                (Some(a), Some(b)) => {
                    Range::Truth(Truth { may_hold: a.low < b.high, may_fail: a.high >= b.low })
                }
                _ => Range::Any,
            }
        }
        (Op::BvXor, &[Range::Float(floats), Range::Exact(mask)])
            if mask.unsigned() == floats.format.sign_mask() =>
        {
            Range::Float(floats.negated())
        }
        (Op::BvExtract { high, low }, [Range::Float(floats)])
            if high + 2 == floats.format.width() && low < high =>
        {
            let magnitudes = floats.magnitudes();
            if low == 0 || low == floats.format.fraction() {
                let shifted =
                    Integers { low: magnitudes.low >> low, high: magnitudes.high >> low, ..magnitudes };
                Range::Integer(shifted)
            } else {
                Range::Any
            }
        }
        (Op::BvZeroExtend(_), [Range::Integer(integers)]) if !integers.is_signed => Range::Integer(*integers),
        (Op::BvSignExtend(_), [Range::Integer(integers)]) if integers.is_signed => Range::Integer(*integers),
        _ => exact(op, terms, pool, args),
    }
}

/// The value of an application to single values.
fn exact(op: Op, terms: &[Term], pool: &TermPool, args: &[Range]) -> Range {
    let values: Option<Vec<Value>> = args
        .iter()
        .zip(terms)
        .map(|(range, &term)| Some(Value::BitVec(range.exact(pool.sort(term).width()?)?)))
        .collect();
    match values.and_then(|values| op.apply(&values)) {
        Some(Value::BitVec(bits)) => Range::Exact(bits),
        Some(Value::Bool(truth)) => Range::Truth(Truth::of(truth)),
        _ => Range::Any,
    }
}

fn join(a: Range, b: Range) -> Range {
    match (a, b) {
        _ if a == b => a,
        (Range::Truth(a), Range::Truth(b)) => {
            Range::Truth(Truth { may_hold: a.may_hold || b.may_hold, may_fail: a.may_fail || b.may_fail })
        }
        (Range::Float(floats), other) | (other, Range::Float(floats)) => {
            Range::Float(floats.hull(other.floats(floats.format)))
        }
        _ => Range::Any,
    }
}

/// Equality of bits, or of truth values.
fn equal(a: Range, b: Range, width: u32) -> Range {
    let (disjoint, same) = match (a, b) {
        (Range::Truth(a), Range::Truth(b)) => {
            let same = !(a.may_hold && a.may_fail) && a == b;
            (!(a.may_hold && b.may_hold || a.may_fail && b.may_fail), same)
        }
        (Range::Float(floats), other) | (other, Range::Float(floats)) => {
            let other = other.floats(floats.format);
            let apart =
                floats.is_empty() || other.is_empty() || floats.high < other.low || other.high < floats.low;
            (apart && !(floats.nan && other.nan), false)
        }
        _ => match (a.integers(width, false), b.integers(width, false)) {
            (Some(a), Some(b)) => (a.high < b.low || b.high < a.low, false),
            _ => (false, false),
        },
    };
    let both = matches!((a.exact(width), b.exact(width)), (Some(x), Some(y)) if x == y);
    Range::Truth(Truth { may_hold: !disjoint, may_fail: !(same || both) })
}

/// The position of a result; `None` if that is a NaN.
fn at(op: FpOp, args: &[BitVec]) -> Option<i128> {
    let format = op.result_format()?;
    let bits = op.apply(args)?.unsigned();
    (!format.is_nan(bits)).then(|| position(format, bits))
}

fn float(op: FpOp, terms: &[Term], args: &[Range]) -> Range {
    let operand = |i: usize| op.operand_format().map(|format| args[i].floats(format));
    let result = match (op, operand(0)) {
        (FpOp::Eq(_) | FpOp::Lt(_) | FpOp::Le(_), Some(a)) => {
            operand(1).map(|b| Range::Truth(compare(op, a, b)))
        }
        (FpOp::Add(..), Some(a)) => operand(1).map(|b| Range::Float(sum(op, a, b))),
        (FpOp::Sub(format, rounding), Some(a)) => {
            operand(1).map(|b| Range::Float(sum(FpOp::Add(format, rounding), a, b.negated())))
        }
        (FpOp::Mul(..), Some(a)) if terms[0] == terms[1] => Some(Range::Float(square(op, a))),
        (FpOp::Mul(..) | FpOp::Div(..), Some(a)) => operand(1).map(|b| Range::Float(product(op, a, b))),
        (FpOp::Rem(_) | FpOp::Mod(_), Some(a)) => operand(1).map(|b| Range::Float(remainder(op, a, b))),
        (FpOp::Min(_) | FpOp::Max(_), Some(a)) => operand(1).map(|b| Range::Float(extreme(op, a, b))),
        (FpOp::Sqrt(..), Some(a)) => {
            let negative = a.low < -1;
            let floats = Floats { low: a.low.max(-1), ..a };
            Some(Range::Float(Floats { nan: a.nan || negative, ..monotone(op, floats) }))
        }
        (FpOp::RoundToIntegral(..) | FpOp::Convert { .. }, Some(a)) => Some(Range::Float(monotone(op, a))),
        (FpOp::ToSigned { width, .. } | FpOp::ToUnsigned { width, .. }, Some(a)) => to_integer(op, width, a),
        _ => from_integer(op, args[0]),
    };
    result.unwrap_or(Range::Any)
}

fn compare(op: FpOp, a: Floats, b: Floats) -> Truth {
    let nan = a.nan || b.nan;
    if a.is_empty() || b.is_empty() {
        return Truth { may_hold: false, may_fail: true };
    }
    let [a_low, a_high, b_low, b_high] = [a.low, a.high, b.low, b.high].map(numeric);
    match op {
        FpOp::Lt(_) => Truth { may_hold: a_low < b_high, may_fail: nan || a_high >= b_low },
        FpOp::Le(_) => Truth { may_hold: a_low <= b_high, may_fail: nan || a_high > b_low },
        _ => Truth {
            may_hold: a_low <= b_high && b_low <= a_high,
            may_fail: nan || !(a_low == a_high && b_low == b_high && a_low == b_low),
        },
    }
}

/// Operators of one argument that keep the order.
fn monotone(op: FpOp, a: Floats) -> Floats {
    let Some(format) = op.result_format() else { return a };
    let nowhere = Floats { format, low: 0, high: -1, nan: a.nan };
    if a.is_empty() {
        return nowhere;
    }
    let bound = |at_position: i128| at(op, &[BitVec::new(a.format.width(), bits_at(a.format, at_position))]);
    match (bound(a.low), bound(a.high)) {
        (Some(low), Some(high)) => Floats { low, high, ..nowhere },
        _ => Floats::all(format),
    }
}

fn value(floats: Floats, at_position: i128) -> BitVec {
    BitVec::new(floats.format.width(), bits_at(floats.format, at_position))
}

fn sum(op: FpOp, a: Floats, b: Floats) -> Floats {
    let opposite = |negative| a.has_infinity(negative) && b.has_infinity(!negative);
    let nan = a.nan || b.nan || opposite(true) || opposite(false);
    if a.is_empty() || b.is_empty() {
        return Floats { low: 0, high: -1, nan, ..a };
    }
    let bound = |x, y| at(op, &[value(a, x), value(b, y)]);
    match (bound(a.low, b.low), bound(a.high, b.high)) {
        (Some(low), Some(high)) => Floats { low, high, nan, ..a }.with_both_zeros(),
        _ => Floats { nan, ..Floats::all(a.format) },
    }
}

/// Products and quotients: the extremes are among those of the bounds, unless something is divided by zero.
fn product(op: FpOp, a: Floats, b: Floats) -> Floats {
    let has_infinity = |floats: Floats| floats.has_infinity(true) || floats.has_infinity(false);
    let is_quotient = matches!(op, FpOp::Div(..));
    let undefined = if is_quotient {
        (a.contains_zero() && b.contains_zero()) || (has_infinity(a) && has_infinity(b))
    } else {
        (a.contains_zero() && has_infinity(b)) || (has_infinity(a) && b.contains_zero())
    };
    let nan = a.nan || b.nan || undefined;
    if a.is_empty() || b.is_empty() {
        return Floats { low: 0, high: -1, nan, ..a };
    }
    // Next to what is undefined anything may be.
    if undefined || (is_quotient && b.contains_zero()) {
        return Floats { nan, ..Floats::all(a.format) };
    }
    let mut result = Floats { low: 0, high: -1, nan, ..a };
    for (x, y) in [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)] {
        match at(op, &[value(a, x), value(b, y)]) {
            Some(position) => result = result.hull(Floats { low: position, high: position, ..result }),
            None => return Floats { nan, ..Floats::all(a.format) },
        }
    }
    result.with_both_zeros()
}

/// Remainders follow the dividend as long as the quotient stays the same. Otherwise they are at most as large as the dividend and
/// smaller than the divisor, half of it if the quotient is the nearest one.
fn remainder(op: FpOp, a: Floats, b: Floats) -> Floats {
    let nan = a.nan || b.nan || a.has_infinity(true) || a.has_infinity(false) || b.contains_zero();
    let nothing = Floats { low: 0, high: -1, nan, ..a };
    if a.is_empty() || b.is_empty() {
        return nothing;
    }
    if let Some((low, high)) = remainders_in_order(op, a, b) {
        return Floats { low, high, ..nothing }.with_both_zeros();
    }
    let largest = |floats: Floats| Floats { nan: false, ..floats }.magnitudes().high;
    let keeps_sign = matches!(op, FpOp::Mod(_));
    let half = BitVec::new(a.format.width(), u128::from(a.format.bias() - 1) << a.format.fraction());
    let half = at(FpOp::Mul(a.format, Rounding::TowardPositive), &[value(b, largest(b)), half]);
    let below = half.filter(|_| !keeps_sign).unwrap_or(largest(b) - 1);
    let limit = largest(a).min(below).max(0);
    let low = if keeps_sign && a.low >= 0 { 0 } else { -1 - limit };
    let high = if keeps_sign && a.high < 0 { -1 } else { limit };
    Floats { low, high, ..nothing }
}

/// The remainders of the bounds, if those of all numbers between are between them: if the dividends are less than a divisor apart,
/// the quotient changes at most once, and then the remainder of the upper bound is below that of the lower one.
fn remainders_in_order(op: FpOp, a: Floats, b: Floats) -> Option<(i128, i128)> {
    // Where the sign changes, quotients towards zero do not follow the order.
    if b.low != b.high || (a.low < 0) != (a.high < 0) {
        return None;
    }
    let magnitude = b.magnitudes().low;
    let distance = at(FpOp::Sub(a.format, Rounding::TowardPositive), &[value(a, a.high), value(a, a.low)])?;
    if distance >= magnitude {
        return None;
    }
    let divisor = value(b, magnitude);
    let (low, high) = (at(op, &[value(a, a.low), divisor])?, at(op, &[value(a, a.high), divisor])?);
    (numeric(low) <= numeric(high)).then_some((low, high))
}

/// `x * x` is never negative.
fn square(op: FpOp, a: Floats) -> Floats {
    if a.is_empty() {
        return a;
    }
    let ends = [a.low, a.high].map(|end| at(op, &[value(a, end), value(a, end)]).unwrap_or(0));
    let low = if a.contains_zero() { 0 } else { ends[0].min(ends[1]) };
    Floats { low, high: ends[0].max(ends[1]), ..a }
}

fn extreme(op: FpOp, a: Floats, b: Floats) -> Floats {
    let nan = a.nan && b.nan;
    let mut result = Floats { low: 0, high: -1, nan, ..a };
    if !a.is_empty() && !b.is_empty() {
        let (low, high) = match op {
            FpOp::Min(_) => (a.low.min(b.low), a.high.min(b.high)),
            _ => (a.low.max(b.low), a.high.max(b.high)),
        };
        result = Floats { low, high, ..result };
    }
    // Of a NaN and a number, the number.
    if a.nan {
        result = result.hull(Floats { nan, ..b });
    }
    if b.nan {
        result = result.hull(Floats { nan, ..a });
    }
    result
}

fn to_integer(op: FpOp, width: u32, a: Floats) -> Option<Range> {
    let (rounding, is_signed) = (op.rounding()?, matches!(op, FpOp::ToSigned { .. }));
    if a.nan || a.is_empty() || width >= 127 {
        return None;
    }
    // Wide enough for everything that fits; what does not becomes zero here, too, and is recognised by its size.
    let wide = FpOp::ToSigned { from: a.format, width: 128, rounding };
    let limit = FpOp::FromSigned { to: a.format, rounding: Rounding::TowardZero }
        .apply(&[BitVec::from_signed(128, 1 << 126)])?;
    let limit = position(a.format, limit.unsigned());
    if a.high >= limit || a.low <= -1 - limit {
        return None;
    }
    let bound = |at_position| wide.apply(&[value(a, at_position)]).map(BitVec::signed);
    let (low, high) = (bound(a.low)?, bound(a.high)?);
    let all = Integers::all(width, is_signed);
    (all.low <= low && high <= all.high).then_some(Range::Integer(Integers { low, high, is_signed }))
}

fn from_integer(op: FpOp, argument: Range) -> Option<Range> {
    let (format, is_signed) = match op {
        FpOp::FromSigned { to, .. } => (to, true),
        FpOp::FromUnsigned { to, .. } => (to, false),
        _ => return op.result_format().map(|format| Range::Float(Floats::all(format))),
    };
    let (low, high) = match argument {
        Range::Integer(integers) if integers.is_signed == is_signed => (integers.low, integers.high),
        Range::Exact(bits) if is_signed => (bits.signed(), bits.signed()),
        Range::Exact(bits) if bits.width() < 128 => (bits.unsigned() as i128, bits.unsigned() as i128),
        _ => return Some(Range::Float(Floats::numbers(format))),
    };
    // As signed numbers of the greatest width, whose values are the same.
    let rounding = op.rounding()?;
    let wide = FpOp::FromSigned { to: format, rounding };
    let bound = |integer| at(wide, &[BitVec::from_signed(128, integer)]);
    Some(Range::Float(Floats { format, low: bound(low)?, high: bound(high)?, nan: false }))
}
