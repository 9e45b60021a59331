//! Live progress of a run on standard error.

use crate::results::{Record, Status};
use crate::units::show_duration;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often a line is written where it cannot be redrawn.
const LOG_INTERVAL: Duration = Duration::from_secs(30);

/// Counts finished tasks and guesses when the rest will be done.
pub(crate) struct Progress {
    start: Instant,
    last_log: Instant,
    terminal: bool,
    total: usize,
    jobs: usize,
    finished: usize,
    correct: usize,
    wrong: usize,
    crashes: usize,
    wall: f64,
}

impl Progress {
    pub(crate) fn new(total: usize, jobs: usize) -> Self {
        let now = Instant::now();
        let terminal = std::io::stderr().is_terminal();
        Progress {
            start: now,
            last_log: now,
            terminal,
            total,
            jobs,
            finished: 0,
            correct: 0,
            wrong: 0,
            crashes: 0,
            wall: 0.0,
        }
    }

    pub(crate) fn finished(&mut self, record: &Record) {
        self.finished += 1;
        self.wall += record.wall;
        match record.status {
            Status::Correct => self.correct += 1,
            Status::Wrong => self.wrong += 1,
            Status::Crash => self.crashes += 1,
            _ => {}
        }
        if matches!(record.status, Status::Wrong | Status::Crash) {
            let what = if record.status == Status::Wrong { &record.verdict } else { &record.detail };
            let name = if record.status == Status::Wrong { "wrong" } else { "crash" };
            self.clear();
            write(&format!("{name}: {}/{} ({}): {what}\n", record.family, record.task, record.engine));
        }
        self.draw();
    }

    pub(crate) fn draw(&mut self) {
        if self.terminal {
            write(&format!("\r\x1b[K{}", self.line()));
        } else if self.last_log.elapsed() >= LOG_INTERVAL {
            self.last_log = Instant::now();
            write(&format!("{}\n", self.line()));
        }
    }

    pub(crate) fn end(&mut self) {
        self.clear();
    }

    fn clear(&self) {
        if self.terminal {
            write("\r\x1b[K");
        }
    }

    fn line(&self) -> String {
        let eta = if self.finished == 0 {
            String::new()
        } else {
            let left =
                self.wall / self.finished as f64 * (self.total - self.finished) as f64 / self.jobs as f64;
            format!(", about {} left", show_duration(Duration::from_secs_f64(left)))
        };
        format!(
            "{} of {} tasks, {} right, {} wrong, {} crashed, {}{eta}",
            self.finished,
            self.total,
            self.correct,
            self.wrong,
            self.crashes,
            show_duration(self.start.elapsed()),
        )
    }
}

fn write(text: &str) {
    let mut stderr = std::io::stderr();
    let _ = stderr.write_all(text.as_bytes());
    let _ = stderr.flush();
}
