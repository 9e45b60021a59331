//! The front end against a real compiler: the same programs must report the same numbers when the
//! compiler's executable runs and when the interpreter runs what the front end made of them.
//!
//! Programs call `report`. The executable prints what it gets; the interpreter's watcher sees what its
//! parameter is assigned.

mod compiled;
mod generator;
mod interpreted;
mod random;

use aster_c::DataModel;
use compiled::Compiler;

/// Runs a program in both worlds; `None` if they agree, otherwise what differs.
fn difference(compiler: &Compiler, name: &str, text: &str, model: DataModel) -> Option<String> {
    let actual = match interpreted::reports(name, text, model) {
        Ok(reports) => reports,
        Err(message) => return Some(format!("{name} ({model:?}): {message}")),
    };
    // Optimisers find other ways to compute the same, which is a second opinion; one per model will do.
    let optimisations: &[&str] = if model == DataModel::Lp64 { &["-O0", "-O2"] } else { &["-O0"] };
    for optimisation in optimisations {
        let expected = compiler.reports(text, model, optimisation);
        if actual == expected {
            continue;
        }
        let at = actual.iter().zip(&expected).take_while(|(left, right)| left == right).count();
        let shown =
            |reports: &[u64]| reports.get(at).map_or("nothing".to_owned(), |value| format!("{value:#x}"));
        return Some(format!(
            "{name} ({model:?}): report {at} is {} after {optimisation}, {} in the interpreter",
            shown(&expected),
            shown(&actual)
        ));
    }
    None
}

#[test]
fn programs_mean_what_the_compiler_says() {
    let Some(compiler) = Compiler::find() else {
        return;
    };
    let directory = std::fs::read_dir("tests/programs").unwrap();
    let mut files: Vec<_> = directory.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 8);
    let mut differences = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let name = file.display().to_string();
        for model in compiler.models() {
            if model == DataModel::Ilp32 && text.starts_with("/* lp64 only") {
                continue;
            }
            differences.extend(difference(&compiler, &name, &text, model));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// `ASTER_RANDOM_PROGRAMS=1000` tries more than the usual few, `ASTER_RANDOM_SEED` others.
#[test]
fn random_programs_mean_what_the_compiler_says() {
    let Some(compiler) = Compiler::find() else {
        return;
    };
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let files = number("ASTER_RANDOM_PROGRAMS").unwrap_or(150).div_ceil(generator::FUNCTIONS as u64);
    let first = number("ASTER_RANDOM_SEED").unwrap_or(1);
    let mut differences = Vec::new();
    for seed in first..first + files {
        let program = generator::program(seed);
        for model in compiler.models() {
            let Some(difference) = difference(&compiler, &format!("seed {seed}"), &program.text(), model)
            else {
                continue;
            };
            // Find the function that is to blame.
            let alone = (0..program.functions.len()).find_map(|index| {
                let text = program.text_of(index);
                let difference = self::difference(&compiler, &format!("seed {seed}"), &text, model)?;
                Some(format!("{difference}\n{text}"))
            });
            differences.push(alone.unwrap_or(difference));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
