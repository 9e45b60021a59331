//! Evaluation of terms under a model. Iterative: deep terms do not use the call stack.

use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// An assignment of values to variables. Variables that are not mentioned hold the default value
/// of their sort (false, zero, the array of zeros), so that every model is total.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    values: BTreeMap<Term, Value>,
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
pub struct Evaluator<'m> {
    model: &'m Model,
    memo: FxHashMap<Term, Value>,
}

impl<'m> Evaluator<'m> {
    /// An evaluator for this model.
    pub fn new(model: &'m Model) -> Self {
        Evaluator { model, memo: FxHashMap::default() }
    }

    /// The value of `term`. Panics if a variable has a sort without values in this version.
    pub fn value(&mut self, pool: &TermPool, term: Term) -> Value {
        let mut stack = vec![term];
        let mut values: Vec<Value> = Vec::new();
        while let Some(&current) = stack.last() {
            if self.memo.contains_key(&current) {
                stack.pop();
                continue;
            }
            let op = pool.op(current);
            let args = pool.args(current);
            let before = stack.len();
            stack.extend(args.iter().filter(|a| !self.memo.contains_key(a)));
            if stack.len() > before {
                continue;
            }
            values.clear();
            values.extend(args.iter().map(|a| self.memo[a].clone()));
            let value = match op {
                Op::Variable(_) => self.variable(pool, current),
                Op::BvConst(_) => pool.constant(current),
                _ => op.apply(&values),
            };
            let Some(value) = value else {
                panic!("no value for a term of sort {}", pool.sort(current));
            };
            self.memo.insert(current, value);
            stack.pop();
        }
        self.memo[&term].clone()
    }

    fn variable(&self, pool: &TermPool, variable: Term) -> Option<Value> {
        self.model.get(variable).cloned().or_else(|| Value::default_of(pool.sort(variable)))
    }
}

/// The value of one term under a model.
pub fn evaluate(pool: &TermPool, term: Term, model: &Model) -> Value {
    Evaluator::new(model).value(pool, term)
}
