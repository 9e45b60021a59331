//! Programs as control-flow automata.

use crate::arena::id;
use crate::objects::MemoryObject;
use crate::source::{SourceMap, Span};
use aster_term::{Sort, Term};
use std::sync::Arc;

id! {
    /// A node of the program. All procedures share one arena.
    Node
}
id! {
    /// An edge of the program. All procedures share one arena.
    Edge
}
id! {
    /// A program variable, global or local to a procedure.
    Var
}
id! {
    /// A procedure.
    Procedure
}

/// The operations of the papers: assumption, assignment, nondeterministic assignment. Terms are over
/// the variables' own terms ([`VarInfo::term`]); those of local variables mean the current frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// `[condition]`: passes only where the Boolean term holds.
    Assume(Term),
    /// `variable := term`.
    Assign(Var, Term),
    /// `variable := *`: an input of the program.
    Havoc(Var, Input),
}

/// What made an input, so that a counterexample can be told as a list of inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Where it came from.
    pub origin: InputOrigin,
    /// How its value is shown to a person.
    pub presentation: Presentation,
}

/// The construct that made an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputOrigin {
    /// A call of a nondeterministic function such as `__VERIFIER_nondet_int`.
    Nondet(String),
    /// The result of an external function without a body.
    External(String),
    /// What an external function without a body writes to memory that it gets a pointer to.
    Written(String),
    /// A variable that holds an indeterminate value because it was not initialised.
    Uninitialised(String),
    /// A choice or a nondeterministic value of a model: what is chosen, or the variable.
    Choice(String),
    /// The result of a function whose values are only known roughly, such as `sin`: the run of the real program
    /// may have another one, so that nothing that depends on it is a counterexample.
    Approximated(String),
}

/// How a value is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Presentation {
    /// A signed integer of a source type with this name.
    Signed(String),
    /// An unsigned integer of a source type with this name.
    Unsigned(String),
    /// A truth value held in a bit-vector.
    Bool,
    /// An address.
    Pointer(String),
    /// A floating-point number of a source type with this name; the value is its bit pattern.
    Float(String),
    /// Bits without a better reading.
    Raw(String),
    /// A number that stands for a name.
    Named {
        /// The name of the type.
        type_name: String,
        /// The names of the numbers from zero on.
        names: Arc<[String]>,
    },
}

/// What an edge does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// One operation.
    Op(Op),
    /// A call of a procedure with a body. The edge's target is where the caller goes on.
    Call(Call),
    /// A construct that is not modelled: harmless unless reached.
    Unsupported(String),
    /// The program does something that the source language leaves undefined: the path ends here.
    Undefined {
        /// What it does.
        what: String,
        /// No run is looked at that gets here. Otherwise nothing is known about what follows, which is worth a warning.
        assumed_away: bool,
    },
}

/// A call: arguments are evaluated in the caller's frame and assigned to the callee's parameters in
/// a new frame; on return the callee's result is assigned to `result` in the caller's frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The procedure that is called.
    pub procedure: Procedure,
    /// One term for each parameter.
    pub arguments: Vec<Term>,
    /// Where the result goes; only if the callee has a result variable.
    pub result: Option<Var>,
}

/// An edge.
#[derive(Clone, Debug)]
pub struct EdgeInfo {
    /// Where it starts.
    pub source: Node,
    /// Where it ends.
    pub target: Node,
    /// What it does.
    pub label: Label,
    /// The source text behind it.
    pub span: Span,
    /// What a person should be told about it. It never changes what the edge does.
    pub note: Option<Box<Note>>,
}

/// What an edge means in terms of the source, where its label alone does not say so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// An assumption that is a decision of the source: the condition as it is written. Of two edges that
    /// decide, the first one has it.
    Condition(String),
    /// An assignment that changes memory.
    Write(Written),
    /// An assumption that no condition of the source is behind: what the program does next is not defined otherwise. Of two edges
    /// that decide, the first one has it. If an access to memory is checked, what it is.
    Check(Option<Access>),
}

