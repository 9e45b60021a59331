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
    /// The process that new transitions belong to.
    process: usize,
    /// Processes that may be exchangeable.
    processes: Vec<Vec<Vec<usize>>>,
}

impl Model {
    fn new() -> Self {
        let mut pool = TermPool::new();
        let init = pool.bool(true);
        Model {
            pool,
            variables: Vec::new(),
            init,
            transitions: Vec::new(),
            process: 0,
            processes: Vec::new(),
        }
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
        self.transitions.push(Transition { guard, assignments, process: self.process });
    }

    fn check(self, error: &[Term], sharing: bool) -> (Verdict, Statistics, System) {
        self.check_with(error, Options { sharing, ..Options::default() })
    }

    fn check_with(mut self, error: &[Term], options: Options) -> (Verdict, Statistics, System) {
        let error = self.pool.and_all(error);
        let system = System {
            variables: self.variables,
            init: self.init,
            transitions: self.transitions,
            error,
            processes: self.processes,
        };
        let budget = Budget::new();
        let mut solver = NativeSolver::new(budget.interrupt());
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

/// Processes that draw tickets: each takes `next` and waits until it is `called`. The error: all are in.
fn ticket(count: usize) -> (Model, Vec<Term>) {
    let mut model = Model::new();
    let next = model.variable("next", Some(0), None, false);
    let called = model.variable("called", Some(0), None, false);
    let mut critical = Vec::new();
    let mut processes = Vec::new();
    for process in 0..count {
        model.process = process;
        let first = model.variables.len();
        let pc = model.variable(&format!("pc{process}"), Some(0), Some((0, 2)), true);
        let number = model.variable(&format!("number{process}"), Some(0), None, false);
        processes.push(vec![first, first + 1]);
        let [at0, at1, at2] = [0, 1, 2].map(|value| model.is(pc, value));
        let [to0, to1, to2] = [0, 1, 2].map(|value| model.constant(value));
        let (drawn, ended) = (model.plus(next, 1), model.plus(called, 1));
        let turn = model.pool.num_le(number, called);
        model.transition(&[at0], &[(number, Assigned::Term(next)), (next, drawn), (pc, to1)]);
        model.transition(&[at1, turn], &[(pc, to2)]);
        model.transition(&[at2], &[(called, ended), (pc, to0)]);
        critical.push(at2);
    }
    model.processes = vec![processes];
    (model, critical)
}

#[test]
fn equal_processes_are_explored_in_one_order() {
    let explored = [true, false].map(|symmetry| {
        let (model, critical) = ticket(3);
        let options = Options { symmetry, ..Options::default() };
        let (verdict, statistics, _) = model.check_with(&critical, options);
        let Verdict::Safe(evidence) = verdict else { panic!("{verdict:?}") };
        assert_eq!(evidence.unchecked, None);
        statistics
    });
    assert_eq!(explored[0].abstract_states, explored[1].abstract_states);
    assert!(explored[0].symbolic_states * 3 < explored[1].symbolic_states, "{explored:?}");
}

/// That processes are equal is not believed: only the second one, alone, can take a second step.
#[test]
fn a_process_that_differs_is_not_exchanged() {
    let mut model = Model::new();
    let pcs = ["first", "second"].map(|name| model.variable(name, Some(0), Some((0, 2)), true));
    for (process, pc) in pcs.into_iter().enumerate() {
        model.process = process;
        let (here, there) = (model.is(pc, 0), model.constant(1));
        model.transition(&[here], &[(pc, there)]);
        let (other, last) = (model.is(pcs[1 - process], [2, 0][process]), model.constant(2));
        let here = model.is(pc, 1);
        model.transition(&[here, other], &[(pc, last)]);
    }
    model.processes = vec![vec![vec![0], vec![1]]];
    let [first, second] = pcs.map(|pc| model.is(pc, 2));
    let error = model.pool.or(first, second);
    let (verdict, ..) = model.check(&[error], true);
    assert!(matches!(verdict, Verdict::Unsafe(_)), "{verdict:?}");
}

/// Processes that take three steps on their own before they add to a sum. `is_visible`: the error is about a counter of these steps.
fn workers(is_visible: bool, wrong: i128) -> (Model, Term) {
    let mut model = Model::new();
    let sum = model.variable("sum", Some(0), None, false);
    let mut error = model.is(sum, wrong);
    for process in 0..3 {
        model.process = process;
        let pc = model.variable(&format!("pc{process}"), Some(0), Some((0, 4)), true);
        let own = model.variable(&format!("own{process}"), Some(0), None, false);
        for step in 0..3 {
            let here = model.is(pc, step);
            let (there, more) = (model.constant(step + 1), model.plus(own, 1));
            model.transition(&[here], &[(pc, there), (own, more)]);
        }
        let last = model.is(pc, 3);
        let (end, total) = (model.constant(4), model.pool.num_add(sum, own));
        model.transition(&[last], &[(pc, end), (sum, Assigned::Term(total))]);
        if is_visible && process == 0 {
            error = model.is(own, wrong);
        }
    }
    (model, error)
}

#[test]
fn steps_of_one_process_are_taken_first() {
    for (is_visible, wrong, is_safe) in
        [(false, 9, false), (false, 10, true), (true, 2, false), (true, 4, true)]
    {
        let explored = [true, false].map(|reduction| {
            let (model, error) = workers(is_visible, wrong);
            let options = Options { reduction, ..Options::default() };
            let (verdict, statistics, _) = model.check_with(&[error], options);
            match verdict {
                Verdict::Safe(evidence) => assert!(is_safe && evidence.unchecked.is_none(), "{evidence:?}"),
                other => assert!(!is_safe && matches!(other, Verdict::Unsafe(_)), "{other:?}"),
            }
            statistics.symbolic_states
        });
        if is_safe {
            assert!(explored[0] * 2 < explored[1], "{explored:?}");
        }
    }
}

/// A step that is repeated for ever must not keep others from theirs.
#[test]
fn steps_on_cycles_are_not_taken_first() {
    let mut model = Model::new();
    let pc = model.variable("pc", Some(0), Some((0, 1)), true);
    let bad = model.variable("bad", Some(0), Some((0, 1)), true);
    for (from, to) in [(0, 1), (1, 0)] {
        let here = model.is(pc, from);
        let there = model.constant(to);
        model.transition(&[here], &[(pc, there)]);
    }
    model.process = 1;
    let (always, one) = (model.pool.bool(true), model.constant(1));
    model.transition(&[always], &[(bad, one)]);
    let error = model.is(bad, 1);
    let (verdict, ..) = model.check(&[error], true);
    assert!(matches!(verdict, Verdict::Unsafe(_)), "{verdict:?}");
}
