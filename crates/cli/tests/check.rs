//! `aster check` as users meet it: verdicts, exit codes, limits and bad input.
#![allow(clippy::unwrap_used)]

mod common;

use common::*;
use std::io::Read;
use std::process::Stdio;

#[test]
fn verdicts_and_exit_codes() {
    let folder = Folder::new("verdicts");
    check(&folder.write("safe.c", SAFE), &[]).expect("TRUE", 0);
    let run = check(&folder.write("unsafe.c", UNSAFE), &[]);
    run.expect("FALSE(unreach-call)", 10);
    assert!(run.stdout.contains("unsafe.c:5"), "the counterexample names its lines:\n{}", run.stdout);
}

#[test]
fn examples() {
    check(&example("leap_year_safe.c"), &["--timeout", "120s"]).expect("TRUE", 0);
    check(&example("midpoint_unsafe.c"), &["--timeout", "120s"]).expect("FALSE(unreach-call)", 10);
    check(&example("elevator_unsafe.c"), &["--timeout", "120s"]).expect("FALSE(unreach-call)", 10);
    check(&example("ring_buffer_unsafe.c"), &["--timeout", "120s"]).expect("FALSE(unreach-call)", 10);
    check(&example("sorted_list_safe.c"), &["--timeout", "120s"]).expect("TRUE", 0);
}

#[test]
fn every_search_order_and_every_layer_agree() {
    let folder = Folder::new("orders");
    let (safe, bad) = (folder.write("safe.c", SAFE), folder.write("unsafe.c", UNSAFE));
    for order in ["dfs", "bfs", "random-path", "distance"] {
        check(&safe, &["--search", order]).expect("TRUE", 0);
        check(&bad, &["--search", order, "--seed", "7"]).expect("FALSE(unreach-call)", 10);
    }
    for layer in ["--no-model-reuse", "--no-slicing", "--no-query-cache", "--no-float-search"] {
        check(&safe, &[layer]).expect("TRUE", 0);
        check(&bad, &[layer]).expect("FALSE(unreach-call)", 10);
    }
}

#[test]
fn queries_are_recorded() {
    let folder = Folder::new("recorded");
    let program = folder.write("unsafe.c", UNSAFE);
    let record = folder.path("deep/queries");
    check(&program, &["--record-queries", record.to_str().unwrap()]).expect("FALSE(unreach-call)", 10);
    let first = std::fs::read_to_string(record.join("0001.smt2")).unwrap();
    assert!(first.starts_with("(set-logic ") && first.ends_with("(check-sat)\n"), "{first}");
    check(&program, &["--record-queries", program.to_str().unwrap()]).expect_error("cannot make the folder");
}

#[test]
fn standard_input() {
    let mut child = command(&["check", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), SAFE.as_bytes()).unwrap();
    Run::from(child.wait_with_output().unwrap()).expect("TRUE", 0);
}

#[test]
fn loading_that_does_not_end_is_cut_off() {
    for (options, verdict) in
        [(["--timeout", "200ms"], "UNKNOWN(timeout)"), (["--memory", "1kB"], "UNKNOWN(memory)")]
    {
        // Standard input stays open, so that loading waits for it forever.
        let mut child = command(&["check", "-"])
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take();
        let run = Run::from(child.wait_with_output().unwrap());
        run.expect(verdict, 20);
        assert!(run.stdout.contains("while reading the program"), "{}", run.stdout);
        drop(stdin);
    }
}

