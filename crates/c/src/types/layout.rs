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
    /// Bit-fields are laid out as Microsoft's compilers do it.
    pub(crate) ms_struct: bool,
    /// The most significant byte of a member comes first.
    pub(crate) big_endian: bool,
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
            Type::Decimal(bytes) => Some(*bytes),
            Type::Vector(element, length) => self.size(*element)?.checked_mul(*length),
            Type::Array(element, ArrayLength::Known(length)) => self.size(*element)?.checked_mul(*length),
            Type::Array(..) => None,
            Type::Record(id) => {
                self.record(*id).body.as_ref().filter(|body| body.tail.is_none()).map(|body| body.size)
            }
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
            Type::Vector(..) => self.size(id),
            Type::Decimal(bytes) => Some(*bytes),
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
        let is_union = self.records[id.index()].is_union;
        let mut tail = None;
        let mut trusted = !attributes.doubtful;
        for (position, spec) in specs.iter().enumerate() {
            trusted &= self.is_trusted(spec.ty);
            if self.is_variable(spec.ty) {
                // Where a member is that follows one of variable length is known only when the program runs.
                trusted &= position + 1 == specs.len() && !is_union && !attributes.big_endian;
                tail = Some(spec.ty);
            }
            trusted &= !attributes.big_endian || self.can_be_reversed(spec);
            let is_wide = self.model == DataModel::Ilp32 && self.size(spec.ty).is_some_and(|size| size > 4);
            let is_plain = !attributes.packed && attributes.max_align.is_none() && !spec.packed && !is_wide;
            trusted &= !attributes.ms_struct || is_plain && spec.align.is_none();
        }
        let mut layout = Layout {
            is_union,
            packed: attributes.packed,
            max_align: attributes.max_align.unwrap_or(u64::MAX),
            bits: 0,
            end: 0,
            align: 1,
            run: attributes.ms_struct.then_some(Run { unit: 0, left: 0 }),
            big_endian: attributes.big_endian,
            fields: Vec::with_capacity(specs.len()),
        };
        for spec in specs {
            layout.place(self, spec);
        }
        let align = layout.align.max(attributes.align.unwrap_or(1));
        let size = bytes(layout.end.div_ceil(8).next_multiple_of(u128::from(align)) * 8);
        self.records[id.index()].body =
            Some(RecordBody { fields: layout.fields, size, align, trusted, tail });
    }

    /// An array whose length is known only when the program runs, or arrays of such.
    pub(crate) fn is_variable(&self, id: TypeId) -> bool {
        match self.get(id) {
            Type::Array(_, ArrayLength::Variable(_)) => true,
            Type::Array(element, _) => self.is_variable(*element),
            _ => false,
        }
    }

    /// The other order of bytes is modelled for such a member, or makes no difference.
    fn can_be_reversed(&self, spec: &FieldSpec) -> bool {
        match self.get(spec.ty) {
            _ if spec.bits.is_some() => false,
            Type::Float(FloatKind::LongDouble | FloatKind::Half) | Type::Complex(_) | Type::Decimal(_) => {
                false
            }
            Type::Array(..) => {
                let mut element = spec.ty;
                while let Type::Array(inner, _) = self.get(element) {
                    element = *inner;
                }
                !self.is_scalar(element) || self.size(element) == Some(1)
            }
            _ => true,
        }
    }

    /// A member that is kept in the other order of bytes in a structure with that order; pointers and vectors are not.
    fn is_reversible(&self, ty: TypeId) -> bool {
        self.is_arithmetic(ty) && self.size(ty).is_some_and(|size| size > 1)
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
    bits: u128,
    /// The end of the longest member.
    end: u128,
    align: u64,
    /// The bit-fields of one size that were placed last, if they are laid out as Microsoft's compilers do it.
    run: Option<Run>,
    big_endian: bool,
    fields: Vec<Field>,
}

/// Bit-fields of types of one size, which share a unit of that size.
#[derive(Clone, Copy)]
struct Run {
    /// Bits of the types; 0 if there is no run.
    unit: u64,
    /// Bits that are left.
    left: u64,
}

