//! Is a set of abstract states closed under all transitions?

use super::Ase;
use super::Assigned;
use super::execute::Edge;
use crate::Reason;
use aster_term::{Substitution, Term};
use rustc_hash::FxHashMap;

/// The effect of a transition on terms: what a formula about the state after it says about the state before.
pub(super) struct Effect {
    pub(super) substitution: Substitution,
    /// Variables for its inputs, and what is known about them.
    pub(super) inputs: Vec<Term>,
    pub(super) domains: Vec<Term>,
}

impl Ase<'_> {
    /// The effect of a transition, with new variables for its inputs.
    pub(super) fn effect(&mut self, transition: usize) -> Effect {
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

    /// The transitions that lead some concrete state of the set out of it: (a, t) such that sp(a, t) is not within it.
    pub(super) fn open_transitions(&mut self, states: &[u32]) -> Result<Vec<(u32, usize)>, Reason> {
        let by_control = self.by_control(states);
        let mut open = Vec::new();
        for &number in states {
            for transition in self.states.facts(number).enabled.clone() {
                self.check_budget()?;
                let mut query = self.formula(number);
                query.extend(self.way_out(number, transition, &by_control).0);
                if self.is_satisfiable(&query)? {
                    open.push((number, transition));
                }
            }
        }
        Ok(open)
    }

    /// Abstract states by their control values: the successors of a state can only be among those of one group.
    pub(super) fn by_control(&self, states: &[u32]) -> FxHashMap<Vec<Term>, Vec<u32>> {
        let mut groups: FxHashMap<Vec<Term>, Vec<u32>> = FxHashMap::default();
        for &number in states {
            groups.entry(self.states.get(number).control.clone()).or_default().push(number);
        }
        groups
    }

    /// What holds before a transition from an abstract state if it leads out of a set, and its inputs.
    pub(super) fn way_out(
        &mut self,
        number: u32,
        transition: usize,
        inside: &FxHashMap<Vec<Term>, Vec<u32>>,
    ) -> (Vec<Term>, Vec<Term>) {
        let mut effect = self.effect(transition);
        let mut conjuncts = effect.domains.clone();
        let state = self.states.get(number).clone();
        // The control values after the transition, if they are known.
        let control = self.predicates.control.clone();
        let after: Vec<Term> = control
            .iter()
            .map(|&position| {
                let own = self.system.variables[position].term;
                let value = effect.substitution.apply(self.pool, own);
                self.with_control(&state, value)
            })
            .collect();
        let is_known = after.iter().all(|&value| self.pool.constant(value).is_some());
        let mut candidates: Vec<u32> = if is_known {
            inside.get(&after).cloned().unwrap_or_default()
        } else {
            inside.values().flatten().copied().collect()
        };
        candidates.sort_unstable();
        for candidate in candidates {
            let target = self.formula(candidate);
            let target = self.pool.and_all(&target);
            let before = effect.substitution.apply(self.pool, target);
            let elsewhere = self.pool.not(before);
            conjuncts.push(elsewhere);
        }
        (conjuncts, effect.inputs)
    }

    /// Every concrete state of a has a successor by t in b: a ⇒ pre(b, t).
    pub(super) fn is_exact(&mut self, (from, _, _): Edge, preimage: Term) -> Result<bool, Reason> {
        let mut query = self.formula(from);
        let outside = self.pool.not(preimage);
        query.push(outside);
        Ok(!self.is_satisfiable(&query)?)
    }
}
