//! What a run tells: its end, and on the way what happens.

use crate::program::{Edge, ErrorKind, Node, Procedure, Var};
use crate::source::Span;
use aster_term::{ArrayValue, BitVec, Sort, Term, Value};

/// Where and why a run ended. Spans are those of the last edge taken, or of the edge that could not
/// be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// An error node was reached.
    Error {
        /// The node.
        node: Node,
        /// What is wrong there.
        kind: ErrorKind,
        /// The edge that led to it.
        span: Span,
    },
    /// The entry procedure returned.
    Finished,
    /// The program ended itself at a node without outgoing edges (`exit`, `abort`).
    Halted {
        /// The edge that led there.
        span: Span,
    },
    /// No assumption at a node holds.
    Blocked {
        /// The node's first edge.
        span: Span,
    },
    /// A construct that is not modelled was reached.
    Unsupported {
        /// What it is.
        what: String,
        /// Where it is.
        span: Span,
    },
    /// The program does something that C leaves undefined.
    Undefined {
        /// The edge that does it.
        edge: Edge,
        /// What it does.
        what: String,
        /// Where.
        span: Span,
    },
    /// The run asked for more inputs than there are.
    InputsExhausted {
        /// Where it asked.
        span: Span,
    },
    /// An input does not have the sort of the variable that it is for.
    BadInput {
        /// Position of the input, from 0.
        index: usize,
        /// The sort that was needed.
        expected: Sort,
        /// Where it was asked for.
        span: Span,
    },
    /// The limit of steps was hit.
    StepLimit {
        /// The last edge.
        span: Span,
    },
    /// The limit of nested calls was hit.
    CallDepthLimit {
        /// The call.
        span: Span,
    },
    /// The caller asked to stop.
    Interrupted {
        /// The last edge.
        span: Span,
    },
    /// A variable was read before it was assigned: the program breaks the law of [`crate::VarInfo`].
    ReadBeforeWrite {
        /// The variable.
        variable: Var,
        /// Where it is read.
        span: Span,
    },
    /// The program breaks another law, see [`crate::Program::validate`].
    Malformed {
        /// Which one.
        what: String,
        /// Where.
        span: Span,
    },
}

impl End {
    /// Where the run ended; the end of the program has no place.
    pub fn span(&self) -> Option<Span> {
        match self {
            End::Finished => None,
            End::Error { span, .. }
            | End::Halted { span }
            | End::Blocked { span }
            | End::Unsupported { span, .. }
            | End::Undefined { span, .. }
            | End::InputsExhausted { span }
            | End::BadInput { span, .. }
            | End::StepLimit { span }
            | End::CallDepthLimit { span }
            | End::Interrupted { span }
            | End::ReadBeforeWrite { span, .. }
            | End::Malformed { span, .. } => Some(*span),
        }
    }

    /// The same end at another place.
    pub(super) fn at(mut self, place: Span) -> Self {
        match &mut self {
            End::Finished => {}
            End::Error { span, .. }
            | End::Halted { span }
            | End::Blocked { span }
            | End::Unsupported { span, .. }
            | End::Undefined { span, .. }
            | End::InputsExhausted { span }
            | End::BadInput { span, .. }
            | End::StepLimit { span }
            | End::CallDepthLimit { span }
            | End::Interrupted { span }
            | End::ReadBeforeWrite { span, .. }
            | End::Malformed { span, .. } => *span = place,
        }
        self
    }
}

/// Bounds of a run.
#[derive(Clone, Copy)]
pub struct RunLimits<'a> {
    /// How many edges may be taken.
    pub max_steps: u64,
    /// How many calls may be active at once.
    pub max_call_depth: usize,
    /// Asked now and then; the run ends when it says true.
    pub interrupted: Option<&'a dyn Fn() -> bool>,
}

impl Default for RunLimits<'_> {
    /// No limit of steps, four million nested calls.
    fn default() -> Self {
        RunLimits { max_steps: u64::MAX, max_call_depth: 4_000_000, interrupted: None }
    }
}

/// A value of the running program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValueRef<'a> {
    /// A truth value.
    Bool(bool),
    /// A bit-vector.
    BitVec(BitVec),
    /// An array.
    Array(&'a ArrayValue),
    /// An integer or a rational.
    Number(&'a Value),
}

impl ValueRef<'_> {
    /// The value on its own.
    pub fn to_value(self) -> Value {
        match self {
            ValueRef::Bool(value) => Value::Bool(value),
            ValueRef::BitVec(bits) => Value::BitVec(bits),
            ValueRef::Array(array) => Value::Array(array.clone()),
            ValueRef::Number(number) => number.clone(),
        }
    }
}

/// Something that happened during a run. Depth counts active calls: 0 in the entry procedure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RunEvent<'a> {
    /// The values of the terms that the watcher observes at an edge, which is taken next. It is empty if
    /// they cannot be computed.
    Observed {
        /// The edge.
        edge: Edge,
        /// The bits of each value, in the order of the terms.
        values: &'a [u128],
    },
    /// An edge is taken. What it does follows as further events; a call edge is followed by
    /// [`RunEvent::Entered`], one `Assigned` for each parameter, everything that the callee does,
    /// [`RunEvent::Left`] and an `Assigned` for the result.
    Edge {
        /// The edge.
        edge: Edge,
        /// The depth of its frame.
        depth: usize,
    },
    /// A variable got a value.
    Assigned {
        /// The edge that did it; for parameters and results that of the call.
        edge: Edge,
        /// The variable.
        variable: Var,
        /// Its new value.
        value: ValueRef<'a>,
        /// The depth of the frame that the variable belongs to (if it is local).
        depth: usize,
    },
    /// An input was consumed; the `Assigned` of its variable follows.
    Input {
        /// The edge.
        edge: Edge,
        /// Position of the input, from 0.
        index: usize,
    },
    /// A procedure was entered.
    Entered {
        /// The edge of the call.
        edge: Edge,
        /// The procedure.
        procedure: Procedure,
        /// The new frame's depth.
        depth: usize,
    },
    /// A procedure was left by its exit.
    Left {
        /// The edge of the call.
        edge: Edge,
        /// The procedure.
        procedure: Procedure,
        /// The frame's depth.
        depth: usize,
    },
}

/// Gives the inputs of a run.
pub trait InputSource {
    /// The input that `edge` asks for, of the sort of its variable; `None` ends the run.
    fn next_input(&mut self, edge: Edge, sort: Sort) -> Option<Value>;
}

impl InputSource for std::slice::Iter<'_, Value> {
    fn next_input(&mut self, _: Edge, _: Sort) -> Option<Value> {
        self.next().cloned()
    }
}

/// Receives what happens during a run.
pub trait Watcher {
    /// Called for each event, in order; must be quick.
    fn on(&mut self, event: RunEvent<'_>);

    /// True if it observes terms; asked once for each run.
    fn observes(&self) -> bool {
        false
    }

    /// The terms, Booleans and bit-vectors, whose values it wants to be told each time before the edge is taken.
    /// Asked at most once for each edge and run.
    fn observed(&mut self, edge: Edge) -> Vec<Term> {
        let _ = edge;
        Vec::new()
    }
}

/// Watches nothing.
pub struct Unwatched;

impl Watcher for Unwatched {
    #[inline]
    fn on(&mut self, _: RunEvent<'_>) {}
}
