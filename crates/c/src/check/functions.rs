//! Function definitions.

use super::declarators::{Parameter, Parameters};
use super::scope::Symbol;
use super::{Checked, Checker};
use crate::typed::{BlockId, Body, Case, FunctionId, LabelId, ObjectId, Stmt, StmtKind, Storage};
use crate::types::{FunctionType, Type, TypeId};
use lang_c::ast::{Declaration, FunctionDefinition, Identifier, Statement, StorageClassSpecifier};
use lang_c::span::{Node, Span};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The locals that are in scope at a point: the last one declared, which knows the one before.
pub(super) type Visible = Option<usize>;

/// A local in the tree of locals by scope.
struct Local {
    object: ObjectId,
    before: Visible,
    depth: usize,
}

/// A label of the function.
struct LabelInfo {
    id: LabelId,
    /// The locals in scope where it is, once it was seen.
    place: Option<Visible>,
    /// The block that it is in.
    block: Option<BlockId>,
    /// The locals in scope at each `goto`, and where that is.
    gotos: Vec<(Visible, Span)>,
}

/// A switch whose body is being checked.
pub(super) struct SwitchContext {
    /// The type of the selecting value.
    pub(super) ty: TypeId,
    /// The cases met so far.
    pub(super) cases: Vec<Case>,
    /// First and last values of the cases.
    ranges: BTreeMap<i128, i128>,
    /// `default` was met.
    pub(super) has_default: bool,
    /// The locals in scope at the switch.
    visible: Visible,
}

impl SwitchContext {
    /// Notes the values of a case; false if another one has some of them already.
    pub(super) fn add_range(&mut self, from: i128, to: i128) -> bool {
        if from > to {
            return true;
        }
        let before = self.ranges.range(..=to).next_back();
        let is_new = before.is_none_or(|(_, &last)| last < from);
        self.ranges.insert(from, to);
        is_new
    }
}

/// What the checker knows while it is inside of a function.
pub(super) struct FunctionContext {
    pub(super) id: FunctionId,
    pub(super) name: String,
    pub(super) result: TypeId,
    /// The parameters end in `...`.
    pub(super) variadic: bool,
    /// Holds the address of the arguments for `...`, once somebody asked for them.
    pub(super) extra: Option<ObjectId>,
    labels: FxHashMap<String, LabelInfo>,
    /// Names of labels in the order of their ids.
    label_names: Vec<String>,
    locals: Vec<Local>,
    pub(super) visible: Visible,
    /// The innermost block at hand.
    pub(super) block: Option<BlockId>,
    /// The block that variables declared here live in. Those of variable length have blocks of their own, from their
    /// declaration on.
    pub(super) home: Option<BlockId>,
    /// Labels whose address is taken.
    addressed: BTreeSet<LabelId>,
    /// The locals in scope at each `goto` to an address.
    computed_gotos: Vec<Visible>,
    bypassed: BTreeSet<ObjectId>,
    pub(super) switches: Vec<SwitchContext>,
    /// How many statements around allow `break` and `continue`.
    pub(super) breakable: usize,
    pub(super) continuable: usize,
}

impl FunctionContext {
    fn new(id: FunctionId, name: String, result: TypeId, variadic: bool) -> Self {
        FunctionContext {
            id,
            name,
            result,
            variadic,
            extra: None,
            labels: FxHashMap::default(),
            label_names: Vec::new(),
            locals: Vec::new(),
            visible: None,
            block: None,
            home: None,
            addressed: BTreeSet::new(),
            computed_gotos: Vec::new(),
            bypassed: BTreeSet::new(),
            switches: Vec::new(),
            breakable: 0,
            continuable: 0,
        }
    }

    fn declare(&mut self, object: ObjectId) {
        let depth = self.depth(self.visible) + 1;
        self.locals.push(Local { object, before: self.visible, depth });
        self.visible = Some(self.locals.len() - 1);
    }

    fn depth(&self, visible: Visible) -> usize {
        visible.map_or(0, |index| self.locals[index].depth)
    }

    fn label(&mut self, name: &str) -> &mut LabelInfo {
        let next = LabelId::from_index(self.label_names.len());
        let names = &mut self.label_names;
        self.labels.entry(name.to_owned()).or_insert_with(|| {
            names.push(name.to_owned());
            LabelInfo { id: next, place: None, block: None, gotos: Vec::new() }
        })
    }

