use super::*;
use aster_cfa::interpreter::{End, Interpreter, RunLimits, Unwatched};
use aster_term::{BitVec, Model, Op, Substitution, Term, Value, evaluate};
use std::collections::{HashSet, VecDeque};
use std::path::PathBuf;

fn system(text: &str, settings: &[(&str, &str)]) -> (System, TermPool) {
    let mut pool = TermPool::new();
    let settings: Vec<(String, String)> =
        settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let system =
        load(&mut pool, "m.gcl", text, &settings).unwrap_or_else(|rejected| panic!("{}", rejected.render()));
    let program = system.to_program(&mut pool);
    assert_eq!(program.validate(&pool), [], "{text}");
    (system, pool)
}

fn run(text: &str, inputs: &[Value]) -> End {
    let (system, mut pool) = system(text, &[]);
    let program = system.to_program(&mut pool);
    Interpreter::new(&program, &pool).run(inputs, RunLimits::default(), &mut Unwatched)
}

/// True if a condition over constants holds.
fn holds(condition: &str) -> bool {
    match run(&format!("var u: bool = true\nerror {condition}"), &[]) {
        End::Error { .. } => true,
        End::Halted { .. } => false,
        end => panic!("{condition}: {end:?}"),
    }
}

#[test]
fn expressions_mean_what_is_documented() {
    for condition in [
        "1 + 2 * 3 - 4 = 3 and -7 div 2 = -4 and -7 mod 2 = 1",
        "not 1 = 2 and 1 != 2",
        "false => false => false",
        "(false <=> true <=> false)",
        "true or true and false",
        "all i: 1..3, j: 1..3. i < j => i + 1 <= j",
        "some i: 1..3. i * i = 9",
        "(sum i: 1..4. i) = 10 and (max i: 1..4. -i) = -1 and (min i: 1..4. 2 * i) = 2",
        "(all i: 2..1. false) and not (some i: 2..1. true) and (sum i: 2..1. 1) = 0",
        "(if 1 < 2 then 3 else 4) = 3",
    ] {
        assert!(holds(condition), "{condition}");
    }
    assert!(!holds("all i: 1..3. i < 3"));
}

#[test]
fn assignments_happen_at_the_same_time() {
    let text =
        "var x: int = 1\nvar y: int = 2\nprocess P { swap: true -> x := y, y := x }\nerror x = 2 and y = 1";
    assert!(matches!(run(text, &[]), End::Error { .. }));
    let text = "var x: int = 1\nvar y: int = 2\nvar z: int = 3\nprocess P { t: true -> x := y, y := z, z := x + y }\n\
        error x = 2 and y = 3 and z = 3";
    assert!(matches!(run(text, &[]), End::Error { .. }));
}

#[test]
fn a_value_outside_of_its_range_is_an_error() {
    let count = |text| system(text, &[]).0.errors.len();
    let outside = "var r: 0..3 = 0\nprocess P { t: true -> r := r + 1 }\nsafe true";
    assert!(matches!(run(outside, &[]), End::Error { .. }));
    assert_eq!(count(outside), 2);
    // Nothing can go wrong here: no condition is made.
    let inside = "var r: 0..3 = 0\nvar s: 0..9 = 0\nprocess P { t: r < 3 -> s := 2 * r + 1, r := (if r < 2 then 3 else r) }\nsafe true";
    assert_eq!(count(inside), 1);
    let names =
        "var a: {one, two} = one\nvar b: {one, two, three} = one\nprocess P { t: true -> a := b }\nsafe true";
    assert_eq!(count(names), 2);
    let names =
        "var a: {one, two} = one\nvar b: {one, two, three} = one\nprocess P { t: true -> b := a }\nsafe true";
    assert_eq!(count(names), 1);
}

#[test]
fn nondet_stays_within_the_type() {
    let text = "var r: 1..3 = 1\nprocess P { t: true -> r := nondet }\nerror r = 3";
    assert!(matches!(run(text, &[Value::Int(3.into())]), End::Error { .. }));
    assert!(matches!(run(text, &[Value::Int(4.into())]), End::Blocked { .. }));
}

