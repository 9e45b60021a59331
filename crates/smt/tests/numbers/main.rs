//! The native solver on integers and rationals, against other solvers: random formulas, same verdicts.

mod formulas;

use aster_smt::{Answer, Interrupt, Limits, NativeSolver, Solver, eliminate};
use aster_term::{Definitions, Evaluator, Sort, Term, TermPool, Value, free_variables};
use formulas::{Formulas, Random, Shape};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::Duration;

/// A native solver is used for this many formulas, so that its incrementality is tested too.
const FORMULAS_PER_SOLVER: usize = 25;

/// cvc5 as a Python package, on commands from standard input.
const CVC5_PACKAGE: &str = "import sys, cvc5
for query in sys.stdin.read().split('(reset)\\n')[:-1]:
    solver = cvc5.Solver()
    solver.setOption('tlimit-per', '500')
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, query, 'query')
    while not (command := parser.nextCommand()).isNull():
        print(command.invoke(solver, parser.getSymbolManager()), end='')";

/// Solvers that read commands from standard input, with a time limit per query so that none stops the test; by name, the preferred way
/// to call one first.
const ORACLES: [(&str, &[&str]); 3] = [
    ("z3", &["z3", "-in", "-t:2000"]),
    ("cvc5", &["cvc5", "--incremental", "--tlimit-per=500", "--lang=smt2"]),
    ("cvc5", &["python3", "-c", CVC5_PACKAGE]),
];

/// The solvers that are there to be compared with.
fn oracles() -> &'static [Oracle] {
    static FOUND: LazyLock<Vec<Oracle>> = LazyLock::new(|| {
        let mut found: Vec<Oracle> = Vec::new();
        for (name, command) in ORACLES {
            let oracle = Oracle { name, command };
            if found.iter().all(|other| other.name != name)
                && oracle.answers("(set-logic ALL)\n(check-sat)\n(reset)\n") == ["sat"]
            {
                found.push(oracle);
            }
        }
        for (name, _) in ORACLES {
            if found.iter().all(|oracle| oracle.name != name) {
                eprintln!("there is no {name} to compare with");
            }
        }
        found
    });
    &FOUND
}

struct Oracle {
    name: &'static str,
    command: &'static [&'static str],
}

impl Oracle {
    /// The lines that it says to these commands; none if it is not there.
    fn answers(&self, text: &str) -> Vec<String> {
        let mut command = Command::new(self.command[0]);
        command.args(&self.command[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let Ok(mut child) = command.spawn() else { return Vec::new() };
        let mut input = child.stdin.take().expect("a pipe");
        std::thread::scope(|scope| {
            scope.spawn(move || {
                // A program that is no solver may end before it has read everything.
                let _ = input.write_all(text.as_bytes());
            });
            let output = child.wait_with_output().expect("the oracle ends");
            String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
        })
    }
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

/// Asks an oracle about all cases. Returns how many only it decided, and how many it did not.
fn confirm(oracle: &Oracle, cases: &[Case]) -> (usize, usize) {
    let text: String = cases.iter().map(|case| format!("{}(reset)\n", case.script)).collect();
    let answers = oracle.answers(&text);
    assert_eq!(answers.len(), cases.len(), "{}: {answers:?}", oracle.name);
    let (mut given_up, mut open) = (0, 0);
    for (answer, case) in answers.iter().zip(cases) {
        // The reason why something is not known may follow.
        let verdict = answer.split(' ').next().unwrap_or_default();
        match (verdict, case.is_satisfiable) {
            ("sat", Some(false)) => panic!("{} finds a model, we none:\n{}", oracle.name, case.script),
            ("unsat", Some(true)) => panic!("{} finds no model, we one:\n{}", oracle.name, case.script),
            ("sat" | "unsat", None) => given_up += 1,
            ("sat" | "unsat", _) => {}
            ("unknown" | "timeout", _) => open += 1,
            _ => panic!("{} says {answer}:\n{}", oracle.name, case.script),
        }
    }
    (given_up, open)
}

/// Compares the verdicts on so many random queries.
fn compare(seed: u64, queries: usize, shape: Shape) {
    if oracles().is_empty() {
        return;
    }
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
    for oracle in oracles() {
        let (given_up, open) = confirm(oracle, &cases);
        eprintln!(
            "{satisfiable} satisfiable, {refuted} refuted, {given_up} only decided by {}, {open} not by it",
            oracle.name
        );
        assert!(given_up * 100 <= queries, "{given_up} queries were not decided");
    }
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
    if oracles().is_empty() {
        return;
    }
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
    // One that knows little about quantifiers must not contradict, but need not confirm.
    let open = oracles().iter().map(|oracle| {
        let (_, open) = confirm(oracle, &cases);
        eprintln!("{open} of {} were not decided by {}", cases.len(), oracle.name);
        open
    });
    assert!(open.min().is_some_and(|open| open * 4 < cases.len()), "too many were not decided");
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
