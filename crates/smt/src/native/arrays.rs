//! Arrays by reads and lemmas on demand, in the manner of Brummayer and Biere, "Lemmas on Demand for the
//! Extensional Theory of Arrays" (JSAT 6, 2009).
//!
//! A read of an array gets fresh bits, an equality of arrays a fresh literal. Nothing relates them at
//! first. When the SAT solver finds a model, [`Blaster::refine`] looks for index values at which the model
//! is not a function of the index, and states a lemma for each; without any, array values are built.
//!
//! At one index value x the array terms of a query form a graph: a store leads to its base unless it
//! writes at x, an if-then-else leads to the branch that the model chose, and a true equality connects its
//! sides. Everything connected has the same element at x. Elements come from reads at x, stores at x and
//! constant arrays; two that are connected and differ are a conflict, and the lemma says: under the
//! conditions of the connecting path the two elements are equal. Lemmas are valid, so they stay. There are
//! finitely many of them and each rules out the model that it was made for, so refinement ends.
//!
//! Departure: reads over few stores are expanded at once instead of on demand, since propagation through
//! the multiplexers saves rounds; and the differing index of a false equality is a fresh word from the
//! start.

use super::blast::Blaster;
use super::sat::{FALSE, Lit, TRUE};
use super::words::{Word, constant_word};
use aster_term::{ArrayValue, BitVec, Op, Sort, Term, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A read with bits of its own.
struct Read {
    array: Term,
    index: Word,
    value: Word,
}

/// An equality of arrays.
struct Equality {
    literal: Lit,
    left: Term,
    right: Term,
}

/// All reads and equalities of arrays that were translated.
pub(super) struct Arrays {
    reads: Vec<Read>,
    equalities: Vec<Equality>,
    /// Reads by array and index, so that equal reads share their bits.
    known_reads: FxHashMap<(Term, Word), usize>,
    /// The reads that the translation of a term rests on.
    reads_of: FxHashMap<Term, Vec<usize>>,
    /// The equality that a term was translated to.
    equality_of: FxHashMap<Term, usize>,
    /// How many stores that may or may not hit the index a read is expanded over at once.
    pub(super) eager_stores: usize,
    /// Lemmas stated so far.
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
    reads: Vec<usize>,
    equalities: Vec<usize>,
    variables: Vec<Term>,
    seen: FxHashSet<usize>,
}

impl ArrayCone {
    /// Takes in a term of the query; every term is given once.
    pub(super) fn visit(&mut self, pool: &TermPool, arrays: &Arrays, term: Term) {
        match pool.op(term) {
            Op::Variable(_) if super::blast::is_array(pool, term) => self.variables.push(term),
            Op::Select | Op::Eq => {
                for &read in arrays.reads_of.get(&term).into_iter().flatten() {
                    if self.seen.insert(read) {
                        self.reads.push(read);
                    }
                }
                self.equalities.extend(arrays.equality_of.get(&term));
            }
            _ => {}
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

    /// The element of an array at an index; the read that it rests on is added to `reads`.
    fn element(&mut self, pool: &TermPool, array: Term, index: &[Lit], reads: &mut Vec<usize>) -> Word {
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
                        if passed.len() == self.arrays.eager_stores {
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
        self.arrays.reads.push(Read { array, index: index.to_vec(), value: value.clone() });
        self.arrays.known_reads.insert(key, id);
        value
    }
}

/// Where an element comes from.
#[derive(Clone, Copy)]
enum Source {
    Read(usize),
    Store(Term),
    Constant(Term),
}

/// A place in the graph: an array term that leads nowhere further down at an index value.
#[derive(Clone)]
struct Place {
    /// The number of the place that stands for everything connected to this one.
    representative: usize,
    /// An element known here, with its value and the place where it is known. Kept at representatives.
    source: Option<(Source, u128, usize)>,
    /// Neighbours through true equalities.
    neighbours: Vec<(usize, usize)>,
}

/// A condition of a lemma; each holds in the model.
enum Premise {
    Literal(Lit),
    Distinct(Term),
}

/// `premises` (with the store indices of [`Premise::Distinct`] different from the index) and equal
/// indices imply that the two elements are equal.
struct Lemma {
    indices: Vec<Word>,
    premises: Vec<Premise>,
    elements: [Word; 2],
}

/// One look at a model. Only reads it; lemmas are stated afterwards.
struct Inspection<'a> {
    blaster: &'a mut Blaster,
    pool: &'a TermPool,
    values: FxHashMap<Term, u128>,
    places: Vec<Place>,
    place_of: FxHashMap<(Term, u128), usize>,
    lemmas: Vec<Lemma>,
}

// Refinement.
impl Blaster {
    /// Checks the model of the SAT solver against the meaning of arrays.
    pub(super) fn refine(&mut self, pool: &TermPool, cone: &ArrayCone) -> Refinement {
        let mut inspection = Inspection {
            blaster: self,
            pool,
            values: FxHashMap::default(),
            places: Vec::new(),
            place_of: FxHashMap::default(),
            lemmas: Vec::new(),
        };
        let mut indices: BTreeMap<Sort, BTreeSet<u128>> = BTreeMap::new();
        for &read in &cone.reads {
            inspection.inspect_read(read, &mut indices);
        }
        let fresh = inspection.inspect_equalities(&cone.equalities, &mut indices);
        if inspection.lemmas.is_empty() {
            let values = inspection.array_values(&cone.variables, &indices, &fresh);
            return Refinement::Consistent(values);
        }
        let lemmas = std::mem::take(&mut inspection.lemmas);
        for lemma in lemmas {
            self.state(pool, &lemma);
        }
        Refinement::Refined
    }

    fn state(&mut self, pool: &TermPool, lemma: &Lemma) {
        let mut clause = Vec::new();
        if let [first, second] = lemma.indices.as_slice() {
            clause.push(-self.circuits.equal(first, second));
        }
        for premise in &lemma.premises {
            match *premise {
                Premise::Literal(literal) => clause.push(-literal),
                Premise::Distinct(at) => {
                    let at = self.word(pool, at).to_vec();
                    // The indices are equal under the premises, so any of them may be taken: best one
                    // that is surely distinct, which makes the premise void.
                    let void = lemma.indices.iter().any(|i| i.iter().zip(&at).any(|(&x, &y)| x == -y));
                    if !void {
                        clause.push(self.circuits.equal(&lemma.indices[0], &at));
                    }
                }
            }
        }
        clause.push(self.circuits.equal(&lemma.elements[0], &lemma.elements[1]));
        clause.sort_unstable();
        clause.dedup();
        self.circuits.gates.sat.clause(&clause);
        self.arrays.lemmas += 1;
    }
}

impl Inspection<'_> {
    fn value(&mut self, term: Term) -> u128 {
        if let Some(&value) = self.values.get(&term) {
            return value;
        }
        let value = self.blaster.term_value(self.pool, term);
        self.values.insert(term, value);
        value
    }

    fn literal_holds(&mut self, literal: Lit) -> bool {
        self.blaster.model_value(&[literal]) == 1
    }

    /// One step down from an array term at an index value, with the condition of the step.
    fn step(&mut self, array: Term, at: u128) -> Option<(Term, Premise)> {
        let pool = self.pool;
        let args = pool.args(array);
        match pool.op(array) {
            Op::Store if self.value(args[1]) != at => Some((args[0], Premise::Distinct(args[1]))),
            Op::Ite => {
                let condition = self.blaster.literal(args[0]);
                Some(if self.value(args[0]) == 1 {
                    (args[1], Premise::Literal(condition))
                } else {
                    (args[2], Premise::Literal(-condition))
                })
            }
            _ => None,
        }
    }

    fn root(&mut self, array: Term, at: u128) -> Term {
        let mut node = array;
        while let Some((next, _)) = self.step(node, at) {
            node = next;
        }
        node
    }

    /// The place of a root at an index value.
    fn place(&mut self, root: Term, at: u128) -> usize {
        if let Some(&place) = self.place_of.get(&(root, at)) {
            return place;
        }
        let place = self.places.len();
        let pool = self.pool;
        let source = match pool.op(root) {
            Op::Store => Some((Source::Store(root), self.value(pool.args(root)[2]), place)),
            Op::ConstArray { .. } => Some((Source::Constant(root), self.value(pool.args(root)[0]), place)),
            _ => None,
        };
        self.places.push(Place { representative: place, source, neighbours: Vec::new() });
        self.place_of.insert((root, at), place);
        place
    }

    fn representative(&mut self, place: usize) -> usize {
        let mut current = place;
        while self.places[current].representative != current {
            let above = self.places[self.places[current].representative].representative;
            self.places[current].representative = above;
            current = above;
        }
        current
    }

    fn inspect_read(&mut self, read: usize, indices: &mut BTreeMap<Sort, BTreeSet<u128>>) {
        let array = self.blaster.arrays.reads[read].array;
        let index = self.blaster.arrays.reads[read].index.clone();
        let element = self.blaster.arrays.reads[read].value.clone();
        let at = self.blaster.model_value(&index);
        let value = self.blaster.model_value(&element);
        indices.entry(self.pool.sort(array)).or_default().insert(at);
        let root = self.root(array, at);
        let place = self.place(root, at);
        match self.places[place].source {
            None => self.places[place].source = Some((Source::Read(read), value, place)),
            Some((_, known, _)) if known == value => {}
            Some((source, _, _)) => {
                let mut premises = Vec::new();
                self.explain_source(source, at, &mut premises);
                self.explain_source(Source::Read(read), at, &mut premises);
                self.conflict([source, Source::Read(read)], at, premises);
            }
        }
    }

    /// Connects the sides of true equalities at every index value that matters: those of reads and stores,
    /// and one that stands for all others, which is returned for each sort that has one.
    fn inspect_equalities(
        &mut self,
        equalities: &[usize],
        indices: &mut BTreeMap<Sort, BTreeSet<u128>>,
    ) -> BTreeMap<Sort, u128> {
        let mut holding = Vec::new();
        for &equality in equalities {
            if self.literal_holds(self.blaster.arrays.equalities[equality].literal) {
                holding.push(equality);
            }
        }
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        for &equality in &holding {
            let Equality { left, right, .. } = self.blaster.arrays.equalities[equality];
            let indices = indices.entry(self.pool.sort(left)).or_default();
            for side in [left, right] {
                self.store_indices(side, &mut seen, indices);
            }
        }
        let mut fresh = BTreeMap::new();
        for (&sort, used) in indices.iter() {
            let Sort::Array { index, .. } = sort else { unreachable!("arrays have array sorts") };
            let candidate = (0u128..).zip(used).find(|(i, u)| i != *u).map_or(used.len() as u128, |(i, _)| i);
            if index >= 128 || candidate < 1 << index {
                fresh.insert(sort, candidate);
            }
        }
        for &equality in &holding {
            let Equality { left, right, .. } = self.blaster.arrays.equalities[equality];
            let sort = self.pool.sort(left);
            for &at in indices[&sort].iter().chain(fresh.get(&sort)) {
                let left = self.root(left, at);
                let right = self.root(right, at);
                let (left, right) = (self.place(left, at), self.place(right, at));
                self.connect(left, right, equality, at);
            }
        }
        fresh
    }

    /// The index values of all stores below an array term, in the branches that the model chose.
    fn store_indices(&mut self, array: Term, seen: &mut FxHashSet<Term>, indices: &mut BTreeSet<u128>) {
        let pool = self.pool;
        let mut node = array;
        while seen.insert(node) {
            let args = pool.args(node);
            node = match pool.op(node) {
                Op::Store => {
                    indices.insert(self.value(args[1]));
                    args[0]
                }
                Op::Ite if self.value(args[0]) == 1 => args[1],
                Op::Ite => args[2],
                _ => break,
            };
        }
    }

    fn connect(&mut self, left: usize, right: usize, equality: usize, at: u128) {
        self.places[left].neighbours.push((right, equality));
        self.places[right].neighbours.push((left, equality));
        let (a, b) = (self.representative(left), self.representative(right));
        if a == b {
            return;
        }
        match (self.places[a].source, self.places[b].source) {
            (Some((first, x, from)), Some((second, y, to))) if x != y => {
                let mut premises = Vec::new();
                self.explain_source(first, at, &mut premises);
                self.explain_source(second, at, &mut premises);
                self.explain_equalities(from, to, at, &mut premises);
                self.conflict([first, second], at, premises);
            }
            (None, source) => self.places[a].source = source,
            _ => {}
        }
        self.places[b].representative = a;
    }

    /// The conditions under which an element reaches the place where it is known.
    fn explain_source(&mut self, source: Source, at: u128, premises: &mut Vec<Premise>) {
        if let Source::Read(read) = source {
            self.explain_descent(self.blaster.arrays.reads[read].array, at, premises);
        }
    }

    fn explain_descent(&mut self, array: Term, at: u128, premises: &mut Vec<Premise>) {
        let mut node = array;
        while let Some((next, premise)) = self.step(node, at) {
            premises.push(premise);
            node = next;
        }
    }

    /// The conditions under which two places are connected: the equalities of a shortest path between
    /// them, and the descents from the sides of those equalities.
    fn explain_equalities(&mut self, from: usize, to: usize, at: u128, premises: &mut Vec<Premise>) {
        let mut reached: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(place) = queue.pop_front() {
            if place == to {
                break;
            }
            for &(next, equality) in &self.places[place].neighbours {
                if next != from && !reached.contains_key(&next) {
                    reached.insert(next, (place, equality));
                    queue.push_back(next);
                }
            }
        }
        let mut place = to;
        while place != from {
            let (previous, equality) = reached[&place];
            let Equality { literal, left, right } = self.blaster.arrays.equalities[equality];
            premises.push(Premise::Literal(literal));
            self.explain_descent(left, at, premises);
            self.explain_descent(right, at, premises);
            place = previous;
        }
    }

    fn conflict(&mut self, sources: [Source; 2], at: u128, premises: Vec<Premise>) {
        let mut indices = Vec::new();
        let mut elements = [Vec::new(), Vec::new()];
        let mut sort = None;
        for (source, element) in sources.into_iter().zip(&mut elements) {
            let word = |term: Term| self.blaster.word(self.pool, term).to_vec();
            match source {
                Source::Read(read) => {
                    indices.push(self.blaster.arrays.reads[read].index.clone());
                    *element = self.blaster.arrays.reads[read].value.clone();
                }
                Source::Store(store) => {
                    indices.push(word(self.pool.args(store)[1]));
                    *element = word(self.pool.args(store)[2]);
                }
                Source::Constant(array) => {
                    sort = Some(array);
                    *element = word(self.pool.args(array)[0]);
                }
            }
        }
        if let (true, Some(array)) = (indices.is_empty(), sort) {
            // Two constant arrays: the lemma is about this very index value.
            indices.push(constant_word(index_width(self.pool, array), at));
        }
        self.lemmas.push(Lemma { indices, premises, elements });
    }

    /// The values of array variables in a model without conflicts. Elements that nothing determines are
    /// zero, which is the same for all places that are connected.
    fn array_values(
        &mut self,
        variables: &[Term],
        indices: &BTreeMap<Sort, BTreeSet<u128>>,
        fresh: &BTreeMap<Sort, u128>,
    ) -> Vec<(Term, ArrayValue)> {
        let empty = BTreeSet::new();
        let mut values = Vec::with_capacity(variables.len());
        for &variable in variables {
            let sort = self.pool.sort(variable);
            let Sort::Array { index, element } = sort else { unreachable!("arrays have array sorts") };
            let default = fresh.get(&sort).map_or(0, |&at| self.known_element(variable, at));
            let mut value = ArrayValue::constant(index, BitVec::new(element, default));
            for &at in indices.get(&sort).unwrap_or(&empty) {
                let known = self.known_element(variable, at);
                value = value.store(BitVec::new(index, at), BitVec::new(element, known));
            }
            values.push((variable, value));
        }
        values
    }

    fn known_element(&mut self, variable: Term, at: u128) -> u128 {
        let Some(&place) = self.place_of.get(&(variable, at)) else { return 0 };
        let place = self.representative(place);
        self.places[place].source.map_or(0, |(_, value, _)| value)
    }
}

fn index_width(pool: &TermPool, array: Term) -> u32 {
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
