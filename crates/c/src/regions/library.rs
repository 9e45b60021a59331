//! What functions without a body do to memory, as far as it matters for regions.

use super::classes::Class;
use super::lowest_bit;
use super::tables::position;
use super::walk::Walk;
use crate::library::{Outside, Reads, outside_function, stream_argument};
use crate::lower::is_known_function;
use crate::typed::{Arithmetic, Expr, ExprKind, FunctionId};

/// Effects of library functions; numbers are positions of arguments.
#[derive(Clone, Copy, Debug)]
enum Effect {
    /// Gives new memory.
    Allocates,
    /// Gives memory that is gone when the function that asks for it returns.
    AllocatesOnStack,
    /// Gives new memory or that of the first argument, and frees the latter.
    Reallocates,
    /// Frees what the first argument points to.
    Frees,
    /// Copies from the second to the first with a length; gives the first.
    Copies { to: usize, from: usize, length: usize },
    /// Writes bytes to the first argument with a length; gives the first.
    Fills { length: usize },
    /// Reads both with a length.
    Compares { length: usize },
    /// Copies characters from the second to the first; gives the first.
    CopiesText,
    /// Gives new memory with the text of the first argument.
    Duplicates,
    /// Reads the text of so many arguments.
    ReadsText(usize),
    /// Reads the text of so many arguments; gives a pointer into the first.
    Searches(usize),
}

const EFFECTS: &[(&str, Effect)] = &[
    ("malloc", Effect::Allocates),
    ("calloc", Effect::Allocates),
    ("valloc", Effect::Allocates),
    ("alloca", Effect::AllocatesOnStack),
    ("alloca_with_align", Effect::AllocatesOnStack),
    ("realloc", Effect::Reallocates),
    ("free", Effect::Frees),
    ("cfree", Effect::Frees),
    ("memcpy", Effect::Copies { to: 0, from: 1, length: 2 }),
    ("memmove", Effect::Copies { to: 0, from: 1, length: 2 }),
    ("mempcpy", Effect::Copies { to: 0, from: 1, length: 2 }),
    ("bcopy", Effect::Copies { to: 1, from: 0, length: 2 }),
    ("memset", Effect::Fills { length: 2 }),
    ("bzero", Effect::Fills { length: 1 }),
    ("memcmp", Effect::Compares { length: 2 }),
    ("bcmp", Effect::Compares { length: 2 }),
    ("memchr", Effect::Searches(1)),
    ("memrchr", Effect::Searches(1)),
    ("strcpy", Effect::CopiesText),
    ("strncpy", Effect::CopiesText),
    ("strcat", Effect::CopiesText),
    ("strncat", Effect::CopiesText),
    ("stpcpy", Effect::CopiesText),
    ("stpncpy", Effect::CopiesText),
    ("strdup", Effect::Duplicates),
    ("strndup", Effect::Duplicates),
    ("strlen", Effect::ReadsText(1)),
    ("strnlen", Effect::ReadsText(1)),
    ("strcmp", Effect::ReadsText(2)),
    ("strncmp", Effect::ReadsText(2)),
    ("strcasecmp", Effect::ReadsText(2)),
    ("strncasecmp", Effect::ReadsText(2)),
    ("strspn", Effect::ReadsText(2)),
    ("strcspn", Effect::ReadsText(2)),
    ("strchr", Effect::Searches(1)),
    ("strrchr", Effect::Searches(1)),
    ("strstr", Effect::Searches(2)),
    ("strpbrk", Effect::Searches(2)),
];

/// The entry for a function; gcc's builtin forms count as the function itself.
fn effect(name: &str) -> Option<Effect> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let checked = name.strip_prefix("__").and_then(|name| name.strip_suffix("_chk"));
    let name = checked.unwrap_or(name);
    EFFECTS.iter().find(|(known, _)| *known == name).map(|(_, effect)| *effect)
}

/// An expression without the conversions around it.
fn without_conversions(mut expr: &Expr) -> &Expr {
    while let ExprKind::Convert(inner) = &expr.kind {
        expr = inner;
    }
    expr
}

