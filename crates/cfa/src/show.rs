//! Terms and edge labels for people: infix, C-like, never longer than a line or so.
//!
//! Signed operators look as in C. Unsigned ones do too if a variable next to them is known to be
//! unsigned; otherwise they carry a `u`, as in `x <u 10`.

mod floats;
mod memory;

use crate::program::{InputOrigin, Label, Op, Presentation, Program};
use aster_term::{BitVec, FpOp, Op as TermOp, Sort, Term, TermPool};
use std::fmt::Write;

/// Longer texts are cut.
const MAX_LENGTH: usize = 240;
/// Deeper subterms are shown as `…`.
const MAX_DEPTH: u32 = 24;
/// Printing recurses; nothing that a person would read is deeper than this.
const MAX_C_DEPTH: u32 = 2_000;
const MAX_C_LENGTH: usize = 10_000;

/// How tightly an operator binds, as in C.
mod level {
    pub const TERNARY: u8 = 1;
    pub const OR: u8 = 2;
    pub const AND: u8 = 3;
    pub const BIT_OR: u8 = 4;
    pub const BIT_XOR: u8 = 5;
    pub const BIT_AND: u8 = 6;
    pub const EQUALITY: u8 = 7;
    pub const RELATION: u8 = 8;
    pub const SHIFT: u8 = 9;
    pub const SUM: u8 = 10;
    pub const PRODUCT: u8 = 11;
    pub const UNARY: u8 = 12;
    pub const POSTFIX: u8 = 13;
}

/// How the operands of an operator are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    Signed,
    Unsigned,
    Either,
}

/// The term in C-like syntax over the names of program variables; long and deep terms are cut with
/// `…`.
///
/// ```
/// use aster_cfa::{show_term, testing::Sketch};
/// let mut sketch = Sketch::new("");
/// let x = sketch.int(None, "x");
/// let (less, more) = (sketch.less(x, 10), sketch.plus(x, 1));
/// let main = sketch.procedure("main");
/// let (program, pool) = sketch.finish(main);
/// assert_eq!(show_term(&program, &pool, less), "x < 10");
/// assert_eq!(show_term(&program, &pool, more), "x + 1");
/// ```
pub fn show_term(program: &Program, pool: &TermPool, term: Term) -> String {
    let mut printer = Printer { program, pool, out: String::new(), is_c: false };
    printer.term(term, 0, Reading::Either, 0);
    shorten(printer.out)
}

/// A term as a C expression, whole, however long it is: with casts where the operands' types would make C read it
/// differently, and memory by the names of what is there. Two things are named that C has no name for: `object_extent(p)`
/// is one more than the size of the object that `p` points into, 0 if there is none, and `object_offset(p)` is how far
/// `p` is from its start.
pub fn show_c_expression(program: &Program, pool: &TermPool, term: Term) -> String {
    let mut printer = Printer { program, pool, out: String::new(), is_c: true };
    printer.term(term, 0, Reading::Either, 0);
    printer.out
}

fn shorten(mut text: String) -> String {
    if text.chars().count() > MAX_LENGTH {
        text = text.chars().take(MAX_LENGTH).collect();
        if !text.ends_with('…') {
            text.push('…');
        }
    }
    text
}

