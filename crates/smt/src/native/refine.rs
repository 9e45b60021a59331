//! Checks models against the meaning of arrays; see [`super::arrays`] for how and why.

use super::arrays::{ArrayCone, Equality, Refinement, index_width};
use super::blast::Blaster;
use super::sat::Lit;
use super::words::{Word, constant_word};
use aster_term::{ArrayValue, BitVec, Op, Sort, Term, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

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
    /// Reads that have to be defined.
    undefined: Vec<usize>,
}

// Refinement.
impl Blaster {
    /// Checks the model of the SAT solver against the meaning of arrays.
    pub(super) fn refine(&mut self, pool: &TermPool, cone: &mut ArrayCone) -> Refinement {
        let mut inspection = Inspection {
            blaster: self,
            pool,
            values: FxHashMap::default(),
            places: Vec::new(),
            place_of: FxHashMap::default(),
            lemmas: Vec::new(),
            undefined: Vec::new(),
        };
        let mut indices: BTreeMap<Sort, BTreeSet<u128>> = BTreeMap::new();
        for &read in &cone.reads {
            inspection.inspect_read(read, &mut indices);
        }
        let fresh = inspection.inspect_equalities(&cone.equalities, &mut indices);
        let lemmas = std::mem::take(&mut inspection.lemmas);
        let undefined = std::mem::take(&mut inspection.undefined);
        if lemmas.is_empty() && undefined.is_empty() {
            let values = inspection.array_values(&cone.variables, &indices, &fresh);
            return Refinement::Consistent(values);
        }
        for lemma in lemmas {
            self.state(pool, &lemma);
        }
        for read in undefined {
            self.define(pool, read);
        }
        cone.update(&self.arrays);
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
            Some((source, _, _)) => self.conflict([source, Source::Read(read)], at, Vec::new()),
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
                self.explain_equalities(from, to, at, &mut premises);
                self.conflict([first, second], at, premises);
            }
            (None, source) => self.places[a].source = source,
            _ => {}
        }
        self.places[b].representative = a;
    }

    /// The conditions under which an array agrees with its root.
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

    /// Two elements that the premises make equal are not. Reads that are known further down than they
    /// were made are to blame first.
    fn conflict(&mut self, sources: [Source; 2], at: u128, premises: Vec<Premise>) {
        let before = self.undefined.len();
        for source in sources {
            if let Source::Read(read) = source {
                let array = self.blaster.arrays.reads[read].array;
                if matches!(self.pool.op(array), Op::Store | Op::Ite) {
                    self.undefined.push(read);
                }
            }
        }
        if self.undefined.len() > before {
            return;
        }
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