    /// A jump goes from where `source` is in scope to where `target` is: the locals that only the
    /// target sees are in scope without their declaration having been passed.
    fn jump(&mut self, source: Visible, target: Visible) {
        let (mut source, mut target) = (source, target);
        while target != source {
            if self.depth(target) >= self.depth(source) {
                let Some(index) = target else { break };
                self.bypassed.insert(self.locals[index].object);
                target = self.locals[index].before;
            } else {
                let Some(index) = source else { break };
                source = self.locals[index].before;
            }
        }
    }

    /// A `goto` at the point at hand.
    pub(super) fn goto(&mut self, name: &str, span: Span) -> LabelId {
        let visible = self.visible;
        let label = self.label(name);
        label.gotos.push((visible, span));
        label.id
    }

    /// The address of a label is taken at the point at hand.
    pub(super) fn take_address(&mut self, name: &str, span: Span) -> LabelId {
        let id = self.goto(name, span);
        self.addressed.insert(id);
        id
    }

    /// A `goto` to an address at the point at hand.
    pub(super) fn goto_anywhere(&mut self) {
        self.computed_gotos.push(self.visible);
    }

    /// A label at the point at hand; `None` if there is another one of that name.
    pub(super) fn place_label(&mut self, name: &str) -> Option<LabelId> {
        let (visible, block) = (self.visible, self.block);
        let label = self.label(name);
        if label.place.is_some() {
            return None;
        }
        label.place = Some(visible);
        label.block = block;
        Some(label.id)
    }

    pub(super) fn enter_switch(&mut self, ty: TypeId) {
        let visible = self.visible;
        self.switches.push(SwitchContext {
            ty,
            cases: Vec::new(),
            ranges: BTreeMap::new(),
            has_default: false,
            visible,
        });
    }

    /// Control can come from the innermost switch to the point at hand.
    pub(super) fn jump_from_switch(&mut self) {
        if let Some(source) = self.switches.last().map(|switch| switch.visible) {
            self.jump(source, self.visible);
        }
    }

    /// Gotos without a label, by name.
    fn finish_jumps(&mut self) -> Vec<(String, Span)> {
        let mut undefined = Vec::new();
        for name in self.label_names.clone() {
            let Some(info) = self.labels.get_mut(&name) else { continue };
            let gotos = std::mem::take(&mut info.gotos);
            let is_addressed = self.addressed.contains(&info.id);
            match info.place {
                Some(target) => {
                    gotos.iter().for_each(|(source, _)| self.jump(*source, target));
                    if is_addressed {
                        self.computed_gotos.clone().into_iter().for_each(|source| self.jump(source, target));
                    }
                }
                None => undefined.extend(gotos.first().map(|(_, span)| (name, *span))),
            }
        }
        undefined
    }
}

