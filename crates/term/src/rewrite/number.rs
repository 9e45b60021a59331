//! Numbers: canonical sums and comparisons, division by literals.
//!
//! The rules give canonical terms at once, without the constructors; a rule declines when that is the term at hand.

use super::{Args, Rule, order, rules};
use crate::node::{NO_TERM, Tag};
use crate::number::{LinearSum, Rational, is_number};
use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::sort::Sort;

pub(super) const ADD: &[Rule] = rules![add_canonical, add_long_constant];
pub(super) const SUB: &[Rule] = rules![sub_as_add];
pub(super) const NEG: &[Rule] = rules![neg_as_mul];
pub(super) const MUL: &[Rule] = rules![mul_literal, mul_pull_literal];
pub(super) const LE: &[Rule] = rules![compare_same, compare_canonical, compare_choice];
pub(super) const LT: &[Rule] = rules![compare_same, compare_canonical, compare_choice];
pub(super) const DIV: &[Rule] = rules![div_literal, div_sum];
pub(super) const MOD: &[Rule] = rules![mod_literal, mod_sum];
pub(super) const TO_REAL: &[Rule] = rules![to_real_sum];
pub(super) const TO_INT: &[Rule] = rules![to_int_literal, to_int_of_integer];

/// Sums of which more than so many parts are seen are left as they are.
const MAX_PARTS: usize = 128;

fn short_sum(pool: &TermPool, term: Term) -> Option<LinearSum> {
    pool.linear_sum_within(term, MAX_PARTS)
}

/// The term, unless it is the very application that is to be rewritten.
fn other(pool: &TermPool, term: Term, op: Op, args: &[Term]) -> Option<Term> {
    (pool.op(term) != op || pool.args(term) != args).then_some(term)
}

fn add_canonical(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let (x, y) = (short_sum(pool, a)?, short_sum(pool, b)?);
    if x.monomials.len() + y.monomials.len() > MAX_PARTS / 2 {
        return None;
    }
    let sort = pool.sort(a);
    let sum = pool.linear_term(sort, &x.plus(&y, &Rational::ONE));
    other(pool, sum, op, &[a, b])
}

/// `(x + c) + d` where `x` is too long to be looked at, and `x + 0`.
fn add_long_constant(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let d = pool.rational_constant(b)?;
    if d.is_zero() {
        return Some(a);
    }
    let (x, c) = pool.binary(a, Tag::NumAdd)?;
    let sum = d + pool.rational_constant(c)?;
    let sort = pool.sort(a);
    let sum = pool.number(sort, sum);
    Some(pool.num_add(x, sum))
}

fn sub_as_add(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let negated = pool.num_neg(b);
    Some(pool.num_add(a, negated))
}

fn neg_as_mul(pool: &mut TermPool, _: Op, [a, ..]: Args) -> Option<Term> {
    let sort = pool.sort(a);
    let factor = pool.number(sort, -Rational::ONE);
    Some(pool.num_mul(a, factor))
}

/// A literal times a sum.
fn mul_literal(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let factor = pool.rational_constant(b)?.clone();
    let sort = pool.sort(a);
    if factor.is_zero() {
        return Some(b);
    }
    if factor.is_one() {
        return Some(a);
    }
    let sum = short_sum(pool, a)?.scaled(&factor);
    let product = pool.linear_term(sort, &sum);
    other(pool, product, op, &[a, b])
}

/// `(x * c) * y` is `(x * y) * c`.
fn mul_pull_literal(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    for (p, q) in [(a, b), (b, a)] {
        if let Some((x, c)) = pool.binary(p, Tag::NumMul)
            && pool.tag(c) == Tag::NumberConst
        {
            let product = pool.num_mul(x, q);
            return Some(pool.num_mul(product, c));
        }
    }
    None
}

fn compare_same(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    (a == b).then(|| pool.bool(op == Op::NumLe))
}

/// The difference of the sides, if it is short, with coprime integers as coefficients.
fn difference(pool: &TermPool, a: Term, b: Term) -> Option<LinearSum> {
    let sum = short_sum(pool, a)?.plus(&short_sum(pool, b)?, &-Rational::ONE);
    let factor = sum.primitive_factor();
    Some(if factor.is_one() { sum } else { sum.scaled(&factor) })
}

/// True if all values of the sum are integers up to its constant.
fn is_integral(pool: &TermPool, sum: &LinearSum) -> bool {
    sum.monomials.iter().all(|&(term, ref c)| pool.sort(term) == Sort::Int && c.is_integer())
}

/// The sides of a relation: the parts with positive coefficients, and the others with the constant.
fn sides(pool: &mut TermPool, sort: Sort, sum: &LinearSum) -> (Term, Term) {
    let (mut left, mut right) = (LinearSum::default(), LinearSum::default());
    for (term, c) in &sum.monomials {
        if c.is_positive() {
            left.monomials.push((*term, c.clone()));
        } else {
            right.monomials.push((*term, -c));
        }
    }
    right.constant = -&sum.constant;
    (pool.linear_term(sort, &left), pool.linear_term(sort, &right))
}

