//! What happened during a run, with bounded memory: the first and the last entries are kept.

use crate::accesses::Accesses;
use aster_cfa::interpreter::{RunEvent, ValueRef, Watcher};
use aster_cfa::{Edge, Label, Procedure, Program, Span, Var};
use aster_term::{ArrayValue, BitVec, Sort, Term, TermPool, Value};
use std::collections::VecDeque;

/// Identifies one activation of a procedure within a run.
pub(crate) type Frame = u32;

/// How much of a run is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    /// Entries from the start.
    pub(crate) first: usize,
    /// Entries before the end.
    pub(crate) last: usize,
}

impl Default for Window {
    /// A step makes one or two entries.
    fn default() -> Self {
        Window { first: 20_000, last: 1_000_000 }
    }
}

/// A value, compactly: widths are known from the variable.
#[derive(Clone, Debug)]
pub(crate) enum Datum {
    Bits(u64, u64),
    Array(Box<ArrayValue>),
    /// An integer or a rational.
    Number(Box<Value>),
    /// An array that nobody will be shown: keeping each version of a memory would cost more than the run.
    NotKept,
}

impl Datum {
    fn new(value: ValueRef<'_>, is_shown: bool) -> Self {
        match value {
            ValueRef::Array(_) if !is_shown => Datum::NotKept,
            ValueRef::Bool(value) => Datum::Bits(0, u64::from(value)),
            ValueRef::BitVec(bits) => Datum::Bits((bits.unsigned() >> 64) as u64, bits.unsigned() as u64),
            ValueRef::Array(array) => Datum::Array(Box::new(array.clone())),
            ValueRef::Number(number) => Datum::Number(Box::new(number.clone())),
        }
    }

    /// The value as one of a variable of this sort.
    pub(crate) fn value(&self, sort: Sort) -> Option<Value> {
        Some(match (self, sort) {
            (Datum::Array(array), _) => Value::Array((**array).clone()),
            (Datum::Number(number), _) => (**number).clone(),
            (Datum::Bits(high, low), Sort::BitVec(width)) => {
                Value::BitVec(BitVec::new(width, u128::from(*high) << 64 | u128::from(*low)))
            }
            (Datum::Bits(_, low), _) => Value::Bool(*low != 0),
            (Datum::NotKept, _) => return None,
        })
    }
}

/// Where an assigned value came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The operation of the edge, in the same frame.
    Operation,
    /// The argument at this position, evaluated in the caller's frame.
    Argument { position: u32, caller: Frame },
    /// The result variable of the callee's frame.
    Returned { callee: Frame },
}

/// One thing that happened.
#[derive(Clone, Debug)]
pub(crate) enum Entry {
    /// `observed` are the values of the terms that [`Accesses::observe`] named, or empty.
    Edge {
        edge: Edge,
        frame: Frame,
        /// Of the source's frames.
        depth: u32,
        observed: Box<[u128]>,
    },
    Assigned {
        edge: Edge,
        variable: Var,
        frame: Frame,
        origin: Origin,
        value: Datum,
    },
    Input {
        index: usize,
    },
    Entered {
        procedure: Procedure,
    },
    Left {
        frame: Frame,
        /// Of the frame that control goes back to.
        depth: u32,
    },
}

/// Records a run.
pub(crate) struct Recorder<'a> {
    program: &'a Program,
    window: Window,
    first: Vec<Entry>,
    last: VecDeque<Entry>,
    dropped: u64,
    /// Edge of each input that was consumed.
    inputs: Vec<InputPlace>,
    frames: Vec<OpenFrame>,
    next_frame: Frame,
    /// What the next assignment by a call edge is.
    next_origin: Option<Origin>,
    accesses: Accesses<'a>,
    /// What was observed at the edge that comes next.
    observed: Box<[u128]>,
}

/// A finished record. Entries are in order; `gap` is where some are missing.
pub(crate) struct Record<'a> {
    pub(crate) entries: Vec<Entry>,
    pub(crate) gap: Option<Gap>,
    pub(crate) inputs: Vec<InputPlace>,
    /// What the edges of the run read and write.
    pub(crate) accesses: Accesses<'a>,
}

/// An input that was consumed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputPlace {
    pub(crate) edge: Edge,
    /// Where that is for the user, and the library function that took it if there is one: it is told at its call.
    pub(crate) span: Span,
    pub(crate) library: Option<Procedure>,
}

/// A frame of the run.
#[derive(Clone, Copy, Debug)]
struct OpenFrame {
    frame: Frame,
    /// How many of the frames up to this one the source does not have.
    hidden: u32,
    /// The last call in the source, and whether it was of a library function that is still active.
    call: Option<Span>,
    library: Option<Procedure>,
}

/// Entries that were not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gap {
    /// Position of the first entry after it.
    pub(crate) position: usize,
    /// How many edges were kept before and after it.
    pub(crate) edges_kept: u64,
}

/// The front end calls so what has no name in the source.
pub(crate) fn is_made_up(name: &str) -> bool {
    name.starts_with('<')
}

impl Record<'_> {
    /// The entries after a position, up to where some are missing.
    pub(crate) fn after(&self, at: usize) -> &[Entry] {
        let end = self.gap.map(|gap| gap.position).filter(|&position| at < position);
        &self.entries[at + 1..end.unwrap_or(self.entries.len())]
    }
}

