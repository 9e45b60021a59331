//! Evaluation of constant expressions, exactly as the lowered program would compute them.

use crate::typed::{Arithmetic, Comparison, ExprKind, LValue, LValueKind, Negation};
use crate::types::{Type, TypeId, TypeTable};
use aster_term::{BitVec, FpOp, Rounding};

/// The bits of a value after conversion from one integer or pointer type to another.
pub(crate) fn convert(types: &TypeTable, bits: u128, from: TypeId, to: TypeId) -> Option<u128> {
    let source = BitVec::new(types.bit_width(from)?, bits);
    let width = types.bit_width(to)?;
    if matches!(types.get(to), Type::Bool) {
        return Some(u128::from(source.unsigned() != 0));
    }
    let extended = if types.is_signed(from) {
        BitVec::from_signed(width, source.signed())
    } else {
        BitVec::new(width, bits)
    };
    Some(extended.unsigned())
}

/// A constant converted to another scalar type; `None` if that is left to the running program. Like gcc, it rounds to
/// nearest even where the program changes the rounding mode.
pub(crate) fn converted(types: &TypeTable, value: &ExprKind, from: TypeId, to: TypeId) -> Option<ExprKind> {
    let rounding = Rounding::NearestEven;
    let formats = (types.float_format(from), types.float_format(to));
    match (value, formats) {
        (&ExprKind::Constant(bits), (None, None)) => convert(types, bits, from, to).map(ExprKind::Constant),
        (&ExprKind::Constant(bits), (None, Some(to))) if types.is_integer(from) => {
            let signed = types.is_signed(from);
            let op =
                if signed { FpOp::FromSigned { to, rounding } } else { FpOp::FromUnsigned { to, rounding } };
            float(op, &[BitVec::new(types.bit_width(from)?, bits)])
        }
        // A NaN keeps its sign and payload, which is more than the operator does.
        (&ExprKind::Float(bits), (Some(from), Some(to))) if !from.is_nan(bits) => {
            float(FpOp::Convert { from, to, rounding }, &[BitVec::new(from.width(), bits)])
        }
        (&ExprKind::Float(bits), (Some(format), None)) if types.is_integer(to) => {
            let (value, magnitude) = (BitVec::new(format.width(), bits), bits & !format.sign_mask());
            if matches!(types.get(to), Type::Bool) {
                return Some(ExprKind::Constant(u128::from(magnitude != 0)));
            }
            let (width, rounding) = (types.bit_width(to)?, Rounding::TowardZero);
            let op = if types.is_signed(to) {
                FpOp::ToSigned { from: format, width, rounding }
            } else {
                FpOp::ToUnsigned { from: format, width, rounding }
            };
            let number = op.apply(&[value])?.unsigned();
            // Zero also stands for what does not fit: gcc gives the nearest number of the type for a constant, and zero for
            // one that is not a number.
            let is_below_one = magnitude < u128::from(format.bias()) << format.fraction();
            if number != 0 || is_below_one || format.is_nan(bits) {
                return Some(ExprKind::Constant(number));
            }
            let ones = BitVec::from_signed(width, -1).unsigned();
            let (least, greatest) =
                if types.is_signed(to) { (!(ones >> 1) & ones, ones >> 1) } else { (0, ones) };
            let is_negative = bits & format.sign_mask() != 0;
            Some(ExprKind::Constant(if is_negative { least } else { greatest }))
        }
        _ => None,
    }
}

fn float(op: FpOp, arguments: &[BitVec]) -> Option<ExprKind> {
    op.apply(arguments).map(|result| ExprKind::Float(result.unsigned()))
}

/// Arithmetic on floating-point constants, rounded to nearest as gcc does it.
pub(crate) fn float_arithmetic(
    types: &TypeTable,
    op: Arithmetic,
    left: u128,
    right: u128,
    ty: TypeId,
) -> Option<u128> {
    let format = types.float_format(ty).filter(|_| types.computes_in(ty))?;
    let op = match op {
        Arithmetic::Add => FpOp::Add(format, Rounding::NearestEven),
        Arithmetic::Subtract => FpOp::Sub(format, Rounding::NearestEven),
        Arithmetic::Multiply => FpOp::Mul(format, Rounding::NearestEven),
        Arithmetic::Divide => FpOp::Div(format, Rounding::NearestEven),
        _ => return None,
    };
    let of = |bits: u128| BitVec::new(format.width(), bits);
    op.apply(&[of(left), of(right)]).map(|result| result.unsigned())
}

/// The number that the bits of a type stand for; `None` if it does not fit (128-bit unsigned).
pub(crate) fn number(types: &TypeTable, bits: u128, ty: TypeId) -> Option<i128> {
    let value = BitVec::new(types.bit_width(ty)?, bits);
    if types.is_signed(ty) { Some(value.signed()) } else { i128::try_from(value.unsigned()).ok() }
}

