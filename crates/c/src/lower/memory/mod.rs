//! Memory: everything that has an address, lowered to array-sorted variables.
//!
//! - A region (see [`crate::regions`]) is one global array variable, its data: from byte address to cell.
//!   Cells have the size that all accesses to the region agree on; wider accesses take several, the
//!   lowest address first.
//! - Objects have fixed addresses ([`layout`]), so that nearly all reads and writes are at constants.
//! - A region that is accessed through pointers has a second array, its extents: at the address of an
//!   object that is alive, one more than its size; 0 everywhere else. An access is valid if it lies in
//!   the extent of the object that its pointer points to. Accesses to a variable or string by its name
//!   are compared with its size instead.
//! - A path ends where an access is not valid, with a warning, because nothing is known about what the
//!   program does from there on.

mod access;
mod blocks;
mod changed;
mod copies;
mod floats;
mod heap;
mod held;
mod initialize;
mod layout;
mod notes;
mod places;
mod reallocate;
mod shapes;
mod tracked;

pub(super) use notes::Meanwhile;
pub(super) use places::{Bound, Location, Place};
pub(super) use tracked::Ending;

use super::Lowering;
use crate::LoadOptions;
use crate::regions::{RegionId, Regions};
use crate::typed::{FunctionId, LabelId, ObjectId, Storage, TypedProgram};
use aster_cfa::{Access, ErrorKind, Input, InputOrigin, Label, Op, Presentation, Var};
use aster_term::{Sort, Term};
use held::Held;
use lang_c::span::Span;
use layout::{Allocated, FIRST_OBJECT, Home, Layout, Space, function_address};
use std::collections::BTreeMap;

/// Pointers from outside, by their position: those of streams come after those that `main` and unknown functions get.
const FIRST_STREAM: usize = 32;
const FIRST_OPENED: usize = 64;

/// How many streams can be opened.
pub(super) const MAX_STREAMS: u64 = 1 << 20;

/// Where the program does something undefined: in which runs that get there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// In all: the text itself is wrong.
    Always,
    /// It depends on values.
    Sometimes,
}

/// The variables of a region.
#[derive(Clone, Copy)]
pub(super) struct RegionVariables {
    pub(super) data: Var,
    /// Sizes of the objects that are alive; only if they are looked at.
    pub(super) extent: Option<Var>,
    /// Where the next object goes that is allocated: small and large ones on the heap, small and large ones on the stack.
    next: [[Option<Var>; 2]; 2],
}

/// What is known about memory while a program is lowered.
pub(super) struct Memory<'a> {
    pub(super) regions: Regions<'a>,
    layout: Layout,
    variables: Vec<Option<RegionVariables>>,
    /// Regions that are used, in the order of their first use.
    used: Vec<RegionId>,
    /// Pointers from outside of the program exist.
    pub(super) outside: bool,
    /// Counts allocations that were not freed, if the property is about them.
    allocations: Option<Var>,
    /// Finds those that nothing points to, once that is asked for.
    tracking: Option<tracked::Tracking>,
    /// What callers hold where the program ends.
    pub(super) held: Held,
    /// The automatic variables in memory of each function.
    automatic: Vec<Vec<ObjectId>>,
    /// Whether each variable gets a new place whenever its block is entered.
    anew: Vec<bool>,
    /// The variables that hold the addresses of these.
    places: BTreeMap<ObjectId, Var>,
    /// Functions of a call cycle that has variables in memory: they know how deep they are.
    deep: Vec<bool>,
}

impl<'a> Memory<'a> {
    pub(super) fn new(typed: &'a TypedProgram, options: &LoadOptions) -> Self {
        let regions = Regions::analyse(typed);
        let outside = regions.hands_streams_on();
        let layout = Layout::new(typed, &regions, options);
        let count = regions.regions().count();
        let mut automatic = vec![Vec::new(); typed.functions.len()];
        let mut framed_owners = Vec::new();
        for (index, object) in typed.objects.iter().enumerate() {
            let id = ObjectId::from_index(index);
            let Some(owner) = object.owner.filter(|_| regions.of_object(id).is_some()) else { continue };
            automatic[owner.index()].push(id);
            if regions.is_recursive(owner) && !framed_owners.contains(&owner) {
                framed_owners.push(owner);
            }
        }
        let deep = (0..typed.functions.len())
            .map(FunctionId::from_index)
            .map(|function| framed_owners.iter().any(|&owner| regions.same_cycle(owner, function)))
            .collect();
        let anew = (0..typed.objects.len())
            .map(|index| layout::is_placed_anew(typed, &regions, ObjectId::from_index(index)))
            .collect();
        Memory {
            regions,
            layout,
            variables: vec![None; count],
            used: Vec::new(),
            outside,
            allocations: None,
            tracking: None,
            held: Held::default(),
            automatic,
            anew,
            places: BTreeMap::new(),
            deep,
        }
    }

