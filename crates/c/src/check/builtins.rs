//! gcc's builtin functions that need no declaration.

use super::{Checked, Checker};
use crate::typed::{Expr, ExprKind, FunctionId, LValue, LValueKind};
use crate::types::{FunctionType, IntKind, Type, TypeId};
use lang_c::ast::CallExpression;
use lang_c::span::{Node, Span};

use IntKind::{Int, Long, LongLong, UInt, ULong, ULongLong, UShort};

/// Builtins on integers: name, result, parameter.
const INTEGER_BUILTINS: &[(&str, IntKind, IntKind)] = &[
    ("__builtin_bswap16", UShort, UShort),
    ("__builtin_bswap32", UInt, UInt),
    ("__builtin_bswap64", ULongLong, ULongLong),
    ("__builtin_popcount", Int, UInt),
    ("__builtin_popcountl", Int, ULong),
    ("__builtin_popcountll", Int, ULongLong),
    ("__builtin_parity", Int, UInt),
    ("__builtin_parityl", Int, ULong),
    ("__builtin_parityll", Int, ULongLong),
    ("__builtin_clz", Int, UInt),
    ("__builtin_clzl", Int, ULong),
    ("__builtin_clzll", Int, ULongLong),
    ("__builtin_ctz", Int, UInt),
    ("__builtin_ctzl", Int, ULong),
    ("__builtin_ctzll", Int, ULongLong),
    ("__builtin_ffs", Int, Int),
    ("__builtin_ffsl", Int, Long),
    ("__builtin_ffsll", Int, LongLong),
    ("__builtin_abs", Int, Int),
    ("__builtin_labs", Long, Long),
    ("__builtin_llabs", LongLong, LongLong),
];

/// Builtins on memory, with `__builtin_` in front or not: name, result, parameters. `p` is a pointer to `void`,
/// `s` a size, `i` an `int`, `v` nothing.
const MEMORY_BUILTINS: &[(&str, char, &str)] = &[
    ("malloc", 'p', "s"),
    ("calloc", 'p', "ss"),
    ("realloc", 'p', "ps"),
    ("alloca", 'p', "s"),
    ("free", 'v', "p"),
    ("memcpy", 'p', "pps"),
    ("memmove", 'p', "pps"),
    ("memset", 'p', "pis"),
];

/// Builtins without parameters that do not come back.
const ENDING_BUILTINS: &[&str] = &["__builtin_unreachable", "__builtin_trap", "__builtin_abort"];

