//! How symbolic execution scales with the size of memory. `cargo bench -p aster-engines`
//!
//! One array is memory, and all addresses are literals on the path, as in a C program that does not index by
//! inputs. Costs per access should grow with the logarithm of the number of cells that were written, and the
//! cost of a fork not at all.

use aster_cfa::testing::Sketch;
use aster_cfa::{Node, Procedure, Program, Var};
use aster_engines::symexec::{self, Options, Search};
use aster_engines::{Budget, Outcome, Statistics};
use aster_smt::{Config, assemble};
use aster_term::{Sort, Term, TermPool};
use std::time::{Duration, Instant};

const SIZES: [u64; 4] = [100, 1_000, 10_000, 100_000];

/// Accesses of each measured loop.
const ACCESSES: u64 = 200_000;

/// Reads at unknown addresses of each measurement.
const UNKNOWN_READS: u64 = 10;

/// The most cells for reads at unknown addresses: the solver needs seconds for more.
const MAX_UNKNOWN: u64 = 1_000;

/// Forks of each measurement; each needs one query.
const FORKS: u64 = 12;

struct Bench {
    sketch: Sketch,
    main: Procedure,
    memory: Var,
    counter: Var,
    value: Var,
}

impl Bench {
    /// A program that starts with memory of zeros.
    fn new() -> (Self, Node) {
        let mut sketch = Sketch::new("");
        let main = sketch.procedure("main");
        let sort = Sort::Array { index: 32, element: 32 };
        let memory = sketch.variable(None, "memory", sort, None);
        let (counter, value) = (sketch.int(Some(main), "counter"), sketch.int(Some(main), "value"));
        let zero = sketch.number(0);
        let zeros = sketch.pool.const_array(32, zero);
        let start = sketch.assign(sketch.entry(main), memory, zeros, 1);
        let start = sketch.assign(start, value, zero, 1);
        (Bench { sketch, main, memory, counter, value }, start)
    }

    /// `for (counter = 0; counter < count; counter++) body`, where the body is one edge.
    fn repeat(&mut self, at: Node, count: u64, body: impl FnOnce(&mut Self, Node) -> Node) -> Node {
        let zero = self.sketch.number(0);
        let head = self.sketch.assign(at, self.counter, zero, 1);
        let less = self.sketch.less(self.counter, i128::from(count));
        let (inside, after) = self.sketch.branch(head, less, 1);
        let end = body(self, inside);
        let next = self.sketch.plus(self.counter, 1);
        let end = self.sketch.assign(end, self.counter, next, 1);
        self.sketch.go(end, head, 1);
        after
    }

    /// A cell that jumps around among the first `size` ones.
    fn scattered(&mut self, size: u64) -> Term {
        let counter = self.sketch.term(self.counter);
        let (factor, size) = (self.sketch.number(7919), self.sketch.number(i128::from(size)));
        let product = self.sketch.pool.mul(counter, factor);
        self.sketch.pool.urem(product, size)
    }

    fn fill(&mut self, at: Node, size: u64) -> Node {
        self.repeat(at, size, |bench, at| {
            let counter = bench.sketch.term(bench.counter);
            bench.write(at, counter)
        })
    }

    fn write(&mut self, at: Node, index: Term) -> Node {
        let (memory, counter) = (self.sketch.term(self.memory), self.sketch.term(self.counter));
        let stored = self.sketch.pool.store(memory, index, counter);
        self.sketch.assign(at, self.memory, stored, 1)
    }

    fn read(&mut self, at: Node, index: Term) -> Node {
        let memory = self.sketch.term(self.memory);
        let read = self.sketch.pool.select(memory, index);
        self.sketch.assign(at, self.value, read, 1)
    }

    /// An error that cannot be reached, so that nothing before it is left out.
    fn run(mut self, at: Node) -> (Duration, Statistics) {
        let impossible = self.sketch.less(self.value, i128::from(i32::MIN) + 1);
        let (bad, fine) = self.sketch.branch(at, impossible, 1);
        self.sketch.error(bad, 1);
        self.sketch.go(fine, self.sketch.exit(self.main), 1);
        let (program, pool) = self.sketch.finish(self.main);
        explore(&program, pool)
    }
}

