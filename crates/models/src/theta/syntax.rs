//! The syntax tree of textual control-flow automata.

use crate::tokens::Name;
use aster_cfa::Span;
use aster_term::{FloatFormat, Rounding};
use std::fmt;

/// A file.
pub(super) struct Model {
    pub(super) globals: Vec<Declaration>,
    pub(super) processes: Vec<Process>,
}

pub(super) struct Declaration {
    pub(super) name: Name,
    pub(super) ty: Type,
}

pub(super) struct Process {
    pub(super) name: Name,
    pub(super) is_main: bool,
    pub(super) variables: Vec<Declaration>,
    pub(super) locations: Vec<Location>,
    pub(super) edges: Vec<Edge>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Plain,
    Initial,
    Final,
    Error,
}

pub(super) struct Location {
    pub(super) name: Name,
    pub(super) role: Role,
}

pub(super) struct Edge {
    pub(super) source: Name,
    pub(super) target: Name,
    pub(super) statements: Vec<Statement>,
    pub(super) span: Span,
}

pub(super) struct Statement {
    pub(super) kind: StatementKind,
    pub(super) span: Span,
}

pub(super) enum StatementKind {
    Assign(Name, Expr),
    Havoc(Name),
    Assume(Expr),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Bool,
    Int,
    Rat,
    Bv(u32),
    Fp(FloatFormat),
    Array(Box<Type>, Box<Type>),
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Bool => write!(f, "bool"),
            Type::Int => write!(f, "int"),
            Type::Rat => write!(f, "rat"),
            Type::Bv(width) => write!(f, "bv[{width}]"),
            Type::Fp(format) => write!(f, "fp[{},{}]", format.exponent, format.significand),
            Type::Array(index, element) => write!(f, "[{index}] -> {element}"),
        }
    }
}

/// An expression. It is nested at most as deep as the parser allows: what recurses over it is safe.
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) span: Span,
}

/// A literal of `width` bits; the bits are missing if there are more than can be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BvLiteral {
    pub(super) width: u32,
    pub(super) bits: Option<u128>,
}

pub(super) enum ExprKind {
    Bool(bool),
    /// Decimal digits.
    Int(String),
    /// Digits of the numerator and of the denominator.
    Rat(String, String),
    Bv(BvLiteral),
    Fp {
        negative: bool,
        exponent: BvLiteral,
        significand: BvLiteral,
    },
    Array {
        index: Option<Type>,
        entries: Vec<(Expr, Expr)>,
        default: Box<Expr>,
    },
    Name(String),
    Unary(UnaryOp, Box<Expr>),
    /// Operators of one level, applied from left to right.
    Chain(Box<Expr>, Vec<(BinaryOp, Expr)>),
    If(Box<[Expr; 3]>),
    Quantified {
        variables: Vec<Declaration>,
        body: Box<Expr>,
    },
    Read(Box<Expr>, Box<Expr>),
    Write(Box<[Expr; 3]>),
    /// The bits from `low` on, up to but without `high`.
    Extract {
        high: u32,
        low: u32,
        of: Box<Expr>,
    },
    Extend {
        signed: bool,
        width: u32,
        of: Box<Expr>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnaryOp {
    Not,
    Plus,
    Minus,
    BvNot,
    BvNeg,
    BvPos,
    FpAbs,
    FpNeg,
    FpPos,
    FpIsNan,
    FpSqrt(Rounding),
    FpRoundToInt(Rounding),
    FpToFp(FloatFormat, Rounding),
    FpToBv { width: u32, signed: bool, rounding: Rounding },
    FpFromBv { format: FloatFormat, signed: bool, rounding: Rounding },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BinaryOp {
    Iff,
    Imply,
    FpMax,
    FpMin,
    Or,
    Xor,
    And,
    Eq,
    Neq,
    Lt,
    Le,
    Gt,
    Ge,
    BvUlt,
    BvUle,
    BvUgt,
    BvUge,
    BvSlt,
    BvSle,
    BvSgt,
    BvSge,
    BvOr,
    BvXor,
    BvAnd,
    BvShl,
    BvAshr,
    BvLshr,
    BvRol,
    BvRor,
    Add,
    Sub,
    BvAdd,
    BvSub,
    FpAdd(Rounding),
    FpSub(Rounding),
    Mul,
    Div,
    Mod,
    Rem,
    BvMul,
    BvUdiv,
    BvSdiv,
    BvSmod,
    BvUrem,
    BvSrem,
    FpMul(Rounding),
    FpDiv(Rounding),
    FpRem,
    Concat,
}
