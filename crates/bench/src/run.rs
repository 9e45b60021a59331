//! Running engines over task sets.

use crate::child;
use crate::os::Clock;
use crate::progress::Progress;
use crate::results::{Folder, Record, ResultsError, Settings, identify};
use crate::sets::Entry;
use crate::variant::Variant;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// How tasks are run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The `aster` executable.
    pub program: PathBuf,
    /// Engines with their options, each on all tasks.
    pub engines: Vec<Variant>,
    /// Time limit of a task; zero for none.
    pub timeout: Duration,
    /// What the time limit counts.
    pub clock: Clock,
    /// How long after its own time limit a process is ended by force.
    pub grace: Duration,
    /// Memory limit of a task in bytes; zero for none.
    pub memory: u64,
    /// Tasks at a time.
    pub jobs: usize,
    /// Further arguments for each check.
    pub arguments: Vec<String>,
    /// The folder of the results.
    pub out: PathBuf,
}

impl Plan {
    /// The arguments of the executable for one task with one engine.
    pub fn arguments(&self, engine: &Variant, entry: &Entry) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = vec!["check".into(), "--json".into()];
        arguments.extend(engine.arguments().map(OsString::from));
        arguments.extend(["--timeout".into(), format!("{}ms", self.timeout.as_millis()).into()]);
        arguments.extend(["--clock".into(), self.clock.name().into()]);
        arguments.extend(["--memory".into(), format!("{}B", self.memory).into()]);
        if let Some(property) = &entry.task.property {
            arguments.extend(["--property".into(), property.into()]);
        }
        if let Some(model) = entry.task.data_model {
            arguments.extend(["--data-model".into(), model.to_string().into()]);
        }
        arguments.extend(entry.options.iter().chain(&self.arguments).map(OsString::from));
        arguments.extend(["--".into(), entry.task.input.clone().into()]);
        arguments
    }
}

/// How a run ended.
#[derive(Debug)]
pub struct Finished {
    /// Results of all tasks that were asked for, as far as they are there.
    pub records: Vec<Record>,
    /// Tasks that an earlier run had finished.
    pub resumed: usize,
    /// True if it was stopped before all tasks were done.
    pub interrupted: bool,
}

/// Runs all engines on all tasks, except for those whose result is in the folder already. Raising
/// `stop` ends it: tasks that are running are dropped, what is finished is kept.
pub fn run(plan: &Plan, entries: &[Entry], stop: &AtomicBool) -> Result<Finished, ResultsError> {
    let settings = Settings {
        timeout: plan.timeout.as_secs_f64(),
        clock: plan.clock,
        memory: plan.memory,
        arguments: plan.arguments.clone(),
        program: identify(&plan.program)?,
    };
    let mut folder = Folder::open(&plan.out, &settings)?;
    let key = |record: &Record| (record.engine.clone(), record.family.clone(), record.task.clone());
    let done: BTreeSet<_> = folder.records().iter().map(key).collect();
    let all = |engine: &Variant, entry: &Entry| {
        (engine.name().to_owned(), entry.family.clone(), entry.name.clone())
    };
    let mut wanted = BTreeSet::new();
    let mut open = Vec::new();
    for engine in &plan.engines {
        for entry in entries {
            if wanted.insert(all(engine, entry)) && !done.contains(&all(engine, entry)) {
                open.push((engine, entry));
            }
        }
    }
    let resumed = wanted.len() - open.len();
    let failure = run_open(plan, &open, &mut folder, stop);
    folder.finish()?;
    failure?;
    let records: Vec<_> =
        folder.records().iter().filter(|record| wanted.contains(&key(record))).cloned().collect();
    let interrupted = records.len() < wanted.len();
    Ok(Finished { records, resumed, interrupted })
}

fn run_open(
    plan: &Plan,
    open: &[(&Variant, &Entry)],
    folder: &mut Folder,
    stop: &AtomicBool,
) -> Result<(), ResultsError> {
    let jobs = plan.jobs.clamp(1, open.len().max(1));
    let mut progress = Progress::new(open.len(), jobs);
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs {
            let sender = sender.clone();
            let next = &next;
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let Some((engine, entry)) = open.get(next.fetch_add(1, Ordering::Relaxed)) else {
                        return;
                    };
                    let Some(record) = child::check(plan, entry, engine, stop) else { return };
                    if sender.send(record).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut failure = Ok(());
        loop {
            match receiver.recv_timeout(Duration::from_millis(200)) {
                Ok(record) => {
                    progress.finished(&record);
                    if failure.is_ok() {
                        failure = folder.add(record);
                        if failure.is_err() {
                            stop.store(true, Ordering::Relaxed);
                        }
                    }
                }
                Err(mpsc::RecvTimeoutError::Timeout) => progress.draw(),
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
        }
        progress.end();
        failure
    })
}
