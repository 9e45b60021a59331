//! Precision functions: `p(l) = (c, P)`.

use super::frames::FrameVariable;
use crate::Event;
use crate::symbolic::Value;
use aster_cfa::Location;
use aster_term::Term;
use rustc_hash::{FxHashMap, FxHashSet};

/// Threshold and predicates of one abstraction location.
#[derive(Clone, Debug, Default)]
pub(super) struct LocationPrecision {
    /// The abstraction is applied once the path has visited the location this often.
    pub(super) threshold: u32,
    /// Predicates over variables of the unfolded program, in the order in which they were found. None is taken
    /// away while there are abstract states, so one that was made with the first n of them can be compared with later ones.
    pub(super) predicates: Vec<Term>,
    known: FxHashSet<Term>,
    /// So many valuations are kept apart where a state allows more than one.
    pub(super) splits: usize,
    /// A loop whose next iteration is decided by literals is not abstracted before this many visits.
    pub(super) unrolled: u32,
}

/// A precision function. Every loop head is an abstraction location; those that nothing is known about have
/// the initial precision.
#[derive(Debug)]
pub(super) struct Precision {
    initial: LocationPrecision,
    locations: FxHashMap<Location, LocationPrecision>,
    /// The locations that were given their initial predicates.
    initialized: FxHashSet<Location>,
    /// The literals that variables were seen to hold at locations: those that are kept, or too many.
    constants: FxHashMap<(Location, FrameVariable), Vec<Value>>,
    /// So many literals of one variable are kept apart at a location.
    max_constants: usize,
}

impl Precision {
    /// INITIALPRECISION() as far as it is the same everywhere: no predicates.
    pub(super) fn initial(threshold: u32, splits: usize, unrolled: u32, max_constants: usize) -> Self {
        let initial = LocationPrecision { threshold, splits, unrolled, ..LocationPrecision::default() };
        Precision {
            initial,
            locations: FxHashMap::default(),
            initialized: FxHashSet::default(),
            constants: FxHashMap::default(),
            max_constants,
        }
    }

    /// `p(l)`.
    pub(super) fn of(&self, location: Location) -> &LocationPrecision {
        self.locations.get(&location).unwrap_or(&self.initial)
    }

    /// True if a literal that a variable holds at a location is kept there: if it did not hold too many others before.
    pub(super) fn keeps(&mut self, location: Location, variable: FrameVariable, value: &Value) -> bool {
        let seen = self.constants.entry((location, variable)).or_default();
        if seen.len() > self.max_constants {
            return false;
        }
        if !seen.contains(value) {
            seen.push(value.clone());
        }
        seen.len() <= self.max_constants
    }

    /// Notes that a location is given its initial predicates; false if it was before.
    pub(super) fn begins_at(&mut self, location: Location) -> bool {
        self.initialized.insert(location)
    }

    fn entry(&mut self, location: Location) -> &mut LocationPrecision {
        self.locations.entry(location).or_insert_with(|| self.initial.clone())
    }

    /// Adds a predicate; false if it was there.
    pub(super) fn add(&mut self, location: Location, predicate: Term) -> bool {
        let entry = self.entry(location);
        let is_new = entry.known.insert(predicate);
        if is_new {
            entry.predicates.push(predicate);
        }
        is_new
    }

    /// Raises the threshold of a location to at least this.
    pub(super) fn raise_threshold(&mut self, location: Location, threshold: u32) {
        let entry = self.entry(location);
        entry.threshold = entry.threshold.max(threshold);
    }

    /// Lets a loop be unrolled much further where literals decide.
    pub(super) fn unroll_more(&mut self, location: Location) {
        let least = self.initial.unrolled;
        let entry = self.entry(location);
        entry.unrolled = entry.unrolled.max(least).saturating_mul(8);
    }

    /// Lets a loop be unrolled just this far where literals decide, until it is unrolled further.
    pub(super) fn unroll(&mut self, location: Location, unrolled: u32) {
        self.entry(location).unrolled = unrolled;
    }

    /// True if no location has a threshold.
    pub(super) fn abstracts_always(&self) -> bool {
        self.initial.threshold == 0 && self.locations.values().all(|entry| entry.threshold == 0)
    }

    /// Takes all predicates away, so that locations are given their initial ones again. Nothing may be left that was abstracted
    /// with them.
    pub(super) fn forget_predicates(&mut self) {
        self.initialized.clear();
        for entry in self.locations.values_mut() {
            entry.predicates.clear();
            entry.known.clear();
        }
    }

    /// Takes all thresholds away.
    pub(super) fn forget_thresholds(&mut self) {
        self.initial.threshold = 0;
        for entry in self.locations.values_mut() {
            entry.threshold = 0;
        }
    }

    /// Doubles the number of valuations that are kept apart at a location.
    pub(super) fn split_more(&mut self, location: Location) {
        let entry = self.entry(location);
        entry.splits = entry.splits.saturating_mul(2).max(2);
    }

    /// The predicates of all locations, in the order of these.
    pub(super) fn all_predicates(&self) -> impl Iterator<Item = Term> + '_ {
        let mut locations: Vec<&Location> = self.locations.keys().collect();
        locations.sort_unstable();
        locations.into_iter().flat_map(|location| self.locations[location].predicates.iter().copied())
    }

    /// What there is to tell about it.
    pub(super) fn summary(&self) -> Event {
        let counts = || self.locations.values().map(|entry| entry.predicates.len());
        let thresholds = self.locations.values().map(|entry| entry.threshold);
        Event::Precision {
            predicates: counts().sum(),
            most: counts().max().unwrap_or(0),
            threshold: thresholds.max().unwrap_or(0).max(self.initial.threshold),
        }
    }
}
