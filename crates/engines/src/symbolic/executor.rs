//! Steps of symbolic execution: `next(s, o)`, and following a path until something happens to it.

use super::compile::{Compiled, CompiledEdges};
use super::cycle::CycleDetector;
use super::history::History;
use super::memory::{Memory, Place};
use super::path_condition::{PathCondition, VariableSets};
use super::recipe::Registers;
use super::state::{State, Witness};
use super::value::Value;
use super::visited::Visited;
use crate::{Budget, Counterexample, Event, FrontierEntry, Observer, Reason, Unknown, Work};
use aster_cfa::{
    CallPaths, Edge, Label, Liveness, Location, LocationDistances, LoopInfo, Program, Span, Targets,
};
use aster_smt::Solver;
use aster_term::{Model, Sort, Term, TermPool};
use imbl::Vector;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A state is put back in the frontier after this many operations without a branch, so that no path
/// without branches starves the others.
const STEPS_PER_TURN: u32 = 20_000;

/// What paths are followed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Each path on its own. What is undefined ends it with a warning, what is not modelled is an obstacle.
    Exact,
    /// To abstract from it: it keeps its history and is handed back at loop heads, and before anything that is
    /// undefined (and not assumed away) or not modelled, which it may get to only because of the abstraction.
    Abstract,
}

/// What became of a state that was followed for a while.
pub(crate) enum Followed {
    /// It is at an error location.
    Error(Box<State>),
    /// It came to a loop head; only of paths to abstract from.
    LoopHead(Box<State>),
    /// The next edge is undefined or not modelled; only of paths to abstract from.
    Suspect(Box<State>, Edge),
    /// It goes on as these states; none if its path has come to its end.
    Successors(Vec<Box<State>>),
    /// The exploration must stop.
    Stop(Reason),
}

/// What became of a state after one edge.
pub(crate) enum Step {
    /// It was changed to its successor.
    Continue,
    PathEnded,
    /// It stands before an edge that is undefined or not modelled; only of paths to abstract from.
    Suspect(Edge),
    Fork(Vec<Box<State>>),
    Stop(Reason),
}

/// Takes states along the edges of a program.
pub(crate) struct Executor<'a> {
    pub(crate) program: &'a Program,
    pub(crate) pool: &'a mut TermPool,
    pub(crate) solver: &'a mut dyn Solver,
    pub(crate) budget: &'a Budget,
    pub(crate) observer: &'a mut dyn Observer,
    pub(crate) purpose: Purpose,
    pub(crate) paths: CallPaths,
    /// How far an error is: the measure of the search order `distance`.
    pub(crate) to_error: LocationDistances,
    /// How far an error or an unmodelled construct is: where there is none, no verdict can depend on
    /// what happens next.
    pub(crate) to_anything: LocationDistances,
    pub(crate) loops: LoopInfo,
    pub(crate) liveness: Rc<Liveness>,
    pub(crate) visited: Visited,
    /// Whether a path that comes back to where it was ends there.
    pub(crate) ends_circles: bool,
    pub(crate) compiled: CompiledEdges,
    /// The variable for the n-th input of a path, by sort. Paths share them: the n-th input of one path
    /// and of another never meet in one path condition.
    pub(crate) input_variables: FxHashMap<(usize, Sort), Term>,
    /// The first thing that keeps the exploration from being complete.
    pub(crate) obstacle: Option<Reason>,
    /// The edges of undefined behaviour that were reported.
    pub(crate) warned: FxHashSet<Edge>,
    pub(crate) variable_sets: VariableSets,
    pub(crate) registers: Registers,
}

impl<'a> Executor<'a> {
    pub(crate) fn new(
        program: &'a Program,
        pool: &'a mut TermPool,
        solver: &'a mut dyn Solver,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
        purpose: Purpose,
    ) -> Self {
        let loops = LoopInfo::new(program);
        let liveness = Rc::new(Liveness::new(program, pool));
        let visited = Visited::new(program, Rc::clone(&liveness), &loops);
        let compiled = CompiledEdges::new(program, Rc::clone(&liveness));
        Executor {
            purpose,
            paths: CallPaths::new(program),
            to_error: LocationDistances::new(program, Targets::Errors),
            to_anything: LocationDistances::new(program, Targets::ErrorsAndUnsupported),
            loops,
            liveness,
            visited,
            ends_circles: true,
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

    pub(crate) fn initial_state(&mut self) -> Box<State> {
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
            history: match self.purpose {
                Purpose::Exact => None,
                Purpose::Abstract => Some(Rc::new(History::default())),
            },
        })
    }

