//! Expressions: their types, and their meaning as terms. Quantifiers are expanded.

use super::syntax::{BinaryOp, Binder, Expr, ExprKind, Place, Quantifier, Range};
use super::system::{Domain, Variable};
use crate::tokens::Name;
use aster_cfa::{Diagnostic, Span};
use aster_term::{Term, TermPool};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// How much a model may grow when quantifiers are expanded, in expressions.
const MAX_EXPRESSIONS: usize = 5_000_000;

/// A type, with what is known about the values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Bool,
    /// Integers between two bounds.
    Int(Option<i128>, Option<i128>),
    /// The codes of names.
    Enumeration(BTreeSet<u32>),
}

impl Type {
    pub(super) fn of(domain: &Domain) -> Self {
        match domain {
            Domain::Bool => Type::Bool,
            Domain::Int => Type::Int(None, None),
            Domain::Range(low, high) => Type::Int(Some((*low).into()), Some((*high).into())),
            Domain::Enumeration(codes) => Type::Enumeration(codes.iter().copied().collect()),
        }
    }

    /// True if all values are in the domain, which has values of this kind.
    pub(super) fn is_within(&self, domain: &Domain) -> bool {
        match (self, Type::of(domain)) {
            (Type::Int(low, high), Type::Int(least, greatest)) => {
                least.is_none_or(|least| low.is_some_and(|low| low >= least))
                    && greatest.is_none_or(|greatest| high.is_some_and(|high| high <= greatest))
            }
            (Type::Enumeration(codes), Type::Enumeration(all)) => codes.is_subset(&all),
            (_, Type::Bool) => true,
            _ => false,
        }
    }

    fn is_int(&self) -> bool {
        matches!(self, Type::Int(..))
    }
}

/// An expression with its type.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub(super) term: Term,
    pub(super) ty: Type,
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Entity {
    Constant(Typed),
    /// The position of a variable.
    Scalar(usize),
    /// The positions of the elements, of which the first has this index.
    Array(i64, Vec<usize>),
    /// A value of an enumeration.
    Value(u32),
}

/// A process with its instances.
pub(super) struct Family {
    /// The index of the first instance, if it is replicated.
    pub(super) first: Option<i64>,
    /// The variables of each instance.
    pub(super) instances: Vec<FxHashMap<String, Entity>>,
}

/// What an expression can mention.
#[derive(Default)]
pub(super) struct Names {
    pub(super) globals: FxHashMap<String, Entity>,
    pub(super) families: FxHashMap<String, Family>,
    pub(super) variables: Vec<Variable>,
    /// The names of enumerations.
    pub(super) values: Vec<String>,
}

/// Gives expressions their meaning.
pub(super) struct Expressions<'a> {
    pub(super) pool: &'a mut TermPool,
    pub(super) names: &'a Names,
    /// The instance whose variables need no prefix.
    pub(super) own: Option<(&'a str, usize)>,
    /// Indices of quantifiers and processes, innermost last.
    pub(super) bound: Vec<(String, i64)>,
    /// No transition is enabled; only where that can be known.
    pub(super) deadlock: Option<Term>,
    pub(super) expressions: &'a mut usize,
}

pub(super) type Checked<T> = Result<T, Diagnostic>;

