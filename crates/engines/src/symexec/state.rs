//! Symbolic states `(pc, m)` at a location of the unfolded program.

use super::memory::Memory;
use aster_cfa::Location;
use aster_term::{Evaluator, Model, Term, TermPool};
use imbl::Vector;
use std::cell::RefCell;
use std::rc::Rc;

/// A symbolic state. Copies share everything that does not change.
///
/// Invariant: `witness` satisfies `pc`, so every state in the exploration is feasible.
#[derive(Clone)]
pub(super) struct State {
    pub(super) location: Location,
    /// The path condition as a list of conjuncts over inputs.
    pub(super) pc: Vector<Term>,
    pub(super) memory: Memory,
    /// The inputs made so far, in order.
    pub(super) inputs: Vector<Term>,
    pub(super) witness: Rc<Witness>,
    /// Branches taken.
    pub(super) depth: u64,
}

impl State {
    /// `pc` with one more conjunct, as the solver wants it.
    pub(super) fn pc_with(&self, condition: Term) -> Vec<Term> {
        self.pc.iter().copied().chain([condition]).collect()
    }
}

/// A model of a path condition that remembers the values of the terms it was asked about: states that
/// share it pay for each subterm once.
pub(super) struct Witness {
    evaluator: RefCell<Evaluator<Rc<Model>>>,
}

impl Witness {
    pub(super) fn new(model: Model) -> Self {
        Witness { evaluator: RefCell::new(Evaluator::new(Rc::new(model))) }
    }

    /// True if the Boolean term holds under this model.
    pub(super) fn satisfies(&self, pool: &TermPool, condition: Term) -> bool {
        self.evaluator.borrow_mut().value(pool, condition).as_bool() == Some(true)
    }

    /// The value of a term under this model.
    pub(super) fn value(&self, pool: &TermPool, term: Term) -> aster_term::Value {
        self.evaluator.borrow_mut().value(pool, term)
    }
}
