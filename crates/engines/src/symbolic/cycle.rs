//! Loops that never end and change nothing: Brent's cycle detection along one path.

use super::memory::Memory;
use aster_cfa::Location;

/// Visits of loop heads after which the first snapshot is taken.
const FIRST: u32 = 4;

/// Remembers one earlier visit of a loop head since the last assumption, and then a later one whenever the number of
/// visits has doubled. So a cycle of any length is found, and hardly anything is copied.
#[derive(Clone, Default)]
pub(crate) struct CycleDetector {
    snapshot: Option<Box<(Location, Memory)>>,
    visits: u32,
    patience: u32,
}

impl CycleDetector {
    /// True if this path was at this location with the same memory before. The caller calls it at loop heads, and
    /// [`CycleDetector::reset`] whenever something is assumed.
    ///
    /// Then no execution of the state ends: nothing was assumed since that visit, so all of them took the same way
    /// from there to here, whatever inputs they read, and they will take it again.
    #[inline]
    pub(crate) fn comes_back(&mut self, location: Location, memory: &Memory) -> bool {
        if let Some(snapshot) = &self.snapshot
            && snapshot.0 == location
            && snapshot.1.is_same(memory)
        {
            return true;
        }
        self.visits += 1;
        if self.visits >= self.patience.max(FIRST) {
            self.snapshot = Some(Box::new((location, memory.clone())));
            self.patience = self.visits.saturating_mul(2);
            self.visits = 0;
        }
        false
    }

    /// Forgets all visits.
    pub(crate) fn reset(&mut self) {
        *self = CycleDetector::default();
    }
}
