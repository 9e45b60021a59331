//! Terms as straight-line register code.
//!
//! Each distinct subterm becomes one instruction, whose result goes to the register of the same
//! number, so that shared subterms are computed once. Bit-vectors and truth values are plain `u128`
//! without bits above their width. Arrays and numbers of any size live in registers
//! of their own, as objects.

use super::memory::{Memory, Place};
use crate::program::{Procedure, Program, Var};
use aster_term::{ArrayValue, BitVec, FpOp, Op, Sort, Term, TermPool, Value};
use rustc_hash::FxHashMap;

type Register = u32;

#[derive(Clone, Copy, Debug)]
enum Unary {
    BoolNot,
    Not,
    Neg,
    RotateLeft(u8),
    Extract { low: u8 },
    SignExtend { from: u8 },
}

#[derive(Clone, Copy, Debug)]
enum Binary {
    And,
    Or,
    Xor,
    Eq,
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Shl,
    Lshr,
    Ashr,
    Ult,
    Ule,
    Slt,
    Sle,
    /// The right operand has this many bits.
    Concat(u8),
}

/// `width` is that of the result, except for comparisons, where it is that of the operands.
#[derive(Clone, Copy, Debug)]
enum Instruction {
    Constant(u32),
    Load {
        place: Place,
        variable: Var,
    },
    Unary {
        op: Unary,
        width: u8,
        a: Register,
    },
    Binary {
        op: Binary,
        width: u8,
        a: Register,
        b: Register,
    },
    Ite {
        condition: Register,
        a: Register,
        b: Register,
    },
    /// The operator stands in a table of its own; unused registers are zero.
    Float {
        operator: u32,
        args: [Register; 3],
    },
    Select {
        array: Register,
        index: Register,
        index_width: u8,
    },
    EqObject {
        a: Register,
        b: Register,
    },
    LoadObject {
        place: Place,
        variable: Var,
    },
    ConstArray {
        index_width: u8,
        element: Register,
        element_width: u8,
    },
    Store {
        array: Register,
        index: Register,
        element: Register,
        index_width: u8,
        element_width: u8,
    },
    IteObject {
        condition: Register,
        a: Register,
        b: Register,
    },
    /// An integer or real literal, from a table of its own.
    Number(u32),
    /// An operator on numbers; unused registers are zero.
    Arithmetic {
        op: Op,
        args: [Register; 2],
    },
}

/// An operator on floats with the width of its arguments.
#[derive(Clone, Copy, Debug)]
struct FloatOperator {
    op: FpOp,
    width: u8,
}

/// The code of one term.
#[derive(Clone, Debug)]
pub(super) struct Code {
    instructions: Box<[Instruction]>,
    constants: Box<[u128]>,
    floats: Box<[FloatOperator]>,
    numbers: Box<[Value]>,
    result: Register,
    has_objects: bool,
}

/// Working memory of [`Code`], reused from one evaluation to the next.
#[derive(Default)]
pub(super) struct Registers {
    bits: Vec<u128>,
    objects: Vec<Option<Value>>,
}

/// A variable was read before anything was assigned to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unassigned(pub Var);

fn mask(width: u8) -> u128 {
    u128::MAX >> (128 - u32::from(width))
}

impl Code {
    /// Compiles a term for frames of `procedure`. The error says which law the term breaks.
    pub(super) fn compile(
        program: &Program,
        pool: &TermPool,
        memory: &Memory,
        procedure: Procedure,
        term: Term,
    ) -> Result<Code, String> {
        let mut compiler = Compiler {
            program,
            pool,
            memory,
            procedure,
            instructions: Vec::new(),
            constants: Vec::new(),
            floats: Vec::new(),
            numbers: Vec::new(),
            registers: FxHashMap::default(),
            has_objects: false,
        };
        let result = compiler.term(term)?;
        Ok(Code {
            instructions: compiler.instructions.into_boxed_slice(),
            constants: compiler.constants.into_boxed_slice(),
            floats: compiler.floats.into_boxed_slice(),
            numbers: compiler.numbers.into_boxed_slice(),
            result,
            has_objects: compiler.has_objects,
        })
    }

    /// The value of a Boolean (0 or 1) or bit-vector term.
    pub(super) fn bits(&self, memory: &Memory, registers: &mut Registers) -> Result<u128, Unassigned> {
        self.execute(memory, registers)?;
        let result = registers.bits[self.result as usize];
        if self.has_objects {
            registers.objects.clear();
        }
        Ok(result)
    }

    /// The value of a term that is an array or a number.
    pub(super) fn object(
        &self,
        memory: &Memory,
        registers: &mut Registers,
    ) -> Result<Option<Value>, Unassigned> {
        self.execute(memory, registers)?;
        let result = registers.objects[self.result as usize].take();
        registers.objects.clear();
        Ok(result)
    }

