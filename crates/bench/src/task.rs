//! Task definitions (`.yml`, formats 1.0 and 2.x): an input file, the properties to check and the
//! expected verdicts.

use crate::property::{self, Property, PropertyError};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// Sizes of C's types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum DataModel {
    /// 32-bit `int`, `long` and pointers.
    Ilp32,
    /// 32-bit `int`, 64-bit `long` and pointers.
    Lp64,
}

impl fmt::Display for DataModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        })
    }
}

impl DataModel {
    /// Reads a name in any case.
    pub fn from_name(name: &str) -> Option<Self> {
        [DataModel::Ilp32, DataModel::Lp64]
            .into_iter()
            .find(|model| model.to_string().eq_ignore_ascii_case(name))
    }
}

/// A program to check, what to check, and what should come out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The program.
    pub input: PathBuf,
    /// The property file; the default property without one.
    pub property: Option<PathBuf>,
    /// True if the program has the property; `None` if nobody says so.
    pub expected: Option<bool>,
    /// Sizes of types, if the task says them.
    pub data_model: Option<DataModel>,
}

/// Why a task definition is of no use.
#[derive(Debug, thiserror::Error)]
pub enum TaskError {
    /// The file could not be read.
    #[error("{}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        error: std::io::Error,
    },
    /// The file is not a task definition.
    #[error("{}: not a task definition: {message}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// The task asks for something that cannot be done.
    #[error("{}: {message}", path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// What it is.
        message: String,
    },
    /// The property file of the task is of no use.
    #[error("{error} (named by {})", path.display())]
    Property {
        /// The task definition.
        path: PathBuf,
        /// What is wrong with the property.
        error: PropertyError,
    },
}

#[derive(Deserialize)]
struct Definition {
    format_version: Option<Scalar>,
    input_files: OneOrMany,
    #[serde(default)]
    properties: Option<Vec<PropertyEntry>>,
    #[serde(default)]
    options: Option<TaskOptions>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

/// Format versions are written with and without quotes.
#[derive(Deserialize)]
#[serde(untagged)]
enum Scalar {
    Text(String),
    Number(f64),
}

#[derive(Deserialize)]
struct PropertyEntry {
    property_file: String,
    #[serde(default)]
    expected_verdict: Option<bool>,
}

#[derive(Default, Deserialize)]
struct TaskOptions {
    #[serde(default)]
    language: Option<String>,
    #[serde(default)]
    data_model: Option<String>,
}

/// True if the file's name is that of a task definition.
pub fn is_task_definition(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
}

/// A task definition.
#[derive(Debug)]
pub struct TaskDefinition {
    /// The file.
    pub path: PathBuf,
    /// The program.
    pub input: PathBuf,
    /// Sizes of types, if the task says them.
    pub data_model: Option<DataModel>,
    /// The properties that it asks for and that can be checked.
    pub properties: Vec<Asked>,
    /// Why the first of the others cannot.
    pub refused: Option<PropertyError>,
}

/// A property that a task asks for.
#[derive(Debug, PartialEq, Eq)]
pub struct Asked {
    /// Its file.
    pub file: PathBuf,
    /// What it says.
    pub property: Property,
    /// True if the program has it; `None` if nobody says so.
    pub expected: Option<bool>,
}

impl TaskDefinition {
    /// A task for each property that can be checked; one with the default property if none is asked for.
    pub fn tasks(self) -> Result<Vec<Task>, TaskError> {
        let definition = self.require_known()?;
        if definition.properties.is_empty() {
            return Ok(vec![definition.task(None)]);
        }
        Ok(definition.properties.iter().map(|asked| definition.task(Some(asked))).collect())
    }

    /// The task for the property that lists mean which do not name one: the first about calls, if there is one, otherwise the first.
    pub fn usual_task(self) -> Result<Task, TaskError> {
        let definition = self.require_known()?;
        let about_calls = definition.properties.iter().find(|asked| asked.property.is_about_calls());
        Ok(definition.task(about_calls.or(definition.properties.first())))
    }

    /// An error if it asks for properties of which none can be checked.
    fn require_known(self) -> Result<Self, TaskError> {
        match self.refused {
            Some(error) if self.properties.is_empty() => Err(TaskError::Property { path: self.path, error }),
            _ => Ok(self),
        }
    }

