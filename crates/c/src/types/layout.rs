//! Sizes, alignments and the layout of structures and unions, as gcc does them on i386 and x86-64.

use super::{ArrayLength, Field, FloatKind, IntKind, RecordBody, RecordId, Type, TypeId, TypeTable};
use crate::DataModel;

/// A member before it has a place.
#[derive(Clone, Debug)]
pub(crate) struct FieldSpec {
    /// The name; `None` for anonymous records and for padding bit-fields.
    pub(crate) name: Option<String>,
    /// The type.
    pub(crate) ty: TypeId,
    /// The width of a bit-field.
    pub(crate) bits: Option<u32>,
    /// `aligned` or `_Alignas` of the member.
    pub(crate) align: Option<u64>,
    /// The alignment of its type, if the type's name has an attribute for it.
    pub(crate) type_align: Option<u64>,
    /// `packed` of the member.
    pub(crate) packed: bool,
    /// Declared `const`.
    pub(crate) read_only: bool,
}

/// Attributes that change the layout of a whole record.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RecordAttributes {
    /// No padding between members.
    pub(crate) packed: bool,
    /// At least this alignment.
    pub(crate) align: Option<u64>,
    /// No member is aligned to more than this, unless it says so itself.
    pub(crate) max_align: Option<u64>,
    /// Something that is not understood may change the layout.
    pub(crate) doubtful: bool,
}

impl TypeTable {
    /// Bits of a pointer.
    pub(crate) fn pointer_bits(&self) -> u32 {
        match self.model {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }

    /// Bits of an integer type.
    pub(crate) fn int_bits(&self, kind: IntKind) -> u32 {
        use IntKind::*;
        match kind {
            Char | SChar | UChar => 8,
            Short | UShort => 16,
            Int | UInt => 32,
            Long | ULong => self.pointer_bits(),
            LongLong | ULongLong => 64,
            Int128 | UInt128 => 128,
            Bits(width) | UBits(width) => u32::from(width),
        }
    }

    fn float_size(&self, kind: FloatKind) -> u64 {
        match (kind, self.model) {
            (FloatKind::Half, _) => 2,
            (FloatKind::Float, _) => 4,
            (FloatKind::Double, _) => 8,
            (FloatKind::LongDouble, DataModel::Ilp32) => 12,
            (FloatKind::LongDouble, DataModel::Lp64) | (FloatKind::Quad, _) => 16,
        }
    }

    /// The size in bytes; `None` for incomplete types and those with a size known only at run time.
    /// `void` and functions have size 1, as in GNU C.
    pub(crate) fn size(&self, id: TypeId) -> Option<u64> {
        match self.get(id) {
            Type::Void | Type::Function(_) => Some(1),
            Type::Bool | Type::Integer(_) | Type::Enum(_) | Type::Pointer(_) => {
                self.bit_width(id).map(|bits| u64::from(bits.next_power_of_two()) / 8)
            }
            Type::Float(kind) => Some(self.float_size(*kind)),
            Type::Complex(kind) => Some(2 * self.float_size(*kind)),
            Type::Array(element, ArrayLength::Known(length)) => self.size(*element)?.checked_mul(*length),
            Type::Array(..) => None,
            Type::Record(id) => self.record(*id).body.as_ref().map(|body| body.size),
        }
    }

    /// The size, if it is certain to be the one that gcc gives.
    pub(crate) fn known_size(&self, id: TypeId) -> Option<u64> {
        self.size(id).filter(|_| self.is_trusted(id))
    }

    /// The bytes that an argument for `...` takes where the caller puts it: whole words.
    pub(crate) fn argument_slot(&self, id: TypeId) -> Option<u64> {
        self.known_size(id)?.checked_next_multiple_of(u64::from(self.pointer_bits()) / 8)
    }

    fn is_trusted(&self, id: TypeId) -> bool {
        match self.get(id) {
            Type::Array(element, _) => self.is_trusted(*element),
            Type::Record(id) => self.record(*id).body.as_ref().is_none_or(|body| body.trusted),
            _ => true,
        }
    }

    /// The alignment in bytes inside a structure; `None` for incomplete types.
    pub(crate) fn align(&self, id: TypeId) -> Option<u64> {
        match self.get(id) {
            Type::Array(element, _) => self.align(*element),
            Type::Record(id) => self.record(*id).body.as_ref().map(|body| body.align),
            Type::Complex(kind) => Some(self.cap_align(self.float_size(*kind))),
            Type::Float(FloatKind::Quad) => Some(16),
            Type::Integer(IntKind::Int128 | IntKind::UInt128) => Some(16),
            _ => self.size(id).map(|size| self.cap_align(size)),
        }
    }

    /// On i386 nothing of eight bytes or more is aligned to more than four.
    fn cap_align(&self, size: u64) -> u64 {
        if self.model == DataModel::Ilp32 { size.min(4) } else { size }
    }

    /// Gives the members of a record their places; the record is complete then.
    pub(crate) fn complete_record(
        &mut self,
        id: RecordId,
        specs: Vec<FieldSpec>,
        attributes: RecordAttributes,
    ) {
        let mut layout = Layout {
            is_union: self.records[id.index()].is_union,
            packed: attributes.packed,
            max_align: attributes.max_align.unwrap_or(u64::MAX),
            bits: 0,
            end: 0,
            align: 1,
            fields: Vec::with_capacity(specs.len()),
        };
        let trusted = !attributes.doubtful && specs.iter().all(|spec| self.is_trusted(spec.ty));
        for spec in specs {
            layout.place(self, spec);
        }
        let align = layout.align.max(attributes.align.unwrap_or(1));
        let size = layout.end.div_ceil(8).next_multiple_of(align);
        self.records[id.index()].body = Some(RecordBody { fields: layout.fields, size, align, trusted });
    }

    /// A member by name, looked for in anonymous members too; the path of members that leads there.
    pub(crate) fn find_field(&self, id: RecordId, name: &str) -> Option<Vec<usize>> {
        let body = self.record(id).body.as_ref()?;
        for (index, field) in body.fields.iter().enumerate() {
            match &field.name {
                Some(field_name) if field_name == name => return Some(vec![index]),
                Some(_) => {}
                None => {
                    let inner = self.as_record(field.ty).and_then(|record| self.find_field(record, name));
                    if let Some(mut path) = inner {
                        path.insert(0, index);
                        return Some(path);
                    }
                }
            }
        }
        None
    }
}

struct Layout {
    is_union: bool,
    packed: bool,
    max_align: u64,
    /// The first free bit.
    bits: u64,
    /// The end of the longest member.
    end: u64,
    align: u64,
    fields: Vec<Field>,
}

impl Layout {
    fn place(&mut self, types: &TypeTable, spec: FieldSpec) {
        if self.is_union {
            self.bits = 0;
        }
        let natural = spec.type_align.or_else(|| types.align(spec.ty)).unwrap_or(1).min(self.max_align);
        let packed = self.packed || spec.packed;
        let align = if packed { 1 } else { natural }.max(spec.align.unwrap_or(1));
        match spec.bits {
            Some(width) => self.place_bits(types, spec, width, natural, packed),
            None => {
                self.bits = self.bits.next_multiple_of(8 * align);
                let offset = self.bits / 8;
                let size = types.size(spec.ty).unwrap_or(0);
                self.bits = self.bits.saturating_add(size.saturating_mul(8));
                self.align = self.align.max(align);
                let read_only = spec.read_only;
                self.fields.push(Field { name: spec.name, ty: spec.ty, offset, bits: None, read_only });
            }
        }
        self.end = self.end.max(self.bits);
    }

