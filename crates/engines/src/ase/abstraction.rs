//! Predicates and abstract states.

use super::Ase;
use super::System;
use crate::{Event, Reason};
use aster_term::{Op, Sort, Substitution, Term, TermPool, free_variables};
use rustc_hash::{FxHashMap, FxHashSet};

/// Φ, without what is about control variables alone: their values are part of abstract states.
pub(super) struct Predicates {
    terms: Vec<Term>,
    positions: FxHashMap<Term, usize>,
    /// Positions of the variables that hold one of a few named values, such as program counters.
    pub(super) control: Vec<usize>,
    control_terms: FxHashSet<Term>,
}

impl Predicates {
    /// The atoms of guards and of the property.
    pub(super) fn of_system(system: &System, pool: &mut TermPool) -> Self {
        let control: Vec<usize> =
            (0..system.variables.len()).filter(|&i| system.variables[i].is_control).collect();
        let control_terms = control.iter().map(|&i| system.variables[i].term).collect();
        let mut predicates =
            Predicates { terms: Vec::new(), positions: FxHashMap::default(), control, control_terms };
        let guards: Vec<Term> = system.transitions.iter().map(|transition| transition.guard).collect();
        for formula in guards.into_iter().chain([system.error]) {
            predicates.add_atoms(pool, formula);
        }
        predicates
    }

    pub(super) fn len(&self) -> usize {
        self.terms.len()
    }

    pub(super) fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Where an atom is, if it is a predicate.
    pub(super) fn position(&self, atom: Term) -> Option<usize> {
        self.positions.get(&atom).copied()
    }

    /// Adds the atoms of a formula that are not known yet; true if there was one.
    pub(super) fn add_atoms(&mut self, pool: &TermPool, formula: Term) -> bool {
        let before = self.terms.len();
        for atom in atoms(pool, formula) {
            let variables = free_variables(pool, &[atom]);
            let is_about_control = variables.iter().all(|variable| self.control_terms.contains(variable));
            if !is_about_control && !self.positions.contains_key(&atom) {
                self.positions.insert(atom, self.terms.len());
                self.terms.push(atom);
            }
        }
        self.terms.len() > before
    }
}

/// The atoms of a formula, in the order in which they occur: what is under no connective but others.
pub(super) fn atoms(pool: &TermPool, formula: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match pool.op(term) {
            Op::BoolConst(_) => {}
            _ if is_connective(pool, term) => stack.extend(pool.args(term).iter().rev()),
            _ => found.push(term),
        }
    }
    found
}

/// A formula without negations around it, and whether there was an odd number of them.
pub(super) fn strip_negation(pool: &TermPool, mut formula: Term) -> (Term, bool) {
    let mut is_negated = false;
    while pool.op(formula) == Op::Not {
        formula = pool.args(formula)[0];
        is_negated = !is_negated;
    }
    (formula, is_negated)
}

/// True for Boolean structure above atoms.
fn is_connective(pool: &TermPool, term: Term) -> bool {
    match pool.op(term) {
        Op::Not | Op::And | Op::Or | Op::Xor => true,
        Op::Eq => pool.sort(pool.args(term)[0]) == Sort::Bool,
        Op::Ite => pool.sort(term) == Sort::Bool,
        _ => false,
    }
}

/// The values of control variables and the valuation of the predicates.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct AbstractState {
    /// The values of the control variables, in their order; truth values are 0 and 1.
    pub(super) control: Vec<i64>,
    /// Whether each predicate holds.
    pub(super) holds: Vec<bool>,
}

/// What depends on nothing but the abstract state.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) is_error: bool,
    /// Positions of the enabled transitions.
    pub(super) enabled: Vec<usize>,
}

/// The abstract states met in one round, by number.
#[derive(Default)]
pub(super) struct AbstractStates {
    numbers: FxHashMap<AbstractState, u32>,
    states: Vec<(AbstractState, Facts)>,
}

impl AbstractStates {
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    pub(super) fn get(&self, number: u32) -> &AbstractState {
        &self.states[number as usize].0
    }

    pub(super) fn facts(&self, number: u32) -> &Facts {
        &self.states[number as usize].1
    }
}

