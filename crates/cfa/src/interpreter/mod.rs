//! Runs a program concretely on a list of input values.
//!
//! The run is deterministic: assumptions are decided by the current values, and each havoc takes the
//! next input. Where and why it ended is an [`End`]; what happened on the way is told to a [`Watcher`]
//! as plain records. Terms are compiled once per edge into straight-line code; the steady state
//! allocates nothing (except for writes to arrays), and call depth uses the heap only.

mod code;
mod events;
mod memory;
#[cfg(test)]
mod tests;

use crate::program::{Call, Edge, Label, Node, Op, Procedure, Program, Var};
use crate::source::{FileId, Span};
use aster_term::{BitVec, Sort, Term, TermPool, Value};
use code::{Code, Registers, Unassigned};
pub use events::{End, InputSource, RunEvent, RunLimits, Unwatched, ValueRef, Watcher};
use memory::{Base, Memory, Place};

/// A variable as the target of an assignment.
#[derive(Clone, Copy)]
struct Target {
    variable: Var,
    place: Place,
    sort: Sort,
}

/// What an edge does, ready to be done.
enum Compiled {
    NotYet,
    Assume(Code),
    Assign(Target, Code),
    Havoc(Target),
    Call(Box<CompiledCall>),
    Unsupported(String),
    Undefined(String),
    Malformed(String),
}

struct CompiledCall {
    callee: Procedure,
    /// Each parameter, in the callee's frame, with the code of its argument, in the caller's.
    arguments: Vec<(Target, Code)>,
    /// Where the result goes, in the caller's frame, and where it is, in the callee's.
    result: Option<(Target, Target)>,
}

struct Frame {
    /// The edge of the call that opened it; none for the first.
    call: Option<Edge>,
    procedure: Procedure,
    base: Base,
}

enum Evaluated {
    Bits(u128),
    /// An array or a number.
    Object(Value),
}

/// Runs a program; compiled code is kept from one run to the next.
///
/// ```
/// use aster_cfa::interpreter::{End, Interpreter, RunLimits, Unwatched};
/// use aster_cfa::testing::{Sketch, int_value};
/// let mut sketch = Sketch::new("x = input();\nif (x < 10) error();\n");
/// let main = sketch.procedure("main");
/// let x = sketch.int(Some(main), "x");
/// let start = sketch.havoc(sketch.entry(main), x, 1);
/// let small = sketch.less(x, 10);
/// let (then, otherwise) = sketch.branch(start, small, 2);
/// sketch.error(then, 2);
/// sketch.go(otherwise, sketch.exit(main), 2);
/// let (program, pool) = sketch.finish(main);
///
/// let mut interpreter = Interpreter::new(&program, &pool);
/// let mut run = |x| interpreter.run(&[int_value(x)], RunLimits::default(), &mut Unwatched);
/// assert!(matches!(run(-3), End::Error { .. }));
/// assert_eq!(run(10), End::Finished);
/// ```
pub struct Interpreter<'a> {
    program: &'a Program,
    pool: &'a TermPool,
    compiled: Vec<Compiled>,
    memory: Memory,
    registers: Registers,
    frames: Vec<Frame>,
    /// Argument values between their evaluation and the callee's frame.
    arguments: Vec<Evaluated>,
    steps: u64,
    /// The interruption flag is looked at after steps whose number has none of these bits.
    unchecked_steps: u64,
    span: Span,
}

/// How often the interruption flag is looked at, unless there are numbers of any length: steps that compute with them may take
/// long, so it is looked at after each. A power of two.
const STEPS_BETWEEN_CHECKS: u64 = 1 << 14;

impl<'a> Interpreter<'a> {
    /// An interpreter for this program, whose terms are in `pool`.
    pub fn new(program: &'a Program, pool: &'a TermPool) -> Self {
        let has_numbers = program
            .variables()
            .any(|variable| matches!(program.variable(variable).sort, Sort::Int | Sort::Real));
        Interpreter {
            program,
            pool,
            compiled: program.edges().map(|_| Compiled::NotYet).collect(),
            memory: Memory::new(program),
            registers: Registers::default(),
            frames: Vec::new(),
            arguments: Vec::new(),
            steps: 0,
            unchecked_steps: if has_numbers { 0 } else { STEPS_BETWEEN_CHECKS - 1 },
            span: Span::line_start(FileId::from_index(0), 1),
        }
    }

