//! Arrays whose length is known only when the program runs.
//!
//! The length is evaluated where the type is declared and kept in a variable, so that later changes of what
//! it was computed from do not matter (C11 6.7.6.2).

use super::{Checked, Checker};
use crate::typed::{Arithmetic, Expr, ExprKind, LValue, LValueKind, Stmt, StmtKind, Storage};
use crate::types::{ArrayLength, Type, TypeId};
use lang_c::span::Span;

impl Checker<'_> {
    /// The type of an array with this many elements; an assignment that keeps the length is pending.
    pub(super) fn variable_array(&mut self, element: TypeId, length: Expr) -> TypeId {
        let ty = self.types.variable_array(element);
        if self.context.is_some() {
            let (size_type, span) = (self.types.size_type(), length.span);
            let object = self.new_object("<length>".to_owned(), size_type, Storage::Automatic, span);
            let place = LValue { kind: LValueKind::Object(object), ty: size_type };
            let value = self.convert(length, size_type);
            let kind = ExprKind::Assign(place, Box::new(value));
            let assign = Expr::new(&self.types, kind, size_type, span);
            self.pending_lengths.push(Stmt { kind: StmtKind::Expr(assign), span });
            self.lengths.insert(ty, object);
        }
        ty
    }

    /// Checks an expression with a type name in it: the lengths in that are evaluated before the expression.
    pub(super) fn with_lengths(&mut self, check: impl FnOnce(&mut Self) -> Checked<Expr>) -> Checked<Expr> {
        let outer = std::mem::take(&mut self.pending_lengths);
        let checked = check(self);
        let lengths = std::mem::replace(&mut self.pending_lengths, outer);
        let mut value = checked?;
        for length in lengths.into_iter().rev() {
            if let StmtKind::Expr(length) = length.kind {
                let (ty, span) = (value.ty, value.span);
                let kind = ExprKind::Comma(Box::new(length), Box::new(value));
                value = Expr::new(&self.types, kind, ty, span);
            }
        }
        Ok(value)
    }

    /// The size in bytes of a type with a variable length in it, as an expression of type `size_t`.
    pub(super) fn variable_size(&mut self, ty: TypeId, span: Span) -> Option<Expr> {
        let (count, size) = self.variable_count(ty, span)?;
        let size_type = self.types.size_type();
        let size = self.constant_of(u128::from(size), size_type, span);
        Some(self.product(count, size, span))
    }

    /// The same as a number of elements of known size, and that size.
    pub(super) fn variable_count(&mut self, ty: TypeId, span: Span) -> Option<(Expr, u64)> {
        let size_type = self.types.size_type();
        match *self.types.get(ty) {
            Type::Array(element, length @ (ArrayLength::Variable(_) | ArrayLength::Known(_))) => {
                let length = match length {
                    ArrayLength::Known(length) => self.constant_of(u128::from(length), size_type, span),
                    _ => {
                        let object = *self.lengths.get(&ty)?;
                        let place = LValue { kind: LValueKind::Object(object), ty: size_type };
                        Expr::new(&self.types, ExprKind::Load(place), size_type, span)
                    }
                };
                if let Some(size) = self.types.known_size(element) {
                    return Some((length, size));
                }
                let (count, size) = self.variable_count(element, span)?;
                Some((self.product(length, count, span), size))
            }
            Type::Record(id) => {
                let body = self.types.record(id).body.as_ref()?;
                let (tail, align) = (body.tail.filter(|_| body.trusted)?, body.align);
                let start = body.fields.last()?.offset;
                let tail = self.variable_size(tail, span)?;
                // Rounded up to the alignment.
                let before = self.constant_of(u128::from(start + align - 1), size_type, span);
                let kind = ExprKind::Arithmetic(Arithmetic::Add, Box::new(tail), Box::new(before));
                let sum = Expr::new(&self.types, kind, size_type, span);
                let mask = self.constant_of(!u128::from(align - 1), size_type, span);
                let kind = ExprKind::Arithmetic(Arithmetic::And, Box::new(sum), Box::new(mask));
                Some((Expr::new(&self.types, kind, size_type, span), 1))
            }
            _ => None,
        }
    }

    /// A structure that ends in an array whose length is known only when the program runs.
    pub(super) fn has_variable_tail(&self, ty: TypeId) -> bool {
        let body = self.types.as_record(ty).and_then(|id| self.types.record(id).body.as_ref());
        body.is_some_and(|body| body.tail.is_some())
    }

    fn product(&mut self, left: Expr, right: Expr, span: Span) -> Expr {
        let ty = left.ty;
        let kind = ExprKind::Arithmetic(Arithmetic::Multiply, Box::new(left), Box::new(right));
        Expr::new(&self.types, kind, ty, span)
    }

    /// A number of steps of a pointer to `target`: as it stands with the size of a step, or multiplied by
    /// what is only known when the program runs.
    pub(super) fn pointer_steps(&mut self, steps: Expr, target: TypeId, span: Span) -> (Expr, Option<u64>) {
        if let Some(size) = self.types.known_size(target) {
            return (steps, Some(size));
        }
        let ty = steps.ty;
        match self.variable_count(target, span) {
            Some((count, size)) => {
                let count = self.convert(count, ty);
                (self.product(steps, count, span), Some(size))
            }
            None => (steps, None),
        }
    }
}
