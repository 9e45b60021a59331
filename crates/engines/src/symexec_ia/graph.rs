//! The abstract states that were made, and which of them stand for others.
//!
//! Each is the child of the one that its path came from. An abstract state that was made with an old precision stays
//! until a path through it is found to be spurious; then it goes, with everything that came from it.

use super::frames::FrameVariable;
use crate::symbolic::{Memory, State, Value};
use aster_cfa::Location;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// More cubes than this are not simplified.
const MAX_SIMPLIFIED: usize = 500;

/// A set of valuations of the predicates of a location: some are fixed, the others can be anything.
///
/// Bit i is about the i-th predicate. Invariant: `value` is within `care`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Cube {
    pub(super) care: Vec<u64>,
    pub(super) value: Vec<u64>,
}

impl Cube {
    /// Fixes a predicate.
    pub(super) fn set(&mut self, position: usize, holds: bool) {
        let word = position / 64;
        if self.care.len() <= word {
            self.care.resize(word + 1, 0);
            self.value.resize(word + 1, 0);
        }
        self.care[word] |= 1 << (position % 64);
        self.value[word] |= u64::from(holds) << (position % 64);
    }

    /// The value of a predicate, if it is fixed.
    pub(super) fn get(&self, position: usize) -> Option<bool> {
        let bit =
            |words: &[u64]| words.get(position / 64).is_some_and(|word| word >> (position % 64) & 1 == 1);
        bit(&self.care).then(|| bit(&self.value))
    }

    /// The valuations of both, if they fix the same predicates and differ in one of them.
    fn merged(&self, other: &Self) -> Option<Self> {
        let differs = || self.value.iter().zip(&other.value).map(|(one, other)| one ^ other);
        if self.care != other.care || differs().map(u64::count_ones).sum::<u32>() != 1 {
            return None;
        }
        let without = |words: &[u64]| words.iter().zip(differs()).map(|(word, bit)| word & !bit).collect();
        Some(Cube { care: without(&self.care), value: without(&self.value) })
    }

    /// Fewer cubes with the same valuations, if there are not too many to try.
    pub(super) fn simplified(mut cubes: Vec<Cube>) -> Vec<Cube> {
        let mut first = 0;
        while first < cubes.len() && cubes.len() <= MAX_SIMPLIFIED {
            let found = (first + 1..cubes.len())
                .find_map(|second| Some((second, cubes[first].merged(&cubes[second])?)));
            match found {
                Some((second, merged)) => {
                    cubes.swap_remove(second);
                    cubes[first] = merged;
                    first = 0;
                }
                None => first += 1,
            }
        }
        let all = cubes.clone();
        let mut position = 0;
        cubes.retain(|cube| {
            position += 1;
            let others = all.iter().enumerate().filter(|(other, _)| *other + 1 != position);
            !others.into_iter().any(|(other, it)| it.covers(cube) && (it != cube || other + 1 < position))
        });
        cubes
    }

    /// True if every valuation of the other one is one of this.
    pub(super) fn covers(&self, other: &Self) -> bool {
        self.care.iter().zip(&self.value).enumerate().all(|(i, (care, value))| {
            let (its_care, its_value) =
                (other.care.get(i).copied().unwrap_or(0), other.value.get(i).copied().unwrap_or(0));
            care & !its_care == 0 && its_value & care == *value
        })
    }
}

/// Variables that hold literals at a location, in the order of its live variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Constants(pub(super) Rc<[(FrameVariable, Value)]>);

impl Constants {
    /// The literal of a variable.
    pub(super) fn get(&self, variable: FrameVariable) -> Option<&Value> {
        self.0.iter().find(|(other, _)| *other == variable).map(|(_, value)| value)
    }

    /// True if the other ones are these and perhaps more.
    fn covers(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
            || self.0.iter().all(|(variable, value)| other.get(*variable) == Some(value))
    }
}

/// An abstract state.
pub(super) struct AbstractState {
    /// The one that its path came from; `None` for the beginning of the program.
    pub(super) parent: Option<u32>,
    pub(super) location: Location,
    pub(super) cube: Cube,
    /// The variables that hold literals, which are known in addition to the cube.
    pub(super) constants: Constants,
    /// Number of predicates that the precision had.
    pub(super) predicates: usize,
    /// What else the precision had.
    pub(super) threshold: u32,
    pub(super) splits: usize,
    pub(super) unrolled: u32,
    /// The next iteration was decided by literals: the loop was only unrolled too often.
    pub(super) is_decided: bool,
    /// `m_A`.
    pub(super) memory: Memory,
    /// The state that was abstracted; `None` for the beginning of the program.
    pub(super) before: Option<Box<State>>,
    /// States that were not explored because this one stands for them.
    covered: Vec<Box<State>>,
    is_alive: bool,
}

impl AbstractState {
    pub(super) fn new(parent: Option<u32>, location: Location, memory: Memory) -> Self {
        AbstractState {
            parent,
            location,
            cube: Cube::default(),
            constants: Constants::default(),
            predicates: 0,
            threshold: 0,
            splits: 0,
            unrolled: 0,
            is_decided: false,
            memory,
            before: None,
            covered: Vec::new(),
            is_alive: true,
        }
    }
}

