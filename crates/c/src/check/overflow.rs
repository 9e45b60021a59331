//! gcc's arithmetic that tells whether the exact result fits.

use super::{Checked, Checker, fold};
use crate::typed::{Arithmetic, Comparison, Expr, ExprKind, LValue, LValueKind, Storage};
use crate::types::{IntKind, Type, TypeId};
use lang_c::ast::CallExpression;
use lang_c::span::{Node, Span};

/// What `__builtin_OPERATION_overflow` computes: the operation and, for the forms that say so, the type of
/// everything.
fn operation(stem: &str) -> Option<(Arithmetic, Option<IntKind>)> {
    let words = [("add", Arithmetic::Add), ("sub", Arithmetic::Subtract), ("mul", Arithmetic::Multiply)];
    words.into_iter().find_map(|(word, op)| {
        if stem == word {
            return Some((op, None));
        }
        let (sign, length) = stem.split_once(word)?;
        let kind = match length {
            "" => IntKind::Int,
            "l" => IntKind::Long,
            "ll" => IntKind::LongLong,
            _ => return None,
        };
        match sign {
            "s" => Some((op, Some(kind))),
            "u" => Some((op, Some(kind.to_unsigned()))),
            _ => None,
        }
    })
}

impl Checker<'_> {
    /// `__builtin_add_overflow` and its relatives, by their name without `__builtin_`.
    pub(super) fn overflow_builtin(
        &mut self,
        builtin: &str,
        call: &Node<CallExpression>,
    ) -> Checked<Option<Expr>> {
        let (stem, stores) = match builtin.strip_suffix("_overflow_p") {
            Some(stem) => (stem, false),
            None => match builtin.strip_suffix("_overflow") {
                Some(stem) => (stem, true),
                None => return Ok(None),
            },
        };
        let Some((op, kind)) = operation(stem).filter(|(_, kind)| stores || kind.is_none()) else {
            return Ok(None);
        };
        let [left, right, third] = call.node.arguments.as_slice() else {
            let message = format!("'__builtin_{builtin}' takes 3 arguments");
            return Err(self.error(call.span, message));
        };
        let mut values = [self.expression(left)?, self.expression(right)?, self.expression(third)?];
        if let Some(kind) = kind {
            let ty = self.types.integer(kind);
            let pointer = self.types.pointer(ty);
            let [left, right, third] = values;
            values = [
                self.assign_convert(left, ty, call.span)?,
                self.assign_convert(right, ty, call.span)?,
                self.assign_convert(third, pointer, call.span)?,
            ];
        }
        let [left, right, third] = values;
        self.require_integer(&left)?;
        self.require_integer(&right)?;
        let target = if stores { self.types.pointee(third.ty) } else { Some(third.ty) };
        let Some(target) = target.filter(|&ty| matches!(self.types.get(ty), Type::Integer(_))) else {
            let what = if stores { "a pointer to an integer" } else { "an integer" };
            let message = format!("the last argument of '__builtin_{builtin}' must be {what}");
            return Err(self.error(third.span, message));
        };
        self.overflow(op, [left, right, third], target, stores, call.span).map(Some)
    }

    fn overflow(
        &mut self,
        op: Arithmetic,
        [left, right, third]: [Expr; 3],
        target: TypeId,
        stores: bool,
        span: Span,
    ) -> Checked<Expr> {
        let truth = self.types.intern(Type::Bool);
        let wide = [left.ty, right.ty, target].map(|ty| self.types.bit_width(ty).unwrap_or(u32::MAX));
        // In twice the widest type, results and the values of the target are less than 2^width apart, also
        // products of unsigned numbers: they are equal if they are equal modulo that. Unsigned, so that
        // nothing takes it for an overflow of the program.
        let exact_type = match wide.into_iter().max() {
            Some(..=32) => IntKind::ULongLong,
            Some(..=64) => IntKind::UInt128,
            _ => return Ok(self.unsupported("overflow check of a wide number", truth, span)),
        };
        if !stores && self.bit_field_width(&third).is_some() {
            return Ok(self.unsupported("overflow of a bit-field", truth, span));
        }
        let exact_type = self.types.integer(exact_type);
        let (left, right) = (self.convert(left, exact_type), self.convert(right, exact_type));
        let folded = match (left.constant(), right.constant()) {
            (Some(a), Some(b)) => fold::arithmetic(&self.types, op, a, b, exact_type),
            _ => None,
        };
        let (compute, exact) = match folded {
            Some(bits) => (None, self.constant_of(bits, exact_type, span)),
            None => {
                let kind = ExprKind::Arithmetic(op, Box::new(left), Box::new(right));
                let sum = Expr::new(&self.types, kind, exact_type, span);
                let (compute, exact) = self.kept(sum);
                (Some(compute), exact)
            }
        };
        let stored = self.convert(exact.clone(), target);
        let widened = self.convert(stored.clone(), exact_type);
        let finish = if stores {
            let place = self.pointed_place(third, span)?;
            Some(Expr::new(&self.types, ExprKind::Assign(place, Box::new(stored)), target, span))
        } else {
            third.effects.then_some(third)
        };
        let overflows = match (exact.constant(), widened.constant()) {
            (Some(a), Some(b)) => self.constant_of(u128::from(a != b), truth, span),
            _ => {
                let kind = ExprKind::Compare(Comparison::NotEqual, Box::new(exact), Box::new(widened));
                let int = self.types.int();
                let differs = Expr::new(&self.types, kind, int, span);
                self.convert(differs, truth)
            }
        };
        Ok(self.after(compute.into_iter().chain(finish), overflows))
    }

    /// Puts a value into an unnamed variable: the expression that does so, and one that reads it.
    pub(super) fn kept(&mut self, value: Expr) -> (Expr, Expr) {
        let (ty, span) = (value.ty, value.span);
        let object = self.new_object("<kept>".to_owned(), ty, Storage::Automatic, span);
        let place = LValue { kind: LValueKind::Object(object), ty };
        let assign = ExprKind::Assign(place.clone(), Box::new(value));
        let assign = Expr::new(&self.types, assign, ty, span);
        (assign, Expr::new(&self.types, ExprKind::Load(place), ty, span))
    }

    /// A value after expressions for their effects.
    pub(super) fn after(&mut self, effects: impl IntoIterator<Item = Expr>, value: Expr) -> Expr {
        let mut before: Option<Expr> = None;
        for effect in effects {
            before = Some(match before {
                Some(earlier) => self.sequence(earlier, effect),
                None => effect,
            });
        }
        match before {
            Some(before) => self.sequence(before, value),
            None => value,
        }
    }

    fn sequence(&mut self, first: Expr, second: Expr) -> Expr {
        let (ty, span) = (second.ty, second.span);
        Expr::new(&self.types, ExprKind::Comma(Box::new(first), Box::new(second)), ty, span)
    }

    /// The place that a pointer points to; for the address of a place, that place.
    pub(super) fn pointed_place(&mut self, pointer: Expr, span: Span) -> Checked<LValue> {
        let Some(ty) = self.types.pointee(pointer.ty) else {
            return Err(self.error(span, "a pointer is required here"));
        };
        match pointer.kind {
            ExprKind::AddressOf(place) if place.ty == ty => Ok(place),
            _ => Ok(LValue { kind: LValueKind::Deref(Box::new(pointer)), ty }),
        }
    }
}
