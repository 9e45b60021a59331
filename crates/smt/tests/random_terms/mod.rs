//! Random terms for the tests of this crate. Deterministic: everything follows from the seed.

use aster_term::{MAX_WIDTH, Op, Sort, Term, TermPool};

/// A small generator of pseudo-random numbers (splitmix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
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

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Widths that formulas are made of.
const WIDTHS: [u32; 16] = [1, 2, 3, 4, 5, 6, 7, 8, 8, 12, 13, 16, 24, 32, 33, 64];

/// Products and quotients of two unknowns wider than this are too hard for a quick test.
const HARD_WIDTH: u32 = 8;

const BINARY: [Op; 13] = [
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
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
];

const COMPARISONS: [Op; 5] = [Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle];

/// Grows a bag of terms over a few variables of its own.
pub struct Formulas<'a> {
    pub random: &'a mut Random,
    widths: Vec<u32>,
    bits: Vec<Term>,
    truths: Vec<Term>,
    arrays: Vec<Term>,
}

impl<'a> Formulas<'a> {
    /// A new set of variables. Their names carry `tag`, so that other tags give other variables.
    pub fn new(pool: &mut TermPool, random: &'a mut Random, tag: &str, with_arrays: bool) -> Self {
        let widths: Vec<u32> = (0..2).map(|_| random.pick(&WIDTHS)).collect();
        let mut bits = Vec::new();
        for i in 0..3 + random.below(2) {
            let width = random.pick(&widths);
            bits.push(pool.variable(&format!("x{i}_{width}_{tag}"), Sort::BitVec(width)));
        }
        let truths = (0..2).map(|i| pool.variable(&format!("p{i}_{tag}"), Sort::Bool)).collect();
        let mut arrays = Vec::new();
        if with_arrays {
            let (index, element) = (random.pick(&widths), random.pick(&widths));
            for i in 0..2 {
                arrays.push(
                    pool.variable(&format!("a{i}_{index}_{element}_{tag}"), Sort::Array { index, element }),
                );
            }
        }
        Formulas { random, widths, bits, truths, arrays }
    }

    /// Adds one term, made by an operator that is chosen at random.
    pub fn grow(&mut self, pool: &mut TermPool) {
        match self.random.below(if self.arrays.is_empty() { 12 } else { 17 }) {
            0..6 => self.grow_binary(pool),
            6 => self.grow_shape(pool),
            7 => self.grow_unary(pool),
            8 => self.grow_truth(pool),
            9 => {
                let condition = self.random.pick(&self.truths);
                let one = self.random.pick(&self.bits);
                let other = self.bits_of(pool, pool.width(one));
                let term = pool.ite(condition, one, other);
                self.bits.push(term);
            }
            10 | 11 => {
                let term = self.comparison(pool);
                self.truths.push(term);
            }
            12..14 => self.grow_read(pool),
            _ => self.grow_array(pool),
        }
    }

    /// A Boolean term that was grown, or its negation.
    pub fn truth(&mut self, pool: &mut TermPool) -> Term {
        let recent = self.truths.len().min(8);
        let position = self.truths.len() - 1 - self.random.below(recent);
        let term = self.truths[position];
        if self.random.one_in(2) { pool.not(term) } else { term }
    }

    /// A comparison of two of the grown terms.
    pub fn comparison(&mut self, pool: &mut TermPool) -> Term {
        let position = self.bits.len() - 1 - self.random.below(self.bits.len().min(6));
        let one = self.bits[position];
        let other = self.bits_of(pool, pool.width(one));
        let op = self.random.pick(&COMPARISONS);
        pool.apply(op, &[one, other])
    }

    fn constant(&mut self, pool: &mut TermPool, width: u32) -> Term {
        match self.random.below(4) {
            0 => pool.bv_signed(width, -1),
            1 => pool.bv(width, 1u128 << (width - 1)),
            2 => pool.bv(width, self.random.below(4) as u128),
            _ => pool.bv(width, u128::from(self.random.next())),
        }
    }

    /// One of the terms, brought to this width, or a constant.
    fn bits_of(&mut self, pool: &mut TermPool, width: u32) -> Term {
        if self.random.one_in(4) {
            return self.constant(pool, width);
        }
        let term = self.random.pick(&self.bits);
        let has = pool.width(term);
        if has > width {
            let low = self.random.below((has - width + 1) as usize) as u32;
            pool.extract(low + width - 1, low, term)
        } else if self.random.one_in(2) {
            pool.zero_extend_to(width, term)
        } else {
            pool.sign_extend_to(width, term)
        }
    }

    fn grow_binary(&mut self, pool: &mut TermPool) {
        let op = self.random.pick(&BINARY);
        let one = self.random.pick(&self.bits);
        let width = pool.width(one);
        let hard = matches!(op, Op::BvMul | Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem);
        let other = if hard && width > HARD_WIDTH {
            if op != Op::BvMul {
                return;
            }
            self.constant(pool, width)
        } else {
            self.bits_of(pool, width)
        };
        let (one, other) = if self.random.one_in(2) { (one, other) } else { (other, one) };
        let term = pool.apply(op, &[one, other]);
        self.bits.push(term);
    }

    fn grow_unary(&mut self, pool: &mut TermPool) {
        let term = self.random.pick(&self.bits);
        let by = self.random.below(70) as u32;
        let op = self.random.pick(&[Op::BvNot, Op::BvNeg, Op::BvRotateLeft(by), Op::BvRotateRight(by)]);
        let term = pool.apply(op, &[term]);
        self.bits.push(term);
    }

    fn grow_shape(&mut self, pool: &mut TermPool) {
        let term = self.random.pick(&self.bits);
        let width = self.random.pick(&self.widths);
        let other = self.random.pick(&self.bits);
        let both = pool.width(term) + pool.width(other);
        let term = if both <= MAX_WIDTH && self.random.one_in(3) {
            pool.concat(term, other)
        } else {
            self.bits_of(pool, width)
        };
        self.bits.push(term);
    }

    fn grow_truth(&mut self, pool: &mut TermPool) {
        let (one, other) = (self.truth(pool), self.truth(pool));
        let op = self.random.pick(&[Op::And, Op::Or, Op::Xor, Op::Eq]);
        let term = if self.random.one_in(5) {
            let condition = self.truth(pool);
            pool.ite(condition, one, other)
        } else {
            pool.apply(op, &[one, other])
        };
        self.truths.push(term);
    }

    fn grow_read(&mut self, pool: &mut TermPool) {
        let array = self.random.pick(&self.arrays);
        let Sort::Array { index, .. } = pool.sort(array) else { unreachable!("an array") };
        let index = self.bits_of(pool, index);
        let term = pool.select(array, index);
        self.bits.push(term);
    }

    fn grow_array(&mut self, pool: &mut TermPool) {
        let array = self.random.pick(&self.arrays);
        let Sort::Array { index, element } = pool.sort(array) else { unreachable!("an array") };
        match self.random.below(6) {
            0 => {
                let other = self.random.pick(&self.arrays);
                let term = pool.eq(array, other);
                self.truths.push(term);
            }
            1 => {
                let (condition, other) = (self.random.pick(&self.truths), self.random.pick(&self.arrays));
                let term = pool.ite(condition, array, other);
                self.arrays.push(term);
            }
            2 => {
                let element = self.bits_of(pool, element);
                let term = pool.const_array(index, element);
                self.arrays.push(term);
            }
            _ => {
                let (index, element) = (self.bits_of(pool, index), self.bits_of(pool, element));
                let term = pool.store(array, index, element);
                self.arrays.push(term);
            }
        }
    }
}
