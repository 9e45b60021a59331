//! From a program to its abstraction.

use super::Array;
use super::choose::{subterms, terms_of, writes};
use aster_cfa::{
    Input, InputOrigin, Label, LoopInfo, Node, Op, Presentation, Program, ProgramBuilder, Span, Var,
};
use aster_term::{Op as Operator, Sort, Substitution, Term, TermPool};
use rustc_hash::FxHashMap;

/// An index that is chosen, and the last one that was read.
struct Ghost {
    chosen: Var,
    last: Var,
}

/// What is kept of an array.
#[derive(Clone, Copy)]
struct Cell {
    array: Array,
    value: Var,
    cache: Option<Cache>,
}

/// What was accessed last elsewhere in the same iteration of a loop. Invariant: if something is set, the index is not the
/// chosen one, and the value is that of the array there.
#[derive(Clone, Copy)]
struct Cache {
    /// One if there is something.
    is_set: Var,
    index: Var,
    value: Var,
}

struct Rewriter<'a> {
    program: &'a Program,
    pool: &'a mut TermPool,
    builder: ProgramBuilder,
    ghosts: Vec<Ghost>,
    cells: FxHashMap<Var, Cell>,
}

/// The program with cells in place of arrays.
pub(super) fn rewritten(program: &Program, pool: &mut TermPool, arrays: &[Array]) -> Program {
    let mut rewriter = Rewriter {
        program,
        pool,
        builder: ProgramBuilder::of(program),
        ghosts: Vec::new(),
        cells: FxHashMap::default(),
    };
    let mut ghosts: Vec<(usize, u32)> =
        arrays.iter().map(|array| (array.ghost, rewriter.pool.width(array.base))).collect();
    ghosts.sort_unstable();
    ghosts.dedup_by_key(|(ghost, _)| *ghost);
    // The numbers of ghosts become their positions.
    let positions: FxHashMap<usize, usize> =
        ghosts.iter().enumerate().map(|(position, (ghost, _))| (*ghost, position)).collect();
    for (_, width) in ghosts {
        let chosen = rewriter.global("<index>", Sort::BitVec(width));
        let last = rewriter.global("<last index>", Sort::BitVec(width));
        rewriter.ghosts.push(Ghost { chosen, last });
    }
    for array in arrays {
        let array = Array { ghost: positions[&array.ghost], ..*array };
        let info = program.variable(array.variable);
        let Sort::Array { index, element } = info.sort else { continue };
        let value = rewriter.global(&format!("{}[<index>]", info.name), Sort::BitVec(element));
        let cache = array.is_cached.then(|| Cache {
            is_set: rewriter.global("<accessed>", Sort::BitVec(1)),
            index: rewriter.global("<accessed index>", Sort::BitVec(index)),
            value: rewriter.global("<accessed value>", Sort::BitVec(element)),
        });
        rewriter.cells.insert(array.variable, Cell { array, value, cache });
    }
    for node in program.nodes() {
        rewriter.rewrite(node);
    }
    let loops = LoopInfo::new(program);
    let is_last = rewriter.is_last();
    for node in program.nodes() {
        rewriter.restrict_error(node, is_last);
        if loops.is_loop_head(node) && program.node(node).error.is_none() {
            rewriter.begin_iteration(node);
        }
    }
    rewriter.choose();
    let mut abstraction = rewriter.builder.finish(program.sources.clone(), program.entry);
    abstraction.stands_for(program);
    abstraction
}

/// An input of the abstraction.
fn any(what: &str) -> Input {
    Input { origin: InputOrigin::Choice(what.to_owned()), presentation: Presentation::Raw(what.to_owned()) }
}

