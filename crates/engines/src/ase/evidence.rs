//! The evidence for `Safe`: a set of states that no transition leaves, and that every run gets into without an error.
//!
//! It is checked with another solver and without predicates or abstract states: from every state of the set every transition leads
//! into it, it contains no error, and the system is executed from its initial states until all paths have
//! ended or are in the set.

use super::{Ase, Verdict};
use super::{Assigned, System};
use crate::{Budget, Reason};
use aster_smt::{Answer, Limits, NativeSolver, Solver};
use aster_term::{Sort, Substitution, Term, TermPool};
use rustc_hash::FxHashSet;
use std::time::Duration;

/// More symbolic states than this are not looked at again.
const MAX_STATES: usize = 20_000;
/// No query of the check takes longer.
const MAX_QUERY_TIME: Duration = Duration::from_secs(5);

/// What the proof rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All runs are trapped in a set of abstract states after finitely many steps.
    Fragment,
    /// The abstract states that were explored are an inductive invariant.
    Inductive,
}

/// The evidence.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// What the proof rests on.
    pub kind: Kind,
    /// The abstract states of the set, as formulas over the system's variables, which have values of their domains.
    pub states: Vec<Term>,
    /// What kept the check from its end; `None` if all of it was checked.
    pub unchecked: Option<String>,
}

/// How a check failed.
enum Failure {
    /// The evidence is wrong: a defect of Aster.
    Violated(&'static str),
    Incomplete(String),
}

impl Ase<'_> {
    /// The verdict for a set that is closed.
    pub(super) fn safe(&mut self, kind: Kind, states: &[u32]) -> Result<Verdict, Reason> {
        let mut formulas = Vec::with_capacity(states.len());
        for &number in states {
            let conjuncts = self.formula(number);
            formulas.push(self.pool.and_all(&conjuncts));
        }
        let mut evidence = Evidence { kind, states: formulas, unchecked: None };
        if self.options.verify {
            let mut set = self.set(states);
            for domain in self.domains.clone() {
                set = self.pool.and(set, domain);
            }
            match check(self.system, self.pool, set, self.budget) {
                Ok(()) => {}
                Err(Failure::Incomplete(why)) => evidence.unchecked = Some(why),
                Err(Failure::Violated(what)) => {
                    return Err(Reason::Internal(format!("the proof does not hold: {what}")));
                }
            }
        }
        Ok(Verdict::Safe(evidence))
    }

    /// One formula for a set of abstract states: decisions about one control variable after the other, then about one
    /// predicate after the other, where equal parts are shared, so that it is small even for many states.
    fn set(&mut self, states: &[u32]) -> Term {
        let rows = states.iter().map(|&number| {
            let state = self.states.get(number);
            state.control.iter().copied().chain(state.holds.iter().map(|&holds| holds.into())).collect()
        });
        let mut rows: Vec<Vec<i64>> = rows.collect();
        rows.sort_unstable();
        self.decisions(&rows, 0)
    }

    /// The formula for rows that are equal before a column. At most as deep as there are columns.
    fn decisions(&mut self, rows: &[Vec<i64>], column: usize) -> Term {
        let width = rows.first().map_or(0, Vec::len);
        if rows.is_empty() || column == width {
            return self.pool.bool(!rows.is_empty());
        }
        if self.is_truth(column) {
            let (no, yes) = rows.split_at(rows.partition_point(|row| row[column] == 0));
            let (no, yes) = (self.decisions(no, column + 1), self.decisions(yes, column + 1));
            let condition = self.column(column, 1);
            return self.pool.ite(condition, yes, no);
        }
        let mut formula = self.pool.bool(false);
        for part in rows.chunk_by(|a, b| a[column] == b[column]) {
            let below = self.decisions(part, column + 1);
            let condition = self.column(column, part[0][column]);
            formula = self.pool.ite(condition, below, formula);
        }
        formula
    }

    /// True for columns with truth values: predicates, and control variables that are such.
    fn is_truth(&self, column: usize) -> bool {
        let control = self.predicates.control.get(column);
        control.is_none_or(|&position| self.system.variables[position].sort(self.pool) == Sort::Bool)
    }

    /// The formula that says that a column has a value; of predicates, that they hold.
    fn column(&mut self, column: usize, value: i64) -> Term {
        match self.predicates.control.get(column).copied() {
            Some(position) => {
                let literal = self.literal(position, value);
                self.pool.eq(self.system.variables[position].term, literal)
            }
            None => self.predicates.terms()[column - self.predicates.control.len()],
        }
    }
}

