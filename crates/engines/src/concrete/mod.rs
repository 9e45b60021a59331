//! Concrete runs on inputs that are made up.
//!
//! Errors that many inputs lead to are found at once, however long the way is. Inputs are of different tastes (zeros, small numbers,
//! literals of the program, anything); those of runs that came to edges where none had been are kept, and changed here and there.
//! A program that asks for no input has one run only: its end decides it.

mod inputs;
#[cfg(test)]
mod tests;

use crate::{Budget, Counterexample, Event, Limit, Observer, Outcome, Reason, Unknown};
use aster_cfa::Program;
use aster_cfa::interpreter::{End, Interpreter, RunEvent, RunLimits, Watcher};
use aster_term::{TermPool, Value};
use inputs::{Inputs, Literals, TASTES, Taste};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::VecDeque;

/// Options of concrete runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Seed of the inputs.
    pub seed: u64,
}

/// So many edges are taken by each of the first runs at most. The limit is raised when it was hit: soon if no run comes to an end.
const FIRST_STEPS: u64 = 1 << 16;

/// So many runs on changed inputs follow on those with new inputs of each taste.
const CHANGED_RUNS: usize = 3 * TASTES.len();

/// Longer lists of inputs are not kept.
const LONGEST_KEPT: usize = 10_000;

/// So many inputs are kept in all, those of the last runs.
const MOST_KEPT: usize = 1_000_000;

/// More nested calls end a run, unless all runs come to them.
const MAX_CALL_DEPTH: usize = 1_000_000;

/// Runs the program until an error is reached, or the budget ends.
///
/// `Safe` is given only if the program asks for no input and its run ends without an error.
pub fn run(
    program: &Program,
    pool: &TermPool,
    options: Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Outcome {
    let literals = Literals::of(program, pool);
    let mut runs = Runs {
        program,
        literals: &literals,
        interpreter: Interpreter::new(program, pool),
        coverage: Coverage { covered: vec![false; program.edges().count()], is_new: false },
        kept: VecDeque::new(),
        kept_inputs: 0,
        random: StdRng::seed_from_u64(options.seed),
        steps: FIRST_STEPS,
        call_depth: MAX_CALL_DEPTH,
        hit_limit: 0,
        budget,
        observer,
    };
    loop {
        for taste in TASTES {
            if let Some(outcome) = runs.once(taste, Vec::new()) {
                return outcome;
            }
        }
        if runs.hit_limit == TASTES.len() {
            runs.hit_limit = 0;
            runs.steps = runs.steps.saturating_mul(16);
            continue;
        }
        for _ in 0..CHANGED_RUNS {
            let taste = TASTES[runs.random.random_range(0..TASTES.len())];
            let changed = runs.changed();
            if let Some(outcome) = runs.once(taste, changed) {
                return outcome;
            }
        }
        if std::mem::take(&mut runs.hit_limit) > 0 {
            runs.steps = runs.steps.saturating_mul(2);
        }
    }
}

struct Runs<'a> {
    program: &'a Program,
    literals: &'a Literals,
    interpreter: Interpreter<'a>,
    coverage: Coverage,
    /// Inputs of runs that came to edges where none had been.
    kept: VecDeque<Vec<Value>>,
    kept_inputs: usize,
    random: StdRng,
    /// How many edges a run may take.
    steps: u64,
    /// How many calls may be active at once.
    call_depth: usize,
    /// How many of the last runs took that many.
    hit_limit: usize,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
}

/// Where runs have been.
struct Coverage {
    covered: Vec<bool>,
    /// The current run came to an edge where none had been.
    is_new: bool,
}

impl Watcher for Coverage {
    #[inline]
    fn on(&mut self, event: RunEvent<'_>) {
        if let RunEvent::Edge { edge, .. } = event
            && !std::mem::replace(&mut self.covered[edge.index()], true)
        {
            self.is_new = true;
        }
    }
}

