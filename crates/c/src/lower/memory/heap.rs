//! Allocated memory, and the functions of the C library that work on memory as such.

use super::super::Lowering;
use super::super::calls::Wanted;
use super::When;
use super::copies::Order;
use super::layout::{Allocated, SMALL_LIMIT};
use super::{Bound, Place};
use crate::regions::RegionId;
use crate::typed::{Expr, ExprKind, LValueKind, ObjectId};
use aster_cfa::{Access, AccessKind, ErrorKind, InputOrigin, Var};
use aster_term::{Sort, Term};
use lang_c::span::Span;

const NOT_ALLOCATED: &str = "memory is freed that was not allocated, or was freed before";

/// Functions on memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MemoryModel {
    Malloc,
    Calloc,
    Realloc,
    Alloca,
    Free,
    Copy,
    Move,
    Set,
}

/// By name, with `__builtin_` in front or not.
const MEMORY_MODELS: &[(&str, MemoryModel, usize)] = &[
    ("malloc", MemoryModel::Malloc, 1),
    ("valloc", MemoryModel::Malloc, 1),
    ("calloc", MemoryModel::Calloc, 2),
    ("realloc", MemoryModel::Realloc, 2),
    ("alloca", MemoryModel::Alloca, 1),
    ("free", MemoryModel::Free, 1),
    ("cfree", MemoryModel::Free, 1),
    ("memcpy", MemoryModel::Copy, 3),
    ("memmove", MemoryModel::Move, 3),
    ("memset", MemoryModel::Set, 3),
];

