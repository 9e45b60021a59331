//! What terms read and which cells of arrays assignments write.
//!
//! Memory is a few large arrays. Which cell a read or write is about is known only when the program runs,
//! so the terms of the indices are observed during the run.

use aster_cfa::{Access, Edge, Label, Node, Note, Op, PlacePart, Program, Var, show_term};
use aster_term::{Op as TermOp, Sort, Term, TermPool, free_variables};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Branches into branches that all end in what is not defined or not modelled are followed this far.
const CHECK_DEPTH: u32 = 3;

/// What the value of a term depends on.
#[derive(Debug, Default)]
pub(crate) struct Dependencies {
    /// Variables that are no arrays.
    pub(crate) scalars: Vec<Var>,
    /// Cells of arrays, with the terms of their indices.
    pub(crate) cells: Vec<(Var, Term)>,
    /// Arrays as a whole.
    pub(crate) arrays: Vec<Var>,
}

/// A cell of an array is changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellWrite {
    pub(crate) index: Term,
    pub(crate) value: Term,
}

/// Knows what the edges of a program read and write.
pub(crate) struct Accesses<'a> {
    program: &'a Program,
    pool: &'a TermPool,
    dependencies: FxHashMap<Term, Rc<Dependencies>>,
    edges: FxHashMap<Edge, Rc<EdgeAccesses>>,
}

/// What is known about an edge.
#[derive(Debug)]
pub(crate) struct EdgeAccesses {
    /// The terms that are observed there, in ascending order.
    observed: Vec<Term>,
    /// It belongs to a branch that the program does not decide: everything else that could happen there is
    /// not defined or not modelled.
    pub(crate) is_check: bool,
    /// The path depends on its condition: it is no check, or one that fails.
    pub(crate) decides: bool,
    /// The cells that it changes, the last write first; `None` if it changes a whole variable or nothing.
    pub(crate) writes: Option<Vec<CellWrite>>,
    /// What it decides, if that can be said in terms of the source.
    pub(crate) branch: Option<Branch>,
    /// The access to memory that turns out to be none to an object, if the edge leads to that error.
    pub(crate) invalid_access: Option<Access>,
}

/// A condition that decided where to go.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub(crate) condition: String,
    pub(crate) taken: bool,
}

impl<'a> Accesses<'a> {
    pub(crate) fn new(program: &'a Program, pool: &'a TermPool) -> Self {
        Accesses { program, pool, dependencies: FxHashMap::default(), edges: FxHashMap::default() }
    }

    /// The terms whose values must be known to tell what the edge does.
    pub(crate) fn observe(&mut self, edge: Edge) -> Vec<Term> {
        self.edge(edge).observed.clone()
    }

    /// What the edge reads and writes.
    pub(crate) fn edge(&mut self, edge: Edge) -> Rc<EdgeAccesses> {
        if let Some(known) = self.edges.get(&edge) {
            return known.clone();
        }
        let found = Rc::new(self.find_accesses(edge));
        self.edges.insert(edge, found.clone());
        found
    }

    /// The same for an edge of the run.
    pub(crate) fn known(&self, edge: Edge) -> Option<&EdgeAccesses> {
        self.edges.get(&edge).map(Rc::as_ref)
    }

    fn find_accesses(&mut self, edge: Edge) -> EdgeAccesses {
        let info = self.program.edge(edge);
        let is_check = is_check(self.program, edge);
        let mut terms = Vec::new();
        let mut cell_writes = None;
        let decides = !is_check || self.ends_in_error(edge);
        match &info.label {
            Label::Op(Op::Assume(condition)) => {
                if decides {
                    self.observe_reads(*condition, &mut terms);
                }
            }
            Label::Op(Op::Assign(variable, term)) => match self.cell_writes(*variable, *term) {
                Some(writes) => {
                    for &CellWrite { index, value } in &writes {
                        terms.push(index);
                        self.observe_reads(index, &mut terms);
                        self.observe_reads(value, &mut terms);
                    }
                    cell_writes = Some(writes);
                }
                None => self.observe_reads(*term, &mut terms),
            },
            Label::Call(call) => {
                call.arguments.iter().for_each(|&argument| self.observe_reads(argument, &mut terms));
            }
            Label::Op(Op::Havoc(..)) | Label::Unsupported(_) | Label::Undefined { .. } => {}
        }
        if let Some(Note::Write(written)) = info.note.as_deref() {
            terms.push(written.value);
            terms.extend(written.place.iter().filter_map(|part| match part {
                PlacePart::Number(term, _) => Some(*term),
                PlacePart::Text(_) => None,
            }));
        }
        let invalid_access = self.invalid_access(edge);
        if let Some(access) = &invalid_access {
            terms.extend([access.address, access.length, access.object, access.extent]);
        }
        terms.retain(|&term| self.pool.constant(term).is_none());
        terms.sort_unstable();
        terms.dedup();
        let branch = if is_check { None } else { self.branch(edge) };
        EdgeAccesses { observed: terms, is_check, decides, writes: cell_writes, branch, invalid_access }
    }

    /// What is checked by the branch that the edge belongs to, if that is an access to memory and the edge ends in the error.
    fn invalid_access(&self, edge: Edge) -> Option<Access> {
        if !self.ends_in_error(edge) {
            return None;
        }
        let info = self.program.edge(edge);
        let first = *self.program.node(info.source).outgoing.first()?;
        match self.program.edge(first).note.as_deref() {
            Some(Note::Check(access)) => access.clone(),
            _ => None,
        }
    }

