//! Regions: which pointers may point into the same memory.
//!
//! A unification-based points-to analysis (B. Steensgaard, "Points-to Analysis in Almost Linear Time",
//! POPL 1996) over the typed program: flow- and context-insensitive, one class for a whole object.
//! Assignments unify what both sides point to, so that every pointer points into one region at most.
//!
//! Departure: what a class holds is split into pointers and everything else. Integers may carry
//! addresses, but those in a structure beside a pointer should not be taken for it. Both are one again
//! as soon as memory may be written as one and read as the other: conversions that give pointers to a
//! class different types, unions that lay pointers over something else, copies of untyped memory, calls
//! with other types than those of the parameters. Indexing beyond an array that is a member is not among
//! these.
//!
//! The cells of a region are as big as all its accesses allow, counted from the start of its objects,
//! which must be aligned to [`MAX_CELL`] bytes. Addresses that are computed as integers may lie anywhere,
//! unless only constants are added to them. Numbers that were never an address are not looked at: a
//! pointer made of one need not lie on the border of a cell.

mod calls;
mod classes;
mod confined;
mod graph;
mod library;
mod tables;
#[cfg(test)]
mod tests;
mod walk;

pub(crate) use tables::StringLiteral;

use crate::typed::{Expr, FunctionId, ObjectId, TypedProgram};
use crate::types::{TypeId, table_id};
use classes::{Channel, Class};
use graph::CallGraph;
use lang_c::span::Span;
use rustc_hash::FxHashMap;
use tables::Tables;
use walk::{Edge, Walk};

table_id! {
    /// A region of memory: pointers into one region never point into another.
    RegionId
}
table_id! {
    /// A string literal; those with the same content are the same.
    StringId
}

/// No cell is bigger than the biggest scalar.
const MAX_CELL: u64 = 16;

/// What is in a region, and how it is accessed.
pub(crate) struct RegionInfo {
    /// Bytes per cell: the largest power of two up to 16 that divides the size and offset of every
    /// access, step and copy, and the size of every object.
    pub(crate) cell: u64,
    /// Variables in it, ascending.
    pub(crate) objects: Vec<ObjectId>,
    /// String literals in it, ascending.
    pub(crate) strings: Vec<StringId>,
    /// Calls that allocate memory in it, in the order in which they were found.
    pub(crate) allocations: Vec<Span>,
    /// The class that it was made of.
    class: Class,
    /// Memory is allocated in it that is gone when the function returns.
    pub(crate) stack: bool,
    /// Memory in it is freed.
    pub(crate) freed: bool,
    /// Something is accessed through a pointer that is not just the address of a variable, or freed.
    pub(crate) through_pointers: bool,
}

impl RegionInfo {
    /// Memory is allocated in it, on the heap or on the stack.
    pub(crate) fn is_allocated(&self) -> bool {
        !self.allocations.is_empty() || self.stack
    }
}

/// The regions of a program.
pub(crate) struct Regions<'a> {
    tables: Tables<'a>,
    /// The region of each class that has one, by representative.
    ids: FxHashMap<Class, RegionId>,
    infos: Vec<RegionInfo>,
    calls: CallGraph,
    confined: Vec<bool>,
    stack_allocations: Vec<(FunctionId, Class)>,
    streams: bool,
}

