//! Running the inputs of a counterexample.

use crate::accesses::Branch;
use crate::approximation::needs_approximation;
use crate::path::{self, LinePiece, Piece};
use crate::record::{Datum, Entry, Gap, InputPlace, Origin, Record, Recorder, Window};
use crate::slice::{Slice, Use, slice};
use crate::trace::{AccessedObject, Argument, Event, InvalidAccess, Item, Line, Place, Trace, TraceInput};
use crate::value::{PlainValue, ShownValue, show_cells, show_named};
use aster_cfa::interpreter::{End, InputSource, Interpreter, RunLimits};
use aster_cfa::{
    AccessKind, Edge, ErrorKind, InputOrigin, Label, Note, Op, PlacePart, Presentation, Procedure, Program,
    Span, Var,
};
use aster_term::{BitVec, Sort, Term, TermPool, Value};

/// Events that are shown for one line.
const MAX_EVENTS: usize = 16;

/// What came of a replay.
#[derive(Clone, Debug, PartialEq)]
pub enum Replay {
    /// The inputs reach an error of this kind.
    Confirmed(Box<Trace>, ErrorKind),
    /// They do, with a value that this function need not give.
    Approximated(String),
    /// They do not.
    Mismatch {
        /// How the run ended instead.
        end: End,
        /// The same as a sentence.
        details: String,
    },
}

/// Runs the program on the inputs. Only a run that reaches an error confirms a counterexample.
pub fn replay(program: &Program, pool: &TermPool, inputs: &[Value], limits: RunLimits<'_>) -> Replay {
    replay_within(program, pool, inputs, limits, Window::default())
}

pub(crate) fn replay_within(
    program: &Program,
    pool: &TermPool,
    inputs: &[Value],
    limits: RunLimits<'_>,
    window: Window,
) -> Replay {
    let (end, told) = run_within(program, pool, &mut inputs.iter(), limits, window);
    if let End::Error { kind, .. } = end {
        let trace = told();
        let guessed = trace.inputs.iter().find(|input| input.approximated);
        return match guessed {
            Some(input) if needs_approximation(program, pool, inputs, limits) => {
                Replay::Approximated(input.origin.clone())
            }
            _ => Replay::Confirmed(Box::new(trace), kind),
        };
    }
    let details = describe_end(program, &end);
    Replay::Mismatch { end, details }
}

/// Runs the program on inputs that are made as it asks for them, and tells the run however it ended.
pub fn tell_run(
    program: &Program,
    pool: &TermPool,
    inputs: &mut dyn InputSource,
    limits: RunLimits<'_>,
) -> (End, Trace) {
    let (end, told) = run_within(program, pool, inputs, limits, Window::default());
    let trace = told();
    (end, trace)
}

/// Runs the program; gives the end, and what makes the trace if it is wanted.
fn run_within<'a>(
    program: &'a Program,
    pool: &'a TermPool,
    inputs: &mut dyn InputSource,
    limits: RunLimits<'_>,
    window: Window,
) -> (End, impl FnOnce() -> Trace + use<'a>) {
    let mut recorder = Recorder::new(program, pool, window);
    let mut interpreter = Interpreter::new(program, pool);
    let mut inputs = Consumed { source: inputs, values: Vec::new() };
    let end = interpreter.run_from(&mut inputs, limits, &mut recorder);
    let (steps, span) = (interpreter.steps(), end.span().unwrap_or(interpreter.last_span()));
    let values = inputs.values;
    let ending = end.clone();
    let told = move || {
        let mut record = recorder.finish();
        let Slice { matters, inputs } = slice(program, &mut record);
        let (pieces, span) = path::build(program, pool, &record, &matters, span);
        let access = invalid_access(program, &record, &ending);
        let last = last_event(program, access.as_ref(), &ending);
        let inputs: Vec<(Use, Value)> = inputs.into_iter().zip(values).collect();
        let numbers = number_inputs(&inputs);
        let teller = Teller { program, pool, record: &record, inputs, numbers, steps };
        let in_unused = program.unused.iter().any(|unused| contains(*unused, span));
        Trace { access, in_unused, ..teller.trace(pieces, last, span) }
    };
    (end, told)
}

