use super::*;
use crate::program::{ErrorKind, InputOrigin};
use crate::testing::{Sketch, int_value};
use aster_term::{ArrayValue, FloatFormat, FpOp, Model, Op as TermOp, Rounding, evaluate as evaluate_term};

/// Keeps the assignments of a run, with names.
#[derive(Default)]
struct Assignments(Vec<(Var, Value, usize)>);

impl Watcher for Assignments {
    fn on(&mut self, event: RunEvent<'_>) {
        if let RunEvent::Assigned { variable, value, depth, .. } = event {
            self.0.push((variable, value.to_value(), depth));
        }
    }
}

fn run(sketch: Sketch, main: Procedure, inputs: &[Value]) -> End {
    let (program, pool) = sketch.finish(main);
    Interpreter::new(&program, &pool).run(inputs, RunLimits::default(), &mut Unwatched)
}

/// The value that the interpreter gives to a term over variables with these values.
fn interpret(
    sorts: &[Sort],
    values: &[Value],
    build: impl Fn(&mut TermPool, &[Term]) -> Term,
) -> (Value, Value) {
    let mut sketch = Sketch::new("");
    let main = sketch.procedure("main");
    let mut node = sketch.entry(main);
    let mut terms = Vec::new();
    for (position, &sort) in sorts.iter().enumerate() {
        // Globals and locals take turns, so that both kinds of places are used.
        let owner = (position % 2 == 0).then_some(main);
        let variable = sketch.variable(owner, "v", sort, None);
        terms.push(sketch.term(variable));
        node = sketch.havoc(node, variable, 1);
    }
    let term = build(&mut sketch.pool, &terms);
    let result = sketch.variable(Some(main), "result", sketch.pool.sort(term), None);
    let node = sketch.assign(node, result, term, 1);
    sketch.go(node, sketch.exit(main), 1);
    let mut model = Model::new();
    for (&variable, value) in terms.iter().zip(values) {
        model.insert(variable, value.clone());
    }
    let (program, pool) = sketch.finish(main);
    assert_eq!(program.validate(&pool), []);
    let mut watcher = Assignments::default();
    let end = Interpreter::new(&program, &pool).run(values, RunLimits::default(), &mut watcher);
    assert_eq!(end, End::Finished);
    let (variable, value, _) = watcher.0.pop().unwrap();
    assert_eq!(variable, result);
    (value, evaluate_term(&pool, term, &model))
}

struct Random(u64);

impl Random {
    fn bits(&mut self) -> u128 {
        let mut half = || {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            u128::from(self.0)
        };
        let (high, low, kind) = (half(), half(), half());
        match kind % 6 {
            0 => 0,
            1 => u128::MAX,
            2 => low % 130,
            3 => 1 << (low % 128),
            _ => high << 64 | low,
        }
    }

    fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.bits() & 1 == 1),
            Sort::BitVec(width) => Value::BitVec(BitVec::new(width, self.bits())),
            Sort::Array { index, element } => {
                let mut array = ArrayValue::constant(index, BitVec::new(element, self.bits()));
                for _ in 0..3 {
                    let (at, bits) = (self.bits(), self.bits());
                    array = array.store(BitVec::new(index, at), BitVec::new(element, bits));
                }
                Value::Array(array)
            }
            _ => panic!("no values of this sort"),
        }
    }
}

fn compare_with_evaluator(sorts: &[Sort], random: &mut Random, op: TermOp) {
    for _ in 0..12 {
        let values: Vec<Value> = sorts.iter().map(|&sort| random.value(sort)).collect();
        let (found, expected) = interpret(sorts, &values, |pool, terms| pool.apply_raw(op, terms));
        assert_eq!(found, expected, "{op:?} of {values:?}");
    }
}

