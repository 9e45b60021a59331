//! Random programs with arrays: if one of them can fail, its abstraction to single cells can, too.

#![allow(clippy::unwrap_used)]

#[path = "common/random.rs"]
mod random;

use aster_cfa::testing::Sketch;
use aster_cfa::{Label, Node, Op, Program, Var};
use aster_engines::cells;
use aster_term::{BitVec, Model, Sort, Term, TermPool, Value, evaluate};
use random::Random;
use std::collections::HashSet;

/// The width of variables and indices.
const WIDTH: u32 = 2;
const ARRAY: Sort = Sort::Array { index: WIDTH, element: 1 };
/// Where no failure was found among so many states, none is said to be there.
const MAX_STATES: usize = 60_000;

struct Variables {
    numbers: [Var; 2],
    arrays: [Var; 2],
}

/// An index: a variable, or one more.
fn index(sketch: &mut Sketch, random: &mut Random, variables: &Variables) -> Term {
    let variable = sketch.term(variables.numbers[random.below(2) as usize]);
    let number = sketch.pool.bv(WIDTH, u128::from(random.below(3)));
    match random.below(3) {
        0 => sketch.pool.add(variable, number),
        _ => variable,
    }
}

fn read(sketch: &mut Sketch, random: &mut Random, variables: &Variables) -> Term {
    let array = sketch.term(variables.arrays[random.below(2) as usize]);
    let index = index(sketch, random, variables);
    let once = sketch.pool.select(array, index);
    if random.below(5) > 0 {
        return once;
    }
    let other = sketch.term(variables.arrays[random.below(2) as usize]);
    let index = sketch.pool.zero_extend_to(WIDTH, once);
    sketch.pool.select(other, index)
}

/// Changes something; gives where the path goes on.
fn change(sketch: &mut Sketch, random: &mut Random, variables: &Variables, at: Node) -> Node {
    let array = variables.arrays[random.below(2) as usize];
    let term = sketch.term(array);
    match random.below(9) {
        8 => sketch.havoc(at, array, 1),
        0 => {
            let bit = sketch.pool.bv(1, u128::from(random.below(2)));
            let everywhere = sketch.pool.const_array(WIDTH, bit);
            sketch.assign(at, array, everywhere, 1)
        }
        1 => sketch.havoc(at, variables.numbers[random.below(2) as usize], 1),
        2 | 3 => {
            let variable = variables.numbers[random.below(2) as usize];
            let (term, one) = (sketch.term(variable), sketch.pool.bv(WIDTH, 1));
            let next = sketch.pool.add(term, one);
            sketch.assign(at, variable, next, 1)
        }
        4 => {
            let (first, second) = (index(sketch, random, variables), index(sketch, random, variables));
            let (bit, other) = (sketch.pool.bv(1, 1), read(sketch, random, variables));
            let once = sketch.pool.store(term, first, bit);
            let twice = sketch.pool.store(once, second, other);
            sketch.assign(at, array, twice, 1)
        }
        _ => {
            let index = index(sketch, random, variables);
            let value = match random.below(2) {
                0 => sketch.pool.bv(1, u128::from(random.below(2))),
                _ => read(sketch, random, variables),
            };
            let written = sketch.pool.store(term, index, value);
            sketch.assign(at, array, written, 1)
        }
    }
}

