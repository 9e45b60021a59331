//! Random guarded commands over small ranges: what the engines say is what a look at all states says.

#![allow(clippy::unwrap_used)]

#[path = "common/random.rs"]
mod random;

use aster_cfa::interpreter::{End, Interpreter, RunLimits, Unwatched};
use aster_engines::{Budget, Event, Limit, Observer, Outcome, Reason, Unknown, symexec, symexec_ia};
use aster_models::gcl::{self, Assigned, Domain, System};
use aster_smt::NativeSolver;
use aster_term::{Model, Term, TermPool, Value, evaluate};
use random::Random;
use std::collections::HashSet;
use std::fmt::Write;

/// Gives an exploration only so many queries.
struct Patience<'a>(&'a Budget, u32);

impl Observer for Patience<'_> {
    fn on(&mut self, event: Event) {
        if event == Event::Query {
            self.1 = self.1.saturating_sub(1);
            if self.1 == 0 {
                self.0.exhaust(Limit::Time);
            }
        }
    }
}

fn number(random: &mut Random) -> String {
    match random.below(7) {
        0 => "x".to_owned(),
        1 => "y".to_owned(),
        2 => "x + 1".to_owned(),
        3 => "x - y".to_owned(),
        4 => "(x + y) mod 3".to_owned(),
        5 => "(if b then 2 * x else y) div 2".to_owned(),
        _ => random.below(4).to_string(),
    }
}

fn condition(random: &mut Random) -> String {
    let (left, right) = (number(random), number(random));
    match random.below(8) {
        0 => "b".to_owned(),
        1 => "not b".to_owned(),
        2 => "s = red".to_owned(),
        3 => "s != green".to_owned(),
        4 => format!("{left} = {right}"),
        5 => format!("{left} <= {right}"),
        6 => format!("({left} < {right} or b)"),
        _ => format!("{left} != {right}"),
    }
}

/// Numbers stay in their ranges by a last choice in each assignment.
fn assignment(random: &mut Random, variable: &str) -> String {
    if random.below(6) == 0 {
        return format!("{variable} := nondet");
    }
    match variable {
        "b" => format!("b := {}", condition(random)),
        "s" => format!("s := {}", ["red", "green", "blue", "s"][random.below(4) as usize]),
        _ => {
            let value = number(random);
            let low = random.below(2);
            format!("{variable} := (if {value} < {low} then {low} else if {value} > 3 then 3 else {value})")
        }
    }
}

fn model(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(7919) + 1);
    let mut text = String::new();
    for (name, domain) in [("x", "0..3"), ("y", "0..3"), ("b", "bool"), ("s", "{red, green, blue}")] {
        let first = match name {
            "b" => "true",
            "s" => "green",
            _ => "1",
        };
        let first = if random.below(4) == 0 { String::new() } else { format!(" = {first}") };
        writeln!(text, "var {name}: {domain}{first}").unwrap();
    }
    if random.below(3) == 0 {
        writeln!(text, "init {}", condition(&mut random)).unwrap();
    }
    for process in ["P", "Q"] {
        writeln!(text, "process {process} {{").unwrap();
        for index in 0..2 + random.below(2) {
            let guard = format!("{} and {}", condition(&mut random), condition(&mut random));
            let variables: Vec<&str> =
                ["x", "y", "b", "s"].into_iter().filter(|_| random.below(3) == 0).collect();
            let assignments: Vec<String> =
                variables.iter().map(|variable| assignment(&mut random, variable)).collect();
            let assignments = if assignments.is_empty() { "skip".to_owned() } else { assignments.join(", ") };
            writeln!(text, "  t{index}: {guard} -> {assignments}").unwrap();
        }
        writeln!(text, "}}").unwrap();
    }
    let error = [condition(&mut random), condition(&mut random), condition(&mut random)].join(" and ");
    writeln!(text, "error {error}").unwrap();
    text
}

