//! REFINE(p, cex): predicates from interpolants at the abstraction points of a spurious path.

use super::path::AbstractPath;
use super::{PATIENCE, SymexIa};
use crate::{Event, Reason, Work};
use aster_cfa::{Location, show_term};
use aster_smt::Limits;
use aster_smt::interpolate::{self, Interpolation, Step, Suggestion};
use aster_term::{Sort, Substitution, Term, free_variables};
use std::collections::BTreeSet;

/// Conflicts of the SAT solver in one query of interpolation.
const MAX_CONFLICTS: u32 = 30_000;
/// Sums of inequalities that are kept for a location.
const MAX_SUMS: usize = 20;

impl SymexIa<'_> {
    /// Makes the precision fine enough to exclude a path whose first `length` steps are infeasible, and takes away
    /// the part of the abstraction that it invalidates.
    pub(super) fn refine_precision(&mut self, path: &AbstractPath, length: usize) {
        let mut points: Vec<(usize, u32)> =
            path.points.iter().copied().filter(|&(at, _)| at <= length).collect();
        if !self.unroll_decided_loops(&points, length) {
            self.executor.turn_to(Work::Interpolation);
            if self.find_general_predicates(path) {
                points.clone_from(&path.points);
            } else {
                self.find_predicates(path, length, &points);
            }
            self.executor.turn_to(Work::Exploration);
        }
        // No new predicate: keep more valuations apart, or apply no abstraction on this path.
        if self.first_outdated(&points).is_none() {
            self.raise(&points);
        }
        match self.first_outdated(&points) {
            Some(pivot) => {
                let again = self.graph.remove(pivot);
                self.push(again);
            }
            None => self.executor.note_obstacle(Reason::Refinement),
        }
        self.executor.observer.on(Event::Refinement);
        self.executor.observer.on(self.precision.summary());
    }

    /// If literals were counted up to before: adds the predicates of interpolants of the whole path that hold whatever
    /// the values of these literals are. True if one of them is new, or if the abstraction ignores some of them.
    fn find_general_predicates(&mut self, path: &AbstractPath) -> bool {
        if self.parameters.is_empty() {
            return false;
        }
        let (operations, starts) = self.operations(path, path.steps.len());
        let (operations, mut back) = self.generalize(&operations);
        // The assumptions about the parameters come first.
        let before = operations.len() - starts[path.steps.len()];
        let cuts: Vec<usize> = path.points.iter().map(|&(at, _)| before + starts[at]).collect();
        let Some((formulas, _)) = self.interpolants(&operations, &cuts) else { return false };
        let formulas: Vec<Term> =
            formulas.into_iter().map(|formula| back.apply(self.executor.pool, formula)).collect();
        self.add_atoms(&path.points, &formulas) || path.points.iter().any(|&(_, id)| self.is_imprecise(id))
    }

    /// True if an abstract state leaves open what some of its predicates say.
    fn is_imprecise(&self, id: u32) -> bool {
        let state = self.graph.get(id);
        self.options.sharing && (0..state.predicates).any(|i| state.cube.get(i).is_none())
    }

    /// Adds the predicates of interpolants.
    fn find_predicates(&mut self, path: &AbstractPath, length: usize, points: &[(usize, u32)]) {
        let (operations, starts) = self.operations(path, length);
        let cuts: Vec<usize> = points.iter().map(|&(at, _)| starts[at]).collect();
        if let Some((formulas, sums)) = self.interpolants(&operations, &cuts) {
            self.add_atoms(points, &formulas);
            for sum in sums {
                self.note_sums(points, &sum);
            }
        }
    }

    /// Notes sums of inequalities that may be invariants.
    fn note_sums(&mut self, points: &[(usize, u32)], formulas: &[Term]) {
        for (&(_, id), &formula) in points.iter().zip(formulas) {
            let location = self.graph.get(id).location;
            for atom in interpolate::atoms(self.executor.pool, formula) {
                let known = self.sums.entry(location).or_default();
                if !known.contains(&atom) && known.len() < MAX_SUMS {
                    known.push(atom);
                }
            }
        }
    }

    /// Interpolants of a path at certain cuts, if some are found.
    fn interpolants(&mut self, operations: &[Step], cuts: &[usize]) -> Option<(Vec<Term>, Vec<Vec<Term>>)> {
        // They are of use until auxiliary invariants are looked for.
        let sums = self.options.auxiliary && self.refinements < PATIENCE;
        let options = interpolate::Options { sums, ..self.options.interpolation.clone() };
        self.executor.solver.set_limits(Limits { conflicts: Some(MAX_CONFLICTS), ..self.options.limits });
        let result =
            interpolate::sequence(self.executor.pool, self.executor.solver, operations, cuts, &options);
        self.executor.solver.set_limits(self.options.limits);
        self.executor.observer.note(&mut || {
            let how = match &result {
                Interpolation::Interpolants { strategy, .. } => format!("{strategy:?}"),
                other => format!("{other:?}"),
            };
            format!("spurious path of {} steps, {} abstraction points: {how}", operations.len(), cuts.len())
        });
        match result {
            Interpolation::Interpolants { formulas, sums, .. } => Some((formulas, sums)),
            _ => None,
        }
    }

    /// A path with variables in place of the literals that were counted up to, which are greater than zero, and the
    /// way back.
    fn generalize(&mut self, operations: &[Step]) -> (Vec<Step>, Substitution) {
        let pool = &mut *self.executor.pool;
        let (mut there, mut back) = (Substitution::new(), Substitution::new());
        let mut general = Vec::with_capacity(operations.len() + self.parameters.len());
        for &literal in &self.parameters {
            let width = pool.width(literal);
            let name = format!("<parameter {}>", literal.index());
            let parameter = pool.variable(&name, Sort::BitVec(width));
            there.insert(literal, parameter);
            back.insert(parameter, literal);
            let zero = pool.bv(width, 0);
            general.push(Step::Assume(pool.slt(zero, parameter)));
        }
        general.extend(operations.iter().map(|&step| match step {
            Step::Assume(condition) => Step::Assume(there.apply(pool, condition)),
            Step::Assign { variable, value } => Step::Assign { variable, value: there.apply(pool, value) },
            Step::Havoc(variable) => Step::Havoc(variable),
        }));
        (general, back)
    }

    /// Adds the atoms of formulas at abstraction points, and what takes the place of series that they continue. True if
    /// one of them is new.
    fn add_atoms(&mut self, points: &[(usize, u32)], formulas: &[Term]) -> bool {
        let mut is_new = false;
        let mut bounds = Vec::new();
        for (&(_, id), &formula) in points.iter().zip(formulas) {
            let location = self.graph.get(id).location;
            for atom in interpolate::atoms(self.executor.pool, formula) {
                if self.frames.is_about(&self.executor, location.path, atom)
                    && self.add_predicate(location, atom)
                {
                    is_new = true;
                    bounds.extend(self.continued_series(location, atom));
                }
            }
        }
        let locations: BTreeSet<Location> =
            points.iter().map(|&(_, id)| self.graph.get(id).location).collect();
        for location in locations {
            for &bound in &bounds {
                if self.is_live(location, bound) {
                    self.add_predicate(location, bound);
                }
            }
        }
        is_new
    }

    /// What takes the place of a series that a new predicate continues. Literals that are counted up to in it become
    /// parameters.
    fn continued_series(&mut self, location: Location, predicate: Term) -> Vec<Term> {
        if !self.options.series {
            return Vec::new();
        }
        let known = &self.precision.of(location).predicates;
        let Suggestion { bounds, literals } = interpolate::series(self.executor.pool, known, predicate);
        for literal in literals {
            if !self.parameters.contains(&literal) {
                self.tell(location, "literal of a series of predicates:", literal);
                self.parameters.push(literal);
            }
        }
        bounds
    }

    /// True if a formula is about variables that matter at a location.
    pub(super) fn is_live(&mut self, location: Location, formula: Term) -> bool {
        let live = self.frames.live(&self.executor, location);
        free_variables(self.executor.pool, &[formula])
            .into_iter()
            .all(|variable| self.frames.meaning(variable).is_some_and(|meaning| live.contains(&meaning)))
    }

    /// Adds a predicate; false if it was there.
    pub(super) fn add_predicate(&mut self, location: Location, predicate: Term) -> bool {
        let is_new = self.precision.add(location, predicate);
        if is_new {
            self.tell(location, "predicate", predicate);
        }
        is_new
    }

    /// Tells whoever listens about a formula at a location.
    pub(super) fn tell(&mut self, location: Location, what: &str, formula: Term) {
        let program = self.executor.program;
        let place = self.executor.span_near(location).map(|span| program.sources.position(span).to_string());
        let pool = &*self.executor.pool;
        self.executor.observer.note(&mut || {
            format!("{}: {what} {}", place.as_deref().unwrap_or("?"), show_term(program, pool, formula))
        });
    }

    /// The first abstract state on the path that was made with another precision than its location has now.
    fn first_outdated(&self, points: &[(usize, u32)]) -> Option<u32> {
        points.iter().map(|&(_, id)| id).find(|&id| {
            let state = self.graph.get(id);
            let precision = self.precision.of(state.location);
            state.predicates != precision.predicates.len()
                || state.threshold != precision.threshold
                || state.splits != precision.splits
                || state.unrolled != precision.unrolled
        })
    }

    /// Makes the precision finer without new predicates: more valuations are kept apart where some are not, and
    /// otherwise the thresholds are raised.
    fn raise(&mut self, points: &[(usize, u32)]) {
        let locations: Vec<Location> = points.iter().map(|&(_, id)| self.graph.get(id).location).collect();
        let imprecise: BTreeSet<Location> = points
            .iter()
            .filter(|&&(_, id)| self.is_imprecise(id))
            .map(|&(_, id)| self.graph.get(id).location)
            .collect();
        if !imprecise.is_empty() {
            for location in imprecise {
                self.precision.split_more(location);
            }
            return;
        }
        for &location in &locations {
            let visits = locations.iter().filter(|&&other| other == location).count() as u32;
            let raised = self.precision.of(location).threshold.max(visits);
            self.precision.raise_threshold(location, raised.max(1));
        }
        // A path that is abstracted in spite of its thresholds visits its loop heads more often.
        if self.first_outdated(points).is_none() {
            for &location in &locations {
                let raised = 2 * self.precision.of(location).threshold;
                self.precision.raise_threshold(location, raised);
            }
        }
    }
}
