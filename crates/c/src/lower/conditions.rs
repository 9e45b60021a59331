//! Conditions: Boolean terms where possible, branches otherwise.

use super::Lowering;
use super::graph::Point;
use crate::typed::{Expr, ExprKind};
use aster_cfa::{Label, Op};
use aster_term::Term;
use lang_c::span::Span;

impl Lowering<'_> {
    /// The Boolean term that says whether an expression is not zero, after edges for its effects.
    pub(super) fn condition(&mut self, expr: &Expr) -> Term {
        match &expr.kind {
            ExprKind::Not(inner) => {
                let inner = self.condition(inner);
                self.pool.not(inner)
            }
            ExprKind::Compare(op, left, right) => {
                if self.compares_names(left, right) {
                    self.unsupported("comparison of two names of one function", expr.span);
                    return self.pool.bool(false);
                }
                let (a, b) = self.pair(left, right);
                if self.width(left.ty).is_none() {
                    self.unsupported(self.unmodelled_type(left.ty), expr.span);
                    return self.pool.bool(false);
                }
                if self.typed.types.is_pointer(left.ty) {
                    let regions = [left, right].map(|operand| self.memory.regions.of_pointer(operand));
                    self.require_comparable((a, regions[0]), (b, regions[1]), expr.span);
                }
                self.compare(*op, a, b, left.ty)
            }
            ExprKind::LogicalAnd(left, right) if expr.total => {
                let (a, b) = (self.condition(left), self.condition(right));
                self.pool.and(a, b)
            }
            ExprKind::LogicalOr(left, right) if expr.total => {
                let (a, b) = (self.condition(left), self.condition(right));
                self.pool.or(a, b)
            }
            ExprKind::Conditional(condition, left, right) if expr.total => {
                let condition = self.condition(condition);
                let (a, b) = (self.condition(left), self.condition(right));
                self.pool.ite(condition, a, b)
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.condition(second)
            }
            ExprKind::Convert(inner) if self.keeps_zero(inner, expr) => self.condition(inner),
            // Nothing that has an address is at address zero, as in `assert(x && "text")`.
            ExprKind::FunctionAddress(function)
                if self.typed.functions[function.index()].refused.is_none() =>
            {
                self.pool.bool(true)
            }
            ExprKind::LabelAddress(..) => self.pool.bool(true),
            ExprKind::AddressOf(place) if place.is_fixed() && !self.is_refused(place) => self.pool.bool(true),
            _ => {
                let value = self.value(expr);
                if self.width(expr.ty).is_none() {
                    self.unsupported(self.unmodelled_type(expr.ty), expr.span);
                    return self.pool.bool(false);
                }
                self.is_nonzero(value, expr.ty)
            }
        }
    }

    /// Both are functions with one symbol. gcc may take them for different ones while it compiles.
    fn compares_names(&self, left: &Expr, right: &Expr) -> bool {
        let named = |mut expr: &'_ Expr| {
            while let ExprKind::Convert(inner) = &expr.kind {
                expr = inner;
            }
            match expr.kind {
                ExprKind::FunctionAddress(function) => Some(function),
                _ => None,
            }
        };
        let (Some(a), Some(b)) = (named(left), named(right)) else { return false };
        a != b && self.function_symbol(a) == self.function_symbol(b)
    }

    /// The conversion gives zero exactly for zero.
    fn keeps_zero(&self, inner: &Expr, outer: &Expr) -> bool {
        match (self.width(inner.ty), self.width(outer.ty)) {
            (Some(_), Some(_)) if self.is_bool(outer.ty) => true,
            (Some(from), Some(to)) => match (self.format(inner.ty), self.format(outer.ty)) {
                (Some(_), None) => false,
                (None, Some(_)) => true,
                _ => to >= from,
            },
            _ => false,
        }
    }

    /// 1 or 0 in the type of the expression.
    pub(super) fn truth_value(&mut self, expr: &Expr) -> Term {
        let condition = self.condition(expr);
        let width = self.width(expr.ty).unwrap_or(32);
        self.bool_to_bits(condition, width)
    }

    /// The truth value of an expression whose parts are evaluated only if needed.
    pub(super) fn branching_truth(&mut self, expr: &Expr) -> Term {
        let width = self.width(expr.ty).unwrap_or(32);
        let result = self.temporary(width);
        let (yes, no, end) = (self.point(), self.point(), self.point());
        self.branch(expr, yes, no);
        for (start, bits) in [(yes, 1), (no, 0)] {
            self.state().current = start;
            let value = self.pool.bv(width, bits);
            self.assign(result, value, expr.span);
            self.jump(end);
        }
        self.state().current = end;
        self.term(result)
    }

    /// Evaluates a condition; control goes on at one of two points.
    pub(super) fn branch(&mut self, expr: &Expr, then: Point, otherwise: Point) {
        match &expr.kind {
            ExprKind::Not(inner) => self.branch(inner, otherwise, then),
            ExprKind::LogicalAnd(left, right) if !expr.total => {
                let middle = self.point();
                self.branch(left, middle, otherwise);
                self.state().current = middle;
                self.branch(right, then, otherwise);
            }
            ExprKind::LogicalOr(left, right) if !expr.total => {
                let middle = self.point();
                self.branch(left, then, middle);
                self.state().current = middle;
                self.branch(right, then, otherwise);
            }
            ExprKind::Conditional(condition, left, right) if !expr.total => {
                let (yes, no) = (self.point(), self.point());
                self.branch(condition, yes, no);
                self.state().current = yes;
                self.branch(left, then, otherwise);
                self.state().current = no;
                self.branch(right, then, otherwise);
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.branch(second, then, otherwise);
            }
            ExprKind::Convert(inner) if self.keeps_zero(inner, expr) => self.branch(inner, then, otherwise),
            _ => {
                let condition = self.condition(expr);
                let before = self.state().graph.edge_count();
                self.branch_on(condition, then, otherwise, expr.span);
                if let Some(note) = self.condition_note(expr) {
                    self.state().graph.note_condition_at(before, note);
                }
            }
        }
    }

    /// Control goes on at `then` if the term holds, else at `otherwise`.
    pub(super) fn branch_on(&mut self, condition: Term, then: Point, otherwise: Point, span: Span) {
        match self.pool.bool_constant(condition) {
            Some(true) => self.jump(then),
            Some(false) => self.jump(otherwise),
            None => {
                let negated = self.pool.not(condition);
                let span = self.span(span);
                let state = self.state();
                let current = state.current;
                state.graph.edge(current, then, Label::Op(Op::Assume(condition)), span);
                state.graph.edge(current, otherwise, Label::Op(Op::Assume(negated)), span);
                self.dead_end();
            }
        }
    }

    /// `condition ? left : right`.
    pub(super) fn conditional(&mut self, condition: &Expr, left: &Expr, right: &Expr, expr: &Expr) -> Term {
        let Some(width) = self.width(expr.ty) else {
            self.conditional_branches(condition, left, right, |lowering, branch| lowering.effect(branch));
            if !self.typed.types.is_void(expr.ty) {
                self.unsupported(self.unmodelled_type(expr.ty), expr.span);
            }
            return self.dummy(expr.ty);
        };
        if left.total && right.total {
            let condition = self.condition(condition);
            let (a, b) = (self.value(left), self.value(right));
            return self.pool.ite(condition, a, b);
        }
        let result = self.temporary(width);
        self.conditional_branches(condition, left, right, |lowering, branch| {
            let value = lowering.value(branch);
            lowering.assign(result, value, branch.span);
        });
        self.term(result)
    }

    pub(super) fn conditional_effect(&mut self, condition: &Expr, left: &Expr, right: &Expr) {
        self.conditional_branches(condition, left, right, |lowering, branch| lowering.effect(branch));
    }

    pub(super) fn conditional_branches(
        &mut self,
        condition: &Expr,
        left: &Expr,
        right: &Expr,
        mut work: impl FnMut(&mut Self, &Expr),
    ) {
        let (yes, no, end) = (self.point(), self.point(), self.point());
        self.branch(condition, yes, no);
        for (start, branch) in [(yes, left), (no, right)] {
            self.state().current = start;
            work(self, branch);
            self.jump(end);
        }
        self.state().current = end;
    }
}
