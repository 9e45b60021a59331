//! REFINE(p, cex): predicates from interpolants at the abstraction points of a spurious path.

use super::SymexIa;
use super::path::AbstractPath;
use crate::{Event, Reason, Work};
use aster_cfa::{Location, show_term};
use aster_smt::Limits;
use aster_smt::interpolate::{self, Interpolation};
use aster_term::Term;
use std::collections::BTreeSet;

/// So many refinements are tried at a loop that is decided by literals before it is unrolled further.
const MAX_TRIES: u32 = 2;

/// Conflicts of the SAT solver in one query of interpolation.
const MAX_CONFLICTS: u32 = 30_000;

/// On a path with more steps than this it is unrolled at once: interpolants would cost more.
const MAX_LENGTH: usize = 5_000;

impl SymexIa<'_> {
    /// Makes the precision fine enough to exclude a path whose first `length` steps are infeasible, and takes away
    /// the part of the abstraction that it invalidates.
    pub(super) fn refine_precision(&mut self, path: &AbstractPath, length: usize) {
        let points: Vec<(usize, u32)> = path.points.iter().copied().filter(|&(at, _)| at <= length).collect();
        if !self.unroll_decided_loops(&points, length) {
            self.executor.turn_to(Work::Interpolation);
            self.find_predicates(path, length, &points);
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

    /// Where a loop is decided by literals and was abstracted only because it goes round so often, predicates are
    /// tried a few times; then it is unrolled further. True if that was done.
    fn unroll_decided_loops(&mut self, points: &[(usize, u32)], length: usize) -> bool {
        let mut locations: Vec<Location> = Vec::new();
        for &(_, id) in points {
            let state = self.graph.get(id);
            if state.is_decided && !locations.contains(&state.location) {
                locations.push(state.location);
            }
        }
        let mut is_done = false;
        for location in locations {
            let tried = self.tried.entry(location).or_insert(0);
            *tried += 1;
            if *tried > MAX_TRIES || length > MAX_LENGTH {
                self.precision.unroll_more(location);
                is_done = true;
            }
        }
        is_done
    }

    /// Adds the predicates of interpolants.
    fn find_predicates(&mut self, path: &AbstractPath, length: usize, points: &[(usize, u32)]) {
        let (operations, starts) = self.operations(path, length);
        let cuts: Vec<usize> = points.iter().map(|&(at, _)| starts[at]).collect();
        self.executor.solver.set_limits(Limits { conflicts: Some(MAX_CONFLICTS), ..self.options.limits });
        let result = interpolate::sequence(
            self.executor.pool,
            self.executor.solver,
            &operations,
            &cuts,
            &self.options.interpolation,
        );
        self.executor.solver.set_limits(self.options.limits);
        self.executor.observer.note(&mut || {
            let how = match &result {
                Interpolation::Interpolants { strategy, .. } => format!("{strategy:?}"),
                other => format!("{other:?}"),
            };
            format!("spurious path of {length} steps, {} abstraction points: {how}", points.len())
        });
        if let Interpolation::Interpolants { formulas, .. } = result {
            for (&(_, id), formula) in points.iter().zip(formulas) {
                let location = self.graph.get(id).location;
                for atom in interpolate::atoms(self.executor.pool, formula) {
                    if self.frames.is_about(&self.executor, location.path, atom) {
                        self.add_predicate(location, atom);
                    }
                }
            }
        }
    }

    pub(super) fn add_predicate(&mut self, location: Location, predicate: Term) {
        if self.precision.add(location, predicate) {
            self.tell(location, "predicate", predicate);
        }
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
        let is_imprecise = |id: u32| {
            let state = self.graph.get(id);
            self.options.sharing && (0..state.predicates).any(|i| state.cube.get(i).is_none())
        };
        let imprecise: BTreeSet<Location> = points
            .iter()
            .filter(|&&(_, id)| is_imprecise(id))
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
