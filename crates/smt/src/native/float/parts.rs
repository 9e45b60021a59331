//! Taking floats apart, and the shifters that arithmetic on them needs.

use super::super::sat::{FALSE, Lit, TRUE};
use super::super::words::{Circuits, Word, complement};
use aster_term::FloatFormat;

/// The fields of a float and what kind of number it is. Equal gates exist once, so taking the same word apart again costs
/// nothing.
pub(super) struct Parts {
    pub(super) sign: Lit,
    /// As stored: biased, zero for zeros and subnormal numbers.
    pub(super) exponent: Word,
    /// Without the hidden bit.
    pub(super) fraction: Word,
    /// The exponent is zero.
    pub(super) is_small: Lit,
    pub(super) is_zero: Lit,
    pub(super) is_infinite: Lit,
    pub(super) is_nan: Lit,
}

impl Parts {
    /// The significand with the hidden bit.
    pub(super) fn significand(&self) -> Word {
        let mut word = self.fraction.clone();
        word.push(-self.is_small);
        word
    }
}

/// A finite number other than zero as `1.xxx * 2^(exponent - bias)`; means nothing for others.
#[derive(Clone)]
pub(in crate::native) struct Normalised {
    /// Biased and signed, two bits wider than in the format.
    pub(super) exponent: Word,
    /// The highest bit is the constant one.
    pub(super) significand: Word,
}

/// The word with `count` copies of a bit on top.
pub(super) fn extended(word: &[Lit], width: usize, fill: Lit) -> Word {
    let mut word = word.to_vec();
    word.resize(width, fill);
    word
}

/// The word as a signed number of more bits.
pub(super) fn sign_extended(word: &[Lit], width: usize) -> Word {
    extended(word, width, word[word.len() - 1])
}

/// The word with `count` zero bits below.
pub(super) fn shifted_up(word: &[Lit], count: usize) -> Word {
    let mut shifted = vec![FALSE; count];
    shifted.extend_from_slice(word);
    shifted
}

impl Circuits {
    /// The fields of a float.
    pub(super) fn parts(&mut self, format: FloatFormat, word: &[Lit]) -> Parts {
        let split = format.fraction() as usize;
        let (fraction, upper) = word.split_at(split);
        let (exponent, sign) = upper.split_at(format.exponent as usize);
        let is_small = self.is_zero(exponent);
        let is_large = self.gates.and_all(exponent);
        let no_fraction = self.is_zero(fraction);
        Parts {
            sign: sign[0],
            exponent: exponent.to_vec(),
            fraction: fraction.to_vec(),
            is_small,
            is_zero: self.gates.and(is_small, no_fraction),
            is_infinite: self.gates.and(is_large, no_fraction),
            is_nan: self.gates.and(is_large, -no_fraction),
        }
    }

    /// True if no bit is set.
    pub(super) fn is_zero(&mut self, word: &[Lit]) -> Lit {
        self.gates.and_all(&complement(word))
    }

    /// The number with a leading one; remembered, because several operators may need it.
    pub(super) fn normalised(&mut self, format: FloatFormat, word: &[Lit]) -> Normalised {
        let key = (word.to_vec(), format);
        if let Some(known) = self.normalised.get(&key) {
            return known.clone();
        }
        let parts = self.parts(format, word);
        let (mut significand, zeros) = self.shift_out_zeros(&parts.significand());
        if let Some(top) = significand.last_mut() {
            *top = TRUE;
        }
        // A subnormal number has the exponent 1 - zeros, and its stored exponent is zero: a disjunction chooses.
        let width = format.exponent as usize + 2;
        let zeros = extended(&zeros, width, FALSE);
        let mut one = vec![FALSE; width];
        one[0] = TRUE;
        let small = self.subtract(&one, &zeros);
        let stored = extended(&parts.exponent, width, FALSE);
        let exponent = self.bitwise(&stored, &small, |gates, stored, small| {
            let small = gates.and(small, parts.is_small);
            gates.or(stored, small)
        });
        let result = Normalised { exponent, significand };
        self.normalised.insert(key, result.clone());
        result
    }

    /// The word shifted up until its highest bit is set, and by how much. Of a word of zeros: all counted bits set.
    pub(super) fn shift_out_zeros(&mut self, word: &[Lit]) -> (Word, Word) {
        let width = word.len();
        let stages = width.next_power_of_two().trailing_zeros() as usize;
        let mut word = word.to_vec();
        let mut count = vec![FALSE; stages];
        for stage in (0..stages).rev() {
            let distance = 1 << stage;
            let empty = self.is_zero(&word[width - distance..]);
            count[stage] = empty;
            let shifted = shifted_up(&word[..width - distance], distance);
            word = self.choose(empty, &shifted, &word);
        }
        (word, count)
    }

    /// The word shifted down, and whether a set bit was lost.
    pub(super) fn shift_down(&mut self, word: &[Lit], amount: &[Lit]) -> (Word, Lit) {
        let width = word.len();
        let mut word = word.to_vec();
        let mut lost = Vec::new();
        for (stage, &bit) in amount.iter().enumerate() {
            let distance = if stage < usize::BITS as usize - 1 { 1usize << stage } else { width };
            if distance >= width {
                let too_far = self.gates.or_all(&amount[stage..]);
                let any = self.gates.or_all(&word);
                lost.push(self.gates.and(too_far, any));
                word = word.iter().map(|&bit| self.gates.and(bit, -too_far)).collect();
                break;
            }
            let any = self.gates.or_all(&word[..distance]);
            lost.push(self.gates.and(bit, any));
            let shifted = extended(&word[distance..], width, FALSE);
            word = self.choose(bit, &shifted, &word);
        }
        (word, self.gates.or_all(&lost))
    }

    /// All bits below the highest `count` ones in one: those bits, and whether others are set. Words that are too short
    /// are filled up below.
    pub(super) fn highest(&mut self, word: &[Lit], count: usize) -> (Word, Lit) {
        if word.len() <= count {
            return (shifted_up(word, count - word.len()), FALSE);
        }
        let (low, high) = word.split_at(word.len() - count);
        (high.to_vec(), self.gates.or_all(low))
    }
}
