//! Variables that are integers of any size.

use aster_cfa::Program;
use aster_cfa::interpreter::{End, Interpreter, RunLimits, Unwatched};
use aster_cfa::testing::Sketch;
use aster_engines::symexec::{self, Options, Search};
use aster_engines::{Budget, Outcome, Statistics, symexec_ia};
use aster_smt::NativeSolver;
use aster_term::{Sort, Term, TermPool, Value};

/// x := input; assume x > 10; y := 3 * x; while (y > 0) { x := x - 1; y := y - 3 }; if (condition over x and y) error
fn program(condition: impl FnOnce(&mut TermPool, Term, Term) -> Term) -> (Program, TermPool) {
    let mut sketch = Sketch::new("input\nassign\nloop\ncheck\n");
    let main = sketch.procedure("main");
    let x = sketch.variable(Some(main), "x", Sort::Int, None);
    let y = sketch.variable(Some(main), "y", Sort::Int, None);
    let (x_term, y_term) = (sketch.term(x), sketch.term(y));
    let pool = &mut sketch.pool;
    let [zero, one, three, ten, twelve] = [0, 1, 3, 10, 12].map(|n| pool.int(n));
    let (large, small) = (pool.num_gt(x_term, ten), pool.num_le(x_term, twelve));
    let in_range = pool.and(large, small);
    let product = pool.num_mul(x_term, three);
    let positive = pool.num_gt(y_term, zero);
    let (less_x, less_y) = (pool.num_sub(x_term, one), pool.num_sub(y_term, three));
    let wrong = condition(pool, x_term, y_term);
    let next = sketch.havoc(sketch.entry(main), x, 1);
    let next = sketch.assume(next, in_range, 1);
    let head = sketch.assign(next, y, product, 2);
    let (body, end) = sketch.branch(head, positive, 3);
    let body = sketch.assign(body, x, less_x, 3);
    let body = sketch.assign(body, y, less_y, 3);
    sketch.go(body, head, 3);
    let (then, otherwise) = sketch.branch(end, wrong, 4);
    sketch.error(then, 4);
    sketch.go(otherwise, sketch.exit(main), 4);
    sketch.finish(main)
}

fn explore(program: &Program, pool: &mut TermPool) -> Outcome {
    assert!(program.validate(pool).is_empty());
    let budget = Budget::new();
    let mut solver = NativeSolver::new(budget.interrupt());
    let options = Options { search: Search::Dfs, ..Options::default() };
    symexec::run(program, pool, &mut solver, options, &budget, &mut Statistics::default())
}

#[test]
fn violations_are_found_and_replayed() {
    let (program, mut pool) = program(|pool, x, y| {
        let sum = pool.num_add(x, y);
        let zero = pool.int(0);
        pool.eq(sum, zero)
    });
    let Outcome::Unsafe(counterexample) = explore(&program, &mut pool) else { panic!("both are zero") };
    let [Value::Int(input)] = &counterexample.inputs[..] else { panic!("{:?}", counterexample.inputs) };
    assert!(*input > 10.into(), "{input}");
    let end =
        Interpreter::new(&program, &pool).run(&counterexample.inputs, RunLimits::default(), &mut Unwatched);
    assert!(matches!(end, End::Error { .. }), "{end:?}");
}

#[test]
fn safe_programs_are_proved() {
    let (program, mut pool) = program(|pool, x, _| {
        let zero = pool.int(0);
        pool.num_lt(x, zero)
    });
    assert!(matches!(explore(&program, &mut pool), Outcome::Safe), "x stays a third of y");
}

/// Abstraction finds the relation, or says that it does not; it must not claim an error.
#[test]
fn abstraction_copes_with_integers() {
    let (program, mut pool) = program(|pool, x, _| {
        let zero = pool.int(0);
        pool.num_lt(x, zero)
    });
    let budget = Budget::new();
    let mut solver = NativeSolver::new(budget.interrupt());
    let options = symexec_ia::Options::default();
    let (outcome, _) =
        symexec_ia::run(&program, &mut pool, &mut solver, options, &budget, &mut Statistics::default());
    assert!(matches!(outcome, Outcome::Safe), "{outcome:?}");
}
