//! The walk over the program that finds out which classes are one.

use super::classes::{Class, Signature, Slot};
use super::tables::{Tables, position};
use crate::typed::{
    Arithmetic, Callee, Expr, ExprKind, FunctionId, Initializer, LValue, LValueKind, ObjectId, Stmt,
    StmtKind, TypedProgram, Update, UpdateOperation,
};
use crate::types::{Type, TypeId};
use std::collections::BTreeSet;

/// A place that was found.
pub(super) struct Found {
    pub(super) class: Option<Class>,
    /// Bytes from the variable or from where the pointer points.
    offset: u64,
}

/// A call through a pointer.
struct IndirectCall<'a> {
    call: &'a Expr,
    arguments: &'a [Expr],
    callee: Class,
    result: Class,
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
    indirect: Vec<IndirectCall<'a>>,
    pub(super) edges: Vec<Edge>,
    /// Functions whose address is a value.
    pub(super) functions_taken: BTreeSet<FunctionId>,
    /// The function whose body is walked.
    current: Option<FunctionId>,
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
            functions_taken: BTreeSet::new(),
            current: None,
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
        self.tables.classes.add_target(class, self.tables.target(ty));
    }

    /// What flows into the parameters and out of the result of a function.
    fn signature(&mut self, function: FunctionId) {
        let typed = self.tables.typed;
        let class = self.tables.functions[function.index()];
        self.tables.classes.add_function(class, function);
        let reached = self.tables.resolve(function);
        let info = &typed.functions[reached.index()];
        let Some(body) = &info.body else { return };
        let mut parameters = Vec::with_capacity(body.parameters.len());
        for &object in &body.parameters {
            parameters.push(self.slot_of(object));
        }
        if function == reached && info.name == "main" {
            for slot in parameters.iter().skip(1) {
                self.tables.classes.unify(slot.class, self.external);
            }
        }
        let variadic = matches!(typed.types.get(info.ty), Type::Function(ty) if ty.variadic);
        let result_type = self.tables.result_type(reached);
        let result = Slot {
            class: self.tables.results[reached.index()],
            target: result_type.and_then(|ty| self.tables.pointee(ty)),
        };
        if let Some(ty) = result_type.filter(|&ty| typed.types.is_aggregate(ty)) {
            self.copied(Some(result.class), ty, 0);
            self.tables.classes.add_target(result.class, self.tables.target(ty));
        }
        self.tables.classes.add_signature(class, Signature { parameters, variadic, result });
    }

    /// How a variable receives values as a parameter.
    fn slot_of(&mut self, object: ObjectId) -> Slot {
        let class = self.tables.objects[object.index()];
        let ty = self.tables.typed.objects[object.index()].ty;
        let class = match self.tables.types().is_aggregate(ty) {
            true => class,
            false => self.tables.classes.content(class, self.tables.channel(ty)),
        };
        Slot { class, target: self.tables.pointee(ty) }
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
    fn copied(&mut self, class: Option<Class>, ty: TypeId, offset: u64) {
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
    fn store(&mut self, location: Option<Class>, value: Option<Class>, ty: TypeId) {
        let (Some(location), Some(value)) = (location, value) else { return };
        if self.tables.types().is_aggregate(ty) {
            self.tables.classes.unify_contents(location, value);
        } else {
            let content = self.tables.classes.content(location, self.tables.channel(ty));
            self.tables.classes.unify(content, value);
        }
    }

    fn initializer(&mut self, object: ObjectId, initializer: &'a Initializer) {
        let location = self.tables.objects[object.index()];
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
            LValueKind::Object(object) => {
                Found { class: Some(self.tables.objects[object.index()]), offset: 0 }
            }
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
                Found { class: Some(self.tables.objects[object.index()]), offset: 0 }
            }
            LValueKind::Value(value) => Found { class: self.expr(value), offset: 0 },
        }
    }

    /// Walks over an expression; gives what a scalar value may point to, or where a structure is.
    pub(super) fn expr(&mut self, expr: &'a Expr) -> Option<Class> {
        match &expr.kind {
            ExprKind::Constant(_) | ExprKind::Float(..) | ExprKind::Unsupported(_) => None,
            ExprKind::FunctionAddress(function) => {
                self.functions_taken.insert(*function);
                Some(self.tables.functions[function.index()])
            }
            ExprKind::Load(place) => {
                let found = self.place(place);
                self.access(place, &found);
                self.stored(found.class, place.ty)
            }
            ExprKind::AddressOf(place) => self.address_of(place),
            ExprKind::Convert(inner) => {
                let class = self.expr(inner);
                let class = class.filter(|_| self.tables.keeps_address(inner.ty, expr.ty))?;
                let (from, to) = (self.tables.pointee(inner.ty), self.tables.pointee(expr.ty));
                self.tables.classes.reinterpret(class, from, to);
                Some(class)
            }
            ExprKind::Negate(_, inner) => {
                let class = self.expr(inner).filter(|_| !self.tables.types().is_float(expr.ty));
                self.set_arithmetic(class);
                class
            }
            ExprKind::Arithmetic(op, left, right) => {
                let (left, right) = (self.expr(left), self.expr(right));
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
            ExprKind::Call(callee, arguments, result) => self.call(expr, callee, arguments, *result),
            ExprKind::Statements(statements, value) => {
                statements.iter().for_each(|statement| self.statement(statement));
                value.as_ref().and_then(|value| self.expr(value))
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

    /// Arithmetic on numbers: addresses that go in may come out anywhere in their object.
    fn arithmetic(
        &mut self,
        op: Arithmetic,
        ty: TypeId,
        left: Option<Class>,
        right: Option<Class>,
    ) -> Option<Class> {
        if self.tables.types().is_float(ty) {
            return None;
        }
        let class = match op {
            Arithmetic::ShiftLeft | Arithmetic::ShiftRight => left,
            _ => self.join(left, right),
        };
        self.set_arithmetic(class);
        class
    }

    /// A pointer to the class moves by an index times a size.
    fn step(&mut self, class: Option<Class>, index: &Expr, size: Option<u64>) {
        let Some(size) = size else { return self.add_unit(class, 1) };
        let count = index.constant().map_or(1, |bits| 1u64.checked_shl(bits.trailing_zeros()).unwrap_or(0));
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
                self.arithmetic(op, common, content, operand);
            }
        }
        content
    }

    fn call(
        &mut self,
        call: &'a Expr,
        callee: &'a Callee,
        arguments: &'a [Expr],
        temporary: Option<ObjectId>,
    ) -> Option<Class> {
        let temporary = temporary.map(|object| self.tables.objects[object.index()]);
        let result = match callee {
            Callee::Function(function) => {
                let reached = self.tables.resolve(*function);
                self.edges.extend(self.current.map(|caller| Edge::Direct(caller, reached)));
                let values: Vec<_> = arguments.iter().map(|argument| self.expr(argument)).collect();
                match self.tables.has_body(reached) {
                    true => Some(self.call_body(reached, call, arguments, &values)),
                    false => self.library(reached, call, arguments, &values),
                }
            }
            Callee::Pointer(pointer) => {
                let target = self.expr(pointer);
                let values: Vec<_> = arguments.iter().map(|argument| self.expr(argument)).collect();
                target.map(|target| self.call_through(target, call, arguments, &values))
            }
        };
        let Some(temporary) = temporary else {
            let class = result?;
            let key = position(call.span);
            let known = self.tables.calls.get(&key).copied();
            self.tables.calls.insert(key, class);
            return self.join(Some(class), known);
        };
        self.copied(Some(temporary), call.ty, 0);
        self.join(Some(temporary), result)
    }

    /// A call of a function with a body, by name.
    fn call_body(
        &mut self,
        function: FunctionId,
        call: &'a Expr,
        arguments: &'a [Expr],
        values: &[Option<Class>],
    ) -> Class {
        let signature = self.signature_of_call(call, arguments, values);
        let result = signature.result.class;
        // Not a use of the function's signature, which it may share with others: only its own
        // parameters get the arguments.
        let typed = self.tables.typed;
        let Some(body) = &typed.functions[function.index()].body else { return result };
        let variadic = self.tables.classes.variadic;
        for (position, slot) in signature.parameters.into_iter().enumerate() {
            let to = match body.parameters.get(position) {
                Some(&object) => self.slot_of(object),
                None => Slot { class: variadic, target: None },
            };
            self.tables.classes.unify(slot.class, to.class);
            self.tables.classes.reinterpret(to.class, slot.target, to.target);
        }
        let result_type = self.tables.result_type(function);
        let target = result_type.and_then(|ty| self.tables.pointee(ty));
        self.tables.classes.unify(result, self.tables.results[function.index()]);
        self.tables.classes.reinterpret(result, target, signature.result.target);
        result
    }

    /// A call through a pointer to this class.
    fn call_through(
        &mut self,
        target: Class,
        call: &'a Expr,
        arguments: &'a [Expr],
        values: &[Option<Class>],
    ) -> Class {
        self.edges.extend(self.current.map(|caller| Edge::Indirect(caller, target)));
        let signature = self.signature_of_call(call, arguments, values);
        let result = signature.result.class;
        self.tables.classes.add_signature(target, signature);
        self.indirect.push(IndirectCall { call, arguments, callee: target, result });
        result
    }

    fn signature_of_call(&mut self, call: &Expr, arguments: &[Expr], values: &[Option<Class>]) -> Signature {
        let mut parameters = Vec::with_capacity(arguments.len());
        for (argument, value) in arguments.iter().zip(values) {
            let class = value.unwrap_or_else(|| self.tables.classes.fresh());
            if self.tables.types().is_aggregate(argument.ty) {
                self.copied(Some(class), argument.ty, 0);
            }
            parameters.push(Slot { class, target: self.tables.pointee(argument.ty) });
        }
        let result = Slot { class: self.tables.classes.fresh(), target: self.tables.pointee(call.ty) };
        Signature { parameters, variadic: false, result }
    }

    /// Library functions that calls through pointers reach. Their effects may let more of them be
    /// reached, until nothing new happens.
    fn library_behind_pointers(&mut self) {
        let mut done = BTreeSet::new();
        loop {
            let mut changed = false;
            for index in 0..self.indirect.len() {
                let IndirectCall { call, arguments, callee, result } = self.indirect[index];
                let functions = self.tables.classes.facts(callee).functions.clone();
                for function in functions {
                    let reached = self.tables.resolve(function);
                    if self.tables.has_body(reached) || !done.insert((index, function)) {
                        continue;
                    }
                    changed = true;
                    let values: Vec<_> =
                        arguments.iter().map(|argument| self.tables.value(argument)).collect();
                    let value = self.library(reached, call, arguments, &values);
                    self.join(Some(result), value);
                    // The type of the pointer need not be that of the function.
                    self.tables.classes.add_target(result, self.tables.pointee(call.ty));
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn expressions(&mut self, expressions: impl IntoIterator<Item = &'a Expr>) {
        for expr in expressions {
            self.expr(expr);
        }
    }

    fn statement(&mut self, statement: &'a Stmt) {
        match &statement.kind {
            StmtKind::Expr(expr) => self.expressions([expr]),
            StmtKind::Block(statements) => statements.iter().for_each(|inner| self.statement(inner)),
            StmtKind::Declare(object, initializer) => {
                if let Some(initializer) = initializer {
                    self.initializer(*object, initializer);
                }
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