    /// Follows a state until it branches, ends or has used up its turn.
    pub(crate) fn follow(&mut self, state: Box<State>) -> Followed {
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
                Step::Suspect(edge) => return Followed::Suspect(state, edge),
                Step::PathEnded => {
                    self.observer.on(Event::PathEnded);
                    return Followed::Successors(Vec::new());
                }
            }
            if self.program.node(state.location.node).error.is_some() {
                return Followed::Error(state);
            }
            if self.loops.is_loop_head(state.location.node) {
                match &mut state.history {
                    Some(history) if history.is_past_head => Rc::make_mut(history).is_past_head = false,
                    Some(_) => return Followed::LoopHead(state),
                    None if self.ends_circles && state.cycle.comes_back(state.location, &state.memory) => {
                        step = Step::PathEnded;
                        continue;
                    }
                    None => {}
                }
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
    pub(crate) fn next(&mut self, state: &mut State, edge: Edge) -> Step {
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
            // No run goes on from here, whether one gets here or not: nothing needs to be excluded.
            Compiled::Undefined if self.program.is_assumed_away(edge) => {
                self.warn(edge, state.location.path);
                return Step::PathEnded;
            }
            Compiled::Undefined | Compiled::Unsupported(_) if self.purpose == Purpose::Abstract => {
                return Step::Suspect(edge);
            }
            Compiled::Undefined => {
                self.warn(edge, state.location.path);
                return Step::PathEnded;
            }
            Compiled::Unsupported(what) => {
                let what = what.clone();
                let span = self.paths.place(self.program, state.location.path, edge);
                self.note_obstacle(Reason::Unsupported { what, span });
                return Step::PathEnded;
            }
        }
        state.location.node = self.program.edge(edge).target;
        Step::Continue
    }

    /// Returns from the procedure on top of the call path.
    pub(crate) fn leave(&mut self, state: &mut State) -> Step {
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
    pub(crate) fn fresh(&mut self, position: usize, sort: Sort) -> Term {
        let pool = &mut *self.pool;
        *self
            .input_variables
            .entry((position, sort))
            .or_insert_with(|| pool.fresh_variable(&format!("input{position}"), sort))
    }

    /// Tells that time and queries go into another kind of work from now on.
    pub(crate) fn turn_to(&mut self, work: Work) {
        let checks = self.solver.statistics().checks;
        self.observer.on(Event::Turn { to: work, checks });
    }

    pub(crate) fn note_obstacle(&mut self, reason: Reason) {
        self.obstacle.get_or_insert(reason);
    }

    pub(crate) fn read_before_write(&mut self, edge: Edge) -> Step {
        let position = self.program.sources.position(self.program.edge(edge).span).to_string();
        Step::Stop(Reason::Internal(format!("{position}: a variable is read before it is written")))
    }

    pub(crate) fn counterexample(&self, state: &State) -> Counterexample {
        let inputs = state.inputs.iter().map(|&input| state.witness.value(self.pool, input)).collect();
        Counterexample { inputs }
    }

    pub(crate) fn unknown(&self, reason: Reason, waiting: &[Location]) -> Unknown {
        let mut counts: BTreeMap<Span, usize> = BTreeMap::new();
        for location in waiting {
            if let Some(span) = self.span_near(*location) {
                *counts.entry(span).or_default() += 1;
            }
        }
        let mut frontier: Vec<FrontierEntry> =
            counts.into_iter().map(|(span, states)| FrontierEntry { span, states }).collect();
        frontier.sort_by(|a, b| b.states.cmp(&a.states).then(a.span.cmp(&b.span)));
        Unknown { reason, frontier }
    }

    /// The source position of what a location does next.
    pub(crate) fn span_near(&self, location: Location) -> Option<Span> {
        let next = self.program.node(location.node).outgoing.first().copied();
        let edge = next.or_else(|| self.paths.caller(location.path).map(|(_, edge)| edge))?;
        Some(self.paths.place(self.program, location.path, edge))
    }
}
