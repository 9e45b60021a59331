//! `aster check --harness`: the compiled program gets to the error on the inputs of the counterexample.
#![allow(clippy::unwrap_used)]

mod common;

use common::*;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const MESSAGE: &str = "aster: error reached";

/// True if gcc makes programs for this data model that run here.
fn has_compiler(folder: &Folder, model: &str) -> bool {
    let probe = folder.write("probe.c", "#include <stdio.h>\nint main(void) { return 0; }\n");
    let program = folder.path("probe");
    let compiled = Command::new("gcc").arg(model).arg(&probe).arg("-o").arg(&program).output();
    let works = compiled.is_ok_and(|output| output.status.success())
        && Command::new(&program).status().is_ok_and(|status| status.success());
    if !works {
        eprintln!("skipped: gcc {model} makes no programs that run here");
    }
    works
}

/// Compiles a program with its harness and runs it: exit code and standard error.
fn compile_and_run(
    folder: &Folder,
    program: &Path,
    harness: &Path,
    model: &str,
) -> Result<(Option<i32>, String), String> {
    let executable = folder.path("program");
    let compiled = Command::new("gcc")
        .args(["-w", "-O0", "-fwrapv", "-std=gnu11", "-msse2", "-mfpmath=sse", model, "-o"])
        .arg(&executable)
        .args([program, harness])
        .arg("-lm")
        .output()
        .unwrap();
    if !compiled.status.success() {
        return Err(format!("gcc refuses it: {}", String::from_utf8_lossy(&compiled.stderr)));
    }
    let output = Command::new("timeout").arg("20").arg(&executable).output().unwrap();
    Ok((output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned()))
}

/// What became of the comparison of a program with its harness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compared {
    /// The compiled program got to the error.
    Reached,
    /// The harness says that the path needs what it cannot supply.
    Missing,
    /// There is no counterexample, and no harness.
    Undecided,
}

/// Checks a program that has an error and runs it on its harness; what is wrong with it is the error.
fn confirm(folder: &Folder, program: &Path, options: &[&str], model: &str) -> Result<Compared, String> {
    let harness = folder.path("harness.c");
    let _ = std::fs::remove_file(&harness);
    let options = [options, &["--json", "--harness", harness.to_str().unwrap()]].concat();
    let run = check(program, &options);
    let report: serde_json::Value =
        serde_json::from_str(&run.stdout).map_err(|error| format!("{error}: {}", run.stderr))?;
    let ensure = |holds: bool, message: &str| if holds { Ok(()) } else { Err(message.to_owned()) };
    if report["verdict"] != "FALSE(unreach-call)" {
        ensure(report["verdict"] != "TRUE", "the verdict is TRUE")?;
        ensure(!harness.exists() && report["harness"].is_null(), "a harness without a counterexample")?;
        return Ok(Compared::Undecided);
    }
    ensure(report["harness"]["file"] == harness.to_str().unwrap(), &run.stderr)?;
    let missing = report["harness"]["missing"].as_array().ok_or("no list of what is missing")?;
    let text = std::fs::read_to_string(&harness).unwrap();
    for sentence in missing {
        let said = text.contains(sentence.as_str().unwrap_or_default());
        ensure(said, &format!("the file does not say that {sentence} is missing"))?;
    }
    let (code, messages) = compile_and_run(folder, program, &harness, model)?;
    if !missing.is_empty() {
        return Ok(Compared::Missing);
    }
    let reached = messages.contains(MESSAGE) && code == Some(99);
    ensure(reached, &format!("exit code {code:?}, {messages}\n{text}"))?;
    Ok(Compared::Reached)
}

fn c_files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    files
}

#[test]
fn unsafe_programs_get_to_the_error() {
    let folder = Folder::new("harness");
    let (has_64, has_32) = (has_compiler(&folder, "-m64"), has_compiler(&folder, "-m32"));
    let mut compared = 0;
    for program in c_files("examples").into_iter().chain(c_files("tests/verdicts")) {
        let text = std::fs::read_to_string(&program).unwrap();
        let has_error = text.contains("// expect: FALSE") || program.to_str().unwrap().contains("_unsafe");
        // Other properties have no error that a harness could tell of.
        if !has_error || text.contains("// property:") {
            continue;
        }
        let is_32 = text.contains("// data-model: ilp32");
        let (available, model, data_model) =
            if is_32 { (has_32, "-m32", "ilp32") } else { (has_64, "-m64", "lp64") };
        if available {
            let outcome = confirm(&folder, &program, &["--data-model", data_model], model);
            let outcome = outcome.unwrap_or_else(|error| panic!("{}: {error}", program.display()));
            compared += usize::from(outcome == Compared::Reached);
        }
    }
    assert!(compared >= 10 || !has_64, "only {compared} programs were compared");
}