impl<'a> Walk<'a> {
    /// A call of a function that has neither a body nor a model; gives what its result points to.
    pub(super) fn library(
        &mut self,
        function: FunctionId,
        call: &'a Expr,
        arguments: &'a [Expr],
        values: &[Option<Class>],
    ) -> Option<Class> {
        let typed = self.tables.typed;
        let value = |position: usize| values.get(position).copied().flatten();
        let name = &typed.functions[function.index()].name;
        if let Some(outside) = outside_function(name)
            && outside.fits(typed, arguments, call.ty)
        {
            self.outside(outside, arguments, values);
        }
        match effect(&typed.functions[function.index()].name) {
            Some(Effect::Allocates) => Some(self.tables.intern_allocation(call.span)),
            Some(Effect::AllocatesOnStack) => {
                let class = self.tables.intern_allocation(call.span);
                self.tables.on_stack.insert(position(call.span));
                if let Some(function) = self.current {
                    self.stack_allocations.push((function, class));
                }
                Some(class)
            }
            Some(Effect::Reallocates) => {
                let class = self.tables.intern_allocation(call.span);
                self.tables.classes.set_freed(class);
                self.join(Some(class), value(0))
            }
            Some(Effect::Frees) => {
                if let Some(class) = value(0) {
                    self.tables.classes.set_freed(class);
                }
                None
            }
            Some(Effect::Copies { to, from, length }) => {
                for position in [to, from] {
                    self.block(arguments, position, value(position), arguments.get(length));
                }
                self.copy(arguments, (to, value(to)), (from, value(from)));
                value(to)
            }
            Some(Effect::Fills { length }) => {
                self.block(arguments, 0, value(0), arguments.get(length));
                value(0)
            }
            Some(Effect::Compares { length }) => {
                for position in [0, 1] {
                    self.block(arguments, position, value(position), arguments.get(length));
                }
                None
            }
            Some(Effect::CopiesText) => {
                self.text(arguments, 2, values);
                self.copy(arguments, (0, value(0)), (1, value(1)));
                value(0)
            }
            Some(Effect::Duplicates) => {
                let class = self.tables.intern_allocation(call.span);
                self.text(arguments, 1, values);
                self.tables.classes.add_unit(class, 1);
                if let Some(from) = value(0) {
                    self.tables.classes.unify_contents(class, from);
                }
                Some(class)
            }
            Some(Effect::ReadsText(count)) => {
                self.text(arguments, count, values);
                None
            }
            Some(Effect::Searches(count)) => {
                self.text(arguments, count, values);
                value(0)
            }
            None => {
                if !is_known_function(name) {
                    for (argument, class) in arguments.iter().zip(values) {
                        if let Some(class) = *class {
                            self.reached(argument, class);
                        }
                    }
                }
                typed.types.is_pointer(call.ty).then_some(self.external)
            }
        }
    }

    /// Streams that a call by name gives to a function that is known go no further.
    pub(super) fn streams_given(&mut self, function: FunctionId, call: &Expr, arguments: &[Expr]) {
        let typed = self.tables.typed;
        let outside = outside_function(&typed.functions[function.index()].name);
        if outside.is_some_and(|outside| outside.fits(typed, arguments, call.ty)) {
            let given = arguments.iter().filter(|argument| stream_argument(typed, argument).is_some());
            self.streams = self.streams.saturating_sub(given.count());
        }
    }

    /// A function that deals with the world outside reads memory.
    fn outside(&mut self, outside: Outside, arguments: &'a [Expr], values: &[Option<Class>]) {
        let typed = self.tables.typed;
        for (position, bytes) in outside.texts(typed, arguments) {
            if let Some(class) = values.get(position).copied().flatten() {
                self.tables.classes.add_unit(class, bytes);
                self.reached(&arguments[position], class);
            }
        }
        if let Reads::Bytes { from, .. } | Reads::Elements { from, .. } = outside.reads {
            self.block(arguments, from, values.get(from).copied().flatten(), None);
        }
    }

    /// A function goes through memory in steps of bytes that divide the length.
    fn block(&mut self, arguments: &[Expr], position: usize, class: Option<Class>, length: Option<&Expr>) {
        let (Some(pointer), Some(class)) = (arguments.get(position), class) else { return };
        let unit = match length.and_then(known_divisor) {
            Some(divisor) => divisor,
            None => {
                let types = self.tables.types();
                let pointer = without_conversions(pointer);
                types.pointee(pointer.ty).and_then(|target| types.known_size(target)).unwrap_or(1)
            }
        };
        self.tables.classes.add_unit(class, unit);
        self.reached(pointer, class);
    }

    fn text(&mut self, arguments: &[Expr], count: usize, values: &[Option<Class>]) {
        for (argument, value) in arguments.iter().zip(values).take(count) {
            if let Some(class) = *value {
                self.tables.classes.add_unit(class, 1);
                self.reached(argument, class);
            }
        }
    }

    /// Memory is accessed with this pointer.
    fn reached(&mut self, pointer: &Expr, class: Class) {
        if !self.tables.is_direct(without_conversions(pointer)) {
            self.tables.classes.set_through_pointers(class);
        }
    }

    /// What one argument points to gets the contents of what the other points to.
    fn copy(&mut self, arguments: &[Expr], to: (usize, Option<Class>), from: (usize, Option<Class>)) {
        let (Some(to_class), Some(from_class)) = (to.1, from.1) else { return };
        self.tables.classes.unify_contents(to_class, from_class);
        let target = |position: usize| {
            let argument = arguments.get(position).map(without_conversions);
            argument.and_then(|argument| self.tables.pointee(argument.ty)).map(|target| target.ty)
        };
        let (left, right) = (target(to.0), target(from.0));
        if left.is_none() || left != right {
            self.tables.classes.pun(to_class);
            self.tables.classes.pun(from_class);
        }
    }
}

/// A number that surely divides a length.
fn known_divisor(length: &Expr) -> Option<u64> {
    let length = without_conversions(length);
    match &length.kind {
        ExprKind::Constant(bits) => u64::try_from(*bits).ok(),
        ExprKind::Arithmetic(Arithmetic::Multiply, left, right) => {
            let factor = known_divisor(left).or_else(|| known_divisor(right))?;
            // A product that wraps around keeps only this.
            Some(lowest_bit(u128::from(factor)))
        }
        ExprKind::Arithmetic(Arithmetic::ShiftLeft, _, count) => {
            let count = u32::try_from(without_conversions(count).constant()?).ok()?;
            // Bigger counts are taken modulo the width.
            (count < 32).then(|| 1 << count)
        }
        _ => None,
    }
}
