//! Making the program with one call at a time.
//!
//! Which call is entered is held in a global variable, and so are its arguments; whoever is active returns then, up to the procedure in
//! which the program starts, and that calls what is entered.

use super::{About, OneCall, Recursive, Side, callees};
use aster_cfa::{
    Call, Edge, ErrorKind, Input, InputOrigin, Label, Node, Op, Presentation, Procedure, Program,
    ProgramBuilder, Span, Var,
};
use aster_term::{Sort, Term, TermPool};

/// The width of the number of what is entered.
const WIDTH: u32 = 8;

/// The abstraction with the ranges of results that the procedures have.
pub(super) fn rewritten(
    program: &Program,
    procedures: &[Recursive],
    about: About,
    pool: &mut TermPool,
) -> OneCall {
    let mut builder = ProgramBuilder::of(program);
    let entered = builder.add_variable(pool, "<entered>", Sort::BitVec(WIDTH), None, None);
    let arguments = procedures
        .iter()
        .map(|recursive| {
            let info = program.procedure(recursive.procedure);
            let copy = |&parameter: &Var| {
                let variable = program.variable(parameter);
                let name = format!("<{} of {}>", variable.name, info.name);
                builder.add_variable(pool, name, variable.sort, None, None)
            };
            info.parameters.iter().map(copy).collect()
        })
        .collect();
    let calls = procedures.iter().map(|_| builder.add_node(program.entry)).collect();
    let mut rewriter =
        Rewriter { program, procedures, builder, pool, entered, arguments, calls, checks: Vec::new() };
    if about == About::Ranges {
        rewriter.end_at_errors();
    }
    rewriter.check_results();
    rewriter.rewrite_calls();
    rewriter.start();
    let mut result = rewriter.builder.finish(program.sources.clone(), program.entry);
    result.stands_for(program);
    OneCall { program: result, checks: rewriter.checks }
}

struct Rewriter<'a> {
    program: &'a Program,
    procedures: &'a [Recursive],
    builder: ProgramBuilder,
    pool: &'a mut TermPool,
    /// The number of the procedure that is entered, from 1; 0 for none.
    entered: Var,
    /// What each of them is entered with.
    arguments: Vec<Vec<Var>>,
    /// Where each of them is called when it is entered. Places of their own, since other things hold there.
    calls: Vec<Node>,
    checks: Vec<(Node, usize, Side)>,
}

