//! Random straight-line programs over arrays and numbers: for given inputs, symbolic execution and the interpreter
//! agree on what the variables hold at the end.

#[path = "common/random.rs"]
mod random;

use aster_cfa::interpreter::{Interpreter, RunEvent, RunLimits, ValueRef, Watcher};
use aster_cfa::testing::Sketch;
use aster_cfa::{Node, Procedure, Var};
use aster_engines::symexec::{self, Options, Search};
use aster_engines::{Budget, Outcome, Statistics};
use aster_smt::NativeSolver;
use aster_term::{BitVec, Sort, Term, Value};
use random::Random;

const MEMORY: Sort = Sort::Array { index: 8, element: 8 };
const BYTE: Sort = Sort::BitVec(8);

/// A program under construction: two arrays, inputs, and numbers that are computed from literals at first.
struct Generator {
    sketch: Sketch,
    random: Random,
    main: Procedure,
    arrays: [Var; 2],
    numbers: [Var; 4],
}

impl Generator {
    fn number(&mut self, depth: u32) -> Term {
        let choice = if depth == 0 { self.random.below(2) } else { self.random.below(7) };
        match choice {
            0 => {
                // Few different ones, so that indices meet.
                let value = u128::from(self.random.below(6));
                self.sketch.pool.bv(8, value)
            }
            1 => {
                let variable = self.numbers[self.random.below(4) as usize];
                self.sketch.term(variable)
            }
            2 => {
                let condition = self.condition(depth - 1);
                let (a, b) = (self.number(depth - 1), self.number(depth - 1));
                self.sketch.pool.ite(condition, a, b)
            }
            3 => {
                let (a, b) = (self.number(depth - 1), self.number(depth - 1));
                if self.random.below(2) == 0 {
                    self.sketch.pool.add(a, b)
                } else {
                    self.sketch.pool.mul(a, b)
                }
            }
            _ => {
                let (array, index) = (self.array(depth - 1), self.number(depth - 1));
                self.sketch.pool.select(array, index)
            }
        }
    }

    fn condition(&mut self, depth: u32) -> Term {
        if depth > 0 && self.random.below(8) == 0 {
            let (a, b) = (self.array(depth - 1), self.array(depth - 1));
            return self.sketch.pool.eq(a, b);
        }
        let (a, b) = (self.number(depth), self.number(depth));
        self.sketch.pool.ult(a, b)
    }

    fn array(&mut self, depth: u32) -> Term {
        let choice = if depth == 0 { 0 } else { self.random.below(8) };
        match choice {
            0..3 => {
                let variable = self.arrays[self.random.below(2) as usize];
                self.sketch.term(variable)
            }
            3 => {
                let condition = self.condition(depth - 1);
                let (a, b) = (self.array(depth - 1), self.array(depth - 1));
                self.sketch.pool.ite(condition, a, b)
            }
            4 => {
                let element = self.number(depth - 1);
                self.sketch.pool.const_array(8, element)
            }
            _ => {
                let array = self.array(depth - 1);
                let (index, element) = (self.number(depth - 1), self.number(depth - 1));
                self.sketch.pool.store(array, index, element)
            }
        }
    }

    fn statement(&mut self, at: Node) -> Node {
        if self.random.below(2) == 0 {
            let target = self.arrays[self.random.below(2) as usize];
            let value = self.array(3);
            self.sketch.assign(at, target, value, 1)
        } else {
            let target = self.numbers[self.random.below(4) as usize];
            let value = self.number(3);
            self.sketch.assign(at, target, value, 1)
        }
    }
}

/// The last value of one variable.
struct Last(Var, Option<u128>);

impl Watcher for Last {
    fn on(&mut self, event: RunEvent<'_>) {
        if let RunEvent::Assigned { variable, value: ValueRef::BitVec(bits), .. } = event
            && variable == self.0
        {
            self.1 = Some(bits.unsigned());
        }
    }
}