    fn execute(&self, memory: &Memory, registers: &mut Registers) -> Result<(), Unassigned> {
        let count = self.instructions.len();
        if registers.bits.len() < count {
            registers.bits.resize(count, 0);
        }
        if self.has_objects {
            registers.objects.clear();
            registers.objects.resize(count, None);
        }
        for (at, instruction) in self.instructions.iter().enumerate() {
            let r = &registers.bits;
            let value = match *instruction {
                Instruction::Constant(index) => self.constants[index as usize],
                Instruction::Load { place, variable } => memory.bits(place).ok_or(Unassigned(variable))?,
                Instruction::Unary { op, width, a } => unary(op, width, r[a as usize]),
                Instruction::Binary { op, width, a, b } => binary(op, width, r[a as usize], r[b as usize]),
                Instruction::Ite { condition, a, b } => {
                    r[if r[condition as usize] != 0 { a } else { b } as usize]
                }
                Instruction::Float { operator, args } => {
                    float(self.floats[operator as usize], args.map(|a| r[a as usize]))
                }
                _ => self.execute_object(instruction, at, memory, registers)?,
            };
            registers.bits[at] = value;
        }
        Ok(())
    }

    #[inline(never)]
    fn execute_object(
        &self,
        instruction: &Instruction,
        at: usize,
        memory: &Memory,
        registers: &mut Registers,
    ) -> Result<u128, Unassigned> {
        let r = &registers.bits;
        let objects = &registers.objects;
        let object = |register: Register| objects[register as usize].as_ref();
        let array = |register: Register| object(register).and_then(Value::as_array);
        let result = match *instruction {
            Instruction::Select { array: from, index, index_width } => {
                let index = BitVec::new(u32::from(index_width), r[index as usize]);
                return Ok(array(from).map_or(0, |array| array.select(index).unsigned()));
            }
            Instruction::EqObject { a, b } => return Ok(u128::from(object(a) == object(b))),
            Instruction::LoadObject { place, variable } => {
                Some(memory.object(place).ok_or(Unassigned(variable))?.clone())
            }
            Instruction::ConstArray { index_width, element, element_width } => {
                let element = BitVec::new(u32::from(element_width), r[element as usize]);
                Some(Value::Array(ArrayValue::constant(u32::from(index_width), element)))
            }
            Instruction::Store { array: to, index, element, index_width, element_width } => {
                let index = BitVec::new(u32::from(index_width), r[index as usize]);
                let element = BitVec::new(u32::from(element_width), r[element as usize]);
                array(to).map(|array| Value::Array(array.store(index, element)))
            }
            Instruction::IteObject { condition, a, b } => {
                object(if r[condition as usize] != 0 { a } else { b }).cloned()
            }
            Instruction::Number(index) => Some(self.numbers[index as usize].clone()),
            Instruction::Arithmetic { op, args: [a, b] } => {
                let value = match (op.arity(), object(a), object(b)) {
                    (1, Some(a), _) => op.apply(std::slice::from_ref(a)),
                    (_, Some(a), Some(b)) => op.apply(&[a.clone(), b.clone()]),
                    _ => None,
                };
                if let Some(Value::Bool(truth)) = value {
                    return Ok(u128::from(truth));
                }
                value
            }
            Instruction::Constant(_)
            | Instruction::Load { .. }
            | Instruction::Unary { .. }
            | Instruction::Binary { .. }
            | Instruction::Ite { .. }
            | Instruction::Float { .. } => unreachable!("scalar instructions are executed by the caller"),
        };
        registers.objects[at] = result;
        Ok(0)
    }
}

#[inline]
fn unary(op: Unary, width: u8, a: u128) -> u128 {
    match op {
        Unary::BoolNot => a ^ 1,
        Unary::Not => !a & mask(width),
        Unary::Neg => a.wrapping_neg() & mask(width),
        Unary::RotateLeft(by) => BitVec::new(u32::from(width), a).rotate_left(u32::from(by)).unsigned(),
        Unary::Extract { low } => (a >> low) & mask(width),
        Unary::SignExtend { from } => {
            let sign = 1u128 << (from - 1);
            ((a ^ sign).wrapping_sub(sign)) & mask(width)
        }
    }
}