/// See the description of the normal forms.
fn compare_canonical(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let mut sum = difference(pool, a, b)?;
    let mut strict = op == Op::NumLt;
    let sort = pool.sort(a);
    let Some((_, first)) = sum.monomials.first() else {
        let holds = if strict { sum.constant.is_negative() } else { !sum.constant.is_positive() };
        return Some(pool.bool(holds));
    };
    let is_reversed = first.is_negative();
    let is_integral = is_integral(pool, &sum);
    if is_integral {
        // s + c <= 0 for an integer s is s + ceil(c) <= 0, and s + c < 0 is s + floor(c) + 1 <= 0.
        sum.constant = if strict { &sum.constant.floor() + &Rational::ONE } else { sum.constant.ceil() };
        strict = false;
    }
    if is_reversed {
        // -s <= 0 is not s < 0.
        sum = sum.scaled(&-Rational::ONE);
        strict = !strict;
        if is_integral {
            sum.constant += &Rational::ONE;
            strict = false;
        }
    }
    let (left, right) = sides(pool, sort, &sum);
    let relation = if strict { Op::NumLt } else { Op::NumLe };
    if !is_reversed && (relation, left, right) == (op, a, b) {
        return None;
    }
    if let Some(decided) = compare_choice(pool, relation, [left, right, NO_TERM]) {
        return Some(if is_reversed { pool.not(decided) } else { decided });
    }
    let atom = pool.apply_checked(relation, [left, right, NO_TERM], Sort::Bool);
    Some(if is_reversed { pool.not(atom) } else { atom })
}

/// A relation to a literal where one branch of a choice is a literal: `ite(c, 1, x) <= 2` is `c or x <= 2`.
fn compare_choice(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let limit = pool.rational_constant(b)?.clone();
    let sum = short_sum(pool, a)?;
    let [(choice, factor)] = &sum.monomials[..] else { return None };
    let (c, x, y) = pool.ternary(*choice, Tag::Ite)?;
    if !sum.constant.is_zero() {
        return None;
    }
    let holds = |term| {
        let value = pool.rational_constant(term)? * factor;
        Some(match op {
            Op::NumLe => value <= limit,
            Op::NumLt => value < limit,
            _ => value == limit,
        })
    };
    let (then, otherwise) = (holds(x), holds(y));
    if then.is_none() && otherwise.is_none() {
        return None;
    }
    let mut branch = |decided: Option<bool>, term: Term| match decided {
        Some(truth) => pool.bool(truth),
        None => {
            let sort = pool.sort(a);
            let monomials = short_sum(pool, term).map(|sum| sum.scaled(factor));
            let side = monomials.map(|sum| pool.linear_term(sort, &sum));
            let side = side.unwrap_or_else(|| {
                let factor = pool.number(sort, factor.clone());
                pool.num_mul(term, factor)
            });
            pool.apply(op, &[side, b])
        }
    };
    let (then, otherwise) = (branch(then, x), branch(otherwise, y));
    Some(pool.ite(c, then, otherwise))
}

/// The canonical equality of numbers.
pub(super) fn eq_numbers(pool: &mut TermPool, op: Op, [a, b, _]: Args) -> Option<Term> {
    let sort = pool.sort(a);
    if !is_number(sort) {
        return None;
    }
    let mut sum = difference(pool, a, b)?;
    let Some((_, first)) = sum.monomials.first() else {
        return Some(pool.bool(sum.constant.is_zero()));
    };
    if is_integral(pool, &sum) && !sum.constant.is_integer() {
        return Some(pool.bool(false));
    }
    if first.is_negative() {
        sum = sum.scaled(&-Rational::ONE);
    }
    let (left, right) = sides(pool, sort, &sum);
    let args = order(pool, op, [left, right, NO_TERM]);
    if args[..2] == [a, b] {
        return None;
    }
    if let Some(decided) = compare_choice(pool, op, args) {
        return Some(decided);
    }
    Some(pool.apply_checked(op, args, Sort::Bool))
}

/// Equality of a choice and a literal.
pub(super) fn eq_number_choice(pool: &mut TermPool, op: Op, args: Args) -> Option<Term> {
    compare_choice(pool, op, args)
}

/// Division of a literal, and by 0, 1 or a negative literal.
fn div_literal(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let divisor = pool.rational_constant(b)?;
    if divisor.is_zero() {
        return Some(b);
    }
    if divisor.is_one() {
        return Some(a);
    }
    if let Some((quotient, _)) = pool.rational_constant(a).and_then(|a| a.div_rem_euclid(divisor)) {
        return Some(pool.number(Sort::Int, quotient));
    }
    if !divisor.is_negative() {
        return None;
    }
    let divisor = -divisor;
    let divisor = pool.number(Sort::Int, divisor);
    let quotient = pool.int_div(a, divisor);
    Some(pool.num_neg(quotient))
}

