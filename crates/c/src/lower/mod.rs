//! Lowering of a typed program to control-flow automata.
//!
//! # What a program means here
//!
//! - **Evaluation order**: operands, arguments, and both sides of assignments are evaluated from left
//!   to right; an assignment with an operator reads its left side first. A value that was read keeps
//!   its old value even if a later operand changes the variable: it is put into a temporary then.
//! - **Signed overflow** wraps, as with gcc's `-fwrapv`. Conversions to narrower types truncate, to
//!   `_Bool` they compare with zero; right shifts of negative numbers keep the sign.
//! - **Division** by zero, and of the smallest number by -1, end the path: the real program traps.
//!   Remainders likewise.
//! - **Shift counts** are taken modulo 32 (64, 128 for wider types), as x86 does it.
//! - **Uninitialised** locals hold arbitrary values, new ones whenever control passes the declaration.
//! - **`_Bool`** has eight bits that hold 0 or 1.
//! - **Memory**: see [`memory`].
//! - **Floating-point numbers**: see [`floats`]. Every operation rounds to its own type, also where pointers have 32 bits
//!   (as with gcc's `-msse2 -mfpmath=sse`). Conversions to integers that cannot hold the number give what x86 computes.
//!   Complex numbers are not modelled: reaching them is an `Unsupported` edge.
//!
//! Expressions without effects that always have a value become terms as they stand, also on the right
//! of `&&`, `||` and in the branches of `?:`; all others become branches.

mod arithmetic;
mod assignments;
mod calls;
mod conditions;
mod floats;
mod graph;
mod library;
mod math;
mod memory;
mod start;
mod statements;
mod values;
mod vectors;

use crate::Diagnostic;
use crate::LoadOptions;
use crate::check::check;
use crate::regions::Regions;
use crate::source::PreparedSource;
use crate::typed::{BlockId, FunctionId, ObjectId, Storage, TypedProgram};
use crate::types::{Type, TypeId};
use aster_cfa::{
    ErrorKind, Input, InputOrigin, Label, Op, Presentation, Procedure, Program, ProgramBuilder, Var,
};
use aster_term::{Sort, Term, TermPool};
use graph::{Graph, Point};
use lang_c::ast::TranslationUnit;
use lang_c::span::Span;
pub(crate) use library::is_known_function;
use memory::Memory;
use std::collections::{BTreeMap, BTreeSet};

/// Library functions that the lowering knows by name, and whether they are modelled.
#[cfg(test)]
pub(crate) fn library_functions() -> Vec<(&'static str, bool)> {
    library::names()
}

/// Checks and lowers a whole program.
pub(crate) fn lower(
    pool: &mut TermPool,
    unit: &TranslationUnit,
    prepared: &PreparedSource,
    options: &LoadOptions,
) -> Result<Program, Vec<Diagnostic>> {
    let typed = check(unit, prepared, options)?;
    let main = typed.functions.iter().position(|function| function.name == "main" && function.body.is_some());
    let Some(main) = main.map(FunctionId::from_index) else {
        let span = prepared.span(Span::span(0, 1));
        return Err(vec![Diagnostic::new(span, "the program has no function 'main'")]);
    };
    let (program, ends_in) = lower_checked(pool, &typed, main, prepared, options, BTreeSet::new());
    if ends_in.is_empty() {
        return Ok(program);
    }
    // Now it is known which calls lead to an end of the program inside of a function.
    let regions = Regions::analyse(&typed);
    let callers = ends_in.iter().flat_map(|&function| regions.callers(function));
    let on_the_way = callers.chain(ends_in.iter().copied()).collect();
    Ok(lower_checked(pool, &typed, main, prepared, options, on_the_way).0)
}

/// Lowers a program that was checked, with the functions in which the program may end and their callers. Gives the functions other than
/// `main` in which it ends, if that has to be known.
fn lower_checked(
    pool: &mut TermPool,
    typed: &TypedProgram,
    main: FunctionId,
    prepared: &PreparedSource,
    options: &LoadOptions,
    on_the_way: BTreeSet<FunctionId>,
) -> (Program, BTreeSet<FunctionId>) {
    let mut lowering = Lowering {
        pool,
        builder: ProgramBuilder::new(),
        typed,
        prepared,
        options,
        variables: vec![Slot::Unknown; typed.objects.len()],
        globals: Vec::new(),
        procedures: vec![None; typed.functions.len()],
        memory: Memory::new(typed, options),
        depths: vec![None; typed.functions.len()],
        result_addresses: vec![None; typed.functions.len()],
        variable_length: BTreeMap::new(),
        waiting: Vec::new(),
        rounding: None,
        constructors: None,
        ending: None,
        unused: false,
        unused_spans: Vec::new(),
        streams: library::Streams::default(),
        unknown: BTreeMap::new(),
        function: None,
    };
    lowering.memory.held.on_the_way = on_the_way;
    lowering.memory.outside |= has_outside_pointers(typed, main);
    let entry = lowering.builder.add_procedure("<start>");
    lowering.procedure_of(main);
    lowering.calls_around_main();
    while let Some(function) = lowering.waiting.pop() {
        lowering.function_body(function);
    }
    lowering.tracking_procedure(main);
    lowering.start_procedure(entry, main);
    let objects = lowering.memory_objects();
    let called = lowering.unknown_functions();
    let unused = lowering.unused_spans.iter().map(|span| prepared.span(*span)).collect();
    let mut ends_in = std::mem::take(&mut lowering.memory.held.ends_in);
    ends_in.remove(&main);
    let builder = lowering.builder;
    let mut program = builder.finish(prepared.sources.clone(), entry);
    program.functions = library::source_functions(typed, called);
    program.objects = objects;
    program.unused = unused;
    program.undefined_counts = options.undefined_counts;
    (program, ends_in)
}