#[test]
fn operators_mean_what_the_evaluator_says() {
    use Sort::{BitVec, Bool};
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    compare_with_evaluator(&[Bool], &mut random, TermOp::Not);
    for op in [TermOp::And, TermOp::Or, TermOp::Xor, TermOp::Eq] {
        compare_with_evaluator(&[Bool, Bool], &mut random, op);
    }
    compare_with_evaluator(&[Bool, Bool, Bool], &mut random, TermOp::Ite);
    for width in [1, 2, 7, 8, 32, 63, 64, 65, 127, 128] {
        let w = BitVec(width);
        for op in [
            TermOp::Eq,
            TermOp::BvAnd,
            TermOp::BvOr,
            TermOp::BvXor,
            TermOp::BvAdd,
            TermOp::BvSub,
            TermOp::BvMul,
            TermOp::BvUdiv,
            TermOp::BvUrem,
            TermOp::BvSdiv,
            TermOp::BvSrem,
            TermOp::BvShl,
            TermOp::BvLshr,
            TermOp::BvAshr,
            TermOp::BvUlt,
            TermOp::BvUle,
            TermOp::BvSlt,
            TermOp::BvSle,
        ] {
            compare_with_evaluator(&[w, w], &mut random, op);
        }
        for op in [
            TermOp::BvNot,
            TermOp::BvNeg,
            TermOp::BvRotateLeft(3),
            TermOp::BvRotateRight(3),
            TermOp::BvRotateRight(0),
            TermOp::BvExtract { high: width - 1, low: width / 2 },
            TermOp::BvExtract { high: width / 2, low: 0 },
            TermOp::BvZeroExtend(128 - width),
            TermOp::BvSignExtend(128 - width),
            TermOp::BvSignExtend(0),
            TermOp::ConstArray { index: 8 },
        ] {
            compare_with_evaluator(&[w], &mut random, op);
        }
        if width < 128 {
            compare_with_evaluator(&[w, BitVec(128 - width)], &mut random, TermOp::BvConcat);
        }
        compare_with_evaluator(&[Bool, w, w], &mut random, TermOp::Ite);
        let array = Sort::Array { index: 8, element: width };
        compare_with_evaluator(&[array, BitVec(8)], &mut random, TermOp::Select);
        compare_with_evaluator(&[array, BitVec(8), w], &mut random, TermOp::Store);
        compare_with_evaluator(&[Bool, array, array], &mut random, TermOp::Ite);
        compare_with_evaluator(&[array, array], &mut random, TermOp::Eq);
    }
}

#[test]
fn operators_on_floats_mean_what_the_evaluator_says() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let rounding = Rounding::NearestEven;
    for format in [FloatFormat::HALF, FloatFormat::SINGLE, FloatFormat::DOUBLE, FloatFormat::EXTENDED] {
        for op in [
            FpOp::Add(format, rounding),
            FpOp::Div(format, rounding),
            FpOp::Fma(format, rounding),
            FpOp::Sqrt(format, rounding),
            FpOp::Max(format),
            FpOp::Eq(format),
            FpOp::Lt(format),
            FpOp::Convert { from: format, to: FloatFormat::SINGLE, rounding },
            FpOp::ToSigned { from: format, width: 32, rounding },
        ] {
            let sorts = vec![Sort::BitVec(format.width()); op.arity()];
            compare_with_evaluator(&sorts, &mut random, TermOp::Fp(op));
        }
        let from = FpOp::FromSigned { to: format, rounding };
        compare_with_evaluator(&[Sort::BitVec(17)], &mut random, TermOp::Fp(from));
    }
}

#[test]
fn shared_subterms_are_computed_once() {
    let (found, expected) = interpret(&[Sort::BitVec(32)], &[int_value(3)], |pool, terms| {
        let mut term = terms[0];
        for _ in 0..2_000 {
            term = pool.apply_raw(TermOp::BvMul, &[term, term]);
            let one = pool.bv(32, 1);
            term = pool.apply_raw(TermOp::BvAdd, &[term, one]);
        }
        term
    });
    assert_eq!(found, expected);
}

