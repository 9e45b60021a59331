//! Transition systems: what a model means.

use aster_cfa::{Presentation, SourceMap, Span};
use aster_term::{Sort, Term, TermPool, Value};
use std::sync::Arc;

/// The values that a variable can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// All integers.
    Int,
    /// Truth values.
    Bool,
    /// The integers from the first to the second.
    Range(i64, i64),
    /// Names. The numbers are positions in [`System::names`]; a variable holds such a number.
    Enumeration(Vec<u32>),
}

impl Domain {
    /// The sort of values.
    pub fn sort(&self) -> Sort {
        match self {
            Domain::Bool => Sort::Bool,
            _ => Sort::Int,
        }
    }

    /// The formula that says that a term has a value of this domain.
    pub fn contains(&self, pool: &mut TermPool, term: Term) -> Term {
        match self {
            Domain::Int | Domain::Bool => pool.bool(true),
            Domain::Range(low, high) => between(pool, *low, *high, term),
            Domain::Enumeration(codes) => {
                let mut codes = codes.clone();
                codes.sort_unstable();
                let mut result = pool.bool(false);
                // Neighbours make one interval: usually there is only one.
                for interval in codes.chunk_by(|a, b| a + 1 == *b) {
                    let (low, high) = (interval[0], interval[interval.len() - 1]);
                    let part = between(pool, low.into(), high.into(), term);
                    result = pool.or(result, part);
                }
                result
            }
        }
    }

    /// As the model writes it.
    pub fn show(&self, names: &[String]) -> String {
        match self {
            Domain::Int => "int".to_owned(),
            Domain::Bool => "bool".to_owned(),
            Domain::Range(low, high) => format!("{low}..{high}"),
            Domain::Enumeration(codes) => {
                let names: Vec<&str> = codes.iter().map(|&code| names[code as usize].as_str()).collect();
                format!("{{{}}}", names.join(", "))
            }
        }
    }
}

fn between(pool: &mut TermPool, low: i64, high: i64, term: Term) -> Term {
    let (low, high) = (pool.int(low.into()), pool.int(high.into()));
    let (above, below) = (pool.num_le(low, term), pool.num_le(term, high));
    pool.and(above, below)
}

/// A variable of the system.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name, such as `x`, `t[2]` or `P[2].pc`.
    pub name: String,
    /// The term that stands for it.
    pub term: Term,
    /// Its values.
    pub domain: Domain,
    /// Its first value, a literal; `None` if [`System::init`] alone says what it can be.
    pub initial: Option<Term>,
    /// Where it is declared.
    pub span: Span,
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
    /// Its name, without that of its process.
    pub name: String,
    /// The process that it belongs to, such as `P` or `P[2]`.
    pub process: String,
    /// The process as the model declares it, and which instance of it, if it is replicated.
    pub family: (String, Option<i64>),
    /// Where it is enabled.
    pub guard: Term,
    /// Position in [`System::variables`] and what is assigned. No variable is there twice.
    pub assignments: Vec<(usize, Assigned)>,
    /// Where it is written.
    pub span: Span,
}

impl Transition {
    /// Its name with that of its process.
    pub fn full_name(&self) -> String {
        format!("{}.{}", self.process, self.name)
    }
}

/// A condition that no reachable state may satisfy.
#[derive(Clone, Debug)]
pub struct ErrorCondition {
    /// The condition.
    pub term: Term,
    /// What is wrong where it holds.
    pub what: String,
    /// Where it is written.
    pub span: Span,
}

/// A transition system: runs start in a state that satisfies `init` and take one enabled transition after the other.
/// The model is safe if no run reaches a state that satisfies `error`.
#[derive(Clone, Debug)]
pub struct System {
    /// The files that it came from.
    pub sources: SourceMap,
    /// Constants and their values, in the order of the model.
    pub constants: Vec<(String, String)>,
    /// The state.
    pub variables: Vec<Variable>,
    /// What holds at first: first values, domains, and the model's own conditions.
    pub init: Term,
    /// The part of `init` that first values do not say.
    pub init_conditions: Term,
    /// The steps.
    pub transitions: Vec<Transition>,
    /// The errors, one by one: violated `safe` conditions, `error` conditions, and assignments outside of a range. The last
    /// kind holds in states where a transition is enabled that would assign such a value.
    pub errors: Vec<ErrorCondition>,
    /// The disjunction of all errors.
    pub error: Term,
    /// The names of enumerations.
    pub names: Arc<[String]>,
}

impl System {
    /// A value of a variable, as the model writes it.
    pub fn show_value(&self, variable: &Variable, value: &Value) -> String {
        match value {
            Value::Int(number) if matches!(variable.domain, Domain::Enumeration(_)) => {
                let name = usize::try_from(number).ok().and_then(|code| self.names.get(code));
                name.cloned().unwrap_or_else(|| number.to_string())
            }
            Value::Int(number) => number.to_string(),
            Value::Bool(truth) => truth.to_string(),
            other => format!("{other:?}"),
        }
    }

    /// How the values of a variable are shown.
    pub fn presentation(&self, variable: &Variable) -> Presentation {
        let type_name = variable.domain.show(&self.names);
        match variable.domain {
            Domain::Bool => Presentation::Raw(type_name),
            Domain::Int | Domain::Range(..) => Presentation::Signed(type_name),
            Domain::Enumeration(_) => Presentation::Named { type_name, names: Arc::clone(&self.names) },
        }
    }
}
