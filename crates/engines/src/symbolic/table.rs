//! Reads at unknown indices from what was written at literal ones.

use aster_term::{Op, Term, TermPool};

/// `select(array, index)` as a choice between elements, where `entries` (by ascending index) are the elements that are
/// known and `otherwise` is what all other indices hold.
///
/// The choice is a binary trie over the bits of the index: as many choices as there are elements, but nested only as
/// deep as the index has bits. Neither the solver nor the evaluation of a model then meets a long chain of writes.
pub(crate) fn choose(pool: &mut TermPool, index: Term, entries: &[(u64, Term)], otherwise: Term) -> Term {
    let width = pool.width(index);
    Table { index, otherwise }.choose(pool, entries, width)
}

struct Table {
    index: Term,
    otherwise: Term,
}

impl Table {
    /// The element at the index, whose bits from `width` on are those that all entries have there. Each level of
    /// recursion decides at least one bit.
    fn choose(&self, pool: &mut TermPool, entries: &[(u64, Term)], width: u32) -> Term {
        let (&[(first, element), ..], &[.., (last, _)]) = (entries, entries) else { return self.otherwise };
        // All entries agree on the bits from `common` on.
        let common = u64::BITS - (first ^ last).leading_zeros();
        let found = match common.checked_sub(1) {
            None => element,
            Some(bit) => {
                let middle = entries.partition_point(|(index, _)| (index >> bit) & 1 == 0);
                let low = self.choose(pool, &entries[..middle], bit);
                let high = self.choose(pool, &entries[middle..], bit);
                let is_high = self.bits_are(pool, bit, bit, 1);
                pool.ite(is_high, high, low)
            }
        };
        if common >= width {
            return found;
        }
        let agrees = self.bits_are(pool, width - 1, common, u128::from(first) >> common);
        pool.ite(agrees, found, self.otherwise)
    }

    /// The bits `high` to `low` of the index are those of `wanted`.
    fn bits_are(&self, pool: &mut TermPool, high: u32, low: u32, wanted: u128) -> Term {
        let bits = pool.apply(Op::BvExtract { high, low }, &[self.index]);
        let wanted = pool.bv(high - low + 1, wanted);
        pool.eq(bits, wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aster_term::{BitVec, Model, Sort, Value, evaluate};

    /// All indices of seven bits, for tables of any density.
    #[test]
    fn every_index_finds_its_element() {
        let mut pool = TermPool::new();
        let index = pool.variable("i", Sort::BitVec(7));
        let otherwise = pool.variable("otherwise", Sort::BitVec(8));
        let mut state = 11u64;
        for density in [0, 1, 2, 5, 20, 60, 64] {
            let mut entries = Vec::new();
            for at in 0..128u64 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                if (state >> 40) % 64 < density {
                    entries.push((at, pool.bv(8, u128::from(at))));
                }
            }
            let chosen = choose(&mut pool, index, &entries, otherwise);
            for at in 0..128u64 {
                let mut model = Model::new();
                model.insert(index, Value::BitVec(BitVec::new(7, u128::from(at))));
                model.insert(otherwise, Value::BitVec(BitVec::new(8, 200)));
                let known = entries.iter().any(|(index, _)| *index == at);
                let expected = if known { u128::from(at) } else { 200 };
                assert_eq!(
                    evaluate(&pool, chosen, &model),
                    Value::BitVec(BitVec::new(8, expected)),
                    "{density} {at}"
                );
            }
        }
    }

    #[test]
    fn indices_may_be_wider_than_words() {
        let mut pool = TermPool::new();
        let index = pool.variable("i", Sort::BitVec(100));
        let [five, otherwise] = [5, 9].map(|value| pool.bv(8, value));
        let chosen = choose(&mut pool, index, &[(u64::MAX, five)], otherwise);
        for (value, expected) in [(u128::from(u64::MAX), 5), (u128::from(u64::MAX) + (1 << 80), 9)] {
            let mut model = Model::new();
            model.insert(index, Value::BitVec(BitVec::new(100, value)));
            assert_eq!(evaluate(&pool, chosen, &model), Value::BitVec(BitVec::new(8, expected)));
        }
    }
}
