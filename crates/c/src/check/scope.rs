//! Names and the scopes that they are visible in.

use super::qualifiers::Constness;
use crate::typed::{FunctionId, ObjectId};
use crate::types::TypeId;
use rustc_hash::FxHashMap;

/// What an ordinary identifier means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    /// A variable.
    Object(ObjectId),
    /// A function.
    Function(FunctionId),
    /// The function that this variable points to.
    Indirect(ObjectId),
    /// A name of a type, the alignment that its attributes give to it, and what of it is `const`.
    Typedef(TypeId, Option<u64>, Constness),
    /// An enumeration constant: its bits and its type.
    Constant(u128, TypeId),
}

#[derive(Default)]
struct Scope {
    names: FxHashMap<String, Symbol>,
    tags: FxHashMap<String, TypeId>,
}

/// The nested scopes; the first one is that of the file.
pub(super) struct Scopes {
    scopes: Vec<Scope>,
    /// Variables and functions with linkage, whatever scope they were declared in.
    linked: FxHashMap<String, Symbol>,
}

impl Scopes {
    pub(super) fn new() -> Self {
        Scopes { scopes: vec![Scope::default()], linked: FxHashMap::default() }
    }

    pub(super) fn enter(&mut self) {
        self.scopes.push(Scope::default());
    }

    pub(super) fn leave(&mut self) {
        debug_assert!(self.scopes.len() > 1, "the file's scope is never left");
        self.scopes.pop();
    }

    pub(super) fn at_file(&self) -> bool {
        self.scopes.len() == 1
    }

    pub(super) fn lookup(&self, name: &str) -> Option<Symbol> {
        self.scopes.iter().rev().find_map(|scope| scope.names.get(name)).copied()
    }

    pub(super) fn lookup_here(&self, name: &str) -> Option<Symbol> {
        self.scopes.last().and_then(|scope| scope.names.get(name)).copied()
    }

    pub(super) fn declare(&mut self, name: &str, symbol: Symbol) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name.to_owned(), symbol);
        }
    }

    pub(super) fn linked(&self, name: &str) -> Option<Symbol> {
        self.linked.get(name).copied()
    }

    pub(super) fn link(&mut self, name: &str, symbol: Symbol) {
        self.linked.insert(name.to_owned(), symbol);
    }

    pub(super) fn lookup_tag(&self, name: &str) -> Option<TypeId> {
        self.scopes.iter().rev().find_map(|scope| scope.tags.get(name)).copied()
    }

    pub(super) fn lookup_tag_here(&self, name: &str) -> Option<TypeId> {
        self.scopes.last().and_then(|scope| scope.tags.get(name)).copied()
    }

    pub(super) fn declare_tag(&mut self, name: &str, ty: TypeId) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.tags.insert(name.to_owned(), ty);
        }
    }
}
