//! Farkas multipliers by an exact simplex.

/// How often the basis may change.
const MAX_PIVOTS: usize = 500;

/// A rational number in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rational {
    pub(super) numerator: i128,
    pub(super) denominator: i128,
}

impl Rational {
    pub(super) const ZERO: Rational = Rational { numerator: 0, denominator: 1 };
    const ONE: Rational = Rational { numerator: 1, denominator: 1 };

    fn new(numerator: i128, denominator: i128) -> Option<Self> {
        let divisor = gcd(numerator, denominator)?;
        let divisor = if denominator < 0 { divisor.checked_neg()? } else { divisor };
        Some(Rational {
            numerator: numerator.checked_div(divisor)?,
            denominator: denominator.checked_div(divisor)?,
        })
    }

    fn minus(self, other: Self) -> Option<Self> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Self::new(left.checked_sub(right)?, self.denominator.checked_mul(other.denominator)?)
    }

    fn times(self, other: Self) -> Option<Self> {
        let numerator = self.numerator.checked_mul(other.numerator)?;
        Self::new(numerator, self.denominator.checked_mul(other.denominator)?)
    }

    fn over(self, other: Self) -> Option<Self> {
        let numerator = self.numerator.checked_mul(other.denominator)?;
        Self::new(numerator, self.denominator.checked_mul(other.numerator)?)
    }

    fn is_less(self, other: Self) -> Option<bool> {
        Some(self.minus(other)?.numerator < 0)
    }
}

/// The greatest common divisor, not negative; `None` if it cannot be represented.
pub(super) fn gcd(a: i128, b: i128) -> Option<i128> {
    let (mut a, mut b) = (a.checked_abs()?, b.checked_abs()?);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    Some(a)
}

/// Multipliers, none negative, with which the rows sum to zero in all places but the last, and to one in
/// that. `None` if there are none, or if numbers become too large.
///
/// A row is an inequality `sum of coefficients * variables + last <= 0`, so multipliers prove that not all hold.
pub(super) fn multipliers(rows: &[Vec<i128>]) -> Option<Vec<Rational>> {
    let equations = rows.first()?.len();
    // One equation for each place; its columns are the multipliers, and at the end the right-hand side. In the
    // beginning each equation is served by an artificial variable of its own, numbered after the multipliers.
    let mut tableau: Vec<Vec<Rational>> = (0..equations)
        .map(|place| {
            let right = if place + 1 == equations { Rational::ONE } else { Rational::ZERO };
            let number = |n| Rational { numerator: n, denominator: 1 };
            rows.iter().map(|row| number(row[place])).chain([right]).collect()
        })
        .collect();
    let mut basis: Vec<usize> = (rows.len()..rows.len() + equations).collect();
    for _ in 0..MAX_PIVOTS {
        // What is left of the right-hand side in equations that are served by artificial variables has to vanish.
        let cost = cost_row(&tableau, &basis, rows.len())?;
        if cost[rows.len()] == Rational::ZERO {
            return Some(solution(&tableau, &basis, rows.len()));
        }
        // The first column that helps, and the first variable among those that limit it most: this cannot cycle.
        let column = (0..rows.len()).find(|&c| cost[c].numerator > 0)?;
        let leaving = leaving_row(&tableau, &basis, column)?;
        pivot(&mut tableau, leaving, column)?;
        basis[leaving] = column;
    }
    None
}

/// The sum of the equations that are served by artificial variables.
fn cost_row(tableau: &[Vec<Rational>], basis: &[usize], multipliers: usize) -> Option<Vec<Rational>> {
    let mut cost = vec![Rational::ZERO; multipliers + 1];
    for (row, &served_by) in tableau.iter().zip(basis) {
        if served_by >= multipliers {
            for (sum, &entry) in cost.iter_mut().zip(row) {
                let negated = Rational { numerator: entry.numerator.checked_neg()?, ..entry };
                *sum = sum.minus(negated)?;
            }
        }
    }
    Some(cost)
}

fn leaving_row(tableau: &[Vec<Rational>], basis: &[usize], column: usize) -> Option<usize> {
    let mut best: Option<(Rational, usize)> = None;
    for (index, row) in tableau.iter().enumerate() {
        if row[column].numerator <= 0 {
            continue;
        }
        let ratio = row[row.len() - 1].over(row[column])?;
        let better = match best {
            None => true,
            Some((least, chosen)) => {
                ratio.is_less(least)? || (ratio == least && basis[index] < basis[chosen])
            }
        };
        if better {
            best = Some((ratio, index));
        }
    }
    best.map(|(_, index)| index)
}

fn pivot(tableau: &mut [Vec<Rational>], at: usize, column: usize) -> Option<()> {
    let divisor = tableau[at][column];
    for entry in &mut tableau[at] {
        *entry = entry.over(divisor)?;
    }
    let chosen = tableau[at].clone();
    for (index, row) in tableau.iter_mut().enumerate() {
        let factor = row[column];
        if index == at || factor.numerator == 0 {
            continue;
        }
        for (entry, &other) in row.iter_mut().zip(&chosen) {
            if other.numerator != 0 {
                *entry = entry.minus(factor.times(other)?)?;
            }
        }
    }
    Some(())
}

fn solution(tableau: &[Vec<Rational>], basis: &[usize], multipliers: usize) -> Vec<Rational> {
    let mut found = vec![Rational::ZERO; multipliers];
    for (row, &served_by) in tableau.iter().zip(basis) {
        if served_by < multipliers {
            found[served_by] = row[multipliers];
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rows: &[Vec<i128>]) {
        let found = multipliers(rows).expect("the inequalities contradict each other");
        let scale = found.iter().fold(1, |scale, m| scale * m.denominator);
        let sum = |place: usize| -> i128 {
            rows.iter().zip(&found).map(|(row, m)| row[place] * m.numerator * (scale / m.denominator)).sum()
        };
        assert!(found.iter().all(|m| m.numerator >= 0));
        let last = rows[0].len() - 1;
        assert!((0..last).all(|place| sum(place) == 0));
        assert_eq!(sum(last), scale);
    }

    #[test]
    fn contradictions_are_proved() {
        // x <= -1, -x <= 0
        check(&[vec![1, 1], vec![-1, 0]]);
        // 2x + 3y <= 5, x >= 2, y >= 1
        check(&[vec![2, 3, -5], vec![-1, 0, 2], vec![0, -1, 1]]);
        // x < y, y < z, z < x, among others
        check(&[vec![1, 1, 1, 0], vec![1, -1, 0, 1], vec![0, 1, -1, 1], vec![-1, 0, 1, 1]]);
        // 3 <= 0
        check(&[vec![3]]);
    }

    #[test]
    fn what_can_be_satisfied_has_no_proof() {
        assert_eq!(multipliers(&[vec![1, -1], vec![-1, 0]]), None);
        assert_eq!(multipliers(&[vec![0]]), None);
        assert_eq!(multipliers(&[]), None);
    }
}
