//! Elimination against search in small ranges.

use super::{eliminate, without_redundancy};
use crate::{Interrupt, NativeSolver};
use aster_term::{Model, Op, Sort, Term, TermPool, Value, evaluate, free_variables, print_term};

/// A small generator of pseudo-random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn signed(&mut self, bound: i128) -> i128 {
        self.below(2 * bound as u64 + 1) as i128 - bound
    }
}

struct Maker {
    pool: TermPool,
    random: Random,
    variables: Vec<Term>,
    /// Whether there are choices, quotients and remainders.
    special: bool,
}

impl Maker {
    fn sum(&mut self, depth: u32) -> Term {
        let constant = self.random.signed(9);
        let mut sum = self.pool.int(constant);
        for at in 0..self.variables.len() {
            let part = if self.special && depth > 0 && self.random.below(5) == 0 {
                self.special(depth - 1)
            } else {
                self.variables[at]
            };
            let factor = self.random.signed(3);
            let factor = self.pool.int(factor);
            let product = self.pool.num_mul(part, factor);
            sum = self.pool.num_add(sum, product);
        }
        sum
    }

    fn special(&mut self, depth: u32) -> Term {
        let a = self.sum(depth);
        match self.random.below(3) {
            0 => {
                let (b, c) = (self.sum(depth), self.formula(depth));
                self.pool.ite(c, a, b)
            }
            kind => {
                let divisor = 2 + self.random.below(3);
                let divisor = self.pool.int(divisor.into());
                if kind == 1 { self.pool.int_div(a, divisor) } else { self.pool.int_mod(a, divisor) }
            }
        }
    }

    fn formula(&mut self, depth: u32) -> Term {
        if depth == 0 || self.random.below(4) == 0 {
            let (a, b) = (self.sum(depth), self.sum(depth));
            let op = [Op::NumLe, Op::NumLe, Op::NumLt, Op::Eq][self.random.below(4) as usize];
            let atom = self.pool.apply(op, &[a, b]);
            return if self.random.below(3) == 0 { self.pool.not(atom) } else { atom };
        }
        let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
        match self.random.below(6) {
            0 => self.pool.eq(a, b),
            1 | 2 => self.pool.or(a, b),
            _ => self.pool.and(a, b),
        }
    }
}

fn model(values: &[(Term, i64)]) -> Model {
    let mut model = Model::new();
    for &(variable, value) in values {
        model.insert(variable, Value::Int(value.into()));
    }
    model
}

/// The values at which some `x` in a range that is large enough for these coefficients makes the formula true.
fn compare(seed: u64, special: bool, count: u32, depth: u32) {
    let mut outcomes = [0, 0];
    for round in 0..count {
        let mut pool = TermPool::new();
        let variables = ["x", "y", "z"].map(|name| pool.variable(name, Sort::Int)).to_vec();
        let [x, y, z] = variables[..] else { unreachable!("three variables") };
        let mut maker = Maker { pool, random: Random(seed + u64::from(round)), variables, special };
        let formula = maker.formula(depth);
        let mut pool = maker.pool;
        let Ok(without) = eliminate(&mut pool, &[x], formula) else { continue };
        let shown = (print_term(&pool, formula), print_term(&pool, without));
        assert!(!free_variables(&pool, &[without]).contains(&x), "{shown:?}");
        let simple = if round % 4 == 0 {
            without_redundancy(&mut pool, &mut NativeSolver::new(Interrupt::new()), without, 30)
        } else {
            without
        };
        for point in [(-4, 3), (0, 0), (1, -5), (3, 2), (6, 6), (-2, -3)] {
            let fixed = [(y, point.0), (z, point.1)];
            let expected = (-250..250).any(|value| {
                let model = model(&[(x, value), fixed[0], fixed[1]]);
                evaluate(&pool, formula, &model) == Value::Bool(true)
            });
            let found = evaluate(&pool, without, &model(&fixed)) == Value::Bool(true);
            assert_eq!(found, expected, "at {point:?}: {shown:?}");
            assert_eq!(evaluate(&pool, simple, &model(&fixed)), Value::Bool(found), "redundancy: {shown:?}");
            outcomes[usize::from(found)] += 1;
        }
    }
    assert!(outcomes.iter().all(|&outcome| outcome > count / 10), "{outcomes:?}");
}

#[test]
fn linear_formulas() {
    compare(1, false, 150, 3);
}

#[test]
fn formulas_with_choices_and_quotients() {
    compare(10_000, true, 60, 2);
}

#[test]
fn several_variables_go() {
    let mut pool = TermPool::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.variable(name, Sort::Int));
    let [zero, three, five] = [0, 3, 5].map(|n| pool.int(n));
    // z = 3x + 5y with x, y >= 0: all but 1, 2, 4 and 7 of the numbers that are not negative.
    let (a, b) = (pool.num_mul(x, three), pool.num_mul(y, five));
    let sum = pool.num_add(a, b);
    let equal = pool.eq(z, sum);
    let (p, q) = (pool.num_ge(x, zero), pool.num_ge(y, zero));
    let both = pool.and(p, q);
    let formula = pool.and(both, equal);
    let without = eliminate(&mut pool, &[x, y], formula).unwrap();
    for value in -20..60 {
        let expected = value >= 0 && ![1, 2, 4, 7].contains(&value);
        let found = evaluate(&pool, without, &model(&[(z, value)]));
        assert_eq!(found, Value::Bool(expected), "{value}: {}", print_term(&pool, without));
    }
}

#[test]
fn what_cannot_be_eliminated_is_said() {
    let mut pool = TermPool::new();
    let x = pool.variable("x", Sort::Int);
    let r = pool.variable("r", Sort::Real);
    let square = pool.num_mul(x, x);
    let two = pool.int(2);
    let formula = pool.num_le(square, two);
    assert!(eliminate(&mut pool, &[x], formula).is_err());
    assert!(eliminate(&mut pool, &[r], formula).is_err());
    let real = pool.to_real(x);
    let mixed = pool.num_le(real, r);
    assert!(eliminate(&mut pool, &[x], mixed).is_err());
}
