//! Refinement: predicates from the preimages of transitions that are not exact.

use super::Ase;
use super::analysis::WayOut;
use super::explored::{Edge, Explored};
use crate::Reason;
use aster_smt::{UnknownReason, eliminate, without_redundancy};
use aster_term::{Sort, Substitution, Term};

/// Checks that are spent on making a preimage simpler.
const MAX_CHECKS: usize = 100;

impl Ase<'_> {
    /// Adds the predicates in pre(b, t) for all inexact transitions (a, t, b) on loops or reachable from them; if there are
    /// none, for all inexact ones. Departure: if all of them are exact, and some lead elsewhere because of inputs, the
    /// predicates tell where they do. False if nothing is new.
    pub(super) fn add_predicates(&mut self, explored: &Explored, fragment: &[u32]) -> Result<bool, Reason> {
        let all = explored.all_states();
        for states in [fragment, &all] {
            let mut preimages = Vec::new();
            let mut known = None;
            for edge in explored.transitions_from(states) {
                self.check_budget()?;
                let from = edge.0;
                if explored.alike.representative(from) != from {
                    continue;
                }
                if known.as_ref().is_none_or(|&(state, _)| state != from) {
                    known = Some((from, self.knowledge(from)));
                }
                let Some((_, known)) = &mut known else { continue };
                if !self.is_exact(edge, known)? {
                    preimages.push(self.preimage(edge)?);
                }
            }
            if self.add_all(&preimages) {
                return Ok(true);
            }
        }
        let inside = self.by_control(fragment);
        let mut ways_out = Vec::new();
        for (number, transition) in self.open_transitions(explored, fragment)? {
            let mut known = self.knowledge(number);
            if let WayOut::If(conjuncts) = self.way_out(number, &mut known, transition, &inside) {
                let formula = self.pool.and_all(&conjuncts);
                let inputs = self.with_effect(transition, |_, effect| effect.inputs.clone());
                let way_out = self.without_inputs(&inputs, formula)?;
                let state = self.states.get(number).clone();
                ways_out.push(self.with_control(&state, way_out));
            }
        }
        Ok(self.add_all(&ways_out))
    }

    /// Adds the atoms of formulas to the predicates; true if there was a new one.
    fn add_all(&mut self, formulas: &[Term]) -> bool {
        let mut is_new = false;
        for &formula in formulas {
            is_new |= self.predicates.add_atoms(self.pool, formula);
        }
        self.close_predicates();
        is_new
    }

    /// The formula that says that some values of the inputs satisfy one.
    fn without_inputs(&mut self, inputs: &[Term], mut formula: Term) -> Result<Term, Reason> {
        let mut numbers = Vec::new();
        for &input in inputs {
            if self.pool.sort(input) != Sort::Bool {
                numbers.push(input);
                continue;
            }
            let [yes, no] = [true, false].map(|truth| {
                let mut substitution = Substitution::new();
                substitution.insert(input, self.pool.bool(truth));
                substitution.apply(self.pool, formula)
            });
            formula = self.pool.or(yes, no);
        }
        if numbers.is_empty() {
            return Ok(formula);
        }
        match eliminate(self.pool, &numbers, formula) {
            Ok(formula) => Ok(without_redundancy(self.pool, self.solver, formula, MAX_CHECKS)),
            Err(error) => Err(Reason::Solver(UnknownReason::Backend(error.to_string()))),
        }
    }

    /// pre(b, t): the states from which t can lead to b, with the control values of the source put in.
    pub(super) fn preimage(&mut self, (from, transition, to): Edge) -> Result<Term, Reason> {
        let target = self.formula(to);
        let target = self.pool.and_all(&target);
        let (formula, inputs) = self.with_effect(transition, |ase, effect| {
            let mut conjuncts = vec![effect.substitution.apply(ase.pool, target)];
            conjuncts.extend(&effect.domains);
            (ase.pool.and_all(&conjuncts), effect.inputs.clone())
        });
        let free = self.without_inputs(&inputs, formula)?;
        let state = self.states.get(from).clone();
        let free = self.with_control(&state, free);
        let guard = self.with_control(&state, self.system.transitions[transition].guard);
        Ok(self.pool.and(guard, free))
    }
}
