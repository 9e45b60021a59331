//! Sorts, hash-consed terms and everything that can be done to them without a solver.
//!
//! A [`TermPool`] owns all terms; a [`Term`] is a small copyable id into it, and two terms are equal
//! exactly if their ids are. Constructors check sorts and normalise on the spot, so most trivial
//! questions are answered before anybody asks a solver.
//!
//! Knows nothing about programs, solvers or files.

mod evaluate;
mod float;
mod node;
mod op;
mod pool;
mod rewrite;
mod smtlib;
mod sort;
mod substitute;
#[cfg(test)]
mod testing;
mod value;

pub use evaluate::{Evaluator, Model, evaluate};
pub use float::{FloatFormat, FpOp, Rounding, parse_float, show_float, show_hexadecimal_float};
pub use op::Op;
pub use pool::{SortError, Term, TermPool};
pub use rewrite::rewrite_rules;
pub use smtlib::{Definitions, parse_value, print_term};
pub use sort::{MAX_WIDTH, Sort};
pub use substitute::{Substitution, free_variables};
pub use value::{ArrayValue, BitVec, Value};
