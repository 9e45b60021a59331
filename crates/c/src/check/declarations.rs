//! Declarations of variables, functions and type names, at file level and in blocks.

use super::attributes::Attributes;
use super::declarators::Declared;
use super::qualifiers::Constness;
use super::scope::Symbol;
use super::specifiers::Specifiers;
use super::{Checked, Checker};
use crate::source::source_name;
use crate::typed::{
    CallObjects, Callee, Expr, ExprKind, Function, FunctionId, Initializer, LValue, LValueKind, ObjectId,
    Stmt, StmtKind, Storage,
};
use crate::types::{ArrayLength, FunctionType, Type, TypeId};
use lang_c::ast::{Declaration, DeclarationSpecifier, InitDeclarator, StorageClassSpecifier, TypeSpecifier};
use lang_c::span::{Node, Span};

impl Checker<'_> {
    /// Checks a declaration; gives the statements that it means where control passes it.
    pub(super) fn declaration(&mut self, declaration: &Node<Declaration>) -> Checked<Vec<Stmt>> {
        if declaration.node.declarators.is_empty() {
            self.forward_tag(declaration);
        }
        self.pending_lengths.clear();
        let specifiers = self.specifiers(&declaration.node.specifiers, declaration.span)?;
        let mut statements = Vec::new();
        if declaration.node.declarators.is_empty()
            && let Some(what) = specifiers.attributes.refused.clone()
            && self.context.is_some()
        {
            // `__attribute__((...));`, or the attribute of a structure.
            let kind = StmtKind::Unsupported(what);
            statements.push(Stmt { kind, span: declaration.span });
        }
        if declaration.node.declarators.is_empty() {
            statements.append(&mut self.pending_lengths);
        }
        for declarator in &declaration.node.declarators {
            self.init_declarator(declarator, &specifiers, &mut statements)?;
        }
        Ok(statements)
    }

    fn forward_tag(&mut self, declaration: &Node<Declaration>) {
        if let [Node { node: DeclarationSpecifier::TypeSpecifier(specifier), .. }] =
            declaration.node.specifiers.as_slice()
            && let TypeSpecifier::Struct(record) = &specifier.node
        {
            self.forward_record(record);
        }
    }

    fn init_declarator(
        &mut self,
        declarator: &Node<InitDeclarator>,
        specifiers: &Specifiers,
        statements: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let mut attributes = specifiers.attributes.clone();
        let mut checked = None;
        let mut base = specifiers.ty;
        if attributes.auto_type {
            let value = self.auto_initializer(declarator)?;
            base = value.ty;
            checked = Some(Initializer::Scalar(value));
        }
        let mut declared = self.declarator(&declarator.node.declarator, base)?;
        let constness = Self::declared_constness(&declarator.node.declarator, attributes.constness);
        declared.ty = self.declared_type(&declared, &mut attributes);
        let Some(name) = declared.name else {
            return Err(self.error(declared.span, "declaration without a name"));
        };
        if specifiers.storage == Some(StorageClassSpecifier::Typedef) {
            statements.append(&mut self.pending_lengths);
            if let Some(what) = attributes.refused {
                return Err(self.error(declared.span, format!("{what} of a type is not modelled")));
            }
            let inherited = attributes.type_align.filter(|_| declared.ty == specifiers.ty);
            let align = attributes.align.or(inherited);
            if attributes.transparent_union {
                self.types.set_transparent(declared.ty);
            }
            return self.declare_typedef(name, declared.ty, (align, constness), declared.span);
        }
        if matches!(self.types.get(declared.ty), Type::Function(_)) {
            self.pending_lengths.clear();
            if let Some(resolver) = &attributes.resolver {
                return self.declare_indirect(name, declared.ty, declared.span, resolver);
            }
            if let Some(Symbol::Indirect(_)) = self.scopes.linked(name) {
                return Ok(());
            }
            self.declare_function(name, declared.ty, declared.span, &attributes)?;
            return Ok(());
        }
        if self.types.is_void(declared.ty) {
            return Err(self.error(declared.span, format!("variable '{name}' declared void")));
        }
        let inherited = attributes.type_align.filter(|_| declared.ty == specifiers.ty);
        attributes.align = attributes.align.max(inherited);
        let object =
            self.declare_object(declarator, specifiers, declared, attributes, checked, statements)?;
        self.set_constness(object, constness);
        self.objects[object.index()].constant |= constness.this;
        Ok(())
    }

    fn declare_typedef(
        &mut self,
        name: &str,
        ty: TypeId,
        (align, constness): (Option<u64>, Constness),
        span: Span,
    ) -> Checked<()> {
        match self.scopes.lookup_here(name) {
            Some(Symbol::Typedef(old, ..)) if self.types.compatible(old, ty) => {}
            None => {}
            Some(_) => {
                return Err(self.error(span, format!("redefinition of '{name}' with a different type")));
            }
        }
        self.scopes.declare(name, Symbol::Typedef(ty, align, constness));
        Ok(())
    }

    pub(super) fn declare_function(
        &mut self,
        name: &str,
        ty: TypeId,
        span: Span,
        attributes: &Attributes,
    ) -> Checked<FunctionId> {
        let id = match self.scopes.linked(name) {
            Some(Symbol::Function(id)) => {
                self.redeclare_function(id, ty, span)?;
                id
            }
            Some(_) => {
                return Err(self.error(span, format!("'{name}' redeclared as a different kind of symbol")));
            }
            None => self.new_function(name, ty, span),
        };
        match self.scopes.lookup_here(name) {
            None | Some(Symbol::Function(_)) => {}
            Some(_) => {
                return Err(self.error(span, format!("'{name}' redeclared as a different kind of symbol")));
            }
        }
        self.note_function_symbol(id, span, attributes);
        self.scopes.declare(name, Symbol::Function(id));
        Ok(id)
    }

    /// A function was declared before: the types must agree, and the one that says more is kept.
    fn redeclare_function(&mut self, id: FunctionId, ty: TypeId, span: Span) -> Checked<()> {
        let old = self.functions[id.index()].ty;
        if old == ty {
            return Ok(());
        }
        if !self.types.compatible(old, ty) && !self.implicit.contains(&id) {
            let name = &self.functions[id.index()].name;
            return Err(self.error(span, format!("conflicting types for '{name}'")));
        }
        let has_prototype =
            |ty: &Type| matches!(ty, Type::Function(FunctionType { parameters: Some(_), .. }));
        if self.implicit.remove(&id)
            || has_prototype(self.types.get(ty))
            || !has_prototype(self.types.get(old))
        {
            self.functions[id.index()].ty = ty;
        }
        Ok(())
    }

    /// A function that is met for the first time.
    pub(super) fn new_function(&mut self, name: &str, ty: TypeId, span: Span) -> FunctionId {
        self.functions.push(Function {
            name: source_name(name),
            ty,
            noreturn: false,
            body: None,
            model: None,
            built_in: false,
            refused: None,
            mentioned: false,
            span,
        });
        let id = FunctionId::from_index(self.functions.len() - 1);
        self.scopes.link(name, Symbol::Function(id));
        id
    }

    /// A function that is called without a declaration: `int name()`.
    pub(super) fn implicit_function(&mut self, name: &str, span: Span) -> FunctionId {
        if let Some(Symbol::Function(id)) = self.scopes.linked(name) {
            return id;
        }
        let result = self.types.int();
        let ty =
            self.types.intern(Type::Function(FunctionType { result, parameters: None, variadic: false }));
        let id = self.new_function(name, ty, span);
        self.functions[id.index()].mentioned = true;
        self.implicit.insert(id);
        id
    }

    fn declare_object(
        &mut self,
        declarator: &Node<InitDeclarator>,
        specifiers: &Specifiers,
        declared: Declared,
        mut attributes: Attributes,
        checked: Option<Initializer>,
        statements: &mut Vec<Stmt>,
    ) -> Checked<ObjectId> {
        let name = declared.name.unwrap_or_default();
        let has_initializer = declarator.node.initializer.is_some();
        let external = specifiers.storage == Some(StorageClassSpecifier::Extern);
        let is_static = specifiers.storage == Some(StorageClassSpecifier::Static);
        if external && has_initializer && !self.scopes.at_file() {
            return Err(self.error(declared.span, format!("'{name}' has both 'extern' and initializer")));
        }
        let (object, is_local) = if self.scopes.at_file() || external {
            let is_register = specifiers.storage == Some(StorageClassSpecifier::Register);
            if is_register && attributes.label.take().is_some() {
                attributes.refused = Some("variable in a register".to_owned());
            }
            let link = self.object_of_symbol(name, declared.ty, declared.span, &mut attributes);
            let is_alias = link.is_some() && attributes.alias.is_some();
            let external = external && !has_initializer || is_alias;
            (self.declare_linked(name, &declared, external)?, false)
        } else {
            if attributes.label.take().is_some() {
                attributes.refused = Some("asm label of a local variable".to_owned());
            }
            let storage = if is_static { Storage::Static } else { Storage::Automatic };
            (self.declare_local(name, &declared, storage)?, !is_static)
        };
        if attributes.weak {
            self.note_weak_object(object);
        }
        let data = &mut self.objects[object.index()];
        data.align = data.align.max(attributes.align.unwrap_or(1));
        if let Some(what) = &attributes.refused {
            data.refused.get_or_insert_with(|| what.clone());
        }
        statements.append(&mut self.pending_lengths);
        let mut initializer = checked;
        if let (None, Some(node)) = (&initializer, &declarator.node.initializer) {
            let (value, ty) = self.initializer(node, self.object(object).ty)?;
            self.objects[object.index()].ty = ty;
            initializer = Some(value);
        }
        if let Some(initializer) = &initializer {
            self.extend_flexible(object, initializer);
            if is_local && self.object(object).extra > 0 {
                return Err(self.error(declared.span, "non-static initialization of a flexible array member"));
            }
        }
        let ty = self.object(object).ty;
        let incomplete = match self.types.get(ty) {
            Type::Array(_, ArrayLength::Incomplete) => !self.scopes.at_file() && !external,
            Type::Array(..) => false,
            _ => {
                let is_known = self.types.size(ty).is_some() || self.has_variable_tail(ty);
                !is_known && !self.scopes.at_file() && !external
            }
        };
        if incomplete {
            return Err(self.error(declared.span, format!("storage size of '{name}' isn't known")));
        }
        if !is_local
            && self.context.is_some()
            && self.types.size(ty).is_none()
            && self.variable_size(ty, declared.span).is_some()
        {
            return Err(self.error(declared.span, format!("storage size of '{name}' isn't constant")));
        }
        if is_local {
            self.local_declared(object);
            let kind = match self.variable_size(ty, declared.span) {
                Some(size) if self.types.size(ty).is_none() => StmtKind::DeclareVariable(object, size),
                _ => StmtKind::Declare(object, initializer),
            };
            let kind = match attributes.refused {
                Some(what) => StmtKind::Unsupported(what),
                None => kind,
            };
            statements.push(Stmt { kind, span: declarator.span });
            if let Some((function, span)) = &attributes.cleanup {
                let kind = StmtKind::Cleanup(self.cleanup_call(object, function, *span)?);
                statements.push(Stmt { kind, span: declarator.span });
            }
        } else if let Some(value) = &initializer {
            if let Some(span) = self.automatic_in(value) {
                return Err(self.error(span, "initializer element is not constant"));
            }
            if self.object(object).initializer.is_some() {
                return Err(self.error(declared.span, format!("redefinition of '{name}'")));
            }
            self.objects[object.index()].initializer = initializer;
        }
        Ok(object)
    }

    /// The call of a function with the address of a variable.
    fn cleanup_call(&mut self, object: ObjectId, function: &str, span: Span) -> Checked<Expr> {
        let Some(Symbol::Function(id)) = self.scopes.lookup(function) else {
            return Err(self.error(span, "cleanup argument is not a function"));
        };
        self.functions[id.index()].mentioned = true;
        let Type::Function(function) = self.types.get(self.functions[id.index()].ty).clone() else {
            return Err(self.error(span, "cleanup argument is not a function"));
        };
        let ty = self.object(object).ty;
        let pointer = self.types.pointer(ty);
        let place = LValue { kind: LValueKind::Object(object), ty };
        let mut argument = self.address(place, pointer, span);
        if let Some(parameters) = &function.parameters {
            let &[parameter] = parameters.as_slice() else {
                return Err(self.error(span, "a cleanup function takes one argument"));
            };
            argument = self.assign_convert(argument, parameter, span)?;
        }
        if function.variadic || self.types.as_record(function.result).is_some() {
            let void = self.types.void();
            return Ok(self.unsupported("cleanup function of this type", void, span));
        }
        let kind = ExprKind::Call(Callee::Function(id), vec![argument], CallObjects::default());
        Ok(Expr::new(&self.types, kind, function.result, span))
    }

    /// A variable of file scope, or an `extern` one in a block: all declarations mean the same one.
    fn declare_linked(&mut self, name: &str, declared: &Declared, external: bool) -> Checked<ObjectId> {
        let id = match self.scopes.linked(name) {
            Some(Symbol::Object(id)) => {
                if self.is_labelled(id) {
                    self.name_object(id, name);
                }
                let old = self.object(id).ty;
                if !self.types.compatible(old, declared.ty) {
                    return Err(self.error(declared.span, format!("conflicting types for '{name}'")));
                }
                if matches!(self.types.get(old), Type::Array(_, ArrayLength::Incomplete)) {
                    self.objects[id.index()].ty = declared.ty;
                }
                if !external {
                    self.objects[id.index()].storage = Storage::Static;
                }
                id
            }
            Some(_) => {
                return Err(
                    self.error(declared.span, format!("'{name}' redeclared as a different kind of symbol"))
                );
            }
            None => {
                let storage = if external { Storage::External } else { Storage::Static };
                let id = self.new_object(name.to_owned(), declared.ty, storage, declared.span);
                self.scopes.link(name, Symbol::Object(id));
                id
            }
        };
        if let Some(Symbol::Typedef(..) | Symbol::Constant(..)) = self.scopes.lookup_here(name) {
            return Err(
                self.error(declared.span, format!("'{name}' redeclared as a different kind of symbol"))
            );
        }
        self.scopes.declare(name, Symbol::Object(id));
        Ok(id)
    }

    fn declare_local(&mut self, name: &str, declared: &Declared, storage: Storage) -> Checked<ObjectId> {
        if self.scopes.lookup_here(name).is_some() {
            return Err(self.error(declared.span, format!("redeclaration of '{name}'")));
        }
        let id = self.new_object(name.to_owned(), declared.ty, storage, declared.span);
        self.scopes.declare(name, Symbol::Object(id));
        Ok(id)
    }

    /// A tentative definition of an array without length has one element (C11 6.9.2).
    pub(super) fn complete_tentative_arrays(&mut self) {
        for index in 0..self.objects.len() {
            let object = &self.objects[index];
            if object.storage != Storage::Static {
                continue;
            }
            if let &Type::Array(element, ArrayLength::Incomplete) = self.types.get(object.ty) {
                self.objects[index].ty = self.types.array(element, ArrayLength::Known(1));
            }
        }
    }
}
