//! The native solver on integers and rationals, against another solver: random formulas, same verdicts.

mod formulas;

use aster_smt::{Answer, Interrupt, Limits, NativeSolver, Solver, eliminate};
use aster_term::{Definitions, Evaluator, Sort, Term, TermPool, Value, free_variables};
use formulas::{Formulas, Random, Shape};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A native solver is used for this many formulas, so that its incrementality is tested too.
const FORMULAS_PER_SOLVER: usize = 25;

/// Solvers that read commands from standard input, with a time limit per query so that none stops the test.
const ORACLES: [&[&str]; 2] =
    [&["z3", "-in", "-t:2000"], &["cvc5", "--incremental", "--tlimit-per=2000", "--lang=smt2"]];

/// The first solver that is there to be compared with.
fn oracle() -> Option<&'static [&'static str]> {
    let is_there = |command: &&&[&str]| {
        let mut probe = Command::new(command[0]);
        let status = probe.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    let found = ORACLES.iter().find(is_there).copied();
    if found.is_none() {
        eprintln!("skipped: there is no solver to compare with");
    }
    found
}

/// What the oracle is to say about a query.
struct Case {
    script: String,
    /// `None` if the native solver gave up.
    is_satisfiable: Option<bool>,
}

fn script(pool: &TermPool, conjuncts: &[Term]) -> String {
    let mut script = String::from("(set-logic ALL)\n");
    let mut definitions = Definitions::new();
    for &conjunct in conjuncts {
        let formula = definitions.define(pool, conjunct, &mut script);
        let _ = writeln!(script, "(assert {formula})");
    }
    script.push_str("(check-sat)\n");
    script
}

/// Asks the oracle about all cases. Returns how many only it decided, and how many it did not.
fn confirm(command: &[&str], cases: &[Case]) -> (usize, usize) {
    let mut child = Command::new(command[0])
        .args(&command[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the oracle starts");
    let mut input = child.stdin.take().expect("a pipe");
    let text: String = cases.iter().map(|case| format!("{}(reset)\n", case.script)).collect();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("the oracle ends");
    let _ = writer.join();
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    let answers: Vec<&str> = output.lines().collect();
    assert_eq!(answers.len(), cases.len(), "{answers:?}");
    let (mut given_up, mut open) = (0, 0);
    for (answer, case) in answers.iter().zip(cases) {
        match (*answer, case.is_satisfiable) {
            ("sat", Some(false)) => panic!("satisfiable, we say otherwise:\n{}", case.script),
            ("unsat", Some(true)) => panic!("unsatisfiable, we say otherwise:\n{}", case.script),
            ("sat" | "unsat", None) => given_up += 1,
            ("sat" | "unsat", _) => {}
            ("unknown" | "timeout", _) => open += 1,
            (other, _) => panic!("the oracle says {other}:\n{}", case.script),
        }
    }
    (given_up, open)
}

/// Compares the verdicts on so many random queries.
fn compare(seed: u64, queries: usize, shape: Shape) {
    let Some(command) = oracle() else { return };
    let mut random = Random::new(seed);
    let mut pool = TermPool::new();
    let mut cases = Vec::new();
    let (mut satisfiable, mut refuted) = (0, 0);
    let mut native = NativeSolver::new(Interrupt::new());
    for number in 0..queries {
        if number % FORMULAS_PER_SOLVER == 0 {
            native = NativeSolver::new(Interrupt::new());
            native.set_limits(Limits { time: Some(Duration::from_secs(20)), conflicts: None });
        }
        let count = 1 + random.below(12);
        let mut maker = Formulas { pool: &mut pool, random: &mut random, shape };
        let conjuncts: Vec<Term> = (0..count)
            .map(|_| if maker.random.one_in(2) { maker.comparison(1) } else { maker.formula(3) })
            .collect();
        native.push();
        native.assert(&mut pool, conjuncts[0]);
        let answer = native.check(&mut pool, &conjuncts[1..]);
        native.pop();
        let script_of_all = script(&pool, &conjuncts);
        let is_satisfiable = match &answer {
            Answer::Sat(model) => {
                satisfiable += 1;
                let mut evaluator = Evaluator::new(model);
                let holds = conjuncts.iter().all(|&c| evaluator.value(&pool, c) == Value::Bool(true));
                assert!(holds, "the model is wrong:\n{script_of_all}");
                Some(true)
            }
            Answer::Unsat(core) => {
                refuted += 1;
                let needed: Vec<Term> = core.iter().copied().chain([conjuncts[0]]).collect();
                cases.push(Case { script: script(&pool, &needed), is_satisfiable: Some(false) });
                Some(false)
            }
            Answer::Unknown(_) => None,
        };
        cases.push(Case { script: script_of_all, is_satisfiable });
    }
    assert!(satisfiable > queries / 20 && refuted > queries / 20, "{satisfiable} {refuted}");
    let (given_up, open) = confirm(command, &cases);
    eprintln!(
        "{satisfiable} satisfiable, {refuted} refuted, {given_up} only decided by the other, {open} not by it"
    );
    assert!(given_up * 100 <= queries, "{given_up} queries were not decided");
}

const INTEGERS: Shape = Shape { sorts: &[Sort::Int], variables: 4, special: 0, coefficient: 5, constant: 20 };

#[test]
fn linear_integers() {
    compare(1, 1000, INTEGERS);
}

#[test]
fn integers_with_quotients_and_choices() {
    compare(2, 300, Shape { special: 4, ..INTEGERS });
}

#[test]
fn rationals() {
    compare(3, 500, Shape { sorts: &[Sort::Real], special: 2, ..INTEGERS });
}

#[test]
fn integers_and_rationals_together() {
    compare(4, 300, Shape { sorts: &[Sort::Int, Sort::Real], special: 2, ..INTEGERS });
}

#[test]
fn large_numbers() {
    compare(5, 300, Shape { coefficient: 2, constant: 1 << 60, ..INTEGERS });
}

/// `exists x. f` and `f` without `x` are equivalent, says the oracle.
#[test]
fn quantified_formulas() {
    let Some(command) = oracle() else { return };
    let mut random = Random::new(6);
    let mut pool = TermPool::new();
    let mut cases = Vec::new();
    let shape = Shape { coefficient: 3, constant: 10, variables: 3, ..INTEGERS };
    while cases.len() < 300 {
        let mut maker = Formulas { pool: &mut pool, random: &mut random, shape };
        let formula = maker.formula(2);
        let variable = maker.variable(Sort::Int);
        let Ok(without) = eliminate(&mut pool, &[variable], formula) else { continue };
        let mut text = String::from("(set-logic ALL)\n");
        for other in free_variables(&pool, &[formula]) {
            if other != variable {
                let name = pool.variable_name(other).unwrap_or_default();
                let _ = writeln!(text, "(declare-const {name} {})", pool.sort(other));
            }
        }
        let (inside, outside) =
            (aster_term::print_term(&pool, formula), aster_term::print_term(&pool, without));
        let name = pool.variable_name(variable).unwrap_or_default();
        let _ = writeln!(text, "(assert (not (= (exists (({name} Int)) {inside}) {outside})))\n(check-sat)");
        cases.push(Case { script: text, is_satisfiable: Some(false) });
    }
    let (_, open) = confirm(command, &cases);
    assert!(open * 4 < cases.len(), "{open} were not decided");
}

#[test]
fn bit_vectors_and_integers_share_conditions() {
    let mut pool = TermPool::new();
    let (i, j) = (pool.variable("i", Sort::Int), pool.variable("j", Sort::Int));
    let (b, c) = (pool.variable("b", Sort::BitVec(8)), pool.variable("c", Sort::BitVec(8)));
    let less = pool.num_lt(i, j);
    let chosen = pool.ite(less, b, c);
    let (three, five) = (pool.bv(8, 3), pool.bv(8, 5));
    let facts = [pool.eq(b, three), pool.eq(c, five), pool.eq(chosen, five)];
    let mut solver = NativeSolver::new(Interrupt::new());
    for fact in facts {
        solver.assert(&mut pool, fact);
    }
    let Answer::Sat(model) = solver.check(&mut pool, &[]) else { panic!("i >= j is possible") };
    assert_eq!(aster_term::evaluate(&pool, less, &model), Value::Bool(false));
    let (one, distance) = (pool.int(1), pool.num_sub(j, i));
    let apart = pool.num_ge(distance, one);
    let irrelevant = pool.num_ge(i, one);
    assert_eq!(solver.check(&mut pool, &[irrelevant, apart]), Answer::Unsat(vec![apart]));
}

#[test]
fn what_is_not_linear_is_not_guessed() {
    let mut pool = TermPool::new();
    let [x, y, three] = [pool.variable("x", Sort::Int), pool.variable("y", Sort::Int), pool.int(3)];
    let product = pool.num_mul(x, y);
    let (is_three, at_most, above) =
        (pool.eq(product, three), pool.num_le(product, three), pool.num_gt(product, three));
    let mut solver = NativeSolver::new(Interrupt::new());
    // Whatever the product is.
    assert!(matches!(solver.check(&mut pool, &[at_most, above]), Answer::Unsat(_)));
    match solver.check(&mut pool, &[is_three]) {
        Answer::Unknown(_) => {}
        Answer::Sat(model) => assert_eq!(aster_term::evaluate(&pool, is_three, &model), Value::Bool(true)),
        Answer::Unsat(_) => panic!("1 * 3 is three"),
    }
    let remainder = pool.int_mod(three, x);
    let is_one = pool.eq(remainder, three);
    assert!(!matches!(solver.check(&mut pool, &[is_one]), Answer::Unsat(_)));
}

#[test]
fn searches_without_end_are_given_up() {
    let mut pool = TermPool::new();
    let mut solver = NativeSolver::new(Interrupt::new());
    // 0 < 3x - 3y + z < 3 and 3 | z, stated without remainders: no solution, but rational ones everywhere.
    let [x, y, z, w] = ["x", "y", "z", "w"].map(|name| pool.variable(name, Sort::Int));
    let [zero, three] = [0, 3].map(|n| pool.int(n));
    let (a, b, c) = (pool.num_mul(x, three), pool.num_mul(y, three), pool.num_mul(w, three));
    let difference = pool.num_sub(a, b);
    let sum = pool.num_add(difference, z);
    let facts = [pool.num_lt(zero, sum), pool.num_lt(sum, three), pool.eq(z, c)];
    assert!(!matches!(solver.check(&mut pool, &facts), Answer::Sat(_)));
}
