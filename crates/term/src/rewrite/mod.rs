//! Normalisation of applications, one named rule each.
//!
//! A rule looks at the operator and its (already normalised) arguments and either gives an equal
//! term or declines. The rules of an operator stand in one table and are tried in order; what a rule
//! gives is built with the ordinary constructors, so it is normalised in turn.
//!
//! The normal forms, which other crates may rely on but must not require:
//!
//! - Literals stand last among the arguments of a commutative operator; the others are ordered by id.
//! - Of the comparisons only `bvult` and `bvslt` remain; "at most" is a negated "less". A literal stands
//!   on the right-hand side.
//! - `xor` of Booleans is a negated `=`.
//! - `x - c` is `x + (-c)`; other subtractions stay (one adder is enough for them); constants move
//!   outwards through sums.
//! - Multiplication by a power of two is a shift to the left.
//! - Shifts to the right by literals, masking of low bits, division and remainder by powers of two (unsigned)
//!   and rotations are extractions, extensions and concatenations.
//! - Truncated arithmetic on extended arguments is arithmetic at the narrow width.
//! - Sums of numbers are chains of multiples `x * c` in the order of the ids of `x`, with the constant last; `-` does not
//!   remain. Comparisons of numbers have coprime integers as coefficients, positive ones left and the others (with the
//!   constant) right; the first one is positive, which a negation of the comparison achieves. Integers know no `<`.
//!   Long sums are left as they are made, as sorting them again and again would cost too much.
//! - `fp.sub` is `fp.add` of the negated float. What is compared with a literal is compared at its own width: widened floats as
//!   narrow ones, converted integers as integers.
//! - Operators between literals and choices between literals are choices between literals, so that C's
//!   `(a < b) != 0` is the comparison again.

mod arith;
mod array;
mod bits;
mod boolean;
mod compare;
mod division;
mod equality;
#[cfg(test)]
mod examples;
mod float;
mod ite;
mod junction;
mod lift;
mod number;
#[cfg(test)]
mod number_tests;
mod same;
mod shift;
mod slice;
#[cfg(test)]
mod tests;
mod view;

use crate::node::{MAX_ARITY, Tag};
use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::sort::Sort;

/// The arguments of an application; places beyond the arity mean nothing.
type Args = [Term; MAX_ARITY];

/// A named rewrite.
struct Rule {
    name: &'static str,
    /// An equal term, or `None` if the rule does not apply. The sorts have been checked, the arguments
    /// of commutative operators are in canonical order, and not all arguments are literals.
    apply: fn(&mut TermPool, Op, Args) -> Option<Term>,
}

/// A table of rules; a rule is called as its function.
macro_rules! rules {
    ($($rule:path),* $(,)?) => {
        &[$($crate::rewrite::Rule { name: stringify!($rule), apply: $rule }),*]
    };
}
use rules;

/// The rules of an operator, in the order in which they are tried.
fn rules_of(tag: Tag) -> &'static [Rule] {
    match tag {
        Tag::Variable | Tag::BoolConst | Tag::BvConst | Tag::ConstArray | Tag::NumberConst => &[],
        Tag::Fp => float::FLOAT,
        Tag::Not => boolean::NOT,
        Tag::And | Tag::Or => junction::JUNCTION,
        Tag::Xor => boolean::XOR,
        Tag::Eq => equality::EQ,
        Tag::Ite => ite::ITE,
        Tag::BvNot => bits::NOT,
        Tag::BvNeg => arith::NEG,
        Tag::BvAnd => bits::AND,
        Tag::BvOr => bits::OR,
        Tag::BvXor => bits::XOR,
        Tag::BvAdd => arith::ADD,
        Tag::BvSub => arith::SUB,
        Tag::BvMul => arith::MUL,
        Tag::BvUdiv => division::UDIV,
        Tag::BvUrem => division::UREM,
        Tag::BvSdiv => division::SDIV,
        Tag::BvSrem => division::SREM,
        Tag::BvShl => shift::SHL,
        Tag::BvLshr => shift::LSHR,
        Tag::BvAshr => shift::ASHR,
        Tag::BvRotateLeft | Tag::BvRotateRight => shift::ROTATE,
        Tag::BvUlt | Tag::BvSlt => compare::LESS,
        Tag::BvUle | Tag::BvSle => compare::AT_MOST,
        Tag::BvConcat => slice::CONCAT,
        Tag::BvExtract => slice::EXTRACT,
        Tag::BvZeroExtend => slice::ZERO_EXTEND,
        Tag::BvSignExtend => slice::SIGN_EXTEND,
        Tag::Select => array::SELECT,
        Tag::Store => array::STORE,
        Tag::NumAdd => number::ADD,
        Tag::NumSub => number::SUB,
        Tag::NumNeg => number::NEG,
        Tag::NumMul => number::MUL,
        Tag::NumLe => number::LE,
        Tag::NumLt => number::LT,
        Tag::IntDiv => number::DIV,
        Tag::IntMod => number::MOD,
        Tag::ToReal => number::TO_REAL,
        Tag::ToInt => number::TO_INT,
    }
}

