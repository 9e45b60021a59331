//! Series of predicates: what refinement finds if it tells the iterations of a loop apart one after the other.
//!
//! `k == i`, `k == i + 1`, `k == i + 2` never comes to an end, but `k < i` says all that is needed; and where a loop
//! that ends at `i == 1000` gives `i + 1 < 1000`, `i + 2 < 1000` and so on, it is the literal that keeps the
//! reason for which a path is infeasible from being found.

use super::linear::{self, Linear, Reading};
use aster_term::{Op, Sort, Term, TermPool};

/// Literals below this are not taken for the far end of a loop.
pub const FAR: u32 = 64;

/// What takes the place of a series.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suggestion {
    /// An inequality at the end where the series began, and what follows from it or holds in all of its members.
    pub bounds: Vec<Term>,
    /// Literals that all members of the series have in common. The path may well be infeasible whatever their value.
    pub literals: Vec<Term>,
}

/// A comparison of a linear expression with zero.
struct Comparison {
    is_equation: bool,
    reading: Reading,
    linear: Linear,
}

impl Comparison {
    /// Reads a predicate. Equations have a positive first coefficient.
    fn read(pool: &TermPool, predicate: Term) -> Option<Comparison> {
        let (op, _, a, b) = linear::comparison(pool, predicate)?;
        let reading = match op {
            _ if pool.sort(a) == Sort::Int => Reading::Integer,
            Op::BvUlt | Op::BvUle => Reading::Unsigned,
            _ => Reading::Signed,
        };
        let mut linear = Linear::difference(pool, reading, a, b)?;
        let is_equation = op == Op::Eq;
        if is_equation && *linear.coefficients.values().next()? < 0 {
            linear = linear.negated_plus(0)?;
        }
        Some(Comparison { is_equation, reading, linear })
    }

    /// True if the other one differs in the number only.
    fn is_like(&self, other: &Comparison) -> bool {
        self.is_equation == other.is_equation
            && self.reading == other.reading
            && self.linear.coefficients == other.linear.coefficients
    }
}

/// Looks whether a predicate continues a series of those that are known, which are given in the order in which they
/// were found.
pub fn series(pool: &mut TermPool, known: &[Term], predicate: Term) -> Suggestion {
    find(pool, known, predicate).unwrap_or_default()
}

fn find(pool: &mut TermPool, known: &[Term], predicate: Term) -> Option<Suggestion> {
    let last = Comparison::read(pool, predicate)?;
    let mut members: Vec<(Term, i128)> = known
        .iter()
        .filter(|&&other| other != predicate)
        .filter_map(|&other| Some((other, Comparison::read(pool, other).filter(|c| c.is_like(&last))?)))
        .map(|(term, comparison)| (term, comparison.linear.constant))
        .collect();
    members.push((predicate, last.linear.constant));
    let relates = last.linear.coefficients.len() > 1;
    let length = if relates && last.is_equation { 2 } else { 3 };
    let steps: Vec<i128> =
        members.windows(2).map(|pair| pair[1].1.checked_sub(pair[0].1)).collect::<Option<_>>()?;
    let step = *steps.last()?;
    let even = steps.iter().rev().take_while(|&&other| other == step).count();
    // A series that goes on elsewhere than where it began has its bound already.
    if step == 0 || even + 1 < length {
        return None;
    }
    let run = &members[members.len() - 1 - even..];
    let is_whole = run.len() == members.len();
    if !relates && last.is_equation && !is_related(pool, known, &last) {
        return None;
    }
    let mut suggestion = Suggestion::default();
    let in_common = |pool: &TermPool| {
        let is_literal =
            |&term: &Term| pool.bv_constant(term).is_some_and(|bits| bits.signed() >= FAR.into());
        let of_first = pool.args(run[0].0).iter().copied().filter(is_literal);
        of_first.filter(|literal| run.iter().all(|(term, _)| pool.args(*term).contains(literal))).collect()
    };
    if !relates {
        suggestion.literals = in_common(pool);
    }
    if last.is_equation && is_whole {
        let first = Linear { constant: run[0].1, ..last.linear.clone() };
        // The numbers are on the other side of the equation: if they fall here, they grow there.
        let bound = if step < 0 { first.plus(1)? } else { first.negated_plus(1)? };
        suggestion.bounds.extend(linear::formula(pool, last.reading, &bound));
        if relates {
            suggestion.bounds.extend(through_others(pool, known, &last));
        }
        suggestion.bounds.extend(low_bits(pool, run[0].0, step));
        suggestion.bounds.retain(|&bound| pool.bool_constant(bound).is_none());
    }
    Some(suggestion)
}

/// True if a variable of a comparison is compared with another variable elsewhere. The values of one that is not may
/// just be those of a state machine.
fn is_related(pool: &TermPool, known: &[Term], comparison: &Comparison) -> bool {
    known.iter().filter_map(|&other| Comparison::read(pool, other)).any(|other| {
        let terms = &other.linear.coefficients;
        terms.len() > 1 && comparison.linear.coefficients.keys().any(|term| terms.contains_key(term))
    })
}

/// What all members of a series have in common whose steps are multiples of a power of two: their two sides agree
/// in the lowest bits.
fn low_bits(pool: &mut TermPool, equation: Term, step: i128) -> Option<Term> {
    let &[a, b] = pool.args(equation) else { return None };
    let count = step.trailing_zeros();
    if count == 0 || count >= pool.sort(a).width()? {
        return None;
    }
    let (a, b) = (pool.extract(count - 1, 0, a), pool.extract(count - 1, 0, b));
    Some(pool.eq(a, b))
}

