//! What edges mean in terms of the source: for people who read a counterexample.

use super::super::Lowering;
use super::Place;
use crate::source::SAME_AS_CONDITION;
use crate::typed::{Callee, Expr, ExprKind, LValue, LValueKind, ObjectId};
use crate::types::TypeId;
use aster_cfa::{Note, PlacePart, Written};
use aster_term::Term;
use lang_c::span::Span;

/// What is evaluated between finding a place and writing to it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) enum Meanwhile {
    /// Nothing that changes a variable.
    Nothing,
    /// A call: variables that only this function can change stay as they are.
    Call,
    /// Anything.
    Anything,
}

impl Meanwhile {
    /// An expression is evaluated.
    pub(in crate::lower) fn evaluating(expr: &Expr) -> Self {
        match &without_conversions(expr).kind {
            _ if !expr.effects => Meanwhile::Nothing,
            ExprKind::Call(Callee::Function(_), arguments, _) if arguments.iter().all(|it| !it.effects) => {
                Meanwhile::Call
            }
            _ => Meanwhile::Anything,
        }
    }
}

/// Longer source text is not quoted.
const MAX_TEXT: usize = 80;

impl Lowering<'_> {
    /// Writes a scalar as `write_scalar` does, and notes it as a write to an lvalue.
    pub(in crate::lower) fn write_lvalue(
        &mut self,
        place: &Place,
        bits: Option<(u32, u32)>,
        value: Term,
        lvalue: &LValue,
        meanwhile: Meanwhile,
        span: Span,
    ) -> Term {
        let mut name = Vec::new();
        let named = self.spell(lvalue, meanwhile, &mut name);
        self.write_noted(place, bits, value, lvalue.ty, named.map(|()| name), span)
    }

    /// The same for a variable that lives in memory.
    pub(in crate::lower) fn write_object(
        &mut self,
        place: &Place,
        value: Term,
        object: ObjectId,
        span: Span,
    ) {
        let info = &self.typed.objects[object.index()];
        let (ty, name) = (info.ty, PlacePart::Text(info.name.clone()));
        self.write_noted(place, None, value, ty, Some(vec![name]), span);
    }

    fn write_noted(
        &mut self,
        place: &Place,
        bits: Option<(u32, u32)>,
        value: Term,
        ty: TypeId,
        name: Option<Vec<PlacePart>>,
        span: Span,
    ) -> Term {
        let before = self.state().graph.edge_count();
        let value = self.write_scalar(place, bits, value, ty, span);
        if let Some(place) = name {
            let presentation = self.presentation(ty);
            let note = Note::Write(Written { place, value, presentation });
            self.state().graph.note_assignment_since(before, note);
        }
        value
    }

    /// A condition as it is written; that a value is not zero is said.
    pub(in crate::lower) fn condition_note(&self, expr: &Expr) -> Option<Note> {
        let text = self.source_text(expr.span)?;
        Some(Note::Condition(match without_conversions(expr).kind {
            ExprKind::Compare(..) | ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) | ExprKind::Not(_) => {
                text
            }
            ExprKind::Load(_) | ExprKind::Call(..) => format!("{text} != 0"),
            _ => format!("({text}) != 0"),
        }))
    }

    fn source_text(&self, span: Span) -> Option<String> {
        if span.is_none() {
            return None;
        }
        let text = self.prepared.original_text(span.start, span.end);
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ");
        let is_readable =
            !text.is_empty() && text.chars().count() <= MAX_TEXT && !text.contains(SAME_AS_CONDITION);
        is_readable.then_some(text)
    }

    /// Spells an lvalue that was located; `None` if it has no short name.
    fn spell(&mut self, lvalue: &LValue, meanwhile: Meanwhile, out: &mut Vec<PlacePart>) -> Option<()> {
        match &lvalue.kind {
            LValueKind::Object(object) => {
                let name = &self.typed.objects[object.index()].name;
                (!name.is_empty()).then(|| out.push(PlacePart::Text(name.clone())))
            }
            LValueKind::Deref(pointer) => self.spell_pointee(pointer, meanwhile, out),
            LValueKind::Member(base, record, index) => {
                let body = self.typed.types.record(*record).body.as_ref()?;
                let field = body.fields.get(*index)?.name.clone();
                match (&base.kind, field) {
                    (_, None) => self.spell(base, meanwhile, out),
                    (LValueKind::Deref(pointer), Some(field)) if !is_element(pointer) => {
                        self.spell_pointer(pointer, meanwhile, out)?;
                        out.push(PlacePart::Text(format!("->{field}")));
                        Some(())
                    }
                    (_, Some(field)) => {
                        self.spell(base, meanwhile, out)?;
                        out.push(PlacePart::Text(format!(".{field}")));
                        Some(())
                    }
                }
            }
            LValueKind::String(_) | LValueKind::Compound(..) | LValueKind::Value(_) => None,
        }
    }

    fn spell_pointee(
        &mut self,
        pointer: &Expr,
        meanwhile: Meanwhile,
        out: &mut Vec<PlacePart>,
    ) -> Option<()> {
        let pointer = without_conversions(pointer);
        match &pointer.kind {
            ExprKind::PointerOffset { pointer, index, backwards: false, .. } => {
                self.spell_pointer(pointer, meanwhile, out)?;
                out.push(PlacePart::Text("[".to_owned()));
                self.spell_index(index, meanwhile, out)?;
                out.push(PlacePart::Text("]".to_owned()));
                Some(())
            }
            _ => {
                out.push(PlacePart::Text("*".to_owned()));
                self.spell_pointer(pointer, meanwhile, out)
            }
        }
    }

    /// A pointer as the left operand of `[]` or `->`; arrays stand for themselves.
    fn spell_pointer(
        &mut self,
        pointer: &Expr,
        meanwhile: Meanwhile,
        out: &mut Vec<PlacePart>,
    ) -> Option<()> {
        let pointer = without_conversions(pointer);
        match &pointer.kind {
            ExprKind::Load(place) | ExprKind::AddressOf(place) => self.spell(place, meanwhile, out),
            _ => {
                let text = self.source_text(pointer.span)?;
                out.push(PlacePart::Text(format!("({text})")));
                Some(())
            }
        }
    }

    /// A constant, or a variable that no other function can change.
    fn is_private(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Constant(_) => true,
            ExprKind::Load(LValue { kind: LValueKind::Object(object), .. }) => {
                expr.total && !self.is_static(*object) && !self.memory.regions.in_memory(*object)
            }
            _ => false,
        }
    }

    /// The number that an index has, if evaluating it again gives the same, otherwise its text.
    fn spell_index(&mut self, index: &Expr, meanwhile: Meanwhile, out: &mut Vec<PlacePart>) -> Option<()> {
        let index = without_conversions(index);
        let is_settled = match meanwhile {
            Meanwhile::Nothing => index.total,
            Meanwhile::Call => self.is_private(index),
            Meanwhile::Anything => index.constant().is_some(),
        };
        let part = if is_settled {
            PlacePart::Number(self.value(index), self.presentation(index.ty))
        } else {
            PlacePart::Text(self.source_text(index.span)?)
        };
        out.push(part);
        Some(())
    }
}

fn is_element(pointer: &Expr) -> bool {
    matches!(without_conversions(pointer).kind, ExprKind::PointerOffset { .. })
}

fn without_conversions(mut expr: &Expr) -> &Expr {
    while let ExprKind::Convert(inner) = &expr.kind {
        expr = inner;
    }
    expr
}
