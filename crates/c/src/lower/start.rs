//! The procedure where execution starts: it initialises the variables with static storage and calls
//! `main`.

use super::Lowering;
use super::memory::Ending;
use crate::library::stream_of_object;
use crate::typed::{FunctionId, Initializer, Storage};
use aster_cfa::{Call, InputOrigin, Label, Procedure};
use aster_term::Sort;
use lang_c::span::Span;

impl Lowering<'_> {
    /// Lowers what is done before `main` is called and after it returned. All functions that are called there wait to be
    /// lowered then.
    pub(super) fn calls_around_main(&mut self) {
        let typed = self.typed;
        if let Some(span) = typed.startup.first().map(|statement| statement.span) {
            let procedure = self.builder.add_procedure("<constructors>");
            let start = self.begin(procedure, None, &[], None);
            self.statements(&typed.startup);
            let exit = self.state().exit;
            self.jump(exit);
            self.end(start, span);
            self.constructors = Some(procedure);
        }
        if let Some(span) = typed.shutdown.first().map(|call| call.span) {
            let procedure = self.builder.add_procedure("<end>");
            let started = self.builder.add_variable(self.pool, "<ended>", Sort::BitVec(1), None, None);
            let start = self.begin(procedure, None, &[], None);
            let (zero, one) = (self.pool.bv(1, 0), self.pool.bv(1, 1));
            let (first, again) = (self.point(), self.point());
            let is_first = self.term(started);
            let is_first = self.pool.eq(is_first, zero);
            self.branch_on(is_first, first, again, span);
            self.state().current = again;
            self.unsupported("exit of a program that is being ended", span);
            self.state().current = first;
            self.assign(started, one, span);
            for call in &typed.shutdown {
                self.effect(call);
            }
            let exit = self.state().exit;
            self.jump(exit);
            self.end(start, span);
            self.ending = Some((procedure, started));
        }
    }

    /// The program ends in an orderly way: destructors and what was given to `atexit` are called.
    pub(super) fn run_destructors(&mut self, span: Span) {
        if let Some((procedure, _)) = self.ending {
            let held = self.hold_at_exit(span);
            self.emit(Label::Call(Call { procedure, arguments: Vec::new(), result: None }), span);
            self.let_go(held, span);
        }
    }

    /// Lowers the start procedure; all functions are lowered, so that all variables in use are known.
    pub(super) fn start_procedure(&mut self, entry: Procedure, main: FunctionId) {
        let typed = self.typed;
        let Some(body) = &typed.functions[main.index()].body else { return };
        let start = self.begin(entry, None, &[], None);
        if let Some(variable) = self.rounding_variable() {
            let nearest = self.pool.bv(2, 0);
            self.assign(variable, nearest, body.span);
        }
        self.initialise_streams(body.span);
        self.initialise_globals();
        self.initialize_memory(body.span);
        if let Some((_, started)) = self.ending {
            let no = self.pool.bv(1, 0);
            self.assign(started, no, body.span);
        }
        if let Some(procedure) = self.constructors {
            self.emit(Label::Call(Call { procedure, arguments: Vec::new(), result: None }), body.span);
        }
        let arguments = self.main_arguments(main, body.span);
        let procedure = self.procedure_of(main);
        if let Some(arguments) = arguments {
            self.emit(Label::Call(Call { procedure, arguments, result: None }), body.span);
            self.run_destructors(body.span);
            self.check_allocations(Ending::Returned, body.span);
        }
        let exit = self.state().exit;
        self.jump(exit);
        self.end(start, body.span);
    }

    fn initialise_globals(&mut self) {
        let mut globals = std::mem::take(&mut self.globals);
        globals.sort_unstable();
        for object in globals {
            let info = &self.typed.objects[object.index()];
            let Some(variable) = self.variable(object) else { continue };
            if let Some(stream) = stream_of_object(self.typed, object) {
                let pointer = self.stream_pointer(stream);
                self.assign(variable, pointer, info.span);
                continue;
            }
            match (&info.initializer, info.storage) {
                (None, Storage::External) => {
                    self.havoc(variable, InputOrigin::External(info.name.clone()), info.ty, info.span);
                }
                (Some(Initializer::Scalar(value)), _) => self.store(variable, value, info.span),
                _ => {
                    let zero = self.dummy(info.ty);
                    self.assign(variable, zero, info.span);
                }
            }
        }
    }

    /// Arbitrary arguments for `main`; the first one, an integer, is not negative. `None` if a
    /// parameter is of a type that is not modelled.
    fn main_arguments(&mut self, main: FunctionId, span: Span) -> Option<Vec<aster_term::Term>> {
        let typed = self.typed;
        let body = typed.functions[main.index()].body.as_ref()?;
        if typed.types.as_record(self.result_type(main)).is_some() {
            self.unsupported("'main' that gives a structure", span);
            return None;
        }
        let mut arguments = Vec::with_capacity(body.parameters.len());
        if self.needs_depth(main) {
            arguments.push(self.depth_argument(main));
        }
        if body.extra.is_some() {
            arguments.push(self.address(0));
        }
        for (position, object) in body.parameters.iter().enumerate() {
            let info = &typed.objects[object.index()];
            let Some(width) = self.width(info.ty) else {
                self.unsupported("parameter of 'main' that is not modelled", span);
                return None;
            };
            if typed.types.is_pointer(info.ty) {
                arguments.push(self.outside_pointer(position));
                continue;
            }
            let argument = self.temporary(width);
            self.havoc(argument, InputOrigin::External(info.name.clone()), info.ty, info.span);
            let value = self.term(argument);
            if position == 0 && self.is_signed(info.ty) {
                let zero = self.pool.bv(width, 0);
                let holds = self.at_most(zero, value, true);
                self.assume(holds, info.span);
            }
            arguments.push(value);
        }
        Some(arguments)
    }
}
