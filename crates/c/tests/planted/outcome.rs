//! How a run ends.

/// What is wrong in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Arithmetic has a result that its type cannot hold, or no result.
    Overflow,
    /// Memory is accessed that may not be accessed.
    Dereference,
    /// Memory is freed that may not be freed.
    Free,
    /// Memory is copied to where it overlaps.
    Overlap,
    /// Something else that is undefined.
    Other,
}

/// What is wrong in a run, and in which line of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Defect {
    /// What it is.
    pub kind: Kind,
    /// The line, if it is known.
    pub line: Option<u32>,
}

/// How a run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With what `main` returns.
    Ends {
        /// The last eight bits of it.
        result: i32,
    },
    /// At a defect.
    Fails(Defect),
    /// By itself, but memory is left behind that nothing points to.
    Leaks,
    /// In a way that says nothing.
    NotKnown(String),
}