#[test]
fn every_kind_of_input_is_supplied() {
    let folder = Folder::new("harness-kinds");
    if !has_compiler(&folder, "-m64") {
        return;
    }
    let text = "extern unsigned char __VERIFIER_nondet_uchar(void); extern short __VERIFIER_nondet_short(void);
        extern _Bool __VERIFIER_nondet_bool(void); extern long __VERIFIER_nondet_long(void);
        extern unsigned long long __VERIFIER_nondet_ulonglong(void); extern __int128 __VERIFIER_nondet_int128(void);
        extern enum e { A, B } sensor(int); extern void log_it(int); extern int rand(void); extern int setting;
        extern void __VERIFIER_assume(int); extern void __VERIFIER_error(void);
        extern int __VERIFIER_nondet_never(void);
        int main(void) {
            unsigned char a = __VERIFIER_nondet_uchar(); short b = __VERIFIER_nondet_short();
            _Bool c = __VERIFIER_nondet_bool(); long d = __VERIFIER_nondet_long(); sensor(1);
            unsigned long long e = __VERIFIER_nondet_ulonglong(); __int128 f = __VERIFIER_nondet_int128();
            enum e g = sensor(2); int h = rand(); log_it(h);
            __VERIFIER_assume(setting == 77);
            if (setting == 78) __VERIFIER_nondet_never();
            if (a == 200 && b == -300 && c && d == -5000000000 && e == 0xfedcba9876543210ull
                && f == (__int128)-7 << 100 && g == B && h == 12345)
                __VERIFIER_error();
            return 0;
        }";
    let program = folder.write("kinds.c", text);
    assert_eq!(confirm(&folder, &program, &[], "-m64"), Ok(Compared::Reached));
    let floats = "extern float __VERIFIER_nondet_float(void); extern double __VERIFIER_nondet_double(void);
        extern long double __VERIFIER_nondet_longdouble(void); extern void __VERIFIER_error(void);
        extern void *memcpy(void *, const void *, unsigned long);
        int main(void) {
            float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float(); double c = __VERIFIER_nondet_double();
            long double d = __VERIFIER_nondet_longdouble(), e = __VERIFIER_nondet_longdouble();
            unsigned bits; memcpy(&bits, &b, 4);
            if (a == -0.1f && bits == 0xffc54321u && c == 5e-324 && d == 0x1.0000000000000002p-16000L && e != e)
                __VERIFIER_error();
            return 0;
        }";
    let program = folder.write("floats.c", floats);
    assert_eq!(confirm(&folder, &program, &[], "-m64"), Ok(Compared::Reached));
    // An assertion, and an error function that the program defines.
    for text in [
        "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
         int main(void) { assert(__VERIFIER_nondet_int() != 42); return 0; }\n",
        "extern void abort(void); extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) { abort(); }\n\
         int main(void) { if (__VERIFIER_nondet_int() == 42) reach_error(); return 0; }\n",
        "extern int __VERIFIER_nondet_int(void); void assert(int);\n\
         int main(void) { assert(__VERIFIER_nondet_int() != 42); return 0; }\n",
    ] {
        let outcome = confirm(&folder, &folder.write("error.c", text), &[], "-m64");
        assert_eq!(outcome, Ok(Compared::Reached), "{text}");
    }
}

#[test]
fn runs_that_go_another_way_say_so() {
    let folder = Folder::new("harness-another");
    if !has_compiler(&folder, "-m64") {
        return;
    }
    let program = folder.write("unsafe.c", UNSAFE);
    let harness = folder.path("harness.c");
    check(&program, &["--harness", harness.to_str().unwrap()]).expect("FALSE(unreach-call)", 10);
    let other = UNSAFE.replace("int x =", "__VERIFIER_nondet_int(); int x =");
    let other = folder.write("other.c", other);
    let (code, messages) = compile_and_run(&folder, &other, &harness, "-m64").unwrap();
    assert_eq!(code, Some(98), "{messages}");
    assert!(messages.contains("no input is left for __VERIFIER_nondet_int"), "{messages}");
}

