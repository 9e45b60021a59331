//! Queries as scripts: what is recorded, and that the reader of the benchmark reads all of it.

#[path = "random_terms/float_formulas.rs"]
mod float_formulas;
#[path = "numbers/formulas.rs"]
mod number_formulas;
mod random_terms;
#[path = "../benches/recorded/reader.rs"]
mod reader;

use aster_smt::{Answer, Config, Interrupt, QueryLog, assemble, script};
use aster_term::{FloatFormat, FpOp, Op, Rounding, Sort, TermPool};
use float_formulas::FloatFormulas;
use random_terms::{Formulas, Random};
use reader::read_script;
use std::fs;
use std::path::PathBuf;

/// An empty place for a test.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

#[track_caller]
fn reads_back(text: &str) {
    let mut pool = TermPool::new();
    match read_script(&mut pool, text) {
        Ok(conjuncts) => assert_eq!(script(&pool, &conjuncts), text),
        Err(error) => panic!("{error} in\n{text}"),
    }
}

#[test]
fn scripts_are_read_as_they_were_written() {
    const FORMATS: &[FloatFormat] = &[FloatFormat::SMALL, FloatFormat::SINGLE, FloatFormat::DOUBLE];
    let mut random = Random::new(11);
    for round in 0..300 {
        let mut pool = TermPool::new();
        let conjuncts = if round % 2 == 0 {
            FloatFormulas::new(&mut pool, &mut random, "a", FORMATS).formula(&mut pool)
        } else {
            let mut formulas = Formulas::new(&mut pool, &mut random, "a", true);
            (0..20).for_each(|_| formulas.grow(&mut pool));
            vec![formulas.comparison(&mut pool), formulas.truth(&mut pool)]
        };
        reads_back(&script(&pool, &conjuncts));
    }
}

#[test]
fn scripts_about_numbers_are_read_as_they_were_written() {
    let mut random = number_formulas::Random::new(12);
    for sorts in [&[Sort::Int] as &[Sort], &[Sort::Real], &[Sort::Int, Sort::Real]] {
        let shape =
            number_formulas::Shape { sorts, variables: 4, special: 4, coefficient: 5, constant: 1 << 60 };
        for _ in 0..100 {
            let mut pool = TermPool::new();
            let mut maker = number_formulas::Formulas { pool: &mut pool, random: &mut random, shape };
            let conjuncts = [maker.formula(3), maker.comparison(2)];
            reads_back(&script(&pool, &conjuncts));
        }
    }
}

#[test]
fn every_operator_on_floats_is_read() {
    let (from, to) = (FloatFormat::SINGLE, FloatFormat::DOUBLE);
    let rounding = Rounding::TowardNegative;
    let mut pool = TermPool::new();
    let operands = ["x", "y", "z"].map(|name| pool.variable(name, Sort::BitVec(from.width())));
    let operators = [
        FpOp::Add(from, rounding),
        FpOp::Sub(from, rounding),
        FpOp::Mul(from, rounding),
        FpOp::Div(from, rounding),
        FpOp::Fma(from, rounding),
        FpOp::Sqrt(from, rounding),
        FpOp::Rem(from),
        FpOp::Mod(from),
        FpOp::RoundToIntegral(from, rounding),
        FpOp::Min(from),
        FpOp::Max(from),
        FpOp::Eq(from),
        FpOp::Lt(from),
        FpOp::Le(from),
        FpOp::Convert { from, to, rounding },
        FpOp::FromSigned { to, rounding },
        FpOp::FromUnsigned { to, rounding },
        FpOp::ToSigned { from, width: 16, rounding },
        FpOp::ToUnsigned { from, width: 16, rounding },
    ];
    for operator in operators {
        let result = pool.apply_raw(Op::Fp(operator), &operands[..operator.arity()]);
        // Truth values are asserted as they are.
        let conjunct = if pool.sort(result) == Sort::Bool {
            result
        } else {
            let sort = pool.sort(result);
            let value = pool.fresh_variable("value", sort);
            pool.apply_raw(Op::Eq, &[result, value])
        };
        reads_back(&script(&pool, &[conjunct]));
    }
}

#[test]
fn unusual_names_are_read() {
    let mut pool = TermPool::new();
    let names = ["main::x", "and", "a|b", "100%", "", ".t0", "%t0", "bvadd"];
    let conjuncts: Vec<_> = names.iter().map(|name| pool.variable(name, Sort::Bool)).collect();
    let text = script(&pool, &conjuncts);
    reads_back(&text);
    let mut other = TermPool::new();
    let read = read_script(&mut other, &text).unwrap_or_default();
    let again: Vec<_> = read.iter().filter_map(|&term| other.variable_name(term)).collect();
    assert_eq!(again, names);
}

#[test]
fn other_scripts_are_refused() {
    for text in
        ["(push)", "(assert", "(assert x)", "(declare-const x String)", "x", ")", "(declare-const x Bool))"]
    {
        assert!(read_script(&mut TermPool::new(), text).is_err(), "{text}");
    }
}

#[test]
fn only_what_is_solved_is_recorded() {
    let place = folder("recorded-once");
    let log = QueryLog::create(&place).unwrap();
    let config = Config { record: Some(log.clone()), ..Config::default() };
    let mut pool = TermPool::new();
    let mut solver = assemble(&config, &Interrupt::new()).unwrap();
    let (x, y) = (pool.variable("x", Sort::BitVec(8)), pool.variable("y", Sort::BitVec(8)));
    let (less, more) = (pool.ult(x, y), pool.ult(y, x));
    for _ in 0..2 {
        assert!(matches!(solver.check(&mut pool, &[less, more]), Answer::Unsat(_)));
    }
    assert_eq!(fs::read_dir(&place).unwrap().count(), 1, "the second time the cache knows");
    let text = fs::read_to_string(place.join("0001.smt2")).unwrap();
    assert_eq!(text.matches("(assert").count(), 2);
    assert_eq!(text.matches("(check-sat)").count(), 1);
    assert_eq!(log.failure(), None);
}

#[test]
fn a_record_goes_on_behind_what_is_there() {
    let place = folder("recorded-behind");
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join("0001.smt2"), "mine").unwrap();
    let config = Config { record: Some(QueryLog::create(&place).unwrap()), ..Config::default() };
    let mut pool = TermPool::new();
    let (x, seven) = (pool.variable("x", Sort::BitVec(8)), pool.bv(8, 7));
    let less = pool.ult(x, seven);
    assert!(matches!(
        assemble(&config, &Interrupt::new()).unwrap().check(&mut pool, &[less]),
        Answer::Sat(_)
    ));
    assert_eq!(fs::read_to_string(place.join("0001.smt2")).unwrap(), "mine");
    assert!(place.join("0002.smt2").exists());
}

#[test]
fn a_failure_changes_no_answer_and_is_told() {
    let place = folder("recorded-gone");
    let log = QueryLog::create(&place).unwrap();
    fs::remove_dir_all(&place).unwrap();
    let config = Config { record: Some(log.clone()), ..Config::default() };
    let mut pool = TermPool::new();
    let (x, seven) = (pool.variable("x", Sort::BitVec(8)), pool.bv(8, 7));
    let (less, same) = (pool.ult(x, seven), pool.eq(x, seven));
    let mut solver = assemble(&config, &Interrupt::new()).unwrap();
    assert!(matches!(solver.check(&mut pool, &[less, same]), Answer::Unsat(_)));
    assert!(log.failure().is_some_and(|failure| failure.contains("0001.smt2")));
}
