//! Queries as texts that any SMT-LIB 2 solver reads.

use aster_term::{Definitions, Term, TermPool};
use std::fmt::Write;

/// A complete SMT-LIB 2 script that asks for the satisfiability of the conjuncts.
///
/// ```
/// use aster_term::{Sort, TermPool};
/// let mut pool = TermPool::new();
/// let (x, y) = (pool.variable("x", Sort::Bool), pool.variable("y", Sort::Bool));
/// let both = pool.and(x, y);
/// assert_eq!(
///     aster_smt::script(&pool, &[both]),
///     "(set-logic QF_ABVFP)\n\
///      (declare-const x Bool)\n\
///      (declare-const y Bool)\n\
///      (define-fun %t0 () Bool (and x y))\n\
///      (assert %t0)\n\
///      (check-sat)\n"
/// );
/// ```
pub fn script(pool: &TermPool, conjuncts: &[Term]) -> String {
    let mut text = "(set-logic QF_ABVFP)\n".to_owned();
    let mut definitions = Definitions::new();
    for &conjunct in conjuncts {
        let formula = definitions.define(pool, conjunct, &mut text);
        let _ = writeln!(text, "(assert {formula})");
    }
    text.push_str("(check-sat)\n");
    text
}
