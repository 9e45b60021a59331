//! The search against enumeration of all values.

use super::range::Range;
use super::*;
use crate::NativeSolver;
use crate::layers::clueless::Clueless;
use aster_term::{BitVec, Model, Op, Sort};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

fn search() -> IntegerSearch {
    IntegerSearch::new(Box::new(Clueless), Interrupt::new())
}

/// Random conjuncts over two integers of a width and a truth value, with every operator on them.
struct Formulas {
    width: u32,
    random: SmallRng,
    pool: TermPool,
    integers: Vec<Term>,
    truths: Vec<Term>,
}

impl Formulas {
    fn new(seed: u64, width: u32) -> Self {
        let mut pool = TermPool::new();
        let integers = ["x", "y"].map(|name| pool.variable(name, Sort::BitVec(width))).to_vec();
        let truths = vec![pool.variable("p", Sort::Bool)];
        Formulas { width, random: SmallRng::seed_from_u64(seed), pool, integers, truths }
    }

    fn integer(&mut self) -> Term {
        if self.random.random_bool(0.3) {
            // Small ones of both signs are as frequent as all others.
            let bits = match self.random.random_range(0..4) {
                0 | 1 => self.random.random_range(0..16),
                2 => self.random.random_range(0..16u128).wrapping_neg(),
                _ => self.random.random(),
            };
            return self.pool.bv(self.width, bits);
        }
        self.integers[self.random.random_range(0..self.integers.len())]
    }

    fn truth(&mut self) -> Term {
        self.truths[self.random.random_range(0..self.truths.len())]
    }

    fn apply(&mut self, op: Op, args: &[Term]) -> Term {
        // Rewriting would take away much of what is to be tested.
        if self.random.random_bool(0.7) { self.pool.apply_raw(op, args) } else { self.pool.apply(op, args) }
    }

    fn grow(&mut self) {
        const BINARY: [Op; 13] = [
            Op::BvAdd,
            Op::BvSub,
            Op::BvMul,
            Op::BvUdiv,
            Op::BvUrem,
            Op::BvSdiv,
            Op::BvSrem,
            Op::BvShl,
            Op::BvLshr,
            Op::BvAshr,
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
        ];
        const COMPARISONS: [Op; 5] = [Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle];
        const CONNECTIVES: [Op; 4] = [Op::And, Op::Or, Op::Xor, Op::Eq];
        let (a, b, p, q) = (self.integer(), self.integer(), self.truth(), self.truth());
        match self.random.random_range(0..12) {
            0..5 => {
                let op = BINARY[self.random.random_range(0..BINARY.len())];
                let term = self.apply(op, &[a, b]);
                self.integers.push(term);
            }
            5 => {
                let op = [Op::BvNot, Op::BvNeg][self.random.random_range(0..2)];
                let term = self.apply(op, &[a]);
                self.integers.push(term);
            }
            6 => {
                // Wider and back, or narrower and back.
                let (width, by) = (self.width, self.random.random_range(1..4));
                let extend = |by| [Op::BvZeroExtend(by), Op::BvSignExtend(by)];
                let side = self.random.random_range(0..2);
                let term = if self.random.random_bool(0.5) {
                    let wide = self.apply(extend(by)[side], &[a]);
                    let wide_b = self.apply(extend(by)[1 - side], &[b]);
                    let product = self.apply(Op::BvMul, &[wide, wide_b]);
                    self.apply(Op::BvExtract { high: width - 1 + by / 3, low: by / 3 }, &[product])
                } else {
                    let narrow = self.apply(Op::BvExtract { high: width - 1 - by, low: 0 }, &[a]);
                    self.apply(extend(by)[side], &[narrow])
                };
                self.integers.push(term);
            }
            7 => {
                let term = self.apply(Op::Ite, &[p, a, b]);
                self.integers.push(term);
            }
            8 | 9 => {
                let op = COMPARISONS[self.random.random_range(0..COMPARISONS.len())];
                let term = self.apply(op, &[a, b]);
                self.truths.push(term);
            }
            10 => {
                let op = CONNECTIVES[self.random.random_range(0..CONNECTIVES.len())];
                let term = self.apply(op, &[p, q]);
                self.truths.push(term);
            }
            _ => {
                let term = self.apply(Op::Not, &[p]);
                self.truths.push(term);
            }
        }
    }