    /// How many edges the last run took.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Where the last run was when it ended: the last edge that it took.
    pub fn last_span(&self) -> Span {
        self.span
    }

    /// Runs the program from the start. Inputs that are left over do no harm.
    pub fn run<W: Watcher + ?Sized>(
        &mut self,
        inputs: &[Value],
        limits: RunLimits<'_>,
        watcher: &mut W,
    ) -> End {
        self.run_from(&mut inputs.iter(), limits, watcher)
    }

    /// Runs the program from the start, on inputs that are made as it asks for them.
    pub fn run_from<W: Watcher + ?Sized>(
        &mut self,
        inputs: &mut dyn InputSource,
        limits: RunLimits<'_>,
        watcher: &mut W,
    ) -> End {
        let program = self.program;
        self.memory.reset();
        self.frames.clear();
        self.steps = 0;
        self.span = Span::line_start(FileId::from_index(0), 1);
        let base = self.memory.push(program.entry);
        self.frames.push(Frame { call: None, procedure: program.entry, base });
        let observed = if watcher.observes() { program.edges().map(|_| None).collect() } else { Vec::new() };
        let mut run = Run { inputs, next_input: 0, limits, watcher, observed, values: Vec::new() };
        let mut node = program.procedure(program.entry).entry;
        loop {
            match self.advance(node, &mut run) {
                Ok(next) => node = next,
                Err(end) => return self.at_users_place(end),
            }
        }
    }

    /// What happens in models of library functions happens where these are called.
    fn at_users_place(&self, end: End) -> End {
        let sources = &self.program.sources;
        if !end.span().is_some_and(|span| sources.is_internal(span)) {
            return end;
        }
        let calls = self.frames.iter().rev().filter_map(|frame| frame.call);
        let mut spans = calls.map(|call| self.program.edge(call).span);
        match spans.find(|span| !sources.is_internal(*span)) {
            Some(span) => end.at(span),
            None => end,
        }
    }

    /// Takes one edge out of `node`, or returns from the procedure.
    fn advance<W: Watcher + ?Sized>(&mut self, node: Node, run: &mut Run<'_, W>) -> Result<Node, End> {
        let program = self.program;
        let info = program.node(node);
        if let Some(kind) = info.error {
            return Err(End::Error { node, kind, span: self.span });
        }
        let edge = match *info.outgoing.as_slice() {
            [] if node == program.procedure(info.procedure).exit => return self.leave(run.watcher),
            [] => return Err(End::Halted { span: self.span }),
            [edge] => edge,
            _ => self.choose(&info.outgoing)?,
        };
        if self.steps >= run.limits.max_steps {
            return Err(End::StepLimit { span: self.span });
        }
        self.steps += 1;
        if self.steps & self.unchecked_steps == 0 && run.limits.interrupted.is_some_and(|stop| stop()) {
            return Err(End::Interrupted { span: self.span });
        }
        let decided = info.outgoing.len() > 1;
        self.take(edge, decided, run)
    }

    /// The first assumption that holds; by the law of nodes there is no other.
    fn choose(&mut self, edges: &[Edge]) -> Result<Edge, End> {
        for &edge in edges {
            self.prepare(edge);
            match &self.compiled[edge.index()] {
                Compiled::Assume(code) => {
                    let value = code.bits(&self.memory, &mut self.registers);
                    if value.map_err(|u| self.unassigned(u, edge))? != 0 {
                        return Ok(edge);
                    }
                }
                Compiled::Malformed(what) => return Err(self.malformed(what.clone(), edge)),
                _ => {
                    let what = "a node with several edges has one that is not an assumption";
                    return Err(self.malformed(what.into(), edge));
                }
            }
        }
        Err(End::Blocked { span: self.program.edge(edges[0]).span })
    }

