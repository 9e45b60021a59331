//! Which assignments matter: a dynamic backward slice over a recorded run.
//!
//! A value matters if a condition that the run passed was computed from it, directly or through other
//! variables. Conditions are what decides that this path, and no other, was taken. Memory is followed cell by
//! cell: a read depends on the last write to its address only.

use crate::accesses::Accesses;
use crate::record::{Entry, Frame, Origin, Record};
use aster_cfa::{Edge, InputOrigin, Label, Op, Program, Var};
use aster_term::{Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// What of an input matters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Use {
    /// Nothing.
    #[default]
    Nothing,
    /// Its value.
    Value,
    /// These cells of an array, in ascending order.
    Cells(Vec<u128>),
}

/// What matters in a run.
pub(crate) struct Slice {
    /// For each entry whether it is an assignment or an input that matters.
    pub(crate) matters: Vec<bool>,
    /// For each input, in the order of the run, what of it matters.
    pub(crate) inputs: Vec<Use>,
}

/// Finds out what matters in a run.
pub(crate) fn slice<'a>(program: &'a Program, record: &mut Record<'a>) -> Slice {
    let unknown = record.gap.is_some();
    let inputs = record.inputs.iter().map(|input| unrecorded_use(program, input.edge, unknown)).collect();
    let mut slicer = Slicer {
        program,
        accesses: &mut record.accesses,
        scalars: FxHashSet::default(),
        cells: FxHashMap::default(),
        whole: FxHashSet::default(),
        pending: Vec::new(),
        slice: Slice { matters: vec![false; record.entries.len()], inputs },
    };
    for at in (0..record.entries.len()).rev() {
        if record.gap.is_some_and(|gap| gap.position == at + 1) {
            // What was not recorded may have written any cell.
            slicer.cells.clear();
            slicer.whole.clear();
        }
        slicer.entry(&record.entries, at);
    }
    slicer.slice
}

/// What is assumed of an input until a use of it is found: what was not recorded may have used it.
fn unrecorded_use(program: &Program, edge: Edge, unknown: bool) -> Use {
    match &program.edge(edge).label {
        Label::Op(Op::Havoc(_, input)) if unknown && is_asked_for(&input.origin) => Use::Value,
        _ => Use::Nothing,
    }
}

/// The program asks for it, instead of only failing to initialise something.
pub(crate) fn is_asked_for(origin: &InputOrigin) -> bool {
    !matches!(origin, InputOrigin::Uninitialised(_))
}

struct Slicer<'s, 'a> {
    program: &'a Program,
    accesses: &'s mut Accesses<'a>,
    /// Variables whose value is needed by something later; globals without a frame.
    scalars: FxHashSet<(Option<Frame>, Var)>,
    /// The cells of arrays that are needed.
    cells: FxHashMap<(Option<Frame>, Var), BTreeSet<u128>>,
    /// Arrays of which everything is needed.
    whole: FxHashSet<(Option<Frame>, Var)>,
    /// Terms that are needed; their edge comes next.
    pending: Vec<(Edge, Term)>,
    slice: Slice,
}

impl Slicer<'_, '_> {
    fn entry(&mut self, entries: &[Entry], at: usize) {
        match &entries[at] {
            Entry::Edge { edge, frame, observed, .. } => {
                for (of, term) in std::mem::take(&mut self.pending) {
                    if of == *edge {
                        self.want_term(*edge, term, *frame, observed);
                    }
                }
                match &self.program.edge(*edge).label {
                    Label::Op(Op::Assume(condition)) if self.accesses.edge(*edge).decides => {
                        self.want_term(*edge, *condition, *frame, observed);
                    }
                    Label::Op(Op::Assign(variable, _)) => {
                        self.write_cells(at, *edge, *variable, *frame, observed);
                    }
                    _ => {}
                }
            }
            Entry::Assigned { edge, variable, frame, origin, .. } => {
                self.assigned(entries, at, *edge, *variable, *frame, *origin);
            }
            Entry::Input { .. } | Entry::Entered { .. } | Entry::Left { .. } => {}
        }
    }

    fn key(&self, variable: Var, frame: Frame) -> (Option<Frame>, Var) {
        let is_local = self.program.variable(variable).owner.is_some();
        (is_local.then_some(frame), variable)
    }

