//! Constants and string literals.

use super::{Checked, Checker};
use crate::typed::{Expr, ExprKind};
use crate::types::{FloatKind, IntKind, Type, TypeId};
use lang_c::ast::{
    Constant, Float, FloatBase, FloatFormat, Integer, IntegerBase, IntegerSize, TS18661FloatFormat,
    TS18661FloatType,
};
use lang_c::span::{Node, Span};

/// The encoding that a literal's prefix asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Plain,
    Wide,
    Char16,
    Char32,
}

impl Checker<'_> {
    pub(super) fn constant(&mut self, constant: &Node<Constant>) -> Checked<Expr> {
        match &constant.node {
            Constant::Integer(integer) => self.integer_constant(integer, constant.span),
            Constant::Float(float) => self.float_constant(float, constant.span),
            Constant::Character(text) => self.character_constant(text, constant.span),
        }
    }

    /// A constant of an integer (or pointer) type.
    pub(super) fn constant_of(&mut self, bits: u128, ty: TypeId, span: Span) -> Expr {
        let bits = match self.types.bit_width(ty) {
            Some(width) => aster_term::BitVec::new(width, bits).unsigned(),
            None => bits,
        };
        Expr::new(&self.types, ExprKind::Constant(bits), ty, span)
    }

    /// C11 6.4.4.1: the first type of a list that the value fits into. gcc goes on to 128 bits.
    fn integer_constant(&mut self, integer: &Integer, span: Span) -> Checked<Expr> {
        let (radix, prefix) = match integer.base {
            IntegerBase::Decimal => (10, ""),
            IntegerBase::Octal => (8, ""),
            IntegerBase::Hexadecimal => (16, "x"),
            IntegerBase::Binary => (2, "b"),
        };
        let lower = integer.number.to_ascii_lowercase();
        let digits = lower.strip_prefix('0').and_then(|rest| rest.strip_prefix(prefix)).unwrap_or(&lower);
        let digits = if digits.is_empty() { "0" } else { digits };
        let Ok(value) = u128::from_str_radix(digits, radix) else {
            return Err(self.error(span, "integer constant is too large for its type"));
        };
        if integer.suffix.imaginary {
            let double = self.types.intern(Type::Complex(FloatKind::Double));
            return Ok(self.unsupported("complex arithmetic", double, span));
        }
        let candidates = [IntKind::Int, IntKind::Long, IntKind::LongLong, IntKind::Int128];
        let first = match integer.suffix.size {
            IntegerSize::Int => 0,
            IntegerSize::Long => 1,
            IntegerSize::LongLong => 2,
        };
        for kind in &candidates[first..] {
            let bits = self.types.int_bits(*kind);
            if !integer.suffix.unsigned && value >> (bits - 1) == 0 {
                let ty = self.types.integer(*kind);
                return Ok(self.constant_of(value, ty, span));
            }
            let unsigned_fits = bits == 128 || value >> bits == 0;
            if (integer.suffix.unsigned || integer.base != IntegerBase::Decimal) && unsigned_fits {
                let ty = self.types.integer(kind.to_unsigned());
                return Ok(self.constant_of(value, ty, span));
            }
        }
        Err(self.error(span, "integer constant is too large for its type"))
    }

    /// C11 6.4.4.2, rounded to nearest as gcc does.
    fn float_constant(&mut self, float: &Float, span: Span) -> Checked<Expr> {
        let kind = match float.suffix.format {
            FloatFormat::Float => FloatKind::Float,
            FloatFormat::Double => FloatKind::Double,
            FloatFormat::LongDouble => FloatKind::LongDouble,
            FloatFormat::TS18661Format(ref format) => float_kind_of(format),
        };
        if let FloatFormat::TS18661Format(TS18661FloatType {
            format: TS18661FloatFormat::DecimalInterchange | TS18661FloatFormat::DecimalExtended,
            width,
        }) = float.suffix.format
        {
            let ty = self.types.intern(Type::Decimal(width as u64 / 8));
            return Ok(self.unsupported("decimal floating-point numbers", ty, span));
        }
        if float.suffix.imaginary {
            let ty = self.types.intern(Type::Complex(kind));
            return Ok(self.unsupported("complex arithmetic", ty, span));
        }
        let ty = self.types.intern(Type::Float(kind));
        let prefix = if float.base == FloatBase::Hexadecimal { "0x" } else { "" };
        match aster_term::parse_float(kind.format(), &format!("{prefix}{}", float.number)) {
            Some(bits) => Ok(self.float_of(bits.unsigned(), ty, span)),
            None => Err(self.error(span, "malformed floating-point constant")),
        }
    }

    /// A constant of a floating-point type by its bit pattern.
    pub(super) fn float_of(&self, bits: u128, ty: TypeId, span: Span) -> Expr {
        Expr::new(&self.types, ExprKind::Float(bits), ty, span)
    }

    fn character_constant(&mut self, text: &str, span: Span) -> Checked<Expr> {
        let (encoding, body) = split_literal(text, '\'');
        let units = decode(body, encoding);
        if units.is_empty() {
            return Err(self.error(span, "empty character constant"));
        }
        let int = self.types.int();
        if encoding != Encoding::Plain {
            let ty = self.character_type(encoding);
            return Ok(self.constant_of(u128::from(*units.last().unwrap_or(&0)), ty, span));
        }
        // One character has the value of a `char`; more are packed as gcc does it.
        let value = match units.as_slice() {
            [unit] => i128::from(*unit as u8 as i8) as u128,
            units => units.iter().fold(0u128, |sum, unit| (sum << 8) | u128::from(unit & 0xff)),
        };
        Ok(self.constant_of(value, int, span))
    }

    fn character_type(&mut self, encoding: Encoding) -> TypeId {
        let kind = match encoding {
            Encoding::Plain => IntKind::Char,
            Encoding::Wide if self.types.pointer_bits() == 32 => IntKind::Long,
            Encoding::Wide => IntKind::Int,
            Encoding::Char16 => IntKind::UShort,
            Encoding::Char32 => IntKind::UInt,
        };
        self.types.integer(kind)
    }

    /// The bytes of a string literal (adjacent ones are joined) with the terminating zero left out,
    /// and the type of its elements.
    pub(super) fn string_bytes(&mut self, parts: &[String]) -> (Vec<u8>, TypeId) {
        let split: Vec<_> = parts.iter().map(|part| split_literal(part, '"')).collect();
        let encoding = split
            .iter()
            .map(|(encoding, _)| *encoding)
            .find(|e| *e != Encoding::Plain)
            .unwrap_or(Encoding::Plain);
        let element = self.character_type(encoding);
        let size = self.types.size(element).unwrap_or(1) as usize;
        let mut bytes = Vec::new();
        for (_, body) in split {
            for unit in decode(body, encoding) {
                bytes.extend_from_slice(&unit.to_le_bytes()[..size]);
            }
        }
        (bytes, element)
    }
}

