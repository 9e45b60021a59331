//! Reads the scripts that [`aster_smt::script`] writes, and no others: one command a line, one operator a
//! definition. What is written for an operator on floats is more than the operator; the reader picks the operator
//! out and skips the rest, so who needs to be sure prints the result again and compares.

use aster_term::{BigInt, FloatFormat, FpOp, Op, Rational, Rounding, Sort, Term, TermPool};
use std::collections::HashMap;

/// The asserted formulas of a script. The error says which line is none of ours.
pub fn read_script(pool: &mut TermPool, text: &str) -> Result<Vec<Term>, String> {
    let mut reader = Reader { pool, known: HashMap::new(), conjuncts: Vec::new() };
    for (number, line) in text.lines().enumerate() {
        let expression = parse(line);
        expression
            .and_then(|expression| reader.command(&expression))
            .ok_or_else(|| format!("line {} is not understood: {line}", number + 1))?;
    }
    Ok(reader.conjuncts)
}

enum Expression<'t> {
    Atom(&'t str),
    List(Vec<Expression<'t>>),
}

use Expression::{Atom, List};

impl<'t> Expression<'t> {
    fn atom(&self) -> Option<&'t str> {
        match self {
            Atom(text) => Some(text),
            List(_) => None,
        }
    }

    fn list(&self) -> Option<&[Expression<'t>]> {
        match self {
            Atom(_) => None,
            List(items) => Some(items),
        }
    }

    fn number(&self) -> Option<u32> {
        self.atom()?.parse().ok()
    }

    /// The name and the numbers of `(_ name number ...)`.
    fn indexed(&self) -> Option<(&'t str, Vec<u32>)> {
        let [Atom("_"), Atom(name), numbers @ ..] = self.list()? else { return None };
        Some((name, numbers.iter().map(Expression::number).collect::<Option<_>>()?))
    }
}

/// Exactly one expression.
fn parse(line: &str) -> Option<Expression<'_>> {
    let mut open: Vec<Vec<Expression>> = Vec::new();
    let mut rest = line.trim();
    loop {
        let expression = if let Some(after) = rest.strip_prefix('(') {
            open.push(Vec::new());
            rest = after.trim_start();
            continue;
        } else if let Some(after) = rest.strip_prefix(')') {
            rest = after.trim_start();
            List(open.pop()?)
        } else {
            let length = match rest.strip_prefix('|') {
                Some(inner) => inner.find('|')? + 2,
                None => rest.find([' ', '(', ')']).unwrap_or(rest.len()),
            };
            let (atom, after) = rest.split_at(length);
            rest = after.trim_start();
            Atom(atom)
        };
        match open.last_mut() {
            Some(list) => list.push(expression),
            None => return rest.is_empty().then_some(expression),
        }
        if rest.is_empty() {
            return None;
        }
    }
}

struct Reader<'p> {
    pool: &'p mut TermPool,
    /// What the declared and defined names stand for.
    known: HashMap<String, Term>,
    conjuncts: Vec<Term>,
}

