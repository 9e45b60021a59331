//! The values of all variables: one growing stack, globals at the bottom.

use crate::program::{Procedure, Program, Var};
use aster_term::{Sort, Value};

/// Where a variable lives: among the globals, or in the frame on top. Bit-vectors and truth values
/// are numbered apart from objects, which are arrays, integers and rationals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Global(u32),
    Local(u32),
}

/// Positions of a frame in the two stacks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Base {
    cells: usize,
    objects: usize,
}

/// How many cells and objects a frame holds.
#[derive(Clone, Copy, Debug, Default)]
struct Shape {
    cells: u32,
    objects: u32,
}

/// The values of the global variables and of all frames.
pub(super) struct Memory {
    /// Position of each variable among those of its owner and kind.
    positions: Vec<u32>,
    globals: Shape,
    frames: Vec<Shape>,
    cells: Vec<u128>,
    assigned: Vec<bool>,
    objects: Vec<Option<Value>>,
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
                Sort::Array { .. } | Sort::Int | Sort::Real => &mut shape.objects,
                _ => &mut shape.cells,
            };
            positions.push(*count);
            *count += 1;
        }
        let (cells, assigned, objects) = (Vec::new(), Vec::new(), Vec::new());
        Memory { positions, globals, frames, cells, assigned, objects, base: Base::default() }
    }

    /// Forgets everything and makes room for the globals.
    pub(super) fn reset(&mut self) {
        self.cells.clear();
        self.assigned.clear();
        self.objects.clear();
        self.base = Base::default();
        self.grow(self.globals);
    }

    fn grow(&mut self, shape: Shape) {
        let cells = self.cells.len() + shape.cells as usize;
        self.cells.resize(cells, 0);
        self.assigned.resize(cells, false);
        self.objects.resize(self.objects.len() + shape.objects as usize, None);
    }

    /// Opens a frame; the returned base is given back to [`Memory::pop`].
    pub(super) fn push(&mut self, procedure: Procedure) -> Base {
        let before = self.base;
        self.base = Base { cells: self.cells.len(), objects: self.objects.len() };
        self.grow(self.frames[procedure.index()]);
        before
    }

    /// Closes the frame on top; `before` is the base of the one below.
    pub(super) fn pop(&mut self, before: Base) {
        self.cells.truncate(self.base.cells);
        self.assigned.truncate(self.base.cells);
        self.objects.truncate(self.base.objects);
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

    fn object_index(&self, place: Place) -> usize {
        match place {
            Place::Global(position) => position as usize,
            Place::Local(position) => self.base.objects + position as usize,
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

    pub(super) fn object(&self, place: Place) -> Option<&Value> {
        self.objects[self.object_index(place)].as_ref()
    }

    pub(super) fn set_object(&mut self, place: Place, object: Value) {
        let index = self.object_index(place);
        self.objects[index] = Some(object);
    }
}
