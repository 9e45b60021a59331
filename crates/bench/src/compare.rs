//! What changed from one run to another.

use crate::results::{Record, Status};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Compares two runs task by task. If each holds one engine, these two are compared, whatever their
/// names; otherwise each engine with itself.
pub fn compare(before: &[Record], after: &[Record]) -> String {
    let (engines_before, engines_after) = (engines(before), engines(after));
    let mut out = String::new();
    if let ([a], [b]) = (engines_before.as_slice(), engines_after.as_slice()) {
        let title = if a == b { a.clone() } else { format!("{a} and {b}") };
        block(&mut out, &title, &of_engine(before, a), &of_engine(after, b));
        return out;
    }
    for engine in engines_before.iter().filter(|engine| engines_after.contains(engine)) {
        block(&mut out, engine, &of_engine(before, engine), &of_engine(after, engine));
    }
    for (list, other, name) in
        [(&engines_before, &engines_after, "first"), (&engines_after, &engines_before, "second")]
    {
        for engine in list.iter().filter(|engine| !other.contains(engine)) {
            let _ = writeln!(out, "The engine {engine} is only in the {name} run.");
        }
    }
    out
}

fn engines(records: &[Record]) -> Vec<String> {
    let mut names: Vec<_> = records.iter().map(|record| record.engine.clone()).collect();
    names.sort();
    names.dedup();
    names
}

type ByTask<'a> = BTreeMap<(&'a str, &'a str), &'a Record>;

fn of_engine<'a>(records: &'a [Record], engine: &str) -> ByTask<'a> {
    let own = records.iter().filter(|record| record.engine == engine);
    own.map(|record| ((record.family.as_str(), record.task.as_str()), record)).collect()
}

fn block(out: &mut String, title: &str, before: &ByTask<'_>, after: &ByTask<'_>) {
    let common: Vec<_> = before.iter().filter_map(|(key, a)| after.get(key).map(|b| (*a, *b))).collect();
    let correct = |record: &Record| record.is_correct();
    let solved: Vec<_> = common.iter().filter(|(a, b)| !correct(a) && correct(b)).collect();
    let lost: Vec<_> = common.iter().filter(|(a, b)| correct(a) && !correct(b)).collect();
    let changed: Vec<_> =
        common.iter().filter(|(a, b)| !correct(a) && !correct(b) && show(a) != show(b)).collect();
    let both: Vec<_> = common.iter().filter(|(a, b)| correct(a) && correct(b)).collect();
    let _ = writeln!(out, "## {title}\n");
    let right = |records: &ByTask<'_>| records.values().filter(|record| record.is_correct()).count();
    let wrong =
        |records: &ByTask<'_>| records.values().filter(|record| record.status == Status::Wrong).count();
    let _ = writeln!(
        out,
        "{} tasks in both; right: {} before, {} after; wrong: {} before, {} after",
        common.len(),
        right(before),
        right(after),
        wrong(before),
        wrong(after)
    );
    for (count, name) in [(before.len() - common.len(), "first"), (after.len() - common.len(), "second")] {
        if count > 0 {
            let _ = writeln!(out, "{count} tasks only in the {name} run");
        }
    }
    if !both.is_empty() {
        let sum = |pick: &dyn Fn(&(&Record, &Record)) -> f64| both.iter().map(|pair| pick(pair)).sum::<f64>();
        let (a, b) = (sum(&|pair| pair.0.cpu), sum(&|pair| pair.1.cpu));
        // Below a hundredth of a second a ratio says nothing.
        let log = sum(&|(a, b)| (b.cpu.max(0.01) / a.cpu.max(0.01)).ln());
        let mean = (log / both.len() as f64).exp();
        let _ = writeln!(
            out,
            "CPU time of the {} tasks that both solve: {a:.1} s before, {b:.1} s after (ratio {:.2}; geometric mean of the ratios {mean:.2})",
            both.len(),
            b.max(0.01) / a.max(0.01)
        );
    }
    for (title, list) in [("Newly solved", &solved), ("Lost", &lost), ("Other changes", &changed)] {
        if list.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n{title} ({}):\n", list.len());
        for (a, b) in list {
            let _ = writeln!(
                out,
                "- {}/{}: {} -> {} ({:.1} s -> {:.1} s)",
                a.family,
                a.task,
                show(a),
                show(b),
                a.cpu,
                b.cpu
            );
        }
    }
    if solved.is_empty() && lost.is_empty() && changed.is_empty() {
        let _ = writeln!(out, "No verdict changed.");
    }
    out.push('\n');
}

/// The verdict, or what stands for it.
fn show(record: &Record) -> String {
    match record.status {
        Status::Crash => "crash".to_owned(),
        Status::Error => "error".to_owned(),
        Status::Wrong => format!("{} (wrong)", record.verdict),
        _ => record.verdict.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::record;

    #[test]
    fn changes_are_listed() {
        let before = [
            record("x", "a", Status::Correct, true, 2.0),
            record("x", "b", Status::Unknown, true, 20.0),
            record("x", "c", Status::Correct, false, 1.0),
            record("x", "d", Status::Crash, false, 1.0),
            record("x", "gone", Status::Correct, false, 1.0),
        ];
        let after = [
            record("x", "a", Status::Correct, true, 1.0),
            record("x", "b", Status::Correct, true, 5.0),
            record("x", "c", Status::Unknown, false, 20.0),
            record("x", "d", Status::Wrong, false, 1.0),
        ];
        let text = compare(&before, &after);
        for line in [
            "4 tasks in both; right: 3 before, 2 after; wrong: 0 before, 1 after",
            "1 tasks only in the first run",
            "ratio 0.50; geometric mean of the ratios 0.50",
            "- Loops/b: UNKNOWN(timeout) -> TRUE (20.0 s -> 5.0 s)",
            "- Loops/c: FALSE(unreach-call) -> UNKNOWN(timeout)",
            "- Loops/d: crash -> TRUE (wrong)",
        ] {
            assert!(text.contains(line), "{line} is not in\n{text}");
        }
        assert!(compare(&before, &before).contains("No verdict changed."));
    }

    #[test]
    fn engines_are_paired() {
        let a = [record("x", "a", Status::Unknown, true, 2.0)];
        let b = [record("y", "a", Status::Correct, true, 2.0)];
        assert!(compare(&a, &b).contains("## x and y"));
        let both = [a[0].clone(), b[0].clone()];
        let text = compare(&both, &a);
        assert!(text.contains("## x\n") && text.contains("The engine y is only in the first run."), "{text}");
    }
}
