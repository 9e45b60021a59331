//! The process back end: with a real solver when there is one, and with scripts that misbehave.

use aster_smt::{Answer, Interrupt, Limits, ProcessSolver, Solver, SolverError, UnknownReason};
use aster_term::{Sort, Term, TermPool, Value, evaluate};
use std::process::{Command, Stdio};
use std::time::Duration;

const Z3: &str = "z3 -in";

fn z3() -> Option<ProcessSolver> {
    let there = Command::new("z3").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) {
        eprintln!("skipped: there is no z3 on the PATH");
        return None;
    }
    Some(ProcessSolver::new(Z3, Interrupt::new()).expect("z3 starts"))
}

/// A solver that is a shell script: it answers the greeting, and then does `cases` for each line.
fn fake(cases: &str) -> String {
    format!(
        "/bin/sh -c 'while read -r line; do case \"$line\" in *echo*) echo aster-ready;; {cases} esac; done'"
    )
}

fn backend_error(answer: Answer) -> String {
    match answer {
        Answer::Unknown(UnknownReason::Backend(text)) => text,
        other => panic!("expected a backend error, got {other:?}"),
    }
}

struct Setting {
    pool: TermPool,
    x: Term,
    small: Term,
    large: Term,
}

fn setting() -> Setting {
    let mut pool = TermPool::new();
    let x = pool.variable("x", Sort::BitVec(8));
    let ten = pool.bv(8, 10);
    let small = pool.ult(x, ten);
    let large = pool.ult(ten, x);
    Setting { pool, x, small, large }
}

#[test]
fn models_cores_and_scopes() {
    let Some(mut solver) = z3() else { return };
    let Setting { mut pool, x, small, large } = setting();
    let p = pool.variable("some name with blanks", Sort::Bool);
    solver.assert(&mut pool, p);
    let Answer::Sat(model) = solver.check(&mut pool, &[small]) else { panic!("satisfiable") };
    assert_eq!(evaluate(&pool, small, &model), Value::Bool(true));
    assert_eq!(model.get(p), Some(&Value::Bool(true)));
    assert!(model.get(x).is_some());
    solver.push();
    solver.assert(&mut pool, large);
    assert_eq!(solver.check(&mut pool, &[p, small]), Answer::Unsat(vec![small]));
    solver.pop();
    let Answer::Unsat(mut core) = solver.check(&mut pool, &[large, p, small]) else {
        panic!("unsatisfiable")
    };
    core.sort();
    let mut expected = vec![small, large];
    expected.sort();
    assert_eq!(core, expected);
    assert!(matches!(solver.check(&mut pool, &[]), Answer::Sat(_)));
    let statistics = solver.statistics();
    assert_eq!((statistics.checks, statistics.solved), (4, 4));
}

#[test]
fn arrays_after_bit_vectors() {
    let Some(mut solver) = z3() else { return };
    let Setting { mut pool, x, small, .. } = setting();
    assert!(matches!(solver.check(&mut pool, &[small]), Answer::Sat(_)));
    let a = pool.variable("a", Sort::Array { index: 8, element: 8 });
    let b = pool.variable("b", Sort::Array { index: 8, element: 8 });
    let seven = pool.bv(8, 7);
    let mut written = pool.store(a, x, seven);
    for i in 0..20u128 {
        let (index, element) = (pool.bv(8, 10 * i), pool.bv(8, i * i));
        let read = pool.select(b, index);
        let sum = pool.add(read, element);
        written = pool.store(written, index, sum);
    }
    let equal = pool.eq(written, b);
    let different = pool.ne(a, b);
    let read = pool.select(b, x);
    let is_seven = pool.eq(read, seven);
    assert!(matches!(solver.check(&mut pool, &[small, is_seven, different]), Answer::Sat(_)));
    let answer = solver.check(&mut pool, &[small, different, equal]);
    assert!(matches!(answer, Answer::Unsat(_)), "10 * i gets another element than before: {answer:?}");
}

#[test]
fn the_program_must_be_there() {
    let error = ProcessSolver::new("no-such-solver-anywhere -in", Interrupt::new()).err().unwrap();
    assert!(matches!(&error, SolverError::Start { program, .. } if program == "no-such-solver-anywhere"));
    assert!(error.to_string().contains("no-such-solver-anywhere"), "{error}");
    assert!(matches!(ProcessSolver::new("  ", Interrupt::new()), Err(SolverError::EmptyCommand)));
    assert!(matches!(ProcessSolver::new("z3 'x", Interrupt::new()), Err(SolverError::UnclosedQuote(_))));
}

