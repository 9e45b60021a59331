//! Symbols: what functions and variables are called in the assembler's text, where `asm` labels, `alias`, `weak` and
//! `#pragma weak` apply, and which functions are called at the start and at the end of a program.

use super::attributes::Attributes;
use super::scope::Symbol;
use super::{Checked, Checker};
use crate::typed::{
    CallObjects, Callee, Expr, ExprKind, FunctionId, LValue, LValueKind, ObjectId, Stmt, StmtKind, Storage,
};
use crate::types::{Type, TypeId};
use lang_c::ast::Expression;
use lang_c::span::{Node, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What is known about symbols.
#[derive(Default)]
pub(super) struct Symbols {
    functions: BTreeMap<FunctionId, Linkage>,
    /// Variables that are another name of a symbol, which must be defined: the symbol, its variable, and where.
    alias_targets: Vec<(String, ObjectId, Span)>,
    weak_objects: Vec<ObjectId>,
    /// Variables whose symbol is given by a label, with their names.
    labelled: FxHashMap<ObjectId, String>,
    /// Variables that were used before everything was known about them.
    pub(super) used: FxHashSet<ObjectId>,
    /// Variables that hold which function another one is, with the function that says so.
    resolvers: Vec<(ObjectId, String, Span)>,
}

/// How a function's symbol is found.
#[derive(Default)]
struct Linkage {
    label: Option<String>,
    alias: Option<(String, Span)>,
    weak: bool,
    constructor: Option<u32>,
    destructor: Option<u32>,
}

/// The function of the library's models that calls what was given to `atexit`.
const RUN_AT_EXIT: &str = "__asterlib_run_at_exit";

/// The name in C that an assembler's symbol is known by here. The C library's headers rename functions to variants of
/// them, which do the same for the program that was compiled with these headers.
fn canonical(label: &str, name: &str) -> String {
    let label = label.trim_start_matches('*');
    let variant = label.strip_prefix("__isoc99_").or(label.strip_prefix("__isoc23_"));
    let large = label.strip_suffix("64");
    if variant == Some(name) || large == Some(name) { name.to_owned() } else { label.to_owned() }
}

impl Checker<'_> {
    /// What `#pragma weak` says about a name, added to its attributes.
    pub(super) fn add_weak_pragmas(&self, name: &str, attributes: &mut Attributes) {
        for pragma in self.prepared.weak.iter().filter(|pragma| pragma.name == name) {
            attributes.weak = true;
            if let Some(target) = &pragma.target {
                attributes.alias = Some(target.clone());
            }
        }
    }

    /// A function is declared with attributes.
    pub(super) fn note_function_symbol(&mut self, id: FunctionId, span: Span, attributes: &Attributes) {
        let mut attributes = attributes.clone();
        let function = &mut self.functions[id.index()];
        function.noreturn |= attributes.noreturn;
        if let Some(what) = attributes.refused.take() {
            function.refused.get_or_insert(what);
        }
        let name = function.name.clone();
        self.add_weak_pragmas(&name, &mut attributes);
        let Attributes { alias, label, weak, constructor, destructor, .. } = attributes;
        if !weak && alias.is_none() && label.is_none() && constructor.is_none() && destructor.is_none() {
            return;
        }
        let linkage = self.symbols.functions.entry(id).or_default();
        linkage.weak |= weak;
        if let Some(label) = label {
            linkage.label = Some(canonical(&label, &name));
        }
        if let Some(target) = alias {
            linkage.alias = Some((target, span));
        }
        linkage.constructor = constructor.or(linkage.constructor);
        linkage.destructor = destructor.or(linkage.destructor);
    }

    /// The variable that a declaration with these attributes means, if it is that of another symbol than the name.
    pub(super) fn object_of_symbol(
        &mut self,
        name: &str,
        ty: TypeId,
        span: Span,
        attributes: &mut Attributes,
    ) -> Option<ObjectId> {
        self.add_weak_pragmas(name, attributes);
        let label = attributes.label.take().map(|label| canonical(&label, name));
        let target = attributes.alias.clone().or(label).filter(|target| target != name)?;
        let id = match self.scopes.linked(&target) {
            Some(Symbol::Object(id)) => {
                if attributes.alias.is_none() {
                    self.name_object(id, name);
                }
                id
            }
            Some(_) => {
                attributes.refused = Some(format!("variable whose symbol is that of '{target}'"));
                return None;
            }
            None => {
                let id = self.new_object(target.clone(), ty, Storage::External, span);
                self.scopes.link(&target, Symbol::Object(id));
                if attributes.alias.is_none() {
                    self.symbols.labelled.insert(id, name.to_owned());
                }
                id
            }
        };
        if !self.types.compatible(self.object(id).ty, ty) {
            attributes.refused = Some(format!("another name of '{target}' with another type"));
            return None;
        }
        if let Some(Symbol::Object(old)) = self.scopes.linked(name)
            && old != id
        {
            let what = format!("variable that turned out to be another name of '{target}'");
            // What was written down about it cannot be changed.
            if self.symbols.used.contains(&old) || self.object(old).storage == Storage::Static {
                self.objects[old.index()].refused = Some(what.clone());
                self.objects[id.index()].refused = Some(what);
            }
        }
        self.scopes.link(name, Symbol::Object(id));
        if attributes.alias.is_some() {
            self.symbols.alias_targets.push((target, id, span));
        }
        Some(id)
    }

    pub(super) fn is_labelled(&self, id: ObjectId) -> bool {
        self.symbols.labelled.contains_key(&id)
    }

    /// A variable is declared by a name. If its symbol comes from a label and it has two names, gcc takes them for two
    /// variables as far as it optimises.
    pub(super) fn name_object(&mut self, id: ObjectId, name: &str) {
        let known = self.symbols.labelled.get(&id).unwrap_or(&self.objects[id.index()].name);
        if known != name {
            let what = format!("variable with the two names '{known}' and '{name}'");
            self.objects[id.index()].refused = Some(what);
        }
    }

    /// The type of an expression that is not evaluated. A variable that it names is not used by that.
    pub(super) fn unevaluated(&mut self, expression: &Node<Expression>) -> Checked<TypeId> {
        let named = match &expression.node {
            Expression::Identifier(name) => match self.scopes.lookup(&name.node.name) {
                Some(Symbol::Object(id)) if !self.symbols.used.contains(&id) => Some(id),
                _ => None,
            },
            _ => None,
        };
        let ty = self.operand(expression)?.ty(self);
        if let Some(id) = named {
            self.symbols.used.remove(&id);
        }
        Ok(ty)
    }

    pub(super) fn note_weak_object(&mut self, id: ObjectId) {
        self.symbols.weak_objects.push(id);
    }

    /// A function with the attribute `ifunc`: a pointer that is set at the start takes its place.
    pub(super) fn declare_indirect(
        &mut self,
        name: &str,
        ty: TypeId,
        span: Span,
        resolver: &str,
    ) -> Checked<()> {
        if self.scopes.linked(name).is_some() {
            return Err(self.error(span, format!("'{name}' is declared before its attribute 'ifunc'")));
        }
        let pointer = self.types.pointer(ty);
        let object = self.new_object(format!("<{name}>"), pointer, Storage::Static, span);
        self.scopes.link(name, Symbol::Indirect(object));
        self.scopes.declare(name, Symbol::Indirect(object));
        self.symbols.resolvers.push((object, resolver.to_owned(), span));
        Ok(())
    }

    /// Everything was declared: functions without a body get the one that their symbol has.
    pub(super) fn resolve_symbols(&mut self) {
        let mut bodies: FxHashMap<String, FunctionId> = FxHashMap::default();
        let linkages = std::mem::take(&mut self.symbols.functions);
        let symbol = |checker: &Self, id: FunctionId| {
            let label = linkages.get(&id).and_then(|linkage| linkage.label.clone());
            label.unwrap_or_else(|| checker.functions[id.index()].name.clone())
        };
        for index in 0..self.functions.len() {
            let id = FunctionId::from_index(index);
            if self.functions[index].body.is_some()
                && let Some(other) = bodies.insert(symbol(self, id), id)
                && other != id
            {
                let text = format!("'{}' is defined twice in the assembler's text", symbol(self, id));
                self.diagnostics.push(self.error(self.functions[index].span, text));
            }
        }
        for (&id, linkage) in &linkages {
            let has_body = self.functions[id.index()].body.is_some();
            if let Some((target, span)) = &linkage.alias {
                let known = bodies.get(target).copied().filter(|&body| body != id);
                match known {
                    Some(body) if !has_body => {
                        self.functions[id.index()].model = Some(body);
                        // What calls of the one mean, calls of the other mean as well.
                        let noreturn = self.functions[body.index()].noreturn;
                        self.functions[id.index()].noreturn |= noreturn;
                    }
                    _ => {
                        let what = format!("another name of '{target}', which the program does not define");
                        self.functions[id.index()].refused.get_or_insert(what);
                        if !linkage.weak && !has_body {
                            let name = &self.functions[id.index()].name;
                            let text = format!("'{name}' aliased to undefined symbol '{target}'");
                            self.diagnostics.push(self.error(*span, text));
                        }
                    }
                }
            } else if let Some(label) = &linkage.label
                && !has_body
            {
                match bodies.get(label) {
                    Some(&body) => self.functions[id.index()].model = Some(body),
                    None => self.functions[id.index()].name.clone_from(label),
                }
            }
        }
        for index in 0..self.functions.len() {
            let id = FunctionId::from_index(index);
            let function = &self.functions[index];
            if function.body.is_some() || function.model.is_some() {
                continue;
            }
            if let Some(&body) = bodies.get(&symbol(self, id)) {
                self.functions[index].model = Some(body);
            } else if linkages.get(&id).is_some_and(|linkage| linkage.weak)
                && !crate::lower::is_known_function(&function.name)
                && self.model_of(&function.name).is_none()
            {
                let what = "weak function that the program does not define".to_owned();
                self.functions[index].refused.get_or_insert(what);
            }
        }
        self.resolve_objects();
        self.collect_calls(&linkages);
    }

    fn resolve_objects(&mut self) {
        for (target, id, span) in std::mem::take(&mut self.symbols.alias_targets) {
            if self.object(id).storage != Storage::Static {
                let text = format!("alias of the symbol '{target}', which the program does not define");
                self.diagnostics.push(self.error(span, text));
            }
        }
        for id in std::mem::take(&mut self.symbols.weak_objects) {
            if self.object(id).storage == Storage::External {
                let what = "weak variable that the program does not define".to_owned();
                self.objects[id.index()].refused = Some(what);
            }
        }
    }

    /// The calls at the start and at the end of the program.
    fn collect_calls(&mut self, linkages: &BTreeMap<FunctionId, Linkage>) {
        for (object, name, span) in std::mem::take(&mut self.symbols.resolvers) {
            let Some(Symbol::Function(resolver)) = self.scopes.linked(&name) else {
                let text = format!("the resolver '{name}' is not defined");
                self.diagnostics.push(self.error(span, text));
                continue;
            };
            let call = self.plain_call(resolver, span);
            let ty = self.object(object).ty;
            if !self.types.is_pointer(call.ty) {
                let text = format!("the resolver '{name}' does not give a pointer");
                self.diagnostics.push(self.error(span, text));
                continue;
            }
            let call = self.convert(call, ty);
            let place = LValue { kind: LValueKind::Object(object), ty };
            let assign = Expr::new(&self.types, ExprKind::Assign(place, Box::new(call)), ty, span);
            self.startup.push(Stmt { kind: StmtKind::Expr(assign), span });
        }
        let by_priority = |checker: &Self, select: fn(&Linkage) -> Option<u32>| {
            let mut chosen: Vec<(u32, usize, FunctionId)> = Vec::new();
            for (&id, linkage) in linkages {
                let body = checker.functions[id.index()].body.as_ref();
                if let (Some(priority), Some(body)) = (select(linkage), body) {
                    chosen.push((priority, body.span.start, id));
                }
            }
            chosen.sort_unstable();
            chosen.into_iter().map(|(_, _, id)| id).collect::<Vec<_>>()
        };
        for id in by_priority(self, |linkage| linkage.constructor) {
            let span = self.functions[id.index()].span;
            let call = self.plain_call(id, span);
            self.startup.push(Stmt { kind: StmtKind::Expr(call), span });
        }
        let registers = |function: &crate::typed::Function| {
            matches!(function.name.as_str(), "atexit" | "__builtin_atexit")
                && function.mentioned
                && function.body.is_none()
        };
        if self.functions.iter().any(registers)
            && let Some(Symbol::Function(run)) = self.scopes.linked(RUN_AT_EXIT)
        {
            let span = self.functions[run.index()].span;
            let call = self.plain_call(run, span);
            self.shutdown.push(call);
        }
        for id in by_priority(self, |linkage| linkage.destructor).into_iter().rev() {
            let span = self.functions[id.index()].span;
            let call = self.plain_call(id, span);
            self.shutdown.push(call);
        }
    }

    /// A call without arguments.
    fn plain_call(&mut self, function: FunctionId, span: Span) -> Expr {
        let void = self.types.void();
        let Type::Function(ty) = self.types.get(self.functions[function.index()].ty).clone() else {
            return self.unsupported("call of what is no function", void, span);
        };
        let parameters =
            self.functions[function.index()].body.as_ref().map_or(0, |body| body.parameters.len());
        if parameters > 0 || ty.variadic || self.types.as_record(ty.result).is_some() {
            // The C library gives the arguments of `main` to them.
            let what = "function with parameters that is called at the start or end of the program";
            return self.unsupported(what, void, span);
        }
        self.functions[function.index()].mentioned = true;
        let kind = ExprKind::Call(Callee::Function(function), Vec::new(), CallObjects::default());
        Expr::new(&self.types, kind, ty.result, span)
    }
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn variants_of_the_c_library_are_known_by_their_names() {
        assert_eq!(canonical("__isoc99_sscanf", "sscanf"), "sscanf");
        assert_eq!(canonical("lseek64", "lseek"), "lseek");
        assert_eq!(canonical("__xpg_strerror_r", "strerror_r"), "__xpg_strerror_r");
        assert_eq!(canonical("*g", "f"), "g");
    }
}
