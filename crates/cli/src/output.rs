//! Writing to the standard streams and to files. A closed pipe is not an error: who closed it has seen enough.

use aster_bench::files;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// Writes to standard output. False if that failed for another reason than a closed pipe.
pub fn print(text: &str) -> bool {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => true,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => true,
        Err(error) => {
            note(&format!("aster: cannot write the result: {error}\n"));
            false
        }
    }
}

/// Writes a file. As on standard output, whoever closed a pipe has seen enough.
pub fn save(path: &Path, content: &[u8]) -> io::Result<()> {
    match files::write(path, content) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Writes to standard error, as far as that works.
pub fn note(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes());
    let _ = stderr.flush();
}

/// Writes a message about bad usage or bad input to standard error.
pub fn complain(message: &str) {
    note(&format!("aster: {}\n", message.trim_end()));
}
