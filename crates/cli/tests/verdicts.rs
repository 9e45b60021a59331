//! Runs `aster check` on every program in `tests/verdicts` and compares with the verdict in its header.

#![allow(clippy::unwrap_used)]

mod common;

use common::verdict_files::{expectation, for_each, programs};
use std::path::Path;
use std::process::Command;

/// Engines with options under which they are tried.
const CONFIGURATIONS: &[&[&str]] = &[
    &["auto"],
    &["symexec", "--search", "dfs"],
    &["symexec", "--search", "bfs"],
    &["symexec", "--search", "random-path"],
    &["symexec", "--search", "distance"],
    &["symexec-ia"],
    &["symexec-ia", "--search", "dfs"],
    &["symexec-ia", "--threshold", "1"],
    &["symexec-ia", "--threshold", "100"],
    &["symexec-ia", "--search", "dfs", "--no-sharing", "--no-unroll"],
    &["symexec", "--join", "always"],
    &["symexec-ia", "--join", "always"],
    &["concrete"],
];

/// The verdict line that Aster prints, checked against the exit code.
fn verdict(program: &Path, arguments: &[String]) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_aster")).arg("check").arg(program).args(arguments).output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let verdict = stdout.lines().last().unwrap_or_default().to_owned();
    let code = match verdict.as_str() {
        "TRUE" => 0,
        _ if verdict.starts_with("FALSE") => 10,
        _ if verdict.starts_with("UNKNOWN") => 20,
        _ => 2,
    };
    assert_eq!(
        output.status.code(),
        Some(code),
        "{}: {verdict}\n{}",
        program.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    verdict
}

/// What a program is given instead of its verdict, if it is, by each configuration.
fn failures(program: &Path) -> Vec<String> {
    let expected = expectation(&std::fs::read_to_string(program).unwrap());
    assert!(!expected.verdict.is_empty(), "{}: no `// expect:` line", program.display());
    let mut failures = Vec::new();
    for configuration in CONFIGURATIONS {
        let (engine, options) = configuration.split_first().unwrap();
        if expected.only.as_ref().is_some_and(|only| only != engine) {
            continue;
        }
        let mut arguments = expected.arguments.clone();
        arguments.extend(["--engine", engine].iter().chain(options).map(|&word| word.to_owned()));
        // Without sharing, small programs can have very many paths, and paths that are joined share little; concrete
        // runs prove only what takes no inputs.
        let is_concrete = *engine == "concrete";
        let may_run_out =
            is_concrete || options.iter().any(|option| ["--no-sharing", "--join"].contains(option));
        if !arguments.iter().any(|word| word == "--timeout") {
            let timeout = if is_concrete {
                "200ms"
            } else if may_run_out {
                "5s"
            } else {
                "60s"
            };
            arguments.extend(["--timeout", timeout].map(str::to_owned));
        }
        let exception = expected.exceptions.iter().find(|(name, _)| name == engine);
        let wanted = exception.map_or(&expected.verdict, |(_, verdict)| verdict);
        let found = verdict(program, &arguments);
        let fits = match wanted.as_str() {
            "UNKNOWN" => found.starts_with("UNKNOWN("),
            verdict => found == verdict,
        };
        let ran_out = may_run_out && found == "UNKNOWN(timeout)";
        if !fits && !ran_out {
            failures.push(format!(
                "{} with {}: expected {wanted}, found {found}",
                program.display(),
                configuration.join(" ")
            ));
        }
    }
    failures
}

#[test]
fn every_program_gets_its_verdict() {
    let found = for_each(&programs(), |_, program| failures(program)).concat();
    assert!(found.is_empty(), "{}", found.join("\n"));
}