/// Some blocks that go to each other, one of which is an error.
fn program(seed: u64) -> (Program, TermPool) {
    let mut random = Random(seed);
    let mut sketch = Sketch::new("int main(void);");
    let main = sketch.procedure("main");
    let numbers = ["x", "y"].map(|name| sketch.variable(None, name, Sort::BitVec(WIDTH), None));
    let arrays = ["a", "b"].map(|name| sketch.variable(None, name, ARRAY, None));
    let variables = Variables { numbers, arrays };
    let mut at = sketch.entry(main);
    for variable in variables.numbers {
        let start = sketch.pool.bv(WIDTH, u128::from(random.below(4)));
        at = sketch.assign(at, variable, start, 1);
    }
    for array in variables.arrays {
        let bit = sketch.pool.bv(1, u128::from(random.below(2)));
        let start = sketch.pool.const_array(WIDTH, bit);
        at = sketch.assign(at, array, start, 1);
    }
    let blocks: Vec<Node> = (0..6).map(|_| sketch.node(main)).collect();
    sketch.go(at, blocks[0], 1);
    sketch.error(blocks[5], 1);
    for &block in &blocks[..5] {
        let target = |random: &mut Random| match random.below(9) {
            0 => blocks[5],
            n => blocks[n as usize % 5],
        };
        if random.below(2) == 0 {
            let after = change(&mut sketch, &mut random, &variables, block);
            sketch.go(after, target(&mut random), 1);
        } else {
            let (bit, one) = (read(&mut sketch, &mut random, &variables), sketch.pool.bv(1, 1));
            let condition = match random.below(3) {
                0 => {
                    let [x, y] = variables.numbers.map(|variable| sketch.term(variable));
                    sketch.pool.ult(x, y)
                }
                _ => sketch.pool.eq(bit, one),
            };
            let (holds, fails) = sketch.branch(block, condition, 1);
            let holds = change(&mut sketch, &mut random, &variables, holds);
            sketch.go(holds, target(&mut random), 1);
            sketch.go(fails, target(&mut random), 1);
        }
    }
    sketch.finish(main)
}

/// Numbers that tell values apart.
fn key(value: &Value) -> Vec<u128> {
    match value {
        Value::BitVec(bits) => vec![bits.unsigned()],
        Value::Array(array) => {
            (0..1 << WIDTH).map(|index| array.select(BitVec::new(WIDTH, index)).unsigned()).collect()
        }
        other => panic!("{other:?} is not in these programs"),
    }
}

/// All values of a sort.
fn all_values(sort: Sort) -> Vec<Value> {
    match sort.width() {
        Some(width) => (0..1 << width).map(|bits| Value::BitVec(BitVec::new(width, bits))).collect(),
        None => (0..1u128 << (1 << WIDTH))
            .map(|bits| {
                let Some(Value::Array(mut array)) = Value::default_of(ARRAY) else { panic!("{sort:?}") };
                for index in 0..1 << WIDTH {
                    array = array.store(BitVec::new(WIDTH, index), BitVec::new(1, bits >> index & 1));
                }
                Value::Array(array)
            })
            .collect(),
    }
}

/// Whether an error can be reached, by looking at all states; `None` if there are too many.
fn can_fail(program: &Program, pool: &TermPool) -> Option<bool> {
    let variables: Vec<Var> = program.variables().collect();
    let slot = |variable: Var| variables.iter().position(|&other| other == variable).unwrap();
    let start: Vec<Value> = variables
        .iter()
        .map(|&variable| Value::default_of(program.variable(variable).sort).unwrap())
        .collect();
    let mut seen: HashSet<(Node, Vec<u128>)> = HashSet::new();
    let mut stack = vec![(program.procedure(program.entry).entry, start)];
    while let Some((node, values)) = stack.pop() {
        if !seen.insert((node, values.iter().flat_map(key).collect())) {
            continue;
        }
        if program.node(node).error.is_some() {
            return Some(true);
        }
        if seen.len() > MAX_STATES {
            return None;
        }
        let mut model = Model::new();
        for (&variable, value) in variables.iter().zip(&values) {
            model.insert(program.variable(variable).term, value.clone());
        }
        for &edge in &program.node(node).outgoing {
            let info = program.edge(edge);
            match &info.label {
                Label::Op(Op::Assume(condition)) => {
                    if evaluate(pool, *condition, &model) == Value::Bool(true) {
                        stack.push((info.target, values.clone()));
                    }
                }
                Label::Op(Op::Assign(variable, term)) => {
                    let mut after = values.clone();
                    after[slot(*variable)] = evaluate(pool, *term, &model);
                    stack.push((info.target, after));
                }
                Label::Op(Op::Havoc(variable, _)) => {
                    for value in all_values(program.variable(*variable).sort) {
                        let mut after = values.clone();
                        after[slot(*variable)] = value;
                        stack.push((info.target, after));
                    }
                }
                other => panic!("{other:?} is not in these programs"),
            }
        }
    }
    Some(false)
}

