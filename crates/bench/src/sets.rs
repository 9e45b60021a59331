//! Sets of tasks: task definitions, folders of them, `.set` files of globs, and CSV lists.

use crate::property;
use crate::published::Published;
use crate::task::{self, DataModel, Task, TaskDefinition, TaskError};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A task as a member of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The set's name: the stem of the set file, or the folder of the task definition.
    pub family: String,
    /// The task's name, unique within its family.
    pub name: String,
    /// The task.
    pub task: Task,
    /// Options of `aster check` that belong to the task.
    pub options: Vec<String>,
    /// What was published about it, if the set says so.
    pub published: Option<Published>,
}

impl Entry {
    /// A task without options of its own.
    pub fn new(family: &str, name: &str, task: Task) -> Self {
        let (family, name) = (family.to_owned(), name.to_owned());
        Entry { family, name, task, options: Vec::new(), published: None }
    }
}

/// All tasks of some sets, in the order of the sets, each once.
#[derive(Debug, Default)]
pub struct Selection {
    /// The tasks.
    pub entries: Vec<Entry>,
    /// Task definitions that were left out, with the reason (mostly properties that cannot be checked).
    pub skipped: Vec<String>,
}

/// Why a set is of no use.
#[derive(Debug, thiserror::Error)]
pub enum SetError {
    /// Not readable.
    #[error("{}: {error}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What went wrong.
        error: std::io::Error,
    },
    /// Neither of the known kinds.
    #[error("{}: not a task set; expected a .yml task definition, a .set file, a .csv list or a folder", path.display())]
    Kind {
        /// The file.
        path: PathBuf,
    },
    /// A line of a set file is wrong.
    #[error("{}:{line}: {message}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Where, from 1.
        line: u64,
        /// What is wrong.
        message: String,
    },
    /// A task definition that was named itself is of no use.
    #[error(transparent)]
    Task(#[from] TaskError),
    /// A set without a task.
    #[error("{}: no task in it can be checked", path.display())]
    Empty {
        /// The set.
        path: PathBuf,
    },
}

/// Reads all tasks of the sets.
pub fn load(sets: &[PathBuf]) -> Result<Selection, SetError> {
    let mut selection = Selection::default();
    let mut seen = BTreeSet::new();
    for path in sets {
        let mut part = Selection::default();
        load_one(path, &mut part)?;
        if part.entries.is_empty() {
            return Err(SetError::Empty { path: path.clone() });
        }
        part.entries.retain(|entry| seen.insert((entry.family.clone(), entry.name.clone())));
        selection.entries.append(&mut part.entries);
        selection.skipped.append(&mut part.skipped);
    }
    Ok(selection)
}

fn load_one(path: &Path, selection: &mut Selection) -> Result<(), SetError> {
    let read_error = |error| SetError::Read { path: path.to_owned(), error };
    if fs::metadata(path).map_err(read_error)?.is_dir() {
        let mut files = Vec::new();
        for entry in fs::read_dir(path).map_err(read_error)? {
            files.push(entry.map_err(read_error)?.path());
        }
        files.retain(|file| task::is_task_definition(file));
        files.sort();
        add_definitions(&files, &stem(&absolute(path)), selection);
        return Ok(());
    }
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("yml" | "yaml") => {
            let family = absolute(path).parent().map(stem).unwrap_or_default();
            selection.entries.extend(entries_of(path, &family)?);
            Ok(())
        }
        Some("set") => load_globs(path, selection),
        Some("csv") => load_csv(path, selection),
        _ => Err(SetError::Kind { path: path.to_owned() }),
    }
}

