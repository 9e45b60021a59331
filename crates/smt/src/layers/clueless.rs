//! For tests of layers.

use crate::{Answer, Limits, Solver, Statistics, UnknownReason};
use aster_term::{Term, TermPool};

/// A solver that never knows: what is answered, the search has answered.
pub(super) struct Clueless;

impl Solver for Clueless {
    fn push(&mut self) {}
    fn pop(&mut self) {}
    fn assert(&mut self, _: &mut TermPool, _: Term) {}
    fn check(&mut self, _: &mut TermPool, _: &[Term]) -> Answer {
        Answer::Unknown(UnknownReason::Interrupted)
    }
    fn set_limits(&mut self, _: Limits) {}
    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
}
