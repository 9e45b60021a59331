//! What the tests of the command share.
#![allow(dead_code, clippy::unwrap_used)]

pub mod verdict_files;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder of its own for a test, removed at the end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("aster-cli-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What a run of the command left behind.
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    pub fn last_line(&self) -> &str {
        self.stdout.lines().last().unwrap_or_default()
    }

    /// The verdict line, with everything else in the message if it is another one.
    pub fn expect(&self, verdict: &str, code: i32) {
        assert_eq!((self.last_line(), self.code), (verdict, Some(code)), "{}\n{}", self.stdout, self.stderr);
    }

    /// Bad usage or bad input: a message with this part and no output.
    pub fn expect_error(&self, part: &str) {
        assert_eq!(self.code, Some(2), "{}\n{}", self.stdout, self.stderr);
        assert_eq!(self.stdout, "");
        assert!(self.stderr.contains(part), "{part} is not in: {}", self.stderr);
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Run {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aster"));
    command.args(arguments).stdin(Stdio::null());
    command
}

pub fn aster(arguments: &[&str]) -> Run {
    command(arguments).output().unwrap().into()
}

/// Checks a file with some options.
pub fn check(file: &Path, options: &[&str]) -> Run {
    let mut command = command(&["check"]);
    command.args(options).arg(file).output().unwrap().into()
}

/// An example of the repository.
pub fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

pub const SAFE: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
    int main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x > 5 && x < 3) reach_error();\n  return 0;\n}\n";
pub const UNSAFE: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
    int main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x * 3 == 21) reach_error();\n  return 0;\n}\n";
/// Comes back to the same state only after 2^63 iterations, and no path branches; the error behind it is never reached.
pub const ENDLESS: &str = "extern void reach_error(void);\nint main(void) {\n  unsigned long long x = 1;\n  while (x != 0) {\n    \
    x = x + 2;\n  }\n  reach_error();\n  return 0;\n}\n";
/// Forks at each iteration: an endless number of paths, none of which reaches the error, since `y` is even.
pub const FORKING: &str = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\nint main(void) {\n  \
    unsigned x = 1;\n  unsigned y = 2 * __VERIFIER_nondet_uint();\n  while (1) {\n    \
    if (__VERIFIER_nondet_uint()) x = x * 3 + 1; else x = x ^ 77;\n    y = y + 2 * x;\n    \
    if (y % 2 == 1) reach_error();\n  }\n  return 0;\n}\n";
pub const UNREACH: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
