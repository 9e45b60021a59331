//! Declaration specifiers: storage classes and the type that all declarators start from.

use super::attributes::Attributes;
use super::qualifiers::Constness;
use super::scope::Symbol;
use super::{Checked, Checker};
use crate::types::{FloatKind, IntKind, Type, TypeId};
use lang_c::ast::{
    AlignmentSpecifier, DeclarationSpecifier, Expression, Extension, FunctionSpecifier, SpecifierQualifier,
    StorageClassSpecifier, TS18661FloatFormat, TS18661FloatType, TypeName, TypeOf, TypeSpecifier,
};
use lang_c::span::{Node, Span};

/// What the specifiers of a declaration say.
#[derive(Clone, Debug)]
pub(super) struct Specifiers {
    /// The type.
    pub(super) ty: TypeId,
    /// The storage class.
    pub(super) storage: Option<StorageClassSpecifier>,
    /// The attributes.
    pub(super) attributes: Attributes,
    /// Declared `inline`.
    pub(super) inline: bool,
}

/// One part of a list of specifiers, whichever kind of list it is.
enum Part<'a> {
    Type(&'a Node<TypeSpecifier>),
    Extensions(&'a [Node<Extension>]),
}

/// How often each keyword occurs.
#[derive(Default)]
struct Keywords {
    void: bool,
    char: bool,
    short: bool,
    int: bool,
    long: u32,
    float: bool,
    double: bool,
    signed: bool,
    unsigned: bool,
    bool: bool,
    complex: bool,
    int128: bool,
}

impl Checker<'_> {
    pub(super) fn specifiers(
        &mut self,
        specifiers: &[Node<DeclarationSpecifier>],
        span: Span,
    ) -> Checked<Specifiers> {
        let mut storage = None;
        let mut inline = false;
        let mut attributes = Attributes::default();
        let mut parts = Vec::with_capacity(specifiers.len());
        for specifier in specifiers {
            match &specifier.node {
                DeclarationSpecifier::StorageClass(class) => {
                    // `_Thread_local` comes together with another one: there is one thread here.
                    if class.node != StorageClassSpecifier::ThreadLocal {
                        storage = Some(class.node.clone());
                    }
                }
                DeclarationSpecifier::TypeSpecifier(ty) => parts.push(Part::Type(ty)),
                DeclarationSpecifier::TypeQualifier(qualifier) => {
                    Self::note_qualifier(&mut attributes, &qualifier.node);
                }
                DeclarationSpecifier::Function(function) => match function.node {
                    FunctionSpecifier::Noreturn => attributes.noreturn = true,
                    FunctionSpecifier::Inline => inline = true,
                },
                DeclarationSpecifier::Alignment(alignment) => {
                    let value = self.alignment(&alignment.node)?;
                    attributes.align = attributes.align.max(value);
                }
                DeclarationSpecifier::Extension(extensions) => parts.push(Part::Extensions(extensions)),
            }
        }
        let ty = self.base_type(&parts, &mut attributes, span)?;
        Ok(Specifiers { ty, storage, attributes, inline })
    }

    pub(super) fn specifier_qualifiers(
        &mut self,
        specifiers: &[Node<SpecifierQualifier>],
        span: Span,
    ) -> Checked<(TypeId, Attributes)> {
        let mut attributes = Attributes::default();
        let parts: Vec<Part> = specifiers
            .iter()
            .filter_map(|specifier| match &specifier.node {
                SpecifierQualifier::TypeSpecifier(ty) => Some(Part::Type(ty)),
                SpecifierQualifier::TypeQualifier(qualifier) => {
                    Self::note_qualifier(&mut attributes, &qualifier.node);
                    None
                }
                SpecifierQualifier::Extension(extensions) => Some(Part::Extensions(extensions)),
            })
            .collect();
        let ty = self.base_type(&parts, &mut attributes, span)?;
        Ok((ty, attributes))
    }

    /// The type that a type name denotes.
    pub(super) fn type_name(&mut self, name: &Node<TypeName>) -> Checked<TypeId> {
        let (base, mut attributes) = self.specifier_qualifiers(&name.node.specifiers, name.span)?;
        let ty = match &name.node.declarator {
            Some(declarator) => {
                let declared = self.declarator(declarator, base)?;
                self.declared_type(&declared, &mut attributes)
            }
            None => base,
        };
        match attributes.refused {
            Some(what) => Err(self.error(name.span, format!("{what} of a type is not modelled"))),
            None => Ok(ty),
        }
    }

    fn alignment(&mut self, alignment: &AlignmentSpecifier) -> Checked<Option<u64>> {
        match alignment {
            AlignmentSpecifier::Type(name) => {
                let ty = self.type_name(name)?;
                Ok(self.types.align(ty))
            }
            AlignmentSpecifier::Constant(expression) => {
                let value = self.expression(expression)?.constant();
                Ok(value.and_then(|value| u64::try_from(value).ok()).filter(|value| value.is_power_of_two()))
            }
        }
    }

    fn base_type(&mut self, parts: &[Part], attributes: &mut Attributes, span: Span) -> Checked<TypeId> {
        let mut keywords = Keywords::default();
        let mut named = None;
        for (position, part) in parts.iter().enumerate() {
            match part {
                Part::Extensions(extensions) => self.read_attributes(attributes, *extensions),
                Part::Type(specifier) => {
                    if let TypeSpecifier::TypedefName(name) = &specifier.node
                        && let Some(Symbol::Typedef(_, align, constness)) =
                            self.scopes.lookup(&name.node.name)
                    {
                        attributes.type_align = align;
                        let this = attributes.constness.this || constness.this;
                        attributes.constness = Constness { this, ..constness };
                    }
                    if Self::is_auto_type(&specifier.node) {
                        attributes.auto_type = true;
                        continue;
                    }
                    if let Some(ty) = self.type_specifier(&mut keywords, specifier, &parts[position + 1..])? {
                        named = Some(ty);
                    }
                }
            }
        }
        let ty = match named {
            Some(ty) => ty,
            // Neither a type nor a keyword: implicit `int`.
            None => self.keyword_type(&keywords, span)?,
        };
        let ty = self.apply_mode(ty, attributes);
        if attributes.qualified {
            self.note_qualified(ty);
        }
        Ok(ty)
    }

    /// One type specifier: counted if it is a keyword, otherwise its type. `rest` holds what follows
    /// it, where the attributes of a structure are.
    fn type_specifier(
        &mut self,
        keywords: &mut Keywords,
        specifier: &Node<TypeSpecifier>,
        rest: &[Part],
    ) -> Checked<Option<TypeId>> {
        let named = match &specifier.node {
            TypeSpecifier::Atomic(name) => self.type_name(name)?,
            TypeSpecifier::Struct(record) => {
                let attributes = self.attributes_after(rest);
                self.record_specifier(record, &attributes)?
            }
            TypeSpecifier::Enum(enumeration) => {
                let packed = self.attributes_after(rest).packed;
                self.enum_specifier(enumeration, packed)?
            }
            TypeSpecifier::TypedefName(name) => self.typedef(&name.node.name, name.span)?,
            TypeSpecifier::TypeOf(of) => match self.type_of_type(&of.node)? {
                Ok(ty) => ty,
                Err(expression) => {
                    let ty = self.unevaluated(expression)?;
                    self.require_standard(ty, expression.span)?;
                    ty
                }
            },
            // What the prepared source says for `__int128`.
            TypeSpecifier::TS18661Float(TS18661FloatType {
                format: TS18661FloatFormat::BinaryExtended,
                width: 16,
            }) => {
                keywords.int128 = true;
                return Ok(None);
            }
            TypeSpecifier::TS18661Float(TS18661FloatType {
                format: TS18661FloatFormat::DecimalInterchange | TS18661FloatFormat::DecimalExtended,
                width,
            }) => self.types.intern(Type::Decimal(*width as u64 / 8)),
            TypeSpecifier::TS18661Float(float) => {
                let kind = super::literals::float_kind_of(float);
                self.types.intern(Type::Float(kind))
            }
            keyword => {
                keywords.count(keyword);
                return Ok(None);
            }
        };
        Ok(Some(named))
    }

    /// The type that `typeof` is applied to, or else the expression.
    pub(super) fn type_of_type<'b>(
        &mut self,
        of: &'b TypeOf,
    ) -> Checked<Result<TypeId, &'b Node<Expression>>> {
        match of {
            TypeOf::Type(name) => self.type_name(name).map(Ok),
            TypeOf::Expression(expression) => Ok(match self.parsed_as_expression(expression)? {
                Some(ty) => Ok(ty),
                None => Err(expression),
            }),
        }
    }

    /// The attributes that follow a structure, union or enumeration.
    fn attributes_after(&mut self, rest: &[Part]) -> Attributes {
        let mut attributes = Attributes::default();
        for part in rest {
            if let Part::Extensions(extensions) = part {
                self.read_attributes(&mut attributes, *extensions);
            }
        }
        attributes
    }

    fn typedef(&mut self, name: &str, span: Span) -> Checked<TypeId> {
        if let Some(Symbol::Typedef(ty, ..)) = self.scopes.lookup(name) {
            return Ok(ty);
        }
        match name {
            "__builtin_va_list" => Ok(self.va_list_type()),
            _ => Err(self.error(span, format!("unknown type name '{name}'"))),
        }
    }

    fn keyword_type(&mut self, keywords: &Keywords, span: Span) -> Checked<TypeId> {
        if keywords.signed && keywords.unsigned {
            return Err(self.error(span, "both 'signed' and 'unsigned' in declaration specifiers"));
        }
        if keywords.conflict() {
            return Err(self.error(span, "these type specifiers cannot be combined"));
        }
        let ty = if keywords.void {
            Type::Void
        } else if keywords.bool {
            Type::Bool
        } else if keywords.float || keywords.double || (keywords.complex && !keywords.int) {
            let kind = match (keywords.float, keywords.long) {
                (true, _) => FloatKind::Float,
                (false, 0) => FloatKind::Double,
                (false, _) => FloatKind::LongDouble,
            };
            if keywords.complex { Type::Complex(kind) } else { Type::Float(kind) }
        } else {
            Type::Integer(keywords.integer())
        };
        Ok(self.types.intern(ty))
    }
}