fn values(domain: &Domain) -> Vec<Value> {
    let numbers = |numbers: Vec<i64>| numbers.into_iter().map(|number| Value::Int(number.into())).collect();
    match domain {
        Domain::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Domain::Range(low, high) => numbers((*low..=*high).collect()),
        Domain::Enumeration(codes) => numbers(codes.iter().map(|&code| code.into()).collect()),
        Domain::Int => panic!("there are no unbounded variables"),
    }
}

/// All states that differ from `state` in these variables only.
fn variations(system: &System, state: Vec<Value>, positions: &[usize]) -> Vec<Vec<Value>> {
    let mut states = vec![state];
    for &position in positions {
        let domain = values(&system.variables[position].domain);
        let vary = |state: &Vec<Value>| {
            let states = domain.iter().map(|value| {
                let mut state = state.clone();
                state[position] = value.clone();
                state
            });
            states.collect::<Vec<_>>()
        };
        states = states.iter().flat_map(vary).collect();
    }
    states
}

/// Whether an error can be reached, by a look at all states.
fn reaches_error(system: &System, pool: &TermPool) -> bool {
    let value = |term: Term, state: &[Value]| {
        let mut model = Model::new();
        for (variable, value) in system.variables.iter().zip(state) {
            model.insert(variable.term, value.clone());
        }
        evaluate(pool, term, &model)
    };
    let holds = |term: Term, state: &[Value]| value(term, state) == Value::Bool(true);
    let all: Vec<usize> = (0..system.variables.len()).collect();
    let any = system.variables.iter().map(|variable| values(&variable.domain)[0].clone()).collect();
    let mut waiting: Vec<Vec<Value>> =
        variations(system, any, &all).into_iter().filter(|state| holds(system.init, state)).collect();
    let mut seen: HashSet<String> = HashSet::new();
    while let Some(state) = waiting.pop() {
        if holds(system.error, &state) {
            return true;
        }
        if !seen.insert(format!("{state:?}")) {
            continue;
        }
        for transition in system.transitions.iter().filter(|transition| holds(transition.guard, &state)) {
            let mut next = state.clone();
            let mut inputs = Vec::new();
            for &(position, assigned) in &transition.assignments {
                match assigned {
                    Assigned::Term(term) => next[position] = value(term, &state),
                    Assigned::Nondet => inputs.push(position),
                }
            }
            waiting.extend(variations(system, next, &inputs));
        }
    }
    false
}

#[test]
fn engines_agree_with_a_look_at_all_states() {
    let (mut safe, mut failing, mut undecided) = (0, 0, 0);
    for seed in 0..80 {
        let text = model(seed);
        let mut pool = TermPool::new();
        let system = gcl::load(&mut pool, "random.gcl", &text, &[])
            .unwrap_or_else(|rejected| panic!("seed {seed}: {}", rejected.render()));
        let expected = reaches_error(&system, &pool);
        let program = system.to_program(&mut pool);
        assert_eq!(program.validate(&pool), []);
        for abstracts in [false, true] {
            let budget = Budget::new();
            let mut solver = NativeSolver::new(budget.interrupt());
            let mut patience = Patience(&budget, 3_000);
            let outcome = if abstracts {
                let options = symexec_ia::Options { unroll_decided: seed % 2 == 0, ..Default::default() };
                symexec_ia::run(&program, &mut pool, &mut solver, options, &budget, &mut patience).0
            } else {
                let options = symexec::Options::default();
                symexec::run(&program, &mut pool, &mut solver, options, &budget, &mut patience)
            };
            match &outcome {
                Outcome::Safe if !expected => safe += 1,
                Outcome::Unsafe(found) if expected => {
                    let run = Interpreter::new(&program, &pool).run(
                        &found.inputs,
                        RunLimits::default(),
                        &mut Unwatched,
                    );
                    assert!(matches!(run, End::Error { .. }), "seed {seed}: {run:?}\n{text}");
                    failing += 1;
                }
                Outcome::Unknown(Unknown { reason: Reason::Limit(_), .. }) => undecided += 1,
                _ => panic!("seed {seed}, abstraction {abstracts}: {outcome:?}\n{text}"),
            }
        }
    }
    assert!(safe > 60 && failing > 20 && undecided < 40, "{safe} {failing} {undecided}");
}
