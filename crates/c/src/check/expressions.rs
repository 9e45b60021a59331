//! Expressions that are values: constants, casts, sizes, unary operators, conditionals.

use super::lvalues::Operand;
use super::{Checked, Checker, fold};
use crate::source::SAME_AS_CONDITION;
use crate::typed::{
    Arithmetic, Expr, ExprKind, LValue, LValueKind, Negation, Storage, Update, UpdateOperation,
};
use crate::types::{Type, TypeId};
use lang_c::ast::{
    CastExpression, CompoundLiteral, ConditionalExpression, Expression, GenericAssociation, GenericSelection,
    OffsetMember, OffsetOfExpression, UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::{Node, Span};

impl Checker<'_> {
    /// Checks an expression that is no place.
    pub(super) fn value(&mut self, node: &Node<Expression>) -> Checked<Expr> {
        match &node.node {
            Expression::Constant(constant) => self.constant(constant),
            Expression::Call(call) => self.call(call),
            Expression::SizeOfTy(size) => self.with_lengths(|checker| {
                let ty = checker.type_name(&size.node.0)?;
                checker.size_of(ty, node.span)
            }),
            Expression::SizeOfVal(size) => {
                let ty = match self.parsed_as_expression(&size.node.0)? {
                    Some(ty) => ty,
                    None => self.operand(&size.node.0)?.ty(self),
                };
                self.size_of(ty, node.span)
            }
            Expression::AlignOf(align) => {
                let ty = self.type_name(&align.node.0)?;
                let align = self.types.align(ty).unwrap_or(1);
                let size = self.types.size_type();
                Ok(self.constant_of(u128::from(align), size, node.span))
            }
            Expression::UnaryOperator(unary) => self.unary(unary),
            Expression::Cast(cast) => self.with_lengths(|checker| checker.cast(cast)),
            Expression::BinaryOperator(binary) => self.binary(binary),
            Expression::Conditional(conditional) => self.conditional(conditional),
            Expression::Comma(parts) => self.comma(parts, node.span),
            Expression::OffsetOf(offset) => self.offset_of(offset),
            Expression::VaArg(argument) => self.va_arg(&argument.node, node.span),
            Expression::Statement(statement) => self.statement_expression(statement),
            Expression::Identifier(_)
            | Expression::StringLiteral(_)
            | Expression::Member(_)
            | Expression::CompoundLiteral(_)
            | Expression::GenericSelection(_) => self.expression(node),
        }
    }

    /// A value of a type about which only this is known: it is not modelled.
    pub(super) fn unsupported(&mut self, what: &str, ty: TypeId, span: Span) -> Expr {
        Expr::new(&self.types, ExprKind::Unsupported(what.to_owned()), ty, span)
    }

    fn size_of(&mut self, ty: TypeId, span: Span) -> Checked<Expr> {
        let size_type = self.types.size_type();
        if let Some(size) = self.types.known_size(ty) {
            return Ok(self.constant_of(u128::from(size), size_type, span));
        }
        if self.types.size(ty).is_some() {
            return Ok(self.unsupported("size of a structure whose layout is not known", size_type, span));
        }
        if let Some(size) = self.variable_size(ty, span) {
            return Ok(size);
        }
        if self.is_variably_sized(ty) {
            return Ok(self.unsupported("size of a variable-length array", size_type, span));
        }
        let name = self.type_name_text(ty);
        Err(self.error(span, format!("invalid application of 'sizeof' to incomplete type '{name}'")))
    }

    fn is_variably_sized(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Array(_, crate::types::ArrayLength::Variable(_)) => true,
            Type::Array(element, crate::types::ArrayLength::Known(_)) => self.is_variably_sized(*element),
            Type::Record(id) => self.types.record(*id).body.is_some(),
            _ => false,
        }
    }

    fn unary(&mut self, unary: &Node<UnaryOperatorExpression>) -> Checked<Expr> {
        let operand = &unary.node.operand;
        let span = unary.span;
        match unary.node.operator.node {
            UnaryOperator::PostIncrement => self.step(operand, false, true, span),
            UnaryOperator::PostDecrement => self.step(operand, true, true, span),
            UnaryOperator::PreIncrement => self.step(operand, false, false, span),
            UnaryOperator::PreDecrement => self.step(operand, true, false, span),
            UnaryOperator::Address => self.address_of(operand, span),
            UnaryOperator::Indirection => {
                let pointer = self.expression(operand)?;
                let place = self.dereference(pointer, span)?;
                Ok(self.decay(place))
            }
            UnaryOperator::Plus => {
                let value = self.expression(operand)?;
                if self.types.as_vector(value.ty).is_some() {
                    return Ok(value);
                }
                let value = self.arithmetic_value(value, operand.span)?;
                Ok(self.promote(value))
            }
            UnaryOperator::Minus => self.negation(operand, Negation::Minus, span),
            UnaryOperator::Complement => self.negation(operand, Negation::Complement, span),
            UnaryOperator::Negate => {
                let value = self.expression(operand)?;
                self.require_scalar(&value)?;
                Ok(self.logical_not(value, span))
            }
        }
    }

    pub(super) fn arithmetic_operand(&mut self, node: &Node<Expression>) -> Checked<Expr> {
        let value = self.expression(node)?;
        self.arithmetic_value(value, node.span)
    }

    fn arithmetic_value(&self, value: Expr, span: Span) -> Checked<Expr> {
        self.require_value(&value)?;
        if self.types.is_arithmetic(value.ty) {
            return Ok(value);
        }
        let name = self.type_name_text(value.ty);
        Err(self.error(span, format!("wrong type of operand: a number is required, this has type '{name}'")))
    }

    fn negation(&mut self, node: &Node<Expression>, op: Negation, span: Span) -> Checked<Expr> {
        let value = self.expression(node)?;
        if let Some((element, _)) = self.types.as_vector(value.ty) {
            if op == Negation::Complement && !self.types.is_integer(element) {
                return Err(self.error(span, "'~' of a vector of floating-point numbers"));
            }
            let ty = value.ty;
            return Ok(Expr::new(&self.types, ExprKind::Negate(op, Box::new(value)), ty, span));
        }
        let value = self.arithmetic_value(value, node.span)?;
        if op == Negation::Complement && !matches!(self.types.get(value.ty), Type::Complex(_)) {
            self.require_integer(&value)?;
        }
        let value = self.promote(value);
        let ty = value.ty;
        if let Some(bits) = value.constant().and_then(|bits| fold::negate(&self.types, op, bits, ty)) {
            return Ok(self.constant_of(bits, ty, span));
        }
        if let (&ExprKind::Float(bits), Some(format)) = (&value.kind, self.types.float_format(ty)) {
            return Ok(self.float_of(bits ^ format.sign_mask(), ty, span));
        }
        Ok(Expr::new(&self.types, ExprKind::Negate(op, Box::new(value)), ty, span))
    }

    pub(super) fn logical_not(&mut self, value: Expr, span: Span) -> Expr {
        let int = self.types.int();
        match value.constant() {
            Some(bits) => self.constant_of(u128::from(bits == 0), int, span),
            None => Expr::new(&self.types, ExprKind::Not(Box::new(value)), int, span),
        }
    }

    fn address_of(&mut self, node: &Node<Expression>, span: Span) -> Checked<Expr> {
        match self.operand(node)? {
            Operand::Place(place, _) => {
                let ty = self.types.pointer(place.ty);
                Ok(self.address(place, ty, span))
            }
            function @ Operand::Function(..) => Ok(self.decay(function)),
            Operand::Value(_) => Err(self.error(span, "lvalue required as unary '&' operand")),
        }
    }

    /// `++` and `--`.
    fn step(&mut self, node: &Node<Expression>, down: bool, gives_old: bool, span: Span) -> Checked<Expr> {
        let place = self.assignable(node, if down { "decrement operand" } else { "increment operand" })?;
        let ty = place.ty;
        if self.is_reversed(&place) {
            let what = "change of a member whose bytes are in the other order";
            return Ok(self.unsupported(what, ty, span));
        }
        let (operation, operand) = if self.types.as_vector(ty).is_some() {
            let int = self.types.int();
            let one = self.constant_of(1, int, span);
            let op = if down { Arithmetic::Subtract } else { Arithmetic::Add };
            self.vector_update(op, ty, one, span)?
        } else if let Some(target) = self.types.pointee(ty) {
            let index = self.types.difference_type();
            let one = self.constant_of(1, index, span);
            let (steps, size) = self.pointer_steps(one, target, span);
            (UpdateOperation::PointerStep(size, down), steps)
        } else {
            let read = self.decay(Operand::Place(place.clone(), span));
            self.require_scalar(&read)?;
            let int = self.types.int();
            let one = self.constant_of(1, int, span);
            let common = self.common_type(&read, &one);
            let op = if down { Arithmetic::Subtract } else { Arithmetic::Add };
            (UpdateOperation::Arithmetic(op, common), self.convert(one, common))
        };
        let update = Update { place, operation, operand, gives_old };
        Ok(Expr::new(&self.types, ExprKind::Update(Box::new(update)), ty, span))
    }

    fn cast(&mut self, cast: &Node<CastExpression>) -> Checked<Expr> {
        let ty = self.type_name(&cast.node.type_name)?;
        let mut value = self.expression(&cast.node.expression)?;
        if self.types.is_void(ty) {
            if self.types.is_void(value.ty) {
                return Ok(value);
            }
            return Ok(Expr::new(&self.types, ExprKind::Convert(Box::new(value)), ty, cast.span));
        }
        self.require_value(&value)?;
        if ty == value.ty {
            if self.bit_field_width(&value).is_some() {
                // It is promoted as its type from now on, not as a bit-field.
                return Ok(Expr::new(&self.types, ExprKind::Convert(Box::new(value)), ty, cast.span));
            }
            value.span = cast.span;
            return Ok(value);
        }
        if self.types.as_vector(ty).is_some() || self.types.as_vector(value.ty).is_some() {
            return self.vector_cast(value, ty, cast.span);
        }
        if self.types.is_aggregate(ty) || self.types.is_aggregate(value.ty) {
            // GNU C: a cast to a union type.
            let is_union = self.types.as_record(ty).is_some_and(|id| self.types.record(id).is_union);
            if is_union {
                let from = self.type_name_text(value.ty);
                return self.union_value(value, ty, cast.span).ok_or_else(|| {
                    let message =
                        format!("cast to union type from type '{from}', which is not present in union");
                    self.error(cast.span, message)
                });
            }
            let name = self.type_name_text(if self.types.is_aggregate(ty) { ty } else { value.ty });
            return Err(self.error(cast.span, format!("conversion to or from non-scalar type '{name}'")));
        }
        if !self.types.is_scalar(ty) {
            let name = self.type_name_text(ty);
            return Err(self.error(cast.span, format!("cast specifies type '{name}', which is no scalar")));
        }
        let mut value = self.convert(value, ty);
        value.span = cast.span;
        Ok(value)
    }

    fn comma(&mut self, parts: &[Node<Expression>], span: Span) -> Checked<Expr> {
        let mut result: Option<Expr> = None;
        for part in parts {
            let value = self.expression(part)?;
            result = Some(match result {
                None => value,
                Some(before) => {
                    let ty = value.ty;
                    Expr::new(&self.types, ExprKind::Comma(Box::new(before), Box::new(value)), ty, span)
                }
            });
        }
        result.ok_or_else(|| self.error(span, "expected an expression"))
    }

    fn conditional(&mut self, node: &Node<ConditionalExpression>) -> Checked<Expr> {
        let condition = self.expression(&node.node.condition)?;
        self.require_scalar(&condition)?;
        let (before, condition, left) = match &node.node.then_expression.node {
            Expression::Identifier(name) if name.node.name == SAME_AS_CONDITION => {
                self.shared_condition(condition)
            }
            _ => (None, condition, self.expression(&node.node.then_expression)?),
        };
        let right = self.expression(&node.node.else_expression)?;
        let ty = self.conditional_type(&left, &right, node.span)?;
        let (left, right) = if self.types.is_void(ty) {
            (left, right)
        } else {
            (self.convert(left, ty), self.convert(right, ty))
        };
        match condition.constant() {
            Some(0) => return Ok(right),
            Some(_) => return Ok(left),
            None => {}
        }
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(left), Box::new(right));
        let result = Expr::new(&self.types, kind, ty, node.span);
        Ok(match before {
            None => result,
            Some(before) => {
                Expr::new(&self.types, ExprKind::Comma(Box::new(before), Box::new(result)), ty, node.span)
            }
        })
    }

    /// `condition ?: other`: the condition is evaluated once and used twice. Gives what comes before,
    /// the condition, and its value.
    fn shared_condition(&mut self, condition: Expr) -> (Option<Expr>, Expr, Expr) {
        if !condition.effects {
            return (None, condition.clone(), condition);
        }
        let (ty, span) = (condition.ty, condition.span);
        let name = "<condition>".to_owned();
        let object = self.new_object(name, ty, Storage::Automatic, span);
        let place = LValue { kind: LValueKind::Object(object), ty };
        let assign = ExprKind::Assign(place.clone(), Box::new(condition));
        let before = Expr::new(&self.types, assign, ty, span);
        let value = Expr::new(&self.types, ExprKind::Load(place), ty, span);
        (Some(before), value.clone(), value)
    }

    fn conditional_type(&mut self, left: &Expr, right: &Expr, span: Span) -> Checked<TypeId> {
        if self.types.as_vector(left.ty).is_some() || self.types.as_vector(right.ty).is_some() {
            let same = left.ty == right.ty;
            return if same {
                Ok(left.ty)
            } else {
                Err(self.error(span, "type mismatch in conditional expression"))
            };
        }
        if left.ty == right.ty && !self.types.is_integer(left.ty) {
            return Ok(left.ty);
        }
        if self.types.is_void(left.ty) || self.types.is_void(right.ty) {
            return Ok(self.types.void());
        }
        if self.types.is_arithmetic(left.ty) && self.types.is_arithmetic(right.ty) {
            return Ok(self.common_type(left, right));
        }
        match (self.types.pointee(left.ty), self.types.pointee(right.ty)) {
            (Some(_), Some(_)) if is_null(left, self) => Ok(right.ty),
            (Some(_), Some(_)) if is_null(right, self) => Ok(left.ty),
            (Some(a), Some(_)) if self.types.is_void(a) => Ok(left.ty),
            (Some(_), Some(b)) if self.types.is_void(b) => Ok(right.ty),
            (Some(_), _) if self.types.is_scalar(right.ty) => Ok(left.ty),
            (_, Some(_)) if self.types.is_scalar(left.ty) => Ok(right.ty),
            _ => Err(self.error(span, "type mismatch in conditional expression")),
        }
    }

    fn offset_of(&mut self, node: &Node<OffsetOfExpression>) -> Checked<Expr> {
        let ty = self.type_name(&node.node.type_name)?;
        if self.types.known_size(ty).is_none() && self.types.size(ty).is_some() {
            let size = self.types.size_type();
            return Ok(self.unsupported("offset in a structure whose layout is not known", size, node.span));
        }
        let pointer = self.types.pointer(ty);
        let null = self.constant_of(0, pointer, node.span);
        let start = LValue { kind: LValueKind::Deref(Box::new(null)), ty };
        let designator = &node.node.designator.node;
        let mut place = self.member_place(start, &designator.base.node.name, designator.base.span)?;
        for member in &designator.members {
            place = match &member.node {
                OffsetMember::Member(name) | OffsetMember::IndirectMember(name) => {
                    self.member_place(place, &name.node.name, name.span)?
                }
                OffsetMember::Index(index) => {
                    let array = self.decay(Operand::Place(place, node.span));
                    let index = self.expression(index)?;
                    let element = self.pointer_sum(array, index, false, node.span)?;
                    match self.dereference(element, node.span)? {
                        Operand::Place(place, _) => place,
                        _ => return Err(self.error(member.span, "bad member designator")),
                    }
                }
            };
        }
        let size = self.types.size_type();
        match fold::constant_address(&self.types, &place) {
            Some(offset) => Ok(self.constant_of(offset, size, node.span)),
            None => Ok(self.unsupported("offset of a variable element", size, node.span)),
        }
    }

    fn member_place(&mut self, place: LValue, name: &str, span: Span) -> Checked<LValue> {
        let path = self.types.as_record(place.ty).and_then(|record| self.types.find_field(record, name));
        match path {
            Some(path) => Ok(self.follow(place, &path)),
            None => {
                let text = self.type_name_text(place.ty);
                Err(self.error(span, format!("'{text}' has no member named '{name}'")))
            }
        }
    }

    pub(super) fn compound_literal(&mut self, literal: &Node<CompoundLiteral>) -> Checked<Operand> {
        let ty = self.type_name(&literal.node.type_name)?;
        let items = self.listed(&literal.node.initializer_list);
        let (initializer, ty) = self.list_initializer(items, ty, literal.span)?;
        let storage = if self.scopes.at_file() { Storage::Static } else { Storage::Automatic };
        let object = self.new_object("<compound literal>".to_owned(), ty, storage, literal.span);
        let kind = if storage == Storage::Static {
            self.objects[object.index()].initializer = Some(initializer);
            LValueKind::Object(object)
        } else {
            LValueKind::Compound(object, Box::new(initializer))
        };
        Ok(Operand::Place(LValue { kind, ty }, literal.span))
    }

    pub(super) fn generic_selection(&mut self, node: &Node<GenericSelection>) -> Checked<Operand> {
        let controlling = self.expression(&node.node.expression)?.ty;
        let mut fallback = None;
        for association in &node.node.associations {
            match &association.node {
                GenericAssociation::Type(case) => {
                    let ty = self.type_name(&case.node.type_name)?;
                    if ty == controlling {
                        let chosen = self.operand(&case.node.expression)?;
                        if self.has_qualified_variants(ty) {
                            let what = "selection that depends on qualifiers";
                            let ty = chosen.ty(self);
                            return Ok(Operand::Value(self.unsupported(what, ty, node.span)));
                        }
                        return Ok(chosen);
                    }
                }
                GenericAssociation::Default(expression) => fallback = Some(expression),
            }
        }
        match fallback {
            Some(expression) => self.operand(expression),
            None => Err(self.error(node.span, "no association of '_Generic' fits the type of its selector")),
        }
    }
}

/// A null pointer constant: `0` or `(void *)0`.
pub(super) fn is_null(expr: &Expr, checker: &Checker) -> bool {
    expr.constant() == Some(0)
        && match checker.types.pointee(expr.ty) {
            Some(target) => checker.types.is_void(target),
            None => checker.types.is_integer(expr.ty),
        }
}
