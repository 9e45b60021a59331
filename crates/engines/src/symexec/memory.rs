//! Symbolic memory `m`: a term over inputs for each program variable, and `m(t)`.
//!
//! Copies share structure: forking a state costs the same whatever it holds.

use aster_cfa::{Program, Var};
use aster_term::{Op, Term, TermPool};
use imbl::Vector;
use rustc_hash::FxHashMap;

/// The values of one frame's variables by slot; `None` before the first write.
type Cells = Vector<Option<Term>>;

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Global(u32),
    /// In the frame on top.
    Local(u32),
}

impl Place {
    pub(super) fn of(program: &Program, variable: Var) -> Self {
        let slot = program.slot(variable) as u32;
        match program.variable(variable).owner {
            Some(_) => Place::Local(slot),
            None => Place::Global(slot),
        }
    }
}

/// The symbolic memory of a state: globals and a stack of frames.
#[derive(Clone)]
pub(super) struct Memory {
    globals: Cells,
    frames: Vector<Cells>,
}

impl Memory {
    /// Nothing is written yet, and there is one frame.
    pub(super) fn new(globals: usize, locals: usize) -> Self {
        Memory { globals: empty_cells(globals), frames: Vector::unit(empty_cells(locals)) }
    }

    pub(super) fn push_frame(&mut self, locals: usize) {
        self.frames.push_back(empty_cells(locals));
    }

    pub(super) fn pop_frame(&mut self) {
        self.frames.pop_back();
    }

    pub(super) fn read(&self, place: Place) -> Option<Term> {
        match place {
            Place::Global(slot) => *self.globals.get(slot as usize)?,
            Place::Local(slot) => *self.frames.back()?.get(slot as usize)?,
        }
    }

    pub(super) fn write(&mut self, place: Place, value: Term) {
        let cell = match place {
            Place::Global(slot) => self.globals.get_mut(slot as usize),
            Place::Local(slot) => self.frames.back_mut().and_then(|frame| frame.get_mut(slot as usize)),
        };
        if let Some(cell) = cell {
            *cell = Some(value);
        }
    }
}

fn empty_cells(count: usize) -> Cells {
    std::iter::repeat_n(None, count).collect()
}

#[derive(Clone, Copy, Debug)]
enum Instruction {
    Constant(Term),
    Read(Place),
    /// The arguments are positions of earlier instructions.
    Apply(Op, [u32; 3]),
}

/// A program term prepared for evaluation under many memories: its subterms in an order in which
/// arguments come first.
#[derive(Debug)]
pub(super) struct Recipe {
    code: Vec<Instruction>,
}

impl Recipe {
    pub(super) fn new(program: &Program, pool: &TermPool, term: Term) -> Self {
        let mut code = Vec::new();
        let mut position: FxHashMap<Term, u32> = FxHashMap::default();
        let mut stack = vec![term];
        while let Some(&current) = stack.last() {
            if position.contains_key(&current) {
                stack.pop();
                continue;
            }
            let args = pool.args(current);
            let before = stack.len();
            stack.extend(args.iter().filter(|a| !position.contains_key(a)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let instruction = match program.variable_of_term(current) {
                Some(variable) => Instruction::Read(Place::of(program, variable)),
                None if args.is_empty() => Instruction::Constant(current),
                None => {
                    let mut places = [0; 3];
                    for (place, arg) in places.iter_mut().zip(args) {
                        *place = position[arg];
                    }
                    Instruction::Apply(pool.op(current), places)
                }
            };
            position.insert(current, code.len() as u32);
            code.push(instruction);
        }
        Recipe { code }
    }

    /// `m(t)`; `None` if a variable is read that was never written. `scratch` is reused between calls.
    pub(super) fn evaluate(
        &self,
        pool: &mut TermPool,
        memory: &Memory,
        scratch: &mut Vec<Term>,
    ) -> Option<Term> {
        scratch.clear();
        for &instruction in &self.code {
            let term = match instruction {
                Instruction::Constant(term) => term,
                Instruction::Read(place) => memory.read(place)?,
                Instruction::Apply(op, places) => {
                    let args = places.map(|place| scratch[place as usize]);
                    pool.apply(op, &args[..op.arity()])
                }
            };
            scratch.push(term);
        }
        scratch.last().copied()
    }
}
