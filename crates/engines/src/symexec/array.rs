//! Arrays over inputs, fast where indices are literals.
//!
//! Memory of a program is nearly always read and written at known addresses. As a chain of `store` terms, a
//! read would walk along all later writes. Here the writes at literal indices since the last one at an
//! unknown index are a persistent map: reads and writes at literal indices cost the logarithm of its size, and
//! copies share it. A read at an unknown index is a choice between the elements (`table`). The chain is made only when
//! something needs the array as a term.

use super::table;
use super::value::Scalar;
use aster_term::{Op, Sort, Term, TermPool};
use imbl::OrdMap;
use std::cell::Cell;

/// A read at an unknown index from more literal ones than this is left to the solver as a whole.
const MAX_TABLE: usize = 1 << 14;

/// The array `base` with the elements of `written` at their indices.
#[derive(Clone, Debug)]
pub(super) struct SymbolicArray {
    base: Term,
    index: Sort,
    element: Sort,
    written: OrdMap<u64, Scalar>,
    /// This array as a term, once somebody needed it; forgotten by the next write.
    chain: Cell<Option<Term>>,
}

/// Equal if base and writes are. Costs what differs, if one was made from the other.
impl PartialEq for SymbolicArray {
    fn eq(&self, other: &Self) -> bool {
        self.base == other.base
            && self.written.len() == other.written.len()
            && self.written.diff(&other.written).next().is_none()
    }
}

impl Eq for SymbolicArray {}

impl SymbolicArray {
    /// The array that a term denotes.
    pub(super) fn new(base: Term, index_width: u32, element_width: u32) -> Self {
        SymbolicArray {
            base,
            index: Sort::BitVec(index_width),
            element: Sort::BitVec(element_width),
            written: OrdMap::new(),
            chain: Cell::new(Some(base)),
        }
    }

    /// `select(self, index)`.
    pub(super) fn select(&self, pool: &mut TermPool, index: Scalar) -> Scalar {
        let element = match index {
            Scalar::Word(at) => {
                if let Some(&element) = self.written.get(&at) {
                    return element;
                }
                if let (Op::ConstArray { .. }, &[element]) = (pool.op(self.base), pool.args(self.base)) {
                    element
                } else {
                    let index = index.term(pool, self.index);
                    pool.select(self.base, index)
                }
            }
            Scalar::Term(index) if self.written.len() <= MAX_TABLE => self.choose(pool, index),
            Scalar::Term(index) => {
                let chain = self.term(pool);
                pool.select(chain, index)
            }
        };
        Scalar::of(pool, element)
    }

    /// `select(self, index)` for an unknown index.
    fn choose(&self, pool: &mut TermPool, index: Term) -> Term {
        let otherwise = pool.select(self.base, index);
        let entries = self.written.iter().map(|(&at, element)| (at, element.term(pool, self.element)));
        let entries: Vec<(u64, Term)> = entries.collect();
        table::choose(pool, index, &entries, otherwise)
    }

    /// `select(self, index)` if it is known to be a word without asking the rewriter.
    #[inline]
    pub(super) fn word_at(&self, pool: &TermPool, index: u64) -> Option<u64> {
        let element = match (self.written.get(&index), pool.op(self.base)) {
            (Some(&element), _) => element,
            (None, Op::ConstArray { .. }) => Scalar::of(pool, *pool.args(self.base).first()?),
            _ => return None,
        };
        match element {
            Scalar::Word(word) => Some(word),
            Scalar::Term(_) => None,
        }
    }

    /// Becomes `store(self, index, element)`.
    pub(super) fn store(&mut self, pool: &mut TermPool, index: Scalar, element: Scalar) {
        match index {
            Scalar::Word(at) => {
                if self.written.insert(at, element) != Some(element) {
                    self.chain.set(None);
                }
            }
            Scalar::Term(index) => {
                let (chain, element) = (self.term(pool), element.term(pool, self.element));
                self.base = pool.store(chain, index, element);
                self.written = OrdMap::new();
                self.chain.set(Some(self.base));
            }
        }
    }

