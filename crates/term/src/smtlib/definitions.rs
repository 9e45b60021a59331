//! Terms for a running solver: every subterm is sent once and called by name from then on.

use super::symbol::shared;
use super::{float, print_head, print_leaf};
use crate::op::Op;
use crate::pool::{Term, TermPool};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Remembers what a solver process has been told: which variables are declared and which subterms have a
/// name. The commands are to be given at the base level, so that no `pop` takes them away.
///
/// ```
/// use aster_term::{Definitions, Sort, TermPool};
/// let mut pool = TermPool::new();
/// let x = pool.variable("x", Sort::BitVec(8));
/// let y = pool.variable("y", Sort::BitVec(8));
/// let less = pool.ult(x, y);
/// let mut definitions = Definitions::new();
/// let mut commands = String::new();
/// let name = definitions.define(&pool, less, &mut commands);
/// assert_eq!(name, "%t0");
/// assert_eq!(
///     commands,
///     "(declare-const x (_ BitVec 8))\n\
///      (declare-const y (_ BitVec 8))\n\
///      (define-fun %t0 () Bool (bvult x y))\n"
/// );
/// commands.clear();
/// assert_eq!(definitions.define(&pool, less, &mut commands), "%t0");
/// assert!(commands.is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    /// What to write for each variable and application that the solver knows.
    known: FxHashMap<Term, Known>,
    named: usize,
}

#[derive(Clone, Copy, Debug)]
enum Known {
    Declared,
    Named(usize),
}

impl Definitions {
    /// Nothing has been told yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends the declarations and definitions that are missing for the term to `out`, one a line, and
    /// returns what to write for the term.
    pub fn define(&mut self, pool: &TermPool, term: Term, out: &mut String) -> String {
        let mut stack = vec![term];
        while let Some(&current) = stack.last() {
            if self.is_known(pool, current) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(pool.args(current).iter().rev().filter(|&&arg| !self.is_known(pool, arg)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            self.tell(pool, current, out);
        }
        self.name(pool, term)
    }

    fn name(&self, pool: &TermPool, term: Term) -> String {
        let mut name = String::new();
        self.print_name(pool, term, &mut name);
        name
    }

    fn is_known(&self, pool: &TermPool, term: Term) -> bool {
        self.known.contains_key(&term) || pool.constant(term).is_some()
    }

    fn tell(&mut self, pool: &TermPool, term: Term, out: &mut String) {
        let sort = pool.sort(term);
        if pool.is_variable(term) {
            out.push_str("(declare-const ");
            print_leaf(pool, term, out);
            let _ = writeln!(out, " {sort})");
            self.known.insert(term, Known::Declared);
            return;
        }
        if let Op::Fp(op) = pool.op(term) {
            let args: Vec<String> = pool.args(term).iter().map(|&arg| self.name(pool, arg)).collect();
            float::define(op, &shared(self.named).to_string(), &args, out);
            self.known.insert(term, Known::Named(self.named));
            self.named += 1;
            return;
        }
        if let (op @ (Op::IntDiv | Op::IntMod), &[a, b]) = (pool.op(term), pool.args(term)) {
            let (name, a, b) = (op.smtlib_name(), self.name(pool, a), self.name(pool, b));
            // SMT-LIB leaves open what division by zero gives.
            let _ = writeln!(
                out,
                "(define-fun {} () Int (ite (= {b} 0) 0 ({name} {a} {b})))",
                shared(self.named)
            );
            self.known.insert(term, Known::Named(self.named));
            self.named += 1;
            return;
        }
        let _ = write!(out, "(define-fun {} () {sort} (", shared(self.named));
        print_head(pool, term, out);
        for &arg in pool.args(term) {
            out.push(' ');
            self.print_name(pool, arg, out);
        }
        out.push_str("))\n");
        self.known.insert(term, Known::Named(self.named));
        self.named += 1;
    }

    fn print_name(&self, pool: &TermPool, term: Term, out: &mut String) {
        match self.known.get(&term) {
            Some(&Known::Named(number)) => {
                let _ = write!(out, "{}", shared(number));
            }
            _ => print_leaf(pool, term, out),
        }
    }
}
