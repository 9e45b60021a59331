//! Loops that literals decide: those with few iterations are unrolled instead of being abstracted.
//!
//! A departure from the paper, if asked for. What is unrolled further than at first is so because refinement did not
//! come to an end.

use super::SymexIa;
use crate::symbolic::State;
use aster_cfa::{Edge, Label, Location, Op};
use aster_smt::interpolate::FAR;
use aster_term::{Op as Operator, Substitution};

/// A loop is unrolled this often at first, and not at all if what it counts is further away from its end.
pub(super) const AT_FIRST: u32 = FAR;

/// Unless it does only what literals decide and goes round no more often than this.
const MAX_ROUNDS: u32 = 1_000;

/// At most this many operations are looked at to see whether a loop's condition is decided, and how it goes on.
const PROBE_STEPS: usize = 40;

/// So many refinements are tried at a loop that was unrolled before it is unrolled further.
const MAX_TRIES: u32 = 2;

/// So many are tried at a loop that was not unrolled because its end is far away.
const MAX_TRIES_FAR: u32 = 24;

/// On a path with more steps than this a loop is unrolled further at once: interpolants would cost more.
const MAX_LENGTH: usize = 5_000;

impl SymexIa<'_> {
    /// True if a path that has visited a loop head so often goes on without abstraction because literals decide.
    pub(super) fn is_unrolled(&mut self, state: &State, visits: u32) -> bool {
        let unrolled = self.precision.of(state.location).unrolled;
        if !self.options.unroll_decided || visits >= unrolled {
            return false;
        }
        let Some((at_branch, edge)) = self.decision(state) else { return false };
        if visits == 0
            && unrolled == AT_FIRST
            && self.distance(&at_branch, edge).is_some_and(|distance| distance > AT_FIRST.into())
        {
            let rounds = self.rounds(&at_branch, edge).and_then(|rounds| u32::try_from(rounds).ok());
            let unrolled = rounds.filter(|&rounds| rounds <= MAX_ROUNDS).map_or(0, |rounds| rounds + 1);
            self.precision.unroll(state.location, unrolled);
            return unrolled > 0;
        }
        true
    }

    /// True if the first branch after a loop head depends on nothing but literals.
    pub(super) fn is_decided(&mut self, state: &State) -> bool {
        self.decision(state).is_some()
    }

    /// The state at the first branch after a loop head and an edge from there, if literals alone decide the branch.
    fn decision(&mut self, state: &State) -> Option<(State, Edge)> {
        let mut probe = state.clone();
        probe.history = None;
        for _ in 0..PROBE_STEPS {
            let program = self.executor.program;
            let edges = program.node(probe.location.node).outgoing.as_slice();
            match edges {
                [edge] if matches!(program.edge(*edge).label, Label::Op(Op::Assign(..))) => {
                    self.executor.next(&mut probe, *edge);
                }
                [first, _, ..] => {
                    return self.executor.takes_literally(&mut probe, edges).then_some((probe, *first));
                }
                _ => return None,
            }
        }
        None
    }

    /// How far the literals are away from each other that a branch compares. If the loop counts from one to the other, it
    /// goes round often; whatever else it does, its first iterations tell little.
    fn distance(&mut self, state: &State, edge: Edge) -> Option<u128> {
        let program = self.executor.program;
        let Label::Op(Op::Assume(condition)) = program.edge(edge).label else { return None };
        let path = state.location.path;
        let condition = self.frames.unfold(program, self.executor.pool, path, condition);
        let pool = &*self.executor.pool;
        let atom = match (pool.op(condition), pool.args(condition)) {
            (Operator::Not, &[atom]) => atom,
            _ => condition,
        };
        let is_signed = match pool.op(atom) {
            Operator::BvSlt | Operator::BvSle => true,
            Operator::BvUlt | Operator::BvUle => false,
            _ => return None,
        };
        let sides = pool.args(atom).to_vec();
        let mut numbers = sides.into_iter().filter_map(|side| {
            let memory = &state.memory;
            let value =
                self.frames.evaluate(&mut self.executor, path, memory, &mut Substitution::new(), side);
            let bits = self.executor.pool.bv_constant(value)?;
            if is_signed { Some(bits.signed()) } else { i128::try_from(bits.unsigned()).ok() }
        });
        Some(numbers.next()?.abs_diff(numbers.next()?))
    }

    /// How often a loop goes round from a branch on, if it does nothing in one iteration but assignments and what literals
    /// decide: memory is filled that way.
    fn rounds(&mut self, at_branch: &State, edge: Edge) -> Option<u128> {
        let before = self.distance(at_branch, edge)?;
        let mut probe = at_branch.clone();
        for _ in 0..PROBE_STEPS {
            let program = self.executor.program;
            match program.node(probe.location.node).outgoing.as_slice() {
                [edge] if matches!(program.edge(*edge).label, Label::Op(Op::Assign(..))) => {
                    self.executor.next(&mut probe, *edge);
                }
                edges @ [_, _, ..] if self.executor.takes_literally(&mut probe, edges) => {
                    let taken = edges.iter().find_map(|&edge| {
                        let mut taken = probe.clone();
                        self.executor.assume(&mut taken, edge).is_ok_and(|holds| holds).then_some(taken)
                    });
                    probe = taken?;
                }
                _ => return None,
            }
            if probe.location == at_branch.location {
                let step = before.checked_sub(self.distance(&probe, edge)?).filter(|&step| step > 0)?;
                return Some(before.div_ceil(step));
            }
        }
        None
    }

    /// Where a loop is decided by literals and was abstracted only because it goes round so often, predicates are
    /// tried a few times; then it is unrolled further. True if that was done.
    pub(super) fn unroll_decided_loops(&mut self, points: &[(usize, u32)], length: usize) -> bool {
        let mut locations: Vec<Location> = Vec::new();
        for &(_, id) in points {
            let state = self.graph.get(id);
            if state.is_decided && !locations.contains(&state.location) {
                locations.push(state.location);
            }
        }
        let mut is_done = false;
        for location in locations {
            let tried = self.tried.entry(location).or_insert(0);
            *tried += 1;
            let patience = if self.precision.of(location).unrolled == 0 { MAX_TRIES_FAR } else { MAX_TRIES };
            if *tried > patience || length > MAX_LENGTH {
                self.precision.unroll_more(location);
                is_done = true;
            }
        }
        is_done
    }
}
