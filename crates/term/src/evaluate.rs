//! Evaluation of terms under a model. Iterative: deep terms do not use the call stack.

use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::value::Value;
use imbl::OrdMap;
use rustc_hash::FxHashMap;
use std::borrow::Borrow;

/// An assignment of values to variables. Variables that are not mentioned hold the default value
/// of their sort (false, zero, the array of zeros), so that every model is total.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    values: OrdMap<Term, Value>,
}

impl Model {
    /// The model that maps every variable to its default.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the value of a variable.
    pub fn insert(&mut self, variable: Term, value: Value) {
        self.values.insert(variable, value);
    }

    /// The value given to a variable, if it was mentioned.
    pub fn get(&self, variable: Term) -> Option<&Value> {
        self.values.get(&variable)
    }

    /// The mentioned variables with their values, in order of creation.
    pub fn iter(&self) -> impl Iterator<Item = (Term, &Value)> + '_ {
        self.values.iter().map(|(&variable, value)| (variable, value))
    }

    /// Takes over all values of `other`, which win over present ones.
    pub fn extend(&mut self, other: &Model) {
        for (variable, value) in other.iter() {
            self.insert(variable, value.clone());
        }
    }
}

/// Evaluates terms under one model and remembers the value of every subterm that it has seen, so
/// that asking for many terms which share structure costs each subterm once.
///
/// It holds the model by reference or by a shared pointer, as the owner needs it.
pub struct Evaluator<M: Borrow<Model>> {
    model: M,
    memo: FxHashMap<Term, Value>,
}

impl<M: Borrow<Model>> Evaluator<M> {
    /// An evaluator for this model.
    pub fn new(model: M) -> Self {
        Evaluator { model, memo: FxHashMap::default() }
    }

    /// The value of `term`. Panics if a variable has a sort without values in this version.
    ///
    /// Branches that are not chosen, and the second part of a conjunction or disjunction that the first part
    /// decides, are not looked at.
    pub fn value(&mut self, pool: &TermPool, term: Term) -> Value {
        if let Some(value) = self.memo.get(&term) {
            return value.clone();
        }
        let mut stack = vec![term];
        while let Some(&current) = stack.last() {
            if self.memo.contains_key(&current) {
                stack.pop();
                continue;
            }
            match self.step(pool, current, &mut stack) {
                Step::Value(value) => {
                    self.memo.insert(current, value);
                    stack.pop();
                }
                Step::Missing(argument) => stack.push(argument),
                Step::Pushed => {}
            }
        }
        self.memo[&term].clone()
    }

    /// The value of a term whose needed arguments are known, or what has to be known first.
    fn step(&self, pool: &TermPool, term: Term, stack: &mut Vec<Term>) -> Step {
        let value = match (pool.op(term), pool.args(term)) {
            (Op::Variable(_), _) => self.variable(pool, term),
            (Op::BvConst(_) | Op::BoolConst(_), _) => pool.constant(term),
            (Op::Ite, &[condition, then, otherwise]) => {
                let Some(Value::Bool(truth)) = self.memo.get(&condition) else {
                    return Step::Missing(condition);
                };
                let chosen = if *truth { then } else { otherwise };
                match self.memo.get(&chosen) {
                    Some(value) => Some(value.clone()),
                    None => return Step::Missing(chosen),
                }
            }
            (op @ (Op::And | Op::Or), &[a, b]) => {
                let deciding = Value::Bool(op == Op::Or);
                match (self.memo.get(&a), self.memo.get(&b)) {
                    (Some(value), _) | (_, Some(value)) if *value == deciding => Some(deciding),
                    (None, _) => return Step::Missing(a),
                    (_, None) => return Step::Missing(b),
                    _ => Some(Value::Bool(op == Op::And)),
                }
            }
            (op, args) => {
                let before = stack.len();
                stack.extend(args.iter().filter(|arg| !self.memo.contains_key(arg)));
                if stack.len() > before {
                    return Step::Pushed;
                }
                match *args {
                    [a] => op.apply_to(&[&self.memo[&a]]),
                    [a, b] => op.apply_to(&[&self.memo[&a], &self.memo[&b]]),
                    [a, b, c] => op.apply_to(&[&self.memo[&a], &self.memo[&b], &self.memo[&c]]),
                    _ => None,
                }
            }
        };
        match value {
            Some(value) => Step::Value(value),
            None => panic!("no value for a term of sort {}", pool.sort(term)),
        }
    }

    fn variable(&self, pool: &TermPool, variable: Term) -> Option<Value> {
        self.model.borrow().get(variable).cloned().or_else(|| Value::default_of(pool.sort(variable)))
    }
}

enum Step {
    Value(Value),
    /// This argument is needed first.
    Missing(Term),
    /// The missing arguments were pushed.
    Pushed,
}

/// The value of one term under a model.
pub fn evaluate(pool: &TermPool, term: Term, model: &Model) -> Value {
    Evaluator::new(model).value(pool, term)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::Sort;
    use crate::value::BitVec;

    #[test]
    fn unmentioned_variables_hold_defaults() {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::BitVec(8));
        let p = pool.variable("p", Sort::Bool);
        let a = pool.variable("a", Sort::Array { index: 4, element: 8 });
        let model = Model::new();
        assert_eq!(evaluate(&pool, x, &model), Value::BitVec(BitVec::new(8, 0)));
        assert_eq!(evaluate(&pool, p, &model), Value::Bool(false));
        let i = pool.bv(4, 3);
        let read = pool.select(a, i);
        assert_eq!(evaluate(&pool, read, &model), Value::BitVec(BitVec::new(8, 0)));
    }

    #[test]
    fn only_the_chosen_branch_is_looked_at() {
        let mut pool = TermPool::new();
        let p = pool.variable("p", Sort::Bool);
        let number = pool.variable("n", Sort::Int);
        let is_number = pool.apply_raw(Op::Eq, &[number, number]);
        let chosen = pool.apply_raw(Op::Ite, &[p, is_number, p]);
        let both = pool.apply_raw(Op::And, &[p, is_number]);
        let either = pool.apply_raw(Op::Or, &[chosen, both]);
        // No value exists for an integer, so looking at it would panic.
        assert_eq!(evaluate(&pool, either, &Model::new()), Value::Bool(false));
    }

    #[test]
    fn later_values_win() {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::BitVec(8));
        let (mut first, mut second) = (Model::new(), Model::new());
        first.insert(x, Value::BitVec(BitVec::new(8, 1)));
        second.insert(x, Value::BitVec(BitVec::new(8, 2)));
        first.extend(&second);
        assert_eq!(first, second);
        assert_eq!(first.iter().count(), 1);
    }
}
