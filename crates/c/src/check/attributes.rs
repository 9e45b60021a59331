//! GNU attributes: those that change types, symbols or control flow are read here; what [`crate::treatment`] does not know
//! makes unusable what it is written on.

use super::Checker;
use super::qualifiers::Constness;
use crate::treatment::{self, Treatment};
use crate::types::{FloatKind, IntKind, Type, TypeId};
use lang_c::ast::{Attribute, Expression, Extension};
use lang_c::span::{Node, Span};

/// The priority of constructors and destructors that have none, which is the last one.
pub(super) const NO_PRIORITY: u32 = 65535;

/// Sections whose contents are executed when a program starts or ends.
const EXECUTED_SECTIONS: &[&str] =
    &[".init_array", ".fini_array", ".preinit_array", ".ctors", ".dtors", ".init", ".fini"];

/// What the attributes of a declaration say.
#[derive(Clone, Debug, Default)]
pub(super) struct Attributes {
    pub(super) packed: bool,
    pub(super) align: Option<u64>,
    /// The alignment of the type by the attributes of its name, instead of the natural one.
    pub(super) type_align: Option<u64>,
    pub(super) noreturn: bool,
    /// The machine mode: `QI`, `HI`, `SI`, `DI`, `TI`, `word`, `SF`, ...
    pub(super) mode: Option<String>,
    /// The bytes of the vectors that take the place of the type.
    pub(super) vector: Option<u64>,
    pub(super) transparent_union: bool,
    /// Bit-fields are laid out as Microsoft's compilers do it.
    pub(super) ms_struct: bool,
    /// Whether the most significant byte of a member comes first, if that is said.
    pub(super) big_endian: Option<bool>,
    /// The symbol that this is another name of.
    pub(super) alias: Option<String>,
    /// The symbol of this, if it is not its name.
    pub(super) label: Option<String>,
    pub(super) weak: bool,
    /// The function that says which function this is.
    pub(super) resolver: Option<String>,
    /// Called before `main`, with this priority.
    pub(super) constructor: Option<u32>,
    /// Called after `main`, with this priority.
    pub(super) destructor: Option<u32>,
    /// The function that is called with the address of the variable when its block is left.
    pub(super) cleanup: Option<(String, Span)>,
    /// Something that is not modelled: what this is written on cannot be used.
    pub(super) refused: Option<String>,
    /// The type has qualifiers.
    pub(super) qualified: bool,
    /// Which parts of the type are `const`.
    pub(super) constness: Constness,
    /// The type is that of the initialiser.
    pub(super) auto_type: bool,
}