#[test]
fn json() {
    let folder = Folder::new("json");
    let parse = |run: &Run| -> serde_json::Value { serde_json::from_str(&run.stdout).unwrap() };
    let run = check(&folder.write("unsafe.c", UNSAFE), &["--json"]);
    let report = parse(&run);
    assert_eq!(run.code, Some(10));
    assert_eq!(report["version"], 1);
    assert_eq!(report["verdict"], "FALSE(unreach-call)");
    assert_eq!(report["data_model"], "LP64");
    assert_eq!(report["engine"], "auto");
    assert_eq!(report["property"]["assert_is_error"], true);
    let input = &report["counterexample"]["inputs"][0];
    assert_eq!(input["origin"], "__VERIFIER_nondet_int");
    let value: i32 = input["value"].as_str().unwrap().parse().unwrap();
    assert_eq!(value.wrapping_mul(3), 21);
    assert!(!report["counterexample"]["trace"].as_array().unwrap().is_empty());
    let run = check(&folder.write("safe.c", SAFE), &["--json"]);
    let report = parse(&run);
    assert_eq!((run.code, &report["verdict"]), (Some(0), &"TRUE".into()));
    assert!(report["reason"].is_null() && report["counterexample"].is_null());
    let run =
        check(&folder.write("endless.c", FORKING), &["--json", "--engine", "symexec", "--timeout", "500ms"]);
    let report = parse(&run);
    assert_eq!((run.code, &report["verdict"]), (Some(20), &"UNKNOWN(timeout)".into()));
    assert_eq!(report["reason"]["keyword"], "timeout");
    assert!(!report["frontier"].as_array().unwrap().is_empty(), "{report}");
    assert_eq!(report["warnings"], serde_json::json!([]));
}

#[test]
fn unsupported_constructs_are_shown() {
    let folder = Folder::new("unsupported");
    let file = folder.write(
        "f.c",
        "extern void reach_error(void);\nextern double nondet(void);\nint main(void) {\n  \
         _Complex double d = nondet();\n  if (d * d == 0.1) reach_error();\n  return 0;\n}\n",
    );
    let run = check(&file, &[]);
    if run.last_line() == "UNKNOWN(unsupported)" {
        assert_eq!(run.code, Some(20));
        assert!(run.stdout.contains("--> ") && run.stdout.contains("f.c:"), "{}", run.stdout);
        assert!(run.stdout.contains(" | "), "a code frame: {}", run.stdout);
    } else {
        panic!("complex numbers are modelled now? choose another construct\n{}", run.stdout);
    }
}

#[test]
fn time_limit() {
    let folder = Folder::new("time");
    for (name, text) in [("endless.c", ENDLESS), ("forking.c", FORKING)] {
        let run = check(&folder.write(name, text), &["--engine", "symexec", "--timeout", "1s", "--stats"]);
        run.expect("UNKNOWN(timeout)", 20);
        assert_eq!(run.stdout.matches("UNKNOWN").count(), 1);
        assert!(run.stdout.contains("the time limit was reached"), "{}", run.stdout);
        assert!(run.stdout.contains("Unexplored states were waiting at"), "{}", run.stdout);
        assert!(run.stderr.contains("memory, peak"), "{}", run.stderr);
    }
}

#[test]
fn memory_limit() {
    let folder = Folder::new("memory");
    let file = folder.write("forking.c", FORKING);
    let run = check(&file, &["--memory", "60MB", "--search", "bfs", "--timeout", "100s"]);
    run.expect("UNKNOWN(memory)", 20);
    assert_eq!(run.stdout.matches("UNKNOWN").count(), 1);
    // Hit while the program is being loaded.
    let run = check(&file, &["--memory", "1kB", "--timeout", "100s"]);
    run.expect("UNKNOWN(memory)", 20);
}

#[cfg(unix)]
#[test]
fn interruption() {
    let folder = Folder::new("interrupt");
    let file = folder.write("forking.c", FORKING);
    let mut child = command(&["check", "--timeout", "100s", "-v"])
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It is exploring once it says so.
    let mut stderr = child.stderr.take().unwrap();
    let mut seen = Vec::new();
    while !String::from_utf8_lossy(&seen).contains("exploring") {
        let mut byte = [0];
        if stderr.read(&mut byte).unwrap() == 0 {
            break;
        }
        seen.push(byte[0]);
    }
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let run = Run::from(child.wait_with_output().unwrap());
    run.expect("UNKNOWN(interrupted)", 20);
}

#[test]
fn bad_usage() {
    let folder = Folder::new("usage");
    let file = folder.write("a.c", SAFE);
    check(&file, &["--colour"]).expect_error("--colour");
    check(&file, &["--timeout", "soon"]).expect_error("not a duration");
    check(&file, &["--memory", "4"]).expect_error("not a size");
    check(&file, &["--search", "best"]).expect_error("random-path");
    check(&file, &["--engine", "magic"]).expect_error("symexec");
    aster(&["check"]).expect_error("FILE");
    aster(&["frobnicate"]).expect_error("frobnicate");
    check(&file, &["--solver", "/no/such/solver -x"]).expect_error("/no/such/solver");
}