/// All abstract states.
#[derive(Default)]
pub(super) struct Graph {
    states: Vec<AbstractState>,
    children: Vec<Vec<u32>>,
    /// The states at a location that can stand for others, oldest first.
    at: FxHashMap<Location, Vec<u32>>,
}

impl Graph {
    /// Adds an abstract state; `shared` if it can stand for others.
    pub(super) fn add(&mut self, state: AbstractState, shared: bool) -> u32 {
        let id = self.states.len() as u32;
        if let Some(parent) = state.parent {
            self.children[parent as usize].push(id);
        }
        if shared {
            self.at.entry(state.location).or_default().push(id);
        }
        self.states.push(state);
        self.children.push(Vec::new());
        id
    }

    pub(super) fn get(&self, id: u32) -> &AbstractState {
        &self.states[id as usize]
    }

    pub(super) fn is_alive(&self, id: u32) -> bool {
        self.states[id as usize].is_alive
    }

    /// An abstract state that stands for all valuations of a cube with these constants.
    pub(super) fn covering(&self, location: Location, cube: &Cube, constants: &Constants) -> Option<u32> {
        let candidates = self.at.get(&location)?;
        candidates.iter().copied().find(|&id| {
            let state = &self.states[id as usize];
            state.cube.covers(cube) && state.constants.covers(constants)
        })
    }

    /// Remembers that `state` was not explored because of an abstract state.
    pub(super) fn cover(&mut self, by: u32, state: Box<State>) {
        self.states[by as usize].covered.push(state);
    }

    /// The abstract states on the path to one, the beginning of the program first.
    pub(super) fn chain(&self, id: u32) -> Vec<u32> {
        let mut chain: Vec<u32> =
            std::iter::successors(Some(id), |&id| self.states[id as usize].parent).collect();
        chain.reverse();
        chain
    }

    /// Takes away an abstract state and all that came from it. Gives the states that must be explored again: the
    /// one that it was made from, and those that one of the removed ones stood for.
    pub(super) fn remove(&mut self, id: u32) -> Vec<Box<State>> {
        let mut again: Vec<Box<State>> = self.states[id as usize].before.take().into_iter().collect();
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            let state = &mut self.states[id as usize];
            if !std::mem::replace(&mut state.is_alive, false) {
                continue;
            }
            state.before = None;
            again.append(&mut state.covered);
            if let Some(same) = self.at.get_mut(&state.location) {
                same.retain(|&other| other != id);
            }
            stack.append(&mut self.children[id as usize]);
        }
        self.with_living_origin(again)
    }

    /// The states whose origin was not taken away.
    fn with_living_origin(&self, mut states: Vec<Box<State>>) -> Vec<Box<State>> {
        states.retain(|state| {
            state.history.as_ref().is_some_and(|history| self.states[history.origin as usize].is_alive)
        });
        states
    }

    /// The abstract states that can stand for others, in the order in which they were made.
    pub(super) fn shared(&self) -> impl Iterator<Item = &AbstractState> {
        self.states.iter().filter(|state| state.is_alive && state.before.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(literals: &[(usize, bool)]) -> Cube {
        let mut cube = Cube::default();
        for &(position, holds) in literals {
            cube.set(position, holds);
        }
        cube
    }

    #[test]
    fn simplified_cubes_have_the_same_valuations() {
        let full = |bits: [bool; 3]| cube(&[(0, bits[0]), (1, bits[1]), (2, bits[2])]);
        let all = [[true, true, true], [true, false, true], [true, true, false], [false, false, false]];
        let simple = Cube::simplified(all.map(full).to_vec());
        assert!(simple.len() < 4, "{simple:?}");
        for bits in 0..8 {
            let bits = [bits & 1 == 1, bits & 2 == 2, bits & 4 == 4];
            assert_eq!(simple.iter().any(|it| it.covers(&full(bits))), all.contains(&bits), "{bits:?}");
        }
        assert_eq!(Cube::simplified(vec![full([true; 3]), cube(&[(0, true)])]), [cube(&[(0, true)])]);
        assert_eq!(
            Cube::simplified(vec![cube(&[(0, true)]), cube(&[(0, false)])]),
            [cube(&[])].map(|mut it| {
                it.care = vec![0];
                it.value = vec![0];
                it
            })
        );
    }

    #[test]
    fn a_cube_covers_what_fixes_more() {
        let small = cube(&[(0, true), (70, false)]);
        assert!(small.covers(&small));
        assert!(small.covers(&cube(&[(0, true), (1, true), (70, false), (130, true)])));
        assert!(!small.covers(&cube(&[(0, true), (70, true)])));
        assert!(!small.covers(&cube(&[(0, true)])));
        assert!(Cube::default().covers(&small) && !small.covers(&Cube::default()));
        assert_eq!([0, 1, 70].map(|i| small.get(i)), [Some(true), None, Some(false)]);
    }
}
