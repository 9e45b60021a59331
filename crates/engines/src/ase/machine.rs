//! Concrete states by arithmetic of the machine: the guards, the assignments, the predicates and the error condition
//! of a system as one program without jumps.

use super::abstraction::Predicates;
use super::{Assigned, System};
use aster_term::{Op, Sort, Term, TermPool};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The values of all variables of a system, in their order; truth values are 0 and 1.
pub(super) type Concrete = Rc<[i64]>;

/// Where a result is found.
type Register = usize;

#[derive(Clone, Copy, Debug)]
enum Instruction {
    Variable(usize),
    Constant(i64),
    Not(Register),
    And(Register, Register),
    Or(Register, Register),
    Xor(Register, Register),
    Equal(Register, Register),
    Choose(Register, Register, Register),
    Add(Register, Register),
    Subtract(Register, Register),
    Multiply(Register, Register),
    AtMost(Register, Register),
    Less(Register, Register),
    Quotient(Register, Register),
    Remainder(Register, Register),
}

/// The program.
pub(super) struct Machine {
    instructions: Vec<Instruction>,
    predicates: Vec<Register>,
    guards: Vec<Register>,
    /// For each transition the positions that it assigns to; `None` if one of them gets an input.
    assignments: Vec<Option<Vec<(usize, Register)>>>,
    error: Register,
    /// The results of the last evaluation.
    registers: Vec<i64>,
}

impl Machine {
    /// The program of a system; `None` if it needs more than integers that fit into 64 bits.
    pub(super) fn new(pool: &TermPool, system: &System, predicates: &Predicates) -> Option<Self> {
        let variables = system.variables.iter().enumerate();
        let variables = variables.map(|(position, variable)| (variable.term, position)).collect();
        let mut compiler =
            Compiler { pool, variables, registers: FxHashMap::default(), instructions: Vec::new() };
        let predicates = compiler.all(predicates.terms().iter().copied())?;
        let guards = compiler.all(system.transitions.iter().map(|transition| transition.guard))?;
        let error = compiler.register(system.error)?;
        let mut assignments = Vec::with_capacity(system.transitions.len());
        for transition in &system.transitions {
            let mut assigned = Some(Vec::new());
            for &(position, value) in &transition.assignments {
                match value {
                    Assigned::Term(term) => {
                        let register = compiler.register(term)?;
                        if let Some(assigned) = &mut assigned {
                            assigned.push((position, register));
                        }
                    }
                    Assigned::Nondet => assigned = None,
                }
            }
            assignments.push(assigned);
        }
        let registers = vec![0; compiler.instructions.len()];
        Some(Machine {
            instructions: compiler.instructions,
            predicates,
            guards,
            assignments,
            error,
            registers,
        })
    }

    /// Computes everything for a state. False if a number does not fit.
    pub(super) fn evaluate(&mut self, state: &[i64]) -> bool {
        for (position, &instruction) in self.instructions.iter().enumerate() {
            let of = |register: Register| self.registers[register];
            let result = match instruction {
                Instruction::Variable(variable) => Some(state[variable]),
                Instruction::Constant(value) => Some(value),
                Instruction::Not(a) => Some(1 - of(a)),
                Instruction::And(a, b) => Some(of(a) & of(b)),
                Instruction::Or(a, b) => Some(of(a) | of(b)),
                Instruction::Xor(a, b) => Some(of(a) ^ of(b)),
                Instruction::Equal(a, b) => Some(i64::from(of(a) == of(b))),
                Instruction::Choose(condition, a, b) => Some(if of(condition) == 1 { of(a) } else { of(b) }),
                Instruction::Add(a, b) => of(a).checked_add(of(b)),
                Instruction::Subtract(a, b) => of(a).checked_sub(of(b)),
                Instruction::Multiply(a, b) => of(a).checked_mul(of(b)),
                Instruction::AtMost(a, b) => Some(i64::from(of(a) <= of(b))),
                Instruction::Less(a, b) => Some(i64::from(of(a) < of(b))),
                Instruction::Quotient(_, b) | Instruction::Remainder(_, b) if of(b) == 0 => Some(0),
                Instruction::Quotient(a, b) => of(a).checked_div_euclid(of(b)),
                Instruction::Remainder(a, b) => of(a).checked_rem_euclid(of(b)),
            };
            let Some(result) = result else { return false };
            self.registers[position] = result;
        }
        true
    }

