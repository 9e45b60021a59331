//! Symbolic execution with implicit predicate abstraction and CEGAR: Algorithms 2 and 3 of "Combining Symbolic
//! Execution with Predicate Abstraction and CEGAR" (FMCAD 2024), section IV.
//!
//! Departures:
//! - The recursion over successors is a loop over a frontier of waiting states. In depth-first order, states are
//!   visited as by the paper's function.
//! - After a refinement the exploration goes back to the first abstraction point on the path whose precision
//!   changed, as the paper's implementation does; what other paths explored stays.
//! - Sharing (on unless switched off): where a state allows only a few valuations of the predicates, each of them
//!   becomes a state that remembers nothing else of its path, and one that was explored already is not explored
//!   again. `docs/soundness.md` says why that is sound.
//! - What is undefined or not modelled is treated like an error until it is known whether the program can get
//!   there; if it can, there is no proof.

mod abstraction;
mod affine;
mod auxiliary;
mod bounds;
mod frames;
mod graph;
mod initial;
mod path;
mod precision;
mod proof;
mod refine;
mod unroll;

use crate::cegar::{Abstraction, Explored, Feasibility, cegar};
use crate::cells;
use crate::recursion::{About, Recursion};
use crate::symbolic::{Executor, Followed, Frontier, Memory, Purpose, Search, State};
use crate::{Budget, Event, Observer, Outcome, Reason, Unknown, Work};
use abstraction::origin;
use aster_cfa::interpreter::{End, Interpreter, RunLimits, Unwatched};
use aster_cfa::{Edge, Label, Location, Program, Span};
use aster_smt::{Limits, Solver, interpolate};
use aster_term::{Term, TermPool};
use frames::{FrameVariable, Frames};
use graph::{AbstractState, Graph};
pub use initial::InitialPredicates;
use path::{AbstractPath, PathFeasibility, Target};
use precision::Precision;
pub use proof::{Check, Invariant, Proof};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::time::Duration;

/// Verification takes no longer than this.
const MAX_VERIFICATION: Duration = Duration::from_secs(10);

/// After this many refinements, auxiliary invariants are looked for.
const PATIENCE: u32 = 4;

/// Options of the engine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The initial threshold of every location.
    pub threshold: u32,
    /// The initial predicates of every location.
    pub initial_predicates: InitialPredicates,
    /// Explore each valuation of predicates once, whatever path led to it.
    pub sharing: bool,
    /// With sharing: so many valuations are kept apart at first where a state allows several; refinement asks for more where it needs them.
    pub splits: usize,
    /// Keep the literals that variables hold at a location, as long as they are at most so many for a variable.
    pub constants: usize,
    /// When refinement does not come to an end soon, look for linear relations and bounds that hold at loop heads.
    pub auxiliary: bool,
    /// Let bounds take the place of predicates that tell iterations apart one after the other.
    pub series: bool,
    /// Try for so long to prove the program safe with one cell of each array that a loop goes through.
    pub cells: Duration,
    /// Try for so long to prove programs with recursive procedures safe with one call at a time.
    pub recursion: Duration,
    /// Unroll loops whose condition is decided by literals, within bounds.
    pub unroll_decided: bool,
    /// Give invariants as evidence for `Safe`, however long it takes to find and check them.
    pub prove: bool,
    /// Check `Safe` by its invariants if that takes no longer than finding it out did.
    pub verify: bool,
    /// Search order.
    pub search: Search,
    /// Seed of the random choices.
    pub seed: u64,
    /// Limits of each query.
    pub limits: Limits,
    /// How predicates are found.
    pub interpolation: interpolate::Options,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            threshold: 0,
            initial_predicates: InitialPredicates::None,
            sharing: true,
            splits: 1,
            constants: 1,
            auxiliary: true,
            series: true,
            cells: Duration::ZERO,
            recursion: Duration::ZERO,
            unroll_decided: true,
            prove: false,
            verify: true,
            search: Search::Bfs,
            seed: 0,
            limits: Limits::default(),
            interpolation: interpolate::Options::default(),
        }
    }
}

/// With one cell of each array, at least so many valuations are kept apart: whether the cell is the one that is accessed
/// must be told apart from all else, and there are few states.
const CELL_SPLITS: usize = 16;

