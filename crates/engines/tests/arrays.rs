//! Variables of array sorts: reads, writes, inputs, and counterexamples with them.

use aster_cfa::interpreter::{End, Interpreter, RunLimits, Unwatched};
use aster_cfa::testing::Sketch;
use aster_cfa::{Node, Procedure, Program, Var};
use aster_engines::symexec::{self, Options, Search};
use aster_engines::{Budget, Outcome, Statistics};
use aster_smt::NativeSolver;
use aster_term::{Sort, Term, TermPool, Value};

const MEMORY: Sort = Sort::Array { index: 32, element: 8 };

fn explore(program: &Program, pool: &mut TermPool) -> (Outcome, Statistics) {
    assert!(program.validate(pool).is_empty());
    let budget = Budget::new();
    let mut solver = NativeSolver::new(budget.interrupt());
    let mut statistics = Statistics::default();
    let options = Options { search: Search::Dfs, ..Options::default() };
    let outcome = symexec::run(program, pool, &mut solver, options, &budget, &mut statistics);
    (outcome, statistics)
}

/// The inputs that were found, after a replay that reached the error.
fn confirmed(program: &Program, pool: &mut TermPool) -> Vec<Value> {
    let (Outcome::Unsafe(counterexample), _) = explore(program, pool) else {
        panic!("the error is reachable");
    };
    let mut interpreter = Interpreter::new(program, pool);
    let end = interpreter.run(&counterexample.inputs, RunLimits::default(), &mut Unwatched);
    assert!(matches!(end, End::Error { .. }), "{end:?}");
    counterexample.inputs
}

struct Bytes {
    sketch: Sketch,
    main: Procedure,
    memory: Var,
}

impl Bytes {
    fn new() -> Self {
        let mut sketch = Sketch::new("memory\nwrite\ncheck\n");
        let main = sketch.procedure("main");
        let memory = sketch.variable(None, "memory", MEMORY, None);
        Bytes { sketch, main, memory }
    }

    fn start(&self) -> Node {
        self.sketch.entry(self.main)
    }

    /// All bytes zero.
    fn zeros(&mut self, at: Node) -> Node {
        let zero = self.sketch.pool.bv(8, 0);
        let zeros = self.sketch.pool.const_array(32, zero);
        self.sketch.assign(at, self.memory, zeros, 1)
    }

    /// The four bytes at an address, least significant first.
    fn word(&mut self, address: Term) -> Term {
        let memory = self.sketch.term(self.memory);
        let pool = &mut self.sketch.pool;
        let bytes: Vec<Term> = (0..4)
            .map(|i| {
                let offset = pool.bv(32, i);
                let place = pool.add(address, offset);
                pool.select(memory, place)
            })
            .collect();
        bytes[1..].iter().fold(bytes[0], |low, &high| pool.concat(high, low))
    }

    /// Writes four bytes in one edge.
    fn write_word(&mut self, at: Node, address: Term, value: Term) -> Node {
        let mut memory = self.sketch.term(self.memory);
        let pool = &mut self.sketch.pool;
        for i in 0..4 {
            let offset = pool.bv(32, u128::from(i));
            let (place, byte) = (pool.add(address, offset), pool.extract(8 * i + 7, 8 * i, value));
            memory = pool.store(memory, place, byte);
        }
        self.sketch.assign(at, self.memory, memory, 2)
    }

    fn error_unless(&mut self, at: Node, condition: Term) {
        let (fine, bad) = self.sketch.branch(at, condition, 3);
        self.sketch.go(fine, self.sketch.exit(self.main), 3);
        self.sketch.error(bad, 3);
    }

    fn finish(self) -> (Program, TermPool) {
        self.sketch.finish(self.main)
    }
}

/// A word written through a pointer that is a literal on the path is read back whole, without a query.
#[test]
fn words_are_written_and_read_at_known_addresses() {
    let mut bytes = Bytes::new();
    let (pointer, x) = (bytes.sketch.int(Some(bytes.main), "p"), bytes.sketch.int(Some(bytes.main), "x"));
    let at = bytes.zeros(bytes.start());
    let address = bytes.sketch.number(4096);
    let at = bytes.sketch.assign(at, pointer, address, 1);
    let at = bytes.sketch.havoc(at, x, 1);
    let (pointer, x) = (bytes.sketch.term(pointer), bytes.sketch.term(x));
    let at = bytes.write_word(at, pointer, x);
    // Moves the word by eight bytes: the same array is read and written on one edge.
    let eight = bytes.sketch.number(8);
    let (word, target) = (bytes.word(pointer), bytes.sketch.pool.add(pointer, eight));
    let at = bytes.write_word(at, target, word);
    let moved = bytes.word(target);
    let same = bytes.sketch.pool.eq(moved, x);
    bytes.error_unless(at, same);
    let (program, mut pool) = bytes.finish();
    let (outcome, statistics) = explore(&program, &mut pool);
    assert_eq!((outcome, statistics.queries), (Outcome::Safe, 0));
}

