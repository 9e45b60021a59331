//! Arrays by reads and lemmas on demand, in the manner of Brummayer and Biere, "Lemmas on Demand for the
//! Extensional Theory of Arrays" (JSAT 6, 2009).
//!
//! A read of an array gets fresh bits, an equality of arrays a fresh literal. Nothing relates them at
//! first. When the SAT solver finds a model, `refine` looks for index values at which the model
//! is not a function of the index, and states what it violates; without any, array values are built.
//!
//! At one index value x the array terms of a query form a graph: a store leads to its base unless it
//! writes at x, an if-then-else leads to the branch that the model chose, and a true equality connects its
//! sides. Everything connected has the same element at x. Elements come from reads at x, stores at x and
//! constant arrays; two that are connected and differ are a conflict. If one of them is a read of a store
//! or an if-then-else then it is defined by reads further down; otherwise a lemma says that under the
//! conditions of the connecting path the two elements are equal. Definitions and lemmas are valid, so they
//! stay. There are finitely many of both, no definition is made twice and each lemma rules out the model
//! that it was made for, so refinement ends.
//!
//! Departures: the paper has lemmas only. Long paths make them weak, and a read over n stores may need n
//! of them with a call of the SAT solver before each, where the multiplexers of a definition propagate.
//! For the same reason reads over few stores are defined at once. The differing index of a false equality
//! is a fresh word from the start.

