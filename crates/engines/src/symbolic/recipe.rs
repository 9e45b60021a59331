//! `m(t)`: program terms prepared for evaluation under many memories.

use super::memory::{Memory, Place};
use super::value::{Scalar, Value};
use aster_cfa::Program;
use aster_term::{BitVec, Op, Sort, Term, TermPool};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Where the result of an earlier instruction is.
type Register = u32;

#[derive(Clone, Copy, Debug)]
enum Instruction {
    Constant(Scalar),
    Read(Place),
    /// As `Read`, for the variable that the result is assigned to: nobody else needs its value.
    Take(Place),
    /// `select` from a variable, without making the array a value of its own.
    SelectFrom(Place, Register),
    Select(Register, Register),
    /// The array's register is not read again if `last`.
    Store {
        array: Register,
        index: Register,
        element: Register,
        last: bool,
    },
    Ite([Register; 3]),
    Apply(Op, [Register; 3]),
}

/// A program term as straight-line code, one instruction for each distinct subterm.
#[derive(Debug)]
pub(crate) struct Recipe {
    code: Vec<Instruction>,
    /// The sort of each result.
    sorts: Vec<Sort>,
    /// There is a `store`, so that there is more to compute than words.
    writes_arrays: bool,
}

/// Working memory of recipes, reused from one evaluation to the next.
#[derive(Default)]
pub(crate) struct Registers {
    words: Vec<u64>,
    values: Vec<Value>,
}

