//! Partial-order reduction: a process that is about to take a step that concerns nobody else takes it before all others.
//!
//! A location of a process (a value of a control variable that only its transitions write) is local if some transition of
//! it is enabled there whatever the other variables hold, and each of them
//! - neither reads what transitions of other processes write, nor writes what they read or write,
//! - writes nothing that the error condition is about,
//! - leads to a certain other location, such that no local locations are on a cycle.
//!
//! The reduced system allows a transition only if its own process is in a local location (and, if that is wanted, none before it
//! is) or none is. `docs/soundness.md` says why it reaches an error if and only if the system does.

use super::{Assigned, System, Transition};
use aster_smt::{Answer, Solver};
use aster_term::{Substitution, Term, TermPool, free_variables};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// For each process that has local locations, the formula that says that it is in one.
pub(super) type Local = BTreeMap<usize, Term>;

/// Which processes in local locations may go on if there are several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// All of them, so that equal processes stay equal.
    Any,
    /// The first one.
    First,
}

/// The local locations of all processes. Where the solver does not know, there are none.
pub(super) fn local_locations(system: &System, pool: &mut TermPool, solver: &mut dyn Solver) -> Local {
    let mut local = Local::new();
    for process in processes(system) {
        if let Some(condition) = local_condition(system, pool, solver, process) {
            local.insert(process, condition);
        }
    }
    local
}

/// The reduced system.
pub(super) fn reduced(system: &System, pool: &mut TermPool, local: &Local, order: Order) -> System {
    let mut reduced = system.clone();
    for transition in &mut reduced.transitions {
        let own = local.get(&transition.process).copied();
        let mut allowed = pool.bool(true);
        for (&process, &condition) in local.iter().filter(|(process, _)| **process != transition.process) {
            let mut may_go_on = pool.not(condition);
            // A process in a local location has to wait for those before it at most.
            if let Some(own) = own
                && (order == Order::Any || process > transition.process)
            {
                may_go_on = pool.or(own, may_go_on);
            }
            allowed = pool.and(allowed, may_go_on);
        }
        transition.guard = pool.and(transition.guard, allowed);
    }
    reduced
}

fn processes(system: &System) -> Vec<usize> {
    let mut processes: Vec<usize> = system.transitions.iter().map(|transition| transition.process).collect();
    processes.sort_unstable();
    processes.dedup();
    processes
}

/// The formula that says that a process is in a local location.
fn local_condition(
    system: &System,
    pool: &mut TermPool,
    solver: &mut dyn Solver,
    process: usize,
) -> Option<Term> {
    let (own, others): (Vec<&Transition>, Vec<&Transition>) =
        system.transitions.iter().partition(|transition| transition.process == process);
    let free: Vec<bool> = {
        let shared = Shared::new(system, pool, &others);
        own.iter().map(|transition| shared.is_free(system, pool, transition)).collect()
    };
    let written_by_others: FxHashSet<usize> = others.iter().flat_map(|other| written(other)).collect();
    let counter = own
        .iter()
        .flat_map(|transition| written(transition))
        .find(|&position| system.variables[position].is_control && !written_by_others.contains(&position))?;
    let variable = system.variables[counter].term;

    let mut targets: BTreeMap<Term, Vec<Term>> = BTreeMap::new();
    for location in locations(system, pool, &own, counter) {
        let mut substitution = Substitution::new();
        substitution.insert(variable, location);
        let mut none = Vec::new();
        let mut leads_to = Vec::new();
        let mut is_local = true;
        for (transition, &is_free) in own.iter().zip(&free) {
            let guard = substitution.apply(pool, transition.guard);
            if pool.bool_constant(guard) == Some(false) {
                continue;
            }
            none.push(pool.not(guard));
            let target = transition.assignments.iter().find(|(position, _)| *position == counter);
            match target {
                Some(&(_, Assigned::Term(to))) if is_free && pool.constant(to).is_some() => leads_to.push(to),
                _ => is_local = false,
            }
        }
        if is_local && !none.is_empty() && matches!(solver.check(pool, &none), Answer::Unsat(_)) {
            targets.insert(location, leads_to);
        }
    }
    without_cycles(&mut targets);
    let locations: Vec<Term> = targets.into_keys().collect();
    let mut condition = None;
    for location in locations {
        let is_there = pool.eq(variable, location);
        condition = Some(condition.map_or(is_there, |before| pool.or(before, is_there)));
    }
    condition
}

/// What transitions of other processes, and the error condition, are about.
struct Shared {
    read: FxHashSet<Term>,
    written: FxHashSet<Term>,
    visible: FxHashSet<Term>,
}

impl Shared {
    fn new(system: &System, pool: &TermPool, others: &[&Transition]) -> Self {
        let read = others.iter().flat_map(|transition| read(pool, transition)).collect();
        let term = |position: usize| system.variables[position].term;
        let written = others.iter().flat_map(|transition| written(transition)).map(term).collect();
        Shared { read, written, visible: free_variables(pool, &[system.error]).into_iter().collect() }
    }

    fn is_free(&self, system: &System, pool: &TermPool, transition: &Transition) -> bool {
        let writes = |position: usize| {
            let term = system.variables[position].term;
            self.read.contains(&term) || self.written.contains(&term) || self.visible.contains(&term)
        };
        !written(transition).any(writes)
            && !read(pool, transition).iter().any(|term| self.written.contains(term))
    }
}

/// The variables that a transition reads.
fn read(pool: &TermPool, transition: &Transition) -> Vec<Term> {
    let mut terms = vec![transition.guard];
    terms.extend(transition.assignments.iter().filter_map(|&(_, assigned)| match assigned {
        Assigned::Term(term) => Some(term),
        Assigned::Nondet => None,
    }));
    free_variables(pool, &terms)
}

/// The positions of the variables that a transition writes.
fn written(transition: &Transition) -> impl Iterator<Item = usize> + '_ {
    transition.assignments.iter().map(|&(position, _)| position)
}

/// The literals that a variable is set to: at first, or by a transition of its process.
fn locations(system: &System, pool: &TermPool, own: &[&Transition], counter: usize) -> Vec<Term> {
    let assigned = own.iter().flat_map(|transition| &transition.assignments);
    let assigned = assigned.filter_map(|&(position, assigned)| match assigned {
        Assigned::Term(term) if position == counter && pool.constant(term).is_some() => Some(term),
        _ => None,
    });
    let mut found: Vec<Term> = assigned.chain(system.variables[counter].initial).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Removes nodes until no cycle is left: whatever is on one, or leads to one that is.
fn without_cycles(targets: &mut BTreeMap<Term, Vec<Term>>) {
    // How many of the nodes that a node leads to were not removed in order.
    let mut open: FxHashMap<Term, usize> = FxHashMap::default();
    let mut sources: FxHashMap<Term, Vec<Term>> = FxHashMap::default();
    let mut done: Vec<Term> = Vec::new();
    for (&from, to) in targets.iter() {
        let inside: Vec<Term> = to.iter().copied().filter(|to| targets.contains_key(to)).collect();
        if inside.is_empty() {
            done.push(from);
        }
        open.insert(from, inside.len());
        for to in inside {
            sources.entry(to).or_default().push(from);
        }
    }
    let mut is_ordered: FxHashSet<Term> = FxHashSet::default();
    while let Some(node) = done.pop() {
        is_ordered.insert(node);
        for source in sources.get(&node).into_iter().flatten() {
            if let Some(count) = open.get_mut(source) {
                *count -= 1;
                if *count == 0 {
                    done.push(*source);
                }
            }
        }
    }
    targets.retain(|node, _| is_ordered.contains(node));
}
