//! The way from offsets in the parsed text back to offsets in the text that it was made from.

/// A piecewise shift. Offsets before the first entry are the same in both texts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Offsets {
    /// Pairs of offsets, sorted: from the first on, counting goes on from the second.
    entries: Vec<(usize, usize)>,
}

impl Offsets {
    /// From `parsed` on, the parsed text came from `original` on. Calls come in order.
    pub(crate) fn note(&mut self, parsed: usize, original: usize) {
        self.entries.push((parsed, original));
    }

    /// Where the byte at `parsed` came from.
    pub(crate) fn original(&self, parsed: usize) -> usize {
        let after = self.entries.partition_point(|(offset, _)| *offset <= parsed);
        let Some(&(start, original)) = after.checked_sub(1).and_then(|index| self.entries.get(index)) else {
            return parsed;
        };
        let shifted = original + (parsed - start);
        // A replacement may be longer than what it stands for.
        match self.entries.get(after) {
            Some(&(_, limit)) => shifted.min(limit),
            None => shifted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_are_undone() {
        let mut offsets = Offsets::default();
        assert_eq!(offsets.original(7), 7);
        offsets.note(10, 10);
        offsets.note(13, 15);
        assert_eq!(offsets.original(9), 9);
        assert_eq!(offsets.original(12), 12);
        assert_eq!(offsets.original(13), 15);
        assert_eq!(offsets.original(20), 22);
    }

    #[test]
    fn a_long_replacement_stays_within_what_it_replaced() {
        let mut offsets = Offsets::default();
        offsets.note(4, 4);
        offsets.note(14, 6);
        assert_eq!(offsets.original(13), 6);
        assert_eq!(offsets.original(15), 7);
    }
}
