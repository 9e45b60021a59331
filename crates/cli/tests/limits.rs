//! Time limits hold whatever is going on, and files that are written take no harm.
#![allow(clippy::unwrap_used)]

mod common;

use common::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(1);

/// A second more than the limit is allowed, and half a second is for machines that do other things as well.
const LATEST: Duration = Duration::from_millis(2500);

/// A named pipe that nobody writes to or reads from.
fn pipe(folder: &Folder, name: &str) -> Option<PathBuf> {
    let path = folder.path(name);
    let made = Command::new("mkfifo").arg(&path).status().is_ok_and(|status| status.success());
    if !made {
        eprintln!("skipped: there is no mkfifo");
    }
    made.then_some(path)
}

/// Runs the command with the time limit, and makes sure that it holds. Standard input stays open and empty.
fn limited(arguments: &[&str]) -> Run {
    let start = Instant::now();
    let mut child = command(arguments)
        .args(["--timeout", "1s"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let stdin = child.stdin.take();
    let run = Run::from(child.wait_with_output().unwrap());
    let elapsed = start.elapsed();
    drop(stdin);
    assert!(elapsed >= LIMIT && elapsed < LATEST, "{arguments:?} took {elapsed:?}\n{}", run.stderr);
    run
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn reading_is_limited() {
    let run = limited(&["check", "-", "--stats"]);
    run.expect("UNKNOWN(timeout)", 20);
    assert!(run.stdout.contains("the time limit was reached while reading the program"), "{}", run.stdout);
    assert!(run.stderr.contains("reading"), "statistics are printed: {}", run.stderr);
    let run = limited(&["run", "-"]);
    assert_eq!(
        (run.stdout.as_str(), run.code),
        ("The time limit was reached while reading the program\n", Some(20))
    );
    limited(&["show", "-"]).expect_error("the time limit was reached");
}

#[test]
fn reading_of_other_files_is_limited() {
    let folder = Folder::new("limited-files");
    let Some(pipe) = pipe(&folder, "pipe") else { return };
    let program = folder.write("safe.c", SAFE);
    let (program, pipe) = (text(&program), text(&pipe));
    limited(&["check", program, "--property", pipe]).expect("UNKNOWN(timeout)", 20);
    let run = limited(&["check", program, "--property", pipe, "--json"]);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((run.code, &report["verdict"]), (Some(20), &"UNKNOWN(timeout)".into()));
    assert_eq!(limited(&["run", program, "--inputs-file", pipe]).code, Some(20));
    limited(&["show", program, "--property", pipe]).expect_error("the time limit was reached");
}

#[test]
fn the_preprocessor_is_limited_and_ends_with_the_run() {
    let folder = Folder::new("limited-preprocessor");
    let Some(pipe) = pipe(&folder, "never.h") else { return };
    let program = folder.write("includes.c", "#include \"never.h\"\nint main(void) { return 0; }\n");
    if Command::new(std::env::var("CC").unwrap_or("cc".to_owned())).arg("--version").output().is_err() {
        eprintln!("skipped: there is no C compiler");
        return;
    }
    limited(&["check", text(&program)]).expect("UNKNOWN(timeout)", 20);
    // Nobody is left who would read what comes through the pipe: opening it for writing does not wait, but fails.
    let script = format!("timeout 1 sh -c 'echo > {}'", text(&pipe));
    let status = Command::new("sh").args(["-c", &script]).status().unwrap();
    assert_eq!(status.code(), Some(124), "somebody still reads");
}

#[test]
fn running_is_limited() {
    let folder = Folder::new("limited-run");
    let file = folder.write("endless.c", ENDLESS);
    for arguments in [vec!["run", text(&file)], vec!["run", "--trace", text(&file)]] {
        let run = limited(&arguments);
        assert_eq!(run.code, Some(20));
        assert!(
            run.stdout.contains("interrupted at") && run.stdout.contains(": the time limit was reached\n")
        );
    }
}

#[test]
fn writing_is_limited_and_leaves_nothing_behind() {
    let folder = Folder::new("limited-output");
    let kept = folder.write("kept.txt", "as it was");
    limited(&["show", "-", "-o", text(&kept)]).expect_error("the time limit was reached");
    limited(&["show", "-", "-o", text(&folder.path("never.txt"))]).expect_error("the time limit was reached");
    assert_eq!(fs::read_to_string(&kept).unwrap(), "as it was");
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
    let Some(pipe) = pipe(&folder, "pipe") else { return };
    let program = folder.write("unsafe.c", UNSAFE);
    limited(&["show", text(&program), "-o", text(&pipe)]).expect_error("the time limit was reached");
    let run = limited(&["check", text(&program), "--harness", text(&pipe)]);
    run.expect("FALSE(unreach-call)", 10);
    assert!(run.stderr.contains("the harness was not written"), "{}", run.stderr);
}

#[test]
fn devices_pipes_and_read_only_files_are_not_replaced() {
    let folder = Folder::new("outputs");
    let program = folder.write("unsafe.c", UNSAFE);
    let program = text(&program);
    let expected = aster(&["show", program]).stdout;
    let on_device = aster(&["show", program, "-o", "/dev/stdout"]);
    assert_eq!((on_device.code, on_device.stdout == expected), (Some(0), true), "{}", on_device.stderr);
    let run = aster(&["check", program, "--harness", "/dev/stdout"]);
    run.expect("FALSE(unreach-call)", 10);
    assert!(
        run.stdout.contains("int main") || run.stdout.contains("__VERIFIER_nondet_int"),
        "{}",
        run.stdout
    );
    for device in ["/dev/null", "/dev/full"].into_iter().filter(|device| Path::new(device).exists()) {
        let run = aster(&["show", program, "-o", device]);
        assert_eq!(run.code, Some(if device == "/dev/null" { 0 } else { 2 }), "{}", run.stderr);
        assert!(!fs::metadata(device).unwrap().is_file());
    }
    let kept = folder.write("kept.txt", "as it was");
    let mut permissions = fs::metadata(&kept).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&kept, permissions).unwrap();
    aster(&["show", program, "-o", text(&kept)]).expect_error("kept.txt: the file is read-only");
    let run = aster(&["check", program, "--harness", text(&kept)]);
    run.expect("FALSE(unreach-call)", 10);
    assert!(run.stderr.contains("kept.txt: the file is read-only"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(&kept).unwrap(), "as it was");
    let Some(pipe) = pipe(&folder, "pipe") else { return };
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    assert_eq!(aster(&["show", program, "-o", text(&pipe)]).code, Some(0));
    assert_eq!(reader.join().unwrap(), expected);
}
