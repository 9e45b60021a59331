//! Functions that nothing is known about.

use super::super::Lowering;
use super::super::calls::Wanted;
use super::counted;
use crate::library::{is_unmodelled, stream_argument};
use crate::typed::{Expr, ExprKind, FunctionId, LValueKind};
use aster_cfa::{InputOrigin, UnknownFunction};
use aster_term::Term;
use lang_c::span::Span;

/// Families of functions by how their name starts.
const UNMODELLED_PREFIXES: &[&str] =
    &["__builtin_", "__sync_", "__atomic_", "atomic_", "pthread_", "__VERIFIER_"];

impl Lowering<'_> {
    /// Numbers, null pointers, string literals and streams: nothing of the program that a function could change.
    pub(super) fn cannot_be_written(&self, argument: &Expr) -> bool {
        match &argument.kind {
            _ if self.typed.types.is_arithmetic(argument.ty) => true,
            ExprKind::Constant(0) => true,
            ExprKind::Convert(inner) => {
                self.typed.types.is_pointer(inner.ty) && self.cannot_be_written(inner)
            }
            ExprKind::AddressOf(place) => matches!(place.kind, LValueKind::String(_)),
            _ => stream_argument(self.typed, argument).is_some(),
        }
    }

    /// A function that is not known: its result is arbitrary, and so is what its arguments point to afterwards.
    pub(super) fn external_call(
        &mut self,
        function: FunctionId,
        arguments: &[Expr],
        expr: &Expr,
        wanted: Wanted,
    ) -> Term {
        let name = self.typed.functions[function.index()].name.as_str();
        let is_understood = |argument: &Expr| {
            let is_value = self.width(argument.ty).is_none() && !self.holds_pointers(argument.ty);
            is_value || self.cannot_be_written(argument) || self.may_be_changed(argument)
        };
        let understood = arguments.iter().all(is_understood);
        let types = &self.typed.types;
        let result = types.is_void(expr.ty) || self.width(expr.ty).is_some();
        let unmodelled =
            UNMODELLED_PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || is_unmodelled(name);
        if !understood || !result || unmodelled {
            self.argument_effects(arguments);
            return self.unmodelled(&format!("call of external function '{name}'"), expr);
        }
        let values = self.outside_arguments(arguments);
        for (argument, value) in arguments.iter().zip(values) {
            if let Some(value) = value.filter(|_| !self.cannot_be_written(argument)) {
                self.change_object(name, argument, value);
            }
        }
        let first = self.unknown.entry(function).or_insert(expr.span);
        if expr.span.start < first.start {
            *first = expr.span;
        }
        self.input_call(InputOrigin::External(name.to_owned()), expr, counted(wanted))
    }

    /// The functions that nothing is known about, in the order of their first calls.
    pub(in crate::lower) fn unknown_functions(&self) -> Vec<UnknownFunction> {
        let mut calls: Vec<(FunctionId, Span)> =
            self.unknown.iter().map(|(&function, &span)| (function, span)).collect();
        calls.sort_unstable_by_key(|(_, span)| span.start);
        let described = calls.into_iter().map(|(function, span)| UnknownFunction {
            name: self.typed.functions[function.index()].name.clone(),
            declared: !self.typed.implicit.contains(&function),
            span: self.span(span),
        });
        described.collect()
    }
}
