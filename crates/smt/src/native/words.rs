//! Circuits for bit-vector operators. A word is a slice of literals, least significant bit first.
//!
//! Every circuit exploits constant bits through the gates below it; the cases that are singled out
//! here are those where a constant operand calls for another circuit.

use super::float::Normalised;
use super::gates::Gates;
use super::sat::{FALSE, Lit, TRUE, constant, is_constant};
use aster_term::FloatFormat;
use rustc_hash::FxHashMap;

/// The widest dividend that is divided by a constant by way of multiplication. Measured against the
/// school method, sums of decimal digits and `x / 10 * 10 + x % 10 = x` are decided 20 to 100 times faster,
/// but propagation from the dividend to the quotient is lost: from known dividends of 128 bits it takes
/// 30 times longer.
const MAX_MULTIPLIED: usize = 64;

/// The bits of a word.
pub(super) type Word = Vec<Lit>;

/// The two results of a division.
#[derive(Clone)]
struct Division {
    quotient: Word,
    remainder: Word,
    /// The literal under which these are what they should be, unless they are anyway.
    guard: Option<Lit>,
}

/// Which way a shift goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shift {
    /// Towards the most significant bit, filling with zeros.
    Left,
    /// Towards the least significant bit, filling with zeros.
    LogicalRight,
    /// Towards the least significant bit, filling with the sign.
    ArithmeticRight,
}

/// Builds word-level circuits; remembers divisions so that quotient and remainder share one divider.
pub(super) struct Circuits {
    pub(super) gates: Gates,
    divisions: FxHashMap<(Word, Word), Division>,
    /// The guards of circuits that were asked for since this was emptied: queries about them assume these.
    pub(super) guards: Vec<Lit>,
    /// Floats with a leading one, by their bits.
    pub(super) normalised: FxHashMap<(Word, FloatFormat), Normalised>,
}

/// Whether a bit is set; floats make words of more bits than there are in a number.
fn has_bit(number: u128, position: usize) -> bool {
    position < 128 && (number >> position) & 1 == 1
}

/// The word of a constant.
pub(super) fn constant_word(width: u32, bits: u128) -> Word {
    (0..width as usize).map(|i| constant(has_bit(bits, i))).collect()
}

/// The value of a word of constants, if that fits.
pub(super) fn constant_value(word: &[Lit]) -> Option<u128> {
    let mut value = 0;
    for (i, &bit) in word.iter().enumerate() {
        match bit {
            TRUE if i < 128 => value |= 1 << i,
            FALSE => {}
            _ => return None,
        }
    }
    Some(value)
}

/// The complement of every bit.
pub(super) fn complement(word: &[Lit]) -> Word {
    word.iter().map(|&bit| -bit).collect()
}

impl Circuits {
    pub(super) fn new(gates: Gates) -> Self {
        Circuits {
            gates,
            divisions: FxHashMap::default(),
            guards: Vec::new(),
            normalised: FxHashMap::default(),
        }
    }

    /// A word of new variables.
    pub(super) fn fresh(&mut self, width: u32) -> Word {
        (0..width).map(|_| self.gates.sat.fresh()).collect()
    }

    /// Applies a gate to each pair of bits.
    pub(super) fn bitwise(
        &mut self,
        a: &[Lit],
        b: &[Lit],
        gate: impl Fn(&mut Gates, Lit, Lit) -> Lit,
    ) -> Word {
        a.iter().zip(b).map(|(&x, &y)| gate(&mut self.gates, x, y)).collect()
    }

    /// `condition ? a : b`.
    pub(super) fn choose(&mut self, condition: Lit, a: &[Lit], b: &[Lit]) -> Word {
        self.bitwise(a, b, |gates, x, y| gates.ite(condition, x, y))
    }