/// What an edge does, on one line: `x := x + 1`, `[x < 10]`, `x := *  (f)`, `y := call f(x)`,
/// `unsupported: …`.
pub fn show_label(program: &Program, pool: &TermPool, label: &Label) -> String {
    let name = |variable| &program.variable(variable).name;
    let text = match label {
        Label::Op(Op::Assume(condition)) => format!("[{}]", show_term(program, pool, *condition)),
        Label::Op(Op::Assign(variable, term)) => {
            format!("{} := {}", name(*variable), show_term(program, pool, *term))
        }
        Label::Op(Op::Havoc(variable, input)) => match &input.origin {
            InputOrigin::Nondet(function) => format!("{} := *  ({function})", name(*variable)),
            InputOrigin::External(function) => format!("{} := *  (external {function})", name(*variable)),
            InputOrigin::Written(function) => format!("{} := *  (written by {function})", name(*variable)),
            InputOrigin::Uninitialised(_) => format!("{} := *  (uninitialised)", name(*variable)),
            InputOrigin::Choice(_) => format!("{} := *", name(*variable)),
            InputOrigin::Approximated(function) => {
                format!("{} := *  (some result of {function})", name(*variable))
            }
        },
        Label::Call(call) => {
            let arguments: Vec<String> =
                call.arguments.iter().map(|&argument| show_term(program, pool, argument)).collect();
            let callee = &program.procedure(call.procedure).name;
            let arguments = arguments.join(", ");
            match call.result {
                Some(result) => format!("{} := call {callee}({arguments})", name(result)),
                None => format!("call {callee}({arguments})"),
            }
        }
        Label::Unsupported(what) => format!("unsupported: {what}"),
        Label::Undefined { what, .. } => format!("undefined: {what}"),
    };
    shorten(text)
}

/// The name of the C type with this many bits, if there is one.
fn c_type(is_unsigned: bool, width: u32) -> Option<&'static str> {
    Some(match (is_unsigned, width) {
        (true, 8) => "unsigned char",
        (true, 16) => "unsigned short",
        (true, 32) => "unsigned int",
        (true, 64) => "unsigned long long",
        (true, 128) => "unsigned __int128",
        (false, 8) => "signed char",
        (false, 16) => "short",
        (false, 32) => "int",
        (false, 64) => "long long",
        (false, 128) => "__int128",
        _ => return None,
    })
}

struct Printer<'a> {
    program: &'a Program,
    pool: &'a TermPool,
    out: String,
    /// Print C, and all of it.
    is_c: bool,
}

