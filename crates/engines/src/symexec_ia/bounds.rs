//! The bounds that are tried as auxiliary invariants.

use super::SymexIa;
use aster_cfa::{Label, Location, Op};
use aster_smt::interpolate::{self, FAR};
use aster_term::{Op as Operator, Sort, Term, TermPool, free_variables};
use rustc_hash::FxHashSet;

/// Bounds that are tried at a location.
pub(super) const MAX_BOUNDS: usize = 400;
/// Variables that are compared with each other, each with each.
const MAX_GROUP: usize = 8;

/// A small literal of the sort of a variable.
fn literal(pool: &mut TermPool, variable: Term, value: u32) -> Term {
    match pool.sort(variable) {
        Sort::BitVec(width) => pool.bv(width, value.into()),
        sort => pool.number(sort, i64::from(value).into()),
    }
}

/// The literals that a condition compares with, if they are so large that they may be the end of a loop. What bounds
/// one variable may bound others that count with it.
fn far_ends(pool: &mut TermPool, condition: Term) -> Vec<Term> {
    let comparisons = interpolate::atoms(pool, condition);
    let is_order = |&atom: &Term| matches!(pool.op(atom), Operator::BvSlt | Operator::BvSle);
    let is_far = |&term: &Term| pool.bv_constant(term).is_some_and(|bits| bits.signed() >= FAR.into());
    comparisons
        .into_iter()
        .filter(is_order)
        .flat_map(|atom| pool.args(atom))
        .copied()
        .filter(is_far)
        .collect()
}

/// The order of signed integers, or of numbers.
fn at_most(pool: &mut TermPool, a: Term, b: Term) -> Term {
    match pool.sort(a) {
        Sort::BitVec(_) => pool.sle(a, b),
        _ => pool.num_le(a, b),
    }
}

/// Signs.
fn about_zero(pool: &mut TermPool, variable: Term) -> [Term; 3] {
    let (zero, one) = (literal(pool, variable, 0), literal(pool, variable, 1));
    [at_most(pool, zero, variable), at_most(pool, one, variable), at_most(pool, variable, zero)]
}

/// A condition of the program, its opposite, and the orders that allow some of what it allows and some of what it does not.
fn near_condition(pool: &mut TermPool, condition: Term) -> Vec<Term> {
    let mut bounds = vec![condition, pool.not(condition)];
    let &[one, other] = pool.args(condition) else { return bounds };
    match pool.op(condition) {
        Operator::Eq if matches!(pool.sort(one), Sort::BitVec(_) | Sort::Int | Sort::Real) => {
            bounds.extend([at_most(pool, one, other), at_most(pool, other, one)]);
        }
        Operator::BvSlt | Operator::BvSle | Operator::NumLt | Operator::NumLe => {
            bounds.extend([at_most(pool, one, other), at_most(pool, other, one), pool.ne(one, other)]);
        }
        Operator::BvUlt | Operator::BvUle => {
            bounds.extend([pool.ule(one, other), pool.ule(other, one), pool.ne(one, other)]);
        }
        _ => {}
    }
    bounds
}

/// The order of two variables.
fn order(pool: &mut TermPool, one: Term, other: Term) -> Vec<Term> {
    let mut bounds = vec![at_most(pool, one, other), at_most(pool, other, one)];
    if matches!(pool.sort(one), Sort::BitVec(_)) {
        bounds.extend([pool.ule(one, other), pool.ule(other, one)]);
    }
    bounds
}

/// What keeps a variable that moves no faster than another one from wrapping around.
fn distance(pool: &mut TermPool, one: Term, other: Term, end: Term) -> [Term; 2] {
    let (up, down) = (pool.sub(one, other), pool.sub(other, one));
    [at_most(pool, up, end), at_most(pool, down, end)]
}

/// All pairs of variables of one sort in some groups of variables.
fn pairs(pool: &TermPool, groups: &[Vec<Term>]) -> Vec<(Term, Term)> {
    let mut pairs = Vec::new();
    for group in groups.iter().filter(|group| group.len() <= MAX_GROUP) {
        for (i, &one) in group.iter().enumerate() {
            let same_sort = group[i + 1..].iter().filter(|&&other| pool.sort(one) == pool.sort(other));
            pairs.extend(same_sort.map(|&other| (one, other)));
        }
    }
    pairs
}

impl SymexIa<'_> {
    /// The bounds that are tried at a location for the variables of some groups: sums from interpolation, signs,
    /// conditions of the program and what is near them, the order between variables that occur together, and how far
    /// they are apart.
    pub(super) fn bounds(&mut self, location: Location, groups: &[&[Term]]) -> Vec<Term> {
        let here: FxHashSet<Term> = groups.iter().copied().flatten().copied().collect();
        let conditions = self.conditions(location, |variable| here.contains(&variable));
        let (mut together, ends) = self.compared(location, &here);
        together.extend(groups.iter().map(|group| group.to_vec()));
        let pool = &mut *self.executor.pool;
        let pairs = pairs(pool, &together);
        let mut bounds = Vec::new();
        for &sum in self.sums.get(&location).into_iter().flatten() {
            if free_variables(pool, &[sum]).iter().all(|variable| here.contains(variable)) {
                bounds.extend([sum, pool.not(sum)]);
            }
        }
        for &variable in groups.iter().copied().flatten() {
            bounds.extend(about_zero(pool, variable));
        }
        for &end in &ends {
            for &variable in groups.iter().copied().flatten() {
                if pool.sort(variable) == pool.sort(end) {
                    bounds.push(at_most(pool, variable, end));
                }
            }
        }
        for condition in conditions {
            bounds.extend(near_condition(pool, condition));
        }
        for &(one, other) in &pairs {
            bounds.extend(order(pool, one, other));
        }
        for &(one, other) in &pairs {
            for &end in &ends {
                if pool.sort(one) == pool.sort(end) {
                    bounds.extend(distance(pool, one, other, end));
                }
            }
        }
        let mut known = FxHashSet::default();
        bounds.retain(|&bound| pool.bool_constant(bound).is_none() && known.insert(bound));
        bounds.truncate(MAX_BOUNDS);
        bounds
    }

    /// The variables that occur together in the operations of a location's procedure, and the far ends of loops there.
    fn compared(&mut self, location: Location, here: &FxHashSet<Term>) -> (Vec<Vec<Term>>, Vec<Term>) {
        let program = self.executor.program;
        let (mut together, mut ends) = (Vec::new(), Vec::new());
        for edge in program.edges() {
            let info = program.edge(edge);
            if program.node(info.source).procedure != program.node(location.node).procedure {
                continue;
            }
            let terms = match &info.label {
                Label::Op(Op::Assume(condition)) => {
                    ends.extend(far_ends(self.executor.pool, *condition));
                    vec![*condition]
                }
                Label::Op(Op::Assign(variable, value)) => vec![program.variable(*variable).term, *value],
                _ => continue,
            };
            let terms: Vec<Term> = terms
                .into_iter()
                .map(|term| self.frames.unfold(program, self.executor.pool, location.path, term))
                .collect();
            let variables = free_variables(self.executor.pool, &terms);
            together.push(variables.into_iter().filter(|variable| here.contains(variable)).collect());
        }
        let mut known = FxHashSet::default();
        ends.retain(|&end| known.insert(end));
        (together, ends)
    }
}
