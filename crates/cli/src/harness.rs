//! The harness of a counterexample as a file.

use crate::analysis::{Job, Verdict};
use crate::args::CheckArgs;
use crate::target::{Language, Target};
use crate::watchdog::{self, Limits, Waited};
use crate::{output, panics};
use aster_bench::report;
use aster_bench::task::DataModel;
use aster_cfa::Program;
use aster_evidence::{Harness, HarnessOptions};
use aster_term::{TermPool, Value};
use std::fmt::Write as _;
use std::io;
use std::path::Path;

/// What became of the harness.
#[derive(Default)]
pub struct Delivered {
    /// For machines; `None` if there is no file.
    pub report: Option<report::Harness>,
    /// For people.
    pub text: String,
}

impl Job {
    /// The harness for these inputs, if it was asked for or the compiled program shall be run.
    pub fn harness(&self, program: &Program, pool: &TermPool, inputs: &[Value]) -> Option<Harness> {
        let is_wanted = self.arguments.harness.is_some() || self.arguments.confirm;
        if !is_wanted || self.target.language() != Language::C {
            return None;
        }
        let options = HarnessOptions {
            file: &self.target.name(),
            compiler_options: match self.target.data_model {
                DataModel::Ilp32 => "-m32 -msse2 -mfpmath=sse",
                DataModel::Lp64 => "",
            },
            error_functions: &self.target.property.error_functions,
            assert_is_error: self.target.property.assert_is_error,
        };
        Some(aster_evidence::harness(program, pool, inputs, options))
    }
}

/// The harness must not take the place of the program.
pub fn refuse_to_overwrite(arguments: &CheckArgs, target: &Target) -> anyhow::Result<()> {
    let same = |a: &Path, b: &Path| matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b);
    match &arguments.harness {
        Some(path) if same(path, &target.file) || same(path, &arguments.file) => {
            anyhow::bail!("--harness would overwrite {}", path.display())
        }
        _ => Ok(()),
    }
}

/// Writes the harness of a counterexample, if it was asked for. That it cannot be written changes no verdict.
pub fn deliver(arguments: &CheckArgs, verdict: &Verdict, limits: &Limits) -> Delivered {
    let (Some(path), Verdict::False { harness: Some(harness), .. }) = (&arguments.harness, verdict) else {
        return Delivered::default();
    };
    if let Err(error) = write(path, &harness.text, limits) {
        output::complain(&format!("the harness was not written: {}: {error}", path.display()));
        return Delivered::default();
    }
    let mut text = format!("The inputs are supplied by {}.\n", path.display());
    if !harness.missing.is_empty() {
        text.push_str("It cannot supply what the path needs besides:\n");
    }
    for sentence in &harness.missing {
        let _ = writeln!(text, "  {sentence}");
    }
    text.push('\n');
    let report = report::Harness { file: path.display().to_string(), missing: harness.missing.clone() };
    Delivered { report: Some(report), text }
}

/// Writes the file, but does not wait beyond the limits for somebody who would read from a pipe.
fn write(path: &Path, text: &str, limits: &Limits) -> io::Result<()> {
    let (file, content) = (path.to_owned(), text.to_owned());
    let work = move || output::save(&file, content.as_bytes());
    // A budget of its own: that of the analysis may be at its end, and the verdict is there nevertheless.
    match watchdog::within(limits, &limits.budget(), work).map_err(io::Error::other)? {
        Waited::Done(written) => written,
        Waited::CutOff(limit) => Err(io::Error::other(limit.to_string())),
        Waited::Lost => Err(io::Error::other(panics::message())),
    }
}
