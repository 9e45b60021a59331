//! The rules for numbers keep values, are all of use, and lead to stable normal forms.

use super::{Args, order, rules_of};
use crate::evaluate::{Model, evaluate};
use crate::node::{NO_TERM, Tag};
use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::smtlib::print_term;
use crate::sort::Sort;
use crate::testing::Random;
use crate::value::Value;
use num_bigint::BigInt;
use num_rational::BigRational;
use std::collections::BTreeMap;

struct Setting {
    pool: TermPool,
    random: Random,
    /// How many of a hundred applications are left as they are made.
    raw: u32,
}

impl Setting {
    fn new(seed: u64, raw: u32) -> Self {
        Setting { pool: TermPool::new(), random: Random::new(seed), raw }
    }

    fn literal(&mut self, sort: Sort) -> Term {
        let number = i128::from(self.random.below(13)) - 6;
        match sort {
            Sort::Int if self.random.percent(2) => self.pool.int(number * i128::from(i64::MAX)),
            Sort::Int => self.pool.int(number),
            _ => {
                let denominator = 1 + self.random.below(3);
                self.pool.real(BigRational::new(number.into(), denominator.into()))
            }
        }
    }

    fn sort(&mut self) -> Sort {
        if self.random.percent(60) { Sort::Int } else { Sort::Real }
    }

    fn apply(&mut self, op: Op, args: &[Term]) -> Term {
        if self.random.percent(self.raw) { self.pool.apply_raw(op, args) } else { self.pool.apply(op, args) }
    }

    fn term(&mut self, sort: Sort, depth: u32) -> Term {
        if depth == 0 || self.random.percent(10) {
            return match sort {
                _ if sort != Sort::Bool && self.random.percent(40) => self.literal(sort),
                _ => {
                    let name = format!("{sort}{}", self.random.below(3));
                    self.pool.variable(&name, sort)
                }
            };
        }
        let (op, args) = self.application(sort, depth);
        self.apply(op, &args)
    }

    /// An operator with arguments such that the application has the sort.
    fn application(&mut self, sort: Sort, depth: u32) -> (Op, Vec<Term>) {
        let depth = depth - 1;
        if sort == Sort::Bool {
            let of = self.sort();
            let op = [Op::NumLe, Op::NumLt, Op::Eq, Op::And, Op::Not][self.random.below(5) as usize];
            let of = if matches!(op, Op::And | Op::Not) { Sort::Bool } else { of };
            let args = (0..op.arity()).map(|_| self.term(of, depth)).collect();
            return (op, args);
        }
        let ops: &[Op] = if sort == Sort::Int {
            &[Op::NumAdd, Op::NumSub, Op::NumNeg, Op::NumMul, Op::IntDiv, Op::IntMod, Op::ToInt, Op::Ite]
        } else {
            &[Op::NumAdd, Op::NumSub, Op::NumNeg, Op::NumMul, Op::ToReal, Op::Ite]
        };
        let op = ops[self.random.below(ops.len() as u32) as usize];
        let mut args: Vec<Term> = Vec::new();
        for place in 0..op.arity() {
            let of = match (op, place) {
                (Op::Ite, 0) => Sort::Bool,
                (Op::ToInt, _) => Sort::Real,
                (Op::ToReal, _) => Sort::Int,
                _ => sort,
            };
            let is_factor = place == 1 && matches!(op, Op::NumMul | Op::IntDiv | Op::IntMod);
            let is_literal =
                is_factor && self.random.percent(90) || of != Sort::Bool && self.random.percent(20);
            args.push(if is_literal { self.literal(of) } else { self.term(of, depth) });
        }
        (op, args)
    }

    fn model(&mut self) -> Model {
        let mut model = Model::new();
        let variables: Vec<Term> = self.pool.variables().collect();
        for variable in variables {
            let number = BigInt::from(self.random.below(21)) - 10;
            let value = match self.pool.sort(variable) {
                Sort::Bool => Value::Bool(self.random.percent(50)),
                Sort::Int => Value::Int(number),
                _ => Value::Real(BigRational::new(number, (1 + self.random.below(4)).into())),
            };
            model.insert(variable, value);
        }
        model
    }

    fn assert_equal(&mut self, a: Term, b: Term, what: &str) {
        assert_eq!(self.pool.sort(a), self.pool.sort(b), "{what}: sorts");
        for _ in 0..12 {
            let model = self.model();
            let (x, y) = (evaluate(&self.pool, a, &model), evaluate(&self.pool, b, &model));
            let (a, b) = (print_term(&self.pool, a), print_term(&self.pool, b));
            assert_eq!(x, y, "{what}:\n{a}\n{b}\n{model:?}");
        }
    }
}

