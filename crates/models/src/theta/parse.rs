//! The parser of textual control-flow automata.

use super::syntax::{
    BinaryOp, BvLiteral, Declaration, Edge, Expr, ExprKind, Location, Model, Process, Role, Statement,
    StatementKind, Type, UnaryOp,
};
use crate::tokens::{Cursor, Kind, MAX_DEPTH};
use aster_cfa::{Diagnostic, FileId};
use aster_term::{FloatFormat, MAX_WIDTH, Rounding};

const SYMBOLS: [&str; 26] = [
    ":=", "->", "<-", "<=", ">=", "/=", "++", "(", ")", "[", "]", "{", "}", ",", ":", "=", "<", ">", "+",
    "-", "*", "/", "%", "'", ".", ";",
];

const KEYWORDS: &[&str] = &[
    "var",
    "main",
    "process",
    "init",
    "final",
    "error",
    "loc",
    "assume",
    "havoc",
    "bool",
    "int",
    "rat",
    "if",
    "then",
    "else",
    "iff",
    "imply",
    "forall",
    "exists",
    "or",
    "xor",
    "and",
    "not",
    "mod",
    "rem",
    "true",
    "false",
    "default",
    "fpmax",
    "fpmin",
    "bvult",
    "bvule",
    "bvugt",
    "bvuge",
    "bvslt",
    "bvsle",
    "bvsgt",
    "bvsge",
    "bvor",
    "bvxor",
    "bvand",
    "bvshl",
    "bvashr",
    "bvlshr",
    "bvrol",
    "bvror",
    "bvadd",
    "bvsub",
    "fpadd",
    "fpsub",
    "bvmul",
    "bvudiv",
    "bvsdiv",
    "bvsmod",
    "bvurem",
    "bvsrem",
    "fpmul",
    "fpdiv",
    "fprem",
    "bv_zero_extend",
    "bv_sign_extend",
    "bvneg",
    "bvpos",
    "bvnot",
    "fpabs",
    "fpneg",
    "fppos",
    "fpsqrt",
    "fpisnan",
    "fproundtoint",
    "fptofp",
    "fptobv",
    "fpfrombv",
    "bv",
    "fp",
];

/// How tightly operators bind, loosest first.
mod level {
    pub(super) const LOOSEST: u8 = 0;
    pub(super) const IFF: u8 = 1;
    pub(super) const IMPLY: u8 = 2;
    pub(super) const MIN_MAX: u8 = 3;
    pub(super) const OR: u8 = 4;
    pub(super) const XOR: u8 = 5;
    pub(super) const AND: u8 = 6;
    pub(super) const EQUALITY: u8 = 7;
    pub(super) const RELATION: u8 = 8;
    pub(super) const BV_OR: u8 = 9;
    pub(super) const BV_XOR: u8 = 10;
    pub(super) const BV_AND: u8 = 11;
    pub(super) const SHIFT: u8 = 12;
    pub(super) const SUM: u8 = 13;
    pub(super) const PRODUCT: u8 = 14;
    pub(super) const CONCAT: u8 = 15;
    pub(super) const EXTEND: u8 = 16;
}