    fn task(&self, asked: Option<&Asked>) -> Task {
        Task {
            input: self.input.clone(),
            property: asked.map(|asked| asked.file.clone()),
            expected: asked.and_then(|asked| asked.expected),
            data_model: self.data_model,
        }
    }
}

/// Reads a task definition and its properties.
pub fn load(path: &Path) -> Result<TaskDefinition, TaskError> {
    let bytes = fs::read(path).map_err(|error| TaskError::Read { path: path.to_owned(), error })?;
    let text = String::from_utf8_lossy(&bytes);
    parse(&text, path, property::load)
}

/// Reads a task definition from a text; `path` is where relative paths start, `load` reads a property.
fn parse(
    text: &str,
    path: &Path,
    load: impl Fn(&Path) -> Result<Property, PropertyError>,
) -> Result<TaskDefinition, TaskError> {
    let malformed = |message: String| TaskError::Malformed { path: path.to_owned(), message };
    let unsupported = |message: String| TaskError::Unsupported { path: path.to_owned(), message };
    let definition: Definition = yaml_serde::from_str(text).map_err(|error| malformed(error.to_string()))?;
    match &definition.format_version {
        Some(Scalar::Text(version)) if version.starts_with("1.") || version.starts_with("2.") => {}
        Some(Scalar::Number(version)) if (1.0..3.0).contains(version) => {}
        Some(Scalar::Text(version)) => return Err(unsupported(format!("unknown format version {version}"))),
        Some(Scalar::Number(version)) => {
            return Err(unsupported(format!("unknown format version {version}")));
        }
        None => return Err(malformed("missing field `format_version`".to_owned())),
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let input = match definition.input_files {
        OneOrMany::One(file) => file,
        OneOrMany::Many(mut files) => match (files.pop(), files.is_empty()) {
            (Some(file), true) => file,
            (None, _) => return Err(malformed("no input files".to_owned())),
            _ => return Err(unsupported("programs of several input files are not supported".to_owned())),
        },
    };
    let options = definition.options.unwrap_or_default();
    if let Some(language) = options.language.filter(|language| !language.eq_ignore_ascii_case("c")) {
        return Err(unsupported(format!("the language {language} is not supported")));
    }
    let data_model = match options.data_model {
        None => None,
        Some(name) => Some(
            DataModel::from_name(&name).ok_or_else(|| unsupported(format!("unknown data model {name}")))?,
        ),
    };
    let mut properties = Vec::new();
    let mut refused = None;
    for entry in definition.properties.unwrap_or_default() {
        let file = folder.join(&entry.property_file);
        match load(&file) {
            Ok(property) => properties.push(Asked { file, property, expected: entry.expected_verdict }),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    Ok(TaskDefinition { path: path.to_owned(), input: folder.join(input), data_model, properties, refused })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition(text: &str) -> Result<TaskDefinition, TaskError> {
        let load = |path: &Path| {
            let text = match path.file_name().and_then(|name| name.to_str()) {
                Some("unreach-call.prp") => "CHECK( init(main()), LTL(G ! call(reach_error())) )",
                Some("no-overflow.prp") => "CHECK( init(main()), LTL(G ! overflow) )",
                _ => "CHECK( init(main()), LTL(F end) )",
            };
            property::parse(text, path)
        };
        parse(text, Path::new("set/t.yml"), load)
    }

    /// What is usually checked.
    fn read(text: &str) -> Result<Task, String> {
        definition(text).and_then(TaskDefinition::usual_task).map_err(|error| error.to_string())
    }

    #[test]
    fn the_property_about_calls_comes_first() {
        let text = |properties: &str| {
            format!(
                "format_version: '2.0'\ninput_files: a.c\nproperties:\n{properties}options: {{language: C}}\n"
            )
        };
        let overflow = "  - {property_file: no-overflow.prp, expected_verdict: true}\n";
        let both = format!("{overflow}  - {{property_file: unreach-call.prp, expected_verdict: false}}\n");
        for (properties, name, expected) in [(overflow, "no-overflow", true), (&both, "unreach-call", false)]
        {
            let task = read(&text(properties)).unwrap();
            assert_eq!(task.property, Some(PathBuf::from(format!("set/{name}.prp"))));
            assert_eq!(task.expected, Some(expected));
        }
        let tasks = definition(&text(&both)).unwrap().tasks().unwrap();
        let asked = tasks.iter().map(|task| (task.property.as_deref(), task.expected));
        let [first, second] = [("set/no-overflow.prp", true), ("set/unreach-call.prp", false)]
            .map(|(file, expected)| (Some(Path::new(file)), Some(expected)));
        assert!(asked.eq([first, second]));
    }

    #[test]
    fn format_one() {
        let text = "format_version: '1.0'\n# old name\ninput_files: 'a.c'\nproperties:\n  \
                    - property_file: ../p/termination.prp\n    expected_verdict: true\n  \
                    - property_file: ../p/unreach-call.prp\n    expected_verdict: false\n";
        assert_eq!(
            read(text).unwrap(),
            Task {
                input: PathBuf::from("set/a.c"),
                property: Some(PathBuf::from("set/../p/unreach-call.prp")),
                expected: Some(false),
                data_model: None,
            }
        );
    }

    #[test]
    fn format_two() {
        let text = "format_version: 2.0\ninput_files: [ 'a.i' ]\nproperties:\n  \
                    - property_file: unreach-call.prp\noptions:\n  language: C\n  data_model: ILP32\n";
        let task = read(text).unwrap();
        assert_eq!(task.expected, None);
        assert_eq!(task.data_model, Some(DataModel::Ilp32));
        assert_eq!(task.input, PathBuf::from("set/a.i"));
    }

    #[test]
    fn what_cannot_be_checked_is_refused() {
        for (text, part) in [
            ("format_version: '3.0'\ninput_files: a.c\n", "unknown format version 3.0"),
            ("input_files: a.c\n", "format_version"),
            ("format_version: '2.0'\n", "input_files"),
            ("format_version: '2.0'\ninput_files: [a.c, b.c]\n", "several input files"),
            ("format_version: '2.0'\ninput_files: []\n", "no input files"),
            ("format_version: '2.0'\ninput_files: a.java\noptions: {language: Java}\n", "language Java"),
            ("format_version: '2.0'\ninput_files: a.c\noptions: {data_model: LLP64}\n", "data model LLP64"),
            (
                "format_version: '2.0'\ninput_files: a.c\nproperties: [{property_file: t.prp}]\n",
                "`termination`",
            ),
            ("{{{", "not a task definition"),
            ("", "not a task definition"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn without_properties_the_default_one_is_checked() {
        let task = read("format_version: '2.0'\ninput_files: a.c\n").unwrap();
        assert_eq!(task.property, None);
    }
}
