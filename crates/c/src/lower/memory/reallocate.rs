//! `calloc` and `realloc`: memory that is allocated with contents.

use super::super::Lowering;
use super::copies::Order;
use super::layout::Allocated;
use super::{Bound, Place};
use crate::typed::Expr;
use aster_term::Term;

impl Lowering<'_> {
    /// `calloc`. Like glibc it gives null if the size does not fit what a difference of pointers can hold.
    pub(super) fn zeroed_allocation(&mut self, count: Term, size: Term, expr: &Expr) -> Option<Term> {
        let width = self.pointer_width();
        let (wide_count, wide_size) =
            (self.pool.zero_extend_to(2 * width, count), self.pool.zero_extend_to(2 * width, size));
        let product = self.pool.mul(wide_count, wide_size);
        let limit = self.pool.bv(2 * width, 1u128 << (width - 1));
        let possible = self.pool.ult(product, limit);
        let null = self.address(0);
        if self.pool.bool_constant(possible) == Some(false) {
            return Some(null);
        }
        let result = self.temporary(width);
        let (fine, impossible, end) = (self.point(), self.point(), self.point());
        self.branch_on(possible, fine, impossible, expr.span);
        self.state().current = impossible;
        self.assign(result, null, expr.span);
        self.jump(end);
        self.state().current = fine;
        let total = self.pool.extract(width - 1, 0, product);
        let total = self.snapshot(total, expr.span);
        let (address, region) = self.allocation(total, Allocated::Heap, expr)?;
        let zero = self.pool.bv(8, 0);
        // What is left over of the last cell is nobody's.
        let whole = self.whole_cells(total, self.cell(region));
        let length = if self.options.malloc_may_fail {
            let failed = self.pool.eq(address, null);
            self.pool.ite(failed, null, whole)
        } else {
            whole
        };
        self.fill(region, address, length, zero, expr.span);
        self.assign(result, address, expr.span);
        self.jump(end);
        self.state().current = end;
        Some(self.term(result))
    }

    /// `realloc`. Like glibc's it frees the memory and gives null if it is asked for no bytes.
    pub(super) fn reallocation(
        &mut self,
        argument: &Expr,
        old: Term,
        size: Term,
        expr: &Expr,
    ) -> Option<Term> {
        let (width, null) = (self.pointer_width(), self.address(0));
        let result = self.temporary(width);
        let (given, nothing) = (self.pool.ne(old, null), self.pool.eq(size, null));
        let frees = self.pool.and(given, nothing);
        let (gone, moved, end) = (self.point(), self.point(), self.point());
        self.branch_on(frees, gone, moved, expr.span);
        self.state().current = gone;
        if self.pool.bool_constant(frees) != Some(false) {
            self.free(argument, old, expr.span);
        }
        self.assign(result, null, expr.span);
        self.jump(end);
        self.state().current = moved;
        let address = self.moved_allocation(argument, old, size, expr)?;
        self.assign(result, address, expr.span);
        self.jump(end);
        self.state().current = end;
        Some(self.term(result))
    }

    /// New memory with the contents of the old, which is freed.
    fn moved_allocation(&mut self, argument: &Expr, old: Term, size: Term, expr: &Expr) -> Option<Term> {
        let (address, region) = self.allocation(size, Allocated::Heap, expr)?;
        let address = self.snapshot(address, expr.span);
        let null = self.address(0);
        let (given, end) = (self.point(), self.point());
        let mut needed = self.pool.ne(old, null);
        if self.options.malloc_may_fail {
            let succeeded = self.pool.ne(address, null);
            needed = self.pool.and(needed, succeeded);
        }
        self.branch_on(needed, given, end, expr.span);
        self.state().current = given;
        let Some(extents) = self.region(region).extent else {
            self.unsupported("allocation", expr.span);
            return None;
        };
        let extents = self.term(extents);
        let (extent, one) = (self.pool.select(extents, old), self.address(1));
        let present = self.pool.sub(extent, one);
        let present = self.snapshot(present, expr.span);
        self.free(argument, old, expr.span);
        let shrinks = self.pool.ult(size, present);
        let length = self.pool.ite(shrinks, size, present);
        let (target, source) = (
            Place { region, address, bound: Bound::Fine },
            Place { region, address: old, bound: Bound::Fine },
        );
        let unit = self.cell(region);
        // The end of the last cell is copied along: both objects have their slots to themselves.
        let length = self.whole_cells(length, unit);
        self.copy_loop(&target, &source, length, unit, Order::Forward, expr.span);
        self.jump(end);
        self.state().current = end;
        Some(address)
    }

    /// A number of bytes that is as many cells, rounded up.
    pub(super) fn whole_cells(&mut self, length: Term, cell: u64) -> Term {
        if cell == 1 {
            return length;
        }
        let width = self.pointer_width();
        let (rest, mask) = (self.address(cell - 1), self.pool.bv(width, u128::from(!(cell - 1))));
        let more = self.pool.add(length, rest);
        self.pool.bvand(more, mask)
    }
}
