//! The automaton of one procedure while it is built.
//!
//! Points can be joined, which costs no edge: what is finished is the graph modulo these joins,
//! without what cannot be reached and without branches that lead to the same place.

use aster_cfa::{Access, ErrorKind, Label, Node, Note, Op, Procedure, ProgramBuilder, Span};
use aster_term::{Term, TermPool};
use rustc_hash::FxHashMap;

/// A point of the automaton. Several points may turn out to be one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Point(u32);

impl Point {
    fn index(self) -> usize {
        self.0 as usize
    }
}

struct GraphEdge {
    source: Point,
    target: Point,
    label: Label,
    span: Span,
    note: Option<Note>,
}

/// An automaton under construction.
#[derive(Default)]
pub(super) struct Graph {
    parents: Vec<Point>,
    errors: Vec<Option<ErrorKind>>,
    edges: Vec<GraphEdge>,
}

type FinishedEdge = (Label, Point, Span, Option<Note>);

/// How often branches that lead to one place are looked for; each round may lay bare new ones.
const SIMPLIFICATION_ROUNDS: usize = 4;

impl Graph {
    pub(super) fn point(&mut self) -> Point {
        let point = Point(u32::try_from(self.parents.len()).expect("fewer than 2^32 points"));
        self.parents.push(point);
        self.errors.push(None);
        point
    }

    pub(super) fn edge(&mut self, source: Point, target: Point, label: Label, span: Span) {
        self.edges.push(GraphEdge { source, target, label, span, note: None });
    }

    pub(super) fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// Notes what the last edge means if it was added after there were `before` edges.
    pub(super) fn note_assignment_since(&mut self, before: usize, note: Note) {
        if self.edges.len() > before
            && let Some(GraphEdge { label: Label::Op(Op::Assign(..)), note: slot, .. }) =
                self.edges.last_mut()
        {
            *slot = Some(note);
        }
    }

    /// Notes what the edge means that was added when there were `before` edges, if it is an assumption.
    pub(super) fn note_condition_at(&mut self, before: usize, note: Note) {
        if let Some(GraphEdge { label: Label::Op(Op::Assume(_)), note: slot, .. }) =
            self.edges.get_mut(before)
        {
            *slot = Some(note);
        }
    }

    /// Notes that the edge is a check, or begins one, that was added when there were `before` edges.
    pub(super) fn note_check_at(&mut self, before: usize, access: Option<Access>) {
        if let Some(edge) = self.edges.get_mut(before) {
            edge.note = Some(Note::Check(access));
        }
    }

    pub(super) fn set_error(&mut self, point: Point, kind: ErrorKind) {
        self.errors[point.index()] = Some(kind);
    }

    /// Control that arrives at `from`, which has no edges of its own, goes on at `to`. If the two
    /// are one already, this is a loop without any operation: nothing is reached from there.
    pub(super) fn join(&mut self, from: Point, to: Point) {
        let (from, to) = (self.root(from), self.root(to));
        self.parents[from.index()] = to;
    }

    fn root(&mut self, point: Point) -> Point {
        let mut root = point;
        while self.parents[root.index()] != root {
            root = self.parents[root.index()];
        }
        let mut current = point;
        while self.parents[current.index()] != root {
            let next = self.parents[current.index()];
            self.parents[current.index()] = root;
            current = next;
        }
        root
    }

