use crate::record::Window;
use crate::replay::replay_within;
use crate::{Event, Item, Line, Replay, Trace, replay};
use aster_cfa::interpreter::{End, RunLimits};
use aster_cfa::testing::{Sketch, int_value};
use aster_cfa::{Procedure, Program, Var};
use aster_term::{ArrayValue, BitVec, Sort, TermPool, Value};

fn confirmed(program: &Program, pool: &TermPool, inputs: &[Value], window: Window) -> Trace {
    assert_eq!(program.validate(pool), []);
    match replay_within(program, pool, inputs, RunLimits::default(), window) {
        Replay::Confirmed(trace, _) => *trace,
        other => panic!("{other:?}"),
    }
}

fn lines(trace: &Trace) -> Vec<&Line> {
    let mut lines = Vec::new();
    for item in &trace.path {
        if let Item::Line(line) = item {
            lines.push(line);
        }
    }
    lines
}

/// `x = 0; y = 7; while (x < limit) { x++; y = x; if (x == 50) z = x; } error();`
fn counting_loop(limit: i128) -> (Program, TermPool) {
    let text =
        "int x = 0, y = 7, z;\nwhile (x < limit) {\n  x++; y = x;\n  if (x == 50)\n    z = x;\n}\nerror();\n";
    let mut sketch = Sketch::new(text);
    let main = sketch.procedure("main");
    let (x, y, z) = (sketch.int(Some(main), "x"), sketch.int(Some(main), "y"), sketch.int(Some(main), "z"));
    let (zero, seven) = (sketch.number(0), sketch.number(7));
    let node = sketch.assign(sketch.entry(main), x, zero, 1);
    let head = sketch.assign(node, y, seven, 1);
    let (less, more) = (sketch.less(x, limit), sketch.plus(x, 1));
    let (body, after) = sketch.branch(head, less, 2);
    let body = sketch.assign(body, x, more, 3);
    let x_term = sketch.term(x);
    let body = sketch.assign(body, y, x_term, 3);
    let fifty = sketch.number(50);
    let is_fifty = sketch.pool.eq(x_term, fifty);
    let (then, otherwise) = sketch.branch(body, is_fifty, 4);
    let then = sketch.assign(then, z, x_term, 5);
    sketch.go(then, head, 6);
    sketch.go(otherwise, head, 6);
    sketch.error(after, 7);
    sketch.finish(main)
}

#[test]
fn iterations_that_repeat_are_left_out_and_new_ways_stay() {
    let (program, pool) = counting_loop(1000);
    let trace = confirmed(&program, &pool, &[], Window::default());
    let left_out: Vec<u64> = trace
        .path
        .iter()
        .filter_map(|item| match item {
            Item::MoreIterations { iterations, .. } => Some(*iterations),
            _ => None,
        })
        .collect();
    // Two at the start, the fiftieth, three at the end; the last visit of the head is not an iteration.
    assert_eq!(left_out, [47, 947]);
    assert_eq!(left_out.iter().sum::<u64>() + 2 + 1 + 3, 1000);
    let texts: Vec<u32> = lines(&trace).iter().map(|line| line.place.line).collect();
    let iteration = [2, 3, 4];
    let expected =
        [&[1][..], &iteration, &iteration, &iteration, &[5], &iteration, &iteration, &iteration, &[2, 7]];
    assert_eq!(texts, expected.concat());
}

#[test]
fn only_variables_that_matter_are_told() {
    let (program, pool) = counting_loop(3);
    let trace = confirmed(&program, &pool, &[], Window::default());
    let mut names: Vec<&str> = Vec::new();
    for line in lines(&trace) {
        for event in &line.events {
            if let Event::Assignment { variable, .. } = event {
                names.push(variable);
            }
        }
    }
    assert_eq!(names, ["x"; 4]);
}

