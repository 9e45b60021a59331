//! Random transition systems with few states: the analysis of transition systems, with all its options, against a look at
//! all states.

#![allow(clippy::unwrap_used)]

#[path = "common/random.rs"]
mod random;

use aster_engines::ase::{Assigned, Options, System, Transition, Variable, Verdict, run};
use aster_engines::{Budget, Silent};
use aster_smt::NativeSolver;
use aster_term::{Model, Sort, Term, TermPool, Value, evaluate};
use random::Random;
use std::collections::HashSet;

/// Numbers are below this, locations of processes below the other one.
const NUMBERS: i64 = 4;
const LOCATIONS: i64 = 3;

/// A system, and a pool for its terms.
struct Sample {
    pool: TermPool,
    random: Random,
    variables: Vec<Variable>,
    transitions: Vec<Transition>,
}

impl Sample {
    fn below(&mut self, bound: i64) -> i64 {
        self.random.below(bound as u64) as i64
    }

    fn variable(&mut self, name: String, values: i64, is_control: bool) -> Term {
        let pool = &mut self.pool;
        let term = pool.variable(&name, Sort::Int);
        let (low, high) = (pool.int(0), pool.int((values - 1).into()));
        let (above, below) = (pool.num_le(low, term), pool.num_le(term, high));
        let domain = pool.and(above, below);
        // Control starts at 0, some of the numbers anywhere.
        let is_known = is_control || self.below(3) > 0;
        let initial = is_known.then(|| self.pool.int(0));
        self.variables.push(Variable { name, term, domain, initial, is_control });
        term
    }

    /// A number in range: a literal, another number, or its neighbour if there is one.
    fn number(&mut self, numbers: &[Term]) -> Term {
        let base = numbers[self.below(numbers.len() as i64) as usize];
        let (literal, kind) = (self.below(NUMBERS), self.below(4));
        let (one, last) = (self.pool.int(1), self.pool.int((NUMBERS - 1).into()));
        let zero = self.pool.int(0);
        match kind {
            0 => self.pool.int(literal.into()),
            1 => base,
            2 => {
                let more = self.pool.num_add(base, one);
                let is_last = self.pool.eq(base, last);
                self.pool.ite(is_last, zero, more)
            }
            _ => {
                let less = self.pool.num_sub(base, one);
                let is_first = self.pool.num_le(base, zero);
                self.pool.ite(is_first, base, less)
            }
        }
    }

    fn condition(&mut self, numbers: &[Term]) -> Term {
        let left = numbers[self.below(numbers.len() as i64) as usize];
        let right = if self.below(2) == 0 {
            let literal = self.below(NUMBERS);
            self.pool.int(literal.into())
        } else {
            numbers[self.below(numbers.len() as i64) as usize]
        };
        match self.below(3) {
            0 => self.pool.eq(left, right),
            1 => self.pool.num_le(left, right),
            _ => self.pool.num_lt(left, right),
        }
    }

    /// The transitions of a process: some steps between its locations. The same steps for all processes that start with
    /// the same state of the generator.
    fn process(&mut self, process: usize, shared: &[Term], own: [Term; 2]) {
        let [location, number] = own;
        for _ in 0..3 + self.below(2) {
            let (from, to) = (self.below(LOCATIONS), self.below(LOCATIONS));
            let from = self.pool.int(from.into());
            let mut guard = self.pool.eq(location, from);
            // Steps without anything shared are what partial-order reduction is about.
            let is_local = self.below(2) == 0;
            let mut readable = vec![number];
            if !is_local {
                readable.extend(shared);
            }
            if self.below(3) == 0 {
                let condition = self.condition(&readable);
                guard = self.pool.and(guard, condition);
            }
            let mut assignments = vec![(self.position(location), Assigned::Term(self.pool.int(to.into())))];
            let target = if is_local { number } else { readable[self.below(readable.len() as i64) as usize] };
            if self.below(4) > 0 {
                let value = match self.below(5) {
                    0 => Assigned::Nondet,
                    _ => Assigned::Term(self.number(&readable)),
                };
                assignments.push((self.position(target), value));
            }
            self.transitions.push(Transition { guard, assignments, process });
        }
    }

    fn position(&self, term: Term) -> usize {
        self.variables.iter().position(|variable| variable.term == term).unwrap()
    }
}

fn sample(seed: u64) -> (System, TermPool) {
    let mut sample = Sample {
        pool: TermPool::new(),
        random: Random(seed),
        variables: Vec::new(),
        transitions: Vec::new(),
    };
    let shared = ["x", "y"].map(|name| sample.variable(name.to_owned(), NUMBERS, false));
    let count = 2 + sample.below(2) as usize;
    let are_equal = sample.below(2) == 0;
    let same = sample.random.0;
    let mut own = Vec::new();
    for process in 0..count {
        if are_equal {
            sample.random = Random(same);
        }
        let location = sample.variable(format!("at{process}"), LOCATIONS, true);
        let number = sample.variable(format!("own{process}"), NUMBERS, false);
        own.push([location, number]);
        sample.process(process, &shared, [location, number]);
    }
    // An error that concerns all processes alike, or one about a single one.
    let mut error = sample.condition(&shared);
    let place = sample.below(LOCATIONS);
    let place = sample.pool.int(place.into());
    if sample.below(2) == 0 {
        for [location, _] in &own {
            let there = sample.pool.eq(*location, place);
            error = sample.pool.and(error, there);
        }
    } else {
        let there = sample.pool.eq(own[0][0], place);
        error = sample.pool.and(error, there);
    }
    let mut init = sample.pool.bool(true);
    for variable in sample.variables.clone() {
        init = sample.pool.and(init, variable.domain);
        if let Some(value) = variable.initial {
            let equal = sample.pool.eq(variable.term, value);
            init = sample.pool.and(init, equal);
        }
    }
    let processes =
        own.iter().map(|terms| terms.iter().map(|&term| sample.position(term)).collect()).collect();
    let system = System {
        variables: sample.variables,
        init,
        transitions: sample.transitions,
        error,
        processes: vec![processes],
    };
    (system, sample.pool)
}