    /// Adds the finished automaton to the procedure: it begins at `start` and returns from `exit`.
    pub(super) fn finish(
        mut self,
        pool: &mut TermPool,
        builder: &mut ProgramBuilder,
        procedure: Procedure,
        start: Point,
        exit: Point,
        span: Span,
    ) {
        for _ in 0..SIMPLIFICATION_ROUNDS {
            if !self.merge_empty_branches(pool) {
                break;
            }
        }
        let (start, exit) = (self.root(start), self.root(exit));
        let outgoing = self.outgoing();
        let reached = self.reachable(start, &outgoing);
        let info = builder.procedure(procedure);
        let (entry, exit_node) = (info.entry, info.exit);

        let returns_to_start = reached
            .iter()
            .any(|&point| outgoing[point.index()].iter().any(|&edge| self.edges[edge].target == start));
        let mut nodes: Vec<Option<Node>> = vec![None; self.parents.len()];
        nodes[exit.index()] = Some(exit_node);
        if start == exit || returns_to_start {
            // The entry must not have incoming edges, nor be the exit.
            let target = if start == exit { exit_node } else { builder.add_node(procedure) };
            nodes[start.index()] = Some(target);
            let always = Label::Op(Op::Assume(pool.bool(true)));
            builder.add_edge(entry, target, always, span);
        } else {
            nodes[start.index()] = Some(entry);
        }
        for &point in &reached {
            let node = *nodes[point.index()].get_or_insert_with(|| builder.add_node(procedure));
            if let Some(kind) = self.errors[point.index()] {
                builder.set_error(node, kind);
            }
        }
        for &point in &reached {
            let Some(source) = nodes[point.index()] else { continue };
            for (label, target, span, note) in self.merged(pool, &outgoing[point.index()]) {
                let Some(target) = nodes[target.index()] else { continue };
                let edge = builder.add_edge(source, target, label, span);
                if let Some(note) = note {
                    builder.set_note(edge, note);
                }
            }
        }
    }

    /// Edges by source, with sources and targets resolved to the nodes that they turned out to be.
    fn outgoing(&mut self) -> Vec<Vec<usize>> {
        let mut outgoing = vec![Vec::new(); self.parents.len()];
        for index in 0..self.edges.len() {
            let source = self.root(self.edges[index].source);
            let target = self.root(self.edges[index].target);
            self.edges[index].source = source;
            self.edges[index].target = target;
            outgoing[source.index()].push(index);
        }
        outgoing
    }

    fn reachable(&self, start: Point, outgoing: &[Vec<usize>]) -> Vec<Point> {
        let mut seen = vec![false; self.parents.len()];
        let mut order = vec![start];
        seen[start.index()] = true;
        let mut next = 0;
        while let Some(&point) = order.get(next) {
            next += 1;
            for &edge in &outgoing[point.index()] {
                let target = self.edges[edge].target;
                if !std::mem::replace(&mut seen[target.index()], true) {
                    order.push(target);
                }
            }
        }
        order
    }

    fn assumption(&self, edge: usize) -> Option<Term> {
        match self.edges[edge].label {
            Label::Op(Op::Assume(term)) => Some(term),
            _ => None,
        }
    }

    /// Joins nodes whose branches all lead to one place and leave no way out. True if any was found.
    fn merge_empty_branches(&mut self, pool: &mut TermPool) -> bool {
        let outgoing = self.outgoing();
        let mut changed = false;
        for edges in outgoing.iter().rev() {
            let [first, second] = edges.as_slice() else { continue };
            let (Some(a), Some(b)) = (self.assumption(*first), self.assumption(*second)) else { continue };
            let source = self.root(self.edges[*first].source);
            let target = self.root(self.edges[*first].target);
            let one_place = target == self.root(self.edges[*second].target) && target != source;
            if one_place && pool.not(a) == b && self.errors[source.index()].is_none() {
                // Edges that are joined away must not come back as edges of the target.
                self.removed(*first, *second);
                self.parents[source.index()] = target;
                changed = true;
            }
        }
        changed
    }

    /// Moves two edges to a point that nothing reaches.
    fn removed(&mut self, first: usize, second: usize) {
        let nowhere = self.point();
        self.edges[first].source = nowhere;
        self.edges[second].source = nowhere;
    }

    /// The edges of one node; assumptions that lead to the same node become one.
    fn merged(&self, pool: &mut TermPool, edges: &[usize]) -> Vec<FinishedEdge> {
        let mut result: Vec<FinishedEdge> = Vec::with_capacity(edges.len());
        let mut first: FxHashMap<Point, usize> = FxHashMap::default();
        for &edge in edges {
            let GraphEdge { target, label, span, note, .. } = &self.edges[edge];
            let position = *first.entry(*target).or_insert(result.len());
            let same = result.get_mut(position);
            if let (Label::Op(Op::Assume(term)), Some((Label::Op(Op::Assume(other)), .., note))) =
                (label, same)
            {
                *other = pool.or(*other, *term);
                *note = None;
                continue;
            }
            result.push((label.clone(), *target, *span, note.clone()));
        }
        result
    }
}
