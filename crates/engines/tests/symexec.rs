//! Symbolic execution on automata built by hand, in every search order.

mod common;

use aster_cfa::testing::{Sketch, int_value};
use aster_cfa::{Label, Node, Procedure, Program};
use aster_engines::symexec::{self, Options, Search};
use aster_engines::{Budget, Limit, Outcome, Reason, Statistics};
use aster_smt::{NativeSolver, UnknownReason};
use aster_term::TermPool;
use common::Hesitant;

const ORDERS: [Search; 4] = [Search::Dfs, Search::Bfs, Search::RandomPath, Search::Distance];

fn explore(program: &Program, pool: &mut TermPool, search: Search) -> (Outcome, Statistics) {
    let budget = Budget::new();
    let mut solver = NativeSolver::new(budget.interrupt());
    let mut statistics = Statistics::default();
    let options = Options { search, seed: 7, ..Options::default() };
    let outcome = symexec::run(program, pool, &mut solver, options, &budget, &mut statistics);
    (outcome, statistics)
}

/// `x := *`, then a branch on `x < 10`; what follows is up to the test.
fn input_and_branch(sketch: &mut Sketch) -> (Procedure, Node, Node) {
    let main = sketch.procedure("main");
    let x = sketch.int(Some(main), "x");
    let start = sketch.havoc(sketch.entry(main), x, 1);
    let small = sketch.less(x, 10);
    let (then, otherwise) = sketch.branch(start, small, 2);
    (main, then, otherwise)
}

#[test]
fn an_error_behind_a_branch_comes_with_inputs_that_take_it() {
    for search in ORDERS {
        let mut sketch = Sketch::new("x = input();\nif (x < 10) ...\nelse error();\n");
        let (main, then, otherwise) = input_and_branch(&mut sketch);
        sketch.go(then, sketch.exit(main), 2);
        sketch.error(otherwise, 3);
        let (program, mut pool) = sketch.finish(main);
        let (Outcome::Unsafe(counterexample), _) = explore(&program, &mut pool, search) else {
            panic!("{search:?}: the error is reachable");
        };
        let [value] = counterexample.inputs.as_slice() else { panic!("one input") };
        assert!(value.as_bit_vec().unwrap().signed() >= 10, "{search:?}");
    }
}

#[test]
fn contradictory_assumptions_make_an_error_unreachable() {
    for search in ORDERS {
        let mut sketch = Sketch::new("x = input();\nif (x < 10)\n  assume(!(x < 20));\nerror();\n");
        let main = sketch.procedure("main");
        let x = sketch.int(Some(main), "x");
        let start = sketch.havoc(sketch.entry(main), x, 1);
        let (small, medium) = (sketch.less(x, 10), sketch.less(x, 20));
        let (then, otherwise) = sketch.branch(start, small, 2);
        let not_medium = sketch.pool.not(medium);
        let blocked = sketch.assume(then, not_medium, 3);
        sketch.error(blocked, 4);
        sketch.go(otherwise, sketch.exit(main), 2);
        let (program, mut pool) = sketch.finish(main);
        assert_eq!(explore(&program, &mut pool, search).0, Outcome::Safe, "{search:?}");
    }
}

#[test]
fn an_unsupported_construct_on_the_way_is_not_safe() {
    for search in ORDERS {
        let mut sketch = Sketch::new("x = input();\nif (x < 10) asm();\n");
        let (main, then, otherwise) = input_and_branch(&mut sketch);
        sketch.edge(then, sketch.exit(main), Label::Unsupported("inline assembly".into()), 2);
        sketch.go(otherwise, sketch.exit(main), 2);
        let (program, mut pool) = sketch.finish(main);
        let (Outcome::Unknown(unknown), _) = explore(&program, &mut pool, search) else {
            panic!("{search:?}: what was not modelled may do anything");
        };
        assert!(matches!(unknown.reason, Reason::Unsupported { ref what, span }
            if what == "inline assembly" && span.line == 2));
    }
}

