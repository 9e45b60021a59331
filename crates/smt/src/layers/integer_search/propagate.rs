//! What the ranges of arguments say about that of a result, and the other way round.

use super::problem::Node;
use super::range::{Empty, Range};
use aster_term::{BitVec, Op, Value};

/// The range of a result if its arguments are within theirs.
pub(super) fn forward(node: &Node, at: impl Fn(usize) -> Range) -> Range {
    let (a, b, c) = (at(node.args[0]), at(node.args[1]), at(node.args[2]));
    let width = node.width;
    match node.op {
        Op::Not => Range::new(1 - a.high, 1 - a.low),
        Op::And => Range::new(a.low.min(b.low), a.high.min(b.high)),
        Op::Or => Range::new(a.low.max(b.low), a.high.max(b.high)),
        Op::Eq | Op::Xor => {
            let equal = match (a.single(), b.single()) {
                (Some(a), Some(b)) => Range::truth(a == b),
                _ if a.intersection(b).is_err() => Range::FALSE,
                _ => Range::TRUTH,
            };
            if node.op == Op::Eq { equal } else { negated(equal) }
        }
        Op::Ite => match a.single() {
            Some(1) => b,
            Some(_) => c,
            None => b.hull(c),
        },
        Op::BvSlt => less(a, b),
        Op::BvSle => negated(less(b, a)),
        Op::BvUlt => less(a.unsigned(node.arg_width), b.unsigned(node.arg_width)),
        Op::BvUle => negated(less(b.unsigned(node.arg_width), a.unsigned(node.arg_width))),
        Op::BvNot => Range::new(-1 - a.high, -1 - a.low),
        Op::BvNeg => Range::new(-a.high, -a.low).wrapped(width),
        Op::BvAdd => Range::new(a.low + b.low, a.high + b.high).wrapped(width),
        Op::BvSub => Range::new(a.low - b.high, a.high - b.low).wrapped(width),
        Op::BvMul if node.is_square => square(a).wrapped(width),
        Op::BvMul => a.product(b).wrapped(width),
        Op::BvShl => match factor(b, width) {
            Some(factor) => a.product(Range::of(factor)).wrapped(width),
            None => exact(node, &at).unwrap_or(Range::all(width)),
        },
        Op::BvSdiv => match b.single() {
            Some(divisor) if divisor > 0 => a.quotients(divisor),
            _ => exact(node, &at).unwrap_or(Range::all(width)),
        },
        Op::BvSrem => match b.single() {
            Some(divisor) if divisor > 0 => a.remainders(divisor),
            _ => exact(node, &at).unwrap_or(Range::all(width)),
        },
        Op::BvUdiv => match b.single() {
            Some(divisor) if divisor > 0 => a.unsigned(width).quotients(divisor).wrapped(width),
            _ => exact(node, &at).unwrap_or(Range::all(width)),
        },
        Op::BvUrem => match b.single() {
            Some(divisor) if divisor > 0 => a.unsigned(width).remainders(divisor),
            _ => exact(node, &at).unwrap_or(Range::all(width)),
        },
        Op::BvAshr => match factor(b, width) {
            Some(factor) => Range::new(a.low.div_euclid(factor), a.high.div_euclid(factor)),
            None => exact(node, &at).unwrap_or(Range::all(width)),
        },
        Op::BvLshr => match factor(b, width) {
            Some(factor) => a.unsigned(width).quotients(factor).wrapped(width),
            None => exact(node, &at).unwrap_or(Range::all(width)),
        },
        Op::BvAnd => match exact(node, &at) {
            Some(exact) => exact,
            None if a.low >= 0 && b.low >= 0 => Range::new(0, a.high.min(b.high)),
            None if a.low >= 0 => Range::new(0, a.high),
            None if b.low >= 0 => Range::new(0, b.high),
            None => Range::all(width),
        },
        Op::BvZeroExtend(_) => a.unsigned(node.arg_width),
        Op::BvSignExtend(_) => a,
        Op::BvExtract { low: 0, .. } => a.wrapped(width),
        _ => exact(node, &at).unwrap_or(if width == 0 { Range::TRUTH } else { Range::all(width) }),
    }
}

