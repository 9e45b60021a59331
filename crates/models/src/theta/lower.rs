//! From processes to automata.

use super::arrays::{Representation, Value, representation};
use super::expression::{Expressions, Meaning, Readable};
use super::parse::literal_key;
use super::syntax::{
    Declaration, Edge, Expr, ExprKind, Model, Process, Role, Statement, StatementKind, Type,
};
use crate::automaton::Automaton;
use aster_cfa::{
    Diagnostic, ErrorKind, InputOrigin, Label, Node, Note, Op, Presentation, Procedure, ProgramBuilder, Span,
    Var,
};
use aster_term::{Sort, Term, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Lowers the main process. The others are checked only: nothing starts them.
pub(super) fn lower(
    pool: &mut TermPool,
    model: &Model,
    main: usize,
    text: &str,
) -> Result<(ProgramBuilder, Procedure), Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut result = None;
    for (index, process) in model.processes.iter().enumerate() {
        let mut scratch = TermPool::new();
        let pool = if index == main { &mut *pool } else { &mut scratch };
        let mut lowering = Lowering::new(pool, &model.globals, process, text);
        lowering.process();
        errors.append(&mut lowering.errors);
        if index == main {
            result = Some((lowering.automaton.builder, lowering.automaton.procedure));
        }
    }
    match result {
        Some(result) if errors.is_empty() => Ok(result),
        _ => Err(errors),
    }
}

/// A variable of the model: its variables in the program, and how they are shown.
struct Variable {
    declared: Span,
    name: String,
    parts: Vec<(Var, Sort)>,
    presentation: Presentation,
}

struct Lowering<'a> {
    automaton: Automaton<'a>,
    process: &'a Process,
    lines: Vec<&'a str>,
    variables: Vec<Variable>,
    by_name: FxHashMap<String, usize>,
    readable: FxHashMap<String, Readable>,
    keys: Vec<String>,
    locations: FxHashMap<&'a str, Node>,
    errors: Vec<Diagnostic>,
}

impl<'a> Lowering<'a> {
    fn new(pool: &'a mut TermPool, globals: &[Declaration], process: &'a Process, text: &'a str) -> Self {
        let mut lowering = Lowering {
            automaton: Automaton::new(pool, &process.name.text),
            process,
            lines: text.lines().collect(),
            variables: Vec::new(),
            by_name: FxHashMap::default(),
            readable: FxHashMap::default(),
            keys: mentioned_indices(process).into_iter().collect(),
            locations: FxHashMap::default(),
            errors: Vec::new(),
        };
        for declaration in globals.iter().chain(&process.variables) {
            lowering.declare(declaration);
        }
        lowering
    }

    fn declare(&mut self, declaration: &Declaration) {
        let name = &declaration.name.text;
        let ty = &declaration.ty;
        let presentation = presentation(ty);
        let automaton = &mut self.automaton;
        let mut add = |name: &str, sort| (automaton.variable(name, sort, presentation.clone()), sort);
        let (parts, is_split) = match representation(ty) {
            Ok(Representation::Whole(sort)) => (Ok(vec![add(name, sort)]), false),
            Ok(Representation::Split(sort)) => {
                let elements = self.keys.iter().map(|key| add(&format!("{name}[{key}]"), sort));
                (Ok(elements.collect()), true)
            }
            Err(reason) => (Err(reason), false),
        };
        let term = |(variable, _): &(Var, Sort)| self.automaton.builder.variable(*variable).term;
        let value =
            parts.as_ref().map_err(Clone::clone).map(|parts: &Vec<(Var, Sort)>| match parts.as_slice() {
                [whole] if !is_split => Value::Whole(term(whole)),
                parts => Value::Split(parts.iter().map(term).collect()),
            });
        self.readable.insert(name.clone(), Readable { ty: ty.clone(), value });
        self.by_name.insert(name.clone(), self.variables.len());
        let parts = parts.unwrap_or_default();
        let declared = declaration.name.span;
        self.variables.push(Variable { declared, name: name.clone(), parts, presentation });
    }

