//! A path in symbolic form: what its assumptions say about the inputs, what it computes between two
//! cuts, and what of it matters for a set of assumptions.

use super::Step;
use super::atoms::conjuncts;
use aster_term::{Substitution, Term, TermPool, free_variables};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

/// Names of variables that stand for inputs and copies start with this; no variable of a path may.
const RESERVED: &str = "interpolate!";

/// One conjunct of an assumption of the path.
pub(super) struct Assumption {
    /// The step that it belongs to.
    pub(super) step: usize,
    /// As the path states it.
    pub(super) formula: Term,
    /// Over the inputs.
    pub(super) symbolic: Term,
}

/// A path with the value of every variable at every point.
///
/// Inputs are the initial values of variables, denoted by the variables themselves, and one variable for each
/// havoc. The latter depend on nothing but their number and sort, so that a solver which has seen a path knows
/// the terms of every other one with the same beginning.
pub(super) struct Path<'a> {
    steps: &'a [Step],
    pub(super) assumptions: Vec<Assumption>,
    /// The input that a havoc reads, by step.
    inputs: FxHashMap<usize, Term>,
    is_input: FxHashSet<Term>,
    /// The values of a variable with the step that gave it, in order.
    history: FxHashMap<Term, Vec<(usize, Term)>>,
    first_mention: FxHashMap<Term, usize>,
    variables_of: FxHashMap<Term, Rc<[Term]>>,
}

/// What is computed between two points of a path, over the values of the variables at the first point.
pub(super) struct Segment {
    /// The values of the variables that are written.
    pub(super) memory: FxHashMap<Term, Term>,
    /// The assumptions that were asked for.
    pub(super) assumptions: Vec<Term>,
}

/// The part of a path that some of its assumptions depend on.
pub(super) struct Slice {
    /// For each step whether it is an assignment or havoc whose value matters.
    relevant: Vec<bool>,
    /// For each cut the variables whose values matter there.
    pub(super) live: Vec<BTreeSet<Term>>,
}

impl<'a> Path<'a> {
    /// `None` if the path uses reserved names.
    pub(super) fn new(pool: &mut TermPool, steps: &'a [Step]) -> Option<Self> {
        let mut path = Path {
            steps,
            assumptions: Vec::new(),
            inputs: FxHashMap::default(),
            is_input: FxHashSet::default(),
            history: FxHashMap::default(),
            first_mention: FxHashMap::default(),
            variables_of: FxHashMap::default(),
        };
        path.find_variables(pool);
        let reserved = |&v: &Term| pool.variable_name(v).is_some_and(|name| name.starts_with(RESERVED));
        if path.first_mention.keys().any(reserved) {
            return None;
        }
        path.execute(pool);
        Some(path)
    }

    fn find_variables(&mut self, pool: &TermPool) {
        for (position, step) in self.steps.iter().enumerate() {
            let (written, read) = match *step {
                Step::Assume(formula) => (None, Some(formula)),
                Step::Assign { variable, value } => (Some(variable), Some(value)),
                Step::Havoc(variable) => (Some(variable), None),
            };
            let mut mentioned: Vec<Term> = written.into_iter().collect();
            if let Some(term) = read {
                let variables =
                    self.variables_of.entry(term).or_insert_with(|| free_variables(pool, &[term]).into());
                mentioned.extend(variables.iter());
            }
            for variable in mentioned {
                self.first_mention.entry(variable).or_insert(position);
            }
        }
    }

    fn execute(&mut self, pool: &mut TermPool) {
        let mut memory = FxHashMap::default();
        for (position, step) in self.steps.iter().enumerate() {
            match *step {
                Step::Assume(formula) => {
                    for conjunct in conjuncts(pool, formula) {
                        let symbolic = substitute(pool, conjunct, &memory);
                        self.assumptions.push(Assumption { step: position, formula: conjunct, symbolic });
                    }
                }
                Step::Assign { variable, value } => {
                    let value = substitute(pool, value, &memory);
                    memory.insert(variable, value);
                    self.history.entry(variable).or_default().push((position, value));
                }
                Step::Havoc(variable) => {
                    let sort = pool.sort(variable);
                    let input = pool.variable(&format!("{RESERVED}input {} {sort}", self.inputs.len()), sort);
                    self.inputs.insert(position, input);
                    self.is_input.insert(input);
                    memory.insert(variable, input);
                    self.history.entry(variable).or_default().push((position, input));
                }
            }
        }
    }

