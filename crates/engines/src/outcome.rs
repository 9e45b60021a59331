//! What an engine found out.

use crate::budget::Limit;
use aster_cfa::Span;
use aster_smt::UnknownReason;
use aster_term::Value;
use std::fmt;

/// The result of an analysis.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// No error can be reached: the exploration was complete.
    Safe,
    /// These inputs should reach an error. The caller replays them before it believes it.
    Unsafe(Counterexample),
    /// Not decided.
    Unknown(Unknown),
}

/// The inputs of a run that reaches an error, in the order in which the run asks for them.
#[derive(Clone, Debug, PartialEq)]
pub struct Counterexample {
    /// One value for each havoc on the path.
    pub inputs: Vec<Value>,
}

/// Why nothing was decided, and where the exploration stood.
#[derive(Clone, Debug, PartialEq)]
pub struct Unknown {
    /// The first obstacle that was met.
    pub reason: Reason,
    /// Where unexplored states were waiting, most frequent place first.
    pub frontier: Vec<FrontierEntry>,
}

/// A source position at which unexplored states were waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrontierEntry {
    /// The position.
    pub span: Span,
    /// How many states.
    pub states: usize,
}

/// An obstacle to a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A limit of the whole run was hit, or the user interrupted it.
    Limit(Limit),
    /// A construct that is not modelled was reached.
    Unsupported {
        /// What it is.
        what: String,
        /// Where it is.
        span: Span,
    },
    /// A path ended because what the program does there is undefined: nothing is known about what follows.
    Undefined {
        /// What it does.
        what: String,
        /// Where.
        span: Span,
    },
    /// The solver could not decide a query.
    Solver(UnknownReason),
    /// A path of the abstraction could be neither followed nor excluded.
    Refinement,
    /// The counterexample needs a certain result of this function, of which only bounds are known.
    Approximated(String),
    /// The counterexample did not lead to the error when it was replayed: a defect of Aster.
    ReplayMismatch(String),
    /// An internal invariant did not hold: a defect of Aster.
    Internal(String),
}

impl Reason {
    /// The short form that stands in the verdict line, as in `UNKNOWN(timeout)`.
    pub fn keyword(&self) -> &'static str {
        match self {
            Reason::Limit(limit) => limit.keyword(),
            Reason::Unsupported { .. } => "unsupported",
            Reason::Undefined { .. } => "undefined behaviour",
            Reason::Solver(_) => "solver",
            Reason::Refinement => "refinement",
            Reason::Approximated(_) => "libm",
            Reason::ReplayMismatch(_) => "replay mismatch",
            Reason::Internal(_) => "internal error",
        }
    }
}

/// The reason in words, without its position.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Limit(limit) => write!(f, "{limit}"),
            Reason::Unsupported { what, .. } => write!(f, "not modelled: {what}"),
            Reason::Undefined { what, .. } => write!(f, "undefined behaviour: {what}"),
            Reason::Solver(reason) => write!(f, "the solver gave up: {reason}"),
            Reason::Refinement => f.write_str("the abstraction could not be refined"),
            Reason::Approximated(function) => write!(
                f,
                "the error that was found depends on a result of '{function}', of which only bounds are known"
            ),
            Reason::ReplayMismatch(details) => {
                write!(f, "replaying the counterexample did not reach the error: {details}")
            }
            Reason::Internal(details) => write!(f, "internal error: {details}"),
        }
    }
}
