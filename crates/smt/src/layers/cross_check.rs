//! Two solvers, one question.

use super::AssertionStack;
use crate::{Answer, Limits, Solver, Statistics, UnknownReason, script};
use aster_term::{Evaluator, Model, Term, TermPool, Value};

/// Asks a second solver everything that the first one has decided, and reports any difference.
///
/// The second solver is asked about more than the verdict: a model must satisfy the query when it is
/// evaluated, and an unsat core must be unsatisfiable on its own. If one of the two does not know,
/// there is nothing to compare, and the first one's answer stands.
///
/// After a difference nothing that the first solver says can be trusted: every later check gives the
/// same [`UnknownReason::Disagreement`].
pub struct CrossCheck {
    first: Box<dyn Solver>,
    second: Box<dyn Solver>,
    stack: AssertionStack,
    disagreement: Option<String>,
    checks: u64,
}

impl CrossCheck {
    /// Answers as `first` does, compared with `second`.
    pub fn new(first: Box<dyn Solver>, second: Box<dyn Solver>) -> Self {
        CrossCheck { first, second, stack: AssertionStack::default(), disagreement: None, checks: 0 }
    }

    /// Compares the first solver's answer; gives what is wrong with it, and about which formulas.
    fn compare(
        &mut self,
        pool: &mut TermPool,
        conjuncts: &[Term],
        answer: &Answer,
    ) -> Option<(&'static str, Vec<Term>)> {
        match answer {
            Answer::Sat(model) => {
                if !satisfies(pool, conjuncts, model) {
                    return Some(("the first says sat with a model that is none", conjuncts.to_vec()));
                }
                match self.second.check(pool, conjuncts) {
                    Answer::Unsat(_) => Some(("the first says sat, the second unsat", conjuncts.to_vec())),
                    Answer::Sat(_) | Answer::Unknown(_) => None,
                }
            }
            Answer::Unsat(core) => match self.second.check(pool, core) {
                Answer::Sat(_) => Some(("the first says unsat with this core, the second sat", core.clone())),
                Answer::Unsat(_) | Answer::Unknown(_) => None,
            },
            Answer::Unknown(_) => None,
        }
    }
}

fn satisfies(pool: &TermPool, conjuncts: &[Term], model: &Model) -> bool {
    let mut evaluator = Evaluator::new(model);
    conjuncts.iter().all(|&term| evaluator.value(pool, term) == Value::Bool(true))
}

impl Solver for CrossCheck {
    fn push(&mut self) {
        self.stack.push();
    }

    fn pop(&mut self) {
        self.stack.pop();
    }

    fn assert(&mut self, _pool: &mut TermPool, formula: Term) {
        self.stack.assert(formula);
    }

    fn check(&mut self, pool: &mut TermPool, assumptions: &[Term]) -> Answer {
        self.checks += 1;
        if let Some(text) = &self.disagreement {
            return Answer::Unknown(UnknownReason::Disagreement(text.clone()));
        }
        let conjuncts = self.stack.with(assumptions);
        let answer = self.first.check(pool, &conjuncts);
        if let Some((what, about)) = self.compare(pool, &conjuncts, &answer) {
            let text = format!("{what}:\n{}", script(pool, &about));
            self.disagreement = Some(text.clone());
            return Answer::Unknown(UnknownReason::Disagreement(text));
        }
        match answer {
            Answer::Unsat(core) => Answer::Unsat(self.stack.core_of_assumptions(core, assumptions)),
            other => other,
        }
    }

    fn set_limits(&mut self, limits: Limits) {
        self.first.set_limits(limits);
        self.second.set_limits(limits);
    }

    fn statistics(&self) -> Statistics {
        Statistics { checks: self.checks, ..self.first.statistics() }
    }
}
