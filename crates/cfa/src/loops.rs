//! Loops and recursion.
//!
//! Heads are the targets of back edges of a depth-first search from each procedure's entry, so every
//! cycle contains one, including those with several entries made by `goto`. The head of a loop is the
//! node of its strongly connected component that the search meets first; removing it leaves the
//! components that are the loops inside.

use crate::arena::id;
use crate::program::{Label, Node, Procedure, Program};

id! {
    /// A loop of the program.
    Loop
}

#[derive(Clone, Debug)]
struct LoopData {
    head: Node,
    parent: Option<Loop>,
    depth: u32,
}

/// The loops of all procedures and the recursion between them.
#[derive(Clone, Debug)]
pub struct LoopInfo {
    loops: Vec<LoopData>,
    /// The loop that each node is the head of.
    headed: Vec<Option<Loop>>,
    /// The innermost loop that each node is in.
    innermost: Vec<Option<Loop>>,
    recursive: Vec<bool>,
}

impl LoopInfo {
    /// Finds the loops of a program. Calls count as edges to where the caller goes on.
    pub fn new(program: &Program) -> Self {
        let count = program.nodes().count();
        let mut successors: Vec<Vec<u32>> = vec![Vec::new(); count];
        for edge in program.edges() {
            let edge = program.edge(edge);
            successors[edge.source.index()].push(edge.target.index() as u32);
        }
        let order = search_order(program, &successors);
        let mut info = LoopInfo {
            loops: Vec::new(),
            headed: vec![None; count],
            innermost: vec![None; count],
            recursive: recursive_procedures(program),
        };
        info.find_loops(&successors, &order);
        info
    }

    /// Splits the graph into components, each with its head removed into the components inside it.
    fn find_loops(&mut self, successors: &[Vec<u32>], order: &[u32]) {
        // Nodes of one work item share a region number; edges that leave the region do not count.
        let mut region = vec![0u32; successors.len()];
        let mut regions = 1;
        let mut work: Vec<(Vec<u32>, Option<Loop>)> = vec![((0..successors.len() as u32).collect(), None)];
        let mut components = Components::new(successors.len());
        while let Some((nodes, parent)) = work.pop() {
            let Some(&first) = nodes.first() else { continue };
            let here = region[first as usize];
            let found = components.find(&nodes, |v| {
                successors[v as usize].iter().copied().filter(|&w| region[w as usize] == here)
            });
            for component in found {
                let Some(&head) = component.iter().min_by_key(|&&v| order[v as usize]) else { continue };
                if component.len() == 1 && !successors[head as usize].contains(&head) {
                    continue;
                }
                let id = Loop::from_index(self.loops.len());
                let depth = parent.map_or(1, |p| self.loops[p.index()].depth + 1);
                self.loops.push(LoopData { head: Node::from_index(head as usize), parent, depth });
                self.headed[head as usize] = Some(id);
                for &node in &component {
                    self.innermost[node as usize] = Some(id);
                }
                let inside: Vec<u32> = component.into_iter().filter(|&v| v != head).collect();
                for &node in &inside {
                    region[node as usize] = regions;
                }
                regions += 1;
                work.push((inside, Some(id)));
            }
        }
    }

    /// True if the node is the head of a loop. Every cycle has such a node.
    pub fn is_loop_head(&self, node: Node) -> bool {
        self.headed[node.index()].is_some()
    }

    /// The loop that the node is the head of.
    pub fn headed_by(&self, node: Node) -> Option<Loop> {
        self.headed[node.index()]
    }

    /// The innermost loop that a node is in.
    pub fn innermost(&self, node: Node) -> Option<Loop> {
        self.innermost[node.index()]
    }

    /// The head of a loop.
    pub fn head(&self, id: Loop) -> Node {
        self.loops[id.index()].head
    }

    /// The loop around a loop.
    pub fn parent(&self, id: Loop) -> Option<Loop> {
        self.loops[id.index()].parent
    }

    /// How many loops a node is in.
    pub fn depth(&self, node: Node) -> u32 {
        self.innermost(node).map_or(0, |id| self.loops[id.index()].depth)
    }

    /// True if the node is in the loop or in one inside it.
    pub fn contains(&self, id: Loop, node: Node) -> bool {
        let mut current = self.innermost(node);
        while let Some(inner) = current {
            if inner == id {
                return true;
            }
            current = self.parent(inner);
        }
        false
    }

    /// All loops; outer ones come before those inside them.
    pub fn loops(&self) -> impl Iterator<Item = Loop> + use<> {
        (0..self.loops.len()).map(Loop::from_index)
    }

