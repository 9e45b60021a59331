//! Is a set of abstract states closed under all transitions? And is a transition between two of them exact?
//!
//! Most of what a transition does to the predicates is found without a solver: it leaves many of them as they are, makes
//! others out of those that there were, and of some the values of the variables are known. Queries are about the rest.

use super::abstraction::strip_negation;
use super::explored::{Edge, Explored};
use super::{Ase, Assigned};
use crate::Reason;
use aster_term::{Op, Substitution, Term};
use rustc_hash::FxHashMap;

/// The effect of a transition on terms: what a formula about the state after it says about the state before.
pub(super) struct Effect {
    pub(super) substitution: Substitution,
    /// Variables for its inputs, and what is known about them.
    pub(super) inputs: Vec<Term>,
    pub(super) domains: Vec<Term>,
}

/// What is known in an abstract state.
pub(super) struct Knowledge {
    /// Values of variables: of control variables, and of those that a predicate says it of.
    values: Substitution,
    /// The predicates with these values put in, and whether they hold.
    truths: FxHashMap<Term, bool>,
}

/// What is known about the state after a transition from an abstract state.
struct After {
    /// Control values, if they are known.
    control: Vec<Result<i64, Term>>,
    /// Whether each predicate holds, or the formula over the state before that says so.
    predicates: Vec<Result<bool, Term>>,
}

/// Abstract states by their control values.
pub(super) type ByControl = FxHashMap<Vec<i64>, Vec<u32>>;

/// What a transition does at the border of a set of abstract states.
pub(super) enum WayOut {
    /// It leads into the set.
    No,
    /// It leads out of it from every state that satisfies this.
    If(Vec<Term>),
}

