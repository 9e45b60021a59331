//! Which variables belong to which instance of a replicated process.

use super::System;
use std::collections::{BTreeMap, BTreeSet};

impl System {
    /// For each replicated process that has variables, the positions of the variables of each instance, in corresponding
    /// order: those that are declared in it, and the elements of arrays that have its index and one for each instance.
    pub fn instances(&self) -> Vec<Vec<Vec<usize>>> {
        let mut families: BTreeMap<&str, BTreeSet<i64>> = BTreeMap::new();
        for transition in &self.transitions {
            if let (name, Some(instance)) = &transition.family {
                families.entry(name).or_default().insert(*instance);
            }
        }
        // The variables of each name, by index.
        let mut groups: BTreeMap<(&str, &str), BTreeMap<i64, usize>> = BTreeMap::new();
        for (position, variable) in self.variables.iter().enumerate() {
            if let Some((before, index, after)) = single_index(&variable.name) {
                groups.entry((before, after)).or_default().insert(index, position);
            }
        }
        let mut found = Vec::new();
        for indices in families.values() {
            let has_all = |group: &BTreeMap<i64, usize>| group.keys().eq(indices);
            let own: Vec<&BTreeMap<i64, usize>> = groups.values().filter(|group| has_all(group)).collect();
            let of = |index: &i64| own.iter().map(|group| group[index]).collect();
            let instances: Vec<Vec<usize>> = indices.iter().map(of).collect();
            if !own.is_empty() && indices.len() > 1 && !found.contains(&instances) {
                found.push(instances);
            }
        }
        found
    }
}

/// The index in a name such as `t[2]` or `P[2].pc`, with what is before and after it, if it is the only one.
fn single_index(name: &str) -> Option<(&str, i64, &str)> {
    let (before, rest) = name.split_once('[')?;
    let (index, after) = rest.split_once(']')?;
    let index = index.parse().ok()?;
    (!after.contains('[')).then_some((before, index, after))
}

#[cfg(test)]
mod tests {
    use super::single_index;

    #[test]
    fn finds_single_indices_only() {
        assert_eq!(single_index("P[2].pc"), Some(("P", 2, ".pc")));
        assert_eq!(single_index("t[-1]"), Some(("t", -1, "")));
        assert_eq!(single_index("t[1][2]"), None);
        assert_eq!(single_index("t"), None);
    }
}
