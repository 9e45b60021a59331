//! Refinement: predicates from the preimages of transitions that are not exact.

use super::Ase;
use super::execute::{Edge, Explored};
use crate::Reason;
use aster_term::Term;

impl Ase<'_> {
    /// Adds the predicates in pre(b, t) for all inexact transitions (a, t, b) on loops or reachable from them; if there are
    /// none, for all inexact ones. False if nothing is new.
    pub(super) fn add_predicates(&mut self, explored: &Explored, fragment: &[u32]) -> Result<bool, Reason> {
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
        Ok(false)
    }

    /// pre(b, t): the states from which t can lead to b, with the control values of the source put in.
    fn preimage(&mut self, (from, transition, to): Edge) -> Result<Term, Reason> {
        let mut effect = self.effect(transition);
        let target = self.formula(to);
        let target = self.pool.and_all(&target);
        let mut conjuncts = vec![effect.substitution.apply(self.pool, target)];
        conjuncts.extend(&effect.domains);
        let formula = self.pool.and_all(&conjuncts);
        if !effect.inputs.is_empty() {
            return Err(Reason::Refinement);
        }
        let free = formula;
        let state = self.states.get(from).clone();
        let free = self.with_control(&state, free);
        let guard = self.with_control(&state, self.system.transitions[transition].guard);
        Ok(self.pool.and(guard, free))
    }
}
