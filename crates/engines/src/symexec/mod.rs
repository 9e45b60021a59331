//! Standard symbolic execution: Algorithm 1 of "Symbolic Execution with Predicate Abstraction and CEGAR"
//! (FMCAD 2024), section III.
//!
//! Departures, none of which changes what is decided:
//! - The recursion over successors is a loop over a frontier of waiting states, so that the search order
//!   is a parameter. Depth-first order visits states exactly as the paper's function does.
//! - A state carries a model of its path condition (its witness). An outgoing assumption that the witness
//!   satisfies is feasible without asking ISSAT; only the other ones are asked for.
//! - ISSAT is asked only about the conjuncts that share variables with the new one: the path condition without
//!   it is satisfiable, as the witness shows.
//! - ISSAT is not asked about a condition that is one of the conjuncts, or the opposite of one.
//! - If all other outgoing assumptions are infeasible and one of them must hold, the remaining one is implied
//!   by the path condition and is not added to it.
//! - No history is kept: the inputs of a counterexample determine its path, which replay recovers.
//! - Variables that nothing depends on any more are not computed.
//! - States from which neither an error nor an unmodelled construct can be reached in the graph of the
//!   program are not followed further, and ISSAT is not asked about branches to such places: the other side
//!   then keeps its condition, which may or may not follow from the path condition.
//! - A path that comes back to a loop head with the same memory, and without having assumed anything since, is in
//!   an endless loop and is not followed further.
//! - Undefined behaviour ends a path with a warning. Once a warning was given, its place is one from which
//!   nothing can be reached.

#![expect(clippy::vec_box, reason = "states move between the frontier and the engine without being copied")]

mod array;
mod branch;
mod compile;
mod cycle;
mod frontier;
mod memory;
mod path_condition;
mod recipe;
mod state;
mod table;
mod value;
mod visited;

use crate::{Budget, Counterexample, Event, FrontierEntry, Observer, Outcome, Reason, Unknown};
use aster_cfa::{
    CallPaths, Edge, Label, Liveness, Location, LocationDistances, LoopInfo, Program, Span, Targets,
};
use aster_smt::Solver;
use aster_term::{Model, Sort, Term, TermPool};
use compile::{Compiled, CompiledEdges};
use cycle::CycleDetector;
use frontier::Frontier;
use imbl::Vector;
use memory::{Memory, Place};
use path_condition::{PathCondition, VariableSets};
use recipe::Registers;
use rustc_hash::{FxHashMap, FxHashSet};
use state::{State, Witness};
use std::collections::BTreeMap;
use std::rc::Rc;
use value::Value;
use visited::Visited;

/// The order in which states are explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// Depth-first, as in the paper.
    Dfs,
    /// Breadth-first.
    Bfs,
    /// A random walk from the root of the execution tree for each choice.
    #[default]
    RandomPath,
    /// The state that is nearest to an error first.
    Distance,
}

/// Options of symbolic execution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Search order.
    pub search: Search,
    /// Seed of the random choices.
    pub seed: u64,
}

/// A state is put back in the frontier after this many operations without a branch, so that no path
/// without branches starves the others.
const STEPS_PER_TURN: u32 = 20_000;

/// Explores all feasible paths of the program.
///
/// `Safe` is given only if every feasible path was followed to its end.
pub fn run(
    program: &Program,
    pool: &mut TermPool,
    solver: &mut dyn Solver,
    options: Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Outcome {
    let mut engine = Symex::new(program, pool, solver, budget, observer);
    let mut frontier = Frontier::new(options.search, options.seed);
    engine.symex(&mut frontier)
}

/// What became of a state that was followed for a while.
enum Followed {
    /// It is at an error location.
    Error(Box<State>),
    /// It goes on as these states; none if its path has come to its end.
    Successors(Vec<Box<State>>),
    /// The exploration must stop.
    Stop(Reason),
}

/// What became of a state after one edge.
enum Step {
    /// It was changed to its successor.
    Continue,
    PathEnded,
    Fork(Vec<Box<State>>),
    Stop(Reason),
}

struct Symex<'a> {
    program: &'a Program,
    pool: &'a mut TermPool,
    solver: &'a mut dyn Solver,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    paths: CallPaths,
    /// How far an error is: the measure of the search order `distance`.
    to_error: LocationDistances,
    /// How far an error or an unmodelled construct is: where there is none, no verdict can depend on
    /// what happens next.
    to_anything: LocationDistances,
    loops: LoopInfo,
    liveness: Rc<Liveness>,
    visited: Visited,
    compiled: CompiledEdges,
    /// The variable for the n-th input of a path, by sort. Paths share them: the n-th input of one path
    /// and of another never meet in one path condition.
    input_variables: FxHashMap<(usize, Sort), Term>,
    /// The first thing that keeps the exploration from being complete.
    obstacle: Option<Reason>,
    /// The edges of undefined behaviour that were reported.
    warned: FxHashSet<Edge>,
    variable_sets: VariableSets,
    registers: Registers,
}

