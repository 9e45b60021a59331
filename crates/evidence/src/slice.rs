//! Which assignments matter: a dynamic backward slice over a recorded run.
//!
//! A value matters if a condition that the run passed was computed from it, directly or through other
//! variables. Conditions are what decides that this path, and no other, was taken.

use crate::record::{Entry, Frame, Origin};
use aster_cfa::{Label, Op, Program, Var};
use aster_term::{Term, TermPool, free_variables};
use rustc_hash::{FxHashMap, FxHashSet};

/// For each entry whether it is an assignment that matters.
pub(crate) fn slice(program: &Program, pool: &TermPool, entries: &[Entry]) -> Vec<bool> {
    let mut slicer = Slicer { program, pool, used: FxHashMap::default(), wanted: FxHashSet::default() };
    let mut matters = vec![false; entries.len()];
    for (entry, matters) in entries.iter().zip(&mut matters).rev() {
        match entry {
            Entry::Edge { edge, frame, .. } => {
                if let Label::Op(Op::Assume(condition)) = program.edge(*edge).label {
                    slicer.want_term(condition, *frame);
                }
            }
            Entry::Assigned { edge, variable, frame, origin, .. } => {
                if slicer.satisfy(*variable, *frame) {
                    *matters = true;
                    slicer.want_sources(&program.edge(*edge).label, *frame, *origin);
                }
            }
            Entry::Input { .. } | Entry::Entered { .. } | Entry::Left { .. } => {}
        }
    }
    matters
}

struct Slicer<'a> {
    program: &'a Program,
    pool: &'a TermPool,
    /// Variables of each term.
    used: FxHashMap<Term, Vec<Var>>,
    /// Variables whose value is needed by something later; globals without a frame.
    wanted: FxHashSet<(Option<Frame>, Var)>,
}

impl Slicer<'_> {
    fn key(&self, variable: Var, frame: Frame) -> (Option<Frame>, Var) {
        let is_local = self.program.variable(variable).owner.is_some();
        (is_local.then_some(frame), variable)
    }

    fn want(&mut self, variable: Var, frame: Frame) {
        self.wanted.insert(self.key(variable, frame));
    }

    fn want_term(&mut self, term: Term, frame: Frame) {
        let (program, pool) = (self.program, self.pool);
        let used = self.used.entry(term).or_insert_with(|| {
            let terms = free_variables(pool, &[term]);
            terms.into_iter().filter_map(|term| program.variable_of_term(term)).collect()
        });
        for &variable in used.iter() {
            let is_local = program.variable(variable).owner.is_some();
            self.wanted.insert((is_local.then_some(frame), variable));
        }
    }

    /// True if the variable was wanted; it no longer is before this assignment.
    fn satisfy(&mut self, variable: Var, frame: Frame) -> bool {
        let key = self.key(variable, frame);
        self.wanted.remove(&key)
    }

    fn want_sources(&mut self, label: &Label, frame: Frame, origin: Origin) {
        match (label, origin) {
            (Label::Op(Op::Assign(_, term)), _) => self.want_term(*term, frame),
            (Label::Call(call), Origin::Argument { position, caller }) => {
                if let Some(&argument) = call.arguments.get(position as usize) {
                    self.want_term(argument, caller);
                }
            }
            (Label::Call(call), Origin::Returned { callee }) => {
                if let Some(result) = self.program.procedure(call.procedure).result {
                    self.want(result, callee);
                }
            }
            _ => {}
        }
    }
}
