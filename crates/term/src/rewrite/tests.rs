//! Every rule against the evaluator, and properties of the whole.

use super::*;
use crate::evaluate::evaluate;
use crate::smtlib::print_term;
use crate::sort::MAX_WIDTH;
use crate::substitute::{Substitution, free_variables};
use crate::testing::Generator;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

thread_local! {
    static USES: RefCell<BTreeMap<(String, &'static str), u32>> = const { RefCell::new(BTreeMap::new()) };
    static EXHAUSTIONS: Cell<u32> = const { Cell::new(0) };
}

/// Called by the rewriter when a constructor had to stop rewriting.
pub(super) fn count_exhaustion() {
    EXHAUSTIONS.set(EXHAUSTIONS.get() + 1);
}

/// Called by the rewriter when a rule applied.
pub(super) fn count_use(op: Op, rule: &'static str) {
    USES.with_borrow_mut(|uses| *uses.entry((format!("{:?}", op.tag()), rule)).or_default() += 1);
}

/// All operators that are applied to something, with random indices.
fn random_operator(g: &mut Generator, width: u32) -> Op {
    let extraction = |g: &mut Generator| {
        let low = g.random.below(width);
        let low = if g.random.percent(50) { 0 } else { low };
        Op::BvExtract { high: low + g.random.below(width - low), low }
    };
    let by = g.random.below((MAX_WIDTH - width).min(5) + 1);
    match g.random.below(31) {
        0 => Op::Not,
        1 => Op::And,
        2 => Op::Or,
        3 => Op::Xor,
        4 | 5 => Op::Eq,
        6 => Op::Ite,
        7 => Op::BvNot,
        8 => Op::BvNeg,
        9 => Op::BvAnd,
        10 => Op::BvOr,
        11 => Op::BvXor,
        12 => Op::BvAdd,
        13 => Op::BvSub,
        14 => Op::BvMul,
        15 => Op::BvUdiv,
        16 => Op::BvUrem,
        17 => Op::BvSdiv,
        18 => Op::BvSrem,
        19 => Op::BvShl,
        20 => Op::BvLshr,
        21 => Op::BvAshr,
        22 => {
            g.random.pick(&[Op::BvRotateLeft(width / 2), Op::BvRotateRight(3), Op::BvRotateLeft(2 * width)])
        }
        23 => Op::BvUlt,
        24 => Op::BvSlt,
        25 => g.random.pick(&[Op::BvUle, Op::BvSle]),
        26 => Op::BvConcat,
        27 => extraction(g),
        28 => g.random.pick(&[Op::BvZeroExtend(by), Op::BvSignExtend(by)]),
        29 => Op::Select,
        _ => Op::Store,
    }
}

/// An operator with arguments of random shape that fit it.
fn random_application(g: &mut Generator, depth: u32) -> (Op, Vec<Term>) {
    let width = g.width();
    let op = random_operator(g, width);
    let bits = Sort::BitVec(width);
    let args = match op {
        Op::Not | Op::And | Op::Or | Op::Xor => (0..op.arity()).map(|_| g.term(Sort::Bool, depth)).collect(),
        Op::Eq => {
            let sort = g.sort();
            match sort {
                Sort::BitVec(w) => vec![g.term(sort, depth), g.operand(w, depth)],
                _ => vec![g.term(sort, depth), g.term(sort, depth)],
            }
        }
        Op::Ite => {
            let sort = g.sort();
            vec![g.term(Sort::Bool, depth), g.term(sort, depth), g.term(sort, depth)]
        }
        Op::BvConcat => {
            let split = 1 + g.random.below(width.min(MAX_WIDTH - 1));
            let other = (MAX_WIDTH - split).min(width);
            vec![g.operand(split, depth), g.term(Sort::BitVec(other), depth)]
        }
        Op::Select | Op::Store => {
            let sort = g.array_sort();
            let Sort::Array { index, element } = sort else { unreachable!() };
            let mut args = vec![g.term(sort, depth), g.operand(index, depth)];
            if op == Op::Store {
                args.push(g.operand(element, depth));
            }
            args
        }
        _ if op.arity() == 1 => vec![g.term(bits, depth)],
        _ => {
            let (a, b) = (g.term(bits, depth), g.operand(width, depth));
            if g.random.percent(15) { vec![b, a] } else { vec![a, b] }
        }
    };
    (op, args)
}

/// A term of the same sort that has something in common with the given one.
fn relative(g: &mut Generator, a: Term) -> Term {
    let sort = g.pool.sort(a);
    let args = g.pool.args(a).to_vec();
    match g.random.below(4) {
        // A part of it.
        0 => {
            if let Some(&part) = args.iter().find(|&&part| g.pool.sort(part) == sort) {
                return part;
            }
        }
        // The same operator with one argument exchanged.
        1 | 2 if !args.is_empty() => {
            let mut args = args;
            let place = g.random.below(args.len() as u32) as usize;
            args[place] = g.term(g.pool.sort(args[place]), 1);
            if args.len() == 2 && g.pool.sort(args[0]) == g.pool.sort(args[1]) && g.random.percent(30) {
                args.swap(0, 1);
            }
            let op = g.pool.op(a);
            return g.apply(op, &args);
        }
        _ => {}
    }
    let other = g.term(sort, 1);
    let (x, y) = if g.random.percent(50) { (a, other) } else { (other, a) };
    match sort {
        Sort::Bool => {
            let op = g.random.pick(&[Op::Not, Op::And, Op::Or, Op::Eq]);
            let related = g.apply(op, &[x, y][..op.arity()]);
            if g.random.percent(40) { g.apply(Op::Not, &[related]) } else { related }
        }
        Sort::BitVec(_) => {
            let op = g.random.pick(&[
                Op::BvNot,
                Op::BvNeg,
                Op::BvAdd,
                Op::BvSub,
                Op::BvMul,
                Op::BvAnd,
                Op::BvOr,
                Op::BvXor,
            ]);
            g.apply(op, &[x, y][..op.arity()])
        }
        _ => a,
    }
}

/// Makes arguments with a relation to each other that random ones rarely have.
fn relate(g: &mut Generator, op: Op, args: &mut [Term]) {
    match (op, &mut *args) {
        (Op::Ite, [c, a, b]) => match g.random.below(3) {
            0 => *c = g.apply(Op::Eq, &[*a, *b]),
            1 => *b = relative(g, *a),
            _ => {
                let (x, one) = (g.term(Sort::BitVec(1), 1), g.pool.bv(1, 1));
                *c = g.apply(Op::Eq, &[x, one]);
                (*a, *b) = (g.literal(1), g.literal(1));
            }
        },
        (Op::BvShl | Op::BvMul, [a, b]) if g.random.percent(30) => {
            let width = g.pool.width(*a);
            let constant = g.literal(width);
            let inner = g.random.pick(&[Op::BvSub, Op::BvMul]);
            *a = g.apply(inner, &[constant, *a]);
            *b = g.literal(width);
        }
        (Op::Eq, [a, b]) if g.pool.sort(*a).width().is_some() && g.random.percent(20) => {
            let (x, power) = (*a, 1 << g.random.below(g.pool.width(*a)));
            let power = g.pool.bv(g.pool.width(x), power);
            *a = g.apply(Op::BvSrem, &[x, power]);
            *b = g.literal(g.pool.width(x));
        }
        (Op::BvConcat, [a, b]) => {
            let (high, low) = (g.pool.width(*a), g.pool.width(*b));
            let x = g.term(Sort::BitVec(high + low), 2);
            *a = g.apply(Op::BvExtract { high: high + low - 1, low }, &[x]);
            *b = g.apply(Op::BvExtract { high: low - 1, low: 0 }, &[x]);
        }
        (_, [a, b]) if g.pool.sort(*a) == g.pool.sort(*b) => *b = relative(g, *a),
        _ => {}
    }
}

/// Fails unless both terms have the same value under random (or all) models.
pub(super) fn assert_equal(g: &mut Generator, raw: Term, other: Term, what: &str) {
    assert_eq!(g.pool.sort(raw), g.pool.sort(other), "{what}: sorts");
    let variables = free_variables(&g.pool, &[raw, other]);
    for model in g.models(&variables) {
        let (expected, found) = (evaluate(&g.pool, raw, &model), evaluate(&g.pool, other, &model));
        if expected != found {
            panic!(
                "{what}: {expected} is not {found}\n  {}\n  {}\n  {model:?}",
                print_term(&g.pool, raw),
                print_term(&g.pool, other)
            );
        }
    }
}

#[test]
fn every_rule_is_sound_and_alive() {
    let mut fired: BTreeMap<(String, &'static str), u32> = BTreeMap::new();
    for tag in ALL_TAGS {
        // Those for numbers are tested with numbers.
        for rule in rules_of(tag).iter().filter(|rule| !rule.name.starts_with("number::")) {
            fired.insert((format!("{tag:?}"), rule.name), 0);
        }
    }
    USES.with_borrow_mut(|uses| uses.clear());
    for seed in 0..500 {
        let mut g = Generator::new(seed, 15);
        for _ in 0..250 {
            let depth = 1 + g.random.below(3);
            let (op, mut args) = random_application(&mut g, depth);
            if g.random.percent(40) {
                relate(&mut g, op, &mut args);
            }
            let mut places = [crate::node::NO_TERM; MAX_ARITY];
            places[..args.len()].copy_from_slice(&args);
            if args.iter().all(|&a| g.pool.tag(a) == Tag::BvConst) {
                continue;
            }
            let places = order(&g.pool, op, places);
            let raw = g.pool.apply_raw(op, &args);
            for rule in rules_of(op.tag()) {
                if let Some(result) = (rule.apply)(&mut g.pool, op, places) {
                    assert_equal(&mut g, raw, result, rule.name);
                    *fired.entry((format!("{:?}", op.tag()), rule.name)).or_default() += 1;
                }
            }
            let normal = g.pool.apply(op, &args);
            assert_equal(&mut g, raw, normal, "constructor");
        }
    }
    // Random terms hardly ever have the same parts in another order.
    let mut g = Generator::new(0, 0);
    let [x, y, z] = ["x", "y", "z"].map(|name| g.pool.variable(name, Sort::BitVec(2)));
    let (xy, yz) = (g.pool.bvxor(x, y), g.pool.bvxor(y, z));
    let (left, right) = (g.pool.bvxor(xy, z), g.pool.bvxor(x, yz));
    let raw = g.pool.apply_raw(Op::Eq, &[left, right]);
    let normal = g.pool.eq(left, right);
    assert_equal(&mut g, raw, normal, "order");

    let rare: Vec<_> = fired.iter().filter(|&(_, &count)| count < 5).collect();
    assert!(rare.is_empty(), "rules that the test hardly reached: {rare:?}");
    USES.with_borrow(|uses| {
        let dead: Vec<_> = fired.keys().filter(|key| !uses.contains_key(key)).collect();
        assert!(dead.is_empty(), "rules that never applied in a constructor: {dead:?}");
    });
}

const ALL_TAGS: [Tag; 34] = [
    Tag::Not,
    Tag::And,
    Tag::Or,
    Tag::Xor,
    Tag::Eq,
    Tag::Ite,
    Tag::BvNot,
    Tag::BvNeg,
    Tag::BvAnd,
    Tag::BvOr,
    Tag::BvXor,
    Tag::BvAdd,
    Tag::BvSub,
    Tag::BvMul,
    Tag::BvUdiv,
    Tag::BvUrem,
    Tag::BvSdiv,
    Tag::BvSrem,
    Tag::BvShl,
    Tag::BvLshr,
    Tag::BvAshr,
    Tag::BvRotateLeft,
    Tag::BvRotateRight,
    Tag::BvUlt,
    Tag::BvUle,
    Tag::BvSlt,
    Tag::BvSle,
    Tag::BvConcat,
    Tag::BvExtract,
    Tag::BvZeroExtend,
    Tag::BvSignExtend,
    Tag::Select,
    Tag::Store,
    Tag::ConstArray,
];

/// The same term, built again from its leaves by the constructors.
pub(super) fn rebuild(pool: &mut TermPool, term: Term) -> Term {
    let mut done: BTreeMap<Term, Term> = BTreeMap::new();
    let mut stack = vec![term];
    while let Some(&current) = stack.last() {
        let args = pool.args(current).to_vec();
        let missing: Vec<Term> = args.iter().copied().filter(|a| !done.contains_key(a)).collect();
        if missing.is_empty() {
            let args: Vec<Term> = args.iter().map(|a| done[a]).collect();
            let built = if args.is_empty() { current } else { pool.apply(pool.op(current), &args) };
            done.insert(current, built);
            stack.pop();
        } else {
            stack.extend(missing);
        }
    }
    done[&term]
}

#[test]
fn whole_terms_keep_their_value() {
    for seed in 0..2000 {
        let mut g = Generator::new(1_000_000 + seed, 100);
        let sort = g.sort();
        let raw = g.term(sort, 7);
        let normal = rebuild(&mut g.pool, raw);
        assert_equal(&mut g, raw, normal, "whole term");
    }
}

#[test]
fn normal_forms_are_stable() {
    EXHAUSTIONS.set(0);
    for seed in 0..6000 {
        let mut g = Generator::new(5000 + seed, 0);
        let sort = g.sort();
        let term = g.term(sort, 7);
        let again = rebuild(&mut g.pool, term);
        if term != again {
            panic!("{}\n{}", print_term(&g.pool, term), print_term(&g.pool, again));
        }
    }
    assert_eq!(EXHAUSTIONS.get(), 0, "ordinary terms need little rewriting");
}

#[test]
fn substitution_commutes_with_evaluation() {
    for seed in 0..300 {
        let mut g = Generator::new(9000 + seed, 30);
        let sort = g.sort();
        let term = g.term(sort, 5);
        let variables = free_variables(&g.pool, &[term]);
        let mut substitution = Substitution::new();
        let mut replacements = Vec::new();
        for &v in &variables {
            if g.random.percent(70) {
                let sort = g.pool.sort(v);
                let replacement = g.term(sort, 2);
                substitution.insert(v, replacement);
                replacements.push((v, replacement));
            }
        }
        let substituted = substitution.apply(&mut g.pool, term);
        let all: Vec<Term> = g.pool.variables().collect();
        for model in g.models(&all) {
            let mut inner = model.clone();
            for &(v, replacement) in &replacements {
                inner.insert(v, evaluate(&g.pool, replacement, &model));
            }
            assert_eq!(evaluate(&g.pool, substituted, &model), evaluate(&g.pool, term, &inner));
        }
    }
}

#[test]
fn one_application_is_one_term() {
    let mut g = Generator::new(77, 20);
    for _ in 0..3000 {
        let (op, args) = random_application(&mut g, 3);
        assert_eq!(g.pool.apply(op, &args), g.pool.apply(op, &args));
        assert_eq!(g.pool.apply_raw(op, &args), g.pool.apply_raw(op, &args));
        if op.is_commutative() {
            assert_eq!(g.pool.apply(op, &args), g.pool.apply(op, &[args[1], args[0]]));
        }
    }
}

#[test]
fn rules_are_listed() {
    let names: Vec<_> = rewrite_rules().collect();
    assert!(names.contains(&("bvmul", "mul_power_of_two")));
    assert!(names.contains(&("=", "eq_bool_constant")));
    assert!(names.len() > 150, "{}", names.len());
}

/// All pairs of bounds at a small width, also those that the constructors would write differently.
#[test]
fn pairs_of_bounds_keep_their_value() {
    let mut g = Generator::new(0, 0);
    let x = g.pool.variable("x", Sort::BitVec(2));
    let mut bounds = Vec::new();
    for relation in [Op::Eq, Op::BvUlt, Op::BvSlt] {
        for limit in 0..4 {
            let limit = g.pool.bv(2, limit);
            let atom = g.pool.apply_raw(relation, &[x, limit]);
            bounds.extend([atom, g.pool.apply_raw(Op::Not, &[atom])]);
        }
    }
    for op in [Op::And, Op::Or] {
        for &a in &bounds {
            for &b in &bounds {
                let (raw, normal) = (g.pool.apply_raw(op, &[a, b]), g.pool.apply(op, &[a, b]));
                assert_equal(&mut g, raw, normal, "bounds");
            }
        }
    }
}
