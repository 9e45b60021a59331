//! Standard symbolic execution: Algorithm 1 of "Symbolic Execution with Predicate Abstraction and CEGAR"
//! (FMCAD 2024), section III.
//!
//! Departures, none of which changes what is decided:
//! - The recursion over successors is a loop over a frontier of waiting states, so that the search order
//!   is a parameter. Depth-first order visits states exactly as the paper's function does.
//! - A state carries a model of its path condition (its witness). An outgoing assumption that the witness
//!   satisfies is feasible without asking ISSAT; only the other ones are asked for.
//! - ISSAT is asked only about the conjuncts that share variables with the new one: the path condition without
//!   it is satisfiable, as the witness shows.
//! - ISSAT is not asked about a condition that is one of the conjuncts, or the opposite of one.
//! - If all other outgoing assumptions are infeasible and one of them must hold, the remaining one is implied
//!   by the path condition and is not added to it.
//! - No history is kept: the inputs of a counterexample determine its path, which replay recovers.
//! - Variables that nothing depends on any more are not computed.
//! - States from which neither an error nor an unmodelled construct can be reached in the graph of the
//!   program are not followed further, and ISSAT is not asked about branches to such places: the other side
//!   then keeps its condition, which may or may not follow from the path condition.
//! - A path that comes back to a loop head with the same memory, and without having assumed anything since, is in
//!   an endless loop and is not followed further.
//! - Undefined behaviour ends a path with a warning. Once a warning was given, its place is one from which
//!   nothing can be reached.

pub use crate::symbolic::Search;

use crate::symbolic::{Executor, Followed, Frontier, Purpose};
use crate::{Budget, Event, Observer, Outcome, Reason};
use aster_cfa::Program;
use aster_smt::Solver;
use aster_term::TermPool;

/// Options of symbolic execution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Search order.
    pub search: Search,
    /// Seed of the random choices.
    pub seed: u64,
    /// Follow every path, as the paper does: also one that meets another path in the same state, or goes round in circles.
    pub all_paths: bool,
}

/// Explores all feasible paths of the program.
///
/// `Safe` is given only if every feasible path was followed to its end.
pub fn run(
    program: &Program,
    pool: &mut TermPool,
    solver: &mut dyn Solver,
    options: Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Outcome {
    let mut executor = Executor::new(program, pool, solver, budget, observer, Purpose::Exact);
    if options.all_paths {
        executor.follow_all_paths();
    }
    symex(executor, Frontier::new(options.search, options.seed))
}

/// Algorithm 1, with the frontier in place of the recursion.
fn symex(mut executor: Executor<'_>, mut frontier: Frontier) -> Outcome {
    let initial = executor.initial_state();
    frontier.push(vec![initial], |_| 0);
    while let Some(state) = frontier.pop() {
        executor.observer.on(Event::Position { depth: state.depth, waiting: frontier.len() });
        let waiting_at = state.location;
        match executor.follow(state) {
            Followed::Error(state) => return Outcome::Unsafe(executor.counterexample(&state)),
            Followed::Successors(successors) => {
                let (program, to_error, paths) = (executor.program, &mut executor.to_error, &executor.paths);
                frontier.push(successors, |state| {
                    to_error.to_target(program, paths, state.location).unwrap_or(u32::MAX)
                });
            }
            Followed::LoopHead(_) | Followed::Suspect(..) => {
                let reason = Reason::Internal("a path was handed back that should go on".to_owned());
                return Outcome::Unknown(executor.unknown(reason, &[]));
            }
            Followed::Stop(reason) => {
                let mut locations = vec![waiting_at];
                locations.extend(frontier.drain().iter().map(|state| state.location));
                return Outcome::Unknown(executor.unknown(reason, &locations));
            }
        }
    }
    match executor.obstacle.take() {
        None => Outcome::Safe,
        Some(reason) => Outcome::Unknown(executor.unknown(reason, &[])),
    }
}
