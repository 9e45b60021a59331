//! C types: a table that holds each type once, with sizes and alignments as gcc lays them out on x86.
//!
//! Qualifiers are dropped: they change neither values nor layout.

mod layout;

pub(crate) use layout::{FieldSpec, RecordAttributes};

use crate::DataModel;
use aster_term::FloatFormat;
use rustc_hash::FxHashMap;

macro_rules! table_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) struct $name(pub(crate) u32);

        impl $name {
            /// The id at a position of its table.
            pub(crate) fn from_index(index: usize) -> Self {
                $name(u32::try_from(index).expect("fewer than 2^32 entries"))
            }

            /// The position in its table.
            pub(crate) fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
pub(crate) use table_id;

table_id! {
    /// A type; equal ids mean the same type.
    TypeId
}
table_id! {
    /// A structure or union.
    RecordId
}
table_id! {
    /// An enumeration.
    EnumId
}

/// The standard integer types and gcc's 128-bit ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub(crate) enum IntKind {
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
    /// What gcc computes in for bit-fields of so many bits, more than `int` has and less than their type.
    Bits(u8),
    UBits(u8),
}

impl IntKind {
    /// Plain `char` is signed, as with gcc on x86.
    pub(crate) fn is_signed(self) -> bool {
        use IntKind::*;
        matches!(self, Char | SChar | Short | Int | Long | LongLong | Int128 | Bits(_))
    }

    /// The type of a wide bit-field, which no variable can have.
    pub(crate) fn is_bit_field(self) -> bool {
        matches!(self, IntKind::Bits(_) | IntKind::UBits(_))
    }

    /// The conversion rank (C11 6.3.1.1). Those of bit-fields do not fit in: they go by width.
    pub(crate) fn rank(self) -> u8 {
        use IntKind::*;
        match self {
            Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 3,
            Long | ULong | Bits(_) | UBits(_) => 4,
            LongLong | ULongLong => 5,
            Int128 | UInt128 => 6,
        }
    }

    /// The unsigned type of the same rank.
    pub(crate) fn to_unsigned(self) -> Self {
        use IntKind::*;
        match self {
            Char | SChar | UChar => UChar,
            Short | UShort => UShort,
            Int | UInt => UInt,
            Long | ULong => ULong,
            LongLong | ULongLong => ULongLong,
            Int128 | UInt128 => UInt128,
            Bits(width) | UBits(width) => UBits(width),
        }
    }

    /// The signed type of the same rank.
    pub(crate) fn to_signed(self) -> Self {
        use IntKind::*;
        match self {
            Char | SChar | UChar => SChar,
            Short | UShort => Short,
            Int | UInt => Int,
            Long | ULong => Long,
            LongLong | ULongLong => LongLong,
            Int128 | UInt128 => Int128,
            Bits(width) | UBits(width) => Bits(width),
        }
    }

    /// The name in C.
    pub(crate) fn name(self) -> &'static str {
        use IntKind::*;
        match self {
            Char => "char",
            SChar => "signed char",
            UChar => "unsigned char",
            Short => "short",
            UShort => "unsigned short",
            Int => "int",
            UInt => "unsigned int",
            Long => "long",
            ULong => "unsigned long",
            LongLong => "long long",
            ULongLong => "unsigned long long",
            Int128 => "__int128",
            UInt128 => "unsigned __int128",
            Bits(_) => "wide bit-field",
            UBits(_) => "unsigned wide bit-field",
        }
    }
}

/// The floating-point types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub(crate) enum FloatKind {
    Half,
    Float,
    Double,
    LongDouble,
    Quad,
}

impl FloatKind {
    /// The format of the values. That of `long double` leaves out the integer bit that memory has.
    pub(crate) fn format(self) -> FloatFormat {
        match self {
            FloatKind::Half => FloatFormat::HALF,
            FloatKind::Float => FloatFormat::SINGLE,
            FloatKind::Double => FloatFormat::DOUBLE,
            FloatKind::LongDouble => FloatFormat::EXTENDED,
            FloatKind::Quad => FloatFormat::QUAD,
        }
    }
}

/// The number of elements of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ArrayLength {
    /// A constant.
    Known(u64),
    /// Not given (yet): `int a[]`.
    Incomplete,
    /// Computed at run time. Each such array is a type of its own.
    Variable(u32),
}

