//! Conjuncts grouped by shared variables, kept up to date while a query grows and shrinks at its end.

use aster_term::{Term, TermPool};
use rustc_hash::FxHashMap;

/// A sequence of conjuncts and the finest partition of them in which two that share a variable are
/// together.
///
/// Consecutive queries mostly share a long prefix. So this is a union-find over variables that can be
/// rolled back: it merges by size, does not compress paths, and logs each merge. Each term of the
/// current conjuncts is visited once, however many conjuncts it is part of.
#[derive(Default)]
pub(super) struct Partition {
    conjuncts: Vec<Conjunct>,
    /// For each visited term a variable (as position in `variables`) that it contains, if any.
    class: FxHashMap<Term, Option<u32>>,
    /// The visited terms in order of their visit, to undo visits.
    visited: Vec<Term>,
    variables: Vec<Variable>,
    /// The roots that were put below another root, to undo merges.
    merged: Vec<u32>,
}

struct Conjunct {
    term: Term,
    class: Option<u32>,
    /// Lengths of the logs before this conjunct came.
    visited: usize,
    variables: usize,
    merged: usize,
}

struct Variable {
    term: Term,
    parent: u32,
    size: u32,
}

/// One class of the partition.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Group {
    /// Its conjuncts, oldest first.
    pub(super) conjuncts: Vec<Term>,
    /// All variables that occur in them.
    pub(super) variables: Vec<Term>,
}

impl Partition {
    /// Changes the sequence of conjuncts to this one.
    pub(super) fn set(&mut self, pool: &TermPool, conjuncts: &[Term]) {
        let common = self.conjuncts.iter().zip(conjuncts).take_while(|(old, new)| old.term == **new).count();
        self.roll_back(common);
        for &term in &conjuncts[common..] {
            self.add(pool, term);
        }
    }