/// What is done with memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// It is read or written.
    Access,
    /// It is written, which objects that are constant do not allow.
    Write,
    /// The object is freed.
    Free,
}

/// An access to memory. Terms are over the state before the edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// What is done.
    pub kind: AccessKind,
    /// The first byte that is accessed.
    pub address: Term,
    /// How many bytes; 0 if that is not known.
    pub length: Term,
    /// Where the object would start.
    pub object: Term,
    /// One more than the size of the object; 0 if there is none.
    pub extent: Term,
}

/// What is written to memory, and where. Terms are over the state before the edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The place as the source spells it, with terms where a number is known only when the program runs.
    pub place: Vec<PlacePart>,
    /// The value.
    pub value: Term,
    /// How it is shown.
    pub presentation: Presentation,
}

/// A part of the name of a place, such as `a[`, the term of an index, and `]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlacePart {
    /// Text.
    Text(String),
    /// A number: a bit-vector term and how it is shown.
    Number(Term, Presentation),
}

/// Why reaching a node is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The property's error function was called, or an assertion failed.
    Reached,
    /// A signed operation has a result that its type cannot hold, a divisor is zero, or a shift goes too far.
    Overflow,
    /// Memory is accessed that belongs to no object that is alive.
    InvalidDereference,
    /// Memory is freed that was not allocated, or was freed before.
    InvalidFree,
    /// Allocated memory is left behind that nothing points to any more.
    MemoryLeak,
    /// Allocated memory was not freed at the end.
    MemoryNotFreed,
}

impl ErrorKind {
    /// The property that is violated, as the verification community names it.
    pub fn property(self) -> &'static str {
        match self {
            ErrorKind::Reached => "unreach-call",
            ErrorKind::Overflow => "no-overflow",
            ErrorKind::InvalidDereference => "valid-deref",
            ErrorKind::InvalidFree => "valid-free",
            ErrorKind::MemoryLeak => "valid-memtrack",
            ErrorKind::MemoryNotFreed => "valid-memcleanup",
        }
    }
}

/// A node.
///
/// Law: if a node has several outgoing edges, all of them are assumptions, at most one of which holds
/// in any state. A node without outgoing edges that is not its procedure's exit ends the program.
#[derive(Clone, Debug)]
pub struct NodeInfo {
    /// The procedure that it belongs to.
    pub procedure: Procedure,
    /// Outgoing edges in source order.
    pub outgoing: Vec<Edge>,
    /// Set if reaching this node violates the property.
    pub error: Option<ErrorKind>,
}

/// A variable.
///
/// Law: on every path a variable is assigned or havocked in its frame before it is read.
#[derive(Clone, Debug)]
pub struct VarInfo {
    /// The name as in the source (or made up for temporaries).
    pub name: String,
    /// Sort of its value.
    pub sort: Sort,
    /// The term variable that stands for it in operations.
    pub term: Term,
    /// The procedure that it is local to; `None` for global variables.
    pub owner: Option<Procedure>,
    /// How its value is shown; `None` for temporaries, which are not shown.
    pub presentation: Option<Presentation>,
}

/// A procedure: an automaton with one entry and one exit.
#[derive(Clone, Debug)]
pub struct ProcedureInfo {
    /// The name as in the source.
    pub name: String,
    /// Where calls start; it has no incoming edges.
    pub entry: Node,
    /// Where calls return from; it has no outgoing edges.
    pub exit: Node,
    /// Parameters in order; all are local variables of this procedure.
    pub parameters: Vec<Var>,
    /// The local variable that holds the result at the exit.
    pub result: Option<Var>,
}

/// Functions by name, each list in alphabetical order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceFunctions {
    /// The source defines them.
    pub defined: Vec<String>,
    /// The source mentions them without defining them, and nothing is known about what they do.
    pub unknown: Vec<String>,
    /// Those of them that are called, in the order of their first calls.
    pub called: Vec<UnknownFunction>,
}

