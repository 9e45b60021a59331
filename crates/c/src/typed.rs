//! The typed program: what the checker makes of the syntax tree and the lowering reads.
//!
//! Names are resolved, types are known, every implicit conversion is an explicit
//! [`ExprKind::Convert`], and constant expressions are folded: an integer constant expression is
//! always an [`ExprKind::Constant`].

use crate::types::{RecordId, TypeId, TypeTable, table_id};
use lang_c::span::Span;
use rustc_hash::FxHashSet;

table_id! {
    /// A variable: global, static, local or parameter.
    ObjectId
}
table_id! {
    /// A function.
    FunctionId
}
table_id! {
    /// A `goto` label of a function.
    LabelId
}

table_id! {
    /// A block inside of a function's body, as far as variables live in it.
    BlockId
}

/// A whole program.
pub(crate) struct TypedProgram {
    /// All types.
    pub(crate) types: TypeTable,
    /// All variables.
    pub(crate) objects: Vec<Object>,
    /// All functions.
    pub(crate) functions: Vec<Function>,
    /// What is done before `main` is called.
    pub(crate) startup: Vec<Stmt>,
    /// Calls that are made when `main` returns or `exit` is called.
    pub(crate) shutdown: Vec<Expr>,
    /// All blocks.
    pub(crate) blocks: Vec<Block>,
    /// Those that are called and never declared.
    pub(crate) implicit: FxHashSet<FunctionId>,
}

/// A block: where variables begin and cease to exist.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    /// The next block around it; `None` if that is the body of the function.
    pub(crate) parent: Option<BlockId>,
    /// What lives in it and in no block inside of it: variables, and compound literals.
    pub(crate) objects: Vec<ObjectId>,
    /// A call that is made when control leaves it, while all that lives in the blocks around still does.
    pub(crate) cleanup: Option<Expr>,
}

impl TypedProgram {
    /// The blocks from the outermost to this one.
    pub(crate) fn block_path(&self, block: Option<BlockId>) -> Vec<BlockId> {
        let mut path: Vec<BlockId> =
            std::iter::successors(block, |block| self.blocks[block.index()].parent).collect();
        path.reverse();
        path
    }
}

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    /// For the whole run, with a definition in this program (also tentative, also static locals).
    Static,
    /// For the whole run, but defined elsewhere.
    External,
    /// In the frame of its function.
    Automatic,
}

/// A variable.
pub(crate) struct Object {
    /// The name in the source.
    pub(crate) name: String,
    /// The type.
    pub(crate) ty: TypeId,
    /// The alignment that its declaration asks for, in bytes; 1 if none.
    pub(crate) align: u64,
    /// Where it lives.
    pub(crate) storage: Storage,
    /// The initialiser of variables with static storage; those of locals are at their declaration.
    pub(crate) initializer: Option<Initializer>,
    /// Bytes after the size of the type, which its initialiser gives to a flexible array member.
    pub(crate) extra: u64,
    /// The function whose frame it is in, if it is automatic.
    pub(crate) owner: Option<FunctionId>,
    /// Something about it is not modelled: using it is not, either.
    pub(crate) refused: Option<String>,
    /// The block that it lives in, if that is not the whole function.
    pub(crate) block: Option<BlockId>,
    /// No variable of the source: it takes the result of a call or arguments for `...`.
    pub(crate) hidden: bool,
    /// Defined with `const`: nothing may be written to it.
    pub(crate) constant: bool,
    /// The declaration.
    pub(crate) span: Span,
}

/// An initialiser.
#[derive(Clone, Debug)]
pub(crate) enum Initializer {
    /// One value, converted to the type of the variable.
    Scalar(Expr),
    /// Values for parts of an array, structure or union; the rest is zero.
    Aggregate(Vec<InitElement>),
}

/// The value of one part of an aggregate.
#[derive(Clone, Debug)]
pub(crate) struct InitElement {
    /// Bytes from the start of the object.
    pub(crate) offset: u64,
    /// First bit and width, for bit-fields.
    pub(crate) bits: Option<(u32, u32)>,
    /// The value, converted to the type of the part.
    pub(crate) value: Expr,
}

/// A function.
pub(crate) struct Function {
    /// The name.
    pub(crate) name: String,
    /// Its function type.
    pub(crate) ty: TypeId,
    /// Declared as never returning.
    pub(crate) noreturn: bool,
    /// The definition, if the program has one.
    pub(crate) body: Option<Body>,
    /// The function that stands in for it, if it has no body: one of the library's models, or that of the same symbol.
    pub(crate) model: Option<FunctionId>,
    /// A definition of a function that gcc computes itself where it is called by its name.
    pub(crate) built_in: bool,
    /// Something about it is not modelled: calling it is not, either.
    pub(crate) refused: Option<String>,
    /// It is called, or its address is taken.
    pub(crate) mentioned: bool,
    /// The first declaration.
    #[allow(dead_code, reason = "for notes in messages")]
    pub(crate) span: Span,
}

