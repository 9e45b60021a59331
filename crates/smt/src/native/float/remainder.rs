//! Remainders.
//!
//! Both operands are significands with a leading one, `p * 2^i` and `q * 2^j`. If the `distance` `i - j` is not negative, the
//! integer `p * 2^distance` is divided by `q`. Long division takes a step for each power of two, 2098 for double
//! precision and 32,878 for quadruple, but only its last digit is needed, whether the quotient is odd: all before is
//! `p * 2^(distance - 1)` modulo `q`, and powers of two modulo `q` come from few squares, or from a table if `q` is
//! known. Each time the smallest circuit is taken. About how many thousands of clauses if nothing is known, and if the divisor is known (a number
//! between 2 and 16; the second column and the last one are what is usually chosen):
//!
//! | | steps | squares | steps, known | squares, known | table, known |
//! |---|---|---|---|---|---|
//! | half | 17 | 18 | 5 | 8 | 5 |
//! | single | 216 | 123 | 62 | 61 | 27 |
//! | double | 3,553 | 790 | 1,048 | 418 | 117 |
//! | extended | - | 1,768 | - | 968 | 208 |
//! | quadruple | - | 4,988 | - | 2,795 | 562 |

use super::super::sat::{FALSE, Lit, TRUE, is_constant};
use super::super::words::{Circuits, Word, complement, constant_value, constant_word};
use super::parts::{extended, shifted_up, sign_extended};
use super::round::{Bounds, Special, Unrounded};
use aster_term::{BitVec, FloatFormat, FpOp, Rounding};

/// Which integer a quotient is rounded to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quotient {
    /// The nearest one, the even one of two.
    Nearest,
    /// The next one towards zero.
    TowardZero,
}

/// How `p * 2^distance` is divided by `q`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// Long division, one digit of the quotient a step.
    Steps,
    /// The leading bits of the distance give a power of two as it is; each of so many others squares it.
    Squares(u32),
    /// All powers of two whose exponents are multiples of two to the power of this, modulo a constant.
    Table(u32),
}

impl Method {
    /// The methods that can be used if the distance is at most `furthest`.
    pub(super) fn all(width: usize, furthest: u64, is_constant: bool) -> Vec<Self> {
        let last = furthest.saturating_sub(1);
        let squares = (0..u64::BITS).find(|&count| last >> count < width as u64).unwrap_or(0);
        let mut methods = vec![Method::Steps, Method::Squares(squares)];
        if is_constant {
            methods.extend((0..10).map(Method::Table));
        }
        methods
    }

    /// About how many clauses it takes.
    fn cost(self, width: usize, furthest: u64, is_constant: bool) -> u64 {
        let width = width as u64;
        let (add, choose) = (if is_constant { 7 } else { 20 }, 6);
        let step = width * (add + choose);
        let row = width * 23;
        match self {
            Method::Steps => furthest.saturating_mul(step + width * choose),
            Method::Squares(count) => u64::from(count) * width * (row / 2 + step) + width * (row + step),
            // Small parts of a table of constants occur in it many times.
            Method::Table(skipped) => {
                (furthest >> skipped).saturating_mul(width * choose / 8)
                    + width * row
                    + (width + (1 << skipped)) * step
            }
        }
    }

    /// The one that takes the fewest clauses.
    fn best(width: usize, furthest: u64, is_constant: bool) -> Self {
        Self::all(width, furthest, is_constant)
            .into_iter()
            .min_by_key(|method| method.cost(width, furthest, is_constant))
            .unwrap_or(Method::Steps)
    }
}

/// What a division of significands is about.
struct Division<'a> {
    dividend: &'a [Lit],
    divisor: &'a [Lit],
    /// Signed.
    distance: &'a [Lit],
    /// The largest distance.
    furthest: u64,
}

impl Circuits {
    /// The remainder.
    pub(super) fn float_remainder(
        &mut self,
        format: FloatFormat,
        quotient: Quotient,
        a: &[Lit],
        b: &[Lit],
    ) -> Word {
        self.float_remainder_by(format, quotient, a, b, Method::best)
    }

