//! Declarators: from a base type and `*`, `[]`, `()` to the declared type and name.

use super::attributes::Attributes;
use super::scope::Symbol;
use super::{Checked, Checker};
use crate::typed::{ObjectId, Storage};
use crate::types::{ArrayLength, FunctionType, Type, TypeId};
use lang_c::ast::{
    ArraySize, Declarator, DeclaratorKind, DerivedDeclarator, Ellipsis, Expression, Extension,
    FunctionDeclarator, Identifier, ParameterDeclaration, PointerQualifier,
};
use lang_c::span::{Node, Span};

/// What a declarator declares.
pub(super) struct Declared<'b> {
    /// The name, unless abstract.
    pub(super) name: Option<&'b str>,
    /// The type.
    pub(super) ty: TypeId,
    /// Where the name is.
    pub(super) span: Span,
    /// The innermost function declarator, which belongs to the name itself if this is a function.
    pub(super) function: Option<Parameters<'b>>,
    /// The attributes, also of pointers and of parts in parentheses.
    pub(super) extensions: Vec<&'b Node<Extension>>,
}

/// How a function's parameters are written.
#[derive(Clone, Copy)]
pub(super) enum Parameters<'b> {
    /// With types.
    Prototype(&'b FunctionDeclarator),
    /// Names only; the types follow.
    OldStyle(&'b [Node<Identifier>]),
}

/// A parameter as declared.
pub(super) struct Parameter<'b> {
    /// The name.
    pub(super) name: Option<&'b str>,
    /// The adjusted type.
    pub(super) ty: TypeId,
    /// Where it is.
    pub(super) span: Span,
    /// The variable, if the name was declared.
    pub(super) object: Option<ObjectId>,
}

