//! Structures, unions and enumerations.

use super::attributes::Attributes;
use super::scope::Symbol;
use super::{Checked, Checker, fold};
use crate::source::{Packing, big_endian_at, packing_at};
use crate::types::{FieldSpec, IntKind, RecordAttributes, Type, TypeId};
use lang_c::ast::{
    EnumType, Enumerator, SpecifierQualifier, StructDeclaration, StructField, StructKind, StructType,
    TypeSpecifier,
};
use lang_c::span::Node;

impl Checker<'_> {
    pub(super) fn record_specifier(
        &mut self,
        record: &Node<StructType>,
        attributes: &Attributes,
    ) -> Checked<TypeId> {
        let is_union = record.node.kind.node == StructKind::Union;
        let tag = record.node.identifier.as_ref().map(|tag| tag.node.name.clone());
        let Some(declarations) = &record.node.declarations else {
            return self.record_reference(record, tag, is_union);
        };
        let existing = tag.as_ref().and_then(|tag| self.scopes.lookup_tag_here(tag));
        let ty = match existing {
            Some(ty) => ty,
            None => self.declare_record(tag.clone(), is_union),
        };
        let Some(id) = self.types.as_record(ty).filter(|id| self.types.record(*id).is_union == is_union)
        else {
            let tag = tag.unwrap_or_default();
            return Err(self.error(record.span, format!("'{tag}' defined as wrong kind of tag")));
        };
        if self.types.record(id).body.is_some() {
            let name = self.type_name_text(ty);
            return Err(self.error(record.span, format!("redefinition of '{name}'")));
        }
        let mut specs = Vec::new();
        let mut refused = attributes.refused.is_some();
        for declaration in declarations {
            match &declaration.node {
                StructDeclaration::Field(field) => refused |= !self.field(field, &mut specs)?,
                StructDeclaration::StaticAssert(assertion) => self.static_assert(assertion)?,
            }
        }
        if attributes.transparent_union {
            self.types.set_transparent(ty);
        }
        let packing = packing_at(&self.prepared.layout_pragmas, record.span.start);
        let order = big_endian_at(&self.prepared.layout_pragmas, record.span.start);
        let attributes = RecordAttributes {
            packed: attributes.packed,
            align: attributes.align,
            max_align: if let Packing::AtMost(bytes) = packing { Some(bytes) } else { None },
            doubtful: refused || packing == Packing::Unknown || order.is_none(),
            ms_struct: attributes.ms_struct,
            big_endian: attributes.big_endian.or(order).unwrap_or(false),
        };
        self.types.complete_record(id, specs, attributes);
        Ok(ty)
    }

    fn record_reference(
        &mut self,
        record: &Node<StructType>,
        tag: Option<String>,
        is_union: bool,
    ) -> Checked<TypeId> {
        let known = tag.as_ref().and_then(|tag| self.scopes.lookup_tag(tag));
        match known {
            Some(ty) => {
                let same =
                    self.types.as_record(ty).is_some_and(|id| self.types.record(id).is_union == is_union);
                if same {
                    return Ok(ty);
                }
                Err(self.error(
                    record.span,
                    format!("'{}' defined as wrong kind of tag", tag.unwrap_or_default()),
                ))
            }
            None => Ok(self.declare_record(tag, is_union)),
        }
    }

    fn declare_record(&mut self, tag: Option<String>, is_union: bool) -> TypeId {
        let ty = self.types.new_record(tag.clone(), is_union);
        if let Some(tag) = tag {
            self.scopes.declare_tag(&tag, ty);
        }
        ty
    }

    /// A lone `struct tag;` declares a new type in the scope at hand.
    pub(super) fn forward_record(&mut self, record: &Node<StructType>) {
        if let (Some(tag), None) = (&record.node.identifier, &record.node.declarations)
            && self.scopes.lookup_tag_here(&tag.node.name).is_none()
        {
            self.declare_record(Some(tag.node.name.clone()), record.node.kind.node == StructKind::Union);
        }
    }

    /// The members that a declaration declares. False if something about it is not modelled.
    fn field(&mut self, field: &Node<StructField>, specs: &mut Vec<FieldSpec>) -> Checked<bool> {
        let (base, shared) = self.specifier_qualifiers(&field.node.specifiers, field.span)?;
        if field.node.declarators.is_empty() {
            // An anonymous structure or union; anything else declares nothing, also one with a tag.
            if field.node.specifiers.iter().any(|specifier| defines_untagged(&specifier.node)) {
                specs.push(FieldSpec {
                    name: None,
                    ty: base,
                    bits: None,
                    align: shared.align,
                    type_align: shared.type_align,
                    packed: false,
                    read_only: shared.constness.this,
                });
            }
            return Ok(shared.refused.is_none());
        }
        let mut understood = true;
        for declarator in &field.node.declarators {
            let mut attributes = shared.clone();
            let (name, ty) = match &declarator.node.declarator {
                Some(declarator) => {
                    let declared = self.declarator(declarator, base)?;
                    let ty = self.declared_type(&declared, &mut attributes);
                    (declared.name, ty)
                }
                None => (None, base),
            };
            understood &= attributes.refused.is_none();
            if matches!(self.types.get(ty), Type::Function(_)) {
                return Err(self.error(declarator.span, "a member cannot be a function"));
            }
            let bits = match &declarator.node.bit_width {
                Some(width) => Some(self.bit_width_of_field(width, ty)?),
                None => None,
            };
            let incomplete = self.types.size(ty).is_none() && !matches!(self.types.get(ty), Type::Array(..));
            if incomplete {
                let (name, text) = (name.unwrap_or_default(), self.type_name_text(ty));
                return Err(
                    self.error(declarator.span, format!("field '{name}' has incomplete type '{text}'"))
                );
            }
            let name = name.map(|name| name.to_owned());
            let mut element = ty;
            while let Type::Array(inner, _) = *self.types.get(element) {
                element = inner;
            }
            // That of a pointer's target is not that of the pointer.
            let type_align = attributes.type_align.filter(|_| ty == base || element == base);
            let (align, packed) = (attributes.align, attributes.packed);
            let read_only = match &declarator.node.declarator {
                Some(declarator) => Self::declared_constness(declarator, shared.constness).this,
                None => false,
            };
            specs.push(FieldSpec { name, ty, bits, align, type_align, packed, read_only });
        }
        Ok(understood)
    }

    fn bit_width_of_field(&mut self, width: &Node<lang_c::ast::Expression>, ty: TypeId) -> Checked<u32> {
        let value = self.expression(width)?;
        let limit = match self.types.get(ty) {
            Type::Bool => Some(1),
            _ if self.types.is_integer(ty) => self.types.bit_width(ty),
            _ => None,
        };
        let Some(limit) = limit else { return Err(self.error(width.span, "bit-field has invalid type")) };
        match value.constant() {
            Some(bits) if bits <= u128::from(limit) => Ok(bits as u32),
            Some(_) => Err(self.error(width.span, "width of bit-field exceeds its type")),
            None => Err(self.error(width.span, "bit-field width is not an integer constant")),
        }
    }

    pub(super) fn enum_specifier(&mut self, enumeration: &Node<EnumType>, packed: bool) -> Checked<TypeId> {
        let tag = enumeration.node.identifier.as_ref().map(|tag| tag.node.name.clone());
        let defines = !enumeration.node.enumerators.is_empty();
        let known = tag.as_ref().and_then(|tag| {
            if defines { self.scopes.lookup_tag_here(tag) } else { self.scopes.lookup_tag(tag) }
        });
        let ty = match known {
            Some(ty) => ty,
            None => {
                let ty = self.types.new_enum(tag.clone());
                if let Some(tag) = &tag {
                    self.scopes.declare_tag(tag, ty);
                }
                ty
            }
        };
        let &Type::Enum(id) = self.types.get(ty) else {
            let tag = tag.unwrap_or_default();
            return Err(self.error(enumeration.span, format!("'{tag}' defined as wrong kind of tag")));
        };
        if defines {
            if self.types.enumeration(id).complete {
                let name = self.type_name_text(ty);
                return Err(self.error(enumeration.span, format!("redefinition of '{name}'")));
            }
            let (least, greatest) = self.enumerators(&enumeration.node.enumerators)?;
            let kind = self.enum_kind(least, greatest, packed);
            self.types.complete_enum(id, kind);
        }
        Ok(ty)
    }

    /// Declares the enumerators; gives the least and the greatest value.
    fn enumerators(&mut self, enumerators: &[Node<Enumerator>]) -> Checked<(i128, i128)> {
        let (mut least, mut greatest, mut next) = (0i128, 0i128, 0i128);
        for enumerator in enumerators {
            let name = &enumerator.node.identifier.node.name;
            let mut attributes = Attributes::default();
            self.read_attributes(&mut attributes, &enumerator.node.extensions);
            if let Some(what) = attributes.refused {
                return Err(self.error(enumerator.span, format!("{what} of an enumerator is not modelled")));
            }
            if let Some(expression) = &enumerator.node.expression {
                let expr = self.expression(expression)?;
                self.require_integer(&expr)?;
                let value = expr.constant().and_then(|bits| fold::number(&self.types, bits, expr.ty));
                let Some(value) = value else {
                    let message = format!("enumerator value for '{name}' is not an integer constant");
                    return Err(self.error(expression.span, message));
                };
                next = value;
            }
            least = least.min(next);
            greatest = greatest.max(next);
            let kind = if i32::try_from(next).is_ok() {
                IntKind::Int
            } else {
                self.enum_kind(next.min(0), next.max(0), false).to_signed_if(next < 0)
            };
            let ty = self.types.integer(kind);
            let bits = self.constant_of(next as u128, ty, enumerator.span).constant().unwrap_or(0);
            if let Some(Symbol::Constant(..) | Symbol::Typedef(..)) = self.scopes.lookup_here(name) {
                return Err(self.error(enumerator.span, format!("redeclaration of enumerator '{name}'")));
            }
            self.scopes.declare(name, Symbol::Constant(bits, ty));
            next += 1;
        }
        Ok((least, greatest))
    }

    /// gcc's choice: the first of `unsigned int`, `unsigned long`, ... (signed with negative values)
    /// that holds all values; also smaller ones if it is packed.
    fn enum_kind(&self, least: i128, greatest: i128, packed: bool) -> IntKind {
        let kinds = [IntKind::SChar, IntKind::Short, IntKind::Int, IntKind::Long, IntKind::LongLong];
        for &kind in &kinds[if packed { 0 } else { 2 }..] {
            let bits = self.types.int_bits(kind);
            if least < 0 {
                if least >= -(1i128 << (bits - 1)) && greatest < 1i128 << (bits - 1) {
                    return kind;
                }
            } else if greatest < 1i128 << bits {
                return kind.to_unsigned();
            }
        }
        IntKind::Int128
    }
}

/// The definition of a structure or union without a tag.
fn defines_untagged(specifier: &SpecifierQualifier) -> bool {
    match specifier {
        SpecifierQualifier::TypeSpecifier(specifier) => match &specifier.node {
            TypeSpecifier::Struct(record) => record.node.identifier.is_none(),
            _ => false,
        },
        _ => false,
    }
}

impl IntKind {
    fn to_signed_if(self, signed: bool) -> Self {
        if signed { self.to_signed() } else { self }
    }
}
