//! The syntax tree of guarded commands.

use crate::tokens::Name;
use aster_cfa::Span;

/// A file.
#[derive(Default)]
pub(super) struct Model {
    pub(super) constants: Vec<Constant>,
    pub(super) variables: Vec<Declaration>,
    pub(super) initial: Vec<Expr>,
    pub(super) processes: Vec<Process>,
    pub(super) conditions: Vec<Condition>,
}

/// `const N: 1..8 = 4`.
pub(super) struct Constant {
    pub(super) name: Name,
    pub(super) range: Option<Range>,
    pub(super) value: Expr,
}

/// `0..N`.
pub(super) struct Range {
    pub(super) low: Expr,
    pub(super) high: Expr,
    pub(super) span: Span,
}

/// `var t[i: 1..N]: int = 0`.
pub(super) struct Declaration {
    pub(super) name: Name,
    pub(super) index: Option<Index>,
    pub(super) domain: Domain,
    pub(super) initial: Option<Expr>,
}

/// The index of an array or of a replicated process; its name may be used in what belongs to it.
pub(super) struct Index {
    pub(super) name: Option<Name>,
    pub(super) range: Range,
}

pub(super) enum Domain {
    Int,
    Bool,
    Range(Range),
    Enumeration(Vec<Name>),
}

pub(super) struct Process {
    pub(super) name: Name,
    pub(super) index: Option<Index>,
    pub(super) variables: Vec<Declaration>,
    pub(super) transitions: Vec<Transition>,
}

/// `name: guard -> assignments`.
pub(super) struct Transition {
    pub(super) name: Name,
    pub(super) guard: Expr,
    pub(super) assignments: Vec<Assignment>,
}

pub(super) struct Assignment {
    pub(super) place: Place,
    /// None for `nondet`.
    pub(super) value: Option<Expr>,
    pub(super) span: Span,
}

/// `safe e` or `error e`.
pub(super) struct Condition {
    pub(super) is_error: bool,
    pub(super) expr: Expr,
    pub(super) span: Span,
}

/// `x`, `t[i]`, `P.pc`, `P[i].pc`.
pub(super) struct Place {
    pub(super) owner: Option<(Name, Option<Expr>)>,
    pub(super) name: Name,
    pub(super) index: Option<Box<Expr>>,
}

/// An expression. It is nested at most as deep as the parser allows: what recurses over it is safe.
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) span: Span,
}

pub(super) enum ExprKind {
    Number(i64),
    Bool(bool),
    Place(Box<Place>),
    /// No transition is enabled.
    Deadlock,
    Not(Box<Expr>),
    Negate(Box<Expr>),
    /// Operators of one level, applied from left to right.
    Chain(Box<Expr>, Vec<(BinaryOp, Expr)>),
    If(Box<[Expr; 3]>),
    Quantified {
        quantifier: Quantifier,
        binders: Vec<Binder>,
        body: Box<Expr>,
    },
}

/// `j: 1..N`.
pub(super) struct Binder {
    pub(super) name: Name,
    pub(super) range: Range,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantifier {
    All,
    Some,
    Sum,
    Min,
    Max,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BinaryOp {
    Iff,
    Implies,
    Or,
    And,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
}
