//! The native solver: bit-blasting onto CaDiCaL.
//!
//! - `sat`: the SAT solver, with limits and interruption;
//! - `gates`: logic gates with structural sharing;
//! - `words`: circuits for bit-vector operators;
//! - `float`: circuits for operators on floats;
//! - `blast`: terms to literals, each term once;
//! - `arithmetic`: bounds on linear sums of integers and rationals;
//! - `arrays`: reads and equalities of arrays;
//! - `refine`: what arrays mean, stated on demand.

mod arithmetic;
mod arrays;
mod blast;
mod float;
mod gates;
mod refine;
mod sat;
#[cfg(test)]
mod tests;
mod words;

use crate::solver::{Answer, Interrupt, Limits, Solver, Statistics, UnknownReason};
use arithmetic::{Verdict, is_comparison};
use arrays::{ArrayCone, Refinement};
use aster_term::{BitVec, Evaluator, Model, Op, Sort, Term, TermPool, Value};
use blast::Blaster;
use gates::Gates;
use rustc_hash::{FxHashMap, FxHashSet};
use sat::{FALSE, Lit, Outcome, Sat, TRUE};
use std::rc::Rc;
use std::time::Instant;

/// How many stores that may or may not hit the index a read is expanded over at once.
const EAGER_STORES: usize = 64;

/// A model assigns all variables of the SAT solver, also those that the query does not mention. Once the
/// queries since the last fresh start have assigned this many times more unrelated variables than there
/// are, it is cheaper to start afresh and to translate again what is still asked about. (The 2046 queries of
/// a depth-first walk over a tree of branches, ten deep, take 62 s without and 3 s with it; factors from 5 to
/// 50 differ little.)
const FRESH_START_FACTOR: u64 = 10;

/// Decides formulas over Booleans, bit-vectors, arrays of bit-vectors, and linear sums of integers and rationals.
///
/// Everything that is derived from terms is kept over the solver's life: asserted formulas and
/// assumptions alike are assumption literals of one SAT solver, so scopes cost nothing and what was
/// learned for one query serves the next. One solver belongs to one [`TermPool`].
pub struct NativeSolver {
    interrupt: Interrupt,
    blaster: Blaster,
    asserted: Vec<Term>,
    /// For each open scope how many formulas were asserted before it.
    scopes: Vec<usize>,
    /// What an asserted or assumed term is to the SAT solver.
    roots: FxHashMap<Term, Rc<Root>>,
    /// For each term (by index) the last query that visited it.
    visited: Vec<u32>,
    query: u32,
    /// Unrelated variables that models since the last fresh start had to assign.
    waste: u64,
    /// Variables that refinement of arrays added; they count as related to every query.
    refining_variables: u64,
    limits: Limits,
    /// Counters up to the last fresh start where the SAT solver counts itself.
    statistics: Statistics,
}

impl NativeSolver {
    /// A solver that gives up once `interrupt` is raised.
    pub fn new(interrupt: Interrupt) -> Self {
        NativeSolver {
            blaster: Blaster::new(Gates::new(Sat::new(interrupt.clone())), EAGER_STORES),
            interrupt,
            asserted: Vec::new(),
            scopes: Vec::new(),
            roots: FxHashMap::default(),
            visited: Vec::new(),
            query: 0,
            waste: 0,
            refining_variables: 0,
            limits: Limits::default(),
            statistics: Statistics::default(),
        }
    }

    /// Forgets everything that can be derived again.
    fn start_afresh(&mut self) {
        self.statistics = self.statistics();
        let eager_stores = self.blaster.arrays.eager_stores;
        self.blaster = Blaster::new(Gates::new(Sat::new(self.interrupt.clone())), eager_stores);
        self.roots.clear();
        self.waste = 0;
        self.refining_variables = 0;
    }

    fn sat(&mut self) -> &mut Sat {
        &mut self.blaster.circuits.gates.sat
    }

