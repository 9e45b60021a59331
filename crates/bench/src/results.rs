//! Results of a run over task sets and the folder that they are kept in.
//!
//! A line is added to `results.jsonl` as soon as a task is finished, so a run that was cut off goes on
//! where it stopped; `results.csv` and `results.json` are written at the end.

use crate::files;
use crate::os::Clock;
use crate::report::Outcome;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// How a result is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Decided as expected.
    Correct,
    /// Decided, and not as expected.
    Wrong,
    /// Decided, and nobody says what to expect.
    Unrated,
    /// Not decided.
    Unknown,
    /// Ended without a verdict.
    Crash,
    /// The input was refused.
    Error,
}

/// One engine on one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The engine.
    pub engine: String,
    /// The task's set.
    pub family: String,
    /// The task's name within its set.
    pub task: String,
    /// The program.
    pub input: String,
    /// What should come out: true if the program has the property.
    pub expected: Option<bool>,
    /// How it is counted.
    pub status: Status,
    /// The verdict line, if there was one.
    pub verdict: String,
    /// The keyword of `UNKNOWN(keyword)`.
    pub keyword: String,
    /// The construct that is not modelled, or the message of an error or a crash.
    pub detail: String,
    /// Where, if it has a place.
    pub position: String,
    /// The exit code, unless a signal ended the process.
    pub exit_code: Option<i32>,
    /// The signal that ended the process.
    pub signal: Option<i32>,
    /// Wall-clock seconds.
    pub wall: f64,
    /// CPU seconds.
    pub cpu: f64,
    /// The most memory that was held, in bytes.
    pub memory: u64,
    /// How often the abstraction was refined, if the report says so.
    #[serde(default)]
    pub refinements: Option<u64>,
    /// Wall-clock seconds spent in interpolation, if the report says so.
    #[serde(default)]
    pub interpolation: Option<f64>,
    /// Rounds of refinement with the first one, if the report says so.
    #[serde(default)]
    pub iterations: Option<u64>,
    /// Predicates in the end, if the report says so.
    #[serde(default)]
    pub predicates: Option<u64>,
    /// Checks that the solver was asked for, if the report says so.
    #[serde(default)]
    pub queries: Option<u64>,
    /// Symbolic states of the last round, for engines that count them.
    #[serde(default)]
    pub symbolic_states: Option<u64>,
    /// Abstract states of the last round, for engines that count them.
    #[serde(default)]
    pub abstract_states: Option<u64>,
    /// What the compiled program says about an error, if it was to be run.
    #[serde(default)]
    pub confirmed: Option<Outcome>,
    /// What it did instead, or why it could not tell.
    #[serde(default)]
    pub unconfirmed: String,
}

impl Record {
    /// True if there is a verdict other than `UNKNOWN`, right or wrong.
    pub fn is_decided(&self) -> bool {
        matches!(self.status, Status::Correct | Status::Wrong | Status::Unrated)
    }

    /// True if the task was decided as expected.
    pub fn is_correct(&self) -> bool {
        self.status == Status::Correct
    }
}

/// What all results of one folder have in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Time limit of a task in seconds; 0 for none.
    pub timeout: f64,
    /// What it counts.
    #[serde(default)]
    pub clock: Clock,
    /// Memory limit of a task in bytes; 0 for none.
    pub memory: u64,
    /// Further arguments for each check.
    pub arguments: Vec<String>,
    /// Which program made the results, by [`identify`]. Folders of earlier versions do not say.
    #[serde(default)]
    pub program: String,
}

impl Settings {
    /// Results of different builds may not be mixed.
    fn require_program(&self, current: &Settings, path: &Path) -> Result<(), ResultsError> {
        if self.program == current.program {
            return Ok(());
        }
        let found = if self.program.is_empty() { "not named".to_owned() } else { self.program.clone() };
        Err(ResultsError::Program { path: path.to_owned(), found, current: current.program.clone() })
    }
}

/// What tells one build of a program from another: its version, and a checksum of the file (64-bit FNV-1a).
pub fn identify(program: &Path) -> Result<String, ResultsError> {
    let bytes = fs::read(program).map_err(|error| file_error(program, error))?;
    let hash = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    Ok(format!("{} {hash:016x}", env!("CARGO_PKG_VERSION")))
}

