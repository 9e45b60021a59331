//! The abstract transition system that a round explored.

use super::execute::Contents;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// A transition between abstract states.
pub(super) type Edge = (u32, usize, u32);

/// What a round explored.
#[derive(Debug, Default)]
pub(super) struct Explored {
    /// The transitions that were taken.
    pub(super) edges: BTreeSet<Edge>,
    /// A₀.
    pub(super) initial: BTreeSet<u32>,
    /// The symbolic states whose successors were made.
    pub(super) expanded: FxHashSet<Contents>,
    /// The abstract states that differ by the order of processes only.
    pub(super) alike: Classes,
}

/// Numbers in classes, each of which has a representative: the smallest one.
#[derive(Debug, Default)]
pub(super) struct Classes {
    /// A smaller number of the same class.
    smaller: FxHashMap<u32, u32>,
}

impl Classes {
    /// The smallest number of a class.
    pub(super) fn representative(&self, mut number: u32) -> u32 {
        while let Some(&smaller) = self.smaller.get(&number) {
            number = smaller;
        }
        number
    }

    /// Makes two numbers members of one class.
    pub(super) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.representative(a), self.representative(b));
        if a != b {
            self.smaller.insert(a.max(b), a.min(b));
        }
    }
}

impl Explored {
    /// The abstract states on cycles and those reachable from them.
    pub(super) fn fragment(&self) -> Vec<u32> {
        let mut successors: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for &(from, _, to) in &self.edges {
            successors.entry(from).or_default().push(to);
        }
        let mut found: BTreeSet<u32> = on_cycles(&successors);
        let mut stack: Vec<u32> = found.iter().copied().collect();
        while let Some(state) = stack.pop() {
            for &next in successors.get(&state).into_iter().flatten() {
                if found.insert(next) {
                    stack.push(next);
                }
            }
        }
        found.into_iter().collect()
    }

    /// All abstract states.
    pub(super) fn all_states(&self) -> Vec<u32> {
        let ends = self.edges.iter().flat_map(|&(from, _, to)| [from, to]);
        ends.chain(self.initial.iter().copied()).collect::<BTreeSet<u32>>().into_iter().collect()
    }

    /// The transitions from a set of abstract states.
    pub(super) fn transitions_from(&self, states: &[u32]) -> Vec<Edge> {
        let inside: FxHashSet<u32> = states.iter().copied().collect();
        self.edges.iter().copied().filter(|(from, ..)| inside.contains(from)).collect()
    }
}

/// The nodes of a graph that lie on cycles: those of its strongly connected components that have an edge inside
/// (Tarjan's algorithm, with a stack of its own).
fn on_cycles(successors: &BTreeMap<u32, Vec<u32>>) -> BTreeSet<u32> {
    #[derive(Clone, Copy)]
    struct Visit {
        order: usize,
        low: usize,
        is_open: bool,
    }
    let none: &[u32] = &[];
    let of = |node: u32| successors.get(&node).map_or(none, Vec::as_slice);
    let mut visits: FxHashMap<u32, Visit> = FxHashMap::default();
    let mut found = BTreeSet::new();
    let mut open: Vec<u32> = Vec::new();
    for &root in successors.keys() {
        if visits.contains_key(&root) {
            continue;
        }
        let mut path: Vec<(u32, usize)> = vec![(root, 0)];
        while let Some(&mut (node, ref mut next)) = path.last_mut() {
            if *next == 0 {
                let order = visits.len();
                visits.insert(node, Visit { order, low: order, is_open: true });
                open.push(node);
            }
            let position = *next;
            *next += 1;
            if let Some(&child) = of(node).get(position) {
                match visits.get(&child).copied() {
                    None => path.push((child, 0)),
                    Some(visit) if visit.is_open => {
                        if let Some(own) = visits.get_mut(&node) {
                            own.low = own.low.min(visit.order);
                        }
                    }
                    Some(_) => {}
                }
                continue;
            }
            path.pop();
            let own = visits[&node];
            if let Some(above) = path.last().and_then(|(above, _)| visits.get_mut(above)) {
                above.low = above.low.min(own.low);
            }
            if own.low == own.order {
                let start = open.iter().rposition(|&other| other == node).unwrap_or(0);
                let component = open.split_off(start);
                for member in &component {
                    if let Some(visit) = visits.get_mut(member) {
                        visit.is_open = false;
                    }
                }
                if component.len() > 1 || of(node).contains(&node) {
                    found.extend(component);
                }
            }
        }
    }
    found
}