#[test]
fn conditions_that_say_what_a_variable_is_become_first_values() {
    let text = "const exact = true\nvar x: int\nvar y: int\nvar b: bool\ninit x = y and b\ninit exact => y = 4\nsafe true";
    let (known, pool) = system(text, &[]);
    let shown: Vec<String> = known
        .variables
        .iter()
        .map(|variable| known.show_value(variable, &pool.constant(variable.initial.unwrap()).unwrap()))
        .collect();
    assert_eq!(shown, ["4", "4", "true"]);
    assert_eq!(pool.bool_constant(known.init_conditions), Some(true));
    let (unknown, pool) = system(text, &[("exact", "false")]);
    assert_eq!(unknown.variables[0].initial, None);
    assert_eq!(pool.bool_constant(unknown.init_conditions), None);
}

#[test]
fn instances_have_variables_of_their_own() {
    let text = "const N = 2\nvar t[i: 1..N]: int = 10 * i\n\
        process P[i: 1..N] {\n  var x: int = i\n  go: x = i -> x := P[N + 1 - i].x + t[i]\n}\n\
        process Q { var x: bool = false  set: not x -> x := true, P[1].x := 0 }\nsafe Q.x => P[1].x = 0";
    let (system, pool) = system(text, &[]);
    assert_eq!(
        system.show(&pool),
        "const N = 2\nvar t[1]: int = 10\nvar t[2]: int = 20\nvar P[1].x: int = 1\nvar P[2].x: int = 2\nvar Q.x: bool = false\n\
         P[1].go: P[1].x = 1\n    -> P[1].x := t[1] + P[2].x\nP[2].go: P[2].x = 2\n    -> P[2].x := t[2] + P[1].x\n\
         Q.set: not Q.x\n    -> Q.x := true, P[1].x := 0\n\
         error Q.x and P[1].x != 0    // `safe Q.x => P[1].x = 0` does not hold\n"
    );
    assert_eq!(system.transitions[1].family, ("P".to_owned(), Some(2)));
}

#[test]
fn deadlock_is_where_no_transition_is_enabled() {
    let text = "var x: int = 0\nprocess P { up: x < 2 -> x := x + 1 }\nsafe not deadlock";
    assert!(matches!(run(text, &[]), End::Error { .. }));
}

#[test]
fn a_choice_between_transitions_is_an_input() {
    let text = "var x: int = 0\nprocess P { a: true -> x := x + 1  b: x > 0 -> x := 10 }\nerror x = 10";
    let choose = |choices: &[u128]| {
        let inputs: Vec<Value> =
            choices.iter().map(|&choice| Value::BitVec(BitVec::new(1, choice))).collect();
        run(text, &inputs)
    };
    assert!(matches!(choose(&[0, 1]), End::Error { .. }));
    assert!(matches!(choose(&[1]), End::Blocked { .. }));
}

