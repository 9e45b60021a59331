//! The general simplex algorithm of Dutertre and de Moura (A Fast Linear-Arithmetic Solver for DPLL(T), 2006): bounds on
//! columns, rows that define basic columns, conflicts with explanations, cheap backtracking.

use aster_term::Rational;
use std::collections::BTreeSet;
use std::ops::{Add, Mul, Sub};

/// A column of the tableau.
pub(super) type Var = usize;

/// Why a bound holds; the meaning belongs to the caller.
pub(super) type Reason = u32;

/// A number plus a multiple of an infinitesimal, which strict bounds on real numbers need.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shifted {
    /// The number.
    pub(super) real: Rational,
    /// How many infinitesimals are added.
    pub(super) delta: Rational,
}

impl Shifted {
    /// True for integers without infinitesimal part.
    pub(super) fn is_integer(&self) -> bool {
        self.delta.is_zero() && self.real.is_integer()
    }
}

impl From<Rational> for Shifted {
    fn from(real: Rational) -> Self {
        Shifted { real, delta: Rational::ZERO }
    }
}

impl Add for &Shifted {
    type Output = Shifted;

    fn add(self, other: Self) -> Shifted {
        let is_plain = self.delta.is_zero() && other.delta.is_zero();
        let delta = if is_plain { Rational::ZERO } else { &self.delta + &other.delta };
        Shifted { real: &self.real + &other.real, delta }
    }
}

impl Sub for &Shifted {
    type Output = Shifted;

    fn sub(self, other: Self) -> Shifted {
        let is_plain = self.delta.is_zero() && other.delta.is_zero();
        let delta = if is_plain { Rational::ZERO } else { &self.delta - &other.delta };
        Shifted { real: &self.real - &other.real, delta }
    }
}

impl Mul<&Rational> for &Shifted {
    type Output = Shifted;

    fn mul(self, factor: &Rational) -> Shifted {
        let delta = if self.delta.is_zero() { Rational::ZERO } else { &self.delta * factor };
        Shifted { real: &self.real * factor, delta }
    }
}

/// A bound with its reason.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub(super) value: Shifted,
    pub(super) reason: Reason,
}

/// The two directions of bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Lower,
    Upper,
}

/// Bounds that contradict each other, with the positive factors under which their sum is a contradiction (Farkas).
pub(super) type Conflict = Vec<(Reason, Rational)>;

struct Column {
    bounds: [Option<Bound>; 2],
    value: Shifted,
    /// The row that defines it, if it is basic.
    row: Option<usize>,
    /// Rows in which it may occur, at least those in which it does; only for columns that are not basic.
    rows: Vec<usize>,
}

struct Row {
    basic: Var,
    /// By ascending column; none of them is basic.
    entries: Vec<(Var, Rational)>,
}

/// What ended a check other than an answer.
pub(super) struct Stopped;

/// The tableau.
///
/// Invariants: the value of a basic column is that of its row; columns that are not basic are within their bounds; basic
/// columns that are not within theirs are suspects.
#[derive(Default)]
pub(super) struct Simplex {
    columns: Vec<Column>,
    rows: Vec<Row>,
    suspects: BTreeSet<Var>,
    trail: Vec<(Var, Side, Option<Bound>)>,
    scopes: Vec<usize>,
    /// For each row the last operation that visited it.
    marks: Vec<u64>,
    mark: u64,
    scratch: Vec<(Var, Rational)>,
}

/// After so many pivots the choice follows Bland's rule, which ends.
const FREE_PIVOTS: u32 = 200;

/// How many pivots are done between two looks at the clock.
const CLOCK_INTERVAL: u32 = 64;

impl Simplex {
    /// A column without bounds.
    pub(super) fn new_column(&mut self, value: Shifted) -> Var {
        self.columns.push(Column { bounds: [None, None], value, row: None, rows: Vec::new() });
        self.columns.len() - 1
    }

