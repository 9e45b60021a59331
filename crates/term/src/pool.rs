//! The pool that owns all terms, and the constructors.

use crate::node::{MAX_ARITY, NO_TERM, Node, Tag, is_storable};
use crate::number::Numbers;
use crate::op::Op;
use crate::rewrite;
use crate::sort::Sort;
use crate::value::{BitVec, Value};
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;

/// A term: an id into the [`TermPool`] that made it. Equal ids mean equal terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(pub(crate) u32);

impl Term {
    /// The position of the term in its pool; arguments always have smaller positions.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An operator was applied to arguments whose sorts do not fit it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("operator {op:?} cannot be applied to arguments of sorts {sorts:?}")]
pub struct SortError {
    op: Op,
    sorts: Vec<Sort>,
}

struct Symbol {
    name: String,
    term: Term,
}

/// Owns all terms. Every distinct application exists once (hash-consing).
///
/// ```
/// use aster_term::{Sort, TermPool};
/// let mut pool = TermPool::new();
/// let x = pool.variable("x", Sort::BitVec(32));
/// let zero = pool.bv(32, 0);
/// let sum = pool.add(x, zero);
/// assert_eq!(sum, x);
/// ```
#[derive(Default)]
pub struct TermPool {
    nodes: Vec<Node>,
    unique: HashTable<Term>,
    symbols: Vec<Symbol>,
    by_name: FxHashMap<String, Term>,
    fresh_counter: u64,
    /// The literals `false` and `true`, once made.
    truth: [Option<Term>; 2],
    pub(crate) numbers: Numbers,
    /// How much rewriting the constructor call in progress may still do.
    pub(crate) fuel: rewrite::Fuel,
}

impl TermPool {
    /// An empty pool.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes room for so many more terms, so that the tables do not grow step by step.
    pub fn reserve(&mut self, additional: usize) {
        self.nodes.reserve(additional);
        let nodes = &self.nodes;
        self.unique.reserve(additional, |&term| FxBuildHasher.hash_one(nodes[term.index()]));
    }

    /// How many distinct terms the pool holds.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True if no term was made yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The operator at the root of the term.
    pub fn op(&self, term: Term) -> Op {
        self.nodes[term.index()].op()
    }

    /// The kind of the term's root; cheaper than [`TermPool::op`].
    #[inline]
    pub(crate) fn tag(&self, term: Term) -> Tag {
        self.nodes[term.index()].tag()
    }

    /// The arguments of the term's root.
    pub fn args(&self, term: Term) -> &[Term] {
        self.nodes[term.index()].args()
    }

    /// The sort of the term.
    pub fn sort(&self, term: Term) -> Sort {
        self.nodes[term.index()].sort()
    }

    /// The width of a bit-vector term. Panics for other sorts: callers know what they hold.
    pub fn width(&self, term: Term) -> u32 {
        match self.sort(term) {
            Sort::BitVec(width) => width,
            sort => panic!("a bit-vector was expected, this term has sort {sort}"),
        }
    }

    /// True if the term is a variable.
    pub fn is_variable(&self, term: Term) -> bool {
        self.tag(term) == Tag::Variable
    }

    /// The name of a variable.
    pub fn variable_name(&self, term: Term) -> Option<&str> {
        match self.op(term) {
            Op::Variable(symbol) => Some(&self.symbols[symbol as usize].name),
            _ => None,
        }
    }

    /// The value of a literal.
    pub fn constant(&self, term: Term) -> Option<Value> {
        match self.op(term) {
            Op::BoolConst(b) => Some(Value::Bool(b)),
            Op::BvConst(bits) => Some(Value::BitVec(BitVec::new(self.width(term), bits))),
            Op::NumberConst(index) => {
                let number = self.numbers.get_big(index);
                Some(match self.sort(term) {
                    Sort::Int => Value::Int(number.to_integer()),
                    _ => Value::Real(number.clone()),
                })
            }
            _ => None,
        }
    }

    /// The value of a bit-vector literal.
    pub fn bv_constant(&self, term: Term) -> Option<BitVec> {
        let node = &self.nodes[term.index()];
        match (node.tag(), node.sort()) {
            (Tag::BvConst, Sort::BitVec(width)) => Some(BitVec::new(width, node.bits())),
            _ => None,
        }
    }

    /// The value of a Boolean literal.
    pub fn bool_constant(&self, term: Term) -> Option<bool> {
        match self.op(term) {
            Op::BoolConst(b) => Some(b),
            _ => None,
        }
    }

    /// The variable of this name and sort. Panics if the name is taken by another sort: names that
    /// come from input are made unique by their front end.
    pub fn variable(&mut self, name: &str, sort: Sort) -> Term {
        if let Some(&term) = self.by_name.get(name) {
            assert_eq!(self.sort(term), sort, "variable {name} exists with another sort");
            return term;
        }
        self.new_symbol(name.to_owned(), sort)
    }