/// Explores the program's abstraction and refines it until it decides.
///
/// `Safe` is given only if the abstraction was explored completely. With it come invariants, if they were asked for
/// and there was time to find and check them.
///
/// Departure, if asked for: where procedures are recursive, it is first tried for some time whether the program is safe with one call at a
/// time. Where loops go through arrays, it is first tried for some time whether the program is safe
/// even if only one cell of each array is kept.
pub fn run(
    program: &Program,
    pool: &mut TermPool,
    solver: &mut dyn Solver,
    options: Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (Outcome, Option<Proof>) {
    if !options.recursion.is_zero()
        && let Some(decided) = with_one_call(program, pool, solver, &options, budget, observer)
    {
        return decided;
    }
    if !options.cells.is_zero()
        && let Some(abstraction) = cells::abstraction(program, pool)
    {
        observer.note(&mut || "with one cell of each array".to_owned());
        let part = budget.part(options.cells);
        let limits = Limits { time: Some(options.cells), ..options.limits };
        let splits = options.splits.max(CELL_SPLITS);
        let options = Options { limits, splits, ..options.clone() };
        let (outcome, proof) = explore_abstraction(&abstraction, pool, solver, options, &part, observer);
        if outcome == Outcome::Safe || is_defect(&outcome) {
            return (outcome, proof);
        }
        observer.note(&mut || "with whole arrays".to_owned());
    }
    explore(program, pool, solver, options, budget, observer)
}

/// What must not be passed over in silence.
fn is_defect(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Unknown(Unknown { reason: Reason::Internal(_), .. }))
}

/// Proves the program safe with one call of its recursive procedures at a time, once it is known in which ranges their results are; `None` if
/// that does not succeed.
fn with_one_call(
    program: &Program,
    pool: &mut TermPool,
    solver: &mut dyn Solver,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Option<(Outcome, Option<Proof>)> {
    let mut recursion = Recursion::of(program, pool)?;
    observer.note(&mut || "with one call of recursive procedures at a time".to_owned());
    let part = budget.part(options.recursion);
    let limits = Limits { time: Some(options.recursion), ..options.limits };
    let for_ranges = Options { limits, prove: false, verify: false, ..options.clone() };
    loop {
        let abstraction = recursion.one_call(About::Ranges, pool);
        let (outcome, _) =
            explore_abstraction(&abstraction.program, pool, solver, for_ranges.clone(), &part, observer);
        match outcome {
            Outcome::Safe => break,
            Outcome::Unsafe(counterexample) => {
                let mut interpreter = Interpreter::new(&abstraction.program, pool);
                let end = interpreter.run(&counterexample.inputs, RunLimits::default(), &mut Unwatched);
                let End::Error { node, .. } = end else { return None };
                if !recursion.widen(&abstraction, node) {
                    return None;
                }
            }
            Outcome::Unknown(_) if is_defect(&outcome) => return Some((outcome, None)),
            Outcome::Unknown(_) => return None,
        }
    }
    let abstraction = recursion.one_call(About::Errors, pool);
    let options = Options { limits, ..options.clone() };
    let (outcome, proof) = explore_abstraction(&abstraction.program, pool, solver, options, &part, observer);
    if outcome == Outcome::Safe || is_defect(&outcome) {
        return Some((outcome, proof));
    }
    observer.note(&mut || "with all calls".to_owned());
    None
}

/// Explores an abstraction of the program, of which only `Safe` is taken.
fn explore_abstraction(
    abstraction: &Program,
    pool: &mut TermPool,
    solver: &mut dyn Solver,
    options: Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (Outcome, Option<Proof>) {
    let mut quiet = WithoutWarnings { observer, assumed_away: Vec::new() };
    let (outcome, proof) = explore(abstraction, pool, solver, options, budget, &mut quiet);
    if outcome == Outcome::Safe {
        for (edge, place) in quiet.assumed_away {
            quiet.observer.assumed_away(abstraction, edge, place);
        }
    }
    (outcome, proof)
}

/// Passes on what happens, except that something undefined was met: in an abstraction, which the program may not do.
struct WithoutWarnings<'a> {
    observer: &'a mut dyn Observer,
    /// What a proof would assume.
    assumed_away: Vec<(Edge, Span)>,
}

impl Observer for WithoutWarnings<'_> {
    fn on(&mut self, event: Event) {
        if !matches!(event, Event::Undefined(..)) {
            self.observer.on(event);
        }
    }

    fn assumed_away(&mut self, _: &Program, edge: Edge, place: Span) {
        self.assumed_away.push((edge, place));
    }

    fn note(&mut self, message: &mut dyn FnMut() -> String) {
        self.observer.note(message);
    }
}

