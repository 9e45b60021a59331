//! Array reads and writes. Chains of writes are walked iteratively.

use super::{Args, Rule, rules};
use crate::node::Tag;
use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::value::BitVec;

pub(super) const SELECT: &[Rule] = rules![select_written];

pub(super) const STORE: &[Rule] = rules![store_unchanged, store_shadowed];

/// What is known about reading an array.
enum Read {
    /// The element.
    Element(Term),
    /// It is what reading this array gives, which is the given one without writes to other indices.
    From(Term),
}

/// Follows a chain of writes as long as the indices are known to be equal or different, at most over `limit`
/// writes.
fn read(pool: &TermPool, mut array: Term, index: Term, limit: usize) -> Read {
    let place = Place::of(pool, index);
    for _ in 0..limit {
        if let Some((inner, at, element)) = pool.ternary(array, Tag::Store) {
            if at == index {
                return Read::Element(element);
            }
            if place.differs_from(Place::of(pool, at)) {
                array = inner;
                continue;
            }
        } else if let Some(element) = pool.unary(array, Tag::ConstArray) {
            return Read::Element(element);
        }
        break;
    }
    Read::From(array)
}

/// An index as a term plus an offset; literals have no term.
#[derive(Clone, Copy)]
struct Place {
    base: Option<Term>,
    offset: BitVec,
}

impl Place {
    fn of(pool: &TermPool, index: Term) -> Self {
        if let Some(offset) = pool.bv_constant(index) {
            return Place { base: None, offset };
        }
        match pool.with_literal(index, Tag::BvAdd) {
            Some((base, offset)) => Place { base: Some(base), offset },
            None => Place { base: Some(index), offset: BitVec::new(pool.width(index), 0) },
        }
    }

    fn differs_from(self, other: Self) -> bool {
        self.base == other.base && self.offset != other.offset
    }
}

/// Reading what was written, or from what was there before writes to other indices.
fn select_written(pool: &mut TermPool, _: Op, [array, index, _]: Args) -> Option<Term> {
    match read(pool, array, index, usize::MAX) {
        Read::Element(element) => Some(element),
        Read::From(rest) if rest != array => Some(pool.apply_raw(Op::Select, &[rest, index])),
        Read::From(_) => None,
    }
}

/// How many earlier writes a write looks at. (A read looks at all of them: it happens once, whereas this
/// would make a loop that fills an array quadratic.)
const WRITE_DEPTH: usize = 16;

/// Writing what is there already.
fn store_unchanged(pool: &mut TermPool, _: Op, [array, index, element]: Args) -> Option<Term> {
    let unchanged = match read(pool, array, index, WRITE_DEPTH) {
        Read::Element(present) => present == element,
        Read::From(rest) => pool.binary(element, Tag::Select) == Some((rest, index)),
    };
    unchanged.then_some(array)
}

/// An earlier write to the same index is dropped, if only writes to other indices came in between.
fn store_shadowed(pool: &mut TermPool, _: Op, [array, index, element]: Args) -> Option<Term> {
    let place = Place::of(pool, index);
    let mut between = [(index, element); WRITE_DEPTH];
    let mut count = 0;
    let mut current = array;
    let rest = loop {
        let (inner, at, written) = pool.ternary(current, Tag::Store)?;
        if at == index {
            break inner;
        }
        if count == WRITE_DEPTH || !place.differs_from(Place::of(pool, at)) {
            return None;
        }
        between[count] = (at, written);
        count += 1;
        current = inner;
    };
    // The writes in between were in normal form, and taking away one to another index leaves them so, unless
    // one of them is now a write of what was there already; going through the constructor would notice that
    // but cost a walk for each.
    let mut result = rest;
    for &(at, written) in between[..count].iter().rev() {
        result = pool.apply_raw(Op::Store, &[result, at, written]);
    }
    Some(pool.store(result, index, element))
}
