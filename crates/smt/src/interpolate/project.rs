//! Projection of one side of a contradiction to the variables of a cut.

use super::atoms::{Mentions, all_conjuncts};
use super::reads::replace_reads;
use super::resolve::resolvents;
use super::solve::solve;
use super::unsat_core::minimise;
use crate::{Answer, Solver};
use aster_term::{Evaluator, Substitution, Term, TermPool, Value, free_variables};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many equations are solved in one projection.
const MAX_SOLVED: usize = 1000;
/// How many instances replace formulas about variables that could not be eliminated otherwise.
const MAX_INSTANCES: usize = 8;
/// Instances multiply what they are made from, at each cut again: larger formulas are not instantiated.
const MAX_INSTANTIATED: usize = 200;
/// How many candidates are tried for each variable in each instance.
const MAX_CANDIDATES: usize = 12;

/// Formulas that contradict the other side, and the part of the other side that is needed.
#[derive(Clone)]
pub(super) struct Refuted {
    pub(super) conjuncts: Vec<Term>,
    pub(super) other: Vec<Term>,
}

/// Weakens formulas that contradict another side until they only mention what both sides may talk about.
pub(super) struct Projection<'a> {
    pub(super) pool: &'a mut TermPool,
    pub(super) solver: &'a mut dyn Solver,
    /// The formulas of the other side.
    pub(super) other: Vec<Term>,
    /// From the variables of the cut to what the other side calls them.
    names: &'a dyn Fn(Term) -> Option<Term>,
    /// The memo of renaming.
    instance: Substitution,
    /// The variables that may not stay.
    pub(super) foreign: Mentions,
    /// Numbers for unknowns that solving introduces.
    unknowns: usize,
    /// How many checks may be spent on dropping formulas that are not needed.
    checks: u32,
}

impl<'a> Projection<'a> {
    pub(super) fn new(
        pool: &'a mut TermPool,
        solver: &'a mut dyn Solver,
        other: Vec<Term>,
        names: &'a dyn Fn(Term) -> Option<Term>,
        checks: u32,
    ) -> Self {
        Projection {
            pool,
            solver,
            other,
            names,
            instance: Substitution::new(),
            foreign: Mentions::default(),
            unknowns: 0,
            checks,
        }
    }

    /// Formulas over variables that are not foreign which the given ones imply, and which still contradict the
    /// other side. `None` if none were found.
    pub(super) fn run(mut self, formulas: &[Term], is_foreign: impl Fn(Term) -> bool) -> Option<Refuted> {
        let formulas = all_conjuncts(self.pool, formulas);
        let foreign = free_variables(self.pool, &formulas).into_iter().filter(|&v| is_foreign(v));
        self.foreign = Mentions::of(foreign);
        let start = self.refute(&formulas)?;
        if start.other.is_empty() && self.is_contradiction(&start.conjuncts) {
            let contradiction = self.pool.bool(false);
            return Some(Refuted { conjuncts: vec![contradiction], other: Vec::new() });
        }
        let found = match self.without_foreign(&start.conjuncts) {
            Some(found) => found,
            None => self.eliminate(start.conjuncts)?,
        };
        Some(self.minimise(found))
    }

    /// True if the formulas are unsatisfiable without the other side.
    fn is_contradiction(&mut self, formulas: &[Term]) -> bool {
        matches!(self.solver.check(self.pool, formulas), Answer::Unsat(_))
    }

    /// The formula as the other side would state it.
    pub(super) fn instantiate(&mut self, formula: Term) -> Term {
        self.instance.apply_with(self.pool, formula, |_, variable| (self.names)(variable))
    }

    /// What of the formulas is needed for a contradiction with the other side; `None` if there is none.
    fn refute(&mut self, formulas: &[Term]) -> Option<Refuted> {
        let mut instances = Vec::with_capacity(formulas.len());
        let mut source: FxHashMap<Term, Term> = FxHashMap::default();
        for &formula in formulas {
            let instance = self.instantiate(formula);
            if self.pool.bool_constant(instance) == Some(false) {
                return Some(Refuted { conjuncts: vec![formula], other: Vec::new() });
            }
            source.entry(instance).or_insert_with(|| {
                instances.push(instance);
                formula
            });
        }
        let stated: FxHashSet<Term> = self.other.iter().copied().collect();
        instances.retain(|i| !stated.contains(i));
        let mut assumptions = self.other.clone();
        assumptions.extend(&instances);
        let Answer::Unsat(core) = self.solver.check(self.pool, &assumptions) else { return None };
        let core: FxHashSet<Term> = core.into_iter().collect();
        let other: Vec<Term> = self.other.iter().copied().filter(|term| core.contains(term)).collect();
        let used = instances.iter().filter(|i| core.contains(i));
        Some(Refuted { conjuncts: used.map(|i| source[i]).collect(), other })
    }

    /// The formulas without foreign variables, if they are enough.
    fn without_foreign(&mut self, formulas: &[Term]) -> Option<Refuted> {
        let own: Vec<Term> = formulas.iter().copied().filter(|&f| !self.foreign.any(self.pool, f)).collect();
        self.refute(&own)
    }

