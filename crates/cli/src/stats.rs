//! The table that `--stats` prints.

use aster_bench::report::Report;
use aster_bench::units::{show_count, show_duration, show_size};
use std::fmt::Write;
use std::time::Duration;

/// Counters of the solver that are shares of its checks.
const SHARES: [(&str, &str); 4] = [
    ("solver_model_hits", "answered by a recent model"),
    ("solver_sliced", "split into independent parts"),
    ("solver_cache_hits", "answered by the cache"),
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
    if report.time.replay > 0.0 {
        line("  replaying", seconds(report.time.replay), empty());
    }
    line("CPU time", seconds(report.time.cpu), empty());
    let limit = report.memory.limit.map_or_else(empty, |limit| format!("limit {}", show_size(limit)));
    line("memory, peak", show_size(report.memory.peak), limit);
    for (name, value) in report.statistics.iter().filter(|(name, _)| !name.starts_with("solver_")) {
        line(&name.replace('_', " "), show_count(*value), empty());
    }
    if let Some(&checks) = report.statistics.get("solver_checks") {
        line("solver checks", show_count(checks), empty());
        for (name, words) in SHARES {
            let value = report.statistics.get(name).copied().unwrap_or(0);
            let share = 100.0 * value as f64 / checks.max(1) as f64;
            line(&format!("  {words}"), show_count(value), format!("{share:.0} %"));
        }
    }
    for (name, value) in report.statistics.iter().filter(|(name, _)| name.starts_with("solver_")) {
        if name != "solver_checks" && !SHARES.iter().any(|(share, _)| share == name) {
            line(&name.replacen("solver_", "", 1).replace('_', " "), show_count(*value), empty());
        }
    }
    out
}