/// Builds the program of a seed. With `expected`, it ends in an error unless the last read gives that value.
fn program(seed: u64, inputs: [u128; 3], expected: Option<u128>) -> (Generator, Var) {
    let mut sketch = Sketch::new("");
    let main = sketch.procedure("main");
    let arrays = ["m", "n"].map(|name| sketch.variable(None, name, MEMORY, None));
    let numbers = ["a", "b", "x", "y"].map(|name| sketch.variable(Some(main), name, BYTE, None));
    let checksum = sketch.variable(Some(main), "checksum", BYTE, None);
    let mut at = sketch.entry(main);
    let zero = sketch.pool.bv(8, 0);
    let zeros = sketch.pool.const_array(8, zero);
    at = sketch.assign(at, arrays[0], zeros, 1);
    at = sketch.havoc(at, arrays[1], 1);
    let mut known = sketch.pool.bool(true);
    for (&variable, value) in numbers[..2].iter().zip(inputs) {
        at = sketch.havoc(at, variable, 1);
        // A copy that the program does not change, to be compared with the chosen input in the end.
        let copy = sketch.variable(Some(main), "copy", BYTE, None);
        let term = sketch.term(variable);
        at = sketch.assign(at, copy, term, 1);
        let (copy, value) = (sketch.term(copy), sketch.pool.bv(8, value));
        let equal = sketch.pool.eq(copy, value);
        known = sketch.pool.and(known, equal);
    }
    // All of the array that is an input is known in the end.
    let whole = sketch.variable(Some(main), "whole", MEMORY, None);
    let second = sketch.term(arrays[1]);
    at = sketch.assign(at, whole, second, 1);
    let filler = sketch.pool.bv(8, inputs[2]);
    let constant = sketch.pool.const_array(8, filler);
    let whole = sketch.term(whole);
    let equal = sketch.pool.eq(whole, constant);
    known = sketch.pool.and(known, equal);
    for &variable in &numbers[2..] {
        at = sketch.assign(at, variable, zero, 1);
    }
    let mut generator = Generator { sketch, random: Random(seed), main, arrays, numbers };
    for _ in 0..12 {
        at = generator.statement(at);
    }
    let mut sum = generator.number(3);
    for _ in 0..3 {
        let next = generator.number(3);
        sum = generator.sketch.pool.add(sum, next);
    }
    let Generator { sketch, main, .. } = &mut generator;
    at = sketch.assign(at, checksum, sum, 1);
    if let Some(expected) = expected {
        at = sketch.assume(at, known, 1);
        let (checksum, expected) = (sketch.term(checksum), sketch.pool.bv(8, expected));
        let equal = sketch.pool.eq(checksum, expected);
        let (fine, bad) = sketch.branch(at, equal, 1);
        sketch.go(fine, sketch.exit(*main), 1);
        sketch.error(bad, 1);
    } else {
        sketch.go(at, sketch.exit(*main), 1);
    }
    (generator, checksum)
}

#[test]
fn symbolic_execution_computes_what_the_interpreter_does() {
    for seed in 0..200 {
        let mut random = Random(seed + 1000);
        let inputs = [0; 3].map(|_| u128::from(random.below(8)));
        let (generator, checksum) = program(seed, inputs, None);
        let (program_without_check, pool) = generator.sketch.finish(generator.main);
        let byte = |value| BitVec::new(8, value);
        let values = [
            Value::Array(aster_term::ArrayValue::constant(8, byte(inputs[2]))),
            Value::BitVec(byte(inputs[0])),
            Value::BitVec(byte(inputs[1])),
        ];
        let mut last = Last(checksum, None);
        Interpreter::new(&program_without_check, &pool).run(&values, RunLimits::default(), &mut last);
        let expected = last.1.expect("the checksum is computed");

        for (wanted, safe) in [(expected, true), (expected ^ 1, false)] {
            let (generator, _) = program(seed, inputs, Some(wanted));
            let (program, mut pool) = generator.sketch.finish(generator.main);
            assert!(program.validate(&pool).is_empty());
            let mut solver = NativeSolver::new(Budget::new().interrupt());
            let options = Options { search: Search::Dfs, ..Options::default() };
            let mut statistics = Statistics::default();
            let outcome =
                symexec::run(&program, &mut pool, &mut solver, options, &Budget::new(), &mut statistics);
            if safe {
                assert_eq!(outcome, Outcome::Safe, "seed {seed}");
            } else {
                let Outcome::Unsafe(found) = outcome else { panic!("seed {seed}: {outcome:?}") };
                assert_eq!(found.inputs, values, "seed {seed}");
            }
        }
    }
}