impl Rewriter<'_> {
    fn position(&self, procedure: Procedure) -> Option<usize> {
        self.procedures.iter().position(|recursive| recursive.procedure == procedure)
    }

    fn term(&self, variable: Var) -> Term {
        self.builder.variable(variable).term
    }

    /// A new node behind an edge.
    fn step(&mut self, from: Node, operation: Op, span: Span) -> Node {
        let to = self.builder.add_node(self.builder.node(from).procedure);
        self.builder.add_edge(from, to, Label::Op(operation), span);
        to
    }

    fn go(&mut self, from: Node, to: Node, span: Span) {
        let always = self.pool.bool(true);
        self.builder.add_edge(from, to, Label::Op(Op::Assume(always)), span);
    }

    fn branch(&mut self, from: Node, condition: Term, span: Span) -> (Node, Node) {
        let otherwise = self.pool.not(condition);
        (self.step(from, Op::Assume(condition), span), self.step(from, Op::Assume(otherwise), span))
    }

    /// Nothing but a result outside of its range counts: a call that comes to anything else is never over.
    fn end_at_errors(&mut self) {
        for node in self.program.nodes() {
            self.builder.take_error(node);
        }
        for edge in self.program.edges() {
            let info = self.program.edge(edge);
            if matches!(info.label, Label::Undefined { .. } | Label::Unsupported(_)) {
                let end = self.builder.add_node(self.program.node(info.source).procedure);
                let always = self.pool.bool(true);
                self.builder.set_label(edge, Label::Op(Op::Assume(always)));
                self.builder.set_target(edge, end);
            }
        }
    }

    /// Results outside of their range are errors.
    fn check_results(&mut self) {
        for (position, recursive) in self.procedures.iter().enumerate() {
            let info = self.program.procedure(recursive.procedure);
            let Some(result) = info.result else { continue };
            let ends = [Side::Below, Side::Above].map(|side| self.outside(position, side));
            if ends.iter().all(Option::is_none) {
                continue;
            }
            let mut node = self.builder.add_node(recursive.procedure);
            let mut span = None;
            for edge in self.program.edges().filter(|&edge| self.program.edge(edge).target == info.exit) {
                self.builder.set_target(edge, node);
                span = Some(self.program.edge(edge).span);
            }
            let Some(span) = span else { continue };
            debug_assert_eq!(self.program.variable(result).owner, Some(recursive.procedure));
            for (side, outside) in [Side::Below, Side::Above].into_iter().zip(ends) {
                let Some(outside) = outside else { continue };
                let (wrong, fine) = self.branch(node, outside, span);
                self.builder.set_error(wrong, ErrorKind::Reached);
                self.checks.push((wrong, position, side));
                node = fine;
            }
            self.go(node, info.exit, span);
        }
    }

    /// The result is outside of its range on one side; `None` if there is no end on that side.
    fn outside(&mut self, position: usize, side: Side) -> Option<Term> {
        let recursive = &self.procedures[position];
        let result = self.program.procedure(recursive.procedure).result?;
        self.outside_for(position, side, self.term(result))
    }

    fn outside_for(&mut self, position: usize, side: Side, result: Term) -> Option<Term> {
        let range = &self.procedures[position].range;
        let end = match side {
            Side::Below => range.low,
            Side::Above => range.high,
        };
        let width = self.pool.sort(result).width()?;
        let end = self.pool.bv_signed(width, *range.literals.get(end?)?);
        Some(match side {
            Side::Below => self.pool.slt(result, end),
            Side::Above => self.pool.slt(end, result),
        })
    }

    fn rewrite_calls(&mut self) {
        let may_enter: Vec<bool> = self.may_enter();
        for edge in self.program.edges() {
            let Label::Call(call) = &self.program.edge(edge).label else { continue };
            match self.position(call.procedure) {
                Some(position) => self.enter_or_pass(edge, call, position),
                None if may_enter[call.procedure.index()] => self.return_if_entered(edge),
                None => {}
            }
        }
    }

    /// Whether something may be entered while a procedure is active.
    fn may_enter(&self) -> Vec<bool> {
        let mut may_enter: Vec<bool> =
            self.program.procedures().map(|procedure| self.position(procedure).is_some()).collect();
        let callees = callees(self.program);
        loop {
            let comes_to_one = |procedure: &Procedure| {
                !may_enter[procedure.index()]
                    && callees[procedure.index()].iter().any(|callee| may_enter[callee.index()])
            };
            let Some(caller) = self.program.procedures().find(comes_to_one) else { return may_enter };
            may_enter[caller.index()] = true;
        }
    }

    /// A call of a recursive procedure.
    fn enter_or_pass(&mut self, edge: Edge, call: &Call, position: usize) {
        let info = self.program.edge(edge);
        let (span, after) = (info.span, info.target);
        let procedure = self.program.node(info.source).procedure;
        let choice = self.builder.add_variable(self.pool, "<enters>", Sort::BitVec(1), Some(procedure), None);
        let chosen = self.builder.add_node(procedure);
        self.builder.set_label(edge, any(choice, "whether the call is entered"));
        self.builder.set_target(edge, chosen);
        let enters = {
            let (choice, one) = (self.term(choice), self.pool.bv(1, 1));
            self.pool.eq(choice, one)
        };
        let (mut entering, passing) = self.branch(chosen, enters, span);
        for (place, &argument) in self.arguments[position].clone().into_iter().zip(&call.arguments) {
            entering = self.step(entering, Op::Assign(place, argument), span);
        }
        let number = self.number(Some(position));
        entering = self.step(entering, Op::Assign(self.entered, number), span);
        self.unwind(entering, procedure, span);
        self.pass(passing, call, position, after, span);
    }

    /// The call is over: what it changed holds anything, and its result is in the range.
    fn pass(&mut self, mut node: Node, call: &Call, position: usize, after: Node, span: Span) {
        let recursive = &self.procedures[position];
        let own = self.program.procedure(recursive.procedure).result;
        let changed = recursive.changed.iter().copied().filter(|&variable| Some(variable) != call.result);
        for variable in changed.collect::<Vec<_>>() {
            node = self.forget(node, variable, span);
        }
        let result = call.result.or_else(|| {
            // Nobody reads it, but no call is over whose result is not in the range.
            let sort = self.program.variable(own?).sort;
            let owner = self.builder.node(node).procedure;
            Some(self.builder.add_variable(self.pool, "<result>", sort, Some(owner), None))
        });
        if let Some(result) = result.filter(|_| own.is_some()) {
            node = self.forget(node, result, span);
            for side in [Side::Below, Side::Above] {
                let result = self.term(result);
                if let Some(outside) = self.outside_for(position, side, result) {
                    let inside = self.pool.not(outside);
                    node = self.step(node, Op::Assume(inside), span);
                }
            }
        }
        self.go(node, after, span);
    }

    fn forget(&mut self, node: Node, variable: Var, span: Span) -> Node {
        let to = self.builder.add_node(self.builder.node(node).procedure);
        self.builder.add_edge(node, to, any(variable, "what a call leaves"), span);
        to
    }

    /// After a call of a procedure that may have come to one that is entered.
    fn return_if_entered(&mut self, edge: Edge) {
        let info = self.program.edge(edge);
        let procedure = self.program.node(info.source).procedure;
        let returned = self.builder.add_node(procedure);
        self.builder.set_target(edge, returned);
        let none = {
            let (entered, nothing) = (self.term(self.entered), self.number(None));
            self.pool.eq(entered, nothing)
        };
        let (goes_on, leaves) = self.branch(returned, none, info.span);
        self.go(goes_on, info.target, info.span);
        self.unwind(leaves, procedure, info.span);
    }

    /// Returns, since something is entered.
    fn unwind(&mut self, node: Node, procedure: Procedure, span: Span) {
        if procedure == self.program.entry {
            return self.call_entered(node, span);
        }
        let info = self.program.procedure(procedure);
        let node = match info.result {
            Some(result) => self.forget(node, result, span),
            None => node,
        };
        self.go(node, info.exit, span);
    }

    /// To the call of what is entered; if that is nothing, the path is over.
    fn call_entered(&mut self, node: Node, span: Span) {
        for position in 0..self.procedures.len() {
            let (entered, number) = (self.term(self.entered), self.number(Some(position)));
            let is_it = self.pool.eq(entered, number);
            self.builder.add_edge(node, self.calls[position], Label::Op(Op::Assume(is_it)), span);
        }
    }

    fn number(&mut self, position: Option<usize>) -> Term {
        let number = position.map_or(0, |position| position as u128 + 1);
        self.pool.bv(WIDTH, number)
    }

    /// What is at the beginning, and what calls are made from there.
    fn start(&mut self) {
        let entry = self.program.procedure(self.program.entry).entry;
        let Some(&first) = self.program.node(entry).outgoing.first() else { return };
        let span = self.program.edge(first).span;
        let rest = self.builder.split(entry);
        let nothing = self.number(None);
        let mut node = self.step(entry, Op::Assign(self.entered, nothing), span);
        for variable in self.arguments.concat() {
            node = self.forget(node, variable, span);
        }
        self.go(node, rest, span);
        for (position, recursive) in self.procedures.iter().enumerate() {
            let node = self.step(self.calls[position], Op::Assign(self.entered, nothing), span);
            let arguments = self.arguments[position].iter().map(|&variable| self.term(variable)).collect();
            let call = Call { procedure: recursive.procedure, arguments, result: None };
            let returned = self.builder.add_node(self.program.entry);
            self.builder.add_edge(node, returned, Label::Call(call), span);
            self.call_entered(returned, span);
        }
    }
}

/// Any value for a variable.
fn any(variable: Var, what: &str) -> Label {
    let origin = InputOrigin::Choice(what.to_owned());
    Label::Op(Op::Havoc(variable, Input { origin, presentation: Presentation::Raw(what.to_owned()) }))
}