    /// True if the procedure can be active twice: it calls itself, perhaps through others.
    pub fn is_recursive(&self, procedure: Procedure) -> bool {
        self.recursive[procedure.index()]
    }
}

/// The number at which a depth-first search meets each node: from the entries first, then from
/// whatever they do not reach.
fn search_order(program: &Program, successors: &[Vec<u32>]) -> Vec<u32> {
    let mut order = vec![u32::MAX; successors.len()];
    let mut next = 0;
    let mut stack: Vec<(u32, usize)> = Vec::new();
    let entries = program.procedures().map(|p| program.procedure(p).entry);
    for root in entries.chain(program.nodes()) {
        let root = root.index() as u32;
        if order[root as usize] != u32::MAX {
            continue;
        }
        order[root as usize] = next;
        next += 1;
        stack.push((root, 0));
        while let Some((node, position)) = stack.last_mut() {
            let Some(&target) = successors[*node as usize].get(*position) else {
                stack.pop();
                continue;
            };
            *position += 1;
            if order[target as usize] == u32::MAX {
                order[target as usize] = next;
                next += 1;
                stack.push((target, 0));
            }
        }
    }
    order
}

fn recursive_procedures(program: &Program) -> Vec<bool> {
    let count = program.procedures().count();
    let mut calls: Vec<Vec<u32>> = vec![Vec::new(); count];
    for edge in program.edges() {
        let edge = program.edge(edge);
        if let Label::Call(call) = &edge.label {
            let caller = program.node(edge.source).procedure;
            calls[caller.index()].push(call.procedure.index() as u32);
        }
    }
    for callees in &mut calls {
        callees.sort_unstable();
        callees.dedup();
    }
    let all: Vec<u32> = (0..count as u32).collect();
    let mut recursive = vec![false; count];
    for component in Components::new(count).find(&all, |v| calls[v as usize].iter().copied()) {
        let calls_itself = component.len() > 1 || calls[component[0] as usize].contains(&component[0]);
        for procedure in component {
            recursive[procedure as usize] = calls_itself;
        }
    }
    recursive
}

const UNSEEN: u32 = u32::MAX;

/// Tarjan's strongly connected components, without recursion, reusable for parts of one graph.
struct Components {
    /// When each node was met; [`UNSEEN`] for nodes outside of a running search.
    index: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
}

impl Components {
    fn new(count: usize) -> Self {
        Components { index: vec![UNSEEN; count], low: vec![0; count], on_stack: vec![false; count] }
    }