#[test]
fn errors_have_positions() {
    let ok = "var x: int = 0\nvar b: bool = false\n";
    for (text, expected) in [
        (String::new(), "m.gcl:1:1: error: the file is empty"),
        ("// nothing\n".to_owned(), "m.gcl:1:1: error: the file is empty"),
        (ok.to_owned(), "m.gcl:1:1: error: there is nothing to check"),
        (format!("{ok}safe y = 0"), "m.gcl:3:6: error: `y` is not declared"),
        (format!("{ok}safe x = b"), "m.gcl:3:10: error: expected `int`, found `bool`"),
        (format!("{ok}safe x"), "m.gcl:3:6: error: expected `bool`, found `int`"),
        (
            format!("{ok}process P {{\n  t: x = 0 x := 1\n}}\nsafe b"),
            "m.gcl:4:12: error: expected `->` after the guard of the transition, found `x`",
        ),
        (
            format!("{ok}process P {{\n  t: x = 0\n  u: x = 1 -> x := 1\n}}\nsafe b"),
            "m.gcl:4:11: error: expected `->` after the guard of the transition, found `u`",
        ),
        (
            format!("{ok}process P {{ }}\nprocess P {{ }}\nsafe b"),
            "m.gcl:4:9: error: process `P` is already declared",
        ),
        (
            format!("{ok}process P {{ t: b -> skip\n t: b -> skip }}\nsafe b"),
            "m.gcl:4:2: error: transition `t` is already declared",
        ),
        (format!("{ok}var x: bool\nsafe b"), "m.gcl:3:5: error: `x` is already declared"),
        (format!("{ok}var e: {{x, z}}\nsafe b"), "m.gcl:3:9: error: `x` is already declared"),
        ("const N: 1..3 = 4\nsafe true".to_owned(), "m.gcl:1:17: error: constant `N` must be in 1..3, not 4"),
        ("var r: 0..3 = 4\nsafe true".to_owned(), "m.gcl:1:15: error: the first value 4 is not in 0..3"),
        ("var r: 3..0\nsafe true".to_owned(), "m.gcl:1:8: error: the range 3..0 is empty"),
        ("var t[1..3]: int\nsafe t[4] = 0".to_owned(), "m.gcl:2:8: error: `t` has no element 4"),
        (
            format!("{ok}var t[1..3]: int\nsafe t[x] = 0"),
            "m.gcl:4:8: error: this must be known when the model is loaded",
        ),
        (format!("{ok}safe x * x = 0"), "m.gcl:3:10: error: a product of two variables is not linear"),
        (
            format!("{ok}safe x div 0 = 0"),
            "m.gcl:3:12: error: the divisor must be a number other than zero that is known when the model is loaded",
        ),
        (
            format!("{ok}process P {{ t: b -> x := 1, x := 2 }}\nsafe b"),
            "m.gcl:3:29: error: `x` is assigned twice at the same time",
        ),
        (
            format!("{ok}process P {{ t: b -> x := nondet + 1 }}\nsafe b"),
            "m.gcl:3:33: error: expected a variable, a transition, or `}`, found `+`",
        ),
        (
            format!("{ok}process P {{ t: b -> x := true }}\nsafe b"),
            "m.gcl:3:26: error: expected `int`, found `bool`",
        ),
        (format!("{ok}safe P.x = 0"), "m.gcl:3:6: error: process `P` is not declared"),
        (
            format!("{ok}safe 1 < x < 2"),
            "m.gcl:3:12: error: comparisons cannot be chained: use `and`, or parentheses",
        ),
        (
            format!("{ok}process P {{ t: deadlock -> skip }}\nsafe b"),
            "m.gcl:3:16: error: `deadlock` can only be used in `safe` and `error` conditions",
        ),
        (format!("{ok}safe b § b"), "m.gcl:3:8: error: unexpected character `§`"),
    ] {
        let rejected = load(&mut TermPool::new(), "m.gcl", &text, &[]).unwrap_err().render();
        assert_eq!(rejected.lines().next(), Some(expected), "{text}\n{rejected}");
    }
}

#[test]
fn settings_are_checked() {
    let text = "const N: 1..3 = 2\nconst b = true\nsafe b";
    let rejected = |name: &str, value: &str| {
        let settings = [(name.to_owned(), value.to_owned())];
        load(&mut TermPool::new(), "m.gcl", text, &settings).unwrap_err().diagnostics[0].message.clone()
    };
    assert_eq!(rejected("N", "4"), "constant `N` must be in 1..3, not 4");
    assert_eq!(rejected("N", "x"), "constant `N` must be an integer, not x");
    assert_eq!(rejected("b", "1"), "constant `b` must be a truth value, not 1");
    assert_eq!(rejected("M", "1"), "there is no constant `M` that could be 1");
}

#[test]
fn models_that_would_become_too_large_are_rejected() {
    for text in [
        "safe all i: 1..100000, j: 1..100000. true",
        "var t[1..100000]: int\nsafe true",
        "process P[i: 1..999999999999] { }\nsafe true",
    ] {
        assert!(load(&mut TermPool::new(), "m.gcl", text, &[]).is_err(), "{text}");
    }
}

