//! Functions with a variable number of arguments.
//!
//! The caller puts what it passes for `...` into an unnamed variable, one argument after the other in slots
//! of whole words, and passes its address; see [`crate::typed::ExtraArguments`]. A `va_list` has the type
//! that gcc gives it, so that it is declared, passed and copied as with gcc, but only one of its words is
//! used: the address of the next argument.

use super::{Checked, Checker};
use crate::typed::{Expr, ExprKind, ExtraArguments, LValue, LValueKind, ObjectId, Update, UpdateOperation};
use crate::types::{ArrayLength, FieldSpec, IntKind, RecordAttributes, Type, TypeId};
use lang_c::ast::{CallExpression, Expression, VaArgExpression};
use lang_c::span::{Node, Span};

/// The members of gcc's `va_list` for x86-64: first two of type `unsigned`, then two pointers.
const MEMBERS: [&str; 4] = ["gp_offset", "fp_offset", "overflow_arg_area", "reg_save_area"];

/// The member that holds the address of the next argument.
const NEXT: usize = 2;

impl Checker<'_> {
    /// `__builtin_va_list`: an array of one structure, or a pointer if pointers have 32 bits.
    pub(super) fn va_list_type(&mut self) -> TypeId {
        if let Some(ty) = self.va_list {
            return ty;
        }
        let char = self.types.integer(IntKind::Char);
        let pointer = self.types.pointer(char);
        let ty = if self.types.pointer_bits() == 32 {
            pointer
        } else {
            let unsigned = self.types.integer(IntKind::UInt);
            let tag = self.types.new_record(Some("__va_list_tag".to_owned()), false);
            let member = |(position, name): (usize, &str)| FieldSpec {
                name: Some(name.to_owned()),
                ty: if position < NEXT { unsigned } else { pointer },
                bits: None,
                align: None,
                type_align: None,
                packed: false,
                read_only: false,
            };
            let members = MEMBERS.into_iter().enumerate().map(member).collect();
            if let Some(record) = self.types.as_record(tag) {
                self.types.complete_record(record, members, RecordAttributes::default());
            }
            self.types.array(tag, ArrayLength::Known(1))
        };
        self.va_list = Some(ty);
        ty
    }

    /// What an expression of type `va_list` denotes: the pointer, or the structure.
    fn va_list_place(&mut self, node: &Node<Expression>) -> Checked<LValue> {
        let list = self.va_list_type();
        let Type::Array(tag, _) = *self.types.get(list) else {
            let place = self.assignable(node, "list of arguments")?;
            if self.types.is_pointer(place.ty) {
                return Ok(place);
            }
            return Err(self.error(node.span, "a 'va_list' is required here"));
        };
        let pointer = self.expression(node)?;
        if self.types.pointee(pointer.ty) != Some(tag) {
            return Err(self.error(node.span, "a 'va_list' is required here"));
        }
        self.pointed_place(pointer, node.span)
    }

    /// The place in a `va_list` that holds the address of the next argument.
    fn next_argument(&mut self, node: &Node<Expression>) -> Checked<LValue> {
        let place = self.va_list_place(node)?;
        let Some(record) = self.types.as_record(place.ty) else { return Ok(place) };
        let char = self.types.integer(IntKind::Char);
        let ty = self.types.pointer(char);
        Ok(LValue { kind: LValueKind::Member(Box::new(place), record, NEXT), ty })
    }

    /// The variable that holds the address of the arguments for `...` of the function at hand.
    fn arguments_address(&mut self, span: Span) -> Checked<ObjectId> {
        match self.context.as_ref().filter(|context| context.variadic).map(|context| context.extra) {
            Some(Some(object)) => return Ok(object),
            Some(None) => {}
            None => {
                let message = "'va_start' used in a function without a variable number of arguments";
                return Err(self.error(span, message));
            }
        }
        let char = self.types.integer(IntKind::Char);
        let ty = self.types.pointer(char);
        let object = self.hidden_object("<arguments>", ty, span);
        if let Some(context) = &mut self.context {
            context.extra = Some(object);
        }
        Ok(object)
    }

    /// `va_start`, `va_end` and `va_copy`, by their name without `__builtin_`.
    pub(super) fn va_builtin(&mut self, builtin: &str, call: &Node<CallExpression>) -> Checked<Option<Expr>> {
        let effect = match (builtin, call.node.arguments.as_slice()) {
            ("va_start" | "c23_va_start", [list, ..]) => {
                let extra = self.arguments_address(call.span)?;
                let place = self.next_argument(list)?;
                let ty = self.object(extra).ty;
                let start = LValue { kind: LValueKind::Object(extra), ty };
                let start = Expr::new(&self.types, ExprKind::Load(start), ty, call.span);
                let start = self.convert(start, place.ty);
                let ty = place.ty;
                Expr::new(&self.types, ExprKind::Assign(place, Box::new(start)), ty, call.span)
            }
            ("va_end", [list]) => self.expression(list)?,
            ("va_copy", [to, from]) => {
                let to = self.va_list_place(to)?;
                let ty = to.ty;
                let from = if self.types.is_pointer(ty) {
                    let from = self.expression(from)?;
                    self.assign_convert(from, ty, call.span)?
                } else {
                    let from = self.va_list_place(from)?;
                    Expr::new(&self.types, ExprKind::Load(from), ty, call.span)
                };
                Expr::new(&self.types, ExprKind::Assign(to, Box::new(from)), ty, call.span)
            }
            _ => return Ok(None),
        };
        let void = self.types.void();
        Ok(Some(Expr::new(&self.types, ExprKind::Convert(Box::new(effect)), void, call.span)))
    }

    /// `va_arg`: reads the next argument and goes on to the one after it.
    pub(super) fn va_arg(&mut self, argument: &VaArgExpression, span: Span) -> Checked<Expr> {
        let ty = self.type_name(&argument.type_name)?;
        let place = self.next_argument(&argument.va_list)?;
        if self.never_passed(ty) {
            return Ok(self.unsupported("variable argument of a type that is promoted", ty, span));
        }
        let Some(slot) = self.types.argument_slot(ty) else {
            return Ok(self.unsupported("variable argument of this type", ty, span));
        };
        let (index, pointer) = (self.types.difference_type(), self.types.pointer(ty));
        let (operation, next) = (UpdateOperation::PointerStep(Some(1), false), place.ty);
        let operand = self.constant_of(u128::from(slot), index, span);
        let update = Update { place, operation, operand, gives_old: true };
        let address = Expr::new(&self.types, ExprKind::Update(Box::new(update)), next, span);
        let address = self.convert(address, pointer);
        let place = LValue { kind: LValueKind::Deref(Box::new(address)), ty };
        Ok(Expr::new(&self.types, ExprKind::Load(place), ty, span))
    }

    /// Arguments of such types are promoted before they are passed.
    fn never_passed(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Bool | Type::Float(crate::types::FloatKind::Float) => true,
            _ => self.types.int_kind(ty).is_some_and(|kind| kind.rank() < IntKind::Int.rank()),
        }
    }

    /// A variable for the arguments of a call beyond the `first` ones; `None` if there are none, or some of
    /// a type that cannot be passed.
    pub(super) fn extra_arguments(
        &mut self,
        arguments: &[Expr],
        first: usize,
        span: Span,
    ) -> Option<ExtraArguments> {
        let mut size = 0u64;
        for argument in arguments.get(first..).filter(|extra| !extra.is_empty())? {
            size = size.checked_add(self.types.argument_slot(argument.ty)?)?;
        }
        let char = self.types.integer(IntKind::Char);
        let ty = self.types.array(char, ArrayLength::Known(size));
        let object = self.hidden_object("<arguments>", ty, span);
        Some(ExtraArguments { object, first })
    }
}
