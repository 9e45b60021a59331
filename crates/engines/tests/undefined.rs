//! Undefined behaviour: a warning for each place, and no effort for places that were warned about.

mod common;

use aster_cfa::testing::Sketch;
use aster_cfa::{Edge, Label, Node, Procedure, Program, Var};
use aster_engines::symexec::{self, Options, Search};
use aster_engines::{Budget, Event, Observer, Outcome, Reason, Statistics};
use aster_smt::{NativeSolver, Solver, UnknownReason};
use aster_term::{Term, TermPool};
use common::Hesitant;

const ORDERS: [Search; 4] = [Search::Dfs, Search::Bfs, Search::RandomPath, Search::Distance];

#[derive(Default)]
struct Warnings {
    edges: Vec<Edge>,
    statistics: Statistics,
}

impl Observer for Warnings {
    fn on(&mut self, event: Event) {
        self.statistics.on(event);
        if let Event::Undefined(edge, _) = event {
            self.edges.push(edge);
        }
    }
}

fn explore_with(
    program: &Program,
    pool: &mut TermPool,
    search: Search,
    solver: &mut dyn Solver,
) -> (Outcome, Warnings) {
    assert!(program.validate(pool).is_empty());
    let mut warnings = Warnings::default();
    let options = Options { search, seed: 3, ..Options::default() };
    let outcome = symexec::run(program, pool, solver, options, &Budget::new(), &mut warnings);
    (outcome, warnings)
}

fn explore(program: &Program, pool: &mut TermPool, search: Search) -> (Outcome, Warnings) {
    explore_with(program, pool, search, &mut NativeSolver::new(Budget::new().interrupt()))
}

/// No error was found, but undefined behaviour: nothing is claimed then.
fn is_undefined(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Unknown(unknown) if matches!(unknown.reason, Reason::Undefined { .. }))
}

/// `[valid]` goes on, otherwise the behaviour is undefined.
fn check(sketch: &mut Sketch, at: Node, valid: Term, line: u32) -> (Node, Edge) {
    let (fine, bad) = sketch.branch(at, valid, line);
    let end = sketch.node(sketch.builder.node(bad).procedure);
    let edge = sketch.edge(
        bad,
        end,
        Label::Undefined { what: "a bad pointer is read".into(), assumed_away: false },
        line,
    );
    (fine, edge)
}

fn input(sketch: &mut Sketch, text: &str) -> (Procedure, Var, Node) {
    let main = sketch.procedure("main");
    let x = sketch.int(Some(main), text);
    let start = sketch.havoc(sketch.entry(main), x, 1);
    (main, x, start)
}

#[test]
fn each_place_is_told_once_and_ends_its_paths() {
    for search in ORDERS {
        let mut sketch = Sketch::new("x = input();\n*x\nif (x < 10)\n*x\nerror\n");
        let (main, x, start) = input(&mut sketch, "x");
        let [below_100, below_10, above_50, above_60] = [
            sketch.less(x, 100),
            sketch.less(x, 10),
            {
                let at_most = sketch.less(x, 51);
                sketch.pool.not(at_most)
            },
            {
                let at_most = sketch.less(x, 61);
                sketch.pool.not(at_most)
            },
        ];
        // Two ways lead to the second place.
        let (at, first) = check(&mut sketch, start, below_100, 2);
        let (then, otherwise) = sketch.branch(at, below_10, 3);
        sketch.go(then, otherwise, 3);
        let (at, second) = check(&mut sketch, otherwise, above_50, 4);
        // Only values that were ruled out above fail here.
        let above_60_or_50 = sketch.pool.or(above_60, above_50);
        let (at, _) = check(&mut sketch, at, above_60_or_50, 4);
        let (bad, fine) = sketch.branch(at, below_10, 5);
        sketch.error(bad, 5);
        sketch.go(fine, sketch.exit(main), 5);
        let (program, mut pool) = sketch.finish(main);
        let (outcome, mut warnings) = explore(&program, &mut pool, search);
        assert!(is_undefined(&outcome), "{search:?}: {outcome:?}");
        warnings.edges.sort_unstable();
        let mut expected = [first, second];
        expected.sort_unstable();
        assert_eq!(warnings.edges, expected, "{search:?}");
    }
}

