//! Binary operators and assignments.

use super::lvalues::Operand;
use super::{Checked, Checker, fold};
use crate::typed::{Arithmetic, Comparison, Expr, ExprKind, Update, UpdateOperation};
use lang_c::ast::{BinaryOperator, BinaryOperatorExpression, Expression};
use lang_c::span::{Node, Span};

/// The kinds of binary operators.
enum Operator {
    Index,
    Arithmetic(Arithmetic),
    Comparison(Comparison),
    And,
    Or,
    Assign,
    Compound(Arithmetic),
}

fn classify(operator: &BinaryOperator) -> Operator {
    use BinaryOperator as B;
    match operator {
        B::Index => Operator::Index,
        B::Multiply => Operator::Arithmetic(Arithmetic::Multiply),
        B::Divide => Operator::Arithmetic(Arithmetic::Divide),
        B::Modulo => Operator::Arithmetic(Arithmetic::Remainder),
        B::Plus => Operator::Arithmetic(Arithmetic::Add),
        B::Minus => Operator::Arithmetic(Arithmetic::Subtract),
        B::ShiftLeft => Operator::Arithmetic(Arithmetic::ShiftLeft),
        B::ShiftRight => Operator::Arithmetic(Arithmetic::ShiftRight),
        B::BitwiseAnd => Operator::Arithmetic(Arithmetic::And),
        B::BitwiseXor => Operator::Arithmetic(Arithmetic::Xor),
        B::BitwiseOr => Operator::Arithmetic(Arithmetic::Or),
        B::Less => Operator::Comparison(Comparison::Less),
        B::Greater => Operator::Comparison(Comparison::Greater),
        B::LessOrEqual => Operator::Comparison(Comparison::LessOrEqual),
        B::GreaterOrEqual => Operator::Comparison(Comparison::GreaterOrEqual),
        B::Equals => Operator::Comparison(Comparison::Equal),
        B::NotEquals => Operator::Comparison(Comparison::NotEqual),
        B::LogicalAnd => Operator::And,
        B::LogicalOr => Operator::Or,
        B::Assign => Operator::Assign,
        B::AssignMultiply => Operator::Compound(Arithmetic::Multiply),
        B::AssignDivide => Operator::Compound(Arithmetic::Divide),
        B::AssignModulo => Operator::Compound(Arithmetic::Remainder),
        B::AssignPlus => Operator::Compound(Arithmetic::Add),
        B::AssignMinus => Operator::Compound(Arithmetic::Subtract),
        B::AssignShiftLeft => Operator::Compound(Arithmetic::ShiftLeft),
        B::AssignShiftRight => Operator::Compound(Arithmetic::ShiftRight),
        B::AssignBitwiseAnd => Operator::Compound(Arithmetic::And),
        B::AssignBitwiseXor => Operator::Compound(Arithmetic::Xor),
        B::AssignBitwiseOr => Operator::Compound(Arithmetic::Or),
    }
}

fn symbol(op: Arithmetic) -> &'static str {
    match op {
        Arithmetic::Multiply => "*",
        Arithmetic::Divide => "/",
        Arithmetic::Remainder => "%",
        Arithmetic::Add => "+",
        Arithmetic::Subtract => "-",
        Arithmetic::ShiftLeft => "<<",
        Arithmetic::ShiftRight => ">>",
        Arithmetic::And => "&",
        Arithmetic::Xor => "^",
        Arithmetic::Or => "|",
    }
}

