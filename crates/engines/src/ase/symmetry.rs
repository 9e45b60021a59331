//! Processes that can be exchanged: what is reached from a state is, with the processes exchanged, what is reached from
//! the state with the processes exchanged.
//!
//! Which variables belong to which process comes with the system, and is not believed: exchanging any two neighbours must
//! turn its initial condition, its transitions and its error condition into themselves. The predicates are closed under
//! exchanges. So a round explores one of all concrete states that differ by the order of processes, and gets the
//! others' abstract states and transitions by exchanging.

use super::abstraction::{AbstractState, strip_negation};
use super::explored::{Edge, Explored};
use super::machine::Concrete;
use super::{Ase, Assigned};
use crate::Reason;
use aster_term::{Substitution, Term};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Processes that can be put into any order.
#[derive(Debug)]
pub(super) struct Symmetry {
    /// The positions of the variables of each process, in corresponding order.
    processes: Vec<Vec<usize>>,
    exchanges: Vec<Exchange>,
}

/// Two processes change places.
#[derive(Debug)]
struct Exchange {
    /// Where the value of each variable goes.
    variables: Vec<usize>,
    /// The transition of the other process.
    transitions: Vec<usize>,
    /// For each predicate the one that it becomes, and whether it is negated then.
    predicates: Vec<(usize, bool)>,
}

impl Symmetry {
    /// The state with the processes in order of their values.
    fn sort(&self, state: &mut [i64]) {
        let mut values: Vec<Vec<i64>> = self
            .processes
            .iter()
            .map(|positions| positions.iter().map(|&position| state[position]).collect())
            .collect();
        values.sort_unstable();
        for (positions, values) in self.processes.iter().zip(values) {
            for (&position, value) in positions.iter().zip(values) {
                state[position] = value;
            }
        }
    }
}