    fn process(&mut self) {
        for location in &self.process.locations {
            let node = self.automaton.node();
            if location.role == Role::Error {
                self.automaton.builder.set_error(node, ErrorKind::Reached);
            }
            self.locations.insert(&location.name.text, node);
        }
        self.begin();
        for location in &self.process.locations {
            let name = location.name.text.as_str();
            let process = self.process;
            let edges: Vec<&Edge> = process.edges.iter().filter(|edge| edge.source.text == name).collect();
            let (never, edges): (Vec<&Edge>, Vec<&Edge>) =
                edges.into_iter().partition(|edge| self.is_never_taken(edge));
            for edge in never {
                // Out of reach, but checked.
                let nowhere = self.automaton.node();
                self.edge(nowhere, edge, &edge.statements);
            }
            self.edges_from(self.locations[name], &edges, location.name.span);
        }
    }

    /// Variables have any value at first. Those that are written before they are read need none.
    fn begin(&mut self) {
        let process = self.process;
        let Some(initial) = process.locations.iter().find(|location| location.role == Role::Initial) else {
            return;
        };
        let live = live_at(process, &initial.name.text);
        let mut node = self.automaton.entry();
        for variable in self.variables.iter().filter(|variable| live.contains(variable.name.as_str())) {
            for (part, _) in &variable.parts {
                let name = self.automaton.builder.variable(*part).name.clone();
                let origin = InputOrigin::Uninitialised(name);
                let presentation = variable.presentation.clone();
                node = self.automaton.havoc(node, *part, origin, presentation, variable.declared);
            }
        }
        self.automaton.go(node, self.locations[initial.name.text.as_str()], initial.name.span);
    }

    /// True if the edge begins with an assumption that holds nowhere.
    fn is_never_taken(&mut self, edge: &Edge) -> bool {
        let Some(StatementKind::Assume(condition)) = edge.statements.first().map(|it| &it.kind) else {
            return false;
        };
        let meaning = self.expressions().of_type(condition, &Type::Bool).ok().and_then(|it| it.meaning.ok());
        let pool = &*self.automaton.pool;
        meaning.is_some_and(|meaning| {
            let term = meaning.value.whole().ok();
            pool.bool_constant(meaning.defined) == Some(true)
                && term.is_some_and(|term| pool.bool_constant(term) == Some(false))
        })
    }

    /// All edges out of a location. Those that exclude each other need no choice.
    fn edges_from(&mut self, node: Node, edges: &[&'a Edge], span: Span) {
        if edges.len() > 1
            && let Some(conditions) = self.exclusive(edges)
        {
            for (index, (edge, (condition, written))) in edges.iter().zip(conditions).enumerate() {
                let label = Label::Op(Op::Assume(condition));
                let (next, taken) = self.automaton.step(node, label, edge.statements[0].span);
                if index == 0 && edges.len() == 2 {
                    let text = self.text(written);
                    self.automaton.builder.set_note(taken, Note::Condition(text));
                }
                self.edge(next, edge, &edge.statements[1..]);
            }
            return;
        }
        let names: Vec<(String, Span)> = edges
            .iter()
            .map(|edge| (format!("{} -> {}", edge.source.text, edge.target.text), edge.span))
            .collect();
        let nodes = self.automaton.choose(node, "edge", &names, span);
        for (edge, node) in edges.iter().zip(nodes) {
            self.edge(node, edge, &edge.statements);
        }
    }

    /// The assumptions that the edges begin with, and where they are written, if at most one of them holds in any state.
    fn exclusive(&mut self, edges: &[&Edge]) -> Option<Vec<(Term, Span)>> {
        let mut conditions: Vec<(Term, Span)> = Vec::new();
        for edge in edges {
            let Some(StatementKind::Assume(condition)) = edge.statements.first().map(|it| &it.kind) else {
                return None;
            };
            let meaning = self.expressions().of_type(condition, &Type::Bool).ok()?.meaning.ok()?;
            let term = meaning.value.whole().ok()?;
            let pool = &mut *self.automaton.pool;
            if pool.bool_constant(meaning.defined) != Some(true) {
                return None;
            }
            for (other, _) in &conditions {
                let both = pool.and(term, *other);
                if pool.bool_constant(both) != Some(false) {
                    return None;
                }
            }
            conditions.push((term, condition.span));
        }
        Some(conditions)
    }

    fn expressions(&mut self) -> Expressions<'_> {
        Expressions { pool: self.automaton.pool, variables: &self.readable, keys: &self.keys }
    }

