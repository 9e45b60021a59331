//! Running a C compiler as preprocessor.

use super::Input;
use crate::diagnostic::LoadError;
use crate::{DataModel, LoadOptions};
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// For 32-bit programs, with the arithmetic of SSE.
const NARROW: [&str; 3] = ["-m32", "-msse2", "-mfpmath=sse"];

/// The text of `input` after preprocessing. `line` is the line that made it necessary.
pub(crate) fn run(input: &Input, options: &LoadOptions, line: usize) -> Result<Vec<u8>, LoadError> {
    let compiler = Compiler { input, options, line };
    match options.data_model {
        DataModel::Lp64 => compiler.expand(&[]),
        DataModel::Ilp32 => compiler.expand_ilp32(),
    }
}

struct Compiler<'a> {
    input: &'a Input,
    options: &'a LoadOptions,
    line: usize,
}

impl Compiler<'_> {
    /// For 32 bits the compiler is asked for its 32-bit target. Where the system's 32-bit headers are
    /// not installed, its 64-bit headers serve: they are written for both, except that they look for
    /// `gnu/stubs-32.h` (which only lists functions that are not implemented), so that an empty one is
    /// provided.
    fn expand_ilp32(&self) -> Result<Vec<u8>, LoadError> {
        let first = self.expand(&NARROW.map(OsString::from));
        let Err(LoadError::Preprocessor { output, .. }) = &first else {
            return first;
        };
        if !output.contains("No such file") && !output.contains("not found") {
            return first;
        }
        let Some(headers) = self.host_headers() else {
            return first;
        };
        let Ok(stubs) = StubHeaders::create() else {
            return first;
        };
        let mut arguments: Vec<OsString> = NARROW.map(OsString::from).to_vec();
        for directory in [stubs.directory.as_path(), headers.as_path()] {
            arguments.push("-idirafter".into());
            arguments.push(directory.into());
        }
        self.expand(&arguments).or(first)
    }

    /// The directory of the headers that belong to the compiler's own target.
    fn host_headers(&self) -> Option<PathBuf> {
        let output = self.command().arg("-print-multiarch").stdin(Stdio::null()).output().ok()?;
        let target = String::from_utf8(output.stdout).ok()?;
        let target = target.trim();
        let directory = Path::new("/usr/include").join(target);
        (!target.is_empty() && directory.is_dir()).then_some(directory)
    }

    fn expand(&self, arguments: &[OsString]) -> Result<Vec<u8>, LoadError> {
        let mut command = self.command();
        // C11 is what the parser knows; in C23 headers rely on new keywords.
        command.args(["-E", "-std=gnu11", "-fsigned-char"]).args(arguments).args(["-x", "c"]);
        let output = match &self.input.path {
            // A name that starts with a dash is no option.
            Some(path) if path.as_os_str().as_encoded_bytes().starts_with(b"-") => {
                command.arg(Path::new(".").join(path)).stdin(Stdio::null()).output()
            }
            Some(path) => command.arg(path).stdin(Stdio::null()).output(),
            None => self.pipe(command.arg("-")),
        };
        let output = output.map_err(|error| self.missing(&error))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let printed = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
        Err(self.error(format!("'{}' reports errors", self.options.compiler), printed))
    }

    fn pipe(&self, command: &mut Command) -> std::io::Result<Output> {
        let streams = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = streams.spawn()?;
        let stdin = child.stdin.take();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                // A compiler that stops reading has its reasons, and prints them.
                let _ = stdin.map(|mut stdin| stdin.write_all(&self.input.bytes));
            });
            child.wait_with_output()
        })
    }

    /// The compiler's command, which may have arguments of its own.
    fn command(&self) -> Command {
        let mut words = self.options.compiler.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or("cc"));
        command.args(words).env("LC_ALL", "C");
        command
    }

    fn missing(&self, error: &std::io::Error) -> LoadError {
        let compiler = &self.options.compiler;
        let what = match error.kind() {
            std::io::ErrorKind::NotFound => "is not installed".to_owned(),
            _ => format!("cannot be run: {error}"),
        };
        let message = format!(
            "line {} needs a C preprocessor, but '{compiler}' {what} (set CC to the C compiler to use, \
             or preprocess the file first)",
            self.line
        );
        self.error(message, String::new())
    }

    fn error(&self, message: String, output: String) -> LoadError {
        LoadError::Preprocessor { path: self.input.name.clone(), message, output }
    }
}

/// A directory with an empty `gnu/stubs-32.h`, removed at the end.
struct StubHeaders {
    directory: PathBuf,
}

impl StubHeaders {
    fn create() -> std::io::Result<Self> {
        use std::sync::atomic::{AtomicU32, Ordering};
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("aster-headers-{}-{number}", std::process::id());
        let stubs = StubHeaders { directory: std::env::temp_dir().join(name) };
        std::fs::create_dir(&stubs.directory)?;
        std::fs::create_dir(stubs.directory.join("gnu"))?;
        std::fs::write(stubs.directory.join("gnu/stubs-32.h"), "")?;
        Ok(stubs)
    }
}

impl Drop for StubHeaders {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}
