//! Vectors: a bit-vector with the first element in the lowest bits, as memory has them.

use super::Lowering;
use crate::typed::{Arithmetic, Comparison, Negation};
use crate::types::TypeId;
use aster_term::Term;
use lang_c::span::Span;

impl Lowering<'_> {
    /// The element at a position.
    fn vector_element(&mut self, vector: Term, position: u32, width: u32) -> Term {
        self.pool.extract((position + 1) * width - 1, position * width, vector)
    }

    /// A vector from what `make` gives for each position, the first one first.
    fn vector_from(&mut self, length: u64, mut make: impl FnMut(&mut Self, u32) -> Term) -> Option<Term> {
        let mut result = None;
        for position in 0..u32::try_from(length).ok()? {
            let element = make(self, position);
            result = Some(match result {
                None => element,
                Some(lower) => self.pool.concat(element, lower),
            });
        }
        result
    }

    /// A vector whose elements all have this value.
    pub(super) fn splat(&mut self, value: Term, ty: TypeId) -> Term {
        let Some((_, length)) = self.typed.types.as_vector(ty) else { return value };
        self.vector_from(length, |_, _| value).unwrap_or(value)
    }

    pub(super) fn vector_arithmetic(
        &mut self,
        op: Arithmetic,
        a: Term,
        b: Term,
        ty: TypeId,
        span: Span,
    ) -> Option<Term> {
        let (element, length) = self.typed.types.as_vector(ty)?;
        let width = self.width(element)?;
        self.vector_from(length, |lowering, position| {
            let x = lowering.vector_element(a, position, width);
            let y = lowering.vector_element(b, position, width);
            lowering.arithmetic(op, x, y, element, span)
        })
    }

    pub(super) fn vector_negation(
        &mut self,
        op: Negation,
        value: Term,
        ty: TypeId,
        span: Span,
    ) -> Option<Term> {
        let (element, length) = self.typed.types.as_vector(ty)?;
        let width = self.width(element)?;
        self.vector_from(length, |lowering, position| {
            let x = lowering.vector_element(value, position, width);
            lowering.negate_value(op, x, element, span)
        })
    }

    /// All bits of an element are set where the comparison holds.
    pub(super) fn vector_comparison(&mut self, op: Comparison, a: Term, b: Term, ty: TypeId) -> Option<Term> {
        let (element, length) = self.typed.types.as_vector(ty)?;
        let width = self.width(element)?;
        self.vector_from(length, |lowering, position| {
            let x = lowering.vector_element(a, position, width);
            let y = lowering.vector_element(b, position, width);
            let holds = lowering.compare(op, x, y, element);
            let (all, none) = (lowering.pool.bv_signed(width, -1), lowering.pool.bv(width, 0));
            lowering.pool.ite(holds, all, none)
        })
    }
}