impl Checker<'_> {
    pub(super) fn read_attributes<'b>(
        &mut self,
        attributes: &mut Attributes,
        extensions: impl IntoIterator<Item = &'b Node<Extension>>,
    ) {
        for extension in extensions {
            match &extension.node {
                Extension::Attribute(attribute) => self.read_attribute(attributes, attribute),
                Extension::AsmLabel(text) => {
                    let bytes = self.string_bytes(&text.node).0;
                    attributes.label = Some(String::from_utf8_lossy(&bytes).into_owned());
                }
                Extension::AvailabilityAttribute(_) => {
                    attributes.refused = Some("attribute 'availability'".to_owned());
                }
            }
        }
    }

    fn read_attribute(&mut self, attributes: &mut Attributes, attribute: &Attribute) {
        let name = treatment::plain_name(&attribute.name.node);
        let understood = match treatment::attribute(name) {
            Treatment::NoEffect(_) => Some(()),
            Treatment::Refused => None,
            Treatment::Modelled => self.read_modelled(attributes, name, attribute),
        };
        if understood.is_none() {
            attributes.refused = Some(format!("attribute '{name}'"));
        }
    }

    /// An attribute that has a meaning here; `None` if its arguments have none.
    fn read_modelled(
        &mut self,
        attributes: &mut Attributes,
        name: &str,
        attribute: &Attribute,
    ) -> Option<()> {
        let first = attribute.arguments.first();
        match name {
            "packed" => attributes.packed = true,
            "noreturn" => attributes.noreturn = true,
            "transparent_union" => attributes.transparent_union = true,
            "ms_struct" => attributes.ms_struct = true,
            "gcc_struct" => attributes.ms_struct = false,
            "weak" => attributes.weak = true,
            "aligned" => {
                let value = match first {
                    // Without an argument: the largest alignment of the machine.
                    None => 16,
                    Some(argument) => self.quoted_alignment(argument)?,
                };
                let value =
                    u64::try_from(value).ok().filter(|value| *value == 0 || value.is_power_of_two())?;
                // `_Alignas(0)` says nothing.
                attributes.align = attributes.align.max(Some(value).filter(|&value| value > 0));
            }
            "mode" => {
                let Expression::Identifier(mode) = &first?.node else { return None };
                attributes.mode = Some(treatment::plain_name(&mode.node.name).to_owned());
            }
            "vector_size" => {
                let size = self.expression(first?).ok()?.constant()?;
                attributes.vector = Some(u64::try_from(size).ok().filter(|size| size.is_power_of_two())?);
            }
            "scalar_storage_order" => {
                attributes.big_endian = Some(match self.quoted_text(first?)?.as_str() {
                    "big-endian" => true,
                    "little-endian" => false,
                    _ => return None,
                });
            }
            "alias" => attributes.alias = Some(self.quoted_text(first?)?),
            "weakref" => {
                attributes.weak = true;
                attributes.alias = match first {
                    Some(target) => Some(self.quoted_text(target)?),
                    // The target is that of `alias`.
                    None => attributes.alias.take(),
                };
            }
            "cleanup" => {
                let Expression::Identifier(function) = &first?.node else { return None };
                attributes.cleanup = Some((function.node.name.clone(), function.span));
            }
            "ifunc" => attributes.resolver = Some(self.quoted_text(first?)?),
            "constructor" => attributes.constructor = Some(self.priority(first)?),
            "destructor" => attributes.destructor = Some(self.priority(first)?),
            "section" => {
                let section = self.quoted_text(first?)?;
                let is_in = |name: &str| {
                    section
                        .strip_prefix(name)
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', ',']))
                };
                if EXECUTED_SECTIONS.iter().any(|name| is_in(name)) {
                    let message =
                        format!("section '{section}', whose contents are executed, is not modelled");
                    let diagnostic = self.error(attribute.name.span, message);
                    self.diagnostics.push(diagnostic);
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn quoted_text(&mut self, argument: &Node<Expression>) -> Option<String> {
        let Expression::StringLiteral(parts) = &argument.node else { return None };
        String::from_utf8(self.string_bytes(&parts.node).0).ok()
    }

    fn priority(&mut self, argument: Option<&Node<Expression>>) -> Option<u32> {
        let Some(argument) = argument else { return Some(NO_PRIORITY) };
        let value = self.expression(argument).ok()?.constant()?;
        u32::try_from(value).ok().filter(|&value| value <= NO_PRIORITY)
    }

    /// The type after its attributes `mode`, which replaces the size and keeps the signedness, and `vector_size`. They are
    /// used up: what is declared with this type is not changed once more.
    pub(super) fn apply_mode(&mut self, ty: TypeId, attributes: &mut Attributes) -> TypeId {
        let mut ty = ty;
        if let Some(mode) = attributes.mode.take() {
            match self.in_mode(ty, &mode) {
                Some(changed) => ty = changed,
                None => attributes.refused = Some(format!("mode '{mode}' of this type")),
            }
        }
        if let Some(size) = attributes.vector.take() {
            match self.vectors_of(ty, size) {
                Some(changed) => ty = changed,
                None => attributes.refused = Some("vector of this type".to_owned()),
            }
        }
        ty
    }

    fn in_mode(&mut self, ty: TypeId, mode: &str) -> Option<TypeId> {
        if self.types.is_pointer(ty) {
            let own = if self.types.pointer_bits() == 32 { "SI" } else { "DI" };
            return (mode == own || mode == "pointer" || mode == "word").then_some(ty);
        }
        let float = match mode {
            "SF" => Some(FloatKind::Float),
            "DF" => Some(FloatKind::Double),
            "XF" => Some(FloatKind::LongDouble),
            "TF" => Some(FloatKind::Quad),
            _ => None,
        };
        if let Some(kind) = float {
            return match self.types.get(ty) {
                Type::Float(_) => Some(self.types.intern(Type::Float(kind))),
                _ => None,
            };
        }
        if !matches!(self.types.get(ty), Type::Integer(_) | Type::Enum(_)) {
            return None;
        }
        let kind = match mode {
            "QI" | "byte" => IntKind::SChar,
            "HI" => IntKind::Short,
            "SI" => IntKind::Int,
            // Eight bytes are `long` where that is long enough.
            "DI" if self.types.pointer_bits() == 32 => IntKind::LongLong,
            "DI" => IntKind::Long,
            "TI" => IntKind::Int128,
            "word" | "pointer" | "unwind_word" => self.types.size_kind().to_signed(),
            _ => return None,
        };
        let signed = self.types.is_signed(ty);
        Some(self.types.integer(if signed { kind } else { kind.to_unsigned() }))
    }

    /// The type with vectors of a size in place of what it is made of: `vector_size` goes through pointers, arrays and
    /// results of functions.
    fn vectors_of(&mut self, ty: TypeId, bytes: u64) -> Option<TypeId> {
        match self.types.get(ty).clone() {
            Type::Pointer(target) => {
                let target = self.vectors_of(target, bytes)?;
                Some(self.types.pointer(target))
            }
            Type::Array(element, length) => {
                let element = self.vectors_of(element, bytes)?;
                Some(self.types.array(element, length))
            }
            Type::Function(mut function) => {
                function.result = self.vectors_of(function.result, bytes)?;
                Some(self.types.intern(Type::Function(function)))
            }
            Type::Integer(_) | Type::Float(FloatKind::Float | FloatKind::Double) => {
                let size = self.types.size(ty)?;
                let fits = bytes >= size && bytes.is_multiple_of(size);
                fits.then(|| self.types.intern(Type::Vector(ty, bytes / size)))
            }
            _ => None,
        }
    }
}
