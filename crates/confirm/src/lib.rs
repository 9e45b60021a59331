//! The compiled program as a witness: it is compiled with sanitizers and the inputs of a counterexample, and run where it can do
//! no harm; what it does must be what was claimed.
//!
//! [`Sandbox::confirm`] does all of it. Knows nothing about engines, or how counterexamples are found.

mod compile;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod filter;
mod functions;
mod judge;
mod kernel;
mod observe;
mod sandbox;

pub use kernel::Kernel;
pub use sandbox::{Ending, Finished, Limit, Limits, Sandbox, Task};

use aster_cfa::ErrorKind;
use aster_evidence::{Harness, InvalidAccess};
use compile::{Compiled, Workshop};
use observe::Observation;
use std::path::Path;
use std::time::Duration;

/// Sizes of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// 32-bit pointers.
    Ilp32,
    /// 64-bit pointers.
    Lp64,
}

/// What the compiled program must do.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// The program.
    pub program: &'a Path,
    /// Its text.
    pub text: &'a str,
    /// Sizes of its types.
    pub model: Model,
    /// What is wrong.
    pub kind: ErrorKind,
    /// The file where it is, as reports call it.
    pub file: &'a str,
    /// The line, from 1.
    pub line: u32,
    /// The text of that file, which need not be the program's; empty if it is not known.
    pub place_text: &'a str,
    /// The access to memory that is wrong, if it is one.
    pub access: Option<&'a InvalidAccess>,
    /// It happens where a value is computed that nobody uses.
    pub in_unused: bool,
    /// What the error depends on and nobody supplies, such as the values of uninitialised variables: their names.
    pub unsupplied: &'a [String],
    /// Functions whose call is an error.
    pub error_functions: &'a [String],
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// The compiled program failed as was claimed.
    Confirmed,
    /// It did something else, which this sentence says: there is a defect in what made the claim.
    NotConfirmed(String),
    /// The compiled program cannot tell, for this reason.
    CouldNot(String),
}

/// The exit code of a run that a sanitizer ends.
const REPORT_CODE: i32 = 97;

/// More time than it takes to confirm something: what compiling and running may take.
pub const LONGEST: Duration = Duration::from_secs(90);

impl Sandbox {
    /// Compiles a program with the inputs of a counterexample, runs it, and compares what it does with what is claimed.
    ///
    /// Where the kernel does not confine programs, only those are run that call nothing but input, output and memory. `stops` is
    /// asked again and again whether the user lost patience.
    pub fn confirm(&self, claim: &Claim<'_>, harness: &Harness, stops: &dyn Fn() -> bool) -> Confirmation {
        match self.observe(claim, harness, stops) {
            Ok(observation) => judge::judge(claim, &harness.missing, &observation),
            Err(reason) => Confirmation::CouldNot(reason),
        }
    }

    /// What the compiled program does. The error is the reason why it is not known.
    fn observe(
        &self,
        claim: &Claim<'_>,
        harness: &Harness,
        stops: &dyn Fn() -> bool,
    ) -> Result<Observation, String> {
        let failed = |error: std::io::Error| format!("the program cannot be run: {error}");
        let workshop = Workshop::new().map_err(failed)?;
        let folder = workshop.empty_folder().map_err(failed)?;
        let compiled =
            compile::compile(&workshop, claim, &harness.text, stops).map_err(|error| error.to_string())?;
        self.require_harmless(&workshop, &compiled, claim)?;
        let finds_leaks = matches!(claim.kind, ErrorKind::MemoryLeak | ErrorKind::MemoryNotFreed);
        let environment = environment(claim.kind, finds_leaks);
        let task = Task {
            executable: &compiled.executable,
            folder: &folder,
            environment: &environment,
            finds_leaks,
        };
        self.run(task, stops).map(|finished| Observation::new(&finished)).map_err(failed)
    }

    fn require_harmless(
        &self,
        workshop: &Workshop,
        compiled: &Compiled,
        claim: &Claim<'_>,
    ) -> Result<(), String> {
        if self.kernel.confines() {
            return Ok(());
        }
        match functions::harm(workshop, compiled, claim.text) {
            None => Ok(()),
            Some(harm) => {
                let lacks = if self.kernel.files { "seccomp" } else { "Landlock" };
                Err(format!("this kernel cannot confine programs (it lacks {lacks}), and the program {harm}"))
            }
        }
    }
}

/// What the sanitizers are told.
fn environment(kind: ErrorKind, finds_leaks: bool) -> Vec<(&'static str, String)> {
    // Finding lines needs no other program, which could not be started.
    let common = format!("external_symbolizer_path=:exitcode={REPORT_CODE}:color=never");
    let leaks = u8::from(finds_leaks);
    // More is watched around allocated memory than would be without being asked for (`redzone`).
    let address = format!(
        "{common}:detect_leaks={leaks}:redzone=512:detect_stack_use_after_return=1:allocator_may_return_null=1:print_legend=0"
    );
    // What is not freed counts, whoever points to it.
    let roots = match kind {
        ErrorKind::MemoryNotFreed => {
            ":use_globals=0:use_stacks=0:use_registers=0:use_tls=0:use_root_regions=0"
        }
        // Without optimisation variables are in memory; registers hold what was left behind.
        _ => ":use_registers=0",
    };
    // Finding callers by frame pointers stops at libraries, which have none.
    let unwinding = if finds_leaks { ":fast_unwind_on_malloc=0" } else { "" };
    vec![
        ("LC_ALL", "C".to_owned()),
        ("ASAN_OPTIONS", address + unwinding),
        ("UBSAN_OPTIONS", common),
        ("LSAN_OPTIONS", format!("exitcode={REPORT_CODE}{roots}")),
    ]
}