impl Checker<'_> {
    /// The builtins whose meaning is known here; `None` for everything else.
    pub(super) fn builtin_call(&mut self, name: &str, call: &Node<CallExpression>) -> Checked<Option<Expr>> {
        let Some(builtin) = name.strip_prefix("__builtin_") else { return self.atomic_builtin(name, call) };
        let arguments = &call.node.arguments;
        match (builtin, arguments.as_slice()) {
            ("expect", [value, expected]) | ("expect_with_probability", [value, expected, _]) => {
                let long = self.types.integer(Long);
                let value = self.expression(value)?;
                let value = self.assign_convert(value, long, call.span)?;
                let expected = self.expression(expected)?;
                if !expected.effects {
                    return Ok(Some(value));
                }
                // Left to right: the hint comes after the value, and is dropped.
                Ok(Some(self.unsupported("effects in the hint of __builtin_expect", long, call.span)))
            }
            ("constant_p", [value]) => {
                let int = self.types.int();
                let value = self.expression(value)?;
                let is_string =
                    matches!(&value.kind, ExprKind::AddressOf(LValue { kind: LValueKind::String(_), .. }));
                let is_float = matches!(value.kind, ExprKind::Float(_));
                let known = value.constant().is_some() || is_float || is_string;
                Ok(Some(self.constant_of(u128::from(known), int, call.span)))
            }
            ("object_size" | "dynamic_object_size", [pointer, kind]) => {
                self.object_size(pointer, kind, call).map(Some)
            }
            ("assume_aligned", [pointer, hints @ ..]) if !hints.is_empty() => {
                let void = self.types.void();
                let void_pointer = self.types.pointer(void);
                let pointer = self.expression(pointer)?;
                let pointer = self.assign_convert(pointer, void_pointer, call.span)?;
                for hint in hints {
                    if self.expression(hint)?.effects {
                        let what = "effects in a hint about alignment";
                        return Ok(Some(self.unsupported(what, void_pointer, call.span)));
                    }
                }
                Ok(Some(pointer))
            }
            ("prefetch", [pointer, _hints @ ..]) => {
                let void = self.types.void();
                let pointer = self.expression(pointer)?;
                Ok(Some(Expr::new(&self.types, ExprKind::Convert(Box::new(pointer)), void, call.span)))
            }
            ("types_compatible_p", [left, right]) => self.types_compatible(left, right, call.span).map(Some),
            ("choose_expr", [condition, left, right]) => {
                let condition = self.expression(condition)?;
                match condition.constant() {
                    Some(0) => self.expression(right).map(Some),
                    Some(_) => self.expression(left).map(Some),
                    None => Err(self
                        .error(condition.span, "first argument of '__builtin_choose_expr' is not constant")),
                }
            }
            _ => {
                if let Some(result) = self.va_builtin(builtin, call)? {
                    return Ok(Some(result));
                }
                match self.overflow_builtin(builtin, call)? {
                    Some(result) => Ok(Some(result)),
                    None => self.float_builtin(builtin, call),
                }
            }
        }
    }

    /// The function behind a name that is called but not declared: a builtin with its own type, or
    /// `int name()`.
    pub(super) fn called_undeclared(&mut self, name: &str, span: Span) -> FunctionId {
        if let Some(super::scope::Symbol::Function(id)) = self.scopes.linked(name) {
            return id;
        }
        if let Some(ty) = self.builtin_type(name) {
            return self.builtin_function(name, ty, span);
        }
        let signature =
            if let Some(&(_, result, parameter)) = INTEGER_BUILTINS.iter().find(|row| row.0 == name) {
                Some((self.types.integer(result), vec![self.types.integer(parameter)]))
            } else if ENDING_BUILTINS.contains(&name) {
                Some((self.types.void(), Vec::new()))
            } else {
                self.memory_builtin(name).or_else(|| self.math_signature(name))
            };
        match signature {
            Some((result, parameters)) => {
                let function = FunctionType { result, parameters: Some(parameters), variadic: false };
                let ty = self.types.intern(Type::Function(function));
                self.builtin_function(name, ty, span)
            }
            None => self.implicit_function(name, span),
        }
    }

    /// One of the functions for absolute values, with its type: gcc computes those in place even if a program defines them.
    pub(super) fn is_absolute_value(&mut self, name: &str, ty: TypeId) -> bool {
        let kind = match name {
            "abs" => Int,
            "labs" => Long,
            "llabs" => LongLong,
            _ => return false,
        };
        let number = self.types.integer(kind);
        let function = FunctionType { result: number, parameters: Some(vec![number]), variadic: false };
        self.types.intern(Type::Function(function)) == ty
    }

    fn memory_builtin(&mut self, name: &str) -> Option<(TypeId, Vec<TypeId>)> {
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        let &(_, result, parameters) = MEMORY_BUILTINS.iter().find(|row| row.0 == name)?;
        let void = self.types.void();
        let mut ty = |letter: char| match letter {
            'p' => self.types.pointer(void),
            's' => self.types.size_type(),
            'i' => self.types.int(),
            _ => void,
        };
        Some((ty(result), parameters.chars().map(ty).collect()))
    }

    pub(super) fn builtin_function(&mut self, name: &str, ty: TypeId, span: Span) -> FunctionId {
        let id = self.new_function(name, ty, span);
        self.functions[id.index()].mentioned = true;
        id
    }

    /// The value that a list of statements gives, with nothing after it.
    pub(super) fn statements_value(
        &mut self,
        statements: Vec<crate::typed::Stmt>,
        value: Option<Expr>,
        span: Span,
    ) -> Expr {
        let ty = match &value {
            Some(value) => value.ty,
            None => self.types.void(),
        };
        Expr::new(&self.types, ExprKind::Statements(statements, value.map(Box::new), None), ty, span)
    }
}
