//! Random terms and models for the tests: deterministic, small, and biased towards what breaks rules.

use crate::evaluate::Model;
use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::sort::{MAX_WIDTH, Sort};
use crate::value::{ArrayValue, BitVec, Value};

/// A small generator of pseudo-random numbers (SplitMix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        (self.next() % u64::from(bound)) as u32
    }

    /// True in this many of a hundred cases.
    pub(crate) fn percent(&mut self, chance: u32) -> bool {
        self.below(100) < chance
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u32) as usize]
    }

    /// A bit-vector, often one at a border.
    pub(crate) fn bits(&mut self, width: u32) -> BitVec {
        let wild = (u128::from(self.next()) << 64) | u128::from(self.next());
        let power = 1u128 << self.below(width);
        let value = match self.below(12) {
            0 => 0,
            1 => 1,
            2 => u128::MAX,
            3 => 1 << (width - 1),
            4 => (1 << (width - 1)) - 1,
            5 | 6 => power,
            7 => power - 1,
            8 => power.wrapping_neg(),
            9 => u128::from(self.below(6)),
            10 => u128::from(self.below(6)).wrapping_neg(),
            _ => wild,
        };
        BitVec::new(width, value)
    }

    /// A value of any sort that has values.
    pub(crate) fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.percent(50)),
            Sort::BitVec(width) => Value::BitVec(self.bits(width)),
            Sort::Array { index, element } => {
                let mut array = ArrayValue::constant(index, self.bits(element));
                for _ in 0..self.below(4) {
                    array = array.store(self.bits(index), self.bits(element));
                }
                Value::Array(array)
            }
            _ => panic!("no values of sort {sort}"),
        }
    }
}

/// Builds random terms in a pool of its own.
pub(crate) struct Generator {
    pub(crate) random: Random,
    pub(crate) pool: TermPool,
    /// How many of a hundred applications are not normalised.
    raw: u32,
    recent: Vec<Term>,
}

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

impl Generator {
    pub(crate) fn new(seed: u64, raw: u32) -> Self {
        Generator { random: Random::new(seed), pool: TermPool::new(), raw, recent: Vec::new() }
    }

    /// Applies an operator, now and then without normalising.
    pub(crate) fn apply(&mut self, op: Op, args: &[Term]) -> Term {
        if self.random.percent(self.raw) { self.pool.apply_raw(op, args) } else { self.pool.apply(op, args) }
    }

    /// A sort that the operators can do something with.
    pub(crate) fn sort(&mut self) -> Sort {
        match self.random.below(6) {
            0 | 1 => Sort::Bool,
            2 => self.array_sort(),
            _ => Sort::BitVec(self.width()),
        }
    }

    pub(crate) fn array_sort(&mut self) -> Sort {
        Sort::Array { index: 1 + self.random.below(3), element: 1 + self.random.below(3) }
    }

    pub(crate) fn width(&mut self) -> u32 {
        if self.random.percent(75) { 1 + self.random.below(8) } else { self.random.pick(&[16, 32, 64, 128]) }
    }

    /// A term of the sort, of at most the given depth.
    pub(crate) fn term(&mut self, sort: Sort, depth: u32) -> Term {
        if self.random.percent(30)
            && let Some(known) = self.known(sort)
        {
            return known;
        }
        let term = if depth == 0 || self.random.percent(10) {
            self.leaf(sort)
        } else {
            match sort {
                Sort::Bool => self.truth(depth - 1),
                Sort::BitVec(width) => self.bit_vector(width, depth - 1),
                _ => self.array(sort, depth - 1),
            }
        };
        self.recent.push(term);
        if self.recent.len() > 60 {
            self.recent.remove(0);
        }
        term
    }

    /// A term of the sort that was made before, so that terms share structure.
    fn known(&mut self, sort: Sort) -> Option<Term> {
        for _ in 0..6 {
            if self.recent.is_empty() {
                return None;
            }
            let candidate = self.random.pick(&self.recent);
            if self.pool.sort(candidate) == sort {
                return Some(candidate);
            }
        }
        None
    }

    fn leaf(&mut self, sort: Sort) -> Term {
        match sort {
            Sort::BitVec(width) if self.random.percent(50) => self.literal(width),
            Sort::Bool if self.random.percent(10) => {
                let value = self.random.percent(50);
                self.pool.bool(value)
            }
            _ => self.variable(sort),
        }
    }

    pub(crate) fn literal(&mut self, width: u32) -> Term {
        let value = self.random.bits(width);
        self.pool.bv_value(value)
    }

    fn variable(&mut self, sort: Sort) -> Term {
        let name = format!("{}{sort}", self.random.pick(&["x", "y"]));
        self.pool.variable(&name, sort)
    }

    fn truth(&mut self, depth: u32) -> Term {
        let boolean = |g: &mut Self| g.term(Sort::Bool, depth);
        match self.random.below(12) {
            0 | 1 => {
                let a = boolean(self);
                self.apply(Op::Not, &[a])
            }
            2..=4 => {
                let (a, b) = (boolean(self), boolean(self));
                let op = self.random.pick(&[Op::And, Op::Or, Op::And, Op::Or, Op::Xor, Op::Eq]);
                self.apply(op, &[a, b])
            }
            5 => {
                let (a, b, c) = (boolean(self), boolean(self), boolean(self));
                self.apply(Op::Ite, &[a, b, c])
            }
            6 => {
                let sort = self.array_sort();
                let (a, b) = (self.term(sort, depth), self.term(sort, depth));
                self.apply(Op::Eq, &[a, b])
            }
            _ => {
                let width = self.width();
                let (a, b) = (self.term(Sort::BitVec(width), depth), self.operand(width, depth));
                let op = self.random.pick(&[Op::Eq, Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle]);
                let (a, b) = if self.random.percent(20) { (b, a) } else { (a, b) };
                self.apply(op, &[a, b])
            }
        }
    }