    /// Takes an edge. `decided` tells that its assumption is known to hold.
    fn take<W: Watcher + ?Sized>(
        &mut self,
        edge: Edge,
        decided: bool,
        run: &mut Run<'_, W>,
    ) -> Result<Node, End> {
        self.prepare(edge);
        let info = self.program.edge(edge);
        let depth = self.frames.len() - 1;
        match &self.compiled[edge.index()] {
            Compiled::Assume(code) => {
                if !decided {
                    let value = code.bits(&self.memory, &mut self.registers);
                    if value.map_err(|u| self.unassigned(u, edge))? == 0 {
                        return Err(End::Blocked { span: info.span });
                    }
                }
                self.span = info.span;
                run.observe(edge, self.program, self.pool, &self.memory, &mut self.registers);
                run.watcher.on(RunEvent::Edge { edge, depth });
            }
            Compiled::Assign(target, code) => {
                let target = *target;
                let value = evaluate(code, target.sort, &self.memory, &mut self.registers);
                let value = value.map_err(|u| self.unassigned(u, edge))?;
                self.span = info.span;
                run.observe(edge, self.program, self.pool, &self.memory, &mut self.registers);
                run.watcher.on(RunEvent::Edge { edge, depth });
                self.assign(edge, target, value, run.watcher);
            }
            Compiled::Havoc(target) => {
                let target = *target;
                let value = run.next_input(edge, target.sort, info.span)?;
                self.span = info.span;
                run.observe(edge, self.program, self.pool, &self.memory, &mut self.registers);
                run.watcher.on(RunEvent::Edge { edge, depth });
                run.watcher.on(RunEvent::Input { edge, index: run.next_input - 1 });
                self.assign(edge, target, value, run.watcher);
            }
            Compiled::Call(_) => return self.enter(edge, run),
            Compiled::Unsupported(what) => {
                return Err(End::Unsupported { what: what.clone(), span: info.span });
            }
            Compiled::Undefined(what) => {
                return Err(End::Undefined { edge, what: what.clone(), span: info.span });
            }
            Compiled::Malformed(what) => return Err(self.malformed(what.clone(), edge)),
            Compiled::NotYet => unreachable!("the edge was prepared"),
        }
        Ok(info.target)
    }

    fn enter<W: Watcher + ?Sized>(&mut self, edge: Edge, run: &mut Run<'_, W>) -> Result<Node, End> {
        let program = self.program;
        let Compiled::Call(call) = &self.compiled[edge.index()] else {
            unreachable!("only called for calls");
        };
        let depth = self.frames.len();
        let span = program.edge(edge).span;
        if depth > run.limits.max_call_depth {
            return Err(End::CallDepthLimit { span });
        }
        self.arguments.clear();
        for (target, code) in &call.arguments {
            let value = evaluate(code, target.sort, &self.memory, &mut self.registers);
            self.arguments.push(value.map_err(|u| self.unassigned(u, edge))?);
        }
        self.span = span;
        run.observe(edge, program, self.pool, &self.memory, &mut self.registers);
        run.watcher.on(RunEvent::Edge { edge, depth: depth - 1 });
        let base = self.memory.push(call.callee);
        self.frames.push(Frame { call: Some(edge), procedure: call.callee, base });
        let procedure = call.callee;
        run.watcher.on(RunEvent::Entered { edge, procedure, depth });
        for ((target, _), value) in call.arguments.iter().zip(self.arguments.drain(..)) {
            assign(&mut self.memory, edge, *target, value, depth, run.watcher);
        }
        Ok(program.procedure(procedure).entry)
    }

