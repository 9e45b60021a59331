//! Path conditions, kept in groups of conjuncts that share no variables.
//!
//! A path condition is always satisfiable here, so whether it can be extended by a condition depends only on
//! the groups that share a variable with that condition.

use aster_term::{Term, TermPool, free_variables};
use imbl::{OrdMap, OrdSet, Vector};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A conjunction over inputs. Copies share structure.
#[derive(Clone, Default)]
pub(crate) struct PathCondition {
    /// All conjuncts.
    known: OrdSet<Term>,
    group_of: OrdMap<Term, u32>,
    groups: OrdMap<u32, Group>,
    next_group: u32,
}

#[derive(Clone, Default)]
struct Group {
    conjuncts: Vector<Term>,
    variables: Vector<Term>,
}

/// The part of a path condition that a question depends on.
pub(crate) struct Slice {
    pub(crate) conjuncts: Vec<Term>,
    /// All variables of the conjuncts.
    pub(crate) variables: Vec<Term>,
}

impl PathCondition {
    /// True if this is one of the conjuncts.
    pub(crate) fn contains(&self, conjunct: Term) -> bool {
        self.known.contains(&conjunct)
    }

    /// All conjuncts.
    pub(crate) fn conjuncts(&self) -> Vec<Term> {
        self.known.iter().copied().collect()
    }

    /// The conjuncts that share variables with a condition over `variables`, directly or through others.
    pub(crate) fn slice(&self, variables: &[Term]) -> Slice {
        let mut slice = Slice { conjuncts: Vec::new(), variables: variables.to_vec() };
        for group in self.groups_of(variables).iter().filter_map(|id| self.groups.get(id)) {
            slice.conjuncts.extend(group.conjuncts.iter().copied());
            slice.variables.extend(group.variables.iter().copied());
        }
        slice.variables.sort_unstable();
        slice.variables.dedup();
        slice
    }

    /// Adds a conjunct over `variables`.
    pub(crate) fn add(&mut self, conjunct: Term, variables: &[Term]) {
        if self.known.insert(conjunct).is_some() {
            return;
        }
        let mut touched: Vec<(u32, Group)> = self
            .groups_of(variables)
            .into_iter()
            .filter_map(|id| Some((id, self.groups.remove(&id)?)))
            .collect();
        touched.sort_by_key(|(id, group)| (std::cmp::Reverse(group.variables.len()), *id));
        let mut touched = touched.into_iter();
        // The largest group takes in the others, so that few variables change their group.
        let (id, mut merged) = touched.next().unwrap_or_else(|| {
            self.next_group += 1;
            (self.next_group, Group::default())
        });
        for (_, group) in touched {
            for &variable in &group.variables {
                self.group_of.insert(variable, id);
            }
            merged.variables.append(group.variables);
            merged.conjuncts.append(group.conjuncts);
        }
        for &variable in variables {
            if self.group_of.insert(variable, id).is_none() {
                merged.variables.push_back(variable);
            }
        }
        merged.conjuncts.push_back(conjunct);
        self.groups.insert(id, merged);
    }

    fn groups_of(&self, variables: &[Term]) -> Vec<u32> {
        let mut groups: Vec<u32> =
            variables.iter().filter_map(|variable| self.group_of.get(variable).copied()).collect();
        groups.sort_unstable();
        groups.dedup();
        groups
    }
}

/// The variables of conditions, remembered for a while: the same condition is met on many paths.
#[derive(Default)]
pub(crate) struct VariableSets {
    known: FxHashMap<Term, Rc<[Term]>>,
}

/// The memo is dropped when it holds this many conditions.
const MEMO_SIZE: usize = 1 << 16;

impl VariableSets {
    pub(crate) fn of(&mut self, pool: &TermPool, condition: Term) -> Rc<[Term]> {
        if self.known.len() >= MEMO_SIZE {
            self.known.clear();
        }
        Rc::clone(self.known.entry(condition).or_insert_with(|| free_variables(pool, &[condition]).into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aster_term::Sort;

    #[test]
    fn conditions_meet_only_through_shared_variables() {
        let mut pool = TermPool::new();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| pool.variable(name, Sort::BitVec(8)));
        let zero = pool.bv(8, 0);
        let [of_a, of_b, of_d] = [a, b, d].map(|x| pool.ult(zero, x));
        let of_ac = pool.ult(a, c);
        let of_bc = pool.ult(b, c);
        let mut condition = PathCondition::default();
        for (conjunct, variables) in [(of_a, vec![a]), (of_b, vec![b]), (of_d, vec![d]), (of_ac, vec![a, c])]
        {
            condition.add(conjunct, &variables);
        }
        let slice = condition.slice(&[c]);
        assert_eq!((slice.conjuncts, slice.variables), (vec![of_a, of_ac], vec![a, c]));
        assert_eq!(condition.slice(&[b]).conjuncts, [of_b]);

        assert!(condition.contains(of_ac) && !condition.contains(of_bc));
        condition.add(of_ac, &[a, c]);
        assert_eq!(condition.slice(&[c]).conjuncts, [of_a, of_ac], "a conjunct is kept once");

        let before = condition.clone();
        condition.add(of_bc, &[b, c]);
        let mut merged = condition.slice(&[a]).conjuncts;
        merged.sort_unstable();
        let mut expected = vec![of_a, of_b, of_ac, of_bc];
        expected.sort_unstable();
        assert_eq!(merged, expected);
        assert_eq!(condition.slice(&[d]).conjuncts, [of_d]);
        assert_eq!(before.slice(&[b]).conjuncts, [of_b], "a copy does not change");
    }
}
