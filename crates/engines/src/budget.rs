//! Limits of a whole run: time, memory, and the user's patience.

use aster_smt::Interrupt;
use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// A limit that ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// The user asked to stop.
    User,
}

impl Limit {
    /// The short form for the verdict line.
    pub fn keyword(self) -> &'static str {
        match self {
            Limit::Time => "timeout",
            Limit::Memory => "memory",
            Limit::User => "interrupted",
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Time => "the time limit was reached",
            Limit::Memory => "the memory limit was reached",
            Limit::User => "interrupted by the user",
        })
    }
}

/// Tells the time since some moment.
pub type Clock = fn() -> Duration;

/// The time that passes.
fn wall_clock() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// Between two looks at a clock that may stand still.
const SHORTEST_SLEEP: Duration = Duration::from_millis(2);

/// Tells an engine when to stop. Clones share their state: a watchdog thread or a signal handler calls
/// [`Budget::exhaust`], the engine asks [`Budget::exhausted`] often and the solver watches
/// [`Budget::interrupt`].
#[derive(Clone, Debug)]
pub struct Budget {
    clock: Clock,
    interrupt: Interrupt,
    limit: Arc<AtomicU8>,
    /// Of the budget that this one is a part of.
    whole: Option<Arc<AtomicU8>>,
}

impl Default for Budget {
    fn default() -> Self {
        Self::new()
    }
}

impl Budget {
    /// A budget that lasts until somebody ends it; its parts count the time that passes.
    pub fn new() -> Self {
        Self::with_clock(wall_clock)
    }

    /// A budget that lasts until somebody ends it; its parts count the time on this clock.
    pub fn with_clock(clock: Clock) -> Self {
        Budget { clock, interrupt: Interrupt::default(), limit: Arc::default(), whole: None }
    }

    /// The time on the budget's clock.
    pub fn now(&self) -> Duration {
        (self.clock)()
    }

    /// Ends the run; the first limit that is reported wins.
    pub fn exhaust(&self, limit: Limit) {
        let code = match limit {
            Limit::Time => 1,
            Limit::Memory => 2,
            Limit::User => 3,
        };
        let _ = self.limit.compare_exchange(0, code, Ordering::SeqCst, Ordering::SeqCst);
        self.interrupt.raise();
    }

    /// A part of this budget that also ends after some time. Running solvers are interrupted only by the end of the
    /// whole; whoever uses the part limits their queries.
    pub fn part(&self, time: Duration) -> Budget {
        let clock = self.clock;
        let part = Budget {
            clock,
            interrupt: self.interrupt.clone(),
            limit: Arc::default(),
            whole: Some(Arc::clone(&self.limit)),
        };
        let limit = Arc::clone(&part.limit);
        let end = clock() + time;
        // If no thread can be had, the part lasts as long as the whole.
        let _ = thread::Builder::new().name("part of a budget".to_owned()).spawn(move || {
            // A clock that stands still meanwhile (CPU time of a process that waits) is asked again.
            while let Some(left) = end.checked_sub(clock()).filter(|left| !left.is_zero()) {
                thread::sleep(left.max(SHORTEST_SLEEP));
            }
            let _ = limit.compare_exchange(0, 1, Ordering::SeqCst, Ordering::SeqCst);
        });
        part
    }

    /// The limit that ended the run, if one did.
    pub fn exhausted(&self) -> Option<Limit> {
        let whole = self.whole.as_ref().map_or(0, |limit| limit.load(Ordering::Relaxed));
        let code = if whole == 0 { self.limit.load(Ordering::Relaxed) } else { whole };
        match code {
            1 => Some(Limit::Time),
            2 => Some(Limit::Memory),
            3 => Some(Limit::User),
            _ => None,
        }
    }

    /// The flag that interrupts solvers when the budget ends.
    pub fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_ends_with_the_whole_but_not_the_other_way_round() {
        let whole = Budget::new();
        let (long, short) = (whole.part(Duration::from_secs(1000)), whole.part(Duration::ZERO));
        let standing_still = Budget::with_clock(|| Duration::ZERO).part(Duration::from_millis(1));
        while short.exhausted().is_none() {
            thread::yield_now();
        }
        assert_eq!((short.exhausted(), long.exhausted(), whole.exhausted()), (Some(Limit::Time), None, None));
        assert_eq!(standing_still.exhausted(), None);
        whole.exhaust(Limit::User);
        assert_eq!(long.exhausted(), Some(Limit::User));
        assert!(long.interrupt().is_raised());
    }
}
