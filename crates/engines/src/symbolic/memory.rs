//! Symbolic memory `m`: a value over inputs for each program variable.
//!
//! Forking a state copies pointers only; a frame, or a page of globals, is copied when one of two states that
//! share it writes to it.

use super::value::Value;
use aster_cfa::{Program, Var};
use imbl::Vector;
use std::rc::Rc;

/// Values of variables by slot; `None` before the first write.
type Cells = Rc<[Option<Value>]>;

/// Globals that are copied together.
const PAGE: usize = 32;

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Global(u32),
    /// In the frame on top.
    Local(u32),
}

impl Place {
    pub(crate) fn of(program: &Program, variable: Var) -> Self {
        let slot = program.slot(variable) as u32;
        match program.variable(variable).owner {
            Some(_) => Place::Local(slot),
            None => Place::Global(slot),
        }
    }
}

/// The symbolic memory of a state: globals and a stack of frames.
#[derive(Clone)]
pub(crate) struct Memory {
    globals: Vec<Cells>,
    top: Cells,
    callers: Vector<Cells>,
}

impl Memory {
    /// Nothing is written yet, and there is one frame.
    pub(crate) fn new(globals: usize, locals: usize) -> Self {
        let globals = (0..globals.div_ceil(PAGE)).map(|_| empty_cells(PAGE)).collect();
        Memory { globals, top: empty_cells(locals), callers: Vector::new() }
    }

    pub(crate) fn push_frame(&mut self, locals: usize) {
        let caller = std::mem::replace(&mut self.top, empty_cells(locals));
        self.callers.push_back(caller);
    }

    pub(crate) fn pop_frame(&mut self) {
        if let Some(caller) = self.callers.pop_back() {
            self.top = caller;
        }
    }

    #[inline]
    pub(crate) fn read(&self, place: Place) -> Option<&Value> {
        match place {
            Place::Global(slot) => {
                let slot = slot as usize;
                self.globals.get(slot / PAGE)?.get(slot % PAGE)?.as_ref()
            }
            Place::Local(slot) => self.top.get(slot as usize)?.as_ref(),
        }
    }

    /// A global variable by its slot.
    pub(crate) fn global(&self, slot: usize) -> Option<&Value> {
        self.globals.get(slot / PAGE)?.get(slot % PAGE)?.as_ref()
    }

    /// A local variable by its slot, in the frame that many calls below the top.
    pub(crate) fn local(&self, depth: usize, slot: usize) -> Option<&Value> {
        let frame = match self.callers.len().checked_sub(depth) {
            _ if depth == 0 => &self.top,
            Some(index) => self.callers.get(index)?,
            None => return None,
        };
        frame.get(slot)?.as_ref()
    }

    #[inline]
    fn cell(&mut self, place: Place) -> Option<&mut Option<Value>> {
        match place {
            Place::Global(slot) => {
                let slot = slot as usize;
                Rc::make_mut(self.globals.get_mut(slot / PAGE)?).get_mut(slot % PAGE)
            }
            Place::Local(slot) => Rc::make_mut(&mut self.top).get_mut(slot as usize),
        }
    }

    #[inline]
    pub(crate) fn write(&mut self, place: Place, value: Value) {
        if let Some(cell) = self.cell(place) {
            *cell = Some(value);
        }
    }

    /// True if every variable is known to hold the same value in both.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        is_same(&self.top, &other.top)
            && self.globals.iter().zip(&other.globals).all(|(one, another)| is_same(one, another))
            && self.callers.len() == other.callers.len()
            && (self.callers.ptr_eq(&other.callers)
                || self.callers.iter().zip(&other.callers).all(|(one, another)| is_same(one, another)))
    }

    /// Takes a value out, so that it can be changed where it is; the caller writes it back.
    pub(crate) fn take(&mut self, place: Place) -> Option<Value> {
        self.cell(place)?.take()
    }
}

fn is_same(one: &Cells, other: &Cells) -> bool {
    Rc::ptr_eq(one, other) || **one == **other
}

fn empty_cells(count: usize) -> Cells {
    std::iter::repeat_n(None, count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::value::Scalar;

    fn word(memory: &Memory, place: Place) -> Option<u64> {
        match memory.read(place)? {
            Value::Scalar(Scalar::Word(word)) => Some(*word),
            _ => None,
        }
    }

    #[test]
    fn copies_do_not_see_each_other() {
        let mut one = Memory::new(100, 2);
        let places = [Place::Global(0), Place::Global(99), Place::Local(1)];
        for place in places {
            assert_eq!(word(&one, place), None);
            one.write(place, Value::Scalar(Scalar::Word(1)));
        }
        let mut other = one.clone();
        other.write(places[1], Value::Scalar(Scalar::Word(2)));
        other.push_frame(1);
        assert_eq!(word(&other, Place::Local(0)), None);
        other.write(Place::Local(0), Value::Scalar(Scalar::Word(3)));
        other.pop_frame();
        other.write(places[2], Value::Scalar(Scalar::Word(4)));
        assert_eq!(places.map(|place| word(&one, place)), [Some(1); 3]);
        assert_eq!(places.map(|place| word(&other, place)), [Some(1), Some(2), Some(4)]);
    }
}