fn model(system: &System, state: &[i64]) -> Model {
    let mut model = Model::new();
    for (variable, &value) in system.variables.iter().zip(state) {
        model.insert(variable.term, Value::Int(value.into()));
    }
    model
}

fn number(value: Value) -> i64 {
    let Value::Int(number) = value else { panic!("{value:?}") };
    number.try_into().unwrap()
}

/// The states after a transition.
fn successors(system: &System, pool: &TermPool, state: &[i64], transition: &Transition) -> Vec<Vec<i64>> {
    let model = model(system, state);
    if evaluate(pool, transition.guard, &model) != Value::Bool(true) {
        return Vec::new();
    }
    let mut after = vec![state.to_vec()];
    for &(position, assigned) in &transition.assignments {
        let values: Vec<i64> = match assigned {
            Assigned::Term(term) => vec![number(evaluate(pool, term, &model))],
            Assigned::Nondet => (0..NUMBERS).collect(),
        };
        let set = |state: &Vec<i64>, value: i64| {
            let mut state = state.clone();
            state[position] = value;
            state
        };
        after = after.iter().flat_map(|state| values.iter().map(|&value| set(state, value))).collect();
    }
    after
}

fn reaches_error(system: &System, pool: &TermPool) -> bool {
    let mut stack = vec![Vec::new()];
    for variable in &system.variables {
        let values = match variable.initial {
            Some(_) => 0..1,
            None => 0..NUMBERS,
        };
        let extend = |state: &Vec<i64>| {
            let state = state.clone();
            values.clone().map(move |value| [state.clone(), vec![value]].concat()).collect::<Vec<_>>()
        };
        stack = stack.iter().flat_map(extend).collect();
    }
    let mut seen: HashSet<Vec<i64>> = stack.iter().cloned().collect();
    while let Some(state) = stack.pop() {
        if evaluate(pool, system.error, &model(system, &state)) == Value::Bool(true) {
            return true;
        }
        for transition in &system.transitions {
            for after in successors(system, pool, &state, transition) {
                if seen.insert(after.clone()) {
                    stack.push(after);
                }
            }
        }
    }
    false
}

/// True if a run starts in an initial state, takes transitions that are enabled, and ends in an error.
fn is_real(system: &System, pool: &TermPool, run: &aster_engines::ase::Run) -> bool {
    let mut state: Vec<i64> = run.initial.iter().cloned().map(number).collect();
    if evaluate(pool, system.init, &model(system, &state)) != Value::Bool(true) {
        return false;
    }
    for (transition, inputs) in &run.steps {
        let transition = &system.transitions[*transition];
        let model = model(system, &state);
        if evaluate(pool, transition.guard, &model) != Value::Bool(true) {
            return false;
        }
        let mut inputs = inputs.iter();
        for &(position, assigned) in &transition.assignments {
            state[position] = match assigned {
                Assigned::Term(term) => number(evaluate(pool, term, &model)),
                Assigned::Nondet => number(inputs.next().unwrap().clone()),
            };
        }
    }
    evaluate(pool, system.error, &model(system, &state)) == Value::Bool(true)
}

#[test]
fn verdicts_agree_with_a_look_at_all_states() {
    let mut verdicts = [0, 0];
    for seed in 0..100 {
        let expected = {
            let (system, pool) = sample(seed);
            reaches_error(&system, &pool)
        };
        verdicts[usize::from(expected)] += 1;
        for choice in 0..4 {
            let (system, mut pool) = sample(seed);
            let options =
                Options { symmetry: choice & 1 != 0, reduction: choice & 2 != 0, ..Options::default() };
            let budget = Budget::new();
            let mut solver = NativeSolver::new(budget.interrupt());
            let (verdict, _) = run(&system, &mut pool, &mut solver, options, &budget, &mut Silent);
            match verdict {
                Verdict::Safe(evidence) => {
                    assert!(!expected, "seed {seed}, options {choice}: {evidence:?}");
                    assert_eq!(evidence.unchecked, None, "seed {seed}, options {choice}");
                }
                Verdict::Unsafe(run) => {
                    assert!(
                        expected && is_real(&system, &pool, &run),
                        "seed {seed}, options {choice}: {run:?}"
                    );
                }
                Verdict::Unknown(reason) => panic!("seed {seed}, options {choice}: {reason:?}"),
            }
        }
    }
    assert!(verdicts.iter().all(|&count| count > 20), "{verdicts:?}");
}
