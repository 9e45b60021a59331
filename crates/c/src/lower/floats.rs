//! Arithmetic on floating-point numbers.
//!
//! A number is its bit pattern. Operators round as the program's rounding mode says: to nearest even, unless the
//! program mentions `fesetround`; then a variable holds the mode, and a result is a choice between the four results.

use super::Lowering;
use crate::DataModel;
use crate::typed::{Arithmetic, Comparison, converts_partially};
use crate::types::{FloatKind, TypeId};
use aster_cfa::Var;
use aster_term::{FloatFormat, Rounding, Sort, Term, TermPool};
use lang_c::span::Span;

/// The modes by the number that x86 has for them; `FE_TONEAREST` and so on are that number, shifted.
const MODES: [Rounding; 4] =
    [Rounding::NearestEven, Rounding::TowardNegative, Rounding::TowardPositive, Rounding::TowardZero];

/// Where the number of the mode is in the value of `fegetround`.
const MODE_SHIFT: u32 = 10;

impl Lowering<'_> {
    /// The format of a floating-point type.
    pub(super) fn format(&self, ty: TypeId) -> Option<FloatFormat> {
        self.typed.types.float_format(ty)
    }

    /// The variable that holds the number of the rounding mode, if the program changes it.
    pub(super) fn rounding_variable(&mut self) -> Option<Var> {
        if self.rounding.is_none() && self.changes_rounding() {
            let variable = self.builder.add_variable(self.pool, "<rounding>", Sort::BitVec(2), None, None);
            self.rounding = Some(variable);
        }
        self.rounding
    }

    /// The program may change the rounding mode. All other functions that do are not modelled.
    pub(super) fn changes_rounding(&self) -> bool {
        self.mentions("fesetround")
    }

    /// The program mentions a function that it does not define.
    pub(super) fn mentions(&self, name: &str) -> bool {
        self.typed
            .functions
            .iter()
            .any(|function| function.mentioned && function.body.is_none() && function.name == name)
    }

    /// The result of an operator in the rounding mode that the program has when it gets there.
    pub(super) fn rounded(&mut self, mut operator: impl FnMut(&mut TermPool, Rounding) -> Term) -> Term {
        let Some(variable) = self.rounding_variable() else {
            return operator(self.pool, Rounding::NearestEven);
        };
        let mode = self.term(variable);
        let [nearest, rest @ ..] = MODES;
        let mut result = operator(self.pool, nearest);
        for (number, rounding) in (1..).zip(rest) {
            let other = operator(self.pool, rounding);
            let number = self.pool.bv(2, number);
            let chosen = self.pool.eq(mode, number);
            result = self.pool.ite(chosen, other, result);
        }
        result
    }

    /// `fegetround`.
    pub(super) fn rounding_mode(&mut self, width: u32) -> Term {
        match self.rounding_variable() {
            None => self.pool.bv(width, 0),
            Some(variable) => {
                let number = self.term(variable);
                let number = self.pool.zero_extend_to(width, number);
                let distance = self.pool.bv(width, u128::from(MODE_SHIFT));
                self.pool.shl(number, distance)
            }
        }
    }

    /// `fesetround`: 0 if there is such a mode, otherwise nothing changes.
    pub(super) fn set_rounding_mode(&mut self, value: Term, width: u32, span: Span) -> Term {
        let given = self.pool.width(value);
        let mask = self.pool.bv(given, 3 << MODE_SHIFT);
        let masked = self.pool.bvand(value, mask);
        let valid = self.pool.eq(masked, value);
        let failure = self.pool.not(valid);
        let failure = self.bool_to_bits(failure, width);
        let failure = self.snapshot(failure, span);
        if let Some(variable) = self.rounding_variable() {
            let old = self.term(variable);
            let number = self.pool.extract(MODE_SHIFT + 1, MODE_SHIFT, value);
            let new = self.pool.ite(valid, number, old);
            self.assign(variable, new, span);
        }
        failure
    }

    /// Arithmetic on two numbers of a format.
    pub(super) fn float_arithmetic(&mut self, op: Arithmetic, a: Term, b: Term, format: FloatFormat) -> Term {
        self.rounded(|pool, rounding| match op {
            Arithmetic::Multiply => pool.fp_mul(format, rounding, a, b),
            Arithmetic::Divide => pool.fp_div(format, rounding, a, b),
            Arithmetic::Subtract => pool.fp_sub(format, rounding, a, b),
            // The checker lets no other operators through.
            _ => pool.fp_add(format, rounding, a, b),
        })
    }

    pub(super) fn float_compare(&mut self, op: Comparison, a: Term, b: Term, format: FloatFormat) -> Term {
        match op {
            Comparison::Equal => self.pool.fp_eq(format, a, b),
            Comparison::NotEqual => {
                let equal = self.pool.fp_eq(format, a, b);
                self.pool.not(equal)
            }
            Comparison::Less => self.pool.fp_lt(format, a, b),
            Comparison::Greater => self.pool.fp_lt(format, b, a),
            Comparison::LessOrEqual => self.pool.fp_le(format, a, b),
            Comparison::GreaterOrEqual => self.pool.fp_le(format, b, a),
        }
    }

    /// A scalar value is not zero; a NaN is not.
    pub(super) fn is_nonzero(&mut self, value: Term, ty: TypeId) -> Term {
        match self.format(ty) {
            Some(format) => {
                let zero = self.pool.fp_is_zero(format, value);
                self.pool.not(zero)
            }
            None => {
                let width = self.pool.width(value);
                let zero = self.pool.bv(width, 0);
                self.pool.ne(value, zero)
            }
        }
    }

    /// A conversion to or from a floating-point type; neither is `_Bool`, and none is a pointer.
    pub(super) fn convert_float(&mut self, value: Term, from: TypeId, to: TypeId) -> Term {
        match (self.format(from), self.format(to)) {
            (Some(from), Some(to)) => self.change_format(value, from, to),
            (None, Some(to)) => {
                let signed = self.is_signed(from);
                self.rounded(|pool, rounding| {
                    if signed {
                        pool.fp_from_signed(to, rounding, value)
                    } else {
                        pool.fp_from_unsigned(to, rounding, value)
                    }
                })
            }
            (Some(_), None) => self.float_to_integer(value, from, to),
            (None, None) => value,
        }
    }

    /// A number in another format. A NaN keeps its sign and the top of its fraction, as on x86.
    pub(super) fn change_format(&mut self, value: Term, from: FloatFormat, to: FloatFormat) -> Term {
        if from == to {
            return value;
        }
        let number = self.rounded(|pool, rounding| pool.fp_convert(from, to, rounding, value));
        let is_nan = self.pool.fp_is_nan(from, value);
        if self.pool.bool_constant(is_nan) == Some(false) {
            return number;
        }
        let sign = self.pool.extract(from.width() - 1, from.width() - 1, value);
        // Without its top bit, which becomes set.
        let (have, want) = (from.fraction() - 1, to.fraction() - 1);
        let rest = if have >= want {
            self.pool.extract(have - 1, have - want, value)
        } else {
            let rest = self.pool.extract(have - 1, 0, value);
            let zeros = self.pool.bv(want - have, 0);
            self.pool.concat(rest, zeros)
        };
        let ones = self.pool.bv_signed(to.exponent + 1, -1);
        let head = self.pool.concat(sign, ones);
        let nan = self.pool.concat(head, rest);
        self.pool.ite(is_nan, nan, number)
    }

    /// A number converted to an integer type, towards zero. What does not fit becomes what the instructions make of it
    /// that gcc chooses on x86: the "integer indefinite" value, the smallest one, of the type that is converted to
    /// first, cut to the type that is asked for.
    fn float_to_integer(&mut self, value: Term, from: TypeId, to: TypeId) -> Term {
        let (Some(format), Some(width)) = (self.format(from), self.width(to)) else { return self.dummy(to) };
        if converts_partially(&self.typed.types, from, to) {
            // Those that do not fit were sorted out before.
            return if self.is_signed(to) {
                self.pool.fp_to_signed(format, width, Rounding::TowardZero, value)
            } else {
                self.pool.fp_to_unsigned(format, width, Rounding::TowardZero, value)
            };
        }
        let is_extended = self.typed.types.float_kind(from) == Some(FloatKind::LongDouble);
        let is_unsigned = !self.is_signed(to);
        let narrow = self.options.data_model == DataModel::Ilp32;
        if is_unsigned && (width == 64 || (width == 32 && narrow && !is_extended)) {
            return self.float_to_unsigned(value, format, width);
        }
        let first = match width {
            ..=8 if is_extended => 16,
            ..=16 if is_extended && !is_unsigned => 16,
            ..=31 => 32,
            32 if !is_unsigned => 32,
            _ => 64,
        };
        let number = self.pool.fp_to_signed(format, first, Rounding::TowardZero, value);
        let number = self.or_indefinite(value, number, format);
        self.pool.extract(width - 1, 0, number)
    }

    /// What a number was converted to, or the smallest integer if it does not fit.
    pub(super) fn or_indefinite(&mut self, value: Term, number: Term, format: FloatFormat) -> Term {
        let width = self.pool.width(number);
        let fits = self.fits_integer(value, number, format);
        let indefinite = self.pool.bv(width, 1 << (width - 1));
        self.pool.ite(fits, number, indefinite)
    }

    /// A number fits the integer that it was converted to. Zero is also given for those that do not fit, but those have
    /// at least magnitude one, and none of that magnitude rounds to zero.
    fn fits_integer(&mut self, value: Term, number: Term, format: FloatFormat) -> Term {
        let width = self.pool.width(number);
        let zero = self.pool.bv(width, 0);
        let nonzero = self.pool.ne(number, zero);
        let magnitude = self.pool.fp_abs(format, value);
        let one = self.pool.bv(format.width(), u128::from(format.bias()) << format.fraction());
        let small = self.pool.ult(magnitude, one);
        self.pool.or(nonzero, small)
    }

    /// Through signed numbers: what is at least half of the range is moved down by that and up again.
    fn float_to_unsigned(&mut self, value: Term, format: FloatFormat, width: u32) -> Term {
        let exact = self.pool.fp_to_signed(format, width + 1, Rounding::TowardZero, value);
        let fits = self.fits_integer(value, exact, format);
        let number = self.pool.extract(width - 1, 0, exact);
        let half = 1i128 << (width - 1);
        let smallest = self.pool.bv_signed(width + 1, -half);
        let too_small = self.pool.slt(exact, smallest);
        let indefinite = self.pool.bv(width, half as u128);
        let inside = self.pool.ite(too_small, indefinite, number);
        let negative = self.pool.fp_is_negative(format, value);
        let nan = self.pool.fp_is_nan(format, value);
        let low = self.pool.or(negative, nan);
        let zero = self.pool.bv(width, 0);
        let outside = self.pool.ite(low, indefinite, zero);
        self.pool.ite(fits, inside, outside)
    }

    /// Control goes on only if the number fits an integer type for which nothing is known otherwise.
    pub(super) fn require_conversion(&mut self, value: Term, from: TypeId, to: TypeId, span: Span) {
        let Some(format) = self.format(from) else { return };
        if !converts_partially(&self.typed.types, from, to) {
            return;
        }
        let number = self.convert_float(value, from, to);
        let fits = self.fits_integer(value, number, format);
        let (fine, too_large) = (self.point(), self.point());
        self.branch_on(fits, fine, too_large, span);
        self.state().current = too_large;
        self.unsupported("conversion of a number that the integer type does not hold", span);
        self.state().current = fine;
    }
}
