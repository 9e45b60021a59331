//! Normalisation of applications, one named rule each.

use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::value::Value;

/// The normal form of `op(args)`; the sorts have been checked.
pub(crate) fn normalise(pool: &mut TermPool, op: Op, args: &[Term]) -> Term {
    if let Some(term) = fold_constants(pool, op, args) {
        return term;
    }
    pool.apply_raw(op, args)
}

fn fold_constants(pool: &mut TermPool, op: Op, args: &[Term]) -> Option<Term> {
    let values: Option<Vec<Value>> = args.iter().map(|&a| pool.constant(a)).collect();
    match op.apply(&values?)? {
        Value::Array(_) => None,
        value => Some(pool.value(&value)),
    }
}
