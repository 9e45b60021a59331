//! Replaying a counterexample before it is believed, and telling it.

use crate::analysis::{Failure, Job, Verdict};
use crate::render::depends_on;
use aster_cfa::interpreter::{End, RunLimits};
use aster_cfa::{ErrorKind, Program};
use aster_engines::{Counterexample, Reason};
use aster_evidence::{Replay, Trace, TraceInput};
use aster_term::TermPool;
use serde_json::json;
use std::collections::BTreeSet;

/// The functions without body whose results the path depends on.
fn guessed(program: &Program, trace: &Trace) -> Vec<String> {
    let is_guessed = |name: &str| {
        let mut inputs = trace.inputs.iter().filter(|input| input.is_call || input.written);
        inputs.any(|input| input.matters && input.origin == name)
    };
    let called = program.functions.called.iter();
    called.filter(|function| is_guessed(&function.name)).map(|function| function.name.clone()).collect()
}

/// What the error depends on and no file in C can supply: values of what is not initialised, what functions write, and what models of
/// library functions choose. Where a pointer points to nothing that is known, its value is not looked at, so that it does not count as
/// one that matters: any pointer may be the one.
fn unsupplied(trace: &Trace, kind: ErrorKind) -> Vec<String> {
    let is_value_unknown = kind == ErrorKind::InvalidDereference && trace.access.is_none();
    let is_pointer = |input: &TraceInput| input.value.type_name.ends_with('*');
    let inputs = trace.inputs.iter().filter(|input| !input.is_call || input.origin.starts_with("__builtin_"));
    let inputs = inputs.filter(|input| input.matters || is_value_unknown && is_pointer(input));
    inputs.map(|input| input.origin.clone()).collect::<BTreeSet<_>>().into_iter().collect()
}

impl Job {
    /// The verdict that the counterexample deserves: `False` only if the replay confirms it.
    pub fn replay(&self, program: &Program, pool: &TermPool, counterexample: &Counterexample) -> Verdict {
        let interrupted = || self.budget.exhausted().is_some();
        let limits = RunLimits { interrupted: Some(&interrupted), ..RunLimits::default() };
        match aster_evidence::replay(program, pool, &counterexample.inputs, limits) {
            Replay::Confirmed(trace, kind) => {
                let unknown = guessed(program, &trace);
                let unsupplied = unsupplied(&trace, kind);
                Verdict::False {
                    property: kind.property(),
                    counterexample: json!({
                        "inputs": trace.inputs,
                        "trace": trace.path,
                        "error": trace.end,
                        "steps": trace.steps,
                        "depends_on": unknown,
                    }),
                    text: aster_evidence::render_text(&trace, &program.sources) + &depends_on(&unknown),
                    harness: self.harness(program, pool, &counterexample.inputs),
                    failure: Failure {
                        kind,
                        place: trace.end,
                        access: trace.access,
                        in_unused: trace.in_unused,
                        unsupplied,
                    },
                }
            }
            Replay::Approximated(function) => Verdict::unknown(&Reason::Approximated(function)),
            Replay::Mismatch { end, details } => {
                let reason = match (end, self.budget.exhausted()) {
                    (End::Interrupted { .. }, Some(limit)) => Reason::Limit(limit),
                    _ => Reason::ReplayMismatch(details),
                };
                Verdict::unknown(&reason)
            }
        }
    }
}
