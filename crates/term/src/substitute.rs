//! Simultaneous substitution and free variables. Iterative and memoised: terms are DAGs of any
//! depth, and each shared subterm is visited once.

use crate::pool::{Term, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

/// A simultaneous replacement of variables by terms. The memo lives as long as the substitution, so
/// applying it to many terms that share structure does the shared work once.
#[derive(Default)]
pub struct Substitution {
    memo: FxHashMap<Term, Term>,
}

impl Substitution {
    /// The substitution that changes nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces `variable` by `replacement`, which must have the same sort. All replacements are
    /// given before the first application.
    pub fn insert(&mut self, variable: Term, replacement: Term) {
        self.memo.insert(variable, replacement);
    }

    /// The term with all replacements done at once.
    pub fn apply(&mut self, pool: &mut TermPool, term: Term) -> Term {
        self.apply_with(pool, term, |_, _| None)
    }

    /// As [`Substitution::apply`], asking `lookup` for the variables that were not given before.
    /// `None` leaves a variable as it is.
    pub fn apply_with(
        &mut self,
        pool: &mut TermPool,
        term: Term,
        mut lookup: impl FnMut(&mut TermPool, Term) -> Option<Term>,
    ) -> Term {
        if let Some(&done) = self.memo.get(&term) {
            return done;
        }
        let mut stack = vec![term];
        let mut args = Vec::with_capacity(3);
        while let Some(&current) = stack.last() {
            if self.memo.contains_key(&current) {
                stack.pop();
                continue;
            }
            if pool.is_variable(current) {
                let replacement = lookup(pool, current).unwrap_or(current);
                debug_assert_eq!(pool.sort(current), pool.sort(replacement));
                self.memo.insert(current, replacement);
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(pool.args(current).iter().filter(|a| !self.memo.contains_key(a)));
            if stack.len() > before {
                continue;
            }
            args.clear();
            args.extend(pool.args(current).iter().map(|a| self.memo[a]));
            let result =
                if args == pool.args(current) { current } else { pool.apply(pool.op(current), &args) };
            self.memo.insert(current, result);
            stack.pop();
        }
        self.memo[&term]
    }
}

/// The variables that occur in the terms, in order of creation.
pub fn free_variables(pool: &TermPool, terms: &[Term]) -> Vec<Term> {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut stack: Vec<Term> = terms.to_vec();
    let mut found = Vec::new();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if pool.is_variable(term) {
            found.push(term);
        }
        stack.extend(pool.args(term));
    }
    found.sort_unstable();
    found
}
