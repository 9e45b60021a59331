//! Limits of a whole run: time, memory, and the user's patience.

use aster_smt::Interrupt;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;
use std::time::Duration;

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

/// Tells an engine when to stop. Clones share their state: a watchdog thread or a signal handler calls
/// [`Budget::exhaust`], the engine asks [`Budget::exhausted`] often and the solver watches
/// [`Budget::interrupt`].
#[derive(Clone, Debug, Default)]
pub struct Budget {
    interrupt: Interrupt,
    limit: Arc<AtomicU8>,
    /// Of the budget that this one is a part of.
    whole: Option<Arc<AtomicU8>>,
}

impl Budget {
    /// A budget that lasts until somebody ends it.
    pub fn new() -> Self {
        Self::default()
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
        let part = Budget {
            interrupt: self.interrupt.clone(),
            limit: Arc::default(),
            whole: Some(Arc::clone(&self.limit)),
        };
        let limit = Arc::clone(&part.limit);
        // If no thread can be had, the part lasts as long as the whole.
        let _ = thread::Builder::new().name("part of a budget".to_owned()).spawn(move || {
            thread::sleep(time);
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
        while short.exhausted().is_none() {
            thread::yield_now();
        }
        assert_eq!((short.exhausted(), long.exhausted(), whole.exhausted()), (Some(Limit::Time), None, None));
        whole.exhaust(Limit::User);
        assert_eq!(long.exhausted(), Some(Limit::User));
        assert!(long.interrupt().is_raised());
    }
}