#[test]
fn long_runs_keep_their_start_and_their_end() {
    let (program, pool) = counting_loop(100_000);
    let trace = confirmed(&program, &pool, &[], Window { first: 50, last: 500 });
    let missing: Vec<u64> = trace
        .path
        .iter()
        .filter_map(|item| match item {
            Item::NotRecorded { steps } => Some(*steps),
            _ => None,
        })
        .collect();
    assert_eq!(missing.len(), 1);
    assert!(missing[0] > 400_000 && missing[0] < trace.steps, "{missing:?} of {}", trace.steps);
    assert_eq!(lines(&trace).first().unwrap().place.line, 1);
    assert_eq!(lines(&trace).last().unwrap().place.line, 7);
    assert!(trace.path.len() < 80, "{}", trace.path.len());
}

/// A window may open in the middle of a call and of its arguments: any size must do.
#[test]
fn every_window_gives_a_path() {
    let (program, pool, _) = recursion(12);
    let inputs = [int_value(12)];
    let whole = confirmed(&program, &pool, &inputs, Window::default());
    for first in 0..40 {
        for last in 1..40 {
            let trace = confirmed(&program, &pool, &inputs, Window { first, last });
            assert_eq!(trace.end, whole.end);
            assert_eq!(trace.inputs, whole.inputs);
            assert!(matches!(trace.path.last(), Some(Item::Line(_))));
        }
    }
}

/// `f(n) { if (n > 0) return f(n - 1) + 1; return 0; }`, `main` fails if `f(x)` is `limit`.
fn recursion(limit: i128) -> (Program, TermPool, [Var; 3]) {
    let text = "int f(int n) {\n  if (n > 0)\n    return f(n - 1) + 1;\n  return 0;\n}\nx = input();\ny = f(x);\nif (y == limit)\n  error();\n";
    let mut sketch = Sketch::new(text);
    let (main, f) = (sketch.procedure("main"), sketch.procedure("f"));
    let n = sketch.int(Some(f), "n");
    let temporary = sketch.variable(Some(f), "t", aster_term::Sort::BitVec(32), None);
    let result = sketch.int(Some(f), "result");
    sketch.builder.set_signature(f, vec![n], Some(result));
    let (n_term, zero) = (sketch.term(n), sketch.number(0));
    let positive = sketch.pool.slt(zero, n_term);
    let (more, end) = sketch.branch(sketch.entry(f), positive, 2);
    let less = sketch.plus(n, -1);
    let more = sketch.call(more, f, &[less], Some(temporary), 3);
    let sum = sketch.plus(temporary, 1);
    let more = sketch.assign(more, result, sum, 3);
    sketch.go(more, sketch.exit(f), 3);
    let end = sketch.assign(end, result, zero, 4);
    sketch.go(end, sketch.exit(f), 4);
    let (x, y) = (sketch.int(Some(main), "x"), sketch.int(Some(main), "y"));
    let node = sketch.havoc(sketch.entry(main), x, 6);
    let x_term = sketch.term(x);
    let node = sketch.call(node, f, &[x_term], Some(y), 7);
    let (y_term, limit) = (sketch.term(y), sketch.number(limit));
    let equal = sketch.pool.eq(y_term, limit);
    let (bad, good) = sketch.branch(node, equal, 8);
    sketch.error(bad, 9);
    sketch.go(good, sketch.exit(main), 8);
    let (program, pool) = sketch.finish(main);
    (program, pool, [x, n, y])
}

#[test]
fn deep_recursion_is_cut_in_the_middle() {
    let (program, pool, _) = recursion(100_000);
    let trace = confirmed(&program, &pool, &[int_value(100_000)], Window::default());
    let cut = |item: &&Item| matches!(item, Item::MoreLines { lines } if *lines > 100_000);
    assert_eq!(trace.path.iter().filter(cut).count(), 1);
    assert!(trace.path.len() <= 401);
}

