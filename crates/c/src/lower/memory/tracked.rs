//! Memory that was allocated and not freed: whether there is any when the program ends, and whether anything still points
//! to it.
//!
//! An object is tracked if a variable that exists points to it or into it, or another tracked object does. This is asked
//! when the program ends, and at the head of loops that have no end. The objects that variables point to are marked first; a
//! procedure of its own then marks what these point to, and so on, and looks for one without a mark. Every word
//! counts that may hold an address.

use super::super::Lowering;
use super::layout::{Allocated, Home, object_size};
use crate::regions::RegionId;
use crate::typed::{FunctionId, ObjectId};
use crate::types::TypeId;
use aster_cfa::{Call, ErrorKind, Label, Procedure, Var};
use aster_term::{Sort, Term};
use lang_c::span::Span;

/// Bits of a mark.
const MARK: u32 = 8;
/// Something points to the object.
const FOUND: u128 = 1;
/// What the object points to was looked at as well.
const SEEN: u128 = 2;

/// What is used to find objects that nothing points to.
#[derive(Clone, Copy)]
pub(super) struct Tracking {
    procedure: Procedure,
    /// By the address of each object.
    marks: Var,
}

/// How a program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::lower) enum Ending {
    /// `main` has returned.
    Returned,
    /// In the function at hand, whose variables and those of its callers exist.
    Inside,
}

