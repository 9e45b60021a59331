//! `aster check --confirm` and `aster bench --confirm`: what Aster says is what the compiled program does.
#![allow(clippy::unwrap_used)]

mod common;

use common::verdict_files::{expectation, programs};
use common::*;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// True if gcc makes programs with sanitizers for this data model that run here.
fn has_sanitizers(folder: &Folder, model: &str) -> bool {
    let probe = folder.write("probe.c", "#include <stdio.h>\nint main(void) { return 0; }\n");
    let program = folder.path("probe");
    let options = [model, "-fsanitize=address,undefined"];
    let compiled = Command::new("gcc").args(options).arg(&probe).arg("-o").arg(&program).output();
    let works = compiled.is_ok_and(|output| output.status.success())
        && Command::new(&program).status().is_ok_and(|status| status.success());
    if !works {
        eprintln!("skipped: gcc {model} makes no programs with sanitizers that run here");
    }
    works
}

/// Runs `aster check --confirm --json`: the report.
fn confirmed(program: &Path, options: &[&str]) -> Value {
    let run = check(program, &[&["--confirm", "--json"], options].concat());
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stderr))
}

/// True if the kernel of this machine confines programs, as far as reports tell.
fn is_confined(folder: &Folder) -> bool {
    let text = "extern int system(const char *); extern void reach_error(void);\n\
        int main(void) { system(\"true\"); reach_error(); return 0; }\n";
    let report = confirmed(&folder.write("probe_kernel.c", text), &[]);
    let lacks =
        report["confirmed"]["reason"].as_str().is_some_and(|reason| reason.contains("kernel cannot confine"));
    if lacks {
        eprintln!("skipped: the kernel confines no programs");
    }
    !lacks
}

/// Why the compiled program may be unable to tell, for programs of `tests/verdicts`: a part of the name and of the reason.
const EXPECTED: &[(&str, &str)] = &[
    ("alloca_arbitrary", "what no harness can supply"),
    ("heap_is_arbitrary", "what no harness can supply"),
    ("file_used_after_close", "what no harness can supply"),
    ("undefined_bool", "what no harness can supply"),
    ("undefined_result_missing", "what no harness can supply"),
    ("uninitialised_each_iteration", "what no harness can supply"),
    ("uninitialised_local", "what no harness can supply"),
    ("unknown_function_changes", "what no harness can supply"),
    ("uninitialised_pointer", "nobody supplies"),
    ("read_line", "what no harness can supply"),
    ("empty_allocation", "one byte to allocations of none"),
    ("printed_text_precision", "printed with a precision"),
    ("undefined_below_object", "before global variables"),
    ("undefined_alignment", "not aligned"),
    ("undefined_alloca_left", "no object in Aster"),
    ("undefined_block_entered_again", "no object in Aster"),
    ("undefined_variable_length_left", "no object in Aster"),
    ("undefined_cast_to_void", "nobody uses the value"),
    ("undefined_discarded", "nobody uses the value"),
    ("undefined_member_of_null", "nobody uses the value"),
    ("undefined_negated_minimum", "nobody uses the value"),
    ("undefined_freed_memory", "nobody uses the value"),
];

struct Case {
    program: PathBuf,
    options: Vec<String>,
    model: &'static str,
}

/// The unsafe programs of `tests/verdicts`, with the options that their first lines ask for.
fn unsafe_programs() -> Vec<Case> {
    let mut cases = Vec::new();
    for program in programs() {
        let expected = expectation(&std::fs::read_to_string(&program).unwrap());
        if !expected.verdict.starts_with("FALSE") {
            continue;
        }
        let mut options = expected.arguments;
        options.extend(["--timeout", "60s"].map(str::to_owned));
        options.extend(expected.only.into_iter().flat_map(|engine| ["--engine".to_owned(), engine]));
        let model = if options.iter().any(|option| option == "ilp32") { "-m32" } else { "-m64" };
        cases.push(Case { program, options, model });
    }
    cases
}

/// What is wrong with the result for a program, if anything.
fn difference(case: &Case) -> Option<String> {
    let options: Vec<&str> = case.options.iter().map(String::as_str).collect();
    let report = confirmed(&case.program, &options);
    let name = case.program.file_name().unwrap().to_str().unwrap();
    let reason = report["confirmed"]["reason"].as_str().unwrap_or_default();
    let is_expected = || EXPECTED.iter().any(|(part, why)| name.starts_with(part) && reason.contains(why));
    match report["confirmed"]["outcome"].as_str() {
        Some("confirmed") => None,
        Some("could_not") if is_expected() => None,
        outcome => Some(format!("{name}: {} {outcome:?} {reason}", report["verdict"])),
    }
}