/// The definition of a function.
pub(crate) struct Body {
    /// Parameters in order.
    pub(crate) parameters: Vec<ObjectId>,
    /// Holds the address of the arguments for `...`, if the function reads them.
    pub(crate) extra: Option<ObjectId>,
    /// The statements.
    pub(crate) statement: Stmt,
    /// Locals whose declaration a jump can bypass while they are in scope.
    pub(crate) bypassed: Vec<ObjectId>,
    /// The block that each label is in.
    pub(crate) labels: Vec<Option<BlockId>>,
    /// Those whose address is taken.
    pub(crate) addressed_labels: Vec<LabelId>,
    /// The function's name in its definition.
    pub(crate) span: Span,
    /// The closing brace.
    pub(crate) end: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    /// What it computes.
    pub(crate) kind: ExprKind,
    /// The type of the value.
    pub(crate) ty: TypeId,
    /// The source text.
    pub(crate) span: Span,
    /// Evaluating it may change a variable or make an input.
    pub(crate) effects: bool,
    /// It has no effects, always has a value, and is modelled: it can become a term where it stands,
    /// even if the program would not have evaluated it.
    pub(crate) total: bool,
}

/// Arithmetic on two operands; for all but shifts both have the type of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub(crate) enum Arithmetic {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    And,
    Xor,
    Or,
}

/// Comparisons; both operands have the same type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub(crate) enum Comparison {
    Less,
    Greater,
    LessOrEqual,
    GreaterOrEqual,
    Equal,
    NotEqual,
}

/// Arithmetic on one promoted operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub(crate) enum Negation {
    Minus,
    Complement,
}

/// What is called.
#[derive(Clone, Debug)]
pub(crate) enum Callee {
    /// A function by its name.
    Function(FunctionId),
    /// A function through a pointer.
    Pointer(Box<Expr>),
}

/// The unnamed variables of a call.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CallObjects {
    /// Takes the structure that the call gives.
    pub(crate) result: Option<ObjectId>,
    /// Holds the arguments for `...`.
    pub(crate) extra: Option<ExtraArguments>,
}

/// The arguments of a call beyond those that the function's type has parameters for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExtraArguments {
    /// The variable that holds them, each in its [`TypeTable::argument_slot`].
    pub(crate) object: ObjectId,
    /// The position of the first of them.
    pub(crate) first: usize,
}

/// How an assignment with an operator or an increment computes.
#[derive(Clone, Debug)]
pub(crate) struct Update {
    /// The place that is read and written.
    pub(crate) place: LValue,
    /// The operation.
    pub(crate) operation: UpdateOperation,
    /// The right operand, converted as the operation needs it.
    pub(crate) operand: Expr,
    /// The value of the whole expression is the old one (postfix operators).
    pub(crate) gives_old: bool,
}

/// The operation of an [`Update`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum UpdateOperation {
    /// Arithmetic in a type, to which the old value is converted first.
    Arithmetic(Arithmetic, TypeId),
    /// Moving a pointer by `operand` elements of this size (if it is a constant); backwards if set.
    PointerStep(Option<u64>, bool),
}

/// What an expression computes.
#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    /// An integer or pointer constant, modulo the width of its type.
    Constant(u128),
    /// A floating-point constant: its bit pattern.
    Float(u128),
    /// A function as a value: its address.
    FunctionAddress(FunctionId),
    /// The address of a label of a function: GNU's `&&label`.
    LabelAddress(FunctionId, LabelId),
    /// The value held at a place.
    Load(LValue),
    /// The address of a place; arrays decay to this.
    AddressOf(LValue),
    /// A conversion to the type of this expression; to `void` it drops the value.
    Convert(Box<Expr>),
    /// Minus or complement.
    Negate(Negation, Box<Expr>),
    /// `!`.
    Not(Box<Expr>),
    /// Arithmetic.
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>),
    /// Pointer plus integer, whose unit is `size` bytes.
    PointerOffset {
        /// The pointer.
        pointer: Box<Expr>,
        /// An integer of the width of a pointer.
        index: Box<Expr>,
        /// Bytes per step; `None` if the element's size is not a constant.
        size: Option<u64>,
        /// Subtract instead.
        backwards: bool,
        /// The index was written first.
        swapped: bool,
    },
    /// The distance between two pointers in elements of `size` bytes.
    PointerDifference {
        /// Left.
        left: Box<Expr>,
        /// Right.
        right: Box<Expr>,
        /// Bytes per element; `None` if not a constant.
        size: Option<u64>,
    },
    /// A comparison.
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// `&&`.
    LogicalAnd(Box<Expr>, Box<Expr>),
    /// `||`.
    LogicalOr(Box<Expr>, Box<Expr>),
    /// `c ? a : b`; both branches have the type of the whole.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a, b`.
    Comma(Box<Expr>, Box<Expr>),
    /// `place = value`; the value has the type of the place.
    Assign(LValue, Box<Expr>),
    /// `place op= operand`, `++` and `--`.
    Update(Box<Update>),
    /// A call; arguments are converted to the parameters' types.
    Call(Callee, Vec<Expr>, CallObjects),
    /// A vector whose elements all have this value.
    Splat(Box<Expr>),
    /// The value with its bytes in the opposite order.
    Reversed(Box<Expr>),
    /// A statement expression: statements, then the value of the last one if it has one, in a block of their own.
    Statements(Vec<Stmt>, Option<Box<Expr>>, Option<BlockId>),
    /// Something that is not modelled at all, with what to say about it. The operands are evaluated
    /// by nobody.
    Unsupported(String),
}