impl Reader<'_> {
    fn command(&mut self, expression: &Expression) -> Option<()> {
        match expression.list()? {
            [Atom("set-logic"), _] | [Atom("check-sat")] => {}
            // The bits of a float whose definition was read already.
            [Atom("declare-const"), Atom(name), _] if self.known.contains_key(*name) => {}
            [Atom("declare-const"), Atom(name), sort] => {
                let variable = self.pool.variable(&variable_name(name)?, read_sort(sort)?);
                self.known.insert((*name).to_owned(), variable);
            }
            [Atom("define-fun"), Atom(name), _, sort, body] => {
                let is_float = sort.indexed().is_some_and(|(name, _)| name == "FloatingPoint");
                let (name, term) = if is_float {
                    (name.strip_suffix('f')?, self.float(body)?)
                } else {
                    (*name, self.term(body)?)
                };
                self.known.insert(name.to_owned(), term);
            }
            [Atom("assert"), Atom(name)] => {
                let conjunct = self.operand(name)?;
                self.conjuncts.push(conjunct);
            }
            // What the bits of a float are.
            [Atom("assert"), List(_)] => {}
            _ => return None,
        }
        Some(())
    }

    /// A name or a literal.
    fn operand(&mut self, text: &str) -> Option<Term> {
        let (digits, base, bits) = match text.get(..2) {
            Some("#x") => (&text[2..], 16, 4),
            Some("#b") => (&text[2..], 2, 1),
            _ if text.starts_with(|c: char| c.is_ascii_digit()) => return self.number(&Atom(text)),
            _ => {
                let known = self.known.get(text).copied();
                return known.or_else(|| text.parse().ok().map(|value| self.pool.bool(value)));
            }
        };
        Some(self.pool.bv(bits * u32::try_from(digits.len()).ok()?, u128::from_str_radix(digits, base).ok()?))
    }

    /// An argument of an operator: all that is more than a word is a number.
    fn argument(&mut self, expression: &Expression) -> Option<Term> {
        match expression {
            Atom(text) => self.operand(text),
            List(_) => self.number(expression),
        }
    }

    /// A literal integer or rational number: digits, possibly with `.0`, a fraction, a sign.
    fn number(&mut self, expression: &Expression) -> Option<Term> {
        let (sort, value) = read_number(expression)?;
        Some(self.pool.number(sort, value))
    }

    /// The application, as it stands: nothing is normalised.
    fn apply(&mut self, op: Op, args: &[&str]) -> Option<Term> {
        let args: Vec<Term> = args.iter().map(|arg| self.operand(arg)).collect::<Option<_>>()?;
        self.apply_to(op, &args)
    }

    fn apply_to(&mut self, op: Op, args: &[Term]) -> Option<Term> {
        let sorts: Vec<Sort> = args.iter().map(|&arg| self.pool.sort(arg)).collect();
        op.result_sort(&sorts)?;
        Some(self.pool.apply_raw(op, args))
    }

    /// The body of a definition that is not of the sort of floats.
    fn term(&mut self, body: &Expression) -> Option<Term> {
        let (head, args) = body.list()?.split_first()?;
        match (head, args) {
            (Atom(name @ ("fp.eq" | "fp.lt" | "fp.leq")), [a, b]) => {
                let ((format, a), (_, b)) = (float_operand(a)?, float_operand(b)?);
                let op = match *name {
                    "fp.eq" => FpOp::Eq(format),
                    "fp.lt" => FpOp::Lt(format),
                    _ => FpOp::Le(format),
                };
                self.apply(Op::Fp(op), &[a, b])
            }
            // Quotients and remainders, with what they are where the divisor is zero.
            (Atom("ite"), [List(_), Atom(_), List(application)]) => {
                let [Atom(name @ ("div" | "mod")), Atom(dividend), divisor] = &application[..] else {
                    return None;
                };
                let op = if *name == "div" { Op::IntDiv } else { Op::IntMod };
                let args = [self.operand(dividend)?, self.argument(divisor)?];
                self.apply_to(op, &args)
            }
            // Conditions of ordinary choices have names.
            (Atom("ite"), [List(_), chosen, otherwise]) => match chosen.list()? {
                [conversion, rounding, number] if conversion.list().is_some() => {
                    let (from, number) = float_operand(number)?;
                    let rounding = read_rounding(rounding)?;
                    let op = match conversion.indexed()? {
                        ("fp.to_sbv", width) => FpOp::ToSigned { from, width: *width.first()?, rounding },
                        ("fp.to_ubv", width) => FpOp::ToUnsigned { from, width: *width.first()?, rounding },
                        _ => return None,
                    };
                    self.apply(Op::Fp(op), &[number])
                }
                _ => {
                    let [_, List(either), ..] = otherwise.list()? else { return None };
                    let [_, _, List(comparison)] = &either[..] else { return None };
                    let [Atom(wanted), a, b] = &comparison[..] else { return None };
                    let ((format, a), (_, b)) = (float_operand(a)?, float_operand(b)?);
                    let op = if *wanted == "fp.lt" { FpOp::Min(format) } else { FpOp::Max(format) };
                    self.apply(Op::Fp(op), &[a, b])
                }
            },
            _ => {
                let op = operator(head, args.len())?;
                let args: Vec<Term> = args.iter().map(|arg| self.argument(arg)).collect::<Option<_>>()?;
                self.apply_to(op, &args)
            }
        }
    }

    /// The body of a definition of the sort of floats.
    fn float(&mut self, body: &Expression) -> Option<Term> {
        let (head, args) = body.list()?.split_first()?;
        if let Some((name, format)) = head.indexed() {
            let to = read_format(&format)?;
            let [rounding, number] = args else { return None };
            let rounding = read_rounding(rounding)?;
            let (op, argument) = match (name, number) {
                ("to_fp", Atom(integer)) => (FpOp::FromSigned { to, rounding }, *integer),
                ("to_fp_unsigned", Atom(integer)) => (FpOp::FromUnsigned { to, rounding }, *integer),
                ("to_fp", number) => {
                    let (from, number) = float_operand(number)?;
                    (FpOp::Convert { from, to, rounding }, number)
                }
                _ => return None,
            };
            return self.apply(Op::Fp(op), &[argument]);
        }
        if let (Atom("let"), [bindings, _]) = (head, args) {
            let [List(binding)] = bindings.list()? else { return None };
            let [_, List(near)] = &binding[..] else { return None };
            let [Atom("fp.rem"), a, b] = &near[..] else { return None };
            let ((format, a), (_, b)) = (magnitude_operand(a)?, magnitude_operand(b)?);
            return self.apply(Op::Fp(FpOp::Mod(format)), &[a, b]);
        }
        let rounding = args.first().and_then(read_rounding);
        let operands = if rounding.is_some() { &args[1..] } else { args };
        let operands: Vec<(FloatFormat, &str)> = operands.iter().map(float_operand).collect::<Option<_>>()?;
        let format = operands.first()?.0;
        let op = match (head.atom()?, rounding) {
            ("fp.add", Some(rounding)) => FpOp::Add(format, rounding),
            ("fp.sub", Some(rounding)) => FpOp::Sub(format, rounding),
            ("fp.mul", Some(rounding)) => FpOp::Mul(format, rounding),
            ("fp.div", Some(rounding)) => FpOp::Div(format, rounding),
            ("fp.fma", Some(rounding)) => FpOp::Fma(format, rounding),
            ("fp.sqrt", Some(rounding)) => FpOp::Sqrt(format, rounding),
            ("fp.roundToIntegral", Some(rounding)) => FpOp::RoundToIntegral(format, rounding),
            ("fp.rem", None) => FpOp::Rem(format),
            _ => return None,
        };
        let operands: Vec<&str> = operands.into_iter().map(|(_, operand)| operand).collect();
        self.apply(Op::Fp(op), &operands)
    }
}

