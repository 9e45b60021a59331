//! Linear sums: what a term of a number sort is in terms of its non-linear parts.

use super::Rational;
use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::sort::Sort;
use std::collections::BTreeMap;

/// A sum of multiples of terms and a constant.
///
/// The terms are those that linear arithmetic cannot look into: variables, choices, quotients, remainders, roundings and
/// products. In a sum of sort `Real`, terms of sort `Int` stand for themselves as real numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinearSum {
    /// The terms in ascending order with their coefficients, none of which is zero.
    pub monomials: Vec<(Term, Rational)>,
    /// What is added to them.
    pub constant: Rational,
}

impl LinearSum {
    /// The sum multiplied by a number.
    pub fn scaled(&self, factor: &Rational) -> LinearSum {
        if factor.is_zero() {
            return LinearSum::default();
        }
        let monomials = self.monomials.iter().map(|(term, c)| (*term, c * factor)).collect();
        LinearSum { monomials, constant: &self.constant * factor }
    }

    /// The sum of this one and a multiple of another one.
    pub fn plus(&self, other: &LinearSum, factor: &Rational) -> LinearSum {
        let mut monomials = Vec::with_capacity(self.monomials.len() + other.monomials.len());
        let (mut left, mut right) = (self.monomials.iter().peekable(), other.monomials.iter().peekable());
        loop {
            match (left.peek(), right.peek()) {
                (Some((a, x)), Some((b, y))) if a == b => {
                    let sum = x + &(y * factor);
                    if !sum.is_zero() {
                        monomials.push((*a, sum));
                    }
                    left.next();
                    right.next();
                }
                (Some((a, x)), b) if b.is_none_or(|(b, _)| a < b) => {
                    monomials.push((*a, x.clone()));
                    left.next();
                }
                (_, Some((b, y))) => {
                    if !factor.is_zero() {
                        monomials.push((*b, y * factor));
                    }
                    right.next();
                }
                _ => break,
            }
        }
        LinearSum { monomials, constant: &self.constant + &(&other.constant * factor) }
    }

    /// The coefficient of a term.
    pub fn coefficient(&self, term: Term) -> Rational {
        match self.monomials.binary_search_by_key(&term, |&(term, _)| term) {
            Ok(at) => self.monomials[at].1.clone(),
            Err(_) => Rational::ZERO,
        }
    }

    /// The positive factor that makes the coefficients of the terms integers without common divisor; one if there are none.
    pub fn primitive_factor(&self) -> Rational {
        let (mut divisor, mut multiple) = (Rational::ZERO, Rational::ONE);
        for (_, c) in &self.monomials {
            divisor = divisor.gcd(&c.numerator());
            multiple = multiple.lcm(&c.denominator());
        }
        if divisor.is_zero() { Rational::ONE } else { &multiple / &divisor }
    }
}

impl TermPool {
    /// The linear sum that a term of a number sort is.
    pub fn linear_sum(&self, term: Term) -> LinearSum {
        self.linear_sum_within(term, usize::MAX).unwrap_or_default()
    }

    /// As [`TermPool::linear_sum`]; `None` if more than so many subterms have to be looked at.
    pub(crate) fn linear_sum_within(&self, term: Term, mut budget: usize) -> Option<LinearSum> {
        let mut constant = Rational::ZERO;
        let mut monomials = Vec::new();
        // Arguments have smaller ids than what they are arguments of: taking the largest one first means that all
        // its occurrences have been added up.
        let mut open: BTreeMap<Term, Rational> = BTreeMap::from([(term, Rational::ONE)]);
        while let Some((term, coefficient)) = open.pop_last() {
            if coefficient.is_zero() {
                continue;
            }
            budget = budget.checked_sub(1)?;
            let mut add = |term: Term, by: &Rational| *open.entry(term).or_default() += by;
            match (self.op(term), self.args(term)) {
                (Op::NumberConst(index), _) => constant += &(&coefficient * self.numbers.get(index)),
                (Op::NumAdd, &[a, b]) => {
                    add(a, &coefficient);
                    add(b, &coefficient);
                }
                (Op::NumSub, &[a, b]) => {
                    add(a, &coefficient);
                    add(b, &-&coefficient);
                }
                (Op::NumNeg, &[a]) => add(a, &-&coefficient),
                (Op::ToReal, &[a]) => add(a, &coefficient),
                (Op::NumMul, &[a, b]) => match (self.rational_constant(a), self.rational_constant(b)) {
                    (_, Some(factor)) => add(a, &(&coefficient * factor)),
                    (Some(factor), _) => add(b, &(&coefficient * factor)),
                    _ => monomials.push((term, coefficient)),
                },
                _ => monomials.push((term, coefficient)),
            }
        }
        monomials.reverse();
        Some(LinearSum { monomials, constant })
    }

    /// The canonical term of a linear sum: its multiples in order, the constant last. For the sort `Int` all coefficients
    /// must be integers and all terms of that sort.
    pub fn linear_term(&mut self, sort: Sort, sum: &LinearSum) -> Term {
        let mut chain = None;
        for (term, coefficient) in &sum.monomials {
            let mut term = *term;
            if self.sort(term) != sort {
                term = self.apply_raw(Op::ToReal, &[term]);
            }
            if !coefficient.is_one() {
                let factor = self.number(sort, coefficient.clone());
                term = self.apply_raw(Op::NumMul, &[term, factor]);
            }
            chain = Some(match chain {
                None => term,
                Some(chain) => self.apply_raw(Op::NumAdd, &[chain, term]),
            });
        }
        match chain {
            Some(chain) if sum.constant.is_zero() => chain,
            Some(chain) => {
                let constant = self.number(sort, sum.constant.clone());
                self.apply_raw(Op::NumAdd, &[chain, constant])
            }
            None => self.number(sort, sum.constant.clone()),
        }
    }
}
