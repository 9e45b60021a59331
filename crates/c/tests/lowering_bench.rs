//! Every real program at hand loads, obeys the laws of programs, and does so quickly.

use aster_c::{DataModel, LoadOptions};
use aster_term::TermPool;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files_below(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "c" || extension == "i") {
            files.push(path);
        }
    }
}

/// The lists of tasks say in their columns which file is meant for which data model.
fn inputs_for_64_bits(folder: &Path) -> BTreeSet<PathBuf> {
    let lists = std::fs::read_dir(folder.join("..")).into_iter().flatten().flatten();
    let texts = lists.filter_map(|list| std::fs::read_to_string(list.path()).ok());
    let mut inputs = BTreeSet::new();
    for text in texts {
        for line in text.lines() {
            if let [_, input, _, "LP64", ..] = line.split(',').collect::<Vec<_>>()[..]
                && let Some(input) = input.strip_prefix("c/")
            {
                inputs.insert(folder.join(input));
            }
        }
    }
    inputs
}

#[test]
fn all_benchmark_programs_load() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench/c");
    let mut files = Vec::new();
    files_below(&folder, &mut files);
    if files.is_empty() {
        eprintln!("skipped: no benchmark programs at {}", folder.display());
        return;
    }
    let wide = inputs_for_64_bits(&folder);
    let mut problems = Vec::new();
    let mut slowest = (std::time::Duration::ZERO, PathBuf::new());
    for file in &files {
        let mut pool = TermPool::new();
        let data_model = if wide.contains(file) { DataModel::Lp64 } else { DataModel::Ilp32 };
        let options = LoadOptions { data_model, ..LoadOptions::default() };
        let start = std::time::Instant::now();
        match aster_c::load(&mut pool, file, &options) {
            Err(error) => problems.push(format!("{}: {error}", file.display())),
            Ok(program) => {
                slowest = slowest.max((start.elapsed(), file.clone()));
                if let Some(violation) = program.validate(&pool).first() {
                    problems.push(format!("{}: {violation}", file.display()));
                }
            }
        }
    }
    eprintln!("{} files; slowest: {:?} for {}", files.len(), slowest.0, slowest.1.display());
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}