/// The name of a file without its extension, or of a folder.
fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The path with a folder, so that `.` and plain file names have one.
fn absolute(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn add_definitions(files: &[PathBuf], family: &str, selection: &mut Selection) {
    for file in files {
        match entries_of(file, family) {
            Ok(entries) => selection.entries.extend(entries),
            Err(error) => selection.skipped.push(error.to_string()),
        }
    }
}

/// A task for each property of a task definition. If there are several, their names say which.
fn entries_of(file: &Path, family: &str) -> Result<Vec<Entry>, TaskError> {
    let tasks = task::load(file)?.tasks()?;
    let is_alone = tasks.len() == 1;
    let name = |task: &Task| match &task.property {
        Some(property) if !is_alone => with_property(&file.display().to_string(), property),
        _ => file.display().to_string(),
    };
    Ok(tasks.into_iter().map(|task| Entry::new(family, &name(&task), task)).collect())
}

/// The name of a task of which there are several, for different properties.
fn with_property(name: &str, property: &Path) -> String {
    format!("{name} ({})", stem(property))
}

/// A `.set` file: a glob a line, relative to the file's folder; `#` starts a comment.
fn load_globs(path: &Path, selection: &mut Selection) -> Result<(), SetError> {
    let text = fs::read_to_string(path).map_err(|error| SetError::Read { path: path.to_owned(), error })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut files = BTreeSet::new();
    for (index, line) in text.lines().enumerate() {
        let pattern = line.split('#').next().unwrap_or_default().trim();
        if pattern.is_empty() {
            continue;
        }
        let full = match folder.to_str() {
            Some("") | None => pattern.to_owned(),
            Some(folder) => format!("{}/{pattern}", glob::Pattern::escape(folder)),
        };
        let matches = glob::glob(&full).map_err(|error| SetError::Line {
            path: path.to_owned(),
            line: index as u64 + 1,
            message: format!("not a glob: {}", error.msg),
        })?;
        files.extend(matches.filter_map(Result::ok).filter(|file| task::is_task_definition(file)));
    }
    add_definitions(&files.into_iter().collect::<Vec<_>>(), &stem(path), selection);
    Ok(())
}

#[derive(Deserialize)]
struct Row {
    task: String,
    input: String,
    expected: String,
    data_model: String,
    #[serde(default)]
    property: String,
    #[serde(default)]
    family: String,
    #[serde(default)]
    options: String,
    #[serde(default)]
    published_iterations: String,
    #[serde(default)]
    published_predicates: String,
    #[serde(default)]
    published_queries: String,
    #[serde(default)]
    published_states: String,
    #[serde(default)]
    published_time: String,
}

impl Row {
    fn published(&self) -> Option<Published> {
        let published = Published {
            iterations: self.published_iterations.clone(),
            predicates: self.published_predicates.clone(),
            queries: self.published_queries.clone(),
            states: self.published_states.clone(),
            time: self.published_time.clone(),
        };
        (published != Published::default()).then_some(published)
    }
}

/// A CSV list with the columns `task,input,expected,data_model`; paths are relative to its folder. The property is what the column
/// `property` says; without it, it comes from the task definition, if that is there. Further columns may say the `family`,
/// `options` for the check, and what was published about the task.
fn load_csv(path: &Path, selection: &mut Selection) -> Result<(), SetError> {
    let read_error = |error| SetError::Read { path: path.to_owned(), error };
    let folder = path.parent().unwrap_or(Path::new(""));
    let family = stem(path);
    let file = fs::File::open(path).map_err(read_error)?;
    let mut reader = csv::Reader::from_reader(file);
    let mut names = BTreeSet::new();
    for (index, row) in reader.deserialize().enumerate() {
        let wrong = |line: u64, message: String| SetError::Line { path: path.to_owned(), line, message };
        let line = index as u64 + 2;
        let row: Row = row.map_err(|error| {
            wrong(
                error.position().map_or(line, csv::Position::line),
                format!("not a line of a task list: {error}"),
            )
        })?;
        let expected = match row.expected.as_str() {
            "true" => Some(true),
            "false" => Some(false),
            "" => None,
            other => {
                return Err(wrong(line, format!("the expected verdict is true or false, not `{other}`")));
            }
        };
        let data_model = match row.data_model.as_str() {
            "" => None,
            name => Some(
                DataModel::from_name(name)
                    .ok_or_else(|| wrong(line, format!("unknown data model `{name}`")))?,
            ),
        };
        let property = match property_of(&row, folder) {
            Ok(property) => property,
            Err(reason) => {
                selection.skipped.push(reason);
                continue;
            }
        };
        let family = if row.family.is_empty() { &family } else { &row.family };
        let named = |name: &str| names.contains(&(family.clone(), name.to_owned()));
        let name = match &property {
            Some(property) if named(&row.task) => with_property(&row.task, property),
            _ => row.task.clone(),
        };
        names.insert((family.clone(), name.clone()));
        let task = Task { input: folder.join(&row.input), property, expected, data_model };
        selection.entries.push(Entry {
            options: row.options.split_whitespace().map(str::to_owned).collect(),
            published: row.published(),
            ..Entry::new(family, &name, task)
        });
    }
    Ok(())
}

/// The property file of a line of a list. The error says why the task cannot be checked.
fn property_of(row: &Row, folder: &Path) -> Result<Option<PathBuf>, String> {
    if !row.property.is_empty() {
        let file = folder.join(&row.property);
        return property::load(&file).map(|_| Some(file)).map_err(|error| error.to_string());
    }
    match task::load(&folder.join(&row.task)).and_then(TaskDefinition::usual_task) {
        Ok(task) => Ok(task.property),
        Err(TaskError::Read { .. }) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of its own, removed at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("aster-sets-{}-{name}", std::process::id()));
            fs::create_dir_all(path.join("fam")).unwrap();
            let folder = Folder(path);
            folder.write("u.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )");
            folder.write("t.prp", "CHECK( init(main()), LTL(F end) )");
            folder.write("o.prp", "CHECK( init(main()), LTL(G ! overflow) )");
            folder.write(
                "both.yml",
                "format_version: '2.0'\ninput_files: fam/a.c\nproperties:\n  - property_file: u.prp\n    \
                 expected_verdict: true\n  - property_file: t.prp\n  - property_file: o.prp\n    expected_verdict: false\n",
            );
            for (name, property) in [("a", "u"), ("b", "u"), ("c", "t")] {
                folder.write(
                    &format!("fam/{name}.yml"),
                    &format!(
                        "format_version: '2.0'\ninput_files: {name}.c\nproperties:\n  \
                         - property_file: ../{property}.prp\n    expected_verdict: true\n"
                    ),
                );
            }
            folder
        }

        fn write(&self, name: &str, text: &str) -> PathBuf {
            let path = self.0.join(name);
            fs::write(&path, text).unwrap();
            path
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn folders_and_definitions() {
        let folder = Folder::new("folder");
        let selection = load(&[folder.0.join("fam")]).unwrap();
        assert_eq!(selection.entries.len(), 2);
        assert_eq!(selection.entries[0].family, "fam");
        assert_eq!(selection.skipped.len(), 1);
        let twice = [folder.0.join("fam/b.yml"), folder.0.join("fam")];
        let selection = load(&twice).unwrap();
        assert_eq!(selection.entries.len(), 2, "each task once");
        assert!(load(&[folder.0.join("fam/c.yml")]).is_err(), "named itself: an error");
        let selection = load(&[folder.0.join("both.yml")]).unwrap();
        let [calls, overflow] = selection.entries.as_slice() else { panic!("two of three can be checked") };
        assert!(calls.name.ends_with("both.yml (u)") && calls.task.expected == Some(true));
        assert!(overflow.name.ends_with("both.yml (o)") && overflow.task.expected == Some(false));
    }

    #[test]
    fn set_files() {
        let folder = Folder::new("set");
        let set = folder.write("My.set", "# comment\n\nfam/[ab].yml\nfam/a.*\n");
        let selection = load(&[set]).unwrap();
        let names: Vec<_> = selection.entries.iter().map(|entry| entry.family.as_str()).collect();
        assert_eq!(names, ["My", "My"]);
        let bad = folder.write("Bad.set", "fam/a.yml\nfam/***\n");
        assert!(load(&[bad]).unwrap_err().to_string().contains("Bad.set:2: not a glob"));
        let empty = folder.write("Empty.set", "nothing/*.yml\n");
        assert!(load(&[empty]).unwrap_err().to_string().contains("no task"));
    }

    #[test]
    fn csv_lists() {
        let folder = Folder::new("csv");
        let list = folder.write(
            "Loops.csv",
            "task,input,expected,data_model\nfam/a.yml,fam/a.c,false,ILP32\nfam/zz.yml,\"fam/z,z.c\",true,\nfam/c.yml,fam/c.c,true,LP64\n",
        );
        let selection = load(&[list]).unwrap();
        assert_eq!(selection.skipped.len(), 1, "c.yml asks for termination");
        let [a, z] = selection.entries.as_slice() else { panic!("two tasks") };
        assert_eq!((a.family.as_str(), a.name.as_str()), ("Loops", "fam/a.yml"));
        assert_eq!(a.task.expected, Some(false));
        assert_eq!(a.task.data_model, Some(DataModel::Ilp32));
        assert!(a.task.property.as_ref().is_some_and(|path| path.ends_with("u.prp")));
        assert_eq!(z.task.property, None, "no definition there: the default property");
        assert!(z.task.input.ends_with("fam/z,z.c"));
        assert_eq!((&z.options, &z.published), (&Vec::new(), &None));
        let list = folder.write(
            "Both.csv",
            "task,input,expected,data_model,property\nfam/a.yml,fam/a.c,false,ILP32,o.prp\n\
             fam/a.yml,fam/a.c,true,ILP32,u.prp\nfam/b.yml,fam/b.c,true,ILP32,t.prp\n",
        );
        let selection = load(&[list]).unwrap();
        let named = selection.entries.iter().map(|entry| (entry.name.as_str(), entry.task.expected));
        assert!(named.eq([("fam/a.yml", Some(false)), ("fam/a.yml (u)", Some(true))]));
        let files = selection.entries.iter().filter_map(|entry| entry.task.property.as_ref()?.file_name());
        assert!(files.eq(["o.prp", "u.prp"]), "what the column says, not the definition");
        assert_eq!(selection.skipped.len(), 1, "termination");
        let list = folder.write(
            "Models.csv",
            "family,task,input,expected,data_model,options,published_iterations,published_time\n\
             Figure 1,m2,m.gcl,true,,-D N=2  -D b=false,3,0.5\n,m3,m.gcl,true,,,,\n",
        );
        let selection = load(&[list]).unwrap();
        let [two, three] = selection.entries.as_slice() else { panic!("two tasks") };
        assert_eq!(
            (two.family.as_str(), two.options.join(",")),
            ("Figure 1", "-D,N=2,-D,b=false".to_owned())
        );
        let published = two.published.as_ref().unwrap();
        assert_eq!((published.iterations.as_str(), published.time.as_str()), ("3", "0.5"));
        assert_eq!((three.family.as_str(), &three.published), ("Models", &None));
        for (text, part) in [
            ("task,input,expected,data_model\na,b,perhaps,\n", "L.csv:2: the expected verdict"),
            ("task,input,expected,data_model\na,b,true,LLP64\n", "L.csv:2: unknown data model"),
            ("task,input,expected,data_model\na,b\n", "L.csv:2: not a line"),
            ("task,input\na,b\n", "L.csv:2: not a line"),
        ] {
            let list = folder.write("L.csv", text);
            let error = load(&[list]).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
        assert!(load(&[folder.write("x.txt", "")]).unwrap_err().to_string().contains("not a task set"));
        assert!(load(&[folder.0.join("missing.csv")]).is_err());
    }
}
