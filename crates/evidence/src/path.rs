//! From a recorded run to the lines of a path.
//!
//! Consecutive steps on one source line are joined. Iterations of a loop are told apart by its head;
//! of many iterations the first and the last ones stay, and those that took a way through the loop
//! that none before them took. The path is a flat list at all times, and what is left out is dropped
//! as soon as that is known, so that neither deep recursion nor long loops need much memory.

use crate::record::{Entry, Frame, Origin, Record, is_made_up};
use aster_cfa::loops::{Loop, LoopInfo};
use aster_cfa::{Edge, Label, Node, Note, Op, Procedure, Program, Span};
use aster_term::TermPool;
use std::collections::VecDeque;

/// Iterations that are shown at the start and at the end of a loop.
const FIRST_ITERATIONS: u64 = 2;
const LAST_ITERATIONS: usize = 3;
/// Iterations in between that are shown because they are new.
const MAX_NEW_ITERATIONS: usize = 6;
/// Pieces that are shown at the start and at the end of the path.
const FIRST_PIECES: usize = 150;
const LAST_PIECES: usize = 250;

/// A piece of the path.
#[derive(Debug)]
pub(crate) enum Piece {
    Line(LinePiece),
    MoreIterations { iterations: u64, head: Span, frame: Frame, id: Loop, depth: u32 },
    MoreLines(u64),
    NotRecorded,
}

/// A source line; `notes` are positions of the entries that say something about it.
#[derive(Debug)]
pub(crate) struct LinePiece {
    pub(crate) span: Span,
    pub(crate) procedure: Procedure,
    pub(crate) depth: u32,
    pub(crate) notes: Vec<usize>,
    frame: Frame,
    /// It runs before the first call: where globals are initialised.
    is_prologue: bool,
    /// An iteration of a loop starts there.
    is_start: bool,
}

/// An iteration that is over but may still be left out.
struct Iteration {
    number: u64,
    start: usize,
    shape: u64,
}

/// A loop that the run is in.
struct OpenLoop {
    frame: Frame,
    id: Loop,
    depth: u32,
    current: Iteration,
    undecided: VecDeque<Iteration>,
    /// Ways through the loop of the iterations that are shown.
    shown: Vec<u64>,
}

/// Where the run is.
#[derive(Clone, Copy)]
struct Position {
    procedure: Procedure,
    frame: Frame,
    depth: u32,
}

struct Builder<'a> {
    program: &'a Program,
    pool: &'a TermPool,
    record: &'a Record<'a>,
    matters: &'a [bool],
    loops: LoopInfo,
    pieces: Vec<Piece>,
    open: Vec<OpenLoop>,
    /// The last piece may take more of its line.
    is_joinable: bool,
    /// The next line starts an iteration.
    is_start: bool,
    has_called: bool,
    /// The run is in a file that is none of the user's, of which nothing is told.
    is_hidden: bool,
    /// The last place that was not hidden.
    last: Option<Span>,
    position: Position,
}

/// The path of a run that ended in an error at `error`, and where that is for the user.
pub(crate) fn build(
    program: &Program,
    pool: &TermPool,
    record: &Record<'_>,
    matters: &[bool],
    error: Span,
) -> (Vec<Piece>, Span) {
    let mut builder = Builder {
        program,
        pool,
        record,
        matters,
        loops: LoopInfo::new(program),
        pieces: Vec::new(),
        open: Vec::new(),
        is_joinable: false,
        is_start: false,
        has_called: false,
        is_hidden: false,
        last: None,
        position: Position { procedure: program.entry, frame: 0, depth: 0 },
    };
    for (at, entry) in record.entries.iter().enumerate() {
        if record.gap.is_some_and(|gap| gap.position == at) {
            builder.close_loops(0);
            builder.pieces.push(Piece::NotRecorded);
            builder.is_joinable = false;
        }
        builder.entry(at, entry, matters[at]);
    }
    let is_hidden = program.sources.is_internal(error);
    let end = if is_hidden { builder.last.unwrap_or(error) } else { error };
    builder.line(end);
    builder.close_loops(0);
    (builder.finish(), end)
}

