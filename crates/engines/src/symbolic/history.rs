//! The history `h` of a path, as far as it cannot be recovered from the program.

use aster_cfa::{Edge, Location};
use imbl::{OrdMap, Vector};

/// What a path decided where it could have gone on differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// It took this edge of a location with several.
    Branch(Edge),
    /// It passed a loop head without abstraction.
    LoopHead,
}

/// The choices of a path since it was last abstracted, and what it visited since its beginning.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    pub(crate) choices: Vector<Choice>,
    /// How often each loop head was visited.
    pub(crate) visits: OrdMap<Location, u32>,
    /// The loop head where the path is now has been dealt with.
    pub(crate) is_past_head: bool,
    /// Number of the abstract state that the path started from.
    pub(crate) origin: u32,
}
