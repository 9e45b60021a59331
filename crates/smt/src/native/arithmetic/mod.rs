//! Linear arithmetic over integers and rationals.
//!
//! Every comparison becomes a bound on a *form*, a sum of multiples of unknowns in canonical scale, and every bound is a
//! literal of the SAT solver. A model of the SAT solver decides bounds; those that matter for the query (see
//! [`relevance`]) are given to the simplex algorithm, and to the search for integers behind it. Bounds that contradict each
//! other become a clause. What choices, quotients and remainders mean is stated by bounds, too.
//!
//! Products of unknowns and division by unknowns are unknowns of their own, about which nothing is known: refutations
//! stay right, models are checked.

mod diophantine;
mod integers;
mod relevance;
mod simplex;
mod translate;

pub(super) use translate::{is_comparison, is_number};

use super::sat::{FALSE, Lit, Sat, TRUE};
use crate::solver::UnknownReason;
use aster_term::{Model, Rational, Sort, Term, TermPool, Value};
use rustc_hash::FxHashMap;
use simplex::{Shifted, Side, Simplex, Var};
use std::collections::BTreeMap;

/// An unknown: a variable of the query, or what stands for a term that is not linear.
type Unknown = usize;

/// A sum of multiples of unknowns (in ascending order) and a constant.
#[derive(Clone, Debug, Default)]
struct Expression {
    parts: Vec<(Unknown, Rational)>,
    constant: Rational,
}

impl Expression {
    fn unknown(unknown: Unknown) -> Self {
        Expression { parts: vec![(unknown, Rational::ONE)], constant: Rational::ZERO }
    }

    /// The sum of multiples of expressions.
    fn combine<'a>(parts: impl IntoIterator<Item = (&'a Expression, Rational)>) -> Expression {
        let mut constant = Rational::ZERO;
        let mut all: Vec<(Unknown, Rational)> = Vec::new();
        for (expression, factor) in parts {
            constant += &(&expression.constant * &factor);
            all.extend(expression.parts.iter().map(|(unknown, c)| (*unknown, c * &factor)));
        }
        all.sort_by_key(|&(unknown, _)| unknown);
        let mut parts: Vec<(Unknown, Rational)> = Vec::with_capacity(all.len());
        for (unknown, factor) in all {
            match parts.last_mut() {
                Some((last, sum)) if *last == unknown => *sum += &factor,
                _ => parts.push((unknown, factor)),
            }
        }
        parts.retain(|(_, factor)| !factor.is_zero());
        Expression { parts, constant }
    }
}

/// A sum of multiples of unknowns that bounds are about. The coefficients are coprime integers, the first one positive.
struct Form {
    parts: Vec<(Unknown, Rational)>,
    /// True if all its values are integers.
    is_integral: bool,
    /// The literals of `form < limit` and, with `true`, of `form <= limit`.
    limits: BTreeMap<(Rational, bool), Lit>,
    /// Its column, if the tableau has one.
    column: Option<Var>,
}

/// What a literal says: `form <= limit` or `form < limit`.
struct Atom {
    form: usize,
    limit: Rational,
    is_inclusive: bool,
}

/// What the bounds of a model come to.
pub(super) enum Verdict {
    /// They have common values.
    Consistent,
    /// These literals, all true in the model, contradict each other.
    Conflict(Vec<Lit>),
}

/// All that is known about numbers in the life of a solver.
#[derive(Default)]
pub(super) struct Arithmetic {
    /// For each unknown whether it is an integer, and its column, if the tableau has one.
    unknowns: Vec<(bool, Option<Var>)>,
    forms: Vec<Form>,
    form_of: FxHashMap<Vec<(Unknown, Rational)>, usize>,
    /// By the variable of the SAT solver.
    atoms: FxHashMap<Lit, Atom>,
    /// What terms are that linear arithmetic does not look into.
    expressions: FxHashMap<Term, Expression>,
    /// The literals that matter where a comparison or another term does.
    meanings: FxHashMap<Term, translate::Meaning>,
    /// The unknown that stands for the quotient of a term by a literal.
    quotients: FxHashMap<(Term, Rational), Unknown>,
    /// True once a term was met that is not linear.
    is_approximate: bool,
    tableau: Simplex,
    /// Values of unknowns in the last consistent model.
    values: FxHashMap<Unknown, Rational>,
}

