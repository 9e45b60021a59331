//! The checker: resolves names and types of a syntax tree and makes a [`TypedProgram`] of it.
//!
//! It accepts what gcc accepts, warnings included; errors are told in plain words with their place.
//! After an error it goes on with the next statement or declaration, so that several are found.

mod assembly;
mod atomics;
mod attributes;
mod builtins;
mod byte_order;
mod calls;
mod conversions;
mod declarations;
mod declarators;
mod expressions;
mod extensions;
mod floats;
mod fold;
mod functions;
mod initializers;
mod literals;
mod lvalues;
mod models;
mod object_size;
mod operators;
mod overflow;
mod qualifiers;
mod records;
mod scope;
mod specifiers;
mod statements;
mod symbols;
mod variable_length;
mod variadic;
mod vectors;

use crate::Diagnostic;
use crate::LoadOptions;
use crate::source::{PreparedSource, source_name};
use crate::typed::{Block, Expr, Function, FunctionId, Object, ObjectId, Stmt, Storage, TypedProgram};
use crate::types::{TypeId, TypeTable};
use functions::FunctionContext;
use lang_c::ast::{ExternalDeclaration, StaticAssert, TranslationUnit};
use lang_c::span::{Node, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use scope::Scopes;

/// What a check gives: the first error ends the statement or declaration at hand.
type Checked<T> = Result<T, Diagnostic>;

/// More errors than this do not help anybody.
const MAX_DIAGNOSTICS: usize = 20;

/// Resolves names and types of a whole program.
pub(crate) fn check(
    unit: &TranslationUnit,
    prepared: &PreparedSource,
    options: &LoadOptions,
) -> Result<TypedProgram, Vec<Diagnostic>> {
    let mut checker = Checker {
        prepared,
        types: TypeTable::new(options.data_model),
        objects: Vec::new(),
        functions: Vec::new(),
        blocks: Vec::new(),
        scopes: Scopes::new(),
        diagnostics: Vec::new(),
        context: None,
        implicit: FxHashSet::default(),
        inline_bodies: FxHashSet::default(),
        lengths: FxHashMap::default(),
        pending_lengths: Vec::new(),
        va_list: None,
        qualifiers: qualifiers::Qualifiers::default(),
        own_checked: object_size::defined_checked(unit),
        symbols: symbols::Symbols::default(),
        startup: Vec::new(),
        shutdown: Vec::new(),
    };
    checker.types.checks_overflow = options.checks.overflow;
    for declaration in &unit.0 {
        if let Err(diagnostic) = checker.external_declaration(declaration) {
            checker.diagnostics.push(diagnostic);
        }
        if checker.diagnostics.len() >= MAX_DIAGNOSTICS {
            break;
        }
    }
    checker.complete_tentative_arrays();
    checker.resolve_symbols();
    if !checker.diagnostics.is_empty() {
        return Err(checker.diagnostics);
    }
    checker.attach_models();
    Ok(TypedProgram {
        types: checker.types,
        objects: checker.objects,
        functions: checker.functions,
        startup: checker.startup,
        shutdown: checker.shutdown,
        blocks: checker.blocks,
        implicit: checker.implicit,
    })
}

struct Checker<'a> {
    prepared: &'a PreparedSource,
    types: TypeTable,
    objects: Vec<Object>,
    functions: Vec<Function>,
    blocks: Vec<Block>,
    scopes: Scopes,
    diagnostics: Vec<Diagnostic>,
    /// The function whose body is being checked.
    context: Option<FunctionContext>,
    /// Functions that have only been called so far, never declared.
    implicit: FxHashSet<FunctionId>,
    /// Functions whose body so far is an inline one, which another body may replace.
    inline_bodies: FxHashSet<FunctionId>,
    /// The variables that hold the lengths of variable-length array types.
    lengths: FxHashMap<TypeId, ObjectId>,
    /// Assignments to such variables that are to be made before what follows.
    pending_lengths: Vec<Stmt>,
    /// `va_list`, once somebody asked for it.
    va_list: Option<TypeId>,
    qualifiers: qualifiers::Qualifiers,
    /// Functions that the program defines although their names are those of checked library functions.
    own_checked: FxHashSet<String>,
    symbols: symbols::Symbols,
    startup: Vec<Stmt>,
    shutdown: Vec<Expr>,
}

impl Checker<'_> {
    fn external_declaration(&mut self, declaration: &Node<ExternalDeclaration>) -> Checked<()> {
        match &declaration.node {
            ExternalDeclaration::Declaration(declaration) => self.declaration(declaration).map(|_| ()),
            ExternalDeclaration::StaticAssert(assertion) => self.static_assert(assertion),
            ExternalDeclaration::FunctionDefinition(definition) => self.function_definition(definition),
        }
    }

    fn static_assert(&mut self, assertion: &Node<StaticAssert>) -> Checked<()> {
        let condition = self.expression(&assertion.node.expression)?;
        match condition.constant() {
            Some(0) => {
                let text = self.string_bytes(&assertion.node.message.node).0;
                let text = String::from_utf8_lossy(&text).into_owned();
                let message = match text.as_str() {
                    "" => "static assertion failed".to_owned(),
                    text => format!("static assertion failed: \"{text}\""),
                };
                Err(self.error(assertion.span, message))
            }
            Some(_) => Ok(()),
            None => Err(self.error(condition.span, "expression in static assertion is not constant")),
        }
    }

    fn error(&self, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.prepared.span(span), message)
    }

    fn new_object(&mut self, name: String, ty: TypeId, storage: Storage, span: Span) -> ObjectId {
        let context = self.context.as_ref().filter(|_| storage == Storage::Automatic);
        let (owner, block) = (context.map(|context| context.id), context.and_then(|context| context.home));
        let id = ObjectId::from_index(self.objects.len());
        if let Some(block) = block {
            self.blocks[block.index()].objects.push(id);
        }
        self.objects.push(Object {
            name: source_name(&name),
            ty,
            align: 1,
            storage,
            initializer: None,
            extra: 0,
            refused: None,
            owner,
            block,
            hidden: false,
            constant: false,
            span,
        });
        id
    }

    /// A variable that is none of the source. It exists as long as the function is active.
    fn hidden_object(&mut self, name: &str, ty: TypeId, span: Span) -> ObjectId {
        let home = self.context.as_mut().and_then(|context| context.home.take());
        let id = self.new_object(name.to_owned(), ty, Storage::Automatic, span);
        self.objects[id.index()].hidden = true;
        if let Some(context) = &mut self.context {
            context.home = home;
        }
        id
    }

    fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.index()]
    }

    fn type_name_text(&self, ty: TypeId) -> String {
        self.types.name(ty)
    }
}
