//! Integer values within bounds: branch and bound behind the simplex algorithm, with the equations among integers solved
//! first and with Gomory's cuts. Every conflict is explained by bounds that were asserted, so it becomes a clause.

use super::Verdict;
use super::diophantine;
use super::simplex::{Conflict, Reason, Shifted, Side, Simplex, Var, integer_below};
use crate::native::sat::Lit;
use crate::solver::UnknownReason;
use aster_term::Rational;
use std::collections::BTreeSet;

/// How many branches are tried in each attempt, and how far from the solution over the rationals. Without limits, branching
/// may go astray for ever where there are solutions nearby; within them, it ends.
const ATTEMPTS: [(usize, Option<i32>); 4] = [(60, None), (300, Some(12)), (1000, Some(300)), (1000, None)];

/// How often cuts are added to the root of the search, and how many at once.
const CUT_ROUNDS: usize = 8;
const CUTS_PER_ROUND: usize = 4;

/// Cuts with larger numbers slow the search down.
const MAX_CUT_NUMBER: i64 = 1 << 30;

/// A bound on a column that a literal stands for.
pub(super) struct Asserted {
    pub(super) column: Var,
    pub(super) side: Side,
    pub(super) value: Shifted,
    pub(super) literal: Lit,
}

/// Why a bound holds, beside those that literals stand for.
enum Origin {
    /// It was tried.
    Tried,
    /// It follows from bounds with these reasons, none of which is derived itself.
    Derived(Vec<Reason>),
}

/// A branch of the search that is open.
struct Branch {
    var: Var,
    /// The reason of the bound that is tried.
    reason: Reason,
    /// What is left to try: the bound on the other side.
    other: Option<(Side, Rational)>,
    /// Why the side that was tried first is impossible.
    refuted: BTreeSet<Reason>,
}

struct Search<'a> {
    tableau: &'a mut Simplex,
    /// Columns that have to become integers.
    integers: &'a [Var],
    /// All columns whose values are integers, by ascending number.
    integral: Vec<Var>,
    /// Reasons below this number are bounds that literals stand for.
    asserted: Reason,
    origins: Vec<Origin>,
    branches: Vec<Branch>,
}

/// Values within the bounds such that the given columns are integers, left in the tableau; or why there are none. More columns
/// may be known to be integers wherever it matters.
pub(super) fn search(
    tableau: &mut Simplex,
    integers: &[Var],
    integral: Vec<Var>,
    bounds: &[Asserted],
    stop: &dyn Fn() -> Option<UnknownReason>,
) -> Result<Verdict, UnknownReason> {
    let asserted = bounds.len() as Reason;
    let mut search =
        Search { tableau, integers, integral, asserted, origins: Vec::new(), branches: Vec::new() };
    Ok(match search.run(bounds, stop)? {
        Ok(()) => Verdict::Consistent,
        Err(reasons) => {
            let literal = |&reason: &Reason| bounds[reason as usize].literal;
            Verdict::Conflict(reasons.iter().map(literal).collect())
        }
    })
}

enum Attempt {
    /// The values are those of the tableau.
    Found,
    Refuted(Refutation),
    GaveUp,
}

type Refutation = BTreeSet<Reason>;