impl<'a> Regions<'a> {
    /// Analyses a program.
    pub(crate) fn analyse(typed: &'a TypedProgram) -> Regions<'a> {
        let walk = Walk::program(typed);
        let mut calls = Vec::new();
        for edge in &walk.edges {
            match *edge {
                Edge::Direct(caller, callee) => calls.push((caller, callee)),
                Edge::Indirect(caller, class) => {
                    let callees = walk.tables.classes.facts(class).functions.iter();
                    calls.extend(callees.map(|&callee| (caller, walk.tables.resolve(callee))));
                }
            }
        }
        let calls = CallGraph::new(typed.functions.len(), &calls);
        let mut regions = Regions {
            confined: confined::confined(&walk.tables, &calls, &walk.statement_values),
            stack_allocations: walk.stack_allocations,
            calls,
            tables: walk.tables,
            ids: FxHashMap::default(),
            infos: Vec::new(),
            streams: walk.streams > 0,
        };
        regions.collect();
        regions
    }

    /// Makes a region of every class that holds memory.
    fn collect(&mut self) {
        for index in 0..self.tables.objects.len() {
            let object = ObjectId::from_index(index);
            if self.tables.occurs[index] && self.tables.in_memory(object) {
                self.enter(self.tables.objects[index]).objects.push(object);
            }
        }
        for index in 0..self.tables.strings.len() {
            self.enter(self.tables.strings[index].1).strings.push(StringId::from_index(index));
        }
        for index in 0..self.tables.allocations.len() {
            let (span, class) = self.tables.allocations[index];
            let on_stack = self.tables.on_stack.contains(&tables::position(span));
            let info = self.enter(class);
            if !on_stack {
                info.allocations.push(span);
            }
        }
        for index in 0..self.stack_allocations.len() {
            let (_, class) = self.stack_allocations[index];
            self.enter(class).stack = true;
        }
        for index in 0..self.tables.results.len() {
            if self.gives_structure(FunctionId::from_index(index)) {
                self.enter(self.tables.results[index]);
            }
        }
    }

    fn enter(&mut self, class: Class) -> &mut RegionInfo {
        let root = self.tables.classes.find(class);
        let id = *self.ids.entry(root).or_insert_with(|| {
            let facts = self.tables.classes.facts(root);
            self.infos.push(RegionInfo {
                cell: if facts.arithmetic { 1 } else { cell(facts.unit) },
                objects: Vec::new(),
                strings: Vec::new(),
                allocations: Vec::new(),
                class: root,
                stack: false,
                freed: facts.freed,
                through_pointers: facts.through_pointers,
            });
            RegionId::from_index(self.infos.len() - 1)
        });
        &mut self.infos[id.index()]
    }

    fn gives_structure(&self, function: FunctionId) -> bool {
        let result = self.tables.result_type(function);
        self.tables.has_body(function) && result.is_some_and(|ty| self.tables.types().is_aggregate(ty))
    }

    fn region(&self, class: Class) -> Option<RegionId> {
        self.ids.get(&self.tables.classes.find(class)).copied()
    }

    /// The variable lives in memory: arrays, structures, and scalars whose address is taken.
    pub(crate) fn in_memory(&self, object: ObjectId) -> bool {
        self.tables.in_memory(object)
    }

    /// The region of a variable that lives in memory.
    pub(crate) fn of_object(&self, object: ObjectId) -> Option<RegionId> {
        if !self.in_memory(object) {
            return None;
        }
        self.region(self.tables.objects[object.index()])
    }

    /// The region that the value of an expression may point into.
    pub(crate) fn of_pointer(&self, pointer: &Expr) -> Option<RegionId> {
        self.region(self.tables.value(pointer)?)
    }

    /// A string literal by its bytes and the array type of its place; `None` if it is used only as an
    /// initialiser.
    pub(crate) fn string(&self, bytes: &[u8], ty: TypeId) -> Option<StringId> {
        self.tables.string_id(bytes, ty)
    }

    /// The text of a string literal.
    pub(crate) fn literal(&self, id: StringId) -> &StringLiteral {
        &self.tables.strings[id.index()].0
    }

    /// The region of a string literal.
    pub(crate) fn of_string(&self, id: StringId) -> RegionId {
        self.region(self.tables.strings[id.index()].1).expect("classes of string literals are regions")
    }

    /// The region of the memory that the allocating call at this position gives.
    pub(crate) fn of_allocation(&self, span: Span) -> Option<RegionId> {
        self.region(self.tables.allocation(span)?)
    }

    /// The region of the hidden variable that takes the structure which a function returns.
    pub(crate) fn of_result(&self, function: FunctionId) -> Option<RegionId> {
        let function = self.tables.resolve(function);
        if !self.gives_structure(function) {
            return None;
        }
        self.region(self.tables.results[function.index()])
    }

    /// The regions that what is held in this one may point into.
    pub(crate) fn contents(&self, region: RegionId) -> Vec<RegionId> {
        self.contents_of_class(self.infos[region.index()].class)
    }

    /// The regions that a variable, or what is in it, may point into.
    pub(crate) fn contents_of(&self, object: ObjectId) -> Vec<RegionId> {
        self.contents_of_class(self.tables.objects[object.index()])
    }

    /// Pointers may be held in this region.
    pub(crate) fn may_hold_pointers(&self, region: RegionId) -> bool {
        let class = self.infos[region.index()].class;
        let points_to_function = |class: Class| !self.tables.classes.facts(class).functions.is_empty();
        self.tables.classes.known_content(class, Channel::Pointer).is_some()
            || !self.contents(region).is_empty()
            || self.tables.classes.known_content(class, Channel::Other).is_some_and(points_to_function)
    }

    /// The value of an expression may be a pointer to a function.
    pub(crate) fn points_to_functions(&self, pointer: &Expr) -> bool {
        !self.callees(pointer).is_empty()
    }

    fn contents_of_class(&self, class: Class) -> Vec<RegionId> {
        let contents = [Channel::Pointer, Channel::Other]
            .map(|channel| self.tables.classes.known_content(class, channel));
        let mut regions: Vec<RegionId> =
            contents.into_iter().flatten().filter_map(|class| self.region(class)).collect();
        regions.sort_unstable();
        regions.dedup();
        regions
    }

    /// Nobody can point to the variable after its life; see [`confined`].
    pub(crate) fn is_confined(&self, object: ObjectId) -> bool {
        self.confined[object.index()]
    }

    /// The regions in which a function allocates memory that is gone when it returns, ascending.
    pub(crate) fn on_stack_of(&self, function: FunctionId) -> Vec<RegionId> {
        let allocations = self.stack_allocations.iter().filter(|(owner, _)| *owner == function);
        let mut regions: Vec<RegionId> = allocations.filter_map(|&(_, class)| self.region(class)).collect();
        regions.sort_unstable();
        regions.dedup();
        regions
    }

    /// What is in a region.
    pub(crate) fn info(&self, region: RegionId) -> &RegionInfo {
        &self.infos[region.index()]
    }

    /// All regions.
    pub(crate) fn regions(&self) -> impl Iterator<Item = RegionId> + use<> {
        (0..self.infos.len()).map(RegionId::from_index)
    }

    /// The functions that a call through this pointer may reach, sorted.
    pub(crate) fn callees(&self, pointer: &Expr) -> Vec<FunctionId> {
        let Some(class) = self.tables.value(pointer) else { return Vec::new() };
        self.tables.classes.facts(class).functions.iter().copied().collect()
    }

    /// Streams of the C library are used other than by giving them to functions that are known: pointers that point to
    /// nothing of the program may be anywhere.
    pub(crate) fn hands_streams_on(&self) -> bool {
        self.streams
    }

    /// The function may be active more than once at a time.
    pub(crate) fn is_recursive(&self, function: FunctionId) -> bool {
        self.calls.is_recursive(self.tables.resolve(function))
    }

    /// The functions that this one may be called from, directly or not, ascending.
    pub(crate) fn callers(&self, function: FunctionId) -> Vec<FunctionId> {
        self.calls.callers(self.tables.resolve(function))
    }

    /// Both functions are in one cycle of the call graph.
    pub(crate) fn same_cycle(&self, a: FunctionId, b: FunctionId) -> bool {
        self.calls.same_cycle(self.tables.resolve(a), self.tables.resolve(b))
    }
}

/// The cell for accesses in multiples of a number of bytes.
fn cell(unit: u64) -> u64 {
    match lowest_bit(u128::from(unit)) {
        0 => MAX_CELL,
        divisor => divisor.min(MAX_CELL),
    }
}

/// The largest power of two that divides a number; 0 if 2^64 does.
fn lowest_bit(number: u128) -> u64 {
    1u64.checked_shl(number.trailing_zeros()).unwrap_or(0)
}
