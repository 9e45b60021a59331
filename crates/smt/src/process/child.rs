//! A child process that is talked to without ever blocking the caller.

use super::words::Splitter;
use crate::Interrupt;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often the interrupt is looked at while waiting.
const POLL: Duration = Duration::from_millis(5);

/// How many unread expressions are kept; a process that talks without being asked is not read further.
const BACKLOG: usize = 1024;

/// The longest expression that is believed to be an answer.
const LONGEST_EXPRESSION: usize = 1 << 28;

/// How much of the end of the error output is kept.
const ERROR_TEXT: usize = 2048;

/// Why there was no answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Silence {
    /// The interrupt was raised.
    Interrupted,
    /// The deadline passed.
    TimeLimit,
    /// The process closed its output; the text says what it wrote to its error output.
    Died(String),
}

/// A running process. Threads of its own read and write its pipes, so that a process that neither
/// reads nor writes cannot stop the caller. Dropping it kills the process.
pub(super) struct Child {
    process: std::process::Child,
    input: Sender<String>,
    output: Receiver<String>,
    errors: Arc<Mutex<Vec<u8>>>,
}

impl Child {
    /// Starts the program that is the first word with the other words as arguments.
    pub(super) fn spawn(words: &[String]) -> std::io::Result<Self> {
        let Some((program, arguments)) = words.split_first() else {
            return Err(std::io::Error::from(std::io::ErrorKind::InvalidInput));
        };
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (input, to_write) = channel::<String>();
        if let Some(mut pipe) = process.stdin.take() {
            thread::spawn(move || {
                for text in to_write {
                    if pipe.write_all(text.as_bytes()).and_then(|()| pipe.flush()).is_err() {
                        return;
                    }
                }
            });
        }
        let (read, output) = sync_channel(BACKLOG);
        if let Some(pipe) = process.stdout.take() {
            thread::spawn(move || read_expressions(pipe, &read));
        }
        let errors = Arc::new(Mutex::new(Vec::new()));
        if let Some(pipe) = process.stderr.take() {
            let errors = Arc::clone(&errors);
            thread::spawn(move || read_errors(pipe, &errors));
        }
        Ok(Child { process, input, output, errors })
    }

    /// Sends text. If the process is gone, the next [`Child::receive`] says so.
    pub(super) fn send(&self, text: String) {
        let _ = self.input.send(text);
    }

    /// The next S-expression that the process writes.
    pub(super) fn receive(
        &mut self,
        interrupt: &Interrupt,
        deadline: Option<Instant>,
    ) -> Result<String, Silence> {
        loop {
            match self.output.recv_timeout(POLL) {
                Ok(expression) => return Ok(expression),
                Err(_) if interrupt.is_raised() => return Err(Silence::Interrupted),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Died(self.last_words())),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(Silence::TimeLimit);
            }
        }
    }

    fn last_words(&mut self) -> String {
        // The error output may be read a moment later than the end of the output was seen.
        thread::sleep(4 * POLL);
        let status = match self.process.try_wait() {
            Ok(Some(status)) => format!("it ended with {status}"),
            _ => "it closed its output".to_owned(),
        };
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let errors = String::from_utf8_lossy(&errors);
        match errors.trim() {
            "" => status,
            text => format!("{status} and said: {text}"),
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // Failure means that it has ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn read_expressions(mut pipe: impl Read, to: &SyncSender<String>) {
    let mut splitter = Splitter::default();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let length = match pipe.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        for &byte in &buffer[..length] {
            if splitter.feed(byte).is_some_and(|expression| to.send(expression).is_err()) {
                return;
            }
        }
        if splitter.pending() > LONGEST_EXPRESSION {
            return;
        }
    }
    if let Some(last) = splitter.feed(b'\n') {
        let _ = to.send(last);
    }
}

fn read_errors(mut pipe: impl Read, text: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(length @ 1..) = pipe.read(&mut buffer) {
        let mut text = text.lock().unwrap_or_else(PoisonError::into_inner);
        text.extend_from_slice(&buffer[..length]);
        let excess = text.len().saturating_sub(ERROR_TEXT);
        text.drain(..excess);
    }
}
