//! From syntax to transition systems: constants, variables, instances of processes, conditions.

use super::expression::{Entity, Expressions, Family, Names, Type, Typed};
use super::syntax::{self, Declaration, Index, Model, Process};
use super::system::{Assigned, Domain, ErrorCondition, System, Transition, Variable};
use crate::tokens::Name;
use aster_cfa::{Diagnostic, FileId, SourceMap, Span};
use aster_term::{Op, Substitution, Term, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

/// Instances of one process or array.
const MAX_INSTANCES: i64 = 10_000;

/// Makes a system, still without sources.
pub(super) fn expand(
    pool: &mut TermPool,
    model: &Model,
    settings: &[(String, String)],
    file: FileId,
    text: &str,
) -> Result<System, Vec<Diagnostic>> {
    let mut expander = Expander {
        pool,
        names: Names::default(),
        constants: Vec::new(),
        errors: Vec::new(),
        expressions: 0,
        lines: text.lines().collect(),
    };
    expander.constants(model, settings, file);
    // Nothing else makes sense before the constants do.
    if expander.errors.is_empty() {
        expander.variables(model);
    }
    let system = if expander.errors.is_empty() { expander.system(model, file) } else { None };
    let mut seen = FxHashSet::default();
    let mut errors = expander.errors;
    // Instances of one process have the same errors.
    errors.retain(|error| seen.insert((error.span, error.message.clone())));
    match system {
        Some(system) if errors.is_empty() => Ok(system),
        _ => Err(errors),
    }
}

struct Expander<'a> {
    pool: &'a mut TermPool,
    names: Names,
    constants: Vec<(String, String)>,
    errors: Vec<Diagnostic>,
    expressions: usize,
    lines: Vec<&'a str>,
}

