//! What a program reports when it is compiled and run.

use aster_c::{DataModel, LoadOptions};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// A compiler that can build and run programs here.
pub struct Compiler {
    command: String,
    directory: PathBuf,
    has_32_bit: bool,
}

/// The 32-bit programs come without any library. Their floating-point arithmetic is that of SSE, as in the front end.
const FREESTANDING: [&str; 13] = [
    "-m32",
    "-nostdlib",
    "-static",
    "-ffreestanding",
    "-fno-builtin",
    "-fno-stack-protector",
    "-fno-pic",
    "-no-pie",
    "-msse2",
    "-mfpmath=sse",
    "-mstackrealign",
    "-fno-asynchronous-unwind-tables",
    "tests/runtime/freestanding32.c",
];

impl Compiler {
    /// The compiler, if there is one; says so if not.
    pub fn find() -> Option<Compiler> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let directory =
            std::env::temp_dir().join(format!("aster-differential-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("a temporary directory");
        let command = LoadOptions::default().compiler;
        let mut compiler = Compiler { command, directory, has_32_bit: false };
        let trial = "void report(unsigned long long value); int main(void) { report(7); return 0; }";
        if compiler.try_reports(trial, DataModel::Lp64, "-O0") != Ok(vec![7]) {
            eprintln!("skipped: there is no C compiler that makes programs that run here");
            return None;
        }
        compiler.has_32_bit = compiler.try_reports(trial, DataModel::Ilp32, "-O0") == Ok(vec![7]);
        if !compiler.has_32_bit {
            eprintln!("32-bit programs are skipped: the compiler cannot make them, or they do not run here");
        }
        Some(compiler)
    }

    /// The data models that can be tried.
    pub fn models(&self) -> impl Iterator<Item = DataModel> + use<> {
        let narrow = self.has_32_bit.then_some(DataModel::Ilp32);
        std::iter::once(DataModel::Lp64).chain(narrow)
    }

    /// What the program reports.
    pub fn reports(&self, text: &str, model: DataModel, optimisation: &str) -> Vec<u64> {
        self.try_reports(text, model, optimisation).unwrap_or_else(|message| panic!("{message}\n{text}"))
    }

    fn try_reports(&self, text: &str, model: DataModel, optimisation: &str) -> Result<Vec<u64>, String> {
        let source = self.directory.join("program.c");
        let executable = self.directory.join("program");
        std::fs::write(&source, text).map_err(|error| error.to_string())?;
        let mut compile = Command::new(&self.command);
        compile
            .args(["-std=gnu11", "-fwrapv", "-fsigned-char", "-fno-inline", "-w", optimisation])
            .arg(&source);
        match model {
            DataModel::Lp64 => compile.args(["tests/runtime/hosted.c", "-lm"]),
            DataModel::Ilp32 => compile.args(FREESTANDING),
        };
        let output = compile.arg("-o").arg(&executable).output().map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        let output = Command::new(&executable).output().map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(format!("the program failed: {}", output.status));
        }
        let lines = String::from_utf8_lossy(&output.stdout);
        lines.lines().map(|line| line.parse().map_err(|_| format!("reported {line:?}"))).collect()
    }
}

impl Drop for Compiler {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}
