//! How fast terms are built, substituted and evaluated: `cargo run --release -p aster-term --example constructors`.

use aster_term::{Evaluator, Model, Sort, Substitution, Term, TermPool};
use std::time::Instant;

const ROUNDS: u32 = 200_000;

fn main() {
    let mut pool = TermPool::new();
    let start = Instant::now();
    let (formulas, calls) = build(&mut pool);
    report("constructor calls", calls, start);

    let start = Instant::now();
    let mut again = TermPool::new();
    let before = (build(&mut again), again.len());
    let (_, calls) = build(&mut again);
    assert_eq!(before.1, again.len());
    report("constructor calls, half of them repeated", 2 * calls, start);

    let start = Instant::now();
    let x = pool.variable("x", Sort::BitVec(32));
    let z = pool.variable("z", Sort::BitVec(32));
    let mut substitution = Substitution::new();
    substitution.insert(x, z);
    let terms = pool.len();
    for &formula in &formulas {
        substitution.apply(&mut pool, formula);
    }
    report("terms substituted", terms as u64, start);

    let start = Instant::now();
    let model = Model::new();
    let mut evaluator = Evaluator::new(&model);
    for &formula in &formulas {
        evaluator.value(&pool, formula);
    }
    report("terms evaluated", terms as u64, start);
}

/// What a loop over ints and chars gives rise to. Returns the formulas and the number of constructor calls.
fn build(pool: &mut TermPool) -> (Vec<Term>, u64) {
    let x = pool.variable("x", Sort::BitVec(32));
    let c = pool.variable("c", Sort::BitVec(8));
    let (one, zero) = (pool.bv(32, 1), pool.bv(32, 0));
    let mut sum = x;
    let mut formulas = Vec::new();
    for i in 0..ROUNDS {
        let input = pool.variable(["a", "b", "d", "e"][(i % 4) as usize], Sort::BitVec(32));
        let limit = pool.bv(32, u128::from(i));
        sum = pool.add(sum, input);
        sum = pool.add(sum, one);
        let less = pool.slt(sum, limit);
        let int = pool.ite(less, one, zero);
        let truth = pool.ne(int, zero);
        let wide = pool.sign_extend_to(32, c);
        let product = pool.mul(wide, sum);
        let byte = pool.extract(7, 0, product);
        let equal = pool.eq(byte, c);
        formulas.push(pool.and(truth, equal));
    }
    (formulas, u64::from(ROUNDS) * 13)
}

fn report(what: &str, count: u64, start: Instant) {
    let elapsed = start.elapsed();
    println!(
        "{count:>10} {what}: {:.2} s, {} ns each",
        elapsed.as_secs_f64(),
        elapsed.as_nanos() / u128::from(count)
    );
}