/// Operators without a rounding mode, or whose rounding mode changes nothing.
const BINARY: [(&str, u8, BinaryOp); 44] = [
    ("iff", level::IFF, BinaryOp::Iff),
    ("imply", level::IMPLY, BinaryOp::Imply),
    ("fpmax", level::MIN_MAX, BinaryOp::FpMax),
    ("fpmin", level::MIN_MAX, BinaryOp::FpMin),
    ("or", level::OR, BinaryOp::Or),
    ("xor", level::XOR, BinaryOp::Xor),
    ("and", level::AND, BinaryOp::And),
    ("=", level::EQUALITY, BinaryOp::Eq),
    ("/=", level::EQUALITY, BinaryOp::Neq),
    ("<", level::RELATION, BinaryOp::Lt),
    ("<=", level::RELATION, BinaryOp::Le),
    (">", level::RELATION, BinaryOp::Gt),
    (">=", level::RELATION, BinaryOp::Ge),
    ("bvult", level::RELATION, BinaryOp::BvUlt),
    ("bvule", level::RELATION, BinaryOp::BvUle),
    ("bvugt", level::RELATION, BinaryOp::BvUgt),
    ("bvuge", level::RELATION, BinaryOp::BvUge),
    ("bvslt", level::RELATION, BinaryOp::BvSlt),
    ("bvsle", level::RELATION, BinaryOp::BvSle),
    ("bvsgt", level::RELATION, BinaryOp::BvSgt),
    ("bvsge", level::RELATION, BinaryOp::BvSge),
    ("bvor", level::BV_OR, BinaryOp::BvOr),
    ("bvxor", level::BV_XOR, BinaryOp::BvXor),
    ("bvand", level::BV_AND, BinaryOp::BvAnd),
    ("bvshl", level::SHIFT, BinaryOp::BvShl),
    ("bvashr", level::SHIFT, BinaryOp::BvAshr),
    ("bvlshr", level::SHIFT, BinaryOp::BvLshr),
    ("bvrol", level::SHIFT, BinaryOp::BvRol),
    ("bvror", level::SHIFT, BinaryOp::BvRor),
    ("+", level::SUM, BinaryOp::Add),
    ("-", level::SUM, BinaryOp::Sub),
    ("bvadd", level::SUM, BinaryOp::BvAdd),
    ("bvsub", level::SUM, BinaryOp::BvSub),
    ("*", level::PRODUCT, BinaryOp::Mul),
    ("/", level::PRODUCT, BinaryOp::Div),
    ("mod", level::PRODUCT, BinaryOp::Mod),
    ("rem", level::PRODUCT, BinaryOp::Rem),
    ("bvmul", level::PRODUCT, BinaryOp::BvMul),
    ("bvudiv", level::PRODUCT, BinaryOp::BvUdiv),
    ("bvsdiv", level::PRODUCT, BinaryOp::BvSdiv),
    ("bvsmod", level::PRODUCT, BinaryOp::BvSmod),
    ("bvurem", level::PRODUCT, BinaryOp::BvUrem),
    ("bvsrem", level::PRODUCT, BinaryOp::BvSrem),
    ("++", level::CONCAT, BinaryOp::Concat),
];

/// Makes an operator from its rounding mode.
type Rounded = fn(Rounding) -> BinaryOp;

/// Operators on floats that round.
const ROUNDED: [(&str, u8, Rounded); 5] = [
    ("fpadd", level::SUM, BinaryOp::FpAdd),
    ("fpsub", level::SUM, BinaryOp::FpSub),
    ("fpmul", level::PRODUCT, BinaryOp::FpMul),
    ("fpdiv", level::PRODUCT, BinaryOp::FpDiv),
    ("fprem", level::PRODUCT, |_| BinaryOp::FpRem),
];

type Parsed<T> = Result<T, Diagnostic>;

/// Parses a file.
pub(super) fn parse(file: FileId, text: &str) -> Parsed<Model> {
    let cursor = Cursor::new(file, text, &SYMBOLS, KEYWORDS)?;
    Parser { cursor }.model()
}

struct Parser {
    cursor: Cursor,
}

impl Parser {
    fn model(&mut self) -> Parsed<Model> {
        let mut model = Model { globals: Vec::new(), processes: Vec::new() };
        while !self.cursor.at_end() {
            if self.cursor.eat("var") {
                model.globals.push(self.declaration()?);
            } else if self.cursor.is("main") || self.cursor.is("process") {
                model.processes.push(self.process()?);
            } else {
                return Err(self.cursor.unexpected("`var`, `process` or `main process`"));
            }
        }
        Ok(model)
    }