impl<'a> Expander<'a> {
    fn expressions(&mut self) -> Expressions<'_> {
        Expressions {
            pool: self.pool,
            names: &self.names,
            own: None,
            bound: Vec::new(),
            deadlock: None,
            expressions: &mut self.expressions,
        }
    }

    /// Keeps the error, if it is one.
    fn note<T>(&mut self, result: Result<T, Diagnostic>) -> Option<T> {
        result.map_err(|error| self.errors.push(error)).ok()
    }

    fn error(&mut self, span: Span, message: String) {
        self.errors.push(Diagnostic::new(span, message));
    }

    fn constants(&mut self, model: &Model, settings: &[(String, String)], file: FileId) {
        for (name, value) in settings {
            if !model.constants.iter().any(|constant| constant.name.text == *name) {
                let message = format!("there is no constant `{name}` that could be {value}");
                self.error(Span::line_start(file, 1), message);
            }
        }
        for constant in &model.constants {
            let name = &constant.name;
            // The last setting counts.
            let setting = settings.iter().rev().find(|(known, _)| *known == name.text);
            let own = self.expressions().expr(&constant.value);
            let Some(own) = self.note(own) else { continue };
            let typed = match setting {
                Some((_, value)) => match self.setting(value, &own) {
                    Some(typed) => typed,
                    None => {
                        let kind = if own.ty == Type::Bool { "a truth value" } else { "an integer" };
                        self.error(
                            name.span,
                            format!("constant `{}` must be {kind}, not {value}", name.text),
                        );
                        continue;
                    }
                },
                None => own,
            };
            if self.pool.constant(typed.term).is_none() {
                self.error(constant.value.span, "the value of a constant must not use variables".to_owned());
                continue;
            }
            if let Some(range) = &constant.range {
                let ends = self.expressions().range(range);
                let Some((low, high)) = self.note(ends) else { continue };
                if !typed.ty.is_within(&Domain::Range(low, high)) {
                    let shown = self.shown(&typed);
                    let message = format!("constant `{}` must be in {low}..{high}, not {shown}", name.text);
                    let span = if setting.is_some() { name.span } else { constant.value.span };
                    self.error(span, message);
                    continue;
                }
            }
            let shown = self.shown(&typed);
            self.constants.push((name.text.clone(), shown));
            self.declare(name, Entity::Constant(typed));
        }
    }

    /// The value that the user gives a constant, if it is of the right kind.
    fn setting(&mut self, value: &str, own: &Typed) -> Option<Typed> {
        match (&own.ty, value) {
            (Type::Bool, "true" | "false") => {
                Some(Typed { term: self.pool.bool(value == "true"), ty: Type::Bool })
            }
            (Type::Int(..), _) => {
                let number: i64 = value.parse().ok()?;
                let bound = Some(i128::from(number));
                Some(Typed { term: self.pool.int(number.into()), ty: Type::Int(bound, bound) })
            }
            _ => None,
        }
    }

    fn shown(&self, typed: &Typed) -> String {
        match self.pool.bool_constant(typed.term) {
            Some(truth) => truth.to_string(),
            None => {
                self.pool.rational_constant(typed.term).map_or("?".to_owned(), |number| number.to_string())
            }
        }
    }

    fn declare(&mut self, name: &Name, entity: Entity) {
        if self.names.globals.insert(name.text.clone(), entity).is_some() {
            self.error(name.span, format!("`{}` is already declared", name.text));
        }
    }

    fn variables(&mut self, model: &Model) {
        for declaration in &model.variables {
            if let Some(entity) = self.declaration(declaration, "", &[]) {
                self.declare(&declaration.name, entity);
            }
        }
        for process in &model.processes {
            self.process(process);
        }
        let locals = model.processes.iter().flat_map(|process| &process.variables);
        for name in locals.map(|variable| &variable.name) {
            if self.names.values.contains(&name.text) {
                self.error(name.span, format!("`{}` is a value of an enumeration", name.text));
            }
        }
    }

    fn process(&mut self, process: &Process) {
        let name = &process.name;
        if self.names.families.contains_key(&name.text) {
            self.error(name.span, format!("process `{}` is already declared", name.text));
            return;
        }
        let Some(range) = self.indices(process.index.as_ref()) else { return };
        let first = range.map(|(low, _)| low);
        let mut instances = Vec::new();
        for index in instance_numbers(range) {
            let prefix = format!("{}.", instance_name(&name.text, index));
            let bound = self.bound(process.index.as_ref(), index);
            let mut locals: FxHashMap<String, Entity> = FxHashMap::default();
            for declaration in &process.variables {
                let Some(entity) = self.declaration(declaration, &prefix, &bound) else { continue };
                let local = &declaration.name;
                if locals.insert(local.text.clone(), entity).is_some() {
                    self.error(local.span, format!("`{}` is already declared", local.text));
                }
            }
            instances.push(locals);
        }
        self.names.families.insert(name.text.clone(), Family { first, instances });
        let mut known = FxHashSet::default();
        for transition in &process.transitions {
            if !known.insert(transition.name.text.as_str()) {
                let message = format!("transition `{}` is already declared", transition.name.text);
                self.error(transition.name.span, message);
            }
        }
    }

    /// The range of an index; `Some(None)` if there is no index.
    fn indices(&mut self, index: Option<&Index>) -> Option<Option<(i64, i64)>> {
        let Some(index) = index else { return Some(None) };
        let range = self.expressions().range(&index.range);
        let (low, high) = self.note(range)?;
        let count = high.checked_sub(low).and_then(|count| count.checked_add(1));
        match count {
            Some(count) if (1..=MAX_INSTANCES).contains(&count) => Some(Some((low, high))),
            _ => {
                let message = format!("the range {low}..{high} must have 1 to {MAX_INSTANCES} numbers");
                self.error(index.range.span, message);
                None
            }
        }
    }

    fn bound(&self, index: Option<&Index>, number: Option<i64>) -> Vec<(String, i64)> {
        let name = index.and_then(|index| index.name.as_ref());
        name.zip(number).map(|(name, number)| (name.text.clone(), number)).into_iter().collect()
    }

    /// Adds the variables of a declaration.
    fn declaration(
        &mut self,
        declaration: &Declaration,
        prefix: &str,
        bound: &[(String, i64)],
    ) -> Option<Entity> {
        let domain = self.domain(&declaration.domain, bound)?;
        let range = self.indices(declaration.index.as_ref())?;
        let mut positions = Vec::new();
        for index in instance_numbers(range) {
            let mut bound = bound.to_vec();
            bound.extend(self.bound(declaration.index.as_ref(), index));
            let initial = match &declaration.initial {
                Some(initial) => Some(self.initial(initial, &domain, bound)?),
                None => None,
            };
            let name = format!("{prefix}{}", instance_name(&declaration.name.text, index));
            let term = self.pool.fresh_variable(&name, domain.sort());
            positions.push(self.names.variables.len());
            let span = declaration.name.span;
            self.names.variables.push(Variable { name, term, domain: domain.clone(), initial, span });
        }
        Some(match range {
            Some((low, _)) => Entity::Array(low, positions),
            None => Entity::Scalar(positions[0]),
        })
    }

    fn domain(&mut self, domain: &syntax::Domain, bound: &[(String, i64)]) -> Option<Domain> {
        Some(match domain {
            syntax::Domain::Int => Domain::Int,
            syntax::Domain::Bool => Domain::Bool,
            syntax::Domain::Range(range) => {
                let mut expressions = self.expressions();
                expressions.bound = bound.to_vec();
                let ends = expressions.range(range);
                let (low, high) = self.note(ends)?;
                if low > high {
                    self.error(range.span, format!("the range {low}..{high} is empty"));
                    return None;
                }
                Domain::Range(low, high)
            }
            syntax::Domain::Enumeration(names) => {
                let mut codes = Vec::new();
                for name in names {
                    let code = self.enumeration_value(name);
                    if codes.contains(&code) {
                        self.error(name.span, format!("`{}` is here twice", name.text));
                        continue;
                    }
                    codes.push(code);
                }
                Domain::Enumeration(codes)
            }
        })
    }

    /// The code of a value. Enumerations can have values in common.
    fn enumeration_value(&mut self, name: &Name) -> u32 {
        if let Some(code) = self.names.values.iter().position(|value| *value == name.text) {
            return code as u32;
        }
        let code = self.names.values.len() as u32;
        self.names.values.push(name.text.clone());
        self.declare(name, Entity::Value(code));
        code
    }

    fn initial(
        &mut self,
        initial: &syntax::Expr,
        domain: &Domain,
        bound: Vec<(String, i64)>,
    ) -> Option<Term> {
        let mut expressions = self.expressions();
        expressions.bound = bound;
        let typed = expressions.expr(initial);
        let typed = self.note(typed)?;
        let shown = domain.show(&self.names.values);
        if std::mem::discriminant(&typed.ty) != std::mem::discriminant(&Type::of(domain)) {
            let error = self.expressions().mismatch(initial.span, &shown, &typed.ty);
            self.errors.push(error);
            return None;
        }
        if self.pool.constant(typed.term).is_none() {
            let error = Diagnostic::new(initial.span, "a first value must not use variables");
            self.errors.push(error.with_note("an `init` condition can"));
            return None;
        }
        if !typed.ty.is_within(domain) {
            let value = self.shown(&typed);
            self.error(initial.span, format!("the first value {value} is not in {shown}"));
            return None;
        }
        Some(typed.term)
    }

    fn system(&mut self, model: &Model, file: FileId) -> Option<System> {
        let mut errors = Vec::new();
        let mut transitions = Vec::new();
        for process in &model.processes {
            self.transitions(process, &mut transitions, &mut errors);
        }
        let mut deadlock = self.pool.bool(true);
        for transition in &transitions {
            let disabled = self.pool.not(transition.guard);
            deadlock = self.pool.and(deadlock, disabled);
        }
        let mut conditions = Vec::new();
        for condition in &model.conditions {
            let mut expressions = self.expressions();
            expressions.deadlock = Some(deadlock);
            let term = expressions.boolean(&condition.expr);
            let Some(term) = self.note(term) else { continue };
            let text = self.text(condition.span);
            let (term, what) = match condition.is_error {
                true => (term, format!("`{text}` holds")),
                false => (self.pool.not(term), format!("`{text}` does not hold")),
            };
            conditions.push(ErrorCondition { term, what, span: condition.span });
        }
        if model.conditions.is_empty() {
            let error = Diagnostic::new(Span::line_start(file, 1), "there is nothing to check");
            self.errors.push(error.with_note("a model has a `safe` or an `error` condition"));
        }
        // The model's own conditions come first.
        conditions.append(&mut errors);
        let init_conditions = self.init_conditions(model)?;
        let init_conditions = self.solved(init_conditions);
        let mut init = init_conditions;
        for variable in &self.names.variables {
            if let Some(value) = variable.initial {
                let equal = self.pool.eq(variable.term, value);
                init = self.pool.and(init, equal);
            }
        }
        let mut error = self.pool.bool(false);
        for condition in &conditions {
            error = self.pool.or(error, condition.term);
        }
        Some(System {
            sources: SourceMap::new(),
            constants: std::mem::take(&mut self.constants),
            variables: std::mem::take(&mut self.names.variables),
            init,
            init_conditions,
            transitions,
            errors: conditions,
            error,
            names: std::mem::take(&mut self.names.values).into(),
        })
    }

    fn init_conditions(&mut self, model: &Model) -> Option<Term> {
        let mut all = self.pool.bool(true);
        for variable in self.names.variables.iter().filter(|variable| variable.initial.is_none()) {
            let inside = variable.domain.contains(self.pool, variable.term);
            all = self.pool.and(all, inside);
        }
        for condition in &model.initial {
            let term = self.expressions().boolean(condition);
            if let Some(term) = self.note(term) {
                all = self.pool.and(all, term);
            }
        }
        self.errors.is_empty().then_some(all)
    }

    /// Turns conditions that say what a variable is into first values: a state that is known exactly is cheaper to
    /// start from. Gives what is left of the conditions.
    fn solved(&mut self, conditions: Term) -> Term {
        let mut left = conditions;
        loop {
            let mut known = Substitution::new();
            let mut found = false;
            for conjunct in conjuncts(self.pool, left) {
                let Some((variable, value)) = self.equation(conjunct) else { continue };
                if variable.initial.is_none() {
                    variable.initial = Some(value);
                    known.insert(variable.term, value);
                    found = true;
                }
            }
            if !found {
                return left;
            }
            left = known.apply(self.pool, left);
        }
    }

    /// The variable that a condition gives a value, with that value.
    fn equation(&mut self, condition: Term) -> Option<(&mut Variable, Term)> {
        let pool = &mut *self.pool;
        let (variable, value) = match (pool.op(condition), pool.args(condition)) {
            (Op::Variable(_), _) => (condition, pool.bool(true)),
            (Op::Not, &[inner]) if pool.is_variable(inner) => (inner, pool.bool(false)),
            (Op::Eq, &[a, b]) if pool.is_variable(a) && pool.constant(b).is_some() => (a, b),
            (Op::Eq, &[a, b]) if pool.is_variable(b) && pool.constant(a).is_some() => (b, a),
            _ => return None,
        };
        self.names.variables.iter_mut().find(|known| known.term == variable).map(|known| (known, value))
    }

    /// The text of a condition, on one line.
    fn text(&self, span: Span) -> String {
        let line = self.lines.get(span.line as usize - 1).copied().unwrap_or_default();
        let start = span.column as usize - 1;
        line.get(start..start + span.length as usize).unwrap_or(line).trim().to_owned()
    }

    fn transitions(
        &mut self,
        process: &Process,
        transitions: &mut Vec<Transition>,
        errors: &mut Vec<ErrorCondition>,
    ) {
        let name = &process.name.text;
        let Some(family) = self.names.families.get(name) else { return };
        let (first, count) = (family.first, family.instances.len());
        for at in 0..count {
            let index = first.map(|first| first + at as i64);
            let bound = self.bound(process.index.as_ref(), index);
            let instance = Instance { family: name, at, index, bound: &bound };
            for transition in &process.transitions {
                self.transition(&instance, transition, transitions, errors);
            }
        }
    }

    fn transition(
        &mut self,
        instance: &Instance<'_>,
        transition: &syntax::Transition,
        transitions: &mut Vec<Transition>,
        errors: &mut Vec<ErrorCondition>,
    ) {
        let mut expressions = Expressions {
            pool: self.pool,
            names: &self.names,
            own: Some((instance.family, instance.at)),
            bound: instance.bound.to_vec(),
            deadlock: None,
            expressions: &mut self.expressions,
        };
        let process = instance_name(instance.family, instance.index);
        let mut assignments: Vec<(usize, Assigned)> = Vec::new();
        let mut outside: Vec<(Term, String, Span)> = Vec::new();
        let mut problems = Vec::new();
        let guard = expressions.boolean(&transition.guard).map_err(|error| problems.push(error)).ok();
        for assignment in &transition.assignments {
            match assign(&mut expressions, assignment) {
                Ok((position, ..)) if assignments.iter().any(|(other, _)| *other == position) => {
                    let name = &expressions.names.variables[position].name;
                    let message = format!("`{name}` is assigned twice at the same time");
                    problems.push(Diagnostic::new(assignment.span, message));
                }
                Ok((position, assigned, inside)) => {
                    assignments.push((position, assigned));
                    let variable = &expressions.names.variables[position];
                    if let Some(inside) = inside {
                        let domain = variable.domain.show(&expressions.names.values);
                        let what = format!(
                            "transition `{process}.{}` gives `{}` a value outside of {domain}",
                            transition.name.text, variable.name
                        );
                        outside.push((inside, what, assignment.span));
                    }
                }
                Err(error) => problems.push(error),
            }
        }
        self.errors.append(&mut problems);
        let Some(guard) = guard else { return };
        for (inside, what, span) in outside {
            let wrong = self.pool.not(inside);
            let term = self.pool.and(guard, wrong);
            if self.pool.bool_constant(term) != Some(false) {
                errors.push(ErrorCondition { term, what, span });
            }
        }
        transitions.push(Transition {
            name: transition.name.text.clone(),
            process,
            family: (instance.family.to_owned(), instance.index),
            guard,
            assignments,
            span: transition.name.span,
        });
    }
}

