//! Places: where an lvalue is.

use super::super::Lowering;
use super::{When, layout};
use crate::library::stream_of_object;
use crate::regions::RegionId;
use crate::typed::{Expr, ExprKind, LValue, LValueKind, ObjectId, Storage};
use crate::types::Type;
use aster_cfa::{ErrorKind, Var};
use aster_term::Term;
use lang_c::span::Span;

/// Where something in memory is.
#[derive(Clone, Copy)]
pub(in crate::lower) struct Place {
    pub(in crate::lower) region: RegionId,
    pub(in crate::lower) address: Term,
    pub(in crate::lower) bound: Bound,
}

/// What an access at a place must stay in.
#[derive(Clone, Copy)]
pub(in crate::lower) enum Bound {
    /// A variable or string with this extent; the place is `offset` bytes from its start.
    Within { offset: Term, extent: Term },
    /// The object that a pointer points into; the place is `offset` bytes from where it points.
    From { pointer: Term, offset: Term },
    /// It is known to be valid.
    Fine,
}

/// What an lvalue denotes.
#[derive(Clone, Copy)]
pub(in crate::lower) enum Location {
    /// A variable that is not in memory.
    Variable(Var),
    /// A place in memory, and for bit-fields first bit and width.
    Memory(Place, Option<(u32, u32)>),
    /// Nothing that is modelled; control never goes on from there.
    Nowhere,
}