#[inline]
fn binary(op: Binary, width: u8, a: u128, b: u128) -> u128 {
    let of = |bits| BitVec::new(u32::from(width), bits);
    // Flipping the sign bit turns the signed order into the unsigned one.
    let sign = || 1u128 << (width - 1);
    match op {
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Eq => u128::from(a == b),
        Binary::Add => a.wrapping_add(b) & mask(width),
        Binary::Sub => a.wrapping_sub(b) & mask(width),
        Binary::Mul => a.wrapping_mul(b) & mask(width),
        Binary::Udiv => of(a).udiv(of(b)).unsigned(),
        Binary::Urem => of(a).urem(of(b)).unsigned(),
        Binary::Sdiv => of(a).sdiv(of(b)).unsigned(),
        Binary::Srem => of(a).srem(of(b)).unsigned(),
        Binary::Shl if b < u128::from(width) => (a << b) & mask(width),
        Binary::Lshr if b < u128::from(width) => a >> b,
        Binary::Shl | Binary::Lshr => 0,
        Binary::Ashr => {
            let extended = (a ^ sign()).wrapping_sub(sign()) as i128;
            (extended >> b.min(u128::from(width) - 1)) as u128 & mask(width)
        }
        Binary::Ult => u128::from(a < b),
        Binary::Ule => u128::from(a <= b),
        Binary::Slt => u128::from((a ^ sign()) < (b ^ sign())),
        Binary::Sle => u128::from((a ^ sign()) <= (b ^ sign())),
        Binary::Concat(low) => (a << low) | b,
    }
}

#[inline(never)]
fn float(FloatOperator { op, width }: FloatOperator, args: [u128; 3]) -> u128 {
    let args = args.map(|bits| BitVec::new(u32::from(width), bits));
    // Sorts were checked when the term was made, so there is a value.
    op.apply(&args[..op.arity()]).map_or(0, BitVec::unsigned)
}

struct Compiler<'a> {
    program: &'a Program,
    pool: &'a TermPool,
    memory: &'a Memory,
    procedure: Procedure,
    instructions: Vec<Instruction>,
    constants: Vec<u128>,
    floats: Vec<FloatOperator>,
    numbers: Vec<Value>,
    registers: FxHashMap<Term, Register>,
    has_objects: bool,
}

