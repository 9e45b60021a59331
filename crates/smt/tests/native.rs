//! The native solver as its users see it: scopes, cores, limits, interruption, large terms.

use aster_smt::{Answer, Interrupt, Limits, NativeSolver, Solver, UnknownReason};
use aster_term::{Evaluator, Op, Sort, Term, TermPool, Value};
use std::time::Duration;

fn solver() -> (TermPool, NativeSolver) {
    (TermPool::new(), NativeSolver::new(Interrupt::new()))
}

fn is_sat(answer: &Answer) -> bool {
    match answer {
        Answer::Sat(_) => true,
        Answer::Unsat(_) => false,
        Answer::Unknown(reason) => panic!("undecided: {reason}"),
    }
}

/// `a * b = number` with both factors above one: hard for 64 bits.
fn factoring(pool: &mut TermPool, width: u32, number: u128) -> Vec<Term> {
    let sort = Sort::BitVec(width);
    let (a, b) = (pool.variable("factor a", sort), pool.variable("factor b", sort));
    let (wide_a, wide_b) = (pool.zero_extend_to(2 * width, a), pool.zero_extend_to(2 * width, b));
    let product = pool.mul(wide_a, wide_b);
    let (number, one) = (pool.bv(2 * width, number), pool.bv(width, 1));
    vec![pool.eq(product, number), pool.ult(one, a), pool.ult(one, b)]
}

/// A product of two primes of 31 bits.
const HARD: u128 = 2_147_483_629 * 2_147_483_587;

#[test]
fn nothing_asserted_is_satisfiable() {
    let (mut pool, mut solver) = solver();
    assert!(is_sat(&solver.check(&mut pool, &[])));
}

#[test]
fn scopes_take_back_what_was_asserted_in_them() {
    let (mut pool, mut solver) = solver();
    let x = pool.variable("x", Sort::BitVec(16));
    let (five, nine) = (pool.bv(16, 5), pool.bv(16, 9));
    let (small, large) = (pool.ult(x, five), pool.ult(nine, x));
    solver.assert(&mut pool, small);
    solver.push();
    solver.assert(&mut pool, large);
    assert_eq!(solver.check(&mut pool, &[]), Answer::Unsat(vec![]));
    solver.pop();
    assert!(is_sat(&solver.check(&mut pool, &[])));
    assert_eq!(solver.check(&mut pool, &[large]), Answer::Unsat(vec![large]));
    solver.pop();
    assert_eq!(
        solver.check(&mut pool, &[large]),
        Answer::Unsat(vec![large]),
        "closing no scope does nothing"
    );
}

#[test]
fn cores_name_the_assumptions_that_matter() {
    let (mut pool, mut solver) = solver();
    let sort = Sort::BitVec(32);
    let (x, y, z) = (pool.variable("x", sort), pool.variable("y", sort), pool.variable("z", sort));
    let (below, above, unrelated) = (pool.ult(x, y), pool.ult(y, x), pool.ult(z, x));
    let core = solver.check(&mut pool, &[unrelated, below, above]);
    assert_eq!(core, Answer::Unsat(vec![below, above]));
    // A conjunction is one assumption, also if only a part of it is needed.
    let both = pool.apply_raw(Op::And, &[unrelated, below]);
    assert_eq!(solver.check(&mut pool, &[both, above, above]), Answer::Unsat(vec![both, above]));
    solver.assert(&mut pool, above);
    assert_eq!(solver.check(&mut pool, &[unrelated, both]), Answer::Unsat(vec![both]));
    let falsity = pool.bool(false);
    assert_eq!(solver.check(&mut pool, &[unrelated, falsity]), Answer::Unsat(vec![falsity]));
    assert!(is_sat(&solver.check(&mut pool, &[unrelated])));
}

#[test]
fn an_assumption_and_its_negation_are_both_in_the_core() {
    let (mut pool, mut solver) = solver();
    let p = pool.variable("p", Sort::Bool);
    let negated = pool.not(p);
    let Answer::Unsat(mut core) = solver.check(&mut pool, &[p, negated]) else { panic!("p and not p") };
    core.sort_unstable();
    let mut expected = vec![p, negated];
    expected.sort_unstable();
    assert_eq!(core, expected);
}

#[test]
fn models_mention_the_variables_of_the_query_only() {
    let (mut pool, mut solver) = solver();
    let sort = Sort::BitVec(8);
    let seven = pool.bv(8, 7);
    for i in 0..20 {
        let (x, y) = (pool.variable(&format!("x{i}"), sort), pool.variable(&format!("y{i}"), sort));
        let sum = pool.add(x, y);
        let query = pool.eq(sum, seven);
        let Answer::Sat(model) = solver.check(&mut pool, &[query]) else { panic!("satisfiable") };
        assert_eq!(model.iter().map(|(variable, _)| variable).collect::<Vec<_>>(), [x, y]);
        assert_eq!(Evaluator::new(&model).value(&pool, query), Value::Bool(true));
    }
}

#[test]
fn a_chain_of_branches_is_decided_incrementally() {
    let (mut pool, mut solver) = solver();
    let sort = Sort::BitVec(32);
    let (mut x, bound) = (pool.bv(32, 0), pool.bv(32, 45));
    let limit = pool.bv(32, 10);
    let mut path = Vec::new();
    let mut answers = Vec::new();
    for i in 0..12 {
        let input = pool.variable(&format!("input{i}"), sort);
        path.push(pool.ult(input, limit));
        x = pool.add(x, input);
        let inside = pool.ult(x, bound);
        path.push(pool.not(inside));
        answers.push(is_sat(&solver.check(&mut pool, &path)));
        path.pop();
        path.push(inside);
        assert!(is_sat(&solver.check(&mut pool, &path)));
    }
    // After k inputs below 10 the sum is at most 9 k, which reaches 45 from the fifth on.
    assert_eq!(answers, (1..=12).map(|k| 9 * k >= 45).collect::<Vec<_>>());
    let statistics = solver.statistics();
    assert_eq!((statistics.checks, statistics.solved), (24, 24));
    assert!(statistics.sat_variables > 0 && statistics.sat_clauses > 0);
}

