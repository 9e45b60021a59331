//! The analyses. Each engine explores a [`aster_cfa::Program`] and gives an [`Outcome`].
//!
//! Engines report events to an [`Observer`]; timing, statistics and progress are built from those and
//! do not appear between the lines of an algorithm.
//!
//! Knows nothing about source syntax, arguments or output.

mod budget;
mod observer;
mod outcome;
pub mod symexec;

pub use budget::{Budget, Limit};
pub use observer::{Event, Observer, Silent, Statistics};
pub use outcome::{Counterexample, FrontierEntry, Outcome, Reason, Unknown};
