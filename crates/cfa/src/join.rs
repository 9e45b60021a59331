//! Branches that meet again, as one path with choices in its values.
//!
//! A block begins at a cut, a node where paths have to be looked at one by one, and ends at the next cuts: between them there are
//! only assumptions and assignments of scalars, and no loop. Its paths become one for each cut that they get to: an assumption
//! that says when they do, and for each variable an assignment that chooses between the values that the paths give it. This is
//! the large-block encoding of Beyer, Cimatti, Griggio, Keremoglu and Sebastiani (FMCAD 2009).
//!
//! The condition of a choice is stated from the node on that all paths to the meeting point go through, its immediate dominator:
//! `if (c) x = 1; else x = 2;` becomes `x = c ? 1 : 2;` wherever it stands.

use crate::builder::ProgramBuilder;
use crate::liveness::Liveness;
use crate::loops::LoopInfo;
use crate::program::{Edge, Label, Node, Op, Procedure, Program, Var};
use aster_term::{Sort, Substitution, Term, TermPool, free_variables};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Blocks with more edges are left alone: their terms would be too large to be of use.
const MAX_EDGES: usize = 20_000;

/// A block is left alone if so many edges for each of its own would take its place: joining is for making programs smaller.
const MAX_GROWTH: usize = 4;

/// Whatever their growth is, blocks that become this small are joined.
const SMALL: usize = 1_000;

/// The program with one path in place of branches that meet again; `None` if there are none, or if `stop` says true meanwhile.
///
/// It asks for the same inputs in the same order and reaches the same errors.
pub fn join_branches(program: &Program, pool: &mut TermPool, stop: &dyn Fn() -> bool) -> Option<Program> {
    // What is read in vain by an edge outside the blocks needs a value, too.
    let liveness = Liveness::of_all_reads(program, pool);
    let cuts = Cuts::new(program);
    let mut builder = ProgramBuilder::of(program);
    let mut has_changed = false;
    for cut in program.nodes().filter(|&node| cuts.is_cut(node)) {
        let Some(block) = Block::new(program, &cuts, cut) else { continue };
        let summary = Summary::new(program, &liveness, pool, &block, stop)?;
        if let Some(exits) = summary.exits(program, &liveness, pool) {
            replace(&mut builder, pool, &block, exits, stop)?;
            has_changed = true;
        }
    }
    has_changed.then(|| {
        let mut result = builder.finish(program.sources.clone(), program.entry);
        result.stands_for(program);
        result
    })
}

/// The nodes between which paths are joined.
struct Cuts {
    is_cut: Vec<bool>,
}

impl Cuts {
    fn new(program: &Program) -> Self {
        let loops = LoopInfo::new(program);
        let mut cuts = Cuts { is_cut: vec![false; program.nodes().count()] };
        for procedure in program.procedures() {
            let info = program.procedure(procedure);
            cuts.add(info.entry);
            cuts.add(info.exit);
        }
        for node in program.nodes() {
            let info = program.node(node);
            if info.error.is_some() || info.outgoing.is_empty() {
                cuts.add(node);
            }
            if loops.is_loop_head(node) {
                cuts.add(node);
                cuts.keep_condition(program, &loops, node);
            }
        }
        for edge in program.edges().filter(|&edge| !is_joined(program, edge)) {
            let info = program.edge(edge);
            cuts.add(info.source);
            cuts.add(info.target);
        }
        cuts.separate(program);
        cuts
    }

    fn add(&mut self, node: Node) {
        self.is_cut[node.index()] = true;
    }

    fn is_cut(&self, node: Node) -> bool {
        self.is_cut[node.index()]
    }

    /// Lets the first branch of a loop stay if it decides whether the loop goes on: that is what engines look at.
    fn keep_condition(&mut self, program: &Program, loops: &LoopInfo, head: Node) {
        let Some(id) = loops.headed_by(head) else { return };
        let mut node = head;
        // Longer than any path without repetition.
        for _ in program.nodes() {
            match program.node(node).outgoing.as_slice() {
                &[only] => {
                    node = program.edge(only).target;
                    if node == head || !loops.contains(id, node) {
                        return;
                    }
                }
                edges => {
                    let targets = edges.iter().map(|&edge| program.edge(edge).target);
                    if targets.clone().any(|target| !loops.contains(id, target)) {
                        targets.for_each(|target| self.add(target));
                    }
                    return;
                }
            }
        }
    }