    fn eliminate(&mut self, formulas: Vec<Term>) -> Option<Refuted> {
        let mut solved = self.solve_equations(formulas);
        let (foreign, unknowns) = (&mut self.foreign, &mut self.unknowns);
        if let Some(read) = replace_reads(self.pool, &solved, foreign, unknowns) {
            let read = all_conjuncts(self.pool, &read);
            solved = self.solve_equations(read);
        }
        if let Some(found) = self.without_foreign(&solved) {
            return Some(found);
        }
        let needed = self.refute(&solved)?.conjuncts;
        let resolved = resolvents(self.pool, &needed, &mut self.foreign);
        if let Some(found) = self.without_foreign(&resolved) {
            return Some(found);
        }
        let found = match self.instances(&needed) {
            Some(found) => found,
            None => self.cover(&needed)?,
        };
        self.without_foreign(&found)
    }

    /// Substitutes solutions of equations for foreign variables as long as there are any.
    fn solve_equations(&mut self, mut formulas: Vec<Term>) -> Vec<Term> {
        for _ in 0..MAX_SOLVED {
            let mut found = None;
            for (position, &formula) in formulas.iter().enumerate() {
                if self.foreign.any(self.pool, formula)
                    && let Some(solved) = solve(self.pool, formula, &mut self.foreign, self.unknowns)
                {
                    found = Some((position, solved));
                    break;
                }
            }
            let Some((position, solved)) = found else { break };
            if let Some(unknown) = solved.unknown {
                self.unknowns += 1;
                self.foreign.insert(unknown);
            }
            formulas.splice(position..=position, solved.conditions);
            let mut substitution = Substitution::new();
            substitution.insert(solved.variable, solved.value);
            for formula in &mut formulas {
                *formula = substitution.apply(self.pool, *formula);
            }
            formulas = all_conjuncts(self.pool, &formulas);
        }
        formulas
    }

    /// The formulas with those about foreign variables replaced by a disjunction of instances that is implied by
    /// them. Instances are found by models and put terms in place of foreign variables, or values where no term fits.
    fn instances(&mut self, formulas: &[Term]) -> Option<Vec<Term>> {
        let mut own = Vec::new();
        let mut about = Vec::new();
        for &formula in formulas {
            if self.foreign.any(self.pool, formula) { about.push(formula) } else { own.push(formula) }
        }
        let inputs: Vec<Term> =
            free_variables(self.pool, &about).into_iter().filter(|&v| self.foreign.has(v)).collect();
        let body = self.pool.and_all(&about);
        if !is_smaller(self.pool, body, MAX_INSTANTIATED) {
            return None;
        }
        let candidates = self.candidates(&about);
        let mut disjunction = self.pool.bool(false);
        for _ in 0..MAX_INSTANCES {
            let mut query = formulas.to_vec();
            query.push(self.pool.not(disjunction));
            match self.solver.check(self.pool, &query) {
                Answer::Unsat(_) => {
                    own.push(disjunction);
                    return Some(own);
                }
                Answer::Unknown(_) => return None,
                Answer::Sat(model) => {
                    let mut instance = body;
                    for &input in &inputs {
                        let chosen = self.choose(instance, input, &candidates, &model);
                        let mut substitution = Substitution::new();
                        substitution.insert(input, chosen);
                        instance = substitution.apply(self.pool, instance);
                    }
                    disjunction = self.pool.or(disjunction, instance);
                }
            }
        }
        None
    }

    /// Terms without foreign variables that foreign ones are compared with.
    pub(super) fn candidates(&mut self, formulas: &[Term]) -> Vec<Term> {
        let mut found = Vec::new();
        for &formula in formulas {
            for atom in super::atoms(self.pool, formula) {
                for &side in &self.pool.args(atom).to_vec() {
                    if !self.foreign.any(self.pool, side) && !found.contains(&side) {
                        found.push(side);
                    }
                }
            }
        }
        found.truncate(MAX_CANDIDATES);
        found
    }

    /// A term for the input with which the formula still holds in the model.
    fn choose(&mut self, formula: Term, input: Term, candidates: &[Term], model: &aster_term::Model) -> Term {
        for &candidate in candidates {
            if self.pool.sort(candidate) != self.pool.sort(input) {
                continue;
            }
            let mut substitution = Substitution::new();
            substitution.insert(input, candidate);
            let instance = substitution.apply(self.pool, formula);
            if Evaluator::new(model).value(self.pool, instance) == Value::Bool(true) {
                return candidate;
            }
        }
        let value = Evaluator::new(model).value(self.pool, input);
        self.pool.value(&value)
    }

    /// Drops formulas that are not needed, as far as the budget goes.
    fn minimise(&mut self, found: Refuted) -> Refuted {
        if found.conjuncts.len() < 2 {
            return found;
        }
        let instances: Vec<Term> = found.conjuncts.iter().map(|&f| self.instantiate(f)).collect();
        let kept = minimise(self.pool, self.solver, &found.other, instances.clone(), self.checks);
        let kept: FxHashSet<Term> = kept.into_iter().collect();
        let pairs = found.conjuncts.iter().zip(&instances);
        let conjuncts = pairs.filter(|(_, instance)| kept.contains(instance)).map(|(&f, _)| f).collect();
        Refuted { conjuncts, other: found.other }
    }
}

/// True if the term has fewer subterms than this.
fn is_smaller(pool: &TermPool, term: Term, limit: usize) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = vec![term];
    while let Some(current) = stack.pop() {
        if seen.insert(current) {
            stack.extend(pool.args(current));
        }
        if seen.len() >= limit {
            return false;
        }
    }
    true
}
