//! Symbolic execution with abstract matching: Figures 4.2 and 4.4.

use super::Assigned;
use super::abstraction::AbstractState;
use super::{Ase, Run};
use crate::{Event, Reason};
use aster_smt::Answer;
use aster_term::{Model, Op, Sort, Substitution, Term, TermPool, Value, free_variables};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
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

/// The values and the path condition of a symbolic state.
type Contents = (Rc<[Term]>, Rc<[Term]>);

/// What a round explored.
#[derive(Debug, Default)]
pub(super) struct Explored {
    /// The transitions that were taken.
    edges: BTreeSet<Edge>,
    /// A₀.
    initial: BTreeSet<u32>,
    /// The symbolic states whose successors were made.
    expanded: FxHashSet<Contents>,
}

impl Explored {
    /// The abstract states on cycles and those reachable from them.
    pub(super) fn fragment(&self) -> Vec<u32> {
        let mut successors: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for &(from, _, to) in &self.edges {
            successors.entry(from).or_default().push(to);
        }
        let mut found: BTreeSet<u32> = on_cycles(&successors);
        let mut stack: Vec<u32> = found.iter().copied().collect();
        while let Some(state) = stack.pop() {
            for &next in successors.get(&state).into_iter().flatten() {
                if found.insert(next) {
                    stack.push(next);
                }
            }
        }
        found.into_iter().collect()
    }

    /// All abstract states.
    pub(super) fn all_states(&self) -> Vec<u32> {
        let ends = self.edges.iter().flat_map(|&(from, _, to)| [from, to]);
        ends.chain(self.initial.iter().copied()).collect::<BTreeSet<u32>>().into_iter().collect()
    }

    /// The transitions from a set of abstract states.
    pub(super) fn transitions_from(&self, states: &[u32]) -> Vec<Edge> {
        let inside: FxHashSet<u32> = states.iter().copied().collect();
        self.edges.iter().copied().filter(|(from, ..)| inside.contains(from)).collect()
    }
}

/// The nodes of a graph that lie on cycles: those of its strongly connected components that have an edge inside
/// (Tarjan's algorithm, with a stack of its own).
fn on_cycles(successors: &BTreeMap<u32, Vec<u32>>) -> BTreeSet<u32> {
    #[derive(Clone, Copy)]
    struct Visit {
        order: usize,
        low: usize,
        is_open: bool,
    }
    let none: &[u32] = &[];
    let of = |node: u32| successors.get(&node).map_or(none, Vec::as_slice);
    let mut visits: FxHashMap<u32, Visit> = FxHashMap::default();
    let mut found = BTreeSet::new();
    let mut open: Vec<u32> = Vec::new();
    for &root in successors.keys() {
        if visits.contains_key(&root) {
            continue;
        }
        let mut path: Vec<(u32, usize)> = vec![(root, 0)];
        while let Some(&mut (node, ref mut next)) = path.last_mut() {
            if *next == 0 {
                let order = visits.len();
                visits.insert(node, Visit { order, low: order, is_open: true });
                open.push(node);
            }
            let position = *next;
            *next += 1;
            if let Some(&child) = of(node).get(position) {
                match visits.get(&child).copied() {
                    None => path.push((child, 0)),
                    Some(visit) if visit.is_open => {
                        if let Some(own) = visits.get_mut(&node) {
                            own.low = own.low.min(visit.order);
                        }
                    }
                    Some(_) => {}
                }
                continue;
            }
            path.pop();
            let own = visits[&node];
            if let Some(above) = path.last().and_then(|(above, _)| visits.get_mut(above)) {
                above.low = above.low.min(own.low);
            }
            if own.low == own.order {
                let start = open.iter().rposition(|&other| other == node).unwrap_or(0);
                let component = open.split_off(start);
                for member in &component {
                    if let Some(visit) = visits.get_mut(member) {
                        visit.is_open = false;
                    }
                }
                if component.len() > 1 || of(node).contains(&node) {
                    found.extend(component);
                }
            }
        }
    }
    found
}