impl<'a> Symex<'a> {
    fn new(
        program: &'a Program,
        pool: &'a mut TermPool,
        solver: &'a mut dyn Solver,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
    ) -> Self {
        let loops = LoopInfo::new(program);
        let liveness = Rc::new(Liveness::new(program, pool));
        let visited = Visited::new(program, Rc::clone(&liveness), &loops);
        let compiled = CompiledEdges::new(program, Rc::clone(&liveness));
        Symex {
            paths: CallPaths::new(program),
            to_error: LocationDistances::new(program, Targets::Errors),
            to_anything: LocationDistances::new(program, Targets::ErrorsAndUnsupported),
            loops,
            liveness,
            visited,
            compiled,
            program,
            pool,
            solver,
            budget,
            observer,
            input_variables: FxHashMap::default(),
            obstacle: None,
            warned: FxHashSet::default(),
            variable_sets: VariableSets::default(),
            registers: Registers::default(),
        }
    }

    /// Algorithm 1, with the frontier in place of the recursion.
    fn symex(&mut self, frontier: &mut Frontier) -> Outcome {
        let initial = self.initial_state();
        frontier.push(vec![initial], |_| 0);
        while let Some(state) = frontier.pop() {
            self.observer.on(Event::Position { depth: state.depth, waiting: frontier.len() });
            let waiting_at = state.location;
            match self.follow(state) {
                Followed::Error(state) => return Outcome::Unsafe(self.counterexample(&state)),
                Followed::Successors(successors) => {
                    let (to_error, paths) = (&mut self.to_error, &self.paths);
                    frontier.push(successors, |state| {
                        to_error.to_target(self.program, paths, state.location).unwrap_or(u32::MAX)
                    });
                }
                Followed::Stop(reason) => {
                    let mut locations = vec![waiting_at];
                    locations.extend(frontier.drain().iter().map(|state| state.location));
                    return self.unknown(reason, &locations);
                }
            }
        }
        match self.obstacle.take() {
            None => Outcome::Safe,
            Some(reason) => self.unknown(reason, &[]),
        }
    }

    fn initial_state(&mut self) -> Box<State> {
        let entry = self.program.entry;
        Box::new(State {
            location: Location { path: self.paths.root(), node: self.program.procedure(entry).entry },
            pc: PathCondition::default(),
            memory: Memory::new(self.compiled.globals(), self.compiled.locals(entry)),
            inputs: Vector::new(),
            witness: Rc::new(Witness::new(Model::new())),
            cycle: CycleDetector::default(),
            depth: 0,
            compared: (0, 0),
        })
    }

    /// Follows a state until it branches, ends or has used up its turn.
    fn follow(&mut self, state: Box<State>) -> Followed {
        let mut steps = 0;
        let followed = self.follow_counting(state, &mut steps);
        self.observer.on(Event::Steps(steps));
        followed
    }

    fn follow_counting(&mut self, mut state: Box<State>, steps: &mut u32) -> Followed {
        let mut step = if self.leads_nowhere(state.location) { Step::PathEnded } else { Step::Continue };
        loop {
            match step {
                Step::Continue => {}
                Step::Fork(successors) => return Followed::Successors(successors),
                Step::Stop(reason) => return Followed::Stop(reason),
                Step::PathEnded => {
                    self.observer.on(Event::PathEnded);
                    return Followed::Successors(Vec::new());
                }
            }
            if self.program.node(state.location.node).error.is_some() {
                return Followed::Error(state);
            }
            if self.loops.is_loop_head(state.location.node)
                && state.cycle.comes_back(state.location, &state.memory)
            {
                step = Step::PathEnded;
                continue;
            }
            if let Some(limit) = self.budget.exhausted() {
                return Followed::Stop(Reason::Limit(limit));
            }
            if self.was_explored(&mut state) {
                step = Step::PathEnded;
                continue;
            }
            if *steps == STEPS_PER_TURN {
                return Followed::Successors(vec![state]);
            }
            *steps += 1;
            step = self.step(&mut state);
        }
    }

    /// Takes the outgoing edges of the state's location.
    fn step(&mut self, state: &mut State) -> Step {
        let program = self.program;
        let node = program.node(state.location.node);
        match node.outgoing.as_slice() {
            [] if state.location.node == program.procedure(node.procedure).exit => self.leave(state),
            [] => Step::PathEnded,
            [edge] => self.next(state, *edge),
            edges => self.branch(state, edges),
        }
    }

