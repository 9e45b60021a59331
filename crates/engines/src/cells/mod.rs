//! Programs with one cell in place of an array: what holds for any one cell of an array holds for all of them.
//!
//! Proofs about arrays need invariants that say something about every index up to where a loop has come. Here they need
//! none: an index is chosen at the beginning and never changes, of an array only the value there is kept, and what is read
//! elsewhere can be anything. The program is then one about scalars, which predicate abstraction is made for.
//!
//! The index that an error is about is known only when it happens. So that it can be chosen at the beginning, an error counts
//! only if the last index that was read is the chosen one: since any index may be chosen, each run to an error has a counterpart
//! in which it was. If no such error can be reached, none can be in the program itself. The reverse does not hold: nothing
//! is said about a program whose abstraction fails.

mod choose;
mod rewrite;

use aster_cfa::{Program, Var};
use aster_term::{Term, TermPool};

/// An array of which one cell is kept.
#[derive(Clone, Copy, Debug)]
struct Array {
    variable: Var,
    /// Where the array begins, if that is known: indices count from there.
    base: Term,
    /// The number of the index that is chosen for it: arrays with a known beginning share one.
    ghost: usize,
    /// Whether what was accessed last is remembered beside the cell.
    is_cached: bool,
}

/// The abstraction of a program, with one index for all arrays whose beginning is known; `None` if there is no array that
/// a loop goes through.
pub fn abstraction(program: &Program, pool: &mut TermPool) -> Option<Program> {
    let arrays = choose::arrays(program, pool);
    (!arrays.is_empty()).then(|| rewrite::rewritten(program, pool, &arrays))
}
