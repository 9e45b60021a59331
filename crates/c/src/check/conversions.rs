//! Conversions: promotions, usual arithmetic conversions, and those that assignment implies.

use super::{Checked, Checker, fold};
use crate::typed::{Expr, ExprKind, LValueKind};
use crate::types::{IntKind, Type, TypeId};
use lang_c::span::Span;

impl Checker<'_> {
    /// The expression converted to a type; constants are folded.
    pub(super) fn convert(&mut self, expr: Expr, ty: TypeId) -> Expr {
        if expr.ty == ty {
            return expr;
        }
        if let Some(folded) = fold::converted(&self.types, &expr.kind, expr.ty, ty) {
            return Expr::new(&self.types, folded, ty, expr.span);
        }
        let span = expr.span;
        Expr::new(&self.types, ExprKind::Convert(Box::new(expr)), ty, span)
    }

    /// The integer type that an integer expression is promoted to (C11 6.3.1.1).
    fn promoted_kind(&self, expr: &Expr) -> Option<IntKind> {
        if let Some(width) = self.bit_field_width(expr) {
            // A bit-field is promoted by its width. To gcc one of more bits than `int` has a type of just that width.
            let kind = self.types.int_kind(expr.ty).unwrap_or(IntKind::UChar);
            let is_odd = self.types.bit_width(expr.ty).is_some_and(|bits| width < bits);
            return Some(match (width, kind.is_signed()) {
                (..32, _) | (32, true) => IntKind::Int,
                (32, false) => IntKind::UInt,
                (33..=127, true) if is_odd => IntKind::Bits(width as u8),
                (33..=127, false) if is_odd => IntKind::UBits(width as u8),
                _ => kind,
            });
        }
        match self.types.get(expr.ty) {
            Type::Bool => Some(IntKind::Int),
            _ => {
                let kind = self.types.int_kind(expr.ty)?;
                Some(if kind.rank() < IntKind::Int.rank() { IntKind::Int } else { kind })
            }
        }
    }

    /// The width of the bit-field whose value this is.
    pub(super) fn bit_field_width(&self, expr: &Expr) -> Option<u32> {
        let place = match &expr.kind {
            ExprKind::Load(place) | ExprKind::Assign(place, _) => place,
            ExprKind::Update(update) => &update.place,
            ExprKind::Comma(_, last) => return self.bit_field_width(last),
            _ => return None,
        };
        let LValueKind::Member(_, record, field) = &place.kind else { return None };
        let body = self.types.record(*record).body.as_ref()?;
        body.fields.get(*field)?.bits.map(|(_, width)| width)
    }

    /// The integer promotions; other types are left alone.
    pub(super) fn promote(&mut self, expr: Expr) -> Expr {
        match self.promoted_kind(&expr) {
            Some(kind) => {
                let ty = self.types.integer(kind);
                self.convert(expr, ty)
            }
            None => expr,
        }
    }

    /// The usual arithmetic conversions (C11 6.3.1.8) of two arithmetic operands.
    pub(super) fn balance(&mut self, left: Expr, right: Expr) -> (Expr, Expr, TypeId) {
        let ty = self.common_type(&left, &right);
        (self.convert(left, ty), self.convert(right, ty), ty)
    }

    /// The type that the usual arithmetic conversions give.
    pub(super) fn common_type(&mut self, left: &Expr, right: &Expr) -> TypeId {
        if self.types.is_float(left.ty) || self.types.is_float(right.ty) {
            return self.common_float(left.ty, right.ty);
        }
        let a = self.promoted_kind(left).unwrap_or(IntKind::Int);
        let b = self.promoted_kind(right).unwrap_or(IntKind::Int);
        let kind = self.common_kind(a, b);
        self.types.integer(kind)
    }

    fn common_float(&mut self, left: TypeId, right: TypeId) -> TypeId {
        let mut decimals =
            [left, right].into_iter().filter(|&ty| matches!(self.types.get(ty), Type::Decimal(_)));
        if let Some(decimal) = decimals.next() {
            return decimals
                .next()
                .filter(|&other| self.types.size(other) > self.types.size(decimal))
                .unwrap_or(decimal);
        }
        let part = |ty: &Type| match ty {
            Type::Float(kind) => (Some(*kind), false),
            Type::Complex(kind) => (Some(*kind), true),
            _ => (None, false),
        };
        let (a, complex_a) = part(self.types.get(left));
        let (b, complex_b) = part(self.types.get(right));
        let kind = a.max(b).unwrap_or(crate::types::FloatKind::Double);
        self.types.intern(if complex_a || complex_b { Type::Complex(kind) } else { Type::Float(kind) })
    }

    fn common_kind(&self, a: IntKind, b: IntKind) -> IntKind {
        if a == b {
            return a;
        }
        if a.is_bit_field() || b.is_bit_field() {
            // gcc takes the wider one, and of equally wide ones the unsigned one.
            let strength = |kind: IntKind| (self.types.int_bits(kind), !kind.is_signed());
            return if strength(a) >= strength(b) { a } else { b };
        }
        if a.is_signed() == b.is_signed() {
            return if a.rank() >= b.rank() { a } else { b };
        }
        let (signed, unsigned) = if a.is_signed() { (a, b) } else { (b, a) };
        if unsigned.rank() >= signed.rank() {
            unsigned
        } else if self.types.int_bits(signed) > self.types.int_bits(unsigned) {
            signed
        } else {
            signed.to_unsigned()
        }
    }

    /// The conversion that assignment, initialisation, argument passing and return imply. gcc lets
    /// pointers and integers mix with a warning, so we do too.
    pub(super) fn assign_convert(&mut self, expr: Expr, ty: TypeId, span: Span) -> Checked<Expr> {
        if expr.ty == ty {
            return Ok(expr);
        }
        self.require_value(&expr)?;
        let fits = match (self.types.get(ty), self.types.get(expr.ty)) {
            (Type::Record(_), Type::Record(_)) => false,
            (Type::Pointer(_), Type::Float(_) | Type::Complex(_)) => false,
            (Type::Float(_) | Type::Complex(_), Type::Pointer(_)) => false,
            (Type::Void, _) => false,
            // Without -flax-vector-conversions gcc takes those of the same shape.
            (Type::Vector(..), Type::Vector(..)) => self.types.size(ty) == self.types.size(expr.ty),
            _ => self.types.is_scalar(ty) && self.types.is_scalar(expr.ty),
        };
        if fits {
            return Ok(self.convert(expr, ty));
        }
        let (to, from) = (self.type_name_text(ty), self.type_name_text(expr.ty));
        Err(self.error(
            span,
            format!("incompatible types: a value of type '{to}' is needed here, but this has type '{from}'"),
        ))
    }

    /// A condition: any scalar.
    pub(super) fn require_scalar(&self, expr: &Expr) -> Checked<()> {
        self.require_value(expr)?;
        if self.types.is_scalar(expr.ty) {
            return Ok(());
        }
        let name = self.type_name_text(expr.ty);
        Err(self.error(expr.span, format!("used type '{name}' where a scalar is required")))
    }

    pub(super) fn require_integer(&self, expr: &Expr) -> Checked<()> {
        self.require_value(expr)?;
        if self.types.is_integer(expr.ty) {
            return Ok(());
        }
        let name = self.type_name_text(expr.ty);
        Err(self.error(expr.span, format!("an integer is required here, but this has type '{name}'")))
    }

    pub(super) fn require_value(&self, expr: &Expr) -> Checked<()> {
        if self.types.is_void(expr.ty) {
            return Err(self.error(expr.span, "void value not ignored as it ought to be"));
        }
        Ok(())
    }

    /// The promotions of arguments without a parameter type (C11 6.5.2.2).
    pub(super) fn default_promote(&mut self, expr: Expr) -> Expr {
        match self.types.get(expr.ty) {
            Type::Float(crate::types::FloatKind::Float) => {
                let double = self.types.intern(Type::Float(crate::types::FloatKind::Double));
                self.convert(expr, double)
            }
            _ => {
                let expr = self.promote(expr);
                self.standard_integer(expr)
            }
        }
    }

    /// A value that has the type of a wide bit-field, in the next larger type that variables can have.
    fn standard_integer(&mut self, expr: Expr) -> Expr {
        let Some(kind) = self.types.int_kind(expr.ty).filter(|kind| kind.is_bit_field()) else { return expr };
        let wide = if self.types.int_bits(kind) < 64 { IntKind::LongLong } else { IntKind::Int128 };
        let ty = self.types.integer(if kind.is_signed() { wide } else { wide.to_unsigned() });
        self.convert(expr, ty)
    }
}