/// The operators without indices that are neither literals nor about floats.
const PLAIN: [Op; 38] = [
    Op::Not,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Eq,
    Op::Ite,
    Op::BvNot,
    Op::BvNeg,
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvAdd,
    Op::BvSub,
    Op::BvMul,
    Op::BvUdiv,
    Op::BvUrem,
    Op::BvSdiv,
    Op::BvSrem,
    Op::BvShl,
    Op::BvLshr,
    Op::BvAshr,
    Op::BvUlt,
    Op::BvUle,
    Op::BvSlt,
    Op::BvSle,
    Op::BvConcat,
    Op::Select,
    Op::Store,
    Op::NumAdd,
    Op::NumSub,
    Op::NumNeg,
    Op::NumMul,
    Op::NumLe,
    Op::NumLt,
    Op::IntDiv,
    Op::IntMod,
    Op::ToReal,
    Op::ToInt,
];

fn operator(head: &Expression, arity: usize) -> Option<Op> {
    match head {
        // A minus sign is the name of two of them.
        Atom(name) => PLAIN.into_iter().find(|op| op.smtlib_name() == *name && op.arity() == arity),
        List(items) => {
            if let [Atom("as"), Atom("const"), sort] = &items[..] {
                let Sort::Array { index, .. } = read_sort(sort)? else { return None };
                return Some(Op::ConstArray { index });
            }
            match (head.indexed()?.0, &head.indexed()?.1[..]) {
                ("extract", &[high, low]) => Some(Op::BvExtract { high, low }),
                ("zero_extend", &[by]) => Some(Op::BvZeroExtend(by)),
                ("sign_extend", &[by]) => Some(Op::BvSignExtend(by)),
                ("rotate_left", &[by]) => Some(Op::BvRotateLeft(by)),
                ("rotate_right", &[by]) => Some(Op::BvRotateRight(by)),
                _ => None,
            }
        }
    }
}

