//! Small systems with known verdicts.

use super::{Assigned, Kind, Options, Statistics, System, Transition, Variable, Verdict, run};
use crate::{Budget, Silent};
use aster_smt::NativeSolver;
use aster_term::{Sort, Term, TermPool, Value};

/// Builds a system from formulas.
struct Model {
    pool: TermPool,
    variables: Vec<Variable>,
    init: Term,
    transitions: Vec<Transition>,
}

impl Model {
    fn new() -> Self {
        let mut pool = TermPool::new();
        let init = pool.bool(true);
        Model { pool, variables: Vec::new(), init, transitions: Vec::new() }
    }

    fn variable(
        &mut self,
        name: &str,
        initial: Option<i128>,
        values: Option<(i128, i128)>,
        is_control: bool,
    ) -> Term {
        let pool = &mut self.pool;
        let term = pool.variable(name, Sort::Int);
        let mut domain = pool.bool(true);
        if let Some((low, high)) = values {
            let (low, high) = (pool.int(low), pool.int(high));
            let (above, below) = (pool.num_le(low, term), pool.num_le(term, high));
            domain = pool.and(above, below);
            self.init = pool.and(self.init, domain);
        }
        let initial = initial.map(|value| pool.int(value));
        if let Some(value) = initial {
            let equal = pool.eq(term, value);
            self.init = pool.and(self.init, equal);
        }
        self.variables.push(Variable { name: name.to_owned(), term, domain, initial, is_control });
        term
    }

    fn is(&mut self, variable: Term, value: i128) -> Term {
        let value = self.pool.int(value);
        self.pool.eq(variable, value)
    }

    fn plus(&mut self, term: Term, value: i128) -> Assigned {
        let value = self.pool.int(value);
        Assigned::Term(self.pool.num_add(term, value))
    }

    fn constant(&mut self, value: i128) -> Assigned {
        Assigned::Term(self.pool.int(value))
    }

    fn transition(&mut self, guards: &[Term], assignments: &[(Term, Assigned)]) {
        let guard = self.pool.and_all(guards);
        let position = |term: Term| self.variables.iter().position(|variable| variable.term == term).unwrap();
        let assignments = assignments.iter().map(|&(term, assigned)| (position(term), assigned)).collect();
        self.transitions.push(Transition { guard, assignments });
    }

    fn check(mut self, error: &[Term], sharing: bool) -> (Verdict, Statistics, System) {
        let error = self.pool.and_all(error);
        let system =
            System { variables: self.variables, init: self.init, transitions: self.transitions, error };
        let budget = Budget::new();
        let mut solver = NativeSolver::new(budget.interrupt());
        let options = Options { sharing, ..Options::default() };
        let (verdict, statistics) = run(&system, &mut self.pool, &mut solver, options, &budget, &mut Silent);
        (verdict, statistics, system)
    }
}

/// Figure 1.1 of the thesis; `start` is the first value of b.
fn mutex(start: i128) -> (Model, [Term; 2]) {
    let mut model = Model::new();
    let pc1 = model.variable("pc1", Some(1), Some((1, 3)), true);
    let pc2 = model.variable("pc2", Some(1), Some((1, 3)), true);
    let [x, y] = ["x", "y"].map(|name| model.variable(name, None, None, false));
    let b = model.variable("b", Some(start), None, false);
    let is_two = model.is(b, 2);
    let at_most = model.pool.num_le(x, y);
    let above = model.pool.not(at_most);
    for (pc, turn, own) in [(pc1, at_most, x), (pc2, above, y)] {
        let [at1, at2, at3] = [1, 2, 3].map(|value| model.is(pc, value));
        let [to2, to3] = [2, 3].map(|value| model.constant(value));
        let more = model.plus(b, 1);
        model.transition(&[at1], &[(b, more), (pc, to2)]);
        model.transition(&[at2, turn, is_two], &[(pc, to3)]);
        model.transition(&[at3], &[(own, Assigned::Nondet), (pc, to2)]);
    }
    let critical = [pc1, pc2].map(|pc| model.is(pc, 3));
    (model, critical)
}

#[test]
fn the_mutex_of_the_thesis_is_proved_at_once() {
    for sharing in [false, true] {
        let (model, critical) = mutex(0);
        let (verdict, statistics, _) = model.check(&critical, sharing);
        let Verdict::Safe(evidence) = verdict else { panic!("{verdict:?}") };
        assert_eq!((evidence.kind, evidence.unchecked), (Kind::Fragment, None));
        assert_eq!((statistics.iterations, statistics.predicates), (1, 2));
    }
}

#[test]
fn runs_to_errors_are_concrete() {
    // Both processes are critical if one input is set while the other one is.
    let (mut model, _) = mutex(0);
    let pc2 = model.variables[1].term;
    let y = model.variables[3].term;
    let at3 = model.is(pc2, 3);
    let seven = model.is(y, 7);
    let (verdict, statistics, system) = model.check(&[at3, seven], true);
    let Verdict::Unsafe(run) = verdict else { panic!("{verdict:?}") };
    assert_eq!(statistics.iterations, 1);
    assert_eq!(run.initial.len(), system.variables.len());
    // Both increments, and the second process enters.
    assert!(run.steps.len() >= 3, "{run:?}");
    for (transition, inputs) in &run.steps {
        let nondet =
            system.transitions[*transition].assignments.iter().filter(|(_, it)| *it == Assigned::Nondet);
        assert_eq!(nondet.count(), inputs.len());
        assert!(inputs.iter().all(|value| matches!(value, Value::Int(_))));
    }
}

/// With inputs it is not enough that every state has some successor among the explored ones: here the state that the first
/// transition leads to has one more.
#[test]
fn an_input_may_lead_elsewhere() {
    for sharing in [false, true] {
        let mut model = Model::new();
        let pc = model.variable("pc", Some(0), Some((0, 1)), true);
        let y = model.variable("y", Some(10), None, false);
        let z = model.variable("z", Some(0), Some((0, 5)), false);
        let [at0, at1] = [0, 1].map(|value| model.is(pc, value));
        let to1 = model.constant(1);
        model.transition(&[at0], &[(y, Assigned::Term(z))]);
        model.transition(&[at0], &[(z, Assigned::Nondet), (pc, to1)]);
        let at_most = model.pool.num_le(z, y);
        let above = model.pool.not(at_most);
        let (verdict, ..) = model.check(&[at1, above], sharing);
        assert!(matches!(verdict, Verdict::Unsafe(_)), "{verdict:?}");
    }
}

#[test]
fn refinement_finds_what_a_counter_needs() {
    // x counts up and wraps at 5; 7 is not reached, 4 is.
    for (wrong, is_safe) in [(7, true), (4, false)] {
        let mut model = Model::new();
        let x = model.variable("x", Some(0), None, false);
        let five = model.is(x, 5);
        let other = model.pool.not(five);
        let (more, zero) = (model.plus(x, 1), model.constant(0));
        model.transition(&[other], &[(x, more)]);
        model.transition(&[five], &[(x, zero)]);
        let error = model.is(x, wrong);
        let (verdict, ..) = model.check(&[error], true);
        assert_eq!(matches!(verdict, Verdict::Safe(_)), is_safe, "{verdict:?}");
        assert_eq!(matches!(verdict, Verdict::Unsafe(_)), !is_safe, "{verdict:?}");
    }
}