/// Remainder of a literal, and by 0, 1 or a negative literal.
fn mod_literal(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let divisor = pool.rational_constant(b)?;
    if divisor.is_zero() {
        return Some(b);
    }
    if divisor.abs().is_one() {
        return Some(pool.int(0));
    }
    if let Some((_, remainder)) = pool.rational_constant(a).and_then(|a| a.div_rem_euclid(divisor)) {
        return Some(pool.number(Sort::Int, remainder));
    }
    if !divisor.is_negative() {
        return None;
    }
    let divisor = -divisor;
    let divisor = pool.number(Sort::Int, divisor);
    Some(pool.int_mod(a, divisor))
}

/// The multiple of the divisor in a sum, divided by it, and the rest, whose coefficients are between zero and the divisor.
fn divided(sum: &LinearSum, divisor: &Rational) -> (LinearSum, LinearSum) {
    let (mut quotient, mut rest) = (LinearSum::default(), LinearSum::default());
    let split = |c: &Rational| c.div_rem_euclid(divisor).unwrap_or_default();
    for (term, c) in &sum.monomials {
        let (q, r) = split(c);
        if !q.is_zero() {
            quotient.monomials.push((*term, q));
        }
        if !r.is_zero() {
            rest.monomials.push((*term, r));
        }
    }
    (quotient.constant, rest.constant) = split(&sum.constant);
    (quotient, rest)
}

/// `(x + 5 * y) div 5` is `x div 5 + y`.
fn div_sum(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let divisor = pool.rational_constant(b)?.clone();
    if !divisor.is_positive() {
        return None;
    }
    let (quotient, rest) = divided(&short_sum(pool, a)?, &divisor);
    if quotient == LinearSum::default() {
        return None;
    }
    let (quotient, rest) = (pool.linear_term(Sort::Int, &quotient), pool.linear_term(Sort::Int, &rest));
    let rest = pool.int_div(rest, b);
    Some(pool.num_add(quotient, rest))
}

/// `(x + 5 * y) mod 5` is `x mod 5`, and `(x mod 10) mod 5` is `x mod 5`.
fn mod_sum(pool: &mut TermPool, _: Op, [a, b, _]: Args) -> Option<Term> {
    let divisor = pool.rational_constant(b)?.clone();
    if !divisor.is_positive() {
        return None;
    }
    let mut sum = short_sum(pool, a)?;
    for at in 0..sum.monomials.len() {
        let (term, c) = sum.monomials[at].clone();
        if let Some((x, m)) = pool.binary(term, Tag::IntMod)
            && let Some(m) = pool.rational_constant(m)
            && !m.is_zero()
            && (&(m * &c) / &divisor).is_integer()
        {
            let inner = short_sum(pool, x)?;
            sum.monomials.remove(at);
            sum = sum.plus(&inner, &c);
            let sum = pool.linear_term(Sort::Int, &sum);
            return Some(pool.int_mod(sum, b));
        }
    }
    let (quotient, rest) = divided(&sum, &divisor);
    if quotient == LinearSum::default() {
        return None;
    }
    let rest = pool.linear_term(Sort::Int, &rest);
    Some(pool.int_mod(rest, b))
}

/// Integers enter sums of real numbers one by one.
fn to_real_sum(pool: &mut TermPool, op: Op, [a, ..]: Args) -> Option<Term> {
    let sum = short_sum(pool, a)?;
    let sum = pool.linear_term(Sort::Real, &sum);
    other(pool, sum, op, &[a])
}

fn to_int_literal(pool: &mut TermPool, _: Op, [a, ..]: Args) -> Option<Term> {
    let floor = pool.rational_constant(a)?.floor();
    Some(pool.number(Sort::Int, floor))
}

/// The integral part of a sum goes out of the rounding.
fn to_int_of_integer(pool: &mut TermPool, _: Op, [a, ..]: Args) -> Option<Term> {
    let sum = short_sum(pool, a)?;
    let (mut whole, mut rest) = (LinearSum::default(), LinearSum::default());
    for (term, c) in sum.monomials {
        let is_whole = pool.sort(term) == Sort::Int && c.is_integer();
        if is_whole { &mut whole } else { &mut rest }.monomials.push((term, c));
    }
    whole.constant = sum.constant.floor();
    rest.constant = &sum.constant - &whole.constant;
    if whole == LinearSum::default() {
        return None;
    }
    let whole = pool.linear_term(Sort::Int, &whole);
    if rest.monomials.is_empty() {
        return Some(whole);
    }
    let rest = pool.linear_term(Sort::Real, &rest);
    let rest = pool.to_int(rest);
    Some(pool.num_add(whole, rest))
}
