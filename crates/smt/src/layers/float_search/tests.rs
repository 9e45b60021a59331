//! The search against enumeration of all values.

use super::*;
use crate::UnknownReason;
use crate::layers::clueless::Clueless;
use aster_term::{FloatFormat, Rounding};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::cell::RefCell;
use std::rc::Rc;

fn search() -> FloatSearch {
    FloatSearch::new(Box::new(Clueless), Interrupt::new(), false)
}

const FORMATS: [FloatFormat; 2] = [FloatFormat::TINY, FloatFormat::SMALL];

struct Formulas {
    random: SmallRng,
    pool: TermPool,
    floats: Vec<(FloatFormat, Term)>,
    integer: Term,
}

impl Formulas {
    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.random.random_range(0..items.len())]
    }

    fn operand(&mut self, format: FloatFormat) -> Term {
        let known: Vec<Term> = self.floats.iter().filter(|f| f.0 == format).map(|f| f.1).collect();
        if known.is_empty() || self.random.random_bool(0.25) {
            return self.pool.bv(format.width(), self.random.random());
        }
        let term = self.pick(&known);
        match self.random.random_range(0..6) {
            0 => self.pool.fp_neg(format, term),
            1 => self.pool.fp_abs(format, term),
            _ => term,
        }
    }

    fn grow(&mut self) {
        let floats = self.floats.clone();
        let (format, rounding, to) = (self.pick(&floats).0, self.pick(&Rounding::ALL), self.pick(&FORMATS));
        let op = self.pick(&[
            FpOp::Add(format, rounding),
            FpOp::Sub(format, rounding),
            FpOp::Mul(format, rounding),
            FpOp::Mul(format, rounding),
            FpOp::Div(format, rounding),
            FpOp::Sqrt(format, rounding),
            FpOp::RoundToIntegral(format, rounding),
            FpOp::Rem(format),
            FpOp::Mod(format),
            FpOp::Fma(format, rounding),
            FpOp::Min(format),
            FpOp::Max(format),
            FpOp::Convert { from: format, to, rounding },
            FpOp::FromSigned { to: format, rounding },
            FpOp::FromUnsigned { to: format, rounding },
        ]);
        let first = self.operand(format);
        let args: Vec<Term> = match op {
            FpOp::FromSigned { .. } | FpOp::FromUnsigned { .. } => vec![self.integer],
            FpOp::Mul(..) if self.random.random_bool(0.3) => vec![first, first],
            _ => (0..op.arity()).map(|_| self.operand(format)).collect(),
        };
        let term = self.pool.apply_raw(Op::Fp(op), &args);
        self.floats.push((op.result_format().unwrap(), term));
    }

    fn atom(&mut self) -> Term {
        let recent = self.floats[self.floats.len().saturating_sub(3)..].to_vec();
        let (format, a) = self.pick(&recent);
        let b = self.operand(format);
        let pool = &mut self.pool;
        let atom = match self.random.random_range(0..9) {
            0 | 1 => pool.fp_lt(format, a, b),
            2 => pool.fp_le(format, b, a),
            3 => pool.fp_eq(format, a, b),
            4 => pool.eq(a, b),
            5 => pool.fp_is_nan(format, a),
            6 => pool.fp_is_normal(format, a),
            7 => {
                let integer = pool.fp_to_signed(format, 5, Rounding::NearestEven, a);
                let limit = pool.bv(5, self.random.random());
                pool.slt(integer, limit)
            }
            _ => {
                let choice = pool.fp_lt(format, a, b);
                let chosen = pool.ite(choice, a, b);
                let zero = pool.bv(format.width(), 0);
                pool.fp_lt(format, chosen, zero)
            }
        };
        if self.random.random_bool(0.3) { pool.not(atom) } else { atom }
    }
}

/// True if some values of the variables satisfy all conjuncts.
fn is_satisfiable(pool: &TermPool, variables: &[Term], conjuncts: &[Term]) -> bool {
    let widths: Vec<u32> = variables.iter().map(|&variable| pool.width(variable)).collect();
    (0..1u128 << widths.iter().sum::<u32>()).any(|mut number| {
        let mut model = Model::new();
        for (&variable, &width) in variables.iter().zip(&widths) {
            model.insert(variable, Value::BitVec(BitVec::new(width, number)));
            number >>= width;
        }
        let mut evaluator = Evaluator::new(&model);
        conjuncts.iter().all(|&term| evaluator.value(pool, term) == Value::Bool(true))
    })
}

