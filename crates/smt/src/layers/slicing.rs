//! Independent parts of a query are decided on their own.

use super::AssertionStack;
use super::partition::{Group, Partition};
use crate::{Answer, Limits, Solver, Statistics, UnknownReason};
use aster_term::{Model, Op, Term, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::time::Instant;

/// Splits a query into groups of conjuncts that share no variables and checks each on its own.
///
/// A query is satisfiable exactly if each group is, and the groups that a new branch does not touch
/// are the same as in the queries before it: that is what makes the cache behind this layer hit. The
/// group of the newest assumption is checked first, since the others were mostly decided before.
///
/// What is remembered is keyed on term ids: one instance serves one pool.
pub struct Slicing {
    inner: Box<dyn Solver>,
    stack: AssertionStack,
    partition: Partition,
    limits: Limits,
    checks: u64,
    sliced: u64,
}

/// A query taken apart at its top-level conjunctions.
struct Conjuncts {
    terms: Vec<Term>,
    /// For each of them, the position of the first given formula that contains it.
    origins: Vec<usize>,
}

impl Slicing {
    /// The layer in front of `inner`.
    pub fn new(inner: Box<dyn Solver>) -> Self {
        Slicing {
            inner,
            stack: AssertionStack::default(),
            partition: Partition::default(),
            limits: Limits::default(),
            checks: 0,
            sliced: 0,
        }
    }

    /// The assumptions that a core of conjuncts stands for. A conjunct that is asserted (or part of
    /// something asserted) needs no assumption, and one of several assumptions that contain it is enough.
    fn core_of_assumptions(&self, core: &[Term], conjuncts: &Conjuncts, assumptions: &[Term]) -> Vec<Term> {
        let origin: FxHashMap<Term, usize> =
            conjuncts.terms.iter().copied().zip(conjuncts.origins.iter().copied()).collect();
        let asserted = self.stack.formulas().len();
        let needed: BTreeSet<usize> =
            core.iter().filter_map(|term| origin.get(term)?.checked_sub(asserted)).collect();
        needed.into_iter().map(|position| assumptions[position]).collect()
    }

    /// Checks the groups in order and joins what they say.
    fn check_groups(&mut self, pool: &mut TermPool, groups: &[Group]) -> Answer {
        let deadline = self.limits.time.map(|time| Instant::now() + time);
        let mut merged = Model::new();
        let mut unknown = None;
        for group in groups {
            if let Some(deadline) = deadline {
                // The limit is for the whole check; each group gets what the ones before it left.
                let left = deadline.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return Answer::Unknown(unknown.unwrap_or(UnknownReason::TimeLimit));
                }
                self.inner.set_limits(Limits { time: Some(left), ..self.limits });
            }
            match self.inner.check(pool, &group.conjuncts) {
                Answer::Sat(model) => {
                    // The model may speak about variables of other groups: only its own count.
                    for &variable in &group.variables {
                        if let Some(value) = model.get(variable) {
                            merged.insert(variable, value.clone());
                        }
                    }
                }
                Answer::Unsat(core) => return Answer::Unsat(core),
                Answer::Unknown(reason @ (UnknownReason::Interrupted | UnknownReason::Disagreement(_))) => {
                    return Answer::Unknown(reason);
                }
                // A later group may still be unsatisfiable.
                Answer::Unknown(reason) => unknown = unknown.or(Some(reason)),
            }
        }
        unknown.map_or(Answer::Sat(merged), Answer::Unknown)
    }
}

/// Splits conjunctions, drops `true` and repetitions, and keeps the order of the given formulas. Each
/// distinct term is looked at once, since conjunctions may share parts.
fn split(pool: &TermPool, formulas: &[Term]) -> Conjuncts {
    let mut conjuncts = Conjuncts { terms: Vec::new(), origins: Vec::new() };
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut stack = Vec::new();
    for (position, &formula) in formulas.iter().enumerate() {
        stack.push(formula);
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            match pool.op(term) {
                Op::And => stack.extend(pool.args(term).iter().rev()),
                Op::BoolConst(true) => {}
                _ => {
                    conjuncts.terms.push(term);
                    conjuncts.origins.push(position);
                }
            }
        }
    }
    conjuncts
}

impl Solver for Slicing {
    fn push(&mut self) {
        self.stack.push();
    }

    fn pop(&mut self) {
        self.stack.pop();
    }

    fn assert(&mut self, _pool: &mut TermPool, formula: Term) {
        self.stack.assert(formula);
    }

    fn check(&mut self, pool: &mut TermPool, assumptions: &[Term]) -> Answer {
        self.checks += 1;
        let conjuncts = split(pool, &self.stack.with(assumptions));
        if let Some(&falsum) = conjuncts.terms.iter().find(|&&t| pool.bool_constant(t) == Some(false)) {
            return Answer::Unsat(self.core_of_assumptions(&[falsum], &conjuncts, assumptions));
        }
        self.partition.set(pool, &conjuncts.terms);
        let groups = self.partition.groups();
        if groups.len() > 1 {
            self.sliced += 1;
        }
        match self.check_groups(pool, &groups) {
            Answer::Unsat(core) => Answer::Unsat(self.core_of_assumptions(&core, &conjuncts, assumptions)),
            other => other,
        }
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        self.inner.set_limits(limits);
    }

    fn statistics(&self) -> Statistics {
        let inner = self.inner.statistics();
        Statistics { checks: self.checks, sliced: inner.sliced + self.sliced, ..inner }
    }
}