impl Compiler<'_> {
    fn term(&mut self, root: Term) -> Result<Register, String> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.registers.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(self.pool.args(term).iter().filter(|a| !self.registers.contains_key(a)));
            if stack.len() > before {
                continue;
            }
            let register = self.application(term)?;
            self.registers.insert(term, register);
            stack.pop();
        }
        Ok(self.registers[&root])
    }

    fn emit(&mut self, instruction: Instruction) -> Register {
        self.instructions.push(instruction);
        (self.instructions.len() - 1) as Register
    }

    fn constant(&mut self, bits: u128) -> Register {
        self.constants.push(bits);
        self.emit(Instruction::Constant((self.constants.len() - 1) as u32))
    }

    /// Widths are at most 128 by the law of sorts, so they fit a byte.
    fn width(&self, term: Term) -> Result<u8, String> {
        match self.pool.sort(term) {
            Sort::Bool => Ok(1),
            Sort::BitVec(width) => Ok(width as u8),
            sort => Err(format!("values of sort {sort} cannot be computed")),
        }
    }

    fn array_widths(&self, term: Term) -> Result<(u8, u8), String> {
        match self.pool.sort(term) {
            Sort::Array { index, element } => Ok((index as u8, element as u8)),
            sort => Err(format!("an array was expected, not a value of sort {sort}")),
        }
    }

    fn is_object(&self, term: Term) -> bool {
        matches!(self.pool.sort(term), Sort::Array { .. } | Sort::Int | Sort::Real)
    }

    /// The instruction for a term whose arguments have their registers.
    fn application(&mut self, term: Term) -> Result<Register, String> {
        let pool = self.pool;
        let args = pool.args(term);
        let register = |at: usize| self.registers[&args[at]];
        let instruction = match pool.op(term) {
            Op::Variable(_) => return self.variable(term),
            Op::BoolConst(value) => return Ok(self.constant(u128::from(value))),
            Op::BvConst(bits) => return Ok(self.constant(bits)),
            Op::Not => self.unary(Unary::BoolNot, term)?,
            Op::And | Op::BvAnd => self.binary(Binary::And, term)?,
            Op::Or | Op::BvOr => self.binary(Binary::Or, term)?,
            Op::Xor | Op::BvXor => self.binary(Binary::Xor, term)?,
            Op::Eq if self.is_object(args[0]) => Instruction::EqObject { a: register(0), b: register(1) },
            Op::Eq => self.comparison(Binary::Eq, term)?,
            Op::Ite => {
                let (condition, a, b) = (register(0), register(1), register(2));
                if self.is_object(term) {
                    Instruction::IteObject { condition, a, b }
                } else {
                    self.width(term)?;
                    Instruction::Ite { condition, a, b }
                }
            }
            Op::BvNot => self.unary(Unary::Not, term)?,
            Op::BvNeg => self.unary(Unary::Neg, term)?,
            Op::BvAdd => self.binary(Binary::Add, term)?,
            Op::BvSub => self.binary(Binary::Sub, term)?,
            Op::BvMul => self.binary(Binary::Mul, term)?,
            Op::BvUdiv => self.binary(Binary::Udiv, term)?,
            Op::BvUrem => self.binary(Binary::Urem, term)?,
            Op::BvSdiv => self.binary(Binary::Sdiv, term)?,
            Op::BvSrem => self.binary(Binary::Srem, term)?,
            Op::BvShl => self.binary(Binary::Shl, term)?,
            Op::BvLshr => self.binary(Binary::Lshr, term)?,
            Op::BvAshr => self.binary(Binary::Ashr, term)?,
            Op::BvRotateLeft(by) => {
                let width = self.width(term)?;
                self.unary(Unary::RotateLeft((by % u32::from(width)) as u8), term)?
            }
            Op::BvRotateRight(by) => {
                let width = self.width(term)?;
                let left = u32::from(width) - by % u32::from(width);
                self.unary(Unary::RotateLeft(left as u8), term)?
            }
            Op::BvUlt => self.comparison(Binary::Ult, term)?,
            Op::BvUle => self.comparison(Binary::Ule, term)?,
            Op::BvSlt => self.comparison(Binary::Slt, term)?,
            Op::BvSle => self.comparison(Binary::Sle, term)?,
            Op::BvConcat => {
                let low = self.width(args[1])?;
                self.binary(Binary::Concat(low), term)?
            }
            Op::BvExtract { low, .. } => self.unary(Unary::Extract { low: low as u8 }, term)?,
            // No bits above the width means that there is nothing to do.
            Op::BvZeroExtend(_) => return Ok(register(0)),
            Op::BvSignExtend(_) => {
                let from = self.width(args[0])?;
                self.unary(Unary::SignExtend { from }, term)?
            }
            Op::ConstArray { index } => Instruction::ConstArray {
                index_width: index as u8,
                element: register(0),
                element_width: self.width(args[0])?,
            },
            Op::Select => Instruction::Select {
                array: register(0),
                index: register(1),
                index_width: self.array_widths(args[0])?.0,
            },
            Op::Store => {
                let (index_width, element_width) = self.array_widths(term)?;
                let (array, index, element) = (register(0), register(1), register(2));
                Instruction::Store { array, index, element, index_width, element_width }
            }
            Op::Fp(op) => {
                let mut places = [0; 3];
                for (place, arg) in places.iter_mut().zip(args) {
                    *place = self.registers[arg];
                }
                let width = self.width(args[0])?;
                self.floats.push(FloatOperator { op, width });
                Instruction::Float { operator: (self.floats.len() - 1) as u32, args: places }
            }
            Op::NumberConst(_) => {
                self.numbers.extend(pool.constant(term));
                Instruction::Number((self.numbers.len() - 1) as u32)
            }
            op @ (Op::NumAdd
            | Op::NumSub
            | Op::NumNeg
            | Op::NumMul
            | Op::NumLe
            | Op::NumLt
            | Op::IntDiv
            | Op::IntMod
            | Op::ToReal
            | Op::ToInt) => Instruction::Arithmetic {
                op,
                args: [register(0), if op.arity() > 1 { register(1) } else { 0 }],
            },
        };
        self.has_objects |= self.is_object(term) || args.first().is_some_and(|&a| self.is_object(a));
        Ok(self.emit(instruction))
    }

    fn unary(&self, op: Unary, term: Term) -> Result<Instruction, String> {
        let a = self.registers[&self.pool.args(term)[0]];
        Ok(Instruction::Unary { op, width: self.width(term)?, a })
    }

    fn binary(&self, op: Binary, term: Term) -> Result<Instruction, String> {
        let width = self.width(term)?;
        Ok(self.with_width(op, width, term))
    }

    fn comparison(&self, op: Binary, term: Term) -> Result<Instruction, String> {
        let width = self.width(self.pool.args(term)[0])?;
        Ok(self.with_width(op, width, term))
    }

    fn with_width(&self, op: Binary, width: u8, term: Term) -> Instruction {
        let args = self.pool.args(term);
        Instruction::Binary { op, width, a: self.registers[&args[0]], b: self.registers[&args[1]] }
    }

    fn variable(&mut self, term: Term) -> Result<Register, String> {
        let Some(variable) = self.program.variable_of_term(term) else {
            let name = self.pool.variable_name(term).unwrap_or("?");
            return Err(format!("`{name}` is not a variable of the program"));
        };
        let place = self.memory.place(self.program, self.procedure, variable)?;
        Ok(match self.program.variable(variable).sort {
            Sort::Array { .. } | Sort::Int | Sort::Real => {
                self.has_objects = true;
                self.emit(Instruction::LoadObject { place, variable })
            }
            _ => self.emit(Instruction::Load { place, variable }),
        })
    }
}
