//! One check in a process of its own, with limits that it cannot evade.

use crate::os::{self, Clock, Exit};
use crate::report::Report;
use crate::results::{Record, Status};
use crate::run::Plan;
use crate::sets::Entry;
use crate::variant::Variant;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const POLL: Duration = Duration::from_millis(20);
/// How many times its limit of CPU time a process may take in all.
const WAITING: u32 = 20;
/// Output beyond this is dropped: no report is that long.
const OUTPUT_LIMIT: u64 = 256 << 20;

/// What a process left behind.
struct Finished {
    exit: Exit,
    wall: Duration,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    /// The keyword of the limit that it was ended for.
    killed: Option<&'static str>,
}

/// Checks one task with one engine. `None` if the run was stopped meanwhile.
pub(crate) fn check(plan: &Plan, entry: &Entry, engine: &Variant, stop: &AtomicBool) -> Option<Record> {
    let mut command = Command::new(&plan.program);
    command.args(plan.arguments(engine, entry));
    let mut record = Record {
        engine: engine.name().to_owned(),
        family: entry.family.clone(),
        task: entry.name.clone(),
        input: entry.task.input.display().to_string(),
        expected: entry.task.expected,
        status: Status::Crash,
        verdict: String::new(),
        keyword: String::new(),
        detail: String::new(),
        position: String::new(),
        exit_code: None,
        signal: None,
        wall: 0.0,
        cpu: 0.0,
        memory: 0,
        refinements: None,
        interpolation: None,
        iterations: None,
        predicates: None,
        queries: None,
        symbolic_states: None,
        abstract_states: None,
        confirmed: None,
        unconfirmed: String::new(),
    };
    match run(command, plan, stop) {
        Ok(finished) => rate(&mut record, &finished?),
        Err(error) => record.detail = format!("the process could not be run: {error}"),
    }
    Some(record)
}

/// Runs a command in a process group of its own until it ends or has to be ended.
fn run(mut command: Command, plan: &Plan, stop: &AtomicBool) -> std::io::Result<Option<Finished>> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let start = Instant::now();
    let mut child = command.spawn()?;
    let pid = child.id();
    let stdout = collect(child.stdout.take());
    let stderr = collect(child.stderr.take());
    let mut killed = None;
    let mut stopped = false;
    while !os::has_ended(pid) {
        if stop.load(Ordering::Relaxed) {
            stopped = true;
        } else if is_late(plan, pid, start) {
            killed = Some("timeout, killed");
        } else if plan.memory > 0
            && os::resident_memory(Some(pid)).is_some_and(|held| held > hard_limit(plan.memory))
        {
            killed = Some("memory, killed");
        }
        if stopped || killed.is_some() {
            break;
        }
        thread::sleep(POLL);
    }
    let wall = start.elapsed();
    // Solver processes that the child left behind go with it; its id is reserved until it is reaped.
    os::kill_group(pid);
    let exit = loop {
        match os::try_wait(pid)? {
            Some(exit) => break exit,
            None => thread::sleep(Duration::from_millis(1)),
        }
    };
    let stdout = stdout.join().unwrap_or_default();
    let stderr = stderr.join().unwrap_or_default();
    Ok((!stopped).then_some(Finished { exit, wall, stdout, stderr, killed }))
}

/// True if a process has overrun its time limit, which it keeps itself, by far.
fn is_late(plan: &Plan, pid: u32, start: Instant) -> bool {
    let (wall, limit) = (start.elapsed(), plan.timeout + plan.grace);
    if plan.timeout.is_zero() || wall <= limit {
        return false;
    }
    match plan.clock {
        Clock::Wall => true,
        // A process that only waits uses no CPU time, and yet it has to end some day.
        Clock::Cpu => wall > limit * WAITING || os::cpu_time_of(pid).is_none_or(|cpu| cpu > limit),
    }
}

