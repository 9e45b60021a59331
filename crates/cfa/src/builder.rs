//! Building programs: what front ends use.

use crate::program::{
    Edge, EdgeInfo, ErrorKind, Label, Node, NodeInfo, Note, Presentation, Procedure, ProcedureInfo, Program,
    SourceFunctions, Var, VarInfo,
};
use crate::source::{SourceMap, Span};
use aster_term::{Sort, Term, TermPool};
use rustc_hash::FxHashMap;

/// Collects procedures, nodes, edges and variables, and makes a [`Program`] of them.
#[derive(Default)]
pub struct ProgramBuilder {
    procedures: Vec<ProcedureInfo>,
    nodes: Vec<NodeInfo>,
    edges: Vec<EdgeInfo>,
    variables: Vec<VarInfo>,
    slots: Vec<u32>,
    by_term: FxHashMap<Term, Var>,
    global_count: u32,
    local_counts: Vec<u32>,
}

impl ProgramBuilder {
    /// An empty program.
    pub fn new() -> Self {
        Self::default()
    }

    /// Everything that a program has, to be changed. Files, functions and objects are not part of it.
    pub fn of(program: &Program) -> Self {
        ProgramBuilder {
            procedures: program.procedures.clone(),
            nodes: program.nodes.clone(),
            edges: program.edges.clone(),
            variables: program.variables.clone(),
            slots: program.slots.clone(),
            by_term: program.by_term.clone(),
            global_count: program.global_count,
            local_counts: program.local_counts.clone(),
        }
    }

    /// Declares a procedure; its body is added by edges from its entry to its exit. Parameters and
    /// the result are set with [`ProgramBuilder::set_signature`] once their variables exist.
    pub fn add_procedure(&mut self, name: impl Into<String>) -> Procedure {
        let procedure = Procedure::from_index(self.procedures.len());
        self.local_counts.push(0);
        let entry = self.add_node(procedure);
        let exit = self.add_node(procedure);
        self.procedures.push(ProcedureInfo {
            name: name.into(),
            entry,
            exit,
            parameters: Vec::new(),
            result: None,
        });
        procedure
    }

    /// Sets the parameters and the result variable of a procedure.
    pub fn set_signature(&mut self, procedure: Procedure, parameters: Vec<Var>, result: Option<Var>) {
        let info = &mut self.procedures[procedure.index()];
        info.parameters = parameters;
        info.result = result;
    }

    /// The procedure's data so far.
    pub fn procedure(&self, procedure: Procedure) -> &ProcedureInfo {
        &self.procedures[procedure.index()]
    }

    /// Adds a node.
    pub fn add_node(&mut self, procedure: Procedure) -> Node {
        self.nodes.push(NodeInfo { procedure, outgoing: Vec::new(), error: None });
        Node::from_index(self.nodes.len() - 1)
    }

    /// The node's data so far.
    pub fn node(&self, node: Node) -> &NodeInfo {
        &self.nodes[node.index()]
    }

    /// Marks a node as an error.
    pub fn set_error(&mut self, node: Node, kind: ErrorKind) {
        self.nodes[node.index()].error = Some(kind);
    }

    /// Makes a node none that is an error; gives what it was.
    pub fn take_error(&mut self, node: Node) -> Option<ErrorKind> {
        self.nodes[node.index()].error.take()
    }

    /// Lets all edges that leave a node leave a new node instead, which nothing leads to yet.
    pub fn split(&mut self, node: Node) -> Node {
        let rest = self.add_node(self.nodes[node.index()].procedure);
        let edges = std::mem::take(&mut self.nodes[node.index()].outgoing);
        for edge in &edges {
            self.edges[edge.index()].source = rest;
        }
        self.nodes[rest.index()].outgoing = edges;
        rest
    }

    /// The edge's data so far.
    pub fn edge(&self, edge: Edge) -> &EdgeInfo {
        &self.edges[edge.index()]
    }

    /// Lets an edge do something else.
    pub fn set_label(&mut self, edge: Edge, label: Label) {
        let info = &mut self.edges[edge.index()];
        info.label = label;
        info.note = None;
    }

    /// Lets an edge lead somewhere else.
    pub fn set_target(&mut self, edge: Edge, target: Node) {
        self.edges[edge.index()].target = target;
    }

    /// Adds an edge.
    pub fn add_edge(&mut self, source: Node, target: Node, label: Label, span: Span) -> Edge {
        let edge = Edge::from_index(self.edges.len());
        self.nodes[source.index()].outgoing.push(edge);
        self.edges.push(EdgeInfo { source, target, label, span, note: None });
        edge
    }

    /// Says what an edge means in terms of the source.
    pub fn set_note(&mut self, edge: Edge, note: Note) {
        self.edges[edge.index()].note = Some(Box::new(note));
    }

