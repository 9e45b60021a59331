//! `__builtin_object_size` and the functions that are given its result.

use super::lvalues::Operand;
use super::{Checked, Checker};
use crate::typed::{CallObjects, Callee, Comparison, Expr, ExprKind, LValue, LValueKind};
use aster_term::BitVec;
use lang_c::ast::{
    CallExpression, Declarator, DeclaratorKind, Expression, ExternalDeclaration, TranslationUnit,
};
use lang_c::span::Node;
use rustc_hash::FxHashSet;

/// Functions that are given the size of their target last, and otherwise are the one without `__` and `_chk`.
/// Others of this kind have models.
const CHECKED: &[&str] = &["memcpy", "memmove", "memset"];

/// The function without check, if the name is that of one with a check.
fn unchecked(name: &str) -> Option<&str> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let plain = name.strip_prefix("__")?.strip_suffix("_chk")?;
    CHECKED.contains(&plain).then_some(plain)
}

/// Checked functions that a program defines itself.
pub(super) fn defined_checked(unit: &TranslationUnit) -> FxHashSet<String> {
    let definitions = unit.0.iter().filter_map(|declaration| match &declaration.node {
        ExternalDeclaration::FunctionDefinition(definition) => declared_name(&definition.node.declarator),
        _ => None,
    });
    definitions.filter(|name| unchecked(name).is_some()).map(str::to_owned).collect()
}

fn declared_name(declarator: &Node<Declarator>) -> Option<&str> {
    match &declarator.node.kind.node {
        DeclaratorKind::Identifier(name) => Some(&name.node.name),
        DeclaratorKind::Declarator(inner) => declared_name(inner),
        DeclaratorKind::Abstract => None,
    }
}

/// Where an address is in an object, and in the innermost member that it is the address of.
struct Extent {
    whole: u64,
    offset: u64,
    part: u64,
    part_offset: u64,
}

impl Extent {
    fn of_object(size: u64) -> Self {
        Extent { whole: size, offset: 0, part: size, part_offset: 0 }
    }
}

impl Checker<'_> {
    /// `__builtin_object_size(pointer, kind)`: the bytes from there to the end of the object (of the member,
    /// if `kind` is odd). Nothing is evaluated. If the pointer is not the address of a variable, the answer
    /// is that the size is not known: the highest number, or 0 for a lower bound, which `kind` above 1 asks
    /// for.
    pub(super) fn object_size(
        &mut self,
        pointer: &Node<Expression>,
        kind: &Node<Expression>,
        call: &Node<CallExpression>,
    ) -> Checked<Expr> {
        let pointer = self.expression(pointer)?;
        let Some(kind @ 0..=3) = self.expression(kind)?.constant() else {
            return Err(self.error(kind.span, "this must be a constant between 0 and 3"));
        };
        let size = self.types.size_type();
        let extent = if pointer.effects { None } else { self.extent(&pointer) };
        let bytes = match extent {
            Some(extent) if kind % 2 == 0 => u128::from(extent.whole.saturating_sub(extent.offset)),
            Some(extent) => u128::from(extent.part.saturating_sub(extent.part_offset)),
            None if kind < 2 => u128::MAX,
            None => 0,
        };
        Ok(self.constant_of(bytes, size, call.span))
    }

    fn extent(&self, pointer: &Expr) -> Option<Extent> {
        match &pointer.kind {
            ExprKind::Convert(inner) if self.types.is_pointer(inner.ty) => self.extent(inner),
            ExprKind::AddressOf(place) => self.place_extent(place),
            ExprKind::PointerOffset { pointer, index, size: Some(size), backwards: false, .. } => {
                // An index beyond this is a negative one.
                let index = u32::try_from(index.constant()?).ok().filter(|index| *index < 1 << 31)?;
                let distance = size.checked_mul(u64::from(index))?;
                let extent = self.extent(pointer)?;
                Some(Extent {
                    offset: extent.offset.checked_add(distance)?,
                    part_offset: extent.part_offset.checked_add(distance)?,
                    ..extent
                })
            }
            _ => None,
        }
    }

    fn place_extent(&self, place: &LValue) -> Option<Extent> {
        match &place.kind {
            LValueKind::Object(_) | LValueKind::String(_) => {
                self.types.known_size(place.ty).map(Extent::of_object)
            }
            LValueKind::Deref(pointer) => self.extent(pointer),
            LValueKind::Member(base, record, field) => {
                let extent = self.place_extent(base)?;
                let offset = self.types.record(*record).body.as_ref()?.fields.get(*field)?.offset;
                let part = self.types.known_size(place.ty)?;
                Some(Extent { offset: extent.offset.checked_add(offset)?, part, part_offset: 0, ..extent })
            }
            LValueKind::Compound(..) | LValueKind::Value(_) => None,
        }
    }

    /// A call of `__memcpy_chk` or a relative, or of gcc's builtin form: the program ends if the length is more
    /// than the size, otherwise it is a call of the function without check.
    pub(super) fn checked_call(&mut self, name: &str, call: &Node<CallExpression>) -> Checked<Option<Expr>> {
        let Some(plain) = unchecked(name).filter(|_| !self.own_checked.contains(name)) else {
            return Ok(None);
        };
        let Some((size, arguments)) = call.node.arguments.split_last() else { return Ok(None) };
        let size = self.expression(size)?;
        let size_type = self.types.size_type();
        let size = self.assign_convert(size, size_type, call.span)?;
        // The builtin form: the plain one may be a function of the program that calls the checked one.
        let plain = format!("__builtin_{plain}");
        let function = self.called_undeclared(&plain, call.node.callee.span);
        let result = self.call_of(Operand::Function(function, call.span), arguments, call)?;
        let ExprKind::Call(_, values, _) = &result.kind else { return Ok(Some(result)) };
        let Some(length) = values.last() else { return Ok(Some(result)) };
        let largest = self.types.bit_width(size_type).map(|width| BitVec::from_signed(width, -1).unsigned());
        let fits = match (length.constant(), size.constant()) {
            (Some(length), Some(size)) => length <= size,
            (None, Some(size)) => Some(size) == largest,
            _ => false,
        };
        if fits {
            return Ok(Some(result));
        }
        if size.effects || values.iter().any(|value| value.effects) {
            let ty = result.ty;
            return Ok(Some(self.unsupported("effects in arguments of a checked function", ty, call.span)));
        }
        let (int, void) = (self.types.int(), self.types.void());
        let kind = ExprKind::Compare(Comparison::Greater, Box::new(length.clone()), Box::new(size));
        let too_long = Expr::new(&self.types, kind, int, call.span);
        let abort = Callee::Function(self.called_undeclared("__builtin_abort", call.span));
        let abort = ExprKind::Call(abort, Vec::new(), CallObjects::default());
        let abort = Expr::new(&self.types, abort, void, call.span);
        let nothing = self.constant_of(0, int, call.span);
        let nothing = Expr::new(&self.types, ExprKind::Convert(Box::new(nothing)), void, call.span);
        let kind = ExprKind::Conditional(Box::new(too_long), Box::new(abort), Box::new(nothing));
        let check = Expr::new(&self.types, kind, void, call.span);
        Ok(Some(self.after([check], result)))
    }
}
