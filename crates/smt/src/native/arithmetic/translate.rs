//! From terms about numbers to bounds.

use super::super::blast::Blaster;
use super::super::sat::Lit;
use super::Expression;
use aster_term::{Op, Rational, Sort, Term, TermPool};

/// The literals that matter where a term does.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// The term is this bound.
    Bound(Lit),
    /// The term is the conjunction of the bounds.
    Both([Lit; 2]),
    /// All of these hold, whatever else does.
    Facts(Vec<Lit>),
    /// These hold if the condition of the choice is true, or if it is false.
    Choice([Vec<Lit>; 2]),
}

/// True for comparisons of numbers.
pub(in crate::native) fn is_comparison(pool: &TermPool, term: Term) -> bool {
    match pool.op(term) {
        Op::NumLe | Op::NumLt => true,
        Op::Eq => is_number(pool, pool.args(term)[0]),
        _ => false,
    }
}

/// True for terms of number sorts.
pub(in crate::native) fn is_number(pool: &TermPool, term: Term) -> bool {
    matches!(pool.sort(term), Sort::Int | Sort::Real)
}

impl Blaster {
    /// The literal of a comparison of numbers whose sides were translated.
    pub(in super::super) fn compare_numbers(&mut self, pool: &TermPool, term: Term) -> Lit {
        let op = pool.op(term);
        let (a, b) = (pool.args(term)[0], pool.args(term)[1]);
        let (a, b) = (self.arithmetic.expression(pool, a), self.arithmetic.expression(pool, b));
        let (literal, meaning) = match op {
            Op::Eq => {
                let bounds = self.equal_numbers(&a, &b);
                (self.circuits.gates.and(bounds[0], bounds[1]), Meaning::Both(bounds))
            }
            _ => {
                let bound = self.at_most(&a, &b, op == Op::NumLe);
                (bound, Meaning::Bound(bound))
            }
        };
        self.arithmetic.meanings.insert(term, meaning);
        literal
    }

    /// The bound `a <= b` or `a < b`.
    fn at_most(&mut self, a: &Expression, b: &Expression, is_inclusive: bool) -> Lit {
        let difference = Expression::combine([(a, Rational::ONE), (b, -Rational::ONE)]);
        self.arithmetic.at_most_zero(&mut self.circuits.gates.sat, &difference, is_inclusive)
    }

    /// The bounds that together say that two expressions are equal.
    fn equal_numbers(&mut self, a: &Expression, b: &Expression) -> [Lit; 2] {
        [self.at_most(a, b, true), self.at_most(b, a, true)]
    }

    /// Translates a term of a number sort whose arguments were translated.
    pub(in super::super) fn number(&mut self, pool: &TermPool, term: Term) {
        let args = pool.args(term);
        let is_integer = pool.sort(term) == Sort::Int;
        match pool.op(term) {
            // Linear: looked through where it is compared.
            Op::NumberConst(_) | Op::NumAdd | Op::NumSub | Op::NumNeg | Op::ToReal => {}
            Op::NumMul if args.iter().any(|&arg| pool.rational_constant(arg).is_some()) => {}
            Op::Variable(_) => {
                let unknown = self.arithmetic.new_unknown(is_integer);
                self.arithmetic.expressions.insert(term, Expression::unknown(unknown));
            }
            Op::Ite => self.choice(pool, term, is_integer),
            Op::IntDiv | Op::IntMod if divisor(pool, args[1]).is_some() => self.division(pool, term),
            Op::ToInt => {
                let unknown = Expression::unknown(self.arithmetic.new_unknown(true));
                let real = self.arithmetic.expression(pool, args[0]);
                let next = Expression { constant: Rational::ONE, ..unknown.clone() };
                let facts = vec![self.at_most(&unknown, &real, true), self.at_most(&real, &next, false)];
                self.define_number(term, unknown, facts);
            }
            _ => {
                self.arithmetic.is_approximate = true;
                let unknown = self.arithmetic.new_unknown(is_integer);
                self.arithmetic.expressions.insert(term, Expression::unknown(unknown));
            }
        }
    }

    fn choice(&mut self, pool: &TermPool, term: Term, is_integer: bool) {
        let args = pool.args(term);
        let condition = self.literal(args[0]);
        let unknown = Expression::unknown(self.arithmetic.new_unknown(is_integer));
        let mut sides = [Vec::new(), Vec::new()];
        for (side, (branch, guard)) in sides.iter_mut().zip([(args[1], condition), (args[2], -condition)]) {
            let value = self.arithmetic.expression(pool, branch);
            for bound in self.equal_numbers(&unknown, &value) {
                self.circuits.gates.sat.clause(&[-guard, bound]);
                side.push(bound);
            }
        }
        self.arithmetic.expressions.insert(term, unknown);
        self.arithmetic.meanings.insert(term, Meaning::Choice(sides));
    }

    /// Quotient or remainder by a positive literal: `0 <= a - c * q < c`.
    fn division(&mut self, pool: &TermPool, term: Term) {
        let args = pool.args(term);
        let Some(divisor) = divisor(pool, args[1]) else { return };
        let key = (args[0], divisor.clone());
        let quotient = match self.arithmetic.quotients.get(&key) {
            Some(&known) => known,
            None => {
                let fresh = self.arithmetic.new_unknown(true);
                self.arithmetic.quotients.insert(key, fresh);
                fresh
            }
        };
        let quotient = Expression::unknown(quotient);
        let dividend = self.arithmetic.expression(pool, args[0]);
        let remainder = Expression::combine([(&dividend, Rational::ONE), (&quotient, -&divisor)]);
        let zero = Expression::default();
        let limit = Expression { parts: Vec::new(), constant: divisor };
        let facts = vec![self.at_most(&zero, &remainder, true), self.at_most(&remainder, &limit, false)];
        self.define_number(term, if pool.op(term) == Op::IntDiv { quotient } else { remainder }, facts);
    }

    /// What a term is, with facts about it.
    fn define_number(&mut self, term: Term, expression: Expression, facts: Vec<Lit>) {
        for &fact in &facts {
            self.circuits.gates.sat.clause(&[fact]);
        }
        self.arithmetic.expressions.insert(term, expression);
        self.arithmetic.meanings.insert(term, Meaning::Facts(facts));
    }
}

/// The divisor, if it is a positive literal; the constructors make it so if it is a literal at all.
fn divisor(pool: &TermPool, term: Term) -> Option<Rational> {
    pool.rational_constant(term).filter(|divisor| divisor.is_positive()).cloned()
}