/// Keeps the inputs that were consumed.
struct Consumed<'a> {
    source: &'a mut dyn InputSource,
    values: Vec<Value>,
}

impl InputSource for Consumed<'_> {
    fn next_input(&mut self, edge: Edge, sort: Sort) -> Option<Value> {
        let value = self.source.next_input(edge, sort)?;
        self.values.push(value.clone());
        Some(value)
    }
}

/// How a run ended, as a sentence without a full stop.
pub fn describe_end(program: &Program, end: &End) -> String {
    let at = |span: &Span| program.sources.position(*span).to_string();
    match end {
        End::Error { span, .. } => format!("the run reached an error at {}", at(span)),
        End::Finished => "the program ran to its end without an error".into(),
        End::Halted { span } => format!("the program ended itself at {}", at(span)),
        End::Blocked { span } => format!("the run was blocked by an assumption at {}", at(span)),
        End::Unsupported { what, span } => {
            format!("the run came to a construct that is not modelled at {}: {what}", at(span))
        }
        End::Undefined { what, span, .. } => {
            format!("the program's behaviour is undefined at {}: {what}", at(span))
        }
        End::InputsExhausted { span } => {
            format!("the run asked for more inputs than there are at {}", at(span))
        }
        End::BadInput { index, expected, span } => {
            format!("input {} should have sort {expected} at {}", index + 1, at(span))
        }
        End::StepLimit { span } => format!("the limit of steps was reached at {}", at(span)),
        End::CallDepthLimit { span } => format!("the limit of nested calls was reached at {}", at(span)),
        End::Interrupted { span } => format!("the run was interrupted at {}", at(span)),
        End::ReadBeforeWrite { variable, span } => {
            let name = &program.variable(*variable).name;
            format!("variable `{name}` is read before it has a value at {}", at(span))
        }
        End::Malformed { what, span } => format!("the automaton is broken at {}: {what}", at(span)),
    }
}

/// Tells the pieces of a path in terms of the source.
struct Teller<'a> {
    program: &'a Program,
    pool: &'a TermPool,
    record: &'a Record<'a>,
    /// What of each input matters, and its value.
    inputs: Vec<(Use, Value)>,
    numbers: Vec<Option<usize>>,
    steps: u64,
}