    fn leave<W: Watcher + ?Sized>(&mut self, watcher: &mut W) -> Result<Node, End> {
        let depth = self.frames.len() - 1;
        let Some(Frame { call: Some(edge), procedure, base }) = self.frames.pop() else {
            return Err(End::Finished);
        };
        let Compiled::Call(call) = &self.compiled[edge.index()] else {
            unreachable!("frames are opened by calls");
        };
        let mut returned = None;
        if let Some((to, from)) = call.result {
            let value = match from.sort {
                Sort::Array { .. } | Sort::Int | Sort::Real => {
                    self.memory.object(from.place).cloned().map(Evaluated::Object)
                }
                _ => self.memory.bits(from.place).map(Evaluated::Bits),
            };
            let Some(value) = value else {
                return Err(self.unassigned(Unassigned(from.variable), edge));
            };
            returned = Some((to, value));
        }
        self.memory.pop(base);
        watcher.on(RunEvent::Left { edge, procedure, depth });
        if let Some((target, value)) = returned {
            self.assign(edge, target, value, watcher);
        }
        Ok(self.program.edge(edge).target)
    }

    fn assign<W: Watcher + ?Sized>(&mut self, edge: Edge, target: Target, value: Evaluated, watcher: &mut W) {
        let depth = self.frames.len() - 1;
        assign(&mut self.memory, edge, target, value, depth, watcher);
    }

    fn unassigned(&self, Unassigned(variable): Unassigned, edge: Edge) -> End {
        End::ReadBeforeWrite { variable, span: self.program.edge(edge).span }
    }

    fn malformed(&self, what: String, edge: Edge) -> End {
        End::Malformed { what, span: self.program.edge(edge).span }
    }

    #[inline]
    fn prepare(&mut self, edge: Edge) {
        if matches!(self.compiled[edge.index()], Compiled::NotYet) {
            self.compiled[edge.index()] = self.compile(edge).unwrap_or_else(Compiled::Malformed);
        }
    }

    fn compile(&self, edge: Edge) -> Result<Compiled, String> {
        let info = self.program.edge(edge);
        let procedure = self.program.node(info.source).procedure;
        Ok(match &info.label {
            Label::Op(Op::Assume(condition)) => {
                Compiled::Assume(self.code(procedure, *condition, Sort::Bool)?)
            }
            Label::Op(Op::Assign(variable, term)) => {
                let target = self.target(procedure, *variable)?;
                Compiled::Assign(target, self.code(procedure, *term, target.sort)?)
            }
            Label::Op(Op::Havoc(variable, _)) => Compiled::Havoc(self.target(procedure, *variable)?),
            Label::Call(call) => Compiled::Call(Box::new(self.compile_call(procedure, call)?)),
            Label::Unsupported(what) => Compiled::Unsupported(what.clone()),
            Label::Undefined { what, .. } => Compiled::Undefined(what.clone()),
        })
    }

    fn compile_call(&self, caller: Procedure, call: &Call) -> Result<CompiledCall, String> {
        let callee = self.program.procedure(call.procedure);
        if callee.parameters.len() != call.arguments.len() {
            return Err(format!(
                "`{}` has {} parameters and is called with {} arguments",
                callee.name,
                callee.parameters.len(),
                call.arguments.len()
            ));
        }
        let mut arguments = Vec::with_capacity(call.arguments.len());
        for (&parameter, &argument) in callee.parameters.iter().zip(&call.arguments) {
            let target = self.target(call.procedure, parameter)?;
            arguments.push((target, self.code(caller, argument, target.sort)?));
        }
        let result = match (call.result, callee.result) {
            (None, _) => None,
            (Some(_), None) => return Err(format!("`{}` has no result", callee.name)),
            (Some(to), Some(from)) => {
                let (to, from) = (self.target(caller, to)?, self.target(call.procedure, from)?);
                if to.sort != from.sort {
                    return Err(format!("the result of `{}` has another sort", callee.name));
                }
                Some((to, from))
            }
        };
        Ok(CompiledCall { callee: call.procedure, arguments, result })
    }

    fn target(&self, procedure: Procedure, variable: Var) -> Result<Target, String> {
        let place = self.memory.place(self.program, procedure, variable)?;
        Ok(Target { variable, place, sort: self.program.variable(variable).sort })
    }

    fn code(&self, procedure: Procedure, term: Term, sort: Sort) -> Result<Code, String> {
        let found = self.pool.sort(term);
        if found != sort {
            return Err(format!("a term of sort {found} stands where {sort} is needed"));
        }
        Code::compile(self.program, self.pool, &self.memory, procedure, term)
    }
}

