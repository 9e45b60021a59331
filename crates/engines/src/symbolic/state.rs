//! Symbolic states `(pc, m)` at a location of the unfolded program.

use super::cycle::CycleDetector;
use super::history::History;
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
pub(crate) struct State {
    pub(crate) location: Location,
    /// The path condition over inputs.
    pub(crate) pc: PathCondition,
    pub(crate) memory: Memory,
    /// The inputs made so far, in order.
    pub(crate) inputs: Vector<Term>,
    pub(crate) witness: Rc<Witness>,
    pub(crate) cycle: CycleDetector,
    /// Branches taken.
    pub(crate) depth: u64,
    /// Branches taken and inputs made when the state was last compared with explored ones.
    pub(crate) compared: (u64, usize),
    /// How it came here, if that matters to the engine.
    pub(crate) history: Option<Rc<History>>,
}

/// A model of a path condition that remembers the values of the terms it was asked about: states that
/// share it pay for each subterm once.
pub(crate) struct Witness {
    model: Rc<Model>,
    evaluator: RefCell<Evaluator<Rc<Model>>>,
}

impl Witness {
    pub(crate) fn new(model: Model) -> Self {
        let model = Rc::new(model);
        Witness { evaluator: RefCell::new(Evaluator::new(Rc::clone(&model))), model }
    }

    /// This model with the values of `variables` taken from another one, defaults included.
    pub(crate) fn updated(&self, pool: &TermPool, variables: &[Term], from: &Model) -> Self {
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
    pub(crate) fn satisfies(&self, pool: &TermPool, condition: Term) -> bool {
        self.evaluator.borrow_mut().value(pool, condition).as_bool() == Some(true)
    }

    /// The value of a term under this model.
    pub(crate) fn value(&self, pool: &TermPool, term: Term) -> Value {
        self.evaluator.borrow_mut().value(pool, term)
    }
}
