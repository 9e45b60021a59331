//! Reading and writing cells, and whether that is allowed.

use super::super::Lowering;
use super::layout::Slots;
use super::{Bound, Place, When};
use crate::regions::RegionId;
use crate::types::TypeId;
use aster_cfa::{Access, AccessKind, ErrorKind, InputOrigin};
use aster_term::Term;
use lang_c::span::Span;
use std::ops::Range;

const INVALID: &str = "access outside of any object that is alive";
const CONSTANT: &str = "write to a constant or to a string literal";

impl Lowering<'_> {
    /// Control goes on only if an access of this many bytes is valid.
    pub(in crate::lower) fn check_access(&mut self, place: &Place, bytes: u64, span: Span) {
        let length = self.address(bytes);
        self.check_range(place, length, span);
    }

    /// Control goes on only if so many bytes may be written.
    pub(in crate::lower) fn check_write(&mut self, place: &Place, bytes: u64, span: Span) {
        self.check_access(place, bytes, span);
        let length = self.address(bytes);
        self.require_writable(place, length, span);
    }

    /// What is defined with `const`, and string literals, may not be written. The place is inside of an object.
    pub(in crate::lower) fn require_writable(&mut self, place: &Place, length: Term, span: Span) {
        if matches!(place.bound, Bound::Fine) {
            return;
        }
        for range in self.read_only_ranges(place.region) {
            let (start, end) = (self.address(range.start), self.address(range.end));
            let (below, above) = (self.pool.ult(place.address, start), self.pool.ule(end, place.address));
            let writable = self.pool.or(below, above);
            let access = self.write_to(place, length);
            self.require_access(writable, ErrorKind::InvalidDereference, CONSTANT, access, span);
        }
    }

    /// The write, as far as it can be told.
    fn write_to(&mut self, place: &Place, length: Term) -> Option<Access> {
        let (object, extent) = match place.bound {
            Bound::Fine => return None,
            Bound::Within { offset, extent } => (self.pool.sub(place.address, offset), extent),
            Bound::From { .. } => {
                let extents = self.region(place.region).extent?;
                let extents = self.term(extents);
                let (object, _) = self.split_pointer(place.region, place.address);
                (object, self.pool.select(extents, object))
            }
        };
        Some(Access { kind: AccessKind::Write, address: place.address, length, object, extent })
    }

    /// The addresses of a region that may not be written.
    pub(super) fn read_only_ranges(&self, region: RegionId) -> Vec<Range<u64>> {
        let space = self.memory.space(region);
        let slots = [Some(&space.small), space.large.as_ref()];
        let ranges = slots.into_iter().flatten().map(|slots| slots.read_only.clone());
        ranges.filter(|range| !range.is_empty()).collect()
    }

    /// Like `check_access` for a number of bytes that is known only when the program runs.
    pub(in crate::lower) fn check_range(&mut self, place: &Place, length: Term, span: Span) {
        match place.bound {
            Bound::Fine => {}
            Bound::Within { offset, extent } => {
                let valid = self.is_inside(offset, length, extent);
                let object = self.pool.sub(place.address, offset);
                let access =
                    Access { kind: AccessKind::Access, address: place.address, length, object, extent };
                self.require_access(valid, ErrorKind::InvalidDereference, INVALID, Some(access), span);
            }
            Bound::From { pointer, offset } => {
                let Some(extents) = self.region(place.region).extent else {
                    self.unsupported("pointer whose object is not known", span);
                    return;
                };
                let extents = self.term(extents);
                let (base, inside) = self.split_pointer(place.region, pointer);
                let extent = self.pool.select(extents, base);
                let distance = self.pool.add(inside, offset);
                let mut valid = self.is_inside(distance, length, extent);
                if self.pool.bv_constant(offset).is_none_or(|bits| bits.unsigned() != 0) {
                    let points_inside = self.pool.ult(inside, extent);
                    let by_address = self.is_inside_at(place, extents, length);
                    valid = self.pool.ite(points_inside, valid, by_address);
                }
                let cell = self.cell(place.region);
                if cell > 1 {
                    let (mask, zero) = (self.address(cell - 1), self.address(0));
                    let low = self.pool.bvand(pointer, mask);
                    let aligned = self.pool.eq(low, zero);
                    valid = self.pool.and(valid, aligned);
                }
                let access =
                    Access { kind: AccessKind::Access, address: place.address, length, object: base, extent };
                self.require_pointer(valid, pointer, access, span);
            }
        }
    }

    /// The access is inside of the object at its address. That is what counts if the pointer itself points
    /// to no object: programs go from a member back to where the whole would start, even if the member is
    /// not part of a whole, and only come back to the member from there.
    fn is_inside_at(&mut self, place: &Place, extents: Term, length: Term) -> Term {
        let (base, inside) = self.split_pointer(place.region, place.address);
        let extent = self.pool.select(extents, base);
        self.is_inside(inside, length, extent)
    }

    /// Where memory safety is the property, a pointer that is moved out of its slot must not come to be taken for one to
    /// the object that it happens to meet there: what it is used for then is not modelled.
    pub(in crate::lower) fn check_move(
        &mut self,
        region: Option<RegionId>,
        from: Term,
        to: Term,
        span: Span,
    ) {
        let Some(region) = region.filter(|_| self.options.checks.memory) else { return };
        let ((old, _), (new, _)) = (self.split_pointer(region, from), self.split_pointer(region, to));
        let stays = self.pool.eq(old, new);
        let (fine, leaves) = (self.point(), self.point());
        self.branch_on(stays, fine, leaves, span);
        self.state().current = leaves;
        self.unsupported("pointer that is moved far out of its object", span);
        self.state().current = fine;
    }

    /// Like `require`, but nothing is known about what pointers from outside point to.
    fn require_pointer(&mut self, valid: Term, pointer: Term, access: Access, span: Span) {
        if !self.memory.outside || self.pool.bool_constant(valid) == Some(true) {
            return self.require_access(valid, ErrorKind::InvalidDereference, INVALID, Some(access), span);
        }
        let before = self.state().graph.edge_count();
        let (fine, invalid) = (self.point(), self.point());
        self.branch_on(valid, fine, invalid, span);
        self.state().graph.note_check_at(before, Some(access.clone()));
        self.state().current = invalid;
        let when = self.when_not(valid);
        self.not_an_object(pointer, ErrorKind::InvalidDereference, INVALID, when, access, span);
        if self.pool.bool_constant(valid).is_some() {
            return;
        }
        self.state().current = fine;
    }

    /// A pointer is used that points to no object of the program.
    pub(in crate::lower) fn points_nowhere(&mut self, pointer: Term, when: When, span: Span) {
        let access = self.access_to_nothing(AccessKind::Access, pointer);
        self.not_an_object(pointer, ErrorKind::InvalidDereference, INVALID, when, access, span);
    }

    /// An access through a pointer where no object is.
    pub(super) fn access_to_nothing(&mut self, kind: AccessKind, pointer: Term) -> Access {
        let none = self.address(0);
        Access { kind, address: pointer, length: none, object: pointer, extent: none }
    }

    /// Something is done with a pointer that would need an object of the program, but there is none.
    pub(super) fn not_an_object(
        &mut self,
        pointer: Term,
        kind: ErrorKind,
        what: &str,
        when: When,
        access: Access,
        span: Span,
    ) {
        let before = self.state().graph.edge_count();
        if !self.memory.outside {
            self.undefined(kind, what, when, span);
            return self.state().graph.note_check_at(before, Some(access));
        }
        let (outside, wild) = (self.point(), self.point());
        let limit = self.address(self.memory.layout.outside);
        let own = self.pool.ult(pointer, limit);
        self.branch_on(own, wild, outside, span);
        self.state().graph.note_check_at(before, Some(access));
        self.state().current = outside;
        self.unsupported("memory outside of the program's objects", span);
        self.state().current = wild;
        self.undefined(kind, what, when, span);
    }

    /// `length` bytes at `offset` are inside of an object with this extent: `length < extent`, and
    /// `offset < extent - length`.
    fn is_inside(&mut self, offset: Term, length: Term, extent: Term) -> Term {
        let short = self.pool.ult(length, extent);
        let room = self.pool.sub(extent, length);
        let near = self.pool.ult(offset, room);
        self.pool.and(short, near)
    }

    /// The start of the slot that a pointer points into, and the distance from there.
    pub(in crate::lower) fn split_pointer(&mut self, region: RegionId, pointer: Term) -> (Term, Term) {
        let space = self.memory.space(region);
        let slots = |slots: &Slots| ((1u64 << slots.bits) - 1, slots.margin);
        let (small, large, boundary) = (slots(&space.small), space.large.as_ref().map(slots), space.boundary);
        let (mut base, mut inside) = self.split_at(pointer, small);
        if let Some(large) = large {
            let boundary = self.address(boundary);
            let is_small = self.pool.ult(pointer, boundary);
            let (high, low) = self.split_at(pointer, large);
            base = self.pool.ite(is_small, base, high);
            inside = self.pool.ite(is_small, inside, low);
        }
        (base, inside)
    }

    /// The start of the object in a slot with such low bits and such a margin, and the distance from there, which wraps around below it.
    fn split_at(&mut self, pointer: Term, (mask, margin): (u64, u64)) -> (Term, Term) {
        let (high, low) = (self.high_bits(pointer, mask), self.low_bits(pointer, mask));
        if margin == 0 {
            return (high, low);
        }
        let margin = self.address(margin);
        (self.pool.bvor(high, margin), self.pool.sub(low, margin))
    }

    fn low_bits(&mut self, pointer: Term, mask: u64) -> Term {
        let mask = self.address(mask);
        self.pool.bvand(pointer, mask)
    }

    fn high_bits(&mut self, pointer: Term, mask: u64) -> Term {
        let width = self.pointer_width();
        let mask = self.pool.bv(width, u128::from(!mask));
        self.pool.bvand(pointer, mask)
    }

    /// The bits of some bytes at an address.
    pub(in crate::lower) fn read_bytes(&mut self, region: RegionId, address: Term, bytes: u64) -> Term {
        let cell = self.cell(region);
        let data = self.region(region).data;
        let data = self.term(data);
        let mut value = self.pool.select(data, address);
        for position in 1..bytes / cell {
            let distance = self.address(position * cell);
            let at = self.pool.add(address, distance);
            let element = self.pool.select(data, at);
            value = self.pool.concat(element, value);
        }
        value
    }

    /// The data of a region after some bytes at an address were overwritten.
    pub(in crate::lower) fn written(
        &mut self,
        region: RegionId,
        mut data: Term,
        address: Term,
        value: Term,
    ) -> Term {
        let cell = self.cell(region);
        let bits = 8 * u32::try_from(cell).unwrap_or(1);
        for position in 0..self.pool.width(value) / bits {
            let distance = self.address(u64::from(position) * cell);
            let at = self.pool.add(address, distance);
            let element = self.pool.extract((position + 1) * bits - 1, position * bits, value);
            data = self.pool.store(data, at, element);
        }
        data
    }

    pub(in crate::lower) fn write_bytes(&mut self, region: RegionId, address: Term, value: Term, span: Span) {
        let variable = self.region(region).data;
        let data = self.term(variable);
        let changed = self.written(region, data, address, value);
        self.assign(variable, changed, span);
    }

    /// The bytes of a type fit the cells of a region.
    fn fits_cells(&mut self, region: RegionId, bytes: u64, span: Span) -> bool {
        let fits = bytes > 0 && bytes.is_multiple_of(self.cell(region));
        if !fits {
            self.unsupported("access to a part of a memory cell", span);
        }
        fits
    }

    /// The scalar value at a place, which was checked.
    pub(in crate::lower) fn read_scalar(
        &mut self,
        place: &Place,
        bits: Option<(u32, u32)>,
        ty: TypeId,
        span: Span,
    ) -> Term {
        let Some(width) = self.width(ty) else {
            self.unsupported(self.unmodelled_type(ty), span);
            return self.dummy(ty);
        };
        let bytes = self.access_bytes(place.region, bits, ty);
        if !self.fits_cells(place.region, bytes, span) {
            return self.dummy(ty);
        }
        let value = self.read_bytes(place.region, place.address, bytes);
        match bits {
            None => self.value_of_bits(value, ty),
            Some((first, count)) => {
                let field = self.pool.extract(first + count - 1, first, value);
                self.extended(field, width, ty)
            }
        }
    }

    /// The value of a bit-field in its declared type.
    fn extended(&mut self, field: Term, width: u32, ty: TypeId) -> Term {
        if self.is_signed(ty) {
            self.pool.sign_extend_to(width, field)
        } else {
            self.pool.zero_extend_to(width, field)
        }
    }

    /// How many bytes an access touches: those of the type, or those that hold the bits of a bit-field.
    pub(in crate::lower) fn access_bytes(
        &self,
        region: RegionId,
        bits: Option<(u32, u32)>,
        ty: TypeId,
    ) -> u64 {
        match bits {
            None => self.typed.types.size(ty).unwrap_or(1),
            Some((first, count)) => {
                u64::from((first + count).div_ceil(8)).next_multiple_of(self.cell(region))
            }
        }
    }

    /// Writes a scalar to a place, which was checked; gives what reading it gives then.
    pub(in crate::lower) fn write_scalar(
        &mut self,
        place: &Place,
        bits: Option<(u32, u32)>,
        value: Term,
        ty: TypeId,
        span: Span,
    ) -> Term {
        let Some(width) = self.width(ty) else {
            self.unsupported(self.unmodelled_type(ty), span);
            return value;
        };
        let bytes = self.access_bytes(place.region, bits, ty);
        if !self.fits_cells(place.region, bytes, span) {
            return value;
        }
        let held = self.held_bits(value, ty);
        let held_width = self.pool.width(held);
        let padded = u64::from(held_width) < 8 * bytes;
        let Some((first, count)) = bits.or(padded.then_some((0, held_width))) else {
            self.write_bytes(place.region, place.address, held, span);
            return value;
        };
        let old = self.read_bytes(place.region, place.address, bytes);
        let field = self.pool.extract(count - 1, 0, held);
        let mut new = field;
        if first > 0 {
            let low = self.pool.extract(first - 1, 0, old);
            new = self.pool.concat(new, low);
        }
        let total = self.pool.width(old);
        if first + count < total {
            let high = self.pool.extract(total - 1, first + count, old);
            new = self.pool.concat(high, new);
        }
        self.write_bytes(place.region, place.address, new, span);
        if bits.is_some() { self.extended(field, width, ty) } else { value }
    }

    /// An arbitrary value of a type that is stored somewhere.
    pub(in crate::lower) fn arbitrary(&mut self, bits: u32, name: &str, span: Span) -> Term {
        let variable = self.temporary(bits);
        let input = aster_cfa::Input {
            origin: InputOrigin::Uninitialised(name.to_owned()),
            presentation: aster_cfa::Presentation::Raw("memory".to_owned()),
        };
        self.emit(aster_cfa::Label::Op(aster_cfa::Op::Havoc(variable, input)), span);
        self.term(variable)
    }
}
