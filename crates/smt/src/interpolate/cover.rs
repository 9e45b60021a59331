//! The last resort of projection: formulas put together from atoms, found by models.

use super::atoms::atoms;
use super::project::Projection;
use super::unsat_core::minimise;
use crate::Answer;
use aster_term::{Evaluator, Op, Sort, Term, Value, free_variables};

/// How many clauses are put together.
const MAX_CLAUSES: usize = 12;
/// How many terms are compared with each other.
const MAX_COMPARED: usize = 6;
/// How many checks are spent on making each clause shorter.
const CLAUSE_CHECKS: u32 = 12;

impl Projection<'_> {
    /// Clauses over variables that are not foreign which the formulas imply and which contradict the other side.
    ///
    /// Each model of the other side satisfies some atoms and violates others. If that alone contradicts the
    /// formulas, the part of it that is needed for the contradiction is excluded by a clause; otherwise the
    /// values of the variables in the model are excluded.
    pub(super) fn cover(&mut self, formulas: &[Term]) -> Option<Vec<Term>> {
        let mut clauses: Vec<Term> =
            formulas.iter().copied().filter(|&f| !self.foreign.any(self.pool, f)).collect();
        let variables: Vec<Term> =
            free_variables(self.pool, formulas).into_iter().filter(|&v| !self.foreign.has(v)).collect();
        let basis = self.basis(formulas, &variables);
        for _ in 0..MAX_CLAUSES {
            let mut query = self.other.clone();
            for &clause in &clauses {
                query.push(self.instantiate(clause));
            }
            let model = match self.solver.check(self.pool, &query) {
                Answer::Unsat(_) => return Some(clauses),
                Answer::Unknown(_) => return None,
                Answer::Sat(model) => model,
            };
            let mut evaluator = Evaluator::new(&model);
            let mut cube = Vec::new();
            for &atom in &basis {
                let instance = self.instantiate(atom);
                let holds = evaluator.value(self.pool, instance) == Value::Bool(true);
                cube.push(if holds { atom } else { self.pool.not(atom) });
            }
            let Answer::Unsat(core) = self.excluded(formulas, &cube).or_else(|| {
                for &variable in &variables {
                    if matches!(self.pool.sort(variable), Sort::Array { .. }) {
                        continue;
                    }
                    let instance = self.instantiate(variable);
                    let value = evaluator.value(self.pool, instance);
                    let value = self.pool.value(&value);
                    cube.push(self.pool.eq(variable, value));
                }
                self.excluded(formulas, &cube)
            })?
            else {
                return None;
            };
            cube.retain(|literal| core.contains(literal));
            let needed = minimise(self.pool, self.solver, formulas, cube, CLAUSE_CHECKS);
            let violated = self.pool.and_all(&needed);
            clauses.push(self.pool.not(violated));
        }
        None
    }

    /// The refutation of the formulas together with a cube, if there is one.
    fn excluded(&mut self, formulas: &[Term], cube: &[Term]) -> Option<Answer> {
        let answer = self.solver.check(self.pool, &[formulas, cube].concat());
        matches!(answer, Answer::Unsat(_)).then_some(answer)
    }

    /// Atoms of the formulas, and comparisons of terms that occur in them.
    fn basis(&mut self, formulas: &[Term], variables: &[Term]) -> Vec<Term> {
        let mut found = Vec::new();
        for &formula in formulas {
            for atom in atoms(self.pool, formula) {
                if !self.foreign.any(self.pool, atom) {
                    found.push(atom);
                }
            }
        }
        let mut compared: Vec<Term> = variables.to_vec();
        compared.extend(self.candidates(formulas));
        compared.retain(|&term| matches!(self.pool.sort(term), Sort::BitVec(_)));
        compared.dedup();
        compared.truncate(MAX_COMPARED);
        for (position, &a) in compared.iter().enumerate() {
            for &b in &compared[..position] {
                if self.pool.sort(a) == self.pool.sort(b) {
                    found.extend([Op::Eq, Op::BvSlt, Op::BvUlt].map(|op| self.pool.apply(op, &[a, b])));
                }
            }
        }
        found.retain(|&atom| self.pool.bool_constant(atom).is_none());
        found.sort_unstable();
        found.dedup();
        found
    }
}