    /// The literals whose conjunction the term is. A conjunction at the root becomes several
    /// assumptions, which the SAT solver handles better than one gate.
    fn root(&mut self, pool: &TermPool, term: Term) -> Result<Rc<Root>, UnknownReason> {
        if let Some(known) = self.roots.get(&term) {
            return Ok(Rc::clone(known));
        }
        debug_assert_eq!(pool.sort(term), Sort::Bool);
        let mut root = Root::default();
        let mut seen = FxHashSet::default();
        let mut stack = vec![(term, true)];
        while let Some((current, positive)) = stack.pop() {
            if !seen.insert((current, positive)) {
                continue;
            }
            let args = pool.args(current);
            match (pool.op(current), positive) {
                (Op::Not, _) => stack.push((args[0], !positive)),
                (Op::And, true) | (Op::Or, false) => {
                    stack.extend([(args[1], positive), (args[0], positive)]);
                }
                _ => {
                    self.blaster.translate(pool, current)?;
                    let literal = self.blaster.literal(current);
                    root.literals.push(if positive { literal } else { -literal });
                    root.guards.extend(self.blaster.guards(pool, current));
                }
            }
        }
        root.guards.sort_unstable();
        root.guards.dedup();
        let root = Rc::new(root);
        self.roots.insert(term, Rc::clone(&root));
        Ok(root)
    }

