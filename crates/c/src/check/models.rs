//! Which functions without a body the library's models stand in for.

use super::Checker;
use super::scope::Symbol;
use crate::library;
use crate::typed::FunctionId;
use crate::types::{FunctionType, Type, TypeId};

impl Checker<'_> {
    /// Gives a model to every function without a body that has one.
    pub(super) fn attach_models(&mut self) {
        for index in 0..self.functions.len() {
            let function = &self.functions[index];
            if function.body.is_none()
                && function.model.is_none()
                && let Some(model) = self.model_of(&function.name)
                && self.model_fits(model, function.ty)
            {
                self.functions[index].model = Some(model);
            }
        }
    }

    /// The function type that gcc gives to a function that is not declared.
    pub(super) fn builtin_type(&self, name: &str) -> Option<TypeId> {
        let model = self.model_of(name).filter(|_| library::is_builtin(name))?;
        Some(self.functions[model.index()].ty)
    }

    pub(super) fn model_of(&self, name: &str) -> Option<FunctionId> {
        match self.scopes.linked(&library::model_name(name)) {
            Some(Symbol::Function(id)) if self.functions[id.index()].body.is_some() => Some(id),
            _ => None,
        }
    }

    /// True if a declaration can mean the library's function: it has as many parameters, and pointers
    /// where that has pointers. Programs also have functions of their own by such names.
    fn model_fits(&self, model: FunctionId, declared: TypeId) -> bool {
        let (Some(model), Some(declared)) =
            (self.as_function(self.functions[model.index()].ty), self.as_function(declared))
        else {
            return false;
        };
        let alike = |a: TypeId, b: TypeId| {
            self.types.is_pointer(a) == self.types.is_pointer(b)
                && self.types.is_integer(a) == self.types.is_integer(b)
                && self.types.float_kind(a) == self.types.float_kind(b)
        };
        match (&model.parameters, &declared.parameters) {
            (Some(wanted), Some(given)) => {
                wanted.len() == given.len()
                    && !declared.variadic
                    && wanted.iter().zip(given).all(|(&a, &b)| alike(a, b))
                    && alike(model.result, declared.result)
            }
            // Not declared at all, or in the old way: the result is read as the declaration says.
            _ => self.types.is_void(declared.result) || self.types.is_scalar(declared.result),
        }
    }

    fn as_function(&self, ty: TypeId) -> Option<&FunctionType> {
        match self.types.get(ty) {
            Type::Function(function) => Some(function),
            _ => None,
        }
    }
}
