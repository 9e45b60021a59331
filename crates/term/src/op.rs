//! The operator table: for each operator its arity, sorts, SMT-LIB name and meaning.
//!
//! Adding an operator means adding a variant; the exhaustive matches here and in the bit-blaster
//! then say what else it needs.

use crate::float::FpOp;
use crate::sort::{MAX_WIDTH, Sort};
use crate::value::{ArrayValue, BitVec, Value};

/// An operator together with its indices (in the sense of SMT-LIB's indexed identifiers).
///
/// Bit-vector division and remainder have SMT-LIB's total meaning. What C leaves undefined (division
/// by zero, shifting too far) is decided by the front end, which guards or masks before it builds
/// these terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Op {
    /// A free variable; the number indexes the pool's symbol table.
    Variable(u32),
    /// `true` or `false`.
    BoolConst(bool),
    /// A bit-vector literal; its width is the term's sort.
    BvConst(u128),

    /// Negation.
    Not,
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Exclusive or; on Booleans this is inequality.
    Xor,
    /// Equality of two terms of one sort.
    Eq,
    /// `ite(condition, then, else)`.
    Ite,

    /// Bitwise complement.
    BvNot,
    /// Two's complement negation.
    BvNeg,
    /// Bitwise and.
    BvAnd,
    /// Bitwise or.
    BvOr,
    /// Bitwise exclusive or.
    BvXor,
    /// Addition modulo the width.
    BvAdd,
    /// Subtraction modulo the width.
    BvSub,
    /// Multiplication modulo the width.
    BvMul,
    /// Unsigned division, total.
    BvUdiv,
    /// Unsigned remainder, total.
    BvUrem,
    /// Signed division, total.
    BvSdiv,
    /// Signed remainder (sign of the dividend), total.
    BvSrem,
    /// Shift left.
    BvShl,
    /// Logical shift right.
    BvLshr,
    /// Arithmetic shift right.
    BvAshr,
    /// Rotation towards the most significant bit by a constant.
    BvRotateLeft(u32),
    /// Rotation towards the least significant bit by a constant.
    BvRotateRight(u32),
    /// Unsigned less-than.
    BvUlt,
    /// Unsigned at-most.
    BvUle,
    /// Signed less-than.
    BvSlt,
    /// Signed at-most.
    BvSle,
    /// Concatenation; the first argument holds the most significant bits.
    BvConcat,
    /// Bits `high` down to `low`, both included.
    BvExtract {
        /// Most significant bit taken.
        high: u32,
        /// Least significant bit taken.
        low: u32,
    },
    /// Prepends this many zero bits.
    BvZeroExtend(u32),
    /// Prepends this many copies of the sign bit.
    BvSignExtend(u32),

    /// The array with one element everywhere; the index width is part of the operator.
    ConstArray {
        /// Width of the index.
        index: u32,
    },
    /// `select(array, index)`.
    Select,
    /// `store(array, index, element)`.
    Store,

    /// An operator on floats, which are bit-vectors.
    Fp(FpOp),
}

impl Op {
    /// How many arguments the operator takes.
    #[inline]
    pub fn arity(self) -> usize {
        match self {
            Op::Variable(_) | Op::BoolConst(_) | Op::BvConst(_) => 0,
            Op::Not
            | Op::BvNot
            | Op::BvNeg
            | Op::BvRotateLeft(_)
            | Op::BvRotateRight(_)
            | Op::BvExtract { .. }
            | Op::BvZeroExtend(_)
            | Op::BvSignExtend(_)
            | Op::ConstArray { .. } => 1,
            Op::And
            | Op::Or
            | Op::Xor
            | Op::Eq
            | Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvAdd
            | Op::BvSub
            | Op::BvMul
            | Op::BvUdiv
            | Op::BvUrem
            | Op::BvSdiv
            | Op::BvSrem
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr
            | Op::BvUlt
            | Op::BvUle
            | Op::BvSlt
            | Op::BvSle
            | Op::BvConcat
            | Op::Select => 2,
            Op::Ite | Op::Store => 3,
            Op::Fp(op) => op.arity(),
        }
    }

    /// True if the (first two) arguments may be swapped without changing the meaning.
    pub fn is_commutative(self) -> bool {
        match self {
            Op::And
            | Op::Or
            | Op::Xor
            | Op::Eq
            | Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvAdd
            | Op::BvMul => true,
            Op::Fp(op) => op.is_commutative(),
            _ => false,
        }
    }

