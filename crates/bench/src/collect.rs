//! Results of several folders side by side, so that engines that ran at different times can be compared.

use crate::os::Clock;
use crate::results::{self, Record, ResultsError, Settings};
use crate::units::{show_duration, show_size};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The results of some folders.
#[derive(Debug)]
pub struct Collection {
    /// All results. No engine has two for a task.
    pub records: Vec<Record>,
    /// The engines, in the order of the folders and, within a folder, of their first results.
    pub engines: Vec<String>,
    /// What one should know before the results are compared.
    pub notes: Vec<String>,
}

/// Why results do not go together.
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    /// A folder of results is of no use.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// The same task is expected to be safe in one place and unsafe in another.
    #[error("{}: another verdict is expected of {family}/{task} than in the folders before it", folder.display())]
    Expected {
        /// The folder.
        folder: PathBuf,
        /// The task's set.
        family: String,
        /// The task.
        task: String,
    },
    /// Nothing there.
    #[error("the folders hold no results")]
    Empty,
    /// Asked for an engine that did not run.
    #[error("no results of `{name}`; there are {known}")]
    Engine {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
}

struct Part {
    path: PathBuf,
    settings: Settings,
    records: Vec<Record>,
}

/// Reads the results of some folders. If an engine's results are in several of them, they are taken as
/// one run if the settings were the same in each and no task was run twice; otherwise as several, with the folder
/// in their names.
pub fn collect(folders: &[PathBuf]) -> Result<Collection, CollectError> {
    let mut parts: Vec<Part> = Vec::new();
    for path in folders {
        if parts.iter().all(|part| part.path != *path) {
            let settings = results::read_settings(path)?;
            parts.push(Part { path: path.clone(), settings, records: results::read(path)? });
        }
    }
    require_same_expectations(&parts)?;
    let notes = differences(&parts);
    let several = engines_of_several_runs(&parts);
    let labels: Vec<_> = parts.iter().map(|part| label(&part.path, folders)).collect();
    let mut records = Vec::new();
    let mut engines: Vec<String> = Vec::new();
    for (part, label) in parts.into_iter().zip(labels) {
        for mut record in part.records {
            if several.contains(&record.engine) {
                record.engine = format!("{} ({label})", record.engine);
            }
            if !engines.contains(&record.engine) {
                engines.push(record.engine.clone());
            }
            records.push(record);
        }
    }
    if records.is_empty() { Err(CollectError::Empty) } else { Ok(Collection { records, engines, notes }) }
}

impl Collection {
    /// Keeps only these engines, in this order.
    pub fn select(&mut self, engines: &[String]) -> Result<(), CollectError> {
        for name in engines {
            if !self.engines.contains(name) {
                let known = self.engines.join(", ");
                return Err(CollectError::Engine { name: name.clone(), known });
            }
        }
        self.records.retain(|record| engines.contains(&record.engine));
        let mut seen = BTreeSet::new();
        self.engines = engines.iter().filter(|name| seen.insert(*name)).cloned().collect();
        Ok(())
    }
}

fn require_same_expectations(parts: &[Part]) -> Result<(), CollectError> {
    let mut expected = BTreeMap::new();
    for part in parts {
        for record in &part.records {
            let first = *expected.entry((&record.family, &record.task)).or_insert(record.expected);
            if first != record.expected {
                return Err(CollectError::Expected {
                    folder: part.path.clone(),
                    family: record.family.clone(),
                    task: record.task.clone(),
                });
            }
        }
    }
    Ok(())
}

/// The engines whose results in different folders cannot be taken as those of one run.
fn engines_of_several_runs(parts: &[Part]) -> BTreeSet<String> {
    let mut several = BTreeSet::new();
    let mut settings: BTreeMap<&str, &Settings> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for part in parts {
        for record in &part.records {
            let first = settings.entry(&record.engine).or_insert(&part.settings);
            if **first != part.settings || !seen.insert((&record.engine, &record.family, &record.task)) {
                several.insert(record.engine.clone());
            }
        }
    }
    several
}

/// A folder's name, or its path where another of them has the same name.
fn label(path: &Path, folders: &[PathBuf]) -> String {
    match path.file_name() {
        Some(name) if folders.iter().filter(|other| other.file_name() == Some(name)).count() == 1 => {
            name.to_string_lossy().into_owned()
        }
        _ => path.display().to_string(),
    }
}

