//! SMT-LIB 2: printing terms, defining them step by step for a running solver, reading values.
//!
//! Everything is iterative and linear in the number of distinct subterms.

mod definitions;
mod float;
mod parse;
mod symbol;
#[cfg(test)]
mod tests;

pub use definitions::Definitions;
pub use parse::parse_value;

use crate::number::write_number;
use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::value::BitVec;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// The term in SMT-LIB 2 syntax; subterms that occur more than once are bound by `let`. Operators on floats are written as if
/// their arguments were floats; for a solver, use [`Definitions`].
///
/// ```
/// use aster_term::{Sort, TermPool, print_term};
/// let mut pool = TermPool::new();
/// let x = pool.variable("x", Sort::BitVec(8));
/// let y = pool.variable("y", Sort::BitVec(8));
/// let sum = pool.add(x, y);
/// assert_eq!(print_term(&pool, sum), "(bvadd x y)");
/// let square = pool.mul(sum, sum);
/// assert_eq!(print_term(&pool, square), "(let ((%t0 (bvadd x y))) (bvmul %t0 %t0))");
/// ```
pub fn print_term(pool: &TermPool, term: Term) -> String {
    let mut names: FxHashMap<Term, usize> = FxHashMap::default();
    let mut out = String::new();
    let shared = shared_subterms(pool, term);
    for &subterm in &shared {
        let name = names.len();
        let _ = write!(out, "(let (({} ", symbol::shared(name));
        print_tree(pool, subterm, &names, &mut out);
        out.push_str(")) ");
        names.insert(subterm, name);
    }
    print_tree(pool, term, &names, &mut out);
    out.extend(std::iter::repeat_n(')', shared.len()));
    out
}

/// The applications below the term that occur at more than one place, arguments before what uses them.
fn shared_subterms(pool: &TermPool, term: Term) -> Vec<Term> {
    let mut occurrences: FxHashMap<Term, u32> = FxHashMap::default();
    let mut shared = Vec::new();
    let mut stack = vec![term];
    while let Some(current) = stack.pop() {
        if pool.args(current).is_empty() {
            continue;
        }
        let count = occurrences.entry(current).or_default();
        *count += 1;
        match *count {
            1 => stack.extend(pool.args(current)),
            2 => shared.push(current),
            _ => {}
        }
    }
    // Arguments have smaller ids than what they are arguments of.
    shared.sort_unstable();
    shared
}

enum Step {
    Term(Term),
    Close,
}

/// Prints the term with the named subterms by name. The root is printed in full in any case.
fn print_tree(pool: &TermPool, root: Term, names: &FxHashMap<Term, usize>, out: &mut String) {
    let mut steps = vec![Step::Term(root)];
    while let Some(step) = steps.pop() {
        let Step::Term(term) = step else {
            out.push(')');
            continue;
        };
        if !out.is_empty() && !out.ends_with(['(', ' ']) {
            out.push(' ');
        }
        if let Some(&name) = names.get(&term) {
            let _ = write!(out, "{}", symbol::shared(name));
            continue;
        }
        let args = pool.args(term);
        if args.is_empty() {
            print_leaf(pool, term, out);
            continue;
        }
        out.push('(');
        print_head(pool, term, out);
        steps.push(Step::Close);
        steps.extend(args.iter().rev().map(|&arg| Step::Term(arg)));
    }
}

/// A variable or a literal.
fn print_leaf(pool: &TermPool, term: Term, out: &mut String) {
    let _ = match pool.op(term) {
        Op::BoolConst(value) => write!(out, "{value}"),
        Op::BvConst(bits) => write!(out, "{}", BitVec::new(pool.width(term), bits)),
        Op::NumberConst(_) => match pool.number_constant(term) {
            Some(number) => write_number(out, pool.sort(term), number),
            None => Ok(()),
        },
        _ => write!(out, "{}", symbol::symbol(pool.variable_name(term).unwrap_or_default())),
    };
}

/// What stands between the opening parenthesis of an application and its arguments.
fn print_head(pool: &TermPool, term: Term, out: &mut String) {
    let _ = match pool.op(term) {
        Op::ConstArray { .. } => write!(out, "(as const {})", pool.sort(term)),
        op => write!(out, "{}", op.smtlib_name()),
    };
}
