//! The native solver against another one: random formulas, same verdicts.

mod random_terms;

use aster_smt::{Answer, Interrupt, Limits, NativeSolver, Solver};
use aster_term::{Definitions, Evaluator, Term, TermPool, Value};
use random_terms::{Formulas, Random};
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::thread;

/// Solvers that can be the oracle; each gets a time limit per query so that none stops the test.
const ORACLES: [&[&str]; 2] =
    [&["z3", "-in", "-t:2000"], &["cvc5", "--incremental", "--tlimit-per=2000", "--lang=smt2"]];

/// Formulas per test.
const FORMULAS: usize = 1500;

/// A native solver is used for this many formulas, so that its incrementality is tested too.
const FORMULAS_PER_SOLVER: usize = 25;

fn oracle() -> Option<&'static [&'static str]> {
    let is_there = |command: &&&[&str]| {
        let program =
            Command::new(command[0]).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        program.is_ok_and(|status| status.success())
    };
    let found = ORACLES.iter().find(is_there).copied();
    if found.is_none() {
        eprintln!("skipped: neither z3 nor cvc5 is on the PATH");
    }
    found
}

struct Case {
    conjuncts: Vec<Term>,
    script: String,
}

fn random_case(pool: &mut TermPool, random: &mut Random, number: usize, with_arrays: bool) -> Case {
    // A few variables for all formulas of one solver: they meet again.
    let tag = (number / FORMULAS_PER_SOLVER).to_string();
    let mut formulas = Formulas::new(pool, random, &tag, with_arrays);
    let size = 4 + formulas.random.below(24);
    for _ in 0..size {
        formulas.grow(pool);
    }
    let count = 2 + formulas.random.below(4);
    let conjuncts: Vec<Term> = (0..count)
        .map(|_| if formulas.random.one_in(2) { formulas.truth(pool) } else { formulas.comparison(pool) })
        .collect();
    let mut script = "(set-logic QF_ABV)\n".to_owned();
    let mut definitions = Definitions::new();
    for &conjunct in &conjuncts {
        let formula = definitions.define(pool, conjunct, &mut script);
        let _ = writeln!(script, "(assert {formula})");
    }
    script.push_str("(check-sat)\n");
    Case { conjuncts, script }
}

/// The oracle's answers, one per case.
fn ask_oracle(command: &[&str], cases: &[Case]) -> thread::JoinHandle<Vec<String>> {
    let mut child = Command::new(command[0])
        .args(&command[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the oracle starts");
    let mut input = child.stdin.take().expect("a pipe");
    let script: String = cases.iter().map(|case| format!("{}(reset)\n", case.script)).collect();
    thread::spawn(move || {
        let writer = thread::spawn(move || input.write_all(script.as_bytes()));
        let mut output = String::new();
        child.stdout.take().expect("a pipe").read_to_string(&mut output).expect("text");
        let _ = writer.join();
        let _ = child.wait();
        output.lines().map(str::to_owned).collect()
    })
}

/// Shows the formula if the solver panics on it.
struct ShowOnPanic<'a>(&'a str);

impl Drop for ShowOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("{}", self.0);
        }
    }
}

/// What the native solver says; models and cores are examined on the spot.
fn ask_native(pool: &mut TermPool, solver: &mut NativeSolver, case: &Case) -> &'static str {
    let _context = ShowOnPanic(&case.script);
    match solver.check(pool, &case.conjuncts) {
        Answer::Sat(model) => {
            let mut evaluator = Evaluator::new(&model);
            for &conjunct in &case.conjuncts {
                assert_eq!(evaluator.value(pool, conjunct), Value::Bool(true), "the model holds");
            }
            "sat"
        }
        Answer::Unsat(core) => {
            assert!(core.iter().all(|term| case.conjuncts.contains(term)));
            "unsat"
        }
        Answer::Unknown(_) => "unknown",
    }
}

fn agree(seed: u64, with_arrays: bool) {
    let Some(command) = oracle() else { return };
    let mut random = Random::new(seed);
    let mut pool = TermPool::new();
    let cases: Vec<Case> =
        (0..FORMULAS).map(|number| random_case(&mut pool, &mut random, number, with_arrays)).collect();
    let oracle = ask_oracle(command, &cases);
    let mut native = Vec::with_capacity(cases.len());
    for batch in cases.chunks(FORMULAS_PER_SOLVER) {
        let mut solver = NativeSolver::new(Interrupt::new());
        solver.set_limits(Limits { conflicts: Some(20_000), time: None });
        native.extend(batch.iter().map(|case| ask_native(&mut pool, &mut solver, case)));
    }
    let expected = oracle.join().expect("the oracle's answers");
    assert_eq!(
        expected.len(),
        cases.len(),
        "one answer each: {:?}",
        expected.iter().find(|a| a.contains("error"))
    );
    let mut counts = [0; 3];
    for ((case, native), expected) in cases.iter().zip(native).zip(&expected) {
        match (native, expected.as_str()) {
            ("sat", "sat") => counts[0] += 1,
            ("unsat", "unsat") => counts[1] += 1,
            ("unknown", "sat" | "unsat" | "unknown") | ("sat" | "unsat", "unknown") => counts[2] += 1,
            _ => panic!("native says {native}, {} says {expected} to\n{}", command[0], case.script),
        }
    }
    println!("{} formulas: {} sat, {} unsat, {} undecided", cases.len(), counts[0], counts[1], counts[2]);
    assert!(counts[0] > FORMULAS / 10 && counts[1] > FORMULAS / 10, "both verdicts occur: {counts:?}");
    assert!(counts[2] < FORMULAS / 50, "nearly all are decided: {counts:?}");
}

#[test]
fn bit_vectors() {
    agree(1, false);
}

#[test]
fn arrays() {
    agree(2, true);
}
