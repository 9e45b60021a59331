//! Random formulas about floats.

use crate::random_terms::Random;
use aster_term::{FloatFormat, FpOp, Op, Rounding, Sort, Term, TermPool};

/// Grows a bag of floats over a few variables of its own.
pub struct FloatFormulas<'a> {
    random: &'a mut Random,
    formats: &'static [FloatFormat],
    floats: Vec<(FloatFormat, Term)>,
    integers: Vec<Term>,
}

impl<'a> FloatFormulas<'a> {
    /// A new set of variables, whose names carry `tag`.
    pub fn new(
        pool: &mut TermPool,
        random: &'a mut Random,
        tag: &str,
        formats: &'static [FloatFormat],
    ) -> Self {
        let format = random.pick(formats);
        let floats = (0..3)
            .map(|i| {
                let format = if i == 0 { random.pick(formats) } else { format };
                let width = format.width();
                (format, pool.variable(&format!("f{i}_{width}_{tag}"), Sort::BitVec(width)))
            })
            .collect();
        let width = random.pick(&[4, 6, 16]);
        let integers = vec![pool.variable(&format!("n{width}_{tag}"), Sort::BitVec(width))];
        FloatFormulas { random, formats, floats, integers }
    }

    /// A formula about what a few operators compute.
    pub fn formula(&mut self, pool: &mut TermPool) -> Vec<Term> {
        for _ in 0..1 + self.random.below(4) {
            self.grow(pool);
        }
        (0..1 + self.random.below(3)).map(|_| self.comparison(pool)).collect()
    }

    /// A float of the format: one that was grown, sometimes with its sign flipped, or a literal.
    fn of_format(&mut self, pool: &mut TermPool, format: FloatFormat) -> Term {
        let known: Vec<Term> = self.floats.iter().filter(|f| f.0 == format).map(|f| f.1).collect();
        if known.is_empty() || self.random.one_in(4) {
            let bits = u128::from(self.random.next());
            return pool.bv(format.width(), bits);
        }
        let term = self.random.pick(&known[known.len().saturating_sub(3)..]);
        match self.random.below(8) {
            0 => pool.fp_neg(format, term),
            1 => pool.fp_abs(format, term),
            _ => term,
        }
    }

    fn grow(&mut self, pool: &mut TermPool) {
        let format = self.random.pick(&self.floats).0;
        let rounding = self.random.pick(&Rounding::ALL);
        let to = self.random.pick(self.formats);
        let width = self.random.pick(&[1, 3, 6, 16]);
        let integer = self.random.pick(&self.integers);
        // Division and fused operations are hard, products of larger numbers than these, too.
        let (is_tiny, is_small) = (format.width() < 8, format.width() <= 16);
        let op = match self.random.below(16) {
            0 | 1 => FpOp::Add(format, rounding),
            2 => FpOp::Sub(format, rounding),
            3 | 4 if is_small => FpOp::Mul(format, rounding),
            5 if is_tiny => FpOp::Div(format, rounding),
            6 if is_tiny => FpOp::Fma(format, rounding),
            7 if is_tiny && self.random.one_in(2) => FpOp::Rem(format),
            7 if is_tiny => FpOp::Mod(format),
            8 if is_small => FpOp::Sqrt(format, rounding),
            9 => FpOp::RoundToIntegral(format, rounding),
            10 => FpOp::Min(format),
            11 => FpOp::Max(format),
            12 => {
                let op = if self.random.one_in(2) {
                    FpOp::ToSigned { from: format, width, rounding }
                } else {
                    FpOp::ToUnsigned { from: format, width, rounding }
                };
                let a = self.of_format(pool, format);
                let term = pool.apply(Op::Fp(op), &[a]);
                self.integers.push(term);
                return;
            }
            13 => {
                let op = if self.random.one_in(2) {
                    FpOp::FromSigned { to, rounding }
                } else {
                    FpOp::FromUnsigned { to, rounding }
                };
                let term = pool.apply(Op::Fp(op), &[integer]);
                self.floats.push((to, term));
                return;
            }
            _ => FpOp::Convert { from: format, to, rounding },
        };
        let args: Vec<Term> = (0..op.arity()).map(|_| self.of_format(pool, format)).collect();
        let term = pool.apply(Op::Fp(op), &args);
        self.floats.push((op.result_format().expect("a float"), term));
    }

    fn comparison(&mut self, pool: &mut TermPool) -> Term {
        let (format, a) = self.floats[self.floats.len() - 1 - self.random.below(self.floats.len().min(3))];
        let b = self.of_format(pool, format);
        let term = match self.random.below(9) {
            0 | 1 => pool.fp_lt(format, a, b),
            2 => pool.fp_le(format, a, b),
            3 => pool.fp_eq(format, a, b),
            4 => pool.eq(a, b),
            5 => pool.fp_is_nan(format, a),
            6 => pool.fp_is_subnormal(format, a),
            7 => pool.fp_is_infinite(format, a),
            _ => {
                let integer = self.random.pick(&self.integers);
                let width = pool.width(integer);
                let limit = pool.bv(width, u128::from(self.random.next()));
                pool.slt(integer, limit)
            }
        };
        if self.random.one_in(3) { pool.not(term) } else { term }
    }
}
