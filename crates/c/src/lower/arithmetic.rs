//! Arithmetic, with what C leaves open decided as the module above says.

use super::Lowering;
use crate::typed::{Arithmetic, Comparison, Expr, Negation};
use crate::types::TypeId;
use aster_cfa::ErrorKind;
use aster_term::{MAX_WIDTH, Term};
use lang_c::span::Span;

const OVERFLOW: &str = "arithmetic overflow";

impl Lowering<'_> {
    pub(super) fn negate(&mut self, op: Negation, value: Term, expr: &Expr) -> Term {
        if self.width(expr.ty).is_none() {
            return self.unmodelled(self.unmodelled_type(expr.ty), expr);
        }
        self.negate_value(op, value, expr.ty, expr.span)
    }

    /// The same for a value of a type that is modelled.
    pub(super) fn negate_value(&mut self, op: Negation, value: Term, ty: TypeId, span: Span) -> Term {
        if let Some(result) = self.vector_negation(op, value, ty, span) {
            return result;
        }
        if let Some(format) = self.format(ty) {
            return self.pool.fp_neg(format, value);
        }
        if op == Negation::Minus && self.is_signed(ty) {
            self.check_negation(value, span);
        }
        match op {
            Negation::Minus => self.pool.neg(value),
            Negation::Complement => self.pool.bvnot(value),
        }
    }

    /// Arithmetic in a type; divisions of integers are guarded by assumptions.
    pub(super) fn arithmetic(&mut self, op: Arithmetic, a: Term, b: Term, ty: TypeId, span: Span) -> Term {
        if let Some(result) = self.vector_arithmetic(op, a, b, ty, span) {
            return result;
        }
        if let Some(format) = self.format(ty) {
            if !self.typed.types.computes_in(ty) {
                self.unsupported("arithmetic on '_Float16'", span);
                return self.dummy(ty);
            }
            return self.float_arithmetic(op, a, b, format);
        }
        let signed = self.is_signed(ty);
        if self.options.checks.overflow {
            self.check_overflow(op, a, b, signed, span);
        }
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

    /// Control goes on only if the negative of a signed number fits its type, where the property asks for that.
    pub(super) fn check_negation(&mut self, value: Term, span: Span) {
        if self.options.checks.overflow {
            let width = self.pool.width(value);
            let smallest = self.pool.bv(width, 1u128 << (width - 1));
            let fits = self.pool.ne(value, smallest);
            self.require(fits, ErrorKind::Overflow, OVERFLOW, span);
        }
    }

    /// Control goes on only if the type can hold the result.
    fn check_overflow(&mut self, op: Arithmetic, a: Term, b: Term, signed: bool, span: Span) {
        let width = self.pool.width(a);
        let fits = match op {
            Arithmetic::Add | Arithmetic::Subtract | Arithmetic::Multiply if signed => {
                if width >= MAX_WIDTH {
                    return self.unsupported("overflow check of a wide number", span);
                }
                let (x, y) = (self.pool.sign_extend_to(width + 1, a), self.pool.sign_extend_to(width + 1, b));
                match op {
                    Arithmetic::Add => {
                        let exact = self.pool.add(x, y);
                        self.holds_signed(exact, width)
                    }
                    Arithmetic::Subtract => {
                        let exact = self.pool.sub(x, y);
                        self.holds_signed(exact, width)
                    }
                    _ => self.product_fits(a, b),
                }
            }
            Arithmetic::Divide | Arithmetic::Remainder => {
                let zero = self.pool.bv(width, 0);
                let mut fits = self.pool.ne(b, zero);
                if signed {
                    let overflow = self.division_overflows(a, b);
                    let exact = self.pool.not(overflow);
                    fits = self.pool.and(fits, exact);
                }
                fits
            }
            Arithmetic::ShiftLeft | Arithmetic::ShiftRight => {
                let given = self.pool.width(b);
                let limit = self.pool.bv(given, u128::from(width));
                let mut fits = self.pool.ult(b, limit);
                if signed && op == Arithmetic::ShiftLeft {
                    if 2 * width > MAX_WIDTH {
                        return self.unsupported("overflow check of a wide number", span);
                    }
                    let count = self.shift_count(a, b);
                    let (x, count) =
                        (self.pool.sign_extend_to(2 * width, a), self.pool.zero_extend_to(2 * width, count));
                    let exact = self.pool.shl(x, count);
                    let held = self.holds_signed(exact, width);
                    fits = self.pool.and(fits, held);
                    // C11 6.5.7: what shifting a negative number to the left gives is not defined.
                    let zero = self.pool.bv(width, 0);
                    let not_negative = self.pool.sle(zero, a);
                    fits = self.pool.and(fits, not_negative);
                }
                fits
            }
            _ => return,
        };
        self.require(fits, ErrorKind::Overflow, OVERFLOW, span);
    }

    /// The signed product of two numbers fits their width.
    ///
    /// With a literal these are two comparisons. Otherwise, with both numbers as magnitudes (all bits of a
    /// negative one inverted), the product is far too large if there are bits i of one and j of the other
    /// with i + j at least the width less one; if not, it fits one bit more than the width, and is too large
    /// if that shows (Gok, Schulte and Arnold, "Integer multipliers with overflow detection", 2006).
    fn product_fits(&mut self, a: Term, b: Term) -> Term {
        let width = self.pool.width(a);
        for (factor, other) in [(a, b), (b, a)] {
            if let Some(constant) = self.pool.bv_constant(factor) {
                return self.multiple_fits(other, constant.signed(), width);
            }
        }
        let (p, q) = (self.magnitude(a), self.magnitude(b));
        let mut too_large = self.pool.bool(false);
        let mut above = self.pool.bool(false);
        // `above` tells whether `p` has a bit at or above the place that bit `i` of `q` needs to be small for.
        for i in 1..width - 1 {
            let bit = self.bit(p, width - 1 - i);
            above = self.pool.or(above, bit);
            let other = self.bit(q, i);
            let both = self.pool.and(above, other);
            too_large = self.pool.or(too_large, both);
        }
        let (x, y) = (self.pool.sign_extend_to(width + 1, a), self.pool.sign_extend_to(width + 1, b));
        let product = self.pool.mul(x, y);
        let (top, next) = (self.bit(product, width), self.bit(product, width - 1));
        let shows = self.pool.xor(top, next);
        let overflows = self.pool.or(too_large, shows);
        self.pool.not(overflows)
    }

    /// `x * constant` fits the width.
    fn multiple_fits(&mut self, x: Term, constant: i128, width: u32) -> Term {
        let (smallest, largest) = (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1);
        let (low, high) = match constant {
            0 => return self.pool.bool(true),
            1.. => (
                smallest.div_euclid(constant) + i128::from(smallest.rem_euclid(constant) != 0),
                largest / constant,
            ),
            // Both bounds change places; rounding is towards the inside.
            _ => (largest / constant, (smallest / constant).min(largest)),
        };
        let (low, high) = (self.pool.bv_signed(width, low), self.pool.bv_signed(width, high));
        let (above, below) = (self.at_most(low, x, true), self.at_most(x, high, true));
        self.pool.and(above, below)
    }

    /// The number, or its complement if it is negative.
    fn magnitude(&mut self, x: Term) -> Term {
        let width = self.pool.width(x);
        let zero = self.pool.bv(width, 0);
        let negative = self.pool.slt(x, zero);
        let inverted = self.pool.bvnot(x);
        self.pool.ite(negative, inverted, x)
    }

    /// A bit as a truth value.
    fn bit(&mut self, x: Term, position: u32) -> Term {
        let (bit, one) = (self.pool.extract(position, position, x), self.pool.bv(1, 1));
        self.pool.eq(bit, one)
    }

    /// A number keeps its value in this many bits.
    fn holds_signed(&mut self, exact: Term, width: u32) -> Term {
        let wide = self.pool.width(exact);
        let kept = self.pool.extract(width - 1, 0, exact);
        let extended = self.pool.sign_extend_to(wide, kept);
        self.pool.eq(extended, exact)
    }

    fn division_overflows(&mut self, a: Term, b: Term) -> Term {
        let width = self.pool.width(b);
        let minus_one = self.pool.bv_signed(width, -1);
        let smallest = self.pool.bv(width, 1u128 << (width - 1));
        let (x, y) = (self.pool.eq(a, smallest), self.pool.eq(b, minus_one));
        self.pool.and(x, y)
    }

    /// The path goes on only where the division does not trap.
    fn guard_division(&mut self, a: Term, b: Term, signed: bool, span: Span) {
        let width = self.pool.width(b);
        let zero = self.pool.bv(width, 0);
        let mut defined = self.pool.ne(b, zero);
        if self.unused {
            // Compilers leave such a division out, so that nothing traps.
            if signed {
                let overflow = self.division_overflows(a, b);
                let fine = self.pool.not(overflow);
                defined = self.pool.and(defined, fine);
            }
            return self.require(defined, ErrorKind::Overflow, "division whose result is not defined", span);
        }
        self.assume(defined, span);
        if signed {
            let overflow = self.division_overflows(a, b);
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
        let mask = self.pool.bv(width, u128::from(width.next_power_of_two() - 1));
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
        if let Some(format) = self.format(ty) {
            return self.float_compare(op, a, b, format);
        }
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