/// A place that can be read, written or pointed to.
#[derive(Clone, Debug)]
pub(crate) struct LValue {
    /// What it denotes.
    pub(crate) kind: LValueKind,
    /// The type of the object there.
    pub(crate) ty: TypeId,
}

/// What a place is.
#[derive(Clone, Debug)]
pub(crate) enum LValueKind {
    /// A variable.
    Object(ObjectId),
    /// What a pointer points to.
    Deref(Box<Expr>),
    /// Part of a structure or union: the record and the index of the field.
    Member(Box<LValue>, RecordId, usize),
    /// A string literal, with its terminating zero.
    String(Vec<u8>),
    /// A compound literal: an unnamed variable that is initialised where it stands.
    Compound(ObjectId, Box<Initializer>),
    /// The value of an expression of structure type, which has no address.
    Value(Box<Expr>),
}

/// A statement.
#[derive(Clone, Debug)]
pub(crate) struct Stmt {
    /// What it does.
    pub(crate) kind: StmtKind,
    /// The source text.
    pub(crate) span: Span,
}

/// The values that select a case: from `low` to `high`, as bits of the switch's type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    /// First value.
    pub(crate) low: u128,
    /// Last value; equal to `low` without a range.
    pub(crate) high: u128,
    /// Where it is written.
    pub(crate) span: Span,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub(crate) enum StmtKind {
    /// Nothing.
    Empty,
    /// An expression for its effects.
    Expr(Expr),
    /// Statements in order.
    Block(Vec<Stmt>),
    /// Statements in a block where variables live.
    Scope(BlockId, Vec<Stmt>),
    /// Control passes the declaration of a local variable.
    Declare(ObjectId, Option<Initializer>),
    /// What is called when the block is left that holds all that follows; nothing happens here.
    Cleanup(Expr),
    /// Control passes the declaration of an array whose size in bytes is known only now.
    DeclareVariable(ObjectId, Expr),
    /// `if`.
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// `while`.
    While(Expr, Box<Stmt>),
    /// `do while`.
    DoWhile(Box<Stmt>, Expr),
    /// `for`, after its initialisation; a missing condition is `None`.
    For(Option<Expr>, Option<Expr>, Box<Stmt>),
    /// `switch`.
    Switch {
        /// The promoted value.
        value: Expr,
        /// All cases of this switch, which [`StmtKind::Case`] refers to by position.
        cases: Vec<Case>,
        /// The statement that holds the labels.
        body: Box<Stmt>,
    },
    /// Control arrives here from the innermost switch if its case with this position is selected.
    Case(usize),
    /// Control arrives here from the innermost switch if no case is selected.
    Default,
    /// A label.
    Label(LabelId),
    /// `goto`.
    Goto(LabelId),
    /// `goto` to an address, which is that of a label of the function.
    ComputedGoto(Expr),
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `return`.
    Return(Option<Expr>),
    /// Something that is not modelled.
    Unsupported(String),
}

impl Expr {
    /// An expression; the flags follow from its parts.
    pub(crate) fn new(types: &TypeTable, kind: ExprKind, ty: TypeId, span: Span) -> Self {
        let (effects, total) = flags(types, &kind, ty);
        Expr { kind, ty, span, effects, total: total && !effects }
    }

    /// The value of an integer constant expression (or null pointer constant).
    pub(crate) fn constant(&self) -> Option<u128> {
        match self.kind {
            ExprKind::Constant(bits) => Some(bits),
            _ => None,
        }
    }
}

