use super::*;
use crate::Silent;
use aster_cfa::testing::Sketch;
use aster_cfa::{Input, InputOrigin, Label, Op, Presentation};
use std::time::Duration;

const TEXT: &str = "x = input();\nif (x < 10) {\n}\nerror();\n";

/// Runs on programs that are decided at some time, however slow the machine is.
fn check(sketch: Sketch, main: aster_cfa::Procedure) -> Outcome {
    check_for(Duration::from_secs(600), sketch, main)
}

fn check_for(time: Duration, sketch: Sketch, main: aster_cfa::Procedure) -> Outcome {
    let (program, pool) = sketch.finish(main);
    let budget = Budget::new().part(time);
    run(&program, &pool, Options::default(), &budget, &mut Silent)
}

fn is_limit(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Unknown(Unknown { reason: Reason::Limit(Limit::Time), .. }))
}

#[test]
fn a_sequence_of_literals_is_found_step_by_step() {
    let mut sketch = Sketch::new(TEXT);
    let main = sketch.procedure("main");
    let x = sketch.int(Some(main), "x");
    let mut node = sketch.entry(main);
    // Not to be hit by chance all at once.
    for literal in [810_251, -77_123_456, 1_234_567, 31, 99_999_999, -5_000_000] {
        let asked = sketch.havoc(node, x, 1);
        let (value, wanted) = (sketch.term(x), sketch.number(literal));
        let is_it = sketch.pool.eq(value, wanted);
        let (yes, no) = sketch.branch(asked, is_it, 2);
        sketch.go(no, sketch.exit(main), 3);
        node = yes;
    }
    sketch.error(node, 4);
    let Outcome::Unsafe(counterexample) = check(sketch, main) else { panic!("an error") };
    assert_eq!(counterexample.inputs.len(), 6);
}

/// What follows when a program has counted to a number that is far beyond the first limit of steps.
enum Then {
    Error,
    NoError,
    /// An error if an input is this number.
    ErrorOn(i128),
}

fn counting(then: Then) -> Outcome {
    let mut sketch = Sketch::new(TEXT);
    let main = sketch.procedure("main");
    let x = sketch.int(Some(main), "x");
    let zero = sketch.number(0);
    let head = sketch.assign(sketch.entry(main), x, zero, 1);
    let less = sketch.less(x, 100_000);
    let (body, end) = sketch.branch(head, less, 2);
    let more = sketch.plus(x, 1);
    sketch.edge(body, head, Label::Op(Op::Assign(x, more)), 3);
    match then {
        Then::Error => {
            sketch.error(end, 4);
        }
        Then::NoError => {
            sketch.go(end, sketch.exit(main), 4);
        }
        Then::ErrorOn(number) => {
            let asked = sketch.havoc(end, x, 1);
            let (value, wanted) = (sketch.term(x), sketch.number(number));
            let is_it = sketch.pool.eq(value, wanted);
            let (bad, good) = sketch.branch(asked, is_it, 2);
            sketch.error(bad, 4);
            sketch.go(good, sketch.exit(main), 4);
        }
    }
    check(sketch, main)
}

#[test]
fn a_program_without_inputs_is_decided_by_its_only_run() {
    assert_eq!(counting(Then::Error), Outcome::Unsafe(Counterexample { inputs: Vec::new() }));
    assert_eq!(counting(Then::NoError), Outcome::Safe);
}

#[test]
fn an_input_that_comes_late_is_an_input() {
    for number in [0, 12_345_678] {
        let Outcome::Unsafe(counterexample) = counting(Then::ErrorOn(number)) else { panic!("an error") };
        assert_eq!(counterexample.inputs.len(), 1);
    }
}

#[test]
fn what_no_input_reaches_stays_unknown() {
    let mut sketch = Sketch::new(TEXT);
    let main = sketch.procedure("main");
    let x = sketch.int(Some(main), "x");
    let asked = sketch.havoc(sketch.entry(main), x, 1);
    sketch.go(asked, sketch.exit(main), 2);
    assert!(is_limit(&check_for(Duration::from_millis(500), sketch, main)));
}

#[test]
fn values_that_only_the_real_function_knows_are_not_made_up() {
    let mut sketch = Sketch::new(TEXT);
    let main = sketch.procedure("main");
    let x = sketch.int(Some(main), "x");
    let input = Input {
        origin: InputOrigin::Approximated("sin".to_owned()),
        presentation: Presentation::Float("double".to_owned()),
    };
    let asked = sketch.node(main);
    sketch.edge(sketch.entry(main), asked, Label::Op(Op::Havoc(x, input)), 1);
    sketch.error(asked, 4);
    assert!(is_limit(&check_for(Duration::from_millis(500), sketch, main)));
}

#[test]
fn undefined_behaviour_of_the_only_run_decides_nothing() {
    let mut sketch = Sketch::new(TEXT);
    let main = sketch.procedure("main");
    let undefined = Label::Undefined { what: "a bad pointer is read".to_owned(), assumed_away: false };
    sketch.edge(sketch.entry(main), sketch.exit(main), undefined, 1);
    let outcome = check(sketch, main);
    assert!(matches!(outcome, Outcome::Unknown(Unknown { reason: Reason::Undefined { .. }, .. })));
}
