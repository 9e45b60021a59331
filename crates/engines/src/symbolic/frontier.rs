//! Search orders: which of the waiting states is explored next.

use super::state::State;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// The states that wait, in a search order.
///
/// Every state that is put in comes out at some time if the exploration goes on long enough, except
/// under depth-first search, which follows one path to its end.
/// The order in which states are explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// Depth-first, as in the paper.
    Dfs,
    /// Breadth-first.
    Bfs,
    /// A random walk from the root of the execution tree for each choice.
    #[default]
    RandomPath,
    /// The state that is nearest to an error first.
    Distance,
}

pub(crate) enum Frontier {
    Dfs(Vec<Box<State>>),
    Bfs(VecDeque<Box<State>>),
    RandomPath(Box<ExecutionTree>),
    Distance(NearestFirst),
}

impl Frontier {
    pub(crate) fn new(search: Search, seed: u64) -> Self {
        match search {
            Search::Dfs => Frontier::Dfs(Vec::new()),
            Search::Bfs => Frontier::Bfs(VecDeque::new()),
            Search::RandomPath => Frontier::RandomPath(Box::new(ExecutionTree::new(seed))),
            Search::Distance => Frontier::Distance(NearestFirst::default()),
        }
    }

    /// Takes in the successors of the state that was taken last, in edge order. `distance` says how
    /// far a state is from an error.
    pub(crate) fn push(&mut self, successors: Vec<Box<State>>, mut distance: impl FnMut(&State) -> u32) {
        match self {
            Frontier::Dfs(stack) => stack.extend(successors.into_iter().rev()),
            Frontier::Bfs(queue) => queue.extend(successors),
            Frontier::RandomPath(tree) => tree.push(successors),
            Frontier::Distance(heap) => {
                for state in successors {
                    let distance = distance(&state);
                    heap.push(distance, state);
                }
            }
        }
    }

    /// The next state to explore.
    pub(crate) fn pop(&mut self) -> Option<Box<State>> {
        match self {
            Frontier::Dfs(stack) => stack.pop(),
            Frontier::Bfs(queue) => queue.pop_front(),
            Frontier::RandomPath(tree) => tree.pop(),
            Frontier::Distance(heap) => heap.pop(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Frontier::Dfs(stack) => stack.len(),
            Frontier::Bfs(queue) => queue.len(),
            Frontier::RandomPath(tree) => tree.len(),
            Frontier::Distance(heap) => heap.len(),
        }
    }

    /// Takes out all states, in no particular order that matters.
    pub(crate) fn drain(&mut self) -> Vec<Box<State>> {
        std::iter::from_fn(|| self.pop()).collect()
    }
}

/// The execution tree: each choice walks from the root, taking each branch with the same probability,
/// so that a subtree's share does not grow with the number of states in it.
pub(crate) struct ExecutionTree {
    nodes: Vec<TreeNode>,
    free: Vec<usize>,
    /// The leaf whose state is being explored: its successors become its children.
    current: usize,
    waiting: usize,
    random: StdRng,
}

struct TreeNode {
    parent: Option<usize>,
    content: Content,
}

enum Content {
    /// A waiting state.
    Waiting(Box<State>),
    /// A state that is being explored, or a place that is not in use.
    Vacant,
    /// At least one child.
    Inner(Vec<usize>),
}

const ROOT: usize = 0;

impl ExecutionTree {
    fn new(seed: u64) -> Self {
        let root = TreeNode { parent: None, content: Content::Vacant };
        ExecutionTree {
            nodes: vec![root],
            free: Vec::new(),
            current: ROOT,
            waiting: 0,
            random: StdRng::seed_from_u64(seed),
        }
    }

    fn len(&self) -> usize {
        self.waiting
    }

    fn push(&mut self, mut successors: Vec<Box<State>>) {
        self.waiting += successors.len();
        match successors.len() {
            0 => self.prune(self.current),
            1 => {
                if let Some(state) = successors.pop() {
                    self.nodes[self.current].content = Content::Waiting(state);
                }
            }
            _ => {
                let children = successors.into_iter().map(|state| self.add_leaf(state)).collect();
                self.nodes[self.current].content = Content::Inner(children);
            }
        }
    }

    fn add_leaf(&mut self, state: Box<State>) -> usize {
        let node = TreeNode { parent: Some(self.current), content: Content::Waiting(state) };
        match self.free.pop() {
            Some(index) => {
                self.nodes[index] = node;
                index
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() - 1
            }
        }
    }

    fn pop(&mut self) -> Option<Box<State>> {
        // The last state ended without successors being announced.
        if matches!(self.nodes[self.current].content, Content::Vacant) {
            self.prune(self.current);
        }
        if self.waiting == 0 {
            return None;
        }
        let mut index = ROOT;
        while let Content::Inner(children) = &self.nodes[index].content {
            index = children[self.random.random_range(0..children.len())];
        }
        self.current = index;
        match std::mem::replace(&mut self.nodes[index].content, Content::Vacant) {
            Content::Waiting(state) => {
                self.waiting -= 1;
                Some(state)
            }
            Content::Vacant | Content::Inner(_) => None,
        }
    }

    /// Removes a leaf without state, and every inner node that has no child left by that.
    fn prune(&mut self, mut index: usize) {
        self.nodes[index].content = Content::Vacant;
        while let Some(parent) = self.nodes[index].parent {
            self.free.push(index);
            let Content::Inner(children) = &mut self.nodes[parent].content else { break };
            children.retain(|&child| child != index);
            if !children.is_empty() {
                break;
            }
            self.nodes[parent].content = Content::Vacant;
            index = parent;
        }
        self.current = ROOT;
    }
}

/// Nearest state first; every other choice takes the state that has waited longest, so that a loop
/// close to an error cannot starve the rest.
#[derive(Default)]
pub(crate) struct NearestFirst {
    nearest: BinaryHeap<Reverse<(u32, u64)>>,
    oldest: VecDeque<u64>,
    states: std::collections::BTreeMap<u64, Box<State>>,
    counter: u64,
    take_oldest: bool,
}

impl NearestFirst {
    fn len(&self) -> usize {
        self.states.len()
    }

    fn push(&mut self, distance: u32, state: Box<State>) {
        self.nearest.push(Reverse((distance, self.counter)));
        self.oldest.push_back(self.counter);
        self.states.insert(self.counter, state);
        self.counter += 1;
    }

    fn pop(&mut self) -> Option<Box<State>> {
        self.take_oldest = !self.take_oldest;
        loop {
            let ticket = if self.take_oldest { self.oldest.pop_front()? } else { self.nearest.pop()?.0.1 };
            // A ticket that was served by the other queue already is stale.
            if let Some(state) = self.states.remove(&ticket) {
                return Some(state);
            }
        }
    }
}
