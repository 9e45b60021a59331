//! Queries as texts that any SMT-LIB 2 solver reads.

use aster_term::{Definitions, Sort, Term, TermPool, free_variables};
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
    let mut text = format!("(set-logic {})\n", logic(pool, conjuncts));
    let mut definitions = Definitions::new();
    for &conjunct in conjuncts {
        let formula = definitions.define(pool, conjunct, &mut text);
        let _ = writeln!(text, "(assert {formula})");
    }
    text.push_str("(check-sat)\n");
    text
}

/// The logic that the conjuncts are in, as small as solvers need it to choose their best strategy.
fn logic(pool: &TermPool, conjuncts: &[Term]) -> &'static str {
    let variables = free_variables(pool, conjuncts);
    let has = |test: fn(Sort) -> bool| variables.iter().any(|&variable| test(pool.sort(variable)));
    let has_others = has(|sort| !matches!(sort, Sort::Bool | Sort::Int | Sort::Real));
    match (has(|sort| sort == Sort::Int), has(|sort| sort == Sort::Real)) {
        (false, false) => "QF_ABVFP",
        _ if has_others => "ALL",
        (true, false) => "QF_LIA",
        (false, true) => "QF_LRA",
        (true, true) => "QF_LIRA",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logic_is_that_of_the_variables() {
        let mut pool = TermPool::new();
        let [i, r] = [("i", Sort::Int), ("r", Sort::Real)].map(|(name, sort)| {
            let (x, zero) = (pool.variable(name, sort), pool.number(sort, 0.into()));
            pool.num_le(x, zero)
        });
        let (x, zero) = (pool.variable("x", Sort::BitVec(8)), pool.bv(8, 0));
        let (b, v) = (pool.variable("b", Sort::Bool), pool.eq(x, zero));
        for (conjuncts, expected) in [
            (&[b] as &[Term], "QF_ABVFP"),
            (&[b, v], "QF_ABVFP"),
            (&[b, i], "QF_LIA"),
            (&[r], "QF_LRA"),
            (&[i, r], "QF_LIRA"),
            (&[i, v], "ALL"),
        ] {
            assert_eq!(logic(&pool, conjuncts), expected);
        }
    }
}