    /// `next(s, o)` for the only edge that leaves a location.
    fn next(&mut self, state: &mut State, edge: Edge) -> Step {
        match &*self.compiled.edge(self.program, self.pool, edge) {
            Compiled::Assume(_) => return self.branch(state, &[edge]),
            Compiled::Assign(place, recipe) => {
                let Some(value) = recipe.evaluate(self.pool, &mut state.memory, &mut self.registers) else {
                    return self.read_before_write(edge);
                };
                state.memory.write(*place, value);
            }
            Compiled::Havoc(place, sort) => {
                let input = self.fresh(state.inputs.len(), *sort);
                state.inputs.push_back(input);
                state.memory.write(*place, Value::of(self.pool, input));
            }
            Compiled::Forget(input) => {
                if let Some(sort) = input {
                    let input = self.fresh(state.inputs.len(), *sort);
                    state.inputs.push_back(input);
                }
            }
            Compiled::Call { procedure, parameters, arguments } => {
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    match argument.evaluate(self.pool, &mut state.memory, &mut self.registers) {
                        Some(value) => values.push(value),
                        None => return self.read_before_write(edge),
                    }
                }
                state.memory.push_frame(self.compiled.locals(*procedure));
                for (&parameter, value) in parameters.iter().zip(values) {
                    state.memory.write(parameter, value);
                }
                state.location = Location {
                    path: self.paths.enter(state.location.path, edge, *procedure),
                    node: self.program.procedure(*procedure).entry,
                };
                return Step::Continue;
            }
            Compiled::Undefined => {
                self.warn(edge);
                return Step::PathEnded;
            }
            Compiled::Unsupported(what) => {
                let what = what.clone();
                self.note_obstacle(Reason::Unsupported { what, span: self.program.edge(edge).span });
                return Step::PathEnded;
            }
        }
        state.location.node = self.program.edge(edge).target;
        Step::Continue
    }

    /// Returns from the procedure on top of the call path.
    fn leave(&mut self, state: &mut State) -> Step {
        let Some((caller, edge)) = self.paths.caller(state.location.path) else {
            return Step::PathEnded;
        };
        let info = self.program.edge(edge);
        let Label::Call(call) = &info.label else {
            let details = "a call path was entered by an edge that is not a call".to_owned();
            return Step::Stop(Reason::Internal(details));
        };
        let result = match (call.result, self.program.procedure(call.procedure).result) {
            (Some(target), Some(source)) if self.liveness.is_live(self.program, info.target, target) => {
                Some((
                    Place::of(self.program, target),
                    state.memory.read(Place::of(self.program, source)).cloned(),
                ))
            }
            _ => None,
        };
        state.memory.pop_frame();
        match result {
            Some((target, Some(value))) => state.memory.write(target, value),
            Some((_, None)) => return self.read_before_write(edge),
            None => {}
        }
        state.location = Location { path: caller, node: info.target };
        Step::Continue
    }

    /// `fresh()`: the variable of the n-th input on a path.
    fn fresh(&mut self, position: usize, sort: Sort) -> Term {
        let pool = &mut *self.pool;
        *self
            .input_variables
            .entry((position, sort))
            .or_insert_with(|| pool.fresh_variable(&format!("input{position}"), sort))
    }

    fn note_obstacle(&mut self, reason: Reason) {
        self.obstacle.get_or_insert(reason);
    }

    fn read_before_write(&mut self, edge: Edge) -> Step {
        let position = self.program.sources.position(self.program.edge(edge).span).to_string();
        Step::Stop(Reason::Internal(format!("{position}: a variable is read before it is written")))
    }

    fn counterexample(&self, state: &State) -> Counterexample {
        let inputs = state.inputs.iter().map(|&input| state.witness.value(self.pool, input)).collect();
        Counterexample { inputs }
    }

    fn unknown(&self, reason: Reason, waiting: &[Location]) -> Outcome {
        let mut counts: BTreeMap<Span, usize> = BTreeMap::new();
        for location in waiting {
            if let Some(span) = self.span_near(*location) {
                *counts.entry(span).or_default() += 1;
            }
        }
        let mut frontier: Vec<FrontierEntry> =
            counts.into_iter().map(|(span, states)| FrontierEntry { span, states }).collect();
        frontier.sort_by(|a, b| b.states.cmp(&a.states).then(a.span.cmp(&b.span)));
        Outcome::Unknown(Unknown { reason, frontier })
    }

    /// The source position of what a location does next.
    fn span_near(&self, location: Location) -> Option<Span> {
        let next = self.program.node(location.node).outgoing.first().copied();
        let edge = next.or_else(|| self.paths.caller(location.path).map(|(_, edge)| edge))?;
        Some(self.program.edge(edge).span)
    }
}