impl Runs<'_> {
    /// One run. Where `old` has a value, that is the input; the others are made up.
    fn once(&mut self, taste: Taste, old: Vec<Option<Value>>) -> Option<Outcome> {
        let mut inputs = Inputs::new(self.program, self.literals, taste, old, self.random.random());
        let mut end = self.follow(&mut inputs);
        while !inputs.was_asked() {
            // All runs begin like this one.
            match end {
                End::StepLimit { .. } => self.steps = self.steps.saturating_mul(16),
                End::CallDepthLimit { .. } if self.call_depth == MAX_CALL_DEPTH => {
                    self.call_depth = RunLimits::default().max_call_depth;
                }
                end => return Some(self.only_end(end)),
            }
            end = self.follow(&mut inputs);
        }
        match end {
            End::Error { .. } => {
                return Some(Outcome::Unsafe(Counterexample { inputs: inputs.into_values() }));
            }
            End::StepLimit { .. } => self.hit_limit += 1,
            End::ReadBeforeWrite { .. } | End::Malformed { .. } | End::BadInput { .. } => {
                return Some(defect(&end));
            }
            End::Finished
            | End::Halted { .. }
            | End::Blocked { .. }
            | End::InputsExhausted { .. }
            | End::CallDepthLimit { .. }
            | End::Unsupported { .. }
            | End::Undefined { .. }
            | End::Interrupted { .. } => {}
        }
        let values = inputs.into_values();
        if std::mem::take(&mut self.coverage.is_new) && values.len() <= LONGEST_KEPT {
            self.keep(values);
        }
        self.budget.exhausted().map(|limit| unknown(Reason::Limit(limit)))
    }

    fn follow(&mut self, inputs: &mut Inputs) -> End {
        let budget = self.budget;
        let stop = || budget.exhausted().is_some();
        let limits =
            RunLimits { max_steps: self.steps, max_call_depth: self.call_depth, interrupted: Some(&stop) };
        let end = self.interpreter.run_from(inputs, limits, &mut self.coverage);
        self.observer.on(Event::Steps(u32::try_from(self.interpreter.steps()).unwrap_or(u32::MAX)));
        self.observer.on(Event::PathEnded);
        end
    }

    /// What the end of the only run means.
    fn only_end(&mut self, end: End) -> Outcome {
        match end {
            End::Error { .. } => Outcome::Unsafe(Counterexample { inputs: Vec::new() }),
            End::Finished | End::Halted { .. } | End::Blocked { .. } => Outcome::Safe,
            End::Unsupported { what, span } => unknown(Reason::Unsupported { what, span }),
            End::Undefined { edge, span, .. } if self.program.is_assumed_away(edge) => {
                self.observer.assumed_away(self.program, edge, span);
                Outcome::Safe
            }
            End::Undefined { what, span, .. } => unknown(Reason::Undefined { what, span }),
            End::CallDepthLimit { .. } => unknown(Reason::Limit(Limit::Memory)),
            End::Interrupted { .. } => unknown(Reason::Limit(self.budget.exhausted().unwrap_or(Limit::Time))),
            End::InputsExhausted { .. }
            | End::BadInput { .. }
            | End::StepLimit { .. }
            | End::ReadBeforeWrite { .. }
            | End::Malformed { .. } => defect(&end),
        }
    }

    fn keep(&mut self, inputs: Vec<Value>) {
        self.kept_inputs += inputs.len();
        self.kept.push_back(inputs);
        while self.kept_inputs > MOST_KEPT
            && let Some(oldest) = self.kept.pop_front()
        {
            self.kept_inputs -= oldest.len();
        }
    }

    /// Inputs that were kept, with gaps, and some of them elsewhere.
    fn changed(&mut self) -> Vec<Option<Value>> {
        // The last ones came furthest.
        let recent = self.kept.len().saturating_sub(8);
        let first = if self.random.random() { recent } else { 0 };
        if self.kept.is_empty() {
            return Vec::new();
        }
        let chosen = &self.kept[self.random.random_range(first..self.kept.len())];
        let mut inputs: Vec<Option<Value>> = chosen.iter().cloned().map(Some).collect();
        let random = &mut self.random;
        for _ in 0..1 + random.random_range(0..3) {
            if inputs.is_empty() {
                break;
            }
            let from = random.random_range(0..inputs.len());
            let to = (from + 1 + random.random_range(0..4)).min(inputs.len());
            match random.random_range(0..6) {
                0 => inputs.truncate(from),
                1 => drop(inputs.drain(from..to)),
                2 => {
                    let copy = inputs[from..to].to_vec();
                    inputs.splice(from..from, copy);
                }
                3 => {
                    inputs.insert(from, None);
                }
                _ => inputs[from] = None,
            }
        }
        inputs
    }
}

/// An end that no program should come to.
fn defect(end: &End) -> Outcome {
    unknown(Reason::Internal(format!("a run ended with {end:?}")))
}

fn unknown(reason: Reason) -> Outcome {
    Outcome::Unknown(Unknown { reason, frontier: Vec::new() })
}