    /// Makes a cut of each node that paths from different cuts lead to, so that it belongs to one block only.
    fn separate(&mut self, program: &Program) {
        let starts: Vec<Node> = program.nodes().filter(|&node| self.is_cut(node)).collect();
        let mut incoming: Vec<Vec<Node>> = vec![Vec::new(); self.is_cut.len()];
        for edge in program.edges() {
            let info = program.edge(edge);
            incoming[info.target.index()].push(info.source);
        }
        let mut owner: Vec<Option<Node>> = vec![None; self.is_cut.len()];
        for node in self.order(program, &starts) {
            if !self.is_cut(node) {
                let owners: BTreeSet<Node> =
                    incoming[node.index()].iter().filter_map(|source| owner[source.index()]).collect();
                if owners.len() > 1 {
                    self.add(node);
                } else {
                    owner[node.index()] = owners.first().copied();
                }
            }
            if self.is_cut(node) {
                owner[node.index()] = Some(node);
            }
        }
    }

    /// What can be got to from some cuts without going on from another one: each node after those that lead to it, the cuts
    /// that paths begin at first.
    fn order(&self, program: &Program, starts: &[Node]) -> Vec<Node> {
        let mut seen = vec![false; self.is_cut.len()];
        let mut order = Vec::new();
        for &start in starts {
            // Nodes with the number of edges that were followed from them.
            let mut stack = vec![(start, 0)];
            while let Some((node, next)) = stack.last_mut() {
                match program.node(*node).outgoing.get(*next) {
                    Some(&edge) => {
                        *next += 1;
                        let target = program.edge(edge).target;
                        if !self.is_cut(target) && !std::mem::replace(&mut seen[target.index()], true) {
                            stack.push((target, 0));
                        }
                    }
                    None => {
                        order.push(*node);
                        stack.pop();
                    }
                }
            }
        }
        order.reverse();
        order
    }
}

/// True for an edge that can be part of a larger step.
fn is_joined(program: &Program, edge: Edge) -> bool {
    match &program.edge(edge).label {
        Label::Op(Op::Assume(_)) => true,
        Label::Op(Op::Assign(variable, _)) => !matches!(program.variable(*variable).sort, Sort::Array { .. }),
        Label::Op(Op::Havoc(..)) | Label::Call(_) | Label::Unsupported(_) | Label::Undefined { .. } => false,
    }
}

/// A position in a block.
type Position = usize;

/// The paths from a cut to the next ones. The cut where it begins is at position 0; each node comes after those that lead to it.
struct Block {
    nodes: Vec<Node>,
    /// The edges that lead to each position, with where they begin.
    incoming: Vec<Vec<(Position, Edge)>>,
    /// Where the edges of each position lead to; none for the cuts at which the block ends.
    outgoing: Vec<Vec<Position>>,
    dominator: Vec<Position>,
}

impl Block {
    /// The block that begins at a cut, if paths meet in it.
    fn new(program: &Program, cuts: &Cuts, start: Node) -> Option<Self> {
        let mut nodes = cuts.order(program, &[start]);
        let inner = nodes.len();
        let mut positions: BTreeMap<Node, Position> = BTreeMap::new();
        for (position, &node) in nodes.iter().enumerate().skip(1) {
            positions.insert(node, position);
        }
        let mut incoming: Vec<Vec<(Position, Edge)>> = vec![Vec::new(); inner];
        let mut outgoing: Vec<Vec<Position>> = vec![Vec::new(); inner];
        for source in 0..inner {
            for &edge in &program.node(nodes[source]).outgoing {
                if !is_joined(program, edge) {
                    return None;
                }
                let target = program.edge(edge).target;
                let position = *positions.entry(target).or_insert_with(|| {
                    nodes.push(target);
                    incoming.push(Vec::new());
                    outgoing.push(Vec::new());
                    nodes.len() - 1
                });
                incoming[position].push((source, edge));
                outgoing[source].push(position);
            }
        }
        let mut block = Block { nodes, incoming, outgoing, dominator: Vec::new() };
        if block.edges() > MAX_EDGES || block.incoming.iter().all(|edges| edges.len() < 2) {
            return None;
        }
        block.dominator = dominators(&block.incoming);
        Some(block)
    }