impl Ase<'_> {
    /// The number of an abstract state, of which something may be known.
    pub(super) fn number(&mut self, state: AbstractState, facts: Option<Facts>) -> Result<u32, Reason> {
        if let Some(&number) = self.states.numbers.get(&state) {
            return Ok(number);
        }
        self.observer.on(Event::Abstraction);
        let number = self.states.states.len() as u32;
        let facts = match facts {
            Some(facts) => facts,
            None => self.facts_of(&state)?,
        };
        self.states.numbers.insert(state.clone(), number);
        self.states.states.push((state, facts));
        Ok(number)
    }

    fn facts_of(&mut self, state: &AbstractState) -> Result<Facts, Reason> {
        let mut known: FxHashMap<Term, bool> = FxHashMap::default();
        let system = self.system;
        let is_error = self.holds_in(state, system.error, &mut known)?;
        let mut enabled = Vec::new();
        for (position, transition) in system.transitions.iter().enumerate() {
            if self.holds_in(state, transition.guard, &mut known)? {
                enabled.push(position);
            }
        }
        Ok(Facts { is_error, enabled })
    }

    /// The truth of a formula all of whose atoms are predicates or about control variables.
    fn holds_in(
        &mut self,
        state: &AbstractState,
        formula: Term,
        known: &mut FxHashMap<Term, bool>,
    ) -> Result<bool, Reason> {
        let mut stack = vec![formula];
        while let Some(&term) = stack.last() {
            if known.contains_key(&term) {
                stack.pop();
                continue;
            }
            let args = self.pool.args(term).to_vec();
            let truth = match self.pool.op(term) {
                Op::BoolConst(truth) => truth,
                _ if is_connective(self.pool, term) => {
                    let open: Vec<Term> =
                        args.iter().copied().filter(|arg| !known.contains_key(arg)).collect();
                    if !open.is_empty() {
                        stack.extend(open);
                        continue;
                    }
                    let of = |i: usize| known[&args[i]];
                    match self.pool.op(term) {
                        Op::Not => !of(0),
                        Op::And => of(0) && of(1),
                        Op::Or => of(0) || of(1),
                        Op::Xor => of(0) != of(1),
                        Op::Eq => of(0) == of(1),
                        _ => {
                            if of(0) {
                                of(1)
                            } else {
                                of(2)
                            }
                        }
                    }
                }
                _ => match self.predicates.position(term) {
                    Some(position) => state.holds[position],
                    None => self.control_atom(state, term)?,
                },
            };
            known.insert(term, truth);
            stack.pop();
        }
        Ok(known[&formula])
    }

    /// The truth of an atom about control variables.
    fn control_atom(&mut self, state: &AbstractState, atom: Term) -> Result<bool, Reason> {
        let value = self.with_control(state, atom);
        let unknown = || Reason::Internal("an abstract state does not decide a condition".to_owned());
        self.pool.bool_constant(value).ok_or_else(unknown)
    }

    /// A term with the values of control variables put in.
    pub(super) fn with_control(&mut self, state: &AbstractState, term: Term) -> Term {
        let mut substitution = Substitution::new();
        for (position, value) in self.control_values(state) {
            substitution.insert(self.system.variables[position].term, value);
        }
        substitution.apply(self.pool, term)
    }

    /// The positions of the control variables, and literals for their values.
    pub(super) fn control_values(&mut self, state: &AbstractState) -> Vec<(usize, Term)> {
        let positions = self.predicates.control.clone();
        positions.into_iter().zip(&state.control).map(|(p, &value)| (p, self.literal(p, value))).collect()
    }

    /// The literal for a value of a variable.
    pub(super) fn literal(&mut self, position: usize, value: i64) -> Term {
        match self.system.variables[position].sort(self.pool) {
            Sort::Bool => self.pool.bool(value == 1),
            _ => self.pool.int(value.into()),
        }
    }

    /// The number that stands for a literal, if it fits.
    pub(super) fn number_of(&self, literal: Term) -> Option<i64> {
        match self.pool.op(literal) {
            Op::BoolConst(truth) => Some(truth.into()),
            Op::NumberConst(_) if self.pool.sort(literal) == Sort::Int => {
                self.pool.rational_constant(literal)?.to_i64()
            }
            _ => None,
        }
    }

    /// The numbers that stand for the values of control variables.
    pub(super) fn numbers_of(&self, literals: &[Term]) -> Result<Vec<i64>, Reason> {
        let numbers: Option<Vec<i64>> = literals.iter().map(|&literal| self.number_of(literal)).collect();
        numbers.ok_or_else(|| Reason::Internal("a control variable has a large value".to_owned()))
    }

    /// γ(a) as conjuncts over the system's variables.
    pub(super) fn formula(&mut self, number: u32) -> Vec<Term> {
        let state = self.states.get(number).clone();
        let mut conjuncts = Vec::new();
        for (position, value) in self.control_values(&state) {
            let variable = self.system.variables[position].term;
            conjuncts.push(self.pool.eq(variable, value));
        }
        for (position, &holds) in state.holds.iter().enumerate() {
            let predicate = self.predicates.terms()[position];
            conjuncts.push(if holds { predicate } else { self.pool.not(predicate) });
        }
        conjuncts
    }
}
