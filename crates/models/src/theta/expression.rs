//! Expressions: their types, and their meaning as terms.
//!
//! The type of every expression is checked. Its meaning may be missing, with a reason: then the statement that it belongs
//! to is not modelled.

use super::arrays::{Representation, Value, representation};
use super::parse::literal_key;
use super::syntax::{BvLiteral, Declaration, Expr, ExprKind, Type};
use aster_cfa::{Diagnostic, Span};
use aster_term::{FloatFormat, MAX_WIDTH, Sort, Term, TermPool};
use rustc_hash::FxHashMap;

/// What an expression denotes.
#[derive(Clone, Debug)]
pub(super) struct Meaning {
    pub(super) value: Value,
    /// Holds where the language says what the value is. Elsewhere the value must not be used.
    pub(super) defined: Term,
}

/// An expression with its type.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub(super) ty: Type,
    /// The reason if it is not modelled.
    pub(super) meaning: Result<Meaning, String>,
}

/// A variable that expressions can read.
pub(super) struct Readable {
    pub(super) ty: Type,
    /// Its terms; the reason if it has none.
    pub(super) value: Result<Value, String>,
}

/// Gives expressions their meaning.
pub(super) struct Expressions<'a> {
    pub(super) pool: &'a mut TermPool,
    pub(super) variables: &'a FxHashMap<String, Readable>,
    /// The indices of arrays that are split into one variable for each.
    pub(super) keys: &'a [String],
}

pub(super) type Checked<T> = Result<T, Diagnostic>;

