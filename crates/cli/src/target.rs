//! What is checked: the file, the property and the data model, from arguments and task definitions.

use aster_bench::property::{self, Property, Requirement};
use aster_bench::task::{self, DataModel};
use aster_c::{Checks, LoadError, LoadOptions};
use aster_cfa::Program;
use aster_models::{Rejected, gcl, theta};
use aster_term::TermPool;
use std::io::Read;
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
    /// Values of constants of guarded commands.
    pub settings: Vec<(String, String)>,
}

impl Target {
    /// Reads the task definition, if the file is one, and the property. Arguments come first.
    pub fn resolve(
        file: &Path,
        property: Option<&Path>,
        data_model: Option<DataModel>,
    ) -> anyhow::Result<Self> {
        let mut target = Target {
            file: file.to_owned(),
            property: Property::default(),
            data_model: data_model.unwrap_or(DataModel::Lp64),
            malloc_may_fail: false,
            settings: Vec::new(),
        };
        let mut property = property.map(Path::to_owned);
        if task::is_task_definition(file) {
            // With a property of the user's own it does not matter whether the task's can be checked.
            let task = if property.is_some() { task::load_program(file)? } else { task::load(file)? };
            target.file = task.input;
            target.data_model = data_model.or(task.data_model).unwrap_or(target.data_model);
            property = property.or(task.property);
        }
        if let Some(path) = property {
            target.property = property::load(&path)?;
        }
        if target.language() != Language::C && !target.property.requirements.is_empty() {
            anyhow::bail!("models say themselves what an error is: {} is for C", target.property.name);
        }
        Ok(target)
    }

    /// The file's name for people.
    pub fn name(&self) -> String {
        if self.is_stdin() { "<stdin>".to_owned() } else { self.file.display().to_string() }
    }

    fn is_stdin(&self) -> bool {
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

fn rejected(rejected: Rejected) -> LoadError {
    LoadError::Diagnostics { sources: rejected.sources, diagnostics: rejected.diagnostics }
}
