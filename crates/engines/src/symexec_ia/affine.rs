//! Affine relations between bit-vectors of one width, learned from points.
//!
//! Arithmetic is modulo a power of two, as the program's own. A direction that is a multiple of two is taken for the
//! direction that it is a multiple of; so the hull may be larger than it need be, never smaller.

/// The smallest affine space of this kind that contains the points seen so far.
#[derive(Clone, Debug)]
pub(super) struct AffineHull {
    mask: u64,
    /// One of the points.
    point: Option<Vec<u64>>,
    /// Directions from there. Invariant: each is 1 in its pivot column, in which the others are 0.
    directions: Vec<(usize, Vec<u64>)>,
}

/// `variable = constant + sum of coefficient times variable`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Relation {
    pub(super) variable: usize,
    pub(super) terms: Vec<(usize, u64)>,
    pub(super) constant: u64,
}

impl AffineHull {
    /// The empty hull for bit-vectors of up to 64 bits.
    pub(super) fn new(width: u32) -> Self {
        AffineHull { mask: u64::MAX >> (64 - width.clamp(1, 64)), point: None, directions: Vec::new() }
    }

    /// Takes a point in; false if it was in the hull.
    pub(super) fn add(&mut self, sample: &[u64]) -> bool {
        let mask = self.mask;
        let Some(point) = &self.point else {
            self.point = Some(sample.to_vec());
            return true;
        };
        let mut rest: Vec<u64> = sample.iter().zip(point).map(|(a, b)| a.wrapping_sub(*b) & mask).collect();
        for (pivot, direction) in &self.directions {
            let times = rest[*pivot];
            subtract(&mut rest, direction, times, mask);
        }
        let Some(pivot) = (0..rest.len()).filter(|&i| rest[i] != 0).min_by_key(|&i| rest[i].trailing_zeros())
        else {
            return false;
        };
        // Several directions have this multiple. Small steps down are more likely than those around half of all numbers.
        let (shift, unused) = (rest[pivot].trailing_zeros(), mask.leading_zeros());
        for entry in &mut rest {
            *entry = (((*entry << unused) as i64 >> unused) >> shift) as u64 & mask;
        }
        let factor = inverse(rest[pivot]);
        for entry in &mut rest {
            *entry = entry.wrapping_mul(factor) & mask;
        }
        for (_, direction) in &mut self.directions {
            let times = direction[pivot];
            subtract(direction, &rest, times, mask);
        }
        self.directions.push((pivot, rest));
        true
    }

    /// Takes in points in which one variable differs from those seen so far.
    pub(super) fn free(&mut self, variable: usize) {
        if let Some(mut point) = self.point.clone() {
            point[variable] = point[variable].wrapping_add(1) & self.mask;
            self.add(&point);
        }
    }

    /// Relations that hold in the whole hull, and only there.
    pub(super) fn relations(&self) -> Vec<Relation> {
        let Some(point) = &self.point else { return Vec::new() };
        let is_pivot = |column: usize| self.directions.iter().any(|(pivot, _)| *pivot == column);
        (0..point.len())
            .filter(|&column| !is_pivot(column))
            .map(|column| {
                let mut terms: Vec<(usize, u64)> = self
                    .directions
                    .iter()
                    .map(|(pivot, direction)| (*pivot, direction[column]))
                    .filter(|(_, coefficient)| *coefficient != 0)
                    .collect();
                terms.sort_unstable();
                let sum = terms.iter().fold(0u64, |sum, &(pivot, coefficient)| {
                    sum.wrapping_add(coefficient.wrapping_mul(point[pivot]))
                });
                Relation { variable: column, terms, constant: point[column].wrapping_sub(sum) & self.mask }
            })
            .collect()
    }
}

fn subtract(from: &mut [u64], direction: &[u64], times: u64, mask: u64) {
    for (entry, step) in from.iter_mut().zip(direction) {
        *entry = entry.wrapping_sub(times.wrapping_mul(*step)) & mask;
    }
}

/// The inverse of an odd number modulo two to the power of 64 (Newton's iteration doubles the correct bits).
fn inverse(odd: u64) -> u64 {
    (0..6).fold(odd, |inverse, _| inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_numbers_have_inverses() {
        for odd in [1, 3, 5, 0xffff_ffff, u64::MAX, 0x1234_5677] {
            assert_eq!(inverse(odd).wrapping_mul(odd), 1);
        }
    }

    #[test]
    fn relations_hold_at_all_points_and_find_the_counters_of_a_loop() {
        // res and cnt after some rounds of `res++, cnt--` from (a, b): res + cnt = a + b, modulo 2^32.
        let mut hull = AffineHull::new(32);
        let points: Vec<[u64; 4]> =
            [(7, 9, 0), (7, 9, 1), (u64::from(u32::MAX), 4, 3), (100, 1, 1), (12, 80, 2)]
                .map(|(a, b, n)| [a, b, (a + n) & 0xffff_ffff, b - n])
                .to_vec();
        let grew: Vec<bool> = points.iter().map(|point| hull.add(point)).collect();
        assert_eq!(grew, [true, true, true, true, false]);
        let relations = hull.relations();
        assert_eq!(relations.len(), 1);
        for point in &points {
            for relation in &relations {
                let sum = relation.terms.iter().fold(relation.constant, |sum, &(i, coefficient)| {
                    sum.wrapping_add(coefficient.wrapping_mul(point[i]))
                });
                assert_eq!(sum & 0xffff_ffff, point[relation.variable]);
            }
        }
        assert!(hull.add(&[7, 9, 9, 9]) && hull.relations().is_empty());
    }

    #[test]
    fn steps_down_are_seen_in_every_second_turn_too() {
        let mut hull = AffineHull::new(32);
        let after = |turns: u64| [turns, 100 - turns, 50u64.wrapping_sub(3 * turns) & 0xffff_ffff];
        assert!(hull.add(&after(0)) && hull.add(&after(4)));
        for turns in 0..20 {
            assert!(!hull.add(&after(turns)), "{turns}");
        }
    }

    #[test]
    fn a_freed_variable_is_in_no_relation_and_others_keep_theirs() {
        let mut hull = AffineHull::new(8);
        assert!(hull.add(&[0, 0, 1]) && hull.add(&[1, 2, 4]));
        assert_eq!(hull.relations().len(), 2);
        hull.free(1);
        assert_eq!(hull.relations(), [Relation { variable: 2, terms: vec![(0, 3)], constant: 1 }]);
        assert!(!hull.add(&[1, 77, 4]));
    }

    #[test]
    fn a_variable_that_never_changes_is_a_constant() {
        let mut hull = AffineHull::new(8);
        assert!(hull.add(&[3, 250]) && hull.add(&[3, 252]) && !hull.add(&[3, 251]));
        assert_eq!(hull.relations(), [Relation { variable: 0, terms: vec![], constant: 3 }]);
    }
}
