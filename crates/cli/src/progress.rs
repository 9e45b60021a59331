//! What the analysis is doing right now, shared between its thread and the one that watches it.

use crate::analysis::position;
use crate::output;
use aster_bench::report::{UnknownFunction, Warning};
use aster_bench::units::{show_count, show_duration};
use aster_cfa::{Edge, Label, Program, Span};
use aster_engines::{Event, Observer, Statistics, ase};
use std::io::IsTerminal;
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

/// The functions of a program that nothing is known about.
pub fn unknown_functions(program: &Program) -> Vec<UnknownFunction> {
    let described = program.functions.called.iter().map(|function| UnknownFunction {
        name: function.name.clone(),
        declared: function.declared,
        position: position(&program.sources, function.span),
    });
    described.collect()
}

/// Clones share their state.
#[derive(Clone, Default)]
pub struct Activity {
    phases: Arc<Mutex<PhaseTimes>>,
    counters: Arc<Mutex<Statistics>>,
    system: Arc<Mutex<Option<ase::Statistics>>>,
    warnings: Arc<Mutex<Vec<Warning>>>,
    assumed: Arc<Mutex<Vec<Warning>>>,
    unknown_functions: Arc<Mutex<Vec<UnknownFunction>>>,
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
        self.counters.lock().map(|counters| *counters).unwrap_or_default()
    }

    fn publish(&self, statistics: &Statistics) {
        if let Ok(mut counters) = self.counters.lock() {
            *counters = *statistics;
        }
    }

    /// What the engine for transition systems counted, if it has finished.
    pub fn system(&self) -> Option<ase::Statistics> {
        self.system.lock().ok().and_then(|system| *system)
    }

    /// Keeps what the engine for transition systems counted; it stays when other engines go on.
    pub fn publish_system(&self, statistics: ase::Statistics) {
        if let Ok(mut system) = self.system.lock() {
            *system = Some(statistics);
        }
    }

    /// The warnings that were given until now.
    pub fn warnings(&self) -> Vec<Warning> {
        self.warnings.lock().map(|warnings| warnings.clone()).unwrap_or_default()
    }

    /// The functions of the program that nothing is known about.
    pub fn unknown_functions(&self) -> Vec<UnknownFunction> {
        self.unknown_functions.lock().map(|functions| functions.clone()).unwrap_or_default()
    }

    /// A program was loaded.
    pub fn loaded(&self, program: &Program) {
        if let Ok(mut functions) = self.unknown_functions.lock() {
            *functions = unknown_functions(program);
        }
    }

    /// What the engine that worked last assumed not to happen.
    pub fn assumed(&self) -> Vec<Warning> {
        self.assumed.lock().map(|assumed| assumed.clone()).unwrap_or_default()
    }

    /// An observer of an engine that works on this program; it counts here, on from where others stopped. What others assumed is forgotten.
    pub fn observer<'a>(&self, program: &'a Program, verbose: bool) -> Counting<'a> {
        if let Ok(mut assumed) = self.assumed.lock() {
            assumed.clear();
        }
        Counting { activity: self.clone(), program, statistics: self.statistics(), verbose }
    }
}

/// Adds what is undefined at an edge, unless it is there.
fn add_undefined(places: &Mutex<Vec<Warning>>, program: &Program, edge: Edge, span: Span) {
    let Label::Undefined { what, .. } = &program.edge(edge).label else { return };
    let place = Warning { what: what.clone(), position: position(&program.sources, span) };
    if let Ok(mut places) = places.lock()
        && !places.contains(&place)
    {
        places.push(place);
    }
}

/// Counts events and lets others see the counters and the warnings.
pub struct Counting<'a> {
    activity: Activity,
    program: &'a Program,
    statistics: Statistics,
    verbose: bool,
}

impl Observer for Counting<'_> {
    fn note(&mut self, message: &mut dyn FnMut() -> String) {
        if self.verbose {
            output::note(&format!("{}\n", message()));
        }
    }

    fn on(&mut self, event: Event) {
        self.statistics.on(event);
        if let Event::Undefined(edge, span) = event {
            add_undefined(&self.activity.warnings, self.program, edge, span);
        }
        self.activity.publish(&self.statistics);
    }

    fn assumed_away(&mut self, program: &Program, edge: Edge, place: Span) {
        add_undefined(&self.activity.assumed, program, edge, place);
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
                let mut line = format!(
                    "{elapsed}  {} paths, {} states waiting, {} queries, depth {}",
                    show_count(s.paths),
                    show_count(s.waiting as u64),
                    show_count(s.queries),
                    show_count(s.depth)
                );
                if s.refinements > 0 {
                    line += &format!(
                        ", refinement {}, {} predicates",
                        show_count(s.refinements),
                        show_count(s.predicates)
                    );
                }
                line
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
    use aster_cfa::testing::Sketch;

    #[test]
    fn counters_and_warnings_are_seen_by_others() {
        let mut sketch = Sketch::new("x = *p;\n");
        let main = sketch.procedure("main");
        let undefined = Label::Undefined { what: "a bad pointer is read".to_owned(), assumed_away: false };
        let edge = sketch.edge(sketch.entry(main), sketch.exit(main), undefined, 1);
        let (program, _) = sketch.finish(main);
        let activity = Activity::default();
        let mut observer = activity.observer(&program, false);
        observer.on(Event::Steps(2));
        observer.on(Event::PathEnded);
        observer.on(Event::Position { depth: 7, waiting: 3 });
        observer.on(Event::Undefined(edge, program.edge(edge).span));
        let seen = activity.statistics();
        assert_eq!((seen.steps, seen.paths, seen.depth, seen.waiting), (2, 1, 7, 3));
        activity.observer(&program, false).on(Event::PathEnded);
        assert_eq!(activity.statistics().paths, 2);
        let [warning] = &activity.warnings()[..] else { panic!("one warning") };
        assert_eq!((warning.what.as_str(), warning.position.line), ("a bad pointer is read", 1));
        activity.observer(&program, false).assumed_away(&program, edge, program.edge(edge).span);
        assert_eq!(activity.assumed(), activity.warnings());
        let _ = activity.observer(&program, false);
        assert_eq!(activity.assumed(), []);
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
