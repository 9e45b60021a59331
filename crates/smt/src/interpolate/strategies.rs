//! The two strategies that walk along the path, backward and forward.

use super::Options;
use super::path::{Path, Slice, auxiliary};
use super::project::Projection;
use crate::Solver;
use aster_term::{Substitution, Term, TermPool};
use rustc_hash::FxHashSet;

/// An infeasible path with what makes it so.
pub(super) struct Problem<'a> {
    pub(super) path: &'a Path<'a>,
    pub(super) length: usize,
    pub(super) cuts: &'a [usize],
    /// Assumptions of the path that contradict each other, in order.
    pub(super) core: &'a [usize],
    /// What the core depends on.
    pub(super) slice: &'a Slice,
    pub(super) options: &'a Options,
}

impl Problem<'_> {
    /// True for the assumptions that contradict each other.
    pub(super) fn in_core(&self, assumption: usize) -> bool {
        self.core.binary_search(&assumption).is_ok()
    }
}

/// Weakest preconditions of the core, from the end of the path backward.
///
/// At each cut there is a list of formulas that every state satisfies from which the rest of the path can be
/// executed; no state that the path reaches does. The interpolant is the negation of their conjunction.
pub(super) fn weakest_preconditions(
    pool: &mut TermPool,
    solver: &mut dyn Solver,
    problem: &Problem,
) -> Option<Vec<Term>> {
    let Problem { path, cuts, .. } = *problem;
    // Ascending.
    let mut kept: Vec<usize> = problem.core.to_vec();
    let mut rest: Vec<Term> = Vec::new();
    let mut end = problem.length;
    let mut formulas = vec![pool.bool(true); cuts.len()];
    for (position, &cut) in cuts.iter().enumerate().rev() {
        let segment = path.segment(pool, cut..end, Some(problem.slice), |a| kept.binary_search(&a).is_ok());
        let mut needed = segment.assumptions.clone();
        let mut substitution = Substitution::new();
        for &formula in &rest {
            needed.push(substitution.apply_with(pool, formula, |_, v| segment.memory.get(&v).copied()));
        }
        kept.retain(|&assumption| path.assumptions[assumption].step < cut);
        let reached = kept.iter().map(|&a| path.assumptions[a].symbolic).collect();
        let names = |variable| Some(path.value_at(variable, cut));
        let projection = Projection::new(pool, solver, reached, &names, problem.options.cut_checks);
        let refuted = projection.run(&needed, |variable| path.is_foreign(variable, cut))?;
        let used: FxHashSet<Term> = refuted.other.into_iter().collect();
        kept.retain(|&assumption| used.contains(&path.assumptions[assumption].symbolic));
        rest = refuted.conjuncts;
        let feasible = pool.and_all(&rest);
        if pool.bool_constant(feasible) == Some(false) {
            break;
        }
        formulas[position] = pool.not(feasible);
        end = cut;
    }
    Some(formulas)
}

/// Strongest postconditions of the core, from the start of the path forward, weakened to what the rest of the path
/// needs.
pub(super) fn strongest_postconditions(
    pool: &mut TermPool,
    solver: &mut dyn Solver,
    problem: &Problem,
) -> Option<Vec<Term>> {
    let Problem { path, cuts, .. } = *problem;
    let remaining = remaining_conditions(pool, problem);
    let mut known: Vec<Term> = Vec::new();
    let mut start = 0;
    let mut formulas = vec![pool.bool(false); cuts.len()];
    for (position, &cut) in cuts.iter().enumerate() {
        let segment = path.segment(pool, start..cut, Some(problem.slice), |a| problem.in_core(a));
        // Names are those after the segment; what is gone by then has another one.
        let live = &problem.slice.live[position];
        let mut renaming = Substitution::new();
        let mut before = |pool: &mut TermPool, term: Term| {
            renaming.apply_with(pool, term, |pool, variable| {
                let stays = live.contains(&variable) && !segment.memory.contains_key(&variable);
                (!stays).then(|| auxiliary(pool, "before", variable.index(), variable))
            })
        };
        let mut facts = Vec::new();
        for &fact in known.iter().chain(&segment.assumptions) {
            facts.push(before(pool, fact));
        }
        for &variable in live {
            if let Some(&value) = segment.memory.get(&variable) {
                let value = before(pool, value);
                facts.push(pool.eq(variable, value));
            }
        }
        let other = remaining[position].clone();
        let projection = Projection::new(pool, solver, other, &|_| None, problem.options.cut_checks);
        known = projection.run(&facts, |variable| !live.contains(&variable))?.conjuncts;
        formulas[position] = pool.and_all(&known);
        if pool.bool_constant(formulas[position]) == Some(false) {
            break;
        }
        start = cut;
    }
    Some(formulas)
}

/// For each cut what the core demands of the state there, inputs included.
fn remaining_conditions(pool: &mut TermPool, problem: &Problem) -> Vec<Vec<Term>> {
    let mut conditions: Vec<Vec<Term>> = Vec::new();
    let mut end = problem.length;
    for &cut in problem.cuts.iter().rev() {
        let segment = problem.path.segment(pool, cut..end, Some(problem.slice), |a| problem.in_core(a));
        let mut here = segment.assumptions;
        let mut substitution = Substitution::new();
        for &formula in conditions.last().into_iter().flatten() {
            here.push(substitution.apply_with(pool, formula, |_, v| segment.memory.get(&v).copied()));
        }
        conditions.push(here);
        end = cut;
    }
    conditions.reverse();
    conditions
}
