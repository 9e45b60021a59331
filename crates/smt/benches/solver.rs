//! Compares the native solver, bare and with its layers, with z3 and Bitwuzla as processes, on the kinds of
//! queries that symbolic execution asks. `cargo bench -p aster-smt`
//!
//! Every solver gets the same questions in the same order; answers are compared.

#[path = "workloads/floats.rs"]
mod floats;

use aster_smt::{Answer, Backend, Config, Interrupt, Limits, assemble};
use aster_term::{FloatFormat, Sort, Term, TermPool};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A solver that needs longer than this for a workload is stopped.
const CAP: Duration = Duration::from_secs(60);

/// A solver to compare with.
struct Other {
    name: &'static str,
    /// Succeeds if the solver is there.
    probe: [&'static str; 3],
    /// Reads commands from standard input.
    command: &'static str,
}

const OTHERS: [Other; 2] = [
    Other { name: "z3", probe: ["z3", "--version", ""], command: "z3 -in" },
    // From its Python package, which has a parser but no program. One line is one command.
    Other {
        name: "bitwuzla",
        probe: ["python3", "-c", "import bitwuzla"],
        command: "python3 -c 'import sys, bitwuzla as b\n\
            options = b.Options()\n\
            options.set(b.Option.PRODUCE_MODELS, True)\n\
            options.set(b.Option.PRODUCE_UNSAT_ASSUMPTIONS, True)\n\
            parser = b.Parser(b.TermManager(), options)\n\
            for line in sys.stdin:\n    if line.strip(): parser.parse(line, False, False)'",
    },
];

impl Other {
    fn is_there(&self) -> bool {
        let [program, arguments @ ..] = self.probe;
        let mut command = Command::new(program);
        command.args(arguments.iter().filter(|argument| !argument.is_empty()));
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    }
}

/// A path through a program: at each branch both directions are asked for, and the path goes on in
/// the direction that the workload says.
struct Path {
    pool: TermPool,
    /// What is known before the branch, the condition, and whether the path follows it.
    branches: Vec<Branch>,
}

struct Branch {
    facts: Vec<Term>,
    condition: Term,
    follows: bool,
}

struct Workload {
    name: &'static str,
    build: fn() -> Path,
}

const WORKLOADS: [Workload; 19] = [
    Workload { name: "chain, 40 branches", build: || chain(40) },
    Workload { name: "chain, 400 branches", build: || chain(400) },
    Workload { name: "products, 16 bits", build: || products(16, 12) },
    Workload { name: "factors, 20 to 24 bits", build: factors },
    Workload { name: "array, 24 writes", build: || array(24) },
    Workload { name: "array, 96 writes", build: || array(96) },
    Workload { name: "float polynomial", build: floats::polynomial },
    Workload { name: "float sine", build: floats::sine },
    Workload { name: "float Newton step", build: floats::newton },
    Workload { name: "float filter", build: || floats::filter(FloatFormat::SINGLE, 4) },
    Workload { name: "float filter, double", build: || floats::filter(FloatFormat::DOUBLE, 3) },
    Workload { name: "float scaling, double", build: floats::scaling },
    Workload { name: "float sums", build: || floats::sums(FloatFormat::SINGLE, 6) },
    Workload { name: "float sums, double", build: || floats::sums(FloatFormat::DOUBLE, 6) },
    Workload { name: "float quotients", build: || floats::quotients(FloatFormat::SINGLE) },
    Workload { name: "float quotients, double", build: || floats::quotients(FloatFormat::DOUBLE) },
    Workload { name: "integers, 200 branches", build: || integer_chain(200) },
    Workload { name: "integers, 9 tasks", build: || schedule(9) },
    Workload { name: "integers, 40 sums", build: || sums(40) },
];

/// `x := x + input_i; if (x <s 1000)`, 32 bits; the path follows the true side.
fn chain(length: usize) -> Path {
    let mut pool = TermPool::new();
    let mut x = pool.variable("x", Sort::BitVec(32));
    let bound = pool.bv(32, 1000);
    let branches = (0..length)
        .map(|i| {
            let input = pool.variable(&format!("input{i}"), Sort::BitVec(32));
            x = pool.add(x, input);
            Branch { facts: Vec::new(), condition: pool.slt(x, bound), follows: true }
        })
        .collect();
    Path { pool, branches }
}

/// A checksum that multiplies inputs and branches on bits and ranges of the products.
fn products(width: u32, length: usize) -> Path {
    let mut pool = TermPool::new();
    let mut hash = pool.bv(width, 17);
    let mut branches = Vec::new();
    for i in 0..length {
        let (a, b) = (
            pool.variable(&format!("a{i}"), Sort::BitVec(width)),
            pool.variable(&format!("b{i}"), Sort::BitVec(width)),
        );
        let product = pool.mul(a, b);
        hash = pool.bvxor(hash, product);
        let limit = pool.bv(width, 1000 + 37 * i as u128);
        branches.push(Branch { facts: Vec::new(), condition: pool.ult(product, limit), follows: i % 3 != 0 });
        let low = pool.extract(7, 0, hash);
        let wanted = pool.bv(8, (29 * i as u128 + 5) % 256);
        branches.push(Branch { facts: Vec::new(), condition: pool.eq(low, wanted), follows: i % 2 == 0 });
        let (zero, sum) = (pool.bv(width, 0), pool.add(a, b));
        branches.push(Branch { facts: Vec::new(), condition: pool.eq(sum, zero), follows: false });
    }
    Path { pool, branches }
}

/// Is this number a product of two smaller ones? Numbers with two factors, and primes.
fn factors() -> Path {
    let mut pool = TermPool::new();
    let mut branches = Vec::new();
    let numbers: [(u32, u128); 6] = [
        (20, 1021 * 1019),
        (20, 1_048_573),
        (22, 2039 * 2029),
        (22, 4_194_301),
        (24, 4093 * 4091),
        (24, 3_999_971),
    ];
    for (i, &(width, number)) in numbers.iter().enumerate() {
        let half = width / 2;
        let (a, b) = (
            pool.variable(&format!("a{i}"), Sort::BitVec(half)),
            pool.variable(&format!("b{i}"), Sort::BitVec(half)),
        );
        let (wide_a, wide_b) = (pool.zero_extend_to(width, a), pool.zero_extend_to(width, b));
        let product = pool.mul(wide_a, wide_b);
        let number = pool.bv(width, number);
        let ordered = pool.ule(a, b);
        branches.push(Branch {
            facts: vec![ordered],
            condition: pool.eq(product, number),
            follows: i % 2 == 0,
        });
    }
    Path { pool, branches }
}

/// Bytes are written at and read from unknown places of a memory; both directions of each
/// comparison of what was read.
fn array(length: usize) -> Path {
    let mut pool = TermPool::new();
    let mut memory = pool.variable("memory", Sort::Array { index: 32, element: 8 });
    let size = pool.bv(32, 64);
    let branches = (0..length)
        .map(|i| {
            let (to, from) = (
                pool.variable(&format!("to{i}"), Sort::BitVec(32)),
                pool.variable(&format!("from{i}"), Sort::BitVec(32)),
            );
            let facts = vec![pool.ult(to, size), pool.ult(from, size)];
            let (read, step) = (pool.select(memory, from), pool.bv(8, 1 + (i % 5) as u128));
            let next = pool.add(read, step);
            memory = pool.store(memory, to, next);
            let (again, bound) = (pool.select(memory, from), pool.bv(8, 100));
            let condition = match i % 3 {
                0 => pool.ult(again, bound),
                1 => pool.eq(again, read),
                _ => pool.ult(read, again),
            };
            Branch { facts, condition, follows: i % 4 != 1 }
        })
        .collect();
    Path { pool, branches }
}

/// As [`chain`], over integers, and with remainders.
fn integer_chain(length: usize) -> Path {
    let mut pool = TermPool::new();
    let mut x = pool.variable("x", Sort::Int);
    let [bound, three, zero] = [1000, 3, 0].map(|n| pool.int(n));
    let mut branches = Vec::new();
    for i in 0..length {
        let input = pool.variable(&format!("input{i}"), Sort::Int);
        x = pool.num_add(x, input);
        branches.push(Branch { facts: Vec::new(), condition: pool.num_lt(x, bound), follows: true });
        if i % 8 == 0 {
            let remainder = pool.int_mod(x, three);
            branches.push(Branch {
                facts: Vec::new(),
                condition: pool.eq(remainder, zero),
                follows: i % 16 == 0,
            });
        }
    }
    Path { pool, branches }
}

/// Tasks that exclude each other: can they all be done in time? The time gets shorter.
fn schedule(tasks: usize) -> Path {
    let mut pool = TermPool::new();
    let zero = pool.int(0);
    let starts: Vec<Term> = (0..tasks).map(|i| pool.variable(&format!("start{i}"), Sort::Int)).collect();
    let ends: Vec<Term> = starts
        .iter()
        .enumerate()
        .map(|(i, &start)| {
            let duration = pool.int(2 + (i as i128 * 5) % 7);
            pool.num_add(start, duration)
        })
        .collect();
    let mut facts: Vec<Term> = starts.iter().map(|&start| pool.num_ge(start, zero)).collect();
    for i in 0..tasks {
        // Every third pair may overlap.
        for j in (i + 1..tasks).filter(|j| (i + j) % 3 != 0) {
            let (first, second) = (pool.num_le(ends[i], starts[j]), pool.num_le(ends[j], starts[i]));
            facts.push(pool.or(first, second));
        }
    }
    let mut branches = Vec::new();
    for limit in [60, 40, 35, 30, 25, 22, 20, 18, 16] {
        let limit = pool.int(limit);
        let in_time: Vec<Term> = ends.iter().map(|&end| pool.num_le(end, limit)).collect();
        let condition = pool.and_all(&in_time);
        branches.push(Branch { facts: std::mem::take(&mut facts), condition, follows: limit == zero });
    }
    Path { pool, branches }
}

/// Weighted sums of bounded unknowns that are or are not equal to a number.
fn sums(count: usize) -> Path {
    let mut pool = TermPool::new();
    let mut branches = Vec::new();
    let mut seed = 7u64;
    let mut random = move |bound: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i128::from((seed >> 33) % bound)
    };
    for i in 0..count {
        let mut facts = Vec::new();
        let mut sum = pool.int(0);
        for j in 0..5 {
            let unknown = pool.variable(&format!("x{}", (3 * i + j) % 20), Sort::Int);
            let (low, high) = (pool.int(0), pool.int(50));
            facts.extend([pool.num_le(low, unknown), pool.num_le(unknown, high)]);
            let weight = pool.int(12 + random(40));
            let product = pool.num_mul(unknown, weight);
            sum = pool.num_add(sum, product);
        }
        let (lower, upper) = (300 + random(400), 700 + random(2000));
        let (lower, upper) = (pool.int(lower), pool.int(upper));
        branches.push(Branch { facts, condition: pool.eq(sum, lower), follows: false });
        branches.push(Branch { facts: Vec::new(), condition: pool.num_le(sum, upper), follows: i % 2 == 0 });
    }
    Path { pool, branches }
}

