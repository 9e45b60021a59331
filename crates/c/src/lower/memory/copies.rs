//! Copying and filling stretches of memory.

use super::super::Lowering;
use super::Place;
use crate::regions::RegionId;
use crate::typed::{Expr, LValue};
use aster_cfa::Var;
use aster_term::Term;
use lang_c::span::Span;

/// Up to this many cells are written one by one in one edge; more are written in a loop.
pub(super) const UNROLLED: u64 = 64;

/// In which order a stretch is copied that may overlap with where it goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// From the first byte to the last.
    Forward,
    /// From the last byte to the first.
    Backward,
}

impl Lowering<'_> {
    /// `place = value` for structures; gives the place.
    pub(in crate::lower) fn record_assignment(
        &mut self,
        place: &LValue,
        value: &Expr,
        span: Span,
    ) -> Option<Place> {
        let location = self.locate(place, span);
        let super::Location::Memory(mut target, _) = location else { return None };
        if value.effects {
            target = self.keep(target, span);
        }
        let source = self.record_place(value)?;
        self.copy_record(&target, &source, place.ty, span)?;
        Some(target)
    }

    /// Copies a structure from one place to another.
    pub(in crate::lower) fn copy_record(
        &mut self,
        target: &Place,
        source: &Place,
        ty: crate::types::TypeId,
        span: Span,
    ) -> Option<()> {
        let Some(size) = self.typed.types.known_size(ty) else {
            self.unsupported("structure whose layout is not known", span);
            return None;
        };
        self.check_access(source, size, span);
        self.check_write(target, size, span);
        self.copy_bytes(target, source, size, span);
        Some(())
    }

    /// Copies some bytes; both places were checked.
    pub(in crate::lower) fn copy_bytes(&mut self, target: &Place, source: &Place, bytes: u64, span: Span) {
        let unit = self.cell(target.region).max(self.cell(source.region));
        if bytes == 0 {
            return;
        }
        if !bytes.is_multiple_of(unit) {
            return self.unsupported("copy of a part of a memory cell", span);
        }
        if bytes / unit > UNROLLED {
            let length = self.address(bytes);
            return self.copy_loop(target, source, length, unit, Order::Forward, span);
        }
        let variable = self.region(target.region).data;
        let mut data = self.term(variable);
        for position in 0..bytes / unit {
            let distance = self.address(position * unit);
            let from = self.pool.add(source.address, distance);
            let to = self.pool.add(target.address, distance);
            let value = self.read_bytes(source.region, from, unit);
            data = self.written(target.region, data, to, value);
        }
        self.assign(variable, data, span);
    }

    /// Copies `length` bytes, `unit` at a time.
    pub(super) fn copy_loop(
        &mut self,
        target: &Place,
        source: &Place,
        length: Term,
        unit: u64,
        order: Order,
        span: Span,
    ) {
        let (target, source) = (self.keep(*target, span), self.keep(*source, span));
        self.cell_loop(length, unit, order, span, |lowering, distance| {
            let from = lowering.pool.add(source.address, distance);
            let to = lowering.pool.add(target.address, distance);
            let value = lowering.read_bytes(source.region, from, unit);
            lowering.write_bytes(target.region, to, value, span);
        });
    }

    /// Runs `body` for every distance from 0 to `length` in steps of `unit`. What is left over at the
    /// end is not modelled.
    pub(super) fn cell_loop(
        &mut self,
        length: Term,
        unit: u64,
        order: Order,
        span: Span,
        mut body: impl FnMut(&mut Self, Term),
    ) {
        let length = self.snapshot(length, span);
        self.whole_units(length, unit, span);
        let width = self.pointer_width();
        let counter: Var = self.temporary(width);
        let (zero, step) = (self.address(0), self.address(unit));
        let (head, inside, end) = (self.point(), self.point(), self.point());
        let start = if order == Order::Forward { zero } else { length };
        self.assign(counter, start, span);
        self.arrive(head);
        let position = self.term(counter);
        match order {
            Order::Forward => {
                let more = self.pool.ult(position, length);
                self.branch_on(more, inside, end, span);
                self.state().current = inside;
                body(self, position);
                let next = self.pool.add(position, step);
                self.assign(counter, next, span);
            }
            Order::Backward => {
                let more = self.pool.ne(position, zero);
                self.branch_on(more, inside, end, span);
                self.state().current = inside;
                let next = self.pool.sub(position, step);
                self.assign(counter, next, span);
                body(self, position);
            }
        }
        self.jump(head);
        self.state().current = end;
    }

    /// Control goes on only if a length is a number of whole units.
    fn whole_units(&mut self, length: Term, unit: u64, span: Span) {
        if unit == 1 {
            return;
        }
        let (mask, zero) = (self.address(unit - 1), self.address(0));
        let rest = self.pool.bvand(length, mask);
        let whole = self.pool.eq(rest, zero);
        if self.pool.bool_constant(whole) == Some(true) {
            return;
        }
        let (fine, broken) = (self.point(), self.point());
        self.branch_on(whole, fine, broken, span);
        self.state().current = broken;
        self.unsupported("copy of a part of a memory cell", span);
        self.state().current = fine;
    }

    /// Sets `length` bytes to a byte; the stretch was checked.
    pub(super) fn fill(&mut self, region: RegionId, address: Term, length: Term, byte: Term, span: Span) {
        let cell = self.cell(region);
        let mut value = byte;
        for _ in 1..cell {
            value = self.pool.concat(value, byte);
        }
        let constant = self.pool.bv_constant(length).and_then(|bits| u64::try_from(bits.unsigned()).ok());
        match constant {
            Some(bytes) if bytes.is_multiple_of(cell) && bytes / cell <= UNROLLED => {
                let variable = self.region(region).data;
                let mut data = self.term(variable);
                for position in 0..bytes / cell {
                    let distance = self.address(position * cell);
                    let at = self.pool.add(address, distance);
                    data = self.pool.store(data, at, value);
                }
                self.assign(variable, data, span);
            }
            _ => {
                let (address, value) = (self.snapshot(address, span), self.snapshot(value, span));
                self.cell_loop(length, cell, Order::Forward, span, |lowering, distance| {
                    let at = lowering.pool.add(address, distance);
                    lowering.write_bytes(region, at, value, span);
                });
            }
        }
    }
}
