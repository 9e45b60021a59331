//! Which class everything in the program belongs to, and what expressions point to.

use super::StringId;
use super::classes::{Channel, Class, Classes, Target};
use crate::typed::{
    Arithmetic, Expr, ExprKind, FunctionId, LValue, LValueKind, ObjectId, Storage, TypedProgram,
};
use crate::types::{Type, TypeId, TypeTable};
use lang_c::span::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// A span as a key.
pub(super) type Position = (usize, usize);

pub(super) fn position(span: Span) -> Position {
    (span.start, span.end)
}

/// A string literal; equal ones are the same.
pub(crate) struct StringLiteral {
    /// The bytes, without the terminating zero.
    pub(crate) bytes: Vec<u8>,
    /// Bytes per character, also of the terminating zero.
    pub(crate) element: u64,
}

/// The classes of a program's parts.
pub(super) struct Tables<'a> {
    pub(super) typed: &'a TypedProgram,
    pub(super) classes: Classes,
    pub(super) objects: Vec<Class>,
    /// Scalars whose address is taken.
    pub(super) address_taken: Vec<bool>,
    /// Variables that occur in the program. The checker also enters some for parameters of declarations
    /// and for operands that are never evaluated.
    pub(super) occurs: Vec<bool>,
    pub(super) strings: Vec<(StringLiteral, Class)>,
    string_ids: FxHashMap<u64, FxHashMap<Vec<u8>, StringId>>,
    pub(super) allocations: Vec<(Span, Class)>,
    allocation_ids: FxHashMap<Position, usize>,
    /// Allocations that are gone when the function returns.
    pub(super) on_stack: FxHashSet<Position>,
    /// The functions as things that can be pointed to.
    pub(super) functions: Vec<Class>,
    /// What the results of functions with a body point to, or where a structure is put.
    pub(super) results: Vec<Class>,
    /// What the results of calls point to, unless they are structures.
    pub(super) calls: FxHashMap<Position, Class>,
    /// Whether records are mixed, as far as anybody asked.
    mixed: RefCell<FxHashMap<TypeId, bool>>,
}

impl<'a> Tables<'a> {
    pub(super) fn new(typed: &'a TypedProgram) -> Self {
        let mut classes = Classes::new();
        let objects = typed.objects.iter().map(|_| classes.fresh()).collect();
        let functions = typed.functions.iter().map(|_| classes.fresh()).collect();
        let results = typed.functions.iter().map(|_| classes.fresh()).collect();
        Tables {
            typed,
            classes,
            objects,
            address_taken: vec![false; typed.objects.len()],
            occurs: typed.objects.iter().map(|object| object.storage != Storage::Automatic).collect(),
            strings: Vec::new(),
            string_ids: FxHashMap::default(),
            allocations: Vec::new(),
            allocation_ids: FxHashMap::default(),
            on_stack: FxHashSet::default(),
            functions,
            results,
            calls: FxHashMap::default(),
            mixed: RefCell::default(),
        }
    }

