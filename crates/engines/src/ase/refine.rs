//! Refinement: predicates from the preimages of transitions that are not exact.

use super::Ase;
use super::execute::{Edge, Explored};
use crate::Reason;
use aster_smt::{UnknownReason, eliminate, without_redundancy};
use aster_term::{Sort, Substitution, Term};

/// Checks that are spent on making a preimage simpler.
const MAX_CHECKS: usize = 100;

impl Ase<'_> {
    /// Adds the predicates in pre(b, t) for all inexact transitions (a, t, b) on loops or reachable from them; if there are
    /// none, for all inexact ones. Departure: if all of them are exact, and some lead elsewhere because of inputs, the
    /// predicates tell where they do. False if nothing is new.
    pub(super) fn add_predicates(
        &mut self,
        explored: &Explored,
        fragment: &[u32],
        open: &[(u32, usize)],
    ) -> Result<bool, Reason> {
        let all = explored.all_states();
        for states in [fragment, &all] {
            let mut preimages = Vec::new();
            for edge in explored.transitions_from(states) {
                self.check_budget()?;
                let preimage = self.preimage(edge)?;
                if !self.is_exact(edge, preimage)? {
                    preimages.push(preimage);
                }
            }
            let mut is_new = false;
            for preimage in preimages {
                is_new |= self.predicates.add_atoms(self.pool, preimage);
            }
            if is_new {
                return Ok(true);
            }
        }
        let inside = self.by_control(fragment);
        let mut is_new = false;
        for &(state, transition) in open {
            let (conjuncts, inputs) = self.way_out(state, transition, &inside);
            let formula = self.pool.and_all(&conjuncts);
            let way_out = self.without_inputs(&inputs, formula)?;
            let state = self.states.get(state).clone();
            let way_out = self.with_control(&state, way_out);
            is_new |= self.predicates.add_atoms(self.pool, way_out);
        }
        Ok(is_new)
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
    fn preimage(&mut self, (from, transition, to): Edge) -> Result<Term, Reason> {
        let mut effect = self.effect(transition);
        let target = self.formula(to);
        let target = self.pool.and_all(&target);
        let mut conjuncts = vec![effect.substitution.apply(self.pool, target)];
        conjuncts.extend(&effect.domains);
        let formula = self.pool.and_all(&conjuncts);
        let free = self.without_inputs(&effect.inputs, formula)?;
        let state = self.states.get(from).clone();
        let free = self.with_control(&state, free);
        let guard = self.with_control(&state, self.system.transitions[transition].guard);
        Ok(self.pool.and(guard, free))
    }
}
