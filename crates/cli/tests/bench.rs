//! `aster bench` on a small set of its own.
#![allow(clippy::unwrap_used)]

mod common;

use common::*;
use std::fs;

/// A set of three tasks: one safe, one unsafe, one endless. With `lie`, the first one's expectation is wrong.
fn set(folder: &Folder, lie: bool) -> String {
    folder.write("p.prp", UNREACH);
    let mut list = String::from("task,input,expected,data_model\n");
    for (name, text, expected) in
        [("safe", SAFE, !lie), ("unsafe", UNSAFE, false), ("endless", FORKING, true)]
    {
        folder.write(&format!("{name}.c"), text);
        folder.write(
            &format!("{name}.yml"),
            format!(
                "format_version: '2.0'\ninput_files: {name}.c\nproperties:\n  - property_file: p.prp\n    expected_verdict: {expected}\n"
            ),
        );
        list.push_str(&format!("{name}.yml,{name}.c,{expected},ILP32\n"));
    }
    folder.write("Small.csv", list).to_str().unwrap().to_owned()
}

fn bench(arguments: &[&str], out: &str) -> Run {
    aster(&[&["bench", "--timeout", "3s", "--jobs", "1", "--out", out], arguments].concat())
}

#[test]
fn runs_resumes_and_compares() {
    let folder = Folder::new("bench");
    let list = set(&folder, false);
    let (first, second) = (folder.path("first"), folder.path("second"));
    let (first, second) = (first.to_str().unwrap(), second.to_str().unwrap());
    let run = bench(&[&list], first);
    assert_eq!(run.code, Some(0), "{}\n{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("## symexec"), "{}", run.stdout);
    assert!(run.stdout.contains("| Small  |     3 |"), "{}", run.stdout);
    assert!(run.stdout.contains("|       1 |        1 |   67 |     0 |     0 |     0 |"), "{}", run.stdout);
    let lines = fs::read_to_string(folder.path("first/results.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 3);
    let json: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.path("first/results.json")).unwrap()).unwrap();
    assert_eq!(json["results"].as_array().unwrap().len(), 3);
    assert_eq!(fs::read_to_string(folder.path("first/results.csv")).unwrap().lines().count(), 4);

    // Of a run that was cut off, only what is missing is run again.
    let kept: String =
        lines.lines().filter(|line| !line.contains("safe.yml")).map(|line| format!("{line}\n")).collect();
    fs::write(folder.path("first/results.jsonl"), &kept).unwrap();
    let again = bench(&[&list], first);
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    assert!(again.stderr.contains("1 results were there already"), "{}", again.stderr);
    assert!(fs::read_to_string(folder.path("first/results.jsonl")).unwrap().starts_with(&kept));
    assert!(again.stdout.contains("|       1 |        1 |   67 |"), "{}", again.stdout);

    // The same tasks as a folder, with other settings, which need another folder for the results.
    let tasks = folder.0.to_str().unwrap();
    bench(&[tasks, "--", "--search", "bfs"], first).expect_error("other settings");
    let other = bench(&[&list, "--", "--search", "bfs"], second);
    assert_eq!(other.code, Some(0), "{}\n{}", other.stdout, other.stderr);
    let compared = aster(&["bench", "compare", first, second]);
    assert_eq!(compared.code, Some(0), "{}", compared.stderr);
    assert!(compared.stdout.contains("3 tasks in both; right: 2 before, 2 after"), "{}", compared.stdout);
    assert!(compared.stdout.contains("No verdict changed."), "{}", compared.stdout);
}

#[test]
fn wrong_verdicts_and_crashes_are_listed() {
    let folder = Folder::new("wrong");
    set(&folder, true);
    let out = folder.path("out");
    let out = out.to_str().unwrap();
    let run = bench(&[folder.path("safe.yml").to_str().unwrap()], out);
    assert_eq!(run.code, Some(1), "{}\n{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("TRUE, expected FALSE"), "{}", run.stdout);
    let broken = folder.write("unsafe.c", "int main(void) { return }");
    let other = folder.path("other");
    let run = bench(&[folder.path("unsafe.yml").to_str().unwrap()], other.to_str().unwrap());
    assert_eq!(run.code, Some(0), "an input error is neither: {}", run.stdout);
    assert!(run.stdout.contains("Errors:") && run.stdout.contains("unsafe.c:1:"), "{}", run.stdout);
    fs::remove_file(broken).unwrap();
}

#[test]
fn engines_with_options_stand_side_by_side() {
    let folder = Folder::new("variants");
    set(&folder, false);
    let [safe, wrong, out] = ["safe.yml", "unsafe.yml", "out"].map(|name| folder.path(name));
    let tasks = [safe.to_str().unwrap(), wrong.to_str().unwrap()];
    let engines = ["--engines", "symexec,symexec-ia:threshold=1+no-sharing,symexec:search=bfs,symexec"];
    let run = bench(&[&tasks[..], &engines].concat(), out.to_str().unwrap());
    assert_eq!(run.code, Some(0), "{}\n{}", run.stdout, run.stderr);
    let solved = fs::read_to_string(folder.path("out/solved.csv")).unwrap();
    let family = folder.0.file_name().unwrap().to_str().unwrap();
    assert_eq!(
        solved,
        format!(
            "family,total U,total S,symexec U,symexec S,symexec-ia:threshold=1+no-sharing U,\
             symexec-ia:threshold=1+no-sharing S,symexec:search=bfs U,symexec:search=bfs S\n\
             {family},1,1,1,1,1,1,1,1\ntotal,1,1,1,1,1,1,1,1\n"
        )
    );
    assert!(run.stdout.contains("## symexec-ia:threshold=1+no-sharing\n"), "{}", run.stdout);
    assert!(run.stdout.contains("## Refinements for decided tasks\n"), "{}", run.stdout);
    assert_eq!(fs::read_to_string(folder.path("out/tables.md")).unwrap(), run.stdout);
    let again = bench(&[&tasks[..], &engines].concat(), out.to_str().unwrap());
    assert!(again.stderr.contains("6 results were there already"), "{}", again.stderr);
    assert_eq!(again.stdout, run.stdout);
}

#[test]
fn tables_of_several_folders() {
    let folder = Folder::new("tables");
    set(&folder, false);
    let paths = ["safe.yml", "unsafe.yml", "first", "second", "third"].map(|name| folder.path(name));
    let [safe, wrong, first, second, third] = paths.each_ref().map(|path| path.to_str().unwrap());
    assert_eq!(bench(&[wrong], first).code, Some(0));
    assert_eq!(bench(&[safe, wrong, "--engines", "symexec-ia:threshold=1"], second).code, Some(0));
    let table = |arguments: &[&str]| aster(&[&["bench", "table"], arguments].concat());

    let both = table(&[first, second, "--out", third]);
    assert_eq!(both.code, Some(0), "{}", both.stderr);
    assert!(both.stdout.contains("\n- symexec: results for 1 of 2 tasks only\n"), "{}", both.stdout);
    let best = fs::read_to_string(folder.path("third/best.csv")).unwrap();
    assert!(best.starts_with("family,best of symexec U,best of symexec S,best of all U,"), "{best}");
    assert!(best.ends_with("\ntotal,1,0,1,1,1\n"), "{best}");
    assert_eq!(fs::read_to_string(folder.path("third/tables.md")).unwrap(), both.stdout);

    let swapped = table(&[first, second, "--engines", "symexec-ia:threshold=1,symexec", "--out", third]);
    assert_eq!(swapped.code, Some(0), "{}", swapped.stderr);
    let best = fs::read_to_string(folder.path("third/best.csv")).unwrap();
    assert!(best.ends_with("\ntotal,1,1,1,1,0\n"), "{best}");

    table(&[first, "--engines", "symexec-ia"]).expect_error("no results of `symexec-ia`; there are symexec");
    table(&[first, "nowhere"]).expect_error("nowhere");
}

#[test]
fn bad_engines() {
    let folder = Folder::new("engines");
    let list = set(&folder, false);
    let out = folder.path("out");
    let out = out.to_str().unwrap();
    for (engines, part) in [
        ("symexec,nonsense", "`nonsense` cannot be run: invalid value 'nonsense'"),
        ("symexec-ia:treshold=1", "`symexec-ia:treshold=1` cannot be run: unexpected argument '--treshold'"),
        ("symexec-ia:threshold=x", "invalid value 'x' for '--threshold <N>'"),
        ("symexec-ia:no-sharing=1", "unexpected value '1' for '--no-sharing'"),
        ("symexec:timeout=1s", "'--timeout <TIME>' cannot be used multiple times"),
        ("symexec:data-model=lp64", "'--data-model <MODEL>' cannot be used multiple times"),
        ("symexec:help", "ask for help"),
        ("symexec:", "is not an option of `aster check`"),
        ("symexec,,symexec", "the name of an engine is missing"),
    ] {
        bench(&[&list, "--engines", engines], out).expect_error(part);
    }
    bench(&[&list, "--", "--bogus"], out).expect_error("unexpected argument '--bogus'");
    assert!(!folder.path("out").exists(), "nothing is written for bad usage");
}

#[test]
fn bad_sets() {
    let folder = Folder::new("sets");
    let out = folder.path("out");
    let out = out.to_str().unwrap();
    bench(&["missing.set"], out).expect_error("missing.set");
    bench(&[folder.write("empty.set", "").to_str().unwrap()], out).expect_error("no task");
    bench(&[folder.write("x.txt", "").to_str().unwrap()], out).expect_error("not a task set");
    aster(&["bench"]).expect_error("SET");
    aster(&["bench", "compare", "nowhere", "nowhere"]).expect_error("nowhere");
    assert!(!folder.path("out").exists(), "nothing is written for bad usage");
}

#[test]
fn results_of_another_build_are_not_mixed() {
    let folder = Folder::new("bench-build");
    let list = set(&folder, false);
    let out = folder.path("out");
    let out = out.to_str().unwrap();
    assert_eq!(bench(&[&list], out).code, Some(0));
    let settings = folder.path("out/settings.json");
    let text = fs::read_to_string(&settings).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(json["program"].as_str().unwrap().starts_with(env!("CARGO_PKG_VERSION")), "{text}");
    json["program"] = "0.0.1 0123456789abcdef".into();
    fs::write(&settings, json.to_string()).unwrap();
    bench(&[&list], out).expect_error("another build of the program (0.0.1 0123456789abcdef; this one is ");
    fs::write(&settings, text).unwrap();
    assert_eq!(bench(&[&list], out).code, Some(0));
}

#[test]
fn results_stand_beside_published_figures() {
    let folder = Folder::new("published");
    let text = "const N: 1..9 = 1\nvar x: int = 0\nprocess P { up: x < N -> x := x + 1 }\nsafe x < 3\n";
    folder.write("m.gcl", text);
    let header = "family,task,input,expected,data_model,options,published_iterations,published_predicates,\
                  published_queries,published_states,published_time";
    let list = |rows: &str| {
        let path = folder.write("figures.csv", format!("{header}\n{rows}"));
        path.to_str().unwrap().to_owned()
    };
    let (good, bad) = (folder.path("good"), folder.path("bad"));
    let small = "Figure 1,small,m.gcl,true,,-D N=2,1,4,46,50/49,0.37\n";
    let file = list(&format!("{small}Figure 2,large,m.gcl,false,,-D N=5,,,,,\n"));
    let run = bench(&[&file, "--engines", "ase,symexec"], good.to_str().unwrap());
    assert_eq!(run.code, Some(0), "{}\n{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("## Figure 1, beside what was published\n"), "{}", run.stdout);
    let csv = fs::read_to_string(folder.path("good/published.csv")).unwrap();
    let row = csv.lines().find(|line| line.starts_with("Figure 1,small,ase,TRUE,")).unwrap();
    let cells: Vec<&str> = row.split(',').collect();
    assert_eq!([5, 7, 9, 11, 13].map(|column| cells[column]), ["1", "4", "46", "50/49", "0.37"]);
    assert!(cells[4].parse::<u64>().is_ok_and(|iterations| iterations > 0), "{row}");
    assert!(csv.contains("\nFigure 2,large,symexec,FALSE(unreach-call),,,"), "{csv}");

    let file = list(&format!("{small}Figure 2,large,m.gcl,true,,-D N=5,,,,,\n"));
    let run = bench(&[&file, "--engines", "ase"], bad.to_str().unwrap());
    assert_eq!(run.code, Some(1), "{}\n{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("| large | WRONG: FALSE(unreach-call) |"), "{}", run.stdout);
    let file = list("Figure 1,small,m.gcl,true,,--bogus,,,,,\n");
    bench(&[&file, "--engines", "ase"], "nowhere").expect_error("unexpected argument '--bogus'");
}

#[test]
fn the_list_of_the_protocols_is_complete() {
    let list = fs::read_to_string(example("protocols/figures.csv")).unwrap();
    let rows = |figure: &str| list.lines().filter(|line| line.starts_with(figure)).count();
    assert_eq!((rows("Figure 5.1,"), rows("Figure 5.2,")), (31, 7));
    for line in list.lines().skip(1) {
        let input = line.split(',').nth(2).unwrap();
        assert!(example(&format!("protocols/{input}")).exists(), "{line}");
    }
}