    /// The array as a term: the writes in the order of their indices on top of the base.
    pub(super) fn term(&self, pool: &mut TermPool) -> Term {
        if let Some(chain) = self.chain.get() {
            return chain;
        }
        let mut chain = self.base;
        for (&at, &element) in &self.written {
            let (at, element) = (Scalar::Word(at).term(pool, self.index), element.term(pool, self.element));
            chain = pool.store(chain, at, element);
        }
        self.chain.set(Some(chain));
        chain
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aster_term::{Model, Value, evaluate};

    const INDEX: Sort = Sort::BitVec(32);
    const ELEMENT: Sort = Sort::BitVec(8);

    fn memory(pool: &mut TermPool) -> Term {
        pool.variable("memory", Sort::Array { index: 32, element: 8 })
    }

    /// Any sequence of reads and writes gives what the terms say, and the terms they are read back as too.
    #[test]
    fn reads_and_writes_agree_with_terms() {
        let mut pool = TermPool::new();
        let base = memory(&mut pool);
        let (i, j) = (pool.variable("i", INDEX), pool.variable("j", INDEX));
        let mut model = Model::new();
        for (variable, value) in [(i, 3), (j, 11)] {
            model.insert(variable, Value::BitVec(aster_term::BitVec::new(32, value)));
        }
        let mut array = SymbolicArray::new(base, 32, 8);
        let mut reference = evaluate(&pool, base, &model).as_array().unwrap().clone();
        let mut state = 5u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        for round in 0..2000 {
            let index = match random(24) {
                0 => Scalar::Term(i),
                1 => Scalar::Term(j),
                _ => Scalar::Word(random(16)),
            };
            let index_term = index.term(&mut pool, INDEX);
            let index_value = evaluate(&pool, index_term, &model).as_bit_vec().unwrap();
            if random(2) == 0 {
                let element = Scalar::Word(random(256));
                array.store(&mut pool, index, element);
                let element = element.term(&mut pool, ELEMENT);
                reference =
                    reference.store(index_value, evaluate(&pool, element, &model).as_bit_vec().unwrap());
            } else {
                let element = array.select(&mut pool, index).term(&mut pool, ELEMENT);
                let expected = Value::BitVec(reference.select(index_value));
                assert_eq!(evaluate(&pool, element, &model), expected, "round {round}");
            }
            if round % 97 == 0 {
                let term = array.term(&mut pool);
                assert_eq!(evaluate(&pool, term, &model).as_array(), Some(&reference), "round {round}");
            }
        }
    }

    #[test]
    fn the_term_depends_on_the_contents_only_and_is_made_once() {
        let mut pool = TermPool::new();
        let base = memory(&mut pool);
        let [mut forwards, mut backwards] = [0, 1].map(|_| SymbolicArray::new(base, 32, 8));
        for at in 0..100 {
            forwards.store(&mut pool, Scalar::Word(at), Scalar::Word(at));
            backwards.store(&mut pool, Scalar::Word(99 - at), Scalar::Word(99 - at));
        }
        let before = pool.len();
        assert_eq!(forwards.term(&mut pool), backwards.term(&mut pool));
        assert!(pool.len() > before);
        let made = pool.len();
        forwards.store(&mut pool, Scalar::Word(5), Scalar::Word(5));
        assert_eq!(forwards.term(&mut pool), backwards.term(&mut pool));
        assert_eq!(pool.len(), made);
    }

    #[test]
    fn literal_reads_and_writes_leave_no_terms_behind() {
        let mut pool = TermPool::new();
        let zero = pool.bv(8, 0);
        let zeros = pool.const_array(32, zero);
        let mut array = SymbolicArray::new(zeros, 32, 8);
        let before = pool.len();
        for at in 0..1000 {
            assert_eq!(array.select(&mut pool, Scalar::Word(at)), Scalar::Word(0));
            array.store(&mut pool, Scalar::Word(at), Scalar::Word(at % 256));
            assert_eq!(array.select(&mut pool, Scalar::Word(at)), Scalar::Word(at % 256));
        }
        assert_eq!(pool.len(), before);
    }
}
