//! Answers from the models of earlier answers.

use super::AssertionStack;
use crate::{Answer, Limits, Solver, Statistics};
use aster_term::{Model, Op, Term, TermPool, Value};
use rustc_hash::FxHashMap;

/// How many models are tried. Each costs the evaluation of the newest conjunct per check.
const MODELS: usize = 8;

/// Bound on the remembered values of one model, in units of one scalar.
const MEMO_BUDGET: usize = 1 << 16;

/// What an array value counts for: changing one element copies a node of the underlying tree.
const ARRAY_WEIGHT: usize = 32;

/// Evaluates the query under the most recent models before the solver behind it is asked.
///
/// In symbolic execution the model of a state satisfies at least one side of the next branch, so
/// about half of all checks end here. Terms are shared between queries, and each model remembers the
/// values of all subterms that it was tried on; so a try costs what is new in the query.
///
/// A model that lacks variables of the query holds their default values there, which is as good a
/// completion as any other.
///
/// What is remembered is keyed on term ids: one instance serves one pool.
pub struct ModelReuse {
    inner: Box<dyn Solver>,
    stack: AssertionStack,
    /// Most recently successful first.
    candidates: Vec<Candidate>,
    checks: u64,
    hits: u64,
}

impl ModelReuse {
    /// The layer in front of `inner`.
    pub fn new(inner: Box<dyn Solver>) -> Self {
        ModelReuse { inner, stack: AssertionStack::default(), candidates: Vec::new(), checks: 0, hits: 0 }
    }

    /// The first model under which all conjuncts hold, moved to the front.
    fn recall(&mut self, pool: &TermPool, conjuncts: &[Term]) -> Option<Model> {
        // The newest conjunct is the one that the models have not been chosen for: it fails first.
        let position = self
            .candidates
            .iter_mut()
            .position(|candidate| conjuncts.iter().rev().all(|&term| candidate.satisfies(pool, term)))?;
        self.candidates[..=position].rotate_right(1);
        Some(self.candidates[0].model.clone())
    }

    fn remember(&mut self, model: &Model) {
        self.candidates.truncate(MODELS - 1);
        self.candidates.insert(0, Candidate::new(model.clone()));
    }
}

impl Solver for ModelReuse {
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
        if let Some(model) = self.recall(pool, &conjuncts) {
            self.hits += 1;
            return Answer::Sat(model);
        }
        match self.inner.check(pool, &conjuncts) {
            Answer::Sat(model) => {
                self.remember(&model);
                Answer::Sat(model)
            }
            Answer::Unsat(core) => Answer::Unsat(self.stack.core_of_assumptions(core, assumptions)),
            unknown => unknown,
        }
    }

    fn set_limits(&mut self, limits: Limits) {
        self.inner.set_limits(limits);
    }

    fn statistics(&self) -> Statistics {
        let inner = self.inner.statistics();
        Statistics { checks: self.checks, model_hits: inner.model_hits + self.hits, ..inner }
    }
}

/// A model with the values of the terms that it was tried on.
struct Candidate {
    model: Model,
    memo: FxHashMap<Term, Value>,
    weight: usize,
}

impl Candidate {
    fn new(model: Model) -> Self {
        Candidate { model, memo: FxHashMap::default(), weight: 0 }
    }

    /// True if the Boolean term is known to hold. A term of a sort without values does not.
    fn satisfies(&mut self, pool: &TermPool, term: Term) -> bool {
        if let Some(value) = self.memo.get(&term) {
            return value.as_bool() == Some(true);
        }
        if self.weight > MEMO_BUDGET {
            self.memo.clear();
            self.weight = 0;
        }
        self.evaluate(pool, term) == Some(true)
    }

    fn evaluate(&mut self, pool: &TermPool, root: Term) -> Option<bool> {
        let mut stack = vec![root];
        let mut args: Vec<Value> = Vec::with_capacity(3);
        while let Some(&term) = stack.last() {
            if self.memo.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(pool.args(term).iter().filter(|a| !self.memo.contains_key(a)));
            if stack.len() > before {
                continue;
            }
            args.clear();
            args.extend(pool.args(term).iter().map(|a| self.memo[a].clone()));
            let value = match pool.op(term) {
                Op::Variable(_) => {
                    self.model.get(term).cloned().or_else(|| Value::default_of(pool.sort(term)))?
                }
                Op::BvConst(_) | Op::NumberConst(_) => pool.constant(term)?,
                op => op.apply(&args)?,
            };
            self.weight += if matches!(value, Value::Array(_)) { ARRAY_WEIGHT } else { 1 };
            self.memo.insert(term, value);
            stack.pop();
        }
        self.memo[&root].as_bool()
    }
}