    fn declaration(&mut self) -> Parsed<Declaration> {
        let name = self.cursor.name("the name of a variable")?;
        self.cursor.expect(":", "and the type of the variable")?;
        Ok(Declaration { name, ty: self.ty()? })
    }

    fn process(&mut self) -> Parsed<Process> {
        let is_main = self.cursor.eat("main");
        self.cursor.expect("process", "after `main`")?;
        let name = self.cursor.name("the name of a process")?;
        self.cursor.expect("{", "before the body of the process")?;
        let (mut variables, mut locations, mut edges) = (Vec::new(), Vec::new(), Vec::new());
        while !self.cursor.eat("}") {
            if self.cursor.eat("var") {
                variables.push(self.declaration()?);
            } else if let Some(role) = self.role() {
                self.cursor.expect("loc", "after the kind of a location")?;
                locations.push(Location { name: self.cursor.name("the name of a location")?, role });
            } else if self.cursor.is_name(0) {
                edges.push(self.edge()?);
            } else {
                return Err(self.cursor.unexpected("a variable, a location, an edge, or `}`"));
            }
        }
        Ok(Process { name, is_main, variables, locations, edges })
    }

    /// The kind of the location that is declared here, up to the word `loc`.
    fn role(&mut self) -> Option<Role> {
        let roles = [("init", Role::Initial), ("final", Role::Final), ("error", Role::Error)];
        match roles.into_iter().find(|(word, _)| self.cursor.is(word)) {
            Some((_, role)) => {
                self.cursor.next();
                Some(role)
            }
            None => self.cursor.is("loc").then_some(Role::Plain),
        }
    }

    fn edge(&mut self) -> Parsed<Edge> {
        let source = self.cursor.name("the name of a location")?;
        self.cursor.expect("->", "after the location where an edge starts")?;
        let target = self.cursor.name("the location where the edge ends")?;
        let span = self.cursor.since(source.span);
        let mut statements = Vec::new();
        if self.cursor.eat("{") {
            while !self.cursor.eat("}") {
                statements.push(self.statement()?);
            }
        }
        Ok(Edge { source, target, statements, span })
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let start = self.cursor.span();
        let kind = if self.cursor.eat("havoc") {
            StatementKind::Havoc(self.cursor.name("the name of a variable")?)
        } else if self.cursor.eat("assume") {
            StatementKind::Assume(self.expr()?)
        } else if self.cursor.is_name(0) {
            let variable = self.cursor.name("the name of a variable")?;
            self.cursor.expect(":=", "after the variable that is assigned")?;
            StatementKind::Assign(variable, self.expr()?)
        } else {
            return Err(self.cursor.unexpected("a statement or `}`"));
        };
        Ok(Statement { kind, span: self.cursor.since(start) })
    }

    fn ty(&mut self) -> Parsed<Type> {
        if self.cursor.eat("bool") {
            Ok(Type::Bool)
        } else if self.cursor.eat("int") {
            Ok(Type::Int)
        } else if self.cursor.eat("rat") {
            Ok(Type::Rat)
        } else if self.cursor.is("bv") {
            Ok(Type::Bv(self.bv_type()?))
        } else if self.cursor.eat("fp") {
            Ok(Type::Fp(self.float_format()?))
        } else if self.cursor.eat("[") {
            let index = self.nested_type()?;
            self.cursor.expect("]", "after the type of the index")?;
            self.cursor.expect("->", "before the type of the elements")?;
            let element = self.nested_type()?;
            Ok(Type::Array(Box::new(index), Box::new(element)))
        } else {
            Err(self.cursor.unexpected("a type"))
        }
    }

    fn bv_type(&mut self) -> Parsed<u32> {
        let start = self.cursor.expect("bv", "and the number of bits")?;
        self.cursor.expect("[", "before the number of bits")?;
        let width = self.cursor.small_number("the number of bits")?;
        self.cursor.expect("]", "after the number of bits")?;
        if width == 0 {
            return Err(Diagnostic::new(self.cursor.since(start), "a bit-vector has at least one bit"));
        }
        Ok(width)
    }

