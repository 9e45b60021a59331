//! Limits of a run, and waiting for it no longer than they allow.

use crate::progress::{Activity, StatusLine};
use aster_bench::os::{self, Clock};
use aster_engines::{Budget, Limit};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// When the run started.
    pub start: Instant,
    /// Time on the clock.
    pub time: Option<Duration>,
    /// What the time limit counts.
    pub clock: Clock,
    /// Resident memory in bytes.
    pub memory: Option<u64>,
}

impl Limits {
    /// Limits as they are given on the command line: no time means no limit, no memory most of what there is.
    pub fn new(start: Instant, time: Duration, clock: Clock, memory: Option<u64>) -> anyhow::Result<Self> {
        let time = (!time.is_zero()).then_some(time);
        let measurable = os::resident_memory(None).is_some();
        let memory = match memory {
            Some(0) => None,
            Some(_) if !measurable => {
                anyhow::bail!("memory limits are not available on this system (no /proc)")
            }
            Some(limit) => Some(limit),
            None => os::total_memory().map(|total| total / 10 * 8),
        };
        Ok(Limits { start, time, clock, memory })
    }

    /// A budget on the clock of these limits.
    pub fn budget(&self) -> Budget {
        match self.clock {
            Clock::Wall => Budget::new(),
            Clock::Cpu => Budget::with_clock(os::own_cpu_time),
        }
    }
}

/// How waiting ended.
pub enum Waited<T> {
    /// The work is done.
    Done(T),
    /// A limit was reached and the work did not end in time after that.
    CutOff(Limit),
    /// The worker ended without a result.
    Lost,
}

/// Only the pages that are touched cost memory.
const STACK: usize = 1 << 30;
const SMALL_STACK: usize = 64 << 20;

const POLL: Duration = Duration::from_millis(20);

/// A run may take a tenth longer than its time limit, or a second; what is left after the grace is for saying so.
const SHORTEST_GRACE: Duration = Duration::from_millis(800);
const LONGEST_GRACE: Duration = Duration::from_secs(2);

/// How long the work may take to end after a limit was reached. Memory does not wait.
fn grace(limit: Limit, time: Option<Duration>) -> Duration {
    match limit {
        Limit::Time => (time.unwrap_or_default() / 12).clamp(SHORTEST_GRACE, LONGEST_GRACE),
        Limit::User => LONGEST_GRACE,
        Limit::Memory => Duration::from_millis(500),
    }
}

/// Starts work on a thread of its own, with a large stack. If it panics, the channel is closed without a result.
pub fn spawn<T: Send + 'static>(work: impl Fn() -> T + Send + Sync + 'static) -> anyhow::Result<Receiver<T>> {
    let (sender, receiver) = mpsc::channel();
    let work = Arc::new(work);
    let mut last = None;
    for stack in [STACK, SMALL_STACK] {
        let (work, sender) = (work.clone(), sender.clone());
        let body = move || {
            if let Ok(result) = catch_unwind(AssertUnwindSafe(|| work())) {
                let _ = sender.send(result);
            }
        };
        match thread::Builder::new().name("analysis".to_owned()).stack_size(stack).spawn(body) {
            Ok(_) => return Ok(receiver),
            Err(error) => last = Some(error),
        }
    }
    Err(anyhow::anyhow!(
        "cannot start a thread: {}",
        last.map_or_else(String::new, |error| error.to_string())
    ))
}

/// Does work within the limits that needs no engine, and has no status to show.
pub fn within<T: Send + 'static>(
    limits: &Limits,
    budget: &Budget,
    work: impl Fn() -> T + Send + Sync + 'static,
) -> anyhow::Result<Waited<T>> {
    let receiver = spawn(work)?;
    Ok(wait(&receiver, limits, budget, &Activity::default(), &mut StatusLine::new()))
}

/// Waits for the result, watches the limits meanwhile and keeps the status line.
pub fn wait<T>(
    result: &Receiver<T>,
    limits: &Limits,
    budget: &Budget,
    activity: &Activity,
    status: &mut StatusLine,
) -> Waited<T> {
    let mut stopped: Option<Instant> = None;
    loop {
        match result.recv_timeout(POLL) {
            Ok(value) => return Waited::Done(value),
            Err(RecvTimeoutError::Disconnected) => return Waited::Lost,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if limits.time.is_some_and(|time| limits.clock.elapsed(limits.start) >= time) {
            budget.exhaust(Limit::Time);
        }
        let mut far_beyond = false;
        if let (Some(limit), Some(held)) = (limits.memory, os::resident_memory(None))
            && held > limit
        {
            budget.exhaust(Limit::Memory);
            far_beyond = held > limit.saturating_add(limit / 4).saturating_add(64 << 20);
        }
        if let Some(limit) = budget.exhausted() {
            let since = *stopped.get_or_insert_with(Instant::now);
            if since.elapsed() >= grace(limit, limits.time) || far_beyond {
                return Waited::CutOff(limit);
            }
        }
        status.draw(limits.start.elapsed(), activity);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(time: Option<Duration>, memory: Option<u64>) -> Limits {
        Limits { start: Instant::now(), time, clock: Clock::Wall, memory }
    }

    fn wait_for(receiver: &Receiver<u8>, limits: &Limits, budget: &Budget) -> Waited<u8> {
        wait(receiver, limits, budget, &Activity::default(), &mut StatusLine::new())
    }

    #[test]
    fn results_and_their_absence() {
        let (sender, receiver) = mpsc::channel();
        assert!(sender.send(7).is_ok());
        assert!(matches!(wait_for(&receiver, &limits(None, None), &Budget::new()), Waited::Done(7)));
        drop(sender);
        assert!(matches!(wait_for(&receiver, &limits(None, None), &Budget::new()), Waited::Lost));
    }

    #[test]
    fn work_that_does_not_end_is_cut_off() {
        let (_sender, receiver) = mpsc::channel();
        let budget = Budget::new();
        let waited = wait_for(&receiver, &limits(Some(Duration::ZERO), None), &budget);
        assert!(matches!(waited, Waited::CutOff(Limit::Time)));
        assert_eq!(budget.exhausted(), Some(Limit::Time));
        assert!(budget.interrupt().is_raised());
        if os::resident_memory(None).is_some() {
            let waited = wait_for(&receiver, &limits(None, Some(1)), &Budget::new());
            assert!(matches!(waited, Waited::CutOff(Limit::Memory)));
        }
    }

    #[test]
    fn work_that_ends_after_a_limit_is_kept() {
        let (sender, receiver) = mpsc::channel();
        let budget = Budget::new();
        let watched = budget.clone();
        let worker = std::thread::spawn(move || {
            while watched.exhausted().is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
            let _ = sender.send(1);
        });
        let waited = wait_for(&receiver, &limits(Some(Duration::from_millis(30)), None), &budget);
        assert!(matches!(waited, Waited::Done(1)));
        assert!(worker.join().is_ok());
    }
}
