//! Counterexamples and warnings as users read them.
#![allow(clippy::unwrap_used)]

mod common;

use common::*;

fn json(run: &Run) -> serde_json::Value {
    serde_json::from_str(&run.stdout).unwrap()
}

/// An index that may be outside: the path that goes outside ends with a warning, the other one fails.
const INDEX: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int a[3] = {1, 2, 3};
  int i = __VERIFIER_nondet_int();
  a[i] = 7;
  if (a[2] == 7)
    reach_error();
  return 0;
}
";

#[test]
fn undefined_behaviour_is_a_warning() {
    let folder = Folder::new("undefined");
    let file = folder.write("index.c", INDEX);
    let run = check(&file, &[]);
    run.expect("FALSE(unreach-call)", 10);
    let warning = "index.c:6:3: warning: undefined behaviour: access outside of any object that is alive";
    assert!(run.stderr.contains(warning), "{}", run.stderr);
    assert!(run.stderr.contains("a[i] = 7;"), "{}", run.stderr);
    assert!(!run.stdout.contains("warning"), "{}", run.stdout);

    let run = check(&file, &["--json"]);
    assert_eq!(run.code, Some(10), "{}", run.stderr);
    assert!(run.stderr.contains(warning), "{}", run.stderr);
    let report = json(&run);
    let warnings = report["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!(warnings[0]["what"], "access outside of any object that is alive");
    assert_eq!(warnings[0]["position"]["line"], 6);
    assert_eq!(warnings[0]["position"]["text"], "  a[i] = 7;");
}

#[test]
fn writes_to_memory_are_told_and_checks_are_not() {
    let folder = Folder::new("writes");
    let file = folder.write("index.c", INDEX);
    let run = check(&file, &[]);
    assert!(run.stdout.starts_with("1 input:\n"), "{}", run.stdout);
    for line in ["# i = 2 (input 1)", "# a[2] = 7", "# a[2] == 7 is true"] {
        assert!(run.stdout.contains(line), "{line} is not in:\n{}", run.stdout);
    }
    assert_eq!(run.stdout.matches(" is true").count(), 1, "{}", run.stdout);

    let report = json(&check(&file, &["--json"]));
    let trace = report["counterexample"]["trace"].as_array().unwrap();
    let events: Vec<&serde_json::Value> =
        trace.iter().flat_map(|item| item["events"].as_array().unwrap()).collect();
    let kinds: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["call", "input", "assignment", "branch", "error"]);
    assert_eq!(events[2]["variable"], "a[2]");
    assert_eq!(events[2]["value"], "7");
    assert_eq!(events[3]["condition"], "a[2] == 7");
}

#[test]
fn uninitialised_memory_is_listed_only_if_it_matters() {
    let folder = Folder::new("memory");
    let text = "\
extern void reach_error(void);
int main(void) {
  int used[4], unused[4];
  for (int i = 0; i < 4; i++)
    unused[i] = i;
  if (used[3] == 77 && unused[3] == 3)
    reach_error();
  return 0;
}
";
    let file = folder.write("memory.c", text);
    let run = check(&file, &[]);
    run.expect("FALSE(unreach-call)", 10);
    assert!(run.stdout.starts_with("1 input:\n  uninitialised memory of used: "), "{}", run.stdout);
    assert!(!run.stdout.contains("memory of unused"), "{}", run.stdout);

    let report = json(&check(&file, &["--json"]));
    let inputs = report["counterexample"]["inputs"].as_array().unwrap();
    let used: Vec<_> = inputs.iter().filter(|input| input["matters"] == true).collect();
    assert_eq!(used.len(), 1, "{inputs:?}");
    assert!(used[0]["number"].is_null());
    assert_eq!(used[0]["value"]["cells"][0][1], "77");
    assert_eq!(used[0]["value"]["cells"].as_array().unwrap().len(), 1);
}
