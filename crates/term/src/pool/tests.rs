//! Construction: errors, uniqueness, and terms of great depth.

use super::*;
use crate::evaluate::{Model, evaluate};
use crate::smtlib::{Definitions, print_term};
use crate::substitute::{Substitution, free_variables};

const DEEP: usize = 1_000_000;

#[test]
fn sort_errors_are_reported() {
    let mut pool = TermPool::new();
    let p = pool.variable("p", Sort::Bool);
    let x = pool.variable("x", Sort::BitVec(8));
    let y = pool.variable("y", Sort::BitVec(16));
    let wide = pool.variable("wide", Sort::BitVec(128));
    let a = pool.variable("a", Sort::Array { index: 8, element: 16 });
    let n = pool.variable("n", Sort::Int);
    let cases: &[(Op, &[Term])] = &[
        (Op::Not, &[x]),
        (Op::Not, &[p, p]),
        (Op::Not, &[]),
        (Op::And, &[p, x]),
        (Op::And, &[p]),
        (Op::And, &[p, p, p]),
        (Op::And, &[p, p, p, p]),
        (Op::Eq, &[x, y]),
        (Op::Ite, &[x, p, p]),
        (Op::Ite, &[p, x, y]),
        (Op::BvAdd, &[x, y]),
        (Op::BvAdd, &[n, n]),
        (Op::BvUlt, &[p, p]),
        (Op::BvConcat, &[wide, x]),
        (Op::BvExtract { high: 8, low: 0 }, &[x]),
        (Op::BvExtract { high: 2, low: 3 }, &[x]),
        (Op::BvExtract { high: u32::MAX, low: 0 }, &[x]),
        (Op::BvZeroExtend(1), &[wide]),
        (Op::BvSignExtend(u32::MAX), &[x]),
        (Op::ConstArray { index: 0 }, &[x]),
        (Op::ConstArray { index: 129 }, &[x]),
        (Op::ConstArray { index: 8 }, &[p]),
        (Op::Select, &[a, y]),
        (Op::Select, &[x, x]),
        (Op::Store, &[a, x, x]),
        (Op::BoolConst(true), &[]),
        (Op::BvConst(1), &[]),
        (Op::Variable(0), &[]),
        (Op::Variable(0), &[x]),
    ];
    for &(op, args) in cases {
        let error = pool.try_apply(op, args).unwrap_err();
        assert_eq!(error.op, op);
        assert_eq!(error.sorts, args.iter().map(|&t| pool.sort(t)).collect::<Vec<_>>());
        assert!(error.to_string().contains("cannot be applied"));
    }
    assert!(pool.try_apply(Op::Select, &[a, x]).is_ok());
}

#[test]
fn equal_terms_have_equal_ids() {
    let mut pool = TermPool::new();
    let x = pool.variable("x", Sort::BitVec(8));
    let y = pool.variable("y", Sort::BitVec(8));
    assert_eq!(pool.variable("x", Sort::BitVec(8)), x);
    assert_ne!(pool.bv(8, 1), pool.bv(9, 1));
    assert_eq!(pool.bv(8, 257), pool.bv(8, 1));
    assert_eq!(pool.add(x, y), pool.add(y, x));
    assert_ne!(pool.sub(x, y), pool.sub(y, x));
    assert_ne!(pool.extract(3, 0, x), pool.extract(4, 1, x));
    assert_ne!(pool.const_array(3, x), pool.const_array(4, x));
    let before = pool.len();
    let _ = (pool.bool(true), pool.bool(true), pool.bool(true));
    assert_eq!(pool.len(), before + 1);
}

#[test]
fn fresh_variables_are_new() {
    let mut pool = TermPool::new();
    let taken = pool.variable("x!0", Sort::Bool);
    let fresh = pool.fresh_variable("x", Sort::Bool);
    let other = pool.fresh_variable("x", Sort::Bool);
    assert!(taken != fresh && fresh != other);
    assert_eq!(pool.variable_name(fresh), Some("x!1"));
    assert_eq!(pool.variables().collect::<Vec<_>>(), [taken, fresh, other]);
}