    /// How many edges it has.
    fn edges(&self) -> usize {
        self.incoming.iter().map(Vec::len).sum()
    }

    fn ends(&self) -> impl Iterator<Item = Position> + '_ {
        (1..self.nodes.len()).filter(|&position| self.outgoing[position].is_empty())
    }

    /// True if every path from one position comes to another one.
    fn always_leads(&self, program: &Program, pool: &mut TermPool, from: Position, to: Position) -> bool {
        let mut seen = FxHashSet::default();
        let mut stack = vec![from];
        while let Some(position) = stack.pop() {
            if position == to || !seen.insert(position) {
                continue;
            }
            // From a later position nothing leads back.
            let is_end = position > to || self.outgoing[position].is_empty();
            if is_end || !is_total(program, pool, self.nodes[position]) {
                return false;
            }
            stack.extend(&self.outgoing[position]);
        }
        true
    }
}

/// The immediate dominator of each position: the last one that all paths to it go through.
fn dominators(incoming: &[Vec<(Position, Edge)>]) -> Vec<Position> {
    let mut dominator = vec![0; incoming.len()];
    let mut depth = vec![0u32; incoming.len()];
    for position in 1..incoming.len() {
        let common = incoming[position].iter().map(|&(source, _)| source).reduce(|mut one, mut other| {
            while one != other {
                if depth[one] >= depth[other] {
                    one = dominator[one];
                } else {
                    other = dominator[other];
                }
            }
            one
        });
        dominator[position] = common.unwrap_or(0);
        depth[position] = depth[dominator[position]] + 1;
    }
    dominator
}

/// True if one of the edges that leave a node can be taken in every state.
fn is_total(program: &Program, pool: &mut TermPool, node: Node) -> bool {
    let condition = |edge: &Edge| match program.edge(*edge).label {
        Label::Op(Op::Assume(condition)) => Some(condition),
        _ => None,
    };
    match program.node(node).outgoing.as_slice() {
        [only] => condition(only).is_none_or(|condition| condition == pool.bool(true)),
        [one, other] => match (condition(one), condition(other)) {
            (Some(one), Some(other)) => pool.not(one) == other,
            _ => false,
        },
        _ => false,
    }
}

/// Values of the variables that were assigned to, over the values where the block begins.
type Values = Rc<BTreeMap<Var, Term>>;

/// What the paths of a block do.
struct Summary<'a> {
    block: &'a Block,
    /// When a path comes from the immediate dominator of a position to that position.
    condition: Vec<Term>,
    /// Those that are still of use.
    values: Vec<Values>,
    /// How many edges that leave each position are still to be followed.
    left: Vec<usize>,
}

/// What the paths to the end of a block do.
struct Exit {
    node: Node,
    /// When a path gets there.
    guard: Term,
    assignments: Vec<(Var, Term)>,
}

impl<'a> Summary<'a> {
    /// `None` if `stop` says true meanwhile.
    fn new(
        program: &Program,
        liveness: &Liveness,
        pool: &mut TermPool,
        block: &'a Block,
        stop: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let always = pool.bool(true);
        let mut summary = Summary {
            block,
            condition: vec![always; block.nodes.len()],
            values: vec![Values::default()],
            left: block.outgoing.iter().map(Vec::len).collect(),
        };
        for position in 1..block.nodes.len() {
            if stop() {
                return None;
            }
            let after: Vec<(Position, Term, Values)> = block.incoming[position]
                .iter()
                .map(|&(source, edge)| {
                    let (condition, values) = summary.step(program, pool, source, edge);
                    (source, condition, values)
                })
                .collect();
            let (condition, values) = match <[_; 1]>::try_from(after) {
                Ok([(_, condition, values)]) => (condition, values),
                Err(after) => summary.meet(program, liveness, pool, position, after),
            };
            summary.condition[position] = condition;
            summary.values.push(values);
        }
        Some(summary)
    }

