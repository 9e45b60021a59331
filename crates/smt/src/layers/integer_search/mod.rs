//! Decides queries about quotients, remainders and products of integers by their ranges.
//!
//! A SAT solver searches for a quotient bit by bit. Where programs compare what they computed with numbers, it is enough to know
//! between which bounds everything is: ranges are narrowed from arguments to results and back until nothing is left of one, a solution
//! shows, or a case has to be divided in two. What is not decided within a budget goes to the solver behind.

mod problem;
mod propagate;
mod range;
#[cfg(test)]
mod tests;

use super::AssertionStack;
use crate::{Answer, Interrupt, Limits, Solver, Statistics};
use aster_term::{Evaluator, Term, TermPool, Value};
use problem::{Found, Problem};
use std::time::{Duration, Instant};

/// How many operators are looked at for a query.
const BUDGET: usize = 3_000_000;

/// How many are looked at to find out which conjuncts a refutation needs.
const CORE_BUDGET: usize = 300_000;

/// Narrows ranges before it asks the solver behind it.
pub struct IntegerSearch {
    inner: Box<dyn Solver>,
    interrupt: Interrupt,
    stack: AssertionStack,
    limits: Limits,
    checks: u64,
    hits: u64,
    time: Duration,
    /// How many searches in a row ended without an answer: each makes the next one shorter.
    failures: u32,
}

impl IntegerSearch {
    /// A search in front of a solver.
    pub fn new(inner: Box<dyn Solver>, interrupt: Interrupt) -> Self {
        let (stack, limits) = (AssertionStack::default(), Limits::default());
        let time = Duration::ZERO;
        IntegerSearch { inner, interrupt, stack, limits, checks: 0, hits: 0, time, failures: 0 }
    }

    fn decide(&mut self, pool: &mut TermPool, conjuncts: &[Term]) -> Answer {
        let deadline = self.limits.time.and_then(|time| Instant::now().checked_add(time));
        if let Some(problem) = Problem::new(pool, conjuncts) {
            let start = Instant::now();
            let answer = self.search(pool, &problem, conjuncts, deadline);
            self.time += start.elapsed();
            if let Some(answer) = answer {
                (self.hits, self.failures) = (self.hits + 1, 0);
                return answer;
            }
            self.failures += 1;
        }
        let time = deadline.map(|end| end.saturating_duration_since(Instant::now()));
        self.inner.set_limits(Limits { time, ..self.limits });
        self.inner.check(pool, conjuncts)
    }

    fn search(
        &self,
        pool: &TermPool,
        problem: &Problem,
        conjuncts: &[Term],
        deadline: Option<Instant>,
    ) -> Option<Answer> {
        let stopped =
            || self.interrupt.is_raised() || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let mut budget = BUDGET >> self.failures.min(5);
        let all: Vec<usize> = (0..conjuncts.len()).collect();
        match problem.search(&all, &mut budget, &stopped) {
            Found::GaveUp => None,
            Found::Model(model) => {
                let mut evaluator = Evaluator::new(&model);
                let holds = conjuncts.iter().all(|&term| evaluator.value(pool, term) == Value::Bool(true));
                debug_assert!(holds, "the model does not satisfy the query");
                holds.then_some(Answer::Sat(model))
            }
            Found::Nothing => {
                let core = smallest_core(problem, all, &stopped);
                Some(Answer::Unsat(core.into_iter().map(|number| conjuncts[number]).collect()))
            }
        }
    }
}

/// Leaves out conjuncts without which there is no solution either, large groups of them first.
fn smallest_core(problem: &Problem, mut core: Vec<usize>, stopped: &dyn Fn() -> bool) -> Vec<usize> {
    let mut budget = CORE_BUDGET;
    let mut group = core.len().div_ceil(2);
    while group > 0 && budget > 0 {
        let mut start = 0;
        while start < core.len() {
            let end = (start + group).min(core.len());
            let rest = [&core[..start], &core[end..]].concat();
            // One that takes long to refute is not worth it.
            let mut share = budget / 4;
            let given = share;
            let found = problem.search(&rest, &mut share, stopped);
            budget = budget.saturating_sub(given - share + 1);
            if found == Found::Nothing {
                core = rest;
            } else {
                start = end;
            }
            if budget < CORE_BUDGET / 100 {
                return core;
            }
        }
        group /= 2;
    }
    core
}

impl Solver for IntegerSearch {
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
        let conjuncts = self.stack.with(assumptions);
        match self.decide(pool, &conjuncts) {
            Answer::Unsat(core) => Answer::Unsat(self.stack.core_of_assumptions(core, assumptions)),
            other => other,
        }
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn statistics(&self) -> Statistics {
        let inner = self.inner.statistics();
        let (range_hits, solve_time) = (inner.range_hits + self.hits, inner.solve_time + self.time);
        Statistics { checks: self.checks, range_hits, solve_time, ..inner }
    }
}
