//! Arrays over inputs, fast where indices are literals.
//!
//! Memory of a program is nearly always read and written at known addresses. As a chain of `store` terms, a
//! read would walk along all later writes. Here an array is made of layers: the writes at literal indices since the
//! last one at an unknown index are a persistent map, below which comes that one, and so on. Reads and writes at
//! literal indices cost the logarithm of the map's size, and copies share it. What cannot be looked up is a choice between
//! elements. The chain is made only when something needs the array as a term.

use super::table;
use super::value::Scalar;
use aster_term::{Op, Sort, Term, TermPool};
use imbl::OrdMap;
use std::cell::Cell;
use std::rc::Rc;

/// A read at an unknown index from more literal ones than this is left to the solver as a whole.
const MAX_TABLE: usize = 1 << 14;

/// A literal array with more elements than this is not small.
const MAX_SMALL: usize = 64;

/// With more layers than this, those below become one term.
const MAX_LAYERS: u32 = 64;

/// The array `below` with the elements of `written` at their indices.
#[derive(Clone, Debug)]
pub(crate) struct SymbolicArray {
    below: Below,
    index: Sort,
    element: Sort,
    written: OrdMap<u64, Scalar>,
    /// Number of layers, and of elements written in all of them.
    layers: u32,
    size: usize,
    /// This array as a term, once somebody needed it; forgotten by the next write.
    chain: Cell<Option<Term>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Below {
    Term(Term),
    Write(Rc<Write>),
}

/// An array with an element at an unknown index.
#[derive(Debug, PartialEq, Eq)]
struct Write {
    array: SymbolicArray,
    index: Term,
    element: Term,
}

/// Equal if made of equal layers. Costs what differs, if one was made from the other.
impl PartialEq for SymbolicArray {
    fn eq(&self, other: &Self) -> bool {
        self.written.len() == other.written.len()
            && self.below == other.below
            && self.written.diff(&other.written).next().is_none()
    }
}

impl Eq for SymbolicArray {}

impl SymbolicArray {
    /// The array that a term denotes.
    pub(crate) fn new(base: Term, index_width: u32, element_width: u32) -> Self {
        SymbolicArray {
            below: Below::Term(base),
            index: Sort::BitVec(index_width),
            element: Sort::BitVec(element_width),
            written: OrdMap::new(),
            layers: 0,
            size: 0,
            chain: Cell::new(Some(base)),
        }
    }

    /// True if it has few elements besides one that is everywhere, and all of them are literals.
    pub(crate) fn is_small_literal(&self, pool: &TermPool) -> bool {
        let Below::Term(base) = self.below else { return false };
        let is_word = |element: &Scalar| matches!(element, Scalar::Word(_));
        matches!((pool.op(base), pool.args(base)), (Op::ConstArray { .. }, &[all]) if pool.constant(all).is_some())
            && self.written.len() <= MAX_SMALL
            && self.written.values().all(is_word)
    }

    /// The literal indices with elements that are not literals, of the writes since the last one at an unknown index; none
    /// if there are many writes.
    pub(crate) fn unknown_elements(&self) -> impl Iterator<Item = u64> {
        let few = (self.written.len() <= MAX_SMALL).then_some(&self.written);
        let is_unknown = |&(_, element): &(&u64, &Scalar)| matches!(element, Scalar::Term(_));
        few.into_iter().flatten().filter(is_unknown).map(|(index, _)| *index)
    }

    /// `select(self, index)`.
    pub(crate) fn select(&self, pool: &mut TermPool, index: Scalar) -> Scalar {
        match index {
            Scalar::Word(at) => self.select_literal(pool, at),
            Scalar::Term(index) => {
                let element = if self.size + self.written.len() <= MAX_TABLE {
                    self.select_unknown(pool, index)
                } else {
                    let chain = self.term(pool);
                    pool.select(chain, index)
                };
                Scalar::of(pool, element)
            }
        }
    }

    fn select_literal(&self, pool: &mut TermPool, at: u64) -> Scalar {
        // The writes that may hide what is below them, with the condition for it.
        let mut hiding: Vec<(Term, Term)> = Vec::new();
        let mut layer = self;
        let mut element = loop {
            if let Some(&element) = layer.written.get(&at) {
                break element;
            }
            match &layer.below {
                Below::Term(base) => break select_from_term(pool, *base, Scalar::Word(at), self.index),
                Below::Write(write) => {
                    let index = Scalar::Word(at).term(pool, self.index);
                    let is_there = pool.eq(write.index, index);
                    match pool.bool_constant(is_there) {
                        Some(true) => break Scalar::of(pool, write.element),
                        Some(false) => {}
                        None => hiding.push((is_there, write.element)),
                    }
                    layer = &write.array;
                }
            }
        };
        for (is_there, written) in hiding.into_iter().rev() {
            let otherwise = element.term(pool, self.element);
            let choice = pool.ite(is_there, written, otherwise);
            element = Scalar::of(pool, choice);
        }
        element
    }

    fn select_unknown(&self, pool: &mut TermPool, index: Term) -> Term {
        let (base, layers) = self.layers();
        let mut element = pool.select(base, index);
        for layer in layers.into_iter().rev() {
            if let Below::Write(write) = &layer.below {
                let is_there = pool.eq(write.index, index);
                element = pool.ite(is_there, write.element, element);
            }
            let entries = layer.written.iter().map(|(&at, element)| (at, element.term(pool, self.element)));
            let entries: Vec<(u64, Term)> = entries.collect();
            element = table::choose(pool, index, &entries, element);
        }
        element
    }