impl Lowering<'_> {
    /// Finds out what an lvalue denotes, after edges for its effects.
    pub(in crate::lower) fn locate(&mut self, lvalue: &LValue, span: Span) -> Location {
        match &lvalue.kind {
            LValueKind::Object(object) => self.locate_object(*object, span),
            LValueKind::Deref(pointer) => match self.pointee(pointer, span) {
                Some(place) => Location::Memory(place, None),
                None => Location::Nowhere,
            },
            LValueKind::Member(base, record, index) => {
                let body = self.typed.types.record(*record).body.as_ref().filter(|body| body.trusted);
                let Some((offset, bits)) =
                    body.and_then(|body| body.fields.get(*index)).map(|field| (field.offset, field.bits))
                else {
                    self.unsupported("structure whose layout is not known", span);
                    return Location::Nowhere;
                };
                match self.locate(base, span) {
                    Location::Memory(place, _) => {
                        let offset = self.address(offset);
                        Location::Memory(self.moved(place, offset), bits)
                    }
                    _ => Location::Nowhere,
                }
            }
            LValueKind::String(bytes) => match self.string_place(bytes, lvalue) {
                Some(place) => Location::Memory(place, None),
                None => self.nowhere("string literal", span),
            },
            LValueKind::Compound(object, initializer) => {
                self.initialize_object(*object, initializer, span);
                self.locate_object(*object, span)
            }
            LValueKind::Value(value) => match self.record_place(value) {
                Some(place) => Location::Memory(place, None),
                None => Location::Nowhere,
            },
        }
    }

    fn nowhere(&mut self, what: &str, span: Span) -> Location {
        self.unsupported(what, span);
        Location::Nowhere
    }

    fn locate_object(&mut self, object: ObjectId, span: Span) -> Location {
        let info = &self.typed.objects[object.index()];
        if let Some(what) = &info.refused {
            return self.nowhere(what, span);
        }
        let is_stream = stream_of_object(self.typed, object).is_some();
        if info.storage == Storage::External && self.holds_pointers(info.ty) && !is_stream {
            return self.nowhere("pointer from outside of the program", span);
        }
        if self.memory.regions.in_memory(object) {
            return match self.object_place(object) {
                Some(place) => Location::Memory(place, None),
                None => self.nowhere("variable whose size is not known", span),
            };
        }
        match self.variable(object) {
            Some(variable) => Location::Variable(variable),
            None => self.nowhere(self.unmodelled_type(info.ty), span),
        }
    }

    /// What to say about a type whose values are not modelled.
    pub(in crate::lower) fn unmodelled_type(&self, ty: crate::types::TypeId) -> &'static str {
        match self.typed.types.get(ty) {
            Type::Complex(_) => "complex arithmetic",
            Type::Decimal(_) => "decimal floating-point numbers",
            Type::Vector(..) => "vector of more than 16 bytes",
            _ => "value that is not modelled",
        }
    }

    /// The place is a variable that is not modelled, or a part of one.
    pub(in crate::lower) fn is_refused(&self, place: &LValue) -> bool {
        match &place.kind {
            LValueKind::Object(object) => self.typed.objects[object.index()].refused.is_some(),
            LValueKind::Member(base, ..) => self.is_refused(base),
            _ => false,
        }
    }

    /// Values of this type are pointers, or have pointers in them.
    pub(in crate::lower) fn holds_pointers(&self, ty: crate::types::TypeId) -> bool {
        let types = &self.typed.types;
        match types.get(ty) {
            Type::Pointer(_) => true,
            Type::Array(element, _) => self.holds_pointers(*element),
            Type::Record(id) => types
                .record(*id)
                .body
                .as_ref()
                .is_none_or(|body| body.fields.iter().any(|field| self.holds_pointers(field.ty))),
            _ => false,
        }
    }

    /// The place of a variable that lives in memory.
    pub(in crate::lower) fn object_place(&mut self, object: ObjectId) -> Option<Place> {
        let region = self.memory.regions.of_object(object)?;
        let Some(size) = layout::object_size(self.typed, object) else {
            let (address, extent) = self.variable_length.get(&object).copied()?;
            let (address, extent) = (self.term(address), self.term(extent));
            let offset = self.address(0);
            return Some(Place { region, address, bound: Bound::Within { offset, extent } });
        };
        let address = self.object_address(object)?;
        let (offset, extent) = (self.address(0), self.address(size + 1));
        Some(Place { region, address, bound: Bound::Within { offset, extent } })
    }

    pub(super) fn string_place(&mut self, bytes: &[u8], lvalue: &LValue) -> Option<Place> {
        let string = self.memory.regions.string(bytes, lvalue.ty)?;
        let region = self.memory.regions.of_string(string);
        let size = self.memory.regions.literal(string).size();
        let address = self.memory.layout.string(string)?;
        let (address, offset, extent) = (self.address(address), self.address(0), self.address(size + 1));
        Some(Place { region, address, bound: Bound::Within { offset, extent } })
    }

    /// A place some bytes further.
    pub(in crate::lower) fn moved(&mut self, place: Place, distance: Term) -> Place {
        let address = self.pool.add(place.address, distance);
        let bound = match place.bound {
            Bound::Within { offset, extent } => {
                Bound::Within { offset: self.pool.add(offset, distance), extent }
            }
            Bound::From { pointer, offset } => {
                Bound::From { pointer, offset: self.pool.add(offset, distance) }
            }
            Bound::Fine => Bound::Fine,
        };
        Place { region: place.region, address, bound }
    }

    /// A place that later edges do not change.
    pub(in crate::lower) fn keep(&mut self, place: Place, span: Span) -> Place {
        let bound = match place.bound {
            Bound::Within { offset, extent } => Bound::Within { offset: self.snapshot(offset, span), extent },
            Bound::From { pointer, offset } => {
                Bound::From { pointer: self.snapshot(pointer, span), offset: self.snapshot(offset, span) }
            }
            Bound::Fine => Bound::Fine,
        };
        Place { region: place.region, address: self.snapshot(place.address, span), bound }
    }

    /// Where a pointer points to. The object is that of the pointer before anything was added to it:
    /// sums of pointers and numbers must stay inside of their object.
    pub(in crate::lower) fn pointee(&mut self, pointer: &Expr, span: Span) -> Option<Place> {
        match &pointer.kind {
            ExprKind::Convert(inner) if self.typed.types.is_pointer(inner.ty) => self.pointee(inner, span),
            ExprKind::PointerOffset { pointer: base, index, size: Some(size), backwards, swapped } => {
                let (base, count) = if *swapped {
                    let mut count = self.value(index);
                    if base.effects {
                        count = self.snapshot(count, span);
                    }
                    (self.pointee(base, span)?, count)
                } else {
                    let mut place = self.pointee(base, span)?;
                    if index.effects {
                        place = self.keep(place, span);
                    }
                    (place, self.value(index))
                };
                let size = self.address(*size);
                let mut distance = self.pool.mul(count, size);
                if *backwards {
                    distance = self.pool.neg(distance);
                }
                Some(self.moved(base, distance))
            }
            ExprKind::AddressOf(place) => match self.locate(place, span) {
                Location::Memory(place, _) => Some(place),
                Location::Variable(_) | Location::Nowhere => None,
            },
            _ => {
                let value = self.value(pointer);
                if self.pool.bv_constant(value).is_some_and(|bits| bits.unsigned() == 0) {
                    self.undefined(
                        ErrorKind::InvalidDereference,
                        "null pointer is dereferenced",
                        When::Always,
                        span,
                    );
                    return None;
                }
                let Some(region) = self.memory.regions.of_pointer(pointer) else {
                    self.points_nowhere(value, When::Always, span);
                    return None;
                };
                let offset = self.address(0);
                Some(Place { region, address: value, bound: Bound::From { pointer: value, offset } })
            }
        }
    }

    /// Where the value of an expression of structure type is held.
    pub(in crate::lower) fn record_place(&mut self, expr: &Expr) -> Option<Place> {
        match &expr.kind {
            ExprKind::Load(place) => match self.locate(place, expr.span) {
                Location::Memory(place, _) => Some(place),
                Location::Variable(_) | Location::Nowhere => None,
            },
            ExprKind::Convert(inner) => self.record_place(inner),
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.record_place(second)
            }
            ExprKind::Statements(statements, value, block) => {
                let value = value.as_deref()?;
                self.statements_value(statements, *block, expr.span, |this| this.record_place(value))
            }
            ExprKind::Assign(place, value) => self.record_assignment(place, value, expr.span),
            ExprKind::Call(callee, arguments, objects) if objects.result.is_some() => {
                self.call(callee, arguments, *objects, expr, super::super::calls::Wanted::Nothing);
                let mut place = self.object_place(objects.result?)?;
                place.bound = Bound::Fine;
                Some(place)
            }
            ExprKind::Conditional(condition, left, right) => {
                self.conditional_record(condition, left, right, expr)
            }
            ExprKind::Unsupported(what) => {
                self.unsupported(what, expr.span);
                None
            }
            _ => {
                self.unsupported("structure value", expr.span);
                None
            }
        }
    }

    fn conditional_record(
        &mut self,
        condition: &Expr,
        left: &Expr,
        right: &Expr,
        expr: &Expr,
    ) -> Option<Place> {
        let size = self.typed.types.known_size(expr.ty)?;
        let width = self.pointer_width();
        let address = self.temporary(width);
        let mut region = None;
        self.conditional_branches(condition, left, right, |lowering, branch| {
            let Some(place) = lowering.record_place(branch) else { return };
            lowering.check_access(&place, size, branch.span);
            region = Some(place.region);
            lowering.assign(address, place.address, branch.span);
        });
        Some(Place { region: region?, address: self.term(address), bound: Bound::Fine })
    }
}
