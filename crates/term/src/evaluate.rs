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
            (Op::BvConst(_) | Op::BoolConst(_) | Op::NumberConst(_), _) => pool.constant(term),
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
            (Op::Select, &[array, index]) => return self.read(pool, array, index, stack),
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

    /// The value of `select(array, index)`. Writes are looked through for the one that counts: making the value of
    /// each array in a long chain of writes would take far more time and memory.
    fn read(&self, pool: &TermPool, array: Term, index: Term, stack: &mut Vec<Term>) -> Step {
        let index = match self.known(pool, index) {
            Some(Value::BitVec(bits)) => bits,
            _ => return Step::Missing(index),
        };
        let mut array = array;
        loop {
            let element = match (pool.op(array), pool.args(array)) {
                (Op::Store, &[before, at, element]) => match self.known(pool, at) {
                    Some(at) if at.as_bit_vec() == Some(index) => element,
                    Some(_) => {
                        array = before;
                        continue;
                    }
                    None => {
                        self.push_unknown_indices(pool, array, stack);
                        return Step::Pushed;
                    }
                },
                (Op::Ite, &[condition, then, otherwise]) => match self.known(pool, condition) {
                    Some(truth) => {
                        array = if truth.as_bool() == Some(true) { then } else { otherwise };
                        continue;
                    }
                    None => return Step::Missing(condition),
                },
                (Op::ConstArray { .. }, &[element]) => element,
                _ => match self.variable(pool, array) {
                    Some(Value::Array(value)) => return Step::Value(Value::BitVec(value.select(index))),
                    _ => panic!("no value for a term of sort {}", pool.sort(array)),
                },
            };
            return self.known(pool, element).map_or(Step::Missing(element), Step::Value);
        }
    }

    /// All indices of a chain of writes that have no value yet, so that they are found in one pass.
    fn push_unknown_indices(&self, pool: &TermPool, mut array: Term, stack: &mut Vec<Term>) {
        while let (Op::Store, &[before, at, _]) = (pool.op(array), pool.args(array)) {
            if self.known(pool, at).is_none() {
                stack.push(at);
            }
            array = before;
        }
    }

    /// The value of a literal, or of a term that was evaluated before.
    fn known(&self, pool: &TermPool, term: Term) -> Option<Value> {
        match pool.op(term) {
            Op::BvConst(_) | Op::BoolConst(_) | Op::NumberConst(_) => pool.constant(term),
            _ => self.memo.get(&term).cloned(),
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
    use crate::value::{ArrayValue, BitVec};

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
        let is_number = pool.apply_raw(Op::NumLe, &[number, number]);
        let mut model = Model::new();
        model.insert(number, Value::Bool(true));
        let chosen = pool.apply_raw(Op::Ite, &[p, is_number, p]);
        let both = pool.apply_raw(Op::And, &[p, is_number]);
        let either = pool.apply_raw(Op::Or, &[chosen, both]);
        // The value is not one of an integer, so looking at it would panic.
        assert_eq!(evaluate(&pool, either, &model), Value::Bool(false));
    }

    /// Reads from a long chain with known and unknown indices, choices included, give what the value of the whole
    /// chain says.
    #[test]
    fn reads_look_through_writes() {
        let mut pool = TermPool::new();
        let sort = Sort::Array { index: 8, element: 8 };
        let (memory, p) = (pool.variable("memory", sort), pool.variable("p", Sort::Bool));
        let unknown: Vec<Term> = (0..10).map(|i| pool.variable(&format!("i{i}"), Sort::BitVec(8))).collect();
        let mut model = Model::new();
        for (i, &variable) in unknown.iter().enumerate() {
            model.insert(variable, Value::BitVec(BitVec::new(8, 7 * i as u128)));
        }
        let contents = ArrayValue::constant(8, BitVec::new(8, 99));
        model.insert(memory, Value::Array(contents.store(BitVec::new(8, 200), BitVec::new(8, 1))));
        model.insert(p, Value::Bool(true));
        let mut chain = memory;
        for i in 0..60u128 {
            let index = if i % 3 == 0 { unknown[i as usize % 10] } else { pool.bv(8, i * 5) };
            let (element, base) = (pool.bv(8, i), if i == 30 { memory } else { chain });
            let written = pool.apply_raw(Op::Store, &[base, index, element]);
            chain = if i % 20 == 10 { pool.apply_raw(Op::Ite, &[p, written, chain]) } else { written };
        }
        let whole = evaluate(&pool, chain, &model);
        for index in 0..=255 {
            let index = pool.bv(8, index);
            let read = pool.apply_raw(Op::Select, &[chain, index]);
            let index = pool.bv_constant(index).unwrap();
            let expected = Value::BitVec(whole.as_array().unwrap().select(index));
            assert_eq!(evaluate(&pool, read, &model), expected, "{index}");
        }
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