    /// When an edge can be taken, and the values after it.
    fn step(
        &mut self,
        program: &Program,
        pool: &mut TermPool,
        source: Position,
        edge: Edge,
    ) -> (Term, Values) {
        self.left[source] -= 1;
        // What nobody else needs can be changed in place.
        let mut values = match self.left[source] {
            0 => std::mem::take(&mut self.values[source]),
            _ => Rc::clone(&self.values[source]),
        };
        let now = |pool: &mut TermPool, term: Term| {
            Substitution::new().apply_with(pool, term, |_, variable| {
                values.get(&program.variable_of_term(variable)?).copied()
            })
        };
        match program.edge(edge).label {
            Label::Op(Op::Assume(condition)) => (now(pool, condition), values),
            Label::Op(Op::Assign(variable, term)) => {
                let value = now(pool, term);
                Rc::make_mut(&mut values).insert(variable, value);
                (pool.bool(true), values)
            }
            _ => (pool.bool(true), values),
        }
    }

    /// Where several edges lead to: the condition and the values.
    fn meet(
        &self,
        program: &Program,
        liveness: &Liveness,
        pool: &mut TermPool,
        position: Position,
        after: Vec<(Position, Term, Values)>,
    ) -> (Term, Values) {
        let (from, node) = (self.block.dominator[position], self.block.nodes[position]);
        let conditions: Vec<Term> = after
            .iter()
            .map(|&(source, condition, _)| {
                let reached = self.condition_from(pool, from, source);
                pool.and(reached, condition)
            })
            .collect();
        let condition = if self.block.always_leads(program, pool, from, position) {
            pool.bool(true)
        } else {
            any(pool, &conditions)
        };
        let mut variables: BTreeSet<Var> = BTreeSet::new();
        for (_, _, values) in &after {
            variables.extend(values.keys().filter(|&&variable| liveness.is_live(program, node, variable)));
        }
        let mut met = BTreeMap::new();
        for variable in variables {
            let before = program.variable(variable).term;
            let values = after.iter().map(|(_, _, values)| values.get(&variable).copied().unwrap_or(before));
            met.insert(variable, choice(pool, conditions.iter().copied().zip(values)));
        }
        (condition, Rc::new(met))
    }

    /// When a path comes from a position that dominates another one to that one.
    fn condition_from(&self, pool: &mut TermPool, from: Position, to: Position) -> Term {
        let mut conditions = Vec::new();
        let mut position = to;
        while position != from {
            conditions.push(self.condition[position]);
            position = self.block.dominator[position];
        }
        let always = pool.bool(true);
        conditions.into_iter().rev().fold(always, |all, condition| pool.and(all, condition))
    }

    /// `None` if they would be much larger than the block.
    fn exits(&self, program: &Program, liveness: &Liveness, pool: &mut TermPool) -> Option<Vec<Exit>> {
        // When a path gets from the start to each position.
        let mut reached = self.condition.clone();
        for position in 1..reached.len() {
            reached[position] = pool.and(reached[self.block.dominator[position]], reached[position]);
        }
        let mut edges_left = SMALL.max(MAX_GROWTH * self.block.edges());
        let mut exits = Vec::new();
        for end in self.block.ends() {
            let node = self.block.nodes[end];
            let assignments: Vec<(Var, Term)> = self.values[end]
                .iter()
                .map(|(&variable, &value)| (variable, value))
                .filter(|&(variable, value)| {
                    value != program.variable(variable).term && liveness.is_live(program, node, variable)
                })
                .collect();
            edges_left = edges_left.checked_sub(1 + assignments.len())?;
            exits.push(Exit { node, guard: reached[end], assignments });
        }
        Some(exits)
    }
}

