//! Calls.

use super::Lowering;
use crate::typed::{Callee, Expr, FunctionId};
use crate::types::{Type, TypeId};
use aster_cfa::{Call, Label, Var};
use aster_term::Term;

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

impl Lowering<'_> {
    /// Evaluates a call; the result is the term to use, if one is wanted.
    pub(super) fn call(&mut self, callee: &Callee, arguments: &[Expr], expr: &Expr, wanted: Wanted) -> Term {
        match callee {
            Callee::Pointer(pointer) => {
                self.value(pointer);
                self.unmodelled("call through a function pointer", expr)
            }
            Callee::Function(function) => {
                let name = &self.typed.functions[function.index()].name;
                if self.options.error_functions.contains(name) {
                    self.argument_effects(arguments);
                    self.reach_error(expr.span);
                    self.dummy(expr.ty)
                } else if self.typed.functions[function.index()].body.is_some() {
                    self.procedure_call(*function, arguments, expr, wanted)
                } else if let Some(model) = self.typed.functions[function.index()].model {
                    self.model_call(model, arguments, expr, wanted)
                } else {
                    self.library_call(*function, arguments, expr, wanted)
                }
            }
        }
    }

    /// Evaluates arguments whose values do not matter.
    pub(super) fn argument_effects(&mut self, arguments: &[Expr]) {
        for argument in arguments {
            self.effect(argument);
        }
    }

    /// The values of arguments, left to right; each keeps its value while later ones have effects.
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

    fn procedure_call(
        &mut self,
        function: FunctionId,
        arguments: &[Expr],
        expr: &Expr,
        wanted: Wanted,
    ) -> Term {
        let typed = self.typed;
        let Some(body) = &typed.functions[function.index()].body else { return self.dummy(expr.ty) };
        let parameters: Vec<TypeId> = body.parameters.iter().map(|id| typed.objects[id.index()].ty).collect();
        if let Some(what) = self.unmodelled_signature(&parameters, expr.ty) {
            return self.unmodelled(what, expr);
        }
        // Called before its declaration as `int f()`, declared otherwise later.
        if self.result_type(function) != expr.ty && wanted != Wanted::Nothing {
            return self.unmodelled("call of an undeclared function with another result type", expr);
        }
        if arguments.len() < parameters.len() {
            return self.unmodelled("call with too few arguments", expr);
        }
        let (passed, extra) = arguments.split_at(parameters.len());
        let mut values = Vec::with_capacity(passed.len());
        let extra_effects = extra.iter().any(|argument| argument.effects);
        for (argument, value) in passed.iter().zip(self.argument_values(passed)) {
            values.push(if extra_effects { self.snapshot(value, argument.span) } else { value });
        }
        self.argument_effects(extra);
        for (position, (argument, &ty)) in passed.iter().zip(&parameters).enumerate() {
            // Without a prototype the argument has its own promoted type.
            if self.width(argument.ty).is_none() {
                return self.unmodelled("floating-point arithmetic", expr);
            }
            values[position] = self.convert(values[position], argument.ty, ty);
        }
        let procedure = self.procedure_of(function);
        let result = self.result_variable(expr, wanted);
        self.emit(Label::Call(Call { procedure, arguments: values, result }), expr.span);
        self.result_term(result, expr)
    }

    /// A call of a library function's model, whose result may have another type than the call.
    fn model_call(&mut self, model: FunctionId, arguments: &[Expr], expr: &Expr, wanted: Wanted) -> Term {
        let result = self.result_type(model);
        if result == expr.ty || wanted == Wanted::Nothing {
            return self.procedure_call(model, arguments, expr, wanted);
        }
        let given = Expr { ty: result, ..expr.clone() };
        let value = self.procedure_call(model, arguments, &given, Wanted::Value);
        let value = self.convert(value, result, expr.ty);
        self.deliver(value, expr, wanted)
    }

    /// Why a signature is not modelled.
    fn unmodelled_signature(&self, parameters: &[TypeId], result: TypeId) -> Option<&'static str> {
        let types = &self.typed.types;
        let unmodelled =
            |ty: TypeId| (types.bit_width(ty).is_none() && !types.is_void(ty)).then_some(types.get(ty));
        match parameters.iter().copied().chain([result]).find_map(unmodelled)? {
            Type::Float(_) | Type::Complex(_) => Some("floating-point arithmetic"),
            _ => Some("structure passed by value"),
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
}
