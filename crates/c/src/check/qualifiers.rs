//! Qualifiers. Types do not have them, since they change neither values nor layout; what is kept about them is what it
//! takes to refuse assignments to what is `const`, and to notice where types that differ only in them are told apart.

use super::attributes::Attributes;
use super::scope::Symbol;
use super::{Checked, Checker};
use crate::typed::{LValue, LValueKind, ObjectId};
use crate::types::{Type, TypeId};
use lang_c::ast::{
    BinaryOperator, Declarator, DeclaratorKind, DerivedDeclarator, Expression, MemberOperator,
    PointerQualifier, TypeQualifier, UnaryOperator,
};
use lang_c::span::{Node, Span};
use rustc_hash::FxHashSet;

/// What is known about qualifiers.
#[derive(Default)]
pub(super) struct Qualifiers {
    /// Variables that are `const`, or arrays of elements that are.
    read_only: FxHashSet<ObjectId>,
    /// Pointers, or arrays of pointers, to what is `const`.
    read_only_targets: FxHashSet<ObjectId>,
    /// Types that are qualified somewhere.
    qualified: FxHashSet<TypeId>,
    /// A structure is qualified somewhere, and so are its members, of whatever type.
    qualified_record: bool,
}

/// `const` at the outermost level of a declared type and one level below, where arrays are no level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Constness {
    pub(super) this: bool,
    pub(super) target: bool,
}

impl Constness {
    fn pointer(self, is_const: bool) -> Self {
        Constness { this: is_const, target: self.this }
    }
}

impl Checker<'_> {
    /// One of the specifiers of a declaration is a qualifier.
    pub(super) fn note_qualifier(attributes: &mut Attributes, qualifier: &TypeQualifier) {
        attributes.qualified = true;
        attributes.constness.this |= *qualifier == TypeQualifier::Const;
    }

    /// A type is used with a qualifier.
    pub(super) fn note_qualified(&mut self, ty: TypeId) {
        self.qualifiers.qualified_record |= self.types.as_record(ty).is_some();
        self.qualifiers.qualified.insert(ty);
    }

    /// Which parts of what a declarator declares are `const`, given its base type's.
    pub(super) fn declared_constness(declarator: &Node<Declarator>, base: Constness) -> Constness {
        let mut constness = base;
        let derived = &declarator.node.derived;
        for part in derived {
            if let DerivedDeclarator::Pointer(qualifiers) = &part.node {
                constness = constness.pointer(qualifiers.iter().any(|qualifier| is_const(&qualifier.node)));
            }
        }
        let is_function = |part: &Node<DerivedDeclarator>| {
            matches!(part.node, DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_))
        };
        if derived.iter().any(is_function) {
            constness = Constness::default();
        }
        match &declarator.node.kind.node {
            DeclaratorKind::Declarator(inner) => Self::declared_constness(inner, constness),
            _ => constness,
        }
    }

    pub(super) fn set_constness(&mut self, object: ObjectId, constness: Constness) {
        if constness.this {
            self.qualifiers.read_only.insert(object);
        }
        if constness.target {
            self.qualifiers.read_only_targets.insert(object);
        }
    }

    /// An error if the place that an expression denotes is `const` for certain.
    pub(super) fn require_writable(
        &self,
        node: &Node<Expression>,
        place: &LValue,
        what: &str,
        span: Span,
    ) -> Checked<()> {
        let verb = what.strip_suffix(" operand").unwrap_or("assignment");
        let mut inner = place;
        while let LValueKind::Member(base, record, index) = &inner.kind {
            let body = self.types.record(*record).body.as_ref();
            if let Some(field) = body.and_then(|body| body.fields.get(*index)).filter(|field| field.read_only)
            {
                let name = field.name.as_deref().unwrap_or_default();
                return Err(self.error(span, format!("{verb} of read-only member '{name}'")));
            }
            inner = base;
        }
        if !self.is_read_only(node) {
            return Ok(());
        }
        Err(self.error(
            span,
            match &node.node {
                Expression::Identifier(name) => format!("{verb} of read-only variable '{}'", name.node.name),
                Expression::Member(member) => {
                    format!("{verb} of member '{}' in read-only object", member.node.identifier.node.name)
                }
                _ => format!("{verb} of read-only location"),
            },
        ))
    }

    /// The expression denotes a variable that is `const`, part of one, or what a pointer variable points to that is.
    /// Looks at the syntax: a cast that takes `const` away leaves no trace in the types.
    fn is_read_only(&self, node: &Node<Expression>) -> bool {
        match &node.node {
            Expression::Identifier(name) => {
                self.object_named(&name.node.name).is_some_and(|id| self.qualifiers.read_only.contains(&id))
            }
            Expression::Member(member) => match member.node.operator.node {
                MemberOperator::Direct => self.is_read_only(&member.node.expression),
                MemberOperator::Indirect => self.has_read_only_elements(&member.node.expression, 1),
            },
            Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Indirection => {
                self.has_read_only_elements(&unary.node.operand, 1)
            }
            Expression::BinaryOperator(binary) if binary.node.operator.node == BinaryOperator::Index => {
                self.has_read_only_elements(&binary.node.lhs, 1)
            }
            _ => false,
        }
    }

    /// What is reached from here by going into elements this often is `const`.
    fn has_read_only_elements(&self, node: &Node<Expression>, steps: usize) -> bool {
        match &node.node {
            Expression::BinaryOperator(binary) if binary.node.operator.node == BinaryOperator::Index => {
                self.has_read_only_elements(&binary.node.lhs, steps + 1)
            }
            Expression::Identifier(name) => {
                let Some(id) = self.object_named(&name.node.name) else { return false };
                let mut ty = self.object(id).ty;
                for step in 0..steps {
                    match *self.types.get(ty) {
                        Type::Array(element, _) => ty = element,
                        // Only the last step may go through a pointer.
                        Type::Pointer(_) => {
                            return step + 1 == steps && self.qualifiers.read_only_targets.contains(&id);
                        }
                        _ => return false,
                    }
                }
                self.qualifiers.read_only.contains(&id)
            }
            _ => false,
        }
    }

    fn object_named(&self, name: &str) -> Option<ObjectId> {
        match self.scopes.lookup(name) {
            Some(Symbol::Object(id)) => Some(id),
            _ => None,
        }
    }

    /// There may be another type than this one, apart from qualifiers at the outermost level, that has the same id.
    pub(super) fn has_qualified_variants(&self, ty: TypeId) -> bool {
        let below = |ty: TypeId| self.qualifiers.qualified.contains(&ty) || self.has_qualified_variants(ty);
        match self.types.get(ty) {
            Type::Pointer(target) => self.qualifiers.qualified_record || below(*target),
            Type::Array(element, _) => self.qualifiers.qualified_record || below(*element),
            Type::Function(function) => {
                below(function.result)
                    || function.parameters.iter().flatten().any(|&ty| self.has_qualified_variants(ty))
            }
            _ => false,
        }
    }
}

fn is_const(qualifier: &PointerQualifier) -> bool {
    matches!(qualifier, PointerQualifier::TypeQualifier(qualifier) if qualifier.node == TypeQualifier::Const)
}
