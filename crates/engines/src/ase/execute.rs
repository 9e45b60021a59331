//! Symbolic execution with abstract matching: Figures 4.2 and 4.4.

use super::abstraction::{AbstractState, Facts};
use super::explored::Explored;
use super::machine::Concrete;
use super::{Ase, Assigned, Run};
use crate::{Event, Reason};
use aster_smt::Answer;
use aster_term::{Model, Op, Sort, Substitution, Term, TermPool, Value, free_variables};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The values of all variables, in their order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Values {
    /// All of them are known.
    Concrete(Concrete),
    /// They depend on inputs (or do not fit into machine words).
    Terms(Rc<[Term]>),
}

/// A symbolic state (f, PC): values of the variables over inputs, and what is known about the inputs.
#[derive(Clone, Debug)]
pub(super) struct SymbolicState {
    values: Values,
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

/// The values of a symbolic state, and its path condition unless it does not matter because no value depends on inputs.
pub(super) type Contents = (Values, Option<Rc<[Term]>>);

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
        let values = self.values(values);
        SymbolicState { values, pc: conjuncts_of(self.pool, init), number: 0, parent: None }
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
        let contents = self.contents(&state);
        let is_new = explored.expanded.insert(contents);
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

    /// What two states with the same future have in common: concrete values with equal processes in order; otherwise values
    /// and what is known about the inputs that they depend on, whatever these are called.
    fn contents(&mut self, state: &SymbolicState) -> Contents {
        let terms = match &state.values {
            Values::Concrete(values) => return (Values::Concrete(self.in_order(values)), None),
            Values::Terms(terms) => Rc::clone(terms),
        };
        let mut inputs: Vec<Term> = Vec::new();
        let mut known: FxHashSet<Term> = FxHashSet::default();
        for &term in terms.iter() {
            inputs
                .extend(free_variables(self.pool, &[term]).into_iter().filter(|&input| known.insert(input)));
        }
        // What is known about other inputs can be satisfied, and matters only as far as it is about these, too.
        let mut open: Vec<(Term, Vec<Term>)> =
            state.pc.iter().map(|&conjunct| (conjunct, free_variables(self.pool, &[conjunct]))).collect();
        let mut pc = Vec::new();
        let mut next = 0;
        while next < open.len() {
            if open[next].1.iter().any(|input| known.contains(input)) {
                let (conjunct, about) = open.remove(next);
                inputs.extend(about.into_iter().filter(|&input| known.insert(input)));
                pc.push(conjunct);
                next = 0;
            } else {
                next += 1;
            }
        }
        let mut renaming = Substitution::new();
        for (number, &input) in inputs.iter().enumerate() {
            let sort = self.pool.sort(input);
            let name = self.pool.variable(&format!("input {number} {sort:?}"), sort);
            renaming.insert(input, name);
        }
        let values = terms.iter().map(|&term| renaming.apply(self.pool, term)).collect();
        let mut pc: Vec<Term> = pc.into_iter().map(|conjunct| renaming.apply(self.pool, conjunct)).collect();
        pc.sort_unstable();
        (Values::Terms(values), Some(pc.into()))
    }

    /// Exec(s, e_t), split.
    fn successors(&mut self, state: &SymbolicState, transition: usize) -> Result<Vec<SymbolicState>, Reason> {
        self.observer.on(Event::Steps(1));
        let mut pc = Rc::clone(&state.pc);
        let mut inputs = Vec::new();
        let values = match self.concrete_successor(&state.values, transition) {
            Some(values) => Values::Concrete(values),
            None => {
                let mut assumed = state.pc.to_vec();
                let values = self.assign(&state.values, transition, &mut assumed, &mut inputs);
                pc = assumed.into();
                self.values(values)
            }
        };
        let step = Step { before: state.clone(), transition, inputs };
        self.split_state(SymbolicState { values, pc, number: 0, parent: Some(Rc::new(step)) })
    }

    /// The values after a transition if neither they nor those before depend on inputs.
    fn concrete_successor(&mut self, values: &Values, transition: usize) -> Option<Concrete> {
        let (Values::Concrete(values), Some(machine)) = (values, &mut self.machine) else { return None };
        if machine.evaluate(values) { machine.after(values, transition) } else { None }
    }

