//! The walk over the program that finds out which classes are one.

use super::calls::IndirectCall;
use super::classes::Class;
use super::lowest_bit;
use super::tables::Tables;
use crate::library::stream_number;
use crate::typed::{
    Arithmetic, BlockId, Expr, ExprKind, FunctionId, Initializer, LValue, LValueKind, Negation, ObjectId,
    Stmt, StmtKind, TypedProgram, Update, UpdateOperation,
};
use crate::types::{Type, TypeId};

/// A place that was found.
pub(super) struct Found {
    pub(super) class: Option<Class>,
    /// Bytes from the variable or from where the pointer points.
    offset: u64,
}

/// A call as the call graph sees it.
pub(super) enum Edge {
    Direct(FunctionId, FunctionId),
    Indirect(FunctionId, Class),
}

/// The state of the walk.
pub(super) struct Walk<'a> {
    pub(super) tables: Tables<'a>,
    /// Objects that the program knows nothing about.
    pub(super) external: Class,
    pub(super) indirect: Vec<IndirectCall<'a>>,
    pub(super) edges: Vec<Edge>,
    /// What the values of statement expressions point to.
    pub(super) statement_values: Vec<(BlockId, Class)>,
    /// What functions allocate that is gone when they return.
    pub(super) stack_allocations: Vec<(FunctionId, Class)>,
    /// The function whose body is walked.
    pub(super) current: Option<FunctionId>,
    /// Places where a stream of the C library is used other than by giving it to a function that is known.
    pub(super) streams: usize,
}

impl<'a> Walk<'a> {
    /// Walks over the whole program.
    pub(super) fn program(typed: &'a TypedProgram) -> Self {
        let mut tables = Tables::new(typed);
        let external = tables.classes.fresh();
        let mut walk = Walk {
            tables,
            external,
            indirect: Vec::new(),
            edges: Vec::new(),
            statement_values: Vec::new(),
            stack_allocations: Vec::new(),
            current: None,
            streams: 0,
        };
        for index in 0..typed.objects.len() {
            walk.declare(ObjectId::from_index(index));
        }
        for index in 0..typed.functions.len() {
            walk.signature(FunctionId::from_index(index));
        }
        for (index, object) in typed.objects.iter().enumerate() {
            if let Some(initializer) = &object.initializer {
                walk.initializer(ObjectId::from_index(index), initializer);
            }
        }
        for (index, function) in typed.functions.iter().enumerate() {
            if let Some(body) = &function.body {
                walk.current = Some(FunctionId::from_index(index));
                walk.statement(&body.statement);
            }
        }
        walk.current = None;
        typed.startup.iter().for_each(|statement| walk.statement(statement));
        typed.shutdown.iter().for_each(|call| {
            walk.expr(call);
        });
        walk.library_behind_pointers();
        walk
    }

    fn declare(&mut self, object: ObjectId) {
        let class = self.tables.objects[object.index()];
        let ty = self.tables.typed.objects[object.index()].ty;
        let element = self.tables.element(ty);
        let types = self.tables.types();
        let size = types.known_size(ty).or_else(|| types.known_size(element)).unwrap_or(1);
        self.tables.classes.add_unit(class, size);
        self.tables.classes.add_unit(class, self.tables.typed.objects[object.index()].extra);
        self.tables.classes.add_target(class, self.tables.target(ty));
    }

    pub(super) fn join(&mut self, a: Option<Class>, b: Option<Class>) -> Option<Class> {
        if let (Some(a), Some(b)) = (a, b) {
            self.tables.classes.unify(a, b);
        }
        a.or(b)
    }

    fn add_unit(&mut self, class: Option<Class>, bytes: u64) {
        if let Some(class) = class {
            self.tables.classes.add_unit(class, bytes);
        }
    }

    fn set_arithmetic(&mut self, class: Option<Class>) {
        if let Some(class) = class {
            self.tables.classes.set_arithmetic(class);
        }
    }

