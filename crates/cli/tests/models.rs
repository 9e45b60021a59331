//! `aster` on models: guarded commands and textual control-flow automata.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Folder, Run, aster, check, example};
use std::path::{Path, PathBuf};

const ENGINES: [&str; 2] = ["symexec", "symexec-ia"];

/// The verdict of a run: `Some(true)` for TRUE, `Some(false)` for FALSE.
fn verdict(run: &Run) -> Option<bool> {
    match (run.last_line(), run.code) {
        ("TRUE", Some(0)) => Some(true),
        ("FALSE(unreach-call)", Some(10)) => Some(false),
        (line, Some(20)) if line.starts_with("UNKNOWN(") => None,
        _ => panic!("{}\n{}", run.stdout, run.stderr),
    }
}

/// No engine may be wrong, and at least one must know the answer.
fn decided_by_some_engine(file: &Path, options: &[&str], expected: bool) {
    let mut decided = false;
    for engine in ENGINES {
        let mut all = vec!["--engine", engine, "--timeout", "20s"];
        all.extend(options);
        if let Some(found) = verdict(&check(file, &all)) {
            assert_eq!(found, expected, "{} {options:?} with {engine}", file.display());
            decided = true;
            break;
        }
    }
    assert!(decided, "{} {options:?} is not decided", file.display());
}

#[test]
fn textual_models_have_their_expected_verdicts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/theta");
    let Ok(expected) = std::fs::read_to_string(folder.join("expected.csv")) else {
        eprintln!("skipped: there is no {}", folder.display());
        return;
    };
    for line in expected.lines().skip(1) {
        let (name, expected) = line.split_once(',').unwrap();
        for engine in ENGINES {
            let run = check(&folder.join(name), &["--engine", engine, "--timeout", "5s"]);
            // That a solution is not found is possible; a wrong one is not.
            assert!(verdict(&run).is_none_or(|found| found == (expected == "true")), "{name} with {engine}");
        }
        // The other engine gets the time that the first one needs.
        let reversed = check(&folder.join(name), &["--engine", "symexec-ia", "--timeout", "60s"]);
        assert_eq!(verdict(&reversed), Some(expected == "true"), "{name}");
    }
}

fn protocol(name: &str) -> PathBuf {
    example(&format!("protocols/{name}.gcl"))
}

#[test]
fn protocols_are_decided() {
    for (name, options, expected) in [
        ("mutex", &[] as &[&str], true),
        ("b_bakery2_e", &[], false),
        ("ticket", &[], true),
        ("ticket", &["-D", "related=false", "-D", "deterministic=false"], false),
        ("ticket_e", &["-D", "N=3"], false),
        ("ticket-value", &["-D", "X=4"], false),
        ("rax", &["-D", "race=true"], false),
        ("rax-value", &["-D", "X=3"], false),
        ("elevator", &["-D", "N=3"], true),
        ("mesi", &[], true),
        ("berkeley", &[], true),
    ] {
        // Engines that explore paths one by one do not come to an end on endless protocols.
        let file = protocol(name);
        let mut all = vec!["--engine", "symexec-ia", "--timeout", "60s"];
        all.extend(options);
        assert_eq!(verdict(&check(&file, &all)), Some(expected), "{name} {options:?}");
    }
    decided_by_some_engine(&protocol("synapse"), &["-D", "deterministic=true"], true);
}

