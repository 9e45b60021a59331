//! What a function that nothing is known about may do to the objects that it gets pointers to: change all that they hold.
//!
//! It is taken to change them while it is called, and only those: it neither keeps the pointers nor frees anything. Objects that
//! hold pointers, or that are freed under a property about memory, are refused.

use super::super::Lowering;
use super::copies::{Order, UNROLLED};
use super::{Bound, Place};
use crate::regions::RegionId;
use crate::typed::{Expr, ExprKind};
use crate::types::{Type, TypeId};
use aster_cfa::{Input, InputOrigin, Label, Op, Presentation};
use aster_term::Term;
use lang_c::span::Span;

impl Lowering<'_> {
    /// Whether it is understood what becomes of the object that this argument points to.
    pub(in crate::lower) fn may_be_changed(&self, argument: &Expr) -> bool {
        let types = &self.typed.types;
        let targets = [argument.ty, unconverted(argument).ty].map(|ty| types.pointee(ty));
        let is_plain = |target: &Option<TypeId>| {
            target.is_some_and(|ty| !matches!(types.get(ty), Type::Function(_)) && !self.holds_pointers(ty))
        };
        if !targets.iter().all(is_plain) {
            return false;
        }
        // Without a region there is nothing of the program that it could point to.
        let Some(region) = self.memory.regions.of_pointer(argument) else {
            return !self.memory.regions.points_to_functions(argument);
        };
        let info = self.memory.regions.info(region);
        let checks = self.options.checks;
        let is_kept_track_of = checks.memory || checks.leaks || checks.cleanup;
        !self.memory.regions.may_hold_pointers(region)
            && !info.objects.iter().any(|object| self.holds_pointers(self.typed.objects[object.index()].ty))
            && (!is_kept_track_of || info.allocations.is_empty())
    }

    /// The object that an argument with this value points to gets arbitrary contents, unless it is a constant.
    pub(in crate::lower) fn change_object(&mut self, function: &str, argument: &Expr, pointer: Term) {
        let span = argument.span;
        let null = self.address(0);
        let given = self.pool.ne(pointer, null);
        if self.pool.bool_constant(given) == Some(false) {
            return;
        }
        let (work, end) = (self.point(), self.point());
        let before = self.state().graph.edge_count();
        self.branch_on(given, work, end, span);
        self.state().graph.note_check_at(before, None);
        self.state().current = work;
        if self.memory.regions.of_pointer(argument).is_none() {
            // The function need not look at it.
            self.unsupported("memory outside of the program's objects", span);
        } else if let Some(place) = self.argument_place(argument, pointer, span) {
            self.change_place(function, argument, place, span);
        }
        self.jump(end);
        self.state().current = end;
    }

    fn change_place(&mut self, function: &str, argument: &Expr, place: Place, span: Span) {
        let Some((start, size)) = self.object_at(&place, span) else { return };
        let start = self.snapshot(start, span);
        let size = self.snapshot(size, span);
        let end = self.point();
        for range in self.read_only_ranges(place.region) {
            let (first, last) = (self.address(range.start), self.address(range.end));
            let (below, above) = (self.pool.ult(start, first), self.pool.ule(last, start));
            let writable = self.pool.or(below, above);
            let work = self.point();
            self.branch_on(writable, work, end, span);
            self.state().current = work;
        }
        let cell = self.cell(place.region);
        let presentation = self.presentation_of_cells(unconverted(argument).ty, cell);
        let length = self.whole_cells(size, cell);
        let constant = self.pool.bv_constant(length).and_then(|bits| u64::try_from(bits.unsigned()).ok());
        match constant {
            Some(bytes) if bytes / cell <= UNROLLED => {
                for position in 0..bytes / cell {
                    let distance = self.address(position * cell);
                    self.change_cell(function, &presentation, place.region, (start, distance), span);
                }
            }
            _ => self.cell_loop(length, cell, Order::Forward, span, |lowering, distance| {
                lowering.change_cell(function, &presentation, place.region, (start, distance), span);
            }),
        }
        self.jump(end);
        self.state().current = end;
    }

    fn change_cell(
        &mut self,
        function: &str,
        presentation: &Presentation,
        region: RegionId,
        (start, distance): (Term, Term),
        span: Span,
    ) {
        let bits = 8 * u32::try_from(self.cell(region)).unwrap_or(1);
        let variable = self.temporary(bits);
        let input =
            Input { origin: InputOrigin::Written(function.to_owned()), presentation: presentation.clone() };
        self.emit(Label::Op(Op::Havoc(variable, input)), span);
        let (value, address) = (self.term(variable), self.pool.add(start, distance));
        self.write_bytes(region, address, value, span);
    }

    /// The start and the size of the object that a pointer points into. Control goes on only if there is one: what a function does with
    /// another pointer is not known.
    fn object_at(&mut self, place: &Place, span: Span) -> Option<(Term, Term)> {
        let one = self.address(1);
        let (start, extent) = match place.bound {
            Bound::Within { offset, extent } => (self.pool.sub(place.address, offset), extent),
            Bound::From { pointer, .. } => {
                let Some(extents) = self.region(place.region).extent else {
                    self.unsupported("pointer whose object is not known", span);
                    return None;
                };
                let extents = self.term(extents);
                let (base, inside) = self.split_pointer(place.region, pointer);
                let extent = self.pool.select(extents, base);
                let valid = self.pool.ult(inside, extent);
                let (fine, wild) = (self.point(), self.point());
                self.branch_on(valid, fine, wild, span);
                self.state().current = wild;
                self.unsupported("pointer to no object that is given to a function without body", span);
                self.state().current = fine;
                (base, extent)
            }
            Bound::Fine => return None,
        };
        Some((start, self.pool.sub(extent, one)))
    }

    /// How the cells of an object are shown that a pointer of this type points to.
    fn presentation_of_cells(&self, pointer: TypeId, cell: u64) -> Presentation {
        let types = &self.typed.types;
        let target = types.pointee(pointer).filter(|&ty| types.is_arithmetic(ty) && !self.is_bool(ty));
        match target.filter(|&ty| types.known_size(ty) == Some(cell)) {
            Some(target) => self.presentation(target),
            None => Presentation::Raw("memory".to_owned()),
        }
    }
}

/// A pointer without the conversions to other types of pointers around it.
fn unconverted(mut pointer: &Expr) -> &Expr {
    while let ExprKind::Convert(inner) = &pointer.kind {
        pointer = inner;
    }
    pointer
}
