//! What can go wrong when a program is loaded.

use aster_cfa::{Diagnostic, SourceMap};
use thiserror::Error;

/// Why a program could not be loaded.
#[derive(Clone, Debug, Error)]
pub enum LoadError {
    /// The file could not be read.
    #[error("cannot read {path}: {message}")]
    Io {
        /// The file.
        path: String,
        /// What the system says.
        message: String,
    },
    /// The file is no text.
    #[error("{path} is not source text: {message}")]
    NotText {
        /// The file.
        path: String,
        /// Why.
        message: String,
    },
    /// The preprocessor failed or is missing.
    #[error("cannot preprocess {path}: {message}")]
    Preprocessor {
        /// The file.
        path: String,
        /// One line that says what is wrong.
        message: String,
        /// What the compiler printed.
        output: String,
    },
    /// The program has errors.
    #[error("{}", summary(sources, diagnostics))]
    Diagnostics {
        /// The files that the spans point into.
        sources: SourceMap,
        /// The errors, at least one.
        diagnostics: Vec<Diagnostic>,
    },
}

impl LoadError {
    /// The whole message, usually of several lines, ending with a line end.
    pub fn render(&self) -> String {
        match self {
            LoadError::Io { .. } | LoadError::NotText { .. } => format!("error: {self}\n"),
            LoadError::Preprocessor { output, .. } if output.is_empty() => format!("error: {self}\n"),
            LoadError::Preprocessor { output, .. } => format!("error: {self}\n{output}\n"),
            LoadError::Diagnostics { sources, diagnostics } => {
                diagnostics.iter().map(|diagnostic| diagnostic.render(sources)).collect()
            }
        }
    }
}

fn summary(sources: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    match diagnostics {
        [] => "the program cannot be loaded".to_owned(),
        [only] => format!("{}: {}", sources.position(only.span), only.message),
        [first, others @ ..] => {
            let position = sources.position(first.span);
            format!("{position}: {} (and {} more)", first.message, others.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aster_cfa::Span;

    #[test]
    fn the_summary_is_one_line() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.c", "x");
        let wrong = Diagnostic::new(Span { file, line: 1, column: 1, length: 1 }, "wrong");
        let one = LoadError::Diagnostics { sources: sources.clone(), diagnostics: vec![wrong.clone()] };
        assert_eq!(one.to_string(), "a.c:1:1: wrong");
        let two = LoadError::Diagnostics { sources, diagnostics: vec![wrong.clone(), wrong] };
        assert_eq!(two.to_string(), "a.c:1:1: wrong (and 1 more)");
    }
}