#[test]
fn what_no_harness_can_supply_is_said() {
    let folder = Folder::new("harness-missing");
    let needed =
        "extern void reach_error(void);\nint main(void) {\n  int x;\n  if (x == 123456) reach_error();\n}\n";
    let harness = folder.path("harness.c");
    let option = harness.to_str().unwrap();
    let run = check(&folder.write("needed.c", needed), &["--harness", option]);
    run.expect("FALSE(unreach-call)", 10);
    assert!(run.stdout.contains("It cannot supply what the path needs besides:"), "{}", run.stdout);
    assert!(run.stdout.contains("uninitialised `x` = 123456"), "{}", run.stdout);
    assert!(std::fs::read_to_string(&harness).unwrap().contains("uninitialised `x` = 123456"));
    let harmless = "extern void reach_error(void);\nint main(int argc, char **argv) {\n  int x;\n  \
        if ((x | 1) != 0) reach_error();\n}\n";
    let run = check(&folder.write("harmless.c", harmless), &["--harness", option]);
    run.expect("FALSE(unreach-call)", 10);
    assert!(
        run.stdout.contains("The inputs are supplied by") && !run.stdout.contains("cannot supply"),
        "{}",
        run.stdout
    );
}

#[test]
fn nothing_is_written_without_a_counterexample() {
    let folder = Folder::new("harness-none");
    let harness = folder.write("harness.c", "before\n");
    let option = harness.to_str().unwrap();
    check(&folder.write("safe.c", SAFE), &["--harness", option]).expect("TRUE", 0);
    assert_eq!(std::fs::read_to_string(&harness).unwrap(), "before\n");
    // The verdict stands even if the file cannot be written.
    let program = folder.write("unsafe.c", UNSAFE);
    let nowhere = folder.path("none").join("harness.c");
    let run = check(&program, &["--harness", nowhere.to_str().unwrap()]);
    run.expect("FALSE(unreach-call)", 10);
    assert!(run.stderr.contains("the harness was not written"), "{}", run.stderr);
    check(&program, &["--harness", program.to_str().unwrap()]).expect_error("would overwrite");
    let left: Vec<_> = std::fs::read_dir(&folder.0).unwrap().collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

/// The unsafe tasks of the tables in a folder, smallest program first.
fn unsafe_tasks(bench: &Path) -> Vec<PathBuf> {
    let mut tasks = Vec::new();
    for entry in std::fs::read_dir(bench).unwrap().flatten() {
        let Ok(table) = std::fs::read_to_string(entry.path()) else { continue };
        let rows = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
        // Lists with a column for the property are about others.
        for row in rows.filter(|row| row.len() == 4 && row[2..] == ["false", "ILP32"]) {
            let path = bench.join(row[1]);
            tasks.push((std::fs::metadata(&path).map_or(u64::MAX, |data| data.len()), path));
        }
    }
    tasks.sort();
    tasks.into_iter().map(|(_, path)| path).collect()
}

/// Real programs, if they are at hand: all unsafe tasks that are decided in a moment.
///
/// `ASTER_HARNESS_TIMEOUT=20s` gives each check more time, `ASTER_HARNESS_TASKS=20` takes only the smallest.
#[test]
fn unsafe_tasks_get_to_the_error() {
    let bench = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench");
    if !bench.exists() {
        eprintln!("skipped: no tasks at {}", bench.display());
        return;
    }
    if !has_compiler(&Folder::new("harness-tasks"), "-m32") {
        return;
    }
    let mut tasks = unsafe_tasks(&bench);
    if let Some(count) = std::env::var("ASTER_HARNESS_TASKS").ok().and_then(|count| count.parse().ok()) {
        tasks.truncate(count);
    }
    let timeout = std::env::var("ASTER_HARNESS_TIMEOUT").unwrap_or("3s".to_owned());
    let property = bench.join("c/properties/unreach-call.prp");
    let options = ["--data-model", "ilp32", "--timeout", &timeout, "-p", property.to_str().unwrap()];
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(vec![Ok(Compared::Undecided); tasks.len()]);
    std::thread::scope(|scope| {
        for worker in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            let (tasks, next, outcomes, options) = (&tasks, &next, &outcomes, &options);
            scope.spawn(move || {
                let folder = Folder::new(&format!("harness-tasks-{worker}"));
                while let index = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(task) = tasks.get(index)
                {
                    let outcome = confirm(&folder, task, options, "-m32");
                    outcomes.lock().unwrap()[index] = outcome;
                }
            });
        }
    });
    let outcomes = outcomes.into_inner().unwrap();
    let count = |wanted| outcomes.iter().filter(|&outcome| *outcome == Ok(wanted)).count();
    eprintln!(
        "{} unsafe tasks, {timeout} each: {} got to the error, {} need uninitialised values, {} were not decided",
        tasks.len(),
        count(Compared::Reached),
        count(Compared::Missing),
        count(Compared::Undecided)
    );
    let wrong: Vec<String> = tasks
        .iter()
        .zip(&outcomes)
        .filter_map(|(task, outcome)| Some(format!("{}: {}", task.display(), outcome.as_ref().err()?)))
        .collect();
    assert!(wrong.is_empty(), "{} disagree:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count(Compared::Reached) > 0 || tasks.is_empty(), "no task was compared");
}