    fn assigned(
        &mut self,
        entries: &[Entry],
        at: usize,
        edge: Edge,
        variable: Var,
        frame: Frame,
        origin: Origin,
    ) {
        let (program, key) = (self.program, self.key(variable, frame));
        let label = &program.edge(edge).label;
        if let Label::Op(Op::Havoc(_, input)) = label {
            let asked = is_asked_for(&input.origin);
            let used = self.satisfy(key);
            let index = match at.checked_sub(1).map(|before| &entries[before]) {
                Some(Entry::Input { index }) => *index,
                _ => return,
            };
            let matters = used != Use::Nothing;
            self.slice.matters[at] = matters;
            // Contents of memory are listed as inputs; no line of the source says when they come to be.
            let is_memory = matches!(program.variable(variable).sort, Sort::Array { .. });
            self.slice.matters[at - 1] = (matters || asked) && !is_memory;
            if matters && let Some(slot) = self.slice.inputs.get_mut(index) {
                *slot = used;
            }
            return;
        }
        if self.accesses.edge(edge).writes.is_some() {
            // Which cells it changes is known at its edge.
            return;
        }
        if self.satisfy(key) != Use::Nothing {
            self.slice.matters[at] = true;
            self.want_sources(label, edge, origin);
        }
    }

    /// An assignment to some cells of an array; the entry after its edge is told to matter.
    fn write_cells(&mut self, at: usize, edge: Edge, variable: Var, frame: Frame, observed: &[u128]) {
        let accesses = self.accesses.edge(edge);
        let Some(writes) = &accesses.writes else { return };
        let key = self.key(variable, frame);
        let everything = self.whole.contains(&key);
        if !everything && self.cells.get(&key).is_none_or(BTreeSet::is_empty) {
            return;
        }
        // Earlier writes are seen only in cells that later ones leave; all of them read the array as it was
        // before the first.
        let mut needed = Vec::new();
        for write in writes {
            let is_wanted = match self.accesses.value(edge, write.index, observed) {
                Some(index) => {
                    self.cells.get_mut(&key).is_some_and(|cells| cells.remove(&index)) || everything
                }
                None => true,
            };
            if is_wanted {
                needed.extend([write.index, write.value]);
            }
        }
        let matters = !needed.is_empty();
        for term in needed {
            self.want_term(edge, term, frame, observed);
        }
        if matters && let Some(assigned) = self.slice.matters.get_mut(at + 1) {
            *assigned = true;
        }
    }

    /// What of a variable was wanted; nothing is before this assignment of its whole value.
    fn satisfy(&mut self, key: (Option<Frame>, Var)) -> Use {
        let scalar = self.scalars.remove(&key);
        let whole = self.whole.remove(&key);
        match self.cells.remove(&key) {
            Some(cells) if !cells.is_empty() => Use::Cells(cells.into_iter().collect()),
            _ if whole => Use::Cells(Vec::new()),
            _ if scalar => Use::Value,
            _ => Use::Nothing,
        }
    }

    fn want_term(&mut self, edge: Edge, term: Term, frame: Frame, observed: &[u128]) {
        let wanted = self.accesses.dependencies(term);
        for &variable in &wanted.scalars {
            let key = self.key(variable, frame);
            self.scalars.insert(key);
        }
        for &variable in &wanted.arrays {
            let key = self.key(variable, frame);
            self.whole.insert(key);
        }
        for &(variable, index) in &wanted.cells {
            let key = self.key(variable, frame);
            match self.accesses.value(edge, index, observed) {
                Some(index) => {
                    self.cells.entry(key).or_default().insert(index);
                }
                None => {
                    self.whole.insert(key);
                }
            }
        }
    }

    fn want_sources(&mut self, label: &Label, edge: Edge, origin: Origin) {
        match (label, origin) {
            (Label::Op(Op::Assign(_, term)), _) => self.pending.push((edge, *term)),
            (Label::Call(call), Origin::Argument { position, .. }) => {
                let argument = call.arguments.get(position as usize);
                self.pending.extend(argument.map(|&argument| (edge, argument)));
            }
            (Label::Call(call), Origin::Returned { callee }) => {
                if let Some(result) = self.program.procedure(call.procedure).result {
                    let key = self.key(result, callee);
                    self.scalars.insert(key);
                }
            }
            _ => {}
        }
    }
}