#[test]
fn what_can_fail_can_fail_with_single_cells() {
    let (mut failing, mut proved) = (0, 0);
    for seed in 0..120 {
        let (sample, mut pool) = program(seed);
        assert!(sample.validate(&pool).is_empty());
        let Some(abstraction) = cells::abstraction(&sample, &mut pool) else { continue };
        let violations = abstraction.validate(&pool);
        assert!(violations.is_empty(), "seed {seed}: {violations:?}");
        let Some(expected) = can_fail(&sample, &pool) else { continue };
        let found = can_fail(&abstraction, &pool);
        assert!(!expected || found != Some(false), "seed {seed}: the error was lost");
        failing += usize::from(expected && found == Some(true));
        proved += usize::from(found == Some(false));
    }
    assert!(failing > 20 && proved > 10, "{failing} {proved}");
}

/// A statement about one array.
enum Statement {
    /// All elements become this bit.
    Fill(u128),
    /// Elements are written one after the other, in one assignment.
    Write(&'static [(u128, u128)]),
    /// All elements become any bit.
    Havoc,
    /// The flag becomes an element.
    Flag(u128),
    /// The flag becomes an element, or zero if it was one.
    FlagUnlessSet(u128),
    /// An element is read.
    Read(u128),
}

/// A loop that fills an array with zeros, some statements, and an error if the flag has a value in the end.
fn straight(statements: &[Statement], error_if: u128) -> (Program, TermPool) {
    let mut sketch = Sketch::new("int main(void);");
    let main = sketch.procedure("main");
    let x = sketch.variable(None, "x", Sort::BitVec(WIDTH), None);
    let bits = ["flag", "other"].map(|name| sketch.variable(None, name, Sort::BitVec(1), None));
    let array = sketch.variable(None, "a", ARRAY, None);
    let bit = |sketch: &mut Sketch, value: u128| sketch.pool.bv(1, value);
    let zero = bit(&mut sketch, 0);
    let start = sketch.pool.bv(WIDTH, 0);
    let mut at = sketch.entry(main);
    for flag in bits {
        at = sketch.assign(at, flag, zero, 1);
    }
    let zeros = sketch.pool.const_array(WIDTH, zero);
    at = sketch.assign(at, array, zeros, 1);
    at = sketch.assign(at, x, start, 1);
    let head = sketch.node(main);
    sketch.go(at, head, 1);
    let (term, end, one) = (sketch.term(x), sketch.pool.bv(WIDTH, 3), sketch.pool.bv(WIDTH, 1));
    let condition = sketch.pool.ult(term, end);
    let (inside, mut at) = sketch.branch(head, condition, 1);
    let contents = sketch.term(array);
    let written = sketch.pool.store(contents, term, zero);
    let inside = sketch.assign(inside, array, written, 1);
    let next = sketch.pool.add(term, one);
    let inside = sketch.assign(inside, x, next, 1);
    sketch.go(inside, head, 1);
    for statement in statements {
        let read = |sketch: &mut Sketch, index: &u128| {
            let index = sketch.pool.bv(WIDTH, *index);
            sketch.pool.select(contents, index)
        };
        at = match statement {
            Statement::Fill(value) => {
                let value = bit(&mut sketch, *value);
                let filled = sketch.pool.const_array(WIDTH, value);
                sketch.assign(at, array, filled, 1)
            }
            Statement::Write(writes) => {
                let mut value = contents;
                for (position, &(index, element)) in writes.iter().enumerate() {
                    // The first one by way of the variable, which is 3, so that writes are not put together.
                    let index = if position == 0 {
                        let number = sketch.pool.bv(WIDTH, (index + 1) % 4);
                        sketch.pool.add(term, number)
                    } else {
                        sketch.pool.bv(WIDTH, index)
                    };
                    let element = bit(&mut sketch, element);
                    value = sketch.pool.store(value, index, element);
                }
                sketch.assign(at, array, value, 1)
            }
            Statement::Havoc => sketch.havoc(at, array, 1),
            Statement::FlagUnlessSet(index) => {
                let (element, flag) = (read(&mut sketch, index), sketch.term(bits[0]));
                let unset = sketch.pool.bvnot(flag);
                let both = sketch.pool.bvand(element, unset);
                sketch.assign(at, bits[0], both, 1)
            }
            Statement::Flag(index) => {
                let element = read(&mut sketch, index);
                sketch.assign(at, bits[0], element, 1)
            }
            Statement::Read(index) => {
                let element = read(&mut sketch, index);
                sketch.assign(at, bits[1], element, 1)
            }
        };
    }
    let (flag, value) = (sketch.term(bits[0]), bit(&mut sketch, error_if));
    let fails = sketch.pool.eq(flag, value);
    let (error, _) = sketch.branch(at, fails, 1);
    let target = sketch.node(main);
    sketch.error(target, 1);
    sketch.go(error, target, 1);
    sketch.finish(main)
}

/// What is read at an index that is not the chosen one is what was written there last, as long as nothing else was
/// accessed.
#[test]
fn what_was_accessed_last_is_remembered() {
    use Statement::{Fill, Flag, FlagUnlessSet, Havoc, Read, Write};
    // In the end index 1 is read, so it is the chosen one; the flag comes from index 0. Something that is read twice lets
    // there be something to remember.
    let samples: [(&[Statement], u128); 7] = [
        (&[Write(&[(0, 1)]), Flag(0), Read(2), Read(2), Read(1)], 1),
        (&[Write(&[(0, 0)]), Fill(1), Flag(0), Read(2), Read(2), Read(1)], 1),
        (&[Write(&[(0, 1), (0, 0)]), Flag(0)], 0),
        (&[Write(&[(0, 1), (0, 0)]), Flag(0), Read(2), Read(2), Read(1)], 0),
        (&[Flag(0), Write(&[(0, 1)]), FlagUnlessSet(0), Read(2), Read(2), Read(1)], 1),
        (&[Flag(0), Havoc, FlagUnlessSet(0), Read(2), Read(2), Read(1)], 1),
        (&[Havoc, Flag(0)], 1),
    ];
    for (number, (statements, error_if)) in samples.iter().enumerate() {
        let (program, mut pool) = straight(statements, *error_if);
        assert_eq!(can_fail(&program, &pool), Some(true), "sample {number}");
        let abstraction = cells::abstraction(&program, &mut pool).unwrap();
        assert_eq!(can_fail(&abstraction, &pool), Some(true), "sample {number}");
    }
    // The same with the opposite value is safe, which the abstraction knows as far as it remembers the element.
    for (statements, error_if) in [
        (&[Write(&[(0, 1)]), Flag(0)] as &[Statement], 0),
        (&[Fill(1), Write(&[(1, 0)]), Read(0), Flag(0), Read(0)], 0),
    ] {
        let (program, mut pool) = straight(statements, error_if);
        assert_eq!(can_fail(&program, &pool), Some(false));
        let abstraction = cells::abstraction(&program, &mut pool).unwrap();
        assert_eq!(can_fail(&abstraction, &pool), Some(false));
    }
}

/// No write can be seen where an array is what a call returns.
#[test]
fn an_array_that_a_call_gives_is_kept_whole() {
    for is_called in [false, true] {
        let mut sketch = Sketch::new("int main(void);");
        let (main, make) = (sketch.procedure("main"), sketch.procedure("make"));
        let x = sketch.variable(None, "x", Sort::BitVec(WIDTH), None);
        let array = sketch.variable(None, "a", ARRAY, None);
        let mut head = sketch.entry(main);
        if is_called {
            head = sketch.call(head, make, &[], Some(array), 1);
        }
        let (contents, index) = (sketch.term(array), sketch.term(x));
        let (element, one) = (sketch.pool.select(contents, index), sketch.pool.bv(1, 1));
        let condition = sketch.pool.eq(element, one);
        let (inside, outside) = sketch.branch(head, condition, 1);
        let inside = sketch.havoc(inside, x, 1);
        sketch.go(inside, head, 1);
        sketch.error(outside, 1);
        let (program, mut pool) = sketch.finish(main);
        assert_eq!(cells::abstraction(&program, &mut pool).is_none(), is_called);
    }
}