/// `memory[i] = 1; memory[3] = 2;` and then `memory[i]` is 1 unless `i` is 3.
#[test]
fn unknown_addresses_may_meet_known_ones() {
    let mut bytes = Bytes::new();
    let i = bytes.sketch.int(Some(bytes.main), "i");
    let at = bytes.zeros(bytes.start());
    let at = bytes.sketch.havoc(at, i, 1);
    let (memory, i) = (bytes.sketch.term(bytes.memory), bytes.sketch.term(i));
    let pool = &mut bytes.sketch.pool;
    let (one, two, three) = (pool.bv(8, 1), pool.bv(8, 2), pool.bv(32, 3));
    let first = pool.store(memory, i, one);
    let second = pool.store(memory, three, two);
    let read = pool.select(memory, i);
    let unchanged = pool.eq(read, one);
    let at = bytes.sketch.assign(at, bytes.memory, first, 2);
    let at = bytes.sketch.assign(at, bytes.memory, second, 2);
    bytes.error_unless(at, unchanged);
    let (program, mut pool) = bytes.finish();
    let inputs = confirmed(&program, &mut pool);
    assert_eq!(inputs, [aster_cfa::testing::int_value(3)]);
}

/// An array as an input: the counterexample holds its contents, and replay takes them.
#[test]
fn arrays_can_be_inputs() {
    let mut bytes = Bytes::new();
    let at = bytes.sketch.havoc(bytes.start(), bytes.memory, 1);
    let address = bytes.sketch.number(100);
    let word = bytes.word(address);
    let secret = bytes.sketch.number(0x1234_5678);
    let equal = bytes.sketch.pool.eq(word, secret);
    let different = bytes.sketch.pool.not(equal);
    bytes.error_unless(at, different);
    let (program, mut pool) = bytes.finish();
    let inputs = confirmed(&program, &mut pool);
    let [Value::Array(array)] = inputs.as_slice() else { panic!("one array: {inputs:?}") };
    let contents: Vec<u128> =
        (100..104).map(|i| array.select(aster_term::BitVec::new(32, i)).unsigned()).collect();
    assert_eq!(contents, [0x78, 0x56, 0x34, 0x12]);
}

/// Branches on different cells of one input add up: a second one must not forget the first.
#[test]
fn conditions_on_one_array_are_kept_together() {
    let mut bytes = Bytes::new();
    let mut at = bytes.sketch.havoc(bytes.start(), bytes.memory, 1);
    let memory = bytes.sketch.term(bytes.memory);
    for (index, value) in [(7, 1), (9, 2), (7, 1)] {
        let pool = &mut bytes.sketch.pool;
        let (index, value) = (pool.bv(32, index), pool.bv(8, value));
        let read = pool.select(memory, index);
        let equal = pool.eq(read, value);
        let (yes, no) = bytes.sketch.branch(at, equal, 2);
        bytes.sketch.go(no, bytes.sketch.exit(bytes.main), 2);
        at = yes;
    }
    bytes.sketch.error(at, 3);
    let (program, mut pool) = bytes.finish();
    confirmed(&program, &mut pool);
}

/// The old value of an array is not lost where the array is written under a condition.
#[test]
fn an_array_is_written_or_left_as_it_is() {
    let mut bytes = Bytes::new();
    let c = bytes.sketch.int(Some(bytes.main), "c");
    let at = bytes.zeros(bytes.start());
    let at = bytes.sketch.havoc(at, c, 1);
    let small = bytes.sketch.less(c, 10);
    let memory = bytes.sketch.term(bytes.memory);
    let pool = &mut bytes.sketch.pool;
    let (five, six, place) = (pool.bv(8, 5), pool.bv(8, 6), pool.bv(32, 77));
    let with_five = pool.store(memory, place, five);
    let chosen = pool.ite(small, with_five, memory);
    let at = bytes.sketch.assign(at, bytes.memory, chosen, 2);
    let pool = &mut bytes.sketch.pool;
    let read = pool.select(memory, place);
    let below = pool.ult(read, six);
    let zero = pool.bv(8, 0);
    let is_five = pool.eq(read, five);
    let is_zero = pool.eq(read, zero);
    let expected = pool.ite(small, is_five, is_zero);
    let fine = pool.and(below, expected);
    bytes.error_unless(at, fine);
    let (program, mut pool) = bytes.finish();
    assert_eq!(explore(&program, &mut pool).0, Outcome::Safe);
}

/// Arrays as whole values: two that were written in another order are equal.
#[test]
fn arrays_are_compared_by_contents() {
    for (last, safe) in [(2u128, true), (3, false)] {
        let mut bytes = Bytes::new();
        let copy = bytes.sketch.variable(Some(bytes.main), "copy", MEMORY, None);
        let at = bytes.sketch.havoc(bytes.start(), bytes.memory, 1);
        let memory = bytes.sketch.term(bytes.memory);
        let at = bytes.sketch.assign(at, copy, memory, 1);
        let mut at = at;
        for (variable, index, value) in
            [(bytes.memory, 1, 1), (bytes.memory, 2, last), (copy, 2, 2), (copy, 1, 1)]
        {
            let old = bytes.sketch.term(variable);
            let pool = &mut bytes.sketch.pool;
            let (index, value) = (pool.bv(32, index), pool.bv(8, value));
            let new = pool.store(old, index, value);
            at = bytes.sketch.assign(at, variable, new, 2);
        }
        let copy = bytes.sketch.term(copy);
        let equal = bytes.sketch.pool.eq(memory, copy);
        bytes.error_unless(at, equal);
        let (program, mut pool) = bytes.finish();
        if safe {
            assert_eq!(explore(&program, &mut pool).0, Outcome::Safe);
        } else {
            confirmed(&program, &mut pool);
        }
    }
}
