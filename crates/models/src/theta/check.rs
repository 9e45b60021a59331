//! What can be checked about a model without its expressions: names and the shape of processes.

use super::syntax::{Declaration, Model, Process, Role};
use crate::tokens::Name;
use aster_cfa::{Diagnostic, FileId, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// Checks a model; gives the position of its main process.
pub(super) fn check(model: &Model, file: FileId) -> Result<usize, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    distinct(model.processes.iter().map(|process| &process.name), "process", &mut errors);
    let mut main = None;
    for (index, process) in model.processes.iter().enumerate() {
        if process.is_main && main.replace(index).is_some() {
            errors.push(Diagnostic::new(process.name.span, "there is another main process already"));
        }
        check_process(process, &model.globals, &mut errors);
    }
    if model.processes.is_empty() {
        let start = Span::line_start(file, 1);
        errors.push(Diagnostic::new(start, "there is no process").with_note("a model has a `main process`"));
    } else if main.is_none() {
        let span = model.processes[0].name.span;
        errors.push(Diagnostic::new(span, "one of the processes must be a `main process`"));
    }
    match main {
        Some(main) if errors.is_empty() => Ok(main),
        _ => Err(errors),
    }
}

fn check_process(process: &Process, globals: &[Declaration], errors: &mut Vec<Diagnostic>) {
    let variables = globals.iter().chain(&process.variables);
    distinct(variables.map(|variable| &variable.name), "variable", errors);
    distinct(process.locations.iter().map(|location| &location.name), "location", errors);
    for (role, word) in [(Role::Initial, "init"), (Role::Final, "final"), (Role::Error, "error")] {
        let mut found = process.locations.iter().filter(|location| location.role == role);
        let first = found.next();
        for location in found {
            let message = format!("there is another `{word} loc` already");
            errors.push(Diagnostic::new(location.name.span, message));
        }
        if first.is_none() && role == Role::Initial {
            let message = format!("process `{}` has no `init loc`", process.name.text);
            errors.push(Diagnostic::new(process.name.span, message));
        }
    }
    let locations: FxHashSet<&str> =
        process.locations.iter().map(|location| location.name.text.as_str()).collect();
    for name in process.edges.iter().flat_map(|edge| [&edge.source, &edge.target]) {
        if !locations.contains(name.text.as_str()) {
            let message = format!("location `{}` is not declared", name.text);
            errors.push(Diagnostic::new(name.span, message));
        }
    }
}

fn distinct<'a>(names: impl Iterator<Item = &'a Name>, what: &str, errors: &mut Vec<Diagnostic>) {
    let mut lines: FxHashMap<&str, u32> = FxHashMap::default();
    for name in names {
        if let Some(line) = lines.get(name.text.as_str()) {
            let message = format!("{what} `{}` is already declared in line {line}", name.text);
            errors.push(Diagnostic::new(name.span, message));
        }
        lines.entry(&name.text).or_insert(name.span.line);
    }
}
