use super::*;
use crate::interpreter::{End, Interpreter, RunLimits, Unwatched};
use crate::testing::{Sketch, int_value};

const TEXT: &str = "x = input(); y = input();\nwhile (x < 3) {\n...\n}\nerror();\n";

/// A source of numbers that are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }
}

/// A program of branches and assignments that jump forward as they like, with a loop around them and an error in it.
fn program(seed: u64) -> (Program, TermPool) {
    let mut numbers = Numbers(seed);
    let mut sketch = Sketch::new(TEXT);
    let main = sketch.procedure("main");
    let variables = ["x", "y", "z"].map(|name| sketch.int(Some(main), name));
    let start = sketch.havoc(sketch.entry(main), variables[0], 1);
    let start = sketch.havoc(start, variables[1], 1);
    let zero = sketch.number(0);
    let head = sketch.assign(start, variables[2], zero, 1);
    let nodes: Vec<Node> = (0..4 + numbers.below(8)).map(|_| sketch.node(main)).collect();
    let small = sketch.less(variables[0], 3);
    let (body, end) = sketch.branch(head, small, 2);
    sketch.go(end, sketch.exit(main), 2);
    sketch.go(body, nodes[0], 2);
    for (index, &node) in nodes.iter().enumerate() {
        let later = &nodes[index + 1..];
        let pick = |numbers: &mut Numbers| {
            // The first of these are more likely, so that paths meet.
            let choice = numbers.below(4).min(numbers.below(4)) as usize;
            later.get(choice).copied()
        };
        let [a, b] = [0, 1].map(|_| variables[numbers.below(3) as usize]);
        match numbers.below(6) {
            _ if later.is_empty() => {
                let (bad, good) = {
                    let condition = sketch.less(b, -4);
                    sketch.branch(node, condition, 5)
                };
                sketch.error(bad, 5);
                let more = sketch.plus(variables[0], 1);
                sketch.edge(good, head, Label::Op(Op::Assign(variables[0], more)), 4);
            }
            0 => {
                let input = sketch.havoc(node, a, 3);
                let target = pick(&mut numbers).unwrap_or(later[0]);
                sketch.go(input, target, 3);
            }
            1 | 2 => {
                let value = sketch.plus(b, numbers.below(5) as i128 - 2);
                let target = pick(&mut numbers).unwrap_or(later[0]);
                sketch.edge(node, target, Label::Op(Op::Assign(a, value)), 3);
            }
            3 => {
                let condition = sketch.less(a, numbers.below(8) as i128);
                let target = pick(&mut numbers).unwrap_or(later[0]);
                sketch.edge(node, target, Label::Op(Op::Assume(condition)), 3);
            }
            _ => {
                let condition = sketch.less(a, numbers.below(5) as i128 - 2);
                let (then, otherwise) = sketch.branch(node, condition, 3);
                for side in [then, otherwise] {
                    match pick(&mut numbers) {
                        None if numbers.below(2) == 0 => {
                            sketch.error(side, 5);
                        }
                        target => {
                            sketch.go(side, target.unwrap_or(later[0]), 3);
                        }
                    }
                }
            }
        }
    }
    sketch.finish(main)
}

/// What a run on some inputs comes to.
#[derive(Debug, PartialEq)]
enum Result {
    Error(Node),
    NoError,
    MoreInputs,
    Endless,
}

fn run(program: &Program, pool: &TermPool, inputs: &[i128]) -> Result {
    let inputs: Vec<_> = inputs.iter().map(|&input| int_value(input)).collect();
    let limits = RunLimits { max_steps: 2_000, ..Default::default() };
    match Interpreter::new(program, pool).run(&inputs, limits, &mut Unwatched) {
        End::Error { node, .. } => Result::Error(node),
        End::Finished | End::Blocked { .. } => Result::NoError,
        End::InputsExhausted { .. } => Result::MoreInputs,
        End::StepLimit { .. } => Result::Endless,
        end => panic!("{end:?}"),
    }
}

#[test]
fn joined_programs_do_the_same() {
    let (mut joined, mut errors, mut endless) = (0, 0, 0);
    for seed in 0..400 {
        let (before, mut pool) = program(seed);
        let Some(after) = join_branches(&before, &mut pool, &|| false) else { continue };
        joined += 1;
        assert_eq!(after.validate(&pool), [], "seed {seed}");
        let mut numbers = Numbers(seed);
        for _ in 0..40 {
            let inputs: Vec<i128> = (0..12).map(|_| i128::from(numbers.below(13)) - 8).collect();
            let [one, other] = [&before, &after].map(|program| run(program, &pool, &inputs));
            assert_eq!(one, other, "seed {seed}, inputs {inputs:?}");
            errors += usize::from(matches!(one, Result::Error(_)));
            endless += usize::from(one == Result::Endless);
        }
    }
    assert!(
        joined > 200 && errors > 1000,
        "{joined} programs joined, {errors} errors, {endless} endless runs"
    );
}