#[test]
fn an_error_beside_an_unsupported_construct_is_found() {
    for search in ORDERS {
        let mut sketch = Sketch::new("x = input();\nif (x < 10) asm();\nelse error();\n");
        let (main, then, otherwise) = input_and_branch(&mut sketch);
        sketch.edge(then, sketch.exit(main), Label::Unsupported("inline assembly".into()), 2);
        sketch.error(otherwise, 3);
        let (program, mut pool) = sketch.finish(main);
        assert!(matches!(explore(&program, &mut pool, search).0, Outcome::Unsafe(_)), "{search:?}");
    }
}

/// `count(n)`: returns n + count(n - 1), and 0 for n < 1; main calls it with an input below 6 and the
/// result is at most 15.
fn recursion(limit: i128) -> (Program, TermPool) {
    let mut sketch = Sketch::new("count(n)\nif (n < 1) return 0;\nreturn n + count(n - 1);\nmain\ncheck\n");
    let count = sketch.procedure("count");
    let (n, result) = (sketch.int(Some(count), "n"), sketch.int(Some(count), "result"));
    sketch.builder.set_signature(count, vec![n], Some(result));
    let last = sketch.less(n, 1);
    let (base, deeper) = sketch.branch(sketch.entry(count), last, 2);
    let zero = sketch.number(0);
    let done = sketch.assign(base, result, zero, 2);
    sketch.go(done, sketch.exit(count), 2);
    let less = sketch.plus(n, -1);
    let called = sketch.call(deeper, count, &[less], Some(result), 3);
    let (a, b) = (sketch.term(n), sketch.term(result));
    let sum = sketch.pool.add(a, b);
    let added = sketch.assign(called, result, sum, 3);
    sketch.go(added, sketch.exit(count), 3);

    let main = sketch.procedure("main");
    let (x, y) = (sketch.int(Some(main), "x"), sketch.int(Some(main), "y"));
    let start = sketch.havoc(sketch.entry(main), x, 4);
    let small = sketch.less(x, 6);
    let start = sketch.assume(start, small, 4);
    let argument = sketch.term(x);
    let after = sketch.call(start, count, &[argument], Some(y), 4);
    let fits = sketch.less(y, limit);
    let (fine, bad) = sketch.branch(after, fits, 5);
    sketch.go(fine, sketch.exit(main), 5);
    sketch.error(bad, 5);
    sketch.finish(main)
}

#[test]
fn recursion_unfolds_as_deep_as_the_input_allows() {
    for search in ORDERS {
        let (program, mut pool) = recursion(16);
        assert_eq!(explore(&program, &mut pool, search).0, Outcome::Safe, "{search:?}");
        let (program, mut pool) = recursion(15);
        let (Outcome::Unsafe(counterexample), _) = explore(&program, &mut pool, search) else {
            panic!("{search:?}: 5 + 4 + 3 + 2 + 1 is 15");
        };
        assert_eq!(counterexample.inputs, [int_value(5)], "{search:?}");
    }
}

#[test]
fn a_branch_with_both_sides_feasible_needs_one_query() {
    let mut sketch = Sketch::new("x = input();\nif (x < 10) ...\nelse error();\n");
    let (main, then, otherwise) = input_and_branch(&mut sketch);
    sketch.go(then, sketch.exit(main), 2);
    sketch.error(otherwise, 3);
    let (program, mut pool) = sketch.finish(main);
    assert_eq!(explore(&program, &mut pool, Search::Dfs).1.queries, 1);
}

