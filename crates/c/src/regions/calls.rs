//! Calls: what flows into parameters and out of results.

use super::classes::{Class, Signature, Slot};
use super::tables::position;
use super::walk::{Edge, Walk};
use crate::typed::{CallObjects, Callee, Expr, ExprKind, ExtraArguments, FunctionId, ObjectId};
use crate::types::Type;
use std::collections::BTreeSet;

/// A call through a pointer.
pub(super) struct IndirectCall<'a> {
    call: &'a Expr,
    arguments: &'a [Expr],
    callee: Class,
    result: Class,
}

impl<'a> Walk<'a> {
    /// What flows into the parameters and out of the result of a function.
    pub(super) fn signature(&mut self, function: FunctionId) {
        let typed = self.tables.typed;
        let class = self.tables.functions[function.index()];
        self.tables.classes.add_function(class, function);
        let reached = self.tables.resolve(function);
        let info = &typed.functions[reached.index()];
        let Some(body) = &info.body else { return };
        let mut parameters = Vec::with_capacity(body.parameters.len());
        for &object in &body.parameters {
            parameters.push(self.slot_of(object));
        }
        if function == reached && info.name == "main" {
            for slot in parameters.iter().skip(1) {
                self.tables.classes.unify(slot.class, self.external);
            }
        }
        if let Some(extra) = body.extra {
            let slot = self.slot_of(extra);
            let passed = self.tables.classes.passed;
            self.tables.classes.unify(slot.class, passed);
        }
        let variadic = matches!(typed.types.get(info.ty), Type::Function(ty) if ty.variadic);
        let result_type = self.tables.result_type(reached);
        let result = Slot {
            class: self.tables.results[reached.index()],
            target: result_type.and_then(|ty| self.tables.pointee(ty)),
        };
        if let Some(ty) = result_type.filter(|&ty| typed.types.is_aggregate(ty)) {
            self.copied(Some(result.class), ty, 0);
            self.tables.classes.add_target(result.class, self.tables.target(ty));
        }
        self.tables.classes.add_signature(class, Signature { parameters, variadic, result });
    }

    /// How a variable receives values as a parameter.
    fn slot_of(&mut self, object: ObjectId) -> Slot {
        let class = self.tables.object(object);
        let ty = self.tables.typed.objects[object.index()].ty;
        let class = match self.tables.types().is_aggregate(ty) {
            true => class,
            false => self.tables.classes.content(class, self.tables.channel(ty)),
        };
        Slot { class, target: self.tables.pointee(ty) }
    }

    pub(super) fn call(
        &mut self,
        call: &'a Expr,
        callee: &'a Callee,
        arguments: &'a [Expr],
        objects: CallObjects,
    ) -> Option<Class> {
        let temporary = objects.result.map(|object| self.tables.object(object));
        let result = match callee {
            Callee::Function(function) => {
                let reached = self.tables.resolve(*function);
                self.edges.extend(self.current.map(|caller| Edge::Direct(caller, reached)));
                self.ends_program(reached);
                let values: Vec<_> = arguments.iter().map(|argument| self.expr(argument)).collect();
                match self.tables.has_body(reached) {
                    true => {
                        let body = self.tables.typed.functions[reached.index()].body.as_ref();
                        let reads = body.is_some_and(|body| body.extra.is_some());
                        self.pass_extra(objects.extra.filter(|_| reads), arguments, &values);
                        Some(self.call_body(reached, call, arguments, &values))
                    }
                    false => {
                        self.streams_given(reached, call, arguments);
                        self.library(reached, call, arguments, &values)
                    }
                }
            }
            Callee::Pointer(pointer) => {
                let target = self.expr(pointer);
                let values: Vec<_> = arguments.iter().map(|argument| self.expr(argument)).collect();
                self.pass_extra(objects.extra, arguments, &values);
                target.map(|target| self.call_through(target, call, arguments, &values))
            }
        };
        let Some(temporary) = temporary else {
            let class = result?;
            let key = position(call.span);
            let known = self.tables.calls.get(&key).copied();
            self.tables.calls.insert(key, class);
            return self.join(Some(class), known);
        };
        self.copied(Some(temporary), call.ty, 0);
        self.join(Some(temporary), result)
    }

