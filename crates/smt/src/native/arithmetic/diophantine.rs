//! Equations among integers: whether they have integer solutions at all, which branching might never find out.
//!
//! The rows of the tableau with the values of fixed columns are equations. Unknowns are eliminated one by one; where no
//! coefficient is one, a change of variables makes coefficients smaller (Pugh's method for equalities in the Omega test).

use super::simplex::{Reason, Side, Simplex, Var};
use aster_term::Rational;
use std::collections::{BTreeMap, BTreeSet};

/// Larger systems are left to branching.
const MAX_EQUATIONS: usize = 200;

/// How many changes of variables and eliminations are done.
const MAX_STEPS: usize = 2000;

/// `sum = constant` because of the bounds with these reasons.
struct Equation {
    sum: BTreeMap<Var, Rational>,
    constant: Rational,
    reasons: BTreeSet<Reason>,
}

impl Equation {
    /// Makes coefficients coprime integers. False if the equation has no integer solution.
    fn normalise(&mut self) -> bool {
        let (mut divisor, mut multiple) = (Rational::ZERO, Rational::ONE);
        for c in self.sum.values() {
            divisor = divisor.gcd(&c.numerator());
            multiple = multiple.lcm(&c.denominator());
        }
        if divisor.is_zero() {
            return self.constant.is_zero();
        }
        let scale = &multiple / &divisor;
        for c in self.sum.values_mut() {
            *c = &*c * &scale;
        }
        self.constant = &self.constant * &scale;
        self.constant.is_integer()
    }

    /// Adds a multiple of another equation's sides.
    fn add(&mut self, other: &Equation, factor: &Rational) {
        for (&var, c) in &other.sum {
            add_to(&mut self.sum, var, &(c * factor));
        }
        self.constant += &(&other.constant * factor);
        self.reasons.extend(&other.reasons);
    }
}

fn add_to(sum: &mut BTreeMap<Var, Rational>, var: Var, by: &Rational) {
    let entry = sum.entry(var).or_default();
    *entry += by;
    if entry.is_zero() {
        sum.remove(&var);
    }
}

/// The reasons of bounds that make the rows of the tableau unsolvable in integers, if that is found.
pub(super) fn refute(tableau: &Simplex, integral: &[Var]) -> Option<BTreeSet<Reason>> {
    let mut equations = equations(tableau, integral)?;
    let mut fresh = tableau.columns();
    let mut steps = 0;
    while let Some(mut equation) = equations.pop() {
        loop {
            if !equation.normalise() {
                return Some(equation.reasons);
            }
            let smallest = equation.sum.iter().min_by(|a, b| a.1.abs().cmp(&b.1.abs()));
            let Some((&var, factor)) = smallest.map(|(var, factor)| (var, factor.clone())) else { break };
            steps += 1;
            if steps > MAX_STEPS {
                return None;
            }
            if factor.abs().is_one() {
                for other in &mut equations {
                    if let Some(own) = other.sum.get(&var).cloned() {
                        other.add(&equation, &-&(&own * &factor));
                    }
                }
                break;
            }
            // var = new - sum of the rounded quotients of the others, which is a bijection between integer solutions.
            let quotients: Vec<(Var, Rational)> = equation
                .sum
                .iter()
                .filter(|&(&other, _)| other != var)
                .map(|(&other, c)| (other, nearest(&(c / &factor))))
                .collect();
            for target in equations.iter_mut().chain([&mut equation]) {
                let Some(own) = target.sum.remove(&var) else { continue };
                add_to(&mut target.sum, fresh, &own);
                for (other, quotient) in &quotients {
                    add_to(&mut target.sum, *other, &-&(&own * quotient));
                }
            }
            fresh += 1;
        }
    }
    None
}

fn nearest(number: &Rational) -> Rational {
    let half = &Rational::ONE / &Rational::from(2);
    (number + &half).floor()
}

/// The rows over integers only, with the values of fixed columns put in. `None` if there are too many.
fn equations(tableau: &Simplex, integral: &[Var]) -> Option<Vec<Equation>> {
    let mut equations = Vec::new();
    for basic in (0..tableau.columns()).rev() {
        let Some(row) = tableau.row(basic) else { continue };
        let mut equation =
            Equation { sum: BTreeMap::new(), constant: Rational::ZERO, reasons: BTreeSet::new() };
        let minus_one = -Rational::ONE;
        let mut is_integral = true;
        for (var, factor) in row.iter().map(|(var, factor)| (*var, factor)).chain([(basic, &minus_one)]) {
            let (lower, upper) = (tableau.bound(var, Side::Lower), tableau.bound(var, Side::Upper));
            match (lower, upper) {
                (Some(lower), Some(upper)) if lower.value == upper.value => {
                    equation.constant -= &(&lower.value.real * factor);
                    equation.reasons.extend([lower.reason, upper.reason]);
                }
                _ => {
                    is_integral &= integral.binary_search(&var).is_ok();
                    add_to(&mut equation.sum, var, factor);
                }
            }
        }
        if is_integral {
            equations.push(equation);
        }
        if equations.len() > MAX_EQUATIONS {
            return None;
        }
    }
    Some(equations)
}