impl Printer<'_> {
    /// Prints a term that stands where operators looser than `level` need parentheses.
    fn term(&mut self, term: Term, level: u8, reading: Reading, depth: u32) {
        if self.is_cut(depth) {
            self.out.push('…');
            return;
        }
        let depth = depth + 1;
        let args = self.pool.args(term);
        match self.pool.op(term) {
            // C does not compute with pointers as with numbers.
            TermOp::Variable(_) if self.is_c && self.pointer_type(term).is_some() => {
                self.parenthesised(level > level::UNARY, |this| {
                    this.out.push_str("(unsigned long)");
                    this.variable(term);
                });
            }
            TermOp::Variable(_) => self.variable(term),
            TermOp::BoolConst(value) => self.out.push_str(if value { "true" } else { "false" }),
            TermOp::BvConst(_) => self.constant(term, level, reading),
            TermOp::NumberConst(_) => self.number(term, level),
            TermOp::Not => self.negation(args[0], level, depth),
            TermOp::Ite
                if self.is_c
                    && let Some(address) = self.offset_of(term) =>
            {
                self.function("object_offset", &[address], None, depth);
            }
            TermOp::Ite => {
                self.parenthesised(level > level::TERNARY, |this| {
                    this.term(args[0], level::OR, Reading::Either, depth);
                    this.out.push_str(" ? ");
                    this.term(args[1], level::OR, reading, depth);
                    this.out.push_str(" : ");
                    this.term(args[2], level::TERNARY, reading, depth);
                });
            }
            TermOp::BvNot => self.prefix("~", args[0], level, reading, depth),
            TermOp::ToReal | TermOp::ToInt => {
                self.function(&self.pool.op(term).smtlib_name(), args, None, depth)
            }
            TermOp::BvNeg | TermOp::NumNeg => self.prefix("-", args[0], level, reading, depth),
            TermOp::BvZeroExtend(_) => self.cast('u', term, args[0], level, depth),
            TermOp::BvSignExtend(_) => self.cast('i', term, args[0], level, depth),
            TermOp::BvExtract { low: 0, .. } => self.cast('u', term, args[0], level, depth),
            TermOp::BvExtract { high, low } if self.is_c => {
                self.parenthesised(level > level::BIT_AND, |this| {
                    this.unsigned(args[0], depth);
                    let mask = u128::MAX >> (127 - (high - low));
                    let _ = write!(this.out, " >> {low} & {mask:#x}");
                });
            }
            TermOp::BvExtract { high, low } => {
                self.term(args[0], level::POSTFIX, Reading::Either, depth);
                let _ = write!(self.out, "[{high}:{low}]");
            }
            TermOp::BvConcat
                if self.is_c
                    && let Some((array, index)) = self.adjacent_bytes(term) =>
            {
                self.cell(array, index, self.pool.width(term), level, depth);
            }
            TermOp::BvConcat => self.function("concat", args, None, depth),
            TermOp::BvRotateLeft(by) => self.function("rotate_left", args, Some(by), depth),
            TermOp::BvRotateRight(by) => self.function("rotate_right", args, Some(by), depth),
            TermOp::Fp(op) => self.float_operation(op, args, level, depth),
            TermOp::ConstArray { .. } => {
                self.out.push_str("{all: ");
                self.term(args[0], 0, Reading::Either, depth);
                self.out.push('}');
            }
            TermOp::Select if self.is_c => self.read(args[0], args[1], level, depth),
            TermOp::Select => {
                self.term(args[0], level::POSTFIX, Reading::Either, depth);
                self.out.push('[');
                self.term(args[1], 0, Reading::Unsigned, depth);
                self.out.push(']');
            }
            TermOp::Store => {
                self.term(args[0], level::POSTFIX, Reading::Either, depth);
                self.out.push('{');
                self.term(args[1], 0, Reading::Unsigned, depth);
                self.out.push_str(" := ");
                self.term(args[2], 0, Reading::Either, depth);
                self.out.push('}');
            }
            op => self.infix(op, args[0], args[1], level, reading, depth),
        }
    }

    /// True if nothing more is to be printed at this depth.
    fn is_cut(&self, depth: u32) -> bool {
        let is_long = depth > MAX_DEPTH || self.out.len() > 4 * MAX_LENGTH;
        let is_too_long = depth > MAX_C_DEPTH || self.out.len() > MAX_C_LENGTH;
        is_long && !self.is_c || is_too_long
    }

    fn variable(&mut self, term: Term) {
        let name = match self.program.variable_of_term(term) {
            Some(variable) => &self.program.variable(variable).name,
            None => self.pool.variable_name(term).unwrap_or("?"),
        };
        self.out.push_str(name);
    }

    fn constant(&mut self, term: Term, level: u8, reading: Reading) {
        let Some(bits) = self.pool.bv_constant(term) else { return };
        // What is cut out of a word by a mask is not negative.
        let is_masked = self.is_c && c_type(true, bits.width()).is_none();
        let reading = if is_masked { Reading::Unsigned } else { reading };
        match signed_reading(bits, reading) {
            // A minus sign binds like a prefix operator.
            Some(value) => self.parenthesised(value < 0 && level > level::UNARY, |this| {
                let _ = write!(this.out, "{value}");
            }),
            None if bits.unsigned() >= 1 << 24 => {
                let _ = write!(self.out, "{:#x}", bits.unsigned());
            }
            None => {
                let _ = write!(self.out, "{}", bits.unsigned());
            }
        }
    }

    fn number(&mut self, term: Term, level: u8) {
        let Some(number) = self.pool.number_constant(term) else { return };
        let level_of_sign = if number.is_integer() { level::UNARY } else { level::PRODUCT };
        let is_compound = number < &Default::default() || !number.is_integer();
        self.parenthesised(is_compound && level > level_of_sign, |this| {
            let _ = write!(this.out, "{number}");
        });
    }

    fn parenthesised(&mut self, needed: bool, inside: impl FnOnce(&mut Self)) {
        if needed {
            self.out.push('(');
        }
        inside(self);
        if needed {
            self.out.push(')');
        }
    }

    fn prefix(&mut self, symbol: &str, arg: Term, level: u8, reading: Reading, depth: u32) {
        self.parenthesised(level > level::UNARY, |this| {
            this.out.push_str(symbol);
            this.term(arg, level::POSTFIX, reading, depth);
        });
    }

    fn cast(&mut self, letter: char, term: Term, arg: Term, level: u8, depth: u32) {
        let Sort::BitVec(width) = self.pool.sort(term) else { return };
        if self.is_c {
            match c_type(letter == 'u', width) {
                Some(name) => self.parenthesised(level > level::UNARY, |this| {
                    let _ = write!(this.out, "({name})");
                    let (is_extension, arg_width) = (this.pool.width(arg) < width, this.pool.width(arg));
                    match c_type(letter == 'u', arg_width).filter(|_| is_extension) {
                        // What is extended has the signedness of the extension, whatever it was cut out of.
                        Some(inner) => {
                            let _ = write!(this.out, "({inner})");
                            let is_low = matches!(this.pool.op(arg), TermOp::BvExtract { low: 0, .. });
                            let operand = if is_low { this.pool.args(arg)[0] } else { arg };
                            this.term(operand, level::UNARY, Reading::Either, depth);
                        }
                        None if is_extension && letter == 'i' => {
                            let by = width - arg_width;
                            let _ = write!(this.out, "(({name})");
                            this.term(arg, level::UNARY, Reading::Either, depth);
                            let _ = write!(this.out, " << {by} >> {by})");
                        }
                        None => this.term(arg, level::UNARY, Reading::Either, depth),
                    }
                }),
                None => self.parenthesised(level > level::BIT_AND, |this| {
                    this.term(arg, level::BIT_AND, Reading::Unsigned, depth);
                    let _ = write!(this.out, " & {:#x}", u128::MAX >> (128 - width));
                }),
            }
            return;
        }
        self.parenthesised(level > level::UNARY, |this| {
            let _ = write!(this.out, "({letter}{width})");
            this.term(arg, level::UNARY, Reading::Either, depth);
        });
    }

    fn function(&mut self, name: &str, args: &[Term], last: Option<u32>, depth: u32) {
        let _ = write!(self.out, "{name}(");
        for (position, &arg) in args.iter().enumerate() {
            if position > 0 {
                self.out.push_str(", ");
            }
            self.term(arg, 0, Reading::Either, depth);
        }
        if let Some(last) = last {
            let _ = write!(self.out, ", {last}");
        }
        self.out.push(')');
    }

    /// `!(a == b)` is `a != b`, `!(a < b)` is `a >= b`.
    fn negation(&mut self, arg: Term, level: u8, depth: u32) {
        let args = self.pool.args(arg);
        match self.pool.op(arg) {
            TermOp::Eq => {
                self.relation("!=", level::EQUALITY, args[0], args[1], Reading::Either, level, depth)
            }
            op @ (TermOp::BvSlt
            | TermOp::BvUlt
            | TermOp::BvSle
            | TermOp::BvUle
            | TermOp::NumLt
            | TermOp::NumLe) => {
                let is_less = matches!(op, TermOp::BvSlt | TermOp::BvUlt | TermOp::NumLt);
                let symbol = if is_less { ">=" } else { ">" };
                let reading = reading_of(op);
                self.relation(symbol, level::RELATION, args[0], args[1], reading, level, depth);
            }
            TermOp::Fp(FpOp::Eq(format)) => {
                self.float_infix("!=", level::EQUALITY, format, args, level, depth)
            }
            _ => self.prefix("!", arg, level, Reading::Either, depth),
        }
    }

    /// A comparison; a literal on the left changes places with the other side.
    #[allow(clippy::too_many_arguments)]
    fn relation(
        &mut self,
        symbol: &'static str,
        own: u8,
        mut a: Term,
        mut b: Term,
        reading: Reading,
        level: u8,
        depth: u32,
    ) {
        let mut symbol = symbol;
        if self.pool.constant(a).is_some() && self.pool.constant(b).is_none() {
            (a, b) = (b, a);
            symbol = match symbol {
                "<" => ">",
                "<=" => ">=",
                ">" => "<",
                ">=" => "<=",
                same => same,
            };
        }
        if self.is_c && self.compare_pointers(symbol, own, a, b, level) {
            return;
        }
        if self.is_c && self.is_marked(reading, a, b) {
            self.parenthesised(level > own, |this| {
                this.unsigned(a, depth);
                let _ = write!(this.out, " {symbol} ");
                this.unsigned(b, depth);
            });
            return;
        }
        if own == level::EQUALITY
            && let Some(name) = self.name_of_number(a, b)
        {
            let name = name.to_owned();
            self.parenthesised(level > own, |this| {
                this.term(a, own + 1, reading, depth);
                let _ = write!(this.out, " {symbol} {name}");
            });
            return;
        }
        let mark = if self.is_marked(reading, a, b) { "u" } else { "" };
        let reading = if reading == Reading::Either { self.reading_from_neighbour(a, b) } else { reading };
        self.parenthesised(level > own, |this| {
            this.term(a, own + 1, reading, depth);
            let _ = write!(this.out, " {symbol}{mark} ");
            this.term(b, own + 1, reading, depth);
        });
    }

    fn infix(&mut self, op: TermOp, a: Term, b: Term, level: u8, outer: Reading, depth: u32) {
        let (symbol, own) = match op {
            TermOp::And => ("&&", level::AND),
            TermOp::Or => ("||", level::OR),
            TermOp::Xor => ("!=", level::EQUALITY),
            TermOp::Eq
            | TermOp::BvUlt
            | TermOp::BvSlt
            | TermOp::BvUle
            | TermOp::BvSle
            | TermOp::NumLt
            | TermOp::NumLe => {
                let (symbol, own) = match op {
                    TermOp::Eq => ("==", level::EQUALITY),
                    TermOp::BvUlt | TermOp::BvSlt | TermOp::NumLt => ("<", level::RELATION),
                    _ => ("<=", level::RELATION),
                };
                return self.relation(symbol, own, a, b, reading_of(op), level, depth);
            }
            TermOp::BvAnd => ("&", level::BIT_AND),
            TermOp::BvOr => ("|", level::BIT_OR),
            TermOp::BvXor => ("^", level::BIT_XOR),
            TermOp::BvAdd | TermOp::NumAdd => ("+", level::SUM),
            TermOp::BvSub | TermOp::NumSub => ("-", level::SUM),
            TermOp::BvMul | TermOp::NumMul => ("*", level::PRODUCT),
            TermOp::BvUdiv | TermOp::BvSdiv => ("/", level::PRODUCT),
            TermOp::BvUrem | TermOp::BvSrem => ("%", level::PRODUCT),
            TermOp::BvShl => ("<<", level::SHIFT),
            TermOp::BvLshr | TermOp::BvAshr => (">>", level::SHIFT),
            other => return self.function(&other.smtlib_name(), &[a, b], None, depth),
        };
        let is_constant = |term| self.pool.constant(term).is_some();
        let (a, b) = if op.is_commutative() && is_constant(a) && !is_constant(b) { (b, a) } else { (a, b) };
        let reading = match reading_of(op) {
            Reading::Either if outer == Reading::Either => self.reading_from_neighbour(a, b),
            Reading::Either => outer,
            known => known,
        };
        if self.is_c && self.is_marked(reading_of(op), a, b) {
            self.parenthesised(level > own, |this| {
                this.unsigned(a, depth);
                let _ = write!(this.out, " {symbol} ");
                this.unsigned(b, depth);
            });
            return;
        }
        let mark = if self.is_marked(reading_of(op), a, b) { "u" } else { "" };
        let negative = match op {
            TermOp::BvAdd => self.pool.bv_constant(b).and_then(|bits| {
                signed_reading(bits, Reading::Either).filter(|&v| v < 0).map(|v| v.unsigned_abs().to_string())
            }),
            TermOp::NumAdd => {
                let number = self.pool.rational_constant(b).filter(|number| number.is_negative());
                number.map(|number| number.abs().to_string())
            }
            _ => None,
        };
        // Chains of one associative operator need no parentheses on either side.
        let associative = matches!(
            op,
            TermOp::And
                | TermOp::Or
                | TermOp::BvAnd
                | TermOp::BvOr
                | TermOp::BvXor
                | TermOp::BvAdd
                | TermOp::NumAdd
        );
        let right = if associative { own } else { own + 1 };
        self.parenthesised(level > own, |this| {
            this.term(a, own, reading, depth);
            if let Some(magnitude) = negative {
                let _ = write!(this.out, " - {magnitude}");
                return;
            }
            let _ = write!(this.out, " {symbol}{mark} ");
            this.term(b, right, reading, depth);
        });
    }

    /// The name that a literal has as a value of a variable.
    fn name_of_number(&self, variable: Term, number: Term) -> Option<&str> {
        let variable = self.program.variable_of_term(variable)?;
        let Some(Presentation::Named { names, .. }) = &self.program.variable(variable).presentation else {
            return None;
        };
        let number = self.pool.rational_constant(number)?.to_i64()?;
        usize::try_from(number).ok().and_then(|number| names.get(number)).map(String::as_str)
    }

    /// A C expression of an unsigned type.
    fn unsigned(&mut self, term: Term, depth: u32) {
        let Sort::BitVec(width) = self.pool.sort(term) else { return };
        if self.pool.constant(term).is_some() {
            self.constant(term, level::POSTFIX, Reading::Unsigned);
            self.out.push('u');
            return;
        }
        if let Some(name) = c_type(true, width) {
            let _ = write!(self.out, "({name})");
        }
        self.term(term, level::UNARY, Reading::Either, depth);
    }

    /// True if an unsigned operator cannot be told from the variables beside it.
    fn is_marked(&self, reading: Reading, a: Term, b: Term) -> bool {
        reading == Reading::Unsigned && self.reading_from_neighbour(a, b) != Reading::Unsigned
    }

    fn reading_from_neighbour(&self, a: Term, b: Term) -> Reading {
        [a, b]
            .into_iter()
            .map(|term| self.known_reading(term))
            .find(|r| *r != Reading::Either)
            .unwrap_or(Reading::Either)
    }

    /// How the source reads a variable (or the sum it starts).
    fn known_reading(&self, mut term: Term) -> Reading {
        for _ in 0..MAX_DEPTH {
            if let Some(variable) = self.program.variable_of_term(term) {
                return match self.program.variable(variable).presentation {
                    Some(Presentation::Signed(_)) => Reading::Signed,
                    Some(Presentation::Unsigned(_) | Presentation::Bool | Presentation::Pointer(_)) => {
                        Reading::Unsigned
                    }
                    Some(Presentation::Raw(_) | Presentation::Float(_) | Presentation::Named { .. })
                    | None => Reading::Either,
                };
            }
            let args = self.pool.args(term);
            term = match self.pool.op(term) {
                TermOp::BvZeroExtend(_) => return Reading::Unsigned,
                TermOp::Select if self.is_extents(args[0]) => return Reading::Unsigned,
                TermOp::BvAdd | TermOp::BvSub | TermOp::BvMul | TermOp::BvAnd | TermOp::BvOr => {
                    if self.pool.constant(args[0]).is_some() { args[1] } else { args[0] }
                }
                _ => return Reading::Either,
            };
        }
        Reading::Either
    }
}

