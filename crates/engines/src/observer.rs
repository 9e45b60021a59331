//! Events that engines report while they work.

use aster_cfa::{Edge, Program, Span};
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
    /// The engine turns to another kind of work.
    Turn {
        /// From now on it does this.
        to: Work,
        /// Checks that the solver was asked for so far.
        checks: u64,
    },
    /// The precision was refined.
    Refinement,
    /// This is what is tracked now.
    Precision {
        /// Predicates at all locations together.
        predicates: usize,
        /// Predicates at the location that has most.
        most: usize,
        /// The highest threshold.
        threshold: u32,
    },
    /// A path does something that the source language leaves undefined, and ends there. Told once for each
    /// edge, with the place that the user knows, and only where an error or an unmodelled construct could have followed.
    Undefined(Edge, Span),
    /// The exploration works on a state at this depth (branches taken) with this many states waiting.
    Position {
        /// Branches taken on the current path.
        depth: u64,
        /// States waiting.
        waiting: usize,
    },
}

/// The kinds of work that time and queries go into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Work {
    /// Following paths.
    #[default]
    Exploration,
    /// Replacing states by abstract ones.
    Abstraction,
    /// Seeing whether an abstract path to an error is real.
    Feasibility,
    /// Looking for predicates that exclude a path.
    Interpolation,
    /// Looking for invariants that need no path.
    Invariants,
    /// Finding and checking the evidence for a proof.
    Verification,
}

impl Work {
    /// All kinds.
    pub const ALL: [Work; 6] = [
        Work::Exploration,
        Work::Abstraction,
        Work::Feasibility,
        Work::Interpolation,
        Work::Invariants,
        Work::Verification,
    ];

    /// The name in statistics.
    pub fn name(self) -> &'static str {
        match self {
            Work::Exploration => "exploration",
            Work::Abstraction => "abstraction",
            Work::Feasibility => "feasibility",
            Work::Interpolation => "interpolation",
            Work::Invariants => "invariants",
            Work::Verification => "verification",
        }
    }
}

/// What went into one kind of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Checks that the solver was asked for.
    pub checks: u64,
    /// Time.
    pub time: Duration,
}

/// Receives events.
pub trait Observer {
    /// Called for each event, from the engine's thread; must be quick.
    fn on(&mut self, event: Event);

    /// The program may do something undefined at an edge, which is assumed away: from now on the result is about other runs only.
    /// Told once for each edge.
    fn assumed_away(&mut self, _program: &Program, _edge: Edge, _place: Span) {}

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
    /// What went into each kind of work that is over, in the order of [`Work::ALL`].
    efforts: [Effort; Work::ALL.len()],
    /// The present work, when it began, and the checks by then.
    present: (Work, Option<Instant>, u64),
    /// Places of undefined behaviour.
    pub warnings: u64,
    /// Depth of the current path.
    pub depth: u64,
    /// The deepest path so far.
    pub max_depth: u64,
    /// States waiting now.
    pub waiting: usize,
}

impl Statistics {
    /// What went into one kind of work, as far as it is over.
    pub fn effort(&self, work: Work) -> Effort {
        self.efforts[work as usize]
    }
}

impl Observer for Statistics {
    fn on(&mut self, event: Event) {
        match event {
            Event::Steps(steps) => self.steps += u64::from(steps),
            Event::Undefined(..) => self.warnings += 1,
            Event::Fork => self.forks += 1,
            Event::PathEnded => self.paths += 1,
            Event::Query => self.queries += 1,
            Event::Abstraction => self.abstractions += 1,
            Event::Turn { to, checks } => {
                let now = Instant::now();
                let (work, since, before) = std::mem::replace(&mut self.present, (to, Some(now), checks));
                let effort = &mut self.efforts[work as usize];
                effort.checks += checks.saturating_sub(before);
                effort.time += since.map_or(Duration::ZERO, |since| now.duration_since(since));
            }
            Event::Refinement => self.refinements += 1,
            Event::Precision { predicates, most, threshold } => {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_count_for_the_work_that_they_were_made_in() {
        let mut statistics = Statistics::default();
        for (to, checks) in [(Work::Abstraction, 3), (Work::Exploration, 10), (Work::Abstraction, 11)] {
            statistics.on(Event::Turn { to, checks });
        }
        statistics.on(Event::Turn { to: Work::Exploration, checks: 31 });
        let checks = Work::ALL.map(|work| statistics.effort(work).checks);
        assert_eq!(checks, [4, 27, 0, 0, 0, 0]);
    }
}