    /// A value of a type is read or written whole at an offset; a size that is not certain allows
    /// nothing bigger than bytes.
    pub(super) fn copied(&mut self, class: Option<Class>, ty: TypeId, offset: u64) {
        self.add_unit(class, offset);
        self.add_unit(class, self.tables.types().known_size(ty).unwrap_or(1));
    }

    /// A place is read or written.
    fn access(&mut self, place: &LValue, found: &Found) {
        self.copied(found.class, place.ty, found.offset);
        if let LValueKind::Member(_, record, field) = &place.kind
            && let Some(body) = &self.tables.types().record(*record).body
        {
            let bits = body.fields.get(*field).and_then(|field| field.bits);
            self.bit_field(found.class, place.ty, bits);
            if !body.trusted {
                self.add_unit(found.class, 1);
            }
        }
        if let Some(class) = found.class
            && !self.tables.is_direct_place(place)
        {
            self.tables.classes.set_through_pointers(class);
        }
    }

    /// A packed bit-field may reach beyond its declared type.
    fn bit_field(&mut self, class: Option<Class>, ty: TypeId, bits: Option<(u32, u32)>) {
        let size = self.tables.types().size(ty).unwrap_or(1);
        if bits.is_some_and(|(first, width)| u64::from(first) + u64::from(width) > 8 * size) {
            self.add_unit(class, 1);
        }
    }

    /// What is stored in a place: a structure is the place itself.
    fn stored(&mut self, class: Option<Class>, ty: TypeId) -> Option<Class> {
        let class = class?;
        match self.tables.types().is_aggregate(ty) {
            true => Some(class),
            false => Some(self.tables.classes.content(class, self.tables.channel(ty))),
        }
    }

    /// A value goes to a location; values of structure type are given by their location.
    pub(super) fn store(&mut self, location: Option<Class>, value: Option<Class>, ty: TypeId) {
        let (Some(location), Some(value)) = (location, value) else { return };
        if self.tables.types().is_aggregate(ty) {
            self.tables.classes.unify_contents(location, value);
        } else {
            let content = self.tables.classes.content(location, self.tables.channel(ty));
            self.tables.classes.unify(content, value);
        }
    }

    fn initializer(&mut self, object: ObjectId, initializer: &'a Initializer) {
        let location = self.tables.object(object);
        match initializer {
            Initializer::Scalar(value) => self.initial_value(location, value, 0),
            Initializer::Aggregate(elements) => {
                for element in elements {
                    self.bit_field(Some(location), element.value.ty, element.bits);
                    self.initial_value(location, &element.value, element.offset);
                }
            }
        }
    }

    fn initial_value(&mut self, location: Class, value: &'a Expr, offset: u64) {
        if let Type::Array(..) = self.tables.types().get(value.ty) {
            // A string literal, which is copied character by character.
            self.copied(Some(location), self.tables.element(value.ty), offset);
            return;
        }
        self.copied(Some(location), value.ty, offset);
        let from = self.expr(value);
        self.store(Some(location), from, value.ty);
    }

    pub(super) fn place(&mut self, place: &'a LValue) -> Found {
        match &place.kind {
            LValueKind::Object(object) => Found { class: Some(self.tables.object(*object)), offset: 0 },
            LValueKind::Deref(pointer) => Found { class: self.expr(pointer), offset: 0 },
            LValueKind::Member(base, record, field) => {
                let mut found = self.place(base);
                let body = self.tables.types().record(*record).body.as_ref();
                if let Some(field) = body.and_then(|body| body.fields.get(*field)) {
                    found.offset = found.offset.saturating_add(field.offset);
                }
                found
            }
            LValueKind::String(bytes) => {
                Found { class: Some(self.tables.intern_string(bytes, place.ty)), offset: 0 }
            }
            LValueKind::Compound(object, initializer) => {
                self.initializer(*object, initializer);
                Found { class: Some(self.tables.object(*object)), offset: 0 }
            }
            LValueKind::Value(value) => Found { class: self.expr(value), offset: 0 },
        }
    }