impl Arithmetic {
    /// True if a model may have to be checked because not all terms are linear.
    pub(super) fn is_approximate(&self) -> bool {
        self.is_approximate
    }

    fn new_unknown(&mut self, is_integer: bool) -> Unknown {
        self.unknowns.push((is_integer, None));
        self.unknowns.len() - 1
    }

    /// The expression of a term of a number sort whose parts were translated.
    fn expression(&self, pool: &TermPool, term: Term) -> Expression {
        if let Some(known) = self.expressions.get(&term) {
            return known.clone();
        }
        let sum = pool.linear_sum(term);
        let one = Expression { parts: Vec::new(), constant: Rational::ONE };
        let parts = sum.monomials.iter().map(|(part, factor)| (&self.expressions[part], factor.clone()));
        Expression::combine(parts.chain([(&one, sum.constant.clone())]))
    }

    /// The literal that says that the expression is at most (or below) zero.
    fn at_most_zero(&mut self, sat: &mut Sat, expression: &Expression, is_inclusive: bool) -> Lit {
        let Some((_, first)) = expression.parts.first() else {
            let constant = &expression.constant;
            let holds = if is_inclusive { !constant.is_positive() } else { constant.is_negative() };
            return if holds { TRUE } else { FALSE };
        };
        let (mut divisor, mut multiple) = (Rational::ZERO, Rational::ONE);
        for (_, c) in &expression.parts {
            divisor = divisor.gcd(&c.numerator());
            multiple = multiple.lcm(&c.denominator());
        }
        let is_reversed = first.is_negative();
        let mut scale = &multiple / &divisor;
        if is_reversed {
            scale = -scale;
        }
        let parts: Vec<_> = expression.parts.iter().map(|(unknown, c)| (*unknown, c * &scale)).collect();
        let limit = -&(&expression.constant * &scale);
        let form = self.form(parts);
        if is_reversed {
            // -f <= -limit is not f < limit.
            -self.bound(sat, form, limit, !is_inclusive)
        } else {
            self.bound(sat, form, limit, is_inclusive)
        }
    }

    fn form(&mut self, parts: Vec<(Unknown, Rational)>) -> usize {
        if let Some(&form) = self.form_of.get(&parts) {
            return form;
        }
        let is_integral = parts.iter().all(|&(unknown, _)| self.unknowns[unknown].0);
        self.form_of.insert(parts.clone(), self.forms.len());
        self.forms.push(Form { parts, is_integral, limits: BTreeMap::new(), column: None });
        self.forms.len() - 1
    }

    /// The literal of `form <= limit` or `form < limit`, related to the neighbouring ones.
    fn bound(&mut self, sat: &mut Sat, form: usize, limit: Rational, is_inclusive: bool) -> Lit {
        let own = &mut self.forms[form];
        let (limit, is_inclusive) = match own.is_integral {
            true if is_inclusive => (limit.floor(), true),
            true => (&limit.ceil() - &Rational::ONE, true),
            false => (limit, is_inclusive),
        };
        let key = (limit, is_inclusive);
        if let Some(&literal) = own.limits.get(&key) {
            return literal;
        }
        let literal = sat.fresh();
        if let Some((_, &below)) = own.limits.range(..&key).next_back() {
            sat.emit(&[-below, literal]);
        }
        if let Some((_, &above)) = own.limits.range(&key..).next() {
            sat.emit(&[-literal, above]);
        }
        own.limits.insert(key.clone(), literal);
        self.atoms.insert(literal, Atom { form, limit: key.0, is_inclusive });
        literal
    }

    /// Decides the bounds that literals, which are true in the model of the SAT solver, stand for.
    pub(super) fn check(
        &mut self,
        literals: &[Lit],
        stop: &dyn Fn() -> Option<UnknownReason>,
    ) -> Result<Verdict, UnknownReason> {
        let integers = self.prepare(literals);
        let bounds: Vec<integers::Asserted> =
            literals.iter().filter_map(|&literal| self.bound_of(literal)).collect();
        let columns = self.unknowns.iter().filter(|(is_integer, _)| *is_integer).map(|&(_, column)| column);
        let forms = self.forms.iter().filter(|form| form.is_integral).map(|form| form.column);
        let mut integral: Vec<Var> = columns.chain(forms).flatten().collect();
        integral.sort_unstable();
        self.tableau.push();
        let outcome = integers::search(&mut self.tableau, &integers, integral, &bounds, stop);
        if matches!(outcome, Ok(Verdict::Consistent)) {
            self.remember_values();
        }
        self.tableau.pop();
        outcome
    }