    /// The groups, the one with the newest conjunct first. Conjuncts without variables are a group of
    /// their own.
    pub(super) fn groups(&self) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut of_root: FxHashMap<Option<u32>, usize> = FxHashMap::default();
        for conjunct in self.conjuncts.iter().rev() {
            let root = conjunct.class.map(|variable| self.root(variable));
            let group = *of_root.entry(root).or_insert_with(|| {
                groups.push(Group::default());
                groups.len() - 1
            });
            groups[group].conjuncts.push(conjunct.term);
        }
        for (position, variable) in self.variables.iter().enumerate() {
            if let Some(&group) = of_root.get(&Some(self.root(position as u32))) {
                groups[group].variables.push(variable.term);
            }
        }
        for group in &mut groups {
            group.conjuncts.reverse();
        }
        groups
    }

    fn roll_back(&mut self, length: usize) {
        let Some(first_gone) = self.conjuncts.get(length) else { return };
        let (visited, variables, merged) = (first_gone.visited, first_gone.variables, first_gone.merged);
        for child in self.merged.drain(merged..).rev() {
            let parent = self.variables[child as usize].parent as usize;
            self.variables[parent].size -= self.variables[child as usize].size;
            self.variables[child as usize].parent = child;
        }
        for term in self.visited.drain(visited..) {
            self.class.remove(&term);
        }
        self.variables.truncate(variables);
        self.conjuncts.truncate(length);
    }

    fn add(&mut self, pool: &TermPool, conjunct: Term) {
        let (visited, variables, merged) = (self.visited.len(), self.variables.len(), self.merged.len());
        let mut stack = vec![conjunct];
        while let Some(&term) = stack.last() {
            if self.class.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(pool.args(term).iter().filter(|a| !self.class.contains_key(a)));
            if stack.len() > before {
                continue;
            }
            let class = self.classify(pool, term);
            self.class.insert(term, class);
            self.visited.push(term);
            stack.pop();
        }
        let class = self.class[&conjunct];
        self.conjuncts.push(Conjunct { term: conjunct, class, visited, variables, merged });
    }

    /// The class of a term whose arguments have one; merges the classes of the arguments.
    fn classify(&mut self, pool: &TermPool, term: Term) -> Option<u32> {
        if pool.is_variable(term) {
            let position = self.variables.len() as u32;
            self.variables.push(Variable { term, parent: position, size: 1 });
            return Some(position);
        }
        let mut class = None;
        for arg in pool.args(term) {
            match (class, self.class[arg]) {
                (None, other) => class = other,
                (Some(one), Some(other)) => self.merge(one, other),
                (Some(_), None) => {}
            }
        }
        class
    }

    fn root(&self, mut variable: u32) -> u32 {
        while self.variables[variable as usize].parent != variable {
            variable = self.variables[variable as usize].parent;
        }
        variable
    }

    fn merge(&mut self, one: u32, other: u32) {
        let (one, other) = (self.root(one), self.root(other));
        if one == other {
            return;
        }
        let (child, parent) = if self.variables[one as usize].size < self.variables[other as usize].size {
            (one, other)
        } else {
            (other, one)
        };
        self.variables[child as usize].parent = parent;
        self.variables[parent as usize].size += self.variables[child as usize].size;
        self.merged.push(child);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aster_term::Sort;

    fn groups_of(partition: &mut Partition, pool: &TermPool, conjuncts: &[Term]) -> Vec<Vec<Term>> {
        partition.set(pool, conjuncts);
        partition.groups().into_iter().map(|group| group.conjuncts).collect()
    }

    #[test]
    fn groups_follow_shared_variables_and_roll_back() {
        let mut pool = TermPool::new();
        let vars: Vec<Term> = (0..6).map(|i| pool.variable(&format!("v{i}"), Sort::BitVec(8))).collect();
        let pair = |pool: &mut TermPool, i: usize, j: usize| pool.ult(vars[i], vars[j]);
        let (ab, cd, bc, ef) =
            (pair(&mut pool, 0, 1), pair(&mut pool, 2, 3), pair(&mut pool, 1, 2), pair(&mut pool, 4, 5));
        let mut partition = Partition::default();
        assert_eq!(groups_of(&mut partition, &pool, &[ab, cd, ef]), [vec![ef], vec![cd], vec![ab]]);
        assert_eq!(groups_of(&mut partition, &pool, &[ab, cd, bc, ef]), [vec![ef], vec![ab, cd, bc]]);
        // The merge of ab and cd must be undone, though both stay.
        assert_eq!(groups_of(&mut partition, &pool, &[ab, cd]), [vec![cd], vec![ab]]);
        assert_eq!(groups_of(&mut partition, &pool, &[]), Vec::<Vec<Term>>::new());
        assert!(partition.class.is_empty() && partition.variables.is_empty());
    }

    #[test]
    fn a_group_lists_its_variables() {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::BitVec(8));
        let y = pool.variable("y", Sort::BitVec(8));
        let p = pool.variable("p", Sort::Bool);
        let below = pool.ult(x, y);
        let mut partition = Partition::default();
        partition.set(&pool, &[below, p]);
        let groups = partition.groups();
        assert_eq!(groups[0], Group { conjuncts: vec![p], variables: vec![p] });
        assert_eq!(groups[1].variables.len(), 2);
    }

    #[test]
    fn constants_do_not_connect() {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::BitVec(8));
        let y = pool.variable("y", Sort::BitVec(8));
        let five = pool.bv(8, 5);
        let (a, b) = (pool.ult(x, five), pool.ult(y, five));
        assert_eq!(groups_of(&mut Partition::default(), &pool, &[a, b]).len(), 2);
    }

    /// After any sequence of changes the groups are those of a partition built from nothing.
    #[test]
    fn incremental_equals_fresh() {
        let mut pool = TermPool::new();
        let vars: Vec<Term> = (0..12).map(|i| pool.variable(&format!("v{i}"), Sort::BitVec(8))).collect();
        let mut state = 7u64;
        let mut random = move |below: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % below
        };
        let mut partition = Partition::default();
        let mut conjuncts: Vec<Term> = Vec::new();
        for _ in 0..500 {
            conjuncts.truncate(random(conjuncts.len() + 1).max(conjuncts.len().saturating_sub(4)));
            for _ in 0..random(5) {
                let (a, b) = (vars[random(vars.len())], vars[random(vars.len())]);
                let sum = if random(2) == 0 { pool.add(a, b) } else { a };
                let bound = pool.bv(8, random(256) as u128);
                conjuncts.push(pool.ult(sum, bound));
            }
            partition.set(&pool, &conjuncts);
            let mut fresh = Partition::default();
            fresh.set(&pool, &conjuncts);
            assert_eq!(partition.groups(), fresh.groups());
        }
    }
}
