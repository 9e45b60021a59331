//! The parser of guarded commands. `docs/guarded-commands.md` has the grammar.

use super::syntax::{
    Assignment, BinaryOp, Binder, Condition, Constant, Declaration, Domain, Expr, ExprKind, Index, Model,
    Place, Process, Quantifier, Range, Transition,
};
use crate::tokens::{Cursor, Kind};
use aster_cfa::{Diagnostic, FileId, Span};

const SYMBOLS: [&str; 25] = [
    "<=>", ":=", "->", "=>", "<=", ">=", "!=", "..", "(", ")", "[", "]", "{", "}", ",", ":", ";", ".", "=",
    "<", ">", "+", "-", "*", "/",
];

const KEYWORDS: &[&str] = &[
    "const", "var", "process", "init", "safe", "error", "int", "bool", "true", "false", "not", "and", "or",
    "if", "then", "else", "all", "some", "sum", "min", "max", "div", "mod", "nondet", "skip", "deadlock",
];

/// How tightly operators bind, loosest first.
mod level {
    pub(super) const LOOSEST: u8 = 0;
    pub(super) const IFF: u8 = 1;
    pub(super) const IMPLIES: u8 = 2;
    pub(super) const OR: u8 = 3;
    pub(super) const AND: u8 = 4;
    pub(super) const RELATION: u8 = 5;
    pub(super) const SUM: u8 = 6;
    pub(super) const PRODUCT: u8 = 7;
}

const OPERATORS: [(&str, u8, BinaryOp); 15] = [
    ("<=>", level::IFF, BinaryOp::Iff),
    ("=>", level::IMPLIES, BinaryOp::Implies),
    ("or", level::OR, BinaryOp::Or),
    ("and", level::AND, BinaryOp::And),
    ("=", level::RELATION, BinaryOp::Eq),
    ("!=", level::RELATION, BinaryOp::Ne),
    ("<", level::RELATION, BinaryOp::Lt),
    ("<=", level::RELATION, BinaryOp::Le),
    (">", level::RELATION, BinaryOp::Gt),
    (">=", level::RELATION, BinaryOp::Ge),
    ("+", level::SUM, BinaryOp::Add),
    ("-", level::SUM, BinaryOp::Sub),
    ("*", level::PRODUCT, BinaryOp::Mul),
    ("div", level::PRODUCT, BinaryOp::Div),
    ("mod", level::PRODUCT, BinaryOp::Mod),
];

const QUANTIFIERS: [(&str, Quantifier); 5] = [
    ("all", Quantifier::All),
    ("some", Quantifier::Some),
    ("sum", Quantifier::Sum),
    ("min", Quantifier::Min),
    ("max", Quantifier::Max),
];

type Parsed<T> = Result<T, Diagnostic>;

/// Parses a file.
pub(super) fn parse(file: FileId, text: &str) -> Parsed<Model> {
    let cursor = Cursor::new(file, text, &SYMBOLS, KEYWORDS)?;
    if cursor.at_end() {
        let error = Diagnostic::new(Span::line_start(file, 1), "the file is empty");
        return Err(error.with_note("a model has variables, processes, and a `safe` or an `error` condition"));
    }
    Parser { cursor, in_range: false }.model()
}

struct Parser {
    cursor: Cursor,
    /// A range is being parsed. The dot after it ends it: no variables of processes are in ranges.
    in_range: bool,
}

impl Parser {
    fn model(&mut self) -> Parsed<Model> {
        let mut model = Model::default();
        while !self.cursor.at_end() {
            let start = self.cursor.span();
            if self.cursor.eat("const") {
                model.constants.push(self.constant()?);
            } else if self.cursor.eat("var") {
                model.variables.push(self.declaration()?);
            } else if self.cursor.eat("process") {
                model.processes.push(self.process()?);
            } else if self.cursor.eat("init") {
                model.initial.push(self.expr()?);
            } else if self.cursor.is("safe") || self.cursor.is("error") {
                let is_error = self.cursor.next().text == "error";
                let expr = self.expr()?;
                model.conditions.push(Condition { is_error, expr, span: self.cursor.since(start) });
            } else {
                return Err(self.cursor.unexpected("`const`, `var`, `init`, `process`, `safe` or `error`"));
            }
            self.separators();
        }
        Ok(model)
    }

    /// Semicolons may stand after everything.
    fn separators(&mut self) {
        while self.cursor.eat(";") {}
    }