fn reading_of(op: TermOp) -> Reading {
    match op {
        TermOp::BvSlt | TermOp::BvSle | TermOp::BvSdiv | TermOp::BvSrem | TermOp::BvAshr => Reading::Signed,
        TermOp::BvUlt | TermOp::BvUle | TermOp::BvUdiv | TermOp::BvUrem | TermOp::BvLshr => Reading::Unsigned,
        _ => Reading::Either,
    }
}

/// The value to print if it is to be printed as a signed number. Without other knowledge small
/// negative numbers are: `-1` is seen more often than the largest number.
fn signed_reading(bits: BitVec, reading: Reading) -> Option<i128> {
    let value = bits.signed();
    match reading {
        Reading::Signed => Some(value),
        Reading::Unsigned => None,
        Reading::Either => (bits.width() > 1 && (-65536..0).contains(&value)).then_some(value),
    }
}

#[cfg(test)]
mod tests {
    use crate::program::Presentation;
    use crate::testing::Sketch;
    use crate::{show_label, show_term};
    use aster_term::{Op as TermOp, Sort, Term, TermPool};

    /// Prints a term over the signed `x`, `y` and the unsigned `u`.
    fn show(build: impl FnOnce(&mut TermPool, Term, Term, Term) -> Term) -> String {
        let mut sketch = Sketch::new("");
        let main = sketch.procedure("main");
        let (x, y) = (sketch.int(None, "x"), sketch.int(None, "y"));
        let unsigned = Presentation::Unsigned("unsigned int".into());
        let u = sketch.variable(Some(main), "u", Sort::BitVec(32), Some(unsigned));
        let (x, y, u) = (sketch.term(x), sketch.term(y), sketch.term(u));
        let term = build(&mut sketch.pool, x, y, u);
        let (program, pool) = sketch.finish(main);
        show_term(&program, &pool, term)
    }

