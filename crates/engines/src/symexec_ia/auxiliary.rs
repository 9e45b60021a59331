//! Invariants that need no refinement: linear relations between variables, known low bits, and bounds from a fixed
//! list, at all loop heads together.
//!
//! The strongest ones of this form are found from below. At first nothing holds anywhere but what all forms of
//! relations say at once. Then the program's segments from one loop head to the next are explored from any state that satisfies
//! what is assumed at their beginning; whatever state is found at their end that does not satisfy what is assumed
//! there is taken in, which weakens the assumption. When no such state is left, what is assumed holds at every
//! visit: by induction over the segments of a run. (Symbolic abstraction; for affine relations this is Karr's
//! analysis, bit-precise.)

use super::SymexIa;
use super::affine::{AffineHull, Relation};
use super::bounds::MAX_BOUNDS;
use super::frames::FrameVariable;
use crate::symbolic::{self, Feasibility, Followed, History, PathCondition, State, Witness};
use crate::{Reason, Work};
use aster_cfa::{Label, Location, Op, Var};
use aster_smt::{Answer, Limits};
use aster_term::{Model, Op as Operator, Sort, Substitution, Term, Value, free_variables};
use imbl::Vector;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

/// More paths than this are not worth it.
const MAX_PATHS: usize = 4_000;
/// Loop heads of the unfolded program.
const MAX_LOCATIONS: usize = 64;
/// Variables of one width that are related with each other.
const MAX_VARIABLES: usize = 48;
/// Elements of one array that are related with variables.
const MAX_ELEMENTS: usize = 4;
/// Variables on the right-hand side of a relation, and the largest factor there.
const MAX_TERMS: usize = 5;
const MAX_COEFFICIENT: u64 = 16;
/// Predicates by which cases are told apart.
const MAX_DISTINCTIONS: usize = 2;
/// Conflicts of the SAT solver in a query about a branch: one that is not decided ends everything.
const MAX_CONFLICTS: u32 = 20_000;
/// Conflicts in a query about what is assumed: what is not decided can be left out.
const MAX_CONFLICTS_ASSUMED: u32 = 3_000;
/// Conflicts in a query whether something follows from the rest.
const MAX_CONFLICTS_REDUNDANT: u32 = 100;
/// Queries about what holds after one path that the solver may leave undecided.
const MAX_UNDECIDED: u32 = 40;

/// What is assumed at a loop head.
struct Element {
    /// The case that it is about.
    case: Vec<Term>,
    /// The variables of each width, and single elements of arrays, with their hull.
    hulls: Vec<(u32, Vec<Term>, AffineHull)>,
    /// The arrays of these elements.
    arrays: Vec<Term>,
    /// Integers and rationals, for which only bounds are looked for.
    numbers: Vec<Term>,
    /// The lowest bits of variables that are the same in all states: how many, and the value of one state.
    low_bits: Vec<(Term, u32, u64)>,
    /// Bounds that no state has violated so far.
    bounds: Vec<Term>,
    /// A state that satisfies all of it; `None` before the first one was taken in.
    sample: Option<Model>,
}

/// True if a relation looks like one that a person would write: others come from too few states and cost too much.
fn is_simple(width: u32, relation: &Relation) -> bool {
    let size = |coefficient: u64| {
        let shift = 64 - width;
        (((coefficient << shift) as i64) >> shift).unsigned_abs()
    };
    relation.terms.len() <= MAX_TERMS
        && relation.terms.iter().all(|&(_, coefficient)| size(coefficient) <= MAX_COEFFICIENT)
}

