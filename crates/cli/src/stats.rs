//! The table that `--stats` prints.

use aster_bench::report::Report;
use aster_bench::units::{show_count, show_duration, show_size};
use std::fmt::Write;
use std::time::Duration;

/// Who answered the queries and the independent parts that they were split into.
const ANSWERS: [(&str, &str); 4] = [
    ("solver_model_hits", "answered by a recent model"),
    ("solver_cache_hits", "answered by the cache"),
    ("solver_range_hits", "decided by ranges"),
    ("solver_solved", "solved"),
];

/// The statistics of a run for people.
pub fn table(report: &Report) -> String {
    let mut out = String::new();
    let seconds = |seconds: f64| show_duration(Duration::try_from_secs_f64(seconds).unwrap_or_default());
    let mut line = |name: &str, value: String, note: String| {
        let text = format!("{name:<30} {value:>14}  {note}");
        let _ = writeln!(out, "{}", text.trim_end());
    };
    let empty = String::new;
    line("time", seconds(report.time.total), empty());
    line("  reading the program", seconds(report.time.load), empty());
    line("  exploring", seconds(report.time.explore), empty());
    if let Some(solve) = report.time.solve {
        let share = 100.0 * solve / report.time.explore.max(1e-9);
        line("    in the solver", seconds(solve), format!("{share:.0} %"));
    }
    if let Some(interpolate) = report.time.interpolate {
        let share = 100.0 * interpolate / report.time.explore.max(1e-9);
        line("    looking for predicates", seconds(interpolate), format!("{share:.0} %"));
    }
    if report.time.replay > 0.0 {
        line("  replaying", seconds(report.time.replay), empty());
    }
    line("CPU time", seconds(report.time.cpu), empty());
    let limit = report.memory.limit.map_or_else(empty, |limit| format!("limit {}", show_size(limit)));
    line("memory, peak", show_size(report.memory.peak), limit);
    for (name, value) in report.statistics.iter().filter(|(name, _)| !name.starts_with("solver_")) {
        line(&name.replace('_', " "), show_count(*value), empty());
    }
    let counter = |name: &str| report.statistics.get(name).copied().unwrap_or(0);
    if report.statistics.contains_key("solver_checks") {
        let share = |part: u64, whole: u64| format!("{:.0} %", 100.0 * part as f64 / whole.max(1) as f64);
        let (checks, sliced) = (counter("solver_checks"), counter("solver_sliced"));
        line("solver checks", show_count(checks), empty());
        line("  split into parts", show_count(sliced), share(sliced, checks));
        let answers = ANSWERS.iter().map(|(name, _)| counter(name)).sum();
        for (name, words) in ANSWERS {
            line(&format!("  {words}"), show_count(counter(name)), share(counter(name), answers));
        }
    }
    for (name, value) in report.statistics.iter().filter(|(name, _)| name.starts_with("solver_")) {
        let shown = name == "solver_checks" || name == "solver_sliced";
        if !shown && !ANSWERS.iter().any(|(answer, _)| answer == name) {
            line(&name.replacen("solver_", "", 1).replace('_', " "), show_count(*value), empty());
        }
    }
    out
}
