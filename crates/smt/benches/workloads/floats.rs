//! Paths through programs that compute with floats.

use crate::{Branch, Path};
use aster_term::{FloatFormat, Rounding, Sort, Term, TermPool};

const SINGLE: FloatFormat = FloatFormat::SINGLE;
const DOUBLE: FloatFormat = FloatFormat::DOUBLE;
const NEAREST: Rounding = Rounding::NearestEven;

/// Arithmetic of one format, as C has it.
struct Program {
    pool: TermPool,
    format: FloatFormat,
    facts: Vec<Term>,
    branches: Vec<Branch>,
}

impl Program {
    fn new(format: FloatFormat) -> Self {
        Program { pool: TermPool::new(), format, facts: Vec::new(), branches: Vec::new() }
    }

    fn number(&mut self, value: f64) -> Term {
        let bits = if self.format == SINGLE {
            u128::from((value as f32).to_bits())
        } else {
            u128::from(value.to_bits())
        };
        self.pool.bv(self.format.width(), bits)
    }

    /// An input between two bounds.
    fn input(&mut self, name: &str, low: f64, high: f64) -> Term {
        let input = self.pool.variable(name, Sort::BitVec(self.format.width()));
        let (low, high) = (self.number(low), self.number(high));
        let above = self.pool.fp_le(self.format, low, input);
        let below = self.pool.fp_le(self.format, input, high);
        self.facts.extend([above, below]);
        input
    }

    fn add(&mut self, a: Term, b: Term) -> Term {
        self.pool.fp_add(self.format, NEAREST, a, b)
    }

    fn sub(&mut self, a: Term, b: Term) -> Term {
        self.pool.fp_sub(self.format, NEAREST, a, b)
    }

    fn mul(&mut self, a: Term, b: Term) -> Term {
        self.pool.fp_mul(self.format, NEAREST, a, b)
    }

    fn div(&mut self, a: Term, b: Term) -> Term {
        self.pool.fp_div(self.format, NEAREST, a, b)
    }

    /// `x` to a power, multiplied from the left.
    fn power(&mut self, x: Term, exponent: u32) -> Term {
        (1..exponent).fold(x, |product, _| self.mul(product, x))
    }

    /// `x^n / divisor`.
    fn summand(&mut self, x: Term, exponent: u32, divisor: f64) -> Term {
        let (power, divisor) = (self.power(x, exponent), self.number(divisor));
        self.div(power, divisor)
    }

    /// `x - x^3 / 6 + x^5 / 120 + x^7 / 5040`
    fn sine(&mut self, x: Term) -> Term {
        let third = self.summand(x, 3, 6.0);
        let sum = self.sub(x, third);
        let fifth = self.summand(x, 5, 120.0);
        let sum = self.add(sum, fifth);
        let seventh = self.summand(x, 7, 5040.0);
        self.add(sum, seventh)
    }

    fn less(&mut self, a: Term, limit: f64) -> Term {
        let limit = self.number(limit);
        self.pool.fp_lt(self.format, a, limit)
    }

    fn greater(&mut self, a: Term, limit: f64) -> Term {
        let limit = self.number(limit);
        self.pool.fp_lt(self.format, limit, a)
    }

    fn branch(&mut self, condition: Term, follows: bool) {
        let facts = std::mem::take(&mut self.facts);
        self.branches.push(Branch { facts, condition, follows });
    }

    fn path(self) -> Path {
        Path { pool: self.pool, branches: self.branches }
    }
}

/// Is a polynomial of one input within bounds?
pub fn polynomial() -> Path {
    let mut p = Program::new(SINGLE);
    let x = p.input("x", 0.0, 1.0);
    let mut sum = p.number(1.0);
    for (exponent, factor) in [(1, 0.5), (2, -0.125), (3, 0.0625), (4, -0.039_062_5)] {
        let mut product = p.number(factor);
        for _ in 0..exponent {
            product = p.mul(product, x);
        }
        sum = p.add(sum, product);
    }
    let condition = p.less(sum, 1.399);
    p.branch(condition, true);
    let condition = p.greater(sum, 0.999);
    p.branch(condition, true);
    p.path()
}