#[test]
fn compiled_programs_fail_where_aster_says() {
    let folder = Folder::new("confirm-verdicts");
    let (has_64, has_32) = (has_sanitizers(&folder, "-m64"), has_sanitizers(&folder, "-m32"));
    if !has_64 || !is_confined(&folder) {
        return;
    }
    let mut cases = unsafe_programs();
    cases.retain(|case| case.model == "-m64" || has_32);
    assert!(cases.len() > 90, "{}", cases.len());
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            found.extend(difference(case));
        }
        found
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let found: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn people_and_machines_are_told() {
    let folder = Folder::new("confirm-told");
    if !has_sanitizers(&folder, "-m64") {
        return;
    }
    let program = folder.write("unsafe.c", UNSAFE);
    let run = check(&program, &["--confirm"]);
    run.expect("FALSE(unreach-call)", 10);
    assert!(run.stdout.contains("Confirmed: the compiled program fails in this way at "), "{}", run.stdout);
    assert!(run.stdout.contains("unsafe.c:5."), "{}", run.stdout);
    let report = confirmed(&program, &[]);
    assert_eq!(report["confirmed"], serde_json::json!({"outcome": "confirmed", "reason": null}));
    assert_eq!(report["harness"], Value::Null, "nobody asked for it");
    // Nothing is run unless it is asked for, and nothing but errors is confirmed.
    let run = check(&program, &[]);
    assert!(!run.stdout.contains("ompiled"), "{}", run.stdout);
    let report: Value = serde_json::from_str(&check(&program, &["--json"]).stdout).unwrap();
    assert_eq!(report["confirmed"], Value::Null);
    assert_eq!(confirmed(&folder.write("safe.c", SAFE), &[])["confirmed"], Value::Null);
    // Without a compiler the verdict stays, and the output says why it was not confirmed.
    let arguments = ["check", "--confirm", program.to_str().unwrap()];
    let run: Run = command(&arguments).env("PATH", folder.path("nowhere")).output().unwrap().into();
    run.expect("FALSE(unreach-call)", 10);
    assert!(run.stdout.contains("could not confirm it: gcc is not installed."), "{}", run.stdout);
    // What depends on a value that nobody supplies stays as it is.
    let text =
        "extern void reach_error(void);\nint main(void) {\n  int x;\n  if (x == 123456) reach_error();\n}\n";
    let run = check(&folder.write("missing.c", text), &["--confirm"]);
    run.expect("FALSE(unreach-call)", 10);
    assert!(
        run.stdout.contains("The compiled program could not confirm it: the path needs"),
        "{}",
        run.stdout
    );
    let run = check(&example("protocols/ticket.gcl"), &["--confirm", "-D", "N=2", "--timeout", "20s"]);
    assert!(!run.stdout.contains("ompiled"), "{}", run.stdout);
}

/// What is compiled is another program than the one that was checked: a header changes in between.
#[test]
fn programs_that_do_something_else_take_the_verdict_back() {
    let folder = Folder::new("confirm-else");
    if !has_sanitizers(&folder, "-m64") {
        return;
    }
    let header = folder.write("value.h", "#define VALUE 8\n");
    let text = "#include \"value.h\"\nextern void reach_error(void);\nint main(void) { if (VALUE == 8) reach_error(); return 0; }\n";
    let program = folder.write("included.c", text);
    let compiler = folder.write(
        "compiler",
        format!(
            "#!/bin/sh\ngcc \"$@\"; code=$?; echo '#define VALUE 9' > {}; exit $code\n",
            header.display()
        ),
    );
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&compiler, mode).unwrap();
    let run =
        command(&["check", "--confirm", program.to_str().unwrap()]).env("CC", &compiler).output().unwrap();
    let run = Run::from(run);
    run.expect("UNKNOWN(not confirmed)", 20);
    assert!(run.stdout.contains("but the compiled program ended with exit code 0"), "{}", run.stdout);
    assert!(run.stdout.contains("This is a defect of Aster"), "{}", run.stdout);
}