    /// A basic column that is the sum of multiples of others.
    pub(super) fn new_row(&mut self, sum: &[(Var, Rational)]) -> Var {
        let mut entries: Vec<(Var, Rational)> = Vec::new();
        for (var, factor) in sum {
            match self.columns[*var].row {
                Some(row) => add_multiple(&mut entries, &self.rows[row].entries, factor, &mut self.scratch),
                None => {
                    add_multiple(&mut entries, &[(*var, Rational::ONE)], factor, &mut self.scratch);
                }
            }
        }
        let mut value = Shifted::default();
        for (var, factor) in &entries {
            value = &value + &(&self.columns[*var].value * factor);
            self.columns[*var].rows.push(self.rows.len());
        }
        let basic = self.new_column(value);
        self.columns[basic].row = Some(self.rows.len());
        self.rows.push(Row { basic, entries });
        self.marks.push(0);
        basic
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// How many columns there are.
    pub(super) fn columns(&self) -> usize {
        self.columns.len()
    }

    /// The value of a column.
    pub(super) fn value(&self, var: Var) -> &Shifted {
        &self.columns[var].value
    }

    /// The bound of a column on one side.
    pub(super) fn bound(&self, var: Var, side: Side) -> Option<&Bound> {
        self.columns[var].bounds[side as usize].as_ref()
    }

    /// The entries of the row of a basic column.
    pub(super) fn row(&self, var: Var) -> Option<&[(Var, Rational)]> {
        self.columns[var].row.map(|row| &self.rows[row].entries[..])
    }

    /// Later bounds are gone after the matching [`Simplex::pop`].
    pub(super) fn push(&mut self) {
        self.scopes.push(self.trail.len());
    }

    /// Takes back all bounds since the matching [`Simplex::push`].
    pub(super) fn pop(&mut self) {
        let Some(length) = self.scopes.pop() else { return };
        for (var, side, bound) in self.trail.drain(length..).rev() {
            self.columns[var].bounds[side as usize] = bound;
        }
    }

    /// Adds a bound. A conflict with the opposite one is returned, and the bound is not added.
    pub(super) fn assert(
        &mut self,
        var: Var,
        side: Side,
        value: Shifted,
        reason: Reason,
    ) -> Result<(), Conflict> {
        let column = &mut self.columns[var];
        let is_tighter = |old: &Bound| match side {
            Side::Lower => value > old.value,
            Side::Upper => value < old.value,
        };
        if !column.bounds[side as usize].as_ref().is_none_or(is_tighter) {
            return Ok(());
        }
        let opposite = &column.bounds[1 - side as usize];
        let crosses = |other: &&Bound| match side {
            Side::Lower => value > other.value,
            Side::Upper => value < other.value,
        };
        if let Some(other) = opposite.as_ref().filter(crosses) {
            return Err(vec![(reason, Rational::ONE), (other.reason, Rational::ONE)]);
        }
        let is_violated = match side {
            Side::Lower => column.value < value,
            Side::Upper => column.value > value,
        };
        let old = column.bounds[side as usize].replace(Bound { value: value.clone(), reason });
        let is_basic = column.row.is_some();
        self.trail.push((var, side, old));
        if is_violated {
            if is_basic {
                self.suspects.insert(var);
            } else {
                self.update(var, value);
            }
        }
        Ok(())
    }

    /// The side on which the column is outside its bounds.
    fn violation(&self, var: Var) -> Option<Side> {
        let column = &self.columns[var];
        match &column.bounds {
            [Some(lower), _] if column.value < lower.value => Some(Side::Lower),
            [_, Some(upper)] if column.value > upper.value => Some(Side::Upper),
            _ => None,
        }
    }

    /// The rows that a column occurs in; the list is cleaned on the way.
    fn occurrences(&mut self, var: Var) -> Vec<usize> {
        self.mark += 1;
        let (mark, marks, rows) = (self.mark, &mut self.marks, &self.rows);
        let mut occurrences = std::mem::take(&mut self.columns[var].rows);
        occurrences.retain(|&row| {
            std::mem::replace(&mut marks[row], mark) != mark && position(&rows[row].entries, var).is_some()
        });
        occurrences
    }

    /// Gives a column that is not basic another value.
    fn update(&mut self, var: Var, value: Shifted) {
        let change = &value - &self.columns[var].value;
        self.columns[var].value = value;
        let occurrences = self.occurrences(var);
        self.shift(var, &change, &occurrences, None);
        self.columns[var].rows = occurrences;
    }

    /// Adds to the basic columns of the rows what a change of a column means for them.
    fn shift(&mut self, var: Var, change: &Shifted, rows: &[usize], except: Option<usize>) {
        for &row in rows.iter().filter(|&&row| Some(row) != except) {
            let Row { basic, ref entries } = self.rows[row];
            let Some(at) = position(entries, var) else { continue };
            let column = &mut self.columns[basic];
            column.value = &column.value + &(change * &entries[at].1);
            if self.violation(basic).is_some() {
                self.suspects.insert(basic);
            }
        }
    }

    /// Gives an integer column that is not basic an integer as its value. Its bounds must be integers.
    pub(super) fn round(&mut self, var: Var) {
        let column = &self.columns[var];
        if column.row.is_none() && !column.value.is_integer() {
            let value = integer_below(&column.value);
            self.update(var, value.into());
        }
    }

    /// Finds values within all bounds, or the bounds that have none.
    pub(super) fn check(&mut self, stop: &dyn Fn() -> bool) -> Result<Result<(), Conflict>, Stopped> {
        let mut pivots = 0;
        loop {
            let Some(&basic) = self.suspects.first() else { return Ok(Ok(())) };
            let (Some(side), Some(row)) = (self.violation(basic), self.columns[basic].row) else {
                self.suspects.remove(&basic);
                continue;
            };
            let Some(entering) = self.entering(row, side, pivots > FREE_PIVOTS) else {
                return Ok(Err(self.explain(basic, row, side)));
            };
            pivots += 1;
            if pivots % CLOCK_INTERVAL == 0 && stop() {
                return Err(Stopped);
            }
            let Some(limit) = self.bound(basic, side).map(|bound| bound.value.clone()) else { continue };
            self.pivot_and_update(row, entering, limit);
        }
    }

    /// True if the column can move in the direction.
    fn can_move(&self, var: Var, up: bool) -> bool {
        let column = &self.columns[var];
        let limit = &column.bounds[usize::from(up)];
        limit
            .as_ref()
            .is_none_or(|limit| if up { column.value < limit.value } else { column.value > limit.value })
    }

    /// A column that can change such that the basic one of the row comes back within its bound on this side.
    fn entering(&self, row: usize, side: Side, by_bland: bool) -> Option<Var> {
        let mut best: Option<(usize, Var)> = None;
        for (var, factor) in &self.rows[row].entries {
            let up = factor.is_positive() == (side == Side::Lower);
            if !self.can_move(*var, up) {
                continue;
            }
            if by_bland {
                return Some(*var);
            }
            let cost = self.columns[*var].rows.len();
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, *var));
            }
        }
        best.map(|(_, var)| var)
    }

    /// The bounds that keep the basic column of a row from coming back within its bound.
    fn explain(&self, basic: Var, row: usize, side: Side) -> Conflict {
        let mut conflict = Vec::with_capacity(self.rows[row].entries.len() + 1);
        conflict.extend(self.bound(basic, side).map(|bound| (bound.reason, Rational::ONE)));
        for (var, factor) in &self.rows[row].entries {
            let blocking =
                if factor.is_positive() == (side == Side::Lower) { Side::Upper } else { Side::Lower };
            conflict.extend(self.bound(*var, blocking).map(|bound| (bound.reason, factor.abs())));
        }
        conflict
    }

    /// Makes a column basic instead of that of a row, which gets the value.
    fn pivot_and_update(&mut self, row: usize, entering: Var, value: Shifted) {
        let leaving = self.rows[row].basic;
        let Some(at) = position(&self.rows[row].entries, entering) else { return };
        let factor = self.rows[row].entries[at].1.clone();
        let change = &(&value - &self.columns[leaving].value) * &factor.recip();
        self.columns[leaving].value = value;
        self.columns[entering].value = &self.columns[entering].value + &change;
        let occurrences = self.occurrences(entering);
        self.shift(entering, &change, &occurrences, Some(row));
        self.pivot(row, at, &factor, &occurrences);
        if self.violation(entering).is_some() {
            self.suspects.insert(entering);
        }
    }

    fn pivot(&mut self, row: usize, at: usize, factor: &Rational, occurrences: &[usize]) {
        let leaving = self.rows[row].basic;
        let mut entries = std::mem::take(&mut self.rows[row].entries);
        let (entering, _) = entries.remove(at);
        // leaving = factor * entering + rest, so entering = (leaving - rest) / factor.
        let inverse = factor.recip();
        let negated = -&inverse;
        for (_, coefficient) in &mut entries {
            *coefficient = &*coefficient * &negated;
        }
        let place = entries.partition_point(|(var, _)| *var < leaving);
        entries.insert(place, (leaving, inverse));
        self.columns[leaving].row = None;
        self.columns[leaving].rows = vec![row];
        self.columns[entering].row = Some(row);
        self.rows[row].basic = entering;
        for &other in occurrences.iter().filter(|&&other| other != row) {
            let target = &mut self.rows[other].entries;
            let Some(at) = position(target, entering) else { continue };
            let (_, multiple) = target.remove(at);
            for (var, _) in &entries {
                if position(target, *var).is_none() {
                    self.columns[*var].rows.push(other);
                }
            }
            add_multiple(target, &entries, &multiple, &mut self.scratch);
        }
        self.rows[row].entries = entries;
    }
}

