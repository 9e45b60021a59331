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
use super::frames::FrameVariable;
use crate::symbolic::{Feasibility, Followed, History, PathCondition, State, Witness};
use crate::{Reason, Work};
use aster_cfa::{Label, Location, Op, Var};
use aster_smt::Limits;
use aster_term::{Model, Op as Operator, Sort, Substitution, Term, TermPool, Value, free_variables};
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
/// Variables that are compared with each other, each with each.
const MAX_GROUP: usize = 8;
/// Variables on the right-hand side of a relation, and the largest factor there.
const MAX_TERMS: usize = 5;
const MAX_COEFFICIENT: u64 = 16;
/// Predicates by which cases are told apart.
const MAX_DISTINCTIONS: usize = 2;
/// Conflicts of the SAT solver in one query.
const MAX_CONFLICTS: u32 = 3_000;
/// Literals from here on may be the far end of a loop.
const FAR: i128 = 64;
/// Bounds that are tried at a location.
const MAX_BOUNDS: usize = 400;

/// What is assumed at a loop head.
struct Element {
    /// The case that it is about.
    case: Vec<Term>,
    /// The variables of each width with their hull.
    hulls: Vec<(u32, Vec<Term>, AffineHull)>,
    /// Integers and rationals, for which only bounds are looked for.
    numbers: Vec<Term>,
    /// The lowest bits of variables that are the same in all states: how many, and the value of one state.
    low_bits: Vec<(Term, u32, u64)>,
    /// Bounds that no state has violated so far.
    bounds: Vec<Term>,
    /// A state that satisfies all of it; `None` before the first one was taken in.
    sample: Option<Model>,
}

/// A small literal of the sort of a variable.
fn literal(pool: &mut TermPool, variable: Term, value: u32) -> Term {
    match pool.sort(variable) {
        Sort::BitVec(width) => pool.bv(width, value.into()),
        sort => pool.number(sort, i64::from(value).into()),
    }
}

/// The literals that a comparison compares with, if they are so large that they may be the end of a loop. What bounds
/// one variable may bound others that count with it.
fn far_ends(pool: &TermPool, comparison: Term) -> Vec<Term> {
    let is_order = matches!(pool.op(comparison), Operator::BvSlt | Operator::BvSle);
    let is_far = |&term: &Term| pool.bv_constant(term).is_some_and(|bits| bits.signed() >= FAR);
    pool.args(comparison).iter().copied().filter(|term| is_order && is_far(term)).collect()
}