    /// The value of a variable before the step at `position`.
    pub(super) fn value_at(&self, variable: Term, position: usize) -> Term {
        let Some(values) = self.history.get(&variable) else { return variable };
        let count = values.partition_point(|&(step, _)| step < position);
        if count == 0 { variable } else { values[count - 1].1 }
    }

    /// True for what may not occur in a formula before the step at `position`: inputs of havocs, and
    /// variables that the path has not mentioned yet.
    pub(super) fn is_foreign(&self, variable: Term, position: usize) -> bool {
        self.is_input.contains(&variable)
            || self.first_mention.get(&variable).is_none_or(|&at| at >= position)
    }

    /// The assumptions of some steps.
    pub(super) fn assumptions_in(&self, steps: Range<usize>) -> Range<usize> {
        let at = |step: usize| self.assumptions.partition_point(|a| a.step < step);
        at(steps.start)..at(steps.end)
    }

    /// Executes some steps. Of the assumptions those that are `kept`, of assignments and havocs those in the slice.
    pub(super) fn segment(
        &self,
        pool: &mut TermPool,
        steps: Range<usize>,
        slice: Option<&Slice>,
        kept: impl Fn(usize) -> bool,
    ) -> Segment {
        let mut memory = FxHashMap::default();
        let mut assumptions = Vec::new();
        for position in steps {
            let relevant = slice.is_none_or(|slice| slice.relevant[position]);
            match self.steps[position] {
                Step::Assume(_) => {
                    for index in self.assumptions_in(position..position + 1).filter(|&i| kept(i)) {
                        assumptions.push(substitute(pool, self.assumptions[index].formula, &memory));
                    }
                }
                Step::Assign { variable, value } if relevant => {
                    let value = substitute(pool, value, &memory);
                    memory.insert(variable, value);
                }
                Step::Havoc(variable) if relevant => {
                    memory.insert(variable, self.inputs[&position]);
                }
                Step::Assign { .. } | Step::Havoc(_) => {}
            }
        }
        Segment { memory, assumptions }
    }

    /// What the kept assumptions depend on.
    pub(super) fn slice(&self, pool: &TermPool, cuts: &[usize], kept: impl Fn(usize) -> bool) -> Slice {
        let mut slice = Slice { relevant: vec![false; self.steps.len()], live: Vec::new() };
        let mut live: BTreeSet<Term> = BTreeSet::new();
        let mut pending = cuts.len();
        for position in (0..=self.steps.len()).rev() {
            if position < self.steps.len() {
                match self.steps[position] {
                    Step::Assume(_) => {
                        for index in self.assumptions_in(position..position + 1).filter(|&i| kept(i)) {
                            live.extend(free_variables(pool, &[self.assumptions[index].formula]));
                        }
                    }
                    Step::Assign { variable, value } => {
                        slice.relevant[position] = live.remove(&variable);
                        if slice.relevant[position] {
                            live.extend(self.variables_of[&value].iter());
                        }
                    }
                    Step::Havoc(variable) => slice.relevant[position] = live.remove(&variable),
                }
            }
            while pending > 0 && cuts[pending - 1] == position {
                pending -= 1;
                slice.live.push(live.clone());
            }
        }
        slice.live.reverse();
        slice
    }
}

/// The term with all variables replaced by their values.
pub(super) fn substitute(pool: &mut TermPool, term: Term, memory: &FxHashMap<Term, Term>) -> Term {
    Substitution::new().apply_with(pool, term, |_, variable| memory.get(&variable).copied())
}

/// A variable that is no program variable and no input of a havoc.
pub(super) fn auxiliary(pool: &mut TermPool, purpose: &str, number: usize, like: Term) -> Term {
    let sort = pool.sort(like);
    auxiliary_of_sort(pool, purpose, number, sort)
}

/// As [`auxiliary`], of this sort.
pub(super) fn auxiliary_of_sort(
    pool: &mut TermPool,
    purpose: &str,
    number: usize,
    sort: aster_term::Sort,
) -> Term {
    pool.variable(&format!("{RESERVED}{purpose} {number} {sort}"), sort)
}
