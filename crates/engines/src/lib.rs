//! The analyses. Each engine explores a [`aster_cfa::Program`] and gives an [`Outcome`].
//!
//! Engines report events to an [`Observer`]; timing, statistics and progress are built from those and
//! do not appear between the lines of an algorithm.
//!
//! Knows nothing about source syntax, arguments or output.

#![expect(clippy::vec_box, reason = "states move between frontiers and engines without being copied")]

pub mod ase;
mod budget;
mod cegar;
pub mod cells;
pub mod concrete;
mod observer;
mod outcome;
pub mod recursion;
mod symbolic;
pub mod symexec;
pub mod symexec_ia;

pub use budget::{Budget, Limit};
pub use observer::{Effort, Event, Observer, Silent, Statistics, Work};
pub use outcome::{Counterexample, FrontierEntry, Outcome, Reason, Unknown};