#[test]
fn branches_that_meet_are_one_path() {
    let mut sketch = Sketch::new("x = input();\nif (x < 0) x = x + 1; else x = x + 2;\n");
    let main = sketch.procedure("main");
    let x = sketch.int(Some(main), "x");
    let start = sketch.havoc(sketch.entry(main), x, 1);
    let negative = sketch.less(x, 0);
    let (then, otherwise) = sketch.branch(start, negative, 2);
    let meeting = sketch.node(main);
    for (side, amount) in [(then, 1), (otherwise, 2)] {
        let value = sketch.plus(x, amount);
        sketch.edge(side, meeting, Label::Op(Op::Assign(x, value)), 2);
    }
    let small = sketch.less(x, 7);
    let (good, bad) = sketch.branch(meeting, small, 2);
    sketch.error(bad, 2);
    sketch.go(good, sketch.exit(main), 2);
    let (before, mut pool) = sketch.finish(main);
    let after = join_branches(&before, &mut pool, &|| false).unwrap();
    let mut text = Vec::new();
    crate::write_text(&after, &pool, &mut text).unwrap();
    let text = String::from_utf8_lossy(&text);
    let paths = "  2:
    -> 8  [(x < 0 ? x + 1 : x + 2) >= 7]  @ test.c:2:1
    -> 1  [(x < 0 ? x + 1 : x + 2) < 7]  @ test.c:2:1
";
    assert!(text.contains(paths), "{text}");
}

/// `f(c) { if (c < 0) return 1; return 2; }  x = input(); y = f(x); if (x < 5) error();`
#[test]
fn a_result_that_is_not_used_has_a_value() {
    let mut sketch = Sketch::new(TEXT);
    let f = sketch.procedure("f");
    let [c, result] = ["c", "result"].map(|name| sketch.int(Some(f), name));
    sketch.builder.set_signature(f, vec![c], Some(result));
    let negative = sketch.less(c, 0);
    let (then, otherwise) = sketch.branch(sketch.entry(f), negative, 1);
    for (side, value) in [(then, 1), (otherwise, 2)] {
        let value = sketch.number(value);
        sketch.edge(side, sketch.exit(f), Label::Op(Op::Assign(result, value)), 1);
    }
    let main = sketch.procedure("main");
    let [x, y] = ["x", "y"].map(|name| sketch.int(Some(main), name));
    let asked = sketch.havoc(sketch.entry(main), x, 1);
    let argument = sketch.term(x);
    let called = sketch.call(asked, f, &[argument], Some(y), 1);
    let small = sketch.less(x, 5);
    let (bad, good) = sketch.branch(called, small, 2);
    sketch.error(bad, 5);
    sketch.go(good, sketch.exit(main), 2);
    let (before, mut pool) = sketch.finish(main);
    let after = join_branches(&before, &mut pool, &|| false).unwrap();
    assert!(matches!(run(&after, &pool, &[4]), Result::Error(_)));
    assert_eq!(run(&after, &pool, &[5]), Result::NoError);
}

/// Many variables with values of two branches, and many ways on.
#[test]
fn blocks_that_would_grow_too_much_are_left_alone() {
    let mut sketch = Sketch::new(TEXT);
    let main = sketch.procedure("main");
    let x = sketch.int(Some(main), "x");
    let others: Vec<Var> = (0..60).map(|index| sketch.int(Some(main), &format!("v{index}"))).collect();
    let start = sketch.havoc(sketch.entry(main), x, 1);
    let negative = sketch.less(x, 0);
    let (then, otherwise) = sketch.branch(start, negative, 2);
    let mut node = sketch.node(main);
    for (mut side, amount) in [(then, 1), (otherwise, 2)] {
        for &other in &others {
            let value = sketch.plus(x, amount);
            side = sketch.assign(side, other, value, 2);
        }
        sketch.go(side, node, 2);
    }
    let end = sketch.node(main);
    for bound in 0..60 {
        let less = sketch.less(x, bound);
        let (found, next) = sketch.branch(node, less, 3);
        let asked = sketch.havoc(found, x, 3);
        sketch.go(asked, end, 3);
        node = next;
    }
    sketch.go(node, end, 3);
    let mut last = end;
    for &other in &others {
        let less = sketch.less(other, 9);
        last = sketch.assume(last, less, 4);
    }
    sketch.go(last, sketch.exit(main), 4);
    let (before, mut pool) = sketch.finish(main);
    let edges = |program: &Program| program.edges().count();
    let grown = join_branches(&before, &mut pool, &|| false).map_or(0, |after| edges(&after));
    assert!(grown <= 2 * edges(&before), "{grown} edges from {}", edges(&before));
    assert!(join_branches(&before, &mut pool, &|| true).is_none());
}
