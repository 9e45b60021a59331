//! Lives of variables: the places that they get when their block is entered, and what becomes of these when it is left.
//!
//! Most variables have one place for the whole run, since nobody can point to them after their life (see
//! [`crate::regions`]). Of the others no two lives share a place: a pointer to what was there before must not come to be
//! taken for one to what is there now.

use super::super::Lowering;
use super::layout::Allocated;
use crate::regions::RegionId;
use crate::typed::{BlockId, FunctionId, ObjectId};
use aster_cfa::Var;
use aster_term::Term;
use lang_c::span::Span;

impl Lowering<'_> {
    /// Control goes from one block to another: what lives in the blocks that it leaves is gone, and those that it enters
    /// begin.
    pub(in crate::lower) fn pass(&mut self, from: Option<BlockId>, to: Option<BlockId>, span: Span) {
        let (left, entered) = (self.typed.block_path(from), self.typed.block_path(to));
        let common = left.iter().zip(&entered).take_while(|(a, b)| a == b).count();
        for &block in left[common..].iter().rev() {
            self.leave_block(block, span);
        }
        for &block in &entered[common..] {
            self.enter_block(block, span);
        }
    }

    /// What lives in a block begins to exist.
    pub(in crate::lower) fn enter_block(&mut self, block: BlockId, span: Span) {
        let typed = self.typed;
        self.place_objects(&typed.blocks[block.index()].objects, span);
    }

    /// A block is left: what it cleans up is cleaned up, and what lives in it is gone.
    pub(in crate::lower) fn leave_block(&mut self, block: BlockId, span: Span) {
        let typed = self.typed;
        if let Some(call) = &typed.blocks[block.index()].cleanup {
            self.effect(call);
        }
        self.end_objects(&typed.blocks[block.index()].objects, span);
    }

    /// New places for those variables that get one. An array of variable length has none before its declaration.
    pub(super) fn place_objects(&mut self, objects: &[ObjectId], span: Span) {
        for &object in objects {
            if self.ends_with_its_block(object) {
                let (address, _) = self.variable_length_variables(object);
                let none = self.address(0);
                self.assign(address, none, span);
            }
            if !self.memory.anew[object.index()] {
                continue;
            }
            let Some(region) = self.memory.regions.of_object(object) else { continue };
            let Some(size) = super::layout::object_size(self.typed, object) else { continue };
            let size = self.address(size);
            let Some(address) = self.allocate(region, size, Allocated::Stack, span) else { continue };
            let variable = self.place_variable(object);
            self.assign(variable, address, span);
        }
    }

    /// The places of these variables are nobody's from now on.
    pub(super) fn end_objects(&mut self, objects: &[ObjectId], span: Span) {
        for &object in objects {
            let Some(region) = self.memory.regions.of_object(object) else { continue };
            let variable = if self.memory.anew[object.index()] {
                self.place_variable(object)
            } else if self.ends_with_its_block(object) {
                self.variable_length_variables(object).0
            } else {
                continue;
            };
            let address = self.term(variable);
            self.end_at(region, address, span);
        }
    }

    fn end_at(&mut self, region: RegionId, address: Term, span: Span) {
        let Some(extent) = self.region(region).extent else { return };
        let (extents, none) = (self.term(extent), self.address(0));
        let changed = self.pool.store(extents, address, none);
        self.assign(extent, changed, span);
    }

    /// An array of variable length that somebody may point to after its life.
    fn ends_with_its_block(&self, object: ObjectId) -> bool {
        let memory = &self.memory;
        let in_region = memory.regions.of_object(object);
        self.typed.objects[object.index()].owner.is_some()
            && in_region.is_some_and(|region| memory.regions.info(region).through_pointers)
            && super::layout::object_size(self.typed, object).is_none()
            && !memory.regions.is_confined(object)
    }

    /// The variable that holds the address of one that gets new places.
    pub(super) fn place_variable(&mut self, object: ObjectId) -> Var {
        if let Some(&variable) = self.memory.places.get(&object) {
            return variable;
        }
        let width = self.pointer_width();
        let variable = self.temporary(width);
        self.memory.places.insert(object, variable);
        variable
    }

    /// Where slots are taken from for what a function allocates for itself, by region.
    fn stack_ends(&mut self, function: FunctionId) -> Vec<(RegionId, usize, Var)> {
        if self.lives_to_the_end(function) {
            return Vec::new();
        }
        let mut ends = Vec::new();
        for region in self.memory.regions.on_stack_of(function) {
            let variables = self.region(region);
            if variables.extent.is_none() {
                continue;
            }
            let next = variables.next[Allocated::Stack as usize].into_iter().enumerate();
            ends.extend(next.filter_map(|(class, next)| Some((region, class, next?))));
        }
        ends
    }

    /// A function is entered: notes where what it allocates for itself will begin.
    pub(super) fn enter_stack(&mut self, function: FunctionId, span: Span) {
        let ends = self.stack_ends(function);
        let width = self.pointer_width();
        let mut starts = Vec::with_capacity(ends.len());
        for (_, _, next) in ends {
            let start = self.temporary(width);
            let next = self.term(next);
            self.assign(start, next, span);
            starts.push(start);
        }
        self.state().stack_starts = starts;
    }

    /// A function is left: all that it allocated for itself is gone.
    pub(super) fn leave_stack(&mut self, function: FunctionId, span: Span) {
        let ends = self.stack_ends(function);
        let starts = std::mem::take(&mut self.state().stack_starts);
        for ((region, class, next), at) in ends.into_iter().zip(starts) {
            let space = self.memory.space(region);
            let slots = if class == 0 { Some(&space.small) } else { space.large.as_ref() };
            let Some(bits) = slots.map(|slots| slots.bits) else { continue };
            let (head, inside, done) = (self.point(), self.point(), self.point());
            self.arrive(head);
            let (address, next) = (self.term(at), self.term(next));
            let is_left = self.pool.ult(address, next);
            self.branch_on(is_left, inside, done, span);
            self.state().current = inside;
            self.end_at(region, address, span);
            let slot = self.address(1 << bits);
            let following = self.pool.add(address, slot);
            self.assign(at, following, span);
            self.jump(head);
            self.state().current = done;
        }
    }
}
