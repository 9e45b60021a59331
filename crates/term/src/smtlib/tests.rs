//! Printing, defining and reading, also with an independent reader if there is one.

use super::*;
use crate::evaluate::evaluate;
use crate::sort::Sort;
use crate::substitute::free_variables;
use crate::testing::{Generator, Random};
use crate::value::{ArrayValue, Value};
use std::io::Write as _;
use std::process::{Command, Stdio};

#[test]
fn operators_are_printed_with_their_indices() {
    let mut pool = TermPool::new();
    let x = pool.variable("x", Sort::BitVec(8));
    let p = pool.variable("p", Sort::Bool);
    let mut check = |op: Op, args: &[Term], text: &str| {
        let term = pool.apply_raw(op, args);
        assert_eq!(print_term(&pool, term), text);
    };
    check(Op::BvExtract { high: 3, low: 1 }, &[x], "((_ extract 3 1) x)");
    check(Op::BvZeroExtend(4), &[x], "((_ zero_extend 4) x)");
    check(Op::ConstArray { index: 2 }, &[x], "((as const (Array (_ BitVec 2) (_ BitVec 8))) x)");
    check(Op::Ite, &[p, x, x], "(ite p x x)");
    check(Op::BvRotateLeft(3), &[x], "((_ rotate_left 3) x)");
}

#[test]
fn shared_subterms_are_printed_once() {
    let mut pool = TermPool::new();
    let mut term = pool.variable("x", Sort::BitVec(32));
    for _ in 0..200 {
        term = pool.apply_raw(Op::BvMul, &[term, term]);
    }
    assert!(print_term(&pool, term).len() < 200 * 40);
}

#[test]
fn values_are_read_as_they_are_printed() {
    let mut random = Random::new(3);
    for round in 0..2000 {
        let width = 1 + random.below(128);
        let sort = match round % 3 {
            0 => Sort::Bool,
            1 => Sort::BitVec(width),
            _ => Sort::Array { index: 1 + random.below(64), element: width },
        };
        let value = random.value(sort);
        assert_eq!(parse_value(&value.to_string(), sort), Some(value));
    }
}