/// Where an equation relates two variables, and an inequality compares one of them with something else, the same
/// comparison of the other one.
fn through_others(pool: &mut TermPool, known: &[Term], equation: &Comparison) -> Vec<Term> {
    let mut found = Vec::new();
    for &other in known {
        let Some(order) = Comparison::read(pool, other) else { continue };
        let is_near = order.linear.coefficients.len() == 1 && order.linear.constant.abs() < FAR.into();
        if order.is_equation || order.reading != equation.reading || is_near {
            continue;
        }
        for (&shared, &coefficient) in &equation.linear.coefficients {
            if pool.args(other).contains(&shared) {
                let there = order.linear.coefficients.get(&shared).copied().unwrap_or(0);
                found.extend(exchanged(pool, &order, there, equation, coefficient));
            }
        }
    }
    found
}

/// An inequality without the variable that has these coefficients in it and in an equation.
fn exchanged(
    pool: &mut TermPool,
    order: &Comparison,
    there: i128,
    equation: &Comparison,
    here: i128,
) -> Option<Term> {
    let equal = Linear { constant: 0, ..equation.linear.clone() };
    let mut sum = Linear::default();
    sum.add(here.checked_abs()?, &order.linear)?;
    sum.add(if (here > 0) == (there > 0) { -1 } else { 1 }, &equal)?;
    let less = sum.plus(1)?;
    let is_simple = there.abs() == 1 && less.coefficients.len() <= 3;
    is_simple.then(|| linear::formula(pool, order.reading, &less))?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(pool: &mut TermPool) -> [Term; 3] {
        ["i", "k", "n"].map(|name| pool.variable(name, Sort::BitVec(32)))
    }

    fn plus(pool: &mut TermPool, variable: Term, number: u128) -> Term {
        let number = pool.bv(32, number);
        pool.add(variable, number)
    }

    #[test]
    fn equations_between_variables_become_their_order() {
        let mut pool = TermPool::new();
        let [i, k, n] = variables(&mut pool);
        let next = plus(&mut pool, i, 1);
        let (same, one_more, below) = (pool.eq(k, i), pool.eq(k, next), pool.slt(i, n));
        assert_eq!(series(&mut pool, &[below], same), Suggestion::default());
        let found = series(&mut pool, &[below, same], one_more);
        assert_eq!(found, Suggestion { bounds: vec![pool.slt(k, i), pool.slt(k, n)], literals: vec![] });
        let limit = pool.bv(32, 1000);
        let below = pool.slt(i, limit);
        let found = series(&mut pool, &[below, same], one_more);
        assert_eq!(found.bounds, [pool.slt(k, i), pool.slt(k, limit)]);
        // Counted in steps of four: what is below 1000 is below 4000 there.
        let four = pool.bv(32, 4);
        let times = pool.mul(i, four);
        let (same_times, next_times) = (pool.eq(k, times), plus(&mut pool, times, 4));
        let next_times = pool.eq(k, next_times);
        let limit = pool.bv(32, 4000);
        let found = series(&mut pool, &[below, same_times], next_times);
        assert!(found.bounds.contains(&pool.slt(k, limit)), "{found:?}");
        // The same from an address on.
        let start = pool.variable("start", Sort::BitVec(32));
        let (all, further) = (pool.mul(n, four), plus(&mut pool, times, 4));
        let [address, further, end] = [times, further, all].map(|offset| pool.add(start, offset));
        let below = pool.slt(i, n);
        let [same_address, next_address] = [address, further].map(|address| pool.eq(k, address));
        let found = series(&mut pool, &[below, same_address], next_address);
        assert!(found.bounds.contains(&pool.slt(k, end)), "{found:?}");
        // In steps of two.
        let two_more = plus(&mut pool, i, 2);
        let found = {
            let two_more = pool.eq(k, two_more);
            series(&mut pool, &[same], two_more).bounds
        };
        let (low, other) = (pool.extract(0, 0, k), pool.extract(0, 0, i));
        assert_eq!(found, [pool.slt(k, i), pool.eq(low, other)]);
        // The same series read from its other end.
        let found = series(&mut pool, &[one_more], same);
        assert_eq!(found.bounds, [pool.slt(next, k)]);
    }

    #[test]
    fn values_become_bounds_only_if_they_are_evenly_spaced_and_compared_with_others() {
        let mut pool = TermPool::new();
        let [i, _, n] = variables(&mut pool);
        let mut is = |n: u128| {
            let number = pool.bv(32, n);
            pool.eq(i, number)
        };
        let [zero, one, two, seven] = [is(0), is(1), is(2), is(7)];
        assert_eq!(series(&mut pool, &[zero, one], seven), Suggestion::default());
        assert_eq!(series(&mut pool, &[zero], one), Suggestion::default());
        assert_eq!(series(&mut pool, &[zero, one], two), Suggestion::default());
        let below = pool.slt(i, n);
        assert_eq!(series(&mut pool, &[below, seven, zero, one], two), Suggestion::default());
        let found = series(&mut pool, &[below, zero, one], two);
        let literal = pool.bv(32, 0);
        assert_eq!(found, Suggestion { bounds: vec![pool.slt(i, literal)], literals: vec![] });
    }

    #[test]
    fn a_literal_that_is_counted_up_to_is_found() {
        let mut pool = TermPool::new();
        let [i, ..] = variables(&mut pool);
        let limit = pool.bv(32, 1000);
        let below: Vec<Term> = (0..3)
            .map(|n| {
                let sum = plus(&mut pool, i, n);
                pool.slt(sum, limit)
            })
            .collect();
        let found = series(&mut pool, &below[..2], below[2]);
        assert_eq!(found, Suggestion { bounds: vec![], literals: vec![limit] });
    }
}