impl Checker<'_> {
    /// A local variable's declaration was checked; it is in scope from here.
    pub(super) fn local_declared(&mut self, object: ObjectId) {
        if let Some(context) = &mut self.context {
            context.declare(object);
        }
    }

    pub(super) fn function_definition(&mut self, definition: &Node<FunctionDefinition>) -> Checked<()> {
        let specifiers = self.specifiers(&definition.node.specifiers, definition.span)?;
        let declared = self.declarator(&definition.node.declarator, specifiers.ty)?;
        let (Some(name), Some(style)) = (declared.name, declared.function) else {
            return Err(self.error(declared.span, "expected a function definition"));
        };
        let mut attributes = specifiers.attributes.clone();
        let ty = self.declared_type(&declared, &mut attributes);
        let Type::Function(FunctionType { result, variadic, .. }) = *self.types.get(ty) else {
            return Err(self.error(declared.span, format!("'{name}' is not a function")));
        };
        let id = self.declare_function(name, ty, declared.span, &attributes)?;
        if self.functions[id.index()].body.is_some() {
            // GNU C: an `extern inline` body is only for inlining; the other one is the function.
            if specifiers.inline && specifiers.storage == Some(StorageClassSpecifier::Extern) {
                return Ok(());
            }
            if !self.inline_bodies.contains(&id) {
                return Err(self.error(declared.span, format!("redefinition of '{name}'")));
            }
        }
        self.functions[id.index()].built_in =
            specifiers.storage != Some(StorageClassSpecifier::Static) && self.is_absolute_value(name, ty);
        if specifiers.inline {
            self.inline_bodies.insert(id);
        }
        self.scopes.enter();
        self.context = Some(FunctionContext::new(id, name.to_owned(), result, variadic));
        self.pending_lengths.clear();
        let body = self.function_body(definition, style, declared.span);
        self.context = None;
        self.scopes.leave();
        self.functions[id.index()].body = Some(body?);
        Ok(())
    }

    fn function_body(
        &mut self,
        definition: &Node<FunctionDefinition>,
        style: Parameters,
        span: Span,
    ) -> Checked<Body> {
        let declared = match style {
            Parameters::Prototype(prototype) => self.parameters(&prototype.parameters)?,
            Parameters::OldStyle(names) => self.old_style_parameters(names, &definition.node.declarations)?,
        };
        let mut parameters = Vec::with_capacity(declared.len());
        for parameter in &declared {
            let name = parameter.name.unwrap_or("<unnamed>");
            let object = parameter.object.unwrap_or_else(|| {
                self.new_object(name.to_owned(), parameter.ty, Storage::Automatic, parameter.span)
            });
            if let Some(name) = parameter.name {
                self.scopes.declare(name, Symbol::Object(object));
            }
            parameters.push(object);
        }
        let statement = &definition.node.statement;
        let mut statements = std::mem::take(&mut self.pending_lengths);
        match &statement.node {
            Statement::Compound(items) => statements.append(&mut self.block_items(items)),
            _ => return Err(self.error(statement.span, "expected a function body")),
        }
        let end = Span::span(statement.span.end.saturating_sub(1), statement.span.end);
        let (bypassed, labels) = self.finish_function();
        let addressed_labels = self.context.as_mut().map(|context| std::mem::take(&mut context.addressed));
        Ok(Body {
            parameters,
            extra: self.context.as_ref().and_then(|context| context.extra),
            statement: Stmt { kind: StmtKind::Block(statements), span: statement.span },
            bypassed,
            labels,
            addressed_labels: addressed_labels.unwrap_or_default().into_iter().collect(),
            span,
            end,
        })
    }

    /// Reports labels that are missing; gives the bypassed locals and the blocks of the labels.
    fn finish_function(&mut self) -> (Vec<ObjectId>, Vec<Option<BlockId>>) {
        let Some(context) = &mut self.context else { return (Vec::new(), Vec::new()) };
        let undefined = context.finish_jumps();
        let bypassed = std::mem::take(&mut context.bypassed);
        let block_of = |name| context.labels.get(name).and_then(|label: &LabelInfo| label.block);
        let labels = context.label_names.iter().map(block_of).collect();
        for (name, span) in undefined {
            let diagnostic = self.error(span, format!("label '{name}' used but not defined"));
            self.diagnostics.push(diagnostic);
        }
        (bypassed.into_iter().collect(), labels)
    }

    /// K&R style: the names, with the types that the declarations after them give (or `int`).
    fn old_style_parameters<'b>(
        &mut self,
        names: &'b [Node<Identifier>],
        declarations: &'b [Node<Declaration>],
    ) -> Checked<Vec<Parameter<'b>>> {
        let mut types: FxHashMap<&str, TypeId> = FxHashMap::default();
        for declaration in declarations {
            let specifiers = self.specifiers(&declaration.node.specifiers, declaration.span)?;
            for declarator in &declaration.node.declarators {
                let declared = self.declarator(&declarator.node.declarator, specifiers.ty)?;
                let mut attributes = specifiers.attributes.clone();
                let ty = self.declared_type(&declared, &mut attributes);
                if let Some(what) = attributes.refused {
                    let message = format!("{what} of a parameter is not modelled");
                    return Err(self.error(declared.span, message));
                }
                if let Some(name) = declared.name {
                    types.insert(name, self.adjust_parameter(ty));
                }
            }
        }
        let int = self.types.int();
        let parameter = |name: &'b Node<Identifier>| {
            let text = name.node.name.as_str();
            Parameter {
                name: Some(text),
                ty: types.get(text).copied().unwrap_or(int),
                span: name.span,
                object: None,
            }
        };
        Ok(names.iter().map(parameter).collect())
    }
}