/// `f(n)` returns `n <= 0 ? 0 : n + f(n - 1)`, with everything in frames of its own.
fn sum_program(main_limit: i128) -> (Sketch, Procedure) {
    let mut sketch = Sketch::new("");
    let (main, f) = (sketch.procedure("main"), sketch.procedure("f"));
    let (n, rest, result) =
        (sketch.int(Some(f), "n"), sketch.int(Some(f), "rest"), sketch.int(Some(f), "result"));
    sketch.builder.set_signature(f, vec![n], Some(result));
    let positive = {
        let (zero, n) = (sketch.number(0), sketch.term(n));
        sketch.pool.slt(zero, n)
    };
    let (more, end) = sketch.branch(sketch.entry(f), positive, 1);
    let before = sketch.plus(n, -1);
    let after = sketch.call(more, f, &[before], Some(rest), 1);
    let (n_term, rest_term) = (sketch.term(n), sketch.term(rest));
    let sum = sketch.pool.add(n_term, rest_term);
    let after = sketch.assign(after, result, sum, 1);
    sketch.go(after, sketch.exit(f), 1);
    let zero = sketch.number(0);
    let end = sketch.assign(end, result, zero, 1);
    sketch.go(end, sketch.exit(f), 1);

    let (x, y) = (sketch.int(Some(main), "x"), sketch.int(Some(main), "y"));
    let start = sketch.havoc(sketch.entry(main), x, 1);
    let x_term = sketch.term(x);
    let after = sketch.call(start, f, &[x_term], Some(y), 1);
    let (limit, y_term) = (sketch.number(main_limit), sketch.term(y));
    let equal = sketch.pool.eq(y_term, limit);
    let (bad, good) = sketch.branch(after, equal, 1);
    sketch.error(bad, 1);
    sketch.go(good, sketch.exit(main), 1);
    (sketch, main)
}

#[test]
fn frames_are_separate_and_results_come_back() {
    let (sketch, main) = sum_program(5050);
    let (program, pool) = sketch.finish(main);
    assert_eq!(program.validate(&pool), []);
    let mut interpreter = Interpreter::new(&program, &pool);
    let mut end = |x| interpreter.run(&[int_value(x)], RunLimits::default(), &mut Unwatched);
    assert!(matches!(end(100), End::Error { kind: ErrorKind::Reached, .. }));
    assert_eq!(end(99), End::Finished);
    assert!(matches!(end(100), End::Error { .. }), "runs do not disturb each other");
}

#[test]
fn recursion_uses_the_heap_only() {
    let depth = 300_000i128;
    let (sketch, main) = sum_program((depth * (depth + 1) / 2) as i32 as i128);
    assert!(matches!(run(sketch, main, &[int_value(depth)]), End::Error { .. }));
}

#[test]
fn the_depth_of_calls_can_be_limited() {
    let (sketch, main) = sum_program(0);
    let (program, pool) = sketch.finish(main);
    let mut interpreter = Interpreter::new(&program, &pool);
    let limits = RunLimits { max_call_depth: 11, ..RunLimits::default() };
    assert_eq!(interpreter.run(&[int_value(10)], limits, &mut Unwatched), End::Finished);
    let end = interpreter.run(&[int_value(11)], limits, &mut Unwatched);
    assert!(matches!(end, End::CallDepthLimit { .. }), "{end:?}");
}

#[test]
fn calls_are_told_in_order() {
    #[derive(Default)]
    struct Log(Vec<String>);
    impl Watcher for Log {
        fn on(&mut self, event: RunEvent<'_>) {
            self.0.push(match event {
                RunEvent::Observed { values, .. } => format!("observed{values:?}"),
                RunEvent::Edge { depth, .. } => format!("edge@{depth}"),
                RunEvent::Assigned { variable, value, depth, .. } => {
                    let value = value.to_value().as_bit_vec().unwrap().signed();
                    format!("v{}={value}@{depth}", variable.index())
                }
                RunEvent::Input { index, .. } => format!("input{index}"),
                RunEvent::Entered { procedure, depth, .. } => format!("enter{}@{depth}", procedure.index()),
                RunEvent::Left { procedure, depth, .. } => format!("leave{}@{depth}", procedure.index()),
            });
        }
    }
    let (sketch, main) = sum_program(7);
    let (program, pool) = sketch.finish(main);
    let mut log = Log::default();
    Interpreter::new(&program, &pool).run(&[int_value(0)], RunLimits::default(), &mut log);
    // Variables: n = 0, rest = 1, result = 2 of f; x = 3, y = 4 of main.
    let expected = "edge@0 input0 v3=0@0 edge@0 enter1@1 v0=0@1 edge@1 edge@1 v2=0@1 edge@1 leave1@1 v4=0@0 \
                    edge@0 edge@0";
    assert_eq!(log.0.join(" "), expected);
}

