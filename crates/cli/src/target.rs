//! What is checked: the file, the property and the data model, from arguments and task definitions.

use aster_bench::property::{self, Property, PropertyError, Requirement};
use aster_bench::task::{self, DataModel, TaskDefinition};
use aster_c::{Checks, LoadError, LoadOptions};
use aster_cfa::Program;
use aster_models::{Rejected, gcl, theta};
use aster_term::TermPool;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// What a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C.
    C,
    /// Textual control-flow automata.
    TextualCfa,
    /// Guarded commands.
    GuardedCommands,
}

impl Language {
    /// The language that a file's name tells.
    pub fn of(file: &Path) -> Self {
        match file.extension().and_then(|extension| extension.to_str()) {
            Some("cfa" | "theta") => Language::TextualCfa,
            Some("gcl") => Language::GuardedCommands,
            _ => Language::C,
        }
    }
}

/// What is checked.
#[derive(Clone, Debug)]
pub struct Target {
    /// The program; `-` is standard input.
    pub file: PathBuf,
    /// What counts as an error.
    pub property: Property,
    /// Sizes of types.
    pub data_model: DataModel,
    /// Allocation of memory may fail.
    pub malloc_may_fail: bool,
    /// Runs in which the program does something undefined that is no error are not looked at.
    pub assume_defined: bool,
    /// Values of constants of guarded commands.
    pub settings: Vec<(String, String)>,
}

impl Target {
    /// A file of which nothing is known yet but what the arguments say.
    pub fn unread(file: &Path, data_model: Option<DataModel>) -> Self {
        Target {
            file: file.to_owned(),
            property: Property::default(),
            data_model: data_model.unwrap_or(DataModel::Lp64),
            malloc_may_fail: false,
            assume_defined: false,
            settings: Vec::new(),
        }
    }

    /// Reads the task definition, if the file is one, and the property. Arguments come first.
    pub fn resolve(
        file: &Path,
        property: Option<&Path>,
        data_model: Option<DataModel>,
    ) -> anyhow::Result<Self> {
        let mut target = Target::unread(file, data_model);
        let mut of_task = None;
        if task::is_task_definition(file) {
            let task = task::load(file)?;
            target.file = task.input.clone();
            target.data_model = data_model.or(task.data_model).unwrap_or(target.data_model);
            // With a property of the user's own it does not matter whether the task's can be checked.
            if property.is_none() {
                of_task = only_property(task)?;
            }
        }
        if let Some(property) = property.or(of_task.as_deref()) {
            target.property = load_property(property)?;
            target.assume_defined = target.property.is_about_calls();
        }
        if target.language() != Language::C && !target.property.is_about_calls() {
            anyhow::bail!("models say themselves what an error is: {} is for C", target.property.name);
        }
        Ok(target)
    }

    /// The file's name for people.
    pub fn name(&self) -> String {
        if self.is_stdin() { "<stdin>".to_owned() } else { self.file.display().to_string() }
    }

    /// True if the program is read from standard input, once.
    pub fn is_stdin(&self) -> bool {
        self.file == Path::new("-")
    }

    fn checks(&self) -> Checks {
        let requires = |requirement| self.property.requirements.contains(&requirement);
        Checks {
            overflow: requires(Requirement::NoOverflow),
            memory: requires(Requirement::ValidDeref) || requires(Requirement::ValidFree),
            leaks: requires(Requirement::ValidMemtrack),
            cleanup: requires(Requirement::ValidMemcleanup),
        }
    }

    /// Gives constants of guarded commands other values. Only they have such constants.
    pub fn with_settings(mut self, settings: &[(String, String)]) -> anyhow::Result<Self> {
        if !settings.is_empty() && self.language() != Language::GuardedCommands {
            anyhow::bail!("-D sets constants of guarded commands (.gcl), and {} are none", self.name());
        }
        self.settings = settings.to_vec();
        Ok(self)
    }

    /// What the file is written in.
    pub fn language(&self) -> Language {
        Language::of(&self.file)
    }

    /// Loads the program.
    pub fn load(&self, pool: &mut TermPool) -> Result<Program, LoadError> {
        match self.language() {
            Language::C => self.load_c(pool),
            Language::TextualCfa => theta::load(pool, &self.name(), &self.text()?).map_err(rejected),
            Language::GuardedCommands => Ok(self.load_system(pool)?.to_program(pool)),
        }
    }

    /// Loads guarded commands as the system that they are.
    pub fn load_system(&self, pool: &mut TermPool) -> Result<gcl::System, LoadError> {
        gcl::load(pool, &self.name(), &self.text()?, &self.settings).map_err(rejected)
    }

    /// The text of a model.
    fn text(&self) -> Result<String, LoadError> {
        let path = self.name();
        let bytes = std::fs::read(&self.file)
            .map_err(|error| LoadError::Io { path: path.clone(), message: error.to_string() })?;
        String::from_utf8(bytes).map_err(|error| LoadError::NotText { path, message: error.to_string() })
    }

    fn load_c(&self, pool: &mut TermPool) -> Result<Program, LoadError> {
        let options = LoadOptions {
            data_model: match self.data_model {
                DataModel::Ilp32 => aster_c::DataModel::Ilp32,
                DataModel::Lp64 => aster_c::DataModel::Lp64,
            },
            error_functions: self.property.error_functions.clone(),
            assert_is_error: self.property.assert_is_error,
            checks: self.checks(),
            malloc_may_fail: self.malloc_may_fail,
            assume_defined: self.assume_defined,
            undefined_counts: self.property.is_about_calls() && !self.assume_defined,
            ..LoadOptions::default()
        };
        if !self.is_stdin() {
            return aster_c::load(pool, &self.file, &options);
        }
        let mut bytes = Vec::new();
        std::io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .map_err(|error| LoadError::Io { path: self.name(), message: error.to_string() })?;
        let text = String::from_utf8(bytes)
            .map_err(|error| LoadError::NotText { path: self.name(), message: error.to_string() })?;
        aster_c::load_text(pool, &self.name(), &text, &options)
    }
}

/// The property of a task definition. Which one is meant must be clear.
fn only_property(task: TaskDefinition) -> anyhow::Result<Option<PathBuf>> {
    let name = task.path.display().to_string();
    let properties: Vec<PathBuf> = task.tasks()?.into_iter().filter_map(|task| task.property).collect();
    if properties.len() > 1 {
        let shown: Vec<_> = properties.iter().map(|path| path.display().to_string()).collect();
        anyhow::bail!("{name} asks for several properties; choose one with --property: {}", shown.join(", "));
    }
    Ok(properties.into_iter().next())
}

/// Reads a property file; a name that is no file may be that of a property.
fn load_property(path: &Path) -> anyhow::Result<Property> {
    match path.to_str().and_then(Property::named) {
        Some(property) if !path.exists() => Ok(property),
        _ => match property::load(path) {
            Err(PropertyError::Read { error, .. }) if error.kind() == ErrorKind::NotFound => {
                anyhow::bail!(
                    "{}: {error}; without a file, the property can be one of {}",
                    path.display(),
                    property::NAMES
                )
            }
            property => Ok(property?),
        },
    }
}

fn rejected(rejected: Rejected) -> LoadError {
    LoadError::Diagnostics { sources: rejected.sources, diagnostics: rejected.diagnostics }
}
