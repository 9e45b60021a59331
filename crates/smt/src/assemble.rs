//! Puts a solver and the layers in front of it together.

use crate::layers::{
    CrossCheck, FloatSearch, IntegerSearch, ModelReuse, QueryCache, QueryLog, Recording, Slicing,
};
use crate::{Interrupt, NativeSolver, ProcessSolver, Solver, SolverError};

/// Who decides what the layers cannot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// The solver of this crate.
    #[default]
    Native,
    /// An SMT-LIB 2 solver with this command line, for example `z3 -in`.
    Process(String),
}

/// What a solver is made of.
#[derive(Clone, Debug)]
pub struct Config {
    /// The solver at the bottom.
    pub backend: Backend,
    /// The command of a second solver that every answer of the backend is compared with.
    pub cross_check: Option<String>,
    /// Whether recent models are tried first.
    pub model_reuse: bool,
    /// Whether independent parts of a query are decided on their own.
    pub slicing: bool,
    /// Whether answers are remembered.
    pub cache: bool,
    /// Whether queries about few floats are tried with ranges before the backend gets them.
    pub float_search: bool,
    /// Whether queries about quotients, remainders and products are tried with ranges before the backend gets them.
    pub integer_search: bool,
    /// Where queries that none of the layers before has decided are written down.
    pub record: Option<QueryLog>,
}

/// The native solver with all layers.
impl Default for Config {
    fn default() -> Self {
        Config {
            backend: Backend::Native,
            cross_check: None,
            model_reuse: true,
            slicing: true,
            cache: true,
            float_search: true,
            integer_search: true,
            record: None,
        }
    }
}

/// The solver that the configuration describes.
///
/// From outside to inside: recent models on the whole query, slicing, then for each slice the cache,
/// recent models of slices, searches over ranges of integers and of floats, and at last the backend. A cross-check sits in front of
/// the last three, so that it sees each question that is really solved; the record of queries too.
pub fn assemble(config: &Config, interrupt: &Interrupt) -> Result<Box<dyn Solver>, SolverError> {
    let mut solver: Box<dyn Solver> = match &config.backend {
        Backend::Native => Box::new(NativeSolver::new(interrupt.clone())),
        Backend::Process(command) => Box::new(ProcessSolver::new(command, interrupt.clone())?),
    };
    if config.float_search {
        solver = Box::new(FloatSearch::new(solver, interrupt.clone(), config.backend == Backend::Native));
    }
    if config.integer_search {
        solver = Box::new(IntegerSearch::new(solver, interrupt.clone()));
    }
    if let Some(command) = &config.cross_check {
        solver = Box::new(CrossCheck::new(solver, Box::new(ProcessSolver::new(command, interrupt.clone())?)));
    }
    if let Some(log) = &config.record {
        solver = Box::new(Recording::new(solver, log.clone()));
    }
    // Without slicing, slices are the whole query: one layer of models is enough.
    if config.model_reuse && config.slicing {
        solver = Box::new(ModelReuse::new(solver));
    }
    if config.cache {
        solver = Box::new(QueryCache::new(solver));
    }
    if config.slicing {
        solver = Box::new(Slicing::new(solver));
    }
    if config.model_reuse {
        solver = Box::new(ModelReuse::new(solver));
    }
    Ok(solver)
}