impl Search<'_> {
    fn run(
        &mut self,
        bounds: &[Asserted],
        stop: &dyn Fn() -> Option<UnknownReason>,
    ) -> Result<Result<(), Refutation>, UnknownReason> {
        for (reason, bound) in bounds.iter().enumerate() {
            let asserted =
                self.tableau.assert(bound.column, bound.side, bound.value.clone(), reason as Reason);
            if let Err(conflict) = asserted {
                return Ok(Err(self.leaves(conflict)));
            }
        }
        for &var in self.integers {
            self.tableau.round(var);
        }
        for (limit, radius) in ATTEMPTS {
            self.tableau.push();
            let outcome = self.attempt(limit, radius, stop);
            // The values stay; the bounds that were tried go.
            for _ in 0..=self.branches.len() {
                self.tableau.pop();
            }
            self.branches.clear();
            match outcome? {
                Attempt::Found => return Ok(Ok(())),
                Attempt::Refuted(reasons) => return Ok(Err(reasons)),
                Attempt::GaveUp => {}
            }
        }
        Err(UnknownReason::Backend("the search for integers was given up".into()))
    }

    /// Searches with a limited number of branches, and values within a radius.
    fn attempt(
        &mut self,
        limit: usize,
        radius: Option<i32>,
        stop: &dyn Fn() -> Option<UnknownReason>,
    ) -> Result<Attempt, UnknownReason> {
        let confinement = radius.map(|radius| self.confine(radius.into()));
        let mut tried = 0;
        let mut cut_rounds = 0;
        let mut refutation = None;
        loop {
            if let Some(found) = refutation.take() {
                match self.backtrack(found) {
                    Ok(next) => refutation = next,
                    Err(found) => {
                        let is_confined = confinement.is_some_and(|reason| found.contains(&reason));
                        return Ok(if is_confined { Attempt::GaveUp } else { Attempt::Refuted(found) });
                    }
                }
                continue;
            }
            let is_stopped = || stop().is_some();
            match self.tableau.check(&is_stopped) {
                Err(_) => return Err(stop().unwrap_or(UnknownReason::Interrupted)),
                Ok(Err(conflict)) => {
                    refutation = Some(self.leaves(conflict));
                    continue;
                }
                Ok(Ok(())) => {}
            }
            let Some(var) = self.fractional() else { return Ok(Attempt::Found) };
            if let Some(reason) = stop() {
                return Err(reason);
            }
            if self.branches.is_empty() {
                if cut_rounds == 0
                    && radius.is_none()
                    && let Some(conflict) = diophantine::refute(self.tableau, &self.integral)
                {
                    let conflict = conflict.into_iter().map(|reason| (reason, Rational::ONE)).collect();
                    refutation = Some(self.leaves(conflict));
                    continue;
                }
                if cut_rounds < CUT_ROUNDS {
                    cut_rounds += 1;
                    match self.cut() {
                        Ok(0) => cut_rounds = CUT_ROUNDS,
                        Ok(_) => continue,
                        Err(conflict) => {
                            refutation = Some(conflict);
                            continue;
                        }
                    }
                }
            }
            tried += 1;
            if tried > limit {
                return Ok(Attempt::GaveUp);
            }
            refutation = self.branch(var);
        }
    }

    /// Bounds around the present values of the columns that should be integers. Their reason is returned.
    fn confine(&mut self, radius: Rational) -> Reason {
        let reason = self.reason(Origin::Tried);
        for &var in self.integers {
            let center = self.tableau.value(var).real.floor();
            for (side, limit) in [(Side::Lower, &center - &radius), (Side::Upper, &center + &radius)] {
                // A bound that is in conflict with others is left out: the search is confined less than it could be.
                let _ = self.tableau.assert(var, side, limit.into(), reason);
            }
        }
        reason
    }

    /// A column that should be an integer and is not.
    fn fractional(&self) -> Option<Var> {
        self.integers.iter().copied().find(|&var| !self.tableau.value(var).is_integer())
    }

    /// The asserted and tried bounds behind a conflict.
    fn leaves(&self, conflict: Conflict) -> Refutation {
        let mut leaves = BTreeSet::new();
        for (reason, _) in conflict {
            self.add_leaves(reason, &mut leaves);
        }
        leaves
    }

    fn add_leaves(&self, reason: Reason, leaves: &mut BTreeSet<Reason>) {
        match reason.checked_sub(self.asserted).map(|at| &self.origins[at as usize]) {
            Some(Origin::Derived(reasons)) => leaves.extend(reasons),
            _ => {
                leaves.insert(reason);
            }
        }
    }

    fn reason(&mut self, origin: Origin) -> Reason {
        self.origins.push(origin);
        self.asserted + self.origins.len() as Reason - 1
    }

    /// Opens a branch on a column: the nearer integer first.
    fn branch(&mut self, var: Var) -> Option<Refutation> {
        let value = self.tableau.value(var);
        let below = integer_below(value);
        let above = &below + &Rational::ONE;
        let is_nearer_above = &value.real - &below > &above - &value.real;
        let (first, other) = if is_nearer_above {
            ((Side::Lower, above), (Side::Upper, below))
        } else {
            ((Side::Upper, below), (Side::Lower, above))
        };
        self.branches.push(Branch { var, reason: 0, other: Some(other), refuted: BTreeSet::new() });
        self.try_side(first)
    }

    /// Asserts a bound in the last branch.
    fn try_side(&mut self, (side, value): (Side, Rational)) -> Option<Refutation> {
        let reason = self.reason(Origin::Tried);
        self.tableau.push();
        let branch = self.branches.last_mut()?;
        branch.reason = reason;
        let asserted = self.tableau.assert(branch.var, side, value.into(), reason);
        asserted.err().map(|conflict| self.leaves(conflict))
    }

    /// Goes on after a refutation: leaves the branches that it does not need, and tries the other side of the last one that
    /// it does. If there is none, the bounds are refuted.
    fn backtrack(&mut self, mut refutation: Refutation) -> Result<Option<Refutation>, Refutation> {
        while let Some(branch) = self.branches.last_mut() {
            self.tableau.pop();
            if !refutation.remove(&branch.reason) {
                self.branches.pop();
                continue;
            }
            match branch.other.take() {
                Some(other) => {
                    branch.refuted = refutation;
                    return Ok(self.try_side(other));
                }
                None => {
                    refutation.append(&mut branch.refuted);
                    self.branches.pop();
                }
            }
        }
        Err(refutation)
    }

    /// Adds cuts for some fractional columns. How many is returned.
    fn cut(&mut self) -> Result<usize, Refutation> {
        let fractional: Vec<Var> =
            self.integers.iter().copied().filter(|&var| !self.tableau.value(var).is_integer()).collect();
        let cuts: Vec<Cut> =
            fractional.iter().filter_map(|&var| self.gomory_cut(var)).take(CUTS_PER_ROUND).collect();
        let count = cuts.len();
        for cut in cuts {
            let column = match &cut.sum[..] {
                [(var, factor)] if factor.is_one() => *var,
                _ => {
                    let column = self.tableau.new_row(&cut.sum);
                    if cut.is_integral {
                        self.integral.push(column);
                    }
                    column
                }
            };
            let mut leaves = BTreeSet::new();
            for reason in cut.reasons {
                self.add_leaves(reason, &mut leaves);
            }
            let reason = self.reason(Origin::Derived(leaves.into_iter().collect()));
            if let Err(conflict) = self.tableau.assert(column, Side::Lower, cut.limit.into(), reason) {
                return Err(self.leaves(conflict));
            }
        }
        Ok(count)
    }

    /// Gomory's mixed integer cut from the row of a basic column whose value is not an integer (Dutertre and de Moura,
    /// section 4). All other columns of the row have to be at bounds.
    fn gomory_cut(&self, basic: Var) -> Option<Cut> {
        let row = self.tableau.row(basic)?;
        let value = self.tableau.value(basic);
        if !value.delta.is_zero() {
            return None;
        }
        let fraction = &value.real - &value.real.floor();
        let rest = &Rational::ONE - &fraction;
        let mut sum: Vec<(Var, Rational)> = Vec::with_capacity(row.len());
        let mut limit = Rational::ONE;
        let mut reasons = Vec::with_capacity(row.len());
        let mut all_integers = true;
        for (var, factor) in row {
            let value = self.tableau.value(*var);
            let at = [Side::Lower, Side::Upper]
                .into_iter()
                .find_map(|side| Some((side, self.tableau.bound(*var, side).filter(|b| b.value == *value)?)));
            let (side, bound) = at?;
            if !bound.value.delta.is_zero() {
                return None;
            }
            // Fixed ones contribute nothing, but their bounds are needed.
            for side in [Side::Lower, Side::Upper] {
                let other = self.tableau.bound(*var, side).filter(|other| other.value == bound.value);
                reasons.extend(other.map(|other| other.reason));
            }
            let is_lower = side == Side::Lower;
            let is_fixed = [Side::Lower, Side::Upper]
                .iter()
                .all(|&side| self.tableau.bound(*var, side).is_some_and(|b| b.value == bound.value));
            if is_fixed {
                continue;
            }
            let is_integer = self.integral.binary_search(var).is_ok() && bound.value.is_integer();
            all_integers &= is_integer;
            let weight = if is_integer {
                let part = factor - &factor.floor();
                let (threshold, small, large) =
                    if is_lower { (&rest, &rest, &fraction) } else { (&fraction, &fraction, &rest) };
                if part <= *threshold { &part / small } else { &(&Rational::ONE - &part) / large }
            } else if factor.is_positive() == is_lower {
                &factor.abs() / &rest
            } else {
                &factor.abs() / &fraction
            };
            if weight.is_zero() {
                continue;
            }
            // weight * (x - lower) or weight * (upper - x)
            let signed = if is_lower { weight } else { -weight };
            limit += &(&signed * &bound.value.real);
            sum.push((*var, signed));
        }
        if sum.is_empty() {
            return None;
        }
        let mut cut = Cut { sum, limit, reasons, is_integral: all_integers };
        cut.normalise();
        cut.is_small().then_some(cut)
    }
}

/// `sum >= limit` follows from bounds with these reasons.
struct Cut {
    sum: Vec<(Var, Rational)>,
    limit: Rational,
    reasons: Vec<Reason>,
    /// True if all its columns are integers.
    is_integral: bool,
}

impl Cut {
    /// Makes the coefficients coprime integers. If all columns are integers, the limit is rounded.
    fn normalise(&mut self) {
        let (mut divisor, mut multiple) = (Rational::ZERO, Rational::ONE);
        for (_, c) in &self.sum {
            divisor = divisor.gcd(&c.numerator());
            multiple = multiple.lcm(&c.denominator());
        }
        let scale = &multiple / &divisor;
        for (_, c) in &mut self.sum {
            *c = &*c * &scale;
        }
        self.limit = &self.limit * &scale;
        if self.is_integral {
            self.limit = self.limit.ceil();
        }
    }

    fn is_small(&self) -> bool {
        let is_small = |n: &Rational| n.numerator().abs() <= MAX_CUT_NUMBER.into();
        is_small(&self.limit) && self.sum.iter().all(|(_, c)| is_small(c))
    }
}
