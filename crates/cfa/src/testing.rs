//! Programs by hand, for tests of this crate and of those above it.
//!
//! A [`Sketch`] is a thin layer over [`ProgramBuilder`]: every edge names its source line, and the
//! line's text gives the span. Not for front ends: it panics where a test would be wrong.

use crate::builder::ProgramBuilder;
use crate::program::{
    Call, Edge, ErrorKind, Input, InputOrigin, Label, Node, Op, Presentation, Procedure, Program, Var,
};
use crate::source::{FileId, SourceMap, Span};
use aster_term::{BitVec, Sort, Term, TermPool, Value};

/// A program under construction together with its terms.
///
/// ```
/// use aster_cfa::testing::Sketch;
/// let mut sketch = Sketch::new("x = input();\nif (x < 10) error();\n");
/// let main = sketch.procedure("main");
/// let x = sketch.int(Some(main), "x");
/// let start = sketch.havoc(sketch.entry(main), x, 1);
/// let small = sketch.less(x, 10);
/// let (then, otherwise) = sketch.branch(start, small, 2);
/// sketch.error(then, 2);
/// sketch.go(otherwise, sketch.exit(main), 2);
/// let (program, pool) = sketch.finish(main);
/// assert!(program.validate(&pool).is_empty());
/// ```
pub struct Sketch {
    /// The terms.
    pub pool: TermPool,
    /// The program so far.
    pub builder: ProgramBuilder,
    sources: SourceMap,
    file: FileId,
}

impl Sketch {
    /// A program whose only file is `test.c` with this text.
    pub fn new(text: &str) -> Self {
        let mut sources = SourceMap::new();
        let file = sources.add("test.c", text);
        Sketch { pool: TermPool::new(), builder: ProgramBuilder::new(), sources, file }
    }

    /// The part of a line without the blanks around it.
    pub fn span(&self, line: u32) -> Span {
        let start = Span::line_start(self.file, line);
        let text = self.sources.line(start).unwrap_or_default();
        let indent = text.len() - text.trim_start().len();
        let length = text.trim().len().max(1);
        Span { column: indent as u32 + 1, length: length as u32, ..start }
    }

    /// A procedure without parameters.
    pub fn procedure(&mut self, name: &str) -> Procedure {
        self.builder.add_procedure(name)
    }

    /// Where a procedure starts.
    pub fn entry(&self, procedure: Procedure) -> Node {
        self.builder.procedure(procedure).entry
    }

    /// Where a procedure returns.
    pub fn exit(&self, procedure: Procedure) -> Node {
        self.builder.procedure(procedure).exit
    }

    /// A node more.
    pub fn node(&mut self, procedure: Procedure) -> Node {
        self.builder.add_node(procedure)
    }

    /// A variable of any sort and presentation.
    pub fn variable(
        &mut self,
        owner: Option<Procedure>,
        name: &str,
        sort: Sort,
        presentation: Option<Presentation>,
    ) -> Var {
        self.builder.add_variable(&mut self.pool, name, sort, owner, presentation)
    }

    /// A signed variable of 32 bits that is shown as an `int`.
    pub fn int(&mut self, owner: Option<Procedure>, name: &str) -> Var {
        self.variable(owner, name, Sort::BitVec(32), Some(Presentation::Signed("int".into())))
    }

    /// The term of a variable.
    pub fn term(&self, variable: Var) -> Term {
        self.builder.variable(variable).term
    }

    /// A literal of 32 bits.
    pub fn number(&mut self, value: i128) -> Term {
        self.pool.bv_signed(32, value)
    }

    /// `variable < bound`, signed.
    pub fn less(&mut self, variable: Var, bound: i128) -> Term {
        let (x, bound) = (self.term(variable), self.number(bound));
        self.pool.slt(x, bound)
    }

    /// `variable + amount`.
    pub fn plus(&mut self, variable: Var, amount: i128) -> Term {
        let (x, amount) = (self.term(variable), self.number(amount));
        self.pool.add(x, amount)
    }

    /// An edge with any label.
    pub fn edge(&mut self, source: Node, target: Node, label: Label, line: u32) -> Edge {
        let span = self.span(line);
        self.builder.add_edge(source, target, label, span)
    }

    /// An edge to a new node, which is returned.
    pub fn step(&mut self, source: Node, label: Label, line: u32) -> Node {
        let target = self.node(self.builder.node(source).procedure);
        self.edge(source, target, label, line);
        target
    }

    /// `[true]` from one node to the other.
    pub fn go(&mut self, source: Node, target: Node, line: u32) -> Edge {
        let condition = self.pool.bool(true);
        self.edge(source, target, Label::Op(Op::Assume(condition)), line)
    }

    /// `[condition]` to a new node.
    pub fn assume(&mut self, source: Node, condition: Term, line: u32) -> Node {
        self.step(source, Label::Op(Op::Assume(condition)), line)
    }

    /// `[condition]` and its negation, each to a new node.
    pub fn branch(&mut self, source: Node, condition: Term, line: u32) -> (Node, Node) {
        let negated = self.pool.not(condition);
        (self.assume(source, condition, line), self.assume(source, negated, line))
    }

    /// `variable := term` to a new node.
    pub fn assign(&mut self, source: Node, variable: Var, term: Term, line: u32) -> Node {
        self.step(source, Label::Op(Op::Assign(variable, term)), line)
    }

    /// `variable := *` from `__VERIFIER_nondet_int` to a new node.
    pub fn havoc(&mut self, source: Node, variable: Var, line: u32) -> Node {
        let origin = InputOrigin::Nondet("__VERIFIER_nondet_int".into());
        self.havoc_from(source, variable, origin, line)
    }

    /// `variable := *` of any origin to a new node; presented as the variable is.
    pub fn havoc_from(&mut self, source: Node, variable: Var, origin: InputOrigin, line: u32) -> Node {
        let presentation = self.builder.variable(variable).presentation.clone();
        let presentation = presentation.unwrap_or_else(|| Presentation::Raw("bits".into()));
        self.step(source, Label::Op(Op::Havoc(variable, Input { origin, presentation })), line)
    }

    /// A call to a new node.
    pub fn call(
        &mut self,
        source: Node,
        procedure: Procedure,
        arguments: &[Term],
        result: Option<Var>,
        line: u32,
    ) -> Node {
        let call = Call { procedure, arguments: arguments.to_vec(), result };
        self.step(source, Label::Call(call), line)
    }

    /// `[true]` to a new error node.
    pub fn error(&mut self, source: Node, line: u32) -> Node {
        let condition = self.pool.bool(true);
        let target = self.assume(source, condition, line);
        self.builder.set_error(target, ErrorKind::Reached);
        target
    }

    /// The finished program.
    pub fn finish(self, entry: Procedure) -> (Program, TermPool) {
        (self.builder.finish(self.sources, entry), self.pool)
    }
}

/// The value of a 32-bit input.
pub fn int_value(value: i128) -> Value {
    Value::BitVec(BitVec::from_signed(32, value))
}
