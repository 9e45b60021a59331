//! What the interpreter says of a program.

use crate::outcome::{Defect, Kind, Outcome};
use aster_c::{Checks, DataModel, LoadOptions, load_text};
use aster_cfa::interpreter::{End, Interpreter, RunEvent, RunLimits, ValueRef, Watcher};
use aster_cfa::{ErrorKind, Program, Span, Var};
use aster_term::{Sort, TermPool, Value};

/// The checks for what goes wrong on the way.
pub const ON_THE_WAY: Checks = Checks { overflow: true, memory: true, leaks: false, cleanup: false };
/// The check for memory that is left behind.
pub const AT_THE_END: Checks = Checks { overflow: false, memory: false, leaks: true, cleanup: false };

/// How the program ends in the interpreter.
pub fn run(name: &str, text: &str, model: DataModel, checks: Checks) -> Outcome {
    let mut pool = TermPool::new();
    let options = LoadOptions { data_model: model, checks, ..LoadOptions::default() };
    let program = match load_text(&mut pool, name, text, &options) {
        Ok(program) => program,
        Err(error) => return Outcome::NotKnown(error.render()),
    };
    let main = program.procedure_named("main").and_then(|main| program.procedure(main).result);
    let mut interpreter = Interpreter::new(&program, &pool);
    let mut inputs: Vec<Value> = Vec::new();
    loop {
        let mut watcher = Story { program: &program, main, result: 0, line: None };
        let limits = RunLimits { max_steps: 10_000_000, ..RunLimits::default() };
        match interpreter.run(&inputs, limits, &mut watcher) {
            End::Finished | End::Halted { .. } => return Outcome::Ends { result: watcher.result },
            // What the library's functions leave open gets zero.
            End::InputsExhausted { .. } if inputs.len() < 10_000 => {
                inputs.resize(inputs.len() * 2 + 1, Value::default_of(Sort::BitVec(32)).expect("a number"));
            }
            End::BadInput { index, expected, .. } => match Value::default_of(expected) {
                Some(value) => inputs[index] = value,
                None => return Outcome::NotKnown(format!("an input of sort {expected:?}")),
            },
            end => return outcome(&program, &end, watcher.line),
        }
    }
}

fn outcome(program: &Program, end: &End, last: Option<u32>) -> Outcome {
    let line = |span: Span| if program.sources.is_internal(span) { last } else { Some(span.line) };
    let fails = |kind, span| Outcome::Fails(Defect { kind, line: line(span) });
    match end {
        End::Error { kind: ErrorKind::Overflow, span, .. } => fails(Kind::Overflow, *span),
        End::Error { kind: ErrorKind::InvalidDereference, span, .. } => fails(Kind::Dereference, *span),
        End::Error { kind: ErrorKind::InvalidFree, span, .. } => fails(Kind::Free, *span),
        End::Error { kind: ErrorKind::MemoryLeak, .. } => Outcome::Leaks,
        End::Undefined { what, span, .. } if what.contains("overlap") => fails(Kind::Overlap, *span),
        End::Undefined { span, .. } => fails(Kind::Other, *span),
        _ => Outcome::NotKnown(describe(program, end)),
    }
}

fn describe(program: &Program, end: &End) -> String {
    match end {
        End::Unsupported { what, span } => format!("{}: {what}", program.sources.position(*span)),
        other => format!("{other:?}"),
    }
}

/// Watches for what `main` returns, and for the last line of the program's own text.
struct Story<'a> {
    program: &'a Program,
    main: Option<Var>,
    result: i32,
    line: Option<u32>,
}

impl Watcher for Story<'_> {
    fn on(&mut self, event: RunEvent<'_>) {
        match event {
            RunEvent::Assigned { variable, value: ValueRef::BitVec(bits), .. }
                if Some(variable) == self.main =>
            {
                self.result = (bits.unsigned() & 0xff) as i32;
            }
            RunEvent::Edge { edge, .. } => {
                let span = self.program.edge(edge).span;
                if !self.program.sources.is_internal(span) {
                    self.line = Some(span.line);
                }
            }
            _ => {}
        }
    }
}