    /// The bound of a literal that is true.
    fn bound_of(&self, literal: Lit) -> Option<integers::Asserted> {
        let atom = self.atoms.get(&literal.abs())?;
        let form = &self.forms[atom.form];
        let mut value = Shifted::from(atom.limit.clone());
        let side = if literal > 0 { Side::Upper } else { Side::Lower };
        match (side, form.is_integral) {
            (Side::Lower, true) => value.real += &Rational::ONE,
            (Side::Lower, false) if atom.is_inclusive => value.delta = Rational::ONE,
            (Side::Upper, false) if !atom.is_inclusive => value.delta = -Rational::ONE,
            _ => {}
        }
        Some(integers::Asserted { column: form.column?, side, value, literal })
    }

    /// Sees to it that the tableau has columns for all that the literals are about, and not too many others. The columns of
    /// integers among the unknowns that the literals are about are returned.
    fn prepare(&mut self, literals: &[Lit]) -> Vec<Var> {
        let mut needed: Vec<usize> =
            literals.iter().filter_map(|literal| Some(self.atoms.get(&literal.abs())?.form)).collect();
        needed.sort_unstable();
        needed.dedup();
        if self.tableau.rows() > 3 * needed.len() + 64 {
            self.tableau = Simplex::default();
            self.forms.iter_mut().for_each(|form| form.column = None);
            self.unknowns.iter_mut().for_each(|(_, column)| *column = None);
        }
        let mut integers = Vec::new();
        for form in needed {
            let mut parts = Vec::with_capacity(self.forms[form].parts.len());
            for (unknown, factor) in &self.forms[form].parts {
                let (is_integer, column) = &mut self.unknowns[*unknown];
                let column = *column.get_or_insert_with(|| self.tableau.new_column(Shifted::default()));
                parts.push((column, factor.clone()));
                if *is_integer {
                    integers.push(column);
                }
            }
            if self.forms[form].column.is_none() {
                self.forms[form].column = Some(match &parts[..] {
                    [(column, factor)] if factor.is_one() => *column,
                    _ => self.tableau.new_row(&parts),
                });
            }
        }
        integers.sort_unstable();
        integers.dedup();
        integers
    }

    /// Takes the values of the unknowns out of the tableau, with a number for the infinitesimal that is small enough.
    fn remember_values(&mut self) {
        let columns = || {
            let unknowns = self.unknowns.iter().filter_map(|&(_, column)| column);
            unknowns.chain(self.forms.iter().filter_map(|form| form.column))
        };
        let mut delta = Rational::ONE;
        for column in columns() {
            let value = self.tableau.value(column);
            for side in [Side::Lower, Side::Upper] {
                let Some(bound) = self.tableau.bound(column, side) else { continue };
                let (low, high) =
                    if side == Side::Lower { (&bound.value, value) } else { (value, &bound.value) };
                // low.real + low.delta * d <= high.real + high.delta * d
                let excess = &low.delta - &high.delta;
                if excess.is_positive() && low.real < high.real {
                    delta = delta.min(&(&high.real - &low.real) / &excess);
                }
            }
        }
        self.values.clear();
        for (unknown, &(_, column)) in self.unknowns.iter().enumerate() {
            if let Some(column) = column {
                let value = self.tableau.value(column);
                self.values.insert(unknown, &value.real + &(&value.delta * &delta));
            }
        }
    }

    /// The value of a variable of a number sort in the last consistent model.
    pub(super) fn value(&self, pool: &TermPool, variable: Term) -> Option<Value> {
        let &[(unknown, _)] = &self.expressions.get(&variable)?.parts[..] else { return None };
        let value = self.values.get(&unknown).cloned().unwrap_or_default();
        match pool.sort(variable) {
            Sort::Int => value.to_integer().map(Value::Int),
            Sort::Real => Some(Value::Real(value.to_big())),
            _ => None,
        }
    }

    /// Adds the values of variables to a model.
    pub(super) fn complete(&self, pool: &TermPool, variables: &[Term], model: &mut Model) {
        for &variable in variables {
            if let Some(value) = self.value(pool, variable) {
                model.insert(variable, value);
            }
        }
    }
}