impl Checker<'_> {
    pub(super) fn declarator<'b>(
        &mut self,
        declarator: &'b Node<Declarator>,
        base: TypeId,
    ) -> Checked<Declared<'b>> {
        let mut ty = base;
        let mut function = None;
        let mut extensions: Vec<&Node<Extension>> = declarator.node.extensions.iter().collect();
        let derived = &declarator.node.derived;
        // Pointers come first and apply in order; arrays and functions apply from the right.
        let is_pointer = |part: &&Node<DerivedDeclarator>| {
            matches!(part.node, DerivedDeclarator::Pointer(_) | DerivedDeclarator::Block(_))
        };
        for part in derived.iter().filter(is_pointer) {
            ty = self.types.pointer(ty);
            if let DerivedDeclarator::Pointer(qualifiers) = &part.node
                && !qualifiers.is_empty()
            {
                self.note_qualified(ty);
                for qualifier in qualifiers {
                    if let PointerQualifier::Extension(attributes) = &qualifier.node {
                        extensions.extend(attributes);
                    }
                }
            }
        }
        for part in derived.iter().filter(|part| !is_pointer(part)).rev() {
            match &part.node {
                DerivedDeclarator::Array(array) => {
                    ty = self.array_type(ty, &array.node.size, part.span)?;
                    function = None;
                }
                DerivedDeclarator::Function(prototype) => {
                    ty = self.function_type(ty, &prototype.node, part.span)?;
                    function = Some(Parameters::Prototype(&prototype.node));
                }
                DerivedDeclarator::KRFunction(names) => {
                    self.check_result_type(ty, part.span)?;
                    ty = self.types.intern(Type::Function(FunctionType {
                        result: ty,
                        parameters: None,
                        variadic: false,
                    }));
                    function = Some(Parameters::OldStyle(names));
                }
                DerivedDeclarator::Pointer(_) | DerivedDeclarator::Block(_) => {}
            }
        }
        match &declarator.node.kind.node {
            DeclaratorKind::Abstract => {
                Ok(Declared { name: None, ty, span: declarator.span, function, extensions })
            }
            DeclaratorKind::Identifier(name) => {
                Ok(Declared { name: Some(&name.node.name), ty, span: name.span, function, extensions })
            }
            DeclaratorKind::Declarator(inner) => {
                let mut declared = self.declarator(inner, ty)?;
                declared.extensions.append(&mut extensions);
                // `int (f)(int)`: the parentheses change nothing.
                let plain = inner.node.derived.is_empty();
                let function = if plain { declared.function.or(function) } else { declared.function };
                Ok(Declared { function, ..declared })
            }
        }
    }

    /// The declared type after the attributes of its declarator, which are added to those that there are.
    pub(super) fn declared_type(&mut self, declared: &Declared, attributes: &mut Attributes) -> TypeId {
        self.read_attributes(attributes, declared.extensions.iter().copied());
        self.apply_mode(declared.ty, attributes)
    }

    fn array_type(&mut self, element: TypeId, size: &ArraySize, span: Span) -> Checked<TypeId> {
        if matches!(self.types.get(element), Type::Function(_) | Type::Void) {
            let name = self.type_name_text(element);
            return Err(self.error(span, format!("declaration of an array of '{name}'")));
        }
        let expression: &Node<Expression> = match size {
            ArraySize::Unknown => return Ok(self.types.array(element, ArrayLength::Incomplete)),
            ArraySize::VariableUnknown => return Ok(self.types.variable_array(element)),
            ArraySize::VariableExpression(expression) | ArraySize::StaticExpression(expression) => expression,
        };
        let length = self.expression(expression)?;
        self.require_integer(&length)?;
        let Some(bits) = length.constant() else {
            return Ok(self.variable_array(element, length));
        };
        let number = super::fold::number(&self.types, bits, length.ty);
        match number.map(u64::try_from) {
            Some(Ok(length)) => Ok(self.types.array(element, ArrayLength::Known(length))),
            _ => Err(self.error(expression.span, "size of array is negative or too large")),
        }
    }

    fn check_result_type(&mut self, ty: TypeId, span: Span) -> Checked<()> {
        match self.types.get(ty) {
            Type::Function(_) => Err(self.error(span, "function declared as returning a function")),
            Type::Array(..) => Err(self.error(span, "function declared as returning an array")),
            _ => Ok(()),
        }
    }

    fn function_type(
        &mut self,
        result: TypeId,
        prototype: &FunctionDeclarator,
        span: Span,
    ) -> Checked<TypeId> {
        self.check_result_type(result, span)?;
        let variadic = prototype.ellipsis == Ellipsis::Some;
        let parameters = if prototype.parameters.is_empty() && !variadic {
            None
        } else {
            // Structures and enumerations that are first mentioned here are local to the prototype.
            self.scopes.enter();
            let parameters = self.parameters(&prototype.parameters);
            self.scopes.leave();
            Some(parameters?.into_iter().map(|parameter| parameter.ty).collect())
        };
        Ok(self.types.intern(Type::Function(FunctionType { result, parameters, variadic })))
    }

    /// The parameters of a prototype with adjusted types. Their names become visible, so that later array
    /// sizes can mention them.
    pub(super) fn parameters<'b>(
        &mut self,
        declarations: &'b [Node<ParameterDeclaration>],
    ) -> Checked<Vec<Parameter<'b>>> {
        let mut parameters = Vec::with_capacity(declarations.len());
        for declaration in declarations {
            let specifiers = self.specifiers(&declaration.node.specifiers, declaration.span)?;
            let mut attributes = specifiers.attributes.clone();
            self.read_attributes(&mut attributes, &declaration.node.extensions);
            let (name, ty, span) = match &declaration.node.declarator {
                Some(declarator) => {
                    let declared = self.declarator(declarator, specifiers.ty)?;
                    (declared.name, self.declared_type(&declared, &mut attributes), declared.span)
                }
                None => (None, self.apply_mode(specifiers.ty, &mut attributes), declaration.span),
            };
            if self.types.is_void(ty) {
                if name.is_none() && declarations.len() == 1 {
                    break;
                }
                return Err(self.error(span, "parameter has type 'void'"));
            }
            let adjusted = self.adjust_parameter(ty);
            let constness = match &declaration.node.declarator {
                // An array of what is `const` has become a pointer to that.
                _ if ty != adjusted => Default::default(),
                Some(declarator) => Self::declared_constness(declarator, specifiers.attributes.constness),
                None => specifiers.attributes.constness,
            };
            let ty = adjusted;
            let object = name.map(|name| {
                let object = self.new_object(name.to_owned(), ty, Storage::Automatic, span);
                self.set_constness(object, constness);
                self.objects[object.index()].refused = attributes.refused;
                self.scopes.declare(name, Symbol::Object(object));
                object
            });
            parameters.push(Parameter { name, ty, span, object });
        }
        Ok(parameters)
    }

    /// Arrays and functions as parameters are pointers (C11 6.7.6.3).
    pub(super) fn adjust_parameter(&mut self, ty: TypeId) -> TypeId {
        match self.types.get(ty) {
            Type::Array(element, _) => {
                let element = *element;
                self.types.pointer(element)
            }
            Type::Function(_) => self.types.pointer(ty),
            _ => ty,
        }
    }
}
