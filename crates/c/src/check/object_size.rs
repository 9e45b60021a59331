//! `__builtin_object_size` and the functions that are given its result.

use super::{Checked, Checker};
use crate::typed::{Expr, ExprKind, LValue, LValueKind};
use lang_c::ast::{
    CallExpression, Declarator, DeclaratorKind, Expression, ExternalDeclaration, TranslationUnit,
};
use lang_c::span::Node;
use rustc_hash::FxHashSet;

/// Functions that compare with the size of an object, their last argument, and otherwise are the one without
/// `__` and `_chk`.
const CHECKED: &[&str] = &[
    "memcpy", "memmove", "mempcpy", "memset", "strcpy", "stpcpy", "strncpy", "stpncpy", "strcat", "strncat",
];

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

    /// A call of `__memcpy_chk` or a relative, or of gcc's builtin form: the same as the function without
    /// check. What the check prevents is undefined without it, and ends the program as well.
    pub(super) fn checked_call(&mut self, name: &str, call: &Node<CallExpression>) -> Checked<Option<Expr>> {
        let Some(plain) = unchecked(name) else { return Ok(None) };
        if self.own_checked.contains(name) {
            return Ok(None);
        }
        let Some((size, arguments)) = call.node.arguments.split_last() else { return Ok(None) };
        let size = self.expression(size)?;
        // The builtin form: the plain one may be a function of the program that calls the checked one.
        let plain = format!("__builtin_{plain}");
        let function = self.called_undeclared(&plain, call.node.callee.span);
        let result = self.call_of(super::lvalues::Operand::Function(function, call.span), arguments, call)?;
        if size.effects {
            let ty = result.ty;
            return Ok(Some(self.unsupported("effects in the size for a checked function", ty, call.span)));
        }
        Ok(Some(result))
    }
}