/// How a solver did on a workload.
struct Run {
    time: Duration,
    /// One letter for each query that was answered in time.
    answers: String,
    queries: usize,
    /// Queries that the layers kept away from the solver.
    spared: u64,
}

impl Run {
    fn is_complete(&self) -> bool {
        self.answers.len() == self.queries
    }
}

fn run(workload: &Workload, config: &Config) -> Option<Run> {
    let Path { mut pool, branches } = (workload.build)();
    let mut solver = assemble(config, &Interrupt::new()).ok()?;
    let queries = 2 * branches.len();
    let mut answers = String::new();
    let start = Instant::now();
    'path: for branch in branches {
        for fact in branch.facts {
            solver.assert(&mut pool, fact);
        }
        let negated = pool.not(branch.condition);
        for side in [branch.condition, negated] {
            let left = CAP.saturating_sub(start.elapsed());
            solver.set_limits(Limits { time: Some(left), conflicts: None });
            match solver.check(&mut pool, &[side]) {
                Answer::Sat(_) => answers.push('s'),
                Answer::Unsat(_) => answers.push('u'),
                Answer::Unknown(_) => break 'path,
            }
        }
        solver.assert(&mut pool, if branch.follows { branch.condition } else { negated });
    }
    let statistics = solver.statistics();
    let spared = statistics.checks.saturating_sub(statistics.solved);
    Some(Run { time: start.elapsed(), answers, queries, spared })
}