/// SYMEXPA with CEGAR on one program.
fn explore(
    program: &Program,
    pool: &mut TermPool,
    solver: &mut dyn Solver,
    options: Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (Outcome, Option<Proof>) {
    let start = budget.now();
    let for_verification = OnceCell::new();
    solver.set_limits(options.limits);
    let executor = Executor::new(program, pool, solver, budget, observer, Purpose::Abstract);
    let frontier = Frontier::new(options.search, options.seed);
    let frames = Frames::new(program, executor.pool);
    let mut engine = SymexIa {
        precision: Precision::initial(options.threshold, options.splits, unroll::AT_FIRST, options.constants),
        executor,
        frontier,
        pending: Vec::new(),
        frames,
        graph: Graph::default(),
        own_memories: FxHashMap::default(),
        auxiliary: FxHashMap::default(),
        refinements: 0,
        turn: u32::MAX,
        tried: FxHashMap::default(),
        parameters: Vec::new(),
        sums: FxHashMap::default(),
        related: FxHashMap::default(),
        fresh: FxHashMap::default(),
        options,
    };
    engine.begin();
    engine.executor.turn_to(Work::Exploration);
    let mut outcome = cegar(&mut engine);
    engine.executor.turn_to(Work::Exploration);
    let mut proof = None;
    if outcome == Outcome::Safe && (engine.options.prove || engine.options.verify) {
        if !engine.options.prove {
            let time = (budget.now() - start + Duration::from_secs(1)).min(MAX_VERIFICATION);
            engine.executor.budget = for_verification.get_or_init(|| budget.part(time));
            engine.options.limits = Limits { time: Some(time), conflicts: None };
            engine.executor.solver.set_limits(engine.options.limits);
        }
        match engine.proof() {
            Ok(Proof { check: Check::Violated(details), .. }) => {
                let reason = Reason::Internal(format!("the proof does not hold: {details}"));
                outcome = Outcome::Unknown(Unknown { reason, frontier: Vec::new() });
            }
            Ok(found) => proof = Some(found),
            // An error that is real shows that the first exploration was wrong.
            Err(error @ Outcome::Unsafe(_)) => outcome = error,
            Err(_) => {}
        }
    }
    engine.executor.solver.set_limits(Limits::default());
    (outcome, proof)
}

struct SymexIa<'a> {
    executor: Executor<'a>,
    options: Options,
    precision: Precision,
    frontier: Frontier,
    /// States for the frontier, which it gets when it is asked for the next one.
    pending: Vec<Box<State>>,
    frames: Frames,
    graph: Graph,
    /// For each location the memory in which each variable holds the frame variable that stands for it.
    own_memories: FxHashMap<Location, Memory>,
    /// Invariants that were proved on their own.
    auxiliary: FxHashMap<Location, Vec<Term>>,
    refinements: u32,
    /// Counts down the turns of looking for auxiliary invariants.
    turn: u32,
    /// How often predicates were tried at a loop that is decided by literals.
    tried: FxHashMap<Location, u32>,
    /// Literals that predicates counted up to.
    parameters: Vec<Term>,
    /// Sums of inequalities that would be interpolants if nothing wrapped around: candidates for auxiliary invariants.
    sums: FxHashMap<Location, Vec<Term>>,
    /// Literal indices of arrays at which there were elements that are not literals.
    related: FxHashMap<FrameVariable, Vec<u64>>,
    /// The variables of the n-th fresh memory on a path.
    fresh: FxHashMap<(usize, FrameVariable), Term>,
}

