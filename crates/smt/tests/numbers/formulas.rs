//! Random formulas over integers and rationals. Deterministic: everything follows from the seed.

use aster_term::{BigRational, Sort, Term, TermPool};

/// A small generator of pseudo-random numbers (splitmix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    /// Between the negated bound and the bound.
    pub fn signed(&mut self, bound: usize) -> i128 {
        self.below(2 * bound + 1) as i128 - bound as i128
    }
}

/// What formulas are made of.
#[derive(Clone, Copy)]
pub struct Shape {
    /// `Int` or `Real`, or both.
    pub sorts: &'static [Sort],
    pub variables: usize,
    /// How many of ten sums have a choice, a quotient, a remainder or a rounding in them.
    pub special: usize,
    /// Coefficients and constants are up to these in magnitude.
    pub coefficient: usize,
    pub constant: usize,
}

/// Makes formulas over a few variables.
pub struct Formulas<'a> {
    pub pool: &'a mut TermPool,
    pub random: &'a mut Random,
    pub shape: Shape,
}

impl Formulas<'_> {
    fn sort(&mut self) -> Sort {
        self.shape.sorts[self.random.below(self.shape.sorts.len())]
    }

    pub fn variable(&mut self, sort: Sort) -> Term {
        let number = self.random.below(self.shape.variables);
        self.pool.variable(&format!("{sort}{number}"), sort)
    }

    fn literal(&mut self, sort: Sort, bound: usize) -> Term {
        let number = self.random.signed(bound);
        match sort {
            Sort::Int => self.pool.int(number),
            _ => {
                let denominator = 1 + self.random.below(3);
                self.pool.real(BigRational::new(number.into(), denominator.into()))
            }
        }
    }

    /// A sum of a few multiples.
    pub fn sum(&mut self, sort: Sort, depth: usize) -> Term {
        let mut sum = self.literal(sort, self.shape.constant);
        for _ in 0..1 + self.random.below(3) {
            let part = if depth > 0 && self.random.below(10) < self.shape.special {
                self.special(sort, depth - 1)
            } else {
                self.variable(sort)
            };
            let factor = self.literal(sort, self.shape.coefficient);
            let product = self.pool.num_mul(part, factor);
            sum = self.pool.num_add(sum, product);
        }
        sum
    }

    fn special(&mut self, sort: Sort, depth: usize) -> Term {
        let other_is_there = self.shape.sorts.len() > 1;
        match (sort, self.random.below(4)) {
            (Sort::Int, 0) | (Sort::Int, 1) => {
                let dividend = self.sum(sort, depth);
                let divisor = self.literal(sort, 7);
                if self.random.one_in(2) {
                    self.pool.int_div(dividend, divisor)
                } else {
                    self.pool.int_mod(dividend, divisor)
                }
            }
            (Sort::Int, 2) if other_is_there => {
                let real = self.sum(Sort::Real, depth);
                self.pool.to_int(real)
            }
            (Sort::Real, 2) if other_is_there => {
                let integer = self.sum(Sort::Int, depth);
                self.pool.to_real(integer)
            }
            _ => {
                let condition = self.formula(depth);
                let (a, b) = (self.sum(sort, depth), self.sum(sort, depth));
                self.pool.ite(condition, a, b)
            }
        }
    }

    pub fn comparison(&mut self, depth: usize) -> Term {
        let sort = self.sort();
        let (a, b) = (self.sum(sort, depth), self.sum(sort, depth));
        match self.random.below(4) {
            0 => self.pool.eq(a, b),
            1 => self.pool.num_lt(a, b),
            _ => self.pool.num_le(a, b),
        }
    }

    pub fn formula(&mut self, depth: usize) -> Term {
        if depth == 0 || self.random.one_in(4) {
            let atom = match self.random.below(8) {
                0 => {
                    let number = self.random.below(3);
                    self.pool.variable(&format!("p{number}"), Sort::Bool)
                }
                _ => self.comparison(depth),
            };
            return if self.random.one_in(3) { self.pool.not(atom) } else { atom };
        }
        let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
        match self.random.below(5) {
            0 => self.pool.eq(a, b),
            1 | 2 => self.pool.and(a, b),
            _ => self.pool.or(a, b),
        }
    }
}