#[test]
fn a_conflict_limit_ends_a_hard_query_and_later_ones_are_decided() {
    let (mut pool, mut solver) = solver();
    let hard = factoring(&mut pool, 32, HARD);
    solver.set_limits(Limits { time: None, conflicts: Some(50) });
    assert_eq!(solver.check(&mut pool, &hard), Answer::Unknown(UnknownReason::ConflictLimit));
    let easy = factoring(&mut pool, 32, 15);
    solver.set_limits(Limits::default());
    assert!(is_sat(&solver.check(&mut pool, &easy)));
}

#[test]
fn a_time_limit_ends_a_hard_query() {
    let (mut pool, mut solver) = solver();
    let hard = factoring(&mut pool, 64, HARD);
    solver.set_limits(Limits { time: Some(Duration::from_millis(30)), conflicts: None });
    assert_eq!(solver.check(&mut pool, &hard), Answer::Unknown(UnknownReason::TimeLimit));
    solver.set_limits(Limits { time: Some(Duration::ZERO), conflicts: None });
    assert_eq!(solver.check(&mut pool, &[]), Answer::Unknown(UnknownReason::TimeLimit));
    solver.set_limits(Limits::default());
    assert!(is_sat(&solver.check(&mut pool, &[])));
}

#[test]
fn an_interrupt_from_another_thread_ends_the_check() {
    let mut pool = TermPool::new();
    let interrupt = Interrupt::new();
    let mut solver = NativeSolver::new(interrupt.clone());
    let hard = factoring(&mut pool, 64, HARD * HARD);
    let other = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        interrupt.raise();
    });
    assert_eq!(solver.check(&mut pool, &hard), Answer::Unknown(UnknownReason::Interrupted));
    other.join().unwrap();
    assert_eq!(solver.check(&mut pool, &[]), Answer::Unknown(UnknownReason::Interrupted), "it stays raised");
}

#[test]
fn terms_of_any_depth_are_decided() {
    let (mut pool, mut solver) = solver();
    let x = pool.variable("x", Sort::BitVec(2));
    let mut word = x;
    let mut truth = pool.variable("p", Sort::Bool);
    // An even number of complements and of rotations by half of the width change nothing.
    for i in 0..1_000_000u32 {
        word = pool.apply_raw(if i % 2 == 0 { Op::BvNot } else { Op::BvRotateLeft(1) }, &[word]);
        truth = pool.apply_raw(Op::Not, &[truth]);
    }
    let same = pool.apply_raw(Op::Eq, &[word, x]);
    let different = pool.apply_raw(Op::Not, &[same]);
    let answer = solver.check(&mut pool, &[different, truth]);
    assert_eq!(answer, Answer::Unsat(vec![different]));
    assert!(is_sat(&solver.check(&mut pool, &[same, truth])));
}

#[test]
fn deep_stores_and_reads_at_constant_indices_are_decided() {
    let (mut pool, mut solver) = solver();
    let mut array = pool.variable("memory", Sort::Array { index: 32, element: 8 });
    for i in 0..5_000u128 {
        let (at, element) = (pool.bv(32, i), pool.bv(8, i));
        array = pool.apply_raw(Op::Store, &[array, at, element]);
    }
    for i in [0, 17, 4_999, 5_000] {
        let at = pool.bv(32, i);
        let (read, expected) = (pool.apply_raw(Op::Select, &[array, at]), pool.bv(8, i));
        let same = pool.apply_raw(Op::Eq, &[read, expected]);
        let different = pool.apply_raw(Op::Not, &[same]);
        assert_eq!(is_sat(&solver.check(&mut pool, &[different])), i == 5_000);
    }
    assert_eq!(solver.statistics().array_lemmas, 0);
}

#[test]
fn reads_at_unknown_indices_of_a_long_table_are_decided() {
    let (mut pool, mut solver) = solver();
    let zero = pool.bv(8, 0);
    let mut table = pool.const_array(32, zero);
    for i in 0..300u128 {
        let (at, element) = (pool.bv(32, i), pool.bv(8, (i * i) % 101));
        table = pool.apply_raw(Op::Store, &[table, at, element]);
    }
    let at = pool.variable("at", Sort::BitVec(32));
    let read = pool.apply_raw(Op::Select, &[table, at]);
    // 3 is no square modulo 101, 5 is: 45 * 45 = 2025 = 20 * 101 + 5.
    for (element, expected) in [(3, false), (5, true), (101, false)] {
        let element = pool.bv(8, element);
        let found = pool.apply_raw(Op::Eq, &[read, element]);
        assert_eq!(is_sat(&solver.check(&mut pool, &[found])), expected);
    }
}

#[test]
fn sorts_without_bits_are_reported() {
    let (mut pool, mut solver) = solver();
    for sort in [Sort::Int, Sort::Real] {
        let (x, y) = (pool.variable(&format!("x{sort}"), sort), pool.variable(&format!("y{sort}"), sort));
        let same = pool.apply_raw(Op::Eq, &[x, y]);
        let Answer::Unknown(UnknownReason::Backend(text)) = solver.check(&mut pool, &[same]) else {
            panic!("{sort} is not supported");
        };
        assert!(text.contains("not supported"), "{text}");
    }
    assert!(is_sat(&solver.check(&mut pool, &[])), "and do no harm");
}