    /// The remainder by the method that is chosen from the width of significands, the largest distance, and whether the divisor is
    /// constant.
    pub(super) fn float_remainder_by(
        &mut self,
        format: FloatFormat,
        quotient: Quotient,
        a: &[Lit],
        b: &[Lit],
        method: impl Fn(usize, u64, bool) -> Method,
    ) -> Word {
        let (x, y) = (self.parts(format, a), self.parts(format, b));
        let (p, q) = (self.normalised(format, a), self.normalised(format, b));
        let division = Division {
            dividend: &p.significand,
            divisor: &q.significand,
            distance: &self.subtract(&p.exponent, &q.exponent),
            furthest: furthest(format, &x.exponent, &y.exponent),
        };
        let is_constant = q.significand.iter().all(|&bit| is_constant(bit));
        let (rest, odd) = match method(q.significand.len(), division.furthest, is_constant) {
            Method::Steps => self.divide_by_steps(&division),
            Method::Squares(count) => self.divide_by_squares(&division, count),
            Method::Table(skipped) => self.divide_by_table(&division, skipped),
        };
        let is_whole = self.is_at_least(division.distance, 0);
        let (rest, up, is_divided) = match quotient {
            Quotient::TowardZero => (rest, FALSE, is_whole),
            Quotient::Nearest => {
                let is_half = self.is_at_least(division.distance, -1);
                let (rest, up) = self.nearest(&division, is_whole, &rest, odd);
                (rest, up, is_half)
            }
        };

        let nothing_left = self.is_zero(&rest);
        let (significand, zeros) = self.shift_out_zeros(&rest);
        let bits = format.exponent as usize + 3;
        let exponent = self.subtract(&sign_extended(&q.exponent, bits), &extended(&zeros, bits, FALSE));
        let flipped = self.gates.xor(x.sign, up);
        let sign = self.gates.ite(nothing_left, x.sign, flipped);
        let number = Unrounded { sign, exponent, significand, sticky: FALSE };
        let exact = Rounding::TowardZero;
        let rounded = self.round(format, exact, &number, Bounds { underflow: true, overflow: false });
        let nan = self.gates.or_all(&[x.is_nan, y.is_nan, x.is_infinite, y.is_zero]);
        let special = Special { nan, infinite: FALSE, zero: nothing_left };
        let result = self.assemble(format, exact, &rounded, &special);
        // A dividend that is small enough stays, as does a zero.
        let stays = self.gates.or_all(&[-is_divided, x.is_zero, y.is_infinite]);
        let stays = self.gates.and(stays, -nan);
        let result = self.choose(stays, a, &result);
        self.state_bounds(format, quotient, nan, [a, b, &result]);
        result
    }

    /// States what is true of every remainder, because to derive it takes a look at the whole division: it is at most as large as the
    /// dividend, smaller than the divisor, and at most half of it if the quotient is the nearest one.
    fn state_bounds(&mut self, format: FloatFormat, quotient: Quotient, nan: Lit, words: [&[Lit]; 3]) {
        let [a, b, result] = words.map(|word| &word[..word.len() - 1]);
        let grows = self.less_unsigned(a, result);
        self.gates.sat.clause(&[nan, -grows]);
        let is_smaller = self.less_unsigned(result, b);
        self.gates.sat.clause(&[nan, is_smaller]);
        let divisor = constant_value(b).filter(|_| quotient == Quotient::Nearest);
        if let Some(half) = divisor.and_then(|divisor| half(format, divisor)) {
            let is_more = self.less_unsigned(&constant_word(b.len() as u32, half), result);
            self.gates.sat.clause(&[nan, -is_more]);
        }
    }

    /// What is left of a division to nearest, in halves of a unit, so that a dividend of half the size fits in, too; and whether the
    /// quotient is rounded up.
    fn nearest(&mut self, division: &Division, is_whole: Lit, rest: &[Lit], odd: Lit) -> (Word, Lit) {
        let width = rest.len() + 1;
        // Below twice the divisor.
        let rest = self.choose(is_whole, &shifted_up(rest, 1), &extended(division.dividend, width, FALSE));
        let divisor = extended(division.divisor, width, FALSE);
        let more = self.less_unsigned(&divisor, &rest);
        let tie = self.equal(&divisor, &rest);
        let tie_up = self.gates.and_all(&[tie, odd, is_whole]);
        let up = self.gates.or(more, tie_up);
        let complementary = self.subtract(&shifted_up(division.divisor, 1), &rest);
        (self.choose(up, &complementary, &rest), up)
    }

