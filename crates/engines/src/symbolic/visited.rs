//! States that were explored already, so that none is explored twice.
//!
//! What can follow from a state depends on its location, on the values of live variables, and on the conjuncts of
//! the path condition that share inputs with those values, directly or through others. The other conjuncts can be
//! satisfied whatever follows. Which inputs they are does not matter either: they are renamed in the order in which
//! they occur. Two states that agree in all of this have the same future, and one of them is enough.
//!
//! States are compared where paths meet, and only if something was read or decided since the last comparison on
//! their path: otherwise a state that meets them would have met them there.

use super::Executor;
use super::state::State;
use super::value::Value;
use aster_cfa::{Label, Liveness, LoopInfo, Program};
use aster_term::{Substitution, Term, TermPool, free_variables};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// At most this many words are kept for all states together (half a gigabyte).
const MAX_WORDS: usize = 1 << 26;

/// A state with more symbolic values or conjuncts than this is not compared: it hardly ever meets another.
const MAX_TERMS: usize = 256;

/// A state with an array of more elements than this is not compared: it would cost too much.
const MAX_CELLS: usize = 4096;

/// After this many comparisons in vain at a node, one is left out, then two, four and so on.
const PATIENCE: u32 = 64;

/// At most this many comparisons in a row are left out.
const MAX_LEFT_OUT: u32 = 4096;

/// What is known about a node where states are compared.
#[derive(Clone, Copy, Default)]
struct Meeting {
    /// Paths meet here.
    here: bool,
    /// Comparisons in vain since the last one that was not.
    misses: u32,
    /// How many are left out next time, and how many of them are still to come.
    left_out: u32,
    to_come: u32,
}

impl Meeting {
    fn missed(&mut self) {
        self.misses += 1;
        if self.misses > PATIENCE {
            self.left_out = (2 * self.left_out).clamp(1, MAX_LEFT_OUT);
            self.to_come = self.left_out;
        }
    }

    fn hit(&mut self) {
        (self.misses, self.left_out) = (0, 0);
    }
}

/// The states that were explored.
pub(crate) struct Visited {
    liveness: Rc<Liveness>,
    meetings: Vec<Meeting>,
    seen: FxHashSet<Box<[u64]>>,
    words: usize,
}

/// A part of a state: a word, or a symbolic value.
enum Part {
    Word(u64),
    Term(Term),
}

impl Visited {
    pub(crate) fn new(program: &Program, liveness: Rc<Liveness>, loops: &LoopInfo) -> Self {
        let mut meetings = vec![Meeting::default(); program.nodes().count()];
        let mut incoming = vec![0u32; meetings.len()];
        for edge in program.edges() {
            incoming[program.edge(edge).target.index()] += 1;
        }
        for node in program.nodes() {
            meetings[node.index()].here = loops.is_loop_head(node) || incoming[node.index()] > 1;
        }
        Visited { liveness, meetings, seen: FxHashSet::default(), words: 0 }
    }
}

