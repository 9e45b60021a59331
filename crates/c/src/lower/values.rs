//! Values of expressions.

use super::Lowering;
use super::graph::Point;
use super::memory::Location;
use crate::typed::{Expr, ExprKind, LValue, LValueKind};
use crate::types::TypeId;
use aster_term::Term;
use lang_c::span::Span;

impl Lowering<'_> {
    /// The value of an expression, after edges for its effects. Of a type that is not modelled (or
    /// `void`) it is a dummy.
    pub(super) fn value(&mut self, expr: &Expr) -> Term {
        match &expr.kind {
            ExprKind::Constant(bits) | ExprKind::Float(bits) => match self.width(expr.ty) {
                Some(width) => self.pool.bv(width, *bits),
                None => self.unmodelled(self.unmodelled_type(expr.ty), expr),
            },
            ExprKind::FunctionAddress(function) => match &self.typed.functions[function.index()].refused {
                Some(what) => self.unmodelled(what, expr),
                None => self.function_pointer(*function),
            },
            ExprKind::LabelAddress(function, label) => match self.label_address(*function, *label) {
                Some(address) => address,
                None => self.unmodelled("more labels than there are addresses for", expr),
            },
            ExprKind::Load(_) if self.typed.types.as_record(expr.ty).is_some() => {
                self.record_place(expr);
                self.dummy(expr.ty)
            }
            ExprKind::Load(place) => self.load(place, expr.span),
            ExprKind::AddressOf(place) => self.address_of(place, expr),
            ExprKind::Convert(inner) => self.conversion(inner, expr),
            ExprKind::Negate(op, inner) => {
                let value = self.value(inner);
                self.negate(*op, value, expr)
            }
            ExprKind::Arithmetic(op, left, right) => {
                let (a, b) = self.pair(left, right);
                let ty = expr.ty;
                if self.width(ty).is_none() || self.width(right.ty).is_none() {
                    return self.unmodelled(self.unmodelled_type(ty), expr);
                }
                self.arithmetic(*op, a, b, ty, expr.span)
            }
            ExprKind::PointerOffset { pointer, index, size, backwards, swapped } => {
                let (base, count) = if *swapped {
                    let (count, base) = self.pair(index, pointer);
                    (base, count)
                } else {
                    self.pair(pointer, index)
                };
                match size {
                    Some(size) => {
                        let moved = self.move_pointer(base, count, *size, *backwards);
                        let region = self.memory.regions.of_pointer(pointer);
                        self.check_move(region, base, moved, expr.span);
                        moved
                    }
                    None => self.unmodelled("pointer arithmetic", expr),
                }
            }
            ExprKind::PointerDifference { left, right, size } => {
                let (a, b) = self.pair(left, right);
                match size {
                    Some(size) if *size > 0 => self.pointer_difference(a, b, *size),
                    _ => self.unmodelled("pointer arithmetic", expr),
                }
            }
            ExprKind::Splat(element) => {
                let value = self.value(element);
                match self.width(expr.ty).and(self.width(element.ty)) {
                    Some(_) => self.splat(value, expr.ty),
                    None => self.unmodelled(self.unmodelled_type(expr.ty), expr),
                }
            }
            ExprKind::Reversed(inner) => {
                let value = self.value(inner);
                match self.width(expr.ty) {
                    Some(_) => self.swap_bytes(value),
                    None => self.unmodelled(self.unmodelled_type(expr.ty), expr),
                }
            }
            ExprKind::Compare(op, left, right) if self.typed.types.as_vector(expr.ty).is_some() => {
                let (a, b) = self.pair(left, right);
                match self.width(left.ty).and_then(|_| self.vector_comparison(*op, a, b, left.ty)) {
                    Some(mask) => mask,
                    None => self.unmodelled(self.unmodelled_type(left.ty), expr),
                }
            }
            ExprKind::Not(_) | ExprKind::Compare(..) => self.truth_value(expr),
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) => {
                if expr.total {
                    self.truth_value(expr)
                } else {
                    self.branching_truth(expr)
                }
            }
            ExprKind::Conditional(condition, left, right) => self.conditional(condition, left, right, expr),
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.value(second)
            }
            ExprKind::Assign(place, value) => {
                self.using_values(|this| this.assignment(place, value, true, expr.span))
            }
            ExprKind::Update(update) => self.using_values(|this| this.update(update, true, expr.span)),
            ExprKind::Call(callee, arguments, objects) => self.using_values(|this| {
                this.call(callee, arguments, *objects, expr, super::calls::Wanted::Value)
            }),
            ExprKind::Statements(statements, value, block) => self.using_values(|this| {
                this.statements_value(statements, *block, expr.span, |this| match value {
                    Some(value) => this.value(value),
                    None => this.dummy(expr.ty),
                })
            }),
            ExprKind::Unsupported(what) => self.unmodelled(what, expr),
        }
    }

    /// What is computed meanwhile is used, even inside of an expression whose value is not.
    fn using_values(&mut self, work: impl FnOnce(&mut Self) -> Term) -> Term {
        let unused = std::mem::replace(&mut self.unused, false);
        let value = work(self);
        self.unused = unused;
        value
    }

    /// Evaluates an expression whose value nobody uses: for what it does, and for what may go wrong on the way. What has
    /// neither effects nor checks leaves no edges.
    pub(super) fn effect(&mut self, expr: &Expr) {
        if expr.total {
            return;
        }
        match &expr.kind {
            ExprKind::Update(update) => {
                self.update(update, false, expr.span);
            }
            ExprKind::Assign(place, value) => {
                self.assignment(place, value, false, expr.span);
            }
            ExprKind::Call(callee, arguments, objects) => {
                self.call(callee, arguments, *objects, expr, super::calls::Wanted::Nothing);
            }
            ExprKind::Convert(inner) if self.typed.types.is_void(expr.ty) => self.effect(inner),
            ExprKind::Not(inner) => self.effect(inner),
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.effect(second);
            }
            ExprKind::Statements(statements, value, block) => {
                self.statements_value(statements, *block, expr.span, |this| {
                    if let Some(value) = value {
                        this.effect(value);
                    }
                });
            }
            ExprKind::Conditional(condition, left, right) if left.total && right.total => {
                self.effect(condition);
            }
            ExprKind::Conditional(condition, left, right) => self.conditional_effect(condition, left, right),
            ExprKind::LogicalAnd(left, right) | ExprKind::LogicalOr(left, right) if right.total => {
                self.effect(left);
            }
            ExprKind::LogicalAnd(left, right) => {
                let (work, end) = (self.point(), self.point());
                self.branch(left, work, end);
                self.effect_before(right, work, end);
            }
            ExprKind::LogicalOr(left, right) => {
                let (work, end) = (self.point(), self.point());
                self.branch(left, end, work);
                self.effect_before(right, work, end);
            }
            ExprKind::Load(place) if self.typed.types.is_void(expr.ty) => {
                self.address_of(place, expr);
            }
            ExprKind::Load(_) if self.typed.types.as_record(expr.ty).is_some() => {
                self.unused_spans.push(expr.span);
                let size = self.typed.types.known_size(expr.ty);
                if let (Some(place), Some(size)) = (self.record_place(expr), size) {
                    self.check_access(&place, size, expr.span);
                }
            }
            _ => {
                self.unused_spans.push(expr.span);
                let unused = std::mem::replace(&mut self.unused, true);
                self.value(expr);
                self.unused = unused;
            }
        }
    }

    /// The effects of an expression that control gets to at `work`; it goes on at `end`.
    fn effect_before(&mut self, expr: &Expr, work: Point, end: Point) {
        self.state().current = work;
        self.effect(expr);
        self.jump(end);
        self.state().current = end;
    }

    /// Both values, left before right. The left one keeps its value if the right one has effects.
    pub(super) fn pair(&mut self, left: &Expr, right: &Expr) -> (Term, Term) {
        let mut a = self.value(left);
        if right.effects {
            a = self.snapshot(a, left.span);
        }
        (a, self.value(right))
    }

    /// A term whose value later edges do not change.
    pub(super) fn snapshot(&mut self, term: Term, span: Span) -> Term {
        if self.pool.bv_constant(term).is_some() || self.is_temporary(term) {
            return term;
        }
        let Some(width) = self.pool.sort(term).width() else { return term };
        let temporary = self.temporary(width);
        self.assign(temporary, term, span);
        self.term(temporary)
    }

    /// Temporaries are written once before they are read.
    fn is_temporary(&self, term: Term) -> bool {
        self.builder.variable_of_term(term).is_some_and(|variable| {
            let info = self.builder.variable(variable);
            info.presentation.is_none() && info.owner.is_some()
        })
    }

    pub(super) fn unmodelled(&mut self, what: &str, expr: &Expr) -> Term {
        self.unsupported(what, expr.span);
        self.dummy(expr.ty)
    }

    /// The value held at a place.
    pub(super) fn load(&mut self, place: &LValue, span: Span) -> Term {
        match self.locate(place, span) {
            Location::Variable(variable) => self.term(variable),
            Location::Memory(at, bits) => {
                let bytes = self.access_bytes(at.region, bits, place.ty);
                self.check_access(&at, bytes, span);
                self.read_scalar(&at, bits, place.ty, span)
            }
            Location::Nowhere => self.dummy(place.ty),
        }
    }

    /// The address of a place, which is not accessed: `&*p` is `p`, and `&p->b` just adds to it.
    fn address_of(&mut self, place: &LValue, expr: &Expr) -> Term {
        match &place.kind {
            LValueKind::Deref(pointer) => return self.value(pointer),
            LValueKind::Member(base, record, index) => {
                let body = self.typed.types.record(*record).body.as_ref().filter(|body| body.trusted);
                let offset = body.and_then(|body| body.fields.get(*index)).map(|field| field.offset);
                return match offset {
                    Some(offset) => {
                        let (base, offset) = (self.address_of(base, expr), self.address(offset));
                        self.pool.add(base, offset)
                    }
                    None => self.unmodelled("structure whose layout is not known", expr),
                };
            }
            _ => {}
        }
        match self.locate(place, expr.span) {
            Location::Memory(place, _) => place.address,
            Location::Variable(_) => self.unmodelled("address of a variable", expr),
            Location::Nowhere => self.dummy(expr.ty),
        }
    }

    fn conversion(&mut self, inner: &Expr, expr: &Expr) -> Term {
        if self.typed.types.is_void(expr.ty) {
            self.effect(inner);
            return self.dummy(expr.ty);
        }
        let value = self.value(inner);
        if self.width(inner.ty).is_none() || self.width(expr.ty).is_none() {
            let what = self.unmodelled_type(if self.width(inner.ty).is_none() { inner.ty } else { expr.ty });
            return self.unmodelled(what, expr);
        }
        self.require_conversion(value, inner.ty, expr.ty, expr.span);
        self.convert(value, inner.ty, expr.ty)
    }

    /// A value of one scalar type converted to another.
    pub(super) fn convert(&mut self, value: Term, from: TypeId, to: TypeId) -> Term {
        let (Some(source), Some(target)) = (self.width(from), self.width(to)) else { return self.dummy(to) };
        if self.is_bool(to) {
            if self.is_bool(from) {
                return value;
            }
            let set = self.is_nonzero(value, from);
            return self.bool_to_bits(set, target);
        }
        if self.format(from).is_some() || self.format(to).is_some() {
            return self.convert_float(value, from, to);
        }
        if target < source {
            self.pool.extract(target - 1, 0, value)
        } else if target == source {
            value
        } else if self.is_signed(from) {
            self.pool.sign_extend_to(target, value)
        } else {
            self.pool.zero_extend_to(target, value)
        }
    }

    /// 1 if a Boolean term holds, 0 if not.
    pub(super) fn bool_to_bits(&mut self, condition: Term, width: u32) -> Term {
        let (one, zero) = (self.pool.bv(width, 1), self.pool.bv(width, 0));
        self.pool.ite(condition, one, zero)
    }
}