    /// The sort of an application to arguments of the given sorts, or `None` if they do not fit.
    /// Leaves (variables and constants) have no such rule: the pool knows their sort.
    pub fn result_sort(self, args: &[Sort]) -> Option<Sort> {
        use Sort::{Array, BitVec, Bool};
        if args.len() != self.arity() {
            return None;
        }
        match (self, args) {
            (Op::Not, [Bool]) => Some(Bool),
            (Op::And | Op::Or | Op::Xor, [Bool, Bool]) => Some(Bool),
            (Op::Eq, [a, b]) if a == b => Some(Bool),
            (Op::Ite, [Bool, a, b]) if a == b => Some(*a),
            (Op::BvNot | Op::BvNeg | Op::BvRotateLeft(_) | Op::BvRotateRight(_), [BitVec(w)]) => {
                Some(BitVec(*w))
            }
            (
                Op::BvAnd
                | Op::BvOr
                | Op::BvXor
                | Op::BvAdd
                | Op::BvSub
                | Op::BvMul
                | Op::BvUdiv
                | Op::BvUrem
                | Op::BvSdiv
                | Op::BvSrem
                | Op::BvShl
                | Op::BvLshr
                | Op::BvAshr,
                [BitVec(a), BitVec(b)],
            ) if a == b => Some(BitVec(*a)),
            (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, [BitVec(a), BitVec(b)]) if a == b => Some(Bool),
            (Op::BvConcat, [BitVec(a), BitVec(b)]) if a + b <= MAX_WIDTH => Some(BitVec(a + b)),
            (Op::BvExtract { high, low }, [BitVec(w)]) if low <= high && high < *w => {
                Some(BitVec(high - low + 1))
            }
            (Op::BvZeroExtend(n) | Op::BvSignExtend(n), [BitVec(w)])
                if w.checked_add(n).is_some_and(|sum| sum <= MAX_WIDTH) =>
            {
                Some(BitVec(w + n))
            }
            (Op::ConstArray { index }, [BitVec(element)]) if (1..=MAX_WIDTH).contains(&index) => {
                Some(Array { index, element: *element })
            }
            (Op::Select, [Array { index, element }, BitVec(i)]) if index == i => Some(BitVec(*element)),
            (Op::Store, [Array { index, element }, BitVec(i), BitVec(e)]) if index == i && element == e => {
                Some(args[0])
            }
            (Op::Fp(op), _) => op.result_sort(args),
            _ => None,
        }
    }

    /// The operator as SMT-LIB 2 spells it, indices included. Leaves are printed by value or name,
    /// and a constant array by its sort, so those three have no spelling of their own.
    pub fn smtlib_name(self) -> String {
        match self {
            Op::Variable(_) | Op::BoolConst(_) | Op::BvConst(_) | Op::ConstArray { .. } => String::new(),
            Op::Not => "not".into(),
            Op::And => "and".into(),
            Op::Or => "or".into(),
            Op::Xor => "xor".into(),
            Op::Eq => "=".into(),
            Op::Ite => "ite".into(),
            Op::BvNot => "bvnot".into(),
            Op::BvNeg => "bvneg".into(),
            Op::BvAnd => "bvand".into(),
            Op::BvOr => "bvor".into(),
            Op::BvXor => "bvxor".into(),
            Op::BvAdd => "bvadd".into(),
            Op::BvSub => "bvsub".into(),
            Op::BvMul => "bvmul".into(),
            Op::BvUdiv => "bvudiv".into(),
            Op::BvUrem => "bvurem".into(),
            Op::BvSdiv => "bvsdiv".into(),
            Op::BvSrem => "bvsrem".into(),
            Op::BvShl => "bvshl".into(),
            Op::BvLshr => "bvlshr".into(),
            Op::BvAshr => "bvashr".into(),
            Op::BvRotateLeft(n) => format!("(_ rotate_left {n})"),
            Op::BvRotateRight(n) => format!("(_ rotate_right {n})"),
            Op::BvUlt => "bvult".into(),
            Op::BvUle => "bvule".into(),
            Op::BvSlt => "bvslt".into(),
            Op::BvSle => "bvsle".into(),
            Op::BvConcat => "concat".into(),
            Op::BvExtract { high, low } => format!("(_ extract {high} {low})"),
            Op::BvZeroExtend(n) => format!("(_ zero_extend {n})"),
            Op::BvSignExtend(n) => format!("(_ sign_extend {n})"),
            Op::Select => "select".into(),
            Op::Store => "store".into(),
            Op::Fp(op) => op.smtlib_name(),
        }
    }