impl Layout {
    fn place(&mut self, types: &TypeTable, spec: FieldSpec) {
        if self.is_union {
            self.bits = 0;
            self.run = self.run.map(|_| Run { unit: 0, left: 0 });
        }
        let natural = spec.type_align.or_else(|| types.align(spec.ty)).unwrap_or(1).min(self.max_align);
        let packed = self.packed || spec.packed;
        let align = if packed { 1 } else { natural }.max(spec.align.unwrap_or(1));
        match spec.bits {
            Some(width) if self.run.is_some() => self.place_run(types, spec, width, natural),
            Some(width) => self.place_bits(types, spec, width, natural, packed),
            None => {
                self.end_run();
                self.bits = self.bits.next_multiple_of(8 * u128::from(align));
                let offset = bytes(self.bits);
                let size = types.size(spec.ty).unwrap_or(0);
                self.bits = self.bits.saturating_add(8 * u128::from(size));
                self.align = self.align.max(align);
                let reversed = self.big_endian && types.is_reversible(spec.ty);
                let (name, ty, read_only) = (spec.name, spec.ty, spec.read_only);
                self.fields.push(Field { name, ty, offset, bits: None, read_only, reversed });
            }
        }
        self.end = self.end.max(self.bits);
    }

    /// The rule of gcc for x86: a bit-field may not span more units of its type's alignment than its
    /// type does; unnamed ones do not raise the alignment of the record.
    fn place_bits(&mut self, types: &TypeTable, spec: FieldSpec, width: u32, natural: u64, packed: bool) {
        let natural_bytes = u128::from(natural);
        let unit = 8 * natural_bytes;
        let size = u128::from(types.size(spec.ty).unwrap_or(1)) * 8;
        if width == 0 {
            self.bits = self.bits.next_multiple_of(unit);
            return;
        }
        if let Some(align) = spec.align {
            self.bits = self.bits.next_multiple_of(8 * u128::from(align));
            self.align = self.align.max(align);
        }
        let width_bits = u128::from(width);
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
        let offset = if dense { start / 8 } else { start / unit * natural_bytes };
        let first = u32::try_from(start - 8 * offset).unwrap_or(0);
        let offset = bytes(8 * offset);
        let (bits, read_only) = (Some((first, width)), spec.read_only);
        self.fields.push(Field { name: spec.name, ty: spec.ty, offset, bits, read_only, reversed: false });
    }

    /// The rest of the unit of a run of bit-fields stays empty.
    fn end_run(&mut self) {
        if let Some(run) = &mut self.run {
            self.bits += u128::from(run.left);
            *run = Run { unit: 0, left: 0 };
        }
    }

    /// Microsoft's rule: bit-fields of types of one size share a unit of that size; one of another size begins a new
    /// unit. One without bits ends a run, and does nothing elsewhere.
    fn place_run(&mut self, types: &TypeTable, spec: FieldSpec, width: u32, natural: u64) {
        let Some(run) = self.run else { return };
        let (unit, width_bits) = (types.size(spec.ty).unwrap_or(1) * 8, u64::from(width));
        if width == 0 {
            if run.unit > 0 {
                self.end_run();
                self.align = self.align.max(natural);
                if run.unit != unit {
                    self.bits = self.bits.next_multiple_of(8 * u128::from(natural));
                }
            }
            return;
        }
        if run.unit != unit || run.left < width_bits {
            self.end_run();
            self.bits = self.bits.next_multiple_of(8 * u128::from(natural));
            self.run = Some(Run { unit, left: unit });
        }
        self.run = self.run.map(|run| Run { left: run.left.saturating_sub(width_bits), ..run });
        let start = self.bits;
        self.bits += u128::from(width_bits);
        self.align = self.align.max(natural);
        if spec.name.is_some() {
            let offset = start / u128::from(unit) * u128::from(unit / 8);
            let bits = Some((u32::try_from(start - 8 * offset).unwrap_or(0), width));
            let offset = bytes(8 * offset);
            let (name, ty, read_only) = (spec.name, spec.ty, spec.read_only);
            self.fields.push(Field { name, ty, offset, bits, read_only, reversed: false });
        }
    }
}

/// Whole bytes of so many bits; what is too large for any object stays too large.
fn bytes(bits: u128) -> u64 {
    u64::try_from(bits / 8).unwrap_or(u64::MAX).min(i64::MAX as u64)
}