/// The same question on the same path has the same answer, and is asked once.
#[test]
fn what_was_assumed_is_not_asked_again() {
    let mut sketch = Sketch::new("x = input();\nif (x < 10) ...\nif (x < 10) ...\nif (x < x) error();\n");
    let main = sketch.procedure("main");
    let x = sketch.int(Some(main), "x");
    let mut at = sketch.havoc(sketch.entry(main), x, 1);
    let small = sketch.less(x, 10);
    for line in 2..4 {
        let (then, otherwise) = sketch.branch(at, small, line);
        sketch.go(then, otherwise, line);
        at = otherwise;
    }
    let never = sketch.pool.bool(false);
    let (bad, fine) = sketch.branch(at, never, 4);
    sketch.error(bad, 4);
    sketch.go(fine, sketch.exit(main), 4);
    let (program, mut pool) = sketch.finish(main);
    let (outcome, statistics) = explore(&program, &mut pool, Search::Dfs);
    assert_eq!((outcome, statistics.queries, statistics.forks), (Outcome::Safe, 1, 1));
}

/// A loop that counts up from zero for ever; the error behind it is never reached.
fn endless_loop() -> (Program, TermPool) {
    let mut sketch = Sketch::new("x = 0;\nwhile (x * x % 4 != 3) x = x + 1;\nerror();\n");
    let main = sketch.procedure("main");
    let x = sketch.int(Some(main), "x");
    let zero = sketch.number(0);
    let head = sketch.assign(sketch.entry(main), x, zero, 1);
    // The square of a number is never 3 modulo 4, which no rewriting sees.
    let value = sketch.term(x);
    let (three, mask) = (sketch.number(3), sketch.number(3));
    let square = sketch.pool.mul(value, value);
    let rest = sketch.pool.bvand(square, mask);
    let wrong = sketch.pool.eq(rest, three);
    let (out, body) = sketch.branch(head, wrong, 2);
    sketch.error(out, 3);
    let next = sketch.plus(x, 1);
    let again = sketch.assign(body, x, next, 2);
    sketch.go(again, head, 2);
    sketch.finish(main)
}

#[test]
fn the_budget_ends_a_loop_without_branches() {
    for search in ORDERS {
        let (program, mut pool) = endless_loop();
        let budget = Budget::new();
        let mut solver = NativeSolver::new(budget.interrupt());
        let watchdog = budget.clone();
        let handle = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(50));
            watchdog.exhaust(Limit::Time);
        });
        let options = Options { search, ..Options::default() };
        let outcome =
            symexec::run(&program, &mut pool, &mut solver, options, &budget, &mut Statistics::default());
        handle.join().unwrap();
        let Outcome::Unknown(unknown) = outcome else { panic!("{search:?}: it cannot be decided") };
        assert_eq!(unknown.reason, Reason::Limit(Limit::Time));
        assert_eq!(unknown.frontier.len(), 1, "the place where it stood");
    }
}

#[test]
fn a_query_without_an_answer_is_not_safe() {
    let mut sketch = Sketch::new("x = input();\nif (x < 10) ...\nelse error();\n");
    let (main, then, otherwise) = input_and_branch(&mut sketch);
    sketch.go(then, sketch.exit(main), 2);
    sketch.error(otherwise, 3);
    let (program, mut pool) = sketch.finish(main);
    let outcome = symexec::run(
        &program,
        &mut pool,
        &mut Hesitant,
        Options::default(),
        &Budget::new(),
        &mut Statistics::default(),
    );
    let Outcome::Unknown(unknown) = outcome else { panic!("nothing was decided") };
    assert_eq!(unknown.reason, Reason::Solver(UnknownReason::ConflictLimit));
}

#[test]
fn what_cannot_reach_an_error_is_not_explored() {
    let (program, mut pool) = {
        let mut sketch = Sketch::new("x = 0;\nwhile (1) x = x + 1;\n");
        let main = sketch.procedure("main");
        let x = sketch.int(Some(main), "x");
        let zero = sketch.number(0);
        let head = sketch.assign(sketch.entry(main), x, zero, 1);
        let next = sketch.plus(x, 1);
        let again = sketch.assign(head, x, next, 2);
        sketch.go(again, head, 2);
        sketch.finish(main)
    };
    assert_eq!(explore(&program, &mut pool, Search::Dfs).0, Outcome::Safe);
}