impl Recipe {
    /// Prepares a term. If its value will be assigned to `target`, the value that is there may be used up.
    pub(crate) fn new(program: &Program, pool: &TermPool, term: Term, target: Option<Place>) -> Self {
        let mut recipe = Recipe { code: Vec::new(), sorts: Vec::new(), writes_arrays: false };
        let mut position: FxHashMap<Term, Register> = FxHashMap::default();
        let mut stack = vec![term];
        while let Some(&current) = stack.last() {
            if position.contains_key(&current) {
                stack.pop();
                continue;
            }
            let variable = |term| program.variable_of_term(term).map(|it| Place::of(program, it));
            // What is written is computed before the array that it is written to: see `use_up`.
            let args = pool.args(current);
            let needed = match (pool.op(current), args) {
                (Op::Select, [array, _]) if variable(*array).is_some() => &args[1..],
                _ => args,
            };
            let before = stack.len();
            stack.extend(needed.iter().filter(|a| !position.contains_key(a)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let at = |i: usize| position[&args[i]];
            let instruction = match (variable(current), pool.op(current), args) {
                (Some(place), ..) => Instruction::Read(place),
                (_, _, []) => Instruction::Constant(Scalar::of(pool, current)),
                (_, Op::Select, [array, _]) => match variable(*array) {
                    Some(place) => Instruction::SelectFrom(place, at(1)),
                    None => Instruction::Select(at(0), at(1)),
                },
                (_, Op::Store, _) => {
                    Instruction::Store { array: at(0), index: at(1), element: at(2), last: false }
                }
                (_, Op::Ite, _) => Instruction::Ite([at(0), at(1), at(2)]),
                (_, op, _) => {
                    let mut places = [0; 3];
                    for (place, arg) in places.iter_mut().zip(args) {
                        *place = position[arg];
                    }
                    Instruction::Apply(op, places)
                }
            };
            position.insert(current, recipe.code.len() as Register);
            recipe.code.push(instruction);
            recipe.sorts.push(pool.sort(current));
        }
        recipe.writes_arrays = recipe.code.iter().any(|it| matches!(it, Instruction::Store { .. }));
        recipe.use_up(target);
        recipe
    }

    /// Marks where arrays can be changed in place because their old value is not needed any more.
    fn use_up(&mut self, target: Option<Place>) {
        let mut last_use: Vec<usize> = vec![0; self.code.len()];
        let mut last_read_of_target = 0;
        for (at, instruction) in self.code.iter().enumerate() {
            let used: [Register; 3] = match *instruction {
                Instruction::Constant(_) | Instruction::Read(_) | Instruction::Take(_) => continue,
                Instruction::SelectFrom(place, index) => {
                    if Some(place) == target {
                        last_read_of_target = at;
                    }
                    [index; 3]
                }
                Instruction::Select(array, index) => [array, index, index],
                Instruction::Store { array, index, element, .. } => [array, index, element],
                Instruction::Ite(places) => places,
                Instruction::Apply(op, places) => std::array::from_fn(|i| places[i.min(op.arity() - 1)]),
            };
            for register in used {
                last_use[register as usize] = at;
            }
        }
        for (at, instruction) in self.code.iter_mut().enumerate() {
            match instruction {
                Instruction::Store { array, last, .. } => *last = last_use[*array as usize] == at,
                Instruction::Read(place) => {
                    let is_array = matches!(self.sorts[at], Sort::Array { .. });
                    if is_array && Some(*place) == target && last_read_of_target <= at {
                        *instruction = Instruction::Take(*place);
                    }
                }
                _ => {}
            }
        }
    }

    /// `m(t)`; `None` if a variable is read that was never written.
    #[inline]
    pub(crate) fn evaluate(
        &self,
        pool: &mut TermPool,
        memory: &mut Memory,
        registers: &mut Registers,
    ) -> Option<Value> {
        if !self.writes_arrays
            && let Some(word) = self.evaluate_words(pool, memory, &mut registers.words)
        {
            return Some(Value::Scalar(Scalar::Word(word)));
        }
        self.evaluate_values(pool, memory, &mut registers.values)
    }

    /// `m(t)` if all that it takes are words.
    fn evaluate_words(&self, pool: &TermPool, memory: &Memory, words: &mut Vec<u64>) -> Option<u64> {
        words.clear();
        for instruction in &self.code {
            let word = match *instruction {
                Instruction::Constant(Scalar::Word(word)) => word,
                Instruction::Read(place) => match memory.read(place)? {
                    Value::Scalar(Scalar::Word(word)) => *word,
                    _ => return None,
                },
                Instruction::SelectFrom(place, index) => match memory.read(place)? {
                    Value::Array(array) => array.word_at(pool, words[index as usize])?,
                    Value::Scalar(_) => return None,
                },
                Instruction::Ite([condition, then, otherwise]) => {
                    words[if words[condition as usize] != 0 { then } else { otherwise } as usize]
                }
                Instruction::Apply(op, [a, b, _]) => {
                    let bits = self.fold(op, a, b, words[a as usize], Some(words[b as usize]))?;
                    u64::try_from(bits).ok()?
                }
                _ => return None,
            };
            words.push(word);
        }
        words.pop()
    }

    fn evaluate_values(
        &self,
        pool: &mut TermPool,
        memory: &mut Memory,
        registers: &mut Vec<Value>,
    ) -> Option<Value> {
        registers.clear();
        for &instruction in &self.code {
            let value = match instruction {
                Instruction::Constant(scalar) => Value::Scalar(scalar),
                Instruction::Read(place) => memory.read(place)?.clone(),
                Instruction::Take(place) => memory.take(place)?,
                Instruction::SelectFrom(place, index) => {
                    let Value::Scalar(index) = registers[index as usize] else { return None };
                    let Value::Array(array) = memory.read(place)? else { return None };
                    Value::Scalar(array.select(pool, index))
                }
                Instruction::Select(array, index) => {
                    let Value::Scalar(index) = registers[index as usize] else { return None };
                    let Value::Array(array) = &registers[array as usize] else { return None };
                    Value::Scalar(array.select(pool, index))
                }
                Instruction::Store { array, index, element, last } => {
                    let Value::Scalar(index) = registers[index as usize] else { return None };
                    let Value::Scalar(element) = registers[element as usize] else { return None };
                    let register = &mut registers[array as usize];
                    let old = if last {
                        std::mem::replace(register, Value::Scalar(Scalar::Word(0)))
                    } else {
                        register.clone()
                    };
                    let Value::Array(mut array) = old else { return None };
                    Rc::make_mut(&mut array).store(pool, index, element);
                    Value::Array(array)
                }
                Instruction::Ite(places @ [condition, then, otherwise]) => {
                    match registers[condition as usize] {
                        Value::Scalar(Scalar::Word(truth)) => {
                            registers[if truth != 0 { then } else { otherwise } as usize].clone()
                        }
                        _ => self.apply(pool, registers, Op::Ite, places),
                    }
                }
                Instruction::Apply(op, places @ [a, b, _]) => {
                    let word = |register: Register| match registers[register as usize] {
                        Value::Scalar(Scalar::Word(word)) => Some(word),
                        _ => None,
                    };
                    match word(a).and_then(|first| self.fold(op, a, b, first, word(b))) {
                        Some(bits) => Value::Scalar(Scalar::literal(pool, self.sorts[registers.len()], bits)),
                        None => self.apply(pool, registers, op, places),
                    }
                }
            };
            registers.push(value);
        }
        registers.pop()
    }

    /// The application of an operator to the words in two registers, without the pool. Operators of one
    /// argument do not look at the second.
    #[inline]
    fn fold(&self, op: Op, a: Register, b: Register, first: u64, second: Option<u64>) -> Option<u128> {
        let sort = self.sorts[a as usize];
        if op.arity() == 1 {
            return match sort {
                Sort::BitVec(width) => Some(op.apply_unary(BitVec::new(width, first.into()))?.unsigned()),
                _ => (op == Op::Not).then_some(u128::from(first ^ 1)),
            };
        }
        let second = second?;
        Some(match (sort, op, self.sorts[b as usize]) {
            (_, Op::Eq, _) => u128::from(first == second),
            (Sort::Bool, Op::And, _) => u128::from(first & second),
            (Sort::Bool, Op::Or, _) => u128::from(first | second),
            (Sort::Bool, Op::Xor, _) => u128::from(first ^ second),
            (Sort::BitVec(width), _, Sort::BitVec(other)) => {
                let (x, y) = (BitVec::new(width, first.into()), BitVec::new(other, second.into()));
                match op.compare(x, y) {
                    Some(truth) => u128::from(truth),
                    None => op.apply_binary(x, y)?.unsigned(),
                }
            }
            _ => return None,
        })
    }

    /// The application of an operator as a term.
    fn apply(&self, pool: &mut TermPool, registers: &[Value], op: Op, places: [Register; 3]) -> Value {
        let arity = op.arity();
        let term = |pool: &mut TermPool, place: Register| {
            registers[place as usize].term(pool, self.sorts[place as usize])
        };
        // The places after the last argument hold nothing.
        let first = term(pool, places[0]);
        let mut args = [first; 3];
        for (arg, &place) in args.iter_mut().zip(&places).take(arity).skip(1) {
            *arg = term(pool, place);
        }
        let result = pool.apply(op, &args[..arity]);
        Value::of(pool, result)
    }
}