#[test]
fn every_way_to_end_is_told_with_its_place() {
    let mut sketch = Sketch::new("a\nb\nc\n");
    let main = sketch.procedure("main");
    let x = sketch.int(Some(main), "x");
    let start = sketch.havoc(sketch.entry(main), x, 1);
    let mut next = start;
    let mut nodes = Vec::new();
    for value in 0..4 {
        let (term, number) = (sketch.term(x), sketch.number(value));
        let equal = sketch.pool.eq(term, number);
        let (yes, no) = sketch.branch(next, equal, 2);
        nodes.push(yes);
        next = no;
    }
    sketch.go(next, sketch.exit(main), 3);
    sketch.error(nodes[0], 3);
    sketch.step(nodes[1], Label::Unsupported("inline assembly".into()), 3);
    sketch.havoc(nodes[2], x, 3);
    let negative = sketch.less(x, 0);
    sketch.assume(nodes[3], negative, 3);
    let (two, three) = (sketch.span(2), sketch.span(3));
    let (program, pool) = sketch.finish(main);
    let mut interpreter = Interpreter::new(&program, &pool);
    let mut end = |inputs: &[Value]| interpreter.run(inputs, RunLimits::default(), &mut Unwatched);
    assert!(matches!(end(&[int_value(0)]), End::Error { span, .. } if span == three));
    let what = "inline assembly".to_owned();
    assert_eq!(end(&[int_value(1)]), End::Unsupported { what, span: three });
    assert_eq!(end(&[int_value(2)]), End::InputsExhausted { span: three });
    assert_eq!(end(&[int_value(2), int_value(1)]), End::Halted { span: three });
    assert_eq!(end(&[int_value(3)]), End::Blocked { span: three });
    assert_eq!(end(&[int_value(4), int_value(9)]), End::Finished, "left-over inputs do no harm");
    let bad = Value::Bool(true);
    let expected = Sort::BitVec(32);
    assert_eq!(end(&[int_value(2), bad]), End::BadInput { index: 1, expected, span: three });
    let limits = RunLimits { max_steps: 2, ..RunLimits::default() };
    let end = interpreter.run(&[int_value(0)], limits, &mut Unwatched);
    assert_eq!(end, End::StepLimit { span: two });
    assert_eq!(interpreter.steps(), 2);
}

#[test]
fn no_assumption_of_several_may_hold() {
    let mut sketch = Sketch::new("a\nb\n");
    let main = sketch.procedure("main");
    let no = sketch.pool.bool(false);
    let entry = sketch.entry(main);
    sketch.assume(entry, no, 2);
    sketch.assume(entry, no, 1);
    let span = sketch.span(2);
    assert_eq!(run(sketch, main, &[]), End::Blocked { span });
}

#[test]
fn reading_an_unassigned_variable_ends_the_run() {
    let mut sketch = Sketch::new("a\n");
    let main = sketch.procedure("main");
    let (x, y) = (sketch.int(Some(main), "x"), sketch.int(None, "y"));
    let x_term = sketch.term(x);
    sketch.assign(sketch.entry(main), y, x_term, 1);
    let span = sketch.span(1);
    assert_eq!(run(sketch, main, &[]), End::ReadBeforeWrite { variable: x, span });
}