#[test]
fn what_came_instead_is_a_sentence() {
    let (program, pool, _) = recursion(5);
    let mismatch = |inputs: &[Value], limits| match replay(&program, &pool, inputs, limits) {
        Replay::Mismatch { end, details } => (end, details),
        other => panic!("should not reach the error: {other:?}"),
    };
    let limits = RunLimits::default();
    let (end, details) = mismatch(&[int_value(6)], limits);
    assert_eq!(end, End::Finished);
    assert_eq!(details, "the program ran to its end without an error");
    let (_, details) = mismatch(&[], limits);
    assert_eq!(details, "the run asked for more inputs than there are at test.c:6:1");
    let (_, details) = mismatch(&[Value::Bool(true)], limits);
    assert_eq!(details, "input 1 should have sort (_ BitVec 32) at test.c:6:1");
    let (_, details) = mismatch(&[int_value(6)], RunLimits { max_steps: 4, ..limits });
    assert_eq!(details, "the limit of steps was reached at test.c:3:5");
    let (_, details) = mismatch(&[int_value(6)], RunLimits { max_call_depth: 2, ..limits });
    assert_eq!(details, "the limit of nested calls was reached at test.c:3:5");
}

/// A run whose only step leads to the error, and one that starts in it.
#[test]
fn the_shortest_runs_have_a_path_too() {
    let mut sketch = Sketch::new("error();\n");
    let main: Procedure = sketch.procedure("main");
    sketch.error(sketch.entry(main), 1);
    let (program, pool) = sketch.finish(main);
    let trace = confirmed(&program, &pool, &[], Window::default());
    assert_eq!(trace.path.len(), 1);
    assert_eq!(trace.steps, 1);

    let mut sketch = Sketch::new("error();\n");
    let main = sketch.procedure("main");
    let entry = sketch.entry(main);
    sketch.builder.set_error(entry, aster_cfa::ErrorKind::Reached);
    let (program, pool) = sketch.finish(main);
    let trace = confirmed(&program, &pool, &[], Window::default());
    assert_eq!(trace.path.len(), 1);
    assert_eq!(trace.steps, 0);
}

#[test]
fn records_serialise() {
    let (program, pool, _) = recursion(1);
    let trace = confirmed(&program, &pool, &[int_value(1)], Window::default());
    let json = serde_json::to_value(&trace).unwrap();
    assert_eq!(json["inputs"][0]["origin"], "__VERIFIER_nondet_int");
    assert_eq!(json["inputs"][0]["value"], "1");
    assert_eq!(json["inputs"][0]["type"], "int");
    assert_eq!(json["inputs"][0]["place"]["line"], 6);
    assert_eq!(json["path"][0]["item"], "line");
    assert_eq!(json["path"][0]["events"][0]["event"], "input");
    assert_eq!(json["path"][1]["events"][0]["event"], "call");
    assert_eq!(json["path"][1]["events"][0]["arguments"][0]["parameter"], "n");
    assert_eq!(json["end"]["line"], 9);
}