    /// Walks over an expression; gives what a scalar value may point to, or where a structure is.
    pub(super) fn expr(&mut self, expr: &'a Expr) -> Option<Class> {
        match &expr.kind {
            ExprKind::Constant(_)
            | ExprKind::LabelAddress(..)
            | ExprKind::Float(..)
            | ExprKind::Unsupported(_) => None,
            ExprKind::FunctionAddress(function) => Some(self.tables.functions[function.index()]),
            ExprKind::Load(place) => {
                let found = self.place(place);
                self.access(place, &found);
                self.streams += usize::from(stream_number(self.tables.typed, place).is_some());
                self.stored(found.class, place.ty)
            }
            ExprKind::AddressOf(place) => {
                self.streams += usize::from(stream_number(self.tables.typed, place).is_some());
                self.address_of(place)
            }
            ExprKind::Convert(inner) => {
                let class = self.expr(inner);
                let class = class.filter(|_| self.tables.keeps_address(inner.ty, expr.ty))?;
                if self.tables.types().is_float(inner.ty) || self.tables.types().is_float(expr.ty) {
                    // An address may come back from this in another form.
                    self.set_arithmetic(Some(class));
                }
                let (from, to) = (self.tables.pointee(inner.ty), self.tables.pointee(expr.ty));
                self.tables.classes.reinterpret(class, from, to);
                Some(class)
            }
            ExprKind::Negate(op, inner) => {
                let class = self.expr(inner);
                if *op == Negation::Complement || self.tables.types().is_float(expr.ty) {
                    self.set_arithmetic(class);
                }
                class
            }
            ExprKind::Arithmetic(op, left, right) => {
                let left = (left.constant(), self.expr(left));
                let right = (right.constant(), self.expr(right));
                self.arithmetic(*op, expr.ty, left, right)
            }
            ExprKind::PointerOffset { pointer, index, size, .. } => {
                let (base, offset) = (self.expr(pointer), self.expr(index));
                if base.is_none() {
                    // The index from a constant pointer may be the address.
                    self.set_arithmetic(offset);
                    return offset;
                }
                self.step(base, index, *size);
                base
            }
            ExprKind::Not(inner) => {
                self.expr(inner);
                None
            }
            ExprKind::Splat(inner) | ExprKind::Reversed(inner) => {
                let class = self.expr(inner);
                self.set_arithmetic(class);
                class
            }
            ExprKind::PointerDifference { left, right, .. }
            | ExprKind::Compare(_, left, right)
            | ExprKind::LogicalAnd(left, right)
            | ExprKind::LogicalOr(left, right) => {
                self.expr(left);
                self.expr(right);
                None
            }
            ExprKind::Conditional(condition, left, right) => {
                self.expr(condition);
                let (left, right) = (self.expr(left), self.expr(right));
                self.join(left, right)
            }
            ExprKind::Comma(first, last) => {
                self.expr(first);
                self.expr(last)
            }
            ExprKind::Assign(place, value) => {
                let found = self.place(place);
                self.access(place, &found);
                let value = self.expr(value);
                self.store(found.class, value, place.ty);
                self.stored(found.class, place.ty)
            }
            ExprKind::Update(update) => self.update(update),
            ExprKind::Call(callee, arguments, objects) => self.call(expr, callee, arguments, *objects),
            ExprKind::Statements(statements, value, block) => {
                statements.iter().for_each(|statement| self.statement(statement));
                let class = value.as_ref().and_then(|value| self.expr(value));
                if let (Some(block), Some(class)) = (block, class) {
                    self.statement_values.push((*block, class));
                }
                class
            }
        }
    }

    fn address_of(&mut self, place: &'a LValue) -> Option<Class> {
        let found = self.place(place);
        self.add_unit(found.class, found.offset);
        let mut root = place;
        while let LValueKind::Member(base, ..) = &root.kind {
            root = base;
        }
        if let LValueKind::Object(object) | LValueKind::Compound(object, _) = &root.kind {
            self.tables.address_taken[object.index()] = true;
        }
        found.class
    }