    /// The valuation of the predicates in the state that was evaluated last.
    pub(super) fn predicates(&self) -> Vec<bool> {
        self.predicates.iter().map(|&register| self.registers[register] == 1).collect()
    }

    /// The transitions that are enabled in it.
    pub(super) fn enabled(&self) -> Vec<usize> {
        (0..self.guards.len()).filter(|&transition| self.registers[self.guards[transition]] == 1).collect()
    }

    /// Whether it is an error.
    pub(super) fn is_error(&self) -> bool {
        self.registers[self.error] == 1
    }

    /// The state after a transition from it, given once more; `None` if that depends on inputs.
    pub(super) fn after(&self, state: &[i64], transition: usize) -> Option<Concrete> {
        let assigned = self.assignments[transition].as_ref()?;
        let mut after: Concrete = state.into();
        let values = Rc::make_mut(&mut after);
        for &(position, register) in assigned {
            values[position] = self.registers[register];
        }
        Some(after)
    }
}

struct Compiler<'a> {
    pool: &'a TermPool,
    variables: FxHashMap<Term, usize>,
    registers: FxHashMap<Term, Register>,
    instructions: Vec<Instruction>,
}

impl Compiler<'_> {
    fn all(&mut self, terms: impl Iterator<Item = Term>) -> Option<Vec<Register>> {
        terms.map(|term| self.register(term)).collect()
    }

    /// The register that holds a term, with all that it needs computed before.
    fn register(&mut self, term: Term) -> Option<Register> {
        let mut stack = vec![term];
        while let Some(&current) = stack.last() {
            if self.registers.contains_key(&current) {
                stack.pop();
                continue;
            }
            let open = stack.len();
            let args = self.pool.args(current);
            stack.extend(args.iter().filter(|argument| !self.registers.contains_key(argument)));
            if stack.len() > open {
                continue;
            }
            let args: Vec<Register> = args.iter().map(|argument| self.registers[argument]).collect();
            let instruction = self.instruction(current, &args)?;
            self.registers.insert(current, self.instructions.len());
            self.instructions.push(instruction);
            stack.pop();
        }
        self.registers.get(&term).copied()
    }

    fn instruction(&mut self, term: Term, args: &[Register]) -> Option<Instruction> {
        if !matches!(self.pool.sort(term), Sort::Bool | Sort::Int) {
            return None;
        }
        Some(match (self.pool.op(term), args) {
            (Op::Variable(_), _) => Instruction::Variable(*self.variables.get(&term)?),
            (Op::BoolConst(truth), _) => Instruction::Constant(truth.into()),
            (Op::NumberConst(_), _) => Instruction::Constant(self.pool.rational_constant(term)?.to_i64()?),
            (Op::Not, &[a]) => Instruction::Not(a),
            (Op::And, &[a, b]) => Instruction::And(a, b),
            (Op::Or, &[a, b]) => Instruction::Or(a, b),
            (Op::Xor, &[a, b]) => Instruction::Xor(a, b),
            (Op::Eq, &[a, b]) => Instruction::Equal(a, b),
            (Op::Ite, &[condition, a, b]) => Instruction::Choose(condition, a, b),
            (Op::NumAdd, &[a, b]) => Instruction::Add(a, b),
            (Op::NumSub, &[a, b]) => Instruction::Subtract(a, b),
            (Op::NumMul, &[a, b]) => Instruction::Multiply(a, b),
            (Op::NumLe, &[a, b]) => Instruction::AtMost(a, b),
            (Op::NumLt, &[a, b]) => Instruction::Less(a, b),
            (Op::IntDiv, &[a, b]) => Instruction::Quotient(a, b),
            (Op::IntMod, &[a, b]) => Instruction::Remainder(a, b),
            (Op::NumNeg, &[a]) => {
                self.instructions.push(Instruction::Constant(0));
                Instruction::Subtract(self.instructions.len() - 1, a)
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Assigned, System, Transition, Variable};
    use super::{Machine, Predicates};
    use aster_term::{Model, Sort, Term, TermPool, Value, evaluate};

    fn variable(pool: &mut TermPool, name: &str, sort: Sort) -> Variable {
        let (term, domain) = (pool.variable(name, sort), pool.bool(true));
        Variable { name: name.to_owned(), term, domain, initial: None, is_control: false }
    }

    /// One transition for each formula, which assigns a number to x.
    fn system(pool: &mut TermPool, formulas: &[Term], numbers: &[Term], variables: Vec<Variable>) -> System {
        let transitions = formulas.iter().zip(numbers.iter().cycle()).map(|(&guard, &number)| Transition {
            guard,
            assignments: vec![(0, Assigned::Term(number))],
            process: 0,
        });
        let transitions = transitions.collect();
        System { variables, init: pool.bool(true), transitions, error: formulas[0], processes: Vec::new() }
    }

    #[test]
    fn agrees_with_the_evaluator() {
        let mut pool = TermPool::new();
        let pool = &mut pool;
        let variables: Vec<Variable> = [("x", Sort::Int), ("y", Sort::Int), ("b", Sort::Bool)]
            .into_iter()
            .map(|(name, sort)| variable(pool, name, sort))
            .collect();
        let [x, y, b] = [0, 1, 2].map(|position: usize| variables[position].term);
        let (three, minus_two) = (pool.int(3), pool.int(-2));
        let product = pool.num_mul(x, minus_two);
        let sum = pool.num_add(product, y);
        let difference = pool.num_sub(x, y);
        let negative = pool.num_neg(y);
        let quotient = pool.int_div(x, three);
        let rest = pool.int_mod(sum, minus_two);
        let choice = pool.ite(b, sum, rest);
        let numbers = [sum, difference, negative, quotient, rest, choice];
        let at_most = pool.num_le(sum, difference);
        let less = pool.num_lt(quotient, rest);
        let equal = pool.eq(choice, negative);
        let both = pool.and(at_most, b);
        let either = pool.or(less, equal);
        let unlike = pool.xor(both, either);
        let neither = pool.not(either);
        let formulas = [at_most, less, equal, both, either, unlike, neither];
        let system = system(pool, &formulas, &numbers, variables);
        let predicates = Predicates::of_system(&system, pool);
        let mut machine = Machine::new(pool, &system, &predicates).unwrap();
        for (value_of_x, value_of_y) in (-7..8).flat_map(|x| (-7..8).map(move |y| (x, y))) {
            for truth in [false, true] {
                let state = [value_of_x, value_of_y, i64::from(truth)];
                assert!(machine.evaluate(&state));
                let mut model = Model::new();
                model.insert(x, Value::Int(value_of_x.into()));
                model.insert(y, Value::Int(value_of_y.into()));
                model.insert(b, Value::Bool(truth));
                let is_true = |&formula: &Term| evaluate(pool, formula, &model) == Value::Bool(true);
                let enabled: Vec<usize> = (0..formulas.len()).filter(|&i| is_true(&formulas[i])).collect();
                assert_eq!(machine.enabled(), enabled);
                assert_eq!(machine.is_error(), is_true(&formulas[0]));
                assert_eq!(machine.predicates(), predicates.terms().iter().map(is_true).collect::<Vec<_>>());
                for transition in 0..formulas.len() {
                    let after = machine.after(&state, transition).unwrap();
                    let number = evaluate(pool, numbers[transition % numbers.len()], &model);
                    assert_eq!(Value::Int(after[0].into()), number);
                    assert_eq!(after[1..], state[1..]);
                }
            }
        }
    }

    #[test]
    fn refuses_what_does_not_fit() {
        let mut pool = TermPool::new();
        let variables = vec![variable(&mut pool, "x", Sort::Int)];
        let x = variables[0].term;
        let double = pool.num_add(x, x);
        let zero = pool.int(0);
        let guard = pool.num_le(zero, double);
        let system = system(&mut pool, &[guard], &[double], variables);
        let predicates = Predicates::of_system(&system, &mut pool);
        let mut machine = Machine::new(&pool, &system, &predicates).unwrap();
        assert!(machine.evaluate(&[1 << 40]));
        assert!(!machine.evaluate(&[i64::MAX]));
    }
}
