//! `aster run`: how runs end, their exit codes, and inputs that make no sense.
#![allow(clippy::unwrap_used)]

mod common;

use common::*;
use std::path::Path;

fn run(file: &Path, options: &[&str]) -> Run {
    command(&["run"]).arg(file).args(options).output().unwrap().into()
}

fn expect(run: &Run, code: i32, part: &str) {
    assert_eq!(run.code, Some(code), "{}\n{}", run.stdout, run.stderr);
    assert!(run.stdout.contains(part), "{part} is not in: {}", run.stdout);
}

const ENDS: &str = "extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assume(int);\n\
    extern void reach_error(void);\nextern void exit(int);\nextern double tgamma(double);\nint main(void) {\n  \
    switch (__VERIFIER_nondet_int()) {\n    case 0: return 41 + 1;\n    case 1: reach_error();\n    \
    case 2: __VERIFIER_assume(__VERIFIER_nondet_int() > 10); return 0;\n    case 3: tgamma(1.5); return 0;\n    \
    case 4: exit(3);\n    case 5: for (unsigned i = 1; i != 0; i += 2) { }\n  }\n  return __VERIFIER_nondet_int() % 100;\n}\n";

#[test]
fn ends_and_exit_codes() {
    let folder = Folder::new("run-ends");
    let file = folder.write("ends.c", ENDS);
    expect(&run(&file, &["--inputs", "0"]), 0, "The program finished: main returned 42\n");
    expect(&run(&file, &["--inputs", "-5,-0x7b"]), 0, "main returned -23\n");
    expect(&run(&file, &["--inputs", "1"]), 10, "The run reached an error at");
    expect(&run(&file, &["--inputs", "2,11"]), 0, "main returned 0\n");
    expect(&run(&file, &["--inputs", "2,10"]), 20, "blocked by an assumption at");
    expect(&run(&file, &["--inputs", "3"]), 20, "not modelled at");
    expect(&run(&file, &["--inputs", "4"]), 0, "The program ended itself at");
    expect(&run(&file, &["--inputs", "5", "--timeout", "100ms"]), 20, "interrupted");
    expect(&run(&file, &["--inputs", "7"]), 20, "asked for more inputs than there are at");
    expect(&run(&file, &[]), 20, "asked for more inputs than there are at");
    let error = run(&file, &["--inputs", "1"]);
    assert!(error.stdout.contains("ends.c:9:13"), "{}", error.stdout);
    assert!(error.stdout.contains("9 |     case 1: reach_error();\n"), "{}", error.stdout);
}

#[test]
fn counterexamples_can_be_run() {
    let folder = Folder::new("run-counterexample");
    let file = folder.write("unsafe.c", UNSAFE);
    expect(&run(&file, &["--inputs", "7"]), 10, "reached an error");
    expect(&run(&file, &["--inputs", "8"]), 0, "main returned 0");
    let traced = run(&file, &["--inputs", "7", "--trace"]);
    let checked = check(&file, &[]);
    let path = |text: &str| {
        text.split("Path to the error").nth(1).map(|rest| rest.split("\n\n").next().unwrap().to_owned())
    };
    assert!(path(&traced.stdout).is_some(), "{}", traced.stdout);
    assert_eq!(path(&traced.stdout), path(&checked.stdout));
    let traced = run(&file, &["--inputs", "8", "--trace"]);
    expect(&traced, 0, "Path of the run up to");
    expect(&traced, 0, "x = 8 (input 1)");
}

#[test]
fn inputs_from_a_file_and_left_over_inputs() {
    let folder = Folder::new("run-file");
    let file = folder.write("ends.c", ENDS);
    let inputs = folder.write("inputs.txt", "# first the case\n2,\n\t0x7fffffff  # then the value\n");
    let option = |path: &Path| path.display().to_string();
    expect(&run(&file, &["--inputs-file", &option(&inputs)]), 0, "main returned 0");
    let left_over = run(&file, &["--inputs", "0,1,2"]);
    expect(&left_over, 0, "main returned 42");
    assert!(left_over.stderr.contains("3 inputs were given, the run used 1 of them"), "{}", left_over.stderr);
    run(&file, &["--inputs-file", &option(&folder.path("none"))]).expect_error("none");
    let bad = folder.write("bad.txt", "1\ntwo\n");
    run(&file, &["--inputs-file", &option(&bad)]).expect_error("input 2: `two` is not a number");
    run(&file, &["--inputs", "1", "--inputs-file", &option(&inputs)]).expect_error("cannot be used with");
}

#[test]
fn bad_inputs_are_explained() {
    let folder = Folder::new("run-bad");
    let file = folder.write("ends.c", ENDS);
    run(&file, &["--inputs", "1,,2"]).expect_error("input 2: `` is not a number");
    run(&file, &["--inputs", "x"]).expect_error("input 1: `x` is not a number");
    run(&file, &["--inputs", "4294967296"]).expect_error("input 1: 4294967296 does not fit type `int` at");
    run(&file, &["--inputs", "-2147483649"]).expect_error("input 1: -2147483649 does not fit type `int`");
    let text = "_Bool __VERIFIER_nondet_bool(void); int main(void) { return __VERIFIER_nondet_bool(); }";
    let floats = "extern float __VERIFIER_nondet_float(void); extern void reach_error(void);\n\
        int main(void) { if (__VERIFIER_nondet_float() == 0.1f) reach_error(); return 0; }\n";
    let floats = folder.write("floats.c", floats);
    assert_eq!(run(&floats, &["--inputs", "0.1"]).code, Some(10));
    assert_eq!(run(&floats, &["--inputs", "0x1.99999ap-4"]).code, Some(10));
    assert_eq!(run(&floats, &["--inputs", "nan(0x7fc00001)"]).code, Some(0));
    run(&floats, &["--inputs", "nan(0x1)"]).expect_error("does not fit type `float`");
    run(&folder.write("bool.c", text), &["--inputs", "2"]).expect_error("does not fit type `_Bool`");
    run(&folder.write("broken.c", "int main(void) { return 1 + ; }"), &[])
        .expect_error("expected an expression");
    run(&folder.path("missing.c"), &[]).expect_error("no such file");
}

#[test]
fn uninitialised_variables_and_data_models() {
    let folder = Folder::new("run-uninitialised");
    let text = "int main(void) { int x; int y = x; return y + (int)sizeof(long); }";
    let file = folder.write("uninitialised.c", text);
    expect(&run(&file, &["--inputs", "5"]), 0, "main returned 13");
    expect(&run(&file, &["--zero-uninitialised"]), 0, "main returned 8");
    expect(&run(&file, &["--zero-uninitialised", "--data-model", "ilp32"]), 0, "main returned 4");
    expect(&run(&file, &[]), 20, "asked for more inputs than there are");
}