    fn ends_in_error(&self, edge: Edge) -> bool {
        let mut node = self.program.edge(edge).target;
        if let ([next], None) = (&self.program.node(node).outgoing[..], self.program.node(node).error) {
            node = self.program.edge(*next).target;
        }
        self.program.node(node).error.is_some()
    }

    /// Of two ways, the first one's condition is named, so that both are told alike.
    fn branch(&self, edge: Edge) -> Option<Branch> {
        let outgoing = &self.program.node(self.program.edge(edge).source).outgoing;
        let (named, taken) = match outgoing.as_slice() {
            [first, _] => (*first, *first == edge),
            _ => (edge, true),
        };
        let info = self.program.edge(named);
        let Label::Op(Op::Assume(condition)) = info.label else { return None };
        if self.pool.constant(condition).is_some() {
            return None;
        }
        let condition = match info.note.as_deref() {
            Some(Note::Condition(text)) => text.clone(),
            _ if self.is_of_source(condition) => show_term(self.program, self.pool, condition),
            _ => return None,
        };
        Some(Branch { condition, taken })
    }

    /// A term over variables that the source names.
    fn is_of_source(&self, term: Term) -> bool {
        free_variables(self.pool, &[term]).into_iter().all(|term| {
            let variable = self.program.variable_of_term(term);
            variable.is_some_and(|variable| self.program.variable(variable).presentation.is_some())
        })
    }

    fn observe_reads(&mut self, term: Term, terms: &mut Vec<Term>) {
        terms.extend(self.dependencies(term).cells.iter().map(|&(_, index)| index));
    }

    /// The value that a term had when the edge was taken, with these observations.
    pub(crate) fn value(&self, edge: Edge, term: Term, values: &[u128]) -> Option<u128> {
        if let Some(bits) = self.pool.bv_constant(term) {
            return Some(bits.unsigned());
        }
        let position = self.edges.get(&edge)?.observed.binary_search(&term).ok()?;
        values.get(position).copied()
    }

    /// What the value of a term depends on.
    pub(crate) fn dependencies(&mut self, term: Term) -> Rc<Dependencies> {
        if let Some(known) = self.dependencies.get(&term) {
            return known.clone();
        }
        let found = Rc::new(self.find_dependencies(term));
        self.dependencies.insert(term, found.clone());
        found
    }

    /// Arrays are followed together with the index that they are read at, if it is only one.
    fn find_dependencies(&self, root: Term) -> Dependencies {
        let mut found = Dependencies::default();
        let mut seen = FxHashSet::default();
        let mut work: Vec<(Term, Option<Term>)> = vec![(root, None)];
        while let Some((term, index)) = work.pop() {
            if !seen.insert((term, index)) {
                continue;
            }
            let args = self.pool.args(term);
            match (self.pool.op(term), index) {
                (TermOp::Variable(_), _) => {
                    let Some(variable) = self.program.variable_of_term(term) else { continue };
                    match (self.pool.sort(term), index) {
                        (Sort::Array { .. }, Some(index)) => found.cells.push((variable, index)),
                        (Sort::Array { .. }, None) => found.arrays.push(variable),
                        _ => found.scalars.push(variable),
                    }
                }
                (TermOp::Select, _) => work.extend([(args[0], Some(args[1])), (args[1], None)]),
                (TermOp::Store, index) => work.extend([(args[0], index), (args[1], None), (args[2], None)]),
                (TermOp::Ite, Some(_)) => work.extend([(args[0], None), (args[1], index), (args[2], index)]),
                _ => work.extend(args.iter().map(|&arg| (arg, None))),
            }
        }
        found
    }

    fn cell_writes(&self, variable: Var, term: Term) -> Option<Vec<CellWrite>> {
        let info = self.program.variable(variable);
        if !matches!(info.sort, Sort::Array { .. }) {
            return None;
        }
        let mut writes = Vec::new();
        let mut current = term;
        while self.pool.op(current) == TermOp::Store {
            let args = self.pool.args(current);
            writes.push(CellWrite { index: args[1], value: args[2] });
            current = args[0];
        }
        (current == info.term).then_some(writes)
    }
}

fn is_check(program: &Program, edge: Edge) -> bool {
    let outgoing = &program.node(program.edge(edge).source).outgoing;
    let is_noted = |&edge: &Edge| matches!(program.edge(edge).note.as_deref(), Some(Note::Check(_)));
    outgoing.first().is_some_and(is_noted)
        || outgoing.len() > 1
            && outgoing
                .iter()
                .filter(|&&other| other != edge)
                .all(|&other| leads_nowhere(program, program.edge(other).target))
}

fn leads_nowhere(program: &Program, start: Node) -> bool {
    let mut work = vec![(start, CHECK_DEPTH)];
    while let Some((node, depth)) = work.pop() {
        let info = program.node(node);
        if info.error.is_some() || info.outgoing.is_empty() {
            return false;
        }
        for &edge in &info.outgoing {
            let edge = program.edge(edge);
            match edge.label {
                Label::Undefined { .. } | Label::Unsupported(_) => {}
                Label::Op(Op::Assume(_)) if depth > 0 => work.push((edge.target, depth - 1)),
                _ => return false,
            }
        }
    }
    true
}
