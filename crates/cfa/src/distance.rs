//! How far it is to an error.
//!
//! The distance of a node is the least number of edges to an error while its procedure is active:
//! in the procedure itself or in what it calls. Errors that come only after the procedure has returned
//! are found through the distance to the exit, along the call path ([`LocationDistances`]).
//! Distances are lower bounds: they ignore what assumptions say.

use crate::program::{Label, Node, Program};
use crate::unfolding::{CallPath, CallPaths, Location};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Least distances of all nodes to errors and exits. A call costs one edge and the least way through
/// the callee; numbers too large for a `u32` stay at its maximum.
#[derive(Clone, Debug)]
pub struct Distances {
    to_target: Vec<Option<u32>>,
    to_exit: Vec<Option<u32>>,
}

/// What distances are measured to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Targets {
    /// Error nodes.
    Errors,
    /// Error nodes and unsupported edges, and what is undefined if that counts everywhere: where none can be reached, nothing
    /// that follows can change a verdict.
    ErrorsAndUnsupported,
}

type Queue = BinaryHeap<Reverse<(u32, Node)>>;

impl Distances {
    /// Computes the distances of a program. Unsupported edges count as passable.
    pub fn new(program: &Program, targets: Targets) -> Self {
        let count = program.nodes().count();
        let mut incoming = vec![Vec::new(); count];
        let mut calls_of = vec![Vec::new(); program.procedures().count()];
        for edge in program.edges() {
            let info = program.edge(edge);
            incoming[info.target.index()].push(edge);
            if let Label::Call(call) = &info.label {
                calls_of[call.procedure.index()].push(edge);
            }
        }

        // Knuth's generalisation of Dijkstra's algorithm: a call edge can be passed once both its
        // target and the callee's entry have their final distance, and costs at least as much as both.
        let mut to_exit: Vec<Option<u32>> = vec![None; count];
        let mut queue = Queue::new();
        for procedure in program.procedures() {
            queue.push(Reverse((0, program.procedure(procedure).exit)));
        }
        while let Some(Reverse((distance, node))) = queue.pop() {
            if to_exit[node.index()].is_some() {
                continue;
            }
            to_exit[node.index()] = Some(distance);
            for &edge in &incoming[node.index()] {
                let info = program.edge(edge);
                if let Some(cost) = passing_cost(program, &to_exit, &info.label) {
                    queue.push(Reverse((cost.saturating_add(distance), info.source)));
                }
            }
            let procedure = program.node(node).procedure;
            if program.procedure(procedure).entry == node {
                for &edge in &calls_of[procedure.index()] {
                    let info = program.edge(edge);
                    if let Some(rest) = to_exit[info.target.index()] {
                        let cost = distance.saturating_add(1).saturating_add(rest);
                        queue.push(Reverse((cost, info.source)));
                    }
                }
            }
        }

        let mut to_target: Vec<Option<u32>> = vec![None; count];
        for node in program.nodes().filter(|&node| program.node(node).error.is_some()) {
            queue.push(Reverse((0, node)));
        }
        if targets == Targets::ErrorsAndUnsupported {
            for edge in program.edges() {
                let info = program.edge(edge);
                let counts = match info.label {
                    Label::Unsupported(_) => true,
                    Label::Undefined { assumed_away, .. } => program.undefined_counts && !assumed_away,
                    _ => false,
                };
                if counts {
                    queue.push(Reverse((1, info.source)));
                }
            }
        }
        while let Some(Reverse((distance, node))) = queue.pop() {
            if to_target[node.index()].is_some() {
                continue;
            }
            to_target[node.index()] = Some(distance);
            for &edge in &incoming[node.index()] {
                let info = program.edge(edge);
                if let Some(cost) = passing_cost(program, &to_exit, &info.label) {
                    queue.push(Reverse((cost.saturating_add(distance), info.source)));
                }
            }
            let procedure = program.node(node).procedure;
            if program.procedure(procedure).entry == node {
                for &edge in &calls_of[procedure.index()] {
                    queue.push(Reverse((distance.saturating_add(1), program.edge(edge).source)));
                }
            }
        }
        Distances { to_target, to_exit }
    }

    /// The least number of edges from the node to a target while its procedure is active.
    pub fn to_target(&self, node: Node) -> Option<u32> {
        self.to_target[node.index()]
    }

    /// The least number of edges from the node to the exit of its procedure.
    pub fn to_exit(&self, node: Node) -> Option<u32> {
        self.to_exit[node.index()]
    }
}

/// Distances from locations of the unfolded program. What comes after returning from a call path is
/// remembered, so that a question costs the same however deep the path is.
#[derive(Clone, Debug)]
pub struct LocationDistances {
    distances: Distances,
    /// By call path; nothing comes after returning from the root.
    after_return: Vec<Option<u32>>,
}

impl LocationDistances {
    /// The distances of a program's locations. All questions must come with the same call paths.
    pub fn new(program: &Program, targets: Targets) -> Self {
        LocationDistances { distances: Distances::new(program, targets), after_return: vec![None] }
    }

    /// The least number of edges from a location to a target: in the frame on top, or in a caller after
    /// all frames above it have returned. `None` if no target can follow.
    pub fn to_target(&mut self, program: &Program, paths: &CallPaths, location: Location) -> Option<u32> {
        // Callers have smaller ids than callees, so the table can be filled in order.
        for index in self.after_return.len()..=location.path.index() {
            let after = paths.caller(CallPath::from_index(index)).and_then(|(caller, edge)| {
                self.least_from(program.edge(edge).target, self.after_return[caller.index()])
            });
            self.after_return.push(after);
        }
        self.least_from(location.node, self.after_return[location.path.index()])
    }

