//! GNU's vectors: arithmetic and comparisons of all elements at once, and single elements.

use super::lvalues::Operand;
use super::{Checked, Checker};
use crate::typed::{
    Arithmetic, Comparison, Expr, ExprKind, Initializer, LValue, LValueKind, Storage, UpdateOperation,
};
use crate::types::{IntKind, Type, TypeId};
use lang_c::ast::Expression;
use lang_c::span::{Node, Span};

impl Checker<'_> {
    pub(super) fn has_vector(&self, left: &Expr, right: &Expr) -> bool {
        self.types.as_vector(left.ty).is_some() || self.types.as_vector(right.ty).is_some()
    }

    /// `a[b]`, of a pointer or of a vector.
    pub(super) fn subscript(
        &mut self,
        lhs: &Node<Expression>,
        rhs: &Node<Expression>,
        span: Span,
    ) -> Checked<Operand> {
        let left = self.operand(lhs)?;
        let ty = left.ty(self);
        let Some((element, _)) = self.types.as_vector(ty) else {
            let left = self.decay(left);
            let right = self.expression(rhs)?;
            let sum = self.pointer_sum(left, right, false, span)?;
            return self.dereference(sum, span);
        };
        let place = match left {
            Operand::Place(place, _) if !place.is_value() => place,
            other => {
                let value = self.decay(other);
                let object = self.new_object("<vector>".to_owned(), ty, Storage::Automatic, span);
                LValue { kind: LValueKind::Compound(object, Box::new(Initializer::Scalar(value))), ty }
            }
        };
        let pointer = self.types.pointer(element);
        let first = self.address(place, pointer, span);
        let index = self.expression(rhs)?;
        let sum = self.pointer_sum(first, index, false, span)?;
        self.dereference(sum, span)
    }

    /// A scalar as a vector whose elements all have its value; a vector of the same shape as that type.
    fn as_vector_of(&mut self, value: Expr, ty: TypeId, span: Span) -> Checked<Expr> {
        let Some((element, length)) = self.types.as_vector(ty) else { return Ok(value) };
        if let Some((other, count)) = self.types.as_vector(value.ty) {
            let alike = count == length && self.types.size(other) == self.types.size(element);
            return match alike {
                true => Ok(self.convert(value, ty)),
                false => Err(self.error(span, "vectors of different shapes")),
            };
        }
        if !self.types.is_arithmetic(value.ty) {
            return Err(self.error(span, "a vector or a number is needed here"));
        }
        let value = self.convert(value, element);
        Ok(Expr::new(&self.types, ExprKind::Splat(Box::new(value)), ty, span))
    }

    fn vector_operands(&mut self, left: Expr, right: Expr, span: Span) -> Checked<(Expr, Expr)> {
        self.require_value(&left)?;
        self.require_value(&right)?;
        let ty = if self.types.as_vector(left.ty).is_some() { left.ty } else { right.ty };
        Ok((self.as_vector_of(left, ty, span)?, self.as_vector_of(right, ty, span)?))
    }

    pub(super) fn vector_arithmetic(
        &mut self,
        op: Arithmetic,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Checked<Expr> {
        let (left, right) = self.vector_operands(left, right, span)?;
        let ty = left.ty;
        self.require_vector_operation(op, ty, span)?;
        Ok(Expr::new(&self.types, ExprKind::Arithmetic(op, Box::new(left), Box::new(right)), ty, span))
    }

    fn require_vector_operation(&self, op: Arithmetic, ty: TypeId, span: Span) -> Checked<()> {
        let of_numbers =
            matches!(op, Arithmetic::Multiply | Arithmetic::Divide | Arithmetic::Add | Arithmetic::Subtract);
        let is_integer = self.types.as_vector(ty).is_some_and(|(element, _)| self.types.is_integer(element));
        match of_numbers || is_integer {
            true => Ok(()),
            false => Err(self.error(span, "this operator is not for vectors of floating-point numbers")),
        }
    }

    /// The elements are -1 where the comparison holds, else 0.
    pub(super) fn vector_comparison(
        &mut self,
        op: Comparison,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Checked<Expr> {
        let (left, right) = self.vector_operands(left, right, span)?;
        let ty = self.mask_type(left.ty);
        Ok(Expr::new(&self.types, ExprKind::Compare(op, Box::new(left), Box::new(right)), ty, span))
    }

    /// The vector of signed integers that has the shape of a vector.
    fn mask_type(&mut self, ty: TypeId) -> TypeId {
        let Some((element, length)) = self.types.as_vector(ty) else { return ty };
        let kind = match self.types.size(element) {
            Some(1) => IntKind::SChar,
            Some(2) => IntKind::Short,
            Some(4) => IntKind::Int,
            Some(8) if self.types.pointer_bits() == 64 => IntKind::Long,
            Some(8) => IntKind::LongLong,
            _ => IntKind::Int128,
        };
        let element = self.types.integer(kind);
        self.types.intern(Type::Vector(element, length))
    }

    /// The operation and the operand of `vector op= value`.
    pub(super) fn vector_update(
        &mut self,
        op: Arithmetic,
        ty: TypeId,
        value: Expr,
        span: Span,
    ) -> Checked<(UpdateOperation, Expr)> {
        self.require_value(&value)?;
        self.require_vector_operation(op, ty, span)?;
        let value = self.as_vector_of(value, ty, span)?;
        Ok((UpdateOperation::Arithmetic(op, ty), value))
    }

    /// A cast between vectors, or between vectors and integers, of one size: the bits stay as they are.
    pub(super) fn vector_cast(&mut self, value: Expr, ty: TypeId, span: Span) -> Checked<Expr> {
        let fits = |ty: TypeId| self.types.as_vector(ty).is_some() || self.types.is_integer(ty);
        if fits(ty) && fits(value.ty) && self.types.size(ty) == self.types.size(value.ty) {
            return Ok(Expr::new(&self.types, ExprKind::Convert(Box::new(value)), ty, span));
        }
        let (from, to) = (self.type_name_text(value.ty), self.type_name_text(ty));
        Err(self.error(span, format!("cannot convert a value of type '{from}' to '{to}'")))
    }
}
