//! The values of all variables: one growing stack, globals at the bottom.

use crate::program::{Procedure, Program, Var};
use aster_term::{ArrayValue, Sort};

/// Where a variable lives: among the globals, or in the frame on top. Bit-vectors and truth values
/// are numbered apart from arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Global(u32),
    Local(u32),
}

/// Positions of a frame in the two stacks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Base {
    cells: usize,
    arrays: usize,
}

/// How many cells and arrays a frame holds.
#[derive(Clone, Copy, Debug, Default)]
struct Shape {
    cells: u32,
    arrays: u32,
}

/// The values of the global variables and of all frames.
pub(super) struct Memory {
    /// Position of each variable among those of its owner and kind.
    positions: Vec<u32>,
    globals: Shape,
    frames: Vec<Shape>,
    cells: Vec<u128>,
    assigned: Vec<bool>,
    arrays: Vec<Option<ArrayValue>>,
    base: Base,
}

impl Memory {
    pub(super) fn new(program: &Program) -> Self {
        let mut globals = Shape::default();
        let mut frames = vec![Shape::default(); program.procedures().count()];
        let mut positions = Vec::new();
        for variable in program.variables() {
            let info = program.variable(variable);
            let shape = match info.owner {
                Some(procedure) => &mut frames[procedure.index()],
                None => &mut globals,
            };
            let count = match info.sort {
                Sort::Array { .. } => &mut shape.arrays,
                _ => &mut shape.cells,
            };
            positions.push(*count);
            *count += 1;
        }
        let (cells, assigned, arrays) = (Vec::new(), Vec::new(), Vec::new());
        Memory { positions, globals, frames, cells, assigned, arrays, base: Base::default() }
    }

    /// Forgets everything and makes room for the globals.
    pub(super) fn reset(&mut self) {
        self.cells.clear();
        self.assigned.clear();
        self.arrays.clear();
        self.base = Base::default();
        self.grow(self.globals);
    }

    fn grow(&mut self, shape: Shape) {
        let cells = self.cells.len() + shape.cells as usize;
        self.cells.resize(cells, 0);
        self.assigned.resize(cells, false);
        self.arrays.resize(self.arrays.len() + shape.arrays as usize, None);
    }

    /// Opens a frame; the returned base is given back to [`Memory::pop`].
    pub(super) fn push(&mut self, procedure: Procedure) -> Base {
        let before = self.base;
        self.base = Base { cells: self.cells.len(), arrays: self.arrays.len() };
        self.grow(self.frames[procedure.index()]);
        before
    }

    /// Closes the frame on top; `before` is the base of the one below.
    pub(super) fn pop(&mut self, before: Base) {
        self.cells.truncate(self.base.cells);
        self.assigned.truncate(self.base.cells);
        self.arrays.truncate(self.base.arrays);
        self.base = before;
    }

    /// The place of a variable as seen from `procedure`; an error if it is local to another one.
    pub(super) fn place(
        &self,
        program: &Program,
        procedure: Procedure,
        variable: Var,
    ) -> Result<Place, String> {
        let info = program.variable(variable);
        let position = self.positions[variable.index()];
        match info.owner {
            None => Ok(Place::Global(position)),
            Some(owner) if owner == procedure => Ok(Place::Local(position)),
            Some(owner) => Err(format!(
                "variable `{}` of `{}` is used in `{}`",
                info.name,
                program.procedure(owner).name,
                program.procedure(procedure).name
            )),
        }
    }

    fn cell(&self, place: Place) -> usize {
        match place {
            Place::Global(position) => position as usize,
            Place::Local(position) => self.base.cells + position as usize,
        }
    }

    fn array_index(&self, place: Place) -> usize {
        match place {
            Place::Global(position) => position as usize,
            Place::Local(position) => self.base.arrays + position as usize,
        }
    }

    #[inline]
    pub(super) fn bits(&self, place: Place) -> Option<u128> {
        let cell = self.cell(place);
        self.assigned[cell].then(|| self.cells[cell])
    }

    #[inline]
    pub(super) fn set_bits(&mut self, place: Place, bits: u128) {
        let cell = self.cell(place);
        self.cells[cell] = bits;
        self.assigned[cell] = true;
    }

    pub(super) fn array(&self, place: Place) -> Option<&ArrayValue> {
        self.arrays[self.array_index(place)].as_ref()
    }

    pub(super) fn set_array(&mut self, place: Place, array: ArrayValue) {
        let index = self.array_index(place);
        self.arrays[index] = Some(array);
    }
}
