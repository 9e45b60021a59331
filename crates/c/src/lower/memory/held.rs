//! What the callers of a function hold when the program ends inside of it: their variables still exist, so that what they point to
//! is not lost.
//!
//! Nothing can look into the frames of callers. Where the property is about lost memory, a call of a function in which the program
//! may end is therefore preceded by noting the values of the caller's pointers, and the places of its variables in memory, in
//! variables of their own, and followed by forgetting them. Which functions these are is known only when all are
//! lowered: the program is then lowered once more.

use super::super::{Lowering, Slot};
use super::layout::{Home, object_size};
use super::tracked::Ending;
use crate::typed::{FunctionId, ObjectId, Storage};
use aster_cfa::{ErrorKind, Var};
use aster_term::Sort;
use lang_c::span::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Bits of the variable that says that something is held which cannot be noted.
const FLAG: u32 = 1;

/// What is known about callers.
#[derive(Default)]
pub(in crate::lower) struct Held {
    /// The functions in which the program may end, and those that may be among their callers.
    pub(in crate::lower) on_the_way: BTreeSet<FunctionId>,
    /// The functions in which an end was lowered.
    pub(in crate::lower) ends_in: BTreeSet<FunctionId>,
    /// What is noted for each variable: its value, or its address if it is in memory; zero while no caller holds it.
    notes: BTreeMap<ObjectId, Var>,
    /// One while a caller holds what cannot be noted.
    more: Option<Var>,
}

/// How a variable's part in a call is noted.
enum Note {
    Value,
    Place,
    /// It holds no pointer.
    Nothing,
    /// It cannot be noted.
    Unknown,
}

/// What was noted before a call.
pub(in crate::lower) struct Noted {
    notes: Vec<Var>,
    /// What the flag was before.
    flag: Option<Var>,
}