impl Ase<'_> {
    /// Finds out which processes can be exchanged, if that is wanted.
    pub(super) fn find_symmetries(&mut self) -> Result<(), Reason> {
        if !self.options.symmetry || !self.options.sharing {
            return Ok(());
        }
        for processes in self.system.processes.clone() {
            let mut exchanges = Vec::new();
            for pair in processes.windows(2) {
                match self.exchange(&pair[0], &pair[1])? {
                    Some(exchange) => exchanges.push(exchange),
                    None => break,
                }
            }
            if processes.len() > 1 && exchanges.len() + 1 == processes.len() {
                self.symmetries.push(Symmetry { processes, exchanges });
            }
        }
        self.close_predicates();
        Ok(())
    }

    /// The exchange of the variables at some positions for those at others, if the system stays the same.
    fn exchange(&mut self, ones: &[usize], others: &[usize]) -> Result<Option<Exchange>, Reason> {
        let system = self.system;
        let mut variables: Vec<usize> = (0..system.variables.len()).collect();
        for (&one, &other) in ones.iter().zip(others) {
            let (a, b) = (&system.variables[one], &system.variables[other]);
            let is_alike = a.initial == b.initial
                && a.is_control == b.is_control
                && a.sort(self.pool) == b.sort(self.pool)
                && a.contains(self.pool, b.term) == b.domain;
            if !is_alike || ones.len() != others.len() {
                return Ok(None);
            }
            variables.swap(one, other);
        }
        let mut renaming = self.renaming(&variables);
        for formula in [system.init, system.error] {
            let exchanged = renaming.apply(self.pool, formula);
            if !self.is_equivalent(formula, exchanged)? {
                return Ok(None);
            }
        }
        let mut transitions = Vec::with_capacity(system.transitions.len());
        for transition in &system.transitions {
            let guard = renaming.apply(self.pool, transition.guard);
            let mut assignments: Vec<(usize, Assigned)> = Vec::new();
            for &(position, assigned) in &transition.assignments {
                let assigned = match assigned {
                    Assigned::Term(term) => Assigned::Term(renaming.apply(self.pool, term)),
                    Assigned::Nondet => Assigned::Nondet,
                };
                assignments.push((variables[position], assigned));
            }
            assignments.sort_unstable_by_key(|&(position, _)| position);
            let mut image = None;
            for (position, candidate) in system.transitions.iter().enumerate() {
                let mut others = candidate.assignments.clone();
                others.sort_unstable_by_key(|&(position, _)| position);
                if self.are_equivalent(&assignments, &others)?
                    && self.is_equivalent(guard, candidate.guard)?
                {
                    image = Some(position);
                    break;
                }
            }
            match image {
                Some(image) => transitions.push(image),
                None => return Ok(None),
            }
        }
        Ok(Some(Exchange { variables, transitions, predicates: Vec::new() }))
    }

    /// The substitution of each variable by the one that its value goes to.
    fn renaming(&self, variables: &[usize]) -> Substitution {
        let mut renaming = Substitution::new();
        for (position, &image) in variables.iter().enumerate().filter(|(position, image)| position != *image)
        {
            renaming.insert(self.system.variables[position].term, self.system.variables[image].term);
        }
        renaming
    }

    /// True if two lists of assignments, both in order of positions, do the same.
    fn are_equivalent(&mut self, a: &[(usize, Assigned)], b: &[(usize, Assigned)]) -> Result<bool, Reason> {
        if !a.iter().map(|(position, _)| position).eq(b.iter().map(|(position, _)| position)) {
            return Ok(false);
        }
        for ((_, a), (_, b)) in a.iter().zip(b) {
            let is_same = match (*a, *b) {
                (Assigned::Term(a), Assigned::Term(b)) => self.is_equivalent(a, b)?,
                (a, b) => a == b,
            };
            if !is_same {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// True if two terms always have the same value.
    fn is_equivalent(&mut self, a: Term, b: Term) -> Result<bool, Reason> {
        if a == b {
            return Ok(true);
        }
        let equal = self.pool.eq(a, b);
        let different = self.pool.not(equal);
        Ok(!self.is_satisfiable(&[different])?)
    }

    /// Adds what the predicates become when processes are exchanged.
    pub(super) fn close_predicates(&mut self) {
        let mut symmetries = std::mem::take(&mut self.symmetries);
        let mut renamings: Vec<Vec<Substitution>> = symmetries
            .iter()
            .map(|symmetry| symmetry.exchanges.iter().map(|e| self.renaming(&e.variables)).collect())
            .collect();
        // All lists grow with the predicates until nothing is new.
        let mut next = 0;
        let mut images: Vec<(Term, bool)> = Vec::new();
        while next < self.predicates.len() {
            let predicate = self.predicates.terms()[next];
            for renaming in renamings.iter_mut().flatten() {
                let image = renaming.apply(self.pool, predicate);
                let (atom, is_negated) = strip_negation(self.pool, image);
                self.predicates.add_atoms(self.pool, atom);
                images.push((atom, is_negated));
            }
            next += 1;
        }
        let mut exchanges: Vec<&mut Exchange> =
            symmetries.iter_mut().flat_map(|s| &mut s.exchanges).collect();
        let count = exchanges.len();
        for exchange in &mut exchanges {
            exchange.predicates.clear();
        }
        let mut is_closed = true;
        for (number, &(atom, is_negated)) in images.iter().enumerate() {
            match self.predicates.position(atom) {
                Some(position) => exchanges[number % count].predicates.push((position, is_negated)),
                // It is not an atom any more.
                None => is_closed = false,
            }
        }
        if is_closed {
            self.symmetries = symmetries;
        }
    }

    /// A concrete state with exchangeable processes in order.
    pub(super) fn in_order(&self, state: &Concrete) -> Concrete {
        let mut state = Rc::clone(state);
        for symmetry in &self.symmetries {
            symmetry.sort(Rc::make_mut(&mut state));
        }
        state
    }

    /// Adds what exchanging processes makes of the abstract states and transitions that were explored.
    pub(super) fn add_exchanged(&mut self, explored: &mut Explored) -> Result<(), Reason> {
        let symmetries = std::mem::take(&mut self.symmetries);
        let exchanges: Vec<&Exchange> = symmetries.iter().flat_map(|symmetry| &symmetry.exchanges).collect();
        let mut images: FxHashMap<(usize, u32), u32> = FxHashMap::default();
        let mut open: Vec<Edge> = explored.edges.iter().copied().collect();
        let mut initial: Vec<u32> = explored.initial.iter().copied().collect();
        while let Some(number) = initial.pop() {
            for (which, exchange) in exchanges.iter().enumerate() {
                let image = self.image(which, exchange, number, &mut images, explored)?;
                if explored.initial.insert(image) {
                    initial.push(image);
                }
            }
        }
        while let Some((from, transition, to)) = open.pop() {
            self.check_budget()?;
            for (which, exchange) in exchanges.iter().enumerate() {
                let from = self.image(which, exchange, from, &mut images, explored)?;
                let to = self.image(which, exchange, to, &mut images, explored)?;
                let edge = (from, exchange.transitions[transition], to);
                if explored.edges.insert(edge) {
                    open.push(edge);
                }
            }
        }
        self.symmetries = symmetries;
        Ok(())
    }

    /// The number of an abstract state after an exchange.
    fn image(
        &mut self,
        which: usize,
        exchange: &Exchange,
        number: u32,
        images: &mut FxHashMap<(usize, u32), u32>,
        explored: &mut Explored,
    ) -> Result<u32, Reason> {
        if let Some(&image) = images.get(&(which, number)) {
            return Ok(image);
        }
        let state = self.states.get(number);
        let mut by_variable: FxHashMap<usize, i64> = FxHashMap::default();
        for (&position, &value) in self.predicates.control.iter().zip(&state.control) {
            by_variable.insert(exchange.variables[position], value);
        }
        let control = self.predicates.control.iter().map(|position| by_variable[position]).collect();
        let mut holds = state.holds.clone();
        for (&(image, is_negated), &truth) in exchange.predicates.iter().zip(&state.holds) {
            holds[image] = truth != is_negated;
        }
        let image = self.number(AbstractState { control, holds }, None)?;
        images.insert((which, number), image);
        explored.alike.join(number, image);
        Ok(image)
    }
}
