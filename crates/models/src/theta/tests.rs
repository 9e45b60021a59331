use super::*;
use aster_cfa::interpreter::{End, Interpreter, RunLimits, Unwatched};
use aster_cfa::{Label, Op};
use aster_term::{BitVec, Value};

fn program(text: &str) -> (Program, TermPool) {
    let mut pool = TermPool::new();
    let program = load(&mut pool, "m.cfa", text).unwrap_or_else(|rejected| panic!("{}", rejected.render()));
    assert_eq!(program.validate(&pool), [], "{text}");
    (program, pool)
}

fn run(text: &str, inputs: &[Value]) -> End {
    let (program, pool) = program(text);
    Interpreter::new(&program, &pool).run(inputs, RunLimits::default(), &mut Unwatched)
}

/// What a condition evaluates to, after some statements; `None` if it is not modelled.
fn after(variables: &str, statements: &str, condition: &str) -> Option<bool> {
    let text = format!(
        "main process p {{ {variables} init loc A loc B error loc E A -> B {{ {statements} }} B -> E {{ assume {condition} }} }}"
    );
    match run(&text, &[]) {
        End::Error { .. } => Some(true),
        End::Blocked { .. } | End::Halted { .. } => Some(false),
        End::Unsupported { .. } => None,
        end => panic!("{condition}: {end:?}"),
    }
}

fn value_of(condition: &str) -> Option<bool> {
    after("", "", condition)
}

#[test]
fn integers_and_rationals_are_exact() {
    for condition in [
        "7 / 2 = 3 and -7 / 2 = -4 and 7 / -2 = -3 and -7 / -2 = 4",
        "7 mod 2 = 1 and -7 mod 2 = 1 and -7 mod -2 = 1 and -7 rem -2 = -1 and 7 rem -2 = -1 and -7 rem 2 = 1",
        "1%3 + 1%6 = 1%2 and 1 < 4%3 and 6%4 = 3%2 and 1%2 / 1%4 = 2 and -1%2 < 0",
        "123456789012345678901234567890 - 123456789012345678901234567889 = 1",
        "2 + 3 * 4 - 1 - 1 = 12 and - 2 + 3 = 1",
        "if 1 < 2 then 5 > 4 else false",
    ] {
        assert_eq!(value_of(condition), Some(true), "{condition}");
    }
}

#[test]
fn operators_bind_as_documented() {
    for condition in [
        "not false and true",
        "not 1 = 2 or false",
        "true or true and false",
        "false imply false imply false",
        "(true iff false imply true) and not (true xor true)",
        "false and false xor true",
        "4'b0001 bvor 4'b0010 bvand 4'b0100 = 4'b0001",
        "4'd1 bvadd 4'd2 bvmul 4'd3 = 4'd7",
        "2'b10 ++ 2'b01 = 4'd9",
        "4'd1 bvshl 4'd1 bvadd 4'd1 = 4'd4",
    ] {
        assert_eq!(value_of(condition), Some(true), "{condition}");
    }
}

#[test]
fn bit_vectors_mean_what_they_mean_in_smt_lib() {
    for condition in [
        "4'd15 bvadd 4'd2 = 4'd1 and 4'd-1 = 4'xF and bvneg 4'd1 = 4'd15 and bvnot 4'b1010 = 4'b0101",
        "4'd-7 bvsdiv 4'd2 = 4'd-3 and 4'd-7 bvsrem 4'd2 = 4'd-1 and 4'd-7 bvsmod 4'd2 = 4'd1",
        "4'd7 bvsmod 4'd-2 = 4'd-1 and 4'd6 bvsmod 4'd-2 = 4'd0 and 4'd5 bvsmod 4'd0 = 4'd5",
        "4'd9 bvudiv 4'd2 = 4'd4 and 4'd9 bvurem 4'd2 = 4'd1 and 4'd9 bvudiv 4'd0 = 4'd15",
        "4'b1001 bvrol 4'd1 = 4'b0011 and 4'b1001 bvror 4'd5 = 4'b1100 and 4'b1001 bvrol 4'd4 = 4'b1001",
        "4'b1000 bvashr 4'd1 = 4'b1100 and 4'b1000 bvlshr 4'd1 = 4'b0100",
        "4'd9 bvult 4'd10 and 4'd9 bvslt 4'd1 and 4'd1 bvsge 4'd9 and 4'd9 bvuge 4'd9",
        "8'b10110000[8:4] = 4'b1011 and 8'b10110000[5:4] = 1'b1",
        "4'b1000 bv_sign_extend bv[6] = 6'b111000 and 4'b1000 bv_zero_extend bv[6] = 6'b001000",
    ] {
        assert_eq!(value_of(condition), Some(true), "{condition}");
    }
}