impl Expressions<'_> {
    pub(super) fn boolean(&mut self, expr: &Expr) -> Checked<Term> {
        let typed = self.expr(expr)?;
        match typed.ty {
            Type::Bool => Ok(typed.term),
            ty => Err(self.mismatch(expr.span, "bool", &ty)),
        }
    }

    pub(super) fn integer(&mut self, expr: &Expr) -> Checked<Typed> {
        let typed = self.expr(expr)?;
        if typed.ty.is_int() { Ok(typed) } else { Err(self.mismatch(expr.span, "int", &typed.ty)) }
    }

    /// An integer that is known now.
    pub(super) fn known(&mut self, expr: &Expr) -> Checked<i64> {
        let typed = self.integer(expr)?;
        let Some(number) = self.pool.rational_constant(typed.term) else {
            return Err(Diagnostic::new(expr.span, "this must be known when the model is loaded")
                .with_note("it may use numbers, constants and indices, but no variables"));
        };
        number.to_i64().ok_or_else(|| Diagnostic::new(expr.span, "the number is too large"))
    }

    /// The ends of a range.
    pub(super) fn range(&mut self, range: &Range) -> Checked<(i64, i64)> {
        Ok((self.known(&range.low)?, self.known(&range.high)?))
    }

    pub(super) fn mismatch(&self, span: Span, expected: &str, found: &Type) -> Diagnostic {
        Diagnostic::new(span, format!("expected `{expected}`, found `{}`", self.show(found)))
    }

    pub(super) fn show(&self, ty: &Type) -> String {
        match ty {
            Type::Bool => "bool".to_owned(),
            Type::Int(..) => "int".to_owned(),
            Type::Enumeration(codes) => {
                Domain::Enumeration(codes.iter().copied().collect()).show(&self.names.values)
            }
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr) -> Checked<Typed> {
        *self.expressions += 1;
        if *self.expressions > MAX_EXPRESSIONS {
            return Err(Diagnostic::new(
                expr.span,
                "the model becomes too large when quantifiers are expanded",
            ));
        }
        match &expr.kind {
            ExprKind::Number(number) => Ok(self.number((*number).into())),
            ExprKind::Bool(value) => Ok(Typed { term: self.pool.bool(*value), ty: Type::Bool }),
            ExprKind::Place(place) => self.place(place),
            ExprKind::Deadlock => match self.deadlock {
                Some(term) => Ok(Typed { term, ty: Type::Bool }),
                None => {
                    let message = "`deadlock` can only be used in `safe` and `error` conditions";
                    Err(Diagnostic::new(expr.span, message))
                }
            },
            ExprKind::Not(inner) => {
                let inner = self.boolean(inner)?;
                Ok(Typed { term: self.pool.not(inner), ty: Type::Bool })
            }
            ExprKind::Negate(inner) => {
                let inner = self.integer(inner)?;
                let Type::Int(low, high) = inner.ty else { return Ok(inner) };
                let negate = |bound: Option<i128>| bound.and_then(i128::checked_neg);
                Ok(Typed { term: self.pool.num_neg(inner.term), ty: Type::Int(negate(high), negate(low)) })
            }
            ExprKind::Chain(first, rest) => {
                let mut left = self.expr(first)?;
                let mut span = first.span;
                for (op, right) in rest {
                    let typed = self.expr(right)?;
                    left = self.binary(*op, (left, span), (typed, right.span))?;
                    span = crate::tokens::join(span, right.span);
                }
                Ok(left)
            }
            ExprKind::If(parts) => {
                let [condition, then, otherwise] = &**parts;
                let condition = self.boolean(condition)?;
                let (then, otherwise) = (self.expr(then)?, (self.expr(otherwise)?, otherwise.span));
                self.choose(condition, then, otherwise)
            }
            ExprKind::Quantified { quantifier, binders, body } => {
                self.quantified(*quantifier, binders, body, expr.span)
            }
        }
    }

    fn number(&mut self, number: i128) -> Typed {
        Typed { term: self.pool.int(number), ty: Type::Int(Some(number), Some(number)) }
    }

    fn variable(&self, position: usize) -> Typed {
        let variable = &self.names.variables[position];
        Typed { term: variable.term, ty: Type::of(&variable.domain) }
    }

    fn place(&mut self, place: &Place) -> Checked<Typed> {
        if place.owner.is_none() && place.index.is_none() {
            let name = &place.name.text;
            if let Some((_, number)) = self.bound.iter().rev().find(|(known, _)| known == name) {
                let number = i128::from(*number);
                return Ok(self.number(number));
            }
            match self.entity(place)? {
                Entity::Constant(typed) => return Ok(typed),
                Entity::Value(code) => {
                    let (term, ty) = (self.pool.int(code.into()), Type::Enumeration([code].into()));
                    return Ok(Typed { term, ty });
                }
                Entity::Scalar(_) | Entity::Array(..) => {}
            }
        }
        let position = self.position(place)?;
        Ok(self.variable(position))
    }

    /// The variable that a place is.
    pub(super) fn position(&mut self, place: &Place) -> Checked<usize> {
        let entity = self.entity(place)?;
        let name = &place.name;
        match (entity, &place.index) {
            (Entity::Scalar(position), None) => Ok(position),
            (Entity::Array(first, elements), Some(index)) => {
                let number = self.known(index)?;
                let at = number.checked_sub(first).and_then(|at| usize::try_from(at).ok());
                let last = first + elements.len() as i64 - 1;
                at.and_then(|at| elements.get(at).copied()).ok_or_else(|| {
                    let message = format!("`{}` has no element {number}", name.text);
                    Diagnostic::new(index.span, message).with_note(format!("the index is in {first}..{last}"))
                })
            }
            (Entity::Array(..), None) => {
                Err(Diagnostic::new(name.span, format!("`{}` is an array: it needs an index", name.text)))
            }
            (Entity::Scalar(_), Some(_)) => {
                Err(Diagnostic::new(name.span, format!("`{}` is no array", name.text)))
            }
            _ => Err(Diagnostic::new(name.span, format!("`{}` is no variable", name.text))),
        }
    }

    fn entity(&mut self, place: &Place) -> Checked<Entity> {
        let names = self.names;
        let name = &place.name;
        let found = match &place.owner {
            Some((process, instance)) => {
                let instance = instance.as_ref().map(|instance| Ok((self.known(instance)?, instance.span)));
                let instance = instance.transpose()?;
                self.instance(process, instance)?.get(&name.text)
            }
            None => {
                let own = self.own.and_then(|(family, at)| names.families.get(family)?.instances.get(at));
                own.and_then(|own| own.get(&name.text)).or_else(|| names.globals.get(&name.text))
            }
        };
        found.cloned().ok_or_else(|| match &place.owner {
            Some((process, _)) => {
                let message = format!("process `{}` has no variable `{}`", process.text, name.text);
                Diagnostic::new(name.span, message)
            }
            None => Diagnostic::new(name.span, format!("`{}` is not declared", name.text)),
        })
    }

    fn instance(&self, process: &Name, index: Option<(i64, Span)>) -> Checked<&FxHashMap<String, Entity>> {
        let Some(family) = self.names.families.get(&process.text) else {
            return Err(Diagnostic::new(process.span, format!("process `{}` is not declared", process.text)));
        };
        match (family.first, index) {
            (None, None) => Ok(&family.instances[0]),
            (Some(first), Some((index, span))) => {
                let at = index.checked_sub(first).and_then(|at| usize::try_from(at).ok());
                let message = || format!("there is no process `{}[{index}]`", process.text);
                at.and_then(|at| family.instances.get(at)).ok_or_else(|| Diagnostic::new(span, message()))
            }
            (None, Some((_, span))) => {
                Err(Diagnostic::new(span, format!("process `{}` is not replicated", process.text)))
            }
            (Some(_), None) => {
                let message = format!("process `{}` is replicated: it needs an index", process.text);
                Err(Diagnostic::new(process.span, message))
            }
        }
    }

    /// One of two values; the span is that of the second one.
    fn choose(&mut self, condition: Term, then: Typed, (otherwise, span): (Typed, Span)) -> Checked<Typed> {
        let ty = match (&then.ty, &otherwise.ty) {
            (Type::Bool, Type::Bool) => Type::Bool,
            (Type::Int(low, high), Type::Int(other_low, other_high)) => Type::Int(
                low.zip(*other_low).map(|(a, b)| a.min(b)),
                high.zip(*other_high).map(|(a, b)| a.max(b)),
            ),
            (Type::Enumeration(a), Type::Enumeration(b)) => Type::Enumeration(a | b),
            (expected, found) => {
                let expected = self.show(expected);
                return Err(self.mismatch(span, &expected, found));
            }
        };
        Ok(Typed { term: self.pool.ite(condition, then.term, otherwise.term), ty })
    }

    fn binary(&mut self, op: BinaryOp, a: (Typed, Span), b: (Typed, Span)) -> Checked<Typed> {
        use BinaryOp as B;
        match op {
            B::Iff | B::Implies | B::Or | B::And => {
                for (operand, span) in [&a, &b] {
                    if operand.ty != Type::Bool {
                        return Err(self.mismatch(*span, "bool", &operand.ty));
                    }
                }
                let (a, b) = (a.0.term, b.0.term);
                let term = match op {
                    B::Iff => self.pool.eq(a, b),
                    B::Implies => self.pool.implies(a, b),
                    B::Or => self.pool.or(a, b),
                    _ => self.pool.and(a, b),
                };
                Ok(Typed { term, ty: Type::Bool })
            }
            B::Eq | B::Ne => {
                let comparable = match (&a.0.ty, &b.0.ty) {
                    (Type::Enumeration(a), Type::Enumeration(b)) => !a.is_disjoint(b),
                    (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
                };
                if !comparable {
                    let expected = self.show(&a.0.ty);
                    return Err(self.mismatch(b.1, &expected, &b.0.ty));
                }
                let equal = self.pool.eq(a.0.term, b.0.term);
                let term = if op == B::Eq { equal } else { self.pool.not(equal) };
                Ok(Typed { term, ty: Type::Bool })
            }
            _ => {
                for (operand, span) in [&a, &b] {
                    if !operand.ty.is_int() {
                        return Err(self.mismatch(*span, "int", &operand.ty));
                    }
                }
                self.arithmetic(op, a.0, b)
            }
        }
    }

    fn arithmetic(&mut self, op: BinaryOp, a: Typed, (b, span): (Typed, Span)) -> Checked<Typed> {
        use BinaryOp as B;
        let (Type::Int(low, high), Type::Int(other_low, other_high)) = (a.ty, b.ty) else {
            return Err(Diagnostic::new(span, "expected integers"));
        };
        let pool = &mut *self.pool;
        let (x, y) = (a.term, b.term);
        let truth = |term| Ok(Typed { term, ty: Type::Bool });
        let both = |a: Option<i128>, b: Option<i128>, f: fn(i128, i128) -> Option<i128>| {
            a.zip(b).and_then(|(a, b)| f(a, b))
        };
        let (term, ty) = match op {
            B::Lt => return truth(pool.num_lt(x, y)),
            B::Le => return truth(pool.num_le(x, y)),
            B::Gt => return truth(pool.num_gt(x, y)),
            B::Ge => return truth(pool.num_ge(x, y)),
            B::Add => {
                let (least, greatest) =
                    (both(low, other_low, i128::checked_add), both(high, other_high, i128::checked_add));
                (pool.num_add(x, y), Type::Int(least, greatest))
            }
            B::Sub => {
                let (least, greatest) =
                    (both(low, other_high, i128::checked_sub), both(high, other_low, i128::checked_sub));
                (pool.num_sub(x, y), Type::Int(least, greatest))
            }
            B::Mul => {
                if pool.rational_constant(x).is_none() && pool.rational_constant(y).is_none() {
                    let message = "a product of two variables is not linear";
                    return Err(Diagnostic::new(span, message)
                        .with_note("one factor must be known when the model is loaded"));
                }
                let corners: Option<Vec<i128>> =
                    [(low, other_low), (low, other_high), (high, other_low), (high, other_high)]
                        .into_iter()
                        .map(|(a, b)| both(a, b, i128::checked_mul))
                        .collect();
                let bounds =
                    corners.map(|corners| (corners.iter().copied().min(), corners.iter().copied().max()));
                let (least, greatest) = bounds.unwrap_or((None, None));
                (pool.num_mul(x, y), Type::Int(least, greatest))
            }
            _ => {
                let divisor = pool.rational_constant(y).and_then(|number| number.to_i64());
                let Some(divisor) = divisor.filter(|divisor| *divisor != 0) else {
                    let message =
                        "the divisor must be a number other than zero that is known when the model is loaded";
                    return Err(Diagnostic::new(span, message));
                };
                if op == B::Mod {
                    (pool.int_mod(x, y), Type::Int(Some(0), Some(i128::from(divisor).abs() - 1)))
                } else {
                    (pool.int_div(x, y), Type::Int(None, None))
                }
            }
        };
        Ok(Typed { term, ty })
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        binders: &[Binder],
        body: &Expr,
        span: Span,
    ) -> Checked<Typed> {
        let mut values = Vec::new();
        self.instances(binders, &mut |expressions| {
            let typed = match quantifier {
                Quantifier::All | Quantifier::Some => {
                    Typed { term: expressions.boolean(body)?, ty: Type::Bool }
                }
                _ => expressions.integer(body)?,
            };
            values.push(typed);
            Ok(())
        })?;
        let terms: Vec<Term> = values.iter().map(|typed| typed.term).collect();
        match quantifier {
            Quantifier::All => Ok(Typed { term: self.pool.and_all(&terms), ty: Type::Bool }),
            Quantifier::Some => {
                let none = self.pool.bool(false);
                let term = terms.into_iter().fold(none, |any, term| self.pool.or(any, term));
                Ok(Typed { term, ty: Type::Bool })
            }
            Quantifier::Sum => {
                let mut sum = self.number(0);
                for value in values {
                    sum = self.arithmetic(BinaryOp::Add, sum, (value, body.span))?;
                }
                Ok(sum)
            }
            Quantifier::Min | Quantifier::Max => {
                let mut values = values.into_iter();
                let Some(mut best) = values.next() else {
                    return Err(Diagnostic::new(span, "there is nothing to choose from: the range is empty"));
                };
                for value in values {
                    let (least, greatest) = match quantifier {
                        Quantifier::Min => (best.term, value.term),
                        _ => (value.term, best.term),
                    };
                    let keeps = self.pool.num_le(least, greatest);
                    best = self.choose(keeps, best, (value, body.span))?;
                }
                Ok(best)
            }
        }
    }

    /// Calls `visit` for all values of the indices, in order.
    fn instances(
        &mut self,
        binders: &[Binder],
        visit: &mut dyn FnMut(&mut Self) -> Checked<()>,
    ) -> Checked<()> {
        let Some((binder, rest)) = binders.split_first() else { return visit(self) };
        let (low, high) = self.range(&binder.range)?;
        for number in low..=high {
            *self.expressions += 1;
            if *self.expressions > MAX_EXPRESSIONS {
                return Err(Diagnostic::new(binder.range.span, "the range is too large to be expanded"));
            }
            self.bound.push((binder.name.text.clone(), number));
            let result = self.instances(rest, visit);
            self.bound.pop();
            result?;
        }
        Ok(())
    }
}