    fn float_format(&mut self) -> Parsed<FloatFormat> {
        let start = self.cursor.expect("[", "before the number of exponent bits")?;
        let exponent = self.cursor.small_number("the number of exponent bits")?;
        if !self.cursor.eat(":") {
            self.cursor.expect(",", "between the numbers of bits")?;
        }
        let significand = self.cursor.small_number("the number of significand bits")?;
        self.cursor.expect("]", "after the number of significand bits")?;
        if exponent < 2 || significand < 2 {
            let message = "a float has at least two bits of exponent and of significand";
            return Err(Diagnostic::new(self.cursor.since(start), message));
        }
        Ok(FloatFormat { exponent, significand })
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
            if found == level::EXTEND {
                left = self.extension(left)?;
                continue;
            }
            // These two are right associative: what is on the right takes all further ones.
            let is_right = found == level::IFF || found == level::IMPLY;
            let mut rest = Vec::new();
            while self.operator_level() == Some(found) {
                let op = self.operator()?;
                let operand = if is_right { found } else { found + 1 };
                let right = self.binary(operand)?;
                rest.push((op, right));
            }
            let span = self.cursor.since(start);
            left = Expr { kind: ExprKind::Chain(Box::new(left), rest), span };
        }
        Ok(left)
    }

    fn extension(&mut self, of: Expr) -> Parsed<Expr> {
        let signed = self.cursor.next().text == "bv_sign_extend";
        let width = self.bv_type()?;
        let span = self.cursor.since(of.span);
        Ok(Expr { kind: ExprKind::Extend { signed, width, of: Box::new(of) }, span })
    }

    /// The level of the binary operator that comes next.
    fn operator_level(&self) -> Option<u8> {
        if self.cursor.is("bv_zero_extend") || self.cursor.is("bv_sign_extend") {
            return Some(level::EXTEND);
        }
        let plain = BINARY.iter().find(|(text, ..)| self.cursor.is(text)).map(|(_, level, _)| *level);
        plain.or_else(|| ROUNDED.iter().find(|(text, ..)| self.cursor.is(text)).map(|(_, level, _)| *level))
    }

    /// Takes a binary operator with its rounding mode.
    fn operator(&mut self) -> Parsed<BinaryOp> {
        if let Some((text, _, op)) = BINARY.iter().find(|(text, ..)| self.cursor.is(text)) {
            self.cursor.next();
            if text.starts_with("fp") {
                self.rounding()?;
            }
            return Ok(*op);
        }
        match ROUNDED.iter().find(|(text, ..)| self.cursor.is(text)) {
            Some((_, _, make)) => {
                self.cursor.next();
                Ok(make(self.rounding()?))
            }
            None => Err(self.cursor.unexpected("an operator")),
        }
    }

    /// A rounding mode in brackets, if there is one.
    fn rounding(&mut self) -> Parsed<Rounding> {
        if !(self.cursor.is("[") && self.cursor.is_name(1) && self.cursor.is_ahead(2, "]")) {
            return Ok(Rounding::NearestEven);
        }
        self.cursor.next();
        let name = self.cursor.name("a rounding mode")?;
        self.cursor.next();
        Ok(match name.text.to_ascii_uppercase().as_str() {
            "RNE" => Rounding::NearestEven,
            "RNA" => Rounding::NearestAway,
            "RTP" => Rounding::TowardPositive,
            "RTN" => Rounding::TowardNegative,
            "RTZ" => Rounding::TowardZero,
            other => {
                let message = format!("`{other}` is no rounding mode");
                return Err(
                    Diagnostic::new(name.span, message).with_note("there are RNE, RNA, RTP, RTN, RTZ")
                );
            }
        })
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.cursor.span();
        if self.cursor.eat("if") {
            let condition = self.expr()?;
            self.cursor.expect("then", "after the condition")?;
            let then = self.expr()?;
            self.cursor.expect("else", "before the alternative")?;
            let otherwise = self.expr()?;
            let kind = ExprKind::If(Box::new([condition, then, otherwise]));
            return Ok(Expr { kind, span: self.cursor.since(start) });
        }
        if self.cursor.is("forall") || self.cursor.is("exists") {
            return self.quantified();
        }
        if self.cursor.eat("not") {
            let operand = self.binary(level::EQUALITY)?;
            let kind = ExprKind::Unary(UnaryOp::Not, Box::new(operand));
            return Ok(Expr { kind, span: self.cursor.since(start) });
        }
        // A sign may belong to the literal of a float.
        if (self.cursor.is("+") || self.cursor.is("-")) && self.is_float_literal(1) {
            return self.accesses();
        }
        let Some(op) = self.unary_operator()? else { return self.accesses() };
        let operand = self.nested_unary()?;
        let kind = ExprKind::Unary(op, Box::new(operand));
        Ok(Expr { kind, span: self.cursor.since(start) })
    }

    fn quantified(&mut self) -> Parsed<Expr> {
        let start = self.cursor.next().span;
        self.cursor.expect("(", "before the variables of a quantifier")?;
        let mut variables = vec![self.declaration()?];
        while self.cursor.eat(",") {
            variables.push(self.declaration()?);
        }
        self.cursor.expect(")", "after the variables of a quantifier")?;
        let body = Box::new(self.binary(level::MIN_MAX)?);
        let kind = ExprKind::Quantified { variables, body };
        Ok(Expr { kind, span: self.cursor.since(start) })
    }

    /// Takes an operator of one argument, if there is one.
    fn unary_operator(&mut self) -> Parsed<Option<UnaryOp>> {
        let plain = [
            ("+", UnaryOp::Plus),
            ("-", UnaryOp::Minus),
            ("bvnot", UnaryOp::BvNot),
            ("bvneg", UnaryOp::BvNeg),
            ("bvpos", UnaryOp::BvPos),
            ("fpabs", UnaryOp::FpAbs),
            ("fpneg", UnaryOp::FpNeg),
            ("fppos", UnaryOp::FpPos),
            ("fpisnan", UnaryOp::FpIsNan),
        ];
        if let Some((text, op)) = plain.into_iter().find(|(text, _)| self.cursor.is(text)) {
            self.cursor.next();
            if text.starts_with("fp") {
                self.rounding()?;
            }
            return Ok(Some(op));
        }
        Ok(Some(if self.cursor.eat("fpsqrt") {
            UnaryOp::FpSqrt(self.rounding()?)
        } else if self.cursor.eat("fproundtoint") {
            UnaryOp::FpRoundToInt(self.rounding()?)
        } else if self.cursor.eat("fptofp") {
            let format = self.float_format()?;
            UnaryOp::FpToFp(format, self.rounding()?)
        } else if self.cursor.eat("fptobv") {
            self.cursor.expect("[", "before the number of bits")?;
            let width = self.cursor.small_number("the number of bits")?;
            self.cursor.expect("'", "between the number of bits and `u` or `s`")?;
            let signed = self.signedness()?;
            self.cursor.expect("]", "after the type of the integer")?;
            UnaryOp::FpToBv { width: width.max(1), signed, rounding: self.rounding()? }
        } else if self.cursor.eat("fpfrombv") {
            let format = self.float_format()?;
            self.cursor.expect("[", "before `u` or `s`")?;
            let signed = self.signedness()?;
            self.cursor.expect("]", "after `u` or `s`")?;
            UnaryOp::FpFromBv { format, signed, rounding: self.rounding()? }
        } else {
            return Ok(None);
        }))
    }

    fn signedness(&mut self) -> Parsed<bool> {
        if self.cursor.eat("s") {
            return Ok(true);
        }
        self.cursor.expect("u", "or `s`")?;
        Ok(false)
    }

    /// A primary expression with what is read from or written to it.
    fn accesses(&mut self) -> Parsed<Expr> {
        let start = self.cursor.span();
        let mut expr = self.primary()?;
        let mut count = 0;
        while self.cursor.eat("[") {
            count += 1;
            if count > MAX_DEPTH {
                return Err(Diagnostic::new(self.cursor.span(), "too many accesses to one array"));
            }
            let kind = if self.cursor.peek().kind == Kind::Number && self.cursor.is_ahead(1, ":") {
                let high = self.cursor.small_number("a number of bits")?;
                self.cursor.next();
                let low = self.cursor.small_number("a number of bits")?;
                ExprKind::Extract { high, low, of: Box::new(expr) }
            } else {
                let index = self.expr()?;
                if self.cursor.eat("<-") {
                    let element = self.expr()?;
                    ExprKind::Write(Box::new([expr, index, element]))
                } else {
                    ExprKind::Read(Box::new(expr), Box::new(index))
                }
            };
            self.cursor.expect("]", "after the index")?;
            expr = Expr { kind, span: self.cursor.since(start) };
        }
        Ok(expr)
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.cursor.span();
        let kind = if self.cursor.eat("true") {
            ExprKind::Bool(true)
        } else if self.cursor.eat("false") {
            ExprKind::Bool(false)
        } else if self.cursor.eat("(") {
            let inner = self.expr()?;
            self.cursor.expect(")", "after the expression")?;
            return Ok(Expr { span: self.cursor.since(start), ..inner });
        } else if self.cursor.eat("[") {
            self.array_literal()?
        } else if self.cursor.is("+") || self.cursor.is("-") {
            let negative = self.cursor.next().text == "-";
            let exponent = self.bv_literal()?;
            self.float_literal(negative, exponent)?
        } else if self.cursor.peek().kind == Kind::Number {
            self.number()?
        } else {
            ExprKind::Name(self.cursor.name("an expression")?.text)
        };
        Ok(Expr { kind, span: self.cursor.since(start) })
    }

    /// True if a literal of a float, after its sign, starts `ahead` places on.
    fn is_float_literal(&self, ahead: usize) -> bool {
        let is_literal =
            self.cursor.ahead(ahead).kind == Kind::Number && self.cursor.is_ahead(ahead + 1, "'");
        is_literal && self.cursor.is_ahead(ahead + 3, ".")
    }

    fn number(&mut self) -> Parsed<ExprKind> {
        if self.cursor.is_ahead(1, "'") {
            let literal = self.bv_literal()?;
            if self.cursor.is(".") {
                return self.float_literal(false, literal);
            }
            return Ok(ExprKind::Bv(literal));
        }
        let digits = self.cursor.number("a number")?.text;
        if !self.cursor.eat("%") {
            return Ok(ExprKind::Int(digits));
        }
        let denominator = self.cursor.number("the denominator")?;
        if denominator.text.bytes().all(|digit| digit == b'0') {
            return Err(Diagnostic::new(denominator.span, "the denominator is zero"));
        }
        Ok(ExprKind::Rat(digits, denominator.text))
    }

    fn float_literal(&mut self, negative: bool, exponent: BvLiteral) -> Parsed<ExprKind> {
        self.cursor.expect(".", "between exponent and significand")?;
        let significand = self.bv_literal()?;
        Ok(ExprKind::Fp { negative, exponent, significand })
    }

    /// Such as `4'b1010`, `8'd17`, `8'd-3`, `8'xff`.
    fn bv_literal(&mut self) -> Parsed<BvLiteral> {
        let start = self.cursor.span();
        let width = self.cursor.small_number("the number of bits")?;
        self.cursor.expect("'", "after the number of bits")?;
        let digits = self.cursor.next();
        let (radix, digits) = digits.text.split_at(digits.text.len().min(1));
        let (radix, mut digits) = match radix {
            "b" => (2, digits.to_owned()),
            "d" => (10, digits.to_owned()),
            "x" => (16, digits.to_owned()),
            _ => return Err(Diagnostic::new(self.cursor.last_span(), "expected `b`, `d` or `x` and digits")),
        };
        let negative = radix == 10 && digits.is_empty() && self.cursor.eat("-");
        if radix == 10 && digits.is_empty() {
            self.cursor.eat("+");
            digits = self.cursor.number("digits")?.text;
        }
        let span = self.cursor.since(start);
        let is_digit = |c: char| c.is_digit(radix);
        if width == 0 || digits.is_empty() || !digits.chars().all(is_digit) {
            return Err(Diagnostic::new(span, "this is no bit-vector"));
        }
        if width > MAX_WIDTH {
            return Ok(BvLiteral { width, bits: None });
        }
        let magnitude = u128::from_str_radix(&digits, radix).ok();
        let bits = magnitude.and_then(|magnitude| fit(magnitude, negative, width));
        if bits.is_none() {
            return Err(Diagnostic::new(span, format!("the number does not fit {width} bits")));
        }
        Ok(BvLiteral { width, bits })
    }

    /// After the opening bracket.
    fn array_literal(&mut self) -> Parsed<ExprKind> {
        let mut entries = Vec::new();
        let mut index = None;
        loop {
            if self.cursor.eat("<") {
                index = Some(self.ty()?);
                self.cursor.expect(">", "after the type of the index")?;
            }
            if self.cursor.eat("default") {
                break;
            }
            let at = self.expr()?;
            self.cursor.expect("<-", "after the index")?;
            entries.push((at, self.expr()?));
            self.cursor.expect(",", "and `default <- ...` at the end")?;
        }
        self.cursor.expect("<-", "after `default`")?;
        let default = Box::new(self.expr()?);
        self.cursor.expect("]", "after the literal of an array")?;
        Ok(ExprKind::Array { index, entries, default })
    }

    /// All recursion over expressions comes through here.
    fn nested_unary(&mut self) -> Parsed<Expr> {
        self.cursor.enter()?;
        let result = self.unary();
        self.cursor.leave();
        result
    }

    fn nested_type(&mut self) -> Parsed<Type> {
        self.cursor.enter()?;
        let result = self.ty();
        self.cursor.leave();
        result
    }
}