/// The type that gcc for x86 takes for `_FloatN` or `_FloatNx`.
pub(super) fn float_kind_of(ty: &TS18661FloatType) -> FloatKind {
    match (&ty.format, ty.width) {
        (TS18661FloatFormat::BinaryExtended, 32) => FloatKind::Double,
        (TS18661FloatFormat::BinaryExtended, 64) => FloatKind::LongDouble,
        (_, 16) => FloatKind::Half,
        (_, 32) => FloatKind::Float,
        (_, 64) => FloatKind::Double,
        _ => FloatKind::Quad,
    }
}

fn split_literal(text: &str, quote: char) -> (Encoding, &str) {
    let start = text.find(quote).unwrap_or(0);
    let encoding = match &text[..start] {
        "L" => Encoding::Wide,
        "u" => Encoding::Char16,
        "U" => Encoding::Char32,
        _ => Encoding::Plain,
    };
    let body = text.get(start + 1..).unwrap_or("");
    (encoding, body.strip_suffix(quote).unwrap_or(body))
}

/// The units of a literal with escapes resolved: bytes of the source for plain literals, characters
/// for wide ones.
fn decode(body: &str, encoding: Encoding) -> Vec<u32> {
    let mut units = Vec::new();
    let mut chars = body.chars().peekable();
    let push_char = |units: &mut Vec<u32>, c: char| match encoding {
        Encoding::Plain => units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from)),
        Encoding::Char16 => units.extend(c.encode_utf16(&mut [0; 2]).iter().map(|&unit| u32::from(unit))),
        Encoding::Wide | Encoding::Char32 => units.push(c as u32),
    };
    while let Some(c) = chars.next() {
        if c != '\\' {
            push_char(&mut units, c);
            continue;
        }
        let Some(escape) = chars.next() else { break };
        let mut number = |first: u32, radix: u32, limit: usize| {
            let mut value = first;
            for _ in 0..limit {
                let Some(digit) = chars.peek().and_then(|c| c.to_digit(radix)) else { break };
                value = value.wrapping_mul(radix).wrapping_add(digit);
                chars.next();
            }
            value
        };
        match escape {
            'a' => units.push(7),
            'b' => units.push(8),
            'f' => units.push(12),
            'n' => units.push(10),
            'r' => units.push(13),
            't' => units.push(9),
            'v' => units.push(11),
            'e' | 'E' => units.push(27),
            'x' => units.push(number(0, 16, usize::MAX)),
            '0'..='7' => {
                let first = escape.to_digit(8).unwrap_or(0);
                units.push(number(first, 8, 2));
            }
            'u' | 'U' => {
                let value = number(0, 16, if escape == 'u' { 4 } else { 8 });
                push_char(&mut units, char::from_u32(value).unwrap_or('\u{fffd}'));
            }
            other => push_char(&mut units, other),
        }
    }
    units
}
