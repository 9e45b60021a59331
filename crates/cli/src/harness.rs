//! The harness of a counterexample as a file.

use crate::analysis::{Job, Verdict};
use crate::args::CheckArgs;
use crate::output;
use crate::target::{Language, Target};
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
                DataModel::Ilp32 => "-fwrapv -m32 -msse2 -mfpmath=sse",
                DataModel::Lp64 => "-fwrapv",
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
pub fn deliver(arguments: &CheckArgs, verdict: &Verdict) -> Delivered {
    let (Some(path), Verdict::False { harness: Some(harness), .. }) = (&arguments.harness, verdict) else {
        return Delivered::default();
    };
    if let Err(error) = write(path, &harness.text) {
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

/// Writes a file in one go: whoever looks finds all of it or what was there before.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut name = path.file_name().ok_or_else(|| io::Error::other("it has no file name"))?.to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let written = std::fs::write(&temporary, text).and_then(|()| std::fs::rename(&temporary, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    written
}