    /// A bit-vector that is often a literal.
    pub(crate) fn operand(&mut self, width: u32, depth: u32) -> Term {
        if self.random.percent(50) { self.literal(width) } else { self.term(Sort::BitVec(width), depth) }
    }

    fn bit_vector(&mut self, width: u32, depth: u32) -> Term {
        match self.random.below(22) {
            0 | 1 => {
                let a = self.term(Sort::BitVec(width), depth);
                let op = match self.random.below(10) {
                    0 => Op::BvRotateLeft(self.random.below(2 * width)),
                    1 => Op::BvRotateRight(self.random.below(2 * width)),
                    2..=5 => Op::BvNot,
                    _ => Op::BvNeg,
                };
                self.apply(op, &[a])
            }
            2 | 3 => self.literal_choice(width),
            4 => {
                let (c, a, b) =
                    (self.term(Sort::Bool, depth), self.operand(width, depth), self.operand(width, depth));
                self.apply(Op::Ite, &[c, a, b])
            }
            5..=7 if width < MAX_WIDTH => self.extraction(width, depth),
            8 | 9 if width > 1 => self.concatenation(width, depth),
            10..=12 if width > 1 => self.extension(width, depth),
            13 => {
                let index = 1 + self.random.below(3);
                let array = self.term(Sort::Array { index, element: width }, depth);
                let index = self.operand(index, depth);
                self.apply(Op::Select, &[array, index])
            }
            _ => {
                let (a, b) = (self.term(Sort::BitVec(width), depth), self.operand(width, depth));
                let (a, b) = if self.random.percent(20) { (b, a) } else { (a, b) };
                let op = self.random.pick(&BINARY);
                self.apply(op, &[a, b])
            }
        }
    }

    /// A choice between literals by a variable, so that conditions repeat.
    pub(crate) fn literal_choice(&mut self, width: u32) -> Term {
        let c = self.variable(Sort::Bool);
        let (a, b) = if self.random.percent(50) {
            (self.pool.bv(width, 1), self.pool.bv(width, 0))
        } else {
            (self.literal(width), self.literal(width))
        };
        self.apply(Op::Ite, &[c, a, b])
    }

    fn extraction(&mut self, width: u32, depth: u32) -> Term {
        let extra = 1 + self.random.below((MAX_WIDTH - width).min(8));
        let a = self.term(Sort::BitVec(width + extra), depth);
        let low = if self.random.percent(50) { 0 } else { self.random.below(extra + 1) };
        self.apply(Op::BvExtract { high: low + width - 1, low }, &[a])
    }

    fn concatenation(&mut self, width: u32, depth: u32) -> Term {
        let split = 1 + self.random.below(width - 1);
        if self.random.percent(30) && width < MAX_WIDTH {
            // Two neighbouring slices of one term.
            let a = self.term(Sort::BitVec(width + 1), depth);
            let upper = self.apply(Op::BvExtract { high: width, low: split + 1 }, &[a]);
            let lower = self.apply(Op::BvExtract { high: split, low: 1 }, &[a]);
            return self.apply(Op::BvConcat, &[upper, lower]);
        }
        let (a, b) = (self.operand(width - split, depth), self.term(Sort::BitVec(split), depth));
        self.apply(Op::BvConcat, &[a, b])
    }

    fn extension(&mut self, width: u32, depth: u32) -> Term {
        let by = 1 + self.random.below(width - 1);
        let a = self.term(Sort::BitVec(width - by), depth);
        let op = if self.random.percent(50) { Op::BvZeroExtend(by) } else { Op::BvSignExtend(by) };
        self.apply(op, &[a])
    }

    fn array(&mut self, sort: Sort, depth: u32) -> Term {
        let Sort::Array { index, element } = sort else { panic!("an array sort was expected") };
        match self.random.below(6) {
            0 => {
                let e = self.operand(element, depth);
                self.apply(Op::ConstArray { index }, &[e])
            }
            1 => {
                let (c, a, b) =
                    (self.term(Sort::Bool, depth), self.term(sort, depth), self.term(sort, depth));
                self.apply(Op::Ite, &[c, a, b])
            }
            _ => {
                let a = self.term(sort, depth);
                let (i, e) = (self.operand(index, depth), self.operand(element, depth));
                self.apply(Op::Store, &[a, i, e])
            }
        }
    }

    /// Models for the variables: all if there are few enough, otherwise random ones.
    pub(crate) fn models(&mut self, variables: &[Term]) -> Vec<Model> {
        let bits = |pool: &TermPool, v: Term| match pool.sort(v) {
            Sort::Bool => Some(1),
            sort => sort.width(),
        };
        let total = variables.iter().try_fold(0u32, |sum, &v| Some(sum + bits(&self.pool, v)?));
        let mut models = Vec::new();
        if let Some(total) = total.filter(|&total| total <= 6) {
            for number in 0..1u128 << total {
                let mut model = Model::new();
                let mut rest = number;
                for &v in variables {
                    let value = match self.pool.sort(v) {
                        Sort::BitVec(width) => Value::BitVec(BitVec::new(width, rest)),
                        _ => Value::Bool(rest & 1 == 1),
                    };
                    rest >>= bits(&self.pool, v).unwrap_or(0);
                    model.insert(v, value);
                }
                models.push(model);
            }
        } else {
            for _ in 0..16 {
                let mut model = Model::new();
                for &v in variables {
                    model.insert(v, self.random.value(self.pool.sort(v)));
                }
                models.push(model);
            }
        }
        models
    }
}