    fn space(&self, region: RegionId) -> &Space {
        self.layout.space(region)
    }
}

impl Lowering<'_> {
    pub(super) fn pointer_width(&self) -> u32 {
        self.typed.types.pointer_bits()
    }

    pub(super) fn address(&mut self, address: u64) -> Term {
        let width = self.pointer_width();
        self.pool.bv(width, u128::from(address))
    }

    pub(super) fn cell(&self, region: RegionId) -> u64 {
        self.memory.regions.info(region).cell
    }

    /// The variables of a region; they are initialised at the start of the program if anything asks for
    /// them.
    pub(super) fn region(&mut self, region: RegionId) -> RegionVariables {
        if let Some(variables) = self.memory.variables[region.index()] {
            return variables;
        }
        let info = self.memory.regions.info(region);
        let has_lives = self.options.checks.leaks && !info.allocations.is_empty();
        let space = self.memory.space(region);
        let has_stack =
            [Some(&space.small), space.large.as_ref()].into_iter().flatten().any(|s| !s.stack.is_empty());
        let (cell, tracked) = (info.cell, info.through_pointers || has_lives || has_stack);
        let has = [Allocated::Heap, Allocated::Stack].map(|kind| {
            [!space.small.of(kind).is_empty(), space.large.as_ref().is_some_and(|s| !s.of(kind).is_empty())]
        });
        let width = self.pointer_width();
        let number = region.index();
        let data = self.memory_variable(
            format!("<memory {number}>"),
            Sort::Array { index: width, element: 8 * u32::try_from(cell).unwrap_or(1) },
        );
        let extent = tracked.then(|| {
            self.memory_variable(format!("<extents {number}>"), Sort::Array { index: width, element: width })
        });
        let next = [("heap", has[0]), ("stack", has[1])].map(|(name, has)| {
            has.map(|used| {
                used.then(|| self.memory_variable(format!("<{name} {number}>"), Sort::BitVec(width)))
            })
        });
        let variables = RegionVariables { data, extent, next };
        self.memory.variables[region.index()] = Some(variables);
        self.memory.used.push(region);
        variables
    }

    pub(super) fn memory_variable(&mut self, name: String, sort: Sort) -> Var {
        self.builder.add_variable(self.pool, name, sort, None, None)
    }

    /// The address of a variable that lives in memory.
    pub(super) fn object_address(&mut self, object: ObjectId) -> Option<Term> {
        if self.memory.anew[object.index()] {
            let variable = self.place_variable(object);
            return Some(self.term(variable));
        }
        match self.memory.layout.home(object)? {
            Home::Fixed(address) => Some(self.address(address)),
            Home::Framed { first, slot, .. } => {
                let depth = self.state().depth?;
                let (first, slot) = (self.address(first), self.address(slot));
                let distance = {
                    let depth = self.term(depth);
                    self.pool.mul(depth, slot)
                };
                Some(self.pool.add(first, distance))
            }
        }
    }

    /// A pointer from outside of the program, such as an argument of `main`.
    pub(super) fn outside_pointer(&mut self, position: usize) -> Term {
        self.address(self.memory.layout.outside + 0x1000 * position as u64)
    }

    /// One of the streams that always exist.
    pub(super) fn stream_pointer(&mut self, number: usize) -> Term {
        self.outside_pointer(FIRST_STREAM + number)
    }

    /// Streams that are opened have addresses from here on, 16 bytes apart.
    pub(super) fn opened_base(&mut self) -> Term {
        self.outside_pointer(FIRST_OPENED)
    }

    pub(super) fn function_pointer(&mut self, function: FunctionId) -> Term {
        self.address(function_address(self.function_symbol(function)))
    }

    /// The function that stands for all of its symbol. Models only stand in for what has an address of its own.
    pub(super) fn function_symbol(&self, function: FunctionId) -> FunctionId {
        let stands_in = self.typed.functions[function.index()].model;
        let same =
            stands_in.filter(|model| !crate::library::is_own(&self.typed.functions[model.index()].name));
        same.unwrap_or(function)
    }

    /// The address of a label: those of all labels follow those of the functions. `None` if there is no room.
    pub(super) fn label_address(&mut self, function: FunctionId, label: LabelId) -> Option<Term> {
        let functions = &self.typed.functions;
        let before = functions[..function.index()].iter().filter_map(|function| function.body.as_ref());
        let number = functions.len() + before.map(|body| body.labels.len()).sum::<usize>() + label.index();
        let address = function_address(FunctionId::from_index(number));
        (address < FIRST_OBJECT).then(|| self.address(address))
    }

    pub(super) fn needs_depth(&self, function: FunctionId) -> bool {
        self.memory.deep[function.index()]
    }

    /// The depth that a call gives to a function that knows how deep it is.
    pub(super) fn depth_argument(&mut self, callee: FunctionId) -> Term {
        let (caller, depth) = (self.state().function, self.state().depth);
        let inside = caller.is_some_and(|caller| self.memory.regions.same_cycle(caller, callee));
        match depth.filter(|_| inside) {
            Some(depth) => {
                let (depth, one) = (self.term(depth), self.address(1));
                self.pool.add(depth, one)
            }
            None => self.address(0),
        }
    }

    /// Variables at fixed places that begin to exist when the function is entered: hidden ones, and those that have a place for
    /// each depth of a recursion.
    fn mortal_objects(&mut self, function: FunctionId) -> Vec<ObjectId> {
        let (typed, memory) = (self.typed, &self.memory);
        memory.automatic[function.index()]
            .iter()
            .copied()
            .filter(|&object| {
                let region = memory.regions.of_object(object);
                region.is_some_and(|region| memory.regions.info(region).through_pointers)
                    && layout::object_size(typed, object).is_some()
                    && !memory.anew[object.index()]
                    && !self.is_lasting(object)
            })
            .collect()
    }

    /// The variable has one place, where it exists from the start to the end.
    fn is_lasting(&self, object: ObjectId) -> bool {
        let Some(owner) = self.typed.objects[object.index()].owner else { return true };
        let is_fixed = matches!(self.memory.layout.home(object), Some(Home::Fixed(_)));
        let is_hidden = self.typed.objects[object.index()].hidden;
        self.lives_to_the_end(owner) || (is_fixed && !is_hidden)
    }

    /// `main` is left only when the program ends, so that its variables always exist.
    pub(super) fn lives_to_the_end(&self, function: FunctionId) -> bool {
        layout::lives_to_the_end(self.typed, &self.memory.regions, function)
    }

    /// A function is entered: checks that its variables have addresses, and makes them alive.
    pub(super) fn enter_frame(&mut self, function: FunctionId, span: Span) {
        if let Some(depth) = self.state().depth {
            let count = self.memory.layout.depths(&self.memory.automatic[function.index()]);
            let (depth, count) = (self.term(depth), self.address(count));
            let fits = self.pool.ult(depth, count);
            let (fine, deep) = (self.point(), self.point());
            self.branch_on(fits, fine, deep, span);
            self.state().current = deep;
            self.unsupported("recursion that is too deep for the address space", span);
            self.state().current = fine;
        }
        for object in self.mortal_objects(function) {
            self.make_alive(object, span);
        }
        let own = self.own_objects(function);
        self.place_objects(&own, span);
        self.enter_stack(function, span);
    }

    /// A function is left: its variables are gone.
    pub(super) fn leave_frame(&mut self, function: FunctionId, span: Span) {
        for object in self.mortal_objects(function) {
            self.make_dead(object, span);
        }
        let own = self.own_objects(function);
        self.end_objects(&own, span);
        self.leave_stack(function, span);
    }

    /// The variables that live as long as a function is active.
    fn own_objects(&self, function: FunctionId) -> Vec<ObjectId> {
        let own = self.memory.automatic[function.index()].iter().copied();
        own.filter(|object| self.typed.objects[object.index()].block.is_none()).collect()
    }

    /// A variable of fixed size begins to exist.
    pub(super) fn make_alive(&mut self, object: ObjectId, span: Span) {
        let size = layout::object_size(self.typed, object).unwrap_or(0);
        self.set_extent(object, size + 1, span);
    }

    /// A variable is gone.
    pub(super) fn make_dead(&mut self, object: ObjectId, span: Span) {
        self.set_extent(object, 0, span);
    }

    fn set_extent(&mut self, object: ObjectId, extent: u64, span: Span) {
        let Some(region) = self.memory.regions.of_object(object) else { return };
        // Nobody looks at it unless the function does or a function that was lowered before; those that
        // are lowered later ask for the region then. So ask for it now.
        let Some(variable) = self.region(region).extent else { return };
        let Some(address) = self.object_address(object) else { return };
        let value = self.address(extent);
        let extents = self.term(variable);
        let changed = self.pool.store(extents, address, value);
        self.assign(variable, changed, span);
    }

    /// The program does something that C leaves undefined: an error if the property is about that. No path is followed
    /// beyond, but real programs go on in some way, so that what comes after is part of the automaton.
    pub(super) fn undefined(&mut self, kind: ErrorKind, what: &str, when: When, span: Span) {
        let checks = self.options.checks;
        let is_error = match kind {
            ErrorKind::Overflow => checks.overflow,
            ErrorKind::InvalidDereference | ErrorKind::InvalidFree => checks.memory,
            ErrorKind::Reached | ErrorKind::MemoryLeak | ErrorKind::MemoryNotFreed => true,
        };
        if is_error {
            return self.violation(kind, span);
        }
        self.end_undefined(what, when, span);
    }

    /// When something is undefined that is fine if a term holds.
    pub(in crate::lower) fn when_not(&self, fine: Term) -> When {
        match self.pool.bool_constant(fine) {
            Some(false) => When::Always,
            _ => When::Sometimes,
        }
    }

    /// What the program does is undefined, and no error. If it always is, that is no case which could be left out.
    pub(in crate::lower) fn end_undefined(&mut self, what: &str, when: When, span: Span) {
        let assumed_away = self.options.assume_defined && when == When::Sometimes;
        self.emit(Label::Undefined { what: what.to_owned(), assumed_away }, span);
    }

    /// Control goes on only if a term holds; otherwise the behaviour is undefined.
    pub(super) fn require(&mut self, valid: Term, kind: ErrorKind, what: &str, span: Span) {
        self.require_access(valid, kind, what, None, span);
    }

    /// The same where the term is about an access to memory.
    pub(super) fn require_access(
        &mut self,
        valid: Term,
        kind: ErrorKind,
        what: &str,
        access: Option<Access>,
        span: Span,
    ) {
        let before = self.state().graph.edge_count();
        match self.pool.bool_constant(valid) {
            Some(true) => return,
            Some(false) => {
                self.undefined(kind, what, When::Always, span);
                return self.state().graph.note_check_at(before, access);
            }
            None => {}
        }
        let (fine, invalid) = (self.point(), self.point());
        self.branch_on(valid, fine, invalid, span);
        self.state().graph.note_check_at(before, access);
        self.state().current = invalid;
        self.undefined(kind, what, When::Sometimes, span);
        self.state().current = fine;
    }

    /// Control goes on only if a term holds; otherwise the behaviour is undefined in a way that no property is about.
    pub(super) fn require_defined(&mut self, valid: Term, what: &str, span: Span) {
        if self.pool.bool_constant(valid) == Some(true) {
            return;
        }
        let (fine, undefined) = (self.point(), self.point());
        self.branch_on(valid, fine, undefined, span);
        self.state().current = undefined;
        self.end_undefined(what, self.when_not(valid), span);
        self.state().current = fine;
    }

    /// Arbitrary contents: an input of array sort.
    pub(super) fn havoc_memory(&mut self, variable: Var, name: &str, span: Span) {
        let input = Input {
            origin: InputOrigin::Uninitialised(name.to_owned()),
            presentation: Presentation::Raw("memory".to_owned()),
        };
        self.emit(Label::Op(Op::Havoc(variable, input)), span);
    }

    /// The variable has static storage.
    pub(super) fn is_static(&self, object: ObjectId) -> bool {
        self.typed.objects[object.index()].storage != Storage::Automatic
    }
}