#[test]
fn the_program_must_be_a_solver() {
    for command in ["cat", "true", "/bin/sh -c 'echo no such option >&2; exit 1'"] {
        let error = ProcessSolver::new(command, Interrupt::new()).err().unwrap();
        assert!(matches!(&error, SolverError::NotASolver { .. }), "{error}");
    }
    let error =
        ProcessSolver::new("/bin/sh -c 'echo bad option >&2; exit 1'", Interrupt::new()).err().unwrap();
    assert!(error.to_string().contains("bad option"), "{error}");
}

#[test]
fn a_process_that_dies_is_reported_and_replaced() {
    // Dies when it is asked about two conjuncts at once.
    let command = fake(
        "*check*assume.0*assume*) echo out of luck >&2; exit 3;; *check*) echo unsat;; *get-unsat*) echo \"(aster.assume.0)\";;",
    );
    let mut solver = ProcessSolver::new(&command, Interrupt::new()).unwrap();
    let Setting { mut pool, small, large, .. } = setting();
    let text = backend_error(solver.check(&mut pool, &[small, large]));
    assert!(text.contains("out of luck") && text.contains('3'), "{text}");
    assert_eq!(solver.check(&mut pool, &[small]), Answer::Unsat(vec![small]));
}

#[test]
fn garbage_is_reported() {
    let Setting { mut pool, small, .. } = setting();
    for (cases, expected) in [
        ("*check*) echo bananas;;", "bananas"),
        ("*check*) echo \"(error \\\"no idea\\\")\";;", "no idea"),
        ("*check*) echo unknown;;", "unknown"),
        ("*check*) echo unsat;; *get-unsat*) echo \"(pears)\";;", "pears"),
        ("*check*) echo sat;; *get-value*) echo \"((x #xzz))\";;", "#xzz"),
        ("*check*) echo sat;; *get-value*) echo \"()\";;", "cannot be read"),
        ("*check*) echo sat;; *get-value*) echo \"((x #xff))\";;", "does not satisfy"),
    ] {
        let mut solver = ProcessSolver::new(&fake(cases), Interrupt::new()).unwrap();
        let text = backend_error(solver.check(&mut pool, &[small]));
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn without_cores_all_assumptions_are_the_core() {
    let command = fake("*unsat-assumptions*) echo unsupported;; *check*) echo unsat;;");
    let mut solver = ProcessSolver::new(&command, Interrupt::new()).unwrap();
    let Setting { mut pool, small, large, .. } = setting();
    solver.assert(&mut pool, small);
    assert_eq!(solver.check(&mut pool, &[large]), Answer::Unsat(vec![large]));
}

#[test]
fn a_hanging_process_is_interrupted() {
    let interrupt = Interrupt::new();
    let mut solver = ProcessSolver::new(&fake("*check*) ;;"), interrupt.clone()).unwrap();
    let Setting { mut pool, small, .. } = setting();
    let raiser = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        interrupt.raise();
    });
    assert_eq!(solver.check(&mut pool, &[small]), Answer::Unknown(UnknownReason::Interrupted));
    raiser.join().unwrap();
    assert_eq!(solver.check(&mut pool, &[small]), Answer::Unknown(UnknownReason::Interrupted));
}

#[test]
fn the_time_limit_holds_even_if_nothing_is_read() {
    // Reads the greeting and then nothing, while the query is larger than a pipe.
    let command = "/bin/sh -c 'while read -r line; do case \"$line\" in *echo*) echo aster-ready; exec sleep 20;; esac; done'";
    let mut solver = ProcessSolver::new(command, Interrupt::new()).unwrap();
    solver.set_limits(Limits { time: Some(Duration::from_millis(50)), conflicts: None });
    let Setting { mut pool, x, .. } = setting();
    let mut sum = x;
    for i in 0..5000 {
        let y = pool.variable(&format!("y{i}"), Sort::BitVec(8));
        let product = pool.mul(sum, y);
        sum = pool.add(product, x);
    }
    let goal = pool.eq(sum, x);
    assert_eq!(solver.check(&mut pool, &[goal]), Answer::Unknown(UnknownReason::TimeLimit));
}

#[test]
fn after_a_time_limit_the_next_check_works() {
    let command =
        fake("*check*assume.0*assume*) ;; *check*) echo unsat;; *get-unsat*) echo \"(aster.assume.0)\";;");
    let mut solver = ProcessSolver::new(&command, Interrupt::new()).unwrap();
    solver.set_limits(Limits { time: Some(Duration::from_millis(200)), conflicts: None });
    let Setting { mut pool, small, large, .. } = setting();
    assert_eq!(solver.check(&mut pool, &[small, large]), Answer::Unknown(UnknownReason::TimeLimit));
    solver.set_limits(Limits::default());
    assert_eq!(solver.check(&mut pool, &[large]), Answer::Unsat(vec![large]));
}
