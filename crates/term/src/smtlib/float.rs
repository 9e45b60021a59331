//! Floats for SMT-LIB solvers, which have a sort for them: operands are read as floats from their bits, and a float that is
//! computed gets its bits as a constant about which the solver is told what number it is.
//!
//! Where the standard leaves the meaning open (bits of a NaN, zeros of different signs, integers that do not fit), the text
//! says what ours is.

use crate::float::{FloatFormat, FpOp};
use crate::value::BitVec;
use std::fmt::Write;

/// The bits as a float.
fn operand(format: FloatFormat, bits: &str) -> String {
    format!("((_ to_fp {} {}) {bits})", format.exponent, format.significand)
}

/// The application as SMT-LIB has it, between floats.
pub(super) fn application(op: FpOp, args: &[String]) -> String {
    let args: Vec<String> = match op.operand_format() {
        Some(format) => args.iter().map(|arg| operand(format, arg)).collect(),
        None => args.to_vec(),
    };
    let name = op.smtlib_name();
    // Indices stand before the rounding mode, so only the name itself is in parentheses.
    format!("({name} {})", args.join(" "))
}

/// Appends the definition of `name` as the application of the operator to the named arguments.
pub(super) fn define(op: FpOp, name: &str, args: &[String], out: &mut String) {
    let _ = match op {
        FpOp::Eq(_) | FpOp::Lt(_) | FpOp::Le(_) => {
            writeln!(out, "(define-fun {name} () Bool {})", application(op, args))
        }
        FpOp::ToSigned { from, width, .. } | FpOp::ToUnsigned { from, width, .. } => {
            let zero = BitVec::new(width, 0);
            let (fits, integer) = (fits(op, from, width, &args[0]), application(op, args));
            writeln!(out, "(define-fun {name} () (_ BitVec {width}) (ite {fits} {integer} {zero}))")
        }
        FpOp::Min(format) | FpOp::Max(format) => {
            let bits = extreme(op, format, &args[0], &args[1]);
            writeln!(out, "(define-fun {name} () (_ BitVec {}) {bits})", format.width())
        }
        _ => {
            let format = op.result_format().unwrap_or(FloatFormat::SINGLE);
            let FloatFormat { exponent, significand } = format;
            let (width, nan) = (format.width(), BitVec::new(format.width(), format.nan()));
            let value = match op {
                FpOp::Mod(_) => truncating_remainder(format, name, args),
                _ => application(op, args),
            };
            let number = operand(format, name);
            writeln!(
                out,
                "(define-fun {name}f () (_ FloatingPoint {exponent} {significand}) {value})\n\
                 (declare-const {name} (_ BitVec {width}))\n\
                 (assert (= {number} {name}f))\n\
                 (assert (=> (fp.isNaN {name}f) (= {name} {nan})))"
            )
        }
    };
}

/// The remainder of the magnitudes with the quotient to nearest, and once more the divisor if that is negative, which is
/// exact; with the sign of the dividend.
fn truncating_remainder(format: FloatFormat, name: &str, args: &[String]) -> String {
    let (x, y) = (operand(format, &args[0]), operand(format, &args[1]));
    let zero = operand(format, &BitVec::new(format.width(), 0).to_string());
    format!(
        "(let (({name}n (fp.rem (fp.abs {x}) (fp.abs {y})))) \
         (let (({name}m (ite (fp.lt {name}n {zero}) (fp.add RNE {name}n (fp.abs {y})) {name}n))) \
         (ite (fp.isNegative {x}) (fp.neg {name}m) {name}m)))"
    )
}

/// The smaller or larger one, with its own bits.
fn extreme(op: FpOp, format: FloatFormat, a: &str, b: &str) -> String {
    let (x, y) = (operand(format, a), operand(format, b));
    let nan = BitVec::new(format.width(), format.nan());
    // Numbers that are equal differ in the sign of zero at most.
    let (wanted, equal) = if matches!(op, FpOp::Min(_)) { ("fp.lt", "bvor") } else { ("fp.gt", "bvand") };
    format!(
        "(ite (fp.isNaN {x}) (ite (fp.isNaN {y}) {nan} {b}) (ite (or (fp.isNaN {y}) ({wanted} {x} {y})) {a} \
         (ite (fp.eq {x} {y}) ({equal} {a} {b}) {b})))"
    )
}

/// Whether the integer that a float is rounded to can be represented.
fn fits(op: FpOp, from: FloatFormat, width: u32, a: &str) -> String {
    let is_signed = matches!(op, FpOp::ToSigned { .. });
    let number = operand(from, a);
    let Some(rounding) = op.rounding() else { return "true".into() };
    let integral = application(FpOp::RoundToIntegral(from, rounding), &[a.to_owned()]);
    let power = |exponent: u32, negative: bool| {
        let bits = u128::from(exponent + from.bias()) << from.fraction();
        let sign = if negative { from.sign_mask() } else { 0 };
        operand(from, &BitVec::new(from.width(), bits | sign).to_string())
    };
    let limit = if is_signed { width - 1 } else { width };
    let is_limited = limit <= from.bias();
    let lower = match (is_signed, is_limited) {
        (true, true) => format!("(fp.leq {} {integral})", power(limit, true)),
        (true, false) => "true".into(),
        (false, _) => {
            let zero = operand(from, &BitVec::new(from.width(), 0).to_string());
            format!("(fp.leq {zero} {integral})")
        }
    };
    let upper =
        if is_limited { format!("(fp.lt {integral} {})", power(limit, false)) } else { "true".into() };
    format!("(and (not (fp.isNaN {number})) (not (fp.isInfinite {number})) {lower} {upper})")
}
