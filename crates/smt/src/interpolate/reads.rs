//! Replacement of arrays that may not stay by the elements that are read from them.

use super::atoms::Mentions;
use super::path::auxiliary_of_sort;
use aster_term::{Op, Sort, Term, TermPool, free_variables};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many different elements of arrays may be read.
const MAX_READS: usize = 12;
/// How many writes a read is looked up in.
const MAX_WRITES: usize = 64;

/// One unknown element of an array.
struct Read {
    array: Term,
    index: Term,
    element: Term,
}

/// Replaces reads from arrays among the variables by unknown elements, which join the variables. Equal indices mean
/// equal elements, which is added. The result is equivalent as far as the other variables are concerned, given that
/// the arrays do not occur in other ways. `None` if nothing can be replaced, or too much would have to be.
pub(super) fn replace_reads(
    pool: &mut TermPool,
    formulas: &[Term],
    variables: &mut Mentions,
    unknowns: &mut usize,
) -> Option<Vec<Term>> {
    let arrays: FxHashSet<Term> = free_variables(pool, formulas)
        .into_iter()
        .filter(|&v| variables.has(v) && matches!(pool.sort(v), Sort::Array { .. }))
        .collect();
    if arrays.is_empty() {
        return None;
    }
    let mut mentions = Mentions::of(arrays.iter().copied());
    let mut rebuilt: FxHashMap<Term, Term> = FxHashMap::default();
    let mut reads: Vec<Read> = Vec::new();
    for term in subterms(pool, formulas, &mut mentions) {
        let args: Vec<Term> =
            pool.args(term).iter().map(|arg| rebuilt.get(arg).copied().unwrap_or(*arg)).collect();
        let new = match (pool.op(term), &args[..]) {
            (Op::Select, &[array, index]) => {
                let mut element = |pool: &mut TermPool, array: Term, index: Term| {
                    if let Some(known) = reads.iter().find(|r| r.array == array && r.index == index) {
                        return known.element;
                    }
                    let sort = match pool.sort(array) {
                        Sort::Array { element, .. } => Sort::BitVec(element),
                        sort => sort,
                    };
                    let element = auxiliary_of_sort(pool, "element", *unknowns, sort);
                    *unknowns += 1;
                    variables.insert(element);
                    reads.push(Read { array, index, element });
                    element
                };
                look_up(pool, array, index, &arrays, &mut element)?
            }
            (_, []) => term,
            (op, args) => pool.apply(op, args),
        };
        rebuilt.insert(term, new);
        if reads.len() > MAX_READS {
            return None;
        }
    }
    let mut result: Vec<Term> = formulas.iter().map(|f| rebuilt.get(f).copied().unwrap_or(*f)).collect();
    for (position, first) in reads.iter().enumerate() {
        for second in reads[..position].iter().filter(|second| second.array == first.array) {
            let same_index = pool.eq(first.index, second.index);
            let same_element = pool.eq(first.element, second.element);
            result.push(pool.implies(same_index, same_element));
        }
    }
    (!reads.is_empty()).then_some(result)
}

/// The subterms that mention the arrays, arguments before applications.
fn subterms(pool: &TermPool, formulas: &[Term], mentions: &mut Mentions) -> Vec<Term> {
    let mut seen = FxHashSet::default();
    let mut stack = formulas.to_vec();
    while let Some(term) = stack.pop() {
        if mentions.any(pool, term) && seen.insert(term) {
            stack.extend(pool.args(term));
        }
    }
    let mut found: Vec<Term> = seen.into_iter().collect();
    found.sort_unstable();
    found
}

/// The element at the index, looked up in the writes to the array.
fn look_up(
    pool: &mut TermPool,
    mut array: Term,
    index: Term,
    arrays: &FxHashSet<Term>,
    element: &mut impl FnMut(&mut TermPool, Term, Term) -> Term,
) -> Option<Term> {
    let mut writes = Vec::new();
    while let (Op::Store, &[before, at, written]) = (pool.op(array), pool.args(array)) {
        writes.push((at, written));
        array = before;
        if writes.len() > MAX_WRITES {
            return None;
        }
    }
    let mut result =
        if arrays.contains(&array) { element(pool, array, index) } else { pool.select(array, index) };
    for (at, written) in writes.into_iter().rev() {
        let hit = pool.eq(at, index);
        result = pool.ite(hit, written, result);
    }
    Some(result)
}