/// The value whose condition holds, if one of the conditions does. What most of them give needs no condition.
fn choice(pool: &mut TermPool, cases: impl Iterator<Item = (Term, Term)>) -> Term {
    let mut of_value: Vec<(Term, Vec<Term>)> = Vec::new();
    for (condition, value) in cases {
        match of_value.iter_mut().find(|(known, _)| *known == value) {
            Some((_, conditions)) => conditions.push(condition),
            None => of_value.push((value, vec![condition])),
        }
    }
    of_value.sort_by_key(|(_, conditions)| std::cmp::Reverse(conditions.len()));
    let mut of_value = of_value.into_iter();
    let default = of_value.next().map(|(value, _)| value);
    let chosen = of_value.fold(default, |otherwise, (value, conditions)| {
        let condition = any(pool, &conditions);
        otherwise.map(|otherwise| pool.ite(condition, value, otherwise))
    });
    chosen.unwrap_or_else(|| pool.bool(true))
}

fn any(pool: &mut TermPool, conditions: &[Term]) -> Term {
    let never = pool.bool(false);
    conditions.iter().fold(never, |any, &condition| pool.or(any, condition))
}

/// Lets the edges of a block's exits take the place of what leaves its first node.
/// `None` if `stop` says true meanwhile.
fn replace(
    builder: &mut ProgramBuilder,
    pool: &mut TermPool,
    block: &Block,
    exits: Vec<Exit>,
    stop: &dyn Fn() -> bool,
) -> Option<()> {
    let start = block.nodes[0];
    let procedure = builder.node(start).procedure;
    let &(_, first) = block.incoming.iter().flatten().next()?;
    let span = builder.edge(first).span;
    builder.split(start);
    for exit in exits {
        let steps = in_sequence(builder, pool, procedure, exit.assignments, stop)?;
        let assume = std::iter::once(Op::Assume(exit.guard));
        let count = steps.len();
        let mut node = start;
        for (index, operation) in assume.chain(steps).enumerate() {
            let target = if index == count { exit.node } else { builder.add_node(procedure) };
            builder.add_edge(node, target, Label::Op(operation), span);
            node = target;
        }
    }
    Some(())
}

/// Assignments that are to be made all at once, one after the other; `None` if `stop` says true meanwhile.
fn in_sequence(
    builder: &mut ProgramBuilder,
    pool: &mut TermPool,
    procedure: Procedure,
    assignments: Vec<(Var, Term)>,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<Op>> {
    let mut reads: Vec<Vec<Term>> = Vec::with_capacity(assignments.len());
    for &(_, value) in &assignments {
        if stop() {
            return None;
        }
        reads.push(free_variables(pool, &[value]));
    }
    // How many of the assignments that are left read each variable.
    let mut readers: BTreeMap<Term, usize> = BTreeMap::new();
    for variable in reads.iter().flatten() {
        *readers.entry(*variable).or_default() += 1;
    }
    let own: Vec<(Term, usize)> = assignments
        .iter()
        .zip(&reads)
        .map(|(&(variable, _), reads)| {
            let term = builder.variable(variable).term;
            (term, usize::from(reads.contains(&term)))
        })
        .collect();
    let mut left: Vec<usize> = (0..assignments.len()).collect();
    let (mut steps, mut late) = (Vec::new(), Vec::new());
    while !left.is_empty() {
        // One whose variable no other one that is left reads; if there is none, the value is kept until the end.
        let free = left.iter().position(|&index| {
            let (term, by_itself) = own[index];
            readers.get(&term).copied().unwrap_or(0) == by_itself
        });
        let index = left.swap_remove(free.unwrap_or(0));
        let (variable, value) = assignments[index];
        if free.is_some() {
            steps.push(Op::Assign(variable, value));
        } else {
            let info = builder.variable(variable);
            let (name, sort) = (format!("<next {}>", info.name), info.sort);
            let temporary = builder.add_variable(pool, name, sort, Some(procedure), None);
            steps.push(Op::Assign(temporary, value));
            late.push(Op::Assign(variable, builder.variable(temporary).term));
        }
        for variable in &reads[index] {
            if let Some(count) = readers.get_mut(variable) {
                *count -= 1;
            }
        }
    }
    steps.append(&mut late);
    Some(steps)
}

#[cfg(test)]
#[path = "join_tests.rs"]
mod tests;