/// Pointers may come from outside of the program: as arguments of `main`, or from functions without body.
fn has_outside_pointers(typed: &TypedProgram, main: FunctionId) -> bool {
    let types = &typed.types;
    let of_main = typed.functions[main.index()].body.as_ref().is_some_and(|body| {
        body.parameters.iter().any(|object| types.is_pointer(typed.objects[object.index()].ty))
    });
    let gives_pointer = |ty: TypeId| match types.get(ty) {
        Type::Function(function) => types.is_pointer(function.result),
        _ => false,
    };
    of_main
        || typed.functions.iter().any(|function| {
            function.mentioned
                && function.body.is_none()
                && function.model.is_none()
                && !crate::library::is_memory_function(&function.name)
                && gives_pointer(function.ty)
        })
}

/// What is known about the variable behind an object.
#[derive(Clone, Copy, Debug)]
enum Slot {
    /// Not asked for yet.
    Unknown,
    /// It is this variable.
    Variable(Var),
    /// Its value is not modelled.
    Opaque,
}

/// Where `break`, `continue`, labels and cases of the function at hand lead.
struct FunctionState {
    procedure: Procedure,
    /// The C function; the start procedure has none.
    function: Option<FunctionId>,
    depth: Option<Var>,
    result_address: Option<Var>,
    /// Loops around the statement at hand.
    loops: usize,
    /// Variables whose first value is being computed.
    initialised: Vec<ObjectId>,
    /// A call in the statement at hand, or in one around it, gave a value that may be an address: it need not be in any variable yet.
    given: bool,
    /// The function has labels.
    labelled: bool,
    graph: Graph,
    /// Where the next edge starts.
    current: Point,
    exit: Point,
    /// The variable for the result, and its type.
    result: Option<(Var, TypeId)>,
    /// Each label, and the block that it is in.
    labels: Vec<(Point, Option<BlockId>)>,
    breaks: Vec<(Point, Option<BlockId>)>,
    continues: Vec<(Point, Option<BlockId>)>,
    switches: Vec<SwitchTargets>,
    /// The block at hand.
    block: Option<BlockId>,
    /// Where what the function allocates for itself began, for each range of addresses that it comes from.
    stack_starts: Vec<Var>,
}

/// Where the cases of a switch are.
struct SwitchTargets {
    cases: Vec<Point>,
    default: Option<Point>,
    /// The block around.
    block: Option<BlockId>,
}

struct Lowering<'a> {
    pool: &'a mut TermPool,
    builder: ProgramBuilder,
    typed: &'a TypedProgram,
    prepared: &'a PreparedSource,
    options: &'a LoadOptions,
    variables: Vec<Slot>,
    /// Objects with static storage that are used, in the order of their first use.
    globals: Vec<ObjectId>,
    procedures: Vec<Option<Procedure>>,
    memory: Memory<'a>,
    /// The parameter that tells the depth of the recursion, by function.
    depths: Vec<Option<Var>>,
    /// The parameter that tells where a structure goes that a function gives.
    result_addresses: Vec<Option<Var>>,
    /// The variables that hold address and extent of arrays whose length is known only when the program runs.
    variable_length: BTreeMap<ObjectId, (Var, Var)>,
    /// Functions that are called and not lowered yet.
    waiting: Vec<FunctionId>,
    /// The variable that holds the rounding mode, once something depends on it.
    rounding: Option<Var>,
    /// The procedure of what is done before `main` is called.
    constructors: Option<Procedure>,
    /// The procedure of what is done when the program ends, and the variable that says that it has begun.
    ending: Option<(Procedure, Var)>,
    /// The value that is being computed is not used: compilers leave out what it needs.
    unused: bool,
    /// Where such expressions are.
    unused_spans: Vec<Span>,
    streams: library::Streams,
    /// The first call of each function that nothing is known about.
    unknown: BTreeMap<FunctionId, Span>,
    function: Option<FunctionState>,
}