struct Checker<'a> {
    system: &'a System,
    pool: &'a mut TermPool,
    solver: NativeSolver,
    inside: Term,
    budget: &'a Budget,
}

fn check(system: &System, pool: &mut TermPool, inside: Term, budget: &Budget) -> Result<(), Failure> {
    let mut solver = NativeSolver::new(budget.interrupt());
    solver.set_limits(Limits { time: Some(MAX_QUERY_TIME), conflicts: None });
    let mut checker = Checker { system, pool, solver, inside, budget };
    checker.is_closed()?;
    checker.is_entered()
}

impl Checker<'_> {
    fn require_unsatisfiable(&mut self, formulas: &[Term], complaint: &'static str) -> Result<(), Failure> {
        if self.is_satisfiable(formulas)? { Err(Failure::Violated(complaint)) } else { Ok(()) }
    }

    fn is_satisfiable(&mut self, formulas: &[Term]) -> Result<bool, Failure> {
        if let Some(limit) = self.budget.exhausted() {
            return Err(Failure::Incomplete(limit.to_string()));
        }
        match self.solver.check(self.pool, formulas) {
            Answer::Sat(_) => Ok(true),
            Answer::Unsat(_) => Ok(false),
            Answer::Unknown(reason) => Err(Failure::Incomplete(format!("the solver gave up: {reason}"))),
        }
    }

    fn is_closed(&mut self) -> Result<(), Failure> {
        self.require_unsatisfiable(&[self.inside, self.system.error], "an error is in the set")?;
        for transition in 0..self.system.transitions.len() {
            let values: Vec<Term> = self.system.variables.iter().map(|variable| variable.term).collect();
            let (after, domains) = self.after(&values, transition);
            let there = self.at(&after, self.inside);
            let elsewhere = self.pool.not(there);
            let mut query = vec![self.inside, self.system.transitions[transition].guard, elsewhere];
            query.extend(domains);
            self.require_unsatisfiable(&query, "a transition leads out of the set")?;
        }
        Ok(())
    }

    fn is_entered(&mut self) -> Result<(), Failure> {
        let variables = self.system.variables.iter();
        let values: Vec<Term> =
            variables.map(|variable| variable.initial.unwrap_or_else(|| variable.fresh(self.pool))).collect();
        let init = self.at(&values, self.system.init);
        let mut stack = vec![(values, self.open_conjuncts(vec![init]))];
        let mut seen = FxHashSet::default();
        while let Some((values, pc)) = stack.pop() {
            if !seen.insert((values.clone(), pc.clone())) {
                continue;
            }
            if seen.len() > MAX_STATES {
                return Err(Failure::Incomplete("there are too many states before the set".to_owned()));
            }
            let there = self.at(&values, self.inside);
            let mut outside = pc;
            outside.push(self.pool.not(there));
            if !self.is_satisfiable(&outside)? {
                continue;
            }
            let mut error = outside.clone();
            error.push(self.at(&values, self.system.error));
            self.require_unsatisfiable(&error, "an error is reached before the set")?;
            for transition in 0..self.system.transitions.len() {
                let guard = self.at(&values, self.system.transitions[transition].guard);
                let (after, domains) = self.after(&values, transition);
                let mut pc = outside.clone();
                pc.push(guard);
                pc.extend(domains);
                if self.is_satisfiable(&pc)? {
                    stack.push((after, self.open_conjuncts(pc)));
                }
            }
        }
        Ok(())
    }

    /// Conjuncts without those that are true.
    fn open_conjuncts(&self, mut conjuncts: Vec<Term>) -> Vec<Term> {
        conjuncts.retain(|&conjunct| self.pool.bool_constant(conjunct) != Some(true));
        conjuncts
    }

    /// A formula about the state in which variables have these values.
    fn at(&mut self, values: &[Term], formula: Term) -> Term {
        let mut substitution = Substitution::new();
        for (variable, &value) in self.system.variables.iter().zip(values) {
            substitution.insert(variable.term, value);
        }
        substitution.apply(self.pool, formula)
    }

    /// The values after a transition, and what is known about its inputs.
    fn after(&mut self, values: &[Term], transition: usize) -> (Vec<Term>, Vec<Term>) {
        let mut after = values.to_vec();
        let mut domains = Vec::new();
        for &(position, assigned) in &self.system.transitions[transition].assignments {
            let variable = &self.system.variables[position];
            after[position] = match assigned {
                Assigned::Term(term) => self.at(values, term),
                Assigned::Nondet => {
                    let input = variable.fresh(self.pool);
                    domains.push(variable.contains(self.pool, input));
                    input
                }
            };
        }
        (after, domains)
    }
}