    /// The components of the part made of `nodes`; `successors` must stay within it.
    fn find<I: Iterator<Item = u32>>(
        &mut self,
        nodes: &[u32],
        successors: impl Fn(u32) -> I,
    ) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        let mut stack: Vec<u32> = Vec::new();
        let mut calls: Vec<(u32, I)> = Vec::new();
        let mut next = 0;
        for &root in nodes {
            if self.index[root as usize] != UNSEEN {
                continue;
            }
            self.meet(root, &mut next, &mut stack);
            calls.push((root, successors(root)));
            while let Some((node, remaining)) = calls.last_mut() {
                let node = *node;
                if let Some(target) = remaining.next() {
                    if self.index[target as usize] == UNSEEN {
                        self.meet(target, &mut next, &mut stack);
                        calls.push((target, successors(target)));
                    } else if self.on_stack[target as usize] {
                        self.low[node as usize] = self.low[node as usize].min(self.index[target as usize]);
                    }
                    continue;
                }
                calls.pop();
                if let Some(&(caller, _)) = calls.last() {
                    self.low[caller as usize] = self.low[caller as usize].min(self.low[node as usize]);
                }
                if self.low[node as usize] == self.index[node as usize] {
                    let start = stack.iter().rposition(|&v| v == node).unwrap_or(0);
                    let component: Vec<u32> = stack.drain(start..).collect();
                    for &member in &component {
                        self.on_stack[member as usize] = false;
                    }
                    found.push(component);
                }
            }
        }
        for &node in nodes {
            self.index[node as usize] = UNSEEN;
        }
        found
    }

    fn meet(&mut self, node: u32, next: &mut u32, stack: &mut Vec<u32>) {
        self.index[node as usize] = *next;
        self.low[node as usize] = *next;
        *next += 1;
        self.on_stack[node as usize] = true;
        stack.push(node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Sketch;

    /// A procedure with these edges between numbered nodes; node 0 is the entry.
    fn graph(count: usize, edges: &[(usize, usize)]) -> (LoopInfo, Vec<Node>) {
        let mut sketch = Sketch::new("");
        let main = sketch.procedure("main");
        let mut nodes = vec![sketch.entry(main)];
        nodes.extend((1..count).map(|_| sketch.node(main)));
        for &(from, to) in edges {
            sketch.go(nodes[from], nodes[to], 1);
        }
        let (program, _) = sketch.finish(main);
        (LoopInfo::new(&program), nodes)
    }

    fn heads(info: &LoopInfo, nodes: &[Node]) -> Vec<usize> {
        (0..nodes.len()).filter(|&i| info.is_loop_head(nodes[i])).collect()
    }

    #[test]
    fn a_path_has_no_loops() {
        let (info, nodes) = graph(3, &[(0, 1), (1, 2), (0, 2)]);
        assert!(heads(&info, &nodes).is_empty());
        assert_eq!(info.innermost(nodes[1]), None);
    }

    #[test]
    fn nested_loops_have_nested_heads() {
        // 1 .. 5 is the outer loop, 2 .. 3 the inner one, 4 loops to itself.
        let (info, nodes) =
            graph(7, &[(0, 1), (1, 2), (2, 3), (3, 2), (3, 4), (4, 4), (4, 5), (5, 1), (1, 6)]);
        assert_eq!(heads(&info, &nodes), [1, 2, 4]);
        let depths: Vec<u32> = nodes.iter().map(|&n| info.depth(n)).collect();
        assert_eq!(depths, [0, 1, 2, 2, 2, 1, 0]);
        let outer = info.headed_by(nodes[1]).unwrap();
        let inner = info.headed_by(nodes[2]).unwrap();
        assert_eq!(info.parent(inner), Some(outer));
        assert!(info.contains(outer, nodes[3]));
        assert!(info.contains(inner, nodes[3]));
        assert!(!info.contains(inner, nodes[4]));
        assert!(!info.contains(outer, nodes[6]));
        assert_eq!(info.head(inner), nodes[2]);
        assert_eq!(info.loops().count(), 3);
    }

    #[test]
    fn a_cycle_with_two_entries_has_one_head() {
        let (info, nodes) = graph(3, &[(0, 1), (0, 2), (1, 2), (2, 1)]);
        assert_eq!(heads(&info, &nodes), [1]);
    }

    #[test]
    fn unreachable_cycles_have_heads_too() {
        let (info, nodes) = graph(4, &[(0, 1), (2, 3), (3, 2)]);
        assert_eq!(heads(&info, &nodes), [2]);
    }

    /// The definition, on graphs that `goto` could make: a search that never passes a head ends.
    #[test]
    fn every_cycle_of_any_graph_contains_a_head() {
        let mut state = 12345u32;
        let mut random = |bound: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as usize % bound
        };
        for _ in 0..300 {
            let count = 2 + random(9);
            let edges: Vec<(usize, usize)> =
                (0..random(20)).map(|_| (random(count), random(count))).collect();
            let (info, nodes) = graph(count, &edges);
            let head: Vec<bool> = nodes.iter().map(|&n| info.is_loop_head(n)).collect();
            // Reachability by at least one edge without entering heads (Warshall).
            let mut reach = vec![vec![false; count]; count];
            for &(a, b) in edges.iter().filter(|(a, b)| !head[*a] && !head[*b]) {
                reach[a][b] = true;
            }
            for k in 0..count {
                for i in 0..count {
                    for j in 0..count {
                        reach[i][j] |= reach[i][k] && reach[k][j];
                    }
                }
            }
            assert!((0..count).all(|i| !reach[i][i]), "{edges:?}");
        }
    }

    #[test]
    fn long_chains_do_not_use_the_call_stack() {
        let count = 200_000;
        let mut edges: Vec<(usize, usize)> = (1..count).map(|i| (i - 1, i)).collect();
        edges.push((count - 1, 1));
        let (info, nodes) = graph(count, &edges);
        assert_eq!(heads(&info, &nodes), [1]);
    }

    #[test]
    fn recursion_is_found_through_other_procedures() {
        let mut sketch = Sketch::new("");
        let names = ["main", "even", "odd", "leaf", "self"];
        let procedures: Vec<Procedure> = names.iter().map(|name| sketch.procedure(name)).collect();
        for (caller, callee) in [(0, 1), (1, 2), (2, 1), (2, 3), (0, 4), (4, 4)] {
            let from = sketch.node(procedures[caller]);
            sketch.call(from, procedures[callee], &[], None, 1);
        }
        let (program, _) = sketch.finish(procedures[0]);
        let info = LoopInfo::new(&program);
        let recursive: Vec<bool> = procedures.iter().map(|&p| info.is_recursive(p)).collect();
        assert_eq!(recursive, [false, true, true, false, true]);
    }
}