impl Lowering<'_> {
    /// The function at hand. Expressions and statements are lowered only inside of one.
    fn state(&mut self) -> &mut FunctionState {
        self.function.as_mut().expect("a function is being lowered")
    }

    fn span(&self, span: Span) -> aster_cfa::Span {
        self.prepared.span(span)
    }

    fn width(&self, ty: TypeId) -> Option<u32> {
        self.typed.types.bit_width(ty)
    }

    fn is_signed(&self, ty: TypeId) -> bool {
        self.typed.types.is_signed(ty)
    }

    fn is_bool(&self, ty: TypeId) -> bool {
        matches!(self.typed.types.get(ty), Type::Bool)
    }

    /// How values of a type are shown.
    fn presentation(&self, ty: TypeId) -> Presentation {
        let types = &self.typed.types;
        match types.get(ty) {
            Type::Bool => Presentation::Bool,
            Type::Pointer(_) => Presentation::Pointer(types.name(ty)),
            _ if types.is_signed(ty) => Presentation::Signed(types.name(ty)),
            _ if types.is_integer(ty) => Presentation::Unsigned(types.name(ty)),
            Type::Float(_) => Presentation::Float(types.name(ty)),
            _ => Presentation::Raw(types.name(ty)),
        }
    }

    fn input(&self, origin: InputOrigin, ty: TypeId) -> Input {
        Input { origin, presentation: self.presentation(ty) }
    }

    /// The procedure of a function with a body; it is lowered later if it was not yet.
    fn procedure_of(&mut self, function: FunctionId) -> Procedure {
        if let Some(procedure) = self.procedures[function.index()] {
            return procedure;
        }
        let procedure = self.builder.add_procedure(self.typed.functions[function.index()].name.clone());
        self.procedures[function.index()] = Some(procedure);
        self.declare_signature(function, procedure);
        self.waiting.push(function);
        procedure
    }

    /// The variable of an object, if its values are modelled.
    fn variable(&mut self, object: ObjectId) -> Option<Var> {
        match self.variables[object.index()] {
            Slot::Variable(variable) => return Some(variable),
            Slot::Opaque => return None,
            Slot::Unknown => {}
        }
        let info = &self.typed.objects[object.index()];
        let Some(width) = self.width(info.ty) else {
            self.variables[object.index()] = Slot::Opaque;
            return None;
        };
        let owner = match info.storage {
            Storage::Automatic => Some(self.state().procedure),
            Storage::Static | Storage::External => {
                self.globals.push(object);
                None
            }
        };
        let presentation = Some(self.presentation(info.ty));
        let name = info.name.clone();
        let variable = self.builder.add_variable(self.pool, name, Sort::BitVec(width), owner, presentation);
        self.variables[object.index()] = Slot::Variable(variable);
        Some(variable)
    }

    fn term(&self, variable: Var) -> Term {
        self.builder.variable(variable).term
    }

    /// A new temporary of the function at hand.
    fn temporary(&mut self, width: u32) -> Var {
        let owner = self.state().procedure;
        self.builder.add_variable(self.pool, "tmp", Sort::BitVec(width), Some(owner), None)
    }

    fn point(&mut self) -> Point {
        self.state().graph.point()
    }

    /// Adds an edge from where we are; we go on after it.
    fn emit(&mut self, label: Label, span: Span) {
        let span = self.span(span);
        let state = self.state();
        let next = state.graph.point();
        state.graph.edge(state.current, next, label, span);
        state.current = next;
    }

    fn assign(&mut self, variable: Var, term: Term, span: Span) {
        if self.term(variable) != term {
            self.emit(Label::Op(Op::Assign(variable, term)), span);
        }
    }

    fn assume(&mut self, condition: Term, span: Span) {
        match self.pool.bool_constant(condition) {
            Some(true) => {}
            Some(false) => self.dead_end(),
            None => self.emit(Label::Op(Op::Assume(condition)), span),
        }
    }

    /// A new input; those of type `_Bool` are 0 or 1.
    fn havoc(&mut self, variable: Var, origin: InputOrigin, ty: TypeId, span: Span) {
        let input = self.input(origin, ty);
        self.emit(Label::Op(Op::Havoc(variable, input)), span);
        if self.is_bool(ty) {
            let (value, one) = (self.term(variable), self.pool.bv(8, 1));
            let holds = self.pool.ule(value, one);
            self.assume(holds, span);
        }
    }

    /// Control never goes on from here; what follows is reached by labels only.
    fn dead_end(&mut self) {
        let state = self.state();
        state.current = state.graph.point();
    }

    /// Control goes on at `target`.
    fn jump(&mut self, target: Point) {
        let state = self.state();
        state.graph.join(state.current, target);
        state.current = state.graph.point();
    }

    /// Control that reaches this point violates the property.
    fn reach_error(&mut self, span: Span) {
        self.violation(ErrorKind::Reached, span);
    }

    fn violation(&mut self, kind: ErrorKind, span: Span) {
        let always = self.pool.bool(true);
        self.emit(Label::Op(Op::Assume(always)), span);
        let state = self.state();
        state.graph.set_error(state.current, kind);
        self.dead_end();
    }

    /// Something that is not modelled is reached here.
    fn unsupported(&mut self, what: &str, span: Span) {
        self.emit(Label::Unsupported(what.to_owned()), span);
        self.dead_end();
    }

    /// A value that stands in for one that is not modelled; control never gets to use it.
    fn dummy(&mut self, ty: TypeId) -> Term {
        let width = self.width(ty).unwrap_or(8);
        self.pool.bv(width, 0)
    }
}
