//! Conjunctions that are easier to read: of all bounds of a sum only the tightest are left.

use super::formula::{Comparison, Formulas, Item, Place, comparison_parts, integer_comparison};
use aster_term::{LinearSum, Op, Rational, Sort, Term, TermPool, free_variables};
use std::collections::{BTreeMap, BTreeSet};

/// What is known about a sum without a constant.
#[derive(Default)]
struct Bounds {
    least: Option<Rational>,
    greatest: Option<Rational>,
    excluded: BTreeSet<Rational>,
}

impl Bounds {
    fn at_least(&mut self, bound: Rational) {
        if self.least.as_ref().is_none_or(|least| *least < bound) {
            self.least = Some(bound);
        }
    }

    fn at_most(&mut self, bound: Rational) {
        if self.greatest.as_ref().is_none_or(|greatest| *greatest > bound) {
            self.greatest = Some(bound);
        }
    }

    /// Uses the values that are excluded where they are at a bound, and forgets those beyond.
    fn tighten(&mut self) {
        while let Some(least) = self.least.take_if(|least| self.excluded.contains(least)) {
            self.least = Some(&least + &Rational::ONE);
        }
        while let Some(greatest) = self.greatest.take_if(|greatest| self.excluded.contains(greatest)) {
            self.greatest = Some(&greatest - &Rational::ONE);
        }
        let (least, greatest) = (&self.least, &self.greatest);
        self.excluded.retain(|value| {
            least.as_ref().is_none_or(|least| value > least)
                && greatest.as_ref().is_none_or(|greatest| value < greatest)
        });
    }
}

/// The conjuncts of a term, to be written.
pub(super) fn parts(formulas: &Formulas<'_>, pool: &TermPool, term: Term) -> Vec<Item> {
    let mut others = BTreeMap::new();
    let mut sums: BTreeMap<Vec<(Term, Rational)>, Bounds> = BTreeMap::new();
    for (conjunct, is_negated) in conjuncts(pool, term) {
        let is_comparison = matches!(pool.op(conjunct), Op::Eq | Op::NumLe | Op::NumLt)
            && pool
                .args(conjunct)
                .iter()
                .all(|&arg| pool.sort(arg) == Sort::Int && !formulas.is_name(pool, arg));
        if is_comparison {
            let (sum, comparison) = integer_comparison(pool, conjunct, is_negated);
            if add_bound(&mut sums, &sum, comparison) {
                continue;
            }
        }
        // In the order of the variables, which is that of their terms.
        let first = free_variables(pool, &[conjunct]).into_iter().min();
        others.insert((first, conjunct), is_negated);
    }
    let mut items = Vec::new();
    let next = |items: &mut Vec<Item>| {
        if !items.is_empty() {
            items.push(Item::Text(" and "));
        }
    };
    for ((_, conjunct), is_negated) in others {
        next(&mut items);
        items.push(Item::Term(Place::conjunct(conjunct, is_negated)));
    }
    for (monomials, mut bounds) in sums {
        bounds.tighten();
        let mut compare = |comparison, bound: &Rational, is_turned: bool| {
            next(&mut items);
            let mut sum = LinearSum { monomials: monomials.clone(), constant: -bound };
            if is_turned {
                sum = sum.scaled(&-&Rational::ONE);
            }
            comparison_parts(sum, comparison, &mut items);
        };
        match (&bounds.least, &bounds.greatest) {
            (Some(least), Some(greatest)) if least == greatest => compare(Comparison::Equal, least, false),
            (least, greatest) => {
                least.iter().for_each(|bound| compare(Comparison::AtMost, bound, true));
                greatest.iter().for_each(|bound| compare(Comparison::AtMost, bound, false));
            }
        }
        bounds.excluded.iter().for_each(|value| compare(Comparison::Unequal, value, false));
    }
    if items.is_empty() {
        items.push(Item::Term(Place::conjunct(term, false)));
    }
    items
}

/// The parts of a term that all hold, each with whether it is its opposite that holds.
fn conjuncts(pool: &TermPool, term: Term) -> Vec<(Term, bool)> {
    let mut found = Vec::new();
    let mut stack = vec![(term, false)];
    while let Some((term, is_negated)) = stack.pop() {
        let args = pool.args(term);
        match (pool.op(term), is_negated) {
            (Op::Not, _) => stack.push((args[0], !is_negated)),
            (Op::And, false) | (Op::Or, true) => {
                stack.extend(args.iter().rev().map(|&arg| (arg, is_negated)))
            }
            _ => found.push((term, is_negated)),
        }
    }
    found
}

/// Adds what a comparison says about its sum; false if it is better left as it is.
fn add_bound(
    sums: &mut BTreeMap<Vec<(Term, Rational)>, Bounds>,
    sum: &LinearSum,
    comparison: Comparison,
) -> bool {
    let Some((_, first)) = sum.monomials.first() else { return false };
    // The same sum, whatever it is multiplied with.
    let is_turned = first.is_negative();
    let factor = sum.primitive_factor();
    let sum = sum.scaled(&if is_turned { -&factor } else { factor });
    let value = -&sum.constant;
    if comparison != Comparison::AtMost && !value.is_integer() {
        return false;
    }
    let bounds = sums.entry(sum.monomials).or_default();
    match comparison {
        Comparison::Equal => {
            bounds.at_least(value.clone());
            bounds.at_most(value);
        }
        Comparison::Unequal => drop(bounds.excluded.insert(value)),
        Comparison::AtMost if is_turned => bounds.at_least(value.ceil()),
        Comparison::AtMost => bounds.at_most(value.floor()),
    }
    true
}
