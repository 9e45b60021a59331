//! What memory holds at first: initialisers, zeros, or arbitrary values.

use super::super::Lowering;
use super::copies::UNROLLED;
use super::layout::Allocated;
use super::{Bound, Place, layout};
use crate::library::stream_of_object;
use crate::regions::RegionId;
use crate::typed::{ExprKind, InitElement, Initializer, LValueKind, ObjectId, Storage};
use aster_term::{Sort, Term};
use lang_c::span::Span;

/// Variables that share a region are listed up to this number.
const MAX_NAMES: usize = 3;

/// Images of more cells make room for their terms first.
const MANY_CELLS: usize = 1 << 12;

/// The bytes of an object, as far as they are known before the program runs.
struct Image {
    bytes: Vec<u8>,
}

impl Image {
    /// Overwrites some bits: `count` of them, `first` bits after the byte at `offset`.
    fn set(&mut self, offset: u64, first: u32, count: u32, value: u128) {
        for bit in 0..count {
            let position = u64::from(first + bit);
            let Some(byte) =
                usize::try_from(offset + position / 8).ok().and_then(|at| self.bytes.get_mut(at))
            else {
                return;
            };
            let mask = 1u8 << (position % 8);
            if value >> bit & 1 == 1 { *byte |= mask } else { *byte &= !mask }
        }
    }

    /// Cell number `index`, if it is inside.
    fn cell(&self, index: usize, size: usize) -> Option<u128> {
        let bytes = self.bytes.get(index * size..(index + 1) * size)?;
        Some(bytes.iter().rev().fold(0, |value, &byte| value << 8 | u128::from(byte)))
    }
}

