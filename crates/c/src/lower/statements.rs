//! Statements and function bodies.

use super::graph::{Graph, Point};
use super::memory::{Bound, Place};
use super::{FunctionState, Lowering, SwitchTargets};
use crate::typed::{BlockId, Body, Case, Expr, FunctionId, Initializer, LabelId, ObjectId, Stmt, StmtKind};
use crate::types::{Type, TypeId};
use aster_cfa::{InputOrigin, Label, Op, Procedure, Var};
use aster_term::{Sort, Term};
use lang_c::span::Span;

/// A switch with more cases than this is a tree of decisions.
const FLAT_SWITCH: usize = 16;

/// The selection of a case.
struct Selection {
    /// The value that selects.
    term: Term,
    signed: bool,
    span: Span,
    /// Where no case may have been selected, and when that is so.
    others: Vec<(Point, Term)>,
}

impl Lowering<'_> {
    pub(super) fn result_type(&self, function: FunctionId) -> TypeId {
        let ty = self.typed.functions[function.index()].ty;
        match self.typed.types.get(ty) {
            Type::Function(function) => function.result,
            _ => ty,
        }
    }

    /// Creates the variables of a procedure's parameters and result.
    pub(super) fn declare_signature(&mut self, function: FunctionId, procedure: Procedure) {
        let typed = self.typed;
        let Some(body) = &typed.functions[function.index()].body else { return };
        let mut parameters = Vec::with_capacity(body.parameters.len());
        let address = Sort::BitVec(self.pointer_width());
        let ty = self.result_type(function);
        if self.needs_depth(function) {
            let depth = self.builder.add_variable(self.pool, "<depth>", address, Some(procedure), None);
            self.depths[function.index()] = Some(depth);
            parameters.push(depth);
        }
        if typed.types.as_record(ty).is_some() {
            let target = self.builder.add_variable(self.pool, "<result>", address, Some(procedure), None);
            self.result_addresses[function.index()] = Some(target);
            parameters.push(target);
        }
        if let Some(extra) = body.extra {
            let passed = self.builder.add_variable(self.pool, "<arguments>", address, Some(procedure), None);
            self.variables[extra.index()] = super::Slot::Variable(passed);
            parameters.push(passed);
        }
        for object in &body.parameters {
            let info = &typed.objects[object.index()];
            let (sort, presentation) = match self.width(info.ty) {
                Some(width) => (Sort::BitVec(width), Some(self.presentation(info.ty))),
                None if typed.types.as_record(info.ty).is_some() => (address, None),
                None => continue,
            };
            let variable =
                self.builder.add_variable(self.pool, info.name.clone(), sort, Some(procedure), presentation);
            self.variables[object.index()] = super::Slot::Variable(variable);
            parameters.push(variable);
        }
        let result = self.width(ty).map(|width| {
            let presentation = Some(self.presentation(ty));
            self.builder.add_variable(
                self.pool,
                "<result>",
                Sort::BitVec(width),
                Some(procedure),
                presentation,
            )
        });
        self.builder.set_signature(procedure, parameters, result);
    }

    /// Begins a procedure: an empty automaton.
    pub(super) fn begin(
        &mut self,
        procedure: Procedure,
        function: Option<FunctionId>,
        labels: &[Option<BlockId>],
        result: Option<TypeId>,
    ) -> Point {
        let mut graph = Graph::default();
        let start = graph.point();
        let exit = graph.point();
        let labelled = !labels.is_empty();
        let labels = labels.iter().map(|&block| (graph.point(), block)).collect();
        let result = self.builder.procedure(procedure).result.zip(result);
        self.function = Some(FunctionState {
            procedure,
            function,
            depth: function.and_then(|function| self.depths[function.index()]),
            result_address: function.and_then(|function| self.result_addresses[function.index()]),
            loops: 0,
            labelled,
            initialised: Vec::new(),
            given: false,
            graph,
            current: start,
            exit,
            result,
            labels,
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            block: None,
            stack_starts: Vec::new(),
        });
        start
    }

    /// Ends a procedure: its automaton is added to the program.
    pub(super) fn end(&mut self, start: Point, span: Span) {
        let span = self.span(span);
        if let Some(state) = self.function.take() {
            state.graph.finish(self.pool, &mut self.builder, state.procedure, start, state.exit, span);
        }
    }

    pub(super) fn function_body(&mut self, function: FunctionId) {
        let typed = self.typed;
        let (Some(body), Some(procedure)) =
            (&typed.functions[function.index()].body, self.procedures[function.index()])
        else {
            return;
        };
        let result = self.result_type(function);
        let start = self.begin(procedure, Some(function), &body.labels, Some(result));
        self.enter_frame(function, body.span);
        self.receive_parameters(function);
        for &object in &body.bypassed {
            self.uninitialised(object, body.span);
        }
        // Whoever returns comes by here.
        let (exit, epilogue) = (self.state().exit, self.point());
        self.state().exit = epilogue;
        self.statement(&body.statement);
        self.fall_off(body);
        self.state().current = epilogue;
        self.leave_frame(function, body.end);
        self.state().exit = exit;
        self.jump(exit);
        self.end(start, body.span);
    }

    /// Control reaches the end of the body: the result is arbitrary, except that `main` returns 0.
    fn fall_off(&mut self, body: &Body) {
        if let Some((result, ty)) = self.state().result {
            if self.procedure_name() == "main" {
                let zero = self.dummy(ty);
                self.assign(result, zero, body.end);
            } else {
                self.missing_result(result, ty, body.end);
            }
        }
        let exit = self.state().exit;
        self.jump(exit);
    }

    fn procedure_name(&mut self) -> String {
        let procedure = self.state().procedure;
        self.builder.procedure(procedure).name.clone()
    }

    fn missing_result(&mut self, result: Var, ty: TypeId, span: Span) {
        let name = self.procedure_name();
        self.havoc(result, InputOrigin::Uninitialised(name), ty, span);
    }

    pub(super) fn statements(&mut self, statements: &[Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        let given = self.state().given;
        self.statement_of_kind(statement);
        self.state().given = given;
    }

    fn statement_of_kind(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Empty | StmtKind::Cleanup(_) => {}
            StmtKind::Expr(expr) => self.effect(expr),
            StmtKind::Block(statements) => self.statements(statements),
            StmtKind::Scope(block, statements) => {
                self.in_block(*block, statement.span, |this| this.statements(statements));
            }
            StmtKind::Declare(object, initializer) => {
                self.declare(*object, initializer.as_ref(), statement.span)
            }
            StmtKind::DeclareVariable(object, size) => self.declare_variable(*object, size, statement.span),
            StmtKind::If(condition, then, otherwise) => {
                self.if_statement(condition, then, otherwise.as_deref())
            }
            StmtKind::While(condition, body) => self.for_loop(Some(condition), None, body, statement.span),
            StmtKind::DoWhile(body, condition) => self.do_loop(body, condition),
            StmtKind::For(condition, step, body) => {
                self.for_loop(condition.as_ref(), step.as_ref(), body, statement.span);
            }
            StmtKind::Switch { value, cases, body } => self.switch(value, cases, body),
            StmtKind::Case(position) => self.case(*position, statement.span),
            StmtKind::Default => self.default(statement.span),
            StmtKind::Label(label) => self.label(*label),
            StmtKind::Goto(label) => {
                let target = self.state().labels[label.index()];
                self.jump_to(target, statement.span);
            }
            StmtKind::ComputedGoto(address) => self.computed_goto(address, statement.span),
            StmtKind::Break => self.leave(|state| state.breaks.last().copied(), statement.span),
            StmtKind::Continue => self.leave(|state| state.continues.last().copied(), statement.span),
            StmtKind::Return(value) => self.return_statement(value.as_ref(), statement.span),
            StmtKind::Unsupported(what) => self.unsupported(what, statement.span),
        }
    }

    /// `break` or `continue`; the checker made sure that there is something to leave.
    fn leave(&mut self, target: impl Fn(&FunctionState) -> Option<(Point, Option<BlockId>)>, span: Span) {
        if let Some(target) = target(self.state()) {
            self.jump_to(target, span);
        }
    }

    /// Control goes on at a point in some block.
    fn jump_to(&mut self, (target, block): (Point, Option<BlockId>), span: Span) {
        let here = self.state().block;
        self.pass(here, block, span);
        self.jump(target);
    }

    /// What a statement expression computes, in its block if it has one.
    pub(super) fn statements_value<T>(
        &mut self,
        statements: &[Stmt],
        block: Option<BlockId>,
        span: Span,
        value: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let work = |this: &mut Self| {
            this.statements(statements);
            value(this)
        };
        match block {
            Some(block) => self.in_block(block, span, work),
            None => work(self),
        }
    }

    /// What happens inside of a block.
    fn in_block<T>(&mut self, block: BlockId, span: Span, work: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.state().block.replace(block);
        self.enter_block(block, span);
        let result = work(self);
        self.leave_block(block, Span::span(span.end.saturating_sub(1).max(span.start), span.end));
        self.state().block = outer;
        result
    }

    /// Control arrives at a point, from before it or by a jump.
    pub(super) fn arrive(&mut self, point: Point) {
        self.jump(point);
        self.state().current = point;
    }

    fn label(&mut self, label: LabelId) {
        let (point, _) = self.state().labels[label.index()];
        self.arrive(point);
    }

    /// A branch for each label whose address is taken in the function.
    fn computed_goto(&mut self, address: &Expr, span: Span) {
        let target = self.value(address);
        let target = self.snapshot(target, span);
        let function = self.state().function;
        let typed = self.typed;
        let body = function.and_then(|function| typed.functions[function.index()].body.as_ref());
        if let Some((function, body)) = function.zip(body) {
            for &label in &body.addressed_labels {
                let Some(address) = self.label_address(function, label) else { continue };
                let selected = self.pool.eq(target, address);
                let (target, chosen, other) =
                    (self.state().labels[label.index()], self.point(), self.point());
                self.branch_on(selected, chosen, other, span);
                self.state().current = chosen;
                self.jump_to(target, span);
                self.state().current = other;
            }
        }
        self.unsupported("goto to an address that is none of a label in the function", span);
    }

    fn uninitialised(&mut self, object: ObjectId, span: Span) {
        let info = &self.typed.objects[object.index()];
        if self.memory.regions.in_memory(object) {
            let once = self.passes_once();
            return self.forget_object(object, once, span);
        }
        if let Some(variable) = self.variable(object) {
            self.havoc(variable, InputOrigin::Uninitialised(info.name.clone()), info.ty, span);
        }
    }

    /// Control passes the point at hand at most once in a run.
    fn passes_once(&mut self) -> bool {
        let state = self.state();
        let Some(function) = state.function else { return true };
        state.loops == 0 && !state.labelled && self.lives_to_the_end(function)
    }

    fn declare(&mut self, object: ObjectId, initializer: Option<&Initializer>, span: Span) {
        match initializer {
            None => self.uninitialised(object, span),
            Some(initializer) => {
                self.state().initialised.push(object);
                self.initialize_object(object, initializer, span);
                self.state().initialised.pop();
            }
        }
    }

    fn if_statement(&mut self, condition: &Expr, then: &Stmt, otherwise: Option<&Stmt>) {
        let (yes, no, end) = (self.point(), self.point(), self.point());
        self.branch(condition, yes, no);
        self.state().current = yes;
        self.statement(then);
        self.jump(end);
        self.state().current = no;
        if let Some(otherwise) = otherwise {
            self.statement(otherwise);
        }
        self.jump(end);
        self.state().current = end;
    }

    /// `while` and `for`: the head is where the condition is evaluated, and the back edge leads there.
    fn for_loop(&mut self, condition: Option<&Expr>, step: Option<&Expr>, body: &Stmt, span: Span) {
        let (head, inside, end) = (self.point(), self.point(), self.point());
        let next = if step.is_some() { self.point() } else { head };
        self.arrive(head);
        self.state().loops += 1;
        if condition.is_none_or(|condition| condition.constant().is_some_and(|value| value != 0)) {
            self.check_endless_loop(span);
        }
        match condition {
            Some(condition) => self.branch(condition, inside, end),
            None => self.jump(inside),
        }
        self.state().current = inside;
        self.loop_body(body, next, end);
        if let Some(step) = step {
            self.arrive(next);
            self.effect(step);
        }
        self.state().loops -= 1;
        self.jump(head);
        self.state().current = end;
    }

    fn do_loop(&mut self, body: &Stmt, condition: &Expr) {
        let (start, check, end) = (self.point(), self.point(), self.point());
        self.arrive(start);
        self.state().loops += 1;
        self.loop_body(body, check, end);
        self.arrive(check);
        self.branch(condition, start, end);
        self.state().loops -= 1;
        self.state().current = end;
    }

    fn loop_body(&mut self, body: &Stmt, next: Point, end: Point) {
        let block = self.state().block;
        self.state().breaks.push((end, block));
        self.state().continues.push((next, block));
        self.statement(body);
        self.state().breaks.pop();
        self.state().continues.pop();
    }

    /// Branches with an assumption for each case; no two of them hold at once because the checker rejects cases that
    /// overlap.
    fn switch(&mut self, value: &Expr, cases: &[Case], body: &Stmt) {
        let term = self.value(value);
        let end = self.point();
        let points: Vec<Point> = cases.iter().map(|_| self.point()).collect();
        let signed = self.is_signed(value.ty);
        let width = self.pool.width(term);
        let order = |bits: u128| {
            let sign = if signed { 1u128 << (width - 1) } else { 0 };
            bits ^ sign
        };
        let mut sorted: Vec<(Case, Point)> = cases.iter().copied().zip(points.iter().copied()).collect();
        sorted.retain(|(case, _)| order(case.low) <= order(case.high));
        if sorted.len() > FLAT_SWITCH {
            sorted.sort_by_key(|(case, _)| order(case.low));
        }
        let mut selection = Selection { term, signed, span: value.span, others: Vec::new() };
        let origin = self.state().current;
        self.select(&mut selection, origin, &sorted);
        let block = self.state().block;
        self.state().breaks.push((end, block));
        self.state().switches.push(SwitchTargets { cases: points, default: None, block });
        self.dead_end();
        self.statement(body);
        self.jump(end);
        let targets = self.state().switches.pop();
        self.state().breaks.pop();
        let default = targets.and_then(|targets| targets.default).unwrap_or(end);
        for (origin, others) in selection.others {
            self.guarded(origin, default, others, value.span);
        }
        self.state().current = end;
    }

    /// Edges from `origin` to the cases. Of many, which are in the order of their values, those in the middle are compared
    /// first: the number of edges stays that of the cases, and the way to each of them is short.
    fn select(&mut self, selection: &mut Selection, origin: Point, cases: &[(Case, Point)]) {
        if cases.len() <= FLAT_SWITCH {
            let mut others = self.pool.bool(true);
            for (case, point) in cases {
                let selected = self.selects(case, selection.term, selection.signed);
                let rejected = self.pool.not(selected);
                others = self.pool.and(others, rejected);
                self.guarded(origin, *point, selected, case.span);
            }
            selection.others.push((origin, others));
            return;
        }
        let (left, right) = cases.split_at(cases.len() / 2);
        let width = self.pool.width(selection.term);
        let last = self.pool.bv(width, left.last().map_or(0, |(case, _)| case.high));
        let is_left = self.at_most(selection.term, last, selection.signed);
        let is_right = self.pool.not(is_left);
        for (half, condition) in [(left, is_left), (right, is_right)] {
            let point = self.point();
            self.guarded(origin, point, condition, selection.span);
            self.select(selection, point, half);
        }
    }

    fn selects(&mut self, case: &Case, term: Term, signed: bool) -> Term {
        let width = self.pool.width(term);
        let low = self.pool.bv(width, case.low);
        if case.low == case.high {
            return self.pool.eq(term, low);
        }
        let high = self.pool.bv(width, case.high);
        let (above, below) = (self.at_most(low, term, signed), self.at_most(term, high, signed));
        self.pool.and(above, below)
    }

    /// An edge that is passed only if a term holds; none if it never does.
    fn guarded(&mut self, source: Point, target: Point, condition: Term, span: Span) {
        if self.pool.bool_constant(condition) != Some(false) {
            let span = self.span(span);
            self.state().graph.edge(source, target, Label::Op(Op::Assume(condition)), span);
        }
    }

    fn case(&mut self, position: usize, span: Span) {
        let point = self.state().switches.last().and_then(|switch| switch.cases.get(position).copied());
        if let Some(point) = point {
            self.arrive_from_switch(point, span);
        }
    }

    /// Control arrives from before here, or from the innermost switch by way of a point: the blocks in between begin then.
    fn arrive_from_switch(&mut self, point: Point, span: Span) {
        let (here, around) =
            (self.state().block, self.state().switches.last().and_then(|switch| switch.block));
        let before = self.state().current;
        self.state().current = point;
        self.pass(around, here, span);
        let after = self.state().current;
        self.state().current = before;
        self.arrive(after);
    }

    fn default(&mut self, span: Span) {
        let point = self.point();
        self.arrive_from_switch(point, span);
        if let Some(switch) = self.state().switches.last_mut() {
            switch.default = Some(point);
        }
    }

    fn return_statement(&mut self, value: Option<&Expr>, span: Span) {
        match (value, self.state().result) {
            (Some(value), Some((result, _))) => self.store(result, value, span),
            (Some(value), None) if self.typed.types.is_void(value.ty) => self.effect(value),
            (Some(value), None) => self.return_record(value, span),
            (None, Some((result, ty))) => self.missing_result(result, ty, span),
            (None, None) => {}
        }
        let exit = self.state().exit;
        self.jump_to((exit, None), span);
    }

    /// Copies a structure to where the caller wants it.
    fn return_record(&mut self, value: &Expr, span: Span) {
        let (target, function) = (self.state().result_address, self.state().function);
        let region = function.and_then(|function| self.memory.regions.of_result(function));
        let (Some(target), Some(region)) = (target, region) else {
            self.effect(value);
            return self.unsupported(self.unmodelled_type(value.ty), span);
        };
        if let Some(source) = self.record_place(value) {
            let target = Place { region, address: self.term(target), bound: Bound::Fine };
            self.copy_record(&target, &source, value.ty, span);
        }
    }
}