    fn text(&self, span: Span) -> String {
        let line = self.lines.get(span.line as usize - 1).copied().unwrap_or_default();
        let start = span.column as usize - 1;
        line.get(start..start + span.length as usize).unwrap_or(line).to_owned()
    }

    fn edge(&mut self, node: Node, edge: &Edge, statements: &[Statement]) {
        let mut node = node;
        let mut is_reachable = true;
        for statement in statements {
            // What follows a construct that is not modelled is checked all the same.
            match self.statement(node, statement) {
                Ok(Some(next)) => node = next,
                Ok(None) => {
                    is_reachable = false;
                    node = self.automaton.node();
                }
                Err(error) => self.errors.push(error),
            }
        }
        if is_reachable {
            self.automaton.go(node, self.locations[edge.target.text.as_str()], edge.span);
        }
    }

    /// Lowers a statement; `None` if it is not modelled.
    fn statement(&mut self, node: Node, statement: &Statement) -> Result<Option<Node>, Diagnostic> {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Assume(condition) => {
                let typed = self.expressions().of_type(condition, &Type::Bool)?;
                let Some((node, value)) = self.defined(node, typed.meaning, span) else { return Ok(None) };
                let Value::Whole(term) = value else { return Ok(None) };
                Ok(Some(self.automaton.assume(node, term, span)))
            }
            StatementKind::Assign(name, expr) => {
                let index = self.variable(&name.text, name.span)?;
                let ty = self.readable[&name.text].ty.clone();
                let typed = self.expressions().of_type(expr, &ty)?;
                let meaning = typed.meaning.and_then(|meaning| {
                    self.readable[&name.text].value.as_ref().map_err(Clone::clone).map(|_| meaning)
                });
                let Some((node, value)) = self.defined(node, meaning, span) else { return Ok(None) };
                let terms = match value {
                    Value::Whole(term) => vec![term],
                    Value::Split(terms) => terms,
                };
                let parts = self.variables[index].parts.iter().zip(terms);
                let assignments: Vec<(Var, Term, Span)> =
                    parts.map(|((variable, _), term)| (*variable, term, span)).collect();
                Ok(Some(self.automaton.assign_all(node, &assignments)))
            }
            StatementKind::Havoc(name) => {
                let index = self.variable(&name.text, name.span)?;
                if let Err(reason) = &self.readable[&name.text].value {
                    self.automaton.unsupported(node, reason.clone(), span);
                    return Ok(None);
                }
                let variable = &self.variables[index];
                let mut node = node;
                for (part, _) in &variable.parts {
                    let origin = InputOrigin::Choice(self.automaton.builder.variable(*part).name.clone());
                    node = self.automaton.havoc(node, *part, origin, variable.presentation.clone(), span);
                }
                Ok(Some(node))
            }
        }
    }

    fn variable(&self, name: &str, span: Span) -> Result<usize, Diagnostic> {
        let index = self.by_name.get(name).copied();
        index.ok_or_else(|| Diagnostic::new(span, format!("variable `{name}` is not declared")))
    }

    /// The value of an expression, and the node from which it is defined; paths end where it is not.
    fn defined(&mut self, node: Node, meaning: Result<Meaning, String>, span: Span) -> Option<(Node, Value)> {
        let meaning = match meaning {
            Ok(meaning) => meaning,
            Err(reason) => {
                self.automaton.unsupported(node, reason, span);
                return None;
            }
        };
        if self.automaton.pool.bool_constant(meaning.defined) == Some(true) {
            return Some((node, meaning.value));
        }
        let (good, bad) = self.automaton.branch(node, meaning.defined, span);
        let what = "a value that the language does not define (of a division by zero, or of a float)";
        self.automaton.unsupported(bad, what.to_owned(), span);
        Some((good, meaning.value))
    }
}