impl Lowering<'_> {
    /// Before a call: notes what the function at hand holds, if the program may end in the callee.
    pub(in crate::lower) fn hold(&mut self, callee: FunctionId, span: Span) -> Option<Noted> {
        self.memory.held.on_the_way.contains(&callee).then(|| self.hold_all(span))?
    }

    /// Before what is called at the end of the program, by `exit`: callers are still there, and it may end the program itself.
    pub(in crate::lower) fn hold_at_exit(&mut self, span: Span) -> Option<Noted> {
        (!self.memory.held.on_the_way.is_empty()).then(|| self.hold_all(span))?
    }

    fn hold_all(&mut self, span: Span) -> Option<Noted> {
        let function = self.state().function?;
        let mut noted = Noted { notes: Vec::new(), flag: None };
        let mut all = !self.may_hold_more(function, span);
        for object in self.living_variables(function, span) {
            let value = match self.way_to_note(object) {
                Note::Nothing => continue,
                _ if self.memory.regions.is_recursive(function) => None,
                Note::Unknown => None,
                Note::Place => self.object_address(object),
                Note::Value => match self.variables[object.index()] {
                    Slot::Variable(variable) => Some(self.term(variable)),
                    _ => continue,
                },
            };
            let Some(value) = value else {
                all = false;
                continue;
            };
            let note = self.note_of(object);
            self.assign(note, value, span);
            noted.notes.push(note);
        }
        if !all {
            let (flag, before) = (self.flag(), self.temporary(FLAG));
            let (old, one) = (self.term(flag), self.pool.bv(FLAG, 1));
            self.assign(before, old, span);
            self.assign(flag, one, span);
            noted.flag = Some(before);
        }
        Some(noted)
    }

    /// After a call: nothing is held any more that was noted before it.
    pub(in crate::lower) fn let_go(&mut self, noted: Option<Noted>, span: Span) {
        let Some(Noted { notes, flag: before }) = noted else { return };
        for note in notes {
            let nothing = self.address(0);
            self.assign(note, nothing, span);
        }
        if let Some(before) = before {
            let (flag, old) = (self.flag(), self.term(before));
            self.assign(flag, old, span);
        }
    }

    /// At the start of the program nothing is held.
    pub(in crate::lower) fn hold_nothing(&mut self, span: Span) {
        let notes: Vec<Var> = self.memory.held.notes.values().copied().collect();
        for note in notes {
            let nothing = self.address(0);
            self.assign(note, nothing, span);
        }
        if let Some(flag) = self.memory.held.more {
            let no = self.pool.bv(FLAG, 0);
            self.assign(flag, no, span);
        }
    }

    /// Marks what the variables that exist point to where the program ends. False if there are others.
    pub(super) fn mark_from_frames(&mut self, ending: Ending, span: Span) -> bool {
        if ending == Ending::Returned {
            return true;
        }
        let Some(function) = self.state().function else { return false };
        self.memory.held.ends_in.insert(function);
        let mut are_all_known = !self.may_hold_more(function, span);
        for object in self.living_variables(function, span) {
            are_all_known &= match self.way_to_note(object) {
                Note::Nothing => true,
                Note::Unknown => false,
                Note::Value | Note::Place => self.mark_from_object(object, span),
            };
        }
        if self.typed.functions[function.index()].name == "main"
            && !self.memory.regions.is_recursive(function)
        {
            return are_all_known;
        }
        // Before it is known who calls whom on the way to an end, nothing is noted.
        are_all_known &= self.memory.held.on_the_way.contains(&function);
        for object in self.variables_of_callers(function) {
            let note = self.note_of(object);
            let value = self.term(note);
            match self.memory.regions.of_object(object) {
                None => {
                    let targets = self.pointed_from(object);
                    self.mark(value, &targets, span);
                }
                Some(_) => self.mark_from_noted_place(object, value, span),
            }
        }
        are_all_known
    }

    /// Memory is lost, unless a caller holds what could not be noted.
    pub(super) fn lost_unless_held(&mut self, span: Span) {
        if self.memory.held.on_the_way.is_empty() {
            return self.violation(ErrorKind::MemoryLeak, span);
        }
        let flag = self.flag();
        let (known, unknown) = (self.point(), self.point());
        let (flag, no) = (self.term(flag), self.pool.bv(FLAG, 0));
        let nothing_more = self.pool.eq(flag, no);
        self.branch_on(nothing_more, known, unknown, span);
        self.state().current = known;
        self.violation(ErrorKind::MemoryLeak, span);
        self.state().current = unknown;
        self.unsupported("memory that is not freed, but may still be pointed to", span);
    }

    fn mark_from_noted_place(&mut self, object: ObjectId, address: aster_term::Term, span: Span) {
        let (Some(region), Some(size)) =
            (self.memory.regions.of_object(object), object_size(self.typed, object))
        else {
            return;
        };
        let (held, end) = (self.point(), self.point());
        let nothing = self.address(0);
        let is_held = self.pool.ne(address, nothing);
        self.branch_on(is_held, held, end, span);
        self.state().current = held;
        let (size, targets) = (self.address(size), self.pointed_from(object));
        self.mark_from_memory(region, address, size, &targets, span);
        self.jump(end);
        self.state().current = end;
    }

    /// The variables of a function that may point to allocated memory, and that exist at this place and have a value.
    fn living_variables(&self, function: FunctionId, span: Span) -> Vec<ObjectId> {
        let Some(state) = &self.function else { return Vec::new() };
        let path = self.typed.block_path(state.block);
        let objects = self.typed.objects.iter().enumerate();
        let living = objects.filter(|(index, object)| {
            let id = ObjectId::from_index(*index);
            object.owner == Some(function)
                && object.storage == Storage::Automatic
                // What lives in another block is not there, and what is declared later has no value yet.
                && object.block.is_none_or(|block| path.contains(&block))
                && (object.span.start < span.start || self.memory.regions.in_memory(id))
                && !state.initialised.contains(&id)
                && !self.pointed_from(id).is_empty()
        });
        living.map(|(index, _)| ObjectId::from_index(index)).collect()
    }

    /// The function may hold memory elsewhere than in its variables, or in some that are not known to have a value.
    fn may_hold_more(&self, function: FunctionId, span: Span) -> bool {
        let regions = &self.memory.regions;
        let points_to_heap =
            |region| regions.contents(region).into_iter().any(|region| self.has_heap(region));
        self.function.as_ref().is_some_and(|state| state.given)
            || regions.on_stack_of(function).into_iter().any(points_to_heap)
            || self.may_hold_later_variables(function, span)
    }

    /// After a jump backwards, variables that are declared further down may have a value already.
    fn may_hold_later_variables(&self, function: FunctionId, span: Span) -> bool {
        let Some(state) = self.function.as_ref().filter(|state| state.labelled) else { return false };
        let path = self.typed.block_path(state.block);
        self.typed.objects.iter().enumerate().any(|(index, object)| {
            object.owner == Some(function)
                && object.storage == Storage::Automatic
                && object.block.is_none_or(|block| path.contains(&block))
                && object.span.start >= span.start
                && !self.pointed_from(ObjectId::from_index(index)).is_empty()
        })
    }

    /// The variables of functions that may be among the callers of this one, and that can be noted.
    fn variables_of_callers(&self, function: FunctionId) -> Vec<ObjectId> {
        let called_at_exit = !self.typed.shutdown.is_empty();
        let callers = self.memory.regions.callers(function);
        let objects = self.typed.objects.iter().enumerate();
        let held = objects.filter(|(index, object)| {
            let id = ObjectId::from_index(*index);
            let may_hold = |owner: FunctionId| {
                // Who calls `exit` is among the callers of what is called then.
                (called_at_exit && owner != function || callers.contains(&owner))
                    && self.memory.held.on_the_way.contains(&owner)
                    && !self.memory.regions.is_recursive(owner)
            };
            object.owner.is_some_and(may_hold)
                && object.storage == Storage::Automatic
                && !self.pointed_from(id).is_empty()
                && matches!(self.way_to_note(id), Note::Value | Note::Place)
        });
        held.map(|(index, _)| ObjectId::from_index(index)).collect()
    }

    fn way_to_note(&self, object: ObjectId) -> Note {
        if self.memory.regions.of_object(object).is_some() {
            let is_placed = self.memory.anew[object.index()]
                || matches!(self.memory.layout.home(object), Some(Home::Fixed(_)));
            let is_sized = object_size(self.typed, object).is_some();
            return if is_placed && is_sized { Note::Place } else { Note::Unknown };
        }
        // Nothing reads the value of a variable that has none, so that there is nothing to note.
        let has_value = !matches!(self.variables[object.index()], Slot::Opaque);
        let holds = self.holds_an_address(self.typed.objects[object.index()].ty) && has_value;
        if holds { Note::Value } else { Note::Nothing }
    }

    fn note_of(&mut self, object: ObjectId) -> Var {
        if let Some(&note) = self.memory.held.notes.get(&object) {
            return note;
        }
        let name = format!("<held {}>", self.typed.objects[object.index()].name);
        let note = self.memory_variable(name, Sort::BitVec(self.pointer_width()));
        self.memory.held.notes.insert(object, note);
        note
    }

    fn flag(&mut self) -> Var {
        if let Some(flag) = self.memory.held.more {
            return flag;
        }
        let flag = self.memory_variable("<more is held>".to_owned(), Sort::BitVec(FLAG));
        self.memory.held.more = Some(flag);
        flag
    }
}