    /// Arithmetic on numbers: addresses that go in may come out, moved by some number of bytes.
    fn arithmetic(
        &mut self,
        op: Arithmetic,
        ty: TypeId,
        (left_value, left): (Option<u128>, Option<Class>),
        (right_value, right): (Option<u128>, Option<Class>),
    ) -> Option<Class> {
        if self.tables.types().is_float(ty) {
            let class = self.join(left, right);
            self.set_arithmetic(class);
            return class;
        }
        let is_shift = matches!(op, Arithmetic::ShiftLeft | Arithmetic::ShiftRight);
        let class = if is_shift { left } else { self.join(left, right) };
        match (op, left_value.or(right_value)) {
            // What divides the address divides the result.
            (Arithmetic::Multiply | Arithmetic::And | Arithmetic::ShiftLeft, Some(_)) => {}
            (Arithmetic::Add | Arithmetic::Subtract | Arithmetic::Or | Arithmetic::Xor, Some(constant)) => {
                self.add_unit(class, lowest_bit(constant));
            }
            _ => self.set_arithmetic(class),
        }
        class
    }

    /// A pointer to the class moves by an index times a size.
    fn step(&mut self, class: Option<Class>, index: &Expr, size: Option<u64>) {
        let Some(size) = size else { return self.add_unit(class, 1) };
        let count = index.constant().map_or(1, lowest_bit);
        // Only powers of two matter.
        self.add_unit(class, size.wrapping_mul(count));
    }

    fn update(&mut self, update: &'a Update) -> Option<Class> {
        let found = self.place(&update.place);
        self.access(&update.place, &found);
        let operand = self.expr(&update.operand);
        let content = self.stored(found.class, update.place.ty);
        match update.operation {
            UpdateOperation::PointerStep(size, _) => self.step(content, &update.operand, size),
            UpdateOperation::Arithmetic(op, common) => {
                self.arithmetic(op, common, (None, content), (update.operand.constant(), operand));
            }
        }
        content
    }

    fn expressions(&mut self, expressions: impl IntoIterator<Item = &'a Expr>) {
        for expr in expressions {
            self.expr(expr);
        }
    }

    fn statement(&mut self, statement: &'a Stmt) {
        match &statement.kind {
            StmtKind::Expr(expr) | StmtKind::ComputedGoto(expr) | StmtKind::Cleanup(expr) => {
                self.expressions([expr]);
            }
            StmtKind::Block(statements) | StmtKind::Scope(_, statements) => {
                statements.iter().for_each(|inner| self.statement(inner))
            }
            StmtKind::Declare(object, initializer) => {
                self.tables.object(*object);
                if let Some(initializer) = initializer {
                    self.initializer(*object, initializer);
                }
            }
            StmtKind::DeclareVariable(object, size) => {
                self.tables.object(*object);
                self.expressions([size]);
            }
            StmtKind::If(condition, then, otherwise) => {
                self.expressions([condition]);
                self.statement(then);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
            }
            StmtKind::While(condition, body) | StmtKind::DoWhile(body, condition) => {
                self.expressions([condition]);
                self.statement(body);
            }
            StmtKind::For(condition, step, body) => {
                self.expressions(condition.iter().chain(step));
                self.statement(body);
            }
            StmtKind::Switch { value, body, .. } => {
                self.expressions([value]);
                self.statement(body);
            }
            StmtKind::Return(Some(value)) => self.return_value(value),
            StmtKind::Empty
            | StmtKind::Case(_)
            | StmtKind::Default
            | StmtKind::Label(_)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None)
            | StmtKind::Unsupported(_) => {}
        }
    }

    fn return_value(&mut self, value: &'a Expr) {
        let class = self.expr(value);
        let Some(function) = self.current else { return };
        let result = self.tables.results[function.index()];
        self.join(class, Some(result));
        if self.tables.types().is_aggregate(value.ty) {
            self.copied(class, value.ty, 0);
        }
    }
}
