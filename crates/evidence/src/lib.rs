//! Evidence for verdicts: counterexamples are replayed, and told so that a person can follow them.
//!
//! [`replay`] runs the inputs of a counterexample with the interpreter of `aster-cfa`. If they reach an
//! error the result is a [`Trace`]: the inputs, and the path in source lines with the values that
//! matter, shortened where loops repeat. [`render_text`] prints it; the records are serialisable. [`harness`] makes
//! a C file of the inputs, for the compiled program.
//!
//! Knows nothing about engines, solvers or how the inputs were found.

mod accesses;
mod approximation;
mod harness;
mod path;
mod record;
mod render;
mod replay;
mod slice;
#[cfg(test)]
mod tests;
mod trace;
mod value;

pub use harness::{ERROR_CODE, ERROR_MESSAGE, Harness, HarnessOptions, OTHER_MESSAGE, harness};
pub use render::render_text;
pub use replay::{Replay, describe_end, replay, tell_run};
pub use trace::{AccessedObject, Argument, Event, InvalidAccess, Item, Line, Place, Trace, TraceInput};
pub use value::{PlainValue, ShownValue, show_value};