#[test]
fn transition_systems_are_analysed_as_such() {
    let any_start: &[&str] = &["-D", "deterministic=false"];
    for (name, options, expected) in [
        ("mutex", &[] as &[&str], true),
        ("bakery2", &[], true),
        ("bakery2-nondet", &[], true),
        ("b_bakery2_e", &[], false),
        ("ticket", &["-D", "N=3"], true),
        ("ticket", &["-D", "N=5"], true),
        ("ticket", any_start, true),
        ("ticket", &["-D", "deterministic=false", "-D", "related=false"], false),
        ("ticket_e", &[], false),
        ("ticket-value", &["-D", "X=5"], false),
        ("ticket-value", &["-D", "X=40"], false),
        ("bakery", &["-D", "N=4"], true),
        ("elevator", &["-D", "N=6"], true),
        ("peterson2", &[], true),
        ("rax", &[], true),
        ("rax", &["-D", "race=true"], false),
        ("rax-value", &["-D", "X=5"], false),
        ("mesi", &[], true),
        ("mesi", any_start, true),
        ("berkeley", &[], true),
        ("synapse", &[], true),
    ] {
        let mut all = vec!["--engine", "ase", "--timeout", "60s"];
        all.extend(options);
        assert_eq!(verdict(&check(&protocol(name), &all)), Some(expected), "{name} {options:?}");
    }
    check(&example("midpoint_unsafe.c"), &["--engine", "ase"])
        .expect_error("for guarded commands (.gcl) only");
}

#[test]
fn what_ase_counted_is_reported() {
    let json = |options: &[&str]| -> serde_json::Value {
        let run = check(&protocol("ticket"), &[&["--json"], options].concat());
        serde_json::from_str(&run.stdout).unwrap()
    };
    let alone = json(&["--engine", "ase"]);
    let counters = ["iterations", "predicates", "symbolic_states", "abstract_states", "queries"];
    for counter in counters {
        let value = &alone["statistics"][format!("ase_{counter}")];
        assert!(value.as_u64().is_some_and(|value| value > 0), "{counter}: {alone}");
    }
    // An error ends a round in the middle; what was explored of it counts.
    let found = check(&protocol("ticket_e"), &["--engine", "ase", "--json", "--stats"]);
    let report: serde_json::Value = serde_json::from_str(&found.stdout).unwrap();
    assert_ne!(report["statistics"]["ase_symbolic_states"], 0, "{report}");
    assert!(found.stderr.contains("\nase symbolic states  "), "{}", found.stderr);
    assert!(json(&["--engine", "symexec", "--timeout", "1s"])["statistics"]["ase_iterations"].is_null());
    // The engines that come after it leave the figures alone.
    let first = json(&["--timeout", "100ms", "-D", "N=9"]);
    assert_eq!(first["engine"], "auto");
    assert!(first["statistics"]["ase_iterations"].is_u64(), "{first}");
}

#[test]
fn evidence_is_in_the_language_of_the_model() {
    let run = check(&protocol("ticket"), &["--engine", "ase", "--show-invariants"]);
    assert_eq!(verdict(&run), Some(true));
    for part in ["abstract states", "  P[1].pc = think and P[2].pc = think and ", "\nChecked: "] {
        assert!(run.stdout.contains(part), "{part} is not in\n{}", run.stdout);
    }
    let report = |name: &str, options: &[&str]| -> serde_json::Value {
        let run = check(&protocol(name), &[&["--show-invariants", "--json"], options].concat());
        serde_json::from_str(&run.stdout).unwrap()
    };
    let long = report("elevator", &["-D", "N=4"])["proof"].clone();
    assert!(["exact_fragment", "inductive_set"].contains(&long["kind"].as_str().unwrap()), "{long}");
    assert_eq!((&long["checked"], &long["unchecked"]), (&true.into(), &serde_json::Value::Null));
    let states = long["states"].as_array().unwrap();
    assert!(states.len() > 20, "{long}");
    let text = check(&protocol("elevator"), &["-D", "N=4", "--show-invariants"]).stdout;
    let rest = format!("  and {} more, {} in all (--json has them whole)\n", states.len() - 20, states.len());
    assert!(text.contains(&rest), "{text}");
    // Other engines give what holds in the loop that the system is to them.
    let other = report("mutex", &["--engine", "symexec-ia"])["proof"].clone();
    assert_eq!(other["kind"], "loop_invariants");
    assert!(other["states"].is_null() && other["invariants"].is_array(), "{other}");
}