    /// True if the node has no outgoing edge yet.
    pub fn is_open(&self, node: Node) -> bool {
        self.nodes[node.index()].outgoing.is_empty()
    }

    /// Adds a variable, local to `owner` or global. Its term gets a unique name made from `name`.
    pub fn add_variable(
        &mut self,
        pool: &mut TermPool,
        name: impl Into<String>,
        sort: Sort,
        owner: Option<Procedure>,
        presentation: Option<Presentation>,
    ) -> Var {
        let name = name.into();
        let term = pool.fresh_variable(&name, sort);
        self.add_variable_of(pool, name, term, owner, presentation)
    }

    /// Adds a variable that is held in this term, which stands for no other one.
    pub fn add_variable_of(
        &mut self,
        pool: &TermPool,
        name: impl Into<String>,
        term: Term,
        owner: Option<Procedure>,
        presentation: Option<Presentation>,
    ) -> Var {
        let (name, sort) = (name.into(), pool.sort(term));
        let variable = Var::from_index(self.variables.len());
        let count = match owner {
            Some(procedure) => &mut self.local_counts[procedure.index()],
            None => &mut self.global_count,
        };
        self.slots.push(*count);
        *count += 1;
        self.by_term.insert(term, variable);
        self.variables.push(VarInfo { name, sort, term, owner, presentation });
        variable
    }

    /// The variable's data.
    pub fn variable(&self, variable: Var) -> &VarInfo {
        &self.variables[variable.index()]
    }

    /// The variable that a term variable stands for.
    pub fn variable_of_term(&self, term: Term) -> Option<Var> {
        self.by_term.get(&term).copied()
    }

    /// The finished program, which starts in `entry`.
    pub fn finish(self, sources: SourceMap, entry: Procedure) -> Program {
        Program {
            sources,
            entry,
            functions: SourceFunctions::default(),
            objects: Vec::new(),
            unused: Vec::new(),
            undefined_counts: false,
            procedures: self.procedures,
            nodes: self.nodes,
            edges: self.edges,
            variables: self.variables,
            slots: self.slots,
            global_count: self.global_count,
            local_counts: self.local_counts,
            by_term: self.by_term,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_dense_among_globals_and_among_the_locals_of_each_procedure() {
        let mut pool = TermPool::new();
        let mut builder = ProgramBuilder::new();
        let (f, g) = (builder.add_procedure("f"), builder.add_procedure("g"));
        let owners = [None, Some(f), Some(g), Some(f), None, Some(f)];
        let variables: Vec<Var> = owners
            .iter()
            .map(|&owner| builder.add_variable(&mut pool, "v", Sort::Bool, owner, None))
            .collect();
        let program = builder.finish(SourceMap::new(), f);
        let slots: Vec<usize> = variables.iter().map(|&variable| program.slot(variable)).collect();
        assert_eq!(slots, [0, 0, 0, 1, 1, 2]);
        assert_eq!((program.global_count(), program.local_count(f), program.local_count(g)), (2, 3, 1));
        assert_eq!(program.procedure_named("g"), Some(g));
        assert_eq!(program.procedure_named("h"), None);
    }

    #[test]
    fn variables_of_one_name_have_terms_of_their_own() {
        let mut pool = TermPool::new();
        let mut builder = ProgramBuilder::new();
        let a = builder.add_variable(&mut pool, "x", Sort::BitVec(8), None, None);
        let b = builder.add_variable(&mut pool, "x", Sort::Bool, None, None);
        let (a_term, b_term) = (builder.variable(a).term, builder.variable(b).term);
        assert_ne!(a_term, b_term);
        assert_eq!(builder.variable_of_term(a_term), Some(a));
        let stranger = pool.variable("x", Sort::Bool);
        let main = builder.add_procedure("main");
        let program = builder.finish(SourceMap::new(), main);
        assert_eq!(program.variable_of_term(b_term), Some(b));
        assert_eq!(program.variable_of_term(stranger), None);
    }

    #[test]
    fn nodes_are_open_until_an_edge_leaves_them() {
        let mut pool = TermPool::new();
        let mut builder = ProgramBuilder::new();
        let main = builder.add_procedure("main");
        let (entry, exit) = (builder.procedure(main).entry, builder.procedure(main).exit);
        assert!(builder.is_open(entry));
        let yes = pool.bool(true);
        let mut sources = SourceMap::new();
        let span = Span::line_start(sources.add("a.c", ""), 1);
        let edge = builder.add_edge(entry, exit, Label::Op(crate::program::Op::Assume(yes)), span);
        assert!(!builder.is_open(entry));
        assert!(builder.is_open(exit));
        assert_eq!(builder.node(entry).outgoing, [edge]);
    }
}
