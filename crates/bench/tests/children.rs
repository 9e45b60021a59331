//! The runner with programs that misbehave in place of `aster`.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use aster_bench::os::{self, Clock};
use aster_bench::results::{Record, Status};
use aster_bench::run::{Plan, run};
use aster_bench::sets::Entry;
use aster_bench::task::Task;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What `aster check --json` prints, with this verdict.
fn report(verdict: &str, reason: &str) -> String {
    format!(
        r#"{{"version":1,"aster":"0","file":"a.c","verdict":"{verdict}","reason":{reason},
        "property":{{"name":"unreach-call","file":null,"error_functions":[],"assert_is_error":true}},
        "data_model":"LP64","engine":"x","time":{{"total":1,"cpu":1,"load":0,"explore":0,"solve":null,"replay":0}},
        "memory":{{"peak":1,"limit":null}},"statistics":{{}},"counterexample":null,"frontier":[]}}"#
    )
}

/// Runs a shell script in place of `aster` on one task that should be safe.
fn run_script(name: &str, script: &str, memory: u64) -> Record {
    run_engine("x", name, script, memory)
}

fn run_engine(engine: &str, name: &str, script: &str, memory: u64) -> Record {
    let folder = std::env::temp_dir().join(format!("aster-children-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let program = folder.join("program");
    // The script goes to the shell as a file of its own: an executable that was just written may be busy.
    let text = folder.join("script");
    fs::write(&text, script).unwrap();
    fs::write(&program, format!("#!/bin/sh\nexec sh {} \"$@\"\n", text.display())).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let plan = Plan {
        program,
        engines: vec![engine.parse().unwrap()],
        timeout: Duration::from_secs(match name {
            "hang" | "wait" | "spin" => 1,
            _ => 100,
        }),
        clock: if matches!(name, "wait" | "spin") { Clock::Cpu } else { Clock::Wall },
        grace: Duration::from_millis(100),
        memory,
        jobs: 1,
        arguments: vec![],
        out: folder.join("out"),
    };
    let task = Task { input: PathBuf::from("a.c"), property: None, expected: Some(true), data_model: None };
    let entry = Entry::new("F", "t", task);
    let finished = run(&plan, &[entry], &AtomicBool::new(false)).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    assert!(!finished.interrupted);
    finished.records[0].clone()
}

#[test]
fn engines_get_their_options_and_are_asked_for_their_effort() {
    let telling = report("TRUE", "null")
        .replace(r#""statistics":{}"#, r#""statistics":{"refinements":3}"#)
        .replace(r#""solve":null"#, r#""solve":null,"interpolate":0.25"#);
    let script = format!(
        "case \"$*\" in 'check --json --engine x --a=1 --b --timeout '*) ;; *) echo \"$*\" >&2; exit 3;; esac\n{}",
        printing(&telling, 0)
    );
    let record = run_engine("x:a=1+b", "effort", &script, 0);
    assert_eq!((record.engine.as_str(), record.status), ("x:a=1+b", Status::Correct), "{}", record.detail);
    assert_eq!((record.refinements, record.interpolation), (Some(3), Some(0.25)));
}

fn printing(report: &str, code: i32) -> String {
    format!("cat <<'END'\n{report}\nEND\nexit {code}\n")
}

#[test]
fn verdicts_are_rated() {
    let record = run_script("right", &printing(&report("TRUE", "null"), 0), 0);
    assert_eq!((record.status, record.exit_code), (Status::Correct, Some(0)));
    assert_eq!((record.refinements, record.interpolation), (None, None));
    let record = run_script("wrong", &printing(&report("FALSE(unreach-call)", "null"), 10), 0);
    assert_eq!(record.status, Status::Wrong);
    let reason = r#"{"keyword":"unsupported","message":"m","construct":"floats",
        "position":{"file":"a.c","line":3,"column":4,"length":1,"text":null}}"#;
    let record = run_script("unknown", &printing(&report("UNKNOWN(unsupported)", reason), 20), 0);
    assert_eq!(record.status, Status::Unknown);
    assert_eq!((record.keyword.as_str(), record.detail.as_str()), ("unsupported", "floats"));
    assert_eq!(record.position, "a.c:3:4");
    let record = run_script("error", "echo 'a.c:1:1: error: what' >&2; exit 2", 0);
    assert_eq!((record.status, record.detail.as_str()), (Status::Error, "a.c:1:1: error: what"));
}

#[test]
fn crashes_are_told_apart() {
    for (name, script, detail) in [
        ("code", "exit 3".to_owned(), "exit code 3"),
        ("signal", "kill -SEGV $$".to_owned(), "ended by signal 11"),
        ("message", "echo 'out of luck' >&2; exit 101".to_owned(), "exit code 101: out of luck"),
        ("garbage", "echo hello; exit 0".to_owned(), "not a report"),
        ("silence", "exit 20".to_owned(), "not a report"),
        ("mismatch", printing(&report("TRUE", "null"), 10), "exit code 10 with the verdict TRUE"),
    ] {
        let record = run_script(name, &script, 0);
        assert_eq!(record.status, Status::Crash, "{name}");
        assert!(record.detail.starts_with(detail), "{name}: {}", record.detail);
    }
}

#[test]
fn limits_cannot_be_evaded() {
    let record = run_script("hang", "trap '' TERM INT; sleep 600 & sleep 600", 0);
    assert_eq!((record.status, record.keyword.as_str()), (Status::Unknown, "timeout, killed"));
    if os::resident_memory(None).is_some() {
        let record = run_script("eat", "x=$(head -c 400000000 /dev/zero | tr '\\0' a); sleep 600", 1_000_000);
        assert_eq!((record.status, record.keyword.as_str()), (Status::Unknown, "memory, killed"));
    }
}

#[test]
fn waiting_costs_no_cpu_time() {
    if os::cpu_time_of(std::process::id()).is_none() {
        println!("skipped: this system does not tell the CPU time of other processes");
        return;
    }
    let late = format!("sleep 1.5\n{}", printing(&report("TRUE", "null"), 0));
    assert_eq!(run_script("wait", &late, 0).status, Status::Correct);
    let record = run_script("spin", "while :; do :; done", 0);
    assert_eq!((record.status, record.keyword.as_str()), (Status::Unknown, "timeout, killed"));
}