#[test]
fn counterexamples_speak_the_language_of_the_model() {
    let run = check(&protocol("ticket_e"), &["--engine", "symexec"]);
    assert_eq!(verdict(&run), Some(false));
    for part in ["transition = P[1].read", "P[1].pc = critical", "P[2].number = 0", "does not hold"] {
        assert!(run.stdout.contains(part), "{part} is not in\n{}", run.stdout);
    }
}

#[test]
fn models_run_on_given_inputs() {
    let folder = Folder::new("models-run");
    let text = "var x: int\nvar b: bool\nvar e: {one, two} = one\ninit x > 10\n\
        process P {\n  up: b -> x := x + 1, e := two\n  down: not b -> x := nondet\n}\nerror x = 12\n";
    let file = folder.write("m.gcl", text);
    let run = |inputs: &str| aster(&["run", file.to_str().unwrap(), "--inputs", inputs]).code;
    assert_eq!(run("11,1,0"), Some(10));
    assert_eq!(run("-11,1,0"), Some(20));
    assert_eq!(run("13,0,1,12"), Some(10));
    aster(&["run", file.to_str().unwrap(), "--inputs", "11,2,0"]).expect_error("2 does not fit type `bool`");
}

#[test]
fn show_prints_systems_and_automata() {
    let run = aster(&["show", protocol("ticket").to_str().unwrap(), "-D", "N=3"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for part in [
        "const N = 3\n",
        "var P[3].pc: {think, wait, critical} = think\n",
        "P[3].enter: P[3].pc = wait and P[3].number <= called\n",
    ] {
        assert!(run.stdout.contains(part), "{part} is not in\n{}", run.stdout);
    }
    let folder = Folder::new("models-show");
    let text = "main process p {\n  var x : int\n  init loc A\n  error loc E\n  A -> E { assume x > 1 }\n}\n";
    let file = folder.write("m.cfa", text);
    let run = aster(&["show", file.to_str().unwrap()]);
    assert!(run.stdout.contains("[x > 1]") || run.stdout.contains("[x >= 2]"), "{}", run.stdout);
    let graph = aster(&["show", "--cfa", file.to_str().unwrap()]);
    assert!(graph.stdout.starts_with("digraph"), "{}", graph.stdout);
}

#[test]
fn bad_models_are_rejected_with_positions() {
    let folder = Folder::new("models-bad");
    for (name, text, expected) in [
        (
            "a.gcl",
            "var x: int\nsafe y = 0\n",
            "a.gcl:2:6: error: `y` is not declared\n  2 | safe y = 0\n    |      ^\n",
        ),
        ("b.gcl", "", "b.gcl:1:1: error: the file is empty"),
        (
            "c.cfa",
            "main process p {\n  init loc A\n  A -> B\n}\n",
            "c.cfa:3:8: error: location `B` is not declared",
        ),
        ("d.theta", "process p { }\n", "d.theta:1:9: error: "),
    ] {
        let file = folder.write(name, text);
        for command in ["check", "show", "run"] {
            aster(&[command, file.to_str().unwrap()]).expect_error(expected);
        }
    }
    let file = folder.write("n.gcl", "const N: 1..3 = 2\nsafe N < 9\n");
    let file = file.to_str().unwrap();
    aster(&["check", file, "-D", "N=3"]).expect("TRUE", 0);
    aster(&["check", file, "-D", "N=4"])
        .expect_error("n.gcl:1:7: error: constant `N` must be in 1..3, not 4");
    aster(&["check", file, "-D", "M=4"]).expect_error("there is no constant `M`");
    aster(&["check", file, "-D", "N"]).expect_error("expected NAME=VALUE");
    aster(&["check", "-D", "N=1", "program.c"]).expect_error("guarded commands");
    aster(&["check", file, "--harness", "x.c"]).expect_error("--harness is for C programs only");
    let property = folder.write("overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )\n");
    aster(&["check", file, "-p", property.to_str().unwrap()]).expect_error("is for C");
}
