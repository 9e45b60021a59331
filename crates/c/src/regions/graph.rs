//! Cycles of the call graph.

use crate::typed::FunctionId;

/// The cycles of a call graph.
pub(super) struct CallGraph {
    /// The strongly connected component of each function.
    components: Vec<usize>,
    /// Whether the component has a cycle.
    cyclic: Vec<bool>,
    /// The functions that call each function.
    callers: Vec<Vec<usize>>,
}

impl CallGraph {
    /// A graph of so many functions; the calls may name one more than once.
    pub(super) fn new(functions: usize, calls: &[(FunctionId, FunctionId)]) -> Self {
        let mut forwards = vec![Vec::new(); functions];
        let mut backwards = vec![Vec::new(); functions];
        for (caller, callee) in calls {
            forwards[caller.index()].push(callee.index());
            backwards[callee.index()].push(caller.index());
        }
        // Kosaraju: searching backwards in the reverse order of leaving finds one component at a time.
        let mut order = Vec::with_capacity(functions);
        let mut seen = vec![false; functions];
        for start in 0..functions {
            search(&forwards, start, &mut seen, &mut order);
        }
        let mut components = vec![0; functions];
        let mut sizes = Vec::new();
        let mut seen = vec![false; functions];
        for &start in order.iter().rev() {
            let mut members = Vec::new();
            search(&backwards, start, &mut seen, &mut members);
            if members.is_empty() {
                continue;
            }
            for &member in &members {
                components[member] = sizes.len();
            }
            sizes.push(members.len());
        }
        let mut cyclic: Vec<bool> = sizes.iter().map(|&size| size > 1).collect();
        for (caller, callee) in calls {
            if caller == callee {
                cyclic[components[caller.index()]] = true;
            }
        }
        CallGraph { components, cyclic, callers: backwards }
    }

    /// The function can be reached from itself.
    pub(super) fn is_recursive(&self, function: FunctionId) -> bool {
        self.cyclic[self.components[function.index()]]
    }

    /// The functions that this one can be reached from, with at least one call, ascending.
    pub(super) fn callers(&self, function: FunctionId) -> Vec<FunctionId> {
        let mut seen = vec![false; self.callers.len()];
        let mut reached = Vec::new();
        for &caller in &self.callers[function.index()] {
            search(&self.callers, caller, &mut seen, &mut reached);
        }
        reached.sort_unstable();
        reached.into_iter().map(FunctionId::from_index).collect()
    }

    /// Each function can be reached from the other, with at least one call.
    pub(super) fn same_cycle(&self, a: FunctionId, b: FunctionId) -> bool {
        self.components[a.index()] == self.components[b.index()] && self.is_recursive(a)
    }
}

/// Appends what is reached from `start` and was not seen before, each when it is left.
fn search(successors: &[Vec<usize>], start: usize, seen: &mut [bool], left: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[start], true) {
        return;
    }
    let mut stack = vec![(start, 0)];
    while let Some((node, next)) = stack.last_mut() {
        match successors[*node].get(*next) {
            Some(&successor) => {
                *next += 1;
                if !std::mem::replace(&mut seen[successor], true) {
                    stack.push((successor, 0));
                }
            }
            None => {
                left.push(*node);
                stack.pop();
            }
        }
    }
}
