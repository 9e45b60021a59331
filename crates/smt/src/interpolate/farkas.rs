//! Interpolants from proofs in linear arithmetic over the integers.
//!
//! A proof that inequalities contradict each other is a sum of multiples of them that says `1 <= 0`. The part of the
//! sum that stems from the steps before a cut is an interpolant there: what the parts before and after the cut do not
//! both mention cancels out on its own side. Bit-vectors wrap around and integers do not, so the result is only
//! a candidate until the solver has confirmed it. Integers are not bit-vectors in the same proof.

use super::law::{self, Verdict};
use super::linear::{self, Constraint, Linear, Reading};
use super::path::{auxiliary, substitute};
use super::simplex::{Rational, gcd, multipliers};
use super::strategies::Problem;
use crate::Solver;
use aster_term::{Op, Sort, Term, TermPool, free_variables};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Systems with more inequalities or variables are not tried.
const MAX_SIZE: usize = 300;
/// Each disequality doubles the number of proofs.
const MAX_DISEQUALITIES: usize = 3;

/// The core as constraints over versions of the variables, with the segment that each stems from.
struct System {
    inequalities: Vec<(usize, Linear)>,
    disequalities: Vec<(usize, Linear)>,
    /// For each cut the program variables of the versions that are current there.
    original: Vec<FxHashMap<Term, Term>>,
}

/// Interpolants that the solver has confirmed.
pub(super) fn interpolants(
    pool: &mut TermPool,
    solver: &mut dyn Solver,
    problem: &Problem,
) -> Option<Vec<Term>> {
    let Problem { path, length, cuts, .. } = *problem;
    candidates(pool, problem)
        .into_iter()
        .find(|formulas| law::verdict(pool, solver, path, length, cuts, formulas) == Verdict::Holds)
}

/// What would be interpolants if nothing wrapped around.
pub(super) fn candidates(pool: &mut TermPool, problem: &Problem) -> Vec<Vec<Term>> {
    let mut found = Vec::new();
    for reading in readings(pool, problem) {
        if let Some(system) = system(pool, problem, reading) {
            found.extend(split(pool, problem, reading, &system, &[]));
        }
    }
    found
}

/// The readings that comparisons of the core ask for.
fn readings(pool: &TermPool, problem: &Problem) -> Vec<Reading> {
    let used: BTreeSet<Op> = problem
        .core
        .iter()
        .filter_map(|&a| linear::comparison(pool, problem.path.assumptions[a].formula))
        .map(|(op, ..)| op)
        .collect();
    let is_integer = |&a: &usize| {
        let compared = linear::comparison(pool, problem.path.assumptions[a].formula);
        compared.is_some_and(|(_, _, side, _)| pool.sort(side) == Sort::Int)
    };
    if problem.core.iter().any(is_integer) {
        return vec![Reading::Integer];
    }
    let unsigned = used.contains(&Op::BvUlt) || used.contains(&Op::BvUle);
    let signed = used.contains(&Op::BvSlt) || used.contains(&Op::BvSle) || !unsigned;
    let mut readings = Vec::new();
    readings.extend(signed.then_some(Reading::Signed));
    readings.extend(unsigned.then_some(Reading::Unsigned));
    readings
}

fn system(pool: &mut TermPool, problem: &Problem, reading: Reading) -> Option<System> {
    let Problem { path, cuts, .. } = *problem;
    let mut system = System { inequalities: Vec::new(), disequalities: Vec::new(), original: Vec::new() };
    let mut version: FxHashMap<Term, Term> = FxHashMap::default();
    let (mut start, mut count) = (0, 0);
    for position in 0..=cuts.len() {
        let end = cuts.get(position).copied().unwrap_or(problem.length);
        let segment = path.segment(pool, start..end, Some(problem.slice), |a| problem.in_core(a));
        for &assumption in &segment.assumptions {
            let formula = substitute(pool, assumption, &version);
            match linear::constraint(pool, reading, formula) {
                Some(Constraint::AtMostZero(all)) => {
                    system.inequalities.extend(all.into_iter().map(|linear| (position, linear)));
                }
                Some(Constraint::NotZero(linear)) => system.disequalities.push((position, linear)),
                None => {}
            }
        }
        let Some(live) = problem.slice.live.get(position) else { break };
        let mut next = version.clone();
        for &variable in live {
            let Some(&value) = segment.memory.get(&variable) else { continue };
            let copy = auxiliary(pool, "version", count, variable);
            count += 1;
            next.insert(variable, copy);
            if reading == Reading::Integer && pool.sort(variable) == Sort::Int
                || reading != Reading::Integer && pool.sort(variable).width().is_some()
            {
                let value = substitute(pool, value, &version);
                let equation = Linear::difference(pool, reading, copy, value)?;
                system.inequalities.push((position, equation.negated_plus(0)?));
                system.inequalities.push((position, equation));
            }
        }
        version = next;
        let current = live.iter().map(|&v| (version.get(&v).copied().unwrap_or(v), v));
        system.original.push(current.collect());
        start = end;
    }
    if reading == Reading::Unsigned {
        bound_from_below(&mut system);
    }
    Some(system)
}