    fn is_at_least(&mut self, distance: &[Lit], limit: i128) -> Lit {
        -self.less_signed(distance, &constant_word(distance.len() as u32, limit as u128))
    }

    /// The remainder, and whether the quotient is odd; mean nothing if the distance is negative.
    fn divide_by_steps(&mut self, division: &Division) -> (Word, Lit) {
        let &Division { dividend, divisor, distance, furthest } = division;
        let width = divisor.len();
        let mut rest = extended(dividend, width + 1, FALSE);
        for step in (1..=furthest).rev() {
            // Steps before the first one leave everything as it is.
            let active = self.is_at_least(distance, i128::from(step));
            let (difference, fits) = self.subtract_if_less(&rest, divisor);
            let fits = self.gates.and(fits, active);
            let reduced = self.choose(fits, &difference, &rest[..width]);
            rest = self.choose(active, &shifted_up(&reduced, 1), &extended(&reduced, width + 1, FALSE));
        }
        self.last_digit(&rest, divisor)
    }

    /// `2^(distance - 1)` modulo the divisor is made from the bits of the exponent, highest first.
    fn divide_by_squares(&mut self, division: &Division, count: u32) -> (Word, Lit) {
        let &Division { dividend, divisor, distance, furthest } = division;
        let width = divisor.len();
        let exponent = self.exponent(distance, furthest);
        let (low, high) = exponent.split_at((count as usize).min(exponent.len()));
        // Enough bits to tell all positions in the word apart.
        let position = extended(high, high.len().max(u8::BITS as usize), FALSE);
        let mut power: Word = (0..width as u128)
            .map(|bit| self.equal(&position, &constant_word(position.len() as u32, bit)))
            .collect();
        for &bit in low.iter().rev() {
            let square = self.square(&power);
            let doubled = self.choose(bit, &shifted_up(&square, 1), &extended(&square, 2 * width + 1, FALSE));
            power = self.modulo(&doubled, divisor);
        }
        let product =
            self.multiply(&extended(dividend, 2 * width, FALSE), &extended(&power, 2 * width, FALSE));
        self.last_step(division, &product)
    }

    /// `2^(distance - 1)` modulo the divisor is looked up, but for the lowest bits of the exponent.
    fn divide_by_table(&mut self, division: &Division, skipped: u32) -> (Word, Lit) {
        let &Division { dividend, divisor, distance, furthest } = division;
        let width = divisor.len();
        let modulus = constant_value(divisor).unwrap_or(1);
        let exponent = self.exponent(distance, furthest);
        let (low, high) = exponent.split_at((skipped as usize).min(exponent.len()));
        let mut level: Vec<Word> = powers_of_two(modulus, 1 << skipped)
            .take((furthest.saturating_sub(1) >> skipped) as usize + 1)
            .map(|power| constant_word(width as u32, power))
            .collect();
        for &bit in high {
            level = level
                .chunks(2)
                .map(|pair| match pair {
                    [zero, one] => self.choose(bit, one, zero),
                    // There is no such exponent.
                    _ => pair[0].clone(),
                })
                .collect();
        }
        let power = level.swap_remove(0);
        let mut product =
            self.multiply(&extended(dividend, 2 * width, FALSE), &extended(&power, 2 * width, FALSE));
        for (stage, &bit) in low.iter().enumerate() {
            let shifted = shifted_up(&product, 1 << stage);
            product = self.choose(bit, &shifted, &extended(&product, shifted.len(), FALSE));
        }
        self.last_step(division, &product)
    }

    /// The bits of `distance - 1` up to `furthest - 1`.
    fn exponent(&mut self, distance: &[Lit], furthest: u64) -> Word {
        let mut exponent = self.add(distance, &vec![TRUE; distance.len()]);
        let largest = furthest.saturating_sub(1);
        exponent.truncate((u64::BITS - largest.leading_zeros()) as usize);
        exponent
    }

