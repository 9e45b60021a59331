//! Calls.

use super::extensions::is_typeof;
use super::lvalues::Operand;
use super::{Checked, Checker};
use crate::typed::{CallObjects, Callee, Expr, ExprKind, LValue, LValueKind};
use crate::types::{FunctionType, Type, TypeId};
use lang_c::ast::{CallExpression, Expression};
use lang_c::span::{Node, Span};

impl Checker<'_> {
    pub(super) fn call(&mut self, call: &Node<CallExpression>) -> Checked<Expr> {
        if let Expression::Identifier(name) = &call.node.callee.node
            && let Some(result) = self.checked_call(&name.node.name, call)?
        {
            return Ok(result);
        }
        if is_typeof(&call.node.callee) {
            return Err(self.error(call.span, "a type, where an expression is needed"));
        }
        if let Some(address) = self.label_address(call)? {
            return Ok(address);
        }
        let callee = match &call.node.callee.node {
            Expression::Identifier(name) if self.scopes.lookup(&name.node.name).is_none() => {
                if let Some(result) = self.builtin_call(&name.node.name, call)? {
                    return Ok(result);
                }
                Operand::Function(self.called_undeclared(&name.node.name, name.span), name.span)
            }
            _ => self.operand(&call.node.callee)?,
        };
        self.call_of(callee, &call.node.arguments, call)
    }

    /// A call of something with these arguments.
    pub(super) fn call_of(
        &mut self,
        callee: Operand,
        arguments: &[Node<Expression>],
        call: &Node<CallExpression>,
    ) -> Checked<Expr> {
        let (callee, ty, name) = match callee {
            Operand::Function(id, _) => {
                let function = &self.functions[id.index()];
                (Callee::Function(id), function.ty, function.name.clone())
            }
            other => {
                let pointer = self.decay(other);
                if let ExprKind::FunctionAddress(id) = pointer.kind {
                    let function = &self.functions[id.index()];
                    (Callee::Function(id), function.ty, function.name.clone())
                } else {
                    let ty = self.types.pointee(pointer.ty).unwrap_or(pointer.ty);
                    (Callee::Pointer(Box::new(pointer)), ty, "called through a pointer".to_owned())
                }
            }
        };
        let Type::Function(function) = self.types.get(ty).clone() else {
            return Err(
                self.error(call.node.callee.span, "called object is not a function or function pointer")
            );
        };
        let arguments = self.arguments(&function, arguments, &name, call.span)?;
        let result = self.types.as_record(function.result).map(|_| {
            let (name, ty) = ("<result>".to_owned(), function.result);
            self.hidden_object(&name, ty, call.span)
        });
        let extra = match &function.parameters {
            Some(parameters) if function.variadic => {
                self.extra_arguments(&arguments, parameters.len(), call.span)
            }
            _ => None,
        };
        let kind = ExprKind::Call(callee, arguments, CallObjects { result, extra });
        Ok(Expr::new(&self.types, kind, function.result, call.span))
    }

    fn arguments(
        &mut self,
        function: &FunctionType,
        nodes: &[Node<Expression>],
        name: &str,
        span: Span,
    ) -> Checked<Vec<Expr>> {
        let mut arguments = Vec::with_capacity(nodes.len());
        let parameters = function.parameters.as_deref();
        if let Some(parameters) = parameters {
            let (needed, given) = (parameters.len(), nodes.len());
            if given < needed {
                let message =
                    format!("too few arguments to function '{name}': {needed} expected, {given} given");
                return Err(self.error(span, message));
            }
            if given > needed && !function.variadic {
                let message =
                    format!("too many arguments to function '{name}': {needed} expected, {given} given");
                return Err(self.error(span, message));
            }
        }
        for (position, node) in nodes.iter().enumerate() {
            let value = self.expression(node)?;
            let value = match parameters.and_then(|parameters| parameters.get(position)) {
                Some(&ty) => self.argument(value, ty, node.span)?,
                None => {
                    self.require_value(&value)?;
                    self.default_promote(value)
                }
            };
            arguments.push(value);
        }
        self.copy_structures(&mut arguments);
        Ok(arguments)
    }

    /// A structure is passed as it is when its turn comes: what later arguments do to the variable that it is in must not
    /// be seen, so that it is copied to one that nobody knows.
    fn copy_structures(&mut self, arguments: &mut [Expr]) {
        let last_effect = arguments.iter().rposition(|argument| argument.effects).unwrap_or(0);
        for argument in &mut arguments[..last_effect] {
            let (ty, span) = (argument.ty, argument.span);
            let is_variable = matches!(&argument.kind, ExprKind::Load(place) if !place.is_value());
            if !is_variable || self.types.as_record(ty).is_none() {
                continue;
            }
            let object = self.hidden_object("<argument>", ty, span);
            let place = LValue { kind: LValueKind::Object(object), ty };
            let value = std::mem::replace(argument, self.constant_of(0, ty, span));
            *argument = Expr::new(&self.types, ExprKind::Assign(place, Box::new(value)), ty, span);
        }
    }

    fn argument(&mut self, value: Expr, ty: TypeId, span: Span) -> Checked<Expr> {
        // GNU C: a parameter of a transparent union takes a value of any of its members.
        let is_transparent = self.types.as_record(ty).is_some_and(|id| self.types.record(id).transparent);
        if is_transparent
            && value.ty != ty
            && let Some(value) = self.union_value(value.clone(), ty, span)
        {
            return Ok(value);
        }
        self.assign_convert(value, ty, span)
    }
}
