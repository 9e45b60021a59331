//! Paths of the abstraction, recovered from the choices that were made on them.

use super::SymexIa;
use super::abstraction::origin;
use crate::symbolic::{Choice, State, Step, Witness};
use crate::{Counterexample, Reason};
use aster_cfa::{CallPath, Edge, Label, Location, Op};
use aster_smt::Answer;
use aster_smt::interpolate;
use aster_term::Model;
use std::rc::Rc;

/// What a path of the abstraction gets to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Error,
    /// An edge that is undefined or not modelled.
    Suspect(Edge),
}

/// A path of the abstraction to something that matters.
pub(super) struct AbstractPath {
    pub(super) steps: Vec<PathStep>,
    /// The abstraction points: how many steps lie before them, and the abstract states.
    pub(super) points: Vec<(usize, u32)>,
    pub(super) target: Target,
}

/// One step.
#[derive(Clone, Copy, Debug)]
pub(super) enum PathStep {
    /// An edge, taken in the frame of this call path.
    Edge(CallPath, Edge),
    /// The return from this call path.
    Return(CallPath),
}

/// Whether the program can take a path.
pub(super) enum PathFeasibility {
    Feasible(Counterexample),
    /// Not even the first so many steps.
    Infeasible(usize),
    Unknown(Reason),
}