/// The second call of a procedure must not see what the first one left in its frame.
#[test]
fn a_new_frame_holds_nothing() {
    let mut sketch = Sketch::new("a\n");
    let (main, f) = (sketch.procedure("main"), sketch.procedure("f"));
    let flag = sketch.int(None, "flag");
    let x = sketch.int(Some(f), "x");
    let (first, second) = {
        let small = sketch.less(flag, 1);
        sketch.branch(sketch.entry(f), small, 1)
    };
    let one = sketch.number(1);
    let first = sketch.assign(first, x, one, 1);
    let first = sketch.assign(first, flag, one, 1);
    sketch.go(first, sketch.exit(f), 1);
    let read = sketch.plus(x, 1);
    let second = sketch.assign(second, flag, read, 1);
    sketch.go(second, sketch.exit(f), 1);
    let zero = sketch.number(0);
    let node = sketch.assign(sketch.entry(main), flag, zero, 1);
    let node = sketch.call(node, f, &[], None, 1);
    let node = sketch.call(node, f, &[], None, 1);
    sketch.go(node, sketch.exit(main), 1);
    let span = sketch.span(1);
    assert_eq!(run(sketch, main, &[]), End::ReadBeforeWrite { variable: x, span });
}

#[test]
fn a_missing_result_is_noticed_only_if_it_is_used() {
    let build = |used: bool| {
        let mut sketch = Sketch::new("a\n");
        let (main, f) = (sketch.procedure("main"), sketch.procedure("f"));
        let result = sketch.int(Some(f), "result");
        sketch.builder.set_signature(f, vec![], Some(result));
        sketch.go(sketch.entry(f), sketch.exit(f), 1);
        let x = sketch.int(Some(main), "x");
        let node = sketch.call(sketch.entry(main), f, &[], used.then_some(x), 1);
        sketch.go(node, sketch.exit(main), 1);
        (run(sketch, main, &[]), result)
    };
    assert_eq!(build(false).0, End::Finished);
    let (end, result) = build(true);
    assert!(matches!(end, End::ReadBeforeWrite { variable, .. } if variable == result), "{end:?}");
}

#[test]
fn broken_programs_are_refused_and_do_not_panic() {
    let mut sketch = Sketch::new("a\n");
    let (main, f) = (sketch.procedure("main"), sketch.procedure("f"));
    let foreign = sketch.int(Some(f), "foreign");
    let condition = sketch.less(foreign, 1);
    sketch.assume(sketch.entry(main), condition, 1);
    let end = run(sketch, main, &[]);
    assert!(matches!(&end, End::Malformed { what, .. } if what.contains("`foreign`")), "{end:?}");

    let mut sketch = Sketch::new("a\n");
    let main = sketch.procedure("main");
    let x = sketch.int(None, "x");
    let entry = sketch.entry(main);
    sketch.havoc_from(entry, x, InputOrigin::External("f".into()), 1);
    sketch.havoc(entry, x, 1);
    let end = run(sketch, main, &[int_value(0)]);
    assert!(matches!(&end, End::Malformed { what, .. } if what.contains("several edges")), "{end:?}");
}

fn endless() -> (Program, TermPool) {
    let mut sketch = Sketch::new("for (;;) x++;\n");
    let main = sketch.procedure("main");
    let x = sketch.int(Some(main), "x");
    let zero = sketch.number(0);
    let head = sketch.assign(sketch.entry(main), x, zero, 1);
    let more = sketch.plus(x, 1);
    let end = sketch.assign(head, x, more, 1);
    sketch.go(end, head, 1);
    sketch.finish(main)
}

#[test]
fn an_endless_run_can_be_interrupted() {
    let (program, pool) = endless();
    let asked = std::cell::Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() == 3
    };
    let limits = RunLimits { interrupted: Some(&stop), ..RunLimits::default() };
    let mut interpreter = Interpreter::new(&program, &pool);
    assert!(matches!(interpreter.run(&[], limits, &mut Unwatched), End::Interrupted { .. }));
    assert_eq!(interpreter.steps(), 3 * STEPS_BETWEEN_CHECKS);
}

/// A step may take long if numbers grow.
#[test]
fn a_run_with_numbers_of_any_length_can_be_interrupted_at_each_step() {
    let mut sketch = Sketch::new("x = 3; for (;;) x = x * x;");
    let main = sketch.procedure("main");
    let x = sketch.variable(Some(main), "x", Sort::Int, None);
    let three = sketch.pool.int(3);
    let head = sketch.assign(sketch.entry(main), x, three, 1);
    let value = sketch.term(x);
    let square = sketch.pool.num_mul(value, value);
    sketch.edge(head, head, Label::Op(Op::Assign(x, square)), 1);
    let (program, pool) = sketch.finish(main);
    let limits = RunLimits { max_steps: 20, interrupted: Some(&|| true), ..RunLimits::default() };
    let mut interpreter = Interpreter::new(&program, &pool);
    assert!(matches!(interpreter.run(&[], limits, &mut Unwatched), End::Interrupted { .. }));
    assert_eq!(interpreter.steps(), 1);
}

