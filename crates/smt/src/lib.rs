//! Deciding satisfiability: the [`Solver`] interface, the native solver that bit-blasts onto CaDiCaL,
//! SMT-LIB 2 processes, and the layers in front of them.
//!
//! Knows nothing about programs, paths or verdicts.

mod assemble;
mod eliminate;
mod enumerate;
pub mod interpolate;
mod layers;
mod native;
mod process;
mod script;
mod solver;

pub use assemble::{Backend, Config, assemble};
pub use eliminate::{EliminationError, eliminate, without_redundancy};
pub use enumerate::all_solutions;
pub use layers::{
    CrossCheck, FloatSearch, IntegerSearch, ModelReuse, QueryCache, QueryLog, Recording, Slicing,
};
pub use native::NativeSolver;
pub use process::{ProcessSolver, SolverError};
pub use script::script;
pub use solver::{Answer, Interrupt, Limits, Solver, Statistics, UnknownReason};