impl Rewriter<'_> {
    fn global(&mut self, name: &str, sort: Sort) -> Var {
        self.builder.add_variable(self.pool, name, sort, None, None)
    }

    fn term(&self, variable: Var) -> Term {
        self.builder.variable(variable).term
    }

    /// Adds an edge to a new node.
    fn then(&mut self, from: Node, op: Op, span: Span) -> Node {
        let procedure = self.builder.node(from).procedure;
        let to = self.builder.add_node(procedure);
        self.builder.add_edge(from, to, Label::Op(op), span);
        to
    }

    /// Two new nodes: where a condition holds, and where it does not.
    fn branch(&mut self, from: Node, condition: Term, span: Span) -> (Node, Node) {
        let negated = self.pool.not(condition);
        (self.then(from, Op::Assume(condition), span), self.then(from, Op::Assume(negated), span))
    }

    fn go(&mut self, from: Node, to: Node, span: Span) {
        let always = self.pool.bool(true);
        self.builder.add_edge(from, to, Label::Op(Op::Assume(always)), span);
    }

    /// The condition that an index is the chosen one.
    fn is_chosen(&mut self, array: &Array, index: Term) -> Term {
        let offset = self.pool.sub(index, array.base);
        let chosen = self.term(self.ghosts[array.ghost].chosen);
        self.pool.eq(offset, chosen)
    }

    /// Rewrites all edges that leave a node.
    fn rewrite(&mut self, node: Node) {
        let edges = self.program.node(node).outgoing.clone();
        let terms: Vec<Term> =
            edges.iter().flat_map(|&edge| terms_of(&self.program.edge(edge).label)).collect();
        let reads: Vec<(Var, Term)> = subterms(self.pool, &terms)
            .into_iter()
            .filter_map(|term| Some((self.array_of_read(term)?, term)))
            .collect();
        let is_assigned = edges.iter().any(|&edge| match self.program.edge(edge).label {
            Label::Op(Op::Assign(variable, _) | Op::Havoc(variable, _)) => self.cells.contains_key(&variable),
            _ => false,
        });
        if reads.is_empty() && !is_assigned {
            return;
        }
        let Some(&first) = edges.first() else { return };
        let span = self.program.edge(first).span;
        let rest = self.builder.split(node);
        let mut at = node;
        let mut values = Substitution::new();
        for (array, read) in reads {
            // What stands in for a read is known before it is asked for: an index is made of terms below.
            let index = values.apply(self.pool, self.pool.args(read)[1]);
            let (variable, after) = self.read(at, array, index, span);
            values.insert(read, self.term(variable));
            at = after;
        }
        for edge in edges {
            let label = match self.program.edge(edge).label.clone() {
                Label::Op(Op::Assume(condition)) => Label::Op(Op::Assume(values.apply(self.pool, condition))),
                Label::Op(Op::Assign(variable, value)) if self.cells.contains_key(&variable) => {
                    at = self.write(at, variable, value, &mut values, span);
                    Label::Op(Op::Assume(self.pool.bool(true)))
                }
                Label::Op(Op::Havoc(variable, input)) if self.cells.contains_key(&variable) => {
                    at = self.forget(at, variable, &input, span);
                    Label::Op(Op::Assume(self.pool.bool(true)))
                }
                Label::Op(Op::Assign(variable, value)) => {
                    Label::Op(Op::Assign(variable, values.apply(self.pool, value)))
                }
                Label::Call(mut call) => {
                    for argument in &mut call.arguments {
                        *argument = values.apply(self.pool, *argument);
                    }
                    Label::Call(call)
                }
                other => other,
            };
            self.builder.set_label(edge, label);
        }
        self.go(at, rest, span);
    }

    /// The array that a term reads, if one cell of it is kept.
    fn array_of_read(&self, term: Term) -> Option<Var> {
        if self.pool.op(term) != Operator::Select {
            return None;
        }
        let variable = self.program.variable_of_term(self.pool.args(term)[0])?;
        self.cells.contains_key(&variable).then_some(variable)
    }

    /// Reads: the chosen cell, what was accessed last, or anything. Gives the variable that holds the value, and where
    /// the path goes on.
    fn read(&mut self, from: Node, variable: Var, index: Term, span: Span) -> (Var, Node) {
        let Cell { array, value, cache } = self.cells[&variable];
        let procedure = self.builder.node(from).procedure;
        let sort = self.builder.variable(value).sort;
        let result = self.builder.add_variable(self.pool, "read", sort, Some(procedure), None);
        let last = self.ghosts[array.ghost].last;
        let offset = self.pool.sub(index, array.base);
        let from = self.then(from, Op::Assign(last, offset), span);
        let end = self.builder.add_node(procedure);
        let is_chosen = self.is_chosen(&array, index);
        let (here, elsewhere) = self.branch(from, is_chosen, span);
        let here = self.then(here, Op::Assign(result, self.term(value)), span);
        self.go(here, end, span);
        let Some(cache) = cache else {
            let elsewhere = self.then(elsewhere, Op::Havoc(result, any("another cell")), span);
            self.go(elsewhere, end, span);
            return (result, end);
        };
        let one = self.pool.bv(1, 1);
        let is_set = self.pool.eq(self.term(cache.is_set), one);
        let is_same = self.pool.eq(index, self.term(cache.index));
        let is_accessed = self.pool.and(is_set, is_same);
        let (again, new) = self.branch(elsewhere, is_accessed, span);
        let again = self.then(again, Op::Assign(result, self.term(cache.value)), span);
        self.go(again, end, span);
        let new = self.then(new, Op::Havoc(result, any("another cell")), span);
        let new = self.remember(new, cache, index, self.term(result), span);
        self.go(new, end, span);
        (result, end)
    }

    /// Notes what was accessed.
    fn remember(&mut self, from: Node, cache: Cache, index: Term, value: Term, span: Span) -> Node {
        let one = self.pool.bv(1, 1);
        let at = self.then(from, Op::Assign(cache.is_set, one), span);
        let at = self.then(at, Op::Assign(cache.index, index), span);
        self.then(at, Op::Assign(cache.value, value), span)
    }

    /// Forgets what was accessed.
    fn forget_access(&mut self, from: Node, cache: Option<Cache>, span: Span) -> Node {
        let Some(cache) = cache else { return from };
        let zero = self.pool.bv(1, 0);
        self.then(from, Op::Assign(cache.is_set, zero), span)
    }

    /// Assigns what an array is after some writes to it, or an array with one value everywhere.
    fn write(
        &mut self,
        from: Node,
        variable: Var,
        value: Term,
        values: &mut Substitution,
        span: Span,
    ) -> Node {
        let writes = writes(self.pool, value);
        let at = writes.last().map_or(value, |&first| self.pool.args(first)[0]);
        let mut from = from;
        if self.program.variable_of_term(at) != Some(variable) {
            let everywhere = match self.pool.op(at) {
                Operator::ConstArray { .. } => Some(values.apply(self.pool, self.pool.args(at)[0])),
                _ => None,
            };
            from = match everywhere {
                Some(element) => {
                    let Cell { value, cache, .. } = self.cells[&variable];
                    let at = self.then(from, Op::Assign(value, element), span);
                    self.forget_access(at, cache, span)
                }
                None => self.forget(from, variable, &any("the array"), span),
            };
        }
        for write in writes.into_iter().rev() {
            let (index, element) = (self.pool.args(write)[1], self.pool.args(write)[2]);
            let (index, element) = (values.apply(self.pool, index), values.apply(self.pool, element));
            from = self.write_one(from, variable, index, element, span);
        }
        from
    }

    /// Writes one element.
    fn write_one(&mut self, from: Node, variable: Var, index: Term, element: Term, span: Span) -> Node {
        let Cell { array, value, cache } = self.cells[&variable];
        let end = self.builder.add_node(self.builder.node(from).procedure);
        let is_chosen = self.is_chosen(&array, index);
        let (here, mut elsewhere) = self.branch(from, is_chosen, span);
        let here = self.then(here, Op::Assign(value, element), span);
        self.go(here, end, span);
        if let Some(cache) = cache {
            elsewhere = self.remember(elsewhere, cache, index, element, span);
        }
        self.go(elsewhere, end, span);
        end
    }

    /// Lets an array be anything.
    fn forget(&mut self, from: Node, variable: Var, input: &Input, span: Span) -> Node {
        let Cell { value, cache, .. } = self.cells[&variable];
        let at = self.then(from, Op::Havoc(value, input.clone()), span);
        self.forget_access(at, cache, span)
    }

    fn caches(&self) -> impl Iterator<Item = Cache> + '_ {
        self.cells.values().filter_map(|cell| cell.cache)
    }

    /// Forgets what was accessed of all arrays.
    fn forget_accesses(&mut self, from: Node, span: Span) -> Node {
        let mut caches: Vec<Cache> = self.caches().collect();
        caches.sort_unstable_by_key(|cache| cache.is_set);
        caches.into_iter().fold(from, |at, cache| self.forget_access(at, Some(cache), span))
    }

    /// Lets an iteration begin with nothing that was accessed: what was is of no use in another one, and refinement need not
    /// find that out.
    fn begin_iteration(&mut self, head: Node) {
        let Some(&first) = self.program.node(head).outgoing.first() else { return };
        if self.caches().next().is_none() {
            return;
        }
        let span = self.program.edge(first).span;
        let rest = self.builder.split(head);
        let at = self.forget_accesses(head, span);
        self.go(at, rest, span);
    }

    /// The condition that all chosen indices are the last ones that were read.
    fn is_last(&mut self) -> Term {
        let mut condition = self.pool.bool(true);
        for position in 0..self.ghosts.len() {
            let Ghost { chosen, last } = self.ghosts[position];
            let is_last = self.pool.eq(self.term(chosen), self.term(last));
            condition = self.pool.and(condition, is_last);
        }
        condition
    }

    /// Lets an error count only if the last index that was read is the chosen one.
    fn restrict_error(&mut self, node: Node, is_last: Term) {
        let Some(kind) = self.builder.take_error(node) else { return };
        // Nothing matters after an error.
        self.builder.split(node);
        let edges = || self.program.edges().map(|edge| self.program.edge(edge));
        let near = edges().find(|info| info.target == node).or_else(|| edges().next());
        let Some(span) = near.map(|info| info.span) else {
            // A program without edges.
            self.builder.set_error(node, kind);
            return;
        };
        let (error, _) = self.branch(node, is_last, span);
        self.builder.set_error(error, kind);
    }

    /// Chooses the indices where the program begins, and gives the other new variables some value: also the indices that were
    /// read last, so that nothing is asked of one that belongs to arrays that no path reads.
    fn choose(&mut self) {
        let entry = self.program.procedure(self.program.entry).entry;
        let Some(&first) = self.program.node(entry).outgoing.first() else { return };
        let span = self.program.edge(first).span;
        let rest = self.builder.split(entry);
        let mut variables: Vec<Var> =
            self.ghosts.iter().flat_map(|ghost| [ghost.chosen, ghost.last]).collect();
        variables.extend(self.caches().flat_map(|cache| [cache.index, cache.value]));
        variables.extend(self.cells.values().map(|cell| cell.value));
        variables.sort_unstable();
        let mut at = entry;
        for variable in variables {
            at = self.then(at, Op::Havoc(variable, any("initial value")), span);
        }
        at = self.forget_accesses(at, span);
        self.go(at, rest, span);
    }
}
