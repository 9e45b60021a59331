//! Assignments, increments and decrements.

use super::Lowering;
use super::calls::Wanted;
use super::memory::{Location, Meanwhile};
use crate::typed::{Expr, ExprKind, LValue, Update, UpdateOperation};
use aster_cfa::Var;
use aster_term::Term;
use lang_c::span::Span;

impl Lowering<'_> {
    /// `place = value`; gives the value that the place holds then, if somebody wants it.
    pub(super) fn assignment(&mut self, place: &LValue, value: &Expr, wanted: bool, span: Span) -> Term {
        if self.typed.types.as_record(place.ty).is_some() {
            self.record_assignment(place, value, span);
            return self.dummy(place.ty);
        }
        match self.locate(place, span) {
            Location::Variable(variable) => {
                self.store(variable, value, span);
                self.term(variable)
            }
            Location::Memory(at, bits) => {
                let mut at = at;
                if value.effects {
                    at = self.keep(at, span);
                }
                let meanwhile = Meanwhile::evaluating(value);
                let mut value = self.value(value);
                if wanted {
                    value = self.snapshot(value, span);
                }
                let bytes = self.access_bytes(at.region, bits, place.ty);
                self.check_write(&at, bytes, span);
                self.write_lvalue(&at, bits, value, place, meanwhile, span)
            }
            Location::Nowhere => {
                self.effect(value);
                self.dummy(place.ty)
            }
        }
    }

    /// Puts the value of an expression into a variable of its type.
    pub(super) fn store(&mut self, variable: Var, value: &Expr, span: Span) {
        if let ExprKind::Call(callee, arguments, objects) = &value.kind {
            self.call(callee, arguments, *objects, value, Wanted::In(variable));
        } else {
            let term = self.value(value);
            self.assign(variable, term, span);
        }
    }

    /// `op=`, `++` and `--`. The value is the old or the new one; the old one is kept only if
    /// somebody wants it.
    pub(super) fn update(&mut self, update: &Update, wanted: bool, span: Span) -> Term {
        let place = &update.place;
        match self.locate(place, span) {
            Location::Variable(variable) => {
                let mut old = self.term(variable);
                if update.operand.effects || (wanted && update.gives_old) {
                    old = self.snapshot(old, span);
                }
                let operand = self.value(&update.operand);
                let new = self.updated(update, old, operand, span);
                self.assign(variable, new, span);
                if update.gives_old { old } else { self.term(variable) }
            }
            Location::Memory(at, bits) => {
                let mut at = at;
                if update.operand.effects {
                    at = self.keep(at, span);
                }
                let bytes = self.access_bytes(at.region, bits, place.ty);
                self.check_write(&at, bytes, span);
                let mut old = self.read_scalar(&at, bits, place.ty, span);
                if update.operand.effects || (wanted && update.gives_old) {
                    old = self.snapshot(old, span);
                }
                let operand = self.value(&update.operand);
                let mut new = self.updated(update, old, operand, span);
                if wanted {
                    // What is written must not be read again through the memory that it changes.
                    at = self.keep(at, span);
                    new = self.snapshot(new, span);
                }
                let meanwhile = Meanwhile::evaluating(&update.operand);
                let new = self.write_lvalue(&at, bits, new, place, meanwhile, span);
                if update.gives_old { old } else { new }
            }
            Location::Nowhere => {
                self.effect(&update.operand);
                self.dummy(place.ty)
            }
        }
    }

    fn updated(&mut self, update: &Update, old: Term, operand: Term, span: Span) -> Term {
        let ty = update.place.ty;
        match update.operation {
            UpdateOperation::PointerStep(Some(size), backwards) => {
                let moved = self.move_pointer(old, operand, size, backwards);
                let pointer = Expr::new(&self.typed.types, ExprKind::Load(update.place.clone()), ty, span);
                let region = self.memory.regions.of_pointer(&pointer);
                self.check_move(region, old, moved, span);
                moved
            }
            UpdateOperation::PointerStep(None, _) => {
                self.unsupported("pointer arithmetic", span);
                self.dummy(ty)
            }
            UpdateOperation::Arithmetic(op, common) => {
                if self.width(common).is_none() || self.width(update.operand.ty).is_none() {
                    self.unsupported(self.unmodelled_type(common), span);
                    return self.dummy(ty);
                }
                let left = self.convert(old, ty, common);
                let result = self.arithmetic(op, left, operand, common, span);
                self.require_conversion(result, common, ty, span);
                self.convert(result, common, ty)
            }
        }
    }
}