impl Builder<'_> {
    fn entry(&mut self, at: usize, entry: &Entry, matters: bool) {
        match entry {
            Entry::Edge { edge, frame, depth, .. } => self.edge(at, *edge, *frame, *depth),
            Entry::Input { .. } if matters => self.note(at),
            Entry::Input { .. } => {}
            Entry::Entered { procedure } => {
                if !self.is_hidden && !is_made_up(&self.program.procedure(*procedure).name) {
                    self.note(at);
                }
                self.has_called = true;
            }
            Entry::Left { frame, depth } => {
                let frame = *frame;
                let keep = self.open.iter().rposition(|open| open.frame != frame).map_or(0, |last| last + 1);
                self.close_loops(keep);
                self.position.depth = *depth;
            }
            Entry::Assigned { edge, variable, frame, origin, .. } => {
                let info = self.program.variable(*variable);
                let is_result =
                    info.owner.is_some_and(|owner| self.program.procedure(owner).result == Some(*variable));
                let is_named = info.presentation.is_some() && (is_result || !is_made_up(&info.name));
                let is_shown = matters && (is_named || self.is_write(*edge)) || self.takes_input(at, *edge);
                match origin {
                    // Inputs are told by their own entry.
                    Origin::Operation if is_shown && !self.is_hidden && !self.is_havoc(*edge) => {
                        self.note(at);
                        // An iteration that does what matters is told apart from those that do not.
                        if let Some(open) = self.open.last_mut() {
                            open.current.shape = mix(open.current.shape, edge.index() as u64);
                        }
                    }
                    Origin::Returned { .. } => {
                        let info = self.program.edge(*edge);
                        self.position.procedure = self.program.node(info.source).procedure;
                        self.position.frame = *frame;
                        self.is_hidden = self.program.sources.is_internal(info.span);
                        if matters && !self.is_hidden {
                            self.line(info.span);
                            self.note(at);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn is_havoc(&self, edge: Edge) -> bool {
        matches!(self.program.edge(edge).label, Label::Op(Op::Havoc(..)))
    }

    /// The edge is known to write something that the source names.
    fn is_write(&self, edge: Edge) -> bool {
        matches!(self.program.edge(edge).note.as_deref(), Some(Note::Write(_)))
    }

    /// The edge writes the input to memory that is the last thing told: that says where the input goes.
    fn takes_input(&self, at: usize, edge: Edge) -> bool {
        let Some(Note::Write(written)) = self.program.edge(edge).note.as_deref() else { return false };
        let Some(Piece::Line(line)) = self.pieces.last() else { return false };
        let Some(&last) = line.notes.last().filter(|&&last| last + 1 < at) else { return false };
        match (&self.record.entries[last], &self.record.entries[last + 1]) {
            (Entry::Input { .. }, Entry::Assigned { variable, .. }) => {
                self.program.variable(*variable).term == written.value
            }
            _ => false,
        }
    }

    fn edge(&mut self, at: usize, edge: Edge, frame: Frame, depth: u32) {
        let info = self.program.edge(edge);
        let procedure = self.program.node(info.source).procedure;
        self.is_hidden = self.program.sources.is_internal(info.span);
        if self.is_hidden {
            return;
        }
        self.last = Some(info.span);
        self.position = Position { procedure, frame, depth };
        self.follow_loops(info.source);
        let accesses = self.record.accesses.known(edge);
        let is_check = accesses.is_some_and(|accesses| accesses.is_check);
        let is_choice = self.program.node(info.source).outgoing.len() > 1;
        if is_choice
            && !is_check
            && let Some(open) = self.open.last_mut()
        {
            open.current.shape = mix(open.current.shape, edge.index() as u64);
        }
        let is_condition = match info.label {
            Label::Op(Op::Assume(condition)) => self.pool.constant(condition).is_none(),
            _ => false,
        };
        let is_jump = matches!(info.label, Label::Op(Op::Assume(_))) && !is_condition;
        // The entry after that of a declaration without initialiser is its input.
        let is_idle = self.is_havoc(edge) && self.matters.get(at + 1) == Some(&false);
        if (is_jump && !is_choice) || is_idle {
            return;
        }
        self.line(info.span);
        if accesses.is_some_and(|accesses| accesses.branch.is_some()) {
            self.note(at);
        }
    }

    /// Makes sure that the last piece is the line of this span.
    fn line(&mut self, span: Span) {
        let Position { procedure, frame, depth } = self.position;
        // Copying and filling memory are loops that the source does not have: their iterations say nothing.
        let is_start = std::mem::take(&mut self.is_start);
        if let Some(Piece::Line(line)) = self.pieces.last_mut()
            && (self.is_joinable || line.notes.is_empty())
            && (line.span.file, line.span.line, line.frame) == (span.file, span.line, frame)
        {
            line.is_start |= is_start;
            self.is_joinable = true;
            return;
        }
        let is_prologue = !self.has_called && procedure == self.program.entry;
        let notes = Vec::new();
        let line = LinePiece { span, procedure, depth, notes, frame, is_prologue, is_start };
        self.pieces.push(Piece::Line(line));
        self.is_joinable = true;
    }

    fn note(&mut self, at: usize) {
        if let Some(Piece::Line(line)) = self.pieces.last_mut() {
            line.notes.push(at);
        }
    }

    /// Closes the loops that the run has left by coming to `node`, opens those that it has entered,
    /// and starts the next iteration if the node is the head of one that it is in.
    fn follow_loops(&mut self, node: Node) {
        let Position { frame, depth, .. } = self.position;
        while let Some(open) = self.open.last()
            && open.frame == frame
            && !self.loops.contains(open.id, node)
        {
            self.close_loops(self.open.len() - 1);
        }
        let innermost = self.loops.innermost(node);
        let top = self.open.last().filter(|open| open.frame == frame).map(|open| open.id);
        if top == innermost {
            if innermost.is_some_and(|id| self.loops.head(id) == node) {
                self.next_iteration();
            }
            return;
        }
        // What is open in this frame contains the node, so the rest of its loops are inside.
        let mut entered = Vec::new();
        let mut current = innermost;
        while let Some(id) = current
            && Some(id) != top
        {
            entered.push(id);
            current = self.loops.parent(id);
        }
        // The first line may join the one before, as in `for (i = 0; i < n; i++)`: no first iteration is
        // ever left out.
        for id in entered.into_iter().rev() {
            self.is_start = true;
            let current = Iteration { number: 0, start: self.pieces.len(), shape: 0 };
            let (undecided, shown) = (VecDeque::new(), Vec::new());
            self.open.push(OpenLoop { frame, id, depth, current, undecided, shown });
        }
    }

    fn next_iteration(&mut self) {
        self.is_joinable = false;
        self.is_start = true;
        let start = self.pieces.len();
        let Some(open) = self.open.last_mut() else { return };
        let next = Iteration { number: open.current.number + 1, start, shape: 0 };
        open.undecided.push_back(std::mem::replace(&mut open.current, next));
        if open.undecided.len() > LAST_ITERATIONS {
            self.decide_oldest();
        }
    }

    /// Keeps the oldest undecided iteration of the innermost loop or leaves it out.
    fn decide_oldest(&mut self) {
        let Some(open) = self.open.last_mut() else { return };
        let Some(iteration) = open.undecided.pop_front() else { return };
        let is_new = !open.shown.contains(&iteration.shape);
        let has_room = open.shown.len() < FIRST_ITERATIONS as usize + MAX_NEW_ITERATIONS;
        if iteration.number < FIRST_ITERATIONS || (is_new && has_room) {
            if is_new {
                open.shown.push(iteration.shape);
            }
            return;
        }
        let end = open.undecided.front().map_or(open.current.start, |next| next.start);
        let length = end - iteration.start;
        if length == 0 {
            return;
        }
        let (id, frame, depth) = (open.id, open.frame, open.depth);
        let before = iteration.start.checked_sub(1).and_then(|index| self.pieces.get_mut(index));
        let shrunk = match before {
            Some(Piece::MoreIterations { iterations, id: other, frame: of, .. })
                if (*other, *of) == (id, frame) =>
            {
                *iterations += 1;
                self.pieces.drain(iteration.start..end);
                length as isize
            }
            _ => {
                let head = self.head_span(id);
                let piece = Piece::MoreIterations { iterations: 1, head, frame, id, depth };
                self.pieces.splice(iteration.start..end, [piece]);
                length as isize - 1
            }
        };
        let Some(open) = self.open.last_mut() else { return };
        for later in open.undecided.iter_mut().chain([&mut open.current]) {
            later.start = (later.start as isize - shrunk) as usize;
        }
    }

    fn head_span(&self, id: Loop) -> Span {
        let head = self.loops.head(id);
        let first = self.program.node(head).outgoing.first();
        first.map_or_else(
            || Span::line_start(aster_cfa::FileId::from_index(0), 1),
            |&edge| self.program.edge(edge).span,
        )
    }

    /// Closes all open loops but the outermost `keep`. For the loop around it, a loop counts by the ways
    /// through it that were taken, not by how often.
    fn close_loops(&mut self, keep: usize) {
        while self.open.len() > keep {
            let Some(mut closed) = self.open.pop() else { return };
            let last = closed.undecided.iter().chain([&closed.current]).map(|iteration| iteration.shape);
            closed.shown.extend(last);
            closed.shown.sort_unstable();
            closed.shown.dedup();
            if let Some(around) = self.open.last_mut() {
                let id = closed.id.index() as u64;
                let shape = closed.shown.into_iter().fold(mix(0, id), mix);
                around.current.shape = mix(around.current.shape, shape);
            }
        }
    }

    fn finish(self) -> Vec<Piece> {
        let has_called = self.has_called;
        let mut pieces = self.pieces;
        let error = pieces.pop();
        pieces.retain(|piece| match piece {
            Piece::Line(line) => !(has_called && line.is_prologue && line.notes.is_empty()),
            _ => true,
        });
        pieces.extend(error);
        let mut pieces = joined(pieces);
        if pieces.len() > FIRST_PIECES + LAST_PIECES + 1 {
            let end = pieces.len() - LAST_PIECES;
            let count = pieces[FIRST_PIECES..end].len() as u64;
            pieces.splice(FIRST_PIECES..end, [Piece::MoreLines(count)]);
        }
        pieces
    }
}

/// Joins the end of an iteration with the start of the next one if both are on one line, as in `for` loops.
/// A loop that is all on one line keeps one line for each iteration.
fn joined(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut result: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        if let (Some(Piece::Line(before)), Piece::Line(line)) = (result.last_mut(), &piece)
            && line.is_start
            && !before.is_start
            && (line.span.file, line.span.line, line.frame)
                == (before.span.file, before.span.line, before.frame)
        {
            before.notes.extend(&line.notes);
            continue;
        }
        result.push(piece);
    }
    result
}

/// Adds a number to a hash of a sequence.
fn mix(hash: u64, number: u64) -> u64 {
    (hash.rotate_left(5) ^ number.wrapping_add(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0x517c_c1b7_2722_0a95)
}