#[test]
fn bad_input() {
    let folder = Folder::new("input");
    check(&folder.path("missing.c"), &[]).expect_error("missing.c");
    check(&folder.0, &[]).expect_error("");
    check(&folder.write("empty.c", ""), &[]).expect_error("main");
    let binary: Vec<u8> = (0..4096_u32).map(|n| (n * 97 % 256) as u8).collect();
    check(&folder.write("binary.c", binary), &[]).expect_error("binary.c");
    check(&folder.write("nul.c", "int main(void) { return 0; }\0\n"), &[]).expect_error("nul.c");
    let run = check(&folder.write("syntax.c", "int main(void) {\n  int x = ;\n  return 0;\n}\n"), &[]);
    run.expect_error("syntax.c:2:11");
    assert!(run.stderr.contains("int x = ;"), "{}", run.stderr);
    let run = check(&folder.write("json.c", "int main(void) { return }"), &["--json"]);
    run.expect_error("json.c:1:");
}

#[test]
fn properties() {
    let folder = Folder::new("property");
    let file = folder.write("unsafe.c", UNSAFE);
    let with = |text: &str| {
        let property = folder.write("p.prp", text);
        check(&file, &["--property", property.to_str().unwrap()])
    };
    with(UNREACH).expect("FALSE(unreach-call)", 10);
    with("CHECK( init(main()), LTL(G ! call(other())) )").expect("TRUE", 0);
    with("CHECK( init(main()), LTL(G ! overflow) )").expect("FALSE(no-overflow)", 10);
    with("CHECK( init(main()), LTL(F end) )")
        .expect_error("p.prp:1: the property `termination` is not supported yet");
    with("nonsense").expect_error("p.prp:1: not a property");
    with("").expect_error("holds no property");
    check(&file, &["--property", "missing.prp"]).expect_error("missing.prp");
}

#[test]
fn a_failing_assert_counts_without_a_property() {
    let folder = Folder::new("assert");
    let file = folder.write(
        "a.c",
        "extern void __assert_fail(const char *, const char *, unsigned, const char *);\n\
         extern int __VERIFIER_nondet_int(void);\n\
         int main(void) {\n  int x = __VERIFIER_nondet_int();\n  assert(x != 3);\n  return 0;\n}\n",
    );
    check(&file, &[]).expect("FALSE(unreach-call)", 10);
    let property = folder.write("p.prp", UNREACH);
    check(&file, &["--property", property.to_str().unwrap()]).expect("TRUE", 0);
}

#[test]
fn task_definitions() {
    let folder = Folder::new("task");
    folder.write("p.prp", UNREACH);
    folder.write(
        "a.c",
        "extern void reach_error(void);\nint main(void) {\n  if (sizeof(long) == 4) reach_error();\n  return 0;\n}\n",
    );
    let task = folder.write(
        "a.yml",
        "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n  - property_file: p.prp\n    \
         expected_verdict: false\noptions:\n  language: C\n  data_model: ILP32\n",
    );
    check(&task, &[]).expect("FALSE(unreach-call)", 10);
    check(&task, &["--data-model", "lp64"]).expect("TRUE", 0);
    check(&folder.path("a.c"), &[]).expect("TRUE", 0);
    check(&folder.path("a.c"), &["--data-model", "ILP32"]).expect("FALSE(unreach-call)", 10);
    let wrong = folder.write("b.yml", "format_version: '2.0'\n");
    check(&wrong, &[]).expect_error("not a task definition");
}

#[test]
fn deep_nesting() {
    let folder = Folder::new("nesting");
    let deep = format!(
        "extern void reach_error(void);\nint main(void) {{\n  int x = {}1{};\n  if (x != 1) reach_error();\n  return 0;\n}}\n",
        "(".repeat(10_000),
        ")".repeat(10_000)
    );
    let run = check(&folder.write("deep.c", deep), &["--timeout", "100s"]);
    // Either it is understood, or it is refused with a message; it never crashes.
    if run.code == Some(2) {
        run.expect_error("deep.c:3")
    } else {
        run.expect("TRUE", 0)
    }
    let sum = vec!["x"; 20_000].join(" + ");
    let text = format!(
        "extern void reach_error(void);\nint main(void) {{\n  unsigned x = 1;\n  if ({sum} != 20000) reach_error();\n  return 0;\n}}\n"
    );
    let run = check(&folder.write("sum.c", text), &["--timeout", "100s"]);
    if run.code == Some(2) {
        run.expect_error("sum.c:4")
    } else {
        run.expect("TRUE", 0)
    }
    let blocks = format!("int main(void) {{ {} {} return 0; }}\n", "{".repeat(10_000), "}".repeat(10_000));
    let run = check(&folder.write("blocks.c", blocks), &["--timeout", "100s"]);
    if run.code == Some(2) { run.expect_error("blocks.c:1") } else { run.expect("TRUE", 0) }
}