fn presentation(ty: &Type) -> Presentation {
    let name = ty.to_string();
    match ty {
        Type::Int | Type::Rat => Presentation::Signed(name),
        Type::Bv(_) => Presentation::Unsigned(name),
        _ => Presentation::Raw(name),
    }
}

/// All indices of arrays that are literals.
fn mentioned_indices(process: &Process) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    let mut visit = |expr: &Expr| match &expr.kind {
        ExprKind::Read(_, index) => keys.extend(literal_key(index)),
        ExprKind::Write(parts) => keys.extend(literal_key(&parts[1])),
        ExprKind::Array { entries, .. } => {
            keys.extend(entries.iter().filter_map(|(index, _)| literal_key(index)))
        }
        _ => {}
    };
    for statement in process.edges.iter().flat_map(|edge| &edge.statements) {
        if let StatementKind::Assign(_, expr) | StatementKind::Assume(expr) = &statement.kind {
            each_subexpression(expr, &mut visit);
        }
    }
    keys
}

fn each_subexpression<'e>(expr: &'e Expr, visit: &mut impl FnMut(&'e Expr)) {
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        visit(expr);
        match &expr.kind {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Rat(..)
            | ExprKind::Bv(_)
            | ExprKind::Fp { .. }
            | ExprKind::Name(_) => {}
            ExprKind::Array { entries, default, .. } => {
                stack.extend(entries.iter().flat_map(|(index, element)| [index, element]));
                stack.push(default);
            }
            ExprKind::Unary(_, inner)
            | ExprKind::Quantified { body: inner, .. }
            | ExprKind::Extract { of: inner, .. }
            | ExprKind::Extend { of: inner, .. } => stack.push(inner),
            ExprKind::Chain(first, rest) => {
                stack.push(first);
                stack.extend(rest.iter().map(|(_, right)| right));
            }
            ExprKind::If(parts) | ExprKind::Write(parts) => stack.extend(parts.iter()),
            ExprKind::Read(array, index) => stack.extend([&**array, &**index]),
        }
    }
}

/// The variables that may be read before they are written, from a location on.
fn live_at<'m>(process: &'m Process, location: &str) -> FxHashSet<&'m str> {
    let mut live: FxHashMap<&str, FxHashSet<&'m str>> = FxHashMap::default();
    let mut changed = true;
    while changed {
        changed = false;
        for edge in process.edges.iter().rev() {
            let mut now = live.get(edge.target.text.as_str()).cloned().unwrap_or_default();
            for statement in edge.statements.iter().rev() {
                match &statement.kind {
                    StatementKind::Assign(name, expr) => {
                        now.remove(name.text.as_str());
                        read_by(expr, &mut now);
                    }
                    StatementKind::Havoc(name) => {
                        now.remove(name.text.as_str());
                    }
                    StatementKind::Assume(expr) => read_by(expr, &mut now),
                }
            }
            let known = live.entry(edge.source.text.as_str()).or_default();
            let before = known.len();
            known.extend(now);
            changed |= known.len() > before;
        }
    }
    live.remove(location).unwrap_or_default()
}

fn read_by<'m>(expr: &'m Expr, into: &mut FxHashSet<&'m str>) {
    each_subexpression(expr, &mut |expr| {
        if let ExprKind::Name(name) = &expr.kind {
            into.insert(name);
        }
    });
}
