//! Members whose bytes are in the opposite order: what is read or written is reversed on the way.

use super::Checker;
use crate::typed::{Expr, ExprKind, LValue, LValueKind};

impl Checker<'_> {
    /// The place is a member with its bytes in the opposite order.
    pub(super) fn is_reversed(&self, place: &LValue) -> bool {
        let LValueKind::Member(_, record, index) = &place.kind else { return false };
        let body = self.types.record(*record).body.as_ref();
        body.and_then(|body| body.fields.get(*index)).is_some_and(|field| field.reversed)
    }

    /// The value with its bytes in the opposite order.
    pub(super) fn reversed(&self, value: Expr) -> Expr {
        let (ty, span) = (value.ty, value.span);
        let bytes = self.types.bit_width(ty).map(|width| width / 8);
        let swap =
            |bits: u128| bytes.filter(|&bytes| bytes > 0).map(|bytes| bits.swap_bytes() >> (128 - 8 * bytes));
        let kind = match value.kind {
            ExprKind::Constant(bits) => swap(bits).map(ExprKind::Constant),
            ExprKind::Float(bits) => swap(bits).map(ExprKind::Float),
            _ => None,
        };
        let kind = kind.unwrap_or_else(|| ExprKind::Reversed(Box::new(value)));
        Expr::new(&self.types, kind, ty, span)
    }
}
