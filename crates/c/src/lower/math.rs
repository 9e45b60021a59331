//! Functions of `<math.h>` that are operators on floating-point numbers.

use super::Lowering;
use super::calls::Wanted;
use super::library::counted;
use crate::library::{Math, MathFunction, PREFIX, nan_payload, sets_errno};
use crate::typed::{Expr, ExprKind, LValue, LValueKind};
use crate::types::Type;
use aster_cfa::InputOrigin;
use aster_term::{FloatFormat, Rounding, Term};

/// The classes of numbers as glibc numbers them.
const CLASS_NAN: u128 = 0;
const CLASS_INFINITE: u128 = 1;
const CLASS_ZERO: u128 = 2;
const CLASS_SUBNORMAL: u128 = 3;
const CLASS_NORMAL: u128 = 4;

/// The text of a string literal.
fn literal(argument: &Expr) -> Option<&[u8]> {
    match &argument.kind {
        ExprKind::Convert(inner) => literal(inner),
        ExprKind::AddressOf(LValue { kind: LValueKind::String(bytes), .. }) => Some(bytes),
        _ => None,
    }
}

impl Lowering<'_> {
    /// A function whose errors the program may look for in `errno`, which no model sets for it.
    pub(super) fn may_lose_errno(&self, name: &str) -> bool {
        sets_errno(name) && self.mentions("__errno_location")
    }

    /// The declaration of the call has the types of the library's function.
    fn has_signature(&self, function: &MathFunction, arguments: &[Expr], expr: &Expr) -> bool {
        let types = &self.typed.types;
        let fits = |letter: char, ty| match letter {
            'r' => matches!(types.get(ty), Type::Float(kind) if *kind == function.kind),
            's' => types.is_pointer(ty),
            _ => types.is_integer(ty),
        };
        let given = std::iter::once(expr.ty).chain(arguments.iter().map(|argument| argument.ty));
        function.signature.len() == arguments.len() + 1
            && function.signature.chars().zip(given).all(|(letter, ty)| fits(letter, ty))
    }

    pub(super) fn math_call(
        &mut self,
        function: MathFunction,
        name: &str,
        arguments: &[Expr],
        expr: &Expr,
        wanted: Wanted,
    ) -> Term {
        if !self.has_signature(&function, arguments, expr) {
            self.argument_effects(arguments);
            return self.unmodelled(&format!("call of '{name}' with another type than the library's"), expr);
        }
        if self.may_lose_errno(name) {
            self.argument_effects(arguments);
            return self.unmodelled(&format!("errno after a call of '{name}'"), expr);
        }
        let format = function.kind.format();
        match function.operator {
            Math::Unknown => return self.unknown_result(expr, wanted),
            Math::Nan => {
                let nan = self.nan_call(name, &arguments[0], format, expr, wanted);
                return self.deliver(nan, expr, wanted);
            }
            _ => {}
        }
        let values = self.argument_values(arguments);
        let width = self.width(expr.ty).unwrap_or(32);
        let result = match (function.operator, values.as_slice()) {
            (Math::GetRounding, []) => self.rounding_mode(width),
            (Math::SetRounding, [mode]) => self.set_rounding_mode(*mode, width, expr.span),
            (operator, values) => self.math_operator(operator, format, values, width),
        };
        self.deliver(result, expr, wanted)
    }

    fn math_operator(&mut self, operator: Math, format: FloatFormat, values: &[Term], width: u32) -> Term {
        match (operator, values) {
            (Math::Absolute, &[x]) => self.pool.fp_abs(format, x),
            (Math::SquareRoot, &[x]) => self.rounded(|pool, mode| pool.fp_sqrt(format, mode, x)),
            (Math::Integral(Some(mode)), &[x]) => self.pool.fp_round_to_integral(format, mode, x),
            (Math::Integral(None), &[x]) => {
                self.rounded(|pool, mode| pool.fp_round_to_integral(format, mode, x))
            }
            (Math::Integer(mode), &[x]) => self.nearest_integer(mode, format, x, width),
            (Math::TruncatingRemainder, &[x, y]) => self.pool.fp_mod(format, x, y),
            (Math::NearestRemainder, &[x, y]) => self.pool.fp_rem(format, x, y),
            (Math::CopySign, &[x, y]) => self.copy_sign(format, x, y),
            (Math::Minimum, &[x, y]) => self.pool.fp_min(format, x, y),
            (Math::Maximum, &[x, y]) => self.pool.fp_max(format, x, y),
            (Math::MultiplyAdd, &[x, y, z]) => self.rounded(|pool, mode| pool.fp_fma(format, mode, x, y, z)),
            (Math::ToBits, &[x]) => self.pool.zero_extend_to(width, x),
            (Math::FromBits, &[x]) => self.pool.extract(format.width() - 1, 0, x),
            (operator, &[x]) => self.classification(operator, format, x, width),
            _ => self.pool.bv(width, 0),
        }
    }

    fn classification(&mut self, operator: Math, format: FloatFormat, x: Term, width: u32) -> Term {
        let holds = match operator {
            Math::IsNan => self.pool.fp_is_nan(format, x),
            Math::IsInfinite | Math::InfinitySign => self.pool.fp_is_infinite(format, x),
            Math::IsFinite => {
                let magnitude = self.pool.fp_abs(format, x);
                let limit = self.pool.bv(format.width(), format.infinity(false));
                self.pool.ult(magnitude, limit)
            }
            Math::IsNormal => self.pool.fp_is_normal(format, x),
            Math::SignBit => self.pool.fp_is_negative(format, x),
            _ => return self.number_class(format, x, width),
        };
        let result = self.bool_to_bits(holds, width);
        if operator != Math::InfinitySign {
            return result;
        }
        let negative = self.pool.fp_is_negative(format, x);
        let minus = self.pool.neg(result);
        self.pool.ite(negative, minus, result)
    }

    fn number_class(&mut self, format: FloatFormat, x: Term, width: u32) -> Term {
        let mut class = self.pool.bv(width, CLASS_NORMAL);
        let tests = [
            (self.pool.fp_is_subnormal(format, x), CLASS_SUBNORMAL),
            (self.pool.fp_is_zero(format, x), CLASS_ZERO),
            (self.pool.fp_is_infinite(format, x), CLASS_INFINITE),
            (self.pool.fp_is_nan(format, x), CLASS_NAN),
        ];
        for (holds, number) in tests {
            let number = self.pool.bv(width, number);
            class = self.pool.ite(holds, number, class);
        }
        class
    }

    /// `lrint` and `lround`; what does not fit becomes what the instruction of x86 makes of it.
    fn nearest_integer(&mut self, mode: Option<Rounding>, format: FloatFormat, x: Term, width: u32) -> Term {
        let number = match mode {
            Some(mode) => self.pool.fp_to_signed(format, width, mode, x),
            None => self.rounded(|pool, mode| pool.fp_to_signed(format, width, mode, x)),
        };
        self.or_indefinite(x, number, format)
    }

    fn copy_sign(&mut self, format: FloatFormat, x: Term, y: Term) -> Term {
        let top = format.width() - 1;
        let (sign, rest) = (self.pool.extract(top, top, y), self.pool.extract(top - 1, 0, x));
        self.pool.concat(sign, rest)
    }

    /// A value that the function of the library at hand may give.
    fn unknown_result(&mut self, expr: &Expr, wanted: Wanted) -> Term {
        let function = self.state().function.map(|id| self.typed.functions[id.index()].name.as_str());
        let name = function.and_then(|name| name.strip_prefix(PREFIX)).unwrap_or("function of the library");
        if self.changes_rounding() {
            return self
                .unmodelled(&format!("call of '{name}' in a program that changes the rounding mode"), expr);
        }
        self.input_call(InputOrigin::Approximated(name.to_owned()), expr, counted(wanted))
    }

    /// `nan`: the payload is known for literals.
    fn nan_call(
        &mut self,
        name: &str,
        text: &Expr,
        format: FloatFormat,
        expr: &Expr,
        wanted: Wanted,
    ) -> Term {
        let quiet = 1 << (format.fraction() - 1);
        let default = format.exponent_mask() | quiet;
        if let Some(payload) = literal(text).and_then(nan_payload) {
            return self.pool.bv(format.width(), default | (payload & (quiet - 1)));
        }
        self.effect(text);
        let some = self.input_call(InputOrigin::Approximated(name.to_owned()), expr, counted(wanted));
        let is_nan = self.pool.fp_is_nan(format, some);
        let default = self.pool.bv(format.width(), default);
        self.pool.ite(is_nan, some, default)
    }
}
