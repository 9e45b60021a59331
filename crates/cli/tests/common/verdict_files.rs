//! The programs of `tests/verdicts`, and what their headers say.
//!
//! The first lines of a program may say:
//! - `// expect: VERDICT`: the verdict line (`UNKNOWN` stands for any reason);
//! - `// expect ENGINE: VERDICT`: the same for one engine that gives another one;
//! - `// only: ENGINE`: no other engine can be expected to decide it;
//! - `// data-model: ilp32` or `lp64`;
//! - `// property: NAME`: the property file of that name in `tests/properties`;
//! - `// options: ...`: further options.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What the header of a program says.
pub struct Expectation {
    /// The verdict line.
    pub verdict: String,
    /// Of single engines.
    pub exceptions: Vec<(String, String)>,
    /// The engine that is tried, if not all are.
    pub only: Option<String>,
    /// The options of the command.
    pub arguments: Vec<String>,
}

/// Reads the header of a program.
pub fn expectation(text: &str) -> Expectation {
    let mut expectation =
        Expectation { verdict: String::new(), exceptions: Vec::new(), only: None, arguments: Vec::new() };
    for line in text.lines().take_while(|line| line.starts_with("//") || line.is_empty()) {
        if let Some(verdict) = line.strip_prefix("// expect: ") {
            expectation.verdict = verdict.trim().to_owned();
        } else if let Some((engine, verdict)) =
            line.strip_prefix("// expect ").and_then(|rest| rest.split_once(": "))
        {
            expectation.exceptions.push((engine.to_owned(), verdict.trim().to_owned()));
        } else if let Some(engine) = line.strip_prefix("// only: ") {
            expectation.only = Some(engine.trim().to_owned());
        } else if let Some(model) = line.strip_prefix("// data-model: ") {
            expectation.arguments.extend(["--data-model".to_owned(), model.trim().to_owned()]);
        } else if let Some(property) = line.strip_prefix("// property: ") {
            let file = tests().join("properties").join(format!("{}.prp", property.trim()));
            expectation.arguments.extend(["--property".to_owned(), file.display().to_string()]);
        } else if let Some(options) = line.strip_prefix("// options: ") {
            expectation.arguments.extend(options.split_whitespace().map(str::to_owned));
        }
    }
    expectation
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests")
}

/// All programs, in order.
pub fn programs() -> Vec<PathBuf> {
    let mut programs: Vec<PathBuf> = std::fs::read_dir(tests().join("verdicts"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    programs.sort();
    programs
}

/// Does something with each program, on all processors, and gives what came out, in any order.
pub fn for_each<T: Send>(programs: &[PathBuf], work: impl Fn(usize, &Path) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let one_by_one = || {
        let mut found = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(program) = programs.get(number) else { return found };
            found.push(work(number, program));
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(one_by_one)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    })
}