/// The format and the bits of `((_ to_fp e s) bits)`.
fn float_operand<'t>(expression: &Expression<'t>) -> Option<(FloatFormat, &'t str)> {
    let [head, Atom(bits)] = expression.list()? else { return None };
    match head.indexed()? {
        ("to_fp", format) => Some((read_format(&format)?, bits)),
        _ => None,
    }
}

/// The format and the bits of `(fp.abs ((_ to_fp e s) bits))`.
fn magnitude_operand<'t>(expression: &Expression<'t>) -> Option<(FloatFormat, &'t str)> {
    let [Atom("fp.abs"), number] = expression.list()? else { return None };
    float_operand(number)
}

fn read_format(numbers: &[u32]) -> Option<FloatFormat> {
    let &[exponent, significand] = numbers else { return None };
    Some(FloatFormat { exponent, significand })
}

fn read_rounding(expression: &Expression) -> Option<Rounding> {
    Some(match expression.atom()? {
        "RNE" => Rounding::NearestEven,
        "RNA" => Rounding::NearestAway,
        "RTP" => Rounding::TowardPositive,
        "RTN" => Rounding::TowardNegative,
        "RTZ" => Rounding::TowardZero,
        _ => return None,
    })
}

fn read_number(expression: &Expression) -> Option<(Sort, Rational)> {
    match expression {
        Atom(text) => {
            let (sort, digits) = match text.strip_suffix(".0") {
                Some(digits) => (Sort::Real, digits),
                None => (Sort::Int, *text),
            };
            Some((sort, digits.parse::<BigInt>().ok()?.into()))
        }
        List(items) => match &items[..] {
            [Atom("-"), number @ (Atom(_) | List(_))] => {
                let (sort, value) = read_number(number)?;
                Some((sort, -value))
            }
            [Atom("/"), Atom(_), Atom(_)] => {
                let ((sort, a), (_, b)) = (read_number(&items[1])?, read_number(&items[2])?);
                Some((sort, &a / &b))
            }
            _ => None,
        },
    }
}

fn read_sort(expression: &Expression) -> Option<Sort> {
    match expression {
        Atom("Bool") => return Some(Sort::Bool),
        Atom("Int") => return Some(Sort::Int),
        Atom("Real") => return Some(Sort::Real),
        _ => {}
    }
    if let [Atom("Array"), index, element] = expression.list()? {
        let (index, element) = (read_sort(index)?.width()?, read_sort(element)?.width()?);
        return Some(Sort::Array { index, element });
    }
    match (expression.indexed()?.0, &expression.indexed()?.1[..]) {
        ("BitVec", &[width]) => Some(Sort::BitVec(width)),
        _ => None,
    }
}

/// The name that a symbol was made from: without quotes, `%_`, and escapes such as `%7c;`.
fn variable_name(symbol: &str) -> Option<String> {
    let text = symbol.trim_matches('|');
    let mut rest = text.strip_prefix("%_").unwrap_or(text);
    let mut name = String::new();
    while let Some((before, escape)) = rest.split_once('%') {
        let (code, after) = escape.split_once(';')?;
        name.push_str(before);
        name.push(char::from_u32(u32::from_str_radix(code, 16).ok()?)?);
        rest = after;
    }
    name.push_str(rest);
    Some(name)
}