impl Checker<'_> {
    pub(super) fn binary(&mut self, node: &Node<BinaryOperatorExpression>) -> Checked<Expr> {
        let (lhs, rhs, span) = (&node.node.lhs, &node.node.rhs, node.span);
        match classify(&node.node.operator.node) {
            Operator::Assign => self.assignment(lhs, rhs, span),
            Operator::Compound(op) => self.compound_assignment(op, lhs, rhs, span),
            Operator::And => self.logical(lhs, rhs, true, span),
            Operator::Or => self.logical(lhs, rhs, false, span),
            Operator::Index => {
                let place = self.subscript(lhs, rhs, span)?;
                Ok(self.decay(place))
            }
            Operator::Comparison(op) => {
                let left = self.expression(lhs)?;
                let right = self.expression(rhs)?;
                self.comparison(op, left, right, span)
            }
            Operator::Arithmetic(op) => {
                let left = self.expression(lhs)?;
                let right = self.expression(rhs)?;
                self.arithmetic(op, left, right, span)
            }
        }
    }

    /// Arithmetic with all conversions; also addition and subtraction of pointers.
    pub(super) fn arithmetic(
        &mut self,
        op: Arithmetic,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Checked<Expr> {
        if self.has_vector(&left, &right) {
            return self.vector_arithmetic(op, left, right, span);
        }
        let pointers = (self.types.is_pointer(left.ty), self.types.is_pointer(right.ty));
        match (op, pointers) {
            (Arithmetic::Add, (true, false) | (false, true)) => {
                return self.pointer_sum(left, right, false, span);
            }
            (Arithmetic::Subtract, (true, false)) => return self.pointer_sum(left, right, true, span),
            (Arithmetic::Subtract, (true, true)) => return Ok(self.pointer_difference(left, right, span)),
            _ => {}
        }
        self.require_numbers(op, &left, &right, span)?;
        let (left, right, ty) = match op {
            Arithmetic::ShiftLeft | Arithmetic::ShiftRight => {
                let (left, right) = (self.promote(left), self.promote(right));
                let ty = left.ty;
                (left, right, ty)
            }
            _ => self.balance(left, right),
        };
        if let (Some(a), Some(b)) = (left.constant(), right.constant())
            && let Some(bits) = fold::arithmetic(&self.types, op, a, b, ty)
        {
            return Ok(self.constant_of(bits, ty, span));
        }
        if let (&ExprKind::Float(a), &ExprKind::Float(b)) = (&left.kind, &right.kind)
            && let Some(bits) = fold::float_arithmetic(&self.types, op, a, b, ty)
        {
            return Ok(self.float_of(bits, ty, span));
        }
        Ok(Expr::new(&self.types, ExprKind::Arithmetic(op, Box::new(left), Box::new(right)), ty, span))
    }

    fn require_numbers(&self, op: Arithmetic, left: &Expr, right: &Expr, span: Span) -> Checked<()> {
        self.require_value(left)?;
        self.require_value(right)?;
        let integers_only =
            !matches!(op, Arithmetic::Multiply | Arithmetic::Divide | Arithmetic::Add | Arithmetic::Subtract);
        let fits = |expr: &Expr| {
            if integers_only { self.types.is_integer(expr.ty) } else { self.types.is_arithmetic(expr.ty) }
        };
        if fits(left) && fits(right) {
            return Ok(());
        }
        let (a, b) = (self.type_name_text(left.ty), self.type_name_text(right.ty));
        Err(self.error(span, format!("invalid operands to binary {} (have '{a}' and '{b}')", symbol(op))))
    }

    /// A pointer plus or minus an integer, in either order.
    pub(super) fn pointer_sum(
        &mut self,
        left: Expr,
        right: Expr,
        backwards: bool,
        span: Span,
    ) -> Checked<Expr> {
        let swapped = !self.types.is_pointer(left.ty);
        let (pointer, index) = if swapped { (right, left) } else { (left, right) };
        let target = self.types.pointee(pointer.ty).filter(|_| self.types.is_integer(index.ty));
        let Some(target) = target else {
            return Err(self.error(span, "a pointer and an integer are needed here"));
        };
        let index_type = self.types.difference_type();
        let index = self.promote(index);
        let index = self.convert(index, index_type);
        let (index, size) = self.pointer_steps(index, target, span);
        let ty = pointer.ty;
        if let (Some(base), Some(count), Some(size)) = (pointer.constant(), index.constant(), size) {
            let distance = count.wrapping_mul(u128::from(size));
            let bits = if backwards { base.wrapping_sub(distance) } else { base.wrapping_add(distance) };
            return Ok(self.constant_of(bits, ty, span));
        }
        let (pointer, index) = (Box::new(pointer), Box::new(index));
        let kind = ExprKind::PointerOffset { pointer, index, size, backwards, swapped };
        Ok(Expr::new(&self.types, kind, ty, span))
    }

    fn pointer_difference(&mut self, left: Expr, right: Expr, span: Span) -> Expr {
        let target = self.types.pointee(left.ty);
        let mut size = target.and_then(|target| self.types.known_size(target));
        let mut count = None;
        if let (None, Some(target)) = (size, target) {
            (count, size) = self.variable_count(target, span).unzip();
        }
        let ty = self.types.difference_type();
        let kind = ExprKind::PointerDifference { left: Box::new(left), right: Box::new(right), size };
        let difference = Expr::new(&self.types, kind, ty, span);
        match count {
            None => difference,
            Some(count) => {
                let count = self.convert(count, ty);
                let kind = ExprKind::Arithmetic(Arithmetic::Divide, Box::new(difference), Box::new(count));
                Expr::new(&self.types, kind, ty, span)
            }
        }
    }

    pub(super) fn comparison(
        &mut self,
        op: Comparison,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Checked<Expr> {
        if self.has_vector(&left, &right) {
            return self.vector_comparison(op, left, right, span);
        }
        self.require_scalar(&left)?;
        self.require_scalar(&right)?;
        let (left, right) = match (self.types.is_pointer(left.ty), self.types.is_pointer(right.ty)) {
            (false, false) => {
                let (left, right, _) = self.balance(left, right);
                (left, right)
            }
            (true, _) => {
                let ty = left.ty;
                (left, self.convert(right, ty))
            }
            (false, true) => {
                let ty = right.ty;
                (self.convert(left, ty), right)
            }
        };
        let int = self.types.int();
        if let (Some(a), Some(b)) = (left.constant(), right.constant())
            && let Some(result) = fold::compare(&self.types, op, a, b, left.ty)
        {
            return Ok(self.constant_of(u128::from(result), int, span));
        }
        Ok(Expr::new(&self.types, ExprKind::Compare(op, Box::new(left), Box::new(right)), int, span))
    }

    /// `&&` and `||`; a constant left side decides as far as it can.
    fn logical(
        &mut self,
        lhs: &Node<Expression>,
        rhs: &Node<Expression>,
        and: bool,
        span: Span,
    ) -> Checked<Expr> {
        let left = self.expression(lhs)?;
        self.require_scalar(&left)?;
        let right = self.expression(rhs)?;
        self.require_scalar(&right)?;
        let int = self.types.int();
        match (left.constant().map(|bits| bits != 0), right.constant()) {
            (Some(known), _) if known != and => return Ok(self.constant_of(u128::from(known), int, span)),
            (Some(_), Some(bits)) => return Ok(self.constant_of(u128::from(bits != 0), int, span)),
            _ => {}
        }
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = if and { ExprKind::LogicalAnd(left, right) } else { ExprKind::LogicalOr(left, right) };
        Ok(Expr::new(&self.types, kind, int, span))
    }

    fn assignment(&mut self, lhs: &Node<Expression>, rhs: &Node<Expression>, span: Span) -> Checked<Expr> {
        let place = self.assignable(lhs, "left operand of assignment")?;
        let value = self.expression(rhs)?;
        let value = self.assign_convert(value, place.ty, rhs.span)?;
        let ty = place.ty;
        if self.is_reversed(&place) {
            let value = self.reversed(value);
            let assign = Expr::new(&self.types, ExprKind::Assign(place, Box::new(value)), ty, span);
            return Ok(self.reversed(assign));
        }
        Ok(Expr::new(&self.types, ExprKind::Assign(place, Box::new(value)), ty, span))
    }

    fn compound_assignment(
        &mut self,
        op: Arithmetic,
        lhs: &Node<Expression>,
        rhs: &Node<Expression>,
        span: Span,
    ) -> Checked<Expr> {
        let place = self.assignable(lhs, "left operand of assignment")?;
        let value = self.expression(rhs)?;
        let ty = place.ty;
        if self.is_reversed(&place) {
            let what = "change of a member whose bytes are in the other order";
            return Ok(self.unsupported(what, ty, span));
        }
        if self.types.as_vector(ty).is_some() {
            let (operation, operand) = self.vector_update(op, ty, value, span)?;
            let update = Update { place, operation, operand, gives_old: false };
            return Ok(Expr::new(&self.types, ExprKind::Update(Box::new(update)), ty, span));
        }
        let step = self.types.pointee(ty).filter(|_| matches!(op, Arithmetic::Add | Arithmetic::Subtract));
        let (operation, operand) = if let Some(target) = step {
            self.require_integer(&value)?;
            let index = self.types.difference_type();
            let steps = self.convert(value, index);
            let (steps, size) = self.pointer_steps(steps, target, span);
            (UpdateOperation::PointerStep(size, op == Arithmetic::Subtract), steps)
        } else {
            let read = self.decay(Operand::Place(place.clone(), lhs.span));
            self.require_numbers(op, &read, &value, span)?;
            let (common, value) = match op {
                Arithmetic::ShiftLeft | Arithmetic::ShiftRight => {
                    let promoted = self.promote(read).ty;
                    (promoted, self.promote(value))
                }
                _ => {
                    let common = self.common_type(&read, &value);
                    (common, self.convert(value, common))
                }
            };
            (UpdateOperation::Arithmetic(op, common), value)
        };
        let update = Update { place, operation, operand, gives_old: false };
        Ok(Expr::new(&self.types, ExprKind::Update(Box::new(update)), ty, span))
    }
}
