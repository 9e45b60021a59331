//! The native solver against another one: random formulas, same verdicts.

#[path = "random_terms/float_formulas.rs"]
mod float_formulas;
mod random_terms;

use aster_smt::{Answer, FloatSearch, IntegerSearch, Interrupt, Limits, NativeSolver, Solver};
use aster_term::{Definitions, Evaluator, FloatFormat, Term, TermPool, Value};
use float_formulas::FloatFormulas;
use random_terms::{Formulas, Random};
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::thread;

/// A solver that can be the oracle.
struct Oracle {
    /// Succeeds if it is there.
    probe: &'static [&'static str],
    /// Reads commands from standard input. Each has a time limit per query so that none stops the test.
    command: &'static [&'static str],
}

const Z3: Oracle = Oracle { probe: &["z3", "--version"], command: &["z3", "-in", "-t:2000"] };

const CVC5: Oracle = Oracle {
    probe: &["cvc5", "--version"],
    command: &["cvc5", "--incremental", "--tlimit-per=2000", "--lang=smt2"],
};

/// From its Python package, which has a parser but no program. One line is one command.
const BITWUZLA: Oracle = Oracle {
    probe: &["python3", "-c", "import bitwuzla"],
    command: &[
        "python3",
        "-c",
        "import sys, bitwuzla as b
def new():
    options = b.Options()
    options.set(b.Option.TIME_LIMIT_PER, 2000)
    return b.Parser(b.TermManager(), options)
parser = new()
for line in sys.stdin:
    if line.strip() == '(reset)': parser = new()
    elif line.strip(): parser.parse(line, False, False)",
    ],
};

/// Formulas per test.
const FORMULAS: usize = 1000;

/// A native solver is used for this many formulas, so that its incrementality is tested too.
const FORMULAS_PER_SOLVER: usize = 25;

/// The first of these solvers that is there.
fn oracle(candidates: &[&'static Oracle]) -> Option<&'static Oracle> {
    let is_there = |oracle: &&&'static Oracle| {
        let status = Command::new(oracle.probe[0])
            .args(&oracle.probe[1..])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        status.is_ok_and(|status| status.success())
    };
    let found = candidates.iter().find(is_there).copied();
    if found.is_none() {
        eprintln!("skipped: there is no solver to compare with");
    }
    found
}

/// What formulas are about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Theory {
    BitVectors,
    Arrays,
    Floats(&'static [FloatFormat]),
}

struct Case {
    conjuncts: Vec<Term>,
    script: String,
}

fn random_case(pool: &mut TermPool, random: &mut Random, number: usize, theory: Theory) -> Case {
    // A few variables for all formulas of one solver: they meet again.
    let tag = (number / FORMULAS_PER_SOLVER).to_string();
    let conjuncts = match theory {
        Theory::Floats(formats) => FloatFormulas::new(pool, random, &tag, formats).formula(pool),
        _ => random_conjuncts(pool, random, &tag, theory == Theory::Arrays),
    };
    let logic = if matches!(theory, Theory::Floats(_)) { "QF_ABVFP" } else { "QF_ABV" };
    let mut script = format!("(set-logic {logic})\n");
    let mut definitions = Definitions::new();
    for &conjunct in &conjuncts {
        let formula = definitions.define(pool, conjunct, &mut script);
        let _ = writeln!(script, "(assert {formula})");
    }
    script.push_str("(check-sat)\n");
    Case { conjuncts, script }
}

fn random_conjuncts(pool: &mut TermPool, random: &mut Random, tag: &str, with_arrays: bool) -> Vec<Term> {
    let mut formulas = Formulas::new(pool, random, tag, with_arrays);
    let size = 4 + formulas.random.below(24);
    for _ in 0..size {
        formulas.grow(pool);
    }
    let count = 2 + formulas.random.below(4);
    (0..count)
        .map(|_| if formulas.random.one_in(2) { formulas.truth(pool) } else { formulas.comparison(pool) })
        .collect()
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
fn ask_native(pool: &mut TermPool, solver: &mut dyn Solver, case: &Case) -> &'static str {
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

fn agree(seed: u64, theory: Theory, candidates: &[&'static Oracle]) {
    let Some(Oracle { command, .. }) = oracle(candidates) else { return };
    let mut random = Random::new(seed);
    let mut pool = TermPool::new();
    let cases: Vec<Case> =
        (0..FORMULAS).map(|number| random_case(&mut pool, &mut random, number, theory)).collect();
    let oracle = ask_oracle(command, &cases);
    let mut native = Vec::with_capacity(cases.len());
    for (number, batch) in cases.chunks(FORMULAS_PER_SOLVER).enumerate() {
        let mut solver: Box<dyn Solver> = Box::new(NativeSolver::new(Interrupt::new()));
        if number % 2 == 0 {
            solver = Box::new(FloatSearch::new(solver, Interrupt::new(), true));
            solver = Box::new(IntegerSearch::new(solver, Interrupt::new()));
        }
        solver.set_limits(Limits { conflicts: Some(20_000), time: None });
        native.extend(batch.iter().map(|case| ask_native(&mut pool, solver.as_mut(), case)));
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
    agree(1, Theory::BitVectors, &[&Z3, &CVC5]);
}

#[test]
fn arrays() {
    agree(2, Theory::Arrays, &[&Z3, &CVC5]);
}

/// Tiny formats, where everything that can happen does.
#[test]
fn tiny_floats() {
    let formats = &[FloatFormat::TINY, FloatFormat::SMALL, FloatFormat::SMALL, FloatFormat::HALF];
    agree(3, Theory::Floats(formats), &[&Z3, &CVC5]);
}

#[test]
fn floats() {
    agree(5, Theory::Floats(&[FloatFormat::HALF, FloatFormat::HALF, FloatFormat::SINGLE]), &[&BITWUZLA, &Z3]);
}