#[test]
fn large_files() {
    let folder = Folder::new("large");
    let mut text = String::from(
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n",
    );
    for n in 0..100_000 {
        text.push_str(&format!("  x = x ^ {n};\n"));
    }
    text.push_str("  if (x == 7) reach_error();\n  return 0;\n}\n");
    let run = check(&folder.write("large.c", text), &["--timeout", "200s"]);
    run.expect("FALSE(unreach-call)", 10);
}

#[test]
fn closed_pipes_are_no_reason_to_panic() {
    let folder = Folder::new("pipe");
    let file = folder.write("unsafe.c", UNSAFE);
    for arguments in [vec!["check"], vec!["check", "--json", "--stats"], vec!["show", "--cfa"]] {
        let mut child =
            command(&arguments).arg(&file).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let run = Run::from(child.wait_with_output().unwrap());
        assert!(matches!(run.code, Some(0 | 10)), "{:?} {}", run.code, run.stderr);
        assert!(!run.stderr.contains("panic"), "{}", run.stderr);
    }
}

#[test]
fn show_prints_a_graph() {
    let folder = Folder::new("show");
    let file = folder.write("unsafe.c", UNSAFE);
    let run = aster(&["show", "--cfa", file.to_str().unwrap()]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.starts_with("digraph"), "{}", run.stdout);
    let out = folder.path("out.dot");
    let to_file = aster(&["show", "--cfa", file.to_str().unwrap(), "-o", out.to_str().unwrap()]);
    assert_eq!((to_file.code, to_file.stdout.as_str()), (Some(0), ""));
    assert_eq!(std::fs::read_to_string(out).unwrap(), run.stdout);
    aster(&["show", "--cfa", "missing.c"]).expect_error("missing.c");
}