    /// The rule of gcc for x86: a bit-field may not span more units of its type's alignment than its
    /// type does; unnamed ones do not raise the alignment of the record.
    fn place_bits(&mut self, types: &TypeTable, spec: FieldSpec, width: u32, natural: u64, packed: bool) {
        let unit = 8 * natural;
        let size = types.size(spec.ty).unwrap_or(1) * 8;
        if width == 0 {
            self.bits = self.bits.next_multiple_of(unit);
            return;
        }
        if let Some(align) = spec.align {
            self.bits = self.bits.next_multiple_of(8 * align);
            self.align = self.align.max(align);
        }
        let width_bits = u64::from(width);
        // After `#pragma pack` bit-fields follow each other without gaps, whatever their types.
        let dense = packed || self.max_align != u64::MAX;
        if !dense && (self.bits % unit + width_bits).div_ceil(unit) > size / unit {
            self.bits = self.bits.next_multiple_of(unit);
        }
        let start = self.bits;
        self.bits += width_bits;
        if spec.name.is_none() {
            return;
        }
        if !packed {
            self.align = self.align.max(natural);
        }
        // The byte offset is where a read of the declared type may start without leaving the unit.
        let offset = if dense { start / 8 } else { start / unit * natural };
        let first = u32::try_from(start - 8 * offset).unwrap_or(0);
        let (bits, read_only) = (Some((first, width)), spec.read_only);
        self.fields.push(Field { name: spec.name, ty: spec.ty, offset, bits, read_only });
    }
}