/// The parts of a conjunction.
fn conjuncts(pool: &TermPool, term: Term) -> Vec<Term> {
    let (mut parts, mut stack) = (Vec::new(), vec![term]);
    while let Some(term) = stack.pop() {
        match pool.op(term) {
            Op::And => stack.extend(pool.args(term)),
            _ => parts.push(term),
        }
    }
    parts
}

/// One of the processes that a declaration stands for.
struct Instance<'a> {
    family: &'a str,
    /// Its position among the instances.
    at: usize,
    index: Option<i64>,
    bound: &'a [(String, i64)],
}

/// The variable, what it gets, and what must hold for that to be in its range, if that is not sure.
fn assign(
    expressions: &mut Expressions<'_>,
    assignment: &syntax::Assignment,
) -> Result<(usize, Assigned, Option<Term>), Diagnostic> {
    let position = expressions.position(&assignment.place)?;
    let Some(value) = &assignment.value else { return Ok((position, Assigned::Nondet, None)) };
    let typed = expressions.expr(value)?;
    let domain = expressions.names.variables[position].domain.clone();
    let expected = Type::of(&domain);
    let fits = match (&typed.ty, &expected) {
        (Type::Enumeration(codes), Type::Enumeration(all)) => !codes.is_disjoint(all),
        (found, expected) => std::mem::discriminant(found) == std::mem::discriminant(expected),
    };
    if !fits {
        let shown = domain.show(&expressions.names.values);
        return Err(expressions.mismatch(value.span, &shown, &typed.ty));
    }
    let is_sure = typed.ty.is_within(&domain);
    let inside = (!is_sure).then(|| domain.contains(expressions.pool, typed.term));
    Ok((position, Assigned::Term(typed.term), inside))
}

/// The indices of a range; one without a number if there is no range.
fn instance_numbers(range: Option<(i64, i64)>) -> Vec<Option<i64>> {
    match range {
        Some((low, high)) => (low..=high).map(Some).collect(),
        None => vec![None],
    }
}

fn instance_name(name: &str, index: Option<i64>) -> String {
    index.map_or_else(|| name.to_owned(), |index| format!("{name}[{index}]"))
}