    fn least_from(&self, node: Node, after_return: Option<u32>) -> Option<u32> {
        let inside = self.distances.to_target(node);
        let outside =
            self.distances.to_exit(node).zip(after_return).map(|(exit, rest)| exit.saturating_add(rest));
        inside.into_iter().chain(outside).min()
    }
}

/// The cost of an edge when the callee (if it calls one) returns; `None` if it is not known to.
fn passing_cost(program: &Program, to_exit: &[Option<u32>], label: &Label) -> Option<u32> {
    match label {
        // What is undefined ends a path, but what the program may do then counts.
        Label::Op(_) | Label::Unsupported(_) | Label::Undefined { .. } => Some(1),
        Label::Call(call) => {
            let entry = program.procedure(call.procedure).entry;
            Some(to_exit[entry.index()]?.saturating_add(1))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Sketch;

    #[test]
    fn the_nearest_error_in_the_procedure_counts() {
        let mut sketch = Sketch::new("");
        let main = sketch.procedure("main");
        let c = sketch.pool.variable("c", aster_term::Sort::Bool);
        let (near, far) = sketch.branch(sketch.entry(main), c, 1);
        sketch.error(near, 1);
        let farther = sketch.assume(far, c, 1);
        sketch.error(farther, 1);
        let entry = sketch.entry(main);
        let exit = sketch.exit(main);
        let (program, _) = sketch.finish(main);
        let distances = Distances::new(&program, Targets::Errors);
        assert_eq!(distances.to_target(entry), Some(2));
        assert_eq!(distances.to_target(far), Some(2));
        assert_eq!(distances.to_exit(entry), None);
        assert_eq!(distances.to_exit(exit), Some(0));
        assert_eq!(distances.to_target(exit), None);
    }

    /// `f` recurses or returns; `main` calls it, then fails; `g` fails inside.
    #[test]
    fn calls_cost_the_way_through_the_callee() {
        let mut sketch = Sketch::new("");
        let (main, f, g) = (sketch.procedure("main"), sketch.procedure("f"), sketch.procedure("g"));
        let c = sketch.pool.variable("c", aster_term::Sort::Bool);
        let (recurse, stop) = sketch.branch(sketch.entry(f), c, 1);
        let back = sketch.call(recurse, f, &[], None, 1);
        sketch.go(back, sketch.exit(f), 1);
        sketch.go(stop, sketch.exit(f), 1);

        let call_f = sketch.entry(main);
        let after = sketch.call(call_f, f, &[], None, 1);
        sketch.error(after, 1);

        let inside = sketch.assume(sketch.entry(g), c, 1);
        sketch.error(inside, 1);
        let other = sketch.node(main);
        sketch.call(other, g, &[], None, 1);

        let (f_entry, g_entry) = (sketch.entry(f), sketch.entry(g));
        let (program, _) = sketch.finish(main);
        let distances = Distances::new(&program, Targets::Errors);
        assert_eq!(distances.to_exit(f_entry), Some(2));
        assert_eq!(distances.to_exit(recurse), Some(1 + 2 + 1));
        // Through the callee: one edge for the call, two inside, one to the error.
        assert_eq!(distances.to_target(call_f), Some(4));
        // The error is in the callee, which never returns.
        assert_eq!(distances.to_target(other), Some(3));
        assert_eq!(distances.to_exit(g_entry), None);
        // Nothing fails inside of f: only the caller's error counts.
        assert_eq!(distances.to_target(recurse), None);
        let mut paths = CallPaths::new(&program);
        let edge = program.node(call_f).outgoing[0];
        let path = paths.enter(paths.root(), edge, f);
        let mut distances = LocationDistances::new(&program, Targets::Errors);
        let mut at = |path, node| distances.to_target(&program, &paths, Location { path, node });
        assert_eq!(at(path, stop), Some(1 + 1));
        assert_eq!(at(path, recurse), Some(4 + 1));
        assert_eq!(at(paths.root(), call_f), Some(4));
    }

    #[test]
    fn a_procedure_that_only_calls_itself_has_no_exit() {
        let mut sketch = Sketch::new("");
        let main = sketch.procedure("main");
        let after = sketch.call(sketch.entry(main), main, &[], None, 1);
        sketch.error(after, 1);
        let entry = sketch.entry(main);
        let (program, _) = sketch.finish(main);
        let distances = Distances::new(&program, Targets::Errors);
        assert_eq!(distances.to_exit(entry), None);
        assert_eq!(distances.to_target(entry), None);
    }

    #[test]
    fn exponential_costs_saturate() {
        let mut sketch = Sketch::new("");
        let leaf = sketch.procedure("leaf");
        sketch.go(sketch.entry(leaf), sketch.exit(leaf), 1);
        let mut callee = leaf;
        for _ in 0..40 {
            let procedure = sketch.procedure("p");
            let once = sketch.call(sketch.entry(procedure), callee, &[], None, 1);
            let twice = sketch.call(once, callee, &[], None, 1);
            sketch.go(twice, sketch.exit(procedure), 1);
            callee = procedure;
        }
        let entry = sketch.entry(callee);
        let (program, _) = sketch.finish(callee);
        assert_eq!(Distances::new(&program, Targets::Errors).to_exit(entry), Some(u32::MAX));
    }
}
