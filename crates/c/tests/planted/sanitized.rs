//! What the compiler's sanitizers say of a program.

use crate::outcome::{Defect, Kind, Outcome};
use aster_c::{DataModel, LoadOptions};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A compiler that has sanitizers.
pub struct Sanitizer {
    command: String,
    directory: PathBuf,
    model: DataModel,
    /// Whether it finds memory that is left behind.
    finds_leaks: bool,
}

const OPTIONS: &str =
    "detect_stack_use_after_return=1:strict_memcmp=1:check_printf=1:exitcode=66:allocator_may_return_null=1";

impl Sanitizer {
    /// The compiler, if programs with sanitizers can be made and run here for this data model; says so if not.
    pub fn find(model: DataModel) -> Option<Sanitizer> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let directory = std::env::temp_dir().join(format!("aster-planted-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("a temporary directory");
        let command = LoadOptions::default().compiler;
        let mut sanitizer = Sanitizer { command, directory, model, finds_leaks: false };
        let trial = "#include <stdlib.h>\nint main(int count, char **words)\n{\n    volatile int *p = malloc(4);\n    \
            if (count > 1) { *p = 3; p = 0; return 0; }\n    return p[1];\n}\n";
        let found = sanitizer.compile(trial).map(|()| sanitizer.run(None));
        let expected = Defect { kind: Kind::Dereference, line: Some(6) };
        if found != Ok(Outcome::Fails(expected)) {
            eprintln!("skipped ({model:?}): there is no C compiler whose sanitizers work here");
            return None;
        }
        sanitizer.finds_leaks = sanitizer.run(Some(1)) == Outcome::Leaks;
        Some(sanitizer)
    }

    /// Compiles the program that the next runs are about.
    pub fn compile(&self, text: &str) -> Result<(), String> {
        let source = self.directory.join("program.c");
        std::fs::write(&source, text).map_err(|error| error.to_string())?;
        let mut compile = Command::new(&self.command);
        compile
            .args(["-std=gnu11", "-g", "-O0", "-w", "-fsigned-char", "-fsanitize=address,undefined"])
            .args(["-fno-sanitize-recover=all", "-fno-builtin"])
            .arg(if self.model == DataModel::Ilp32 { "-m32" } else { "-m64" });
        let output = compile.arg(&source).arg("-o").arg(self.directory.join("program")).output();
        let output = output.map_err(|error| error.to_string())?;
        match output.status.success() {
            true => Ok(()),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }

    /// Runs the program, with a number as argument.
    pub fn run(&self, argument: Option<u64>) -> Outcome {
        let mut run = Command::new(self.directory.join("program"));
        run.args(argument.map(|number| number.to_string())).stdin(Stdio::null());
        run.env("ASAN_OPTIONS", OPTIONS);
        // At the end only `main` is left, which points to nothing: what is found on the stack is what ended functions left there.
        run.env("LSAN_OPTIONS", "use_stacks=0:use_registers=0");
        let output = run.output().expect("the program can be run");
        let text = String::from_utf8_lossy(&output.stderr);
        match read_report(&text) {
            Some(outcome) => outcome,
            None => match output.status.code() {
                Some(code) if text.is_empty() => Outcome::Ends { result: code & 0xff },
                _ => Outcome::NotKnown(format!("{}: {text}", output.status)),
            },
        }
    }

    /// Whether memory that is left behind is reported.
    pub fn finds_leaks(&self) -> bool {
        self.finds_leaks
    }
}

impl Drop for Sanitizer {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// What a report says; `None` if there is none.
fn read_report(text: &str) -> Option<Outcome> {
    for (number, line) in text.lines().enumerate() {
        if let Some((place, message)) = line.split_once(": runtime error: ") {
            let line =
                place.split_once("program.c:").and_then(|(_, rest)| rest.split(':').next()?.parse().ok());
            return Some(match kind_of_message(message) {
                Some(kind) => Outcome::Fails(Defect { kind, line }),
                None => Outcome::NotKnown(message.to_owned()),
            });
        }
        if line.contains("ERROR: LeakSanitizer: detected memory leaks") {
            return Some(Outcome::Leaks);
        }
        if let Some((_, message)) = line.split_once("ERROR: AddressSanitizer: ") {
            let frames = text.lines().skip(number).take_while(|line| !line.is_empty());
            let line = frames.filter_map(|frame| frame.split_once("program.c:")).next();
            let digits = line.map(|(_, rest)| rest.split(|c: char| !c.is_ascii_digit()).next());
            let kind = match message {
                _ if message.contains("double-free") || message.contains("attempting free") => Kind::Free,
                _ if message.contains("param-overlap") => Kind::Overlap,
                _ => Kind::Dereference,
            };
            let line = digits.flatten().and_then(|digits| digits.parse().ok());
            return Some(Outcome::Fails(Defect { kind, line }));
        }
    }
    None
}

fn kind_of_message(message: &str) -> Option<Kind> {
    const ARITHMETIC: [&str; 5] =
        ["signed integer overflow", "division", "shift", "negation of", "cannot be represented"];
    const MEMORY: [&str; 4] = ["null pointer", "out of bounds", "address", "pointer"];
    let has = |parts: &[&str]| parts.iter().any(|part| message.contains(part));
    match () {
        () if has(&ARITHMETIC) => Some(Kind::Overflow),
        () if has(&MEMORY) => Some(Kind::Dereference),
        () => None,
    }
}