#[test]
fn values_become_terms_of_the_same_value() {
    let mut pool = TermPool::new();
    let mut random = crate::testing::Random::new(11);
    for round in 0..300 {
        let sort = match round % 3 {
            0 => Sort::Bool,
            1 => Sort::BitVec(1 + random.below(128)),
            _ => Sort::Array { index: 1 + random.below(4), element: 1 + random.below(64) },
        };
        let value = random.value(sort);
        let term = pool.value(&value);
        assert_eq!(evaluate(&pool, term, &Model::new()), value);
    }
}

/// Everything that walks terms, on one of great depth.
fn walk(pool: &mut TermPool, term: Term, variable: Term, replacement: Term) {
    let model = Model::new();
    let _ = evaluate(pool, term, &model);
    assert!(free_variables(pool, &[term]).contains(&variable));
    let mut substitution = Substitution::new();
    substitution.insert(variable, replacement);
    let substituted = substitution.apply(pool, term);
    assert_ne!(substituted, term);
    assert!(print_term(pool, term).len() > DEEP);
    let mut commands = String::new();
    let _ = Definitions::new().define(pool, term, &mut commands);
    assert!(commands.lines().count() > DEEP / 2);
}

#[test]
fn deep_arithmetic() {
    let mut pool = TermPool::new();
    let (x, y, z) = (
        pool.variable("x", Sort::BitVec(32)),
        pool.variable("y", Sort::BitVec(32)),
        pool.variable("z", Sort::BitVec(32)),
    );
    let mut term = x;
    for i in 0..DEEP / 2 {
        term = pool.mul(term, y);
        term = if i % 2 == 0 { pool.add(term, x) } else { pool.sub(x, term) };
    }
    walk(&mut pool, term, x, z);
}

#[test]
fn deep_conditions() {
    let mut pool = TermPool::new();
    let names: Vec<Term> = (0..7).map(|i| pool.variable(&format!("p{i}"), Sort::Bool)).collect();
    let other = pool.variable("q", Sort::Bool);
    let mut term = names[0];
    for i in 0..DEEP / 2 {
        term = pool.and(term, names[1 + i % 3]);
        term = pool.or(term, names[4 + i % 3]);
    }
    walk(&mut pool, term, names[0], other);
}

#[test]
fn deep_memory() {
    let mut pool = TermPool::new();
    let sort = Sort::Array { index: 32, element: 8 };
    let (a, b) = (pool.variable("a", sort), pool.variable("b", sort));
    let x = pool.variable("x", Sort::BitVec(8));
    let mut term = a;
    for i in 0..DEEP {
        let index = pool.bv(32, i as u128);
        term = pool.store(term, index, x);
    }
    walk(&mut pool, term, a, b);
    // The first write is found behind all others.
    let first = pool.bv(32, 0);
    assert_eq!(pool.select(term, first), x);
    let beyond = pool.bv(32, DEEP as u128);
    let read = pool.select(term, beyond);
    assert_eq!(read, pool.select(a, beyond));
}

/// Rules that push work into subterms stop at some depth.
#[test]
fn rules_do_not_follow_deep_terms() {
    let mut pool = TermPool::new();
    let x = pool.variable("x", Sort::BitVec(32));
    let mut bits = x;
    for i in 0..DEEP / 4 {
        let constant = pool.bv(32, 0x00ff_ff00 + (i as u128 % 7) * 3);
        bits = pool.bvand(bits, constant);
        let constant = pool.bv(32, 0x0f00_0ff1 + (i as u128 % 5) * 2);
        bits = pool.bvor(bits, constant);
    }
    let slice = pool.extract(20, 4, bits);
    assert_eq!(pool.width(slice), 17);
    let mut choice = x;
    let conditions: Vec<Term> = (0..1000).map(|i| pool.variable(&format!("c{i}"), Sort::Bool)).collect();
    for i in 0..DEEP / 4 {
        let constant = pool.bv(32, i as u128);
        choice = pool.ite(conditions[i % 1000], constant, choice);
    }
    let limit = pool.bv(32, 500);
    let before = pool.len();
    let (equal, less) = (pool.eq(choice, limit), pool.slt(choice, limit));
    assert!(pool.len() < before + 5000, "{}", pool.len() - before);
    let _ = (evaluate(&pool, equal, &Model::new()), evaluate(&pool, less, &Model::new()));
}