/// The beginning of the series of the sine, and its bounds.
pub fn sine() -> Path {
    let mut p = Program::new(SINGLE);
    let x = p.input("x", -std::f64::consts::FRAC_PI_2, std::f64::consts::FRAC_PI_2);
    let sine = p.sine(x);
    let condition = p.less(sine, 0.99);
    p.branch(condition, true);
    let condition = p.greater(sine, -1.1);
    p.branch(condition, true);
    p.path()
}

/// One step of Newton's method towards a zero of the sine.
pub fn newton() -> Path {
    let mut p = Program::new(SINGLE);
    let x = p.input("x", -0.2, 0.2);
    let mut slope = p.number(1.0);
    for (exponent, divisor, negative) in [(2, 2.0, true), (4, 24.0, false), (6, 720.0, false)] {
        let summand = p.summand(x, exponent, divisor);
        slope = if negative { p.sub(slope, summand) } else { p.add(slope, summand) };
    }
    let sine = p.sine(x);
    let step = p.div(sine, slope);
    let next = p.sub(x, step);
    let condition = p.less(next, 0.1);
    p.branch(condition, true);
    p.path()
}

/// A filter of second order with a new input in every step: many variables, sums and products by constants.
pub fn filter(format: FloatFormat, steps: usize) -> Path {
    let mut p = Program::new(format);
    let zero = p.number(0.0);
    let (mut e0, mut e1, mut s0, mut s1) = (zero, zero, zero, zero);
    for i in 0..steps {
        let e = p.input(&format!("e{i}"), 0.0, 1.0);
        let mut sum = p.number(0.0);
        for (value, factor) in [(e, 0.7), (e0, -1.3), (e1, 1.1), (s0, 1.4), (s1, -0.7)] {
            let factor = p.number(factor);
            let product = p.mul(value, factor);
            sum = p.add(sum, product);
        }
        (e1, e0, s1, s0) = (e0, e, s0, sum);
        let condition = p.less(sum, 4.0);
        p.branch(condition, true);
        let condition = p.greater(sum, 0.5);
        p.branch(condition, i % 2 == 0);
    }
    p.path()
}

/// Integers become doubles, are scaled and become integers again.
pub fn scaling() -> Path {
    let mut p = Program::new(DOUBLE);
    for i in 0..6u32 {
        let n = p.pool.variable(&format!("n{i}"), Sort::BitVec(32));
        let (low, high) = (p.pool.bv(32, 0), p.pool.bv(32, 10_000));
        let (above, below) = (p.pool.sle(low, n), p.pool.sle(n, high));
        p.facts.extend([above, below]);
        let number = p.pool.fp_from_signed(DOUBLE, NEAREST, n);
        let factor = p.number(0.5 + f64::from(i));
        let scaled = p.mul(number, factor);
        let condition = p.less(scaled, 5000.0);
        p.branch(condition, i % 2 == 0);
        let back = p.pool.fp_to_signed(DOUBLE, 32, Rounding::TowardZero, scaled);
        let limit = p.pool.bv(32, 70_000);
        let condition = p.pool.slt(back, limit);
        p.branch(condition, true);
    }
    p.path()
}

/// Sums of inputs with unknown signs, compared with each other.
pub fn sums(format: FloatFormat, length: usize) -> Path {
    let mut p = Program::new(format);
    let mut sum = p.number(0.0);
    for i in 0..length {
        let x = p.input(&format!("x{i}"), -100.0, 100.0);
        let next = p.add(sum, x);
        let condition = p.pool.fp_lt(format, sum, next);
        p.branch(condition, i % 2 == 0);
        let back = p.sub(next, x);
        let condition = p.pool.fp_eq(format, back, sum);
        p.branch(condition, true);
        sum = next;
    }
    p.path()
}

/// Quotients and roots of two inputs.
pub fn quotients(format: FloatFormat) -> Path {
    let mut p = Program::new(format);
    let (x, y) = (p.input("x", 1.0, 100.0), p.input("y", 1.0, 100.0));
    let quotient = p.div(x, y);
    let condition = p.less(quotient, 0.01);
    p.branch(condition, false);
    let one = p.number(1.0);
    let condition = p.pool.fp_eq(format, quotient, one);
    p.branch(condition, false);
    let root = p.pool.fp_sqrt(format, NEAREST, x);
    let condition = p.less(root, 10.5);
    p.branch(condition, true);
    let square = p.mul(root, root);
    let condition = p.less(square, 50.0);
    p.branch(condition, true);
    p.path()
}