/// Looks at states one by one, at most so many; true if one of them is an error. Without inputs only.
fn finds_error(system: &System, pool: &mut TermPool, limit: usize) -> bool {
    let value = |pool: &TermPool, term: Term, state: &[Value]| {
        let mut model = Model::new();
        for (variable, value) in system.variables.iter().zip(state) {
            model.insert(variable.term, value.clone());
        }
        evaluate(pool, term, &model)
    };
    let first: Vec<Value> =
        system.variables.iter().map(|variable| pool.constant(variable.initial.unwrap()).unwrap()).collect();
    let mut seen: HashSet<String> = HashSet::new();
    let mut waiting = VecDeque::from([first]);
    while let Some(state) = waiting.pop_front() {
        if value(pool, system.error, &state) == Value::Bool(true) {
            return true;
        }
        if seen.len() >= limit || !seen.insert(format!("{state:?}")) {
            continue;
        }
        for transition in &system.transitions {
            if value(pool, transition.guard, &state) != Value::Bool(true) {
                continue;
            }
            let mut next = state.clone();
            for &(position, assigned) in &transition.assignments {
                let Assigned::Term(term) = assigned else { panic!("there are inputs") };
                next[position] = value(pool, term, &state);
            }
            waiting.push_back(next);
        }
    }
    false
}

#[test]
fn the_examples_behave_as_their_comments_say() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/protocols");
    for (name, settings, expected) in [
        ("bakery", &[] as &[(&str, &str)], false),
        ("bakery", &[("N", "3")], false),
        ("bakery2", &[], false),
        ("b_bakery2_e", &[], true),
        ("ticket", &[], false),
        ("ticket", &[("N", "3")], false),
        ("ticket_e", &[], true),
        ("ticket-value", &[], true),
        ("rax", &[], false),
        ("rax", &[("race", "true")], true),
        ("rax-value", &[], true),
        ("elevator", &[], false),
        ("mesi", &[], false),
        ("berkeley", &[], false),
        ("synapse", &[("deterministic", "true")], false),
    ] {
        let text = std::fs::read_to_string(folder.join(format!("{name}.gcl"))).unwrap();
        let (system, mut pool) = system(&text, settings);
        assert_eq!(finds_error(&system, &mut pool, 1500), expected, "{name} {settings:?}");
    }
}

/// The protocols among the examples.
fn examples() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/protocols");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "gcl"));
    assert!(files.len() >= 15);
    files.sort();
    files
}

#[test]
fn all_examples_load() {
    for file in examples() {
        let (system, pool) = system(&std::fs::read_to_string(&file).unwrap(), &[]);
        assert!(!system.transitions.is_empty(), "{}", file.display());
        assert!(system.show(&pool).contains("error "), "{}", file.display());
    }
}

/// Reads a text as a condition of a model and gives the term that it stands for, over the variables of `system`.
fn read_back(pool: &mut TermPool, system: &System, declarations: &str, condition: &str) -> Term {
    let text = format!("{declarations}\nerror {condition}\n");
    let again = load(pool, "again.gcl", &text, &[]).unwrap_or_else(|_| panic!("{text}"));
    let mut renamed = Substitution::new();
    for (old, new) in system.variables.iter().zip(&again.variables) {
        assert_eq!(old.name, new.name);
        renamed.insert(new.term, old.term);
    }
    let what = format!("`error {condition}` holds");
    let error = again.errors.iter().find(|error| error.what == what).unwrap_or_else(|| panic!("{what}"));
    renamed.apply(pool, error.term)
}

/// True if two conditions have the same truth in many states.
fn agree(pool: &TermPool, system: &System, one: Term, other: Term) -> bool {
    // Numbers that jump about in -4..=4 (or among the names), the same ones every time.
    let mut seed = 1u64;
    let mut next = move |count: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % count
    };
    (0..500).all(|_| {
        let mut model = Model::new();
        for variable in &system.variables {
            let value = match &variable.domain {
                Domain::Bool => Value::Bool(next(2) == 1),
                Domain::Int | Domain::Range(..) => Value::Int((next(9) as i64 - 4).into()),
                Domain::Enumeration(codes) => Value::Int(codes[next(codes.len() as u64) as usize].into()),
            };
            model.insert(variable.term, value);
        }
        evaluate(pool, one, &model) == evaluate(pool, other, &model)
    })
}