fn show(run: Option<&Run>) -> String {
    match run {
        None => "-".to_owned(),
        Some(run) if run.is_complete() => format!("{:.3} s", run.time.as_secs_f64()),
        Some(run) => format!("> {} s at {}/{}", CAP.as_secs(), run.answers.len(), run.queries),
    }
}

/// How many times longer `slow` took; a lower bound if it was stopped.
fn ratio(slow: Option<&Run>, fast: &Run) -> String {
    match slow {
        Some(slow) if fast.is_complete() => {
            let bound = if slow.is_complete() { "" } else { "> " };
            format!("{bound}{:.1}", slow.time.as_secs_f64() / fast.time.as_secs_f64().max(1e-6))
        }
        _ => "-".to_owned(),
    }
}

fn main() {
    // `cargo bench -- NAME` runs the workloads whose name contains NAME.
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let bare = Config {
        model_reuse: false,
        slicing: false,
        cache: false,
        float_search: false,
        integer_search: false,
        ..Config::default()
    };
    let layered = Config::default();
    let others: Vec<&Other> = OTHERS.iter().filter(|other| other.is_there()).collect();
    for other in OTHERS.iter().filter(|other| !other.is_there()) {
        println!("there is no {} to compare with", other.name);
    }
    print!("{:<24} {:>7} {:>12} {:>12} {:>7}", "workload", "queries", "native", "layers", "spared");
    for other in &others {
        print!(" {:>20} {:>10} {:>10}", other.name, "/ native", "/ layers");
    }
    println!();
    for workload in WORKLOADS.iter().filter(|workload| workload.name.contains(&filter)) {
        let (Some(native), Some(layers)) = (run(workload, &bare), run(workload, &layered)) else { continue };
        print!(
            "{:<24} {:>7} {:>12} {:>12} {:>7}",
            workload.name,
            native.queries,
            show(Some(&native)),
            show(Some(&layers)),
            layers.spared,
        );
        compare_answers(&layers, &native);
        for other in &others {
            let config = Config { backend: Backend::Process(other.command.to_owned()), ..bare.clone() };
            let other = run(workload, &config);
            print!(
                " {:>20} {:>10} {:>10}",
                show(other.as_ref()),
                ratio(other.as_ref(), &native),
                ratio(other.as_ref(), &layers)
            );
            if let Some(other) = &other {
                compare_answers(other, &native);
            }
        }
        println!();
    }
}

/// Whatever two solvers have both answered, they have answered alike.
fn compare_answers(one: &Run, other: &Run) {
    let common = one.answers.len().min(other.answers.len());
    assert_eq!(one.answers[..common], other.answers[..common], "the solvers disagree");
}
