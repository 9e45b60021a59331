//! `aster bench`: task sets and comparisons.

use crate::args::{BenchArgs, BenchCommand, Cli};
use crate::output;
use anyhow::{Context, anyhow};
use aster_bench::property::{self, Property};
use aster_bench::results::{self, Status};
use aster_bench::sets::Entry;
use aster_bench::table::Tables;
use aster_bench::variant::Variant;
use aster_bench::{collect, compare, run, sets};
use clap::Parser;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A check needs a moment to end by itself after its time limit; then it is ended by force.
const GRACE: Duration = Duration::from_secs(5);

/// Runs task sets, or compares runs.
pub fn run(arguments: BenchArgs) -> anyhow::Result<i32> {
    match &arguments.command {
        Some(BenchCommand::Compare { before, after }) => {
            let text = compare::compare(&results::read(before)?, &results::read(after)?);
            Ok(if output::print(&text) { 0 } else { 2 })
        }
        Some(BenchCommand::Table { folders, engines, out }) => show_tables(folders, engines, out.as_deref()),
        None => run_sets(arguments),
    }
}

/// The tables of runs that are done.
fn show_tables(folders: &[PathBuf], engines: &[String], out: Option<&Path>) -> anyhow::Result<i32> {
    let mut collection = collect::collect(folders)?;
    if !engines.is_empty() {
        collection.select(engines)?;
    }
    let tables = Tables::new(&collection.records, &collection.engines, &collection.notes);
    if let Some(out) = out {
        tables.store(out)?;
    }
    Ok(if output::print(tables.text()) { 0 } else { 2 })
}

fn run_sets(mut arguments: BenchArgs) -> anyhow::Result<i32> {
    let mut selection = sets::load(&arguments.sets)?;
    if let Some(name) = &arguments.property {
        keep_property(&mut selection.entries, name)?;
    }
    let confirm = "--confirm".to_owned();
    if arguments.confirm && !arguments.arguments.contains(&confirm) {
        arguments.arguments.push(confirm.clone());
    }
    let runs_programs = arguments.arguments.contains(&confirm);
    let plan = run::Plan {
        program: std::env::current_exe().context("this program's own file is not found")?,
        engines: without_repetitions(arguments.engines),
        timeout: arguments.timeout,
        clock: arguments.clock.into(),
        grace: if runs_programs { GRACE + aster_confirm::LONGEST } else { GRACE },
        memory: arguments.memory,
        jobs: arguments.jobs.map_or_else(processors, usize::from),
        arguments: arguments.arguments,
        out: arguments.out.unwrap_or_else(default_folder),
    };
    require_valid(&plan, &selection.entries)?;
    if !selection.skipped.is_empty() {
        let count = selection.skipped.len();
        output::note(&format!("{count} task definitions are left out, the first because of\n"));
        output::note(&format!("  {}\n", selection.skipped[0]));
    }
    let stop = Arc::new(AtomicBool::new(false));
    let raised = stop.clone();
    let _ = ctrlc::set_handler(move || raised.store(true, Ordering::Relaxed));
    let finished = run::run(&plan, &selection.entries, &stop)?;
    if finished.resumed > 0 {
        output::note(&format!("{} results were there already\n", finished.resumed));
    }
    output::note(&format!("results are in {}\n", plan.out.display()));
    let engines: Vec<_> = plan.engines.iter().map(Variant::to_string).collect();
    let tables = Tables::new(&finished.records, &engines, &[]).beside_published(
        &selection.entries,
        &finished.records,
        &engines,
    );
    tables.store(&plan.out)?;
    let printed = output::print(tables.text());
    if finished.interrupted {
        output::note("stopped before all tasks were done; the same command goes on from here\n");
        return Ok(130);
    }
    let bad = finished.records.iter().any(|record| matches!(record.status, Status::Wrong | Status::Crash));
    Ok(if !printed { 2 } else { i32::from(bad) })
}

/// Keeps the tasks for the property of this name.
fn keep_property(entries: &mut Vec<Entry>, name: &str) -> anyhow::Result<()> {
    let mut known: BTreeSet<&str> = BTreeSet::new();
    let is_it = |entry: &Entry| {
        let property = entry.task.property.as_deref().map_or_else(|| Ok(Property::default()), property::load);
        property.is_ok_and(|property| {
            known.insert(property.name);
            property.name == name
        })
    };
    entries.retain(is_it);
    if entries.is_empty() {
        let known: Vec<_> = known.into_iter().collect();
        return Err(anyhow!("no task is for the property {name}; there are {}", known.join(", ")));
    }
    Ok(())
}

fn without_repetitions(engines: Vec<Variant>) -> Vec<Variant> {
    let mut kept: Vec<Variant> = Vec::new();
    for engine in engines {
        if !kept.contains(&engine) {
            kept.push(engine);
        }
    }
    kept
}

/// Makes sure that no check will be refused for its options, so that a slip of the pen is not found out one task
/// at a time.
fn require_valid(plan: &run::Plan, entries: &[Entry]) -> anyhow::Result<()> {
    // Tasks differ in their options, and in whether their property and data model are given, which an option must not repeat.
    let kinds: BTreeMap<_, _> = entries
        .iter()
        .map(|entry| {
            ((entry.task.property.is_some(), entry.task.data_model.is_some(), &entry.options), entry)
        })
        .collect();
    for engine in &plan.engines {
        for entry in kinds.values() {
            let words = std::iter::once(OsString::from("aster")).chain(plan.arguments(engine, entry));
            Cli::try_parse_from(words)
                .map_err(|error| anyhow!("the engine `{engine}` cannot be run: {}", in_one_line(&error)))?;
        }
    }
    Ok(())
}

/// What clap has against the arguments, without its advice on usage.
fn in_one_line(error: &clap::Error) -> String {
    if !error.use_stderr() {
        return "its options ask for help only".to_owned();
    }
    let text = error.render().to_string();
    let first = text.split("\n\n").next().unwrap_or_default();
    let words: Vec<_> = first.split_whitespace().collect();
    words.join(" ").trim_start_matches("error: ").to_owned()
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A folder named after the time (UTC).
fn default_folder() -> PathBuf {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    PathBuf::from("results").join(timestamp(seconds))
}

/// Seconds since 1970 as `20240229-235959`.
fn timestamp(seconds: u64) -> String {
    let (mut days, time) = (seconds / 86_400, seconds % 86_400);
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in lengths {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year}{month:02}{:02}-{:02}{:02}{:02}", days + 1, time / 3600, time / 60 % 60, time % 60)
}

#[cfg(test)]
mod tests {
    use super::timestamp;

    #[test]
    fn timestamps() {
        assert_eq!(timestamp(0), "19700101-000000");
        assert_eq!(timestamp(1_709_251_199), "20240229-235959");
        assert_eq!(timestamp(1_709_251_200), "20240301-000000");
        assert_eq!(timestamp(4_102_444_799), "20991231-235959");
    }
}