/// What belongs to one run only.
struct Run<'r, W: ?Sized> {
    inputs: &'r mut dyn InputSource,
    next_input: usize,
    limits: RunLimits<'r>,
    watcher: &'r mut W,
    /// The code of what the watcher observes at each edge that was taken; empty if it observes nothing.
    observed: Vec<Option<Box<[Code]>>>,
    /// The values that were observed last.
    values: Vec<u128>,
}

impl<W: Watcher + ?Sized> Run<'_, W> {
    /// Tells the watcher what it observes at an edge that is about to be taken.
    #[inline]
    fn observe(
        &mut self,
        edge: Edge,
        program: &Program,
        pool: &TermPool,
        memory: &Memory,
        registers: &mut Registers,
    ) {
        let Some(observed) = self.observed.get_mut(edge.index()) else { return };
        let codes = observed.get_or_insert_with(|| {
            let procedure = program.node(program.edge(edge).source).procedure;
            let terms = self.watcher.observed(edge);
            let compile = |&term: &Term| {
                let has_bits = matches!(pool.sort(term), Sort::Bool | Sort::BitVec(_));
                has_bits.then(|| Code::compile(program, pool, memory, procedure, term).ok())?
            };
            terms.iter().map(compile).collect::<Option<Vec<Code>>>().unwrap_or_default().into_boxed_slice()
        });
        if codes.is_empty() {
            return;
        }
        self.values.clear();
        for code in codes.iter() {
            match code.bits(memory, registers) {
                Ok(bits) => self.values.push(bits),
                // Whoever computes it for the program will complain.
                Err(Unassigned(_)) => {
                    self.values.clear();
                    break;
                }
            }
        }
        self.watcher.on(RunEvent::Observed { edge, values: &self.values });
    }

    fn next_input(&mut self, edge: Edge, sort: Sort, span: Span) -> Result<Evaluated, End> {
        let index = self.next_input;
        let Some(value) = self.inputs.next_input(edge, sort) else {
            return Err(End::InputsExhausted { span });
        };
        if value.sort() != sort {
            return Err(End::BadInput { index, expected: sort, span });
        }
        self.next_input += 1;
        Ok(match value {
            Value::Bool(value) => Evaluated::Bits(u128::from(value)),
            Value::BitVec(bits) => Evaluated::Bits(bits.unsigned()),
            object @ (Value::Array(_) | Value::Int(_) | Value::Real(_)) => Evaluated::Object(object),
        })
    }
}

#[inline]
fn evaluate(
    code: &Code,
    sort: Sort,
    memory: &Memory,
    registers: &mut Registers,
) -> Result<Evaluated, Unassigned> {
    match sort {
        Sort::Array { .. } | Sort::Int | Sort::Real => {
            // Compiled code of such a sort always leaves an object.
            let object = code.object(memory, registers)?.or_else(|| Value::default_of(sort));
            Ok(Evaluated::Object(object.unwrap_or(Value::Bool(false))))
        }
        _ => code.bits(memory, registers).map(Evaluated::Bits),
    }
}

#[inline]
fn assign<W: Watcher + ?Sized>(
    memory: &mut Memory,
    edge: Edge,
    target: Target,
    value: Evaluated,
    depth: usize,
    watcher: &mut W,
) {
    let variable = target.variable;
    match value {
        Evaluated::Bits(bits) => {
            memory.set_bits(target.place, bits);
            let value = match target.sort {
                Sort::BitVec(width) => ValueRef::BitVec(BitVec::new(width, bits)),
                _ => ValueRef::Bool(bits != 0),
            };
            watcher.on(RunEvent::Assigned { edge, variable, value, depth });
        }
        Evaluated::Object(object) => {
            let value = match &object {
                Value::Array(array) => ValueRef::Array(array),
                number => ValueRef::Number(number),
            };
            watcher.on(RunEvent::Assigned { edge, variable, value, depth });
            memory.set_object(target.place, object);
        }
    }
}