impl Teller<'_> {
    fn trace(&self, pieces: Vec<Piece>, last: Event, span: Span) -> Trace {
        let mut path: Vec<Item> = pieces.iter().map(|piece| self.item(piece)).collect();
        if let Some(Item::Line(line)) = path.last_mut() {
            line.place = self.place(span);
            line.events.push(last);
        }
        let inputs = self.record.inputs.iter().enumerate();
        let inputs = inputs.filter_map(|(index, input)| self.input(index, input)).collect();
        Trace { inputs, path, end: self.place(span), steps: self.steps, access: None, in_unused: false }
    }

    /// The depth as the source sees it: an entry procedure that only prepares `main` does not count.
    fn depth(&self, depth: u32) -> u32 {
        let main = self.program.procedure_named("main");
        if main.is_some_and(|main| main != self.program.entry) { depth.saturating_sub(1) } else { depth }
    }

    fn place(&self, span: Span) -> Place {
        Place::new(self.program, span)
    }

    /// Counted as `aster run` counts them: without the contents of memory.
    fn number(&self, index: usize) -> Option<usize> {
        self.numbers.get(index).copied().flatten()
    }

    /// Of an array, only the cells that matter are shown.
    fn shown_input(&self, index: usize, presentation: &Presentation) -> Option<ShownValue> {
        Some(match self.inputs.get(index)? {
            (Use::Cells(cells), Value::Array(array)) => show_cells(self.program, array, cells, presentation),
            (_, Value::Array(array)) => show_cells(self.program, array, &[], presentation),
            (_, value) => show_named(self.program, value, presentation),
        })
    }

    fn input(&self, index: usize, at: &InputPlace) -> Option<TraceInput> {
        let info = self.program.edge(at.edge);
        let Label::Op(Op::Havoc(_, input)) = &info.label else { return None };
        let (InputOrigin::Nondet(origin)
        | InputOrigin::External(origin)
        | InputOrigin::Written(origin)
        | InputOrigin::Uninitialised(origin)
        | InputOrigin::Choice(origin)
        | InputOrigin::Approximated(origin)) = &input.origin;
        Some(TraceInput {
            number: self.number(index),
            origin: at.library.map_or_else(|| origin.clone(), |library| self.source_name(library)),
            uninitialised: matches!(input.origin, InputOrigin::Uninitialised(_)),
            approximated: matches!(input.origin, InputOrigin::Approximated(_)),
            written: matches!(input.origin, InputOrigin::Written(_)),
            is_call: at.library.is_some()
                || matches!(input.origin, InputOrigin::Nondet(_) | InputOrigin::External(_)),
            matters: self.inputs.get(index)?.0 != Use::Nothing,
            value: self.shown_input(index, &input.presentation)?,
            place: self.place(at.span),
        })
    }

    fn item(&self, piece: &Piece) -> Item {
        match piece {
            Piece::Line(line) => Item::Line(self.line(line)),
            Piece::MoreIterations { iterations, head, depth, .. } => {
                let (place, depth) = (self.place(*head), self.depth(*depth));
                Item::MoreIterations { iterations: *iterations, place, depth }
            }
            Piece::MoreLines(lines) => Item::MoreLines { lines: *lines },
            Piece::NotRecorded => {
                let kept = self.record.gap.map_or(0, |Gap { edges_kept, .. }| edges_kept);
                Item::NotRecorded { steps: self.steps.saturating_sub(kept) }
            }
        }
    }

    fn line(&self, line: &LinePiece) -> Line {
        let events = line.notes.iter().take(MAX_EVENTS).filter_map(|&at| self.event(at));
        let mut events = with_destinations(events);
        if line.notes.len() > MAX_EVENTS {
            events.push(Event::More { events: line.notes.len() - MAX_EVENTS });
        }
        let function = self.program.procedure(line.procedure).name.clone();
        Line { place: self.place(line.span), function, depth: self.depth(line.depth), events }
    }

    fn event(&self, at: usize) -> Option<Event> {
        match &self.record.entries[at] {
            Entry::Edge { edge, .. } => self.branch(*edge),
            Entry::Input { index } => self.input_event(at, *index),
            Entry::Entered { procedure } => Some(self.call(at, *procedure)),
            Entry::Assigned { edge, variable, origin, value, .. } => {
                self.write(at, *edge).or_else(|| self.assignment(*edge, *variable, *origin, value))
            }
            Entry::Left { .. } => None,
        }
    }

    fn branch(&self, edge: Edge) -> Option<Event> {
        let Branch { condition, taken } = self.record.accesses.known(edge)?.branch.clone()?;
        Some(Event::Branch { condition, taken })
    }

    /// An input's entry is followed by the assignment of its variable.
    fn input_event(&self, at: usize, index: usize) -> Option<Event> {
        let Entry::Assigned { edge, variable, .. } = self.record.after(at).first()? else {
            return None;
        };
        let Label::Op(Op::Havoc(_, input)) = &self.program.edge(*edge).label else { return None };
        let info = self.program.variable(*variable);
        let is_internal = self.program.sources.is_internal(self.program.edge(*edge).span);
        let name = info.presentation.as_ref().filter(|_| !is_internal).map(|_| info.name.clone());
        let value = self.shown_input(index, &input.presentation)?;
        Some(Event::Input { number: self.number(index)?, variable: name, value })
    }

    /// A call's entry is followed by the assignments of its parameters.
    fn call(&self, at: usize, procedure: Procedure) -> Event {
        let mut arguments = Vec::new();
        for entry in self.record.after(at) {
            let Entry::Assigned { variable, value, origin: Origin::Argument { .. }, .. } = entry else {
                break;
            };
            let info = self.program.variable(*variable);
            let presentation = info.presentation.as_ref();
            if let Some(value) = presentation.and_then(|it| self.shown(*variable, value, it)) {
                arguments.push(Argument { parameter: info.name.clone(), value });
            }
        }
        Event::Call { function: self.source_name(procedure), arguments }
    }

    /// A write to memory, which follows its edge.
    fn write(&self, at: usize, edge: Edge) -> Option<Event> {
        let Some(Note::Write(written)) = self.program.edge(edge).note.as_deref() else { return None };
        let observed = match &self.record.entries[at.checked_sub(1)?] {
            Entry::Edge { edge: of, observed, .. } if *of == edge => observed,
            _ => return None,
        };
        let shown = |term: Term, presentation: &Presentation| {
            let bits = self.record.accesses.value(edge, term, observed)?;
            let Sort::BitVec(width) = self.pool.sort(term) else { return None };
            Some(show_named(self.program, &Value::BitVec(BitVec::new(width, bits)), presentation))
        };
        let mut place = String::new();
        for part in &written.place {
            match part {
                PlacePart::Text(text) => place.push_str(text),
                PlacePart::Number(term, presentation) => match shown(*term, presentation)?.value {
                    PlainValue::Number(number) => place.push_str(&number),
                    PlainValue::Array { .. } => return None,
                },
            }
        }
        Some(Event::Assignment { variable: place, value: shown(written.value, &written.presentation)? })
    }

    fn assignment(&self, edge: Edge, variable: Var, origin: Origin, value: &Datum) -> Option<Event> {
        let info = self.program.variable(variable);
        if let Some(presentation) = &info.presentation {
            let value = self.shown(variable, value, presentation)?;
            let is_result =
                info.owner.is_some_and(|owner| self.program.procedure(owner).result == Some(variable));
            let variable = if is_result { "return value".into() } else { info.name.clone() };
            return Some(Event::Assignment { variable, value });
        }
        // A result that goes to a temporary is told by the function that gave it.
        let (Label::Call(call), Origin::Returned { .. }) = (&self.program.edge(edge).label, origin) else {
            return None;
        };
        let callee = self.program.procedure(call.procedure);
        let presentation = self.program.variable(callee.result?).presentation.as_ref()?;
        let value = self.shown(variable, value, presentation)?;
        Some(Event::Return { function: self.source_name(call.procedure), value })
    }

    /// Models of library functions go by the names of these.
    fn source_name(&self, procedure: Procedure) -> String {
        let name = &self.program.procedure(procedure).name;
        name.strip_prefix("__aster_").unwrap_or(name).to_owned()
    }

    fn shown(&self, variable: Var, value: &Datum, presentation: &Presentation) -> Option<ShownValue> {
        Some(show_named(self.program, &value.value(self.program.variable(variable).sort)?, presentation))
    }
}