impl<'a> Recorder<'a> {
    pub(crate) fn new(program: &'a Program, pool: &'a TermPool, window: Window) -> Self {
        Recorder {
            program,
            window,
            first: Vec::new(),
            last: VecDeque::new(),
            dropped: 0,
            inputs: Vec::new(),
            frames: vec![OpenFrame { frame: 0, hidden: 0, call: None, library: None }],
            next_frame: 1,
            next_origin: None,
            accesses: Accesses::new(program, pool),
            observed: Box::default(),
        }
    }

    fn push(&mut self, entry: Entry) {
        if self.first.len() < self.window.first {
            self.first.push(entry);
            return;
        }
        if self.last.len() >= self.window.last {
            self.last.pop_front();
            self.dropped += 1;
        }
        self.last.push_back(entry);
    }

    fn frame(&self) -> Frame {
        self.frames.last().map_or(0, |open| open.frame)
    }

    /// The depth of the frame on top as the source sees it.
    fn visible(&self, depth: usize) -> u32 {
        (depth as u32).saturating_sub(self.frames.last().map_or(0, |open| open.hidden))
    }

    /// The procedure is a model of a library function, or one that the front end made up.
    fn is_hidden(&self, procedure: Procedure) -> bool {
        let info = self.program.procedure(procedure);
        let first = self.program.node(info.entry).outgoing.first();
        let is_internal =
            first.is_some_and(|&edge| self.program.sources.is_internal(self.program.edge(edge).span));
        is_internal || is_made_up(&info.name)
    }

    fn opened(&self, edge: Edge, procedure: Procedure) -> OpenFrame {
        let caller = self.frames.last();
        let span = self.program.edge(edge).span;
        let is_hidden = self.is_hidden(procedure);
        let is_of_source = !self.program.sources.is_internal(span);
        OpenFrame {
            frame: self.next_frame,
            hidden: caller.map_or(0, |caller| caller.hidden) + u32::from(is_hidden),
            call: if is_of_source { Some(span) } else { caller.and_then(|caller| caller.call) },
            library: match (is_hidden, is_of_source) {
                (false, _) => None,
                (true, true) => Some(procedure),
                (true, false) => caller.and_then(|caller| caller.library),
            },
        }
    }

    fn input(&self, edge: Edge) -> InputPlace {
        let span = self.program.edge(edge).span;
        let top = self.frames.last();
        if !self.program.sources.is_internal(span) {
            return InputPlace { edge, span, library: None };
        }
        let call = top.and_then(|top| top.call);
        InputPlace { edge, span: call.unwrap_or(span), library: top.and_then(|top| top.library) }
    }

    pub(crate) fn finish(self) -> Record<'a> {
        let mut entries = self.first;
        let position = entries.len();
        entries.extend(self.last);
        let gap = (self.dropped > 0).then(|| {
            let edges = entries.iter().filter(|entry| matches!(entry, Entry::Edge { .. })).count();
            Gap { position, edges_kept: edges as u64 }
        });
        Record { entries, gap, inputs: self.inputs, accesses: self.accesses }
    }

    /// Parameters are assigned right after the call was entered, the result right after it was left.
    fn origin(&mut self, edge: Edge) -> Origin {
        if !matches!(self.program.edge(edge).label, Label::Call(_)) {
            return Origin::Operation;
        }
        let origin = self.next_origin.take().unwrap_or(Origin::Operation);
        if let Origin::Argument { position, caller } = origin {
            self.next_origin = Some(Origin::Argument { position: position + 1, caller });
        }
        origin
    }
}

impl Watcher for Recorder<'_> {
    fn observes(&self) -> bool {
        true
    }

    fn observed(&mut self, edge: Edge) -> Vec<Term> {
        self.accesses.observe(edge)
    }

    fn on(&mut self, event: RunEvent<'_>) {
        match event {
            RunEvent::Observed { values, .. } => self.observed = values.into(),
            RunEvent::Edge { edge, depth } => {
                let observed = std::mem::take(&mut self.observed);
                let depth = self.visible(depth);
                let entry = Entry::Edge { edge, frame: self.frame(), depth, observed };
                self.push(entry);
            }
            RunEvent::Assigned { edge, variable, value, .. } => {
                let origin = self.origin(edge);
                let is_shown = self.program.variable(variable).presentation.is_some();
                let (frame, value) = (self.frame(), Datum::new(value, is_shown));
                self.push(Entry::Assigned { edge, variable, frame, origin, value });
            }
            RunEvent::Input { edge, index } => {
                self.inputs.push(self.input(edge));
                self.push(Entry::Input { index });
            }
            RunEvent::Entered { procedure, edge, .. } => {
                let caller = self.frame();
                let opened = self.opened(edge, procedure);
                self.next_frame = self.next_frame.wrapping_add(1);
                self.frames.push(opened);
                self.next_origin = Some(Origin::Argument { position: 0, caller });
                self.push(Entry::Entered { procedure });
            }
            RunEvent::Left { depth, .. } => {
                let frame = self.frame();
                self.frames.pop();
                self.next_origin = Some(Origin::Returned { callee: frame });
                let depth = self.visible(depth.saturating_sub(1));
                self.push(Entry::Left { frame, depth });
            }
        }
    }
}
