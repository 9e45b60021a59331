//! The native solver on integers and rationals, against another solver: random formulas, same verdicts.

mod formulas;

use aster_smt::{Answer, Interrupt, Limits, NativeSolver, ProcessSolver, Solver};
use aster_term::{Evaluator, Sort, Term, TermPool, Value, print_term};
use formulas::{Formulas, Random, Shape};
use std::time::Duration;

/// A solver is used for this many formulas, so that its incrementality is tested too.
const FORMULAS_PER_SOLVER: usize = 25;

/// The first solver that is there to be compared with.
fn oracle() -> Option<ProcessSolver> {
    let commands = ["z3 -in", "cvc5 --incremental --lang=smt2"];
    let found = commands.iter().find_map(|command| ProcessSolver::new(command, Interrupt::new()).ok());
    match found {
        Some(mut solver) => {
            solver.set_limits(Limits { time: Some(Duration::from_secs(5)), conflicts: None });
            Some(solver)
        }
        None => {
            eprintln!("skipped: there is no solver to compare with");
            None
        }
    }
}

fn satisfies(pool: &TermPool, answer: &Answer, formulas: &[Term]) -> bool {
    let Answer::Sat(model) = answer else { return false };
    let mut evaluator = Evaluator::new(model);
    formulas.iter().all(|&formula| evaluator.value(pool, formula) == Value::Bool(true))
}

/// Compares the verdicts on so many random queries.
fn compare(seed: u64, queries: usize, shape: Shape) {
    if oracle().is_none() {
        return;
    }
    let mut random = Random::new(seed);
    let (mut satisfiable, mut refuted, mut unknown) = (0, 0, 0);
    for _ in 0..queries.div_ceil(FORMULAS_PER_SOLVER) {
        let Some(mut other) = oracle() else { return };
        let mut pool = TermPool::new();
        let mut native = NativeSolver::new(Interrupt::new());
        native.set_limits(Limits { time: Some(Duration::from_secs(10)), conflicts: None });
        for _ in 0..FORMULAS_PER_SOLVER {
            let count = 1 + random.below(12);
            let mut maker = Formulas { pool: &mut pool, random: &mut random, shape };
            let conjuncts: Vec<Term> = (0..count)
                .map(|_| if maker.random.one_in(2) { maker.comparison(1) } else { maker.formula(3) })
                .collect();
            let shown: String = conjuncts.iter().map(|&term| print_term(&pool, term) + "\n").collect();
            let expected = other.check(&mut pool, &conjuncts);
            native.push();
            native.assert(&mut pool, conjuncts[0]);
            let answer = native.check(&mut pool, &conjuncts[1..]);
            native.pop();
            match (&answer, &expected) {
                (Answer::Sat(_), Answer::Unsat(_)) | (Answer::Unsat(_), Answer::Sat(_)) => {
                    panic!("{answer:?} instead of {expected:?}:\n{shown}")
                }
                (Answer::Unknown(reason), Answer::Sat(_) | Answer::Unsat(_)) => {
                    unknown += 1;
                    eprintln!("{reason}:\n{shown}");
                }
                _ => {}
            }
            match answer {
                Answer::Sat(_) => {
                    satisfiable += 1;
                    assert!(satisfies(&pool, &answer, &conjuncts), "the model is wrong:\n{shown}");
                }
                Answer::Unsat(core) => {
                    refuted += 1;
                    let mut needed = core.clone();
                    needed.push(conjuncts[0]);
                    let again = other.check(&mut pool, &needed);
                    assert!(!matches!(again, Answer::Sat(_)), "the core {core:?} is satisfiable:\n{shown}");
                }
                Answer::Unknown(_) => {}
            }
        }
    }
    eprintln!("{satisfiable} satisfiable, {refuted} refuted, {unknown} not decided");
    assert!(satisfiable > queries / 20 && refuted > queries / 20, "{satisfiable} {refuted}");
    assert!(unknown * 100 <= queries, "{unknown} queries were not decided");
}

const INTEGERS: Shape = Shape { sorts: &[Sort::Int], variables: 4, special: 0, coefficient: 5, constant: 20 };

#[test]
fn linear_integers() {
    compare(1, 800, INTEGERS);
}

#[test]
fn integers_with_quotients_and_choices() {
    compare(2, 400, Shape { special: 4, ..INTEGERS });
}

#[test]
fn rationals() {
    compare(3, 400, Shape { sorts: &[Sort::Real], special: 2, ..INTEGERS });
}

#[test]
fn integers_and_rationals_together() {
    compare(4, 300, Shape { sorts: &[Sort::Int, Sort::Real], special: 3, ..INTEGERS });
}

#[test]
fn large_numbers() {
    compare(5, 200, Shape { coefficient: 2, constant: 1 << 60, ..INTEGERS });
}