/// A state of the current path, with what is left to do below it.
struct Frame {
    state: SymbolicState,
    /// Enabled transitions that were not taken yet, last one first.
    open: Vec<usize>,
    /// Successors that were not followed yet, with their transition.
    waiting: Vec<(usize, SymbolicState)>,
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
        let mut init = substitution.apply(self.pool, self.system.init);
        // Equations that say what a value is are used at once: the fewer inputs there are, the less the solver has to do.
        while let Some((variable, value)) = equation(self.pool, init) {
            let mut substitution = Substitution::new();
            substitution.insert(variable, value);
            init = substitution.apply(self.pool, init);
            for held in &mut values {
                *held = substitution.apply(self.pool, *held);
            }
        }
        SymbolicState { values: values.into(), pc: conjuncts_of(self.pool, init), number: 0, parent: None }
    }

    /// Depth-first, from one initial state. A run if there is an error.
    fn explore_from(&mut self, first: SymbolicState, explored: &mut Explored) -> Result<Option<Run>, Reason> {
        // The abstract states on the current path.
        let mut visited: FxHashSet<u32> = FxHashSet::default();
        let mut path: Vec<Frame> = Vec::new();
        if self.states.facts(first.number).is_error {
            return self.run_to(&first).map(Some);
        }
        self.enter(&mut path, &mut visited, first, explored);
        while let Some(frame) = path.last_mut() {
            if let Some((transition, state)) = frame.waiting.pop() {
                if self.states.facts(state.number).is_error {
                    return self.run_to(&state).map(Some);
                }
                explored.edges.insert((frame.state.number, transition, state.number));
                // Line 16: the path comes back to an abstract state that it was in.
                if !visited.contains(&state.number) {
                    self.enter(&mut path, &mut visited, state, explored);
                }
            } else if let Some(transition) = frame.open.pop() {
                let before = frame.state.clone();
                let successors = self.successors(&before, transition)?;
                if let Some(frame) = path.last_mut() {
                    frame.waiting.extend(successors.into_iter().rev().map(|state| (transition, state)));
                }
                self.check_budget()?;
            } else if let Some(done) = path.pop() {
                visited.remove(&done.state.number);
            }
        }
        Ok(None)
    }

    fn enter(
        &mut self,
        path: &mut Vec<Frame>,
        visited: &mut FxHashSet<u32>,
        state: SymbolicState,
        explored: &mut Explored,
    ) {
        let is_new = explored.expanded.insert((Rc::clone(&state.values), Rc::clone(&state.pc)));
        if !is_new && self.options.sharing {
            return;
        }
        self.statistics.symbolic_states += 1;
        self.observer.on(Event::Position { depth: path.len() as u64, waiting: 0 });
        visited.insert(state.number);
        let mut open = self.states.facts(state.number).enabled.clone();
        open.reverse();
        path.push(Frame { state, open, waiting: Vec::new() });
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
        let is_open = |pool: &TermPool, term: &Term| pool.constant(*term).is_none();
        let open_control = control.iter().any(|term| is_open(self.pool, term));
        let open_predicates = predicates.iter().any(|term| is_open(self.pool, term));
        if !open_control && !open_predicates {
            let holds = predicates.iter().map(|&p| self.pool.bool_constant(p) == Some(true)).collect();
            // What was assumed about inputs was satisfiable and still is.
            let is_first = state.parent.is_none();
            if is_first && !self.is_satisfiable(&state.pc)? {
                return Ok(Vec::new());
            }
            let number = self.number(AbstractState { control, holds })?;
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
            let number = self.number(AbstractState { control: own_control, holds })?;
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

/// A conjunct that says what a variable is, without mentioning it again.
fn equation(pool: &TermPool, formula: Term) -> Option<(Term, Term)> {
    conjuncts_of(pool, formula).iter().find_map(|&conjunct| match (pool.op(conjunct), pool.args(conjunct)) {
        (Op::Eq, &[a, b]) => [(a, b), (b, a)].into_iter().find(|&(variable, value)| {
            pool.is_variable(variable) && !free_variables(pool, &[value]).contains(&variable)
        }),
        _ => None,
    })
}

/// A formula as conjuncts.
fn conjuncts_of(pool: &TermPool, formula: Term) -> Rc<[Term]> {
    let mut conjuncts = Vec::new();
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        match pool.op(term) {
            Op::And => stack.extend(pool.args(term).iter().rev()),
            Op::BoolConst(true) => {}
            _ => conjuncts.push(term),
        }
    }
    debug_assert!(conjuncts.iter().all(|&term| pool.sort(term) == Sort::Bool));
    conjuncts.into()
}
