//! Addresses: where variables, string literals, functions and allocated memory are.
//!
//! Every region has its own range of addresses, cut into slots of equal size, a power of two; an object
//! has a slot to itself and at least one byte of it unused. So an address tells its object without a
//! search: clear the low bits. Objects of more than [`SMALL_LIMIT`] bytes have slots of their own size in
//! a second range above, so that they do not blow up those of all others.
//!
//! Variables of functions that can be active several times at once have a slot for each depth of the
//! recursion; all other variables have one address, which is the same on every path.

use crate::DataModel;
use crate::regions::{RegionId, Regions, StringId, StringLiteral};
use crate::typed::{FunctionId, ObjectId, Storage, TypedProgram};

/// Objects up to this size share the small slots of their region.
pub(super) const SMALL_LIMIT: u64 = 4095;

/// Functions are here, 16 bytes apart, and after them labels.
const FIRST_FUNCTION: u64 = 0x1000;

/// Objects start here.
pub(super) const FIRST_OBJECT: u64 = 0x20_0000;

/// How many frames of a recursive function have addresses, at most.
const MAX_DEPTH: u64 = 1 << 20;

/// How much memory one allocation site's region can give, at most, in slots.
const MAX_ALLOCATIONS: u64 = 1 << 24;

/// Where an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// At one address.
    Fixed(u64),
    /// At `first + depth * slot` for each depth of the recursion below `count`.
    Framed {
        /// The address at depth 0.
        first: u64,
        /// Bytes between one depth and the next.
        slot: u64,
        /// Depths that have an address.
        count: u64,
    },
}

/// A range of equal slots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Slots {
    /// Their size is two to this power.
    pub(super) bits: u32,
    /// Addresses for allocated memory.
    pub(super) heap: std::ops::Range<u64>,
}

/// The addresses of a region.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Space {
    /// Slots for objects of up to [`SMALL_LIMIT`] bytes.
    pub(super) small: Slots,
    /// Slots for larger ones; none if there are no larger ones.
    pub(super) large: Option<Slots>,
    /// Where the large slots start.
    pub(super) boundary: u64,
}

/// All addresses of a program.
pub(super) struct Layout {
    spaces: Vec<Space>,
    objects: Vec<Option<Home>>,
    strings: Vec<Option<u64>>,
    /// Addresses from here on are nobody's: pointers from outside of the program.
    pub(super) outside: u64,
}

/// What a range of slots has to hold.
#[derive(Default)]
struct Demand {
    objects: Vec<ObjectId>,
    framed: Vec<ObjectId>,
    strings: Vec<StringId>,
    heap: bool,
    largest: u64,
}

impl Demand {
    fn slot_bits(&self) -> u32 {
        (self.largest + 1).next_power_of_two().trailing_zeros().max(4)
    }

    fn fixed(&self) -> u64 {
        (self.objects.len() + self.strings.len()) as u64
    }

    /// Parts whose number of slots is not known: they share what is left.
    fn elastic(&self) -> u64 {
        self.framed.len() as u64 + u64::from(self.heap)
    }

    fn is_empty(&self) -> bool {
        self.fixed() + self.elastic() == 0
    }
}

impl Layout {
    /// Gives everything in memory its address.
    pub(super) fn new(typed: &TypedProgram, regions: &Regions, model: DataModel) -> Self {
        let (outside, heap_large_bits): (u64, u32) = match model {
            DataModel::Ilp32 => (0xF000_0000, 24),
            DataModel::Lp64 => (1 << 46, 36),
        };
        let demands: Vec<[Demand; 2]> =
            regions.regions().map(|region| demands(typed, regions, region, heap_large_bits)).collect();
        let mut fixed = FIRST_OBJECT;
        let mut elastic = 0;
        for demand in demands.iter().flatten().filter(|demand| !demand.is_empty()) {
            // One slot more for the alignment of the range.
            fixed = fixed.saturating_add((demand.fixed() + 1) << demand.slot_bits());
            elastic += demand.elastic();
        }
        let share = outside.saturating_sub(fixed) / (elastic + 1);
        let mut layout = Layout {
            spaces: vec![Space::default(); demands.len()],
            objects: vec![None; typed.objects.len()],
            strings: vec![None; regions.regions().map(|region| regions.info(region).strings.len()).sum()],
            outside,
        };
        let mut cursor = FIRST_OBJECT;
        for (region, [small, large]) in regions.regions().zip(&demands) {
            let small_slots = layout.place(small, &mut cursor, share);
            let boundary = cursor;
            let large_slots = (!large.is_empty()).then(|| layout.place(large, &mut cursor, share));
            layout.spaces[region.index()] = Space { small: small_slots, large: large_slots, boundary };
        }
        layout
    }