/// The settings of each folder, if they are not the same in all.
fn differences(parts: &[Part]) -> Vec<String> {
    if parts.windows(2).all(|pair| pair[0].settings == pair[1].settings) {
        return Vec::new();
    }
    let show = |part: &Part| {
        let settings = &part.settings;
        let timeout = Duration::try_from_secs_f64(settings.timeout).unwrap_or_default();
        let timeout = match settings.clock {
            _ if timeout.is_zero() => "no time limit".to_owned(),
            Clock::Wall => show_duration(timeout),
            Clock::Cpu => format!("{} of CPU time", show_duration(timeout)),
        };
        let memory =
            if settings.memory == 0 { "no memory limit".to_owned() } else { show_size(settings.memory) };
        let mut text = format!("{}: {timeout} and {memory} a task", part.path.display());
        if !settings.arguments.is_empty() {
            text.push_str(&format!(", with {}", settings.arguments.join(" ")));
        }
        if !settings.program.is_empty() {
            text.push_str(&format!(", by Aster {}", settings.program));
        }
        text
    };
    parts.iter().map(show).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::record;
    use crate::results::{Folder, Status};
    use std::fs;

    /// A folder with these results.
    fn folder(name: &str, timeout: f64, build: u32, records: &[Record]) -> PathBuf {
        let path = std::env::temp_dir().join(format!("aster-collect-{}", std::process::id())).join(name);
        let _ = fs::remove_dir_all(&path);
        let program = format!("build {build}");
        let settings = Settings { timeout, clock: Clock::Wall, memory: 0, arguments: vec![], program };
        let mut folder = Folder::open(&path, &settings).unwrap();
        for record in records {
            folder.add(record.clone()).unwrap();
        }
        path
    }

    #[test]
    fn folders_are_put_together() {
        let [y, x] = ["y", "x"].map(|engine| record(engine, "a", Status::Correct, true, 1.0));
        let more = record("x", "b", Status::Unknown, true, 1.0);
        let one = folder("one", 20.0, 1, &[y.clone(), x.clone()]);
        let two = folder("two", 20.0, 1, std::slice::from_ref(&more));
        let slow = folder("slow", 60.0, 1, std::slice::from_ref(&x));

        let mut both = collect(&[one.clone(), two.clone(), one.clone()]).unwrap();
        assert_eq!(both.engines, ["y", "x"], "other tasks of the same engine");
        assert_eq!(both.records.len(), 3);
        assert!(both.notes.is_empty(), "{:?}", both.notes);
        assert!(both.select(&["z".to_owned()]).unwrap_err().to_string().contains("`z`; there are y, x"));
        both.select(&["x".to_owned()]).unwrap();
        assert_eq!(both.records, [x.clone(), more]);

        let all = collect(&[one.clone(), slow.clone()]).unwrap();
        assert_eq!(all.engines, ["y", "x (one)", "x (slow)"], "the same task twice");
        assert!(
            all.notes[1].ends_with("slow: 60.0 s and no memory limit a task, by Aster build 1"),
            "{:?}",
            all.notes
        );
        let all = collect(&[two.clone(), slow]).unwrap();
        assert_eq!(all.engines, ["x (two)", "x (slow)"], "other limits");
        let rebuilt = folder("rebuilt", 20.0, 2, std::slice::from_ref(&x));
        let all = collect(&[two.clone(), rebuilt]).unwrap();
        assert_eq!(all.engines, ["x (two)", "x (rebuilt)"], "another build");

        let liar = folder("liar", 20.0, 1, &[record("z", "a", Status::Correct, false, 1.0)]);
        let error = collect(&[one, liar]).unwrap_err().to_string();
        assert!(error.contains("liar: another verdict is expected of Loops/a"), "{error}");
        let empty = folder("empty", 20.0, 1, &[]);
        assert!(matches!(collect(&[empty]), Err(CollectError::Empty)));
        assert!(collect(&[two.join("missing")]).is_err());
        fs::remove_dir_all(two.parent().unwrap()).unwrap();
    }

    #[test]
    fn folders_of_the_same_name_keep_their_paths() {
        let paths = ["a/x", "b/x", "b/y"].map(PathBuf::from);
        assert_eq!(paths.each_ref().map(|path| label(path, &paths)), ["a/x", "b/x", "y"]);
    }
}
