//! Abstract analysis of symbolic executions of concurrent systems: Figures 4.1 to 4.4 of the thesis of that name.
//!
//! The system is executed symbolically, path by path; a path ends where it comes to an abstract state (the values of the
//! control variables and a valuation of the predicates) that it has been in before. So every error that is found is real. Whether
//! what was explored is all there is, is decided afterwards, on the abstract states.
//!
//! Departures:
//! - A transition is exact in the thesis if every concrete state of its source has *some* successor in its target. With
//!   inputs this does not exclude other successors, so it is not enough for a proof. Here a set of abstract states counts as closed if
//!   *all* successors of all its concrete states are in it. Where transitions are deterministic, this accepts whatever the thesis accepts.
//! - Which transitions are enabled, and whether there is an error, depends on nothing but the abstract state, and is
//!   found out once for each.
//! - A state of which all variables hold literals is split without a solver.
//! - With sharing (on unless switched off) a symbolic state whose successors were made is not explored again, whatever path leads to it. What
//!   is explored is less than in the thesis then, but no less is checked for a proof.
//! - Concrete states are computed with by arithmetic of the machine ([`machine`]); what a transition does to the predicates is mostly
//!   found without a solver ([`analysis`]).
//! - Of states that differ by the order of equal processes only, one is explored ([`symmetry`]); steps that concern one process only are
//!   taken before all others ([`reduction`]).
//! - The transitions on loops are those of the strongly connected components of the abstract system.

mod abstraction;
mod analysis;
mod evidence;
mod execute;
mod explored;
mod machine;
mod reduction;
mod refine;
mod symmetry;
mod system;
#[cfg(test)]
mod tests;

use crate::{Budget, Event, Observer, Reason};
use abstraction::{AbstractStates, Predicates};
use analysis::Effect;
use aster_smt::{Answer, Solver, UnknownReason};
use aster_term::{Term, TermPool};
pub use evidence::{Evidence, Kind};
use execute::Search;
use machine::Machine;
use rustc_hash::FxHashMap;
use symmetry::Symmetry;
pub use system::{Assigned, System, Transition, Variable};

/// Options of the engine.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Do not explore what follows from a symbolic state twice, where that changes nothing.
    pub sharing: bool,
    /// Explore one of all concrete states that differ by the order of processes only (part of sharing).
    pub symmetry: bool,
    /// Let steps that concern one process only be taken before all others (partial-order reduction).
    pub reduction: bool,
    /// Check the evidence for `Safe`.
    pub verify: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { sharing: true, symmetry: true, reduction: true, verify: true }
    }
}

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Rounds of symbolic execution.
    pub iterations: u32,
    /// Predicates in the last round.
    pub predicates: u32,
    /// Symbolic states in the last round.
    pub symbolic_states: u64,
    /// Abstract states in the last round.
    pub abstract_states: u64,
    /// Checks that the solver was asked for.
    pub queries: u64,
}

/// A run of the system to an error.
#[derive(Clone, Debug)]
pub struct Run {
    /// The first values of the variables, in their order.
    pub initial: Vec<aster_term::Value>,
    /// The transitions that are taken, by their position, each with the values of its inputs in the order of its assignments.
    pub steps: Vec<(usize, Vec<aster_term::Value>)>,
}

/// What came out.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No error can be reached.
    Safe(Evidence),
    /// This run reaches one.
    Unsafe(Run),
    /// Not decided.
    Unknown(Reason),
}

