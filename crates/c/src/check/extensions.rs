//! GNU extensions of declarations and expressions.

use super::scope::Symbol;
use super::{Checked, Checker};
use crate::source::{AUTO_TYPE, COMPUTED_GOTO, LABEL_ADDRESS};
use crate::typed::{Expr, ExprKind, InitElement, Initializer, LValue, LValueKind, StmtKind, Storage};
use crate::types::TypeId;
use lang_c::ast::{
    CallExpression, DeclaratorKind, Expression, InitDeclarator, Initializer as InitializerSyntax,
    SpecifierQualifier, TypeOf, TypeSpecifier,
};
use lang_c::span::{Node, Span};

impl Checker<'_> {
    /// The type specifier is `__auto_type`.
    pub(super) fn is_auto_type(specifier: &TypeSpecifier) -> bool {
        let TypeSpecifier::TypeOf(of) = specifier else { return false };
        matches!(&of.node, TypeOf::Expression(expression) if is_identifier(expression, AUTO_TYPE))
    }

    /// The initialiser that gives a variable declared with `__auto_type` its type.
    pub(super) fn auto_initializer(&mut self, declarator: &Node<InitDeclarator>) -> Checked<Expr> {
        let syntax = &declarator.node.declarator.node;
        let plain = syntax.derived.is_empty() && matches!(syntax.kind.node, DeclaratorKind::Identifier(_));
        let initializer = declarator.node.initializer.as_ref().map(|initializer| &initializer.node);
        let (true, Some(InitializerSyntax::Expression(expression))) = (plain, initializer) else {
            let message = "'__auto_type' needs a plain name and an initialiser that is an expression";
            return Err(self.error(declarator.span, message));
        };
        let value = self.expression(expression)?;
        self.require_value(&value)?;
        if self.bit_field_width(&value).is_some() {
            return Err(self.error(expression.span, "'__auto_type' used with a bit-field initializer"));
        }
        self.require_standard(value.ty, expression.span)?;
        Ok(value)
    }

    /// Variables cannot have the types that gcc gives to arithmetic on wide bit-fields.
    pub(super) fn require_standard(&self, ty: TypeId, span: Span) -> Checked<()> {
        match self.types.int_kind(ty) {
            Some(kind) if kind.is_bit_field() => {
                Err(self.error(span, "a type of the width of a bit-field is not supported here"))
            }
            _ => Ok(()),
        }
    }

    /// The type that an expression turns out to be: the name of one, or `typeof (...)`, where the parser saw an
    /// identifier or a call.
    pub(super) fn parsed_as_expression(&mut self, node: &Node<Expression>) -> Checked<Option<TypeId>> {
        match &node.node {
            Expression::Identifier(name) => match self.scopes.lookup(&name.node.name) {
                Some(Symbol::Typedef(ty, ..)) => Ok(Some(ty)),
                _ => Ok(None),
            },
            Expression::Call(call) => match (is_typeof(&call.node.callee), call.node.arguments.as_slice()) {
                (true, [operand]) => match self.parsed_as_expression(operand)? {
                    Some(ty) => Ok(Some(ty)),
                    None => Ok(Some(self.operand(operand)?.ty(self))),
                },
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// The operand of `_Alignas` as the prepared source has it (see [`crate::source`]): a type or an expression.
    pub(super) fn quoted_alignment(&mut self, argument: &Node<Expression>) -> Option<u128> {
        let quoted = match &argument.node {
            Expression::Cast(cast) => cast.node.type_name.node.specifiers.first(),
            _ => None,
        };
        if let Some(SpecifierQualifier::TypeSpecifier(specifier)) = quoted.map(|specifier| &specifier.node)
            && let TypeSpecifier::TypeOf(of) = &specifier.node
        {
            return match self.type_of_type(&of.node).ok()? {
                Ok(ty) => self.types.align(ty).map(u128::from),
                Err(expression) => self.expression(expression).ok()?.constant(),
            };
        }
        self.expression(argument).ok()?.constant()
    }

    /// `__builtin_types_compatible_p`, whose types come as those of what two pointers point to.
    pub(super) fn types_compatible(
        &mut self,
        left: &Node<Expression>,
        right: &Node<Expression>,
        span: Span,
    ) -> Checked<Expr> {
        let (left, right) = (self.expression(left)?.ty, self.expression(right)?.ty);
        let int = self.types.int();
        let (Some(left), Some(right)) = (self.types.pointee(left), self.types.pointee(right)) else {
            return Err(self.error(span, "two types are needed here"));
        };
        let doubtful = if left == right {
            self.has_qualified_variants(left)
        } else {
            self.types.compatible(left, right)
        };
        if doubtful {
            return Ok(self.unsupported("compatibility of types that depends on qualifiers", int, span));
        }
        Ok(self.constant_of(u128::from(left == right), int, span))
    }

    /// A value of a union that has this value in one of its members, if there is a member for it.
    pub(super) fn union_value(&mut self, value: Expr, ty: TypeId, span: Span) -> Option<Expr> {
        let record = self.types.as_record(ty)?;
        let members: Vec<TypeId> = {
            let fields = &self.types.record(record).body.as_ref()?.fields;
            fields.iter().filter(|field| field.bits.is_none()).map(|field| field.ty).collect()
        };
        let exact = members.iter().find(|&&member| member == value.ty);
        // Pointers of all types are the same to a transparent union.
        let pointer = || {
            let takes = |member: &&TypeId| self.types.is_pointer(**member);
            members.iter().find(takes).filter(|_| {
                self.types.record(record).transparent
                    && (self.types.is_pointer(value.ty) || value.constant() == Some(0))
            })
        };
        let member = *exact.or_else(pointer)?;
        if self.context.is_none() || self.types.known_size(member) != self.types.known_size(ty) {
            return Some(self.unsupported("value of a union with larger members", ty, span));
        }
        let value = self.convert(value, member);
        let object = self.new_object("<union>".to_owned(), ty, Storage::Automatic, span);
        let initializer = Initializer::Aggregate(vec![InitElement { offset: 0, bits: None, value }]);
        let place = LValue { kind: LValueKind::Compound(object, Box::new(initializer)), ty };
        Some(Expr::new(&self.types, ExprKind::Load(place), ty, span))
    }

    /// `&&label`.
    pub(super) fn label_address(&mut self, call: &Node<CallExpression>) -> Checked<Option<Expr>> {
        let name = match (is_identifier(&call.node.callee, LABEL_ADDRESS), call.node.arguments.as_slice()) {
            (true, [Node { node: Expression::Identifier(name), .. }]) => &name.node.name,
            _ => return Ok(None),
        };
        let Some(context) = &mut self.context else {
            return Err(self.error(call.span, "address of a label outside of a function"));
        };
        let kind = ExprKind::LabelAddress(context.id, context.take_address(name, call.span));
        let void = self.types.void();
        let ty = self.types.pointer(void);
        Ok(Some(Expr::new(&self.types, kind, ty, call.span)))
    }

    /// `goto *address;`.
    pub(super) fn computed_goto(&mut self, expression: &Node<Expression>) -> Checked<Option<StmtKind>> {
        let Expression::Call(call) = &expression.node else { return Ok(None) };
        let [address] = call.node.arguments.as_slice() else { return Ok(None) };
        if !is_identifier(&call.node.callee, COMPUTED_GOTO) {
            return Ok(None);
        }
        let address = self.expression(address)?;
        if !self.types.is_pointer(address.ty) {
            return Err(self.error(address.span, "computed goto must be pointer type"));
        }
        if let Some(context) = &mut self.context {
            context.goto_anywhere();
        }
        Ok(Some(StmtKind::ComputedGoto(address)))
    }
}

/// The parser took `typeof` for the name of a function.
pub(super) fn is_typeof(callee: &Node<Expression>) -> bool {
    ["typeof", "__typeof", "__typeof__"].iter().any(|name| is_identifier(callee, name))
}

fn is_identifier(node: &Node<Expression>, name: &str) -> bool {
    matches!(&node.node, Expression::Identifier(identifier) if identifier.node.name == name)
}
