//! The operators of expressions: what they are applied to, and what they compute.

use super::arrays::{Value, join_values};
use super::expression::{
    Checked, Expressions, Meaning, Typed, too_wide, unknown_format, unsupported, wrong_type,
};
use super::syntax::{BinaryOp, Type, UnaryOp};
use aster_cfa::{Diagnostic, Span};
use aster_term::{MAX_WIDTH, Term, TermPool};

impl Expressions<'_> {
    pub(super) fn unary_operator(&mut self, op: UnaryOp, a: Typed, span: Span) -> Checked<Typed> {
        match op {
            UnaryOp::Not => {
                let a = self.convert(a, &Type::Bool, span)?;
                Ok(self.unary(Type::Bool, a, |pool, a| pool.not(a)))
            }
            UnaryOp::Plus | UnaryOp::Minus => {
                if !matches!(a.ty, Type::Int | Type::Rat) {
                    return Err(wrong_type(span, "a number", &a.ty));
                }
                Ok(match op {
                    UnaryOp::Minus => self.unary(a.ty.clone(), a, |pool, a| pool.num_neg(a)),
                    _ => a,
                })
            }
            UnaryOp::BvNot | UnaryOp::BvNeg | UnaryOp::BvPos => {
                if !matches!(a.ty, Type::Bv(_)) {
                    return Err(wrong_type(span, "a bit-vector", &a.ty));
                }
                Ok(match op {
                    UnaryOp::BvNot => self.unary(a.ty.clone(), a, |pool, a| pool.bvnot(a)),
                    UnaryOp::BvNeg => self.unary(a.ty.clone(), a, |pool, a| pool.neg(a)),
                    _ => a,
                })
            }
            UnaryOp::FpFromBv { format, signed, rounding } => {
                if !matches!(a.ty, Type::Bv(_)) {
                    return Err(wrong_type(span, "a bit-vector", &a.ty));
                }
                if !format.is_supported() {
                    return Ok(unknown_format(Type::Fp(format), format));
                }
                Ok(self.unary(Type::Fp(format), a, |pool, a| match signed {
                    true => pool.fp_from_signed(format, rounding, a),
                    false => pool.fp_from_unsigned(format, rounding, a),
                }))
            }
            _ => self.float_unary(op, a, span),
        }
    }

    fn float_unary(&mut self, op: UnaryOp, a: Typed, span: Span) -> Checked<Typed> {
        let Type::Fp(format) = a.ty else { return Err(wrong_type(span, "a float", &a.ty)) };
        let ty = match op {
            UnaryOp::FpIsNan => Type::Bool,
            UnaryOp::FpToFp(to, _) => Type::Fp(to),
            UnaryOp::FpToBv { width, .. } => Type::Bv(width),
            _ => a.ty.clone(),
        };
        if !format.is_supported() {
            return Ok(unknown_format(ty, format));
        }
        Ok(match op {
            UnaryOp::FpAbs => self.unary(ty, a, |pool, a| pool.fp_abs(format, a)),
            UnaryOp::FpNeg => self.unary(ty, a, |pool, a| pool.fp_neg(format, a)),
            UnaryOp::FpIsNan => self.unary(ty, a, |pool, a| pool.fp_is_nan(format, a)),
            UnaryOp::FpSqrt(rounding) => self.unary(ty, a, |pool, a| pool.fp_sqrt(format, rounding, a)),
            UnaryOp::FpRoundToInt(rounding) => {
                self.unary(ty, a, |pool, a| pool.fp_round_to_integral(format, rounding, a))
            }
            UnaryOp::FpToFp(to, _) if !to.is_supported() => unknown_format(ty, to),
            UnaryOp::FpToFp(to, rounding) => {
                self.unary(ty, a, |pool, a| pool.fp_convert(format, to, rounding, a))
            }
            UnaryOp::FpToBv { width, .. } if width > MAX_WIDTH => too_wide(ty),
            UnaryOp::FpToBv { width, signed, rounding } => {
                let again = a.clone();
                self.binary(ty, a, again, |pool, a, _| {
                    // Nothing says what a number becomes that does not fit: then the integer is another number.
                    let (integer, back) = if signed {
                        let integer = pool.fp_to_signed(format, width, rounding, a);
                        (integer, pool.fp_from_signed(format, rounding, integer))
                    } else {
                        let integer = pool.fp_to_unsigned(format, width, rounding, a);
                        (integer, pool.fp_from_unsigned(format, rounding, integer))
                    };
                    let rounded = pool.fp_round_to_integral(format, rounding, a);
                    (integer, Some(pool.fp_eq(format, back, rounded)))
                })
            }
            _ => a,
        })
    }

    /// Makes one type of two, if one of them is that of the other's numbers.
    pub(super) fn unify(&mut self, a: Typed, b: Typed, span: Span) -> Checked<(Typed, Typed)> {
        if a.ty == b.ty {
            return Ok((a, b));
        }
        match (&a.ty, &b.ty) {
            (Type::Int, Type::Rat) => Ok((self.convert(a, &Type::Rat, span)?, b)),
            (Type::Rat, Type::Int) => Ok((a, self.convert(b, &Type::Rat, span)?)),
            _ => {
                let message = format!("the operands have different types, `{}` and `{}`", a.ty, b.ty);
                Err(Diagnostic::new(span, message))
            }
        }
    }

    pub(super) fn choose(&mut self, condition: Typed, then: Typed, otherwise: Typed) -> Typed {
        let ty = then.ty.clone();
        let all = condition.meaning.and_then(|c| Ok((c, then.meaning?, otherwise.meaning?)));
        let meaning = all.and_then(|(condition, then, otherwise)| {
            let decision = condition.value.whole()?;
            let value = join_values(self.pool, decision, &then.value, &otherwise.value)?;
            let defined = self.pool.ite(decision, then.defined, otherwise.defined);
            Ok(Meaning { value, defined: self.pool.and(condition.defined, defined) })
        });
        Typed { ty, meaning }
    }

    pub(super) fn binary_operator(&mut self, op: BinaryOp, a: Typed, b: Typed, span: Span) -> Checked<Typed> {
        use BinaryOp as B;
        match op {
            B::Iff | B::Imply | B::Or | B::Xor | B::And => {
                let (a, b) = (self.convert(a, &Type::Bool, span)?, self.convert(b, &Type::Bool, span)?);
                Ok(self.boolean(op, a, b))
            }
            B::Eq | B::Neq => {
                let (a, b) = self.unify(a, b, span)?;
                let equal = self.equality(a, b);
                Ok(if op == B::Eq { equal } else { self.unary(Type::Bool, equal, |pool, a| pool.not(a)) })
            }
            B::Lt | B::Le | B::Gt | B::Ge => {
                let (a, b) = self.unify(a, b, span)?;
                self.order(op, a, b, span)
            }
            B::Add | B::Sub | B::Mul | B::Div | B::Mod | B::Rem => {
                let (a, b) = self.unify(a, b, span)?;
                self.arithmetic(op, a, b, span)
            }
            B::FpMax | B::FpMin | B::FpAdd(_) | B::FpSub(_) | B::FpMul(_) | B::FpDiv(_) | B::FpRem => {
                let (a, b) = self.unify(a, b, span)?;
                self.float_binary(op, a, b, span)
            }
            B::Concat => match (&a.ty, &b.ty) {
                (Type::Bv(high), Type::Bv(low)) => {
                    let width = high.saturating_add(*low);
                    if width > MAX_WIDTH {
                        return Ok(too_wide(Type::Bv(width)));
                    }
                    Ok(self.binary(Type::Bv(width), a, b, |pool, a, b| (pool.concat(a, b), None)))
                }
                _ => Err(wrong_type(
                    span,
                    "two bit-vectors",
                    if matches!(a.ty, Type::Bv(_)) { &b.ty } else { &a.ty },
                )),
            },
            _ => {
                let (a, b) = self.unify(a, b, span)?;
                self.bit_vector(op, a, b, span)
            }
        }
    }

    /// Where one operand decides, it does not matter whether the other one is defined.
    fn boolean(&mut self, op: BinaryOp, a: Typed, b: Typed) -> Typed {
        let both = a.meaning.and_then(|a| Ok((a, b.meaning?)));
        let meaning = both.and_then(|(a, b)| {
            let (mut x, y) = (a.value.whole()?, b.value.whole()?);
            let pool = &mut *self.pool;
            let mut defined = pool.and(a.defined, b.defined);
            let term = match op {
                BinaryOp::Iff => pool.eq(x, y),
                BinaryOp::Xor => pool.xor(x, y),
                _ => {
                    if op == BinaryOp::Imply {
                        x = pool.not(x);
                    }
                    let is_and = op == BinaryOp::And;
                    for (operand, its) in [(x, a.defined), (y, b.defined)] {
                        let decides = if is_and { pool.not(operand) } else { operand };
                        let decides = pool.and(decides, its);
                        defined = pool.or(defined, decides);
                    }
                    if is_and { pool.and(x, y) } else { pool.or(x, y) }
                }
            };
            Ok(Meaning { value: Value::Whole(term), defined })
        });
        Typed { ty: Type::Bool, meaning }
    }

    fn equality(&mut self, a: Typed, b: Typed) -> Typed {
        match a.ty {
            Type::Fp(format) if !format.is_supported() => unknown_format(Type::Bool, format),
            Type::Fp(format) => self.binary(Type::Bool, a, b, |pool, a, b| (pool.fp_eq(format, a, b), None)),
            // Two NaN with different bits are one element.
            Type::Array(_, ref element) if matches!(**element, Type::Fp(_)) => {
                unsupported(Type::Bool, "equality of arrays of floats")
            }
            _ => self.binary(Type::Bool, a, b, |pool, a, b| (pool.eq(a, b), None)),
        }
    }

    fn order(&mut self, op: BinaryOp, a: Typed, b: Typed, span: Span) -> Checked<Typed> {
        let (a, b) = if matches!(op, BinaryOp::Gt | BinaryOp::Ge) { (b, a) } else { (a, b) };
        let strict = matches!(op, BinaryOp::Lt | BinaryOp::Gt);
        match a.ty {
            Type::Int | Type::Rat => Ok(self.binary(Type::Bool, a, b, |pool, a, b| {
                (if strict { pool.num_lt(a, b) } else { pool.num_le(a, b) }, None)
            })),
            Type::Fp(format) if !format.is_supported() => Ok(unknown_format(Type::Bool, format)),
            Type::Fp(format) => Ok(self.binary(Type::Bool, a, b, |pool, a, b| {
                (if strict { pool.fp_lt(format, a, b) } else { pool.fp_le(format, a, b) }, None)
            })),
            _ => Err(wrong_type(span, "numbers", &a.ty)),
        }
    }

    fn arithmetic(&mut self, op: BinaryOp, a: Typed, b: Typed, span: Span) -> Checked<Typed> {
        let ty = a.ty.clone();
        if !matches!(ty, Type::Int | Type::Rat) {
            return Err(wrong_type(span, "numbers", &ty));
        }
        let is_int = ty == Type::Int;
        Ok(match op {
            BinaryOp::Add => self.binary(ty, a, b, |pool, a, b| (pool.num_add(a, b), None)),
            BinaryOp::Sub => self.binary(ty, a, b, |pool, a, b| (pool.num_sub(a, b), None)),
            BinaryOp::Mul => self.binary(ty, a, b, |pool, a, b| (pool.num_mul(a, b), None)),
            BinaryOp::Div if !is_int => {
                let both = a.meaning.and_then(|a| Ok((a, b.meaning?)));
                let meaning = both.and_then(|(a, b)| {
                    let quotient = self.quotient(a.value.whole()?, b.value.whole()?);
                    let term = quotient.ok_or("division of rationals by what is not a literal")?;
                    Ok(Meaning { value: Value::Whole(term), defined: self.pool.and(a.defined, b.defined) })
                });
                Typed { ty, meaning }
            }
            BinaryOp::Div => self.divided(a, b, |pool, a, b| pool.int_div(a, b)),
            _ if !is_int => return Err(wrong_type(span, "integers", &ty)),
            BinaryOp::Mod => self.divided(a, b, |pool, a, b| pool.int_mod(a, b)),
            // The remainder with the divisor's sign.
            _ => self.divided(a, b, |pool, a, b| {
                let (remainder, zero) = (pool.int_mod(a, b), pool.int(0));
                let (negative, negated) = (pool.num_lt(b, zero), pool.num_neg(remainder));
                pool.ite(negative, negated, remainder)
            }),
        })
    }

    /// An operation on integers that is undefined if the second one is zero.
    fn divided(&mut self, a: Typed, b: Typed, make: fn(&mut TermPool, Term, Term) -> Term) -> Typed {
        self.binary(Type::Int, a, b, |pool, a, b| {
            let zero = pool.int(0);
            let defined = pool.ne(b, zero);
            (make(pool, a, b), Some(defined))
        })
    }

    fn float_binary(&mut self, op: BinaryOp, a: Typed, b: Typed, span: Span) -> Checked<Typed> {
        let Type::Fp(format) = a.ty else { return Err(wrong_type(span, "floats", &a.ty)) };
        if !format.is_supported() {
            return Ok(unknown_format(a.ty, format));
        }
        let ty = a.ty.clone();
        Ok(self.binary(ty, a, b, |pool, a, b| match op {
            BinaryOp::FpAdd(rounding) => (pool.fp_add(format, rounding, a, b), None),
            BinaryOp::FpSub(rounding) => (pool.fp_sub(format, rounding, a, b), None),
            BinaryOp::FpMul(rounding) => (pool.fp_mul(format, rounding, a, b), None),
            BinaryOp::FpDiv(rounding) => (pool.fp_div(format, rounding, a, b), None),
            BinaryOp::FpRem => (pool.fp_rem(format, a, b), None),
            _ => {
                // Nothing says which one of two zeros is the larger one.
                let (zero_a, zero_b) = (pool.fp_is_zero(format, a), pool.fp_is_zero(format, b));
                let (zeros, same) = (pool.and(zero_a, zero_b), pool.eq(a, b));
                let defined = pool.implies(zeros, same);
                let term =
                    if op == BinaryOp::FpMin { pool.fp_min(format, a, b) } else { pool.fp_max(format, a, b) };
                (term, Some(defined))
            }
        }))
    }

    fn bit_vector(&mut self, op: BinaryOp, a: Typed, b: Typed, span: Span) -> Checked<Typed> {
        use BinaryOp as B;
        let Type::Bv(width) = a.ty else { return Err(wrong_type(span, "bit-vectors", &a.ty)) };
        let compares = matches!(
            op,
            B::BvUlt | B::BvUle | B::BvUgt | B::BvUge | B::BvSlt | B::BvSle | B::BvSgt | B::BvSge
        );
        let ty = if compares { Type::Bool } else { a.ty.clone() };
        Ok(self.binary(ty, a, b, |pool, a, b| {
            let term = match op {
                B::BvUlt => pool.ult(a, b),
                B::BvUle => pool.ule(a, b),
                B::BvUgt => pool.ult(b, a),
                B::BvUge => pool.ule(b, a),
                B::BvSlt => pool.slt(a, b),
                B::BvSle => pool.sle(a, b),
                B::BvSgt => pool.slt(b, a),
                B::BvSge => pool.sle(b, a),
                B::BvOr => pool.bvor(a, b),
                B::BvXor => pool.bvxor(a, b),
                B::BvAnd => pool.bvand(a, b),
                B::BvShl => pool.shl(a, b),
                B::BvAshr => pool.ashr(a, b),
                B::BvLshr => pool.lshr(a, b),
                B::BvRol => rotate(pool, width, a, b, true),
                B::BvRor => rotate(pool, width, a, b, false),
                B::BvAdd => pool.add(a, b),
                B::BvSub => pool.sub(a, b),
                B::BvMul => pool.mul(a, b),
                B::BvUdiv => pool.udiv(a, b),
                B::BvSdiv => pool.sdiv(a, b),
                B::BvUrem => pool.urem(a, b),
                B::BvSrem => pool.srem(a, b),
                _ => signed_modulo(pool, width, a, b),
            };
            (term, None)
        }))
    }

    pub(super) fn extract(&mut self, high: u32, low: u32, of: Typed, span: Span) -> Checked<Typed> {
        let Type::Bv(width) = of.ty else { return Err(wrong_type(span, "a bit-vector", &of.ty)) };
        if low >= high || high > width {
            let message = format!("there are no bits {low} to {} of {width} bits", i64::from(high) - 1);
            return Err(Diagnostic::new(span, message).with_note("`x[HIGH:LOW]` is without the bit HIGH"));
        }
        Ok(self.unary(Type::Bv(high - low), of, |pool, a| pool.extract(high - 1, low, a)))
    }

    pub(super) fn extend(&mut self, signed: bool, width: u32, of: Typed, span: Span) -> Checked<Typed> {
        match of.ty {
            Type::Bv(from) if from <= width && width > MAX_WIDTH => Ok(too_wide(Type::Bv(width))),
            Type::Bv(from) if from <= width => Ok(self.unary(Type::Bv(width), of, |pool, a| match signed {
                true => pool.sign_extend_to(width, a),
                false => pool.zero_extend_to(width, a),
            })),
            _ => Err(wrong_type(span, &format!("a bit-vector of at most {width} bits"), &of.ty)),
        }
    }
}

/// Rotation by an amount modulo the width.
fn rotate(pool: &mut TermPool, width: u32, a: Term, by: Term, left: bool) -> Term {
    let whole = pool.bv(width, u128::from(width));
    let amount = pool.urem(by, whole);
    let rest = pool.sub(whole, amount);
    let (left_by, right_by) = if left { (amount, rest) } else { (rest, amount) };
    // Shifting by the whole width gives zero, so an amount of zero leaves the bits alone.
    let (high, low) = (pool.shl(a, left_by), pool.lshr(a, right_by));
    pool.bvor(high, low)
}

/// The remainder with the divisor's sign; that by zero is the dividend, as in SMT-LIB.
fn signed_modulo(pool: &mut TermPool, width: u32, a: Term, b: Term) -> Term {
    let (remainder, zero) = (pool.srem(a, b), pool.bv(width, 0));
    let (negative_r, negative_b) = (pool.slt(remainder, zero), pool.slt(b, zero));
    let differ = pool.xor(negative_r, negative_b);
    let nonzero = pool.ne(remainder, zero);
    let moves = pool.and(differ, nonzero);
    let moved = pool.add(remainder, b);
    pool.ite(moves, moved, remainder)
}