/// The largest integer that is not above the number.
pub(super) fn integer_below(value: &Shifted) -> Rational {
    let floor = value.real.floor();
    if value.delta.is_negative() && value.real.is_integer() { &floor - &Rational::ONE } else { floor }
}

fn position(entries: &[(Var, Rational)], var: Var) -> Option<usize> {
    entries.binary_search_by_key(&var, |&(var, _)| var).ok()
}

/// `target += factor * source`, both by ascending column; what cancels is gone.
fn add_multiple(
    target: &mut Vec<(Var, Rational)>,
    source: &[(Var, Rational)],
    factor: &Rational,
    scratch: &mut Vec<(Var, Rational)>,
) {
    scratch.clear();
    let mut old = target.drain(..).peekable();
    for (var, coefficient) in source {
        while let Some(entry) = old.next_if(|(other, _)| other < var) {
            scratch.push(entry);
        }
        let product = coefficient * factor;
        match old.next_if(|(other, _)| other == var) {
            Some((_, own)) => {
                let sum = &own + &product;
                if !sum.is_zero() {
                    scratch.push((*var, sum));
                }
            }
            None => scratch.push((*var, product)),
        }
    }
    scratch.extend(old);
    std::mem::swap(target, scratch);
}

#[cfg(test)]
#[path = "simplex_tests.rs"]
mod tests;