/// Whether an expression with these parts has effects, and whether it is total.
fn flags(types: &TypeTable, kind: &ExprKind, ty: TypeId) -> (bool, bool) {
    let modelled = types.bit_width(ty).is_some();
    let all = |parts: &[&Expr]| {
        let effects = parts.iter().any(|part| part.effects);
        (effects, modelled && parts.iter().all(|part| part.total))
    };
    match kind {
        ExprKind::Constant(_) | ExprKind::Float(_) => (false, modelled),
        ExprKind::FunctionAddress(_) | ExprKind::LabelAddress(..) => (false, true),
        ExprKind::Load(place) | ExprKind::AddressOf(place) => (place.effects(), modelled && place.is_fixed()),
        ExprKind::Convert(a) => {
            let (effects, total) = all(&[a]);
            (effects, total && types.bit_width(a.ty).is_some() && !converts_partially(types, a.ty, ty))
        }
        ExprKind::Not(a) | ExprKind::Splat(a) | ExprKind::Reversed(a) => all(&[a]),
        ExprKind::Negate(_, a) => {
            let (effects, total) = all(&[a]);
            (effects, total && !(types.checks_overflow && types.is_signed(ty)))
        }
        ExprKind::Arithmetic(_, a, b) if types.is_float(ty) => {
            let (effects, total) = all(&[a, b]);
            (effects, total && types.computes_in(ty))
        }
        ExprKind::Arithmetic(_, a, b) if types.as_vector(ty).is_some() => (all(&[a, b]).0, false),
        ExprKind::Arithmetic(op, a, b) => {
            let (effects, total) = all(&[a, b]);
            let division = matches!(op, Arithmetic::Divide | Arithmetic::Remainder);
            let bitwise = matches!(op, Arithmetic::And | Arithmetic::Or | Arithmetic::Xor);
            let fits = bitwise || !types.checks_overflow || (division && !types.is_signed(ty));
            (effects, total && fits && (!division || never_traps(types, b)))
        }
        ExprKind::PointerOffset { pointer, index, size, .. } => {
            let (effects, total) = all(&[pointer, index]);
            (effects, total && size.is_some())
        }
        ExprKind::PointerDifference { left, right, size } => {
            let (effects, total) = all(&[left, right]);
            (effects, total && size.is_some_and(|size| size > 0))
        }
        // Pointers to what is gone may be equal to others or not.
        ExprKind::Compare(_, a, b) if types.is_pointer(a.ty) => {
            let (effects, total) = all(&[a, b]);
            let has_null = [a, b].iter().any(|operand| operand.constant() == Some(0));
            (effects, total && has_null)
        }
        ExprKind::Compare(_, a, b) | ExprKind::LogicalAnd(a, b) | ExprKind::LogicalOr(a, b) => all(&[a, b]),
        ExprKind::Comma(a, b) => all(&[a, b]),
        ExprKind::Conditional(c, a, b) => all(&[c, a, b]),
        ExprKind::Assign(..) | ExprKind::Update(_) | ExprKind::Call(..) | ExprKind::Statements(..) => {
            (true, false)
        }
        ExprKind::Unsupported(_) => (false, false),
    }
}

/// What the conversion of a floating-point number to such an integer gives is not known if it does not fit.
pub(crate) fn converts_partially(types: &TypeTable, from: TypeId, to: TypeId) -> bool {
    types.is_float(from) && types.is_integer(to) && types.bit_width(to).is_some_and(|width| width > 64)
}

/// A constant divisor that is neither zero nor minus one.
fn never_traps(types: &TypeTable, divisor: &Expr) -> bool {
    let (Some(bits), Some(width)) = (divisor.constant(), types.bit_width(divisor.ty)) else { return false };
    let minus_one = aster_term::BitVec::from_signed(width, -1).unsigned();
    bits != 0 && !(types.is_signed(divisor.ty) && bits == minus_one)
}

impl LValue {
    /// The value of an expression, or a part of it, rather than a variable.
    pub(crate) fn is_value(&self) -> bool {
        match &self.kind {
            LValueKind::Value(_) => true,
            LValueKind::Member(base, ..) => base.is_value(),
            _ => false,
        }
    }

    /// A variable, a string literal, or a member of one: nothing has to be evaluated to find it, and it is
    /// always there.
    pub(crate) fn is_fixed(&self) -> bool {
        match &self.kind {
            LValueKind::Object(_) | LValueKind::String(_) => true,
            LValueKind::Member(base, ..) => base.is_fixed(),
            LValueKind::Deref(_) | LValueKind::Compound(..) | LValueKind::Value(_) => false,
        }
    }

    /// Finding the place may change a variable or make an input.
    pub(crate) fn effects(&self) -> bool {
        match &self.kind {
            LValueKind::Object(_) | LValueKind::String(_) => false,
            LValueKind::Deref(pointer) => pointer.effects,
            LValueKind::Member(base, ..) => base.effects(),
            LValueKind::Compound(..) => true,
            LValueKind::Value(value) => value.effects,
        }
    }
}