    fn decide(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<Answer, UnknownReason> {
        // Which assumption each literal stands for; `None` if it is asserted or a guard.
        let mut owners: FxHashMap<Lit, Option<Term>> = FxHashMap::default();
        let mut literals = Vec::new();
        let roots: Vec<(Term, Option<Term>)> = self
            .asserted
            .iter()
            .map(|&term| (term, None))
            .chain(assumptions.iter().map(|&term| (term, Some(term))))
            .collect();
        for &(root, owner) in &roots {
            let root = self.root(pool, root)?;
            for &guard in &root.guards {
                if owners.insert(guard, None).is_none() {
                    literals.push(guard);
                }
            }
            for &literal in &root.literals {
                if literal == FALSE {
                    return Ok(Answer::Unsat(owner.into_iter().collect()));
                }
                if literal != TRUE && !owners.contains_key(&literal) {
                    owners.insert(literal, owner);
                    literals.push(literal);
                }
            }
        }
        let mut cone = None;
        let (conflicts_before, mut conflicts_of_numbers) = (self.sat().conflicts(), 0);
        self.statistics.solved += 1;
        loop {
            let used = self.sat().conflicts() - conflicts_before + conflicts_of_numbers;
            let budget = self.limits.conflicts.map(|limit| u64::from(limit).saturating_sub(used) as u32);
            match self.solve(&literals, budget) {
                Outcome::Stopped(reason) => return Err(reason),
                Outcome::Unsat => return Ok(Answer::Unsat(self.core(&literals, &owners))),
                Outcome::Sat => {}
            }
            let cone = cone.get_or_insert_with(|| self.cone(pool, &roots));
            let related = cone.weight + self.refining_variables;
            self.waste += self.sat().variables().saturating_sub(related);
            if cone.has_numbers {
                match self.check_numbers(pool, &roots)? {
                    Verdict::Consistent => {}
                    Verdict::Conflict(literals) => {
                        let clause: Vec<Lit> = literals.iter().map(|&literal| -literal).collect();
                        self.sat().clause(&clause);
                        conflicts_of_numbers += 1;
                        continue;
                    }
                }
            }
            let arrays = if cone.arrays.is_empty() {
                Vec::new()
            } else {
                let before = self.sat().variables();
                match self.blaster.refine(pool, &mut cone.arrays) {
                    Refinement::Refined => {
                        self.refining_variables += self.sat().variables() - before;
                        continue;
                    }
                    Refinement::Consistent(values) => values,
                }
            };
            let mut model = self.model(pool, &cone.variables);
            for (variable, value) in arrays {
                model.insert(variable, Value::Array(value));
            }
            if cone.has_numbers {
                let arithmetic = &self.blaster.arithmetic;
                arithmetic.complete(pool, &cone.variables, &mut model);
                if arithmetic.is_approximate() && !satisfies(pool, &model, &roots) {
                    return Err(UnknownReason::Backend("the query is not linear".into()));
                }
            }
            debug_assert!(satisfies(pool, &model, &roots), "the model does not satisfy the query");
            return Ok(Answer::Sat(model));
        }
    }

    /// Whether numbers can be what the model of the SAT solver says about them.
    fn check_numbers(
        &mut self,
        pool: &TermPool,
        roots: &[(Term, Option<Term>)],
    ) -> Result<Verdict, UnknownReason> {
        let start = Instant::now();
        let literals = self.blaster.relevant_bounds(pool, roots.iter().map(|&(root, _)| root));
        let Blaster { arithmetic, circuits, .. } = &mut self.blaster;
        let verdict = arithmetic.check(&literals, &|| circuits.gates.sat.stop_reason());
        self.statistics.solve_time += start.elapsed();
        verdict
    }

    fn solve(&mut self, literals: &[Lit], conflicts: Option<u32>) -> Outcome {
        let start = Instant::now();
        let outcome = self.sat().solve(literals, conflicts);
        self.statistics.solve_time += start.elapsed();
        outcome
    }

    /// The assumptions that the last refutation used, in the order in which they were given.
    fn core(&mut self, literals: &[Lit], owners: &FxHashMap<Lit, Option<Term>>) -> Vec<Term> {
        let failed: Vec<Lit> = literals.iter().copied().filter(|&l| self.sat().failed(l)).collect();
        if cfg!(debug_assertions) {
            let again = self.sat().solve(&failed, None);
            debug_assert_ne!(again, Outcome::Sat, "the core is satisfiable");
        }
        let mut seen = FxHashSet::default();
        failed.iter().filter_map(|literal| owners[literal]).filter(|&term| seen.insert(term)).collect()
    }

    /// Everything below the roots that a model has to give a value to. The cost is that of walking over
    /// the query's own terms, whatever else the solver has seen in its life.
    fn cone(&mut self, pool: &TermPool, roots: &[(Term, Option<Term>)]) -> Cone {
        self.query = self.query.wrapping_add(1);
        if self.query == 0 {
            self.visited.fill(0);
            self.query = 1;
        }
        if self.visited.len() < pool.len() {
            self.visited.resize(pool.len(), 0);
        }
        let mut cone = Cone::default();
        let mut stack: Vec<Term> = roots.iter().map(|&(root, _)| root).collect();
        while let Some(term) = stack.pop() {
            if std::mem::replace(&mut self.visited[term.index()], self.query) == self.query {
                continue;
            }
            if pool.is_variable(term) && self.blaster.is_known(term) {
                cone.variables.push(term);
            }
            cone.has_numbers |= is_comparison(pool, term);
            cone.weight += u64::from(self.blaster.weight(term));
            cone.arrays.visit(pool, &self.blaster.arrays, term);
            stack.extend_from_slice(pool.args(term));
        }
        cone
    }

    /// The values of Boolean and bit-vector variables.
    fn model(&mut self, pool: &TermPool, variables: &[Term]) -> Model {
        let mut model = Model::new();
        for &variable in variables {
            let value = match pool.sort(variable) {
                Sort::Bool => Value::Bool(self.blaster.term_value(pool, variable) == 1),
                Sort::BitVec(width) => {
                    Value::BitVec(BitVec::new(width, self.blaster.term_value(pool, variable)))
                }
                _ => continue,
            };
            model.insert(variable, value);
        }
        model
    }
}

/// What a formula is to the SAT solver.
#[derive(Default)]
struct Root {
    /// The literals whose conjunction it is.
    literals: Vec<Lit>,
    /// What has to be assumed for these to mean what they should.
    guards: Vec<Lit>,
}

/// What a query consists of.
#[derive(Default)]
struct Cone {
    variables: Vec<Term>,
    /// How many variables of the SAT solver the query has.
    weight: u64,
    arrays: ArrayCone,
    /// True if numbers are compared.
    has_numbers: bool,
}

fn satisfies(pool: &TermPool, model: &Model, roots: &[(Term, Option<Term>)]) -> bool {
    let mut evaluator = Evaluator::new(model);
    roots.iter().all(|&(root, _)| evaluator.value(pool, root) == Value::Bool(true))
}

impl Solver for NativeSolver {
    fn push(&mut self) {
        self.scopes.push(self.asserted.len());
    }

    fn pop(&mut self) {
        if let Some(length) = self.scopes.pop() {
            self.asserted.truncate(length);
        }
    }

    fn assert(&mut self, _pool: &mut TermPool, formula: Term) {
        self.asserted.push(formula);
    }

    fn check(&mut self, pool: &mut TermPool, assumptions: &[Term]) -> Answer {
        self.statistics.checks += 1;
        if self.waste > FRESH_START_FACTOR * self.sat().variables() {
            self.start_afresh();
        }
        let deadline = self.limits.time.and_then(|time| Instant::now().checked_add(time));
        self.sat().set_deadline(deadline);
        if let Some(reason) = self.sat().stop_reason() {
            return Answer::Unknown(reason);
        }
        self.decide(pool, assumptions).unwrap_or_else(Answer::Unknown)
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn statistics(&self) -> Statistics {
        let sat = &self.blaster.circuits.gates.sat;
        Statistics {
            sat_variables: self.statistics.sat_variables + sat.variables(),
            sat_clauses: self.statistics.sat_clauses + sat.clauses(),
            array_lemmas: self.statistics.array_lemmas + self.blaster.arrays.lemmas,
            ..self.statistics
        }
    }
}