const TAGS: [Tag; 11] = [
    Tag::NumAdd,
    Tag::NumSub,
    Tag::NumNeg,
    Tag::NumMul,
    Tag::NumLe,
    Tag::NumLt,
    Tag::IntDiv,
    Tag::IntMod,
    Tag::ToReal,
    Tag::ToInt,
    Tag::Eq,
];

#[test]
fn every_rule_is_sound_and_alive() {
    let mut fired: BTreeMap<(String, &'static str), u32> = BTreeMap::new();
    for tag in TAGS {
        for rule in rules_of(tag).iter().filter(|r| tag != Tag::Eq || r.name.starts_with("number::")) {
            fired.insert((format!("{tag:?}"), rule.name), 0);
        }
    }
    for seed in 0..300 {
        let mut setting = Setting::new(seed, 15);
        for _ in 0..100 {
            let sort = if setting.random.percent(40) { Sort::Bool } else { setting.sort() };
            let depth = 1 + setting.random.below(4);
            let (op, args) = setting.application(sort, depth);
            let mut places: Args = [NO_TERM; 3];
            places[..args.len()].copy_from_slice(&args);
            let raw = setting.pool.apply_raw(op, &args);
            if TAGS.contains(&op.tag()) {
                let places = order(&setting.pool, op, places);
                for rule in rules_of(op.tag()) {
                    if let Some(result) = (rule.apply)(&mut setting.pool, op, places) {
                        setting.assert_equal(raw, result, rule.name);
                        *fired.entry((format!("{:?}", op.tag()), rule.name)).or_default() += 1;
                    }
                }
            }
            let normal = setting.pool.apply(op, &args);
            setting.assert_equal(raw, normal, "constructor");
        }
    }
    // Sums that are too long need more than random terms.
    let rare: Vec<_> =
        fired.iter().filter(|&((_, name), &count)| count < 5 && *name != "add_long_constant").collect();
    assert!(rare.is_empty(), "rules that the test hardly reached: {rare:?}");
}

#[test]
fn normal_forms_are_stable() {
    for seed in 0..4000 {
        let mut setting = Setting::new(7000 + seed, 0);
        let sort = [Sort::Bool, Sort::Int, Sort::Real][setting.random.below(3) as usize];
        let term = setting.term(sort, 6);
        let again = super::tests::rebuild(&mut setting.pool, term);
        let (a, b) = (print_term(&setting.pool, term), print_term(&setting.pool, again));
        assert_eq!(term, again, "{a}\n{b}");
    }
}

#[test]
fn comparisons_have_one_form() {
    let mut pool = TermPool::new();
    let [x, y] = ["x", "y"].map(|name| pool.variable(name, Sort::Int));
    let [zero, one, two, five, six] = [0, 1, 2, 5, 6].map(|n| pool.int(n));
    let truth = pool.bool(true);
    let (x1, x2) = (pool.num_add(x, one), pool.num_add(x, two));
    assert_eq!(pool.num_le(x1, x2), truth);
    let (doubled, other) = (pool.num_add(x, x), pool.num_mul(two, y));
    assert_eq!(pool.num_lt(doubled, other), pool.num_lt(x, y));
    let below = pool.num_lt(x, six);
    assert_eq!(pool.num_le(x, five), below);
    let above = pool.num_ge(x, six);
    assert_eq!(pool.not(above), below);
    // 2x <= 11, 2x = 5
    let eleven = pool.int(11);
    assert_eq!(pool.num_le(doubled, eleven), below);
    let odd = pool.eq(doubled, five);
    assert_eq!(pool.bool_constant(odd), Some(false));
    let difference = pool.num_sub(x, y);
    let equal = pool.eq(x, y);
    assert_eq!(pool.eq(difference, zero), equal);
    let back = pool.num_add(difference, y);
    assert_eq!(back, x);
}

#[test]
fn long_sums_stay_cheap() {
    let mut pool = TermPool::new();
    let mut sum = pool.int(0);
    for i in 0..3000 {
        let x = pool.variable(&format!("x{i}"), Sort::Int);
        sum = pool.num_add(sum, x);
        let one = pool.int(1);
        sum = pool.num_add(sum, one);
    }
    assert!(pool.len() < 20_000, "{}", pool.len());
    let linear = pool.linear_sum(sum);
    assert_eq!((linear.monomials.len(), linear.constant), (3000, 3000i64.into()));
    // Doubling what is too long to be looked at takes no longer each time.
    for _ in 0..100 {
        sum = pool.num_add(sum, sum);
    }
    assert_eq!(pool.linear_sum(sum).monomials.len(), 3000);
}