    /// The last step of a division, from a product that is `dividend * 2^(distance - 1)` modulo the divisor.
    fn last_step(&mut self, division: &Division, product: &[Lit]) -> (Word, Lit) {
        let rest = self.modulo(product, division.divisor);
        let is_far = self.is_at_least(division.distance, 1);
        let rest = self.choose(
            is_far,
            &shifted_up(&rest, 1),
            &extended(division.dividend, division.divisor.len() + 1, FALSE),
        );
        self.last_digit(&rest, division.divisor)
    }

    /// What is left after the last digit of the quotient, and that digit.
    fn last_digit(&mut self, rest: &[Lit], divisor: &[Lit]) -> (Word, Lit) {
        let (difference, fits) = self.subtract_if_less(rest, divisor);
        let rest = self.choose(fits, &difference, &rest[..divisor.len()]);
        // True of every division; to be derived, it takes a look at all digits.
        let is_reduced = self.less_unsigned(&rest, divisor);
        self.gates.sat.clause(&[is_reduced]);
        (rest, fits)
    }

    /// `rest - divisor` of a rest that is below twice the divisor and has a bit more, and whether that is not negative.
    fn subtract_if_less(&mut self, rest: &[Lit], divisor: &[Lit]) -> (Word, Lit) {
        let (low, top) = rest.split_at(divisor.len());
        let (difference, carry) = self.add_with_carry(low, &complement(divisor), TRUE);
        (difference, self.gates.or(carry, top[0]))
    }

    /// The remainder of a division by a word with a leading one.
    fn modulo(&mut self, dividend: &[Lit], divisor: &[Lit]) -> Word {
        let width = divisor.len();
        // Below the divisor, because a digit shorter.
        let (low, high) = dividend.split_at(dividend.len() + 1 - width);
        let mut rest = extended(high, width, FALSE);
        for &bit in low.iter().rev() {
            let mut longer = vec![bit];
            longer.extend(rest);
            let (difference, fits) = self.subtract_if_less(&longer, divisor);
            rest = self.choose(fits, &difference, &longer[..width]);
        }
        rest
    }

    /// `a * a`: two different bits meet twice, so half of the additions of a product are enough.
    fn square(&mut self, a: &[Lit]) -> Word {
        let width = 2 * a.len();
        let mut result = vec![FALSE; width];
        for (i, &bit) in a.iter().enumerate() {
            let mut row = vec![bit, FALSE];
            row.extend(a[i + 1..].iter().map(|&other| self.gates.and(bit, other)));
            let upper = self.add(&result[2 * i..], &extended(&row, width - 2 * i, FALSE));
            result.splice(2 * i.., upper);
        }
        result
    }
}

/// Half of a number without its sign, rounded up.
fn half(format: FloatFormat, number: u128) -> Option<u128> {
    let half = u128::from(format.bias() - 1) << format.fraction();
    let args = [number, half].map(|bits| BitVec::new(format.width(), bits));
    FpOp::Mul(format, Rounding::TowardPositive).apply(&args).map(BitVec::unsigned)
}

/// The largest distance between the exponents of finite numbers, as far as constant bits tell.
fn furthest(format: FloatFormat, dividend: &[Lit], divisor: &[Lit]) -> u64 {
    let value = |word: &[Lit], is_set: &dyn Fn(Lit) -> bool| {
        word.iter().enumerate().fold(0i64, |value, (i, &bit)| value | (i64::from(is_set(bit)) << i))
    };
    let lowest = match value(divisor, &|bit| bit == TRUE) {
        0 => 1 - i64::from(format.fraction()),
        stored => stored,
    };
    let highest = value(dividend, &|bit| bit != FALSE).min((1 << format.exponent) - 2).max(1);
    u64::try_from(highest - lowest).unwrap_or(0)
}

/// Two to the powers of 0, `stride`, twice that and so on, modulo a number.
fn powers_of_two(modulus: u128, stride: usize) -> impl Iterator<Item = u128> {
    let double = move |power: u128| {
        let doubled = power << 1;
        if doubled >= modulus { doubled - modulus } else { doubled }
    };
    let times = move |power: &u128| Some((0..stride).fold(*power, |power, _| double(power)));
    std::iter::successors(Some(1 % modulus), times)
}