#[test]
fn other_forms_of_values_are_read() {
    let bits = |width, value| Some(Value::BitVec(BitVec::new(width, value)));
    assert_eq!(parse_value(" ( _  bv255 8 )\n", Sort::BitVec(8)), bits(8, 255));
    assert_eq!(parse_value("#xFf", Sort::BitVec(8)), bits(8, 255));
    assert_eq!(parse_value("(let ((a #b1)) (let ((b a)) b))", Sort::BitVec(1)), bits(1, 1));
    let sort = Sort::Array { index: 2, element: 4 };
    let text = "(let ((a!1 (store ((as const (Array (_ BitVec 2) (_ BitVec 4))) #x0) #b01 #x5)))
                  (store (store a!1 #b10 #x6) #b01 (_ bv7 4)))";
    let mut expected = ArrayValue::constant(2, BitVec::new(4, 0));
    expected = expected.store(BitVec::new(2, 1), BitVec::new(4, 7));
    expected = expected.store(BitVec::new(2, 2), BitVec::new(4, 6));
    assert_eq!(parse_value(text, sort), Some(Value::Array(expected)));
}

#[test]
fn what_is_not_a_value_of_the_sort_is_refused() {
    for text in [
        "",
        "(",
        ")",
        "()",
        "true false",
        "tru",
        "#b",
        "#x",
        "#b2",
        "#xg",
        "#x+f",
        "#b101",
        "(_ bv256 8)",
        "(_ bv1 0)",
        "(_ bv1 9)",
        "(_ bv-1 8)",
        "(- 5)",
        "5",
        "(_ bv1 8",
        "(let ((a a)) a)",
        "(let ((a b) (b a)) a)",
        "(let ((a #xff)) (let ((a #x00)) a))",
        "|abc",
        "((as const (Array (_ BitVec 2) (_ BitVec 8))) #x00)",
        "(bvadd #x01 #x01)",
    ] {
        assert_eq!(parse_value(text, Sort::BitVec(8)), None, "{text}");
    }
    let sort = Sort::Array { index: 2, element: 8 };
    for text in [
        "#xff",
        "(_ as-array k!0)",
        "((as const (Array (_ BitVec 3) (_ BitVec 8))) #x00)",
        "((as const (Array (_ BitVec 2) (_ BitVec 8))) #x0)",
        "(store ((as const (Array (_ BitVec 2) (_ BitVec 8))) #x00) #b1 #x00)",
        "(let ((a (store a #b00 #x00))) a)",
        "(lambda ((x (_ BitVec 2))) #x00)",
    ] {
        assert_eq!(parse_value(text, sort), None, "{text}");
    }
    assert_eq!(parse_value("#b1", Sort::Bool), None);
    assert_eq!(parse_value("true", Sort::BitVec(1)), None);
    assert_eq!(parse_value("5", Sort::Bool), None);
}

#[test]
fn long_values_are_read() {
    let sort = Sort::Array { index: 32, element: 8 };
    let mut array = ArrayValue::constant(32, BitVec::new(8, 0));
    for i in 0..50_000u32 {
        array = array.store(BitVec::new(32, i.into()), BitVec::new(8, u128::from(i % 255) + 1));
    }
    let value = Value::Array(array);
    assert_eq!(parse_value(&value.to_string(), sort), Some(value));
    let deep = "(".repeat(1_000_000);
    assert_eq!(parse_value(&deep, sort), None);
}

#[test]
fn definitions_are_given_once() {
    let mut pool = TermPool::new();
    let x = pool.variable("x", Sort::BitVec(8));
    let y = pool.variable("and", Sort::BitVec(8));
    let sum = pool.add(x, y);
    let square = pool.mul(sum, sum);
    let mut definitions = Definitions::new();
    let mut text = String::new();
    assert_eq!(definitions.define(&pool, sum, &mut text), "%t0");
    assert_eq!(
        text,
        "(declare-const x (_ BitVec 8))\n(declare-const %_and (_ BitVec 8))\n\
         (define-fun %t0 () (_ BitVec 8) (bvadd x %_and))\n"
    );
    text.clear();
    assert_eq!(definitions.define(&pool, square, &mut text), "%t1");
    assert_eq!(text, "(define-fun %t1 () (_ BitVec 8) (bvmul %t0 %t0))\n");
    text.clear();
    assert_eq!(definitions.define(&pool, y, &mut text), "%_and");
    let five = pool.bv(8, 5);
    assert_eq!(definitions.define(&pool, five, &mut text), "#x05");
    assert_eq!(text, "");
}

/// The answers of z3 to a script, or `None` if there is no z3.
fn z3(script: &str) -> Option<String> {
    let mut child = Command::new("z3")
        .args(["-in", "-smt2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take().expect("the input was piped");
    let script = script.to_owned();
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
    let output = child.wait_with_output().expect("z3 ends");
    let written = writer.join().expect("the writer ends");
    // A launcher without a z3 behind it ends before it has read everything.
    (written.is_ok() && output.status.success()).then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// z3 must read what is printed and agree with the evaluator on its value.
#[test]
fn z3_reads_terms_and_agrees_on_their_values() {
    if z3("(exit)").is_none() {
        eprintln!("skipped: no z3 on the path");
        return;
    }
    let mut script = String::new();
    for seed in 0..150 {
        let mut g = Generator::new(20_000 + seed, 50);
        // Names that need care.
        for name in ["and", "a|b\\c", "ä ö", ".t0", "%t0", "x y", "bvadd", "", "0"] {
            g.pool.variable(name, Sort::Bool);
        }
        let odd: Vec<Term> = g.pool.variables().collect();
        let sort = g.sort();
        let mut term = g.term(sort, 5);
        let condition = g.random.pick(&odd);
        term = g.pool.apply_raw(Op::Ite, &[condition, term, term]);
        let variables = free_variables(&g.pool, &[term]);
        let model = g.models(&variables).swap_remove(0);
        let value = evaluate(&g.pool, term, &model);
        script.push_str("(reset)\n");
        let mut definitions = Definitions::new();
        let name = definitions.define(&g.pool, term, &mut script);
        for &v in &variables {
            let value = model.get(v).cloned().expect("all variables have a value");
            let v = definitions.define(&g.pool, v, &mut script);
            let _ = writeln!(script, "(assert (= {v} {value}))");
        }
        let printed = print_term(&g.pool, term);
        let _ = writeln!(script, "(assert (and (= {name} {value}) (= {printed} {value})))\n(check-sat)");
    }
    let answers = z3(&script).expect("z3 was there");
    let lines: Vec<&str> = answers.lines().collect();
    assert_eq!(lines.len(), 150, "{answers}");
    for (i, line) in lines.iter().enumerate() {
        assert_eq!(*line, "sat", "script {i}");
    }
}

#[test]
fn numbers_are_written_and_read() {
    use crate::BigRational;
    let mut pool = TermPool::new();
    let x = pool.variable("x", Sort::Int);
    let y = pool.variable("y", Sort::Int);
    let minus_five = pool.int(-5);
    let product = pool.num_mul(x, minus_five);
    let quotient = pool.int_div(product, y);
    assert_eq!(print_term(&pool, quotient), "(div (* x (- 5)) y)");
    let third = pool.real(BigRational::new((-1).into(), 3.into()));
    assert_eq!(print_term(&pool, third), "(- (/ 1.0 3.0))");
    let mut commands = String::new();
    let name = Definitions::new().define(&pool, quotient, &mut commands);
    assert!(
        commands.ends_with(&format!("(define-fun {name} () Int (ite (= y 0) 0 (div %t0 y)))\n")),
        "{commands}"
    );
    for text in ["5", "(- 5)", "(- 123456789012345678901234567890)"] {
        assert_eq!(parse_value(text, Sort::Int).unwrap().to_string(), text);
    }
    for text in ["5.0", "(- 5.0)", "(- (/ 1.0 3.0))", "(/ 7.0 2.0)"] {
        assert_eq!(parse_value(text, Sort::Real).unwrap().to_string(), text);
    }
    for text in ["0.5", "(/ 1 2)", "(/ (- 1) (- 2))", "(- (/ (- 1) 2))"] {
        assert_eq!(parse_value(text, Sort::Real).unwrap().to_string(), "(/ 1.0 2.0)");
    }
    for text in ["1.5", "-5", "(+ 1 2)", "(- 1 2)", "1.", "x", "(/ 1 0)"] {
        assert_eq!(parse_value(text, Sort::Int), None, "{text}");
    }
}
