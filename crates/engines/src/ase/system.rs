//! What the engine analyses: variables, where runs begin, and the steps they take.

use aster_term::{Sort, Substitution, Term, TermPool};

/// A variable of the system.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name, for new terms that stand for its values.
    pub name: String,
    /// The term that stands for it in formulas.
    pub term: Term,
    /// The formula that says that it has a value of its domain.
    pub domain: Term,
    /// Its first value, a literal; `None` if [`System::init`] alone says what it can be.
    pub initial: Option<Term>,
    /// It holds one of a few values, such as a program counter does: abstract states tell its value, and not only
    /// what predicates say about it.
    pub is_control: bool,
}

impl Variable {
    /// The sort of its values.
    pub(super) fn sort(&self, pool: &TermPool) -> Sort {
        pool.sort(self.term)
    }

    /// A new term that stands for some value of it.
    pub(super) fn fresh(&self, pool: &mut TermPool) -> Term {
        let sort = self.sort(pool);
        pool.fresh_variable(&self.name, sort)
    }

    /// The formula that says that a term has a value of the variable's domain.
    pub(super) fn contains(&self, pool: &mut TermPool, value: Term) -> Term {
        let mut substitution = Substitution::new();
        substitution.insert(self.term, value);
        substitution.apply(pool, self.domain)
    }
}

/// What a transition gives a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assigned {
    /// The value of a term over the variables before the transition.
    Term(Term),
    /// Any value of the variable's domain.
    Nondet,
}

/// A transition: where the guard holds, it assigns to all its variables at the same time.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Where it is enabled.
    pub guard: Term,
    /// Position in [`System::variables`] and what is assigned. No variable is there twice.
    pub assignments: Vec<(usize, Assigned)>,
    /// The number of the process that it belongs to. It decides which steps count as those of others.
    pub process: usize,
}

/// A transition system: runs start in a state that satisfies `init` and take one enabled transition after the other.
#[derive(Clone, Debug)]
pub struct System {
    /// The state.
    pub variables: Vec<Variable>,
    /// What holds at first: first values, domains, and conditions.
    pub init: Term,
    /// The steps.
    pub transitions: Vec<Transition>,
    /// What no reachable state may satisfy.
    pub error: Term,
    /// Sets of processes that may be exchangeable: of each process the positions of its variables, in corresponding
    /// order. A guess: the engine checks it.
    pub processes: Vec<Vec<Vec<usize>>>,
}