/// Why a folder of results is of no use.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// Not readable or not writable.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        error: std::io::Error,
    },
    /// The folder is of another run.
    #[error(
        "{} holds results of a run with other settings ({found}); choose another --out or remove it",
        path.display()
    )]
    Settings {
        /// The folder.
        path: PathBuf,
        /// Its settings.
        found: String,
    },
    /// The folder is of another build of the program.
    #[error(
        "{} holds results of another build of the program ({found}; this one is {current}), which may not be mixed with \
         new ones; choose another --out or remove it",
        path.display()
    )]
    Program {
        /// The folder.
        path: PathBuf,
        /// What made its results.
        found: String,
        /// What would make the others.
        current: String,
    },
    /// A line cannot be read.
    #[error("{}:{line}: not a result: {message}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
}

/// An open folder of results.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    settings: Settings,
    lines: File,
    records: Vec<Record>,
}

const LINES: &str = "results.jsonl";
const SETTINGS: &str = "settings.json";

impl Folder {
    /// Opens a folder to add results to, and makes it if it is not there.
    pub fn open(path: &Path, settings: &Settings) -> Result<Self, ResultsError> {
        fs::create_dir_all(path).map_err(|error| file_error(path, error))?;
        let settings_path = path.join(SETTINGS);
        match fs::read_to_string(&settings_path) {
            Ok(text) => {
                let found: Option<Settings> = serde_json::from_str(&text).ok();
                if let Some(found) = found {
                    let same_program = Settings { program: settings.program.clone(), ..found.clone() };
                    if same_program == *settings {
                        found.require_program(settings, path)?;
                        return Folder::reopen(path, settings);
                    }
                }
                let found = text.split_whitespace().collect::<Vec<_>>().join(" ");
                return Err(ResultsError::Settings { path: path.to_owned(), found });
            }
            Err(_) => {
                let text = serde_json::to_string_pretty(settings).unwrap_or_default() + "\n";
                files::write(&settings_path, text.as_bytes())
                    .map_err(|error| file_error(&settings_path, error))?;
            }
        }
        Folder::reopen(path, settings)
    }

    /// Opens a folder whose settings are these.
    fn reopen(path: &Path, settings: &Settings) -> Result<Self, ResultsError> {
        let lines_path = path.join(LINES);
        let records = if lines_path.exists() { read_lines(&lines_path)? } else { Vec::new() };
        let lines = open_lines(&lines_path).map_err(|error| file_error(&lines_path, error))?;
        Ok(Folder { path: path.to_owned(), settings: settings.clone(), lines, records })
    }

    /// The results so far.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Adds a result.
    pub fn add(&mut self, record: Record) -> Result<(), ResultsError> {
        let line = serde_json::to_string(&record).unwrap_or_default() + "\n";
        self.lines.write_all(line.as_bytes()).map_err(|error| file_error(&self.path.join(LINES), error))?;
        self.records.push(record);
        Ok(())
    }

    /// Writes `results.csv` and `results.json`, ordered by engine, family and task.
    pub fn finish(&mut self) -> Result<(), ResultsError> {
        self.records.sort_by(|a, b| (&a.engine, &a.family, &a.task).cmp(&(&b.engine, &b.family, &b.task)));
        let csv_path = self.path.join("results.csv");
        let write = || -> Result<(), std::io::Error> {
            let mut writer = csv::Writer::from_writer(Vec::new());
            for record in &self.records {
                writer.serialize(record)?;
            }
            files::write(&csv_path, &writer.into_inner().map_err(std::io::Error::other)?)
        };
        write().map_err(|error| file_error(&csv_path, error))?;
        let json_path = self.path.join("results.json");
        let all = serde_json::json!({ "settings": self.settings, "results": self.records });
        let text = serde_json::to_string_pretty(&all).unwrap_or_default() + "\n";
        files::write(&json_path, text.as_bytes()).map_err(|error| file_error(&json_path, error))
    }
}

/// Reads the settings that the results in a folder have in common.
pub fn read_settings(folder: &Path) -> Result<Settings, ResultsError> {
    let path = folder.join(SETTINGS);
    let text = fs::read_to_string(&path).map_err(|error| file_error(&path, error))?;
    serde_json::from_str(&text).map_err(|error| file_error(&path, std::io::Error::other(error)))
}