    /// The last few truths, of some that were made.
    fn conjuncts(&mut self) -> Vec<Term> {
        for _ in 0..20 {
            self.grow();
        }
        self.truths[self.truths.len().saturating_sub(3)..].to_vec()
    }

    /// Whether values of four bits satisfy all conjuncts.
    fn is_satisfiable(&self, conjuncts: &[Term]) -> bool {
        (0..512u128).any(|bits| {
            let mut model = Model::new();
            for (variable, value) in self.integers[..2].iter().zip([bits & 15, bits >> 4 & 15]) {
                model.insert(*variable, Value::BitVec(BitVec::new(4, value)));
            }
            model.insert(self.truths[0], Value::Bool(bits >> 8 == 1));
            let mut evaluator = Evaluator::new(&model);
            conjuncts.iter().all(|&term| evaluator.value(&self.pool, term) == Value::Bool(true))
        })
    }
}

#[test]
fn answers_are_those_of_enumeration() {
    let mut answers = [0; 3];
    for seed in 0..2000 {
        let mut formulas = Formulas::new(seed, 4);
        let conjuncts = formulas.conjuncts();
        let expected = formulas.is_satisfiable(&conjuncts);
        match search().check(&mut formulas.pool, &conjuncts) {
            Answer::Sat(_) => {
                assert!(expected, "seed {seed}: there is no solution");
                answers[0] += 1;
            }
            Answer::Unsat(core) => {
                assert!(!expected, "seed {seed}: there is a solution");
                assert!(!formulas.is_satisfiable(&core), "seed {seed}: the core has a solution");
                answers[1] += 1;
            }
            Answer::Unknown(_) => answers[2] += 1,
        }
    }
    // Some have no hard operator, or one whose result must be guessed.
    assert!(answers[0] > 400 && answers[1] > 200, "{answers:?}");
}

#[test]
fn answers_about_wide_integers_are_those_of_circuits() {
    let mut answers = [0; 2];
    for seed in 0..300 {
        let mut formulas = Formulas::new(seed, [32, 60, 64][seed as usize % 3]);
        let conjuncts = formulas.conjuncts();
        let mut circuits = NativeSolver::new(Interrupt::new());
        circuits.set_limits(Limits { conflicts: Some(1000), time: None });
        match (search().check(&mut formulas.pool, &conjuncts), circuits.check(&mut formulas.pool, &conjuncts))
        {
            (Answer::Sat(_), Answer::Sat(_)) => answers[0] += 1,
            (Answer::Unsat(core), Answer::Unsat(_)) => {
                let answer = circuits.check(&mut formulas.pool, &core);
                assert!(!matches!(answer, Answer::Sat(_)), "seed {seed}: the core has a solution");
                answers[1] += 1;
            }
            (Answer::Unknown(_), _) | (_, Answer::Unknown(_)) => {}
            (one, other) => panic!("seed {seed}: {one:?} and {other:?}"),
        }
    }
    assert!(answers.iter().all(|&count| count > 30), "{answers:?}");
}

/// Every operation on ranges contains what it should, for all ranges of three bits.
#[test]
fn ranges_contain_what_they_should() {
    let ranges = || (-4..4).flat_map(|low| (low..4).map(move |high| Range::new(low, high)));
    let contains = |range: Range, value: i128| range.low <= value && value <= range.high;
    for range in ranges() {
        for value in range.low..=range.high {
            assert!(contains(range.unsigned(3), value.rem_euclid(8)));
            for divisor in 1..4 {
                assert!(contains(range.quotients(divisor), value / divisor));
                assert!(contains(range.remainders(divisor), value % divisor));
                for other in ranges() {
                    if contains(other, value / divisor) {
                        assert!(contains(other.dividends(divisor), value));
                    }
                    if contains(other, value % divisor) {
                        let found = range.with_remainders(other, divisor);
                        assert!(
                            found.is_ok_and(|found| contains(found, value)),
                            "{range:?} {other:?} {divisor}"
                        );
                    }
                    if contains(other, value * divisor) {
                        assert!(other.divided_exactly(divisor).is_ok_and(|found| contains(found, value)));
                        let negative = Range::new(-other.high, -other.low).divided_exactly(-divisor);
                        assert!(negative.is_ok_and(|found| contains(found, value)));
                    }
                }
            }
            for other in ranges() {
                // Of two bits, if it is read so.
                let wrapped = (value + 2).rem_euclid(4) - 2;
                assert!(contains(range.wrapped(2), wrapped));
                if contains(other, wrapped) && other.low >= -2 && other.high < 2 {
                    let found = range.unwrapped(other, 2);
                    assert!(found.is_ok_and(|found| contains(found, value)), "{range:?} {other:?}");
                }
                let bounds = other.shifted(4);
                if contains(bounds, value.rem_euclid(8)) {
                    assert!(range.within_unsigned(bounds, 3).is_ok_and(|found| contains(found, value)));
                }
            }
        }
    }
}