#[test]
fn benchmarks_count_confirmations() {
    let folder = Folder::new("confirm-bench");
    if !has_sanitizers(&folder, "-m64") {
        return;
    }
    folder.write("unsafe.c", UNSAFE);
    folder.write("safe.c", SAFE);
    folder.write(
        "missing.c",
        "extern void reach_error(void);\nint main(void) {\n  int x;\n  if (x == 123456) reach_error();\n}\n",
    );
    let list =
        "task,input,expected,data_model\nu,unsafe.c,false,LP64\ns,safe.c,true,LP64\nm,missing.c,false,LP64\n";
    let list = folder.write("Small.csv", list);
    let out = folder.path("out");
    let arguments =
        ["bench", list.to_str().unwrap(), "--confirm", "--jobs", "1", "--out", out.to_str().unwrap()];
    let run = aster(&arguments);
    assert_eq!(run.code, Some(0), "{}\n{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("| confirmed | could not |"), "{}", run.stdout);
    assert!(run.stdout.contains("|         1 |         1 |"), "{}", run.stdout);
    assert!(run.stdout.contains("| the path needs what no harness can supply |     1 |"), "{}", run.stdout);
    let table = std::fs::read_to_string(out.join("results.csv")).unwrap();
    assert!(table.lines().next().unwrap().ends_with(",confirmed,unconfirmed"), "{table}");
    assert!(table.contains(",confirmed,\n") && table.contains(",could_not,the path needs"), "{table}");
}

/// The unsafe tasks for memory and overflows among real ones, smallest program first: program, data model, property.
fn real_tasks(bench: &Path) -> Vec<Vec<String>> {
    let mut tasks = Vec::new();
    for list in ["MemSafety.csv", "NoOverflows.csv"] {
        let Ok(text) = std::fs::read_to_string(bench.join(list)) else { continue };
        for row in text.lines().map(|line| line.split(',').collect::<Vec<_>>()) {
            if let [_, input, "false", model, property] = row[..] {
                let size = std::fs::metadata(bench.join(input)).map_or(u64::MAX, |data| data.len());
                tasks.push((size, [input, model, property].map(str::to_owned).to_vec()));
            }
        }
    }
    tasks.sort();
    tasks.into_iter().map(|(_, task)| task).collect()
}

/// Real programs, if they are at hand. `ASTER_CONFIRM_TASKS=100` takes more of them than the 16 smallest.
#[test]
fn real_programs_fail_where_aster_says() {
    let folder = Folder::new("confirm-tasks");
    let bench = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench");
    if !bench.exists() {
        eprintln!("skipped: no tasks at {}", bench.display());
        return;
    }
    if !has_sanitizers(&folder, "-m32") || !is_confined(&folder) {
        return;
    }
    let count = std::env::var("ASTER_CONFIRM_TASKS").ok().and_then(|count| count.parse().ok()).unwrap_or(16);
    let (mut confirmed_ones, mut differences) = (0, Vec::new());
    for task in real_tasks(&bench).iter().take(count) {
        let property = bench.join(&task[2]);
        let options = ["--timeout", "5s", "--data-model", &task[1], "--property", property.to_str().unwrap()];
        let report = confirmed(&bench.join(&task[0]), &options);
        match report["confirmed"]["outcome"].as_str() {
            Some("confirmed") => confirmed_ones += 1,
            Some("not_confirmed") => {
                differences.push(format!("{}: {}", task[0], report["confirmed"]["reason"]))
            }
            _ => {}
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(confirmed_ones * 2 > count.min(16), "only {confirmed_ones} were confirmed");
}

/// What Aster models as having no effect, the compiled program would do: the sandbox keeps it from that.
#[test]
fn programs_have_no_effect() {
    let folder = Folder::new("confirm-effects");
    if !has_sanitizers(&folder, "-m64") || !is_confined(&folder) {
        return;
    }
    let victims = ["by_shell", "by_open", "by_stream", "by_folder"].map(|name| folder.path(name));
    let [shell, opened, stream, made] = victims.each_ref().map(|path| path.display().to_string());
    let precious = folder.write("precious", "here\n");
    let text = format!(
        "#include <fcntl.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <sys/socket.h>\n#include <sys/stat.h>\n#include <unistd.h>\n\
         extern void reach_error(void);\n\
         int main(void) {{\n  system(\"touch {shell}\");\n  open(\"{opened}\", O_CREAT | O_WRONLY, 0600);\n  fopen(\"{stream}\", \"w\");\n  \
         mkdir(\"{made}\", 0700);\n  unlink(\"{}\");\n  socket(AF_INET, SOCK_STREAM, 0);\n  reach_error();\n  return 0;\n}}\n",
        precious.display()
    );
    let report = confirmed(&folder.write("effects.c", text), &[]);
    assert_eq!(report["confirmed"]["outcome"], "confirmed", "{}", report["confirmed"]);
    assert!(victims.iter().all(|path| !path.exists()), "something was made");
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "here\n");
}