impl Abstraction for SymexIa<'_> {
    type Counterexample = AbstractPath;
    /// So many steps are infeasible already.
    type Refutation = usize;

    /// SYMEXPA, with the frontier in place of the recursion.
    fn explore(&mut self) -> Explored<AbstractPath> {
        while let Some(state) = self.pop() {
            self.executor.observer.on(Event::Position { depth: state.depth, waiting: self.frontier.len() });
            // It came from an abstract state that a refinement took away.
            if !self.graph.is_alive(origin(&state)) {
                continue;
            }
            let waiting_at = state.location;
            let (state, target) = match self.executor.follow(state) {
                Followed::Error(state) => (state, Target::Error),
                Followed::Suspect(_, edge) if self.executor.warned.contains(&edge) => continue,
                Followed::Suspect(state, edge) => (state, Target::Suspect(edge)),
                Followed::Successors(successors) => {
                    self.push(successors);
                    continue;
                }
                Followed::LoopHead(state) => {
                    let successors = if self.is_abstraction_point(&state) {
                        self.abstract_state(state)
                    } else {
                        Ok(self.pass(state))
                    };
                    match successors {
                        Ok(successors) => self.push(successors),
                        Err(reason) => return Explored::Stop(self.stopped(reason, waiting_at)),
                    }
                    continue;
                }
                Followed::Stop(reason) => return Explored::Stop(self.stopped(reason, waiting_at)),
            };
            return match self.path_to(&state, target) {
                Ok(path) => Explored::AbstractCounterexample(path),
                Err(reason) => Explored::Stop(self.stopped(reason, waiting_at)),
            };
        }
        Explored::Safe
    }

    fn is_feasible(&mut self, path: &AbstractPath) -> Feasibility<usize> {
        self.executor.turn_to(Work::Feasibility);
        let feasibility = self.follow_exactly(path);
        self.executor.turn_to(Work::Exploration);
        match (feasibility, path.target) {
            (PathFeasibility::Feasible(counterexample), Target::Error) => Feasibility::Error(counterexample),
            (PathFeasibility::Feasible(_), Target::Suspect(edge)) => {
                let program = self.executor.program;
                let at = self.end_of(path);
                if let Label::Unsupported(what) = &program.edge(edge).label {
                    let span = self.executor.paths.place(program, at, edge);
                    self.executor.note_obstacle(Reason::Unsupported { what: what.clone(), span });
                }
                self.executor.warn(edge, at);
                Feasibility::Obstacle
            }
            (PathFeasibility::Infeasible(length), _) => Feasibility::Spurious(length),
            (PathFeasibility::Unknown(reason), _) => {
                if let Some(limit) = self.executor.budget.exhausted() {
                    return Feasibility::Stop(Unknown { reason: Reason::Limit(limit), frontier: Vec::new() });
                }
                self.executor.note_obstacle(reason);
                Feasibility::Obstacle
            }
        }
    }

    fn refine(&mut self, path: AbstractPath, length: usize) -> Result<(), Unknown> {
        self.refine_precision(&path, length);
        self.refinements += 1;
        if self.options.auxiliary
            && self.refinements == PATIENCE
            && let Err(reason) = self.strengthen()
        {
            return Err(Unknown { reason, frontier: Vec::new() });
        }
        match self.executor.budget.exhausted() {
            Some(limit) => Err(Unknown { reason: Reason::Limit(limit), frontier: Vec::new() }),
            None => Ok(()),
        }
    }

    fn obstacle(&mut self) -> Option<Reason> {
        self.executor.obstacle.take()
    }
}

impl SymexIa<'_> {
    /// Begins the exploration, with nothing explored and the precision that there is.
    fn begin(&mut self) {
        self.frontier = Frontier::new(self.options.search, self.options.seed);
        // What was visited is told apart by the numbers of abstract states, which are given out again.
        self.executor.forget_visited();
        let initial = self.executor.initial_state();
        self.graph = Graph::default();
        self.graph.add(AbstractState::new(None, initial.location, initial.memory.clone()), false);
        self.pending = vec![initial];
    }

    /// The next state to follow. The frontier is told what became of one before it gives another.
    fn pop(&mut self) -> Option<Box<State>> {
        let states = std::mem::take(&mut self.pending);
        let (program, to_error, paths) =
            (self.executor.program, &mut self.executor.to_error, &self.executor.paths);
        self.frontier
            .push(states, |state| to_error.to_target(program, paths, state.location).unwrap_or(u32::MAX));
        self.frontier.pop()
    }

    fn push(&mut self, states: Vec<Box<State>>) {
        self.pending.extend(states);
    }

    fn stopped(&mut self, reason: Reason, waiting_at: Location) -> Unknown {
        let mut locations = vec![waiting_at];
        locations.extend(self.frontier.drain().iter().map(|state| state.location));
        self.executor.unknown(reason, &locations)
    }
}