/// Quotients and remainders of wide integers that a SAT solver would have to search for.
#[test]
fn wide_quotients_are_bounded() {
    let mut pool = TermPool::new();
    let x = pool.variable("x", Sort::BitVec(32));
    let less = |pool: &mut TermPool, factor: u128, divisor: u128, op: Op, bound: u128| {
        let (factor, divisor, bound) = (pool.bv(32, factor), pool.bv(32, divisor), pool.bv(32, bound));
        let product = pool.mul(x, factor);
        let result = pool.apply(op, &[product, divisor]);
        pool.slt(result, bound)
    };
    let (low, high) = (pool.bv(32, 1000), pool.bv(32, 100_000));
    let (below, above) = (pool.slt(x, low), pool.slt(high, x));
    let bounds = [pool.not(below), pool.not(above)];
    // Between 180 and 18000; and the remainder is never as large as the divisor.
    for (term, holds) in [
        (less(&mut pool, 9, 50, Op::BvSdiv, 180), Some(false)),
        (less(&mut pool, 9, 50, Op::BvSdiv, 181), None),
        (less(&mut pool, 9, 50, Op::BvSdiv, 18_001), Some(true)),
        (less(&mut pool, 1, 299_993, Op::BvSrem, 1000), Some(false)),
        (less(&mut pool, 9, 50, Op::BvSrem, 50), Some(true)),
        (less(&mut pool, 9, 50, Op::BvSrem, 49), None),
    ] {
        let opposite = pool.not(term);
        for (formula, is_sat) in [(term, holds != Some(false)), (opposite, holds != Some(true))] {
            let query = [bounds[0], bounds[1], formula];
            let answer = search().check(&mut pool, &query);
            assert_eq!(matches!(answer, Answer::Sat(_)), is_sat, "{answer:?}");
            assert_eq!(matches!(answer, Answer::Unsat(_)), !is_sat, "{answer:?}");
        }
    }
}

/// A core has no conjunct that the refutation can do without.
#[test]
fn cores_are_small() {
    let mut pool = TermPool::new();
    let mut query = Vec::new();
    for name in ["x", "y", "z"] {
        let variable = pool.variable(name, Sort::BitVec(32));
        let (ten, bound) = (pool.bv(32, 10), pool.bv(32, 100));
        let quotient = pool.apply(Op::BvSdiv, &[variable, ten]);
        query.push(pool.slt(bound, variable));
        query.push(pool.slt(ten, quotient));
    }
    let small = pool.bv(32, 105);
    let y = pool.variable("y", Sort::BitVec(32));
    query.push(pool.slt(y, small));
    assert_eq!(search().check(&mut pool, &query), Answer::Unsat(vec![query[3], query[6]]));
}

#[test]
fn an_interrupt_ends_the_search() {
    let interrupt = Interrupt::new();
    let mut pool = TermPool::new();
    let (x, seven) = (pool.variable("x", Sort::BitVec(32)), pool.bv(32, 7));
    let quotient = pool.apply(Op::BvSdiv, &[x, seven]);
    let query = pool.slt(quotient, seven);
    let mut search = IntegerSearch::new(Box::new(Clueless), interrupt.clone());
    assert!(matches!(search.check(&mut pool, &[query]), Answer::Sat(_)));
    interrupt.raise();
    assert!(matches!(search.check(&mut pool, &[query]), Answer::Unknown(_)));
}
