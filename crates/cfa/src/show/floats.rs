//! Operators on floats as C writes them.

use super::{Printer, Reading, c_type, level};
use crate::program::Presentation;
use aster_term::{FloatFormat, FpOp, Op as TermOp, Rounding, Term, show_float};
use std::fmt::Write;

/// The C type of a format, and the suffix of its literals and functions.
fn c_names(format: FloatFormat) -> (&'static str, &'static str) {
    match format {
        FloatFormat::HALF => ("_Float16", "f16"),
        FloatFormat::SINGLE => ("float", "f"),
        FloatFormat::DOUBLE => ("double", ""),
        FloatFormat::EXTENDED => ("long double", "l"),
        _ => ("_Float128", "f128"),
    }
}

/// What is added to the name of an operator that does not round to nearest even.
fn mode_name(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::NearestEven => "",
        Rounding::NearestAway => "_away",
        Rounding::TowardPositive => "_up",
        Rounding::TowardNegative => "_down",
        Rounding::TowardZero => "_to_zero",
    }
}

impl Printer<'_> {
    pub(super) fn float_operation(&mut self, op: FpOp, args: &[Term], level: u8, depth: u32) {
        use Rounding::NearestEven;
        match op {
            FpOp::Add(format, NearestEven) => self.float_infix("+", level::SUM, format, args, level, depth),
            FpOp::Sub(format, NearestEven) => self.float_infix("-", level::SUM, format, args, level, depth),
            FpOp::Mul(format, NearestEven) => {
                self.float_infix("*", level::PRODUCT, format, args, level, depth);
            }
            FpOp::Div(format, NearestEven) => {
                self.float_infix("/", level::PRODUCT, format, args, level, depth);
            }
            FpOp::Eq(format) => self.float_infix("==", level::EQUALITY, format, args, level, depth),
            FpOp::Lt(format) => self.float_infix("<", level::RELATION, format, args, level, depth),
            FpOp::Le(format) => self.float_infix("<=", level::RELATION, format, args, level, depth),
            FpOp::Convert { from, to, .. } => {
                self.float_cast(c_names(to).0, args[0], Some(from), level, depth)
            }
            FpOp::FromSigned { to, .. } | FpOp::FromUnsigned { to, .. } => {
                self.parenthesised(level > level::UNARY, |this| {
                    let _ = write!(this.out, "({})", c_names(to).0);
                    if matches!(op, FpOp::FromUnsigned { .. }) {
                        this.unsigned(args[0], depth);
                    } else {
                        this.term(args[0], level::UNARY, Reading::Signed, depth);
                    }
                });
            }
            FpOp::ToSigned { from, width, .. } => {
                self.float_cast(c_type(false, width).unwrap_or("int"), args[0], Some(from), level, depth);
            }
            FpOp::ToUnsigned { from, width, .. } => {
                self.float_cast(c_type(true, width).unwrap_or("unsigned"), args[0], Some(from), level, depth);
            }
            _ => self.float_function(op, args, depth),
        }
    }

    fn float_function(&mut self, op: FpOp, args: &[Term], depth: u32) {
        let Some(format) = op.operand_format() else { return };
        let mode = op.rounding().map_or("", mode_name);
        let (name, mode) = match op {
            FpOp::Add(..) => ("add", mode),
            FpOp::Sub(..) => ("sub", mode),
            FpOp::Mul(..) => ("mul", mode),
            FpOp::Div(..) => ("div", mode),
            FpOp::Fma(..) => ("fma", mode),
            FpOp::Sqrt(..) => ("sqrt", mode),
            FpOp::Rem(_) => ("remainder", ""),
            FpOp::Mod(_) => ("fmod", ""),
            FpOp::Min(_) => ("fmin", ""),
            FpOp::Max(_) => ("fmax", ""),
            FpOp::RoundToIntegral(_, Rounding::TowardNegative) => ("floor", ""),
            FpOp::RoundToIntegral(_, Rounding::TowardPositive) => ("ceil", ""),
            FpOp::RoundToIntegral(_, Rounding::TowardZero) => ("trunc", ""),
            FpOp::RoundToIntegral(_, Rounding::NearestAway) => ("round", ""),
            FpOp::RoundToIntegral(_, Rounding::NearestEven) => ("roundeven", ""),
            other => (other.name(), mode),
        };
        let _ = write!(self.out, "{name}{mode}{}(", c_names(format).1);
        for (position, &arg) in args.iter().enumerate() {
            if position > 0 {
                self.out.push_str(", ");
            }
            self.float(arg, format, 0, depth);
        }
        self.out.push(')');
    }

    pub(super) fn float_infix(
        &mut self,
        symbol: &str,
        own: u8,
        format: FloatFormat,
        args: &[Term],
        level: u8,
        depth: u32,
    ) {
        self.parenthesised(level > own, |this| {
            this.float(args[0], format, own, depth);
            let _ = write!(this.out, " {symbol} ");
            this.float(args[1], format, own + 1, depth);
        });
    }

    fn float_cast(&mut self, ty: &str, arg: Term, from: Option<FloatFormat>, level: u8, depth: u32) {
        self.parenthesised(level > level::UNARY, |this| {
            let _ = write!(this.out, "({ty})");
            match from {
                Some(format) => this.float(arg, format, level::UNARY, depth),
                None => this.term(arg, level::UNARY, Reading::Either, depth),
            }
        });
    }

    /// A term as a float: bits that are not known to be one are said to be read as one.
    fn float(&mut self, term: Term, format: FloatFormat, level: u8, depth: u32) {
        if let Some(bits) = self.pool.bv_constant(term) {
            return self.float_constant(bits, format, level);
        }
        let is_float_variable = self.program.variable_of_term(term).is_some_and(|variable| {
            matches!(self.program.variable(variable).presentation, Some(Presentation::Float(_)))
        });
        match self.pool.op(term) {
            TermOp::Variable(_) if is_float_variable => self.term(term, level, Reading::Either, depth),
            TermOp::Fp(op) if op.result_format() == Some(format) => {
                self.term(term, level, Reading::Either, depth);
            }
            _ => {
                let _ = write!(self.out, "{}_of(", c_names(format).0.replace(' ', "_"));
                self.term(term, 0, Reading::Either, depth + 1);
                self.out.push(')');
            }
        }
    }

    fn float_constant(&mut self, bits: aster_term::BitVec, format: FloatFormat, level: u8) {
        let text = show_float(format, bits);
        let is_number = text.ends_with(|c: char| c.is_ascii_digit());
        let suffix = if is_number { c_names(format).1 } else { "" };
        self.parenthesised(text.starts_with('-') && level > level::UNARY, |this| {
            this.out.push_str(&text);
            this.out.push_str(suffix);
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::program::Presentation;
    use crate::testing::Sketch;
    use crate::{show_c_expression, show_term};
    use aster_term::{FloatFormat, Rounding, Sort, Term, TermPool};

    const SINGLE: FloatFormat = FloatFormat::SINGLE;
    const NEAREST: Rounding = Rounding::NearestEven;

    /// Prints a term over the `float` variables `x` and `y` and the `int` variable `n`.
    fn show(build: impl FnOnce(&mut TermPool, Term, Term, Term) -> Term) -> String {
        let mut sketch = Sketch::new("");
        let main = sketch.procedure("main");
        let float = || Some(Presentation::Float("float".into()));
        let x = sketch.variable(Some(main), "x", Sort::BitVec(32), float());
        let y = sketch.variable(Some(main), "y", Sort::BitVec(32), float());
        let n = sketch.int(None, "n");
        let (x, y, n) = (sketch.term(x), sketch.term(y), sketch.term(n));
        let term = build(&mut sketch.pool, x, y, n);
        let (program, pool) = sketch.finish(main);
        let shown = show_term(&program, &pool, term);
        assert_eq!(show_c_expression(&program, &pool, term), shown);
        shown
    }

    fn single(pool: &mut TermPool, value: f32) -> Term {
        pool.bv(32, u128::from(value.to_bits()))
    }

    #[test]
    fn arithmetic_reads_as_in_c() {
        let text = show(|pool, x, y, _| {
            let (half, sum) = (single(pool, 0.5), pool.fp_add(SINGLE, NEAREST, x, y));
            let product = pool.fp_mul(SINGLE, NEAREST, sum, half);
            let limit = single(pool, -0.1);
            pool.fp_lt(SINGLE, product, limit)
        });
        assert!(text == "(x + y) * 0.5f < -0.1f" || text == "0.5f * (x + y) < -0.1f", "{text}");
        let text = show(|pool, x, y, _| {
            let equal = pool.fp_eq(SINGLE, x, y);
            pool.not(equal)
        });
        assert!(text == "x != y" || text == "y != x", "{text}");
        assert_eq!(
            show(|pool, x, _, _| pool.fp_round_to_integral(SINGLE, Rounding::TowardZero, x)),
            "truncf(x)"
        );
    }

    #[test]
    fn conversions_are_casts() {
        let to_double = |pool: &mut TermPool, x| pool.fp_convert(SINGLE, FloatFormat::DOUBLE, NEAREST, x);
        assert_eq!(show(|pool, x, _, _| to_double(pool, x)), "(double)x");
        assert_eq!(show(|pool, _, _, n| pool.fp_from_signed(SINGLE, NEAREST, n)), "(float)n");
        assert_eq!(show(|pool, x, _, _| pool.fp_to_signed(SINGLE, 32, Rounding::TowardZero, x)), "(int)x");
    }

    #[test]
    fn other_rounding_modes_and_bits_are_said() {
        let text = show(|pool, x, y, _| pool.fp_div(SINGLE, Rounding::TowardPositive, x, y));
        assert_eq!(text, "div_upf(x, y)");
        assert_eq!(show(|pool, _, _, n| pool.fp_sqrt(SINGLE, NEAREST, n)), "sqrtf(float_of(n))");
    }
}