/// The bits of a number in `width` bits; `None` if it does not fit.
fn fit(magnitude: u128, negative: bool, width: u32) -> Option<u128> {
    let limit = 1u128.checked_shl(width);
    let fits = |bits: u128| limit.is_none_or(|limit| bits < limit);
    if !negative {
        return fits(magnitude).then_some(magnitude);
    }
    let half = 1u128 << (width - 1);
    let mask = limit.map_or(u128::MAX, |limit| limit - 1);
    (magnitude <= half).then(|| magnitude.wrapping_neg() & mask)
}

/// The value of a literal of an integer or bit-vector in a form that equal ones share.
pub(super) fn literal_key(expr: &Expr) -> Option<String> {
    let canonical = |digits: &str| {
        let digits = digits.trim_start_matches('0');
        if digits.is_empty() { "0".to_owned() } else { digits.to_owned() }
    };
    match &expr.kind {
        ExprKind::Int(digits) => Some(canonical(digits)),
        ExprKind::Bv(BvLiteral { bits, .. }) => bits.map(|bits| bits.to_string()),
        ExprKind::Unary(UnaryOp::Minus, inner) => match &inner.kind {
            ExprKind::Int(digits) => match canonical(digits).as_str() {
                "0" => Some("0".to_owned()),
                digits => Some(format!("-{digits}")),
            },
            _ => None,
        },
        _ => None,
    }
}