#[test]
fn floats_are_those_of_ieee_754() {
    let one = "5'b01111.10'd0";
    let two = "5'b10000.10'd0";
    let nan = "5'b11111.10'd1";
    for condition in [
        format!("{one} fpadd {one} = {two} and {one} < {two} and {two} fpsub[RTZ] {one} = {one}"),
        format!("not ({nan} = {nan}) and fpisnan {nan} and {nan} /= {nan}"),
        "+5'b00000.10'd0 = -5'b00000.10'd0".to_owned(),
        format!("fpsqrt[RNE] ({two} fpmul {two}) = {two} and fpneg {one} = -{one} and fpabs -{one} = {one}"),
        format!("({one} fpmax {two}) = {two} and ({one} fpmin {two}) = {one}"),
        format!("fptobv[8'u] {two} = 8'd2 and fptobv[8's] -{two} = 8'd-2"),
        format!("fpfrombv[5,11][s] 8'd-2 = -{two} and fpfrombv[5,11][u] 4'd2 = {two}"),
        format!("fptofp[8,24] {two} = 8'b10000000.23'd0"),
        format!("fproundtoint[RTN] ({one} fpdiv {two}) = 5'd0.10'd0 and ({two} fprem {one}) = 5'd0.10'd0"),
    ] {
        assert_eq!(value_of(&condition), Some(true), "{condition}");
    }
}

#[test]
fn what_the_language_leaves_open_is_not_guessed() {
    for condition in [
        "1 / 0 = 0",
        "1 mod 0 = 0 or false",
        "fptobv[8'u] (-5'b01111.10'd0) = 8'd0",
        "fptobv[8'u] 5'b11111.10'd1 = 8'd0",
        "(+5'd0.10'd0 fpmax -5'd0.10'd0) = 5'd0.10'd0",
        "forall (x : int) x = x",
        "3'd1.3'd1 fpadd 3'd1.5'd1 = 3'd1.5'd1 or true",
        "200'd1 = 200'd1",
    ] {
        let text = format!("main process p {{ init loc A error loc E A -> E {{ assume {condition} }} }}");
        // A type error is fine too.
        let Ok(program) = load(&mut TermPool::new(), "m", &text) else { continue };
        let is_unsupported = |edge| matches!(program.edge(edge).label, Label::Unsupported(_));
        assert!(program.edges().any(is_unsupported), "{condition}");
    }
    assert_eq!(value_of("1 / 0 = 0"), None);
    assert_eq!(value_of("exists (x : int) x = 1"), None);
}

#[test]
fn an_undefined_value_that_is_not_used_does_no_harm() {
    assert_eq!(after("var x : int", "x := 0", "x = 0 or 1 / x = 1"), Some(true));
    assert_eq!(after("var x : int", "x := 0", "x /= 0 and 1 / x = 1"), Some(false));
    assert_eq!(after("var x : int", "x := 0", "x /= 0 imply 1 / x = 1"), Some(true));
    assert_eq!(after("var x : int", "x := 0", "(if x = 0 then 1 else 1 / x) = 1"), Some(true));
    assert_eq!(after("var x : int", "x := 0", "1 / x = 1 or x = 1"), None);
}

#[test]
fn arrays_are_read_and_written() {
    for (declared, statements, condition) in [
        (
            "[int] -> int",
            "a := [1 <- 10, default <- 0] a := a[2 <- a[1] + 1]",
            "a[1] = 10 and a[2] = 11 and a[3] = 0",
        ),
        (
            "[int] -> bool",
            "a := [<int> default <- false] a := a[-1 <- true]",
            "a[-1] and not a[1] and not a[0]",
        ),
        // Both elements change at the same time.
        (
            "[int] -> int",
            "a := [1 <- 5, 2 <- 6, default <- 0] a := a[1 <- a[2]][2 <- a[1]]",
            "a[1] = 6 and a[2] = 5",
        ),
        (
            "[bv[4]] -> bv[8]",
            "a := [4'd1 <- 8'd7, default <- 8'd9]",
            "a[4'd0 bvadd 4'd1] = 8'd7 and a[4'd5] = 8'd9",
        ),
        (
            "[bv[4]] -> bool",
            "a := [<bv[4]> default <- false] a := a[4'd3 <- true]",
            "a[4'd3] and not a[4'd4]",
        ),
        ("[bv[4]] -> rat", "a := [4'd1 <- 1%2, default <- 0]", "a[4'd1] = 1%2 and a[4'd2] = 0"),
    ] {
        let variables = format!("var a : {declared}");
        assert_eq!(after(&variables, statements, condition), Some(true), "{statements}; {condition}");
    }
    let unknown_index =
        after("var a : [int] -> int var i : int", "a := [<int> default <- 0] i := 1", "a[i] = 0");
    assert_eq!(unknown_index, None);
    let comparison = "a := [<int> default <- 0] b := a";
    assert_eq!(after("var a : [int] -> int var b : [int] -> int", comparison, "a[0] = 0 and a = b"), None);
}

fn choices(text: &str) -> usize {
    let (program, _) = program(text);
    program.edges().filter(|&edge| matches!(program.edge(edge).label, Label::Op(Op::Havoc(..)))).count()
}