/// The order of signed integers, or of numbers.
fn at_most(pool: &mut TermPool, a: Term, b: Term) -> Term {
    match pool.sort(a) {
        Sort::BitVec(_) => pool.sle(a, b),
        _ => pool.num_le(a, b),
    }
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
                            match self.take_in(&state, element)? {
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
                    Some(element) => self.terms(element),
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

    /// Predicates about variables that are not written in loops: what they say hardly ever changes, so it is worth
    /// looking at each case on its own.
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
        found
    }

    /// The cases that are kept apart at a location: literals of the distinctions that can be made there.
    fn cases(&mut self, distinctions: &[Term], location: Location) -> Vec<Vec<Term>> {
        let live = self.frames.live(&self.executor, location);
        let mut cases = vec![Vec::new()];
        for &distinction in distinctions {
            let is_known = free_variables(self.executor.pool, &[distinction])
                .into_iter()
                .all(|variable| self.frames.meaning(variable).is_some_and(|meaning| live.contains(&meaning)));
            if is_known {
                let opposite = self.executor.pool.not(distinction);
                cases = cases
                    .into_iter()
                    .flat_map(|case| [distinction, opposite].map(|literal| [&case[..], &[literal]].concat()))
                    .collect();
            }
        }
        cases
    }

    /// Any state at a loop head that satisfies what is assumed there.
    fn any_state(&mut self, location: Location, element: &Element) -> Box<State> {
        let memory = self.own_memory_of(location).unwrap_or_else(|| self.executor.initial_state().memory);
        let mut pc = PathCondition::default();
        let terms = self.terms(element);
        self.add_conditions(&mut pc, &terms);
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
        let pool = &mut *self.executor.pool;
        for &(variable, count, value) in &element.low_bits {
            // If all bits are known, that is a relation already.
            if count > 0 && count < pool.width(variable) {
                let low = pool.extract(count - 1, 0, variable);
                let value = pool.bv(count, u128::from(value));
                terms.push(pool.eq(low, value));
            }
        }
        terms.extend(&element.bounds);
        terms
    }

    fn relation_term(&mut self, width: u32, variables: &[Term], relation: &Relation) -> Term {
        let pool = &mut *self.executor.pool;
        let mut sum = pool.bv(width, u128::from(relation.constant));
        for &(variable, coefficient) in &relation.terms {
            let coefficient = pool.bv(width, u128::from(coefficient));
            let product = pool.mul(coefficient, variables[variable]);
            sum = pool.add(sum, product);
        }
        pool.eq(variables[relation.variable], sum)
    }

    /// What is assumed at a loop head that was not met before, with nothing taken in yet.
    fn bottom(&mut self, state: &State, case: Vec<Term>) -> Element {
        let location = state.location;
        self.own_memory(state);
        let live = self.frames.live(&self.executor, location);
        let program = self.executor.program;
        let mut by_width: Vec<(u32, Vec<Term>, AffineHull)> = Vec::new();
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
            match by_width.iter_mut().find(|(other, ..)| *other == width) {
                Some((_, variables, _)) if variables.len() < MAX_VARIABLES => variables.push(term),
                Some(_) => {}
                None => by_width.push((width, vec![term], AffineHull::new(width))),
            }
        }
        let mut groups: Vec<&[Term]> =
            by_width.iter().map(|(_, variables, _)| variables.as_slice()).collect();
        groups.push(&numbers);
        let bounds = self.bounds(location, &groups);
        Element { case, hulls: by_width, numbers, low_bits: Vec::new(), bounds, sample: None }
    }

    /// The bounds that are tried at a location: conditions of the program, what follows from them, the order
    /// between variables that occur together, and signs.
    fn bounds(&mut self, location: Location, groups: &[&[Term]]) -> Vec<Term> {
        let program = self.executor.program;
        let here: FxHashSet<Term> = groups.iter().copied().flatten().copied().collect();
        let conditions = self.conditions(location, |variable| here.contains(&variable));
        let mut together: Vec<Vec<Term>> = Vec::new();
        let mut ends: Vec<Term> = Vec::new();
        for edge in program.edges() {
            let info = program.edge(edge);
            if program.node(info.source).procedure != program.node(location.node).procedure {
                continue;
            }
            let terms: Vec<Term> = match &info.label {
                Label::Op(Op::Assume(condition)) => {
                    for end in far_ends(self.executor.pool, *condition) {
                        if !ends.contains(&end) {
                            ends.push(end);
                        }
                    }
                    vec![*condition]
                }
                Label::Op(Op::Assign(variable, value)) => vec![program.variable(*variable).term, *value],
                _ => continue,
            };
            let terms: Vec<Term> = terms
                .into_iter()
                .map(|term| self.frames.unfold(program, self.executor.pool, location.path, term))
                .collect();
            let variables = free_variables(self.executor.pool, &terms);
            together.push(variables.into_iter().filter(|variable| here.contains(variable)).collect());
        }
        let pool = &mut *self.executor.pool;
        let mut bounds = Vec::new();
        for &variable in groups.iter().copied().flatten() {
            let (zero, one) = (literal(pool, variable, 0), literal(pool, variable, 1));
            bounds.extend([
                at_most(pool, zero, variable),
                at_most(pool, one, variable),
                at_most(pool, variable, zero),
            ]);
        }
        for end in ends {
            for &variable in groups.iter().copied().flatten() {
                if pool.sort(variable) == pool.sort(end) {
                    bounds.push(at_most(pool, variable, end));
                }
            }
        }
        for condition in conditions {
            let negated = pool.not(condition);
            bounds.extend([condition, negated]);
            let [one, other] = pool.args(condition) else { continue };
            let (one, other) = (*one, *other);
            match pool.op(condition) {
                Operator::Eq if matches!(pool.sort(one), Sort::BitVec(_) | Sort::Int | Sort::Real) => {
                    bounds.extend([at_most(pool, one, other), at_most(pool, other, one)]);
                }
                Operator::BvSlt | Operator::BvSle | Operator::NumLt | Operator::NumLe => {
                    let (least, greatest) = (at_most(pool, one, other), at_most(pool, other, one));
                    bounds.extend([least, greatest, pool.ne(one, other)]);
                }
                Operator::BvUlt | Operator::BvUle => {
                    bounds.extend([pool.ule(one, other), pool.ule(other, one), pool.ne(one, other)]);
                }
                _ => {}
            }
        }
        together.retain(|group| group.len() <= MAX_GROUP);
        together.extend(groups.iter().filter(|all| all.len() <= MAX_GROUP).map(|all| all.to_vec()));
        for group in together {
            for (i, &one) in group.iter().enumerate() {
                for &other in &group[i + 1..] {
                    if pool.sort(one) != pool.sort(other) {
                        continue;
                    }
                    bounds.extend([at_most(pool, one, other), at_most(pool, other, one)]);
                    if matches!(pool.sort(one), Sort::BitVec(_)) {
                        bounds.extend([pool.ule(one, other), pool.ule(other, one)]);
                    }
                }
            }
        }
        let mut known = FxHashSet::default();
        bounds.retain(|&bound| pool.bool_constant(bound).is_none() && known.insert(bound));
        bounds.truncate(MAX_BOUNDS);
        bounds
    }

    /// Weakens what is assumed at a loop head until it holds in all states of a path that comes there. True if that
    /// changed anything, `None` if the solver gave up.
    fn take_in(&mut self, state: &State, element: &mut Element) -> Result<Option<bool>, Reason> {
        let path = state.location.path;
        let mut substitution = Substitution::new();
        let mut changed = false;
        let mut witness = element.sample.is_none().then(|| Rc::clone(&state.witness));
        loop {
            if let Some(witness) = witness.take() {
                if !self.join(state, element, &witness, &mut substitution) {
                    return Ok(None);
                }
                changed = true;
            }
            let terms = self.terms(element);
            let (frames, executor) = (&self.frames, &mut self.executor);
            let values: Vec<Term> = terms
                .into_iter()
                .map(|term| frames.evaluate(executor, path, &state.memory, &mut substitution, term))
                .collect();
            let all = executor.pool.and_all(&values);
            let violated = executor.pool.not(all);
            if executor.pool.bool_constant(violated) == Some(false) {
                return Ok(Some(changed));
            }
            match executor.is_feasible(state, violated) {
                Feasibility::No => return Ok(Some(changed)),
                Feasibility::Yes(other) => witness = Some(other.unwrap_or_else(|| Rc::clone(&state.witness))),
                Feasibility::Unknown(reason) => {
                    return match executor.solver_gave_up(reason) {
                        Some(stop) => Err(stop),
                        None => Ok(None),
                    };
                }
            }
        }
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
                sample.insert(variable, value);
            }
            changed |= hull.add(&point);
        }
        for &variable in &element.numbers {
            let term = frames.evaluate(executor, path, &state.memory, substitution, variable);
            sample.insert(variable, witness.value(executor.pool, term));
        }
        let pool = &*executor.pool;
        element.bounds.retain(|&bound| aster_term::evaluate(pool, bound, &sample) == Value::Bool(true));
        element.sample = Some(sample);
        changed || element.bounds.len() < before
    }

    /// Looks for invariants that hold at loop heads, and starts the exploration again with them.
    pub(super) fn strengthen(&mut self) -> Result<(), Reason> {
        // A branch that the solver did not decide is noted as an obstacle and left out: nothing is proved then.
        let before = self.executor.obstacle.take();
        self.executor.solver.set_limits(Limits { conflicts: Some(MAX_CONFLICTS), ..self.options.limits });
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
        let again = self.graph.remove_all();
        self.push(again);
        Ok(())
    }
}
