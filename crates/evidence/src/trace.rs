//! The records of a counterexample, ready to be printed or serialised.

use crate::value::ShownValue;
use aster_cfa::{AccessKind, Program, Span};
use serde::Serialize;

/// A run, as a rule one that reaches an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Trace {
    /// The inputs that the run consumed, in order.
    pub inputs: Vec<TraceInput>,
    /// The path; its last line is where the run ended, which is the error if it reached one.
    pub path: Vec<Item>,
    /// Where the run ended.
    pub end: Place,
    /// How many edges of the automaton the run took.
    pub steps: u64,
    /// The access that is the error, if it is one to memory.
    #[serde(skip)]
    pub access: Option<InvalidAccess>,
    /// The run ended within an expression whose value nobody uses.
    #[serde(skip)]
    pub in_unused: bool,
}

/// An access to memory that is not valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidAccess {
    /// What is done.
    pub kind: AccessKind,
    /// The address.
    pub address: u128,
    /// How many bytes are accessed.
    pub length: u128,
    /// The object that the address belongs to; `None` if none is alive there.
    pub object: Option<AccessedObject>,
}

/// An object in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessedObject {
    /// Its name, if it is a variable of the source.
    pub name: Option<String>,
    /// The address of its first byte.
    pub address: u128,
    /// Its size in bytes.
    pub size: u128,
}

impl Trace {
    /// True if the run reaches an error.
    pub fn reaches_error(&self) -> bool {
        match self.path.last() {
            Some(Item::Line(line)) => line.events.iter().any(|event| matches!(event, Event::Error { .. })),
            _ => false,
        }
    }
}

/// A position in a source file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The span that it stands for.
    #[serde(skip)]
    pub span: Span,
    /// Name of the file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

impl Place {
    /// The place of a span of the program.
    pub fn new(program: &Program, span: Span) -> Self {
        let known = program.sources.files().any(|file| file == span.file);
        let file = if known { program.sources.file(span.file).name.clone() } else { "?".into() };
        Place { span, file, line: span.line, column: span.column }
    }
}

/// An input that was consumed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TraceInput {
    /// Number of the input, from 1. Contents of uninitialised memory are not numbered.
    pub number: Option<usize>,
    /// What asked for it: a function's name, what was not initialised, or what a model chooses.
    pub origin: String,
    /// True if the origin is a function.
    #[serde(skip)]
    pub is_call: bool,
    /// True if it is not the result of the function, but what it writes to memory that it gets a pointer to.
    pub written: bool,
    /// True if it is the value of an uninitialised variable or memory, not of a call.
    pub uninitialised: bool,
    /// True if it is a value that a function of the library need not give.
    #[serde(skip)]
    pub approximated: bool,
    /// True if the path depends on it.
    pub matters: bool,
    /// The value.
    #[serde(flatten)]
    pub value: ShownValue,
    /// Where it was asked for.
    pub place: Place,
}

/// A piece of the path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "item", rename_all = "snake_case")]
pub enum Item {
    /// A source line that was executed.
    Line(Line),
    /// Iterations of a loop that are left out because they are like those that are shown.
    MoreIterations {
        /// How many.
        iterations: u64,
        /// Where the loop is.
        place: Place,
        /// Number of active calls; 0 in `main`.
        depth: u32,
    },
    /// Lines that are left out because the path is too long.
    MoreLines {
        /// How many.
        lines: u64,
    },
    /// Steps that were not even recorded because the run is too long.
    NotRecorded {
        /// How many.
        steps: u64,
    },
}

/// A source line that was executed, with what happened there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Where it is.
    pub place: Place,
    /// The function that it is in.
    pub function: String,
    /// Number of active calls; 0 in `main`.
    pub depth: u32,
    /// What happened, in order; only variables that matter for the path are mentioned.
    pub events: Vec<Event>,
}

/// Something that happened on a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A variable or a place in memory got a value.
    Assignment {
        /// The variable or place, such as `x` or `a[3]`; `return value` where a function sets its result.
        variable: String,
        /// Its new value.
        #[serde(flatten)]
        value: ShownValue,
    },
    /// An input was consumed.
    Input {
        /// Number of the input, from 1.
        number: usize,
        /// The variable or place in memory that it went to, if that is one of the source.
        variable: Option<String>,
        /// The value.
        #[serde(flatten)]
        value: ShownValue,
    },
    /// A condition decided where to go.
    Branch {
        /// The condition.
        condition: String,
        /// Whether it was true.
        taken: bool,
    },
    /// A function was called.
    Call {
        /// The function.
        function: String,
        /// The parameters that the source names, with their values.
        arguments: Vec<Argument>,
    },
    /// A function returned a value that is used further without being stored in a variable.
    Return {
        /// The function.
        function: String,
        /// Its result.
        #[serde(flatten)]
        value: ShownValue,
    },
    /// More happened, but it is not shown.
    More {
        /// How many events.
        events: usize,
    },
    /// The error.
    Error {
        /// What is wrong.
        message: String,
    },
    /// The run ended without an error.
    End {
        /// Why.
        message: String,
    },
}

/// A parameter and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Argument {
    /// Name of the parameter.
    pub parameter: String,
    /// Its value.
    #[serde(flatten)]
    pub value: ShownValue,
}