#[test]
fn only_edges_that_do_not_exclude_each_other_need_a_choice() {
    let model = |edges: &str| {
        format!("main process p {{ var x : int init loc A loc B error loc E {edges} B -> A {{ x := 1 }} }}")
    };
    // One input is the first value of `x`.
    assert_eq!(choices(&model("A -> B { assume x < 5 } A -> E { assume not (x < 5) }")), 1);
    assert_eq!(choices(&model("A -> B { assume x < 5 } A -> E { assume x >= 5 }")), 1);
    assert_eq!(choices(&model("A -> B { assume x < 5 } A -> E { assume x > 3 }")), 2);
    assert_eq!(choices(&model("A -> B A -> E { assume false }")), 0);
    let text = model("A -> B { assume x < 5 } A -> E { assume x > 3 }");
    let choose = |first: i32, edge| {
        run(
            &text,
            &[
                Value::Int(first.into()),
                Value::BitVec(BitVec::new(1, edge)),
                Value::BitVec(BitVec::new(1, 1)),
            ],
        )
    };
    assert!(matches!(choose(4, 1), End::Error { .. }));
    assert!(matches!(choose(3, 1), End::Blocked { .. }));
    assert!(matches!(choose(4, 0), End::Blocked { .. }));
}

#[test]
fn errors_have_positions() {
    let process = |body: &str| format!("main process p {{\n  init loc A\n  error loc E\n{body}\n}}\n");
    for (text, expected) in [
        (String::new(), "m.cfa:1:1: error: there is no process"),
        (
            "process p {\n  init loc A\n}\n".to_owned(),
            "m.cfa:1:9: error: one of the processes must be a `main process`",
        ),
        (process("  A -> E { assume y }"), "m.cfa:4:19: error: variable `y` is not declared"),
        (process("  A -> F"), "m.cfa:4:8: error: location `F` is not declared"),
        (
            process("  A E"),
            "m.cfa:4:5: error: expected `->` after the location where an edge starts, found `E`",
        ),
        (
            process("  var x : int\n  var x : bool"),
            "m.cfa:5:7: error: variable `x` is already declared in line 4",
        ),
        (process("  loc A"), "m.cfa:4:7: error: location `A` is already declared in line 2"),
        (process("  init loc B"), "m.cfa:4:12: error: there is another `init loc` already"),
        (
            process("  A -> E { assume 1 }"),
            "m.cfa:4:19: error: expected an expression of type `bool`, found `int`",
        ),
        (
            process("  A -> E { assume 1 = true }"),
            "m.cfa:4:19: error: the operands have different types, `int` and `bool`",
        ),
        (process("  A -> E { assume 4'd1 < 4'd2 }"), "m.cfa:4:19: error: this needs numbers, not `bv[4]`"),
        (process("  A -> E { assume 4'd16 = 4'd1 }"), "m.cfa:4:19: error: the number does not fit 4 bits"),
        (
            process("  A -> E { assume 4'd1[5:0] = 4'd1 }"),
            "m.cfa:4:19: error: there are no bits 0 to 4 of 4 bits",
        ),
        (process("  A -> E { x := 1 }"), "m.cfa:4:12: error: variable `x` is not declared"),
        (
            process("  A -> E { assume fpsqrt[XYZ] 5'd1.10'd0 = 5'd1.10'd0 }"),
            "m.cfa:4:26: error: `XYZ` is no rounding mode",
        ),
        (process("  A -> E { assume 1%0 = 1 }"), "m.cfa:4:21: error: the denominator is zero"),
        (process("  A -> E { assume ( }"), "m.cfa:4:21: error: expected an expression, found `}`"),
        (
            process("  A -> E { assume true"),
            "m.cfa:5:2: error: expected a variable, a location, an edge, or `}`, found the end of the file",
        ),
    ] {
        let rejected = load(&mut TermPool::new(), "m.cfa", &text).unwrap_err().render();
        assert_eq!(rejected.lines().next(), Some(expected), "{text}\n{rejected}");
    }
}

#[test]
fn processes_that_do_not_run_are_checked() {
    let text = "process q { init loc A  A -> A { assume z } }\nmain process p { init loc A }\n";
    let rejected = load(&mut TermPool::new(), "m.cfa", text).unwrap_err().render();
    assert!(rejected.contains("variable `z` is not declared"), "{rejected}");
}

#[test]
fn deep_nesting_is_an_error_and_long_chains_are_fine() {
    let deep = format!("{}true{}", "(".repeat(100_000), ")".repeat(100_000));
    let text = format!("main process p {{ init loc A error loc E A -> E {{ assume {deep} }} }}");
    let rejected = load(&mut TermPool::new(), "m", &text).unwrap_err();
    assert!(rejected.diagnostics[0].message.contains("nested more than"), "{:?}", rejected.diagnostics);
    let long = format!("{}0 = 5000", "1 + ".repeat(5_000));
    assert_eq!(value_of(&long), Some(true));
}
