//! Exact rational numbers that are fast while they are small.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A rational number of any size.
///
/// Invariant: a fraction is reduced and has a positive denominator, and it is held in machine words exactly if both of
/// its parts are larger than the smallest `i64` and fit. So equality of the representation is equality of the number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small { numerator: i64, denominator: i64 },
    Big(Box<BigRational>),
}

use Repr::{Big, Small};

/// The part as a machine word whose negation is one too.
fn word(part: i128) -> Option<i64> {
    i64::try_from(part).ok().filter(|&word| word != i64::MIN)
}

/// The greatest common divisor of the magnitudes; zero for two zeros.
fn common_divisor(a: u128, b: u128) -> u128 {
    match (u64::try_from(a), u64::try_from(b)) {
        (Ok(a), Ok(b)) => u128::from(a.gcd(&b)),
        _ => a.gcd(&b),
    }
}

impl Rational {
    /// Zero.
    pub const ZERO: Rational = Rational(Small { numerator: 0, denominator: 1 });

    /// One.
    pub const ONE: Rational = Rational(Small { numerator: 1, denominator: 1 });

    /// The quotient of two numbers that need not be reduced; the second one is positive.
    fn reduced(numerator: i128, denominator: i128) -> Self {
        if denominator == 1
            && let Some(numerator) = word(numerator)
        {
            return Rational(Small { numerator, denominator: 1 });
        }
        let divisor = common_divisor(numerator.unsigned_abs(), denominator.unsigned_abs()) as i128;
        // The denominator is positive, so the divisor is; the smallest i128 cannot arise from products of words.
        let (numerator, denominator) = (numerator / divisor, denominator / divisor);
        match (word(numerator), word(denominator)) {
            (Some(numerator), Some(denominator)) => Rational(Small { numerator, denominator }),
            _ => Rational(Big(Box::new(BigRational::new_raw(numerator.into(), denominator.into())))),
        }
    }

    /// The number as [`BigRational`] has it.
    pub fn to_big(&self) -> BigRational {
        match &self.0 {
            Small { numerator, denominator } => {
                BigRational::new_raw((*numerator).into(), (*denominator).into())
            }
            Big(big) => (**big).clone(),
        }
    }

    /// True for integers.
    #[inline]
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Small { denominator, .. } => *denominator == 1,
            Big(big) => big.is_integer(),
        }
    }

    /// True for zero.
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small { numerator: 0, .. })
    }

    /// True for one.
    #[inline]
    pub fn is_one(&self) -> bool {
        *self == Rational::ONE
    }

    /// True for numbers above zero.
    #[inline]
    pub fn is_positive(&self) -> bool {
        match &self.0 {
            Small { numerator, .. } => *numerator > 0,
            Big(big) => big.is_positive(),
        }
    }

    /// True for numbers below zero.
    #[inline]
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Small { numerator, .. } => *numerator < 0,
            Big(big) => big.is_negative(),
        }
    }

    /// The magnitude.
    pub fn abs(&self) -> Self {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// The largest integer that is not above the number.
    pub fn floor(&self) -> Self {
        match &self.0 {
            Small { denominator: 1, .. } => self.clone(),
            Small { numerator, denominator } => numerator.div_euclid(*denominator).into(),
            Big(big) => big.floor().into(),
        }
    }

    /// The smallest integer that is not below the number.
    pub fn ceil(&self) -> Self {
        -(-self).floor()
    }

    /// The multiplicative inverse. Panics for zero.
    pub fn recip(&self) -> Self {
        match self.0 {
            Small { numerator, denominator } => {
                assert!(numerator != 0, "zero has no inverse");
                let sign = numerator.signum();
                Rational(Small { numerator: sign * denominator, denominator: numerator.abs() })
            }
            Big(ref big) => big.recip().into(),
        }
    }

    /// The numerator of the reduced fraction.
    pub fn numerator(&self) -> Self {
        match &self.0 {
            Small { numerator, .. } => (*numerator).into(),
            Big(big) => big.numer().clone().into(),
        }
    }

    /// The denominator of the reduced fraction, which is positive.
    pub fn denominator(&self) -> Self {
        match &self.0 {
            Small { denominator, .. } => (*denominator).into(),
            Big(big) => big.denom().clone().into(),
        }
    }

    /// The number, if it is an integer.
    pub fn to_integer(&self) -> Option<BigInt> {
        match &self.0 {
            Small { numerator, denominator: 1 } => Some((*numerator).into()),
            Small { .. } => None,
            Big(big) => big.is_integer().then(|| big.numer().clone()),
        }
    }

    /// The number, if it is an integer of this range.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Small { numerator, denominator: 1 } => Some(*numerator),
            Small { .. } => None,
            Big(big) if big.is_integer() => big.numer().to_i64(),
            Big(_) => None,
        }
    }

    /// The greatest common divisor of two integers, not negative; zero for two zeros.
    pub fn gcd(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (Small { numerator: a, denominator: 1 }, Small { numerator: b, denominator: 1 }) => {
                (a.unsigned_abs().gcd(&b.unsigned_abs()) as i64).into()
            }
            _ => self.to_big().numer().gcd(other.to_big().numer()).into(),
        }
    }

    /// The least common multiple of two integers other than zero, positive.
    pub fn lcm(&self, other: &Self) -> Self {
        (&(self / &self.gcd(other)) * other).abs()
    }

    /// SMT-LIB's quotient and remainder of two integers: the remainder is between zero and the magnitude of the divisor.
    /// `None` for the divisor zero.
    pub fn div_rem_euclid(&self, divisor: &Self) -> Option<(Self, Self)> {
        if divisor.is_zero() {
            return None;
        }
        let quotient = self / divisor;
        let quotient = if divisor.is_negative() { quotient.ceil() } else { quotient.floor() };
        let remainder = self - &(&quotient * divisor);
        Some((quotient, remainder))
    }
}