impl Lowering<'_> {
    /// The program ends inside of a function.
    pub(in crate::lower) fn end_program(&mut self, span: Span) {
        self.check_allocations(Ending::Inside, span);
        self.dead_end();
    }

    /// The program ends: what was allocated must have been freed, or be tracked, if the property asks for that.
    pub(in crate::lower) fn check_allocations(&mut self, ending: Ending, span: Span) {
        let Some(variable) = self.allocations() else { return };
        let (count, zero) = (self.term(variable), self.address(0));
        let none = self.pool.eq(count, zero);
        let (fine, left) = (self.point(), self.point());
        self.branch_on(none, fine, left, span);
        self.state().current = left;
        if self.options.checks.cleanup {
            self.violation(ErrorKind::MemoryNotFreed, span);
        } else {
            self.check_tracked(ending, span);
            self.jump(fine);
        }
        self.state().current = fine;
    }

    /// A loop without end is entered or goes on: what is lost by now stays lost. Those of the library all end.
    pub(in crate::lower) fn check_endless_loop(&mut self, span: Span) {
        let ends = self.prepared.sources.is_internal(self.span(span));
        if self.options.checks.leaks && !self.options.checks.cleanup && !ends {
            self.check_allocations(Ending::Inside, span);
        }
    }

    fn check_tracked(&mut self, ending: Ending, span: Span) {
        let tracking = self.tracking();
        let width = self.pointer_width();
        let no_mark = self.pool.bv(MARK, 0);
        let unmarked = self.pool.const_array(width, no_mark);
        self.assign(tracking.marks, unmarked, span);
        let are_all_known = self.mark_from_frames(ending, span);
        let lost = self.temporary(MARK);
        let call = Call { procedure: tracking.procedure, arguments: Vec::new(), result: Some(lost) };
        self.emit(Label::Call(call), span);
        let none_lost = {
            let lost = self.term(lost);
            self.pool.eq(lost, no_mark)
        };
        let (fine, bad) = (self.point(), self.point());
        self.branch_on(none_lost, fine, bad, span);
        self.state().current = bad;
        if are_all_known && ending == Ending::Inside {
            self.lost_unless_held(span);
        } else if are_all_known {
            self.violation(ErrorKind::MemoryLeak, span);
        } else {
            self.unsupported("memory that is not freed, but may still be pointed to", span);
        }
        self.state().current = fine;
    }

    /// The regions with allocated objects that a variable may point to.
    pub(super) fn pointed_from(&self, object: ObjectId) -> Vec<RegionId> {
        let regions = &self.memory.regions;
        regions.contents_of(object).into_iter().filter(|&region| self.has_heap(region)).collect()
    }

    pub(super) fn has_heap(&self, region: RegionId) -> bool {
        !self.memory.regions.info(region).allocations.is_empty()
    }

    /// Marks what a variable points to. False if its place is not known.
    pub(super) fn mark_from_object(&mut self, object: ObjectId, span: Span) -> bool {
        let targets = self.pointed_from(object);
        if let Some(region) = self.memory.regions.of_object(object) {
            let is_placed = self.memory.anew[object.index()]
                || matches!(self.memory.layout.home(object), Some(Home::Fixed(_)));
            let size = object_size(self.typed, object).filter(|_| is_placed);
            let (Some(address), Some(size)) = (self.object_address(object), size) else { return false };
            let size = self.address(size);
            self.mark_from_memory(region, address, size, &targets, span);
            return true;
        }
        if !self.holds_an_address(self.typed.objects[object.index()].ty) {
            return true;
        }
        // Nothing reads the value of a variable that has none, so that there is nothing to mark.
        if !matches!(self.variables[object.index()], super::super::Slot::Variable(_)) {
            return true;
        }
        let Some(variable) = self.variable(object) else { return false };
        let value = self.term(variable);
        self.mark(value, &targets, span);
        true
    }

    /// A scalar that is as wide as a pointer.
    pub(in crate::lower) fn holds_an_address(&self, ty: TypeId) -> bool {
        self.width(ty) == Some(self.pointer_width())
    }

    /// Marks what words in some bytes of memory point to.
    pub(super) fn mark_from_memory(
        &mut self,
        region: RegionId,
        address: Term,
        size: Term,
        targets: &[RegionId],
        span: Span,
    ) {
        let word = u64::from(self.pointer_width() / 8);
        let step = self.cell(region).min(word);
        if targets.is_empty() || !word.is_multiple_of(self.cell(region)) {
            return;
        }
        let width = self.pointer_width();
        let offset = self.temporary(width);
        let zero = self.address(0);
        self.assign(offset, zero, span);
        let (head, inside, done) = (self.point(), self.point(), self.point());
        self.arrive(head);
        let (word_size, position) = (self.address(word), self.term(offset));
        let end = self.pool.add(position, word_size);
        let fits = self.pool.ule(end, size);
        self.branch_on(fits, inside, done, span);
        self.state().current = inside;
        let at = self.pool.add(address, position);
        let value = self.read_bytes(region, at, word);
        self.mark(value, targets, span);
        let step = self.address(step);
        let next = self.pool.add(position, step);
        self.assign(offset, next, span);
        self.jump(head);
        self.state().current = done;
    }

    /// Marks the allocated object that a value is an address in, if there is one in these regions.
    pub(super) fn mark(&mut self, value: Term, targets: &[RegionId], span: Span) {
        let marks = self.tracking().marks;
        for &region in targets {
            let Some(extents) = self.region(region).extent else { continue };
            let (base, inside) = self.split_pointer(region, value);
            let extents = self.term(extents);
            let extent = self.pool.select(extents, base);
            let points_to_it = self.pool.ult(inside, extent);
            let is_allocated = self.is_allocated(region, base);
            let current = self.term(marks);
            let (old, none, found) =
                (self.pool.select(current, base), self.pool.bv(MARK, 0), self.pool.bv(MARK, FOUND));
            let is_new = self.pool.eq(old, none);
            let both = self.pool.and(points_to_it, is_allocated);
            let is_found = self.pool.and(both, is_new);
            let (work, end) = (self.point(), self.point());
            self.branch_on(is_found, work, end, span);
            self.state().current = work;
            let changed = self.pool.store(current, base, found);
            self.assign(marks, changed, span);
            self.jump(end);
            self.state().current = end;
        }
    }

    fn tracking(&mut self) -> Tracking {
        if let Some(tracking) = self.memory.tracking {
            return tracking;
        }
        let sort = Sort::Array { index: self.pointer_width(), element: MARK };
        let procedure = self.builder.add_procedure("<lost memory>");
        let result = self.builder.add_variable(self.pool, "lost", Sort::BitVec(MARK), Some(procedure), None);
        self.builder.set_signature(procedure, Vec::new(), Some(result));
        let tracking = Tracking { procedure, marks: self.memory_variable("<marks>".to_owned(), sort) };
        self.memory.tracking = Some(tracking);
        tracking
    }

    /// Lowers the procedure that looks for lost objects, if the property asks for that. All functions are lowered.
    pub(in crate::lower) fn tracking_procedure(&mut self, main: FunctionId) {
        if !self.options.checks.leaks || self.options.checks.cleanup {
            return;
        }
        let tracking = self.tracking();
        let Some(span) = self.typed.functions[main.index()].body.as_ref().map(|body| body.span) else {
            return;
        };
        let start = self.begin(tracking.procedure, None, &[], None);
        for index in 0..self.typed.objects.len() {
            let object = ObjectId::from_index(index);
            if self.is_static(object) && !self.pointed_from(object).is_empty() {
                self.mark_from_object(object, span);
            }
        }
        let regions: Vec<RegionId> =
            self.memory.regions.regions().filter(|&region| self.has_heap(region)).collect();
        self.mark_from_allocated(tracking, &regions, span);
        self.find_lost(tracking, &regions, span);
        let exit = self.state().exit;
        self.jump(exit);
        self.end(start, span);
    }

    /// Marks what marked objects point to until that marks nothing more.
    fn mark_from_allocated(&mut self, tracking: Tracking, regions: &[RegionId], span: Span) {
        let (again, head, done) = (self.temporary(MARK), self.point(), self.point());
        self.arrive(head);
        let (no, yes) = (self.pool.bv(MARK, 0), self.pool.bv(MARK, 1));
        self.assign(again, no, span);
        for &region in regions {
            let contents = self.memory.regions.contents(region);
            let targets: Vec<RegionId> =
                contents.into_iter().filter(|&region| self.has_heap(region)).collect();
            let Some(extents) = self.region(region).extent.filter(|_| !targets.is_empty()) else { continue };
            self.for_each_slot(region, span, |this, address| {
                let marks = this.term(tracking.marks);
                let (mark, found, seen) =
                    (this.pool.select(marks, address), this.pool.bv(MARK, FOUND), this.pool.bv(MARK, SEEN));
                let is_found = this.pool.eq(mark, found);
                let (work, end) = (this.point(), this.point());
                this.branch_on(is_found, work, end, span);
                this.state().current = work;
                let changed = this.pool.store(marks, address, seen);
                this.assign(tracking.marks, changed, span);
                this.assign(again, yes, span);
                let extents = this.term(extents);
                let (extent, one) = (this.pool.select(extents, address), this.address(1));
                let size = this.pool.sub(extent, one);
                this.mark_from_memory(region, address, size, &targets, span);
                this.jump(end);
                this.state().current = end;
            });
        }
        let is_done = {
            let again = self.term(again);
            self.pool.eq(again, no)
        };
        self.branch_on(is_done, done, head, span);
        self.state().current = done;
    }

    /// The result is 1 if an object is alive and has no mark.
    fn find_lost(&mut self, tracking: Tracking, regions: &[RegionId], span: Span) {
        let Some(result) = self.builder.procedure(tracking.procedure).result else { return };
        let (no, yes) = (self.pool.bv(MARK, 0), self.pool.bv(MARK, 1));
        self.assign(result, no, span);
        for &region in regions {
            let Some(extents) = self.region(region).extent else { continue };
            self.for_each_slot(region, span, |this, address| {
                let (marks, extents) = (this.term(tracking.marks), this.term(extents));
                let (mark, extent) = (this.pool.select(marks, address), this.pool.select(extents, address));
                let zero = this.address(0);
                let (is_alive, is_unmarked) = (this.pool.ne(extent, zero), this.pool.eq(mark, no));
                let is_lost = this.pool.and(is_alive, is_unmarked);
                let (lost, end) = (this.point(), this.point());
                this.branch_on(is_lost, lost, end, span);
                this.state().current = lost;
                this.assign(result, yes, span);
                this.jump(end);
                this.state().current = end;
            });
        }
    }

    /// Does something with the address of each object that was ever allocated in a region.
    fn for_each_slot(&mut self, region: RegionId, span: Span, mut work: impl FnMut(&mut Self, Term)) {
        let next = self.region(region).next[Allocated::Heap as usize];
        let space = self.memory.space(region);
        let slots = [Some(&space.small), space.large.as_ref()]
            .map(|slots| slots.map(|slots| (slots.heap.start + slots.margin, slots.bits)));
        for (next, slots) in next.into_iter().zip(slots) {
            let (Some(next), Some((start, bits))) = (next, slots) else { continue };
            let width = self.pointer_width();
            let at = self.temporary(width);
            let start = self.address(start);
            self.assign(at, start, span);
            let (head, inside, done) = (self.point(), self.point(), self.point());
            self.arrive(head);
            let (address, next) = (self.term(at), self.term(next));
            let is_left = self.pool.ult(address, next);
            self.branch_on(is_left, inside, done, span);
            self.state().current = inside;
            work(self, address);
            let slot = self.address(1 << bits);
            let following = self.pool.add(address, slot);
            self.assign(at, following, span);
            self.jump(head);
            self.state().current = done;
        }
    }
}