impl Lowering<'_> {
    /// Gives a variable in memory its initial value where control passes its declaration.
    pub(in crate::lower) fn initialize_object(
        &mut self,
        object: ObjectId,
        initializer: &Initializer,
        span: Span,
    ) {
        if !self.memory.regions.in_memory(object) {
            if let Initializer::Scalar(value) = initializer {
                match self.variable(object) {
                    Some(variable) => self.store(variable, value, span),
                    None => {
                        let what = self.unmodelled_type(self.typed.objects[object.index()].ty);
                        self.unsupported(what, span);
                    }
                }
            }
            return;
        }
        match self.object_place(object) {
            Some(place) => self.initialize_place(object, &place, initializer, false, span),
            None => self.unsupported("variable whose size is not known", span),
        }
    }

    /// `zeroed` tells that the place holds zeros.
    fn initialize_place(
        &mut self,
        object: ObjectId,
        place: &Place,
        initializer: &Initializer,
        zeroed: bool,
        span: Span,
    ) {
        let ty = self.typed.objects[object.index()].ty;
        match initializer {
            Initializer::Scalar(value) if self.typed.types.as_record(ty).is_some() => {
                if let Some(source) = self.record_place(value) {
                    let target = Place { bound: Bound::Fine, ..*place };
                    self.copy_record(&target, &source, ty, span);
                }
            }
            Initializer::Scalar(value) => {
                let value = self.value(value);
                self.write_object(place, value, object, span);
            }
            Initializer::Aggregate(elements) => {
                let Some(size) = layout::object_size(self.typed, object) else {
                    return self.unsupported("initialiser of a variable whose size is not known", span);
                };
                self.initialize_aggregate(place, size, elements, zeroed, span);
            }
        }
    }

    fn initialize_aggregate(
        &mut self,
        place: &Place,
        size: u64,
        elements: &[InitElement],
        zeroed: bool,
        span: Span,
    ) {
        let Ok(bytes) = usize::try_from(size) else {
            return self.unsupported("initialiser of a variable that is too large", span);
        };
        let mut image = Image { bytes: vec![0; bytes] };
        let mut rest: Vec<(&InitElement, Option<Term>)> = Vec::new();
        // Elements of the rest end before this byte.
        let mut reach = 0;
        for element in elements {
            let before = rest.len();
            let is_behind = element.offset >= reach;
            if element.value.effects || !self.draw(&mut image, element, is_behind, &mut rest) {
                rest.push((element, None));
            }
            if rest.len() > before {
                reach = reach.max(self.end_of(element));
            }
        }
        self.write_image(place, &image, zeroed, span);
        for (element, value) in rest {
            let offset = self.address(element.offset);
            let mut part = self.moved(*place, offset);
            part.bound = Bound::Fine;
            self.initialize_part(&part, element, value, span);
        }
    }

    /// Draws an element into the image if it is a constant. An element that later ones lie on top of is
    /// overwritten there too, because the rest is written after the image: later constants on top of an
    /// earlier element that is not constant go to the rest as well. `is_behind` tells that the element lies behind all of the rest.
    fn draw<'e>(
        &mut self,
        image: &mut Image,
        element: &'e InitElement,
        is_behind: bool,
        rest: &mut Vec<(&'e InitElement, Option<Term>)>,
    ) -> bool {
        if let ExprKind::Load(place) = &element.value.kind
            && let LValueKind::String(bytes) = &place.kind
        {
            for (position, &byte) in bytes.iter().enumerate() {
                image.set(element.offset + position as u64, 0, 8, u128::from(byte));
            }
            return rest.is_empty();
        }
        let ty = element.value.ty;
        if !element.value.total || self.width(ty).is_none() {
            return false;
        }
        let value = self.value(&element.value);
        let held = self.held_bits(value, ty);
        let width = self.pool.width(held);
        let Some(bits) = self.pool.bv_constant(held) else {
            rest.push((element, Some(value)));
            return true;
        };
        let (first, count) = element.bits.unwrap_or((0, width));
        image.set(element.offset, first, count, bits.unsigned());
        let overlaps = |(other, _): &(&InitElement, Option<Term>)| {
            other.offset < self.end_of(element) && element.offset < self.end_of(other)
        };
        is_behind || !rest.iter().any(overlaps)
    }

    fn end_of(&self, element: &InitElement) -> u64 {
        element.offset + self.typed.types.size(element.value.ty).unwrap_or(u64::MAX / 2)
    }

    fn initialize_part(&mut self, part: &Place, element: &InitElement, value: Option<Term>, span: Span) {
        let ty = element.value.ty;
        if let ExprKind::Load(place) = &element.value.kind
            && let LValueKind::String(bytes) = &place.kind
        {
            for (position, &byte) in bytes.iter().enumerate() {
                let distance = self.address(position as u64);
                let at = self.pool.add(part.address, distance);
                let byte = self.pool.bv(8, u128::from(byte));
                self.write_bytes(part.region, at, byte, span);
            }
            return;
        }
        if self.typed.types.as_record(ty).is_some() {
            if let Some(source) = self.record_place(&element.value) {
                self.copy_record(part, &source, ty, span);
            }
            return;
        }
        let value = match value {
            Some(value) => value,
            None => self.value(&element.value),
        };
        self.write_scalar(part, element.bits, value, ty, span);
    }

    /// Writes an image, or only what is not zero if the place holds zeros.
    fn write_image(&mut self, place: &Place, image: &Image, zeroed: bool, span: Span) {
        let cell = self.cell(place.region);
        let Ok(size) = usize::try_from(cell) else { return };
        let bits = 8 * u32::try_from(cell).unwrap_or(1);
        let zero = self.pool.bv(8, 0);
        let mut skip_zeros = zeroed;
        if !zeroed && image.bytes.len() as u64 / cell > UNROLLED {
            let zeros = image.bytes.iter().filter(|&&byte| byte == 0).count();
            if 2 * zeros > image.bytes.len() {
                let length = self.address(image.bytes.len() as u64);
                self.fill(place.region, place.address, length, zero, span);
                skip_zeros = true;
            }
        }
        let variable = self.region(place.region).data;
        let mut data = self.term(variable);
        if image.bytes.len() / size > MANY_CELLS {
            let written = (0..image.bytes.len() / size)
                .filter(|&index| !skip_zeros || image.cell(index, size) != Some(0));
            // An address and a write for each.
            self.pool.reserve(2 * written.count());
        }
        for index in 0..image.bytes.len() / size {
            let Some(value) = image.cell(index, size) else { continue };
            if skip_zeros && value == 0 {
                continue;
            }
            let distance = self.address(index as u64 * cell);
            let at = self.pool.add(place.address, distance);
            let value = self.pool.bv(bits, value);
            data = self.pool.store(data, at, value);
        }
        self.assign(variable, data, span);
    }

    /// A variable in memory without initialiser holds arbitrary values where control passes its
    /// declaration. `once` tells that control passes it at most once: then it holds those that the
    /// region had at the start of the program.
    pub(in crate::lower) fn forget_object(&mut self, object: ObjectId, once: bool, span: Span) {
        if once {
            return;
        }
        let name = self.typed.objects[object.index()].name.clone();
        let Some(place) = self.object_place(object) else { return };
        let Some(size) = layout::object_size(self.typed, object) else { return };
        let region = place.region;
        let cell = self.cell(region);
        let bits = 8 * u32::try_from(cell).unwrap_or(1);
        let count = size / cell;
        let info = self.memory.regions.info(region);
        let alone = info.objects.len() == 1 && info.strings.is_empty() && !info.is_allocated();
        let owner = self.typed.objects[object.index()].owner;
        let single = owner.is_none_or(|owner| !self.memory.regions.is_recursive(owner));
        if count == 1 {
            let value = self.arbitrary(bits, &name, span);
            self.write_bytes(region, place.address, value, span);
        } else if alone && single {
            let data = self.region(region).data;
            self.havoc_memory(data, &name, span);
        } else if count > 0 {
            let width = self.pointer_width();
            let sort = Sort::Array { index: width, element: bits };
            let owner = self.state().procedure;
            let fresh = self.builder.add_variable(self.pool, "tmp", sort, Some(owner), None);
            self.havoc_memory(fresh, &name, span);
            self.copy_from_fresh(&place, fresh, size, span);
        }
    }

    fn copy_from_fresh(&mut self, place: &Place, fresh: aster_cfa::Var, size: u64, span: Span) {
        let (region, cell) = (place.region, self.cell(place.region));
        let fresh = self.term(fresh);
        if size / cell <= UNROLLED {
            let variable = self.region(region).data;
            let mut data = self.term(variable);
            for position in 0..size / cell {
                let distance = self.address(position * cell);
                let at = self.pool.add(place.address, distance);
                let value = self.pool.select(fresh, at);
                data = self.pool.store(data, at, value);
            }
            return self.assign(variable, data, span);
        }
        let address = self.snapshot(place.address, span);
        let length = self.address(size);
        self.cell_loop(length, cell, super::copies::Order::Forward, span, |lowering, distance| {
            let at = lowering.pool.add(address, distance);
            let value = lowering.pool.select(fresh, at);
            lowering.write_bytes(region, at, value, span);
        });
    }

    /// Initialises all regions that are used, at the start of the program.
    pub(in crate::lower) fn initialize_memory(&mut self, span: Span) {
        if let Some(variable) = self.allocations() {
            let none = self.address(0);
            self.assign(variable, none, span);
        }
        self.hold_nothing(span);
        let mut used = self.memory.used.clone();
        used.sort_unstable();
        for region in used {
            self.initialize_region(region, span);
        }
    }

    fn initialize_region(&mut self, region: RegionId, span: Span) {
        let variables = self.region(region);
        let info = self.memory.regions.info(region);
        let (objects, strings) = (info.objects.clone(), info.strings.clone());
        let typed = self.typed;
        let zeroed = !info.is_allocated()
            && objects.iter().all(|object| typed.objects[object.index()].storage == Storage::Static);
        let width = self.pointer_width();
        if zeroed {
            let bits = 8 * u32::try_from(self.cell(region)).unwrap_or(1);
            let zero = self.pool.bv(bits, 0);
            let zeros = self.pool.const_array(width, zero);
            self.assign(variables.data, zeros, span);
        } else {
            let name = self.contents_name(&objects);
            self.havoc_memory(variables.data, &name, span);
        }
        self.initialize_extents(region, span);
        let space = self.memory.space(region).clone();
        for (kind, next) in [Allocated::Heap, Allocated::Stack].into_iter().zip(variables.next) {
            for (variable, slots) in next.into_iter().zip([Some(&space.small), space.large.as_ref()]) {
                if let (Some(variable), Some(slots)) = (variable, slots) {
                    let start = self.address(slots.of(kind).start + slots.margin);
                    self.assign(variable, start, span);
                }
            }
        }
        for string in strings {
            let Some(address) = self.memory.layout.string(string) else { continue };
            let image = Image { bytes: self.memory.regions.literal(string).terminated() };
            let address = self.address(address);
            let place = Place { region, address, bound: Bound::Fine };
            self.write_image(&place, &image, zeroed, span);
        }
        for object in objects {
            let data = &typed.objects[object.index()];
            if let Some(stream) = stream_of_object(typed, object)
                && let Some(place) = self.object_place(object)
            {
                let pointer = self.stream_pointer(stream);
                self.write_scalar(&place, None, pointer, data.ty, data.span);
            }
            if data.storage != Storage::Static {
                continue;
            }
            let Some(place) = self.object_place(object) else { continue };
            match &data.initializer {
                Some(initializer) => {
                    self.initialize_place(object, &place, initializer, zeroed, data.span);
                }
                None if zeroed => {}
                None => {
                    let Some(size) = layout::object_size(typed, object) else { continue };
                    let (length, zero) = (self.address(size), self.pool.bv(8, 0));
                    self.fill(region, place.address, length, zero, data.span);
                }
            }
        }
    }

    /// How people call the contents of memory that is not initialised.
    fn contents_name(&self, objects: &[ObjectId]) -> String {
        let local = objects.iter().map(|object| &self.typed.objects[object.index()]);
        let mut names: Vec<&str> =
            local.filter(|it| it.storage != Storage::Static).map(|it| it.name.as_str()).collect();
        names.retain(|name| !name.is_empty());
        names.dedup();
        match names.as_slice() {
            [] => "allocated objects".to_owned(),
            _ if names.len() <= MAX_NAMES => names.join(", "),
            _ => format!("{}, ...", names[..MAX_NAMES].join(", ")),
        }
    }

    /// What is alive from the start to the end.
    fn initialize_extents(&mut self, region: RegionId, span: Span) {
        let Some(variable) = self.region(region).extent else { return };
        let info = self.memory.regions.info(region);
        let (objects, strings) = (info.objects.clone(), info.strings.clone());
        let width = self.pointer_width();
        let none = self.address(0);
        let mut extents = self.pool.const_array(width, none);
        let mut alive = Vec::new();
        for object in objects {
            if let (true, Some(super::layout::Home::Fixed(address)), Some(size)) = (
                self.is_lasting(object),
                self.memory.layout.home(object),
                layout::object_size(self.typed, object),
            ) {
                alive.push((address, size));
            }
        }
        for string in strings {
            if let Some(address) = self.memory.layout.string(string) {
                alive.push((address, self.memory.regions.literal(string).size()));
            }
        }
        for (address, size) in alive {
            let (address, extent) = (self.address(address), self.address(size + 1));
            extents = self.pool.store(extents, address, extent);
        }
        self.assign(variable, extents, span);
    }
}
