//! Abstraction at a point of a path: lines 6 to 10 of Algorithm 2.

use super::SymexIa;
use super::graph::{AbstractState, Constants, Cube};
use crate::symbolic::{Choice, Feasibility, History, Memory, PathCondition, State, Value, Witness};
use crate::{Event, Reason, Work};
use aster_cfa::Location;
use aster_term::{Model, Substitution, Term};
use imbl::Vector;
use std::rc::Rc;

impl SymexIa<'_> {
    /// ABSTRACT?(l, h, p): the path has visited the loop head often enough.
    ///
    /// Departure, if asked for: a loop whose next iteration is decided by literals is unrolled, within bounds.
    pub(super) fn is_abstraction_point(&mut self, state: &State) -> bool {
        let visits = visits(state, state.location);
        visits >= self.precision.of(state.location).threshold && !self.is_unrolled(state, visits)
    }

    /// Goes on from a loop head without abstraction, unless the path is in an endless loop.
    pub(super) fn pass(&mut self, mut state: Box<State>) -> Vec<Box<State>> {
        let location = state.location;
        if state.cycle.comes_back(location, &state.memory) {
            return Vec::new();
        }
        if let Some(history) = &mut state.history {
            let history = Rc::make_mut(history);
            history.choices.push_back(Choice::LoopHead);
            *history.visits.entry(location).or_insert(0) += 1;
            history.is_past_head = true;
        }
        vec![state]
    }

    /// Replaces a state by the abstract states that stand for it, as far as they are new.
    pub(super) fn abstract_state(&mut self, state: Box<State>) -> Result<Vec<Box<State>>, Reason> {
        let location = state.location;
        let Some(state) = self.assume_invariants(state)? else { return Ok(Vec::new()) };
        self.initialize_precision(location);
        let precision = self.precision.of(location);
        let (predicates, splits) = (precision.predicates.clone(), precision.splits);
        let concrete = self.values(location, &state.memory, &predicates);
        self.executor.observer.on(Event::Abstraction);
        self.executor.turn_to(Work::Abstraction);
        let states = if self.options.sharing {
            self.abstract_explicitly(state, &predicates, &concrete, splits)
        } else {
            self.abstract_implicitly(state, &predicates, &concrete)
        };
        self.executor.turn_to(Work::Exploration);
        states
    }

    /// The part of a state that satisfies what is known to hold at its location; `None` if there is no such part.
    fn assume_invariants(&mut self, state: Box<State>) -> Result<Option<Box<State>>, Reason> {
        match self.auxiliary.get(&state.location).cloned() {
            Some(invariants) => self.part_with(state, &invariants),
            None => Ok(Some(state)),
        }
    }

    /// The part of a state that satisfies formulas over frame variables; `None` if there is no such part. If the
    /// solver gives up, the state stands for more than it need.
    pub(super) fn part_with(
        &mut self,
        mut state: Box<State>,
        formulas: &[Term],
    ) -> Result<Option<Box<State>>, Reason> {
        let conditions = self.values(state.location, &state.memory, formulas);
        let all = self.executor.pool.and_all(&conditions);
        match self.executor.is_feasible(&state, all) {
            Feasibility::No => return Ok(None),
            Feasibility::Yes(None) => {}
            Feasibility::Yes(Some(witness)) => state.witness = witness,
            Feasibility::Unknown(reason) => {
                return match self.executor.solver_gave_up(reason) {
                    Some(stop) => Err(stop),
                    None => Ok(Some(state)),
                };
            }
        }
        self.add_conditions(&mut state.pc, &conditions);
        Ok(Some(state))
    }

    /// Adds conjuncts to a path condition.
    pub(super) fn add_conditions(&mut self, pc: &mut PathCondition, conditions: &[Term]) {
        for &condition in conditions {
            if self.executor.pool.bool_constant(condition).is_none() {
                let variables = self.executor.variable_sets.of(self.executor.pool, condition);
                pc.add(condition, &variables);
            }
        }
    }

    /// As in the paper: a fresh memory that satisfies the same predicates, which differ from those at each earlier
    /// abstraction point of the same location.
    fn abstract_implicitly(
        &mut self,
        mut state: Box<State>,
        predicates: &[Term],
        concrete: &[Term],
    ) -> Result<Vec<Box<State>>, Reason> {
        let location = state.location;
        let before = state.clone();
        let origin = origin(&state);
        let points = self.graph.chain(origin);
        let constants = self.constants(&state);
        let memory = self.fresh_memory(&state, points.len(), &constants);
        let fresh = self.values(location, &memory, predicates);
        let mut conditions = Vec::new();
        // eq(P, s.m, m_A)
        for (&one, &other) in concrete.iter().zip(&fresh) {
            conditions.push(self.executor.pool.eq(one, other));
        }
        let invariants = self.auxiliary.get(&location).cloned().unwrap_or_default();
        conditions.extend(self.values(location, &memory, &invariants));
        // simple(P, l, m_A, h)
        for point in self.abstraction_points(&points, location, &constants) {
            let earlier = self.values(location, &point, predicates);
            let differences: Vec<Term> =
                fresh.iter().zip(&earlier).map(|(&one, &other)| self.executor.pool.ne(one, other)).collect();
            let mut any = self.executor.pool.bool(false);
            for difference in differences {
                any = self.executor.pool.or(any, difference);
            }
            conditions.push(any);
        }
        let all = self.executor.pool.and_all(&conditions);
        match self.executor.is_feasible(&state, all) {
            Feasibility::Yes(witness) => {
                if let Some(witness) = witness {
                    state.witness = witness;
                }
            }
            Feasibility::No => return Ok(Vec::new()),
            Feasibility::Unknown(reason) => {
                return match self.executor.solver_gave_up(reason) {
                    Some(stop) => Err(stop),
                    None => Ok(Vec::new()),
                };
            }
        }
        self.add_conditions(&mut state.pc, &conditions);
        state.memory = memory.clone();
        state.cycle.reset();
        let node = self.new_abstract_state(before, Cube::default(), constants, memory, false);
        state.history = Some(Rc::new(self.history_after(&state, node)));
        Ok(vec![state])
    }

    /// aPoints(h), as far as they are at this location with the same constants: their memories.
    fn abstraction_points(&self, chain: &[u32], location: Location, constants: &Constants) -> Vec<Memory> {
        let points = chain.iter().map(|&id| self.graph.get(id));
        points
            .filter(|point| {
                point.location == location && point.before.is_some() && point.constants == *constants
            })
            .map(|point| point.memory.clone())
            .collect()
    }

    /// Departure: the valuations of the predicates that the path condition allows, each as a state of its own that
    /// remembers nothing else. One that was explored before is not explored again.
    fn abstract_explicitly(
        &mut self,
        state: Box<State>,
        predicates: &[Term],
        concrete: &[Term],
        splits: usize,
    ) -> Result<Vec<Box<State>>, Reason> {
        let location = state.location;
        let valuations = self.valuations(&state, concrete, splits)?;
        let constants = self.constants(&state);
        let mut memory = None;
        let mut successors = Vec::new();
        for (cube, witness) in valuations {
            if let Some(other) = self.graph.covering(location, &cube, &constants) {
                self.graph.cover(other, state.clone());
                continue;
            }
            let memory = match &memory {
                Some(memory) => Memory::clone(memory),
                None => {
                    let made = self.own_memory_with(&state, &constants);
                    memory = Some(made.clone());
                    made
                }
            };
            let mut own = self.values(location, &memory, predicates);
            let mut pc = PathCondition::default();
            let mut literals = Vec::new();
            for (position, &predicate) in own.iter().enumerate() {
                let literal = match cube.get(position) {
                    Some(true) => predicate,
                    Some(false) => self.executor.pool.not(predicate),
                    None => continue,
                };
                literals.push(literal);
            }
            let invariants = self.auxiliary.get(&location).cloned().unwrap_or_default();
            let invariants = self.values(location, &memory, &invariants);
            self.add_conditions(&mut pc, &literals);
            self.add_conditions(&mut pc, &invariants);
            own.extend(invariants);
            let witness = self.own_witness(&state, &own, &witness);
            let node = self.new_abstract_state(state.clone(), cube, constants.clone(), memory.clone(), true);
            let history = Some(Rc::new(self.history_after(&state, node)));
            successors.push(Box::new(State {
                location,
                pc,
                memory,
                inputs: Vector::new(),
                witness: Rc::new(witness),
                cycle: Default::default(),
                depth: state.depth,
                compared: (0, 0),
                history,
            }));
        }
        Ok(successors)
    }

    /// The valuations of predicates that a state allows, each with a witness. If there are more than `splits`,
    /// one cube that contains all of them.
    fn valuations(
        &mut self,
        state: &State,
        concrete: &[Term],
        splits: usize,
    ) -> Result<Vec<(Cube, Rc<Witness>)>, Reason> {
        let mut fixed = Cube::default();
        let mut open = Vec::new();
        for (position, &predicate) in concrete.iter().enumerate() {
            match self.executor.pool.bool_constant(predicate) {
                Some(holds) => fixed.set(position, holds),
                None => open.push(position),
            }
        }
        let mut witness = Rc::clone(&state.witness);
        if open.is_empty() {
            return Ok(vec![(fixed, witness)]);
        }
        let mut found: Vec<(Cube, Rc<Witness>)> = Vec::new();
        // What is not among the valuations found yet.
        let mut others = self.executor.pool.bool(true);
        loop {
            let mut cube = fixed.clone();
            let mut differs = self.executor.pool.bool(false);
            for &position in &open {
                let predicate = concrete[position];
                let holds = witness.satisfies(self.executor.pool, predicate);
                cube.set(position, holds);
                let opposite = if holds { self.executor.pool.not(predicate) } else { predicate };
                differs = self.executor.pool.or(differs, opposite);
            }
            found.push((cube, Rc::clone(&witness)));
            if found.len() > splits {
                return Ok(vec![self.common_cube(state, concrete, &fixed, &open, found)?]);
            }
            others = self.executor.pool.and(others, differs);
            match self.executor.is_feasible(state, others) {
                Feasibility::No => return Ok(found),
                Feasibility::Yes(Some(other)) => witness = other,
                Feasibility::Yes(None) => {
                    return Err(Reason::Internal("a witness does not satisfy its own valuation".to_owned()));
                }
                // Whatever the other valuations are, they are in the cube that leaves them all open.
                Feasibility::Unknown(reason) => {
                    return match self.executor.solver_gave_up(reason) {
                        Some(stop) => Err(stop),
                        None => Ok(vec![(fixed, witness)]),
                    };
                }
            }
        }
    }

    /// The smallest cube that contains all valuations that a state allows, among which are those found.
    fn common_cube(
        &mut self,
        state: &State,
        concrete: &[Term],
        fixed: &Cube,
        open: &[usize],
        found: Vec<(Cube, Rc<Witness>)>,
    ) -> Result<(Cube, Rc<Witness>), Reason> {
        let mut common: Vec<(usize, bool)> = open
            .iter()
            .filter_map(|&position| {
                let holds = found.first()?.0.get(position)?;
                found.iter().all(|(cube, _)| cube.get(position) == Some(holds)).then_some((position, holds))
            })
            .collect();
        let Some((_, first)) = found.into_iter().next() else {
            return Err(Reason::Internal("a state without a valuation".to_owned()));
        };
        while !common.is_empty() {
            let mut differs = self.executor.pool.bool(false);
            for &(position, holds) in &common {
                let predicate = concrete[position];
                let opposite = if holds { self.executor.pool.not(predicate) } else { predicate };
                differs = self.executor.pool.or(differs, opposite);
            }
            match self.executor.is_feasible(state, differs) {
                Feasibility::No => break,
                Feasibility::Yes(witness) => {
                    let witness = witness.unwrap_or_else(|| Rc::clone(&first));
                    let pool = &*self.executor.pool;
                    let before = common.len();
                    common.retain(|&(position, holds)| witness.satisfies(pool, concrete[position]) == holds);
                    if common.len() == before {
                        common.clear();
                    }
                }
                Feasibility::Unknown(reason) => {
                    if let Some(stop) = self.executor.solver_gave_up(reason) {
                        return Err(stop);
                    }
                    common.clear();
                }
            }
        }
        let mut cube = fixed.clone();
        for (position, holds) in common {
            cube.set(position, holds);
        }
        Ok((cube, first))
    }

    /// A model of predicates over the own memory of a location, from the values that a state has under a witness.
    fn own_witness(&mut self, state: &State, predicates: &[Term], witness: &Witness) -> Witness {
        let location = state.location;
        let needed = aster_term::free_variables(self.executor.pool, predicates);
        let mut model = Model::new();
        let mut substitution = Substitution::new();
        for variable in needed {
            let (frames, executor) = (&self.frames, &mut self.executor);
            debug_assert!(frames.meaning(variable).is_some(), "an own memory is made of frame variables");
            let value = frames.evaluate(executor, location.path, &state.memory, &mut substitution, variable);
            model.insert(variable, witness.value(executor.pool, value));
        }
        Witness::new(model)
    }

    /// `m(P)` for each predicate.
    pub(super) fn values(&mut self, location: Location, memory: &Memory, predicates: &[Term]) -> Vec<Term> {
        let mut substitution = Substitution::new();
        let (frames, executor) = (&self.frames, &mut self.executor);
        predicates
            .iter()
            .map(|&predicate| frames.evaluate(executor, location.path, memory, &mut substitution, predicate))
            .collect()
    }

    /// The memory in which each variable holds the frame variable that stands for it.
    pub(super) fn own_memory(&mut self, state: &State) -> Memory {
        if let Some(memory) = self.own_memory_of(state.location) {
            return memory;
        }
        let memory = self.own_memory_with(state, &Constants::default());
        self.own_memories.insert(state.location, memory.clone());
        memory
    }

    /// The memory in which some variables hold literals, and each other one the frame variable that stands for it.
    fn own_memory_with(&mut self, state: &State, constants: &Constants) -> Memory {
        let program = self.executor.program;
        let path = state.location.path;
        self.frames.memory(&mut self.executor, state.location, &state.memory, |frames, pool, live| {
            constants.get(live).cloned().unwrap_or_else(|| {
                let term = frames.term(program, pool, live.path.unwrap_or(path), live.variable);
                Value::of(pool, term)
            })
        })
    }

    /// Departure: the variables whose values are literals that the precision keeps.
    fn constants(&mut self, state: &State) -> Constants {
        if self.options.constants == 0 {
            return Constants::default();
        }
        let location = state.location;
        let live = self.frames.live(&self.executor, location);
        let mut constants = Vec::new();
        for &variable in live.iter() {
            let value = self.frames.value(&self.executor, location.path, &state.memory, variable);
            if let Some(value) = value.filter(|value| value.is_literal(self.executor.pool))
                && self.precision.keeps(location, variable, value)
            {
                constants.push((variable, value.clone()));
            }
        }
        Constants(constants.into())
    }

    /// The own memory of a location that was met before.
    pub(super) fn own_memory_of(&self, location: Location) -> Option<Memory> {
        self.own_memories.get(&location).cloned()
    }

    /// freshMem(): the n-th one on a path. Paths share them: those of one path and of another never meet.
    fn fresh_memory(&mut self, state: &State, position: usize, constants: &Constants) -> Memory {
        let program = self.executor.program;
        let fresh = &mut self.fresh;
        self.frames.memory(&mut self.executor, state.location, &state.memory, |_, pool, live| {
            constants.get(live).cloned().unwrap_or_else(|| {
                let term = *fresh.entry((position, live)).or_insert_with(|| {
                    let info = program.variable(live.variable);
                    pool.fresh_variable(&info.name, info.sort)
                });
                Value::of(pool, term)
            })
        })
    }

    fn new_abstract_state(
        &mut self,
        before: Box<State>,
        cube: Cube,
        constants: Constants,
        memory: Memory,
        shared: bool,
    ) -> u32 {
        let location = before.location;
        let is_decided = self.options.unroll_decided && self.is_decided(&before);
        let precision = self.precision.of(location);
        let mut state = AbstractState::new(Some(origin(&before)), location, memory);
        state.cube = cube;
        state.constants = constants;
        state.predicates = precision.predicates.len();
        state.threshold = precision.threshold;
        state.splits = precision.splits;
        state.unrolled = precision.unrolled;
        state.is_decided = is_decided;
        state.before = Some(before);
        self.graph.add(state, shared)
    }

    fn history_after(&self, state: &State, node: u32) -> History {
        let mut visits = state.history.as_ref().map(|history| history.visits.clone()).unwrap_or_default();
        *visits.entry(state.location).or_insert(0) += 1;
        History { choices: Vector::new(), visits, is_past_head: true, origin: node }
    }
}

/// The abstract state that a path came from.
pub(super) fn origin(state: &State) -> u32 {
    state.history.as_ref().map_or(0, |history| history.origin)
}

fn visits(state: &State, location: Location) -> u32 {
    state.history.as_ref().and_then(|history| history.visits.get(&location).copied()).unwrap_or(0)
}