    /// What is called at the end of the program is called by whoever ends it.
    fn ends_program(&mut self, function: FunctionId) {
        let typed = self.tables.typed;
        let ends = matches!(
            typed.functions[function.index()].name.as_str(),
            "exit" | "__builtin_exit" | "pthread_exit"
        );
        let Some(caller) = self.current.filter(|_| ends && !self.tables.has_body(function)) else { return };
        for call in &typed.shutdown {
            if let ExprKind::Call(Callee::Function(callee), ..) = &call.kind {
                let callee = self.tables.resolve(*callee);
                self.edges.push(Edge::Direct(caller, callee));
            }
        }
    }

    /// The caller stores arguments for `...`. Whoever gets their address may read all that was ever passed.
    fn pass_extra(&mut self, extra: Option<ExtraArguments>, arguments: &[Expr], values: &[Option<Class>]) {
        let Some(ExtraArguments { object, first }) = extra else { return };
        let passed = self.tables.classes.passed;
        let class = self.tables.object(object);
        self.tables.classes.unify(class, passed);
        let mut offset = 0;
        for (argument, value) in arguments.iter().zip(values).skip(first) {
            self.copied(Some(passed), argument.ty, offset);
            self.store(Some(passed), *value, argument.ty);
            offset += self.tables.types().argument_slot(argument.ty).unwrap_or(1);
        }
    }

    /// A call of a function with a body, by name.
    fn call_body(
        &mut self,
        function: FunctionId,
        call: &'a Expr,
        arguments: &'a [Expr],
        values: &[Option<Class>],
    ) -> Class {
        let signature = self.signature_of_call(call, arguments, values);
        let result = signature.result.class;
        // Not a use of the function's signature, which it may share with others: only its own
        // parameters get the arguments.
        let typed = self.tables.typed;
        let Some(body) = &typed.functions[function.index()].body else { return result };
        let variadic = self.tables.classes.variadic;
        for (position, slot) in signature.parameters.into_iter().enumerate() {
            let to = match body.parameters.get(position) {
                Some(&object) => self.slot_of(object),
                None => Slot { class: variadic, target: None },
            };
            self.tables.classes.unify(slot.class, to.class);
            self.tables.classes.reinterpret(to.class, slot.target, to.target);
        }
        let result_type = self.tables.result_type(function);
        let target = result_type.and_then(|ty| self.tables.pointee(ty));
        self.tables.classes.unify(result, self.tables.results[function.index()]);
        self.tables.classes.reinterpret(result, target, signature.result.target);
        result
    }

    /// A call through a pointer to this class.
    fn call_through(
        &mut self,
        target: Class,
        call: &'a Expr,
        arguments: &'a [Expr],
        values: &[Option<Class>],
    ) -> Class {
        self.edges.extend(self.current.map(|caller| Edge::Indirect(caller, target)));
        let signature = self.signature_of_call(call, arguments, values);
        let result = signature.result.class;
        self.tables.classes.add_signature(target, signature);
        self.indirect.push(IndirectCall { call, arguments, callee: target, result });
        result
    }

    fn signature_of_call(&mut self, call: &Expr, arguments: &[Expr], values: &[Option<Class>]) -> Signature {
        let mut parameters = Vec::with_capacity(arguments.len());
        for (argument, value) in arguments.iter().zip(values) {
            let class = value.unwrap_or_else(|| self.tables.classes.fresh());
            if self.tables.types().is_aggregate(argument.ty) {
                self.copied(Some(class), argument.ty, 0);
            }
            parameters.push(Slot { class, target: self.tables.pointee(argument.ty) });
        }
        let result = Slot { class: self.tables.classes.fresh(), target: self.tables.pointee(call.ty) };
        Signature { parameters, variadic: false, result }
    }

    /// Library functions that calls through pointers reach. Their effects may let more of them be
    /// reached, until nothing new happens.
    pub(super) fn library_behind_pointers(&mut self) {
        let mut done = BTreeSet::new();
        loop {
            let mut changed = false;
            for index in 0..self.indirect.len() {
                let IndirectCall { call, arguments, callee, result } = self.indirect[index];
                let functions = self.tables.classes.facts(callee).functions.clone();
                for function in functions {
                    let reached = self.tables.resolve(function);
                    if self.tables.has_body(reached) || !done.insert((index, function)) {
                        continue;
                    }
                    changed = true;
                    let values: Vec<_> =
                        arguments.iter().map(|argument| self.tables.value(argument)).collect();
                    let value = self.library(reached, call, arguments, &values);
                    self.join(Some(result), value);
                    // The type of the pointer need not be that of the function.
                    self.tables.classes.add_target(result, self.tables.pointee(call.ty));
                }
            }
            if !changed {
                return;
            }
        }
    }
}