/// The memory beyond which a process is ended by force: more than its own limit, which it checks itself.
fn hard_limit(memory: u64) -> u64 {
    memory.saturating_add(memory / 4).saturating_add(256 << 20)
}

fn collect(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.by_ref().take(OUTPUT_LIMIT).read_to_end(&mut bytes);
            let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        }
        bytes
    })
}

/// Fills in what came out.
fn rate(record: &mut Record, finished: &Finished) {
    record.exit_code = finished.exit.code;
    record.signal = finished.exit.signal;
    record.wall = finished.wall.as_secs_f64();
    record.cpu = finished.exit.cpu.as_secs_f64();
    record.memory = finished.exit.peak_memory;
    if let Some(keyword) = finished.killed {
        record.status = Status::Unknown;
        record.keyword = keyword.to_owned();
        record.verdict = format!("UNKNOWN({keyword})");
        return;
    }
    let message = String::from_utf8_lossy(&finished.stderr);
    if finished.exit.code == Some(2) {
        record.status = Status::Error;
        record.detail = message.lines().next().unwrap_or_default().to_owned();
        return;
    }
    let report = match serde_json::from_slice::<Report>(&finished.stdout) {
        Ok(report) if Some(exit_code(&report.verdict)) == finished.exit.code => report,
        other => {
            let what = match (finished.exit.signal, finished.exit.code, other) {
                (Some(signal), _, _) => format!("ended by signal {signal}"),
                (None, Some(code), Ok(report)) => {
                    format!("exit code {code} with the verdict {}", report.verdict)
                }
                (None, Some(0 | 10 | 20), Err(error)) => {
                    format!("not a report: {error}")
                }
                (None, code, _) => format!("exit code {}", code.unwrap_or(-1)),
            };
            let last = message.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
            record.status = Status::Crash;
            record.detail = if last.is_empty() { what } else { format!("{what}: {last}") };
            return;
        }
    };
    let decided = match report.verdict.as_str() {
        "TRUE" => Some(true),
        verdict if verdict.starts_with("FALSE") => Some(false),
        _ => None,
    };
    record.status = match (decided, record.expected) {
        (None, _) => Status::Unknown,
        (Some(_), None) => Status::Unrated,
        (Some(verdict), Some(expected)) if verdict == expected => Status::Correct,
        _ => Status::Wrong,
    };
    count(record, &report);
    if let Some(confirmed) = &report.confirmed {
        record.confirmed = Some(confirmed.outcome);
        record.unconfirmed = confirmed.reason.clone().unwrap_or_default();
    }
    record.verdict = report.verdict;
    if let Some(reason) = report.reason {
        record.keyword = reason.keyword;
        record.detail = reason.construct.unwrap_or(reason.message);
        if let Some(position) = reason.position {
            record.position = format!("{}:{}:{}", position.file, position.line, position.column);
        }
    }
}

/// Fills in what the engines counted. Where one of several analysed the program as a transition system, its numbers count.
fn count(record: &mut Record, report: &Report) {
    let counter = |name: &str| report.statistics.get(name).copied();
    record.refinements = counter("refinements");
    record.interpolation = report.time.interpolate;
    let has_abstracted = counter("abstractions").is_some_and(|count| count > 0);
    let refined = |count: Option<u64>| count.filter(|_| has_abstracted);
    record.iterations = counter("ase_iterations").or(refined(record.refinements).map(|count| count + 1));
    record.predicates = counter("ase_predicates").or(refined(counter("predicates")));
    record.queries = counter("ase_queries").or(counter("solver_checks"));
    record.symbolic_states = counter("ase_symbolic_states");
    record.abstract_states = counter("ase_abstract_states");
}

/// The exit code that belongs to a verdict line.
fn exit_code(verdict: &str) -> i32 {
    match verdict {
        "TRUE" => 0,
        verdict if verdict.starts_with("FALSE(") => 10,
        _ => 20,
    }
}
