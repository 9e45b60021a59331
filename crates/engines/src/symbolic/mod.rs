//! Symbolic execution of single paths: what the engines that explore paths have in common.
//!
//! The [`Executor`] takes a [`State`] from one location to the next, splits it where both sides of a branch are
//! feasible, and says when it got to something that matters. Which states are followed, in which order, and what
//! happens between is the engines' business.

mod array;
mod branch;
mod compile;
mod cycle;
mod executor;
mod frontier;
mod history;
mod memory;
mod path_condition;
mod recipe;
mod state;
mod table;
mod value;
mod visited;

pub(crate) use branch::Feasibility;
pub(crate) use executor::{Executor, Followed, Purpose, Step};
pub(crate) use frontier::Frontier;
pub use frontier::Search;
pub(crate) use history::{Choice, History};
pub(crate) use memory::{Memory, Place};
pub(crate) use path_condition::PathCondition;
pub(crate) use state::{State, Witness};
pub(crate) use value::Value;
