//! Answers from earlier answers.

use super::AssertionStack;
use crate::{Answer, Limits, Solver, Statistics};
use aster_term::{Model, Term, TermPool, Value};
use rustc_hash::FxHashMap;

/// How much one generation of answers may hold, in conjuncts and values.
const GENERATION_BUDGET: usize = 1 << 20;

/// How many unsat cores are kept under one term, and how long a core may be to be worth keeping.
const CORES_PER_TERM: usize = 8;
const CORE_LENGTH: usize = 64;

/// Remembers which sets of conjuncts are satisfiable and which are not.
///
/// Two ways to hit: the same set was decided before, or the query contains an unsat core of an
/// earlier one. Undecided queries are not remembered.
///
/// Memory is bounded by two generations: what was not asked for while one generation filled up is
/// dropped. So eviction depends on the sequence of queries alone.
///
/// What is remembered is keyed on term ids: one instance serves one pool.
pub struct QueryCache {
    inner: Box<dyn Solver>,
    stack: AssertionStack,
    young: Generation,
    old: Generation,
    checks: u64,
    hits: u64,
}

/// Sorted and without repetitions.
type Key = Box<[Term]>;

#[derive(Clone)]
enum Known {
    Sat(Model),
    Unsat(Key),
}

#[derive(Default)]
struct Generation {
    answers: FxHashMap<Key, Known>,
    /// Unsat cores, each under its greatest (so its newest) term.
    cores: FxHashMap<Term, Vec<Key>>,
    weight: usize,
}

impl QueryCache {
    /// The layer in front of `inner`.
    pub fn new(inner: Box<dyn Solver>) -> Self {
        QueryCache {
            inner,
            stack: AssertionStack::default(),
            young: Generation::default(),
            old: Generation::default(),
            checks: 0,
            hits: 0,
        }
    }

    fn recall(&mut self, key: &[Term]) -> Option<Known> {
        if let Some(known) = self.young.answers.get(key) {
            return Some(known.clone());
        }
        if let Some((key, known)) = self.old.answers.remove_entry(key) {
            self.remember(key, known.clone());
            return Some(known);
        }
        if let Some(core) = self.young.core_within(key) {
            return Some(Known::Unsat(core.clone()));
        }
        let core = self.old.core_within(key)?.clone();
        self.remember(core.clone(), Known::Unsat(core.clone()));
        Some(Known::Unsat(core))
    }

    fn remember(&mut self, key: Key, known: Known) {
        if self.young.weight > GENERATION_BUDGET {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, known);
    }
}

impl Generation {
    fn insert(&mut self, key: Key, known: Known) {
        self.weight += 1 + key.len();
        match &known {
            Known::Sat(model) => {
                let size = |value: &Value| value.as_array().map_or(1, |array| 1 + array.entries().count());
                self.weight += model.iter().map(|(_, value)| size(value)).sum::<usize>();
            }
            Known::Unsat(core) => {
                self.weight += core.len();
                self.insert_core(core);
            }
        }
        self.answers.insert(key, known);
    }

    fn insert_core(&mut self, core: &Key) {
        let Some(&newest) = core.last() else { return };
        let cores = self.cores.entry(newest).or_default();
        if core.len() <= CORE_LENGTH && !cores.contains(core) {
            // A full list keeps its oldest cores, which have proved to be general before.
            if cores.len() < CORES_PER_TERM {
                self.weight += core.len();
                cores.push(core.clone());
            }
        }
    }

    /// A remembered core all of whose terms are in the sorted `key`.
    fn core_within(&self, key: &[Term]) -> Option<&Key> {
        if self.cores.is_empty() {
            return None;
        }
        key.iter()
            .filter_map(|term| self.cores.get(term))
            .flatten()
            .find(|core| core.iter().all(|term| key.binary_search(term).is_ok()))
    }
}

impl Solver for QueryCache {
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
        let mut key = conjuncts.clone();
        key.sort_unstable();
        key.dedup();
        if let Some(known) = self.recall(&key) {
            self.hits += 1;
            return match known {
                Known::Sat(model) => Answer::Sat(model),
                Known::Unsat(core) => {
                    Answer::Unsat(self.stack.core_of_assumptions(core.into_vec(), assumptions))
                }
            };
        }
        match self.inner.check(pool, &conjuncts) {
            Answer::Sat(model) => {
                self.remember(key.into(), Known::Sat(model.clone()));
                Answer::Sat(model)
            }
            Answer::Unsat(core) => {
                let mut sorted = core.clone();
                sorted.sort_unstable();
                sorted.dedup();
                self.remember(key.into(), Known::Unsat(sorted.into()));
                Answer::Unsat(self.stack.core_of_assumptions(core, assumptions))
            }
            unknown => unknown,
        }
    }

    fn set_limits(&mut self, limits: Limits) {
        self.inner.set_limits(limits);
    }

    fn statistics(&self) -> Statistics {
        let inner = self.inner.statistics();
        Statistics { checks: self.checks, cache_hits: inner.cache_hits + self.hits, ..inner }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aster_term::Sort;

    fn terms(count: usize) -> Vec<Term> {
        let mut pool = TermPool::new();
        (0..count).map(|i| pool.variable(&format!("v{i}"), Sort::Bool)).collect()
    }

    #[test]
    fn a_core_is_found_within_a_larger_query() {
        let t = terms(4);
        let mut generation = Generation::default();
        generation.insert_core(&[t[0], t[2]].into());
        assert!(generation.core_within(&[t[0], t[1], t[2], t[3]]).is_some());
        assert!(generation.core_within(&[t[0], t[1], t[3]]).is_none());
        assert!(generation.core_within(&[t[1], t[2]]).is_none());
    }

    struct Never;

    impl Solver for Never {
        fn push(&mut self) {}
        fn pop(&mut self) {}
        fn assert(&mut self, _: &mut TermPool, _: Term) {}
        fn check(&mut self, _: &mut TermPool, _: &[Term]) -> Answer {
            Answer::Sat(Model::new())
        }
        fn set_limits(&mut self, _: Limits) {}
        fn statistics(&self) -> Statistics {
            Statistics::default()
        }
    }

    #[test]
    fn what_is_asked_for_survives_a_generation_and_the_rest_does_not() {
        let t = terms(3);
        let mut cache = QueryCache::new(Box::new(Never));
        cache.remember([t[0]].into(), Known::Sat(Model::new()));
        cache.remember([t[1]].into(), Known::Sat(Model::new()));
        for round in 0..2 {
            cache.young.weight = GENERATION_BUDGET + 1;
            cache.remember([t[2]].into(), Known::Sat(Model::new()));
            assert!(cache.recall(&[t[0]]).is_some(), "round {round}");
        }
        assert!(cache.recall(&[t[1]]).is_none());
    }
}