fn explore(program: &Program, mut pool: TermPool) -> (Duration, Statistics) {
    let budget = Budget::new();
    let mut solver =
        assemble(&Config::default(), &budget.interrupt()).expect("the native solver needs nothing");
    let mut statistics = Statistics::default();
    let options = Options { search: Search::Dfs, ..Options::default() };
    let start = Instant::now();
    let outcome = symexec::run(program, &mut pool, &mut *solver, options, &budget, &mut statistics);
    let time = start.elapsed();
    assert_eq!(outcome, Outcome::Safe);
    (time, statistics)
}

/// Time of a loop without accesses, of one that reads, and of one that writes, in memory of this size; each
/// loop comes after memory was filled.
fn loops(size: u64) -> [Duration; 4] {
    let (mut bench, at) = Bench::new();
    let at = bench.fill(at, size);
    let filled = bench.run(at).0;
    let measure = |body: fn(&mut Bench, Node, Term) -> Node| {
        let (mut bench, at) = Bench::new();
        let at = bench.fill(at, size);
        let at = bench.repeat(at, ACCESSES, |bench, at| {
            let index = bench.scattered(size);
            body(bench, at, index)
        });
        bench.run(at).0.saturating_sub(filled)
    };
    let empty = measure(|bench, at, index| bench.sketch.assign(at, bench.value, index, 1));
    [filled, empty, measure(Bench::read), measure(Bench::write)]
}

/// `if (input() < 0) memory[0] = 1;` several times in a row, in memory of this size: the states double.
fn forks(size: u64) -> (Duration, u64) {
    let (mut bench, at) = Bench::new();
    let mut at = bench.fill(at, size);
    for _ in 0..FORKS {
        at = bench.sketch.havoc(at, bench.value, 1);
        let negative = bench.sketch.less(bench.value, 0);
        let (then, otherwise) = bench.sketch.branch(at, negative, 1);
        let zero = bench.sketch.number(0);
        let then = bench.write(then, zero);
        bench.sketch.go(then, otherwise, 1);
        at = otherwise;
    }
    let zero = bench.sketch.number(0);
    let at = bench.sketch.assign(at, bench.value, zero, 1);
    let (time, statistics) = bench.run(at);
    (time, statistics.forks)
}

/// `i = input(); assume(i < size); if (memory[i] < size / 2) ...` several times in a row: one path, as the other side
/// ends at once, with reads at addresses that are not known.
fn unknown_reads(size: u64) -> Duration {
    let (mut bench, at) = Bench::new();
    let mut at = bench.fill(at, size);
    let index = bench.sketch.int(Some(bench.main), "index");
    let bound = bench.sketch.number(i128::from(size));
    for _ in 0..UNKNOWN_READS {
        at = bench.sketch.havoc(at, index, 1);
        let i = bench.sketch.term(index);
        let inside = bench.sketch.pool.ult(i, bound);
        at = bench.sketch.assume(at, inside, 1);
        at = bench.read(at, i);
        let low = bench.sketch.less(bench.value, i128::from(size / 2));
        let (then, otherwise) = bench.sketch.branch(at, low, 1);
        let impossible = bench.sketch.less(bench.value, -1);
        let otherwise = bench.sketch.assume(otherwise, impossible, 1);
        bench.sketch.error(otherwise, 1);
        at = then;
    }
    let zero = bench.sketch.number(0);
    let at = bench.sketch.assign(at, bench.value, zero, 1);
    bench.run(at).0
}

fn main() {
    println!(
        "{:>8} {:>12} {:>14} {:>12} {:>12} {:>12} {:>16}",
        "cells", "fill/cell", "no access", "read", "write", "fork", "unknown read"
    );
    for size in SIZES {
        let [filled, empty, read, write] = loops(size);
        let (time, forks) = forks(size);
        let each = |time: Duration, count: u64| format!("{} ns", time.as_nanos() / u128::from(count.max(1)));
        println!(
            "{size:>8} {:>12} {:>14} {:>12} {:>12} {:>12} {:>16}",
            each(filled, size),
            each(empty, ACCESSES),
            each(read.saturating_sub(empty), ACCESSES),
            each(write.saturating_sub(empty), ACCESSES),
            each(time.saturating_sub(filled), forks),
            each(unknown_reads(size.min(MAX_UNKNOWN)).saturating_sub(filled), UNKNOWN_READS),
        );
    }
}