impl SymexIa<'_> {
    /// The call path that a path ends on.
    pub(super) fn end_of(&self, path: &AbstractPath) -> CallPath {
        let paths = &self.executor.paths;
        match path.steps.last() {
            Some(&PathStep::Edge(frame, edge)) => paths.known(frame, edge).unwrap_or(frame),
            Some(&PathStep::Return(callee)) => paths.caller(callee).map_or(callee, |(caller, _)| caller),
            None => CallPath::from_index(0),
        }
    }

    /// The path that led to a state.
    pub(super) fn path_to(&self, state: &State, target: Target) -> Result<AbstractPath, Reason> {
        let executor = &self.executor;
        let program = executor.program;
        let chain = self.graph.chain(origin(state));
        // The choices of each stretch between abstraction points, and the point at its end.
        let mut stretches: Vec<(Vec<Choice>, Option<u32>)> = Vec::with_capacity(chain.len());
        for &id in &chain[1..] {
            let before = self.graph.get(id).before.as_ref();
            let choices = before.and_then(|state| state.history.as_ref()).map(|history| &history.choices);
            stretches.push((choices.into_iter().flatten().copied().collect(), Some(id)));
        }
        let last = state.history.as_ref().map(|history| history.choices.iter().copied().collect());
        stretches.push((last.unwrap_or_default(), None));

        let entry = program.procedure(program.entry).entry;
        let mut location = Location { path: executor.paths.root(), node: entry };
        let mut path = AbstractPath { steps: Vec::new(), points: Vec::new(), target };
        let lost = || Reason::Internal("the history of a path does not fit the program".to_owned());
        for (choices, end) in stretches {
            let mut choices = choices.into_iter().peekable();
            // The first location of a stretch is the abstraction point that it starts from.
            let mut at_start = !path.points.is_empty();
            loop {
                if executor.loops.is_loop_head(location.node) && !std::mem::take(&mut at_start) {
                    match (choices.next(), end) {
                        (Some(Choice::LoopHead), _) => {}
                        (None, Some(id)) if self.graph.get(id).location == location => {
                            path.points.push((path.steps.len(), id));
                            break;
                        }
                        _ => return Err(lost()),
                    }
                }
                let node = program.node(location.node);
                let is_over = end.is_none() && choices.peek().is_none();
                if is_over && target == Target::Error && location == state.location {
                    return Ok(path);
                }
                let edge = match node.outgoing.as_slice() {
                    [] => {
                        let (caller, edge) = executor.paths.caller(location.path).ok_or_else(lost)?;
                        path.steps.push(PathStep::Return(location.path));
                        location = Location { path: caller, node: program.edge(edge).target };
                        continue;
                    }
                    [edge] if is_over && target == Target::Suspect(*edge) => return Ok(path),
                    [edge] => *edge,
                    _ => match choices.next() {
                        Some(Choice::Branch(edge)) => edge,
                        _ => return Err(lost()),
                    },
                };
                path.steps.push(PathStep::Edge(location.path, edge));
                location = match &program.edge(edge).label {
                    Label::Call(call) => Location {
                        path: executor.paths.known(location.path, edge).ok_or_else(lost)?,
                        node: program.procedure(call.procedure).entry,
                    },
                    _ => Location { path: location.path, node: program.edge(edge).target },
                };
            }
        }
        Err(lost())
    }

    /// ISFEASIBLE: plain symbolic execution along the path.
    pub(super) fn follow_exactly(&mut self, path: &AbstractPath) -> PathFeasibility {
        let mut state = self.executor.initial_state();
        state.history = None;
        let program = self.executor.program;
        for (position, &step) in path.steps.iter().enumerate() {
            let step = match step {
                PathStep::Return(_) => self.executor.leave(&mut state),
                PathStep::Edge(_, edge) => match &program.edge(edge).label {
                    Label::Op(Op::Assume(_)) => match self.executor.assume(&mut state, edge) {
                        Ok(true) => Step::Continue,
                        Ok(false) => return PathFeasibility::Infeasible(position + 1),
                        Err(reason) => return PathFeasibility::Unknown(reason),
                    },
                    _ => self.executor.next(&mut state, edge),
                },
            };
            match step {
                Step::Continue => {}
                Step::Stop(reason) => return PathFeasibility::Unknown(reason),
                _ => {
                    let details = "a path of the abstraction cannot be followed".to_owned();
                    return PathFeasibility::Unknown(Reason::Internal(details));
                }
            }
        }
        let conjuncts = state.pc.conjuncts();
        match self.executor.solver.check(self.executor.pool, &conjuncts) {
            Answer::Sat(model) => {
                state.witness = Rc::new(Witness::new(Model::clone(&model)));
                PathFeasibility::Feasible(self.executor.counterexample(&state))
            }
            Answer::Unsat(_) => PathFeasibility::Infeasible(path.steps.len()),
            Answer::Unknown(reason) => PathFeasibility::Unknown(Reason::Solver(reason)),
        }
    }

    /// The first steps of a path as operations on variables of the unfolded program, and for each of these steps
    /// the number of operations before it.
    pub(super) fn operations(
        &mut self,
        path: &AbstractPath,
        length: usize,
    ) -> (Vec<interpolate::Step>, Vec<usize>) {
        let program = self.executor.program;
        let (mut operations, mut starts) = (Vec::new(), Vec::new());
        for &step in &path.steps[..length] {
            starts.push(operations.len());
            let (frames, pool) = (&mut self.frames, &mut *self.executor.pool);
            match step {
                PathStep::Edge(path, edge) => {
                    let info = program.edge(edge);
                    let is_dead = |variable| !self.executor.liveness.is_live(program, info.target, variable);
                    match &info.label {
                        Label::Op(Op::Assume(condition)) => {
                            let condition = frames.unfold(program, pool, path, *condition);
                            operations.push(interpolate::Step::Assume(condition));
                        }
                        Label::Op(Op::Assign(variable, _) | Op::Havoc(variable, _)) if is_dead(*variable) => {
                        }
                        Label::Op(Op::Assign(variable, value)) => {
                            operations.push(interpolate::Step::Assign {
                                variable: frames.term(program, pool, path, *variable),
                                value: frames.unfold(program, pool, path, *value),
                            })
                        }
                        Label::Op(Op::Havoc(variable, _)) => {
                            let variable = frames.term(program, pool, path, *variable);
                            operations.push(interpolate::Step::Havoc(variable));
                        }
                        Label::Call(call) => {
                            let Some(callee) = self.executor.paths.known(path, edge) else { continue };
                            let procedure = program.procedure(call.procedure);
                            for (&parameter, &argument) in procedure.parameters.iter().zip(&call.arguments) {
                                if self.executor.liveness.is_live(program, procedure.entry, parameter) {
                                    operations.push(interpolate::Step::Assign {
                                        variable: frames.term(program, pool, callee, parameter),
                                        value: frames.unfold(program, pool, path, argument),
                                    });
                                }
                            }
                        }
                        Label::Unsupported(_) | Label::Undefined { .. } => {}
                    }
                }
                PathStep::Return(callee) => {
                    let Some((caller, edge)) = self.executor.paths.caller(callee) else { continue };
                    let info = program.edge(edge);
                    if let Label::Call(call) = &info.label
                        && let (Some(target), Some(source)) =
                            (call.result, program.procedure(call.procedure).result)
                        && self.executor.liveness.is_live(program, info.target, target)
                    {
                        operations.push(interpolate::Step::Assign {
                            variable: frames.term(program, pool, caller, target),
                            value: frames.term(program, pool, callee, source),
                        });
                    }
                }
            }
        }
        starts.push(operations.len());
        (operations, starts)
    }
}