/// How much rewriting one constructor call may cause. Rules push work into subterms (an extraction into a
/// mask, an equality into a chain of choices), and nothing but this bounds how deep that goes; so it bounds
/// both the time of a constructor and its use of the call stack.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fuel {
    nested: bool,
    left: u32,
}

const FUEL: u32 = 256;

/// The normal form of `op(args)`, an application of the given sort.
pub(crate) fn normalise(pool: &mut TermPool, op: Op, args: Args, sort: Sort) -> Term {
    if let Some(term) = fold(pool, op, args) {
        return term;
    }
    let args = order(pool, op, args);
    let rules = rules_of(op.tag());
    if pool.fuel.nested {
        if pool.fuel.left == 0 {
            #[cfg(test)]
            tests::count_exhaustion();
            return pool.apply_checked(op, args, sort);
        }
        pool.fuel.left -= 1;
        return rewrite(pool, rules, op, args).unwrap_or_else(|| pool.apply_checked(op, args, sort));
    }
    pool.fuel = Fuel { nested: true, left: FUEL };
    let result = rewrite(pool, rules, op, args);
    pool.fuel.nested = false;
    result.unwrap_or_else(|| pool.apply_checked(op, args, sort))
}

#[inline]
fn rewrite(pool: &mut TermPool, rules: &[Rule], op: Op, args: Args) -> Option<Term> {
    for rule in rules {
        if let Some(term) = (rule.apply)(pool, op, args) {
            #[cfg(test)]
            tests::count_use(op, rule.name);
            return Some(term);
        }
    }
    None
}

/// Applications to bit-vector literals only. (Boolean literals fall to the rules.)
#[inline]
fn fold(pool: &mut TermPool, op: Op, [a, b, c]: Args) -> Option<Term> {
    let first = pool.bv_constant(a)?;
    match op.arity() {
        1 => op.apply_unary(first).map(|value| pool.bv_value(value)),
        2 => {
            let second = pool.bv_constant(b)?;
            match op.compare(first, second) {
                Some(truth) => Some(pool.bool(truth)),
                None => op.apply_binary(first, second).map(|value| pool.bv_value(value)),
            }
        }
        _ => match op {
            Op::Fp(op) => {
                let values = [first, pool.bv_constant(b)?, pool.bv_constant(c)?];
                op.apply(&values).map(|value| pool.bv_value(value))
            }
            _ => None,
        },
    }
}

/// The canonical order of the arguments of a commutative operator: literals last, otherwise by id.
#[inline]
fn order(pool: &TermPool, op: Op, args: Args) -> Args {
    let [a, b, c] = args;
    if op.is_commutative() && (pool.is_literal(b), b) < (pool.is_literal(a), a) { [b, a, c] } else { args }
}

/// The names of all rewrite rules with the operators that they belong to, for listings.
pub fn rewrite_rules() -> impl Iterator<Item = (&'static str, &'static str)> {
    const OPERATORS: [(&str, Tag); 41] = [
        ("not", Tag::Not),
        ("and", Tag::And),
        ("or", Tag::Or),
        ("xor", Tag::Xor),
        ("=", Tag::Eq),
        ("ite", Tag::Ite),
        ("bvnot", Tag::BvNot),
        ("bvneg", Tag::BvNeg),
        ("bvand", Tag::BvAnd),
        ("bvor", Tag::BvOr),
        ("bvxor", Tag::BvXor),
        ("bvadd", Tag::BvAdd),
        ("bvsub", Tag::BvSub),
        ("bvmul", Tag::BvMul),
        ("bvudiv", Tag::BvUdiv),
        ("bvurem", Tag::BvUrem),
        ("bvsdiv", Tag::BvSdiv),
        ("bvsrem", Tag::BvSrem),
        ("bvshl", Tag::BvShl),
        ("bvlshr", Tag::BvLshr),
        ("bvashr", Tag::BvAshr),
        ("rotate", Tag::BvRotateLeft),
        ("bvult/bvslt", Tag::BvUlt),
        ("bvule/bvsle", Tag::BvUle),
        ("concat", Tag::BvConcat),
        ("extract", Tag::BvExtract),
        ("zero_extend", Tag::BvZeroExtend),
        ("sign_extend", Tag::BvSignExtend),
        ("select", Tag::Select),
        ("store", Tag::Store),
        ("+", Tag::NumAdd),
        ("-", Tag::NumSub),
        ("- (sign)", Tag::NumNeg),
        ("*", Tag::NumMul),
        ("<=", Tag::NumLe),
        ("<", Tag::NumLt),
        ("div", Tag::IntDiv),
        ("mod", Tag::IntMod),
        ("to_real", Tag::ToReal),
        ("to_int", Tag::ToInt),
        ("fp", Tag::Fp),
    ];
    OPERATORS
        .into_iter()
        .flat_map(|(operator, tag)| rules_of(tag).iter().map(move |rule| (operator, rule.name)))
}