    /// The values after a transition, with new inputs and what is known about them.
    fn assign(
        &mut self,
        values: &Values,
        transition: usize,
        pc: &mut Vec<Term>,
        inputs: &mut Vec<Term>,
    ) -> Vec<Term> {
        let system = self.system;
        let mut after = self.terms(values);
        let mut substitution = Substitution::new();
        for (variable, &value) in system.variables.iter().zip(&after) {
            substitution.insert(variable.term, value);
        }
        for &(position, assigned) in &system.transitions[transition].assignments {
            after[position] = match assigned {
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
        after
    }

    /// Terms as values: numbers if all of them are literals.
    fn values(&self, terms: Vec<Term>) -> Values {
        let numbers: Option<Concrete> = terms.iter().map(|&term| self.number_of(term)).collect();
        match numbers {
            Some(numbers) if self.machine.is_some() => Values::Concrete(numbers),
            _ => Values::Terms(terms.into()),
        }
    }

    /// Values as terms.
    fn terms(&mut self, values: &Values) -> Vec<Term> {
        match values {
            Values::Concrete(numbers) => {
                numbers.iter().enumerate().map(|(position, &number)| self.literal(position, number)).collect()
            }
            Values::Terms(terms) => terms.to_vec(),
        }
    }

    /// splitState(s): one state for each abstract state that s has a part in.
    pub(super) fn split_state(&mut self, state: SymbolicState) -> Result<Vec<SymbolicState>, Reason> {
        if let (Values::Concrete(values), Some(machine)) = (&state.values, &mut self.machine)
            && machine.evaluate(values)
        {
            let holds = machine.predicates();
            let control = self.predicates.control.iter().map(|&position| values[position]).collect();
            let facts = Facts { is_error: machine.is_error(), enabled: machine.enabled() };
            return self.whole_state(state, AbstractState { control, holds }, Some(facts));
        }
        let values = self.terms(&state.values);
        let mut substitution = Substitution::new();
        for (variable, &value) in self.system.variables.iter().zip(&values) {
            substitution.insert(variable.term, value);
        }
        let control: Vec<Term> = self.predicates.control.iter().map(|&position| values[position]).collect();
        let predicates = self.predicates.terms().to_vec();
        let predicates: Vec<Term> =
            predicates.into_iter().map(|predicate| substitution.apply(self.pool, predicate)).collect();
        let is_open = |pool: &TermPool, term: &Term| pool.constant(*term).is_none();
        let open_control = control.iter().any(|term| is_open(self.pool, term));
        let open_predicates = predicates.iter().any(|term| is_open(self.pool, term));
        if !open_control && !open_predicates {
            let holds = predicates.iter().map(|&p| self.pool.bool_constant(p) == Some(true)).collect();
            let control = self.numbers_of(&control)?;
            return self.whole_state(state, AbstractState { control, holds }, None);
        }
        let mut found = Vec::new();
        let mut query = state.pc.to_vec();
        loop {
            let model = match self.ask(&query) {
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
            let mut values = values.clone();
            for (&position, &value) in self.predicates.control.iter().zip(&own_control) {
                values[position] = value;
            }
            let values = self.values(values);
            let mut pc = state.pc.to_vec();
            for literal in literals {
                if !pc.contains(&literal) {
                    pc.push(literal);
                }
            }
            let control = self.numbers_of(&own_control)?;
            let number = self.number(AbstractState { control, holds }, None)?;
            found.push(SymbolicState { values, pc: pc.into(), number, parent: state.parent.clone() });
        }
    }

    /// A symbolic state that is within one abstract state.
    fn whole_state(
        &mut self,
        state: SymbolicState,
        within: AbstractState,
        facts: Option<Facts>,
    ) -> Result<Vec<SymbolicState>, Reason> {
        // What was assumed about inputs before a step was satisfiable and still is.
        if state.parent.is_none() && !self.is_satisfiable(&state.pc)? {
            return Ok(Vec::new());
        }
        let number = self.number(within, facts)?;
        Ok(vec![SymbolicState { number, ..state }])
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
        let model = match self.ask(&state.pc) {
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
        let values = self.terms(&first.values);
        let initial = values.iter().map(|&value| aster_term::evaluate(self.pool, value, &model)).collect();
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