impl Expressions<'_> {
    /// The type and the meaning of an expression.
    pub(super) fn expr(&mut self, expr: &Expr) -> Checked<Typed> {
        self.scoped(expr, &mut Vec::new())
    }

    /// An expression that must have a certain type.
    pub(super) fn of_type(&mut self, expr: &Expr, expected: &Type) -> Checked<Typed> {
        let typed = self.expr(expr)?;
        self.convert(typed, expected, expr.span)
    }

    /// The expression as one of another type: integers are rationals.
    pub(super) fn convert(&mut self, typed: Typed, expected: &Type, span: Span) -> Checked<Typed> {
        if typed.ty == *expected {
            return Ok(typed);
        }
        if typed.ty == Type::Int && *expected == Type::Rat {
            return Ok(self.unary(Type::Rat, typed, |pool, a| pool.to_real(a)));
        }
        Err(Diagnostic::new(
            span,
            format!("expected an expression of type `{expected}`, found `{}`", typed.ty),
        ))
    }

    /// `bound` holds the variables of quantifiers around the expression.
    fn scoped(&mut self, expr: &Expr, bound: &mut Vec<(String, Type)>) -> Checked<Typed> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Bool(value) => {
                let term = self.pool.bool(*value);
                Ok(self.value(Type::Bool, term))
            }
            ExprKind::Int(digits) => {
                let term = self.integer(digits);
                Ok(self.value(Type::Int, term))
            }
            ExprKind::Rat(numerator, denominator) => Ok(self.rational(numerator, denominator)),
            ExprKind::Bv(literal) => Ok(self.bits(*literal)),
            ExprKind::Fp { negative, exponent, significand } => {
                Ok(self.float(*negative, *exponent, *significand))
            }
            ExprKind::Array { index, entries, default } => {
                self.array_literal(index.as_ref(), entries, default, span, bound)
            }
            ExprKind::Name(name) => self.name(name, span, bound),
            ExprKind::Unary(op, operand) => {
                let operand_span = operand.span;
                let operand = self.scoped(operand, bound)?;
                self.unary_operator(*op, operand, operand_span)
            }
            ExprKind::Chain(first, rest) => {
                let mut left = self.scoped(first, bound)?;
                for (op, right) in rest {
                    let right = self.scoped(right, bound)?;
                    left = self.binary_operator(*op, left, right, span)?;
                }
                Ok(left)
            }
            ExprKind::If(parts) => {
                let [condition, then, otherwise] = &**parts;
                let condition = (self.scoped(condition, bound)?, condition.span);
                let condition = self.convert(condition.0, &Type::Bool, condition.1)?;
                let (then, otherwise) = (self.scoped(then, bound)?, self.scoped(otherwise, bound)?);
                let (then, otherwise) = self.unify(then, otherwise, span)?;
                Ok(self.choose(condition, then, otherwise))
            }
            ExprKind::Quantified { variables, body } => self.quantified(variables, body, bound),
            ExprKind::Read(array, index) => {
                let key = literal_key(index);
                let (array_span, index_span) = (array.span, index.span);
                let (array, index) = (self.scoped(array, bound)?, self.scoped(index, bound)?);
                let (index_type, element_type) = array_type(&array.ty, array_span)?;
                let index = self.convert(index, &index_type, index_span)?;
                Ok(self.read(array, index, key, element_type))
            }
            ExprKind::Write(parts) => {
                let [array, index, element] = &**parts;
                let key = literal_key(index);
                let (array_span, index_span, element_span) = (array.span, index.span, element.span);
                let array = self.scoped(array, bound)?;
                let (index, element) = (self.scoped(index, bound)?, self.scoped(element, bound)?);
                let (index_type, element_type) = array_type(&array.ty, array_span)?;
                let index = self.convert(index, &index_type, index_span)?;
                let element = self.convert(element, &element_type, element_span)?;
                Ok(self.write(array, index, key, element))
            }
            ExprKind::Extract { high, low, of } => {
                let of = self.scoped(of, bound)?;
                self.extract(*high, *low, of, span)
            }
            ExprKind::Extend { signed, width, of } => {
                let of_span = of.span;
                let of = self.scoped(of, bound)?;
                self.extend(*signed, *width, of, of_span)
            }
        }
    }

    fn value(&mut self, ty: Type, term: Term) -> Typed {
        let defined = self.pool.bool(true);
        Typed { ty, meaning: Ok(Meaning { value: Value::Whole(term), defined }) }
    }

    /// Literals can be larger than any machine number.
    fn integer(&mut self, digits: &str) -> Term {
        const CHUNK: usize = 18;
        let mut term = self.pool.int(0);
        for chunk in digits.as_bytes().chunks(CHUNK) {
            let number = chunk.iter().fold(0i128, |number, digit| number * 10 + i128::from(digit - b'0'));
            let (scale, number) = (self.pool.int(10i128.pow(chunk.len() as u32)), self.pool.int(number));
            let shifted = self.pool.num_mul(term, scale);
            term = self.pool.num_add(shifted, number);
        }
        term
    }

    fn rational(&mut self, numerator: &str, denominator: &str) -> Typed {
        let (numerator, denominator) = (self.integer(numerator), self.integer(denominator));
        let (numerator, denominator) = (self.pool.to_real(numerator), self.pool.to_real(denominator));
        match self.quotient(numerator, denominator) {
            Some(term) => self.value(Type::Rat, term),
            None => unsupported(Type::Rat, "a rational number"),
        }
    }

    /// The quotient of rationals, if the divisor is a literal other than zero.
    pub(super) fn quotient(&mut self, dividend: Term, divisor: Term) -> Option<Term> {
        let inverse = self.pool.rational_constant(divisor).filter(|divisor| !divisor.is_zero())?.recip();
        let inverse = self.pool.number(Sort::Real, inverse);
        Some(self.pool.num_mul(dividend, inverse))
    }

    fn bits(&mut self, literal: BvLiteral) -> Typed {
        match literal.bits {
            Some(bits) => {
                let term = self.pool.bv(literal.width, bits);
                self.value(Type::Bv(literal.width), term)
            }
            None => too_wide(Type::Bv(literal.width)),
        }
    }

    fn float(&mut self, negative: bool, exponent: BvLiteral, significand: BvLiteral) -> Typed {
        let format =
            FloatFormat { exponent: exponent.width, significand: significand.width.saturating_add(1) };
        let ty = Type::Fp(format);
        let width = exponent.width.saturating_add(format.significand);
        match (exponent.bits, significand.bits) {
            (Some(exponent), Some(significand)) if width <= MAX_WIDTH => {
                let sign = if negative { format.sign_mask() } else { 0 };
                let term = self.pool.bv(width, sign | exponent << format.fraction() | significand);
                self.value(ty, term)
            }
            _ => too_wide(ty),
        }
    }

    fn name(&mut self, name: &str, span: Span, bound: &[(String, Type)]) -> Checked<Typed> {
        if let Some((_, ty)) = bound.iter().rev().find(|(known, _)| known == name) {
            return Ok(unsupported(ty.clone(), "a quantifier"));
        }
        let Some(variable) = self.variables.get(name) else {
            return Err(Diagnostic::new(span, format!("variable `{name}` is not declared")));
        };
        let defined = self.pool.bool(true);
        let meaning = variable.value.clone().map(|value| Meaning { value, defined });
        Ok(Typed { ty: variable.ty.clone(), meaning })
    }

    fn quantified(
        &mut self,
        variables: &[Declaration],
        body: &Expr,
        bound: &mut Vec<(String, Type)>,
    ) -> Checked<Typed> {
        let before = bound.len();
        bound.extend(variables.iter().map(|variable| (variable.name.text.clone(), variable.ty.clone())));
        let typed = self.scoped(body, bound);
        bound.truncate(before);
        let typed = self.convert(typed?, &Type::Bool, body.span)?;
        // A body that does not mention the variables means what it means without the quantifier.
        Ok(typed)
    }

    /// A term made from one.
    pub(super) fn unary(
        &mut self,
        ty: Type,
        a: Typed,
        make: impl FnOnce(&mut TermPool, Term) -> Term,
    ) -> Typed {
        let meaning = a.meaning.and_then(|a| {
            let term = a.value.whole()?;
            Ok(Meaning { value: Value::Whole(make(self.pool, term)), defined: a.defined })
        });
        Typed { ty, meaning }
    }

    /// A term made from two, which is defined where both are and where `defined` holds for them.
    pub(super) fn binary(
        &mut self,
        ty: Type,
        a: Typed,
        b: Typed,
        make: impl FnOnce(&mut TermPool, Term, Term) -> (Term, Option<Term>),
    ) -> Typed {
        let both = a.meaning.and_then(|a| Ok((a, b.meaning?)));
        let meaning = both.and_then(|(a, b)| {
            let (term, own) = make(self.pool, a.value.whole()?, b.value.whole()?);
            let mut defined = self.pool.and(a.defined, b.defined);
            if let Some(own) = own {
                defined = self.pool.and(defined, own);
            }
            Ok(Meaning { value: Value::Whole(term), defined })
        });
        Typed { ty, meaning }
    }

    fn array_literal(
        &mut self,
        index: Option<&Type>,
        entries: &[(Expr, Expr)],
        default: &Expr,
        span: Span,
        bound: &mut Vec<(String, Type)>,
    ) -> Checked<Typed> {
        let mut cells = Vec::new();
        let default_span = default.span;
        let default = self.scoped(default, bound)?;
        let mut element_type = default.ty.clone();
        let mut index_type = index.cloned();
        for (at, element) in entries {
            let (key, at_span, element_span) = (literal_key(at), at.span, element.span);
            let (at, element) = (self.scoped(at, bound)?, self.scoped(element, bound)?);
            index_type.get_or_insert_with(|| at.ty.clone());
            if element.ty == Type::Rat && element_type == Type::Int {
                element_type = Type::Rat;
            }
            cells.push((key, at, at_span, element, element_span));
        }
        let Some(index_type) = index_type else {
            return Err(Diagnostic::new(
                span,
                "the type of the index is missing, as in `[<int> default <- 0]`",
            ));
        };
        let default = self.convert(default, &element_type, default_span)?;
        let ty = Type::Array(Box::new(index_type.clone()), Box::new(element_type.clone()));
        let mut array = self.constant_array(ty, default);
        for (key, at, at_span, element, element_span) in cells {
            let at = self.convert(at, &index_type, at_span)?;
            let element = self.convert(element, &element_type, element_span)?;
            array = self.write(array, at, key, element);
        }
        Ok(array)
    }

    fn constant_array(&mut self, ty: Type, default: Typed) -> Typed {
        let meaning = default.meaning.and_then(|default| {
            let element = default.value.whole()?;
            let value = match representation(&ty)? {
                Representation::Whole(Sort::Array { index, .. }) => {
                    let element = bits_of(self.pool, element);
                    Value::Whole(self.pool.const_array(index, element))
                }
                _ => Value::Split(vec![element; self.keys.len()]),
            };
            Ok(Meaning { value, defined: default.defined })
        });
        Typed { ty, meaning }
    }

    fn read(&mut self, array: Typed, index: Typed, key: Option<String>, element: Type) -> Typed {
        let both = array.meaning.and_then(|array| Ok((array, index.meaning?)));
        let meaning = both.and_then(|(array, index)| {
            let value = match &array.value {
                Value::Whole(whole) => {
                    let selected = self.pool.select(*whole, index.value.whole()?);
                    if element == Type::Bool { truth_of(self.pool, selected) } else { selected }
                }
                Value::Split(elements) => elements[self.position(key)?],
            };
            Ok(Meaning { value: Value::Whole(value), defined: self.pool.and(array.defined, index.defined) })
        });
        Typed { ty: element, meaning }
    }

    fn write(&mut self, array: Typed, index: Typed, key: Option<String>, element: Typed) -> Typed {
        let ty = array.ty;
        let all = array.meaning.and_then(|array| Ok((array, index.meaning?, element.meaning?)));
        let meaning = all.and_then(|(array, index, element)| {
            let new = element.value.whole()?;
            let value = match array.value {
                Value::Whole(whole) => {
                    let (at, new) = (index.value.whole()?, bits_of(self.pool, new));
                    Value::Whole(self.pool.store(whole, at, new))
                }
                Value::Split(mut elements) => {
                    elements[self.position(key)?] = new;
                    Value::Split(elements)
                }
            };
            let defined = self.pool.and(array.defined, index.defined);
            Ok(Meaning { value, defined: self.pool.and(defined, element.defined) })
        });
        Typed { ty, meaning }
    }

    /// Which element of a split array an index means.
    fn position(&self, key: Option<String>) -> Result<usize, String> {
        let found = key.and_then(|key| self.keys.iter().position(|known| *known == key));
        found.ok_or_else(|| "an index that is no literal, of an array with integers or rationals".to_owned())
    }
}

