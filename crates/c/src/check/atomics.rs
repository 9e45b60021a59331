//! gcc's atomic builtins. There is one thread, so that they are plain reads and writes.

use super::{Checked, Checker};
use crate::typed::{Arithmetic, Comparison, Expr, ExprKind, LValue, LValueKind, Update, UpdateOperation};
use crate::types::{Type, TypeId};
use lang_c::ast::CallExpression;
use lang_c::span::{Node, Span};

/// What the builtins do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    /// An operation on `*p` with a value; gives the old value, or the new one.
    Fetch(Arithmetic, bool),
    /// `__sync_bool_compare_and_swap` and `__sync_val_compare_and_swap`.
    Swap {
        gives_old: bool,
    },
    /// `__atomic_compare_exchange_n`, and the form whose third argument is a pointer too.
    CompareExchange {
        indirect: bool,
    },
    Load {
        indirect: bool,
    },
    Store {
        indirect: bool,
    },
    Exchange {
        indirect: bool,
    },
    /// Writes zero.
    Release,
    Fence,
}

/// The action of a builtin, and how many arguments have a meaning here; those after them are memory orders
/// or, for `__sync`, ignored.
fn action(name: &str) -> Option<(Action, usize)> {
    if let Some(name) = name.strip_prefix("__sync_") {
        return Some(match name {
            "bool_compare_and_swap" => (Action::Swap { gives_old: false }, 3),
            "val_compare_and_swap" => (Action::Swap { gives_old: true }, 3),
            "lock_test_and_set" => (Action::Exchange { indirect: false }, 2),
            "lock_release" => (Action::Release, 1),
            "synchronize" => (Action::Fence, 0),
            _ => match name.strip_prefix("fetch_and_") {
                Some(word) => (Action::Fetch(arithmetic(word)?, true), 2),
                None => (Action::Fetch(arithmetic(name.strip_suffix("_and_fetch")?)?, false), 2),
            },
        });
    }
    let name = name.strip_prefix("__atomic_")?;
    Some(match name {
        "load_n" => (Action::Load { indirect: false }, 1),
        "load" => (Action::Load { indirect: true }, 2),
        "store_n" => (Action::Store { indirect: false }, 2),
        "store" => (Action::Store { indirect: true }, 2),
        "exchange_n" => (Action::Exchange { indirect: false }, 2),
        "exchange" => (Action::Exchange { indirect: true }, 3),
        "compare_exchange_n" => (Action::CompareExchange { indirect: false }, 3),
        "compare_exchange" => (Action::CompareExchange { indirect: true }, 3),
        "thread_fence" | "signal_fence" => (Action::Fence, 0),
        _ => match name.strip_prefix("fetch_") {
            Some(word) => (Action::Fetch(arithmetic(word)?, true), 2),
            None => (Action::Fetch(arithmetic(name.strip_suffix("_fetch")?)?, false), 2),
        },
    })
}

fn arithmetic(word: &str) -> Option<Arithmetic> {
    Some(match word {
        "add" => Arithmetic::Add,
        "sub" => Arithmetic::Subtract,
        "and" => Arithmetic::And,
        "or" => Arithmetic::Or,
        "xor" => Arithmetic::Xor,
        _ => return None,
    })
}