/// Adds that numbers without sign are not negative, each where it is mentioned first.
fn bound_from_below(system: &mut System) {
    let mut first: Vec<(usize, Term)> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut all: Vec<&(usize, Linear)> = system.inequalities.iter().chain(&system.disequalities).collect();
    all.sort_by_key(|(segment, _)| *segment);
    for (segment, linear) in all {
        first.extend(linear.coefficients.keys().filter(|&&t| seen.insert(t)).map(|&t| (*segment, t)));
    }
    for (segment, term) in first {
        let linear = Linear { coefficients: [(term, -1)].into(), constant: 0 };
        system.inequalities.push((segment, linear));
    }
}

/// Formulas for the system in which the first disequalities are replaced by the `chosen` inequalities. A
/// disequality is either less or greater: seen from after it, one of both cases is there; seen from before it, both
/// have to be excluded.
fn split(
    pool: &mut TermPool,
    problem: &Problem,
    reading: Reading,
    system: &System,
    chosen: &[(usize, Linear)],
) -> Option<Vec<Term>> {
    let mut inequalities = system.inequalities.clone();
    inequalities.extend_from_slice(chosen);
    if let Some(formulas) = partial_sums(pool, problem, reading, system, &inequalities) {
        return Some(formulas);
    }
    if chosen.len() == MAX_DISEQUALITIES {
        return None;
    }
    let (segment, difference) = system.disequalities.get(chosen.len())?;
    let mut cases = Vec::new();
    for case in [difference.clone().plus(1)?, difference.negated_plus(1)?] {
        let chosen = [chosen, &[(*segment, case)]].concat();
        cases.push(split(pool, problem, reading, system, &chosen)?);
    }
    let pairs = cases[0].iter().zip(&cases[1]).enumerate();
    let combined = pairs.map(|(cut, (&a, &b))| if *segment <= cut { pool.or(a, b) } else { pool.and(a, b) });
    Some(combined.collect())
}

/// The sums of a proof up to each cut.
fn partial_sums(
    pool: &mut TermPool,
    problem: &Problem,
    reading: Reading,
    system: &System,
    inequalities: &[(usize, Linear)],
) -> Option<Vec<Term>> {
    let terms: BTreeSet<Term> =
        inequalities.iter().flat_map(|(_, linear)| linear.coefficients.keys().copied()).collect();
    if inequalities.len() > MAX_SIZE || terms.len() > MAX_SIZE {
        return None;
    }
    let rows: Vec<Vec<i128>> = inequalities
        .iter()
        .map(|(_, linear)| {
            let coefficient = |term| linear.coefficients.get(term).copied().unwrap_or(0);
            terms.iter().map(coefficient).chain([linear.constant]).collect()
        })
        .collect();
    let factors = whole_numbers(&multipliers(&rows)?)?;
    let mut formulas = Vec::new();
    for cut in 0..problem.cuts.len() {
        let mut sum = Linear::default();
        for ((segment, linear), &factor) in inequalities.iter().zip(&factors) {
            if *segment <= cut && factor != 0 {
                sum.add(factor, linear)?;
            }
        }
        let renamed = rename(pool, &sum, &system.original[cut])?;
        formulas.push(linear::formula(pool, reading, &renamed)?);
    }
    Some(formulas)
}

/// The multipliers without denominators.
fn whole_numbers(multipliers: &[Rational]) -> Option<Vec<i128>> {
    let mut scale: i128 = 1;
    for multiplier in multipliers {
        let common = gcd(scale, multiplier.denominator)?;
        scale = scale.checked_mul(multiplier.denominator / common)?;
    }
    multipliers.iter().map(|m| m.numerator.checked_mul(scale / m.denominator)).collect()
}

/// The expression over program variables; `None` if it mentions a value that is gone at the cut.
fn rename(pool: &mut TermPool, linear: &Linear, original: &FxHashMap<Term, Term>) -> Option<Linear> {
    let mut renamed = Linear { constant: linear.constant, ..Linear::default() };
    for (&term, &coefficient) in &linear.coefficients {
        if free_variables(pool, &[term]).iter().any(|v| !original.contains_key(v)) {
            return None;
        }
        let term = substitute(pool, term, original);
        renamed.add(coefficient, &Linear { coefficients: [(term, 1)].into(), constant: 0 })?;
    }
    Some(renamed)
}