/// A function's type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FunctionType {
    /// What it returns.
    pub(crate) result: TypeId,
    /// Adjusted parameter types; `None` without a prototype.
    pub(crate) parameters: Option<Vec<TypeId>>,
    /// Ends in `...`.
    pub(crate) variadic: bool,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Type {
    /// `void`.
    Void,
    /// `_Bool`.
    Bool,
    /// An integer type.
    Integer(IntKind),
    /// An enumeration.
    Enum(EnumId),
    /// A floating-point type.
    Float(FloatKind),
    /// A complex floating-point type.
    Complex(FloatKind),
    /// A pointer.
    Pointer(TypeId),
    /// A decimal floating-point number of so many bytes.
    Decimal(u64),
    /// An array.
    Array(TypeId, ArrayLength),
    /// GNU's vector of so many numbers.
    Vector(TypeId, u64),
    /// A structure or union.
    Record(RecordId),
    /// A function.
    Function(FunctionType),
}

/// A member of a structure or union.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// The name; anonymous structures and unions have none.
    pub(crate) name: Option<String>,
    /// The type.
    pub(crate) ty: TypeId,
    /// Bytes from the start of the record.
    pub(crate) offset: u64,
    /// Set for bit-fields: first bit, counted from `offset`, and number of bits.
    pub(crate) bits: Option<(u32, u32)>,
    /// Declared `const`.
    pub(crate) read_only: bool,
    /// Its bytes are in the opposite order.
    pub(crate) reversed: bool,
}

/// A structure or union.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// The tag.
    pub(crate) tag: Option<String>,
    /// A union rather than a structure.
    pub(crate) is_union: bool,
    /// As a parameter it takes the value of any member: GNU's `transparent_union`.
    pub(crate) transparent: bool,
    /// Members and layout, once complete.
    pub(crate) body: Option<RecordBody>,
}

/// The members of a complete structure or union.
#[derive(Clone, Debug)]
pub(crate) struct RecordBody {
    /// Members in order.
    pub(crate) fields: Vec<Field>,
    /// Bytes.
    pub(crate) size: u64,
    /// Bytes.
    pub(crate) align: u64,
    /// The layout is certain to be that of gcc.
    pub(crate) trusted: bool,
    /// The type of the last member, if its length is known only when the program runs. The size is that without it.
    pub(crate) tail: Option<TypeId>,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub(crate) struct Enumeration {
    /// The tag.
    pub(crate) tag: Option<String>,
    /// The compatible integer type: gcc takes `unsigned int` unless a value is negative or too large.
    pub(crate) kind: IntKind,
    /// Its enumerators have been seen.
    pub(crate) complete: bool,
}

/// Owns all types of a program.
pub(crate) struct TypeTable {
    model: DataModel,
    types: Vec<Type>,
    unique: FxHashMap<Type, TypeId>,
    records: Vec<Record>,
    enums: Vec<Enumeration>,
    variable_arrays: u32,
    /// Signed overflow is an error, so that arithmetic must not be evaluated where the program does not.
    pub(crate) checks_overflow: bool,
}

impl TypeTable {
    /// A table for a data model.
    pub(crate) fn new(model: DataModel) -> Self {
        TypeTable {
            model,
            types: Vec::new(),
            unique: FxHashMap::default(),
            records: Vec::new(),
            enums: Vec::new(),
            variable_arrays: 0,
            checks_overflow: false,
        }
    }

    /// The id of a type.
    pub(crate) fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.unique.get(&ty) {
            return id;
        }
        let id = TypeId::from_index(self.types.len());
        self.types.push(ty.clone());
        self.unique.insert(ty, id);
        id
    }

