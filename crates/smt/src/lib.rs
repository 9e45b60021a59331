//! Deciding satisfiability: the [`Solver`] interface, the native solver that bit-blasts onto CaDiCaL,
//! SMT-LIB 2 processes, and the layers in front of them.
//!
//! Knows nothing about programs, paths or verdicts.

mod solver;

pub use solver::{Answer, Interrupt, Limits, Solver, Statistics, UnknownReason};
