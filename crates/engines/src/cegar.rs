//! Counterexample-guided abstraction refinement: the one loop that all abstracting engines share.

use crate::{Counterexample, Outcome, Reason, Unknown};

/// What exploring an abstraction came to.
pub(crate) enum Explored<C> {
    /// Nothing that matters can be reached in the abstraction.
    Safe,
    /// A path of the abstraction that gets to something that matters.
    AbstractCounterexample(C),
    /// The exploration must stop.
    Stop(Unknown),
}

/// Whether the program can do what its abstraction does.
pub(crate) enum Feasibility<R> {
    /// It gets to an error with these inputs.
    Error(Counterexample),
    /// It gets to something that keeps it from being proved, which was noted.
    Obstacle,
    /// It cannot, for this reason.
    Spurious(R),
    /// The exploration must stop.
    Stop(Unknown),
}

/// An abstraction that can be explored and refined.
pub(crate) trait Abstraction {
    /// A path of the abstraction.
    type Counterexample;
    /// What shows that the program cannot take a path.
    type Refutation;

    /// Goes on exploring, with what was explored under precisions that have not changed kept.
    fn explore(&mut self) -> Explored<Self::Counterexample>;

    /// ISFEASIBLE(cex).
    fn is_feasible(&mut self, counterexample: &Self::Counterexample) -> Feasibility<Self::Refutation>;

    /// REFINE(p, cex): excludes the path, or notes that it could not.
    fn refine(
        &mut self,
        counterexample: Self::Counterexample,
        refutation: Self::Refutation,
    ) -> Result<(), Unknown>;

    /// What kept the exploration from being complete, if anything did.
    fn obstacle(&mut self) -> Option<Reason>;
}

/// Explores and refines until the abstraction is safe or an error is real.
pub(crate) fn cegar(analysis: &mut impl Abstraction) -> Outcome {
    loop {
        let counterexample = match analysis.explore() {
            Explored::AbstractCounterexample(counterexample) => counterexample,
            Explored::Stop(unknown) => return Outcome::Unknown(unknown),
            Explored::Safe => {
                return match analysis.obstacle() {
                    None => Outcome::Safe,
                    Some(reason) => Outcome::Unknown(Unknown { reason, frontier: Vec::new() }),
                };
            }
        };
        match analysis.is_feasible(&counterexample) {
            Feasibility::Error(counterexample) => return Outcome::Unsafe(counterexample),
            Feasibility::Obstacle => {}
            Feasibility::Spurious(refutation) => {
                if let Err(unknown) = analysis.refine(counterexample, refutation) {
                    return Outcome::Unknown(unknown);
                }
            }
            Feasibility::Stop(unknown) => return Outcome::Unknown(unknown),
        }
    }
}