/// Narrows the arguments of the node at a place to what its own range allows.
pub(super) fn backward(node: &Node, place: usize, ranges: &mut [Range]) -> Result<(), Empty> {
    let [x, y, z] = node.args;
    let result = ranges[place];
    let (a, b, width) = (ranges[x], ranges[y], node.width);
    let narrow = |ranges: &mut [Range], at: usize, to: Range| -> Result<(), Empty> {
        ranges[at] = ranges[at].intersection(to)?;
        Ok(())
    };
    match node.op {
        Op::Not => narrow(ranges, x, Range::new(1 - result.high, 1 - result.low))?,
        Op::And | Op::Or => {
            // What one argument decides, and what the result is otherwise.
            let decides = if node.op == Op::And { Range::FALSE } else { Range::TRUE };
            let otherwise = negated(decides);
            if result == otherwise {
                narrow(ranges, x, otherwise)?;
                narrow(ranges, y, otherwise)?;
            } else if result == decides {
                if a == otherwise {
                    narrow(ranges, y, decides)?;
                } else if b == otherwise {
                    narrow(ranges, x, decides)?;
                }
            }
        }
        Op::Eq if result == Range::TRUE => {
            let both = a.intersection(b)?;
            narrow(ranges, x, both)?;
            narrow(ranges, y, both)?;
        }
        Op::Eq if result == Range::FALSE => {
            if let Some(value) = b.single() {
                ranges[x] = without(a, value)?;
            }
            if let Some(value) = a.single() {
                ranges[y] = without(b, value)?;
            }
        }
        Op::Ite => {
            let c = ranges[z];
            match a.single() {
                Some(1) => narrow(ranges, y, result)?,
                Some(_) => narrow(ranges, z, result)?,
                None if b.intersection(result).is_err() => narrow(ranges, x, Range::FALSE)?,
                None if c.intersection(result).is_err() => narrow(ranges, x, Range::TRUE)?,
                None => {}
            }
        }
        Op::BvSlt | Op::BvSle => {
            if let Some(truth) = result.single() {
                let (a, b) = ordered(a, b, truth == 1, node.op == Op::BvSlt)?;
                narrow(ranges, x, a)?;
                narrow(ranges, y, b)?;
            }
        }
        Op::BvUlt | Op::BvUle => {
            if let Some(truth) = result.single() {
                let width = node.arg_width;
                let unsigned = (a.unsigned(width), b.unsigned(width));
                let (one, other) = ordered(unsigned.0, unsigned.1, truth == 1, node.op == Op::BvUlt)?;
                ranges[x] = ranges[x].within_unsigned(one, width)?;
                ranges[y] = ranges[y].within_unsigned(other, width)?;
            }
        }
        Op::BvNot => narrow(ranges, x, Range::new(-1 - result.high, -1 - result.low))?,
        Op::BvNeg => {
            let negative = Range::new(-a.high, -a.low).unwrapped(result, width)?;
            narrow(ranges, x, Range::new(-negative.high, -negative.low))?;
        }
        Op::BvAdd => {
            let sum = Range::new(a.low + b.low, a.high + b.high).unwrapped(result, width)?;
            narrow(ranges, x, Range::new(sum.low - b.high, sum.high - b.low))?;
            narrow(ranges, y, Range::new(sum.low - a.high, sum.high - a.low))?;
        }
        Op::BvSub => {
            let difference = Range::new(a.low - b.high, a.high - b.low).unwrapped(result, width)?;
            narrow(ranges, x, Range::new(difference.low + b.low, difference.high + b.high))?;
            narrow(ranges, y, Range::new(a.low - difference.high, a.high - difference.low))?;
        }
        Op::BvMul if !node.is_square => {
            for (factor, other) in [(b, x), (a, y)] {
                if let Some(factor) = factor.single().filter(|&factor| factor != 0) {
                    let product = ranges[other].product(Range::of(factor)).unwrapped(result, width)?;
                    narrow(ranges, other, product.divided_exactly(factor)?)?;
                }
            }
        }
        Op::BvShl => {
            if let Some(factor) = factor(b, width) {
                let product = a.product(Range::of(factor)).unwrapped(result, width)?;
                narrow(ranges, x, product.divided_exactly(factor)?)?;
            }
        }
        Op::BvSdiv => {
            if let Some(divisor) = b.single().filter(|&divisor| divisor > 0) {
                narrow(ranges, x, result.dividends(divisor))?;
            }
        }
        Op::BvSrem => {
            if let Some(divisor) = b.single().filter(|&divisor| divisor > 0) {
                ranges[x] = a.with_remainders(result, divisor)?;
            }
        }
        // With a clear highest bit, these are as with a sign.
        Op::BvUdiv if a.low >= 0 => {
            if let Some(divisor) = b.single().filter(|&divisor| divisor > 0) {
                narrow(ranges, x, result.dividends(divisor))?;
            }
        }
        Op::BvUrem if a.low >= 0 => {
            if let Some(divisor) = b.single().filter(|&divisor| divisor > 0) {
                ranges[x] = a.with_remainders(result, divisor)?;
            }
        }
        Op::BvAshr => {
            if let Some(factor) = factor(b, width) {
                narrow(ranges, x, Range::new(result.low * factor, result.high * factor + factor - 1))?;
            }
        }
        Op::BvZeroExtend(_) => ranges[x] = a.within_unsigned(result, node.arg_width)?,
        Op::BvSignExtend(_) => narrow(ranges, x, result)?,
        Op::BvExtract { low: 0, .. } => ranges[x] = a.unwrapped(result, width)?,
        _ => {}
    }
    Ok(())
}