fn array_type(ty: &Type, span: Span) -> Checked<(Type, Type)> {
    match ty {
        Type::Array(index, element) => Ok(((**index).clone(), (**element).clone())),
        _ => Err(wrong_type(span, "an array", ty)),
    }
}

pub(super) fn wrong_type(span: Span, expected: &str, found: &Type) -> Diagnostic {
    Diagnostic::new(span, format!("this needs {expected}, not `{found}`"))
}

pub(super) fn unsupported(ty: Type, what: &str) -> Typed {
    Typed { ty, meaning: Err(what.to_owned()) }
}

pub(super) fn too_wide(ty: Type) -> Typed {
    let what = format!("a value of type {ty}");
    Typed { ty, meaning: Err(what) }
}

pub(super) fn unknown_format(ty: Type, format: FloatFormat) -> Typed {
    unsupported(ty, &format!("floats of type {}", Type::Fp(format)))
}

/// Arrays hold truth values as single bits.
fn bits_of(pool: &mut TermPool, term: Term) -> Term {
    if pool.sort(term) != Sort::Bool {
        return term;
    }
    let (one, zero) = (pool.bv(1, 1), pool.bv(1, 0));
    pool.ite(term, one, zero)
}

fn truth_of(pool: &mut TermPool, bit: Term) -> Term {
    let one = pool.bv(1, 1);
    pool.eq(bit, one)
}
