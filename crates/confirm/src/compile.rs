//! Compiling a program with sanitizers and the inputs of a counterexample, in a folder of its own.

use crate::observe::ABORT_MESSAGE;
use crate::sandbox::{self, Ending, Limit, Limits};
use crate::{Claim, Model};
use aster_cfa::ErrorKind;
use std::ffi::OsString;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// The compiler: AddressSanitizer finds lines by itself only in gcc's version.
const COMPILER: &str = "gcc";

/// How a program ends itself by `abort` in the sandbox, as shells say it.
const ABORT_CODE: i32 = 134;

/// Seconds after which lost memory is looked for in a program that is still running.
const LOOKS_AFTER: u32 = 2;

/// How much the compiler may use for one file.
const LIMITS: Limits = Limits {
    time: Duration::from_secs(60),
    memory: 4 << 30,
    stack: u64::MAX,
    output: 1 << 20,
    processes: usize::MAX,
};

/// Whose checks end the run where overflows are the property.
const OVERFLOWS: &str = "signed-integer-overflow,shift,integer-divide-by-zero";

/// A folder that nobody else can look into, removed at the end.
pub(crate) struct Workshop(PathBuf);

impl Workshop {
    pub(crate) fn new() -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = std::env::temp_dir().join(format!("aster-confirm-{}-{number}", std::process::id()));
            match std::fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Workshop(path)),
                // Somebody's who had the same number before.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The folder that the program starts in, which stays empty.
    pub(crate) fn empty_folder(&self) -> io::Result<PathBuf> {
        let path = self.0.join("empty");
        std::fs::create_dir(&path).map(|()| path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn write(&self, name: &str, text: &str) -> io::Result<PathBuf> {
        let path = self.path(name);
        std::fs::write(&path, text).map(|()| path)
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The files that a program is linked from, and the result.
pub(crate) struct Compiled {
    /// The program's own part.
    pub(crate) program: PathBuf,
    /// What else is linked: the inputs, and what this crate adds.
    pub(crate) rest: Vec<PathBuf>,
    /// All of it.
    pub(crate) executable: PathBuf,
}

/// Why there is no executable.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CompileError {
    #[error("{COMPILER} is not installed")]
    NoCompiler,
    #[error("{COMPILER} makes no {0} here")]
    NoTarget(&'static str),
    #[error("{COMPILER} refuses the program: {0}")]
    Refused(String),
    #[error("{COMPILER} took too long or too much memory")]
    Exhausted,
    #[error("the compiler was interrupted")]
    Interrupted,
    #[error("the program cannot be compiled: {0}")]
    Io(#[from] io::Error),
}

/// Compiles all of it.
pub(crate) fn compile(
    workshop: &Workshop,
    claim: &Claim<'_>,
    harness: &str,
    stops: &dyn Fn() -> bool,
) -> Result<Compiled, CompileError> {
    let compiler = Compiler { workshop, model: claim.model, stops };
    compiler.require_target()?;
    let inputs = workshop.write("inputs.c", harness)?;
    let support = include_str!("support.c").replace("ABORT_MESSAGE", ABORT_MESSAGE);
    let support = support.replace("ABORT_CODE", &ABORT_CODE.to_string());
    let support = support.replace("LEAK_CODE", &crate::REPORT_CODE.to_string());
    let support = workshop.write("support.c", &support)?;
    let mut rest = Vec::new();
    for source in [inputs, support] {
        let object = source.with_extension("o");
        let mut arguments: Vec<OsString> =
            vec!["-c".into(), source.into(), "-o".into(), object.clone().into()];
        if claim.kind == ErrorKind::MemoryLeak {
            arguments.push(format!("-DASTER_LOOKS_AFTER={LOOKS_AFTER}").into());
        }
        compiler.run(&arguments)?;
        rest.push(object);
    }
    let program = workshop.path("program.o");
    let mut arguments: Vec<OsString> = vec!["-c".into(), "-o".into(), program.clone().into()];
    arguments.extend(instrumentation(claim.kind).map(OsString::from));
    arguments.extend(source(workshop, claim)?);
    compiler.run(&arguments)?;
    let executable = workshop.path("program");
    let mut arguments: Vec<OsString> = vec!["-fsanitize=address,undefined".into()];
    arguments.extend(["_exit", "_Exit", "quick_exit"].map(|name| format!("-Wl,--wrap={name}").into()));
    arguments.extend(["-o".into(), executable.clone().into(), program.clone().into()]);
    arguments.extend(rest.iter().map(OsString::from));
    arguments.push("-lm".into());
    compiler.run(&arguments)?;
    Ok(Compiled { program, rest, executable })
}

/// What the sanitizers do with the program. Where overflows are no error, results wrap around as Aster says it; the sanitizer of
/// undefined behaviour then tells of what it finds, and the run goes on.
fn instrumentation(kind: ErrorKind) -> impl Iterator<Item = String> {
    let on_overflow = match kind {
        ErrorKind::Overflow => format!("-fno-sanitize-recover={OVERFLOWS}"),
        _ => "-fwrapv".to_owned(),
    };
    ["-fsanitize=address,undefined", "-fsanitize-recover=undefined"]
        .map(str::to_owned)
        .into_iter()
        .chain([on_overflow])
}

/// The program's file as the compiler gets it. A preprocessed file has its own lines in Aster's reports, whatever it says about
/// where they came from: it must not say it here.
fn source(workshop: &Workshop, claim: &Claim<'_>) -> io::Result<Vec<OsString>> {
    let is_expanded = claim.program.extension().is_some_and(|extension| extension == "i");
    let language = if is_expanded { "cpp-output" } else { "c" };
    let has_own_lines = claim.file == claim.program.to_string_lossy();
    let mut file = std::path::absolute(claim.program)?;
    if has_own_lines && claim.text.lines().any(is_line_marker) {
        let lines = claim.text.lines().map(|line| if is_line_marker(line) { "" } else { line });
        let text: Vec<&str> = lines.collect();
        let folder = workshop.path("source");
        std::fs::create_dir(&folder)?;
        let name = claim.program.file_name().unwrap_or("program.c".as_ref());
        file = folder.join(name);
        std::fs::write(&file, text.join("\n") + "\n")?;
    }
    let mut arguments: Vec<OsString> = vec!["-x".into(), language.into()];
    if let Some(folder) = std::path::absolute(claim.program)?.parent() {
        arguments.extend(["-iquote".into(), folder.into()]);
    }
    arguments.push(file.into());
    Ok(arguments)
}

/// `# 12 "file.c"`, as preprocessors write it.
fn is_line_marker(line: &str) -> bool {
    let Some(rest) = line.trim_start().strip_prefix('#') else { return false };
    rest.trim_start().starts_with(|first: char| first.is_ascii_digit())
}

struct Compiler<'a> {
    workshop: &'a Workshop,
    model: Model,
    stops: &'a dyn Fn() -> bool,
}

impl Compiler<'_> {
    /// Programs of this data model can be made, with sanitizers.
    fn require_target(&self) -> Result<(), CompileError> {
        let source = self.workshop.write("probe.c", "#include <stdio.h>\nint main(void) { return 0; }\n")?;
        let probe = self.workshop.path("probe");
        let result =
            self.run(&["-fsanitize=address,undefined".into(), source.into(), "-o".into(), probe.into()]);
        match result {
            Err(CompileError::Refused(_)) => Err(CompileError::NoTarget(match self.model {
                Model::Ilp32 => "32-bit programs with sanitizers",
                Model::Lp64 => "programs with sanitizers",
            })),
            result => result,
        }
    }

    fn run(&self, arguments: &[OsString]) -> Result<(), CompileError> {
        let mut command = Command::new(COMPILER);
        command.env("LC_ALL", "C").current_dir(&self.workshop.0).args(flags(self.model)).args(arguments);
        let finished = match sandbox::watch_tool(command, LIMITS, self.stops) {
            Ok(finished) => finished,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(CompileError::NoCompiler),
            Err(error) => return Err(error.into()),
        };
        match finished.ending {
            Ending::Exited(0) => Ok(()),
            Ending::Stopped(Limit::User) => Err(CompileError::Interrupted),
            Ending::Stopped(_) => Err(CompileError::Exhausted),
            Ending::Exited(_) | Ending::Signal(_) => {
                let mut lines = finished.messages.lines();
                let first = lines.find(|line| line.contains("error") || line.contains("undefined reference"));
                let first = first.or_else(|| finished.messages.lines().next()).unwrap_or_default();
                Err(CompileError::Refused(first.to_owned()))
            }
        }
    }
}

/// C as Aster reads it, with everything that tells places.
fn flags(model: Model) -> impl Iterator<Item = &'static str> {
    let target = match model {
        Model::Ilp32 => "-m32",
        Model::Lp64 => "-m64",
    };
    ["-w", "-g", "-O0", "-std=gnu11", "-fsigned-char", "-ffp-contract=off", "-msse2", "-mfpmath=sse"]
        .into_iter()
        .chain(["-fno-omit-frame-pointer", "-U_FORTIFY_SOURCE", target])
}
