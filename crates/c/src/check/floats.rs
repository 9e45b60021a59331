//! gcc's builtins about floating-point numbers.

use super::{Checked, Checker};
use crate::library::{math_function, nan_payload};
use crate::typed::{CallObjects, Callee, Comparison, Expr, ExprKind, LValue, LValueKind, Storage};
use crate::types::{FloatKind, IntKind, Type, TypeId};
use lang_c::ast::{CallExpression, Expression};
use lang_c::span::{Node, Span};

/// Builtins whose result is a constant, for `double`; with a suffix for other types.
const CONSTANTS: &[&str] = &["inf", "huge_val", "nan", "nans"];

/// Builtins that take a number of any type: what the function for `double` is called.
const GENERIC: &[(&str, &str)] = &[
    ("isnan", "isnan"),
    ("isinf", "aster_isinf"),
    ("isinf_sign", "isinf_sign"),
    ("isfinite", "isfinite"),
    ("finite", "isfinite"),
    ("isnormal", "isnormal"),
    ("signbit", "signbit"),
];

/// The classes in the order of the arguments of `__builtin_fpclassify`, by glibc's numbers.
const CLASSES: [u128; 5] = [0, 1, 4, 3, 2];

impl Checker<'_> {
    /// A builtin about floating-point numbers, by its name without `__builtin_`.
    pub(super) fn float_builtin(
        &mut self,
        builtin: &str,
        call: &Node<CallExpression>,
    ) -> Checked<Option<Expr>> {
        let arguments = call.node.arguments.as_slice();
        if let Some(constant) = self.float_constant_builtin(builtin, arguments, call.span) {
            return Ok(Some(constant));
        }
        let comparison = match builtin {
            "isgreater" => Some(Comparison::Greater),
            "isgreaterequal" => Some(Comparison::GreaterOrEqual),
            "isless" => Some(Comparison::Less),
            "islessequal" => Some(Comparison::LessOrEqual),
            _ => None,
        };
        match (builtin, arguments, comparison) {
            (_, [left, right], Some(op)) => {
                let (left, right) = (self.expression(left)?, self.expression(right)?);
                self.comparison(op, left, right, call.span).map(Some)
            }
            ("isunordered" | "islessgreater", [left, right], _) => {
                self.order(builtin == "isunordered", left, right, call.span).map(Some)
            }
            ("fpclassify", [classes @ .., value], _) if classes.len() == CLASSES.len() => {
                self.classify(classes, value, call).map(Some)
            }
            (_, [argument], _) => match GENERIC.iter().find(|(name, _)| *name == builtin) {
                Some((_, function)) => {
                    let argument = self.float_argument(argument)?;
                    self.float_function(function, argument, call.span).map(Some)
                }
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }

    fn float_constant_builtin(
        &mut self,
        builtin: &str,
        arguments: &[Node<Expression>],
        span: Span,
    ) -> Option<Expr> {
        let suffixes = [("", FloatKind::Double), ("f", FloatKind::Float), ("l", FloatKind::LongDouble)];
        let (base, kind) = suffixes.into_iter().find_map(|(suffix, kind)| {
            let base = builtin.strip_suffix(suffix)?;
            CONSTANTS.contains(&base).then_some((base, kind))
        })?;
        let format = kind.format();
        let bits = match (base, arguments) {
            ("inf" | "huge_val", []) => format.infinity(false),
            ("nan" | "nans", [text]) => {
                let Expression::StringLiteral(parts) = &text.node else { return None };
                let (bytes, _) = self.string_bytes(&parts.node);
                let payload = nan_payload(&bytes)?;
                // A signalling NaN needs some bit of its payload.
                let quiet = 1 << (format.fraction() - 1);
                let top = match (base, payload & (quiet - 1)) {
                    ("nan", _) => quiet,
                    (_, 0) => quiet >> 1,
                    _ => 0,
                };
                format.exponent_mask() | top | (payload & (quiet - 1))
            }
            _ => return None,
        };
        let ty = self.types.intern(Type::Float(kind));
        Some(self.float_of(bits, ty, span))
    }

    /// `isunordered`, or `islessgreater`.
    fn order(
        &mut self,
        unordered: bool,
        left: &Node<Expression>,
        right: &Node<Expression>,
        span: Span,
    ) -> Checked<Expr> {
        let (left, right) = (self.expression(left)?, self.expression(right)?);
        let (before_left, left) = self.evaluated_once(left);
        let (before_right, right) = self.evaluated_once(right);
        let pairs = if unordered {
            [(Comparison::NotEqual, left.clone(), left), (Comparison::NotEqual, right.clone(), right)]
        } else {
            [(Comparison::Less, left.clone(), right.clone()), (Comparison::Greater, left, right)]
        };
        let [first, second] = pairs.map(|(op, a, b)| self.comparison(op, a, b, span));
        let int = self.types.int();
        let kind = ExprKind::LogicalOr(Box::new(first?), Box::new(second?));
        let mut result = Expr::new(&self.types, kind, int, span);
        for before in [before_right, before_left].into_iter().flatten() {
            let kind = ExprKind::Comma(Box::new(before), Box::new(result));
            result = Expr::new(&self.types, kind, int, span);
        }
        Ok(result)
    }

    /// An expression that may be used several times, and what has to be evaluated before.
    fn evaluated_once(&mut self, expr: Expr) -> (Option<Expr>, Expr) {
        if !expr.effects {
            return (None, expr);
        }
        let (ty, span) = (expr.ty, expr.span);
        let object = self.new_object("<operand>".to_owned(), ty, Storage::Automatic, span);
        let place = LValue { kind: LValueKind::Object(object), ty };
        let assign = ExprKind::Assign(place.clone(), Box::new(expr));
        let before = Expr::new(&self.types, assign, ty, span);
        (Some(before), Expr::new(&self.types, ExprKind::Load(place), ty, span))
    }

    /// `__builtin_fpclassify`: one of the first five arguments.
    fn classify(
        &mut self,
        classes: &[Node<Expression>],
        value: &Node<Expression>,
        call: &Node<CallExpression>,
    ) -> Checked<Expr> {
        let span = call.span;
        let mut results = Vec::with_capacity(classes.len());
        let int = self.types.int();
        for class in classes {
            let class = self.expression(class)?;
            if class.effects {
                return Ok(self.unsupported("effects in the classes of __builtin_fpclassify", int, span));
            }
            results.push(self.assign_convert(class, int, span)?);
        }
        let value = self.float_argument(value)?;
        let class = self.float_function("fpclassify", value, span)?;
        let (before, class) = self.evaluated_once(class);
        let mut choices = results.into_iter().zip(CLASSES).rev();
        let Some((mut result, _)) = choices.next() else { return Ok(class) };
        for (choice, number) in choices {
            let number = self.constant_of(number, int, span);
            let is_this = self.comparison(Comparison::Equal, class.clone(), number, span)?;
            let kind = ExprKind::Conditional(Box::new(is_this), Box::new(choice), Box::new(result));
            result = Expr::new(&self.types, kind, int, span);
        }
        Ok(match before {
            Some(before) => {
                Expr::new(&self.types, ExprKind::Comma(Box::new(before), Box::new(result)), int, span)
            }
            None => result,
        })
    }

    /// An argument of a builtin that takes every floating-point type.
    fn float_argument(&mut self, node: &Node<Expression>) -> Checked<Expr> {
        let value = self.arithmetic_operand(node)?;
        let kind = match self.types.float_kind(value.ty) {
            Some(FloatKind::Half) => FloatKind::Float,
            Some(_) => return Ok(value),
            None => FloatKind::Double,
        };
        let ty = self.types.intern(Type::Float(kind));
        Ok(self.convert(value, ty))
    }

    /// A call of a function of the library for the type of its argument.
    fn float_function(&mut self, name: &str, argument: Expr, span: Span) -> Checked<Expr> {
        let suffix = match self.types.float_kind(argument.ty) {
            Some(FloatKind::Double) => "",
            Some(FloatKind::Float) => "f",
            Some(FloatKind::LongDouble) => "l",
            _ => {
                let int = self.types.int();
                return Ok(self.unsupported("function on numbers of this type", int, span));
            }
        };
        let function = self.called_undeclared(&format!("__builtin_{name}{suffix}"), span);
        let int = self.types.int();
        let kind = ExprKind::Call(Callee::Function(function), vec![argument], CallObjects::default());
        Ok(Expr::new(&self.types, kind, int, span))
    }

    /// Result and parameters of a function of `<math.h>` that is an operator.
    pub(super) fn math_signature(&mut self, name: &str) -> Option<(TypeId, Vec<TypeId>)> {
        let function = math_function(name)?;
        let mut ty = |letter: char| match letter {
            'r' => self.types.intern(Type::Float(function.kind)),
            'u' => self.types.integer(match function.kind {
                FloatKind::Float => IntKind::UInt,
                FloatKind::LongDouble => IntKind::UInt128,
                _ => IntKind::ULongLong,
            }),
            'l' => self.types.integer(IntKind::Long),
            'L' => self.types.integer(IntKind::LongLong),
            's' => {
                let char = self.types.integer(IntKind::Char);
                self.types.pointer(char)
            }
            _ => self.types.int(),
        };
        let mut types: Vec<TypeId> = function.signature.chars().map(&mut ty).collect();
        let parameters = types.split_off(1);
        types.pop().map(|result| (result, parameters))
    }
}
