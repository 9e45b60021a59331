//! Endless loops: those that come back to the same state end the path, others do not.

use aster_cfa::testing::Sketch;
use aster_cfa::{Node, Procedure, Program, Var};
use aster_engines::symexec::{self, Options, Search};
use aster_engines::{Budget, Event, Limit, Observer, Outcome, Reason, Statistics};
use aster_smt::NativeSolver;
use aster_term::{Sort, Term, TermPool};

const ORDERS: [Search; 4] = [Search::Dfs, Search::Bfs, Search::RandomPath, Search::Distance];

fn explore(program: &Program, pool: &mut TermPool, search: Search) -> Outcome {
    assert!(program.validate(pool).is_empty());
    let budget = Budget::new();
    let mut solver = NativeSolver::new(budget.interrupt());
    let options = Options { search, seed: 1, ..Options::default() };
    symexec::run(program, pool, &mut solver, options, &budget, &mut Statistics::default())
}

/// `x = 0; while (!leave(x)) body(x); error();`
fn endless(
    leave: impl Fn(&mut Sketch, Var) -> Term,
    body: impl Fn(&mut Sketch, Procedure, Var, Node) -> Node,
) {
    for search in ORDERS {
        let (program, mut pool) = looping(&leave, &body);
        assert_eq!(explore(&program, &mut pool, search), Outcome::Safe, "{search:?}");
    }
}

fn looping(
    leave: impl Fn(&mut Sketch, Var) -> Term,
    body: impl Fn(&mut Sketch, Procedure, Var, Node) -> Node,
) -> (Program, TermPool) {
    let mut sketch = Sketch::new("x = 0;\nwhile (...)\n  ...\nerror();\n");
    let main = sketch.procedure("main");
    let x = sketch.int(Some(main), "x");
    let zero = sketch.number(0);
    let head = sketch.assign(sketch.entry(main), x, zero, 1);
    let condition = leave(&mut sketch, x);
    let (after, inside) = sketch.branch(head, condition, 2);
    let end = body(&mut sketch, main, x, inside);
    sketch.go(end, head, 3);
    sketch.error(after, 4);
    sketch.finish(main)
}

fn positive(sketch: &mut Sketch, x: Var) -> Term {
    let at_most = sketch.less(x, 1);
    sketch.pool.not(at_most)
}

#[test]
fn a_loop_that_does_nothing_ends_the_path() {
    endless(positive, |_, _, _, at| at);
}

#[test]
fn a_loop_through_several_states_ends_the_path() {
    // x runs through the remainders of seven and is never seven.
    let is_seven = |sketch: &mut Sketch, x| {
        let (x, seven) = (sketch.term(x), sketch.number(7));
        sketch.pool.eq(x, seven)
    };
    endless(is_seven, |sketch, _, x, at| {
        let (more, seven) = (sketch.plus(x, 1), sketch.number(7));
        let next = sketch.pool.urem(more, seven);
        sketch.assign(at, x, next, 3)
    });
}

#[test]
fn inputs_that_are_forgotten_change_nothing() {
    endless(positive, |sketch, main, x, at| {
        let y = sketch.int(Some(main), "y");
        let at = sketch.havoc(at, y, 3);
        let zero = sketch.number(0);
        let at = sketch.assign(at, y, zero, 3);
        sketch.assign(at, x, zero, 3)
    });
}

#[test]
fn calls_that_change_nothing_change_nothing() {
    endless(positive, |sketch, _, _, at| {
        let callee = sketch.procedure("f");
        sketch.go(sketch.entry(callee), sketch.exit(callee), 3);
        sketch.call(at, callee, &[], None, 3)
    });
}

#[test]
fn a_write_that_was_there_before_changes_nothing() {
    endless(positive, |sketch, _, _, at| {
        let memory = sketch.variable(None, "memory", Sort::Array { index: 32, element: 32 }, None);
        let (zero, five) = (sketch.number(0), sketch.number(5));
        let zeros = sketch.pool.const_array(32, zero);
        let at = sketch.assign(at, memory, zeros, 3);
        let term = sketch.term(memory);
        let written = sketch.pool.store(term, five, five);
        sketch.assign(at, memory, written, 3)
    });
}

#[test]
fn a_loop_that_changes_something_goes_on() {
    let is_large = |sketch: &mut Sketch, x| {
        let small = sketch.less(x, 5000);
        sketch.pool.not(small)
    };
    for search in ORDERS {
        let (program, mut pool) = looping(is_large, |sketch, _, x, at| {
            let more = sketch.plus(x, 1);
            sketch.assign(at, x, more, 3)
        });
        assert!(matches!(explore(&program, &mut pool, search), Outcome::Unsafe(_)), "{search:?}");
    }
}

/// The counter is a cell of an array: nothing else changes.
#[test]
fn a_loop_that_changes_an_array_goes_on() {
    let mut sketch = Sketch::new("");
    let main = sketch.procedure("main");
    let memory = sketch.variable(None, "memory", Sort::Array { index: 32, element: 32 }, None);
    let (zero, one, limit) = (sketch.number(0), sketch.number(1), sketch.number(1000));
    let zeros = sketch.pool.const_array(32, zero);
    let head = sketch.assign(sketch.entry(main), memory, zeros, 1);
    let term = sketch.term(memory);
    let counter = sketch.pool.select(term, limit);
    let done = sketch.pool.eq(counter, limit);
    let more = sketch.pool.add(counter, one);
    let written = sketch.pool.store(term, limit, more);
    let (after, inside) = sketch.branch(head, done, 1);
    let end = sketch.assign(inside, memory, written, 1);
    sketch.go(end, head, 1);
    sketch.error(after, 1);
    let (program, mut pool) = sketch.finish(main);
    assert!(matches!(explore(&program, &mut pool, Search::Dfs), Outcome::Unsafe(_)));
}

/// Each round reads an input, and some inputs lead out: the state looks the same in each round, but what was assumed
/// about the inputs does not.
#[test]
fn a_loop_that_may_be_left_goes_on() {
    let (program, mut pool) = looping(positive, |sketch, _, x, at| sketch.havoc(at, x, 3));
    for search in ORDERS {
        assert!(matches!(explore(&program, &mut pool, search), Outcome::Unsafe(_)), "{search:?}");
    }
}

/// Ends a run after so many steps.
struct Steps<'a>(&'a Budget, u32);

impl Observer for Steps<'_> {
    fn on(&mut self, event: Event) {
        if let Event::Steps(steps) = event {
            self.1 = self.1.saturating_sub(steps);
            if self.1 == 0 {
                self.0.exhaust(Limit::Time);
            }
        }
    }
}

#[test]
fn all_paths_go_on_in_circles() {
    let (program, mut pool) = looping(positive, |_, _, _, at| at);
    let budget = Budget::new();
    let mut solver = NativeSolver::new(budget.interrupt());
    let options = Options { all_paths: true, ..Options::default() };
    let mut steps = Steps(&budget, 100_000);
    let outcome = symexec::run(&program, &mut pool, &mut solver, options, &budget, &mut steps);
    let Outcome::Unknown(unknown) = outcome else { panic!("{outcome:?}") };
    assert_eq!(unknown.reason, Reason::Limit(Limit::Time));
}