#[test]
fn answers_are_those_of_enumeration() {
    let mut counts = [0; 3];
    for seed in 0..6000 {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::BitVec(FORMATS[seed as usize % 2].width()));
        let y = pool.variable("y", Sort::BitVec(4));
        let floats = vec![(FORMATS[seed as usize % 2], x)];
        let mut formulas = Formulas { random: SmallRng::seed_from_u64(seed), pool, floats, integer: y };
        for _ in 0..formulas.random.random_range(2..6) {
            formulas.grow();
        }
        let conjuncts: Vec<Term> = (0..formulas.random.random_range(1..4)).map(|_| formulas.atom()).collect();
        let pool = &mut formulas.pool;
        let expected = |subset: &[Term]| is_satisfiable(pool, &[x, y], subset);
        let found = Problem::new(pool, &conjuncts).map(|problem| problem.search(pool, 1_000_000, &|| false));
        match found {
            Some(Some(Answer::Sat(_))) => {
                assert!(expected(&conjuncts), "seed {seed}");
                counts[0] += 1;
            }
            Some(Some(Answer::Unsat(core))) => {
                assert!(core.iter().all(|term| conjuncts.contains(term)), "seed {seed}");
                assert!(!expected(&core), "seed {seed}");
                counts[1] += 1;
            }
            _ => counts[2] += 1,
        }
    }
    assert!(counts[0] > 500 && counts[1] > 500, "both verdicts occur: {counts:?}");
}

/// A polynomial of one input, for which a SAT solver takes minutes.
#[test]
fn bounds_of_a_polynomial_are_decided() {
    let mut pool = TermPool::new();
    let (format, nearest) = (FloatFormat::SINGLE, Rounding::NearestEven);
    let x = pool.variable("x", Sort::BitVec(32));
    let mut number = |value: f32| pool.bv(32, u128::from(value.to_bits()));
    let (zero, one, half, limit) = (number(0.0), number(1.0), number(0.5), number(1.6));
    let facts = [pool.fp_le(format, zero, x), pool.fp_le(format, x, one)];
    // 1 + x/2 - x^3/2
    let square = pool.fp_mul(format, nearest, x, x);
    let cube = pool.fp_mul(format, nearest, square, x);
    let difference = pool.fp_sub(format, nearest, x, cube);
    let scaled = pool.fp_mul(format, nearest, half, difference);
    let sum = pool.fp_add(format, nearest, one, scaled);
    let below = pool.fp_lt(format, sum, limit);
    let above = pool.not(below);
    let mut solver = search();
    for fact in facts {
        solver.assert(&mut pool, fact);
    }
    assert_eq!(solver.check(&mut pool, &[above]), Answer::Unsat(vec![above]));
    assert!(matches!(solver.check(&mut pool, &[below]), Answer::Sat(_)));
}

/// A solver that gives up on everything, and what it was asked with.
struct Weak(Rc<RefCell<Vec<Limits>>>);

impl Solver for Weak {
    fn push(&mut self) {}
    fn pop(&mut self) {}
    fn assert(&mut self, _: &mut TermPool, _: Term) {}
    fn check(&mut self, _: &mut TermPool, _: &[Term]) -> Answer {
        Answer::Unknown(UnknownReason::ConflictLimit)
    }
    fn set_limits(&mut self, limits: Limits) {
        self.0.borrow_mut().push(limits);
    }
    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
}

/// Boxes do not see that a product is as large as its factors.
#[test]
fn the_solver_behind_makes_one_attempt() {
    for (attempts, most, expected) in [
        (true, None, vec![Some(ATTEMPT_CONFLICTS), None]),
        (true, Some(7), vec![Some(7), Some(7)]),
        (false, Some(7), vec![Some(7)]),
    ] {
        let asked = Rc::new(RefCell::new(Vec::new()));
        let mut solver = FloatSearch::new(Box::new(Weak(Rc::clone(&asked))), Interrupt::new(), attempts);
        solver.set_limits(Limits { conflicts: most, time: None });
        let mut pool = TermPool::new();
        let (format, nearest) = (FloatFormat::SINGLE, Rounding::NearestEven);
        let [x, y] = ["x", "y"].map(|name| pool.variable(name, Sort::BitVec(32)));
        let product = pool.fp_mul(format, nearest, x, y);
        let query = pool.fp_lt(format, product, x);
        let one = pool.bv(32, u128::from(1f32.to_bits()));
        let facts = [x, y].map(|input| pool.fp_le(format, one, input));
        let answer = solver.check(&mut pool, &[query, facts[0], facts[1]]);
        assert_eq!(answer, Answer::Unknown(UnknownReason::ConflictLimit));
        let limits: Vec<Option<u32>> = asked.borrow().iter().map(|limits| limits.conflicts).collect();
        assert_eq!(limits, expected);
    }
}

#[test]
fn other_questions_are_handed_on() {
    let mut pool = TermPool::new();
    let [a, b] = ["a", "b"].map(|name| pool.variable(name, Sort::BitVec(32)));
    let less = pool.ult(a, b);
    assert!(matches!(search().check(&mut pool, &[less]), Answer::Unknown(_)));
}
