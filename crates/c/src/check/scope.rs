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

/// What names mean in nested scopes. Looking a name up takes the same time however deep the scopes are nested.
struct Names<T> {
    /// What each name means, in the innermost scope last, with the depth of the scope.
    meanings: FxHashMap<String, Vec<(usize, T)>>,
    /// The names that were declared in each scope that is open.
    declared: Vec<Vec<String>>,
}

impl<T: Copy> Names<T> {
    fn new() -> Self {
        Names { meanings: FxHashMap::default(), declared: vec![Vec::new()] }
    }

    fn enter(&mut self) {
        self.declared.push(Vec::new());
    }

    fn leave(&mut self) {
        for name in self.declared.pop().unwrap_or_default() {
            if let Some(meanings) = self.meanings.get_mut(&name) {
                meanings.pop();
                if meanings.is_empty() {
                    self.meanings.remove(&name);
                }
            }
        }
    }

    fn innermost(&self, name: &str) -> Option<(usize, T)> {
        self.meanings.get(name).and_then(|meanings| meanings.last()).copied()
    }

    fn lookup(&self, name: &str) -> Option<T> {
        self.innermost(name).map(|(_, meaning)| meaning)
    }

    fn lookup_here(&self, name: &str) -> Option<T> {
        self.innermost(name).filter(|(depth, _)| *depth == self.declared.len()).map(|(_, meaning)| meaning)
    }

    fn declare(&mut self, name: &str, meaning: T) {
        let depth = self.declared.len();
        let meanings = self.meanings.entry(name.to_owned()).or_default();
        match meanings.last_mut() {
            Some(last) if last.0 == depth => last.1 = meaning,
            _ => {
                meanings.push((depth, meaning));
                if let Some(declared) = self.declared.last_mut() {
                    declared.push(name.to_owned());
                }
            }
        }
    }
}

/// The nested scopes; the first one is that of the file.
pub(super) struct Scopes {
    names: Names<Symbol>,
    tags: Names<TypeId>,
    /// Variables and functions with linkage, whatever scope they were declared in.
    linked: FxHashMap<String, Symbol>,
}

impl Scopes {
    pub(super) fn new() -> Self {
        Scopes { names: Names::new(), tags: Names::new(), linked: FxHashMap::default() }
    }

    pub(super) fn enter(&mut self) {
        self.names.enter();
        self.tags.enter();
    }

    pub(super) fn leave(&mut self) {
        debug_assert!(!self.at_file(), "the file's scope is never left");
        self.names.leave();
        self.tags.leave();
    }

    pub(super) fn at_file(&self) -> bool {
        self.names.declared.len() == 1
    }

    pub(super) fn lookup(&self, name: &str) -> Option<Symbol> {
        self.names.lookup(name)
    }

    pub(super) fn lookup_here(&self, name: &str) -> Option<Symbol> {
        self.names.lookup_here(name)
    }

    pub(super) fn declare(&mut self, name: &str, symbol: Symbol) {
        self.names.declare(name, symbol);
    }

    pub(super) fn linked(&self, name: &str) -> Option<Symbol> {
        self.linked.get(name).copied()
    }

    pub(super) fn link(&mut self, name: &str, symbol: Symbol) {
        self.linked.insert(name.to_owned(), symbol);
    }

    pub(super) fn lookup_tag(&self, name: &str) -> Option<TypeId> {
        self.tags.lookup(name)
    }

    pub(super) fn lookup_tag_here(&self, name: &str) -> Option<TypeId> {
        self.tags.lookup_here(name)
    }

    pub(super) fn declare_tag(&mut self, name: &str, ty: TypeId) {
        self.tags.declare(name, ty);
    }
}
