//! The SAT solver underneath: the only module that knows which one it is.

use crate::solver::{Interrupt, UnknownReason};
use cadical_sys::{CaDiCal, Status, Terminator};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Instant;

/// A literal: a variable number, negative if negated. Never zero.
pub(super) type Lit = i32;

/// The literal that is true in every assignment; variable 1 is reserved for it.
pub(super) const TRUE: Lit = 1;

/// The literal that is false in every assignment.
pub(super) const FALSE: Lit = -TRUE;

/// The literal of a constant.
pub(super) fn constant(value: bool) -> Lit {
    if value { TRUE } else { FALSE }
}

/// True for the two constant literals.
pub(super) fn is_constant(literal: Lit) -> bool {
    literal.abs() == TRUE
}

/// What a call of the SAT solver ended with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// A model is there until the next clause is added.
    Sat,
    /// The failed assumptions are there until the next clause is added.
    Unsat,
    /// No answer.
    Stopped(UnknownReason),
}

/// Why the search should stop now; shared between the solver and its terminator callback.
struct Stop {
    interrupt: Interrupt,
    deadline: Cell<Option<Instant>>,
}

impl Stop {
    fn reason(&self) -> Option<UnknownReason> {
        if self.interrupt.is_raised() {
            return Some(UnknownReason::Interrupted);
        }
        let deadline = self.deadline.get()?;
        (Instant::now() >= deadline).then_some(UnknownReason::TimeLimit)
    }
}

struct Watch(Rc<Stop>);

impl Terminator for Watch {
    fn terminated(&mut self) -> bool {
        self.0.reason().is_some()
    }
}

/// An incremental SAT solver under assumptions.
pub(super) struct Sat {
    solver: CaDiCal,
    stop: Rc<Stop>,
    variables: Lit,
    clauses: u64,
}

impl Sat {
    /// A solver without clauses.
    pub(super) fn new(interrupt: Interrupt) -> Self {
        let stop = Rc::new(Stop { interrupt, deadline: Cell::new(None) });
        // CaDiCaL's default options. Measured on chains and trees of branches, products, divisions and
        // arrays: without inprocessing factoring took 0.65 s -> 3.7 s, without lucky phases symbolic
        // writes 0.3 s -> 3.6 s; reuse of the trail (`ilb`), the plain configuration and fewer or later
        // rounds of inprocessing made no difference beyond the noise.
        let mut solver = CaDiCal::new();
        solver.connect_terminator(Watch(Rc::clone(&stop)));
        let mut sat = Sat { solver, stop, variables: TRUE, clauses: 0 };
        sat.emit(&[TRUE]);
        sat
    }

    /// A new variable, as its positive literal.
    pub(super) fn fresh(&mut self) -> Lit {
        self.variables = self.variables.checked_add(1).expect("fewer than 2^31 variables");
        self.variables
    }

    /// A literal under which clauses hold: it is assumed where they are needed, and otherwise rather false.
    pub(super) fn guard(&mut self) -> Lit {
        let guard = self.fresh();
        // It occurs with one sign only, so that it would be eliminated and brought back again and again.
        self.solver.freeze(guard);
        self.solver.phase(-guard);
        guard
    }

    /// Adds a clause without constants.
    pub(super) fn emit(&mut self, clause: &[Lit]) {
        debug_assert!(clause.len() == 1 || !clause.iter().any(|&l| is_constant(l)));
        match *clause {
            [a, b] => self.solver.clause2(a, b),
            [a, b, c] => self.solver.clause3(a, b, c),
            [a, b, c, d] => self.solver.clause4(a, b, c, d),
            _ => {
                for &literal in clause {
                    self.solver.add(literal);
                }
                self.solver.add(0);
            }
        }
        self.clauses += 1;
    }

    /// Adds a clause in which constants may occur.
    pub(super) fn clause(&mut self, literals: &[Lit]) {
        if literals.contains(&TRUE) {
            return;
        }
        let kept: Vec<Lit> = literals.iter().copied().filter(|&l| l != FALSE).collect();
        self.emit(&kept);
    }

    /// The point in time at which later calls give up.
    pub(super) fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.stop.deadline.set(deadline);
    }

    /// The reason to give up now, if there is one.
    pub(super) fn stop_reason(&self) -> Option<UnknownReason> {
        self.stop.reason()
    }

    /// Decides the clauses under the assumptions with at most so many conflicts.
    pub(super) fn solve(&mut self, assumptions: &[Lit], conflicts: Option<u32>) -> Outcome {
        if let Some(reason) = self.stop.reason() {
            return Outcome::Stopped(reason);
        }
        for &literal in assumptions {
            self.solver.assume(literal);
        }
        if let Some(limit) = conflicts {
            self.solver.limit("conflicts", i32::try_from(limit).unwrap_or(i32::MAX));
        }
        match self.solver.solve() {
            Status::SATISFIABLE => Outcome::Sat,
            Status::UNSATISFIABLE => Outcome::Unsat,
            Status::UNKNOWN => Outcome::Stopped(self.stop.reason().unwrap_or(UnknownReason::ConflictLimit)),
        }
    }

    /// The value of a literal in the model.
    pub(super) fn value(&mut self, literal: Lit) -> bool {
        match literal {
            TRUE => true,
            FALSE => false,
            // CaDiCaL answers with the literal itself or with its negation.
            _ => self.solver.val(literal) == literal,
        }
    }

    /// True if the assumption was used to derive unsatisfiability.
    pub(super) fn failed(&mut self, assumption: Lit) -> bool {
        self.solver.failed(assumption)
    }

    /// Conflicts of all calls so far.
    pub(super) fn conflicts(&self) -> u64 {
        u64::try_from(self.solver.get_statistic_value("conflicts")).unwrap_or(0)
    }

    /// Variables so far.
    pub(super) fn variables(&self) -> u64 {
        u64::from(self.variables.unsigned_abs())
    }

    /// Clauses given so far.
    pub(super) fn clauses(&self) -> u64 {
        self.clauses
    }
}