    /// A variable that no term mentions yet; its name starts with `prefix`.
    pub fn fresh_variable(&mut self, prefix: &str, sort: Sort) -> Term {
        loop {
            let name = format!("{prefix}!{}", self.fresh_counter);
            self.fresh_counter += 1;
            if !self.by_name.contains_key(&name) {
                return self.new_symbol(name, sort);
            }
        }
    }

    fn new_symbol(&mut self, name: String, sort: Sort) -> Term {
        assert!(is_storable(sort), "sort {sort} is not supported");
        let op = Op::Variable(u32::try_from(self.symbols.len()).expect("fewer than 2^32 variables"));
        let term = self.intern(Node::new(op, [NO_TERM; MAX_ARITY], sort));
        self.symbols.push(Symbol { name: name.clone(), term });
        self.by_name.insert(name, term);
        term
    }

    /// All variables, in order of creation.
    pub fn variables(&self) -> impl Iterator<Item = Term> + '_ {
        self.symbols.iter().map(|symbol| symbol.term)
    }

    /// A Boolean literal.
    pub fn bool(&mut self, value: bool) -> Term {
        if let Some(term) = self.truth[usize::from(value)] {
            return term;
        }
        let term = self.intern(Node::new(Op::BoolConst(value), [NO_TERM; MAX_ARITY], Sort::Bool));
        self.truth[usize::from(value)] = Some(term);
        term
    }

    /// A bit-vector literal; the value is taken modulo the width.
    pub fn bv(&mut self, width: u32, value: u128) -> Term {
        self.bv_value(BitVec::new(width, value))
    }

    /// A bit-vector literal from a signed number.
    pub fn bv_signed(&mut self, width: u32, value: i128) -> Term {
        self.bv_value(BitVec::from_signed(width, value))
    }

    /// The literal of a bit-vector value.
    pub fn bv_value(&mut self, value: BitVec) -> Term {
        let op = Op::BvConst(value.unsigned());
        self.intern(Node::new(op, [NO_TERM; MAX_ARITY], Sort::BitVec(value.width())))
    }

    /// The term that denotes a value.
    pub fn value(&mut self, value: &Value) -> Term {
        match value {
            Value::Bool(b) => self.bool(*b),
            Value::BitVec(bits) => self.bv_value(*bits),
            Value::Int(number) => self.int_big(number.clone()),
            Value::Real(number) => self.real(number.clone()),
            Value::Array(array) => {
                let Sort::Array { index, .. } = array.sort() else { unreachable!("array sort") };
                let default = self.bv_value(array.default_element());
                let mut term = self.const_array(index, default);
                for (index, element) in array.entries() {
                    let (index, element) = (self.bv_value(index), self.bv_value(element));
                    term = self.store(term, index, element);
                }
                term
            }
        }
    }

    /// Applies an operator after checking the sorts of its arguments; the result is normalised.
    pub fn try_apply(&mut self, op: Op, args: &[Term]) -> Result<Term, SortError> {
        let (places, sort) = self.check(op, args)?;
        Ok(rewrite::normalise(self, op, places, sort))
    }

    /// The arguments in a fixed array and the sort of the application, if it has one.
    fn check(&self, op: Op, args: &[Term]) -> Result<([Term; MAX_ARITY], Sort), SortError> {
        let mut sorts = [Sort::Bool; MAX_ARITY];
        let mut places = [NO_TERM; MAX_ARITY];
        if (1..=MAX_ARITY).contains(&args.len()) {
            for (i, &arg) in args.iter().enumerate() {
                places[i] = arg;
                sorts[i] = self.sort(arg);
            }
            if let Some(sort) = op.result_sort(&sorts[..args.len()]) {
                return Ok((places, sort));
            }
        }
        Err(SortError { op, sorts: args.iter().map(|&arg| self.sort(arg)).collect() })
    }

    /// Applies an operator to arguments that are known to fit. Panics otherwise.
    pub fn apply(&mut self, op: Op, args: &[Term]) -> Term {
        match self.try_apply(op, args) {
            Ok(term) => term,
            Err(error) => panic!("{error}"),
        }
    }

    /// Applies an operator without normalising it further. For the rewriter, which has found that
    /// no rule applies, and for tests that compare a rewritten term with the original one.
    pub fn apply_raw(&mut self, op: Op, args: &[Term]) -> Term {
        match self.check(op, args) {
            Ok((places, sort)) => self.apply_checked(op, places, sort),
            Err(error) => panic!("{error}"),
        }
    }

    /// As [`TermPool::apply_raw`], for arguments that were checked and have this sort.
    pub(crate) fn apply_checked(&mut self, op: Op, args: [Term; MAX_ARITY], sort: Sort) -> Term {
        self.intern(Node::new(op, args, sort))
    }