    fn place(&mut self, demand: &Demand, cursor: &mut u64, share: u64) -> Slots {
        let bits = demand.slot_bits();
        let slot = 1u64 << bits;
        if demand.is_empty() {
            return Slots { bits, heap: 0..0 };
        }
        *cursor = cursor.next_multiple_of(slot);
        for &object in &demand.objects {
            self.objects[object.index()] = self.take(cursor, slot).map(Home::Fixed);
        }
        for &string in &demand.strings {
            self.strings[string.index()] = self.take(cursor, slot);
        }
        for &object in &demand.framed {
            let count = (share >> bits).min(MAX_DEPTH);
            self.objects[object.index()] = Some(Home::Framed { first: *cursor, slot, count });
            *cursor += count << bits;
        }
        let mut heap = 0..0;
        if demand.heap {
            let count = (share >> bits).min(MAX_ALLOCATIONS);
            heap = *cursor..*cursor + (count << bits);
            *cursor = heap.end;
        }
        Slots { bits, heap }
    }

    fn take(&self, cursor: &mut u64, slot: u64) -> Option<u64> {
        let address = *cursor;
        let end = address.checked_add(slot).filter(|end| *end <= self.outside)?;
        *cursor = end;
        Some(address)
    }

    pub(super) fn space(&self, region: RegionId) -> &Space {
        &self.spaces[region.index()]
    }

    /// Where a variable is; `None` if it is not in memory or too large for the address space.
    pub(super) fn home(&self, object: ObjectId) -> Option<Home> {
        self.objects[object.index()]
    }

    /// How many depths of a recursion have addresses for all of these variables.
    pub(super) fn depths(&self, objects: &[ObjectId]) -> u64 {
        let count = |object: &ObjectId| match self.home(*object) {
            Some(Home::Framed { count, .. }) => Some(count),
            _ => None,
        };
        objects.iter().filter_map(count).min().unwrap_or(MAX_DEPTH)
    }

    pub(super) fn string(&self, string: StringId) -> Option<u64> {
        self.strings[string.index()]
    }
}

impl StringLiteral {
    /// Bytes with the terminating zero.
    pub(super) fn size(&self) -> u64 {
        self.bytes.len() as u64 + self.element
    }

    /// The bytes with the terminating zero.
    pub(super) fn terminated(&self) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        bytes.extend((0..self.element).map(|_| 0));
        bytes
    }
}

/// The address of a function.
pub(super) fn function_address(function: FunctionId) -> u64 {
    FIRST_FUNCTION + 16 * function.index() as u64
}

/// The size of a variable in memory, if it is known before the program runs.
pub(super) fn object_size(typed: &TypedProgram, object: ObjectId) -> Option<u64> {
    let data = &typed.objects[object.index()];
    typed.types.known_size(data.ty)?.checked_add(data.extra)
}

/// What the small and the large slots of a region have to hold.
fn demands(typed: &TypedProgram, regions: &Regions, region: RegionId, heap_large_bits: u32) -> [Demand; 2] {
    let info = regions.info(region);
    let mut demands = [Demand::default(), Demand::default()];
    let select = |size: u64| usize::from(size > SMALL_LIMIT);
    for &object in &info.objects {
        let Some(size) = object_size(typed, object) else {
            // Its length is known only when the program runs.
            demands[1].heap = true;
            continue;
        };
        if size >= 1 << 40 {
            continue;
        }
        let data = &typed.objects[object.index()];
        // Slots are aligned to their size.
        let size = size.max(data.align - 1);
        let demand = &mut demands[select(size)];
        demand.largest = demand.largest.max(size);
        let framed =
            data.storage == Storage::Automatic && data.owner.is_some_and(|owner| regions.is_recursive(owner));
        if framed { demand.framed.push(object) } else { demand.objects.push(object) }
    }
    for &string in &info.strings {
        let size = regions.literal(string).size();
        let demand = &mut demands[select(size)];
        demand.largest = demand.largest.max(size);
        demand.strings.push(string);
    }
    if !info.allocations.is_empty() {
        demands[0].heap = true;
        demands[0].largest = SMALL_LIMIT;
        demands[1].heap = true;
    }
    if demands[1].heap {
        demands[1].largest = demands[1].largest.max((1 << heap_large_bits) - 1);
    }
    demands
}