/// Minus or complement.
pub(crate) fn negate(types: &TypeTable, op: Negation, bits: u128, ty: TypeId) -> Option<u128> {
    let width = types.bit_width(ty)?;
    if types.checks_overflow && types.is_signed(ty) && op == Negation::Minus && bits == 1 << (width - 1) {
        return None;
    }
    let result = match op {
        Negation::Minus => bits.wrapping_neg(),
        Negation::Complement => !bits,
    };
    Some(BitVec::new(width, result).unsigned())
}

/// The mask that x86 puts on shift counts for a type of this width.
pub(crate) fn shift_mask(width: u32) -> u32 {
    width.max(32).next_power_of_two() - 1
}

/// The result of an operation on constants can be held by its type, and no shift goes too far.
fn fits(types: &TypeTable, op: Arithmetic, left: u128, right: u128, ty: TypeId) -> bool {
    let Some(width) = types.bit_width(ty) else { return false };
    let shifts = matches!(op, Arithmetic::ShiftLeft | Arithmetic::ShiftRight);
    if shifts && right >= u128::from(width) {
        return false;
    }
    if !types.is_signed(ty) {
        return true;
    }
    let (a, b) = (BitVec::new(width, left).signed(), BitVec::new(width, right).signed());
    let exact = match op {
        Arithmetic::Add => a.checked_add(b),
        Arithmetic::Subtract => a.checked_sub(b),
        Arithmetic::Multiply => a.checked_mul(b),
        Arithmetic::ShiftLeft => {
            u32::try_from(right).ok().and_then(|by| 1i128.checked_shl(by)?.checked_mul(a))
        }
        _ => return true,
    };
    exact.is_some_and(|exact| BitVec::from_signed(width, exact).signed() == exact)
}

/// Arithmetic in a type; `None` where it would trap.
pub(crate) fn arithmetic(
    types: &TypeTable,
    op: Arithmetic,
    left: u128,
    right: u128,
    ty: TypeId,
) -> Option<u128> {
    let width = types.bit_width(ty)?;
    let signed = types.is_signed(ty);
    if types.checks_overflow && !fits(types, op, left, right, ty) {
        return None;
    }
    let (a, b) = (BitVec::new(width, left), BitVec::new(width, right));
    let of = |bits: u128| BitVec::new(width, bits);
    let count = || BitVec::new(width, right & u128::from(shift_mask(width)));
    let result = match op {
        Arithmetic::Multiply => of(left.wrapping_mul(right)),
        Arithmetic::Add => of(left.wrapping_add(right)),
        Arithmetic::Subtract => of(left.wrapping_sub(right)),
        Arithmetic::And => of(left & right),
        Arithmetic::Xor => of(left ^ right),
        Arithmetic::Or => of(left | right),
        Arithmetic::ShiftLeft => a.shl(count()),
        Arithmetic::ShiftRight if signed => a.ashr(count()),
        Arithmetic::ShiftRight => a.lshr(count()),
        Arithmetic::Divide | Arithmetic::Remainder => {
            let smallest = a.unsigned() == 1u128 << (width - 1);
            if b.unsigned() == 0 || (signed && smallest && b.signed() == -1) {
                return None;
            }
            match (op, signed) {
                (Arithmetic::Divide, true) => a.sdiv(b),
                (Arithmetic::Divide, false) => a.udiv(b),
                (_, true) => a.srem(b),
                (_, false) => a.urem(b),
            }
        }
    };
    Some(result.unsigned())
}

/// A comparison of two values of one type.
pub(crate) fn compare(
    types: &TypeTable,
    op: Comparison,
    left: u128,
    right: u128,
    ty: TypeId,
) -> Option<bool> {
    let width = types.bit_width(ty)?;
    let (a, b) = (BitVec::new(width, left), BitVec::new(width, right));
    let ordering =
        if types.is_signed(ty) { a.signed().cmp(&b.signed()) } else { a.unsigned().cmp(&b.unsigned()) };
    Some(match op {
        Comparison::Less => ordering.is_lt(),
        Comparison::Greater => ordering.is_gt(),
        Comparison::LessOrEqual => ordering.is_le(),
        Comparison::GreaterOrEqual => ordering.is_ge(),
        Comparison::Equal => ordering.is_eq(),
        Comparison::NotEqual => ordering.is_ne(),
    })
}

/// The address of a place whose base is a constant pointer, as in hand-written `offsetof`.
pub(crate) fn constant_address(types: &TypeTable, place: &LValue) -> Option<u128> {
    match &place.kind {
        LValueKind::Deref(pointer) => match pointer.kind {
            ExprKind::Constant(bits) => Some(bits),
            _ => None,
        },
        LValueKind::Member(base, record, field) => {
            let base = constant_address(types, base)?;
            let body = types.record(*record).body.as_ref().filter(|body| body.trusted)?;
            Some(base.wrapping_add(u128::from(body.fields.get(*field)?.offset)))
        }
        _ => None,
    }
}