impl Lowering<'_> {
    /// A call of a function on memory; `None` if it is no such function.
    pub(in crate::lower) fn memory_call(
        &mut self,
        name: &str,
        arguments: &[Expr],
        expr: &Expr,
        wanted: Wanted,
    ) -> Option<Term> {
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        let &(_, model, count) = MEMORY_MODELS.iter().find(|(known, ..)| *known == name)?;
        if arguments.len() != count || arguments.iter().any(|argument| self.width(argument.ty).is_none()) {
            return Some(self.unmodelled(&format!("call of '{name}'"), expr));
        }
        let values = self.word_arguments(arguments);
        let result = match model {
            MemoryModel::Malloc | MemoryModel::Alloca => {
                let kind = if model == MemoryModel::Malloc { Allocated::Heap } else { Allocated::Stack };
                self.allocation(values[0], kind, expr).map(|(address, _)| address)
            }
            MemoryModel::Calloc => self.zeroed_allocation(values[0], values[1], expr),
            MemoryModel::Realloc => self.reallocation(&arguments[0], values[0], values[1], expr),
            MemoryModel::Free => {
                self.free(&arguments[0], values[0], expr.span);
                Some(self.dummy(expr.ty))
            }
            MemoryModel::Copy | MemoryModel::Move => {
                let moves = model == MemoryModel::Move;
                self.unless_empty(values[2], expr.span, |lowering| {
                    lowering.copy_call(arguments, &values, moves, expr.span);
                });
                Some(values[0])
            }
            MemoryModel::Set => {
                self.unless_empty(values[2], expr.span, |lowering| {
                    lowering.set_call(arguments, &values, expr.span);
                });
                Some(values[0])
            }
        };
        let Some(result) = result else { return Some(self.dummy(expr.ty)) };
        let Some(width) = self.width(expr.ty) else { return Some(result) };
        // Declared implicitly, it gives an `int`.
        let result = if self.pool.width(result) > width {
            self.pool.extract(width - 1, 0, result)
        } else {
            self.pool.zero_extend_to(width, result)
        };
        Some(self.deliver(result, expr, wanted))
    }

    /// The values of arguments as words of the width of a pointer.
    fn word_arguments(&mut self, arguments: &[Expr]) -> Vec<Term> {
        let width = self.pointer_width();
        let values = self.argument_values(arguments);
        let mut words = Vec::with_capacity(values.len());
        for (argument, value) in arguments.iter().zip(values) {
            let given = self.pool.width(value);
            let word = if given > width {
                self.pool.extract(width - 1, 0, value)
            } else if self.is_signed(argument.ty) {
                self.pool.sign_extend_to(width, value)
            } else {
                self.pool.zero_extend_to(width, value)
            };
            words.push(self.snapshot(word, argument.span));
        }
        words
    }

    /// New memory of some bytes: its address and region.
    pub(super) fn allocation(
        &mut self,
        size: Term,
        kind: Allocated,
        expr: &Expr,
    ) -> Option<(Term, RegionId)> {
        let Some(region) = self.memory.regions.of_allocation(expr.span) else {
            self.unsupported("allocation", expr.span);
            return None;
        };
        let width = self.pointer_width();
        let kept = kind == Allocated::Heap;
        if kept && self.options.malloc_may_fail {
            let result = self.temporary(width);
            let fails = self.arbitrary_choice("malloc", expr.span);
            let (given, none, end) = (self.point(), self.point(), self.point());
            self.branch_on(fails, none, given, expr.span);
            self.state().current = none;
            let null = self.address(0);
            self.assign(result, null, expr.span);
            self.jump(end);
            self.state().current = given;
            let address = self.allocate(region, size, kind, expr.span)?;
            self.count_allocation(true, expr.span);
            self.assign(result, address, expr.span);
            self.jump(end);
            self.state().current = end;
            return Some((self.term(result), region));
        }
        let address = self.allocate(region, size, kind, expr.span)?;
        if kept {
            self.count_allocation(true, expr.span);
        }
        Some((address, region))
    }

    /// Keeps count of what was allocated and not freed, if somebody wants to know.
    fn count_allocation(&mut self, more: bool, span: Span) {
        let Some(variable) = self.allocations() else { return };
        let (count, one) = (self.term(variable), self.address(1));
        let changed = if more { self.pool.add(count, one) } else { self.pool.sub(count, one) };
        self.assign(variable, changed, span);
    }

    /// The number of allocations that were not freed.
    pub(in crate::lower) fn allocations(&mut self) -> Option<Var> {
        if !(self.options.checks.leaks || self.options.checks.cleanup) {
            return None;
        }
        if self.memory.allocations.is_none() {
            let sort = Sort::BitVec(self.pointer_width());
            self.memory.allocations = Some(self.memory_variable("<allocations>".to_owned(), sort));
        }
        self.memory.allocations
    }

    /// A condition that may hold or not.
    fn arbitrary_choice(&mut self, name: &str, span: Span) -> Term {
        let variable = self.temporary(8);
        let input = aster_cfa::Input {
            origin: InputOrigin::External(name.to_owned()),
            presentation: aster_cfa::Presentation::Bool,
        };
        self.emit(aster_cfa::Label::Op(aster_cfa::Op::Havoc(variable, input)), span);
        let (value, zero) = (self.term(variable), self.pool.bv(8, 0));
        self.pool.eq(value, zero)
    }

    /// Takes a slot for an object of some bytes: a small one, or a large one if it does not fit.
    pub(in crate::lower) fn allocate(
        &mut self,
        region: RegionId,
        size: Term,
        kind: Allocated,
        span: Span,
    ) -> Option<Term> {
        let next = self.region(region).next[kind as usize];
        let limit = self.address(SMALL_LIMIT);
        let is_small = self.pool.ule(size, limit);
        match (next, self.pool.bool_constant(is_small)) {
            ([Some(_), _], Some(true)) => self.take_slot(region, size, (kind, 0), span),
            ([None, _], _) | (_, Some(false)) => self.take_slot(region, size, (kind, 1), span),
            _ => {
                let width = self.pointer_width();
                let address = self.temporary(width);
                let (small, large, end) = (self.point(), self.point(), self.point());
                self.branch_on(is_small, small, large, span);
                for (start, class) in [(small, 0), (large, 1)] {
                    self.state().current = start;
                    if let Some(taken) = self.take_slot(region, size, (kind, class), span) {
                        self.assign(address, taken, span);
                    }
                    self.jump(end);
                }
                self.state().current = end;
                Some(self.term(address))
            }
        }
    }

    fn take_slot(
        &mut self,
        region: RegionId,
        size: Term,
        (kind, class): (Allocated, usize),
        span: Span,
    ) -> Option<Term> {
        let variables = self.region(region);
        let space = self.memory.space(region).clone();
        let slots = if class == 0 { Some(space.small) } else { space.large };
        let (Some(next), Some(slots)) = (variables.next[kind as usize][class], slots) else {
            self.unsupported("allocation of more memory than there are addresses for", span);
            return None;
        };
        let address = self.term(next);
        let address = self.snapshot(address, span);
        let (limit, slot) = (self.address(slots.of(kind).end), self.address(1 << slots.bits));
        let space = self.address(slots.room());
        let room = self.pool.ult(address, limit);
        let fits = self.pool.ult(size, space);
        let possible = self.pool.and(room, fits);
        let (fine, impossible) = (self.point(), self.point());
        self.branch_on(possible, fine, impossible, span);
        self.state().current = impossible;
        self.unsupported("allocation of more memory than there are addresses for", span);
        self.state().current = fine;
        let following = self.pool.add(address, slot);
        self.assign(next, following, span);
        if let Some(extent) = variables.extent {
            let one = self.address(1);
            let value = self.pool.add(size, one);
            let extents = self.term(extent);
            let changed = self.pool.store(extents, address, value);
            self.assign(extent, changed, span);
        }
        Some(address)
    }

    /// Control passes the declaration of an array whose size is known only now.
    pub(in crate::lower) fn declare_variable(&mut self, object: ObjectId, size: &Expr, span: Span) {
        let Some(region) = self.memory.regions.of_object(object) else { return };
        let size = self.value(size);
        let size = self.snapshot(size, span);
        let Some(address) = self.allocate(region, size, Allocated::Stack, span) else { return };
        let (address_variable, extent_variable) = self.variable_length_variables(object);
        self.assign(address_variable, address, span);
        let one = self.address(1);
        let extent = self.pool.add(size, one);
        self.assign(extent_variable, extent, span);
    }

    pub(super) fn variable_length_variables(&mut self, object: ObjectId) -> (Var, Var) {
        if let Some(&variables) = self.variable_length.get(&object) {
            return variables;
        }
        let width = self.pointer_width();
        let variables = (self.temporary(width), self.temporary(width));
        self.variable_length.insert(object, variables);
        variables
    }

    /// Frees an object: it must have been allocated, be alive, and be pointed to at its start.
    pub(super) fn free(&mut self, argument: &Expr, pointer: Term, span: Span) {
        let null = self.address(0);
        let given = self.pool.ne(pointer, null);
        let (work, end) = (self.point(), self.point());
        self.branch_on(given, work, end, span);
        self.state().current = work;
        let region = self.memory.regions.of_pointer(argument);
        let extent = region.and_then(|region| self.region(region).extent);
        let (Some(region), Some(extent)) = (region, extent) else {
            let is_null = self.pool.not(given);
            let when = self.when_not(is_null);
            let access = self.access_to_nothing(AccessKind::Free, pointer);
            self.not_an_object(pointer, ErrorKind::InvalidFree, NOT_ALLOCATED, when, access, span);
            self.jump(end);
            self.state().current = end;
            return;
        };
        let extents = self.term(extent);
        let size = self.pool.select(extents, pointer);
        let alive = self.pool.ne(size, null);
        let allocated = self.is_allocated(region, pointer);
        let valid = self.pool.and(alive, allocated);
        let (object, _) = self.split_pointer(region, pointer);
        let extent_there = self.pool.select(extents, object);
        let access =
            Access { kind: AccessKind::Free, address: pointer, length: null, object, extent: extent_there };
        self.require_access(valid, ErrorKind::InvalidFree, NOT_ALLOCATED, Some(access), span);
        let changed = self.pool.store(extents, pointer, null);
        self.assign(extent, changed, span);
        self.count_allocation(false, span);
        self.jump(end);
        self.state().current = end;
    }

    /// Addresses of what is gone may be given again, which slots never are: whether a pointer to it equals one to something that may
    /// have come later is not known.
    pub(in crate::lower) fn require_comparable(
        &mut self,
        (left, left_region): (Term, Option<RegionId>),
        (right, right_region): (Term, Option<RegionId>),
        span: Span,
    ) {
        let (Some(left_region), Some(right_region)) =
            (left_region.or(right_region), right_region.or(left_region))
        else {
            return;
        };
        for kind in [Allocated::Heap, Allocated::Stack] {
            if !self.has_slots(left_region, kind) || !self.has_slots(right_region, kind) {
                continue;
            }
            let pair = [(left, left_region), (right, right_region)];
            let bases = pair.map(|(pointer, region)| self.split_pointer(region, pointer).0);
            let are_in_slots = [0, 1].map(|side| self.is_in_slots(pair[side].1, bases[side], kind));
            let both = self.pool.and(are_in_slots[0], are_in_slots[1]);
            let mut valid = self.pool.not(both);
            let mut comparable = self.pool.bool(true);
            for (gone, other) in [(0, 1), (1, 0)] {
                let Some(extents) = self.region(pair[gone].1).extent else { continue };
                if kind == Allocated::Heap && !self.memory.regions.info(pair[gone].1).freed {
                    continue;
                }
                let extents = self.term(extents);
                let (extent, zero) = (self.pool.select(extents, bases[gone]), self.address(0));
                let mut fine = self.pool.ne(extent, zero);
                if left_region == right_region {
                    // Slots of a region are taken in ascending order.
                    let was_there = self.pool.ule(bases[other], bases[gone]);
                    fine = self.pool.or(fine, was_there);
                }
                comparable = self.pool.and(comparable, fine);
            }
            valid = self.pool.or(valid, comparable);
            self.require_defined(valid, "comparison with a pointer to memory that is gone", span);
        }
    }

    fn has_slots(&self, region: RegionId, kind: Allocated) -> bool {
        let space = self.memory.space(region);
        [Some(&space.small), space.large.as_ref()]
            .into_iter()
            .flatten()
            .any(|slots| !slots.of(kind).is_empty())
    }

    /// The address is in a slot for allocated memory.
    pub(super) fn is_allocated(&mut self, region: RegionId, address: Term) -> Term {
        self.is_in_slots(region, address, Allocated::Heap)
    }

    fn is_in_slots(&mut self, region: RegionId, address: Term, kind: Allocated) -> Term {
        let space = self.memory.space(region).clone();
        let mut allocated = self.pool.bool(false);
        for slots in [Some(space.small), space.large].into_iter().flatten() {
            let range = slots.of(kind);
            let (start, end) = (self.address(range.start), self.address(range.end));
            let (above, below) = (self.pool.ule(start, address), self.pool.ult(address, end));
            let inside = self.pool.and(above, below);
            allocated = self.pool.or(allocated, inside);
        }
        allocated
    }

    /// The place that a pointer argument points to, given its value; `None` if there is none, and then control does not go on.
    pub(in crate::lower) fn argument_place(
        &mut self,
        argument: &Expr,
        value: Term,
        span: Span,
    ) -> Option<Place> {
        let Some(region) = self.memory.regions.of_pointer(argument) else {
            self.points_nowhere(value, When::Always, span);
            return None;
        };
        let offset = self.address(0);
        let bound = match self.root_place(argument) {
            Some(Place { address, bound: Bound::Within { extent, .. }, .. }) => {
                Bound::Within { offset: self.pool.sub(value, address), extent }
            }
            _ => Bound::From { pointer: value, offset },
        };
        Some(Place { region, address: value, bound })
    }

    /// The variable or string literal that an expression is computed from the address of, without evaluating
    /// the expression again.
    fn root_place(&mut self, pointer: &Expr) -> Option<Place> {
        match &pointer.kind {
            ExprKind::Convert(inner) if self.typed.types.is_pointer(inner.ty) => self.root_place(inner),
            ExprKind::PointerOffset { pointer, .. } => self.root_place(pointer),
            ExprKind::AddressOf(place) => {
                let mut place = place;
                while let LValueKind::Member(base, ..) = &place.kind {
                    place = base;
                }
                match &place.kind {
                    LValueKind::Object(object) | LValueKind::Compound(object, _) => {
                        self.object_place(*object)
                    }
                    LValueKind::String(bytes) => self.string_place(bytes, place),
                    LValueKind::Deref(pointer) => self.root_place(pointer),
                    LValueKind::Member(..) | LValueKind::Value(_) => None,
                }
            }
            _ => None,
        }
    }

    /// Work on this many bytes, unless there are none: then no pointer need be valid.
    pub(in crate::lower) fn unless_empty(&mut self, length: Term, span: Span, work: impl FnOnce(&mut Self)) {
        let (start, end) = (self.point(), self.point());
        let zero = self.address(0);
        let some = self.pool.ne(length, zero);
        if self.pool.bool_constant(some) == Some(false) {
            return;
        }
        self.branch_on(some, start, end, span);
        self.state().current = start;
        work(self);
        self.jump(end);
        self.state().current = end;
    }

    fn copy_call(&mut self, arguments: &[Expr], values: &[Term], moves: bool, span: Span) {
        let length = values[2];
        let target = self.argument_place(&arguments[0], values[0], span);
        let source = self.argument_place(&arguments[1], values[1], span);
        let (Some(target), Some(source)) = (target, source) else { return };
        self.check_range(&source, length, span);
        self.check_range(&target, length, span);
        self.require_writable(&target, length, span);
        if !moves {
            self.check_overlap(&target, &source, length, span);
        }
        let constant = self.pool.bv_constant(length).and_then(|bits| u64::try_from(bits.unsigned()).ok());
        let unit = self.cell(target.region).max(self.cell(source.region));
        match constant {
            Some(bytes) if bytes / unit <= super::copies::UNROLLED => {
                self.copy_bytes(&target, &source, bytes, span);
            }
            _ if moves && target.region == source.region => {
                let (forward, backward, done) = (self.point(), self.point(), self.point());
                let below = self.pool.ule(target.address, source.address);
                self.branch_on(below, forward, backward, span);
                for (start, order) in [(forward, Order::Forward), (backward, Order::Backward)] {
                    self.state().current = start;
                    self.copy_loop(&target, &source, length, unit, order, span);
                    self.jump(done);
                }
                self.state().current = done;
            }
            _ => self.copy_loop(&target, &source, length, unit, Order::Forward, span),
        }
    }

    /// Stretches that overlap must not be copied, unless they are the same.
    fn check_overlap(&mut self, target: &Place, source: &Place, length: Term, span: Span) {
        if target.region != source.region {
            return;
        }
        let (to, from) = (target.address, source.address);
        let (ahead, behind) = (self.pool.sub(to, from), self.pool.sub(from, to));
        let (after, before) = (self.pool.ule(length, ahead), self.pool.ule(length, behind));
        let same = self.pool.eq(to, from);
        let apart = self.pool.and(after, before);
        let valid = self.pool.or(apart, same);
        if self.pool.bool_constant(valid) == Some(true) {
            return;
        }
        let (fine, overlapping) = (self.point(), self.point());
        self.branch_on(valid, fine, overlapping, span);
        self.state().current = overlapping;
        let when = self.when_not(valid);
        self.not_defined("memory is copied to where it overlaps with itself", when, span);
        self.state().current = fine;
    }

    fn set_call(&mut self, arguments: &[Expr], values: &[Term], span: Span) {
        if let Some(target) = self.argument_place(&arguments[0], values[0], span) {
            self.check_range(&target, values[2], span);
            self.require_writable(&target, values[2], span);
            let byte = self.pool.extract(7, 0, values[1]);
            self.fill(target.region, target.address, values[2], byte, span);
        }
    }
}