impl From<i64> for Rational {
    #[inline]
    fn from(number: i64) -> Self {
        i128::from(number).into()
    }
}

impl From<i32> for Rational {
    #[inline]
    fn from(number: i32) -> Self {
        Rational(Small { numerator: number.into(), denominator: 1 })
    }
}

impl From<i128> for Rational {
    #[inline]
    fn from(number: i128) -> Self {
        match word(number) {
            Some(numerator) => Rational(Small { numerator, denominator: 1 }),
            None => Rational(Big(Box::new(BigRational::from_integer(number.into())))),
        }
    }
}

impl From<BigInt> for Rational {
    fn from(number: BigInt) -> Self {
        BigRational::from_integer(number).into()
    }
}

/// The fraction must be reduced, as `BigRational` keeps it unless told otherwise.
impl From<BigRational> for Rational {
    fn from(number: BigRational) -> Self {
        let small = |part: &BigInt| part.to_i64().filter(|&word| word != i64::MIN);
        match (small(number.numer()), small(number.denom())) {
            (Some(numerator), Some(denominator)) => Rational(Small { numerator, denominator }),
            _ => Rational(Big(Box::new(number))),
        }
    }
}

impl Add for &Rational {
    type Output = Rational;

    #[inline]
    fn add(self, other: Self) -> Rational {
        match (&self.0, &other.0) {
            (Small { numerator: a, denominator: b }, Small { numerator: c, denominator: d }) => {
                let [a, b, c, d] = [*a, *b, *c, *d].map(i128::from);
                if b == d { Rational::reduced(a + c, b) } else { Rational::reduced(a * d + c * b, b * d) }
            }
            _ => (self.to_big() + other.to_big()).into(),
        }
    }
}

impl Sub for &Rational {
    type Output = Rational;

    #[inline]
    fn sub(self, other: Self) -> Rational {
        self + &-other
    }
}

impl Mul for &Rational {
    type Output = Rational;

    #[inline]
    fn mul(self, other: Self) -> Rational {
        match (&self.0, &other.0) {
            (Small { numerator: a, denominator: b }, Small { numerator: c, denominator: d }) => {
                let [a, b, c, d] = [*a, *b, *c, *d].map(i128::from);
                Rational::reduced(a * c, b * d)
            }
            _ => (self.to_big() * other.to_big()).into(),
        }
    }
}

/// Panics for the divisor zero.
impl Div for &Rational {
    type Output = Rational;

    // Division is multiplication by the inverse.
    #[allow(clippy::suspicious_arithmetic_impl)]
    fn div(self, other: Self) -> Rational {
        self * &other.recip()
    }
}

impl Neg for &Rational {
    type Output = Rational;

