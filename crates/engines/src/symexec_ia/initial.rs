//! INITIALPRECISION(): what is tracked before anything was refined.

use super::SymexIa;
use aster_cfa::{Label, Location, Op};
use aster_smt::interpolate;
use aster_term::{Term, free_variables};

/// The predicates that a location begins with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InitialPredicates {
    /// None, as in the paper.
    #[default]
    None,
    /// The conditions of its procedure, as far as they are about variables that matter there.
    Conditions,
}

impl SymexIa<'_> {
    /// Gives a location that is met for the first time, or for the first time after all predicates were forgotten, its
    /// initial precision.
    pub(super) fn initialize_precision(&mut self, location: Location) {
        if self.options.initial_predicates == InitialPredicates::None || !self.precision.begins_at(location) {
            return;
        }
        let live = self.frames.live(&self.executor, location);
        let mut terms = Vec::with_capacity(live.len());
        for frame in live.iter() {
            let path = frame.path.unwrap_or(location.path);
            terms.push(self.frames.term(self.executor.program, self.executor.pool, path, frame.variable));
        }
        for condition in self.conditions(location, |variable| terms.contains(&variable)) {
            self.add_predicate(location, condition);
        }
        self.executor.observer.on(self.precision.summary());
    }

    /// The atoms of the conditions in a location's procedure, read in its frame, that are about none but certain
    /// variables.
    pub(super) fn conditions(&mut self, location: Location, is_here: impl Fn(Term) -> bool) -> Vec<Term> {
        let program = self.executor.program;
        let mut conditions = Vec::new();
        for edge in program.edges() {
            let info = program.edge(edge);
            let Label::Op(Op::Assume(condition)) = info.label else { continue };
            if program.node(info.source).procedure != program.node(location.node).procedure {
                continue;
            }
            let condition = self.frames.unfold(program, self.executor.pool, location.path, condition);
            for atom in interpolate::atoms(self.executor.pool, condition) {
                if free_variables(self.executor.pool, &[atom]).into_iter().all(&is_here) {
                    conditions.push(atom);
                }
            }
        }
        conditions
    }
}
