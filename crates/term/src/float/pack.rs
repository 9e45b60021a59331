//! Float operators in 32 bits, as the pool stores them.

use super::{FloatFormat, FpOp, Rounding};

/// From the lowest bit: five for the kind, three for the rounding mode, eight for each of two numbers.
struct Packed {
    kind: u32,
    rounding: Rounding,
    numbers: [u32; 2],
}

/// The place in the table of formats. Only formats in it pass the check of sorts.
fn number(format: FloatFormat) -> u32 {
    FloatFormat::ALL.iter().position(|&known| known == format).unwrap_or_default() as u32
}

fn format(number: u32) -> FloatFormat {
    FloatFormat::ALL[number as usize]
}

impl FpOp {
    /// The operator as a number.
    pub(crate) fn pack(self) -> u32 {
        let unrounded = Rounding::NearestEven;
        let (kind, rounding, numbers) = match self {
            FpOp::Add(f, rounding) => (0, rounding, [number(f), 0]),
            FpOp::Sub(f, rounding) => (1, rounding, [number(f), 0]),
            FpOp::Mul(f, rounding) => (2, rounding, [number(f), 0]),
            FpOp::Div(f, rounding) => (3, rounding, [number(f), 0]),
            FpOp::Fma(f, rounding) => (4, rounding, [number(f), 0]),
            FpOp::Sqrt(f, rounding) => (5, rounding, [number(f), 0]),
            FpOp::RoundToIntegral(f, rounding) => (6, rounding, [number(f), 0]),
            FpOp::Rem(f) => (7, unrounded, [number(f), 0]),
            FpOp::Min(f) => (8, unrounded, [number(f), 0]),
            FpOp::Max(f) => (9, unrounded, [number(f), 0]),
            FpOp::Eq(f) => (10, unrounded, [number(f), 0]),
            FpOp::Lt(f) => (11, unrounded, [number(f), 0]),
            FpOp::Le(f) => (12, unrounded, [number(f), 0]),
            FpOp::Convert { from, to, rounding } => (13, rounding, [number(from), number(to)]),
            FpOp::FromSigned { to, rounding } => (14, rounding, [number(to), 0]),
            FpOp::FromUnsigned { to, rounding } => (15, rounding, [number(to), 0]),
            FpOp::ToSigned { from, width, rounding } => (16, rounding, [number(from), width]),
            FpOp::ToUnsigned { from, width, rounding } => (17, rounding, [number(from), width]),
            FpOp::Mod(f) => (18, unrounded, [number(f), 0]),
        };
        Packed { kind, rounding, numbers }.bits()
    }

    /// The operator of a number that [`FpOp::pack`] made.
    pub(crate) fn unpack(bits: u32) -> Self {
        let Packed { kind, rounding, numbers: [first, second] } = Packed::of(bits);
        let f = format(first);
        match kind {
            0 => FpOp::Add(f, rounding),
            1 => FpOp::Sub(f, rounding),
            2 => FpOp::Mul(f, rounding),
            3 => FpOp::Div(f, rounding),
            4 => FpOp::Fma(f, rounding),
            5 => FpOp::Sqrt(f, rounding),
            6 => FpOp::RoundToIntegral(f, rounding),
            7 => FpOp::Rem(f),
            8 => FpOp::Min(f),
            9 => FpOp::Max(f),
            10 => FpOp::Eq(f),
            11 => FpOp::Lt(f),
            12 => FpOp::Le(f),
            13 => FpOp::Convert { from: f, to: format(second), rounding },
            14 => FpOp::FromSigned { to: f, rounding },
            15 => FpOp::FromUnsigned { to: f, rounding },
            16 => FpOp::ToSigned { from: f, width: second, rounding },
            17 => FpOp::ToUnsigned { from: f, width: second, rounding },
            _ => FpOp::Mod(f),
        }
    }
}

impl Packed {
    fn bits(self) -> u32 {
        let rounding =
            Rounding::ALL.iter().position(|&mode| mode == self.rounding).unwrap_or_default() as u32;
        self.kind | (rounding << 5) | (self.numbers[0] << 8) | (self.numbers[1] << 16)
    }

    fn of(bits: u32) -> Self {
        Packed {
            kind: bits & 31,
            rounding: Rounding::ALL[((bits >> 5) & 7) as usize],
            numbers: [(bits >> 8) & 255, (bits >> 16) & 255],
        }
    }
}