/// Refine(P, ψ): Figure 4.1.
pub fn run(
    system: &System,
    pool: &mut TermPool,
    solver: &mut dyn Solver,
    options: Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (Verdict, Statistics) {
    let before = solver.statistics().checks;
    let local = match options.reduction {
        true => reduction::local_locations(system, pool, solver),
        false => reduction::Local::new(),
    };
    let together = reduction::reduced(system, pool, &local, reduction::Order::Any);
    let one_by_one = reduction::reduced(system, pool, &local, reduction::Order::First);
    let mut ase = Ase::new(&together, pool, solver, options, budget, observer);
    let found = ase.find_symmetries();
    if ase.symmetries.is_empty() {
        ase.system = &one_by_one;
        ase.predicates = Predicates::of_system(&one_by_one, ase.pool);
    }
    let verdict = match found.and_then(|()| ase.refine()) {
        Ok(verdict) => verdict,
        Err(reason) => Verdict::Unknown(reason),
    };
    let mut statistics = ase.statistics;
    statistics.abstract_states = ase.states.len() as u64;
    statistics.queries = ase.solver.statistics().checks - before;
    (verdict, statistics)
}

struct Ase<'a> {
    system: &'a System,
    pool: &'a mut TermPool,
    solver: &'a mut dyn Solver,
    options: Options,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    /// Φ.
    predicates: Predicates,
    states: AbstractStates,
    /// What computes with concrete states, if that is possible.
    machine: Option<Machine>,
    symmetries: Vec<Symmetry>,
    /// The domains of variables that no run leaves before it reaches an error.
    domains: Vec<Term>,
    /// The effects of the transitions that were needed so far.
    effects: FxHashMap<usize, Effect>,
    statistics: Statistics,
}

impl<'a> Ase<'a> {
    fn new(
        system: &'a System,
        pool: &'a mut TermPool,
        solver: &'a mut dyn Solver,
        options: Options,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
    ) -> Self {
        let predicates = Predicates::of_system(system, pool);
        Ase {
            system,
            pool,
            solver,
            options,
            budget,
            observer,
            predicates,
            states: AbstractStates::default(),
            machine: None,
            symmetries: Vec::new(),
            domains: Vec::new(),
            effects: FxHashMap::default(),
            statistics: Statistics::default(),
        }
    }

    fn refine(&mut self) -> Result<Verdict, Reason> {
        self.find_domains()?;
        loop {
            self.statistics.iterations += 1;
            self.statistics.predicates = self.predicates.len() as u32;
            self.statistics.symbolic_states = 0;
            self.states = AbstractStates::default();
            self.machine = Machine::new(self.pool, self.system, &self.predicates);
            let mut explored = match self.symbolic_execution()? {
                Search::Error(run) => return Ok(Verdict::Unsafe(run)),
                Search::Complete(explored) => explored,
            };
            self.add_exchanged(&mut explored)?;
            self.note_round();
            let fragment = explored.fragment();
            if self.is_closed(&explored, &fragment)? {
                return self.safe(Kind::Fragment, &fragment);
            }
            let all = explored.all_states();
            if self.is_closed(&explored, &all)? {
                return self.safe(Kind::Inductive, &all);
            }
            if !self.add_predicates(&explored, &fragment)? {
                return Err(Reason::Refinement);
            }
            self.observer.on(Event::Refinement);
        }
    }

    fn note_round(&mut self) {
        let (statistics, abstract_states) = (self.statistics, self.states.len());
        let predicates = self.predicates.len();
        self.observer.on(Event::Precision { predicates, most: predicates, threshold: 0 });
        self.observer.note(&mut || {
            format!(
                "round {}: {} predicates, {} symbolic and {abstract_states} abstract states",
                statistics.iterations, statistics.predicates, statistics.symbolic_states
            )
        });
    }

    /// The end of the run if a limit was hit.
    fn check_budget(&self) -> Result<(), Reason> {
        self.budget.exhausted().map_or(Ok(()), |limit| Err(Reason::Limit(limit)))
    }

    fn gave_up(&self, reason: UnknownReason) -> Reason {
        self.budget.exhausted().map_or(Reason::Solver(reason), Reason::Limit)
    }

    fn ask(&mut self, formulas: &[Term]) -> Answer {
        self.observer.on(Event::Query);
        self.solver.check(self.pool, formulas)
    }

    /// True if formulas can be satisfied together.
    fn is_satisfiable(&mut self, formulas: &[Term]) -> Result<bool, Reason> {
        match self.ask(formulas) {
            Answer::Sat(_) => Ok(true),
            Answer::Unsat(_) => Ok(false),
            Answer::Unknown(reason) => Err(self.gave_up(reason)),
        }
    }
}
