//! Assignments, increments and decrements.

use super::Lowering;
use super::calls::Wanted;
use crate::typed::{Expr, ExprKind, LValue, LValueKind, Update, UpdateOperation};
use aster_cfa::Var;
use aster_term::Term;
use lang_c::span::Span;

impl Lowering<'_> {
    /// `place = value`; gives the value that the place holds then.
    pub(super) fn assignment(&mut self, place: &LValue, value: &Expr, span: Span) -> Term {
        match &place.kind {
            LValueKind::Object(object) => match self.variable(*object) {
                Some(variable) => {
                    self.store(variable, value, span);
                    self.term(variable)
                }
                // Reading it is never modelled, so that writing it needs no edge.
                None if self.width(place.ty).is_some() => self.value(value),
                None => {
                    self.effect(value);
                    let what = self.describe(place);
                    self.unsupported(what, span);
                    self.dummy(place.ty)
                }
            },
            _ => {
                self.place_effects(place);
                self.value(value);
                let what = self.describe(place);
                self.unsupported(what, span);
                self.dummy(place.ty)
            }
        }
    }

    /// Puts the value of an expression into a variable of its type.
    pub(super) fn store(&mut self, variable: Var, value: &Expr, span: Span) {
        if let ExprKind::Call(callee, arguments, _) = &value.kind {
            self.call(callee, arguments, value, Wanted::In(variable));
        } else {
            let term = self.value(value);
            self.assign(variable, term, span);
        }
    }

    /// `op=`, `++` and `--`. The value is the old or the new one; the old one is kept only if
    /// somebody wants it.
    pub(super) fn update(&mut self, update: &Update, wanted: bool, span: Span) -> Term {
        let place = &update.place;
        let variable = match place.kind {
            LValueKind::Object(object) => self.variable(object),
            _ => None,
        };
        let Some(variable) = variable else {
            self.place_effects(place);
            self.value(&update.operand);
            let what = self.describe(place);
            self.unsupported(what, span);
            return self.dummy(place.ty);
        };
        let mut old = self.term(variable);
        if update.operand.effects || (wanted && update.gives_old) {
            old = self.snapshot(old, span);
        }
        let operand = self.value(&update.operand);
        let new = self.updated(update, old, operand, span);
        self.assign(variable, new, span);
        if update.gives_old { old } else { self.term(variable) }
    }

    fn updated(&mut self, update: &Update, old: Term, operand: Term, span: Span) -> Term {
        let ty = update.place.ty;
        match update.operation {
            UpdateOperation::PointerStep(Some(size), backwards) => {
                self.move_pointer(old, operand, size, backwards)
            }
            UpdateOperation::PointerStep(None, _) => {
                self.unsupported("pointer arithmetic", span);
                self.dummy(ty)
            }
            UpdateOperation::Arithmetic(op, common) => {
                if self.width(common).is_none() || self.width(update.operand.ty).is_none() {
                    self.unsupported("floating-point arithmetic", span);
                    return self.dummy(ty);
                }
                let left = self.convert(old, ty, common);
                let result = self.arithmetic(op, left, operand, common, span);
                self.convert(result, common, ty)
            }
        }
    }
}