impl Ase<'_> {
    /// Runs something with the effect of a transition, which is made once.
    pub(super) fn with_effect<T>(
        &mut self,
        transition: usize,
        run: impl FnOnce(&mut Self, &mut Effect) -> T,
    ) -> T {
        let mut effect = match self.effects.remove(&transition) {
            Some(effect) => effect,
            None => self.effect(transition),
        };
        let result = run(self, &mut effect);
        self.effects.insert(transition, effect);
        result
    }

    fn effect(&mut self, transition: usize) -> Effect {
        let mut effect =
            Effect { substitution: Substitution::new(), inputs: Vec::new(), domains: Vec::new() };
        for &(position, assigned) in &self.system.transitions[transition].assignments {
            let variable = &self.system.variables[position];
            let value = match assigned {
                Assigned::Term(term) => term,
                Assigned::Nondet => {
                    let input = variable.fresh(self.pool);
                    effect.domains.push(variable.contains(self.pool, input));
                    effect.inputs.push(input);
                    input
                }
            };
            effect.substitution.insert(variable.term, value);
        }
        effect
    }

    /// Finds the domains that runs start in and that no transition leaves from a state that is in all of them and is no
    /// error.
    pub(super) fn find_domains(&mut self) -> Result<(), Reason> {
        let system = self.system;
        let mut limited = Vec::new();
        for (position, variable) in system.variables.iter().enumerate() {
            let outside = self.pool.not(variable.domain);
            if self.pool.bool_constant(outside).is_none() && !self.is_satisfiable(&[system.init, outside])? {
                limited.push(position);
            }
        }
        let no_error = self.pool.not(system.error);
        loop {
            let mut kept = limited.clone();
            for (number, transition) in system.transitions.iter().enumerate() {
                let mut before = vec![no_error, transition.guard];
                before.extend(limited.iter().map(|&position| system.variables[position].domain));
                for &(position, assigned) in &transition.assignments {
                    // Inputs are in their domains.
                    if assigned == Assigned::Nondet || !kept.contains(&position) {
                        continue;
                    }
                    let domain = system.variables[position].domain;
                    let stays =
                        self.with_effect(number, |ase, effect| effect.substitution.apply(ase.pool, domain));
                    let mut query = before.clone();
                    query.push(self.pool.not(stays));
                    if self.is_satisfiable(&query)? {
                        kept.retain(|&other| other != position);
                    }
                }
            }
            if kept.len() == limited.len() {
                break;
            }
            limited = kept;
        }
        self.domains = limited.into_iter().map(|position| system.variables[position].domain).collect();
        Ok(())
    }

    /// What is known in an abstract state.
    pub(super) fn knowledge(&mut self, number: u32) -> Knowledge {
        let state = self.states.get(number).clone();
        let mut values = Substitution::new();
        for (position, value) in self.control_values(&state) {
            values.insert(self.system.variables[position].term, value);
        }
        let predicates = self.predicates.terms();
        for (&predicate, _) in predicates.iter().zip(&state.holds).filter(|(_, holds)| **holds) {
            if let (Op::Eq, &[a, b]) = (self.pool.op(predicate), self.pool.args(predicate)) {
                for (variable, value) in [(a, b), (b, a)] {
                    if self.pool.is_variable(variable) && self.pool.constant(value).is_some() {
                        values.insert(variable, value);
                    }
                }
            }
        }
        let mut truths = FxHashMap::default();
        for (predicate, &holds) in self.predicates.terms().to_vec().into_iter().zip(&state.holds) {
            let predicate = values.apply(self.pool, predicate);
            let (atom, is_negated) = strip_negation(self.pool, predicate);
            if self.pool.constant(atom).is_none() {
                truths.insert(atom, holds != is_negated);
            }
        }
        Knowledge { values, truths }
    }

    /// Whether a formula holds where something is known, or a formula that says so.
    fn truth(&mut self, known: &mut Knowledge, formula: Term) -> Result<bool, Term> {
        let formula = known.values.apply(self.pool, formula);
        let (atom, is_negated) = strip_negation(self.pool, formula);
        let truth = self.pool.bool_constant(atom).or_else(|| known.truths.get(&atom).copied());
        truth.map(|truth| truth != is_negated).ok_or(formula)
    }

    /// The conjuncts that tell the states of an abstract state apart from others with the same values.
    fn conjuncts(&mut self, known: &mut Knowledge) -> Vec<Term> {
        let mut conjuncts: Vec<(Term, bool)> =
            known.truths.iter().map(|(&atom, &truth)| (atom, truth)).collect();
        conjuncts.sort_unstable();
        let conjuncts =
            conjuncts.into_iter().map(|(atom, truth)| if truth { atom } else { self.pool.not(atom) });
        let mut conjuncts: Vec<Term> = conjuncts.collect();
        for domain in self.domains.clone() {
            let domain = known.values.apply(self.pool, domain);
            if self.pool.bool_constant(domain) != Some(true) {
                conjuncts.push(domain);
            }
        }
        conjuncts
    }

    fn after(&mut self, number: u32, known: &mut Knowledge, effect: &mut Effect) -> After {
        let state = self.states.get(number).clone();
        let mut control = Vec::with_capacity(state.control.len());
        for (position, &value) in self.predicates.control.clone().into_iter().zip(&state.control) {
            let variable = self.system.variables[position].term;
            let after = effect.substitution.apply(self.pool, variable);
            control.push(if after == variable {
                Ok(value)
            } else {
                let after = known.values.apply(self.pool, after);
                self.number_of(after).ok_or(after)
            });
        }
        let mut predicates = Vec::with_capacity(state.holds.len());
        for (predicate, &holds) in self.predicates.terms().to_vec().into_iter().zip(&state.holds) {
            let before = effect.substitution.apply(self.pool, predicate);
            predicates.push(if before == predicate { Ok(holds) } else { self.truth(known, before) });
        }
        After { control, predicates }
    }

    /// What has to hold, besides what is known, for the state after a transition to be in an abstract state; `None` if it
    /// cannot be.
    fn condition(&mut self, after: &After, target: u32) -> Option<Vec<Term>> {
        let target = self.states.get(target).clone();
        let mut conditions = Vec::new();
        for (&predicate, &holds) in after.predicates.iter().zip(&target.holds) {
            match predicate {
                Ok(truth) if truth != holds => return None,
                Ok(_) => {}
                Err(formula) => conditions.push(if holds { formula } else { self.pool.not(formula) }),
            }
        }
        for (index, (&control, &value)) in after.control.iter().zip(&target.control).enumerate() {
            match control {
                Ok(known) if known != value => return None,
                Ok(_) => {}
                Err(term) => {
                    let literal = self.literal(self.predicates.control[index], value);
                    conditions.push(self.pool.eq(term, literal));
                }
            }
        }
        Some(conditions)
    }

    /// True if no transition leads some concrete state of the set out of it.
    pub(super) fn is_closed(&mut self, explored: &Explored, states: &[u32]) -> Result<bool, Reason> {
        Ok(self.find_open(explored, states, 1)?.is_empty())
    }

    /// The transitions that lead some concrete state of the set out of it: (a, t) such that sp(a, t) is not within it. Of states
    /// that differ by the order of processes only, one is looked at.
    pub(super) fn open_transitions(
        &mut self,
        explored: &Explored,
        states: &[u32],
    ) -> Result<Vec<(u32, usize)>, Reason> {
        self.find_open(explored, states, usize::MAX)
    }

    fn find_open(
        &mut self,
        explored: &Explored,
        states: &[u32],
        most: usize,
    ) -> Result<Vec<(u32, usize)>, Reason> {
        let by_control = self.by_control(states);
        let mut open = Vec::new();
        for &number in states {
            if explored.alike.representative(number) != number {
                continue;
            }
            let mut known = self.knowledge(number);
            for transition in self.states.facts(number).enabled.clone() {
                self.check_budget()?;
                let WayOut::If(conditions) = self.way_out(number, &mut known, transition, &by_control) else {
                    continue;
                };
                let mut query = self.conjuncts(&mut known);
                query.extend(&conditions);
                // Some state of a was reached.
                if conditions.is_empty() || self.is_satisfiable(&query)? {
                    open.push((number, transition));
                    if open.len() == most {
                        return Ok(open);
                    }
                }
            }
        }
        Ok(open)
    }

    /// Abstract states by their control values: the successors of a state can only be among those of one group.
    pub(super) fn by_control(&self, states: &[u32]) -> ByControl {
        let mut groups = ByControl::default();
        for &number in states {
            groups.entry(self.states.get(number).control.clone()).or_default().push(number);
        }
        groups
    }

    /// Where a transition from an abstract state leads out of a set.
    pub(super) fn way_out(
        &mut self,
        number: u32,
        known: &mut Knowledge,
        transition: usize,
        inside: &ByControl,
    ) -> WayOut {
        self.with_effect(transition, |ase, effect| {
            let after = ase.after(number, known, effect);
            let control: Option<Vec<i64>> = after.control.iter().map(|value| value.ok()).collect();
            let mut candidates: Vec<u32> = match control {
                Some(control) => inside.get(&control).cloned().unwrap_or_default(),
                None => inside.values().flatten().copied().collect(),
            };
            candidates.sort_unstable();
            let mut conjuncts = effect.domains.clone();
            conjuncts.retain(|&domain| ase.pool.bool_constant(domain) != Some(true));
            for candidate in candidates {
                let Some(conditions) = ase.condition(&after, candidate) else { continue };
                if conditions.is_empty() {
                    return WayOut::No;
                }
                let there = ase.pool.and_all(&conditions);
                conjuncts.push(ase.pool.not(there));
            }
            WayOut::If(conjuncts)
        })
    }

    /// Every concrete state of a has a successor by t in b: a ⇒ pre(b, t).
    pub(super) fn is_exact(
        &mut self,
        (from, transition, to): Edge,
        known: &mut Knowledge,
    ) -> Result<bool, Reason> {
        let conditions = self.with_effect(transition, |ase, effect| {
            let after = ase.after(from, known, effect);
            (effect.inputs.is_empty()).then(|| ase.condition(&after, to))
        });
        let elsewhere = match conditions {
            Some(None) => return Ok(false),
            Some(Some(conditions)) if conditions.is_empty() => return Ok(true),
            Some(Some(conditions)) => self.pool.and_all(&conditions),
            None => self.preimage((from, transition, to))?,
        };
        let elsewhere = known.values.apply(self.pool, elsewhere);
        let mut query = self.conjuncts(known);
        query.push(self.pool.not(elsewhere));
        Ok(!self.is_satisfiable(&query)?)
    }
}