    pub(crate) fn intern(&mut self, node: Node) -> Term {
        let hash = FxBuildHasher.hash_one(node);
        let nodes = &self.nodes;
        if let Some(&term) = self.unique.find(hash, |&t| nodes[t.index()] == node) {
            return term;
        }
        let term = Term(u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms"));
        self.nodes.push(node);
        let nodes = &self.nodes;
        self.unique.insert_unique(hash, term, |&t| FxBuildHasher.hash_one(nodes[t.index()]));
        term
    }
}

macro_rules! constructors {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),+) = $op:expr;)+) => {
        impl TermPool {
            $($(#[$doc])* pub fn $name(&mut self, $($arg: Term),+) -> Term {
                self.apply($op, &[$($arg),+])
            })+
        }
    };
}

constructors! {
    /// Negation.
    not(a) = Op::Not;
    /// Conjunction.
    and(a, b) = Op::And;
    /// Disjunction.
    or(a, b) = Op::Or;
    /// Exclusive or of Booleans.
    xor(a, b) = Op::Xor;
    /// Equality.
    eq(a, b) = Op::Eq;
    /// If-then-else.
    ite(condition, then, otherwise) = Op::Ite;
    /// Bitwise complement.
    bvnot(a) = Op::BvNot;
    /// Two's complement negation.
    neg(a) = Op::BvNeg;
    /// Bitwise and.
    bvand(a, b) = Op::BvAnd;
    /// Bitwise or.
    bvor(a, b) = Op::BvOr;
    /// Bitwise exclusive or.
    bvxor(a, b) = Op::BvXor;
    /// Addition.
    add(a, b) = Op::BvAdd;
    /// Subtraction.
    sub(a, b) = Op::BvSub;
    /// Multiplication.
    mul(a, b) = Op::BvMul;
    /// Unsigned division (SMT-LIB).
    udiv(a, b) = Op::BvUdiv;
    /// Unsigned remainder (SMT-LIB).
    urem(a, b) = Op::BvUrem;
    /// Signed division (SMT-LIB).
    sdiv(a, b) = Op::BvSdiv;
    /// Signed remainder (SMT-LIB).
    srem(a, b) = Op::BvSrem;
    /// Shift left.
    shl(a, amount) = Op::BvShl;
    /// Logical shift right.
    lshr(a, amount) = Op::BvLshr;
    /// Arithmetic shift right.
    ashr(a, amount) = Op::BvAshr;
    /// Unsigned less-than.
    ult(a, b) = Op::BvUlt;
    /// Unsigned at-most.
    ule(a, b) = Op::BvUle;
    /// Signed less-than.
    slt(a, b) = Op::BvSlt;
    /// Signed at-most.
    sle(a, b) = Op::BvSle;
    /// Concatenation, most significant part first.
    concat(high, low) = Op::BvConcat;
    /// Array read.
    select(array, index) = Op::Select;
    /// Array write.
    store(array, index, element) = Op::Store;
}

impl TermPool {
    /// Bits `high` to `low` of a bit-vector.
    pub fn extract(&mut self, high: u32, low: u32, a: Term) -> Term {
        self.apply(Op::BvExtract { high, low }, &[a])
    }

    /// Extends to `width` bits with zeros. The width must not shrink.
    pub fn zero_extend_to(&mut self, width: u32, a: Term) -> Term {
        let by = width.checked_sub(self.width(a)).expect("an extension does not shrink");
        self.apply(Op::BvZeroExtend(by), &[a])
    }

    /// Extends to `width` bits with the sign. The width must not shrink.
    pub fn sign_extend_to(&mut self, width: u32, a: Term) -> Term {
        let by = width.checked_sub(self.width(a)).expect("an extension does not shrink");
        self.apply(Op::BvSignExtend(by), &[a])
    }

    /// Rotation towards the most significant bit.
    pub fn rotate_left(&mut self, amount: u32, a: Term) -> Term {
        self.apply(Op::BvRotateLeft(amount), &[a])
    }

    /// Rotation towards the least significant bit.
    pub fn rotate_right(&mut self, amount: u32, a: Term) -> Term {
        self.apply(Op::BvRotateRight(amount), &[a])
    }

    /// The array that holds `element` everywhere.
    pub fn const_array(&mut self, index_width: u32, element: Term) -> Term {
        self.apply(Op::ConstArray { index: index_width }, &[element])
    }

    /// Inequality.
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// Implication.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let negated = self.not(a);
        self.or(negated, b)
    }

    /// Conjunction of all terms; `true` for none.
    pub fn and_all(&mut self, terms: &[Term]) -> Term {
        let mut result = self.bool(true);
        for &term in terms {
            result = self.and(result, term);
        }
        result
    }
}

#[cfg(test)]
mod tests;
