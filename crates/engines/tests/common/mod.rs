//! What the tests of the engines share.

use aster_smt::{Answer, Limits, Solver, Statistics, UnknownReason};
use aster_term::{Term, TermPool};

/// Gives up on every query.
pub struct Hesitant;

impl Solver for Hesitant {
    fn push(&mut self) {}
    fn pop(&mut self) {}
    fn assert(&mut self, _: &mut TermPool, _: Term) {}
    fn check(&mut self, _: &mut TermPool, _: &[Term]) -> Answer {
        Answer::Unknown(UnknownReason::ConflictLimit)
    }
    fn set_limits(&mut self, _: Limits) {}
    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
}