use super::blast::Blaster;
use super::sat::{FALSE, Lit, TRUE};
use super::words::Word;
use aster_term::{ArrayValue, Op, Sort, Term, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

/// A read with bits of its own.
pub(super) struct Read {
    pub(super) array: Term,
    pub(super) index: Word,
    pub(super) value: Word,
    /// The reads by which this one was defined.
    definition: Option<Vec<usize>>,
}

/// An equality of arrays.
pub(super) struct Equality {
    pub(super) literal: Lit,
    pub(super) left: Term,
    pub(super) right: Term,
}

/// All reads and equalities of arrays that were translated.
pub(super) struct Arrays {
    pub(super) reads: Vec<Read>,
    pub(super) equalities: Vec<Equality>,
    /// Reads by array and index, so that equal reads share their bits.
    known_reads: FxHashMap<(Term, Word), usize>,
    /// The reads that the translation of a term rests on.
    reads_of: FxHashMap<Term, Vec<usize>>,
    /// The equality that a term was translated to.
    equality_of: FxHashMap<Term, usize>,
    /// How many stores that may or may not hit the index a read is expanded over at once.
    pub(super) eager_stores: usize,
    /// Lemmas and definitions stated on demand so far.
    pub(super) lemmas: u64,
}

impl Arrays {
    pub(super) fn new(eager_stores: usize) -> Self {
        Arrays {
            reads: Vec::new(),
            equalities: Vec::new(),
            known_reads: FxHashMap::default(),
            reads_of: FxHashMap::default(),
            equality_of: FxHashMap::default(),
            eager_stores,
            lemmas: 0,
        }
    }
}

/// The parts of a query that refinement looks at.
#[derive(Default)]
pub(super) struct ArrayCone {
    pub(super) reads: Vec<usize>,
    pub(super) equalities: Vec<usize>,
    pub(super) variables: Vec<Term>,
    seen: FxHashSet<usize>,
}

impl ArrayCone {
    /// Takes in a term of the query; every term is given once.
    pub(super) fn visit(&mut self, pool: &TermPool, arrays: &Arrays, term: Term) {
        match pool.op(term) {
            Op::Variable(_) if super::blast::is_array(pool, term) => self.variables.push(term),
            Op::Select | Op::Eq => {
                self.add_reads(arrays, arrays.reads_of.get(&term).into_iter().flatten().copied());
                self.equalities.extend(arrays.equality_of.get(&term));
            }
            _ => {}
        }
    }

    /// Takes in reads and those by which they are defined. A defined read itself is of no interest: it
    /// is right if those are.
    fn add_reads(&mut self, arrays: &Arrays, reads: impl IntoIterator<Item = usize>) {
        let mut stack: Vec<usize> = reads.into_iter().collect();
        while let Some(read) = stack.pop() {
            if !self.seen.insert(read) {
                continue;
            }
            match &arrays.reads[read].definition {
                Some(definition) => stack.extend(definition),
                None => self.reads.push(read),
            }
        }
    }

    /// Replaces reads that were defined since they were taken in.
    pub(super) fn update(&mut self, arrays: &Arrays) {
        let reads = std::mem::take(&mut self.reads);
        for read in reads {
            self.seen.remove(&read);
            self.add_reads(arrays, [read]);
        }
    }

    /// True if the query has nothing to do with arrays.
    pub(super) fn is_empty(&self) -> bool {
        self.variables.is_empty() && self.reads.is_empty() && self.equalities.is_empty()
    }
}

/// What refinement found.
pub(super) enum Refinement {
    /// Lemmas were added: the model was wrong.
    Refined,
    /// The values of the array variables of the query.
    Consistent(Vec<(Term, ArrayValue)>),
}

// Translation.
impl Blaster {
    /// The bits of a `select` term.
    pub(super) fn read(&mut self, pool: &TermPool, select: Term) -> Word {
        let (array, index) = (pool.args(select)[0], pool.args(select)[1]);
        let index = self.word(pool, index).to_vec();
        let mut reads = Vec::new();
        let value = self.element(pool, array, &index, &mut reads);
        self.arrays.reads_of.insert(select, reads);
        value
    }

    /// The literal of an equality of arrays. If it is false then there is an index at which the arrays
    /// differ: a fresh word.
    pub(super) fn array_equality(&mut self, pool: &TermPool, equality: Term) -> Lit {
        let (left, right) = (pool.args(equality)[0], pool.args(equality)[1]);
        if left == right {
            return TRUE;
        }
        let literal = self.circuits.gates.sat.fresh();
        let index = self.circuits.fresh(index_width(pool, left));
        let mut reads = Vec::new();
        let left_element = self.element(pool, left, &index, &mut reads);
        let right_element = self.element(pool, right, &index, &mut reads);
        let same = self.circuits.equal(&left_element, &right_element);
        self.circuits.gates.sat.clause(&[literal, -same]);
        self.arrays.reads_of.insert(equality, reads);
        self.arrays.equality_of.insert(equality, self.arrays.equalities.len());
        self.arrays.equalities.push(Equality { literal, left, right });
        literal
    }

    /// The element of an array at an index; the reads that it rests on are added to `reads`.
    fn element(&mut self, pool: &TermPool, array: Term, index: &[Lit], reads: &mut Vec<usize>) -> Word {
        self.descend(pool, array, index, self.arrays.eager_stores, reads)
    }

    /// As [`Blaster::element`], passing at most `limit` stores that may or may not hit the index.
    fn descend(
        &mut self,
        pool: &TermPool,
        array: Term,
        index: &[Lit],
        limit: usize,
        reads: &mut Vec<usize>,
    ) -> Word {
        // Stores passed on the way down, with the literal that says whether they hit the index.
        let mut passed: Vec<(Lit, Term)> = Vec::new();
        let mut node = array;
        let mut value = loop {
            let args = pool.args(node);
            match pool.op(node) {
                Op::ConstArray { .. } => break self.word(pool, args[0]).to_vec(),
                Op::Store => {
                    let at = self.word(pool, args[1]).to_vec();
                    if at == index {
                        break self.word(pool, args[2]).to_vec();
                    }
                    let distinct = at.iter().zip(index).any(|(&x, &y)| x == -y);
                    if !distinct {
                        if passed.len() == limit {
                            break self.plain_read(pool, node, index, reads);
                        }
                        let hit = self.circuits.equal(&at, index);
                        passed.push((hit, args[2]));
                    }
                    node = args[0];
                }
                Op::Ite => match self.literal(args[0]) {
                    TRUE => node = args[1],
                    FALSE => node = args[2],
                    _ => break self.plain_read(pool, node, index, reads),
                },
                _ => break self.plain_read(pool, node, index, reads),
            }
        };
        for &(hit, element) in passed.iter().rev() {
            let element = self.word(pool, element).to_vec();
            value = self.circuits.choose(hit, &element, &value);
        }
        value
    }

    /// A read whose meaning is left to refinement.
    fn plain_read(&mut self, pool: &TermPool, array: Term, index: &[Lit], reads: &mut Vec<usize>) -> Word {
        let key = (array, index.to_vec());
        if let Some(&known) = self.arrays.known_reads.get(&key) {
            reads.push(known);
            return self.arrays.reads[known].value.clone();
        }
        let value = self.circuits.fresh(element_width(pool, array));
        let id = self.arrays.reads.len();
        reads.push(id);
        let read = Read { array, index: index.to_vec(), value: value.clone(), definition: None };
        self.arrays.reads.push(read);
        self.arrays.known_reads.insert(key, id);
        value
    }
}

// Definitions on demand.
impl Blaster {
    /// Defines a read of a store or of an if-then-else by reads further down.
    pub(super) fn define(&mut self, pool: &TermPool, read: usize) {
        let Read { array, ref index, ref value, ref definition } = self.arrays.reads[read];
        if definition.is_some() {
            return;
        }
        let (index, value) = (index.clone(), value.clone());
        let mut reads = Vec::new();
        let meaning = match pool.op(array) {
            Op::Ite => {
                let args = pool.args(array);
                let then = self.element(pool, args[1], &index, &mut reads);
                let otherwise = self.element(pool, args[2], &index, &mut reads);
                self.circuits.choose(self.literal(args[0]), &then, &otherwise)
            }
            // At least one store is passed, so the definition is not by the read itself.
            _ => self.descend(pool, array, &index, self.arrays.eager_stores.max(1), &mut reads),
        };
        for (&x, &y) in value.iter().zip(&meaning) {
            self.circuits.gates.sat.clause(&[-x, y]);
            self.circuits.gates.sat.clause(&[x, -y]);
        }
        self.arrays.reads[read].definition = Some(reads);
        self.arrays.lemmas += 1;
    }
}

pub(super) fn index_width(pool: &TermPool, array: Term) -> u32 {
    match pool.sort(array) {
        Sort::Array { index, .. } => index,
        sort => unreachable!("an array was expected, not {sort}"),
    }
}

fn element_width(pool: &TermPool, array: Term) -> u32 {
    match pool.sort(array) {
        Sort::Array { element, .. } => element,
        sort => unreachable!("an array was expected, not {sort}"),
    }
}
