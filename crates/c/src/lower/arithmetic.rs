//! Arithmetic on bit-vectors, with what C leaves open decided as the module above says.

use super::Lowering;
use crate::typed::{Arithmetic, Comparison, Expr, Negation};
use crate::types::TypeId;
use aster_term::Term;
use lang_c::span::Span;

impl Lowering<'_> {
    pub(super) fn negate(&mut self, op: Negation, value: Term, expr: &Expr) -> Term {
        if self.width(expr.ty).is_none() {
            return self.unmodelled("floating-point arithmetic", expr);
        }
        match op {
            Negation::Minus => self.pool.neg(value),
            Negation::Complement => self.pool.bvnot(value),
        }
    }

    /// Arithmetic in an integer type; divisions are guarded by assumptions.
    pub(super) fn arithmetic(&mut self, op: Arithmetic, a: Term, b: Term, ty: TypeId, span: Span) -> Term {
        let signed = self.is_signed(ty);
        match op {
            Arithmetic::Multiply => self.pool.mul(a, b),
            Arithmetic::Add => self.pool.add(a, b),
            Arithmetic::Subtract => self.pool.sub(a, b),
            Arithmetic::And => self.pool.bvand(a, b),
            Arithmetic::Xor => self.pool.bvxor(a, b),
            Arithmetic::Or => self.pool.bvor(a, b),
            Arithmetic::ShiftLeft => {
                let count = self.shift_count(a, b);
                self.pool.shl(a, count)
            }
            Arithmetic::ShiftRight => {
                let count = self.shift_count(a, b);
                if signed { self.pool.ashr(a, count) } else { self.pool.lshr(a, count) }
            }
            Arithmetic::Divide | Arithmetic::Remainder => {
                self.guard_division(a, b, signed, span);
                match (op, signed) {
                    (Arithmetic::Divide, true) => self.pool.sdiv(a, b),
                    (Arithmetic::Divide, false) => self.pool.udiv(a, b),
                    (_, true) => self.pool.srem(a, b),
                    (_, false) => self.pool.urem(a, b),
                }
            }
        }
    }

    /// The path goes on only where the division does not trap.
    fn guard_division(&mut self, a: Term, b: Term, signed: bool, span: Span) {
        let width = self.pool.width(b);
        let zero = self.pool.bv(width, 0);
        let nonzero = self.pool.ne(b, zero);
        self.assume(nonzero, span);
        if signed {
            let minus_one = self.pool.bv_signed(width, -1);
            let smallest = self.pool.bv(width, 1u128 << (width - 1));
            let (x, y) = (self.pool.eq(a, smallest), self.pool.eq(b, minus_one));
            let overflow = self.pool.and(x, y);
            let fine = self.pool.not(overflow);
            self.assume(fine, span);
        }
    }

    /// The count of a shift in the width of the shifted value, masked as x86 does it.
    fn shift_count(&mut self, shifted: Term, count: Term) -> Term {
        let (width, given) = (self.pool.width(shifted), self.pool.width(count));
        let count = if given > width {
            self.pool.extract(width - 1, 0, count)
        } else {
            self.pool.zero_extend_to(width, count)
        };
        let mask = self.pool.bv(width, u128::from(width - 1));
        self.pool.bvand(count, mask)
    }

    pub(super) fn move_pointer(&mut self, pointer: Term, count: Term, size: u64, backwards: bool) -> Term {
        let width = self.pool.width(pointer);
        let size = self.pool.bv(width, u128::from(size));
        let distance = self.pool.mul(count, size);
        if backwards { self.pool.sub(pointer, distance) } else { self.pool.add(pointer, distance) }
    }

    pub(super) fn pointer_difference(&mut self, a: Term, b: Term, size: u64) -> Term {
        let width = self.pool.width(a);
        let size = self.pool.bv(width, u128::from(size));
        let distance = self.pool.sub(a, b);
        self.pool.sdiv(distance, size)
    }

    /// A comparison of two values of one type.
    pub(super) fn compare(&mut self, op: Comparison, a: Term, b: Term, ty: TypeId) -> Term {
        let signed = self.is_signed(ty);
        match op {
            Comparison::Equal => self.pool.eq(a, b),
            Comparison::NotEqual => self.pool.ne(a, b),
            Comparison::Less => self.less(a, b, signed),
            Comparison::Greater => self.less(b, a, signed),
            Comparison::LessOrEqual => self.at_most(a, b, signed),
            Comparison::GreaterOrEqual => self.at_most(b, a, signed),
        }
    }

    fn less(&mut self, a: Term, b: Term, signed: bool) -> Term {
        if signed { self.pool.slt(a, b) } else { self.pool.ult(a, b) }
    }

    pub(super) fn at_most(&mut self, a: Term, b: Term, signed: bool) -> Term {
        if signed { self.pool.sle(a, b) } else { self.pool.ule(a, b) }
    }
}