/// `a < b`.
fn less(a: Range, b: Range) -> Range {
    Range::new((a.high < b.low).into(), (a.low < b.high).into())
}

fn negated(truth: Range) -> Range {
    Range::new(1 - truth.high, 1 - truth.low)
}

/// The parts of two ranges that can be in an order, or not in it.
fn ordered(a: Range, b: Range, holds: bool, is_strict: bool) -> Result<(Range, Range), Empty> {
    // `not (a < b)` is `b <= a`.
    let (small, large) = if holds { (a, b) } else { (b, a) };
    let distance = i128::from(is_strict == holds);
    let narrowed = (
        small.intersection(Range::new(i128::MIN, large.high - distance))?,
        large.intersection(Range::new(small.low + distance, i128::MAX))?,
    );
    Ok(if holds { narrowed } else { (narrowed.1, narrowed.0) })
}

/// A range without a value, if that is at one of its ends.
fn without(range: Range, value: i128) -> Result<Range, Empty> {
    let low = range.low + i128::from(range.low == value);
    let high = range.high - i128::from(range.high == value);
    if low <= high { Ok(Range { low, high }) } else { Err(Empty) }
}

/// What a shift by a known distance multiplies or divides by, unless it shifts out everything.
fn factor(distance: Range, width: u32) -> Option<i128> {
    let distance = u32::try_from(distance.single()?).ok()?;
    (distance < width).then(|| 1 << distance)
}

/// `a * a`.
fn square(a: Range) -> Range {
    let (one, other) = (a.low * a.low, a.high * a.high);
    let least = if a.low <= 0 && a.high >= 0 { 0 } else { one.min(other) };
    Range::new(least, one.max(other))
}

/// The result for single values.
fn exact(node: &Node, at: &impl Fn(usize) -> Range) -> Option<Range> {
    let values: Option<Vec<Value>> = node.args[..node.op.arity()]
        .iter()
        .zip(node.arg_widths)
        .map(|(&arg, width)| {
            let value = at(arg).single()?;
            Some(if width == 0 {
                Value::Bool(value == 1)
            } else {
                Value::BitVec(BitVec::from_signed(width, value))
            })
        })
        .collect();
    match node.op.apply(&values?)? {
        Value::Bool(truth) => Some(Range::truth(truth)),
        Value::BitVec(bits) => Some(Range::of(bits.signed())),
        _ => None,
    }
}