    fn constant(&mut self) -> Parsed<Constant> {
        let name = self.cursor.name("the name of a constant")?;
        let range = if self.cursor.eat(":") { Some(self.range()?) } else { None };
        self.cursor.expect("=", "and the value of the constant")?;
        Ok(Constant { name, range, value: self.expr()? })
    }

    fn range(&mut self) -> Parsed<Range> {
        let start = self.cursor.span();
        let before = std::mem::replace(&mut self.in_range, true);
        let low = self.binary(level::SUM)?;
        self.cursor.expect("..", "between the ends of a range")?;
        let high = self.binary(level::SUM)?;
        self.in_range = before;
        Ok(Range { low, high, span: self.cursor.since(start) })
    }

    fn declaration(&mut self) -> Parsed<Declaration> {
        let name = self.cursor.name("the name of a variable")?;
        let index = if self.cursor.eat("[") { Some(self.index(false)?) } else { None };
        self.cursor.expect(":", "and the type of the variable")?;
        let domain = self.domain()?;
        let initial = if self.cursor.eat("=") { Some(self.expr()?) } else { None };
        Ok(Declaration { name, index, domain, initial })
    }

    /// After the opening bracket.
    fn index(&mut self, needs_name: bool) -> Parsed<Index> {
        let name = if needs_name || self.cursor.is_ahead(1, ":") {
            let name = self.cursor.name("the name of the index")?;
            self.cursor.expect(":", "and the range of the index")?;
            Some(name)
        } else {
            None
        };
        let range = self.range()?;
        self.cursor.expect("]", "after the range of the index")?;
        Ok(Index { name, range })
    }

    fn domain(&mut self) -> Parsed<Domain> {
        if self.cursor.eat("int") {
            return Ok(Domain::Int);
        }
        if self.cursor.eat("bool") {
            return Ok(Domain::Bool);
        }
        if !self.cursor.eat("{") {
            return Ok(Domain::Range(self.range()?));
        }
        let mut names = vec![self.cursor.name("the name of a value")?];
        while self.cursor.eat(",") {
            names.push(self.cursor.name("the name of a value")?);
        }
        self.cursor.expect("}", "after the values of an enumeration")?;
        Ok(Domain::Enumeration(names))
    }

    fn process(&mut self) -> Parsed<Process> {
        let name = self.cursor.name("the name of a process")?;
        let index = if self.cursor.eat("[") { Some(self.index(true)?) } else { None };
        self.cursor.expect("{", "before the body of the process")?;
        let (mut variables, mut transitions) = (Vec::new(), Vec::new());
        while !self.cursor.eat("}") {
            if self.cursor.eat("var") {
                variables.push(self.declaration()?);
            } else if self.cursor.is_name(0) {
                transitions.push(self.transition()?);
            } else {
                return Err(self.cursor.unexpected("a variable, a transition, or `}`"));
            }
            self.separators();
        }
        Ok(Process { name, index, variables, transitions })
    }

    fn transition(&mut self) -> Parsed<Transition> {
        let name = self.cursor.name("the name of a transition")?;
        self.cursor.expect(":", "after the name of the transition")?;
        let guard = self.expr()?;
        self.cursor.expect("->", "after the guard of the transition")?;
        let mut assignments = Vec::new();
        if !self.cursor.eat("skip") {
            assignments.push(self.assignment()?);
            while self.cursor.eat(",") {
                assignments.push(self.assignment()?);
            }
        }
        Ok(Transition { name, guard, assignments })
    }

    fn assignment(&mut self) -> Parsed<Assignment> {
        let start = self.cursor.span();
        let place = self.place("a variable, or `skip`")?;
        self.cursor.expect(":=", "and the new value")?;
        let value = if self.cursor.eat("nondet") { None } else { Some(self.expr()?) };
        Ok(Assignment { place, value, span: self.cursor.since(start) })
    }

    fn place(&mut self, what: &str) -> Parsed<Place> {
        let name = self.cursor.name(what)?;
        let index = self.index_expr()?;
        if self.in_range || !self.cursor.is(".") {
            return Ok(Place { owner: None, name, index: index.map(Box::new) });
        }
        self.cursor.next();
        let variable = self.cursor.name("a variable of the process")?;
        let its_index = self.index_expr()?.map(Box::new);
        Ok(Place { owner: Some((name, index)), name: variable, index: its_index })
    }