    /// Literals keep the place that the test gives them.
    fn raw(pool: &mut TermPool, op: TermOp, a: Term, b: Term) -> Term {
        pool.apply_raw(op, &[a, b])
    }

    #[test]
    fn comparisons_read_as_in_c() {
        let of = |op, left: i128| {
            show(move |pool, x, _, _| {
                let ten = pool.bv_signed(32, left);
                raw(pool, op, ten, x)
            })
        };
        assert_eq!(of(TermOp::BvSlt, 10), "x > 10");
        assert_eq!(of(TermOp::BvSle, -10), "x >= -10");
        assert_eq!(of(TermOp::Eq, -10), "x == -10");
        assert_eq!(of(TermOp::BvUlt, 10), "x >u 10");
    }

    #[test]
    fn unsigned_variables_need_no_mark() {
        let text = show(|pool, _, _, u| {
            let big = pool.bv_signed(32, -1);
            raw(pool, TermOp::BvUlt, u, big)
        });
        assert_eq!(text, "u < 0xffffffff");
        let text = show(|pool, x, y, _| raw(pool, TermOp::BvUdiv, x, y));
        assert_eq!(text, "x /u y");
        let text = show(|pool, x, y, _| raw(pool, TermOp::BvSdiv, x, y));
        assert_eq!(text, "x / y");
    }