/// `memory = *; memory[1000] = 5; if (memory[7] == 9) error();`: the memory has no name in the source.
#[test]
fn an_array_can_be_an_input() {
    let mut sketch = Sketch::new("memory = input();\nmemory[1000] = 5;\nif (memory[7] == 9) error();\n");
    let main = sketch.procedure("main");
    let memory = sketch.variable(None, "memory", Sort::Array { index: 32, element: 8 }, None);
    let node = sketch.havoc(sketch.entry(main), memory, 1);
    let term = sketch.term(memory);
    let pool = &mut sketch.pool;
    let (place, five, seven, nine) = (pool.bv(32, 1000), pool.bv(8, 5), pool.bv(32, 7), pool.bv(8, 9));
    let written = pool.store(term, place, five);
    let read = pool.select(term, seven);
    let is_nine = pool.eq(read, nine);
    let node = sketch.assign(node, memory, written, 2);
    let (then, otherwise) = sketch.branch(node, is_nine, 3);
    sketch.error(then, 3);
    sketch.go(otherwise, sketch.exit(main), 3);
    let (program, pool) = sketch.finish(main);

    let zeros = ArrayValue::constant(32, BitVec::new(8, 0));
    let array = zeros.store(BitVec::new(32, 7), BitVec::new(8, 9));
    let trace = confirmed(&program, &pool, &[Value::Array(array)], Window::default());
    assert_eq!(trace.inputs[0].value.text, "[0x7] = 9");
    let events: Vec<&Event> = lines(&trace).into_iter().flat_map(|line| &line.events).collect();
    assert!(!events.iter().any(|event| matches!(event, Event::Input { .. })), "{events:?}");
    assert!(!events.iter().any(|event| matches!(event, Event::Assignment { .. })), "{events:?}");

    let limits = RunLimits::default();
    let Replay::Mismatch { end, .. } = replay(&program, &pool, &[Value::Array(zeros)], limits) else {
        panic!("zeros do not reach the error");
    };
    assert_eq!(end, End::Finished);
    let Replay::Mismatch { end, .. } = replay(&program, &pool, &[int_value(0)], limits) else {
        panic!("a number is not an array");
    };
    assert!(matches!(end, End::BadInput { index: 0, .. }));
}

#[test]
fn an_error_that_needs_an_approximated_value_is_not_confirmed() {
    let mut sketch = Sketch::new("int main(void) {\n  if (lrint_of_sine() > 0)\n    reach_error();\n}\n");
    let main = sketch.procedure("main");
    let x = sketch.int(Some(main), "x");
    let origin = aster_cfa::InputOrigin::Approximated("sine".into());
    let node = sketch.havoc_from(sketch.entry(main), x, origin, 2);
    let small = sketch.less(x, 1);
    let (good, bad) = sketch.branch(node, small, 2);
    sketch.go(good, sketch.exit(main), 4);
    sketch.error(bad, 3);
    let (program, pool) = sketch.finish(main);
    let found = replay(&program, &pool, &[int_value(5)], RunLimits::default());
    assert_eq!(found, Replay::Approximated("sine".into()));
    assert!(matches!(
        replay(&program, &pool, &[int_value(0)], RunLimits::default()),
        Replay::Mismatch { end: End::Finished, .. }
    ));
}

/// `x := sine(); f(x); g := y; if (g > 0) error`, where `f` hands its argument on to `g` if it should.
fn run_with_sine(hands_on: bool) -> Replay {
    let mut sketch = Sketch::new("");
    let (main, f) = (sketch.procedure("main"), sketch.procedure("f"));
    let (x, g) = (sketch.int(Some(main), "x"), sketch.int(None, "g"));
    let (n, result) = (sketch.int(Some(f), "n"), sketch.int(Some(f), "result"));
    sketch.builder.set_signature(f, vec![n], Some(result));
    let (one, n_term) = (sketch.number(1), sketch.term(n));
    let node = sketch.assign(sketch.entry(f), result, if hands_on { n_term } else { one }, 1);
    sketch.go(node, sketch.exit(f), 1);
    let origin = aster_cfa::InputOrigin::Approximated("sine".into());
    let node = sketch.havoc_from(sketch.entry(main), x, origin, 2);
    let x_term = sketch.term(x);
    let node = sketch.call(node, f, &[x_term], Some(g), 3);
    let small = sketch.less(g, 1);
    let (good, bad) = sketch.branch(node, small, 4);
    sketch.go(good, sketch.exit(main), 5);
    sketch.error(bad, 6);
    let (program, pool) = sketch.finish(main);
    replay(&program, &pool, &[int_value(5)], RunLimits::default())
}

#[test]
fn an_approximated_value_that_no_condition_depends_on_does_no_harm() {
    assert_eq!(run_with_sine(true), Replay::Approximated("sine".into()));
    assert!(matches!(run_with_sine(false), Replay::Confirmed(..)));
}