impl Checker<'_> {
    /// A call of an atomic builtin; `None` if it is none that is known.
    pub(super) fn atomic_builtin(
        &mut self,
        name: &str,
        call: &Node<CallExpression>,
    ) -> Checked<Option<Expr>> {
        let Some((action, count)) = action(name) else { return Ok(None) };
        let span = call.span;
        let mut arguments = Vec::with_capacity(call.node.arguments.len());
        for argument in &call.node.arguments {
            arguments.push(self.expression(argument)?);
        }
        if arguments.len() < count {
            return Err(self.error(span, format!("too few arguments to '{name}'")));
        }
        if arguments[count..].iter().any(|order| order.effects) {
            return Ok(None);
        }
        arguments.truncate(count);
        if action == Action::Fence {
            let (void, int) = (self.types.void(), self.types.int());
            let nothing = self.constant_of(0, int, span);
            return Ok(Some(Expr::new(&self.types, ExprKind::Convert(Box::new(nothing)), void, span)));
        }
        let target = self.types.pointee(arguments[0].ty);
        let Some(target) = target.filter(|&ty| self.types.is_integer(ty) || self.types.is_pointer(ty)) else {
            return Ok(None);
        };
        self.atomic(action, arguments, target, span)
    }

    fn atomic(
        &mut self,
        action: Action,
        arguments: Vec<Expr>,
        target: TypeId,
        span: Span,
    ) -> Checked<Option<Expr>> {
        let mut arguments = arguments.into_iter();
        let Some(pointer) = arguments.next() else { return Ok(None) };
        let (first, second) = (arguments.next(), arguments.next());
        let mut before = Vec::new();
        let result = match (action, first, second) {
            (Action::Fetch(op, gives_old), Some(operand), _) => {
                return self.fetch(op, gives_old, pointer, operand, target, span);
            }
            (Action::Load { .. }, None, _) => {
                let place = self.pointed_place(pointer, span)?;
                self.read(place, span)
            }
            (Action::Load { .. }, Some(to), _) => {
                let from = self.kept_place(pointer, &mut before, span)?;
                let to = self.pointed_place(to, span)?;
                let value = self.read(from, span);
                self.write(to, value, span)?
            }
            (Action::Release, ..) => {
                let place = self.pointed_place(pointer, span)?;
                let zero = self.constant_of(0, target, span);
                self.write(place, zero, span)?
            }
            (Action::Store { indirect }, Some(value), _) => {
                let place = self.kept_place(pointer, &mut before, span)?;
                let value = self.operand_value(value, indirect, span)?;
                self.write(place, value, span)?
            }
            (Action::Exchange { indirect }, Some(value), to) => {
                let place = self.kept_place(pointer, &mut before, span)?;
                let value = self.operand_value(value, indirect, span)?;
                let value = self.assign_convert(value, target, span)?;
                let value = self.kept_value(value, &mut before);
                let to = to.map(|to| self.kept_place(to, &mut before, span)).transpose()?;
                let old = self.read(place.clone(), span);
                let old = self.kept_value(old, &mut before);
                let write = self.write(place, value, span)?;
                before.push(write);
                match to {
                    Some(to) => self.write(to, old, span)?,
                    None => old,
                }
            }
            (Action::Swap { gives_old }, Some(expected), Some(desired)) => {
                let place = self.kept_place(pointer, &mut before, span)?;
                let expected = self.assign_convert(expected, target, span)?;
                let expected = self.kept_value(expected, &mut before);
                let desired = self.assign_convert(desired, target, span)?;
                let desired = self.kept_value(desired, &mut before);
                let old = self.read(place.clone(), span);
                let old = self.kept_value(old, &mut before);
                let equal = self.equal(old.clone(), expected, span);
                let write = self.write(place, desired, span)?;
                if gives_old {
                    let kind = ExprKind::Conditional(Box::new(equal), Box::new(write), Box::new(old.clone()));
                    before.push(Expr::new(&self.types, kind, target, span));
                    old
                } else {
                    self.success(equal, write, None, span)
                }
            }
            (Action::CompareExchange { indirect }, Some(expected), Some(desired)) => {
                let place = self.kept_place(pointer, &mut before, span)?;
                let expected = self.kept_place(expected, &mut before, span)?;
                let desired = self.operand_value(desired, indirect, span)?;
                let desired = self.assign_convert(desired, target, span)?;
                let desired = self.kept_value(desired, &mut before);
                let old = self.read(place.clone(), span);
                let old = self.kept_value(old, &mut before);
                let wanted = self.read(expected.clone(), span);
                let wanted = self.assign_convert(wanted, target, span)?;
                let equal = self.equal(old.clone(), wanted, span);
                let write = self.write(place, desired, span)?;
                let tell = self.write(expected, old, span)?;
                self.success(equal, write, Some(tell), span)
            }
            _ => return Ok(None),
        };
        let result =
            if matches!(action, Action::Load { indirect: true } | Action::Store { .. } | Action::Release)
                || action == (Action::Exchange { indirect: true })
            {
                let void = self.types.void();
                Expr::new(&self.types, ExprKind::Convert(Box::new(result)), void, span)
            } else {
                result
            };
        Ok(Some(self.after(before, result)))
    }

    fn fetch(
        &mut self,
        op: Arithmetic,
        gives_old: bool,
        pointer: Expr,
        operand: Expr,
        target: TypeId,
        span: Span,
    ) -> Checked<Option<Expr>> {
        let (operation, common) = match (self.types.int_kind(target), op) {
            // They wrap around, without overflow.
            (Some(kind), _) => {
                let common = self.types.integer(kind.to_unsigned());
                (UpdateOperation::Arithmetic(op, common), common)
            }
            // In bytes.
            (None, Arithmetic::Add | Arithmetic::Subtract) if self.types.is_pointer(target) => {
                let backwards = op == Arithmetic::Subtract;
                (UpdateOperation::PointerStep(Some(1), backwards), self.types.difference_type())
            }
            _ => return Ok(None),
        };
        let operand = self.assign_convert(operand, common, span)?;
        let place = self.pointed_place(pointer, span)?;
        let update = Update { place, operation, operand, gives_old };
        Ok(Some(Expr::new(&self.types, ExprKind::Update(Box::new(update)), target, span)))
    }

    /// 1 after one effect if a condition holds, 0 after the other if not.
    fn success(&mut self, condition: Expr, then: Expr, otherwise: Option<Expr>, span: Span) -> Expr {
        let truth = self.types.intern(Type::Bool);
        let (one, zero) = (self.constant_of(1, truth, span), self.constant_of(0, truth, span));
        let (one, zero) = (self.after([then], one), self.after(otherwise, zero));
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(one), Box::new(zero));
        Expr::new(&self.types, kind, truth, span)
    }

    fn equal(&mut self, left: Expr, right: Expr, span: Span) -> Expr {
        let int = self.types.int();
        let kind = ExprKind::Compare(Comparison::Equal, Box::new(left), Box::new(right));
        Expr::new(&self.types, kind, int, span)
    }

    fn read(&mut self, place: LValue, span: Span) -> Expr {
        let ty = place.ty;
        Expr::new(&self.types, ExprKind::Load(place), ty, span)
    }

    fn write(&mut self, place: LValue, value: Expr, span: Span) -> Checked<Expr> {
        let ty = place.ty;
        let value = self.assign_convert(value, ty, span)?;
        Ok(Expr::new(&self.types, ExprKind::Assign(place, Box::new(value)), ty, span))
    }

    /// An operand that is given as a value, or by its address.
    fn operand_value(&mut self, operand: Expr, indirect: bool, span: Span) -> Checked<Expr> {
        if !indirect {
            return Ok(operand);
        }
        let place = self.pointed_place(operand, span)?;
        Ok(self.read(place, span))
    }

    /// What a pointer points to, for several uses.
    fn kept_place(&mut self, pointer: Expr, before: &mut Vec<Expr>, span: Span) -> Checked<LValue> {
        let ty = self.types.pointee(pointer.ty);
        if let ExprKind::AddressOf(place) = &pointer.kind
            && ty == Some(place.ty)
            && matches!(place.kind, LValueKind::Object(_))
        {
            return Ok(place.clone());
        }
        let pointer = self.kept_value(pointer, before);
        self.pointed_place(pointer, span)
    }

    fn kept_value(&mut self, value: Expr, before: &mut Vec<Expr>) -> Expr {
        if value.constant().is_some() {
            return value;
        }
        let (keep, value) = self.kept(value);
        before.push(keep);
        value
    }
}
