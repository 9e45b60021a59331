//! Operands before they become values: places, functions, and what denotes them.

use super::scope::Symbol;
use super::{Checked, Checker, fold};
use crate::typed::{Expr, ExprKind, FunctionId, LValue, LValueKind, Storage};
use crate::types::{ArrayLength, Type, TypeId};
use lang_c::ast::{Expression, Identifier, MemberExpression, MemberOperator, UnaryOperator};
use lang_c::span::{Node, Span};

/// What an expression denotes before arrays and functions decay and places are read.
pub(super) enum Operand {
    /// A place.
    Place(LValue, Span),
    /// A function.
    Function(FunctionId, Span),
    /// A value.
    Value(Expr),
}

impl Operand {
    pub(super) fn ty(&self, checker: &Checker) -> TypeId {
        match self {
            Operand::Place(place, _) => place.ty,
            Operand::Function(id, _) => checker.functions[id.index()].ty,
            Operand::Value(expr) => expr.ty,
        }
    }
}

impl Checker<'_> {
    /// Checks an expression without reading the place that it may denote.
    pub(super) fn operand(&mut self, node: &Node<Expression>) -> Checked<Operand> {
        match &node.node {
            Expression::Identifier(name) => self.identifier(name),
            Expression::StringLiteral(parts) => {
                let (bytes, element) = self.string_bytes(&parts.node);
                let length = bytes.len() as u64 / self.types.size(element).unwrap_or(1) + 1;
                let ty = self.types.array(element, ArrayLength::Known(length));
                Ok(Operand::Place(LValue { kind: LValueKind::String(bytes), ty }, node.span))
            }
            Expression::Member(member) => self.member(member),
            Expression::CompoundLiteral(literal) => self.compound_literal(literal),
            Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Indirection => {
                let pointer = self.expression(&unary.node.operand)?;
                self.dereference(pointer, node.span)
            }
            Expression::BinaryOperator(binary)
                if binary.node.operator.node == lang_c::ast::BinaryOperator::Index =>
            {
                self.subscript(&binary.node.lhs, &binary.node.rhs, node.span)
            }
            Expression::GenericSelection(selection) => self.generic_selection(selection),
            _ => self.value(node).map(Operand::Value),
        }
    }

    /// Checks an expression for its value: places are read, arrays and functions decay.
    pub(super) fn expression(&mut self, node: &Node<Expression>) -> Checked<Expr> {
        let operand = self.operand(node)?;
        Ok(self.decay(operand))
    }

    pub(super) fn decay(&mut self, operand: Operand) -> Expr {
        match operand {
            Operand::Value(expr) => expr,
            Operand::Function(id, span) => {
                let function = self.functions[id.index()].ty;
                let ty = self.types.pointer(function);
                Expr::new(&self.types, ExprKind::FunctionAddress(id), ty, span)
            }
            Operand::Place(place, span) => match *self.types.get(place.ty) {
                Type::Array(element, _) => {
                    let ty = self.types.pointer(element);
                    self.address(place, ty, span)
                }
                Type::Function(_) => {
                    let ty = self.types.pointer(place.ty);
                    self.address(place, ty, span)
                }
                _ => {
                    let ty = place.ty;
                    match place.kind {
                        LValueKind::Value(value) => *value,
                        _ => {
                            let reversed = self.is_reversed(&place);
                            let value = Expr::new(&self.types, ExprKind::Load(place), ty, span);
                            if reversed { self.reversed(value) } else { value }
                        }
                    }
                }
            },
        }
    }

    /// The address of a place; that of what a pointer points to is the pointer.
    pub(super) fn address(&mut self, place: LValue, ty: TypeId, span: Span) -> Expr {
        if let Some(bits) = fold::constant_address(&self.types, &place) {
            return self.constant_of(bits, ty, span);
        }
        match place.kind {
            LValueKind::Deref(pointer) => self.convert(*pointer, ty),
            _ => Expr::new(&self.types, ExprKind::AddressOf(place), ty, span),
        }
    }

    fn identifier(&mut self, name: &Node<Identifier>) -> Checked<Operand> {
        match self.scopes.lookup(&name.node.name) {
            Some(Symbol::Object(id)) => {
                if self.object(id).storage != Storage::Automatic {
                    self.symbols.used.insert(id);
                }
                let place = LValue { kind: LValueKind::Object(id), ty: self.object(id).ty };
                Ok(Operand::Place(place, name.span))
            }
            Some(Symbol::Function(id)) => {
                self.functions[id.index()].mentioned = true;
                Ok(Operand::Function(id, name.span))
            }
            Some(Symbol::Indirect(id)) => {
                let ty = self.object(id).ty;
                let place = LValue { kind: LValueKind::Object(id), ty };
                let pointer = Expr::new(&self.types, ExprKind::Load(place), ty, name.span);
                self.dereference(pointer, name.span)
            }
            Some(Symbol::Constant(bits, ty)) => Ok(Operand::Value(self.constant_of(bits, ty, name.span))),
            Some(Symbol::Typedef(..)) => {
                Err(self.error(name.span, format!("'{}' is a type, not a value", name.node.name)))
            }
            None => self.predefined(name),
        }
    }

    /// `__func__` and its relatives; anything else is undeclared.
    fn predefined(&mut self, name: &Node<Identifier>) -> Checked<Operand> {
        let text = name.node.name.as_str();
        match (text, &self.context) {
            ("__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__", Some(context)) => {
                let bytes = context.name.clone().into_bytes();
                let element = self.types.integer(crate::types::IntKind::Char);
                let ty = self.types.array(element, ArrayLength::Known(bytes.len() as u64 + 1));
                Ok(Operand::Place(LValue { kind: LValueKind::String(bytes), ty }, name.span))
            }
            ("__null", _) => {
                let ty = self.types.difference_type();
                Ok(Operand::Value(self.constant_of(0, ty, name.span)))
            }
            _ if text.starts_with("__builtin_") => {
                Ok(Operand::Function(self.implicit_function(text, name.span), name.span))
            }
            _ => Err(self.error(name.span, format!("'{text}' undeclared"))),
        }
    }

    pub(super) fn dereference(&mut self, pointer: Expr, span: Span) -> Checked<Operand> {
        if let ExprKind::FunctionAddress(id) = pointer.kind {
            return Ok(Operand::Function(id, span));
        }
        let Some(ty) = self.types.pointee(pointer.ty) else {
            let name = self.type_name_text(pointer.ty);
            return Err(self.error(span, format!("invalid type argument of unary '*' (have '{name}')")));
        };
        Ok(Operand::Place(LValue { kind: LValueKind::Deref(Box::new(pointer)), ty }, span))
    }

    fn member(&mut self, member: &Node<MemberExpression>) -> Checked<Operand> {
        let name = &member.node.identifier;
        let base = match member.node.operator.node {
            MemberOperator::Indirect => {
                let pointer = self.expression(&member.node.expression)?;
                self.dereference(pointer, member.node.expression.span)?
            }
            MemberOperator::Direct => self.operand(&member.node.expression)?,
        };
        let ty = base.ty(self);
        let Some(record) = self.types.as_record(ty) else {
            let (name, text) = (&name.node.name, self.type_name_text(ty));
            let message = format!(
                "request for member '{name}' in something of type '{text}', which is not a structure or union"
            );
            return Err(self.error(member.span, message));
        };
        let Some(path) = self.types.find_field(record, &name.node.name) else {
            let text = self.type_name_text(ty);
            let problem =
                if self.types.record(record).body.is_none() { "is incomplete" } else { "has no such member" };
            return Err(
                self.error(name.span, format!("no member named '{}': '{text}' {problem}", name.node.name))
            );
        };
        let place = match base {
            Operand::Place(place, _) => place,
            Operand::Value(value) => LValue { ty, kind: LValueKind::Value(Box::new(value)) },
            Operand::Function(_, span) => return Err(self.error(span, "a function has no members")),
        };
        Ok(Operand::Place(self.follow(place, &path), member.span))
    }

    /// The place reached from a record through a path of members.
    pub(super) fn follow(&mut self, mut place: LValue, path: &[usize]) -> LValue {
        for &index in path {
            let Some(record) = self.types.as_record(place.ty) else { break };
            let field = self.types.record(record).body.as_ref().and_then(|body| body.fields.get(index));
            let Some(ty) = field.map(|field| field.ty) else { break };
            place = LValue { kind: LValueKind::Member(Box::new(place), record, index), ty };
        }
        place
    }

    /// A place that can be assigned to.
    pub(super) fn assignable(&mut self, node: &Node<Expression>, what: &str) -> Checked<LValue> {
        match self.operand(node)? {
            Operand::Place(place, span) => {
                let assignable = !matches!(self.types.get(place.ty), Type::Array(..) | Type::Function(_));
                if assignable && !matches!(place.kind, LValueKind::Value(_)) {
                    self.require_writable(node, &place, what, span)?;
                    return Ok(place);
                }
                Err(self.error(span, format!("{what}: this cannot be assigned to")))
            }
            _ => Err(self.error(node.span, format!("lvalue required as {what}"))),
        }
    }
}