#[test]
fn formulas_are_read_back_as_they_were() {
    for file in examples() {
        let text = std::fs::read_to_string(&file).unwrap();
        let (system, mut pool) = system(&text, &[]);
        let errors = system.errors.iter().map(|error| error.term);
        let conditions = system.transitions.iter().map(|transition| transition.guard).chain(errors);
        for condition in conditions.chain([system.init_conditions]) {
            let shown = Formulas::new(&system).show(&pool, condition);
            let found = read_back(&mut pool, &system, &text, &shown);
            assert!(agree(&pool, &system, found, condition), "{}: {shown}", file.display());
        }
    }
}

#[test]
fn formulas_are_easy_to_read() {
    let declarations =
        "var x: int\nvar y: int\nvar b: bool\nvar c: bool\nvar e: {one, two, three}\nvar f: {two}\n";
    for (written, shown) in [
        ("not (x - y >= 0)", "x < y"),
        ("x + 3 <= y", "x + 3 <= y"),
        ("x - 3 <= y", "x <= y + 3"),
        ("0 < x", "x >= 1"),
        ("-x >= 4", "x <= -4"),
        ("2 * x - 3 * y = 5", "2 * x = 3 * y + 5"),
        ("not (b and (c or x = 1))", "not b or not c and x != 1"),
        ("(b or c) and x = 1", "(b or c) and x = 1"),
        ("b <=> not c", "b <=> not c"),
        ("(b <=> c) and b", "b and (b <=> c)"),
        ("e != two and f = e", "e != two and e = f"),
        ("e = if b then one else three", "e = (if b then one else three)"),
        ("(if b then x else y) > 0", "(if b then x else y) >= 1"),
        ("3 * (x mod 4) + x div 2 = 5 * (y + 1)", "5 * y + 5 = 3 * (x mod 4) + x div 2"),
        ("(x + y) mod 7 = 1", "(x + y) mod 7 = 1"),
    ] {
        let (system, mut pool) = system(&format!("{declarations}error {written}"), &[]);
        let condition = system.errors[0].term;
        let found = Formulas::new(&system).show(&pool, condition);
        assert_eq!(found, shown, "{written}");
        let again = read_back(&mut pool, &system, declarations, &found);
        assert!(agree(&pool, &system, again, condition), "{written}");
    }
    // Forty levels of a term that occurs twice in the next one would be a trillion copies.
    let mut pool = TermPool::new();
    let system = load(&mut pool, "m.gcl", &format!("{declarations}safe true"), &[]).unwrap();
    let mut term = system.variables[0].term;
    for _ in 0..40 {
        let (b, y) = (system.variables[2].term, system.variables[1].term);
        let sum = pool.num_add(term, y);
        term = pool.apply_raw(Op::Ite, &[b, term, sum]);
    }
    let shown = Formulas::new(&system).show(&pool, term);
    assert!(shown.ends_with('…') && shown.len() < 110_000, "{}", shown.len());
}

#[test]
fn conjunctions_keep_the_tightest_bounds() {
    let declarations = "var x: int\nvar y: int\nvar b: bool\nvar e: {one, two}\n";
    for (written, shown) in [
        ("x <= 5 and x <= 3 and b and x >= 0 and e = two", "b and e = two and x >= 0 and x <= 3"),
        ("x <= y + 2 and x <= y + 1 and not (x < y) and x != y + 1", "x = y"),
        ("x != 0 and x >= 0 and x != 7 and x != 5 and x <= 7", "x >= 1 and x <= 6 and x != 5"),
        ("2 * x <= 7 and 2 * x + 2 * y > 1", "x <= 3 and x + y >= 1"),
        ("x - y <= 4 and 2 * y - 2 * x <= 1", "y <= x and x <= y + 4"),
        ("not (b or x > 2 or y mod 3 = 1)", "not b and x <= 2 and y mod 3 != 1"),
        ("b or x = 1", "(b or x = 1)"),
        ("x >= 3 and x <= 1", "x >= 3 and x <= 1"),
        ("x = 1 and x != 1", "false"),
        ("true", "true"),
    ] {
        let (system, mut pool) = system(&format!("{declarations}error {written}"), &[]);
        let condition = system.errors[0].term;
        let found = Formulas::new(&system).show_conjunction(&pool, condition);
        assert_eq!(found, shown, "{written}");
        let again = read_back(&mut pool, &system, declarations, &found);
        assert!(agree(&pool, &system, again, condition), "{written}");
    }
}