    /// Equality of two words.
    pub(super) fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        // Decided by constants before any gate is made.
        if a.iter().zip(b).any(|(&x, &y)| x == -y) {
            return FALSE;
        }
        let bits = self.bitwise(a, b, Gates::iff);
        self.gates.and_all(&bits)
    }

    /// `a + b + carry`, and the carry out.
    pub(super) fn add_with_carry(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Word, Lit) {
        let mut sum = Vec::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            let (s, c) = self.gates.full_adder(x, y, carry);
            sum.push(s);
            carry = c;
        }
        (sum, carry)
    }

    /// `a + b`.
    pub(super) fn add(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.add_with_carry(a, b, FALSE).0
    }

    /// `a - b`.
    pub(super) fn subtract(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.add_with_carry(a, &complement(b), TRUE).0
    }

    /// `-a`.
    pub(super) fn negate(&mut self, a: &[Lit]) -> Word {
        self.subtract(&vec![FALSE; a.len()], a)
    }

    /// `condition ? -a : a`.
    pub(super) fn negate_if(&mut self, condition: Lit, a: &[Lit]) -> Word {
        let flipped: Word = a.iter().map(|&bit| self.gates.xor(bit, condition)).collect();
        self.add_with_carry(&flipped, &vec![FALSE; a.len()], condition).0
    }

    /// `a < b`, unsigned: the borrow of `a - b`, so that it shares gates with that subtraction.
    pub(super) fn less_unsigned(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut borrow = FALSE;
        for (&x, &y) in a.iter().zip(b) {
            borrow = self.gates.majority(-x, y, borrow);
        }
        borrow
    }

    /// `a < b`, signed: unsigned with both signs flipped.
    pub(super) fn less_signed(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let flip_sign = |word: &[Lit]| {
            let mut word = word.to_vec();
            if let Some(sign) = word.last_mut() {
                *sign = -*sign;
            }
            word
        };
        self.less_unsigned(&flip_sign(a), &flip_sign(b))
    }

    /// `a * b`.
    pub(super) fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        if let Some(factor) = constant_value(b) {
            return self.multiply_constant(a, factor);
        }
        if let Some(factor) = constant_value(a) {
            return self.multiply_constant(b, factor);
        }
        // Rows are added for the factor with more constant bits: a row for a zero bit costs nothing.
        let constants = |word: &[Lit]| word.iter().filter(|&&bit| is_constant(bit)).count();
        let (a, b) = if constants(a) > constants(b) { (b, a) } else { (a, b) };
        let width = a.len();
        let mut result: Word = a.iter().map(|&bit| self.gates.and(bit, b[0])).collect();
        for i in 1..width {
            if b[i] == FALSE {
                continue;
            }
            let row: Word = a[..width - i].iter().map(|&bit| self.gates.and(bit, b[i])).collect();
            let upper = self.add(&result[i..], &row);
            result.splice(i.., upper);
        }
        result
    }

    /// `a * factor`, by additions and subtractions of shifted words.
    fn multiply_constant(&mut self, a: &[Lit], factor: u128) -> Word {
        let width = a.len();
        let mut digits = signed_digits(width, factor);
        if digits.iter().filter(|&&d| d != 0).count() >= factor.count_ones() as usize {
            // The recoding saves nothing.
            digits = (0..width).map(|i| i8::from(has_bit(factor, i))).collect();
        }
        let mut result: Option<Word> = None;
        // Additions first, so that the first summand needs no gates if there is any.
        for sign in [1, -1] {
            for (i, _) in digits.iter().enumerate().filter(|&(_, &digit)| digit == sign) {
                let mut shifted = vec![FALSE; i];
                shifted.extend_from_slice(&a[..width - i]);
                result = Some(match (result, sign) {
                    (None, 1) => shifted,
                    (None, _) => self.negate(&shifted),
                    (Some(sum), 1) => self.add(&sum, &shifted),
                    (Some(sum), _) => self.subtract(&sum, &shifted),
                });
            }
        }
        result.unwrap_or_else(|| vec![FALSE; width])
    }

    /// Shift by a word, through one stage of multiplexers for each bit of the amount that matters.
    pub(super) fn shift(&mut self, a: &[Lit], amount: &[Lit], kind: Shift) -> Word {
        let width = a.len();
        let fill = match kind {
            Shift::ArithmeticRight => a[width - 1],
            Shift::Left | Shift::LogicalRight => FALSE,
        };
        let stages = width.next_power_of_two().trailing_zeros() as usize;
        let mut word = a.to_vec();
        for (stage, &bit) in amount.iter().enumerate().take(stages) {
            if bit == FALSE {
                continue;
            }
            let distance = 1usize << stage;
            let shifted: Word = (0..width)
                .map(|i| match kind {
                    Shift::Left => i.checked_sub(distance),
                    _ => Some(i + distance),
                })
                .map(|source| source.and_then(|i| word.get(i)).copied().unwrap_or(fill))
                .collect();
            word = self.choose(bit, &shifted, &word);
        }
        let too_far = self.gates.or_all(&amount[stages.min(width)..]);
        self.choose(too_far, &vec![fill; width], &word)
    }

    /// Unsigned quotient, with SMT-LIB's meaning for a zero divisor.
    pub(super) fn quotient(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.divide(a, b).quotient
    }

    /// Unsigned remainder, with SMT-LIB's meaning for a zero divisor.
    pub(super) fn remainder(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.divide(a, b).remainder
    }

    /// Signed quotient. By zero: the unsigned quotient of the magnitude is -1, which the sign of the
    /// dividend turns into 1 for negative ones, as SMT-LIB wants it.
    pub(super) fn signed_quotient(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
        let (a, b) = (self.negate_if(sign_a, a), self.negate_if(sign_b, b));
        let quotient = self.quotient(&a, &b);
        let sign = self.gates.xor(sign_a, sign_b);
        self.negate_if(sign, &quotient)
    }

    /// Signed remainder with the sign of the dividend.
    pub(super) fn signed_remainder(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
        let (a, b) = (self.negate_if(sign_a, a), self.negate_if(sign_b, b));
        let remainder = self.remainder(&a, &b);
        self.negate_if(sign_a, &remainder)
    }

    fn divide(&mut self, a: &[Lit], b: &[Lit]) -> Division {
        let key = (a.to_vec(), b.to_vec());
        if let Some(known) = self.divisions.get(&key) {
            self.guards.extend(known.guard);
            return known.clone();
        }
        let division = match constant_value(b) {
            Some(divisor) if divisor.is_power_of_two() => divide_by_power(a, divisor.trailing_zeros()),
            Some(divisor) if divisor > 0 && a.len() <= MAX_MULTIPLIED && constant_value(a).is_none() => {
                self.divide_by_constant(a, divisor)
            }
            _ => self.divide_restoring(a, b),
        };
        self.guards.extend(division.guard);
        self.divisions.insert(key, division.clone());
        division
    }

    /// The school method, one bit of the quotient at a time. For a zero divisor every step "fits" and
    /// subtracts nothing: the quotient is all ones and the remainder the dividend, as SMT-LIB wants.
    fn divide_restoring(&mut self, a: &[Lit], b: &[Lit]) -> Division {
        let width = a.len();
        let mut quotient = vec![FALSE; width];
        // One bit more than the operands: the shifted remainder is below twice the divisor.
        let mut divisor = b.to_vec();
        divisor.push(FALSE);
        let mut remainder = vec![FALSE; width];
        for i in (0..width).rev() {
            let mut shifted = vec![a[i]];
            shifted.extend_from_slice(&remainder);
            let (difference, fits) = self.add_with_carry(&shifted, &complement(&divisor), TRUE);
            quotient[i] = fits;
            remainder = self.choose(fits, &difference[..width], &shifted[..width]);
        }
        Division { quotient, remainder, guard: None }
    }

    /// `a = quotient * divisor + remainder` without overflow and with a remainder below the divisor
    /// has exactly one solution for every `a`, so stating it about new variables defines them.
    ///
    /// Unlike gates, whose outputs follow from their inputs, this has to be solved for. So it is stated under a guard: a
    /// query that has nothing to do with the division does not have to find its quotient.
    fn divide_by_constant(&mut self, a: &[Lit], divisor: u128) -> Division {
        let width = a.len();
        let largest = constant_value(&vec![TRUE; width]).unwrap_or(u128::MAX) / divisor;
        let bits_of = |value: u128| (u128::BITS - value.leading_zeros()) as usize;
        let padded = |circuits: &mut Self, bits: usize| {
            let mut word = circuits.fresh(bits.min(width) as u32);
            word.resize(width, FALSE);
            word
        };
        let quotient = padded(self, bits_of(largest));
        let remainder = padded(self, bits_of(divisor - 1));
        let product = self.multiply_constant(&quotient, divisor);
        let (sum, carry) = self.add_with_carry(&product, &remainder, FALSE);
        let width = width as u32;
        let too_large = self.less_unsigned(&constant_word(width, largest), &quotient);
        let small = self.less_unsigned(&remainder, &constant_word(width, divisor));
        let guard = self.gates.sat.guard();
        self.gates.sat.clause(&[-guard, -carry]);
        self.gates.sat.clause(&[-guard, -too_large]);
        self.gates.sat.clause(&[-guard, small]);
        for (&x, &y) in sum.iter().zip(a) {
            self.gates.sat.clause(&[-guard, -x, y]);
            self.gates.sat.clause(&[-guard, x, -y]);
        }
        Division { quotient, remainder, guard: Some(guard) }
    }
}

fn divide_by_power(a: &[Lit], power: u32) -> Division {
    let (low, high) = a.split_at(power as usize);
    let mut quotient = high.to_vec();
    let mut remainder = low.to_vec();
    quotient.resize(a.len(), FALSE);
    remainder.resize(a.len(), FALSE);
    Division { quotient, remainder, guard: None }
}

/// The non-adjacent form of `factor` modulo two to the power of `width`: digits -1, 0 and 1 of which no
/// two neighbours are both nonzero.
fn signed_digits(width: usize, factor: u128) -> Vec<i8> {
    let bit = |i: usize| i < width && has_bit(factor, i);
    let mut carry = false;
    (0..width)
        .map(|i| {
            let odd = bit(i) != carry;
            let digit = match (odd, bit(i + 1)) {
                (false, _) => 0,
                (true, false) => 1,
                (true, true) => -1,
            };
            carry = (bit(i) && carry) || digit == -1;
            digit
        })
        .collect()
}
