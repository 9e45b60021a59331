//! What the analysis is doing right now, shared between its thread and the one that watches it.

use crate::output;
use aster_bench::units::{show_count, show_duration};
use aster_engines::{Event, Observer, Statistics};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The program is read.
    Load,
    /// The engine works.
    Explore,
    /// A counterexample is replayed.
    Replay,
}

impl Phase {
    /// What is being done, as in "while ...".
    pub fn gerund(self) -> &'static str {
        match self {
            Phase::Load => "reading the program",
            Phase::Explore => "exploring paths",
            Phase::Replay => "replaying the counterexample",
        }
    }
}

/// Time spent in each phase.
#[derive(Clone, Copy, Debug, Default)]
pub struct PhaseTimes {
    /// Reading the program.
    pub load: Duration,
    /// The engine.
    pub explore: Duration,
    /// Replaying.
    pub replay: Duration,
    /// The phase that is going on.
    pub current: Option<(Phase, Instant)>,
}

impl PhaseTimes {
    fn close(&mut self) {
        if let Some((phase, start)) = self.current.take() {
            let total = match phase {
                Phase::Load => &mut self.load,
                Phase::Explore => &mut self.explore,
                Phase::Replay => &mut self.replay,
            };
            *total += start.elapsed();
        }
    }
}

#[derive(Default)]
struct Counters {
    steps: AtomicU64,
    forks: AtomicU64,
    paths: AtomicU64,
    queries: AtomicU64,
    depth: AtomicU64,
    max_depth: AtomicU64,
    waiting: AtomicU64,
}

/// Clones share their state.
#[derive(Clone, Default)]
pub struct Activity {
    phases: Arc<Mutex<PhaseTimes>>,
    counters: Arc<Counters>,
}

impl Activity {
    /// Starts a phase and ends the one before.
    pub fn begin(&self, phase: Phase) {
        if let Ok(mut phases) = self.phases.lock() {
            phases.close();
            phases.current = Some((phase, Instant::now()));
        }
    }

    /// Ends the current phase.
    pub fn end(&self) {
        if let Ok(mut phases) = self.phases.lock() {
            phases.close();
        }
    }

    /// The phase that is going on.
    pub fn phase(&self) -> Option<Phase> {
        self.phases.lock().ok().and_then(|phases| phases.current.map(|(phase, _)| phase))
    }

    /// Time spent in each phase until now.
    pub fn times(&self) -> PhaseTimes {
        let mut times = self.phases.lock().map(|phases| *phases).unwrap_or_default();
        times.close();
        times
    }

    /// The counters as they are now.
    pub fn statistics(&self) -> Statistics {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let counters = &*self.counters;
        Statistics {
            steps: get(&counters.steps),
            forks: get(&counters.forks),
            paths: get(&counters.paths),
            queries: get(&counters.queries),
            depth: get(&counters.depth),
            max_depth: get(&counters.max_depth),
            waiting: get(&counters.waiting) as usize,
        }
    }

    fn publish(&self, statistics: &Statistics) {
        let set = |counter: &AtomicU64, value: u64| counter.store(value, Ordering::Relaxed);
        let counters = &*self.counters;
        set(&counters.steps, statistics.steps);
        set(&counters.forks, statistics.forks);
        set(&counters.paths, statistics.paths);
        set(&counters.queries, statistics.queries);
        set(&counters.depth, statistics.depth);
        set(&counters.max_depth, statistics.max_depth);
        set(&counters.waiting, statistics.waiting as u64);
    }

    /// An observer that counts here.
    pub fn observer(&self) -> Counting {
        Counting { activity: self.clone(), statistics: Statistics::default() }
    }
}

/// Counts events and lets others see the counters.
pub struct Counting {
    activity: Activity,
    statistics: Statistics,
}

impl Observer for Counting {
    fn on(&mut self, event: Event) {
        self.statistics.on(event);
        // Steps are too frequent to publish each.
        if event != Event::Step || self.statistics.steps.is_multiple_of(256) {
            self.activity.publish(&self.statistics);
        }
    }
}

impl Drop for Counting {
    fn drop(&mut self) {
        self.activity.publish(&self.statistics);
    }
}

/// A status line on standard error, redrawn a few times a second, if that is a terminal.
pub struct StatusLine {
    terminal: bool,
    drawn: Option<Instant>,
}

impl StatusLine {
    /// The status line of this process.
    pub fn new() -> Self {
        StatusLine { terminal: std::io::stderr().is_terminal(), drawn: None }
    }

    /// Draws the line if it is time to.
    pub fn draw(&mut self, elapsed: Duration, activity: &Activity) {
        let soon = self.drawn.is_some_and(|last| last.elapsed() < Duration::from_millis(200));
        if !self.terminal || soon || elapsed < Duration::from_millis(200) {
            return;
        }
        self.drawn = Some(Instant::now());
        let elapsed = show_duration(elapsed);
        let line = match activity.phase() {
            Some(Phase::Explore) => {
                let s = activity.statistics();
                format!(
                    "{elapsed}  {} paths, {} states waiting, {} queries, depth {}",
                    show_count(s.paths),
                    show_count(s.waiting as u64),
                    show_count(s.queries),
                    show_count(s.depth)
                )
            }
            Some(phase) => format!("{elapsed}  {}", phase.gerund()),
            None => elapsed,
        };
        output::note(&format!("\r\x1b[K{line}"));
    }

    /// Removes the line.
    pub fn clear(&mut self) {
        if self.drawn.take().is_some() {
            output::note("\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_seen_by_others() {
        let activity = Activity::default();
        let mut observer = activity.observer();
        observer.on(Event::Step);
        observer.on(Event::PathEnded);
        observer.on(Event::Position { depth: 7, waiting: 3 });
        observer.on(Event::Step);
        let seen = activity.statistics();
        assert_eq!((seen.steps, seen.paths, seen.depth, seen.waiting), (1, 1, 7, 3));
        drop(observer);
        assert_eq!(activity.statistics().steps, 2);
    }

    #[test]
    fn phases_follow_each_other() {
        let activity = Activity::default();
        assert_eq!(activity.phase(), None);
        activity.begin(Phase::Load);
        activity.begin(Phase::Explore);
        assert_eq!(activity.phase(), Some(Phase::Explore));
        activity.end();
        assert_eq!(activity.phase(), None);
        assert_eq!(activity.times().replay, Duration::ZERO);
    }
}