    /// The type behind an id.
    pub(crate) fn get(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// An integer type.
    pub(crate) fn integer(&mut self, kind: IntKind) -> TypeId {
        self.intern(Type::Integer(kind))
    }

    /// `int`.
    pub(crate) fn int(&mut self) -> TypeId {
        self.integer(IntKind::Int)
    }

    /// `void`.
    pub(crate) fn void(&mut self) -> TypeId {
        self.intern(Type::Void)
    }

    /// A pointer to a type.
    pub(crate) fn pointer(&mut self, target: TypeId) -> TypeId {
        self.intern(Type::Pointer(target))
    }

    /// An array type.
    pub(crate) fn array(&mut self, element: TypeId, length: ArrayLength) -> TypeId {
        self.intern(Type::Array(element, length))
    }

    /// An array type whose length is computed at run time.
    pub(crate) fn variable_array(&mut self, element: TypeId) -> TypeId {
        self.variable_arrays += 1;
        self.array(element, ArrayLength::Variable(self.variable_arrays))
    }

    /// `size_t`.
    pub(crate) fn size_type(&mut self) -> TypeId {
        let kind = self.size_kind();
        self.integer(kind)
    }

    /// The integer type behind `size_t`.
    pub(crate) fn size_kind(&self) -> IntKind {
        match self.model {
            DataModel::Ilp32 => IntKind::UInt,
            DataModel::Lp64 => IntKind::ULong,
        }
    }

    /// `ptrdiff_t`.
    pub(crate) fn difference_type(&mut self) -> TypeId {
        let kind = self.size_kind().to_signed();
        self.integer(kind)
    }

    /// A new structure or union without members.
    pub(crate) fn new_record(&mut self, tag: Option<String>, is_union: bool) -> TypeId {
        let id = RecordId::from_index(self.records.len());
        self.records.push(Record { tag, is_union, transparent: false, body: None });
        self.intern(Type::Record(id))
    }

    /// The type, if it is a union, takes values of its members as a parameter.
    pub(crate) fn set_transparent(&mut self, ty: TypeId) {
        if let Some(record) = self.as_record(ty) {
            let record = &mut self.records[record.index()];
            record.transparent = record.is_union;
        }
    }

    /// A structure or union.
    pub(crate) fn record(&self, id: RecordId) -> &Record {
        &self.records[id.index()]
    }

    /// The record behind a type.
    pub(crate) fn as_record(&self, id: TypeId) -> Option<RecordId> {
        match self.get(id) {
            Type::Record(record) => Some(*record),
            _ => None,
        }
    }

    /// A new enumeration.
    pub(crate) fn new_enum(&mut self, tag: Option<String>) -> TypeId {
        let id = EnumId::from_index(self.enums.len());
        self.enums.push(Enumeration { tag, kind: IntKind::UInt, complete: false });
        self.intern(Type::Enum(id))
    }

    /// Sets the integer type of an enumeration, which is complete now.
    pub(crate) fn complete_enum(&mut self, id: EnumId, kind: IntKind) {
        let info = &mut self.enums[id.index()];
        info.kind = kind;
        info.complete = true;
    }

    /// An enumeration.
    pub(crate) fn enumeration(&self, id: EnumId) -> &Enumeration {
        &self.enums[id.index()]
    }

    /// The integer type behind an integer or enumeration; `_Bool` is not among them.
    pub(crate) fn int_kind(&self, id: TypeId) -> Option<IntKind> {
        match self.get(id) {
            Type::Integer(kind) => Some(*kind),
            Type::Enum(id) => Some(self.enums[id.index()].kind),
            _ => None,
        }
    }

    /// `_Bool`, integers and enumerations.
    pub(crate) fn is_integer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Bool | Type::Integer(_) | Type::Enum(_))
    }

    /// Real, complex or decimal floating-point.
    pub(crate) fn is_float(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Float(_) | Type::Complex(_) | Type::Decimal(_))
    }

    /// Integers and floating-point numbers.
    pub(crate) fn is_arithmetic(&self, id: TypeId) -> bool {
        self.is_integer(id) || self.is_float(id)
    }

    /// The target of a pointer.
    pub(crate) fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match self.get(id) {
            Type::Pointer(target) => Some(*target),
            _ => None,
        }
    }

    /// A pointer.
    pub(crate) fn is_pointer(&self, id: TypeId) -> bool {
        self.pointee(id).is_some()
    }

    /// What can be compared with zero.
    pub(crate) fn is_scalar(&self, id: TypeId) -> bool {
        self.is_arithmetic(id) || self.is_pointer(id)
    }

    /// `void`.
    pub(crate) fn is_void(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Void)
    }

    /// Structures and unions.
    pub(crate) fn is_aggregate(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Record(_))
    }

    /// The type and the number of the elements of a vector.
    pub(crate) fn as_vector(&self, id: TypeId) -> Option<(TypeId, u64)> {
        match self.get(id) {
            Type::Vector(element, length) => Some((*element, *length)),
            _ => None,
        }
    }

    /// The floating-point kind of a real type.
    pub(crate) fn float_kind(&self, id: TypeId) -> Option<FloatKind> {
        match self.get(id) {
            Type::Float(kind) => Some(*kind),
            _ => None,
        }
    }

    /// The format of a real floating-point type.
    pub(crate) fn float_format(&self, id: TypeId) -> Option<FloatFormat> {
        self.float_kind(id).map(FloatKind::format)
    }

    /// Arithmetic in the type is rounded to the type. gcc keeps results of `_Float16` in `float` until they are stored.
    pub(crate) fn computes_in(&self, id: TypeId) -> bool {
        self.float_kind(id) != Some(FloatKind::Half)
    }

    /// The width in bits of types whose values are bit-vectors here: integers, pointers, floating-point numbers,
    /// whose values are their bit patterns, and vectors that are not too large.
    pub(crate) fn bit_width(&self, id: TypeId) -> Option<u32> {
        match self.get(id) {
            Type::Bool => Some(8),
            Type::Float(kind) => Some(kind.format().width()),
            Type::Integer(_) | Type::Enum(_) => self.int_kind(id).map(|kind| self.int_bits(kind)),
            Type::Pointer(_) => Some(self.pointer_bits()),
            Type::Vector(..) => {
                let bits = self.size(id)?.checked_mul(8)?;
                u32::try_from(bits).ok().filter(|&bits| bits <= aster_term::MAX_WIDTH)
            }
            _ => None,
        }
    }

    /// Signed integers; `_Bool`, pointers and unsigned integers are not.
    pub(crate) fn is_signed(&self, id: TypeId) -> bool {
        self.int_kind(id).is_some_and(IntKind::is_signed)
    }

    /// The name in C, for messages and for showing values.
    pub(crate) fn name(&self, id: TypeId) -> String {
        match self.get(id) {
            Type::Void => "void".to_owned(),
            Type::Bool => "_Bool".to_owned(),
            Type::Integer(kind) => kind.name().to_owned(),
            Type::Enum(id) => {
                format!("enum {}", self.enums[id.index()].tag.as_deref().unwrap_or("<anonymous>"))
            }
            Type::Float(kind) => float_name(*kind).to_owned(),
            Type::Complex(kind) => format!("_Complex {}", float_name(*kind)),
            Type::Decimal(bytes) => format!("_Decimal{}", 8 * bytes),
            Type::Vector(element, length) => format!("vector of {length} {}", self.name(*element)),
            Type::Pointer(target) => match self.get(*target) {
                Type::Pointer(_) => format!("{}*", self.name(*target)),
                _ => format!("{} *", self.name(*target)),
            },
            Type::Array(element, ArrayLength::Known(n)) => format!("{}[{n}]", self.name(*element)),
            Type::Array(element, _) => format!("{}[]", self.name(*element)),
            Type::Record(id) => {
                let record = self.record(*id);
                let keyword = if record.is_union { "union" } else { "struct" };
                format!("{keyword} {}", record.tag.as_deref().unwrap_or("<anonymous>"))
            }
            Type::Function(function) => format!("{}()", self.name(function.result)),
        }
    }

    /// Whether two types are compatible enough for two declarations of one thing. Generous: only
    /// what gcc certainly rejects is incompatible.
    pub(crate) fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        match (self.get(a), self.get(b)) {
            (Type::Pointer(x), Type::Pointer(y)) => self.compatible(*x, *y),
            (Type::Array(x, n), Type::Array(y, m)) => {
                let lengths = match (n, m) {
                    (ArrayLength::Known(n), ArrayLength::Known(m)) => n == m,
                    _ => true,
                };
                lengths && self.compatible(*x, *y)
            }
            (Type::Function(f), Type::Function(g)) => {
                let parameters = match (&f.parameters, &g.parameters) {
                    (Some(p), Some(q)) => {
                        p.len() == q.len()
                            && f.variadic == g.variadic
                            && p.iter().zip(q).all(|(&x, &y)| self.compatible(x, y))
                    }
                    _ => true,
                };
                parameters && self.compatible(f.result, g.result)
            }
            (Type::Enum(_), Type::Integer(_) | Type::Enum(_)) | (Type::Integer(_), Type::Enum(_)) => {
                self.int_kind(a) == self.int_kind(b)
            }
            _ => false,
        }
    }
}

fn float_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Half => "_Float16",
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::LongDouble => "long double",
        FloatKind::Quad => "_Float128",
    }
}