    /// `select(self, index)` if it is known to be a word without asking the rewriter.
    #[inline]
    pub(crate) fn word_at(&self, pool: &TermPool, index: u64) -> Option<u64> {
        let element = match (self.written.get(&index), &self.below) {
            (Some(&element), _) => element,
            (None, Below::Term(base)) => everywhere(pool, *base)?,
            (None, Below::Write(_)) => return None,
        };
        match element {
            Scalar::Word(word) => Some(word),
            Scalar::Term(_) => None,
        }
    }

    /// Becomes `store(self, index, element)`.
    pub(crate) fn store(&mut self, pool: &mut TermPool, index: Scalar, element: Scalar) {
        match index {
            Scalar::Word(at) => {
                if self.written.insert(at, element) != Some(element) {
                    self.chain.set(None);
                }
            }
            Scalar::Term(index) => {
                let element = element.term(pool, self.element);
                if self.layers < MAX_LAYERS {
                    let write = Write { array: self.clone(), index, element };
                    self.below = Below::Write(Rc::new(write));
                    self.layers += 1;
                    self.size += self.written.len() + 1;
                    self.chain.set(None);
                } else {
                    let chain = self.term(pool);
                    let base = pool.store(chain, index, element);
                    self.below = Below::Term(base);
                    (self.layers, self.size) = (0, 0);
                    self.chain.set(Some(base));
                }
                self.written = OrdMap::new();
            }
        }
    }

    /// The array as a term: layer by layer, in each the writes in the order of their indices.
    pub(crate) fn term(&self, pool: &mut TermPool) -> Term {
        let (mut chain, layers) = self.layers();
        for layer in layers.into_iter().rev() {
            if let Some(known) = layer.chain.get() {
                chain = known;
                continue;
            }
            if let Below::Write(write) = &layer.below {
                chain = pool.store(chain, write.index, write.element);
            }
            for (&at, element) in &layer.written {
                let (at, element) =
                    (Scalar::Word(at).term(pool, self.index), element.term(pool, self.element));
                chain = pool.store(chain, at, element);
            }
            layer.chain.set(Some(chain));
        }
        chain
    }

    /// Number of elements written in all layers.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Everything that this array is made of, in an order that depends on nothing else, until `push` has enough.
    /// Symbolic elements are told from words by the one before.
    pub(crate) fn parts(&self, pool: &TermPool, mut push: impl FnMut(Scalar) -> bool) {
        let (base, layers) = self.layers();
        // A term without inputs stands for itself.
        push(match everywhere(pool, base) {
            Some(Scalar::Word(_)) => Scalar::Word(base.index() as u64),
            _ => Scalar::Term(base),
        });
        for layer in layers.into_iter().rev() {
            if let Below::Write(write) = &layer.below {
                push(Scalar::Word(u64::MAX));
                push(Scalar::Term(write.index));
                push(Scalar::Term(write.element));
            }
            push(Scalar::Word(layer.written.len() as u64));
            for (&at, &element) in &layer.written {
                push(Scalar::Word(at));
                push(Scalar::Word(u64::from(matches!(element, Scalar::Term(_)))));
                if !push(element) {
                    return;
                }
            }
        }
    }

    /// The layers from this one down, and the term that they are based on.
    fn layers(&self) -> (Term, Vec<&SymbolicArray>) {
        let mut layers = Vec::new();
        let mut layer = self;
        loop {
            layers.push(layer);
            match &layer.below {
                Below::Term(base) => return (*base, layers),
                Below::Write(write) => layer = &write.array,
            }
        }
    }
}

/// The element of an array that holds the same everywhere.
fn everywhere(pool: &TermPool, array: Term) -> Option<Scalar> {
    match (pool.op(array), pool.args(array)) {
        (Op::ConstArray { .. }, &[element]) => Some(Scalar::of(pool, element)),
        _ => None,
    }
}

fn select_from_term(pool: &mut TermPool, array: Term, index: Scalar, sort: Sort) -> Scalar {
    everywhere(pool, array).unwrap_or_else(|| {
        let index = index.term(pool, sort);
        let element = pool.select(array, index);
        Scalar::of(pool, element)
    })
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

    /// After a write at an unknown index, a read at a literal one asks only whether that was meant.
    #[test]
    fn unknown_writes_do_not_hide_what_is_known() {
        let mut pool = TermPool::new();
        let base = memory(&mut pool);
        let (i, even, one) = (pool.variable("i", INDEX), pool.bv(32, 2), pool.bv(8, 1));
        let doubled = pool.mul(i, even);
        let mut array = SymbolicArray::new(base, 32, 8);
        array.store(&mut pool, Scalar::Word(6), Scalar::Word(60));
        array.store(&mut pool, Scalar::Word(7), Scalar::Word(70));
        array.store(&mut pool, Scalar::Term(doubled), Scalar::Term(one));
        let read = array.select(&mut pool, Scalar::Word(6)).term(&mut pool, ELEMENT);
        let (six, sixty) = (pool.bv(32, 6), pool.bv(8, 60));
        let is_six = pool.eq(doubled, six);
        assert_eq!(read, pool.ite(is_six, one, sixty));
        assert_eq!(array.select(&mut pool, Scalar::Term(doubled)), Scalar::Word(1));
        array.store(&mut pool, Scalar::Word(6), Scalar::Word(61));
        assert_eq!(array.select(&mut pool, Scalar::Word(6)), Scalar::Word(61));
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