impl Executor<'_> {
    /// Lets all states be explored again.
    pub(crate) fn forget_visited(&mut self) {
        self.visited.seen.clear();
        self.visited.words = 0;
    }

    /// From now on, paths go on although they meet others in the same state, or come back to where they were.
    pub(crate) fn follow_all_paths(&mut self) {
        self.visited.meetings.fill(Meeting::default());
        self.ends_circles = false;
    }

    /// True if a state with the same future was explored before; if not, this one is remembered.
    pub(crate) fn was_explored(&mut self, state: &mut State) -> bool {
        let node = state.location.node.index();
        let meeting = &mut self.visited.meetings[node];
        let progress = (state.depth, state.inputs.len());
        if !meeting.here || state.compared == progress {
            return false;
        }
        if meeting.to_come > 0 {
            meeting.to_come -= 1;
            return false;
        }
        state.compared = progress;
        let key = self.future(state);
        let known = key.as_ref().is_some_and(|key| self.visited.seen.contains(key));
        let meeting = &mut self.visited.meetings[node];
        if known {
            meeting.hit();
            return true;
        }
        meeting.missed();
        let Some(key) = key else { return false };
        if self.visited.words + key.len() <= MAX_WORDS {
            self.visited.words += key.len();
            self.visited.seen.insert(key);
        }
        false
    }

    /// Everything that the future of a state depends on.
    fn future(&mut self, state: &State) -> Option<Box<[u64]>> {
        let parts = self.live_parts(state)?;
        let terms: Vec<Term> = parts
            .iter()
            .filter_map(|part| if let Part::Term(term) = part { Some(*term) } else { None })
            .collect();
        if terms.len() > MAX_TERMS {
            return None;
        }
        let location = state.location;
        let mut key = Vec::with_capacity(parts.len() + 8);
        key.push((location.path.index() as u64) << 32 | location.node.index() as u64);
        key.push(state.history.as_ref().map_or(0, |history| u64::from(history.origin)));
        if terms.is_empty() {
            key.extend(parts.into_iter().map(|part| match part {
                Part::Word(word) => word,
                Part::Term(term) => TERM | term.index() as u64,
            }));
            return Some(key.into());
        }
        let slice = state.pc.slice(&free_variables(self.pool, &terms));
        if slice.conjuncts.len() > MAX_TERMS {
            return None;
        }
        let mut renaming = self.renaming(&terms, &slice.variables);
        for part in parts {
            match part {
                Part::Word(word) => key.push(word),
                Part::Term(term) => key.push(TERM | renaming.apply(self.pool, term).index() as u64),
            }
        }
        let mut conjuncts: Vec<u64> = slice
            .conjuncts
            .iter()
            .map(|&conjunct| renaming.apply(self.pool, conjunct).index() as u64)
            .collect();
        conjuncts.sort_unstable();
        conjuncts.dedup();
        key.push(conjuncts.len() as u64);
        key.extend(conjuncts);
        Some(key.into())
    }

    /// Renames inputs by the order in which they occur: first in the values, one after the other, then in the
    /// path condition.
    fn renaming(&mut self, terms: &[Term], others: &[Term]) -> Substitution {
        let mut order: Vec<Term> = Vec::new();
        let mut known: FxHashSet<Term> = FxHashSet::default();
        for &term in terms {
            let variables = self.variable_sets.of(self.pool, term);
            order.extend(variables.iter().copied().filter(|&variable| known.insert(variable)));
        }
        order.extend(others.iter().copied().filter(|&variable| known.insert(variable)));
        let mut renaming = Substitution::new();
        for (position, variable) in order.into_iter().enumerate() {
            let sort = self.pool.sort(variable);
            let name = self.fresh(position, sort);
            renaming.insert(variable, name);
        }
        renaming
    }

    /// The values of live variables: of the frames from the oldest to the newest, then of the globals. Each symbolic
    /// one is marked, since a word may look the same.
    fn live_parts(&mut self, state: &State) -> Option<Vec<Part>> {
        let mut frames = vec![(state.location.node, None)];
        let mut path = state.location.path;
        while let Some((caller, edge)) = self.paths.caller(path) {
            let Label::Call(call) = &self.program.edge(edge).label else { return None };
            frames.push((self.program.edge(edge).target, call.result));
            path = caller;
        }
        let mut parts = Vec::new();
        for (depth, &(node, result)) in frames.iter().enumerate().rev() {
            let result = result.map(|variable| self.program.slot(variable));
            let result = result.filter(|_| depth > 0);
            for slot in self.visited.liveness.locals(node) {
                // The result of a call that has not returned yet will be overwritten.
                if Some(slot) != result {
                    push_part(self.pool, &mut parts, state.memory.local(depth, slot))?;
                }
            }
        }
        for slot in self.visited.liveness.globals(state.location.node) {
            push_part(self.pool, &mut parts, state.memory.global(slot))?;
        }
        Some(parts)
    }
}

/// Symbolic parts follow this marker, with it in their highest bit.
const TERM: u64 = 1 << 63;

fn push_part(pool: &TermPool, parts: &mut Vec<Part>, value: Option<&Value>) -> Option<()> {
    use super::value::Scalar;
    match value {
        None => parts.extend([Part::Word(0), Part::Word(0)]),
        Some(Value::Scalar(Scalar::Word(word))) => parts.extend([Part::Word(1), Part::Word(*word)]),
        Some(Value::Scalar(Scalar::Term(term))) => parts.extend([Part::Word(2), Part::Term(*term)]),
        Some(Value::Array(array)) => {
            if array.size() > MAX_CELLS {
                return None;
            }
            let mut terms = 0;
            array.parts(pool, |part| {
                parts.push(match part {
                    Scalar::Word(word) => Part::Word(word),
                    Scalar::Term(term) => {
                        terms += 1;
                        Part::Term(term)
                    }
                });
                terms <= MAX_TERMS
            });
            if terms > MAX_TERMS {
                return None;
            }
        }
    }
    Some(())
}
