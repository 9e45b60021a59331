//! Calls.
//!
//! Besides its own parameters a procedure may have hidden ones in front: how deep the recursion is (see
//! [`super::memory`]), where a structure goes that it gives, and where the arguments for `...` are. Structures are passed as the address of
//! the argument, which the callee copies.

use super::Lowering;
use super::memory::{Bound, Place};
use crate::regions::RegionId;
use crate::typed::{CallObjects, Callee, Expr, ExtraArguments, FunctionId};
use crate::types::{FloatKind, Type, TypeId};
use aster_cfa::{Call, ErrorKind, Label, Var};
use aster_term::Term;
use lang_c::span::Span;

/// What becomes of the result of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// It is dropped.
    Nothing,
    /// It is used as a value.
    Value,
    /// It goes into this variable, which has its type.
    In(Var),
}

/// An argument after it was evaluated.
#[derive(Clone, Copy)]
struct Argument {
    /// The value, or the address of a structure.
    value: Term,
    ty: TypeId,
    /// Where a structure is.
    region: Option<RegionId>,
}

impl Lowering<'_> {
    /// Evaluates a call; the result is the term to use, if one is wanted. Structures and arguments for `...` go into
    /// `objects`.
    pub(super) fn call(
        &mut self,
        callee: &Callee,
        arguments: &[Expr],
        objects: CallObjects,
        expr: &Expr,
        wanted: Wanted,
    ) -> Term {
        let result = match callee {
            Callee::Pointer(pointer) => self.pointer_call(pointer, arguments, objects, expr, wanted),
            Callee::Function(function) => self.function_call(*function, arguments, objects, expr, wanted),
        };
        let may_be_address = self.holds_an_address(expr.ty) || self.typed.types.as_record(expr.ty).is_some();
        self.state().given |= may_be_address && wanted != Wanted::Nothing;
        result
    }

    fn function_call(
        &mut self,
        function: FunctionId,
        arguments: &[Expr],
        objects: CallObjects,
        expr: &Expr,
        wanted: Wanted,
    ) -> Term {
        let info = &self.typed.functions[function.index()];
        if let Some(what) = &info.refused {
            self.argument_effects(arguments);
            return self.unmodelled(what, expr);
        }
        if self.is_error_function(function) {
            self.argument_effects(arguments);
            self.reach_error(expr.span);
            return self.dummy(expr.ty);
        }
        match (&info.body, info.model) {
            // gcc does not call it, but computes what the library's function of this name gives.
            (Some(_), _) if info.built_in => self.library_call(function, arguments, expr, wanted),
            (Some(_), _) => {
                let Some(arguments) = self.arguments(arguments, expr.span) else {
                    return self.dummy(expr.ty);
                };
                self.procedure_call(function, &arguments, objects, expr, wanted)
            }
            (None, Some(_)) if self.may_lose_errno(&info.name) => {
                self.argument_effects(arguments);
                self.unmodelled(&format!("errno after a call of '{}'", info.name), expr)
            }
            (None, Some(model)) => {
                let Some(arguments) = self.arguments(arguments, expr.span) else {
                    return self.dummy(expr.ty);
                };
                self.procedure_call(model, &arguments, objects, expr, wanted)
            }
            (None, None) => self.library_call(function, arguments, expr, wanted),
        }
    }

    /// The property is about calls of the function, by its name or as another name of one that it is about.
    fn is_error_function(&self, function: FunctionId) -> bool {
        let name = |id: FunctionId| &self.typed.functions[id.index()].name;
        let stands_in = self.typed.functions[function.index()].model;
        [Some(function), stands_in]
            .into_iter()
            .flatten()
            .any(|id| self.options.error_functions.contains(name(id)))
    }

    /// Evaluates arguments whose values do not matter.
    pub(super) fn argument_effects(&mut self, arguments: &[Expr]) {
        for argument in arguments {
            self.effect(argument);
        }
    }

    /// The values of scalar arguments, left to right; each keeps its value while later ones have effects.
    pub(super) fn argument_values(&mut self, arguments: &[Expr]) -> Vec<Term> {
        let last_effect = arguments.iter().rposition(|argument| argument.effects);
        let mut values = Vec::with_capacity(arguments.len());
        for (position, argument) in arguments.iter().enumerate() {
            let mut value = self.value(argument);
            if last_effect.is_some_and(|last| position < last) {
                value = self.snapshot(value, argument.span);
            }
            values.push(value);
        }
        values
    }

    /// Evaluates arguments; `None` if one is not modelled.
    fn arguments(&mut self, arguments: &[Expr], span: Span) -> Option<Vec<Argument>> {
        let last_effect = arguments.iter().rposition(|argument| argument.effects);
        let mut values = Vec::with_capacity(arguments.len());
        for (position, argument) in arguments.iter().enumerate() {
            let mut region = None;
            let mut value = if self.typed.types.as_record(argument.ty).is_some() {
                let place = self.record_place(argument)?;
                let Some(size) = self.typed.types.known_size(argument.ty) else {
                    self.unsupported("structure whose layout is not known", span);
                    return None;
                };
                self.check_access(&place, size, argument.span);
                region = Some(place.region);
                place.address
            } else if self.width(argument.ty).is_some() {
                self.value(argument)
            } else {
                self.effect(argument);
                self.unsupported(self.unmodelled_type(argument.ty), span);
                return None;
            };
            if last_effect.is_some_and(|last| position < last) {
                value = self.snapshot(value, argument.span);
            }
            values.push(Argument { value, ty: argument.ty, region });
        }
        Some(values)
    }

    fn procedure_call(
        &mut self,
        function: FunctionId,
        arguments: &[Argument],
        objects: CallObjects,
        expr: &Expr,
        wanted: Wanted,
    ) -> Term {
        let typed = self.typed;
        let Some(body) = &typed.functions[function.index()].body else { return self.dummy(expr.ty) };
        let parameters: Vec<TypeId> = body.parameters.iter().map(|id| typed.objects[id.index()].ty).collect();
        let result = self.result_type(function);
        if let Some(what) = self.unmodelled_signature(&parameters, result) {
            return self.unmodelled(what, expr);
        }
        if arguments.len() < parameters.len() {
            return self.unmodelled("call with too few arguments", expr);
        }
        let mut values = self.hidden_arguments(function, objects);
        let mut arguments = arguments.to_vec();
        if body.extra.is_some() {
            // What is stored first may be what a later argument has read.
            for argument in &mut arguments {
                argument.value = self.snapshot(argument.value, expr.span);
            }
            let extra = &arguments[parameters.len()..];
            match self.pass_extra(objects.extra, parameters.len(), extra, expr.span) {
                Some(address) => values.push(address),
                None => return self.dummy(expr.ty),
            }
        }
        for (argument, &ty) in arguments.iter().zip(&parameters) {
            let is_record = typed.types.as_record(ty).is_some();
            if is_record != typed.types.as_record(argument.ty).is_some() {
                return self.unmodelled("argument of another type than the parameter", expr);
            }
            if self.passed_differently(function, argument.ty, ty) {
                return self.unmodelled("argument of another type than the parameter", expr);
            }
            // Without a prototype the argument has its own promoted type.
            values.push(if is_record {
                argument.value
            } else {
                self.convert(argument.value, argument.ty, ty)
            });
        }
        let procedure = self.procedure_of(function);
        if wanted != Wanted::Nothing && self.format(result) != self.format(expr.ty) {
            return self.unmodelled("call of a function with another result type", expr);
        }
        if wanted == Wanted::Nothing || self.width(result) == self.width(expr.ty) {
            let target = self.result_variable(expr, wanted);
            let held = self.hold(function, expr.span);
            self.emit(Label::Call(Call { procedure, arguments: values, result: target }), expr.span);
            self.let_go(held, expr.span);
            self.end_extra(function, objects.extra, expr.span);
            return self.result_term(target, expr);
        }
        // Declared with another result than it is defined with.
        let Some(width) = self.width(result).filter(|_| self.width(expr.ty).is_some()) else {
            return self.unmodelled("call of a function with another result type", expr);
        };
        let target = self.temporary(width);
        let held = self.hold(function, expr.span);
        self.emit(Label::Call(Call { procedure, arguments: values, result: Some(target) }), expr.span);
        self.let_go(held, expr.span);
        self.end_extra(function, objects.extra, expr.span);
        let value = self.term(target);
        let value = self.convert(value, result, expr.ty);
        self.deliver(value, expr, wanted)
    }

    /// The caller puts a number somewhere else than the function looks for it, or in another format. Only functions that are
    /// defined without a prototype expect promoted arguments.
    fn passed_differently(&self, function: FunctionId, argument: TypeId, parameter: TypeId) -> bool {
        let types = &self.typed.types;
        let expects_promoted = matches!(
            types.get(self.typed.functions[function.index()].ty),
            Type::Function(ty) if ty.parameters.is_none()
        );
        match (types.float_kind(argument), types.float_kind(parameter)) {
            (Some(FloatKind::Double), Some(FloatKind::Float)) => !expects_promoted,
            (given, expected) => given != expected,
        }
    }

    fn hidden_arguments(&mut self, function: FunctionId, objects: CallObjects) -> Vec<Term> {
        let mut values = Vec::new();
        if self.needs_depth(function) {
            values.push(self.depth_argument(function));
        }
        if self.typed.types.as_record(self.result_type(function)).is_some() {
            let address = objects.result.and_then(|object| self.object_address(object));
            let nowhere = self.address(0);
            values.push(address.unwrap_or(nowhere));
        }
        values
    }

    /// Stores the arguments for `...` of a function with so many parameters; gives the address for it.
    fn pass_extra(
        &mut self,
        extra: Option<ExtraArguments>,
        parameters: usize,
        arguments: &[Argument],
        span: Span,
    ) -> Option<Term> {
        if arguments.is_empty() {
            return Some(self.address(0));
        }
        let Some(extra) = extra.filter(|extra| extra.first == parameters) else {
            self.unsupported("variable arguments without a fitting declaration", span);
            return None;
        };
        let Some(start) = self.object_place(extra.object) else {
            self.unsupported("variable arguments", span);
            return None;
        };
        let mut distance = 0;
        self.make_alive(extra.object, span);
        for argument in arguments {
            let offset = self.address(distance);
            let place = self.moved(Place { bound: Bound::Fine, ..start }, offset);
            match argument.region {
                Some(region) => {
                    let source = Place { region, address: argument.value, bound: Bound::Fine };
                    self.copy_record(&place, &source, argument.ty, span)?;
                }
                None => {
                    self.write_scalar(&place, None, argument.value, argument.ty, span);
                }
            }
            distance += self.typed.types.argument_slot(argument.ty).unwrap_or(0);
        }
        Some(start.address)
    }

    /// The arguments for `...` exist only until the function returns.
    fn end_extra(&mut self, function: FunctionId, extra: Option<ExtraArguments>, span: Span) {
        let body = self.typed.functions[function.index()].body.as_ref();
        if let Some(extra) = extra.filter(|_| body.is_some_and(|body| body.extra.is_some())) {
            self.make_dead(extra.object, span);
        }
    }

    /// A call through a pointer: a branch for each function that it may point to.
    fn pointer_call(
        &mut self,
        pointer: &Expr,
        arguments: &[Expr],
        objects: CallObjects,
        expr: &Expr,
        wanted: Wanted,
    ) -> Term {
        let mut target = self.value(pointer);
        if arguments.iter().any(|argument| argument.effects) {
            target = self.snapshot(target, pointer.span);
        }
        let Some(mut arguments) = self.arguments(arguments, expr.span) else { return self.dummy(expr.ty) };
        target = self.snapshot(target, pointer.span);
        for argument in &mut arguments {
            argument.value = self.snapshot(argument.value, expr.span);
        }
        let result = match wanted {
            Wanted::Nothing => None,
            _ => self.result_variable(expr, wanted),
        };
        let end = self.point();
        for function in self.memory.regions.callees(pointer) {
            let address = self.function_pointer(function);
            let selected = self.pool.eq(target, address);
            if self.pool.bool_constant(selected) == Some(false) {
                continue;
            }
            let (this, other) = (self.point(), self.point());
            self.branch_on(selected, this, other, expr.span);
            self.state().current = this;
            self.dispatched_call(function, &arguments, objects, expr, result);
            self.jump(end);
            self.state().current = other;
        }
        let null = self.address(0);
        let is_null = self.pool.eq(target, null);
        let (nothing, unknown) = (self.point(), self.point());
        self.branch_on(is_null, nothing, unknown, expr.span);
        self.state().current = nothing;
        let is_function = self.pool.not(is_null);
        let when = self.when_not(is_function);
        self.undefined(ErrorKind::InvalidDereference, "call through a null pointer", when, expr.span);
        self.state().current = unknown;
        self.unsupported("call through a pointer to an unknown function", expr.span);
        self.state().current = end;
        self.result_term(result, expr)
    }

    fn dispatched_call(
        &mut self,
        function: FunctionId,
        arguments: &[Argument],
        objects: CallObjects,
        expr: &Expr,
        result: Option<Var>,
    ) {
        let info = &self.typed.functions[function.index()];
        if let Some(what) = &info.refused {
            return self.unsupported(what, expr.span);
        }
        if self.is_error_function(function) {
            return self.reach_error(expr.span);
        }
        let target = if info.body.is_some() { Some(function) } else { info.model };
        match target {
            Some(function) => {
                let wanted = result.map_or(Wanted::Nothing, Wanted::In);
                self.procedure_call(function, arguments, objects, expr, wanted);
            }
            None => {
                let what = format!("call of '{}' through a pointer", info.name);
                self.unsupported(&what, expr.span);
            }
        }
    }

    /// Why a signature is not modelled.
    fn unmodelled_signature(&self, parameters: &[TypeId], result: TypeId) -> Option<&'static str> {
        let types = &self.typed.types;
        let unmodelled = |ty: TypeId| {
            let modelled =
                types.bit_width(ty).is_some() || types.is_void(ty) || types.as_record(ty).is_some();
            (!modelled).then_some(types.get(ty))
        };
        match parameters.iter().copied().chain([result]).find_map(unmodelled)? {
            Type::Complex(_) => Some("complex arithmetic"),
            Type::Decimal(_) => Some("decimal floating-point numbers"),
            Type::Vector(..) => Some("vector of more than 16 bytes"),
            _ => Some("parameter or result that is not modelled"),
        }
    }

    /// Where the result of a call goes, if it is wanted and there is one.
    pub(super) fn result_variable(&mut self, expr: &Expr, wanted: Wanted) -> Option<Var> {
        let width = self.width(expr.ty)?;
        match wanted {
            Wanted::Nothing => None,
            Wanted::Value => Some(self.temporary(width)),
            Wanted::In(variable) => Some(variable),
        }
    }

    pub(super) fn result_term(&mut self, result: Option<Var>, expr: &Expr) -> Term {
        match result {
            Some(variable) => self.term(variable),
            None => self.dummy(expr.ty),
        }
    }

    /// Delivers a computed result.
    pub(super) fn deliver(&mut self, value: Term, expr: &Expr, wanted: Wanted) -> Term {
        match wanted {
            Wanted::In(variable) => {
                self.assign(variable, value, expr.span);
                self.term(variable)
            }
            _ => value,
        }
    }

    /// A function is entered: parameters that live in memory get their values.
    pub(super) fn receive_parameters(&mut self, function: FunctionId) {
        let typed = self.typed;
        let Some(body) = &typed.functions[function.index()].body else { return };
        for &object in &body.parameters {
            if !self.memory.regions.in_memory(object) {
                continue;
            }
            let info = &typed.objects[object.index()];
            let super::Slot::Variable(incoming) = self.variables[object.index()] else { continue };
            let Some(place) = self.object_place(object) else {
                self.unsupported("parameter whose size is not known", info.span);
                continue;
            };
            let value = self.term(incoming);
            if typed.types.as_record(info.ty).is_some() {
                let source = Place { region: place.region, address: value, bound: Bound::Fine };
                self.copy_record(&place, &source, info.ty, info.span);
            } else {
                self.write_scalar(&place, None, value, info.ty, info.span);
            }
        }
    }
}