    #[inline]
    fn neg(self) -> Rational {
        match &self.0 {
            Small { numerator, denominator } => {
                Rational(Small { numerator: -numerator, denominator: *denominator })
            }
            Big(big) => Rational(Big(Box::new(-(**big).clone()))),
        }
    }
}

impl Neg for Rational {
    type Output = Rational;

    fn neg(self) -> Rational {
        -&self
    }
}

impl AddAssign<&Rational> for Rational {
    #[inline]
    fn add_assign(&mut self, other: &Rational) {
        *self = &*self + other;
    }
}

impl SubAssign<&Rational> for Rational {
    #[inline]
    fn sub_assign(&mut self, other: &Rational) {
        *self = &*self - other;
    }
}

impl Ord for Rational {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Small { numerator: a, denominator: b }, Small { numerator: c, denominator: d }) => {
                if b == d {
                    return a.cmp(c);
                }
                let [a, b, c, d] = [*a, *b, *c, *d].map(i128::from);
                (a * d).cmp(&(c * b))
            }
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}

impl PartialOrd for Rational {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Default for Rational {
    fn default() -> Self {
        Rational::ZERO
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small { numerator, denominator: 1 } => write!(f, "{numerator}"),
            Small { numerator, denominator } => write!(f, "{numerator}/{denominator}"),
            Big(big) => write!(f, "{big}"),
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// SMT-LIB's quotient and remainder of big integers; both are zero for the divisor zero, a meaning that SMT-LIB leaves open.
pub(crate) fn euclidean(a: &BigInt, b: &BigInt) -> (BigInt, BigInt) {
    if b.is_zero() {
        return (BigInt::zero(), BigInt::zero());
    }
    let (quotient, remainder) = a.div_mod_floor(b);
    if remainder.is_negative() { (quotient + BigInt::one(), remainder - b) } else { (quotient, remainder) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers around zero and around the limits of the machine words.
    fn samples() -> Vec<BigRational> {
        let mut parts: Vec<BigInt> = Vec::from([-3, -1, 0, 1, 2, 6].map(BigInt::from));
        for limit in [i64::MAX, i64::MIN] {
            parts.extend((-1..=1).map(|by| BigInt::from(limit) + by));
        }
        parts.push(BigInt::from(i128::MAX) * 3);
        let mut numbers = Vec::new();
        for a in &parts {
            for b in parts.iter().filter(|b| b.is_positive()) {
                numbers.push(BigRational::new(a.clone(), b.clone()));
            }
        }
        numbers
    }

    #[test]
    fn arithmetic_agrees_with_big_numbers() {
        for a in samples() {
            let x = Rational::from(a.clone());
            assert_eq!(x.to_big(), a);
            assert_eq!(x.floor().to_big(), a.floor());
            assert_eq!(x.ceil().to_big(), a.ceil());
            assert_eq!((-&x).to_big(), -a.clone());
            assert_eq!(x.is_integer(), a.is_integer());
            assert_eq!(x.is_negative(), a.is_negative());
            for b in samples() {
                let y = Rational::from(b.clone());
                assert_eq!((&x + &y).to_big(), &a + &b);
                assert_eq!((&x - &y).to_big(), &a - &b);
                assert_eq!((&x * &y).to_big(), &a * &b);
                assert_eq!(x.cmp(&y), a.cmp(&b));
                // Equal numbers have equal representations, however they were made.
                assert_eq!(&(&x + &y) - &y, x);
                if !b.is_zero() {
                    assert_eq!((&x / &y).to_big(), &a / &b);
                }
            }
        }
    }

    #[test]
    fn quotients_are_euclidean() {
        for a in -20..=20 {
            for b in (-5..=5).filter(|&b| b != 0) {
                let (q, r) = Rational::from(i64::from(a)).div_rem_euclid(&i64::from(b).into()).unwrap();
                assert_eq!((q.to_i64().unwrap(), r.to_i64().unwrap()), {
                    (i64::from(i32::div_euclid(a, b)), i64::from(i32::rem_euclid(a, b)))
                });
                let (q, r) = euclidean(&a.into(), &b.into());
                assert_eq!((q, r), (a.div_euclid(b).into(), a.rem_euclid(b).into()));
            }
        }
        assert_eq!(Rational::ONE.div_rem_euclid(&Rational::ZERO), None);
    }
}