/// What is observed has the values before each edge.
#[test]
fn terms_are_observed_before_their_edge() {
    struct Observer {
        terms: Vec<Term>,
        seen: Vec<Vec<u128>>,
    }
    impl Watcher for Observer {
        fn on(&mut self, event: RunEvent<'_>) {
            if let RunEvent::Observed { values, .. } = event {
                self.seen.push(values.to_vec());
            }
        }

        fn observes(&self) -> bool {
            true
        }

        fn observed(&mut self, _: Edge) -> Vec<Term> {
            self.terms.clone()
        }
    }
    let mut sketch = Sketch::new("x = 5;\nx = x + 1;\nx = x + 1;\n");
    let main = sketch.procedure("main");
    let x = sketch.int(Some(main), "x");
    let (five, more) = (sketch.number(5), sketch.plus(x, 1));
    let node = sketch.assign(sketch.entry(main), x, five, 1);
    let node = sketch.assign(node, x, more, 2);
    let node = sketch.assign(node, x, more, 3);
    sketch.go(node, sketch.exit(main), 3);
    let terms = vec![sketch.term(x), more];
    let (program, pool) = sketch.finish(main);
    let mut interpreter = Interpreter::new(&program, &pool);
    let mut observer = Observer { terms, seen: Vec::new() };
    let end = interpreter.run(&[], RunLimits::default(), &mut observer);
    assert_eq!(end, End::Finished);
    // Before the first edge there is no value; that is no reason to stop.
    assert_eq!(observer.seen, [vec![], vec![5, 6], vec![6, 7], vec![7, 8]]);
    observer.terms.clear();
    observer.seen.clear();
    interpreter.run(&[], RunLimits::default(), &mut observer);
    assert!(observer.seen.is_empty(), "nothing is observed in the second run");
}

/// i = input(); i = i * i * 4; f(i): j = i mod 3; if (i > 2^80 && j == 1) error();
#[test]
fn integers_have_any_size() {
    let mut sketch = Sketch::new("i = input();\ni *= 4 * i;\nj = i mod 3;\nif (...) error();\n");
    let main = sketch.procedure("main");
    let i = sketch.variable(Some(main), "i", Sort::Int, None);
    let j = sketch.variable(Some(main), "j", Sort::Int, None);
    let (i_term, j_term) = (sketch.term(i), sketch.term(j));
    let pool = &mut sketch.pool;
    let [one, three, four, limit] = [1, 3, 4, 1 << 80].map(|n| pool.int(n));
    let square = pool.num_mul(i_term, i_term);
    let product = pool.num_mul(square, four);
    let remainder = pool.int_mod(i_term, three);
    let (large, is_one) = (pool.num_gt(i_term, limit), pool.eq(j_term, one));
    let condition = pool.and(large, is_one);
    let next = sketch.havoc(sketch.entry(main), i, 1);
    let next = sketch.assign(next, i, product, 2);
    let next = sketch.assign(next, j, remainder, 3);
    let (then, otherwise) = sketch.branch(next, condition, 4);
    sketch.error(then, 4);
    sketch.go(otherwise, sketch.exit(main), 4);
    let (program, pool) = sketch.finish(main);
    let mut interpreter = Interpreter::new(&program, &pool);
    let mut run = |value: i64| {
        let input = Value::Int(value.into());
        interpreter.run(&[input], RunLimits::default(), &mut Unwatched)
    };
    assert!(matches!(run(-(1 << 40)), End::Error { .. }));
    assert_eq!(run(3 << 40), End::Finished);
    assert_eq!(run(1 << 38), End::Finished);
    let end = interpreter.run(&[int_value(1)], RunLimits::default(), &mut Unwatched);
    assert!(matches!(end, End::BadInput { expected: Sort::Int, .. }));
}