#[test]
fn an_error_behind_a_valid_access_is_found() {
    for search in ORDERS {
        let mut sketch = Sketch::new("x = input();\n*x\nerror\n");
        let (main, x, start) = input(&mut sketch, "x");
        let negative = sketch.less(x, 0);
        let (at, place) = check(&mut sketch, start, negative, 2);
        sketch.error(at, 3);
        let (program, mut pool) = sketch.finish(main);
        let (Outcome::Unsafe(counterexample), warnings) = explore(&program, &mut pool, search) else {
            panic!("{search:?}: negative numbers reach the error");
        };
        assert!(counterexample.inputs[0].as_bit_vec().unwrap().signed() < 0);
        assert!(warnings.edges.iter().all(|&edge| edge == place));
    }
}

/// A path that certainly does something undefined, without a branch before.
#[test]
fn undefined_behaviour_without_a_choice_is_told() {
    let mut sketch = Sketch::new("x = 5;\n*x\nerror\n");
    let main = sketch.procedure("main");
    let x = sketch.int(Some(main), "x");
    let five = sketch.number(5);
    let at = sketch.assign(sketch.entry(main), x, five, 1);
    let negative = sketch.less(x, 0);
    let (at, place) = check(&mut sketch, at, negative, 2);
    sketch.error(at, 3);
    let (program, mut pool) = sketch.finish(main);
    let (outcome, warnings) = explore(&program, &mut pool, Search::Dfs);
    assert!(is_undefined(&outcome), "{outcome:?}");
    assert_eq!(warnings.edges, [place]);
}

/// The same check again and again: the first time costs a query, later ones none, and still what was ruled out
/// stays ruled out.
#[test]
fn places_that_were_told_cost_no_queries() {
    const ROUNDS: i128 = 50;
    let mut sketch = Sketch::new("for 50 times\nx = input(); *x\nlast = x\nerror\n");
    let main = sketch.procedure("main");
    let (x, i) = (sketch.int(Some(main), "x"), sketch.int(Some(main), "i"));
    let zero = sketch.number(0);
    let at = sketch.assign(sketch.entry(main), x, zero, 1);
    let head = sketch.assign(at, i, zero, 1);
    let more = sketch.less(i, ROUNDS);
    let (body, after) = sketch.branch(head, more, 1);
    let body = sketch.havoc(body, x, 2);
    // The witness gives zero to new inputs, so that the valid side needs no query.
    let small = sketch.less(x, 10);
    let (body, place) = check(&mut sketch, body, small, 2);
    let next = sketch.plus(i, 1);
    let body = sketch.assign(body, i, next, 1);
    sketch.go(body, head, 1);
    let large = sketch.less(x, 12);
    let large = sketch.pool.not(large);
    let (bad, fine) = sketch.branch(after, large, 4);
    sketch.error(bad, 4);
    sketch.go(fine, sketch.exit(main), 4);
    let (program, mut pool) = sketch.finish(main);
    let (outcome, warnings) = explore(&program, &mut pool, Search::Dfs);
    assert!(is_undefined(&outcome), "the last input is small: {outcome:?}");
    assert_eq!(warnings.edges, [place]);
    assert_eq!(warnings.statistics.queries, 2, "the first check and the error");
}

/// As long as it is not known whether a warning is due, nothing is claimed.
#[test]
fn an_open_query_about_a_warning_forbids_a_claim() {
    for bound in [10, 0] {
        let mut sketch = Sketch::new("x = input();\n*x\nerror\n");
        let (main, x, start) = input(&mut sketch, "x");
        let valid = sketch.less(x, bound);
        let (at, _) = check(&mut sketch, start, valid, 2);
        let x = sketch.term(x);
        let never = sketch.pool.ne(x, x);
        let (bad, fine) = sketch.branch(at, never, 3);
        sketch.error(bad, 3);
        sketch.go(fine, sketch.exit(main), 3);
        let (program, mut pool) = sketch.finish(main);
        let (outcome, _) = explore_with(&program, &mut pool, Search::Dfs, &mut Hesitant);
        let Outcome::Unknown(unknown) = outcome else { panic!("{outcome:?}") };
        assert_eq!(unknown.reason, Reason::Solver(UnknownReason::ConflictLimit));
    }
}
