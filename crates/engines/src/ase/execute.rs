//! Symbolic execution with abstract matching: Figures 4.2 and 4.4.

use super::Assigned;
use super::abstraction::AbstractState;
use super::{Ase, Run};
use crate::{Event, Reason};
use aster_smt::Answer;
use aster_term::{Model, Sort, Substitution, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A transition between abstract states.
pub(super) type Edge = (u32, usize, u32);

/// A symbolic state (f, PC): values of the variables over inputs, and what is known about the inputs.
#[derive(Clone, Debug)]
pub(super) struct SymbolicState {
    values: Rc<[Term]>,
    pc: Rc<[Term]>,
    /// α(s).
    number: u32,
    /// How it was reached: the state before, the transition, and its inputs.
    parent: Option<Rc<Step>>,
}

#[derive(Debug)]
struct Step {
    before: SymbolicState,
    transition: usize,
    inputs: Vec<Term>,
}

/// How a round ended.
pub(super) enum Search {
    Error(Run),
    Complete(Explored),
}

/// What a round explored.
#[derive(Debug, Default)]
pub(super) struct Explored {
    /// Transitions on stems and on paths that end.
    pub(super) fin: FxHashSet<Edge>,
    /// Transitions on loops.
    pub(super) inf: FxHashSet<Edge>,
    /// A₀.
    pub(super) initial: FxHashSet<u32>,
    pub(super) symbolic_states: u64,
}

impl Explored {
    /// The abstract states on loops and those reachable from them.
    pub(super) fn fragment(&self) -> Vec<u32> {
        let mut successors: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for &(from, _, to) in self.fin.iter().chain(&self.inf) {
            successors.entry(from).or_default().push(to);
        }
        let mut found: FxHashSet<u32> = self.inf.iter().flat_map(|&(from, _, to)| [from, to]).collect();
        let mut stack: Vec<u32> = found.iter().copied().collect();
        while let Some(state) = stack.pop() {
            for &next in successors.get(&state).into_iter().flatten() {
                if found.insert(next) {
                    stack.push(next);
                }
            }
        }
        sorted(found)
    }

    /// All abstract states.
    pub(super) fn all_states(&self) -> Vec<u32> {
        let edges = self.fin.iter().chain(&self.inf);
        sorted(edges.flat_map(|&(from, _, to)| [from, to]).chain(self.initial.iter().copied()).collect())
    }

    /// The transitions from a set of abstract states, in a fixed order.
    pub(super) fn transitions_from(&self, states: &[u32]) -> Vec<Edge> {
        let inside: FxHashSet<u32> = states.iter().copied().collect();
        let mut edges: Vec<Edge> =
            self.fin.union(&self.inf).copied().filter(|(from, ..)| inside.contains(from)).collect();
        edges.sort_unstable();
        edges
    }
}

fn sorted(set: FxHashSet<u32>) -> Vec<u32> {
    let mut list: Vec<u32> = set.into_iter().collect();
    list.sort_unstable();
    list
}

/// Where the paths below a state of the current path went.
#[derive(Clone, Copy, Debug)]
struct Ends {
    /// The smallest and the largest position on the path that one of them came back to.
    lowest: usize,
    highest: Option<usize>,
    /// One of them ended.
    leaf: bool,
}

impl Ends {
    const NONE: Ends = Ends { lowest: usize::MAX, highest: None, leaf: false };

    fn join(&mut self, other: Ends) {
        self.lowest = self.lowest.min(other.lowest);
        self.highest = self.highest.max(other.highest);
        self.leaf |= other.leaf;
    }
}

/// A state of the current path, with what is left to do below it.
struct Frame {
    state: SymbolicState,
    /// The transition that led to it.
    incoming: Option<usize>,
    /// Enabled transitions that were not taken yet, last one first.
    open: Vec<usize>,
    /// Successors by one transition that were not followed yet.
    waiting: Vec<(usize, SymbolicState)>,
    ends: Ends,
}

impl Ase<'_> {
    /// symbolicExec(P, Φ).
    pub(super) fn symbolic_execution(&mut self) -> Result<Search, Reason> {
        let mut explored = Explored::default();
        let first = self.initial_state();
        for state in self.split_state(first)? {
            explored.initial.insert(state.number);
            if let Some(run) = self.explore_from(state, &mut explored)? {
                return Ok(Search::Error(run));
            }
        }
        Ok(Search::Complete(explored))
    }

    fn initial_state(&mut self) -> SymbolicState {
        let mut values = Vec::with_capacity(self.system.variables.len());
        let mut substitution = Substitution::new();
        for variable in &self.system.variables {
            let value = match variable.initial {
                Some(value) => value,
                None => variable.fresh(self.pool),
            };
            substitution.insert(variable.term, value);
            values.push(value);
        }
        let init = substitution.apply(self.pool, self.system.init);
        SymbolicState { values: values.into(), pc: conjuncts_of(self.pool, init), number: 0, parent: None }
    }

    /// Depth-first, from one initial state. A run if there is an error.
    fn explore_from(&mut self, first: SymbolicState, explored: &mut Explored) -> Result<Option<Run>, Reason> {
        let mut positions: FxHashMap<u32, usize> = FxHashMap::default();
        let mut path: Vec<Frame> = Vec::new();
        if self.states.facts(first.number).is_error {
            return self.run_to(&first).map(Some);
        }
        self.enter(&mut path, &mut positions, first, None, explored);
        while let Some(frame) = path.last_mut() {
            let depth = path_position(&positions, frame);
            if let Some((transition, state)) = frame.waiting.pop() {
                if self.states.facts(state.number).is_error {
                    return self.run_to(&state).map(Some);
                }
                let edge = (frame.state.number, transition, state.number);
                match positions.get(&state.number) {
                    // Line 16: a lasso. The edges of its stem and of its loop are told apart when the path is left.
                    Some(&back) => {
                        frame.ends.join(Ends { lowest: back, highest: Some(back), leaf: false });
                        explored.inf.insert(edge);
                    }
                    None => self.enter(&mut path, &mut positions, state, Some(transition), explored),
                }
                continue;
            }
            if let Some(transition) = frame.open.pop() {
                let before = frame.state.clone();
                let successors = self.successors(&before, transition)?;
                let Some(frame) = path.last_mut() else { break };
                frame.waiting.extend(successors.into_iter().rev().map(|state| (transition, state)));
                self.check_budget()?;
                continue;
            }
            let Some(done) = path.pop() else { break };
            positions.remove(&done.state.number);
            if let (Some(above), Some(transition)) = (path.last_mut(), done.incoming) {
                let edge = (above.state.number, transition, done.state.number);
                // The edge leads from position depth - 1 to depth.
                let from = depth - 1;
                if done.ends.lowest <= from {
                    explored.inf.insert(edge);
                }
                if done.ends.leaf || done.ends.highest.is_some_and(|back| back > from) {
                    explored.fin.insert(edge);
                }
                above.ends.join(done.ends);
            }
        }
        Ok(None)
    }

    fn enter(
        &mut self,
        path: &mut Vec<Frame>,
        positions: &mut FxHashMap<u32, usize>,
        state: SymbolicState,
        incoming: Option<usize>,
        explored: &mut Explored,
    ) {
        explored.symbolic_states += 1;
        self.observer.on(Event::Position { depth: path.len() as u64, waiting: 0 });
        positions.insert(state.number, path.len());
        let mut open = self.states.facts(state.number).enabled.clone();
        open.reverse();
        let leaf = open.is_empty();
        path.push(Frame { state, incoming, open, waiting: Vec::new(), ends: Ends { leaf, ..Ends::NONE } });
    }

    /// Exec(s, e_t), split.
    fn successors(&mut self, state: &SymbolicState, transition: usize) -> Result<Vec<SymbolicState>, Reason> {
        self.observer.on(Event::Steps(1));
        let system = self.system;
        let mut substitution = Substitution::new();
        for (variable, &value) in system.variables.iter().zip(state.values.iter()) {
            substitution.insert(variable.term, value);
        }
        let mut values = state.values.to_vec();
        let mut pc = state.pc.to_vec();
        let mut inputs = Vec::new();
        for &(position, assigned) in &system.transitions[transition].assignments {
            values[position] = match assigned {
                Assigned::Term(term) => substitution.apply(self.pool, term),
                Assigned::Nondet => {
                    let variable = &system.variables[position];
                    let input = variable.fresh(self.pool);
                    let inside = variable.contains(self.pool, input);
                    if self.pool.bool_constant(inside).is_none() {
                        pc.push(inside);
                    }
                    inputs.push(input);
                    input
                }
            };
        }
        let step = Step { before: state.clone(), transition, inputs };
        self.split_state(SymbolicState {
            values: values.into(),
            pc: pc.into(),
            number: 0,
            parent: Some(Rc::new(step)),
        })
    }

    /// splitState(s): one state for each abstract state that s has a part in.
    pub(super) fn split_state(&mut self, state: SymbolicState) -> Result<Vec<SymbolicState>, Reason> {
        let mut substitution = Substitution::new();
        for (variable, &value) in self.system.variables.iter().zip(state.values.iter()) {
            substitution.insert(variable.term, value);
        }
        let control: Vec<Term> =
            self.predicates.control.iter().map(|&position| state.values[position]).collect();
        let predicates = self.predicates.terms().to_vec();
        let predicates: Vec<Term> =
            predicates.into_iter().map(|predicate| substitution.apply(self.pool, predicate)).collect();
        let is_open = |pool: &aster_term::TermPool, term: &Term| pool.constant(*term).is_none();
        let open_control = control.iter().any(|term| is_open(self.pool, term));
        let open_predicates = predicates.iter().any(|term| is_open(self.pool, term));
        if !open_control && !open_predicates {
            let holds = predicates.iter().map(|&p| self.pool.bool_constant(p) == Some(true)).collect();
            // What was assumed about inputs was satisfiable and still is.
            let is_first = state.parent.is_none();
            if is_first && !self.is_satisfiable(&state.pc)? {
                return Ok(Vec::new());
            }
            let number = self.number(AbstractState { control, holds });
            return Ok(vec![SymbolicState { number, ..state }]);
        }
        let mut found = Vec::new();
        let mut query = state.pc.to_vec();
        loop {
            let model = match self.solver.check(self.pool, &query) {
                Answer::Sat(model) => model,
                Answer::Unsat(_) => return Ok(found),
                Answer::Unknown(reason) => return Err(self.gave_up(reason)),
            };
            let mut literals = Vec::new();
            let mut own_control = Vec::with_capacity(control.len());
            for &term in &control {
                let value = self.literal_of(term, &model);
                if value != term {
                    literals.push(self.pool.eq(term, value));
                }
                own_control.push(value);
            }
            let mut holds = Vec::with_capacity(predicates.len());
            for &predicate in &predicates {
                let truth = aster_term::evaluate(self.pool, predicate, &model) == Value::Bool(true);
                if self.pool.constant(predicate).is_none() {
                    literals.push(if truth { predicate } else { self.pool.not(predicate) });
                }
                holds.push(truth);
            }
            let minterm = self.pool.and_all(&literals);
            let others = self.pool.not(minterm);
            query.push(others);
            let mut values = state.values.to_vec();
            for (&position, &value) in self.predicates.control.iter().zip(&own_control) {
                values[position] = value;
            }
            let mut pc = state.pc.to_vec();
            for literal in literals {
                if !pc.contains(&literal) {
                    pc.push(literal);
                }
            }
            let number = self.number(AbstractState { control: own_control, holds });
            found.push(SymbolicState {
                values: values.into(),
                pc: pc.into(),
                number,
                parent: state.parent.clone(),
            });
        }
    }

    /// The value of a term under a model, as a literal.
    fn literal_of(&mut self, term: Term, model: &Model) -> Term {
        if self.pool.constant(term).is_some() {
            return term;
        }
        let value = aster_term::evaluate(self.pool, term, model);
        self.pool.value(&value)
    }

    /// The concrete run that a symbolic state stands for.
    fn run_to(&mut self, state: &SymbolicState) -> Result<Run, Reason> {
        let model = match self.solver.check(self.pool, &state.pc) {
            Answer::Sat(model) => model,
            Answer::Unsat(_) => {
                return Err(Reason::Internal("a symbolic state that stands for nothing".to_owned()));
            }
            Answer::Unknown(reason) => return Err(self.gave_up(reason)),
        };
        let mut steps = Vec::new();
        let mut first = state;
        while let Some(step) = &first.parent {
            let inputs =
                step.inputs.iter().map(|&input| aster_term::evaluate(self.pool, input, &model)).collect();
            steps.push((step.transition, inputs));
            first = &step.before;
        }
        steps.reverse();
        let initial =
            first.values.iter().map(|&value| aster_term::evaluate(self.pool, value, &model)).collect();
        Ok(Run { initial, steps })
    }
}

/// The position of the last state of the path.
fn path_position(positions: &FxHashMap<u32, usize>, frame: &Frame) -> usize {
    positions.get(&frame.state.number).copied().unwrap_or(0)
}

/// A formula as conjuncts.
fn conjuncts_of(pool: &aster_term::TermPool, formula: Term) -> Rc<[Term]> {
    let mut conjuncts = Vec::new();
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        match pool.op(term) {
            aster_term::Op::And => stack.extend(pool.args(term).iter().rev()),
            aster_term::Op::BoolConst(true) => {}
            _ => conjuncts.push(term),
        }
    }
    debug_assert!(conjuncts.iter().all(|&term| pool.sort(term) == Sort::Bool));
    conjuncts.into()
}
