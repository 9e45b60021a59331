//! Symbolic states `(pc, m)` at a location of the unfolded program.

use super::cycle::CycleDetector;
use super::memory::Memory;
use super::path_condition::PathCondition;
use aster_cfa::Location;
use aster_term::{Evaluator, Model, Term, TermPool, Value};
use imbl::Vector;
use std::cell::RefCell;
use std::rc::Rc;

/// A symbolic state. Copies share everything that does not change.
///
/// Invariant: `witness` satisfies `pc`, so every state in the exploration is feasible.
#[derive(Clone)]
pub(super) struct State {
    pub(super) location: Location,
    /// The path condition over inputs.
    pub(super) pc: PathCondition,
    pub(super) memory: Memory,
    /// The inputs made so far, in order.
    pub(super) inputs: Vector<Term>,
    pub(super) witness: Rc<Witness>,
    pub(super) cycle: CycleDetector,
    /// Branches taken.
    pub(super) depth: u64,
}

/// A model of a path condition that remembers the values of the terms it was asked about: states that
/// share it pay for each subterm once.
pub(super) struct Witness {
    model: Rc<Model>,
    evaluator: RefCell<Evaluator<Rc<Model>>>,
}

impl Witness {
    pub(super) fn new(model: Model) -> Self {
        let model = Rc::new(model);
        Witness { evaluator: RefCell::new(Evaluator::new(Rc::clone(&model))), model }
    }

    /// This model with the values of `variables` taken from another one, defaults included.
    pub(super) fn updated(&self, pool: &TermPool, variables: &[Term], from: &Model) -> Self {
        let mut model = Model::clone(&self.model);
        for &variable in variables {
            let value = from.get(variable).cloned().or_else(|| Value::default_of(pool.sort(variable)));
            if let Some(value) = value {
                model.insert(variable, value);
            }
        }
        Witness::new(model)
    }

    /// True if the Boolean term holds under this model.
    pub(super) fn satisfies(&self, pool: &TermPool, condition: Term) -> bool {
        self.evaluator.borrow_mut().value(pool, condition).as_bool() == Some(true)
    }

    /// The value of a term under this model.
    pub(super) fn value(&self, pool: &TermPool, term: Term) -> Value {
        self.evaluator.borrow_mut().value(pool, term)
    }
}