/// The number of each input that has one.
fn number_inputs(inputs: &[(Use, Value)]) -> Vec<Option<usize>> {
    let mut last = 0;
    let mut number = |value: &Value| {
        let is_numbered = !matches!(value, Value::Array(_));
        last += usize::from(is_numbered);
        is_numbered.then_some(last)
    };
    inputs.iter().map(|(_, value)| number(value)).collect()
}

/// An input or a result that is stored at once is told together with where it goes.
fn with_destinations(events: impl Iterator<Item = Event>) -> Vec<Event> {
    let mut told: Vec<Event> = Vec::new();
    for event in events {
        if let Event::Assignment { variable, value } = &event {
            match told.last_mut() {
                Some(Event::Input { variable: to @ None, value: input, .. })
                    if input.value == value.value =>
                {
                    *to = Some(variable.clone());
                    continue;
                }
                Some(Event::Return { value: result, .. }) if result.value == value.value => {
                    told.pop();
                }
                _ => {}
            }
        }
        told.push(event);
    }
    told
}

/// What happened on the last line of a run.
fn last_event(program: &Program, access: Option<&InvalidAccess>, end: &End) -> Event {
    match (end, access) {
        (End::Error { .. }, Some(access)) => Event::Error { message: describe_access(access) },
        (End::Error { kind, .. }, None) => Event::Error { message: describe_error(*kind).into() },
        (end, _) => Event::End { message: describe_end(program, end) },
    }
}

