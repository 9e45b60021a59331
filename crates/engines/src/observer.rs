//! Events that engines report while they work.

use aster_cfa::Edge;
use std::time::{Duration, Instant};

/// Something that happened during an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// This many operations were executed on symbolic states since the last such event.
    Steps(u32),
    /// A state was split in two.
    Fork,
    /// A path came to its end (program end, infeasible assumption, undefined behaviour).
    PathEnded,
    /// A query was given to the solver.
    Query,
    /// A state was abstracted.
    Abstraction,
    /// The search for predicates begins.
    InterpolationBegins,
    /// The search for predicates is over.
    InterpolationEnds,
    /// The precision was refined.
    Refinement {
        /// Predicates at all locations together.
        predicates: usize,
        /// Predicates at the location that has most.
        most: usize,
        /// The highest threshold.
        threshold: u32,
    },
    /// A path does something that the source language leaves undefined, and ends there. Told once for each
    /// edge, and only where an error or an unmodelled construct could have followed.
    Undefined(Edge),
    /// The exploration works on a state at this depth (branches taken) with this many states waiting.
    Position {
        /// Branches taken on the current path.
        depth: u64,
        /// States waiting.
        waiting: usize,
    },
}

/// Receives events.
pub trait Observer {
    /// Called for each event, from the engine's thread; must be quick.
    fn on(&mut self, event: Event);

    /// Something for people who want to see what the engine thinks; made only if somebody does.
    fn note(&mut self, _message: &mut dyn FnMut() -> String) {}
}

/// Ignores all events.
pub struct Silent;

impl Observer for Silent {
    fn on(&mut self, _: Event) {}
}

/// Counts events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Operations executed.
    pub steps: u64,
    /// States split.
    pub forks: u64,
    /// Paths ended.
    pub paths: u64,
    /// Solver queries.
    pub queries: u64,
    /// States abstracted.
    pub abstractions: u64,
    /// Refinements of the abstraction.
    pub refinements: u64,
    /// Predicates of the abstraction.
    pub predicates: u64,
    /// Predicates at the location that has most.
    pub predicates_at_one_location: u64,
    /// The highest threshold of a location.
    pub threshold: u64,
    /// Time spent in the search for predicates.
    pub interpolation: Duration,
    /// When the present search for predicates began.
    interpolating_since: Option<Instant>,
    /// Places of undefined behaviour.
    pub warnings: u64,
    /// Depth of the current path.
    pub depth: u64,
    /// The deepest path so far.
    pub max_depth: u64,
    /// States waiting now.
    pub waiting: usize,
}

impl Observer for Statistics {
    fn on(&mut self, event: Event) {
        match event {
            Event::Steps(steps) => self.steps += u64::from(steps),
            Event::Undefined(_) => self.warnings += 1,
            Event::Fork => self.forks += 1,
            Event::PathEnded => self.paths += 1,
            Event::Query => self.queries += 1,
            Event::Abstraction => self.abstractions += 1,
            Event::InterpolationBegins => self.interpolating_since = Some(Instant::now()),
            Event::InterpolationEnds => {
                let since = self.interpolating_since.take();
                self.interpolation += since.map_or(Duration::ZERO, |since| since.elapsed());
            }
            Event::Refinement { predicates, most, threshold } => {
                self.refinements += 1;
                self.predicates = predicates as u64;
                self.predicates_at_one_location = most as u64;
                self.threshold = u64::from(threshold);
            }
            Event::Position { depth, waiting } => {
                self.depth = depth;
                self.max_depth = self.max_depth.max(depth);
                self.waiting = waiting;
            }
        }
    }
}