    fn index_expr(&mut self) -> Parsed<Option<Expr>> {
        if !self.cursor.eat("[") {
            return Ok(None);
        }
        let before = std::mem::replace(&mut self.in_range, false);
        let index = self.expr()?;
        self.in_range = before;
        self.cursor.expect("]", "after the index")?;
        Ok(Some(index))
    }

    fn expr(&mut self) -> Parsed<Expr> {
        self.binary(level::LOOSEST)
    }

    /// An expression of operators that bind at least as tightly as `loosest`.
    fn binary(&mut self, loosest: u8) -> Parsed<Expr> {
        let start = self.cursor.span();
        let mut left = self.nested_unary()?;
        // Each turn takes all operators of one level; levels get looser.
        while let Some(found) = self.operator_level().filter(|&found| found >= loosest) {
            let is_right = found == level::IFF || found == level::IMPLIES;
            let mut rest = Vec::new();
            while let Some((_, op)) = self.operator().filter(|(level, _)| *level == found) {
                if found == level::RELATION && !rest.is_empty() {
                    let message = "comparisons cannot be chained: use `and`, or parentheses";
                    return Err(Diagnostic::new(self.cursor.span(), message));
                }
                self.cursor.next();
                rest.push((op, self.binary(if is_right { found } else { found + 1 })?));
            }
            let span = self.cursor.since(start);
            left = Expr { kind: ExprKind::Chain(Box::new(left), rest), span };
        }
        Ok(left)
    }

    fn operator(&self) -> Option<(u8, BinaryOp)> {
        OPERATORS.iter().find(|(text, ..)| self.cursor.is(text)).map(|(_, level, op)| (*level, *op))
    }

    fn operator_level(&self) -> Option<u8> {
        self.operator().map(|(level, _)| level)
    }

    /// All recursion over expressions comes through here.
    fn nested_unary(&mut self) -> Parsed<Expr> {
        self.cursor.enter()?;
        let result = self.unary();
        self.cursor.leave();
        result
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.cursor.span();
        let kind = if self.cursor.eat("not") {
            ExprKind::Not(Box::new(self.binary(level::RELATION)?))
        } else if self.cursor.eat("-") {
            ExprKind::Negate(Box::new(self.nested_unary()?))
        } else if self.cursor.eat("if") {
            let condition = self.expr()?;
            self.cursor.expect("then", "after the condition")?;
            let then = self.expr()?;
            self.cursor.expect("else", "before the alternative")?;
            ExprKind::If(Box::new([condition, then, self.expr()?]))
        } else if self.cursor.eat("true") {
            ExprKind::Bool(true)
        } else if self.cursor.eat("false") {
            ExprKind::Bool(false)
        } else if self.cursor.eat("deadlock") {
            ExprKind::Deadlock
        } else if self.cursor.eat("(") {
            let before = std::mem::replace(&mut self.in_range, false);
            let inner = self.expr()?;
            self.in_range = before;
            self.cursor.expect(")", "after the expression")?;
            return Ok(Expr { span: self.cursor.since(start), ..inner });
        } else if let Some(quantifier) = self.quantifier() {
            self.cursor.next();
            self.quantified(quantifier)?
        } else if self.cursor.peek().kind == Kind::Number {
            let digits = self.cursor.number("a number")?;
            let number = digits.text.parse();
            ExprKind::Number(number.map_err(|_| Diagnostic::new(digits.span, "the number is too large"))?)
        } else if self.cursor.is("nondet") {
            let message = "`nondet` can only be assigned as it is, not be part of an expression";
            return Err(Diagnostic::new(start, message));
        } else {
            ExprKind::Place(Box::new(self.place("an expression")?))
        };
        Ok(Expr { kind, span: self.cursor.since(start) })
    }

    fn quantifier(&self) -> Option<Quantifier> {
        QUANTIFIERS.iter().find(|(text, _)| self.cursor.is(text)).map(|(_, quantifier)| *quantifier)
    }

    fn quantified(&mut self, quantifier: Quantifier) -> Parsed<ExprKind> {
        let mut binders = Vec::new();
        loop {
            let name = self.cursor.name("the name of an index")?;
            self.cursor.expect(":", "and the range of the index")?;
            binders.push(Binder { name, range: self.range()? });
            if !self.cursor.eat(",") {
                break;
            }
        }
        self.cursor.expect(".", "between the range and what is said about it")?;
        let body = Box::new(self.expr()?);
        Ok(ExprKind::Quantified { quantifier, binders, body })
    }
}
