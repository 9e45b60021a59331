//! Verification tasks and how well they are solved: property files, task definitions, sets of tasks, a
//! runner that gives each task a process of its own, and tables and comparisons of the results.
//!
//! Knows nothing about automata, solvers or engines: it starts the `aster` executable and reads the
//! [`report`] that it prints. What the executable needs of this for a single task (properties, task
//! definitions, units) is shared from here.

pub mod collect;
pub mod compare;
pub mod files;
pub mod os;
pub mod property;
pub mod published;
pub mod report;
pub mod results;
pub mod run;
pub mod sets;
pub mod solved;
pub mod table;
pub mod task;
pub mod units;
pub mod variant;

mod child;
mod progress;