    #[test]
    fn negations_turn_the_comparison() {
        let not = |op| {
            show(move |pool, x, y, _| {
                let inner = raw(pool, op, x, y);
                pool.apply_raw(TermOp::Not, &[inner])
            })
        };
        assert_eq!(not(TermOp::Eq), "x != y");
        assert_eq!(not(TermOp::BvSlt), "x >= y");
        assert_eq!(not(TermOp::BvSle), "x > y");
    }

    #[test]
    fn parentheses_stand_only_where_c_needs_them() {
        let text = show(|pool, x, y, _| {
            let sum = raw(pool, TermOp::BvAdd, x, y);
            let product = raw(pool, TermOp::BvMul, sum, y);
            let minus = pool.bv_signed(32, -7);
            let less = raw(pool, TermOp::BvAdd, minus, product);
            let difference = raw(pool, TermOp::BvSub, less, sum);
            let one = pool.bv(32, 1);
            let a = raw(pool, TermOp::Eq, difference, one);
            let b = raw(pool, TermOp::BvSlt, x, y);
            let or = raw(pool, TermOp::Or, a, b);
            raw(pool, TermOp::And, or, b)
        });
        assert_eq!(text, "((x + y) * y - 7 - (x + y) == 1 || x < y) && x < y");
    }

    #[test]
    fn casts_slices_and_choices() {
        let text = show(|pool, x, y, _| {
            let long = pool.apply_raw(TermOp::BvSignExtend(32), &[x]);
            let low = pool.apply_raw(TermOp::BvExtract { high: 31, low: 0 }, &[long]);
            let condition = raw(pool, TermOp::Eq, x, y);
            let negative = pool.apply_raw(TermOp::BvNeg, &[y]);
            pool.apply_raw(TermOp::Ite, &[condition, low, negative])
        });
        assert_eq!(text, "x == y ? (u32)(i64)x : -y");
        let text = show(|pool, x, _, _| pool.apply_raw(TermOp::BvExtract { high: 15, low: 8 }, &[x]));
        assert_eq!(text, "x[15:8]");
    }