#[test]
fn show_keeps_to_its_limits() {
    // The program never comes.
    let mut child = command(&["show", "--cfa", "--timeout", "10ms", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let input = child.stdin.take();
    let run = Run::from(child.wait_with_output().unwrap());
    drop(input);
    run.expect_error("the time limit was reached");
}

#[test]
fn help_is_terse_or_full() {
    let (short, long) = (aster(&["check", "-h"]), aster(&["check", "--help"]));
    assert_eq!((short.code, long.code), (Some(0), Some(0)));
    assert!(short.stdout.lines().count() < long.stdout.lines().count());
    assert!(!short.stdout.contains("--no-slicing") && long.stdout.contains("--no-slicing"));
    assert!(long.stdout.contains("Examples:"));
    assert!(aster(&["--help"]).stdout.contains("Exit codes"));
    assert_eq!(aster(&["--version"]).code, Some(0));
}

/// Figure 1 of the paper that the engine is from: infinitely many paths, few predicates.
#[test]
fn invariants_are_shown_and_checked() {
    let example =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/race_to_equal_safe.c");
    let run = check(&example, &["--engine", "symexec-ia", "--show-invariants"]);
    run.expect("TRUE", 0);
    assert!(run.stdout.contains("race_to_equal_safe.c:13:12 in main\n    n"), "{}", run.stdout);
    assert!(run.stdout.contains("Checked: it holds at first"), "{}", run.stdout);
    let run = check(&example, &["--engine", "symexec-ia", "--show-invariants", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["proof"]["checked"], true);
    assert_eq!(report["proof"]["invariants"][0]["functions"][0], "main");
    assert!(report["statistics"]["predicates"].as_u64().unwrap() <= 4, "{}", report["statistics"]);
    check(&example, &["--engine", "symexec", "--timeout", "1s"]).expect("UNKNOWN(timeout)", 20);
}

#[test]
fn conditions_as_initial_predicates_save_refinements() {
    let example =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/race_to_equal_safe.c");
    let statistics = |predicates: &str| {
        let options = ["--json", "--engine", "symexec-ia", "--initial-predicates", predicates];
        let report: serde_json::Value = serde_json::from_str(&check(&example, &options).stdout).unwrap();
        assert_eq!(report["verdict"], "TRUE");
        report["statistics"].clone()
    };
    let (without, with) = (statistics("none"), statistics("conditions"));
    assert!(without["refinements"].as_u64() > Some(0) && without["queries_interpolation"].as_u64() > Some(0));
    assert_eq!((with["refinements"].as_u64(), with["queries_interpolation"].as_u64()), (Some(0), Some(0)));
    assert!(with["predicates"].as_u64() > Some(0) && with["queries_abstraction"].as_u64() > Some(0));
}

#[test]
fn invariants_call_memory_by_the_names_of_the_source() {
    let folder = Folder::new("memory-invariants");
    let program = folder.write(
        "program.c",
        "#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
struct range { int low, high; } range;
int values[4];
int main(void) {
    int *p = &range.low, *counter = malloc(sizeof *counter);
    *p = range.high = *counter = 0;
    values[2] = 5;
    while (__VERIFIER_nondet_int()) {
        if (*p < 10) { (*p)++; range.high++; }
        if (*counter < 10) (*counter)++;
        values[1] = *p;
    }
    if (range.low > 10 || range.low != range.high || values[2] != 5 || *counter > 10) __VERIFIER_error();
}
",
    );
    let run = check(&program, &["--engine", "symexec-ia", "--show-invariants"]);
    run.expect("TRUE", 0);
    for part in ["p == &range.low", "range.low < 11", "values[2] == 5", "*counter < 11"] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
    assert!(!run.stdout.contains("<memory") && !run.stdout.contains("<extents"), "{}", run.stdout);
}

/// A loop of 100 iterations with inputs is abstracted first, and unrolled when refinement did not come to an end. One that
/// has none is unrolled at once.
#[test]
fn a_loop_with_a_far_end_is_unrolled_in_the_end() {
    let folder = Folder::new("far end");
    let refinements = |name: &str, body: &str| {
        let text = format!(
            "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
             int main(void) {{ int i, x = 0; for (i = 0; i < 100; i++) x += {body}; if (i == 100) reach_error(); return x; }}\n"
        );
        let run = check(&folder.write(name, &text), &["--engine", "symexec-ia", "--json"]);
        let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(report["verdict"], "FALSE(unreach-call)", "{name}");
        report["statistics"]["refinements"].as_u64().unwrap()
    };
    assert!(refinements("inputs.c", "__VERIFIER_nondet_int()") > 10);
    assert_eq!(refinements("fill.c", "2"), 0);
}

/// With one cell of each array, what is read elsewhere can be any index. That is no reason to warn.
#[test]
fn single_cells_are_no_reason_for_warnings() {
    let folder = Folder::new("cells");
    let text = "extern void reach_error(void);\n\
                int main(void) {\n\
                int next[4], seen[4];\n\
                for (int i = 0; i < 4; i++) { next[i] = 3 - i; seen[i] = 0; }\n\
                for (int i = 0; i < 4; i++) { int k = next[i]; seen[k] = 1; }\n\
                for (int i = 0; i < 4; i++) if (!seen[i]) reach_error();\n\
                return 0; }\n";
    let run =
        check(&folder.write("cells.c", text), &["--engine", "symexec-ia", "--timeout", "60s", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["verdict"], "TRUE");
    assert_eq!(report["statistics"]["warnings"], 0, "{}", run.stderr);
}

/// `k == i`, `k == i + 1` and so on, and `i + 1 < 5000`, `i + 2 < 5000` and so on do not go on for ever.
#[test]
fn bounds_take_the_place_of_series_of_predicates() {
    let program =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/verdicts/chosen_iteration_safe.c");
    let run = check(&program, &["--engine", "symexec-ia", "--timeout", "60s", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["verdict"], "TRUE");
    assert!(report["statistics"]["refinements"].as_u64().unwrap() < 30, "{}", report["statistics"]);
    let options = ["--engine", "symexec-ia", "--no-series", "--timeout", "2s"];
    check(&program, &options).expect("UNKNOWN(timeout)", 20);
}