/// A function that is called, and that nothing is known about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFunction {
    /// Its name.
    pub name: String,
    /// The source declares it.
    pub declared: bool,
    /// The first call.
    pub span: Span,
}

/// A whole program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The files that it came from.
    pub sources: SourceMap,
    /// The procedure where execution starts (it initialises globals, then calls `main`).
    pub entry: Procedure,
    /// The functions of the source, as far as whoever links it needs to know them.
    pub functions: SourceFunctions,
    /// What has an address, in ascending order, for [`Program::place_at`].
    pub objects: Vec<MemoryObject>,
    /// Expressions whose value nobody uses: they are evaluated here with everything that can go wrong, and left out by compilers.
    pub unused: Vec<Span>,
    /// What is undefined counts wherever it is, not only where an error may follow.
    pub undefined_counts: bool,
    pub(crate) procedures: Vec<ProcedureInfo>,
    pub(crate) nodes: Vec<NodeInfo>,
    pub(crate) edges: Vec<EdgeInfo>,
    pub(crate) variables: Vec<VarInfo>,
    /// Position of each variable among the globals or among its procedure's locals.
    pub(crate) slots: Vec<u32>,
    /// Number of global variables.
    pub(crate) global_count: u32,
    /// Number of local variables of each procedure.
    pub(crate) local_counts: Vec<u32>,
    /// The variable behind each variable term.
    pub(crate) by_term: rustc_hash::FxHashMap<Term, Var>,
}

impl Program {
    /// Takes over what is known about the source of another program, which this one was made from.
    pub fn stands_for(&mut self, original: &Program) {
        self.functions = original.functions.clone();
        self.objects = original.objects.clone();
        self.unused = original.unused.clone();
        self.undefined_counts = original.undefined_counts;
    }

    /// The procedure's data.
    pub fn procedure(&self, procedure: Procedure) -> &ProcedureInfo {
        &self.procedures[procedure.index()]
    }

    /// The node's data.
    pub fn node(&self, node: Node) -> &NodeInfo {
        &self.nodes[node.index()]
    }

    /// The edge's data.
    pub fn edge(&self, edge: Edge) -> &EdgeInfo {
        &self.edges[edge.index()]
    }

    /// True if something undefined is assumed not to happen at this edge.
    pub fn is_assumed_away(&self, edge: Edge) -> bool {
        matches!(self.edge(edge).label, Label::Undefined { assumed_away: true, .. })
    }

    /// The variable's data.
    pub fn variable(&self, variable: Var) -> &VarInfo {
        &self.variables[variable.index()]
    }

    /// The variable that a term variable stands for.
    pub fn variable_of_term(&self, term: Term) -> Option<Var> {
        self.by_term.get(&term).copied()
    }

    /// The variable's dense position: among all globals, or among the locals of its procedure.
    pub fn slot(&self, variable: Var) -> usize {
        self.slots[variable.index()] as usize
    }

    /// Number of global variables: their slots are below it.
    pub fn global_count(&self) -> usize {
        self.global_count as usize
    }

    /// Number of local variables of a procedure: their slots are below it.
    pub fn local_count(&self, procedure: Procedure) -> usize {
        self.local_counts[procedure.index()] as usize
    }

    /// The first procedure of this name.
    pub fn procedure_named(&self, name: &str) -> Option<Procedure> {
        self.procedures().find(|&procedure| self.procedure(procedure).name == name)
    }

    /// All procedures.
    pub fn procedures(&self) -> impl Iterator<Item = Procedure> + use<> {
        (0..self.procedures.len()).map(Procedure::from_index)
    }

    /// All nodes.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        (0..self.nodes.len()).map(Node::from_index)
    }

    /// All edges.
    pub fn edges(&self) -> impl Iterator<Item = Edge> + use<> {
        (0..self.edges.len()).map(Edge::from_index)
    }

    /// All variables.
    pub fn variables(&self) -> impl Iterator<Item = Var> + use<> {
        (0..self.variables.len()).map(Var::from_index)
    }
}