    #[test]
    fn arrays_read_like_subscripts() {
        let text = show(|pool, x, y, _| {
            let array = pool.variable("a", Sort::Array { index: 32, element: 32 });
            let stored = pool.apply_raw(TermOp::Store, &[array, x, y]);
            pool.apply_raw(TermOp::Select, &[stored, y])
        });
        assert_eq!(text, "a{x := y}[y]");
    }

    #[test]
    fn huge_terms_are_cut() {
        let text = show(|pool, x, y, _| {
            let mut term = x;
            for _ in 0..100_000 {
                let product = raw(pool, TermOp::BvMul, term, y);
                term = raw(pool, TermOp::BvXor, product, term);
            }
            term
        });
        assert!(text.chars().count() <= super::MAX_LENGTH + 1, "{}", text.len());
        assert!(text.contains('…'), "{text}");
    }

    #[test]
    fn c_expressions_have_casts_in_place_of_marks() {
        let mut sketch = Sketch::new("");
        let main = sketch.procedure("main");
        let (x, y) = (sketch.int(None, "x"), sketch.int(None, "y"));
        let (x, y) = (sketch.term(x), sketch.term(y));
        let pool = &mut sketch.pool;
        let below = pool.ult(x, y);
        let low = pool.extract(1, 0, x);
        let three = pool.bv(2, 3);
        let low = pool.eq(low, three);
        let byte = pool.extract(7, 0, y);
        let wide = pool.sign_extend_to(32, byte);
        let signed = pool.slt(wide, x);
        let (program, pool) = sketch.finish(main);
        let shown = [below, low, signed].map(|term| super::show_c_expression(&program, &pool, term));
        assert_eq!(shown, ["(unsigned int)x < (unsigned int)y", "(x & 0x3) == 3", "(int)(signed char)y < x"]);
    }

    #[test]
    fn labels_are_one_line() {
        let mut sketch = Sketch::new("");
        let (main, f) = (sketch.procedure("main"), sketch.procedure("f"));
        let x = sketch.int(None, "x");
        let more = sketch.plus(x, 1);
        let start = sketch.havoc(sketch.entry(main), x, 1);
        let next = sketch.assign(start, x, more, 1);
        let next = sketch.call(next, f, &[more], Some(x), 1);
        sketch.step(next, crate::Label::Unsupported("inline assembly".into()), 1);
        let (program, pool) = sketch.finish(main);
        let labels: Vec<String> =
            program.edges().map(|edge| show_label(&program, &pool, &program.edge(edge).label)).collect();
        assert_eq!(
            labels,
            [
                "x := *  (__VERIFIER_nondet_int)",
                "x := x + 1",
                "x := call f(x + 1)",
                "unsupported: inline assembly"
            ]
        );
    }
}
