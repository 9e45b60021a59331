//! Addresses: where variables, string literals, functions and allocated memory are.
//!
//! Every region has its own range of addresses, cut into slots of equal size, a power of two; an object
//! has a slot to itself and at least one byte of it unused. So an address tells its object without a
//! search: clear the low bits. Objects of more than [`SMALL_LIMIT`] bytes have slots of their own size in
//! a second range above, so that they do not blow up those of all others.
//!
//! Variables of functions that can be active several times at once have a slot for each depth of the
//! recursion; all other variables have one address, which is the same on every path.

use crate::regions::{RegionId, Regions, StringId, StringLiteral};
use crate::typed::{FunctionId, ObjectId, Storage, TypedProgram};
use crate::{DataModel, LoadOptions};
use std::ops::Range;

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

/// Slots have at least so many bits where pointers that leave their objects have to be noticed and addresses have 64: moving a
/// pointer to numbers of 8 bytes by any `int` does not leave the slot.
const WIDE_SLOT: u32 = 36;

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
    /// Slots for allocated memory.
    pub(super) heap: Range<u64>,
    /// Slots for variables that get a new place each time, and for what functions allocate for themselves.
    pub(super) stack: Range<u64>,
    /// Slots of what may not be written.
    pub(super) read_only: Range<u64>,
    /// Objects start so many bytes after the beginning of their slots.
    pub(super) margin: u64,
}

impl Slots {
    /// The range of slots of a kind.
    pub(super) fn of(&self, kind: Allocated) -> &Range<u64> {
        match kind {
            Allocated::Heap => &self.heap,
            Allocated::Stack => &self.stack,
        }
    }

    /// How many bytes an object in such a slot may have; one is unused.
    pub(super) fn room(&self) -> u64 {
        (1u64 << self.bits) - self.margin
    }
}

/// Who takes slots while the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::lower) enum Allocated {
    /// `malloc` and its relatives: until it is freed.
    Heap,
    /// Variables, and `alloca`: until a block or function is left.
    Stack,
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
    /// Variables that may not be written.
    constants: Vec<ObjectId>,
    objects: Vec<ObjectId>,
    framed: Vec<ObjectId>,
    strings: Vec<StringId>,
    heap: bool,
    stack: bool,
    /// Objects of any size are allocated.
    any_size: bool,
    largest: u64,
    /// Where pointers are told apart by the slots that they are in, objects have room on both sides: at least so many bits.
    wide: Option<u32>,
}

impl Demand {
    fn slot_bits(&self) -> u32 {
        let needed = (self.largest + 1).next_power_of_two().trailing_zeros().max(4);
        self.wide.map_or(needed, |wide| wide.max(needed + 1))
    }

    fn margin(&self) -> u64 {
        self.wide.map_or(0, |_| 1 << (self.slot_bits() - 1))
    }

    fn fixed(&self) -> u64 {
        (self.constants.len() + self.objects.len() + self.strings.len()) as u64
    }

    /// Parts whose number of slots is not known: they share what is left.
    fn elastic(&self) -> u64 {
        self.framed.len() as u64 + u64::from(self.heap) + u64::from(self.stack)
    }

    fn is_empty(&self) -> bool {
        self.fixed() + self.elastic() == 0
    }
}

impl Layout {
    /// Gives everything in memory its address.
    pub(super) fn new(typed: &TypedProgram, regions: &Regions, options: &LoadOptions) -> Self {
        let wide = options.checks.memory;
        let (outside, heap_large_bits): (u64, u32) = match (options.data_model, wide) {
            (DataModel::Ilp32, false) => (0xF000_0000, 24),
            (DataModel::Ilp32, true) => (0xF000_0000, 23),
            (DataModel::Lp64, false) => (1 << 46, 36),
            (DataModel::Lp64, true) => (1 << 62, 36),
        };
        let mut demands: Vec<[Demand; 2]> =
            regions.regions().map(|region| demands(typed, regions, region, heap_large_bits)).collect();
        if wide {
            let bits = match options.data_model {
                DataModel::Ilp32 => 0,
                DataModel::Lp64 => WIDE_SLOT,
            };
            demands.iter_mut().flatten().for_each(|demand| demand.wide = Some(bits));
        }
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
        let margin = demand.margin();
        let mut slots = Slots { bits, margin, ..Slots::default() };
        if demand.is_empty() {
            return slots;
        }
        *cursor = cursor.next_multiple_of(slot);
        slots.read_only.start = *cursor;
        for &string in &demand.strings {
            self.strings[string.index()] = self.take(cursor, slot).map(|address| address + margin);
        }
        for &object in &demand.constants {
            self.objects[object.index()] = self.take(cursor, slot).map(|start| Home::Fixed(start + margin));
        }
        slots.read_only.end = *cursor;
        for &object in &demand.objects {
            self.objects[object.index()] = self.take(cursor, slot).map(|start| Home::Fixed(start + margin));
        }
        for &object in &demand.framed {
            let count = (share >> bits).min(MAX_DEPTH);
            self.objects[object.index()] = Some(Home::Framed { first: *cursor + margin, slot, count });
            *cursor += count << bits;
        }
        for (wanted, range) in [(demand.heap, &mut slots.heap), (demand.stack, &mut slots.stack)] {
            if wanted {
                let count = (share >> bits).min(MAX_ALLOCATIONS);
                *range = *cursor..*cursor + (count << bits);
                *cursor = range.end;
            }
        }
        slots
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

/// The variable gets a new place each time that its block or function is entered: somebody may point to it afterwards.
pub(super) fn is_placed_anew(typed: &TypedProgram, regions: &Regions, object: ObjectId) -> bool {
    let data = &typed.objects[object.index()];
    let Some(owner) = data.owner.filter(|_| data.storage == Storage::Automatic && !data.hidden) else {
        return false;
    };
    let lasts = data.block.is_none() && lives_to_the_end(typed, regions, owner);
    !lasts
        && regions.of_object(object).is_some()
        && object_size(typed, object).is_some()
        && !regions.is_confined(object)
}

/// `main` is left only when the program ends, so that its variables always exist.
pub(super) fn lives_to_the_end(typed: &TypedProgram, regions: &Regions, function: FunctionId) -> bool {
    // What is done after it returned can look at them.
    typed.shutdown.is_empty()
        && typed.functions[function.index()].name == "main"
        && !regions.is_recursive(function)
}

/// What the small and the large slots of a region have to hold.
fn demands(typed: &TypedProgram, regions: &Regions, region: RegionId, heap_large_bits: u32) -> [Demand; 2] {
    let info = regions.info(region);
    let mut demands = [Demand::default(), Demand::default()];
    let select = |size: u64| usize::from(size > SMALL_LIMIT);
    for &object in &info.objects {
        let Some(size) = object_size(typed, object) else {
            // Its length is known only when the program runs.
            (demands[1].stack, demands[1].any_size) = (true, true);
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
        if is_placed_anew(typed, regions, object) {
            demand.stack = true;
        } else if framed {
            demand.framed.push(object);
        } else if data.constant {
            demand.constants.push(object);
        } else {
            demand.objects.push(object);
        }
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
    if info.stack {
        demands[0].stack = true;
        demands[0].largest = SMALL_LIMIT;
        (demands[1].stack, demands[1].any_size) = (true, true);
    }
    if demands[1].heap || demands[1].any_size {
        demands[1].largest = demands[1].largest.max((1 << heap_large_bits) - 1);
    }
    demands
}
