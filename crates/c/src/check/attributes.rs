//! GNU attributes that change types or control flow; all others are ignored.

use super::Checker;
use super::qualifiers::Constness;
use crate::types::{FloatKind, IntKind, Type, TypeId};
use lang_c::ast::{Attribute, Expression, Extension};
use lang_c::span::Node;

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
    pub(super) transparent_union: bool,
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
            if let Extension::Attribute(attribute) = &extension.node {
                self.read_attribute(attributes, attribute);
            }
        }
    }

    fn read_attribute(&mut self, attributes: &mut Attributes, attribute: &Attribute) {
        let name = attribute.name.node.trim_start_matches("__").trim_end_matches("__");
        match name {
            "packed" => attributes.packed = true,
            "noreturn" => attributes.noreturn = true,
            "transparent_union" => attributes.transparent_union = true,
            "aligned" => {
                let value = match attribute.arguments.first() {
                    // Without an argument: the largest alignment of the machine.
                    None => Some(16),
                    Some(argument) => self.quoted_alignment(argument),
                };
                let value = value.and_then(|value| u64::try_from(value).ok());
                attributes.align = attributes.align.max(value.filter(|value| value.is_power_of_two()));
            }
            "mode" => {
                if let Some(Expression::Identifier(mode)) = attribute.arguments.first().map(|a| &a.node) {
                    let mode = mode.node.name.trim_start_matches("__").trim_end_matches("__");
                    attributes.mode = Some(mode.to_owned());
                }
            }
            _ => {}
        }
    }

    /// The type after its `mode` attribute, which replaces the size and keeps the signedness.
    pub(super) fn apply_mode(&mut self, ty: TypeId, attributes: &Attributes) -> TypeId {
        let Some(mode) = attributes.mode.as_deref() else { return ty };
        let kind = match mode {
            "QI" | "byte" => IntKind::SChar,
            "HI" => IntKind::Short,
            "SI" => IntKind::Int,
            "DI" => self.types.size_kind().to_signed().max(IntKind::Int),
            "TI" => IntKind::Int128,
            "word" | "pointer" | "unwind_word" => self.types.size_kind().to_signed(),
            "SF" => return self.types.intern(Type::Float(FloatKind::Float)),
            "DF" => return self.types.intern(Type::Float(FloatKind::Double)),
            "XF" => return self.types.intern(Type::Float(FloatKind::LongDouble)),
            "TF" => return self.types.intern(Type::Float(FloatKind::Quad)),
            _ => return ty,
        };
        // Eight bytes are `long` where that is long enough.
        let kind = if mode == "DI" && self.types.pointer_bits() == 32 { IntKind::LongLong } else { kind };
        let signed = self.types.is_signed(ty);
        self.types.integer(if signed { kind } else { kind.to_unsigned() })
    }
}
