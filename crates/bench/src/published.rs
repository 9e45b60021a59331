//! Results beside figures that were published for the same tasks.

use crate::results::{Record, Status};
use crate::sets::Entry;
use crate::table::{Table, markdown};
use std::fmt::Write;

/// The name of the file that the table is stored in.
pub const FILE: &str = "published.csv";

/// Figures that were published for a task, as they are written there; empty where there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Published {
    /// Rounds of refinement.
    pub iterations: String,
    /// Predicates in the end.
    pub predicates: String,
    /// Queries of a solver.
    pub queries: String,
    /// Symbolic (or concrete) and abstract states.
    pub states: String,
    /// Seconds.
    pub time: String,
}

/// A table with a row for each task and engine, by family, in the order of the tasks. `None` if nothing was published about
/// any of the tasks.
pub fn table(entries: &[Entry], records: &[Record], engines: &[String]) -> Option<Table> {
    entries.iter().find(|entry| entry.published.is_some())?;
    let nothing = Published::default();
    let mut rows = Vec::new();
    let mut more = Vec::new();
    for entry in entries {
        let published = entry.published.as_ref().unwrap_or(&nothing);
        for engine in engines {
            let is_own = |record: &&Record| {
                (&record.engine, &record.family, &record.task) == (engine, &entry.family, &entry.name)
            };
            let Some(record) = records.iter().find(is_own) else { continue };
            rows.push(row(entry, record, published));
            let limit = published.iterations.parse::<u64>();
            if let (Some(own), Ok(limit)) = (record.iterations, limit)
                && record.is_decided()
                && own > limit
            {
                more.push(format!("{}/{} ({engine})", entry.family, entry.name));
            }
        }
    }
    let header = [
        "family",
        "task",
        "engine",
        "verdict",
        "iterations",
        "published iterations",
        "predicates",
        "published predicates",
        "queries",
        "published queries",
        "states",
        "published states",
        "seconds",
        "published seconds",
    ];
    let notes = (!more.is_empty()).then(|| format!("More iterations than published: {}", more.join(", ")));
    Some(Table {
        file: FILE,
        title: "Beside published figures".to_owned(),
        header: header.map(str::to_owned).to_vec(),
        rows,
        notes: notes.into_iter().collect(),
    })
}

fn row(entry: &Entry, record: &Record, published: &Published) -> Vec<String> {
    let verdict = match record.status {
        Status::Correct | Status::Unrated | Status::Unknown => record.verdict.clone(),
        Status::Wrong => format!("WRONG: {}", record.verdict),
        Status::Crash => "crash".to_owned(),
        Status::Error => "error".to_owned(),
    };
    let number = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
    let states = match (record.symbolic_states, record.abstract_states) {
        (Some(symbolic), Some(abstracted)) => format!("{symbolic}/{abstracted}"),
        _ => String::new(),
    };
    vec![
        entry.family.clone(),
        entry.name.clone(),
        record.engine.clone(),
        verdict,
        number(record.iterations),
        published.iterations.clone(),
        number(record.predicates),
        published.predicates.clone(),
        number(record.queries),
        published.queries.clone(),
        states,
        published.states.clone(),
        format!("{:.2}", record.wall),
        published.time.clone(),
    ]
}

/// The table as Markdown: a section for each family, without columns that say nothing there.
pub(crate) fn sections(table: &Table) -> String {
    let has_one_engine = table.rows.iter().all(|row| row[2] == table.rows[0][2]);
    let is_published = |column: usize| table.header[column].starts_with("published");
    let mut out = String::new();
    for rows in table.rows.chunk_by(|a, b| a[0] == b[0]) {
        let is_shown = |&column: &usize| match column {
            2 => !has_one_engine,
            _ => !is_published(column) || rows.iter().any(|row| !row[column].is_empty()),
        };
        let columns: Vec<usize> = (1..table.header.len()).filter(is_shown).collect();
        let is_compared = columns.iter().any(|&column| is_published(column));
        let title = if is_compared { ", beside what was published" } else { "" };
        // A published figure stands beside the one that was measured, so a short head is enough.
        let head = |&column: &usize| match is_published(column) {
            true => "published".to_owned(),
            false => table.header[column].clone(),
        };
        let header: Vec<String> = columns.iter().map(head).collect();
        let cells: Vec<Vec<String>> =
            rows.iter().map(|row| columns.iter().map(|&column| row[column].clone()).collect()).collect();
        let _ = writeln!(out, "## {}{title}\n\n{}", rows[0][0], markdown(&header, &cells));
    }
    for note in &table.notes {
        let _ = writeln!(out, "- {note}\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::record;
    use crate::task::Task;

    fn entry(family: &str, name: &str, published: Option<Published>) -> Entry {
        let task = Task { input: name.into(), property: None, expected: Some(true), data_model: None };
        Entry { published, ..Entry::new(family, name, task) }
    }

    fn measured(family: &str, task: &str, status: Status, iterations: Option<u64>) -> Record {
        let states = iterations.map(|iterations| 10 * iterations);
        Record {
            family: family.to_owned(),
            iterations,
            symbolic_states: states,
            abstract_states: states,
            ..record("ase", task, status, true, 0.5)
        }
    }

    #[test]
    fn published_figures_stand_beside_ours() {
        let published =
            Published { iterations: "3".to_owned(), time: "0.347".to_owned(), ..Default::default() };
        let entries = [
            entry("Figure 2", "z", Some(published.clone())),
            entry("Figure 2", "a", Some(published.clone())),
            entry("more", "m", None),
        ];
        let records = [
            measured("Figure 2", "a", Status::Wrong, Some(4)),
            measured("Figure 2", "z", Status::Correct, Some(3)),
            measured("more", "m", Status::Unknown, None),
        ];
        let engines = ["ase".to_owned()];
        let table = table(&entries, &records, &engines).unwrap();
        let csv = table.csv();
        assert!(csv.contains("\nFigure 2,z,ase,TRUE,3,3,,,,,30/30,,0.50,0.347\n"), "{csv}");
        assert!(csv.contains("\nFigure 2,a,ase,WRONG: FALSE(unreach-call),4,3,"), "{csv}");
        let text = sections(&table);
        assert!(text.starts_with("## Figure 2, beside what was published\n\n| task |"), "{text}");
        assert!(text.contains("\n## more\n\n| task |"), "{text}");
        assert!(text.contains("| m    | UNKNOWN(timeout) |"), "{text}");
        assert!(text.contains("- More iterations than published: Figure 2/a (ase)\n"), "{text}");
        assert_eq!(super::table(&entries[2..], &records, &engines), None);
    }
}