    pub(super) fn types(&self) -> &'a TypeTable {
        &self.typed.types
    }

    /// The function that a call really reaches: a model stands in for a library function.
    pub(super) fn resolve(&self, function: FunctionId) -> FunctionId {
        let info = &self.typed.functions[function.index()];
        match (&info.body, info.model) {
            (None, Some(model)) => model,
            _ => function,
        }
    }

    pub(super) fn has_body(&self, function: FunctionId) -> bool {
        self.typed.functions[function.index()].body.is_some()
    }

    pub(super) fn result_type(&self, function: FunctionId) -> Option<TypeId> {
        match self.types().get(self.typed.functions[function.index()].ty) {
            Type::Function(function) => Some(function.result),
            _ => None,
        }
    }

    /// The class of a variable that occurs in the program.
    pub(super) fn object(&mut self, object: ObjectId) -> Class {
        self.occurs[object.index()] = true;
        self.objects[object.index()]
    }

    pub(super) fn in_memory(&self, object: ObjectId) -> bool {
        let ty = self.typed.objects[object.index()].ty;
        self.address_taken[object.index()] || !self.types().is_scalar(ty)
    }

    pub(super) fn channel(&self, ty: TypeId) -> Channel {
        if self.types().is_pointer(ty) { Channel::Pointer } else { Channel::Other }
    }

    pub(super) fn element(&self, mut ty: TypeId) -> TypeId {
        while let Type::Array(element, _) = self.types().get(ty) {
            ty = *element;
        }
        ty
    }

    /// The type as a target of pointers; `void` and functions are none.
    pub(super) fn target(&self, ty: TypeId) -> Option<Target> {
        let ty = self.element(ty);
        match self.types().get(ty) {
            Type::Void | Type::Function(_) => None,
            _ => Some(Target { ty, mixed: self.is_mixed(ty) }),
        }
    }

    /// What a pointer of this type points to.
    pub(super) fn pointee(&self, ty: TypeId) -> Option<Target> {
        self.types().pointee(ty).and_then(|target| self.target(target))
    }

    /// There is a union in it that lays a pointer over something of another type.
    fn is_mixed(&self, ty: TypeId) -> bool {
        let ty = self.element(ty);
        let Some(record) = self.types().as_record(ty) else { return false };
        if let Some(&known) = self.mixed.borrow().get(&ty) {
            return known;
        }
        let record = self.types().record(record);
        let Some(body) = &record.body else { return false };
        let mixed = match record.is_union {
            true => self.overlays_pointer(ty),
            false => body.fields.iter().any(|field| self.is_mixed(field.ty)),
        };
        self.mixed.borrow_mut().insert(ty, mixed);
        mixed
    }

    /// A pointer is among the scalars of a record, which are not all of one type.
    fn overlays_pointer(&self, ty: TypeId) -> bool {
        let mut leaves = Vec::new();
        self.leaves(ty, &mut leaves);
        leaves.iter().any(|&leaf| self.types().is_pointer(leaf))
            && leaves.iter().any(|&leaf| leaf != leaves[0])
    }

    fn leaves(&self, ty: TypeId, out: &mut Vec<TypeId>) {
        let ty = self.element(ty);
        match self.types().as_record(ty).and_then(|record| self.types().record(record).body.as_ref()) {
            Some(body) => body.fields.iter().for_each(|field| self.leaves(field.ty, out)),
            None => out.push(ty),
        }
    }

    /// Bytes per character of a string literal of this array type.
    fn character_size(&self, ty: TypeId) -> u64 {
        self.types().size(self.element(ty)).unwrap_or(1)
    }

    pub(super) fn string_id(&self, bytes: &[u8], ty: TypeId) -> Option<StringId> {
        self.string_ids.get(&self.character_size(ty))?.get(bytes).copied()
    }

    /// The class of a string literal, which is entered if it is new.
    pub(super) fn intern_string(&mut self, bytes: &[u8], ty: TypeId) -> Class {
        if let Some(id) = self.string_id(bytes, ty) {
            return self.strings[id.index()].1;
        }
        let element = self.character_size(ty);
        let class = self.classes.fresh();
        self.classes.add_unit(class, element);
        self.classes.add_target(class, self.target(ty));
        let id = StringId::from_index(self.strings.len());
        self.strings.push((StringLiteral { bytes: bytes.to_vec(), element }, class));
        self.string_ids.entry(element).or_default().insert(bytes.to_vec(), id);
        class
    }

    pub(super) fn allocation(&self, span: Span) -> Option<Class> {
        self.allocation_ids.get(&position(span)).map(|&index| self.allocations[index].1)
    }

    /// The class of the memory that a call allocates.
    pub(super) fn intern_allocation(&mut self, span: Span) -> Class {
        if let Some(class) = self.allocation(span) {
            return class;
        }
        let class = self.classes.fresh();
        self.allocation_ids.insert(position(span), self.allocations.len());
        self.allocations.push((span, class));
        class
    }

    /// The class of a place.
    pub(super) fn location(&self, place: &LValue) -> Option<Class> {
        match &place.kind {
            LValueKind::Object(object) | LValueKind::Compound(object, _) => {
                Some(self.objects[object.index()])
            }
            LValueKind::Deref(pointer) => self.value(pointer),
            LValueKind::Member(base, ..) => self.location(base),
            LValueKind::String(bytes) => self.string_id(bytes, place.ty).map(|id| self.strings[id.index()].1),
            LValueKind::Value(value) => self.value(value),
        }
    }

    /// What a scalar value may point to, or where a structure is; agrees with what the walk over the
    /// program found, once that is done.
    pub(super) fn value(&self, expr: &Expr) -> Option<Class> {
        let stored = |place: &LValue| {
            let location = self.location(place)?;
            match self.types().is_aggregate(place.ty) {
                true => Some(location),
                false => self.classes.known_content(location, self.channel(place.ty)),
            }
        };
        match &expr.kind {
            ExprKind::FunctionAddress(function) => Some(self.functions[function.index()]),
            ExprKind::Load(place) | ExprKind::Assign(place, _) => stored(place),
            ExprKind::Update(update) => stored(&update.place),
            ExprKind::AddressOf(place) => self.location(place),
            ExprKind::Convert(inner) if self.keeps_address(inner.ty, expr.ty) => self.value(inner),
            ExprKind::Negate(_, inner) | ExprKind::Splat(inner) | ExprKind::Reversed(inner) => {
                self.value(inner)
            }
            ExprKind::Arithmetic(Arithmetic::ShiftLeft | Arithmetic::ShiftRight, left, _) => self.value(left),
            ExprKind::Arithmetic(_, left, right) => self.value(left).or_else(|| self.value(right)),
            ExprKind::PointerOffset { pointer, index, .. } => {
                self.value(pointer).or_else(|| self.value(index))
            }
            ExprKind::Conditional(_, left, right) => self.value(left).or_else(|| self.value(right)),
            ExprKind::Comma(_, last) | ExprKind::Statements(_, Some(last), _) => self.value(last),
            ExprKind::Call(_, _, objects) => match objects.result {
                Some(object) => Some(self.objects[object.index()]),
                None => self.calls.get(&position(expr.span)).copied(),
            },
            ExprKind::Convert(_)
            | ExprKind::Statements(_, None, _)
            | ExprKind::Constant(_)
            | ExprKind::LabelAddress(..)
            | ExprKind::Float(..)
            | ExprKind::Not(_)
            | ExprKind::PointerDifference { .. }
            | ExprKind::Compare(..)
            | ExprKind::LogicalAnd(..)
            | ExprKind::LogicalOr(..)
            | ExprKind::Unsupported(_) => None,
        }
    }

    /// A conversion between these types may give a value that an address can be got back from.
    pub(super) fn keeps_address(&self, from: TypeId, to: TypeId) -> bool {
        let types = self.types();
        !types.is_void(from) && !types.is_void(to) && !matches!(types.get(to), Type::Bool)
    }

    /// The pointer is the address of a variable, or of a part of it at some offset.
    pub(super) fn is_direct(&self, pointer: &Expr) -> bool {
        match &pointer.kind {
            ExprKind::AddressOf(place) => self.is_direct_place(place),
            ExprKind::PointerOffset { pointer, .. } => self.is_direct(pointer),
            _ => false,
        }
    }

    pub(super) fn is_direct_place(&self, place: &LValue) -> bool {
        match &place.kind {
            LValueKind::Object(_) | LValueKind::String(_) | LValueKind::Compound(..) => true,
            LValueKind::Member(base, ..) => self.is_direct_place(base),
            LValueKind::Deref(pointer) => self.is_direct(pointer),
            // Structures that are loaded, assigned or chosen may come from behind a pointer.
            LValueKind::Value(value) => matches!(value.kind, ExprKind::Call(..)),
        }
    }
}
