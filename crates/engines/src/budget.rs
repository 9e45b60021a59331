//! Limits of a whole run: time, memory, and the user's patience.

use aster_smt::Interrupt;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

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

    /// The limit that ended the run, if one did.
    pub fn exhausted(&self) -> Option<Limit> {
        match self.limit.load(Ordering::Relaxed) {
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
