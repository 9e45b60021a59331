//! Random programs with defects against a compiler with sanitizers, both ways: what the sanitizers report the interpreter
//! reports, of the same kind and in the same line, and the other way round.

#[path = "../differential/random.rs"]
mod random;

mod generator;
mod interpreted;
mod outcome;
mod sanitized;

use aster_c::DataModel;
use outcome::{Kind, Outcome};
use sanitized::Sanitizer;
use std::collections::BTreeMap;

/// Functions that are compiled together.
const TOGETHER: u64 = 50;

/// `ASTER_PLANTED_PROGRAMS=10000` tries more than the usual few, `ASTER_RANDOM_SEED` others.
#[test]
fn defects_are_what_the_sanitizers_say() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let programs = number("ASTER_PLANTED_PROGRAMS").unwrap_or(300);
    let first = number("ASTER_RANDOM_SEED").unwrap_or(1);
    for (model, programs) in [(DataModel::Lp64, programs), (DataModel::Ilp32, programs / 4)] {
        let Some(sanitizer) = Sanitizer::find(model) else { continue };
        let mut counts = BTreeMap::new();
        let mut differences = Vec::new();
        for start in (first..first + programs).step_by(TOGETHER as usize) {
            let seeds: Vec<u64> = (start..(start + TOGETHER).min(first + programs)).collect();
            compare(&sanitizer, model, &seeds, &mut counts, &mut differences);
        }
        println!("{model:?}: {counts:?}");
        let shown: Vec<String> = differences.iter().take(20).cloned().collect();
        assert!(differences.is_empty(), "{} differences\n{}", differences.len(), shown.join("\n"));
        // A generator that makes nothing but good programs, or bad ones, tests nothing.
        let failing: usize = counts.iter().filter(|(key, _)| **key != "ends").map(|(_, count)| count).sum();
        let all: usize = counts.values().sum();
        assert!((all / 8..=all * 7 / 8).contains(&failing), "{counts:?}");
    }
}

fn compare(
    sanitizer: &Sanitizer,
    model: DataModel,
    seeds: &[u64],
    counts: &mut BTreeMap<&'static str, usize>,
    differences: &mut Vec<String>,
) {
    let functions: Vec<String> = seeds.iter().map(|seed| generator::function(*seed)).collect();
    let cases: String =
        seeds.iter().map(|seed| format!("    case {seed}: result = case{seed}(); break;\n")).collect();
    let text = format!(
        "{}{}int main(int count, char **words)\n{{\n    int result = 0;\n    switch (atoi(words[1])) {{\n{cases}    }}\n    return result;\n}}\n",
        generator::PRELUDE,
        functions.concat(),
    );
    sanitizer.compile(&text).unwrap_or_else(|message| panic!("{message}"));
    let shared = generator::PRELUDE.lines().count() as u32;
    let mut start = shared;
    for (seed, function) in seeds.iter().zip(&functions) {
        let alone =
            format!("{}{function}int main(void)\n{{\n    return case{seed}();\n}}\n", generator::PRELUDE);
        // Lines count from the beginning of the function, or are those of what comes before all functions.
        let expected = moved(sanitizer.run(Some(*seed)), shared, start);
        let mut actual =
            moved(interpreted::run("program.c", &alone, model, interpreted::ON_THE_WAY), shared, shared);
        if matches!(actual, Outcome::Ends { .. }) && sanitizer.finds_leaks() {
            let end = interpreted::run("program.c", &alone, model, interpreted::AT_THE_END);
            actual = if matches!(end, Outcome::Ends { .. }) { actual } else { end };
        }
        *counts.entry(name(&expected)).or_default() += 1;
        if !agree(&actual, &expected) {
            differences.push(format!(
                "seed {seed} ({model:?}): the sanitizers say {expected:?}, the interpreter {actual:?} (lines count from the function)\n{function}"
            ));
        }
        start += function.lines().count() as u32;
    }
}

/// True if both say the same. A call may do several things that are undefined at once, of which each names another.
fn agree(actual: &Outcome, expected: &Outcome) -> bool {
    let is_unnamed = |kind| matches!(kind, Kind::Overlap | Kind::Other);
    match (actual, expected) {
        (Outcome::Fails(one), Outcome::Fails(other)) if is_unnamed(one.kind) || is_unnamed(other.kind) => {
            one.line == other.line
        }
        _ => actual == expected,
    }
}

/// The outcome with its line counted from the beginning of the function.
fn moved(outcome: Outcome, shared: u32, start: u32) -> Outcome {
    match outcome {
        Outcome::Fails(mut defect) => {
            defect.line = defect.line.map(|line| if line > shared { line - start + 1000 } else { line });
            Outcome::Fails(defect)
        }
        other => other,
    }
}

fn name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Ends { .. } => "ends",
        Outcome::Leaks => "leaks",
        Outcome::NotKnown(_) => "not known",
        Outcome::Fails(defect) => match defect.kind {
            Kind::Overflow => "overflow",
            Kind::Dereference => "dereference",
            Kind::Free => "free",
            Kind::Overlap => "overlap",
            Kind::Other => "other",
        },
    }
}