impl Keywords {
    fn count(&mut self, keyword: &TypeSpecifier) {
        match keyword {
            TypeSpecifier::Void => self.void = true,
            TypeSpecifier::Char => self.char = true,
            TypeSpecifier::Short => self.short = true,
            TypeSpecifier::Int => self.int = true,
            TypeSpecifier::Long => self.long += 1,
            TypeSpecifier::Float => self.float = true,
            TypeSpecifier::Double => self.double = true,
            TypeSpecifier::Signed => self.signed = true,
            TypeSpecifier::Unsigned => self.unsigned = true,
            TypeSpecifier::Bool => self.bool = true,
            TypeSpecifier::Complex => self.complex = true,
            _ => {}
        }
    }

    /// Two basic types at once, or a size that does not go with the type.
    fn conflict(&self) -> bool {
        let basic = [self.void, self.char, self.float, self.double, self.bool, self.int, self.int128];
        let basics = basic.iter().filter(|&&there| there).count();
        let sized = self.short || self.long > 0;
        let signed = self.signed || self.unsigned;
        basics > 1
            || self.long > 2
            || (self.short && (self.long > 0 || self.double))
            || (self.double && self.long > 1)
            || (sized && (self.void || self.char || self.float || self.bool || self.int128))
            || (signed && (self.void || self.float || self.double || self.bool))
    }

    fn integer(&self) -> IntKind {
        let kind = if self.int128 {
            IntKind::Int128
        } else if self.char {
            return match (self.signed, self.unsigned) {
                (true, _) => IntKind::SChar,
                (_, true) => IntKind::UChar,
                _ => IntKind::Char,
            };
        } else if self.short {
            IntKind::Short
        } else {
            match self.long {
                0 => IntKind::Int,
                1 => IntKind::Long,
                _ => IntKind::LongLong,
            }
        };
        if self.unsigned { kind.to_unsigned() } else { kind }
    }
}
