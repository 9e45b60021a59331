//! Ranges of integers, and what operators on bit-vectors do to them.

/// All integers between two bounds, which are read from bits with a sign. Truth values are 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) low: i128,
    pub(super) high: i128,
}

/// No value is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Empty;

impl Range {
    pub(super) const TRUE: Range = Range { low: 1, high: 1 };
    pub(super) const FALSE: Range = Range { low: 0, high: 0 };
    pub(super) const TRUTH: Range = Range { low: 0, high: 1 };

    pub(super) fn new(low: i128, high: i128) -> Self {
        Range { low, high }
    }

    pub(super) fn of(value: i128) -> Self {
        Range { low: value, high: value }
    }

    pub(super) fn truth(value: bool) -> Self {
        Self::of(value.into())
    }

    /// All values of a width.
    pub(super) fn all(width: u32) -> Self {
        let half = 1i128 << (width - 1);
        Range { low: -half, high: half - 1 }
    }

    /// The only value, if there is one.
    pub(super) fn single(self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    pub(super) fn intersection(self, other: Self) -> Result<Self, Empty> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        if low <= high { Ok(Range { low, high }) } else { Err(Empty) }
    }

    /// All of both and what is between.
    pub(super) fn hull(self, other: Self) -> Self {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    pub(super) fn shifted(self, by: i128) -> Self {
        Range { low: self.low + by, high: self.high + by }
    }

    /// How many times two to the width has to be subtracted from each of these integers to get into the range of the width;
    /// `None` if that differs.
    fn turns(self, width: u32) -> Option<i128> {
        let half = 1i128 << (width - 1);
        let turn = |value: i128| (value + half) >> width;
        (turn(self.low) == turn(self.high)).then(|| turn(self.low))
    }

    /// These integers modulo two to the width.
    pub(super) fn wrapped(self, width: u32) -> Self {
        self.turns(width).map_or(Self::all(width), |turns| self.shifted(-(turns << width)))
    }

    /// The integers among these that are in another range modulo two to the width, at least.
    pub(super) fn unwrapped(self, wrapped: Self, width: u32) -> Result<Self, Empty> {
        let half = 1i128 << (width - 1);
        let turns = [self.low, self.high].map(|value| (value + half) >> width);
        // Those in between are of no use: only the outermost ones bound anything.
        let at = |turn: i128| self.intersection(wrapped.shifted(turn << width));
        let mut low = at(turns[0]);
        let mut high = at(turns[1]);
        if low.is_err() && turns[0] < turns[1] {
            low = at(turns[0] + 1);
        }
        if high.is_err() && turns[0] < turns[1] {
            high = at(turns[1] - 1);
        }
        Ok(low?.hull(high?))
    }

    /// Read without a sign: both bounds, if all values have the same highest bit; otherwise all values of the width.
    pub(super) fn unsigned(self, width: u32) -> Self {
        if self.low >= 0 {
            self
        } else if self.high < 0 {
            self.shifted(1 << width)
        } else {
            Range { low: 0, high: (1 << width) - 1 }
        }
    }

    /// Those that are between two bounds if they are read without a sign, at least.
    pub(super) fn within_unsigned(self, bounds: Self, width: u32) -> Result<Self, Empty> {
        let half = 1i128 << (width - 1);
        let positive = bounds.intersection(Range::new(0, half - 1));
        let negative =
            bounds.intersection(Range::new(half, 2 * half - 1)).map(|range| range.shifted(-(1 << width)));
        let positive = positive.and_then(|range| self.intersection(range));
        let negative = negative.and_then(|range| self.intersection(range));
        match (positive, negative) {
            (Ok(one), Ok(other)) => Ok(one.hull(other)),
            (Ok(only), Err(_)) | (Err(_), Ok(only)) => Ok(only),
            (Err(_), Err(_)) => Err(Empty),
        }
    }

    /// All products, as integers.
    pub(super) fn product(self, other: Self) -> Self {
        let ends =
            [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high];
        let (mut low, mut high) = (ends[0], ends[0]);
        for end in ends {
            low = low.min(end);
            high = high.max(end);
        }
        Range { low, high }
    }

    /// The integers whose product with a factor, which is not zero, is in this range.
    pub(super) fn divided_exactly(self, factor: i128) -> Result<Self, Empty> {
        let (low, high) = if factor > 0 { (self.low, self.high) } else { (-self.high, -self.low) };
        let factor = factor.abs();
        let (low, high) =
            (low.div_euclid(factor) + i128::from(low.rem_euclid(factor) != 0), high.div_euclid(factor));
        if low <= high { Ok(Range { low, high }) } else { Err(Empty) }
    }

    /// The quotients by a positive divisor, rounded towards zero.
    pub(super) fn quotients(self, divisor: i128) -> Self {
        Range { low: self.low / divisor, high: self.high / divisor }
    }

    /// The integers whose quotient by a positive divisor is in this range.
    pub(super) fn dividends(self, divisor: i128) -> Self {
        let rest = divisor - 1;
        Range {
            low: self.low * divisor - if self.low > 0 { 0 } else { rest },
            high: self.high * divisor + if self.high < 0 { 0 } else { rest },
        }
    }

    /// The remainders by a positive divisor, with the sign of the dividend.
    pub(super) fn remainders(self, divisor: i128) -> Self {
        let has_one_sign = self.low >= 0 || self.high <= 0;
        if has_one_sign && self.low / divisor == self.high / divisor {
            return Range { low: self.low % divisor, high: self.high % divisor };
        }
        Range {
            low: if self.low >= 0 { 0 } else { self.low.max(1 - divisor) },
            high: if self.high <= 0 { 0 } else { self.high.min(divisor - 1) },
        }
    }

    /// The integers among these whose remainder by a positive divisor is in another range, at least.
    pub(super) fn with_remainders(self, remainders: Self, divisor: i128) -> Result<Self, Empty> {
        let mut range = self;
        // What has a remainder of another sign.
        if remainders.low > 0 {
            range = range.intersection(Range::new(1, i128::MAX))?;
        }
        if remainders.high < 0 {
            range = range.intersection(Range::new(i128::MIN, -1))?;
        }
        if range.low >= 0 {
            let remainders = remainders.intersection(Range::new(0, divisor - 1))?;
            let (start, rest) = (range.low - range.low % divisor, range.low % divisor);
            if rest < remainders.low {
                range.low = start + remainders.low;
            } else if rest > remainders.high {
                range.low = start + divisor + remainders.low;
            }
            let (start, rest) = (range.high - range.high % divisor, range.high % divisor);
            if rest > remainders.high {
                range.high = start + remainders.high;
            } else if rest < remainders.low {
                range.high = start - divisor + remainders.high;
            }
        } else if range.high <= 0 {
            let mirrored = |range: Range| Range { low: -range.high, high: -range.low };
            return mirrored(range).with_remainders(mirrored(remainders), divisor).map(mirrored);
        }
        if range.low <= range.high { Ok(range) } else { Err(Empty) }
    }
}
