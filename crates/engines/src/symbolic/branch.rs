//! Branches: which outgoing assumptions of a location are feasible, and which of those matter.

use super::compile::Compiled;
use super::executor::{Executor, Purpose, Step};
use super::history::Choice;
use super::state::{State, Witness};
use super::value::{Scalar, Value};
use crate::{Event, Reason};
use aster_cfa::{CallPath, Edge, Label, Location, Node};
use aster_smt::{Answer, UnknownReason};
use aster_term::Term;
use std::rc::Rc;

/// Whether a state can pass an assumption.
pub(crate) enum Feasibility {
    /// With the witness that it needs, unless its own will do.
    Yes(Option<Rc<Witness>>),
    No,
    Unknown(UnknownReason),
}

impl Executor<'_> {
    /// Lines 6 to 12 of Algorithm 1 for assumptions: the feasible ones among the outgoing edges.
    pub(crate) fn branch(&mut self, state: &mut State, edges: &[Edge]) -> Step {
        let mut open: Vec<(Edge, Term)> = Vec::new();
        for &edge in edges {
            let path = state.location.path;
            if self.leads_nowhere(Location { path, node: self.program.edge(edge).target }) {
                continue;
            }
            let compiled = self.compiled.edge(self.program, self.pool, edge);
            let Compiled::Assume(recipe) = &*compiled else {
                let details = "a location with several successors has one that is not an assumption";
                return Step::Stop(Reason::Internal(details.to_owned()));
            };
            match recipe.evaluate(self.pool, &mut state.memory, &mut self.registers) {
                Some(Value::Scalar(Scalar::Word(0))) => {}
                // The edges exclude each other: no other one can hold.
                Some(Value::Scalar(Scalar::Word(_))) => return self.take(state, edge, None, None),
                Some(Value::Scalar(Scalar::Term(condition))) => {
                    if state.pc.contains(condition) {
                        return self.take(state, edge, None, None);
                    }
                    let negated = self.pool.not(condition);
                    if !state.pc.contains(negated) {
                        open.push((edge, condition));
                    }
                }
                Some(Value::Array(_)) => {
                    return Step::Stop(Reason::Internal("an assumption is not a truth value".to_owned()));
                }
                None => return self.read_before_write(edge),
            }
        }
        // If exactly one of two opposite conditions is feasible, it is implied by the path condition.
        let mut exhaustive = match open.as_slice() {
            [(_, first), (_, second)] => self.pool.not(*first) == *second,
            _ => false,
        };
        let mut feasible = Vec::new();
        for (edge, condition) in open {
            let (is_feasible, witness) = match self.is_feasible(state, condition) {
                Feasibility::Yes(witness) => (true, witness),
                Feasibility::No => (false, None),
                Feasibility::Unknown(reason) => {
                    exhaustive = false;
                    match self.solver_gave_up(reason) {
                        Some(stop) => return Step::Stop(stop),
                        None => (false, None),
                    }
                }
            };
            if !is_feasible {
                continue;
            }
            // A path that only does what is undefined ends here; there is no need to wait for its turn.
            if self.purpose == Purpose::Exact
                && let Some(undefined) = self.undefined_after(self.program.edge(edge).target)
            {
                self.warn(undefined, state.location.path);
                self.observer.on(Event::PathEnded);
                exhaustive = false;
            } else {
                feasible.push((edge, condition, witness));
            }
        }
        self.successors(state, feasible, exhaustive)
    }

    /// True if literals alone decide which of the edges is taken.
    pub(crate) fn takes_literally(&mut self, state: &mut State, edges: &[Edge]) -> bool {
        edges.iter().all(|&edge| {
            let compiled = self.compiled.edge(self.program, self.pool, edge);
            let Compiled::Assume(recipe) = &*compiled else { return false };
            let truth = recipe.evaluate(self.pool, &mut state.memory, &mut self.registers);
            matches!(truth, Some(Value::Scalar(Scalar::Word(_))))
        })
    }

    /// Adds an assumption to the path condition without asking whether it can hold; false if it certainly cannot.
    /// The witness is then none any more.
    pub(crate) fn assume(&mut self, state: &mut State, edge: Edge) -> Result<bool, Reason> {
        let compiled = self.compiled.edge(self.program, self.pool, edge);
        let Compiled::Assume(recipe) = &*compiled else {
            return Err(Reason::Internal("an assumption was expected".to_owned()));
        };
        match recipe.evaluate(self.pool, &mut state.memory, &mut self.registers) {
            Some(Value::Scalar(Scalar::Word(truth))) => {
                state.location.node = self.program.edge(edge).target;
                Ok(truth != 0)
            }
            Some(Value::Scalar(Scalar::Term(condition))) => {
                self.take(state, edge, Some(condition), None);
                Ok(true)
            }
            _ => Err(Reason::Internal("an assumption has no truth value".to_owned())),
        }
    }

    /// ISSAT(pc ∧ condition); with a model of it if the state's witness is none.
    pub(crate) fn is_feasible(&mut self, state: &State, condition: Term) -> Feasibility {
        if state.witness.satisfies(self.pool, condition) {
            return Feasibility::Yes(None);
        }
        self.observer.on(Event::Query);
        let mut slice = state.pc.slice(&self.variable_sets.of(self.pool, condition));
        slice.conjuncts.push(condition);
        match self.solver.check(self.pool, &slice.conjuncts) {
            Answer::Sat(model) => {
                let witness = state.witness.updated(self.pool, &slice.variables, &model);
                Feasibility::Yes(Some(Rc::new(witness)))
            }
            Answer::Unsat(_) => Feasibility::No,
            Answer::Unknown(reason) => Feasibility::Unknown(reason),
        }
    }

    fn successors(
        &mut self,
        state: &mut State,
        mut feasible: Vec<(Edge, Term, Option<Rc<Witness>>)>,
        exhaustive: bool,
    ) -> Step {
        match feasible.len() {
            0 => Step::PathEnded,
            1 => {
                let Some((edge, condition, witness)) = feasible.pop() else { return Step::PathEnded };
                self.take(state, edge, (!exhaustive).then_some(condition), witness)
            }
            _ => {
                self.observer.on(Event::Fork);
                let mut successors = Vec::with_capacity(feasible.len());
                for (edge, condition, witness) in feasible {
                    let mut next = Box::new(state.clone());
                    self.take(&mut next, edge, Some(condition), witness);
                    next.depth += 1;
                    successors.push(next);
                }
                Step::Fork(successors)
            }
        }
    }

    /// The state becomes `(pc ∧ m(φ), m)` after an assumption.
    pub(crate) fn take(
        &mut self,
        state: &mut State,
        edge: Edge,
        condition: Option<Term>,
        witness: Option<Rc<Witness>>,
    ) -> Step {
        if let Some(condition) = condition {
            let variables = self.variable_sets.of(self.pool, condition);
            state.pc.add(condition, &variables);
            state.cycle.reset();
        }
        if let Some(witness) = witness {
            state.witness = witness;
        }
        if let Some(history) = &mut state.history
            && self.program.node(state.location.node).outgoing.len() > 1
        {
            Rc::make_mut(history).choices.push_back(Choice::Branch(edge));
        }
        state.location.node = self.program.edge(edge).target;
        Step::Continue
    }

    /// True if what happens from this location on can change neither the verdict nor the warnings. Only a branch
    /// can lead from a location where this is false to one where it is true.
    #[inline]
    pub(crate) fn leads_nowhere(&mut self, location: Location) -> bool {
        self.to_anything.to_target(self.program, &self.paths, location).is_none()
            && self.undefined_after(location.node).is_none_or(|edge| self.warned.contains(&edge))
    }

    /// The edge by which every execution that comes to this node does something undefined.
    fn undefined_after(&self, node: Node) -> Option<Edge> {
        match self.program.node(node).outgoing.as_slice() {
            [edge] if matches!(self.program.edge(*edge).label, Label::Undefined { .. }) => Some(*edge),
            _ => None,
        }
    }

    /// Reports undefined behaviour, once for each edge. It is an obstacle, unless it is assumed away.
    pub(crate) fn warn(&mut self, edge: Edge, path: CallPath) {
        if !self.warned.insert(edge) {
            return;
        }
        let span = self.paths.place(self.program, path, edge);
        match &self.program.edge(edge).label {
            Label::Undefined { assumed_away: true, .. } => {
                self.observer.assumed_away(self.program, edge, span);
            }
            Label::Undefined { what, .. } => {
                self.observer.on(Event::Undefined(edge, span));
                self.note_obstacle(Reason::Undefined { what: what.clone(), span });
            }
            _ => {}
        }
    }

    /// A query without an answer: `Some` if the run must end because of it.
    pub(crate) fn solver_gave_up(&mut self, reason: UnknownReason) -> Option<Reason> {
        let stop = self.must_stop(&reason);
        if stop.is_none() {
            self.note_obstacle(Reason::Solver(reason));
        }
        stop
    }

    /// The reason to stop, if a solver that gave up is one.
    pub(crate) fn must_stop(&self, reason: &UnknownReason) -> Option<Reason> {
        match (reason, self.budget.exhausted()) {
            (UnknownReason::Interrupted, Some(limit)) => Some(Reason::Limit(limit)),
            (UnknownReason::Disagreement(_), _) => Some(Reason::Solver(reason.clone())),
            _ => None,
        }
    }
}
