//! The Boolean structure of formulas: conjuncts, atoms, and which variables occur.

use aster_term::{Op, Sort, Term, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

/// The atomic formulas of a Boolean term: comparisons, equalities and Boolean variables.
///
/// Looks through all Boolean connectives, choices and equalities of Booleans included. Atoms are without
/// negation, each occurs once, in the order in which they are met from left to right.
pub fn atoms(pool: &mut TermPool, formula: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        let args = pool.args(term);
        let connects = match pool.op(term) {
            Op::BoolConst(_) => continue,
            Op::Not | Op::And | Op::Or | Op::Xor | Op::Ite => true,
            Op::Eq => pool.sort(args[0]) == Sort::Bool,
            _ => false,
        };
        if connects {
            stack.extend(args.iter().rev());
        } else {
            found.push(term);
        }
    }
    found
}

/// Formulas whose conjunction the term is: as many as its Boolean structure shows, each once, without `true`.
pub(super) fn conjuncts(pool: &mut TermPool, formula: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![(formula, true)];
    while let Some((term, positive)) = stack.pop() {
        if !seen.insert((term, positive)) {
            continue;
        }
        match (pool.op(term), positive) {
            (Op::BoolConst(truth), _) if truth == positive => {}
            (Op::Not, _) => stack.push((pool.args(term)[0], !positive)),
            (Op::And, true) | (Op::Or, false) => {
                stack.extend(pool.args(term).iter().rev().map(|&arg| (arg, positive)));
            }
            (_, true) => found.push(term),
            (_, false) => found.push(pool.not(term)),
        }
    }
    found
}

/// The conjuncts of all formulas, each once.
pub(super) fn all_conjuncts(pool: &mut TermPool, formulas: &[Term]) -> Vec<Term> {
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    for &formula in formulas {
        found.extend(conjuncts(pool, formula).into_iter().filter(|&c| seen.insert(c)));
    }
    found
}

/// Whether terms mention variables of a set. Remembers the answer for all subterms; the set may only grow by
/// variables that no term mentioned which was asked about before.
#[derive(Default)]
pub(super) struct Mentions {
    variables: FxHashSet<Term>,
    memo: FxHashMap<Term, bool>,
}

impl Mentions {
    pub(super) fn of(variables: impl IntoIterator<Item = Term>) -> Self {
        Mentions { variables: variables.into_iter().collect(), memo: FxHashMap::default() }
    }

    /// Adds a variable that is new.
    pub(super) fn insert(&mut self, variable: Term) {
        self.variables.insert(variable);
        self.memo.insert(variable, true);
    }

    /// True if the term is a variable of the set.
    pub(super) fn has(&self, variable: Term) -> bool {
        self.variables.contains(&variable)
    }

    /// True if a variable of the set occurs in the term.
    pub(super) fn any(&mut self, pool: &TermPool, term: Term) -> bool {
        if self.variables.is_empty() {
            return false;
        }
        let mut stack = vec![term];
        while let Some(&current) = stack.last() {
            if self.memo.contains_key(&current) {
                stack.pop();
                continue;
            }
            let args = pool.args(current);
            let known = if args.is_empty() {
                Some(self.variables.contains(&current))
            } else if args.iter().any(|arg| self.memo.get(arg) == Some(&true)) {
                Some(true)
            } else {
                let before = stack.len();
                stack.extend(args.iter().filter(|arg| !self.memo.contains_key(arg)));
                (stack.len() == before).then_some(false)
            };
            if let Some(answer) = known {
                self.memo.insert(current, answer);
                stack.pop();
            }
        }
        self.memo[&term]
    }
}