impl SymexIa<'_> {
    /// Finds invariants for all loop heads; `None` if that is too much work.
    pub(super) fn auxiliary_invariants(&mut self) -> Result<Option<FxHashMap<Location, Vec<Term>>>, Reason> {
        let distinctions = self.distinctions();
        // By location and case.
        let mut elements: BTreeMap<(Location, usize), Element> = BTreeMap::new();
        let mut waiting: VecDeque<Option<(Location, usize)>> = VecDeque::from([None]);
        let mut paths = 0;
        while let Some(start) = waiting.pop_front() {
            // No abstract state has such a number, and no turn has that of another.
            self.turn -= 1;
            let state = match start {
                None => {
                    let mut state = self.executor.initial_state();
                    state.history = Some(Rc::new(History { origin: self.turn, ..History::default() }));
                    state
                }
                Some(place) => match elements.get(&place) {
                    Some(element) => self.any_state(place.0, element),
                    None => continue,
                },
            };
            let mut stack = vec![state];
            while let Some(state) = stack.pop() {
                match self.executor.follow(state) {
                    Followed::Successors(successors) => stack.extend(successors),
                    Followed::Error(_) | Followed::Suspect(..) => {}
                    Followed::Stop(reason) => return Err(reason),
                    Followed::LoopHead(state) => {
                        let location = state.location;
                        for (case, literals) in self.cases(&distinctions, location).into_iter().enumerate() {
                            let Some(state) = self.part_with(state.clone(), &literals)? else { continue };
                            let element = match elements.entry((location, case)) {
                                Entry::Occupied(entry) => entry.into_mut(),
                                Entry::Vacant(entry) => entry.insert(self.bottom(&state, literals)),
                            };
                            self.limit_conflicts(MAX_CONFLICTS_ASSUMED);
                            let taken = self.take_in(&state, element);
                            self.limit_conflicts(MAX_CONFLICTS);
                            match taken? {
                                None => return Ok(None),
                                Some(true) if !waiting.contains(&Some((location, case))) => {
                                    waiting.push_back(Some((location, case)));
                                }
                                Some(_) => {}
                            }
                        }
                        paths += 1;
                    }
                }
                if paths > MAX_PATHS || stack.len() > MAX_PATHS || elements.len() > MAX_LOCATIONS {
                    return Ok(None);
                }
            }
        }
        let locations: BTreeSet<Location> = elements.keys().map(|(location, _)| *location).collect();
        let mut invariants = FxHashMap::default();
        for location in locations {
            let mut terms = Vec::new();
            for (case, literals) in self.cases(&distinctions, location).into_iter().enumerate() {
                let case_terms = match elements.get(&(location, case)) {
                    Some(element) => {
                        let terms = self.terms(element);
                        self.without_redundancy(terms)
                    }
                    None => vec![self.executor.pool.bool(false)],
                };
                let pool = &mut *self.executor.pool;
                let condition = pool.and_all(&literals);
                terms.extend(case_terms.into_iter().map(|term| pool.implies(condition, term)));
            }
            terms.retain(|&term| self.executor.pool.bool_constant(term).is_none());
            invariants.insert(location, terms);
        }
        Ok(Some(invariants))
    }

    /// Formulas without those that follow from the others, as far as that is quickly found out.
    fn without_redundancy(&mut self, mut terms: Vec<Term>) -> Vec<Term> {
        self.limit_conflicts(MAX_CONFLICTS_REDUNDANT);
        let (pool, solver) = (&mut *self.executor.pool, &mut *self.executor.solver);
        for position in (0..terms.len()).rev() {
            let mut query = terms.clone();
            query[position] = pool.not(terms[position]);
            if matches!(solver.check(pool, &query), Answer::Unsat(_)) {
                terms.remove(position);
            }
        }
        self.limit_conflicts(MAX_CONFLICTS);
        terms
    }

    /// Predicates about variables that are not written in loops, which hardly ever change, and about single bits, which
    /// turns of a loop may have in common: it is worth looking at each case on its own.
    fn distinctions(&self) -> Vec<Term> {
        let program = self.executor.program;
        let mut changing: FxHashSet<Var> = FxHashSet::default();
        for edge in program.edges() {
            let info = program.edge(edge);
            if self.executor.loops.innermost(info.source).is_some() {
                match &info.label {
                    Label::Op(Op::Assign(variable, _) | Op::Havoc(variable, _)) => {
                        changing.insert(*variable);
                    }
                    Label::Call(call) => changing.extend(call.result),
                    _ => {}
                }
            }
        }
        let is_fixed = |variable: Term| {
            self.frames.meaning(variable).is_some_and(|meaning| !changing.contains(&meaning.variable))
        };
        let mut found = Vec::new();
        for predicate in self.precision.all_predicates() {
            let variables = free_variables(self.executor.pool, &[predicate]);
            if variables.into_iter().all(is_fixed) && !found.contains(&predicate) {
                found.push(predicate);
            }
        }
        found.truncate(MAX_DISTINCTIONS);
        let pool = &*self.executor.pool;
        let is_bit = |&predicate: &Term| {
            pool.op(predicate) == Operator::Eq
                && pool.args(predicate).iter().any(|&side| {
                    matches!(pool.op(side), Operator::BvExtract { high, low } if high == low)
                        && pool.variable_name(pool.args(side)[0]).is_some()
                })
        };
        let bit = self.precision.all_predicates().find(is_bit);
        found.truncate(MAX_DISTINCTIONS - usize::from(bit.is_some()));
        found.extend(bit.filter(|bit| !found.contains(bit)));
        found
    }

    /// The cases that are kept apart at a location: literals of the distinctions that can be made there.
    fn cases(&mut self, distinctions: &[Term], location: Location) -> Vec<Vec<Term>> {
        let mut cases = vec![Vec::new()];
        for &distinction in distinctions {
            if self.is_live(location, distinction) {
                let opposite = self.executor.pool.not(distinction);
                cases = cases
                    .into_iter()
                    .flat_map(|case| [distinction, opposite].map(|literal| [&case[..], &[literal]].concat()))
                    .collect();
            }
        }
        cases
    }

    /// Any state at a loop head that satisfies what is assumed there. Variables hold what relations say that they are,
    /// so that most of what follows from relations needs no solver.
    fn any_state(&mut self, location: Location, element: &Element) -> Box<State> {
        let mut equal = Substitution::new();
        for (width, variables, hull) in &element.hulls {
            for relation in hull.relations().iter().filter(|relation| is_simple(*width, relation)) {
                let variable = variables[relation.variable];
                // What an element of an array is, the path condition says.
                if self.executor.pool.is_variable(variable) {
                    let value = self.relation_value(*width, variables, relation);
                    equal.insert(variable, value);
                }
            }
        }
        let terms: Vec<Term> =
            self.terms(element).into_iter().map(|term| equal.apply(self.executor.pool, term)).collect();
        let mut pc = PathCondition::default();
        self.add_conditions(&mut pc, &terms);
        let program = self.executor.program;
        let settled_in = self.own_memory_of(location).unwrap_or_else(|| self.executor.initial_state().memory);
        let memory = self.frames.memory(&mut self.executor, location, &settled_in, |frames, pool, live| {
            let term = frames.term(program, pool, live.path.unwrap_or(location.path), live.variable);
            let term = equal.apply(pool, term);
            symbolic::Value::of(pool, term)
        });
        Box::new(State {
            location,
            pc,
            memory,
            inputs: Vector::new(),
            witness: Rc::new(Witness::new(element.sample.clone().unwrap_or_default())),
            cycle: Default::default(),
            depth: 0,
            compared: (0, 0),
            history: Some(Rc::new(History { is_past_head: true, origin: self.turn, ..History::default() })),
        })
    }

    /// The relations and bounds of an element as formulas over frame variables.
    fn terms(&mut self, element: &Element) -> Vec<Term> {
        let mut terms = element.case.clone();
        for (width, variables, hull) in &element.hulls {
            for relation in hull.relations().iter().filter(|relation| is_simple(*width, relation)) {
                terms.push(self.relation_term(*width, variables, relation));
            }
        }
        terms.extend(element.low_bits.iter().filter_map(|&known| self.low_bits_term(known)));
        terms.extend(&element.bounds);
        terms.retain(|&term| self.executor.pool.bool_constant(term) != Some(true));
        terms
    }

    /// Relations that are not simple.
    fn strange_relations(&mut self, element: &Element) -> Vec<Term> {
        let mut terms = Vec::new();
        for (width, variables, hull) in &element.hulls {
            for relation in hull.relations().iter().filter(|relation| !is_simple(*width, relation)) {
                terms.push(self.relation_term(*width, variables, relation));
            }
        }
        terms
    }

    /// What is known of a variable's lowest bits. If that is all of them, there is a relation already.
    fn low_bits_term(&mut self, (variable, count, value): (Term, u32, u64)) -> Option<Term> {
        let pool = &mut *self.executor.pool;
        if count == 0 || count >= pool.width(variable) {
            return None;
        }
        let low = pool.extract(count - 1, 0, variable);
        let value = pool.bv(count, u128::from(value));
        Some(pool.eq(low, value))
    }

    fn relation_term(&mut self, width: u32, variables: &[Term], relation: &Relation) -> Term {
        let value = self.relation_value(width, variables, relation);
        self.executor.pool.eq(variables[relation.variable], value)
    }

    /// What the variable of a relation is equal to.
    fn relation_value(&mut self, width: u32, variables: &[Term], relation: &Relation) -> Term {
        let pool = &mut *self.executor.pool;
        let mut sum = pool.bv(width, u128::from(relation.constant));
        for &(variable, coefficient) in &relation.terms {
            let coefficient = pool.bv(width, u128::from(coefficient));
            let product = pool.mul(coefficient, variables[variable]);
            sum = pool.add(sum, product);
        }
        sum
    }

    /// What is assumed at a loop head that was not met before, with nothing taken in yet.
    fn bottom(&mut self, state: &State, case: Vec<Term>) -> Element {
        let location = state.location;
        self.own_memory(state);
        let live = self.frames.live(&self.executor, location);
        let program = self.executor.program;
        let mut by_width: Vec<(u32, Vec<Term>, AffineHull)> = Vec::new();
        let mut add = |width: u32, term: Term| match by_width.iter_mut().find(|(other, ..)| *other == width) {
            Some((_, variables, _)) if variables.len() < MAX_VARIABLES => variables.push(term),
            Some(_) => {}
            None => by_width.push((width, vec![term], AffineHull::new(width))),
        };
        let mut numbers = Vec::new();
        for &FrameVariable { path, variable } in live.iter() {
            let sort = program.variable(variable).sort;
            let is_number = matches!(sort, Sort::Int | Sort::Real);
            if !is_number && !matches!(sort, Sort::BitVec(2..=64)) {
                continue;
            }
            let path = path.unwrap_or(location.path);
            let term = self.frames.term(program, self.executor.pool, path, variable);
            if is_number && numbers.len() < MAX_VARIABLES {
                numbers.push(term);
            }
            let Sort::BitVec(width) = sort else { continue };
            add(width, term);
        }
        let mut arrays = Vec::new();
        for (array, elements) in self.related_elements(state) {
            arrays.push(array);
            for element in elements {
                add(self.executor.pool.width(element), element);
            }
        }
        let mut groups: Vec<&[Term]> =
            by_width.iter().map(|(_, variables, _)| variables.as_slice()).collect();
        groups.push(&numbers);
        let bounds = self.bounds(location, &groups);
        Element { case, hulls: by_width, arrays, numbers, low_bits: Vec::new(), bounds, sample: None }
    }

    /// The live arrays of a state with their elements at literal indices that are not literals, if these are few: how large
    /// something is that was allocated, for example.
    fn related_elements(&mut self, state: &State) -> Vec<(Term, Vec<Term>)> {
        let location = state.location;
        let program = self.executor.program;
        let live = self.frames.live(&self.executor, location);
        let mut found = Vec::new();
        for &variable in live.iter() {
            let Sort::Array { index, element: 2..=64 } = program.variable(variable.variable).sort else {
                continue;
            };
            let value = self.frames.value(&self.executor, location.path, &state.memory, variable);
            let Some(symbolic::Value::Array(value)) = value else { continue };
            // After a loop nothing is known to be written; what was related before it may still be.
            let indices = self.related.entry(variable).or_default();
            for index in value.unknown_elements() {
                if !indices.contains(&index) && indices.len() <= MAX_ELEMENTS {
                    indices.push(index);
                }
            }
            if indices.is_empty() || indices.len() > MAX_ELEMENTS {
                continue;
            }
            let indices = indices.clone();
            let pool = &mut *self.executor.pool;
            let path = variable.path.unwrap_or(location.path);
            let array = self.frames.term(program, pool, path, variable.variable);
            let elements = indices.into_iter().map(|at| {
                let at = pool.bv(index, at.into());
                pool.select(array, at)
            });
            found.push((array, elements.collect()));
        }
        found
    }

    /// Weakens what is assumed at a loop head until it holds in all states of a path that comes there. True if that
    /// changed anything, `None` if that is too much work.
    fn take_in(&mut self, state: &State, element: &mut Element) -> Result<Option<bool>, Reason> {
        let path = state.location.path;
        let mut substitution = Substitution::new();
        let mut changed = false;
        let mut witness = element.sample.is_none().then(|| Rc::clone(&state.witness));
        let mut holding: FxHashSet<Term> = FxHashSet::default();
        let (mut at_once, mut undecided) = (MAX_BOUNDS, 0);
        loop {
            if let Some(witness) = witness.take() {
                if !self.join(state, element, &witness, &mut substitution) {
                    return Ok(None);
                }
                changed = true;
            }
            // Strange relations are not assumed, but they show where a state is missing without which others are not seen.
            let mut terms = self.strange_relations(element);
            terms.extend(self.terms(element));
            terms.retain(|term| !holding.contains(term));
            terms.truncate(at_once);
            if terms.is_empty() {
                return Ok(Some(changed));
            }
            let (frames, executor) = (&self.frames, &mut self.executor);
            let values: Vec<Term> = terms
                .iter()
                .map(|&term| frames.evaluate(executor, path, &state.memory, &mut substitution, term))
                .collect();
            let all = executor.pool.and_all(&values);
            let violated = executor.pool.not(all);
            match executor.is_feasible(state, violated) {
                Feasibility::No => {
                    holding.extend(terms);
                    at_once = at_once.saturating_mul(2);
                }
                Feasibility::Yes(other) => witness = Some(other.unwrap_or_else(|| Rc::clone(&state.witness))),
                Feasibility::Unknown(reason) => {
                    if let Some(stop) = executor.must_stop(&reason) {
                        return Err(stop);
                    }
                    undecided += 1;
                    // Fewer at once, and without the one that cannot be decided.
                    at_once = terms.len() / 2;
                    if at_once == 0 {
                        at_once = 1;
                        changed = true;
                        if !self.drop(element, terms[0]) {
                            return Ok(None);
                        }
                    }
                    if undecided > MAX_UNDECIDED {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// No longer assumes a relation or a bound; false if it is the case itself.
    fn drop(&mut self, element: &mut Element, term: Term) -> bool {
        if let Some(position) = element.bounds.iter().position(|&bound| bound == term) {
            element.bounds.remove(position);
            return true;
        }
        for position in 0..element.low_bits.len() {
            if self.low_bits_term(element.low_bits[position]) == Some(term) {
                element.low_bits[position].1 = 0;
                return true;
            }
        }
        for (width, variables, hull) in &mut element.hulls {
            for relation in hull.relations() {
                if self.relation_term(*width, variables, &relation) == term {
                    hull.free(relation.variable);
                    return true;
                }
            }
        }
        false
    }

    /// Takes one state in; false if that changes nothing.
    fn join(
        &mut self,
        state: &State,
        element: &mut Element,
        witness: &Witness,
        substitution: &mut Substitution,
    ) -> bool {
        let path = state.location.path;
        let (frames, executor) = (&self.frames, &mut self.executor);
        let mut sample = Model::new();
        let before = element.bounds.len();
        let mut changed = element.sample.is_none();
        for (_, variables, hull) in &mut element.hulls {
            let mut point = Vec::with_capacity(variables.len());
            for &variable in variables.iter() {
                let term = frames.evaluate(executor, path, &state.memory, substitution, variable);
                let value = witness.value(executor.pool, term);
                let bits = value.as_bit_vec().map_or(0, |bits| bits.unsigned());
                let bits = u64::try_from(bits).unwrap_or(0);
                point.push(bits);
                match element.low_bits.iter_mut().find(|(other, ..)| *other == variable) {
                    Some((_, count, value)) => {
                        let same = (*value ^ bits).trailing_zeros();
                        changed |= same < *count;
                        *count = same.min(*count);
                    }
                    None => element.low_bits.push((variable, executor.pool.width(variable), bits)),
                }
                // Elements are known from their arrays.
                if executor.pool.is_variable(variable) {
                    sample.insert(variable, value);
                }
            }
            changed |= hull.add(&point);
        }
        for &variable in element.numbers.iter().chain(&element.arrays) {
            let term = frames.evaluate(executor, path, &state.memory, substitution, variable);
            sample.insert(variable, witness.value(executor.pool, term));
        }
        let pool = &*executor.pool;
        element.bounds.retain(|&bound| aster_term::evaluate(pool, bound, &sample) == Value::Bool(true));
        element.sample = Some(sample);
        changed || element.bounds.len() < before
    }

    fn limit_conflicts(&mut self, conflicts: u32) {
        self.executor.solver.set_limits(Limits { conflicts: Some(conflicts), ..self.options.limits });
    }

    /// Looks for invariants that hold at loop heads, and starts the exploration again with them.
    pub(super) fn strengthen(&mut self) -> Result<(), Reason> {
        // A branch that the solver did not decide is noted as an obstacle and left out: nothing is proved then.
        let before = self.executor.obstacle.take();
        self.limit_conflicts(MAX_CONFLICTS);
        self.executor.turn_to(Work::Invariants);
        let found = self.auxiliary_invariants();
        self.executor.turn_to(Work::Exploration);
        self.executor.solver.set_limits(self.options.limits);
        let is_complete = self.executor.obstacle.is_none();
        self.executor.obstacle = before;
        let Some(invariants) = found?.filter(|_| is_complete) else {
            self.executor.observer.note(&mut || "no auxiliary invariants: too much work".to_owned());
            return Ok(());
        };
        let mut locations: Vec<Location> = invariants.keys().copied().collect();
        locations.sort_unstable();
        for location in locations {
            for &term in &invariants[&location] {
                self.tell(location, "auxiliary invariant", term);
            }
        }
        self.auxiliary = invariants;
        // What was found without them may be of no use any more, and costs time at every abstraction.
        self.precision.forget_predicates();
        self.begin();
        Ok(())
    }
}
