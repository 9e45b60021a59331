//! The compiled program as a witness of `FALSE`.

use crate::analysis::{Failure, Verdict};
use crate::args::CheckArgs;
use crate::render::NOT_CONFIRMED;
use crate::target::{Language, Target};
use aster_bench::report::{Confirmed, Outcome, Reason};
use aster_bench::task::DataModel;
use aster_confirm::{Claim, Confirmation, Model, Sandbox};
use aster_engines::Budget;
use aster_evidence::Harness;
use std::path::Path;

/// What is told about it.
#[derive(Default)]
pub struct Told {
    /// For machines; `None` if the program was not to be run.
    pub report: Option<Confirmed>,
    /// For people.
    pub text: String,
}

/// Runs the compiled program after `FALSE`, if that was asked for. A program that does something else takes the verdict back.
pub fn confirm(arguments: &CheckArgs, target: &Target, budget: &Budget, verdict: &mut Verdict) -> Told {
    let Verdict::False { harness, failure, .. } = verdict else { return Told::default() };
    if !arguments.confirm {
        return Told::default();
    }
    let stops = || budget.exhausted() == Some(aster_engines::Limit::User);
    let told = |outcome, reason, text| Told { report: Some(Confirmed { outcome, reason }), text };
    let place = format!("{}:{}", failure.place.file, failure.place.line);
    match run(target, failure, harness.as_ref(), &stops) {
        Confirmation::Confirmed => {
            let text = format!("Confirmed: the compiled program fails in this way at {place}.\n\n");
            told(Outcome::Confirmed, None, text)
        }
        Confirmation::CouldNot(reason) => {
            let text = format!("The compiled program could not confirm it: {reason}.\n\n");
            told(Outcome::CouldNot, Some(reason), text)
        }
        Confirmation::NotConfirmed(what) => {
            let claimed = failure.kind.property();
            let message = format!("a violation of {claimed} was found at {place}, but {what}");
            let reason =
                Reason { keyword: NOT_CONFIRMED.to_owned(), message, construct: None, position: None };
            *verdict = Verdict::Unknown { reason, frontier: Vec::new() };
            told(Outcome::NotConfirmed, Some(what), String::new())
        }
    }
}

fn run(
    target: &Target,
    failure: &Failure,
    harness: Option<&Harness>,
    stops: &dyn Fn() -> bool,
) -> Confirmation {
    let could_not = |reason: &str| Confirmation::CouldNot(reason.to_owned());
    if target.language() != Language::C {
        return could_not("models are not compiled");
    }
    if target.is_stdin() {
        return could_not("the program came from standard input");
    }
    let Some(harness) = harness else { return could_not("nothing supplies the inputs") };
    let read = |path: &Path| std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let text = match read(&target.file) {
        Ok(text) => text,
        Err(error) => return could_not(&format!("the program cannot be read again: {error}")),
    };
    // Headers may be named in other ways than by where they are.
    let is_elsewhere = failure.place.file != target.name();
    let header = is_elsewhere.then(|| read(Path::new(&failure.place.file)).unwrap_or_default());
    let claim = Claim {
        program: &target.file,
        text: &text,
        place_text: header.as_deref().unwrap_or(&text),
        model: match target.data_model {
            DataModel::Ilp32 => Model::Ilp32,
            DataModel::Lp64 => Model::Lp64,
        },
        kind: failure.kind,
        file: &failure.place.file,
        line: failure.place.line,
        access: failure.access.as_ref(),
        in_unused: failure.in_unused,
        unsupplied: &failure.unsupplied,
        error_functions: &target.property.error_functions,
    };
    Sandbox::of_this_machine().confirm(&claim, harness, stops)
}