    /// The meaning of the operator on values. `None` if the values do not fit (which the sort check
    /// of the pool rules out) or if the operator is a variable or a bit-vector literal.
    pub fn apply(self, args: &[Value]) -> Option<Value> {
        match args {
            [] => self.apply_to(&[]),
            [a] => self.apply_to(&[a]),
            [a, b] => self.apply_to(&[a, b]),
            [a, b, c] => self.apply_to(&[a, b, c]),
            _ => None,
        }
    }

    /// As [`Op::apply`], with borrowed values.
    pub(crate) fn apply_to(self, args: &[&Value]) -> Option<Value> {
        use Value::{Array, BitVec as Bits, Bool};
        let value = match (self, args) {
            (_, [Bits(a)]) => match self {
                Op::ConstArray { index } => Array(ArrayValue::constant(index, *a)),
                _ => Bits(self.apply_unary(*a)?),
            },
            (_, [Bits(a), Bits(b)]) => match self.compare(*a, *b) {
                Some(truth) => Bool(truth),
                None => Bits(self.apply_binary(*a, *b)?),
            },
            (Op::BoolConst(b), []) => Bool(b),
            (Op::Not, [Bool(a)]) => Bool(!a),
            (Op::And, [Bool(a), Bool(b)]) => Bool(*a && *b),
            (Op::Or, [Bool(a), Bool(b)]) => Bool(*a || *b),
            (Op::Xor, [Bool(a), Bool(b)]) => Bool(a != b),
            (Op::Eq, [a, b]) => Bool(a == b),
            (Op::Ite, [Bool(c), a, b]) => Value::clone(if *c { a } else { b }),
            (Op::Select, [Array(a), Bits(i)]) => Bits(a.select(*i)),
            (Op::Store, [Array(a), Bits(i), Bits(e)]) => Array(a.store(*i, *e)),
            (Op::Fp(op), [Bits(a), Bits(b), Bits(c)]) => Bits(op.apply(&[*a, *b, *c])?),
            _ => return None,
        };
        Some(value)
    }

    /// The meaning of operators from one bit-vector to a bit-vector; `None` for others.
    #[inline]
    pub fn apply_unary(self, a: BitVec) -> Option<BitVec> {
        let width = a.width();
        Some(match self {
            Op::BvNot => BitVec::new(width, !a.unsigned()),
            Op::BvNeg => BitVec::new(width, a.unsigned().wrapping_neg()),
            Op::BvRotateLeft(n) => a.rotate_left(n),
            Op::BvRotateRight(n) => a.rotate_left(width - n % width),
            Op::BvExtract { high, low } => BitVec::new(high - low + 1, a.unsigned() >> low),
            Op::BvZeroExtend(n) => BitVec::new(width + n, a.unsigned()),
            Op::BvSignExtend(n) => BitVec::from_signed(width + n, a.signed()),
            Op::Fp(op) => op.apply(&[a])?,
            _ => return None,
        })
    }

    /// The meaning of operators from two bit-vectors (of widths that fit) to a bit-vector; `None` for others.
    #[inline]
    pub fn apply_binary(self, a: BitVec, b: BitVec) -> Option<BitVec> {
        let of = |bits| BitVec::new(a.width(), bits);
        let (x, y) = (a.unsigned(), b.unsigned());
        Some(match self {
            Op::BvAnd => of(x & y),
            Op::BvOr => of(x | y),
            Op::BvXor => of(x ^ y),
            Op::BvAdd => of(x.wrapping_add(y)),
            Op::BvSub => of(x.wrapping_sub(y)),
            Op::BvMul => of(x.wrapping_mul(y)),
            Op::BvUdiv => a.udiv(b),
            Op::BvUrem => a.urem(b),
            Op::BvSdiv => a.sdiv(b),
            Op::BvSrem => a.srem(b),
            Op::BvShl => a.shl(b),
            Op::BvLshr => a.lshr(b),
            Op::BvAshr => a.ashr(b),
            // The first part is at least one bit wide, so the shift stays below MAX_WIDTH.
            Op::BvConcat => BitVec::new(a.width() + b.width(), (x << b.width()) | y),
            Op::Fp(op) if !op.is_relation() => op.apply(&[a, b])?,
            _ => return None,
        })
    }

    /// The meaning of the relations between two bit-vectors; `None` for other operators.
    #[inline]
    pub fn compare(self, a: BitVec, b: BitVec) -> Option<bool> {
        Some(match self {
            Op::Eq => a == b,
            Op::BvUlt => a.unsigned() < b.unsigned(),
            Op::BvUle => a.unsigned() <= b.unsigned(),
            Op::BvSlt => a.signed() < b.signed(),
            Op::BvSle => a.signed() <= b.signed(),
            Op::Fp(op) => op.compare(a.unsigned(), b.unsigned())?,
            _ => return None,
        })
    }
}
