//! Building programs: what front ends use.

use crate::program::{
    Edge, EdgeInfo, ErrorKind, Label, Node, NodeInfo, Presentation, Procedure, ProcedureInfo, Program, Var,
    VarInfo,
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

    /// Marks a node as an error.
    pub fn set_error(&mut self, node: Node, kind: ErrorKind) {
        self.nodes[node.index()].error = Some(kind);
    }

    /// Adds an edge.
    pub fn add_edge(&mut self, source: Node, target: Node, label: Label, span: Span) -> Edge {
        let edge = Edge::from_index(self.edges.len());
        self.nodes[source.index()].outgoing.push(edge);
        self.edges.push(EdgeInfo { source, target, label, span });
        edge
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
        let variable = Var::from_index(self.variables.len());
        let term = pool.fresh_variable(&name, sort);
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
            procedures: self.procedures,
            nodes: self.nodes,
            edges: self.edges,
            variables: self.variables,
            slots: self.slots,
            by_term: self.by_term,
        }
    }
}