/// True if one span lies within another.
fn contains(outer: Span, inner: Span) -> bool {
    let same_line = outer.file == inner.file && outer.line == inner.line;
    let end = |span: Span| span.column.saturating_add(span.length);
    same_line && outer.column <= inner.column && end(inner) <= end(outer)
}

/// The access to memory that a run ended with, if that is its error.
fn invalid_access(program: &Program, record: &Record<'_>, end: &End) -> Option<InvalidAccess> {
    let End::Error { kind: ErrorKind::InvalidDereference | ErrorKind::InvalidFree, .. } = end else {
        return None;
    };
    let mut edges = record.entries.iter().rev().filter_map(|entry| match entry {
        Entry::Edge { edge, observed, .. } => Some((*edge, observed)),
        _ => None,
    });
    let (edge, observed, access) = edges.by_ref().take(2).find_map(|(edge, observed)| {
        Some((edge, observed, record.accesses.known(edge)?.invalid_access.as_ref()?))
    })?;
    let value = |term: Term| record.accesses.value(edge, term, observed);
    let (address, length) = (value(access.address)?, value(access.length)?);
    let (object, extent) = (value(access.object)?, value(access.extent)?);
    // The extent is one more than the size, and zero where nothing is alive.
    let object = extent.checked_sub(1).map(|size| {
        let known = program.objects.iter().find(|known| known.address == object && known.size == size);
        AccessedObject { name: known.map(|known| known.name.clone()), address: object, size }
    });
    Some(InvalidAccess { kind: access.kind, address, length, object })
}

/// What is wrong with an access to memory.
fn describe_access(access: &InvalidAccess) -> String {
    let address = access.address;
    let bytes = |count: u128| format!("{count} byte{}", if count == 1 { "" } else { "s" });
    let is_free = access.kind == AccessKind::Free;
    let accessed = match (access.length, access.kind) {
        (0, _) => "memory is accessed".to_owned(),
        (length, AccessKind::Write) => format!("{} written", bytes(length)),
        (length, _) => format!("{} accessed", bytes(length)),
    };
    let Some(AccessedObject { name, address: object, size }) = &access.object else {
        return match address {
            _ if is_free => {
                format!("{address:#x} is freed, where no object is alive (freed before, or never allocated)")
            }
            0 => format!("{accessed} through a null pointer"),
            _ => format!("{accessed} at {address:#x}, where no object is alive"),
        };
    };
    let name = match name {
        Some(name) => format!("'{name}' of {}", bytes(*size)),
        None => format!("an object of {}", bytes(*size)),
    };
    match address.checked_sub(*object) {
        Some(0) if is_free => format!("{name} is freed, which was not allocated by malloc or its relatives"),
        Some(offset) if is_free => format!("{name} is freed at offset {offset}, not at its start"),
        Some(offset) if access.kind == AccessKind::Write => {
            format!("{accessed} at offset {offset} of {name}, which is constant")
        }
        Some(offset) => format!("{accessed} at offset {offset} of {name}"),
        None => format!("{accessed} {} before {name}", bytes(object - address)),
    }
}

fn describe_error(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Reached => "the error is reached",
        ErrorKind::Overflow => "the result does not fit its type",
        ErrorKind::InvalidDereference => "memory is accessed that belongs to no object",
        ErrorKind::InvalidFree => "memory is freed that was not allocated, or was freed before",
        ErrorKind::MemoryLeak => "allocated memory is left behind that nothing points to",
        ErrorKind::MemoryNotFreed => "allocated memory was not freed",
    }
}