/// Reads the results in a folder.
pub fn read(folder: &Path) -> Result<Vec<Record>, ResultsError> {
    read_lines(&folder.join(LINES))
}

pub(crate) fn file_error(path: &Path, error: std::io::Error) -> ResultsError {
    ResultsError::File { path: path.to_owned(), error }
}

/// Opens the file to add lines; a line that was cut off in the middle is removed first.
fn open_lines(path: &Path) -> std::io::Result<File> {
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |index| index + 1);
    file.set_len(whole as u64)?;
    file.seek(SeekFrom::End(0))?;
    Ok(file)
}

fn read_lines(path: &Path) -> Result<Vec<Record>, ResultsError> {
    let file = File::open(path).map_err(|error| file_error(path, error))?;
    let mut reader = BufReader::new(file);
    let mut records = Vec::new();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        reader.read_until(b'\n', &mut line).map_err(|error| file_error(path, error))?;
        // The last line lacks its end if the run was cut off while it was written.
        if line.last() != Some(&b'\n') {
            break;
        }
        let record = serde_json::from_slice(&line).map_err(|error| ResultsError::Line {
            path: path.to_owned(),
            line: number,
            message: error.to_string(),
        })?;
        records.push(record);
    }
    Ok(records)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A result for tests.
    pub(crate) fn record(engine: &str, task: &str, status: Status, expected: bool, cpu: f64) -> Record {
        let decided = match status {
            Status::Correct => expected,
            _ => !expected,
        };
        let verdict = match status {
            Status::Correct | Status::Wrong if decided => "TRUE",
            Status::Correct | Status::Wrong => "FALSE(unreach-call)",
            Status::Unknown => "UNKNOWN(timeout)",
            _ => "",
        };
        Record {
            engine: engine.to_owned(),
            family: "Loops".to_owned(),
            task: task.to_owned(),
            input: format!("{task}.c"),
            expected: Some(expected),
            status,
            verdict: verdict.to_owned(),
            keyword: if status == Status::Unknown { "timeout".to_owned() } else { String::new() },
            detail: String::new(),
            position: String::new(),
            exit_code: Some(0),
            signal: None,
            wall: cpu,
            cpu,
            memory: 1_000_000,
            refinements: None,
            interpolation: None,
            iterations: None,
            predicates: None,
            queries: None,
            symbolic_states: None,
            abstract_states: None,
            confirmed: None,
            unconfirmed: String::new(),
        }
    }

    #[test]
    fn results_survive_a_cut() {
        let path = std::env::temp_dir().join(format!("aster-results-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        let settings = Settings {
            timeout: 20.0,
            clock: Clock::Wall,
            memory: 0,
            arguments: vec![],
            program: "1 a".to_owned(),
        };
        let mut folder = Folder::open(&path, &settings).unwrap();
        folder.add(record("symexec", "a", Status::Correct, true, 1.0)).unwrap();
        folder.add(record("symexec", "b", Status::Unknown, true, 20.0)).unwrap();
        drop(folder);
        let lines = path.join(LINES);
        let mut text = fs::read_to_string(&lines).unwrap();
        text.truncate(text.len() - 9);
        fs::write(&lines, text).unwrap();

        let mut folder = Folder::open(&path, &settings).unwrap();
        assert_eq!(folder.records().len(), 1);
        folder.add(record("symexec", "c", Status::Wrong, false, 2.0)).unwrap();
        folder.finish().unwrap();
        let records = read(&path).unwrap();
        assert_eq!(records.iter().map(|r| r.task.as_str()).collect::<Vec<_>>(), ["a", "c"]);
        let csv = fs::read_to_string(path.join("results.csv")).unwrap();
        assert_eq!(csv.lines().count(), 3);
        assert!(csv.starts_with("engine,family,task,input,expected,status,verdict,"));

        let rebuilt = Settings { program: "1 b".to_owned(), ..settings.clone() };
        let error = Folder::open(&path, &rebuilt).unwrap_err().to_string();
        assert!(error.contains("another build of the program (1 a; this one is 1 b)"), "{error}");
        let other = Settings { timeout: 60.0, ..settings };
        let error = Folder::open(&path, &other).unwrap_err().to_string();
        assert!(error.contains("other settings"), "{error}");
        fs::remove_dir_all(&path).unwrap();
    }
}
