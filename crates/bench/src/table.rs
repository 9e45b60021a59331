//! Tables of results, as Markdown that is also readable as it is.

use crate::report::Outcome;
use crate::results::{Record, ResultsError, Status, file_error};
use crate::sets::Entry;
use crate::units::show_count;
use crate::{files, published, solved};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The tables of a run.
#[derive(Debug)]
pub struct Tables {
    text: String,
    several: Vec<Table>,
}

impl Tables {
    /// Makes the tables for these engines, in this order; `notes` are put in front.
    pub fn new(records: &[Record], engines: &[String], notes: &[String]) -> Self {
        let several = solved::tables(records, engines);
        let mut text = list(notes);
        if !notes.is_empty() {
            text.push('\n');
        }
        text.push_str(&blocks(records, engines));
        for table in &several {
            let _ = writeln!(text, "{}", table.markdown());
        }
        Tables { text, several }
    }

    /// Adds the results of these tasks beside what was published about them, if anything was.
    pub fn beside_published(mut self, entries: &[Entry], records: &[Record], engines: &[String]) -> Self {
        if let Some(table) = published::table(entries, records, engines) {
            self.text.push_str(&published::sections(&table));
            self.several.push(table);
        }
        self
    }

    /// All of them as Markdown.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Writes `tables.md` to a folder, and a CSV file for each table that has several engines side by side or published figures.
    /// Those of an earlier run that are not made any more are removed.
    pub fn store(&self, folder: &Path) -> Result<(), ResultsError> {
        fs::create_dir_all(folder).map_err(|error| file_error(folder, error))?;
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            files::write(&path, text.as_bytes()).map_err(|error| file_error(&path, error))
        };
        for file in solved::FILES.into_iter().chain([published::FILE]) {
            match self.several.iter().find(|table| table.file == file) {
                Some(table) => write(file, &table.csv())?,
                // Mostly it is not there, which is as good.
                None => drop(fs::remove_file(folder.join(file))),
            }
        }
        write("tables.md", &self.text)
    }
}

/// A table with its title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The name of the file that it is stored in as CSV.
    pub file: &'static str,
    /// What it shows.
    pub title: String,
    /// The heads of the columns.
    pub header: Vec<String>,
    /// The cells, as many in each row as there are columns.
    pub rows: Vec<Vec<String>>,
    /// Sentences to be read with it.
    pub notes: Vec<String>,
}

impl Table {
    /// As Markdown, with its title and notes.
    pub fn markdown(&self) -> String {
        let gap = if self.notes.is_empty() { "" } else { "\n" };
        format!("## {}\n\n{}{gap}{}", self.title, markdown(&self.header, &self.rows), list(&self.notes))
    }

    /// As CSV with a header.
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in std::iter::once(&self.header).chain(&self.rows) {
            // Writing to memory fails only for rows of different length, which there are none of.
            let _ = writer.write_record(row);
        }
        String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
    }
}

/// Sentences as a list.
fn list(sentences: &[String]) -> String {
    sentences.iter().map(|sentence| format!("- {sentence}\n")).collect()
}

/// Renders a table with a header; the first column is aligned to the left, all others to the right.
pub(crate) fn markdown(header: &[String], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([header[column].chars().count(), 2]).max().unwrap_or(2)
    };
    let widths: Vec<_> = (0..header.len()).map(width).collect();
    let mut out = String::new();
    let mut line = |cells: &[String]| {
        for (column, (cell, width)) in cells.iter().zip(&widths).enumerate() {
            let _ =
                if column == 0 { write!(out, "| {cell:<width$} ") } else { write!(out, "| {cell:>width$} ") };
        }
        out.push_str("|\n");
    };
    line(header);
    let rule = |(column, &width): (usize, &usize)| {
        if column == 0 { "-".repeat(width) } else { "-".repeat(width - 1) + ":" }
    };
    line(&widths.iter().enumerate().map(rule).collect::<Vec<_>>());
    for row in rows {
        line(row);
    }
    out
}

/// A block of a table and lists for each engine and, if there are several, one for the best.
fn blocks(records: &[Record], engines: &[String]) -> String {
    let mut out = String::new();
    for engine in engines {
        let own: Vec<&Record> = records.iter().filter(|record| &record.engine == engine).collect();
        let _ = writeln!(out, "## {engine}\n");
        out.push_str(&summary(&own));
        out.push_str(&lists(&own));
        out.push('\n');
    }
    if engines.len() > 1 {
        let _ = writeln!(out, "## best of {}\n", engines.join(", "));
        out.push_str(&summary(&best(records)));
        out.push('\n');
    }
    out
}

/// For each task the best result: correct and fastest, else the first engine's.
fn best(records: &[Record]) -> Vec<&Record> {
    let mut best: BTreeMap<(&str, &str), &Record> = BTreeMap::new();
    for record in records {
        best.entry((&record.family, &record.task))
            .and_modify(|old| {
                if record.is_correct() && (!old.is_correct() || record.cpu < old.cpu) {
                    *old = record;
                }
            })
            .or_insert(record);
    }
    best.into_values().collect()
}

/// The keywords of undecided tasks, the usual ones first.
fn keywords(records: &[&Record]) -> Vec<String> {
    const USUAL: [&str; 4] = ["timeout", "memory", "unsupported", "solver"];
    let rank = |keyword: &str| USUAL.iter().position(|usual| *usual == keyword).unwrap_or(USUAL.len());
    let unknown = records.iter().filter(|record| record.status == Status::Unknown);
    let mut all: Vec<String> = unknown.map(|record| record.keyword.clone()).collect();
    all.sort_by(|a, b| (rank(a), a).cmp(&(rank(b), b)));
    all.dedup();
    all
}

/// A row for each family and one for all.
fn summary(records: &[&Record]) -> String {
    let keywords = keywords(records);
    let unrated = records.iter().any(|record| record.status == Status::Unrated);
    let mut header: Vec<String> =
        ["family", "tasks", "TRUE ok", "FALSE ok", "ok %", "wrong", "crash", "error"]
            .map(str::to_owned)
            .to_vec();
    if unrated {
        header.push("unrated".to_owned());
    }
    let runs_programs = records.iter().any(|record| record.confirmed.is_some());
    if runs_programs {
        header.extend(["confirmed", "could not"].map(str::to_owned));
    }
    header.extend(keywords.iter().cloned());
    header.push("CPU s".to_owned());
    let mut families: BTreeMap<&str, Vec<&Record>> = BTreeMap::new();
    for record in records {
        families.entry(&record.family).or_default().push(record);
    }
    let row = |name: &str, records: &[&Record]| {
        let count = |test: &dyn Fn(&Record) -> bool| records.iter().filter(|record| test(record)).count();
        let status = |status: Status| count(&|record| record.status == status);
        let correct = status(Status::Correct);
        let percent = 100.0 * correct as f64 / records.len().max(1) as f64;
        let mut cells = vec![
            name.to_owned(),
            records.len().to_string(),
            count(&|record| record.is_correct() && record.expected == Some(true)).to_string(),
            count(&|record| record.is_correct() && record.expected == Some(false)).to_string(),
            format!("{percent:.0}"),
            status(Status::Wrong).to_string(),
            status(Status::Crash).to_string(),
            status(Status::Error).to_string(),
        ];
        if unrated {
            cells.push(status(Status::Unrated).to_string());
        }
        if runs_programs {
            for outcome in [Outcome::Confirmed, Outcome::CouldNot] {
                cells.push(count(&|record| record.confirmed == Some(outcome)).to_string());
            }
        }
        for keyword in &keywords {
            cells.push(
                count(&|record| record.status == Status::Unknown && record.keyword == *keyword).to_string(),
            );
        }
        cells.push(show_count(records.iter().map(|record| record.cpu).sum::<f64>().round() as u64));
        cells
    };
    let mut rows: Vec<_> = families.iter().map(|(name, records)| row(name, records)).collect();
    if rows.len() != 1 {
        rows.push(row("total", records));
    }
    markdown(&header, &rows)
}

/// What the compiled programs did instead of what was found, by name, and why others could not tell, by number.
fn confirmations(records: &[&Record]) -> String {
    let mut out = String::new();
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for record in records {
        match record.confirmed {
            Some(Outcome::NotConfirmed) => {
                if out.is_empty() {
                    out.push_str("\nNot confirmed by the compiled program:\n\n");
                }
                let _ = writeln!(out, "- {}/{}: {}", record.family, record.task, record.unconfirmed);
            }
            // What stands behind the colon is about one program.
            Some(Outcome::CouldNot) => {
                let reason = record.unconfirmed.split(':').next().unwrap_or_default();
                *reasons.entry(reason).or_default() += 1;
            }
            Some(Outcome::Confirmed) | None => {}
        }
    }
    if !reasons.is_empty() {
        let rows: Vec<_> = reasons
            .into_iter()
            .map(|(reason, count)| vec![reason.replace('|', "\\|"), count.to_string()])
            .collect();
        let header = ["could not be confirmed, because", "tasks"].map(str::to_owned);
        let _ = write!(out, "\n{}", markdown(&header, &rows));
    }
    out
}

/// What deserves a look: wrong verdicts, crashes and errors by name, unsupported constructs by number.
fn lists(records: &[&Record]) -> String {
    let mut out = confirmations(records);
    for (status, title) in
        [(Status::Wrong, "Wrong verdicts"), (Status::Crash, "Crashes"), (Status::Error, "Errors")]
    {
        let found: Vec<_> = records.iter().filter(|record| record.status == status).collect();
        if found.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n{title}:\n");
        for record in found {
            let what = match status {
                Status::Wrong => {
                    format!(
                        "{}, expected {}",
                        record.verdict,
                        if record.expected == Some(true) { "TRUE" } else { "FALSE" }
                    )
                }
                _ => record.detail.clone(),
            };
            let _ = writeln!(out, "- {}/{}: {what}", record.family, record.task);
        }
    }
    let mut constructs: BTreeMap<&str, (usize, BTreeMap<&str, usize>)> = BTreeMap::new();
    for record in records.iter().filter(|record| record.keyword == "unsupported") {
        let (count, families) = constructs.entry(&record.detail).or_default();
        *count += 1;
        *families.entry(&record.family).or_default() += 1;
    }
    if !constructs.is_empty() {
        let mut ordered: Vec<_> = constructs.into_iter().collect();
        ordered.sort_by(|a, b| b.1.0.cmp(&a.1.0).then(a.0.cmp(b.0)));
        let rows: Vec<_> = ordered
            .into_iter()
            .map(|(construct, (count, families))| {
                let families: Vec<_> =
                    families.into_iter().map(|(family, count)| format!("{family} {count}")).collect();
                vec![construct.replace('|', "\\|"), count.to_string(), families.join(", ")]
            })
            .collect();
        let header = ["unsupported", "tasks", "families"].map(str::to_owned);
        let _ = write!(out, "\n{}", markdown(&header, &rows));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::record;

    #[test]
    fn a_block_for_each_engine_and_the_best() {
        let mut unsupported = record("x", "u", Status::Unknown, true, 1.0);
        unsupported.keyword = "unsupported".to_owned();
        unsupported.detail = "floating-point types".to_owned();
        unsupported.family = "Floats".to_owned();
        let records = [
            record("x", "a", Status::Correct, true, 1.0),
            record("x", "b", Status::Correct, false, 2.0),
            record("x", "c", Status::Wrong, true, 1200.0),
            record("x", "d", Status::Unknown, true, 20.0),
            unsupported,
            record("y", "a", Status::Correct, true, 0.5),
            record("y", "d", Status::Correct, true, 3.0),
            record("y", "e", Status::Crash, true, 1.0),
        ];
        let text = blocks(&records, &["x".to_owned(), "y".to_owned()]);
        let expected = "\
## x

| family | tasks | TRUE ok | FALSE ok | ok % | wrong | crash | error | timeout | unsupported | CPU s |
| ------ | ----: | ------: | -------: | ---: | ----: | ----: | ----: | ------: | ----------: | ----: |
| Floats |     1 |       0 |        0 |    0 |     0 |     0 |     0 |       0 |           1 |     1 |
| Loops  |     4 |       1 |        1 |   50 |     1 |     0 |     0 |       1 |           0 | 1,223 |
| total  |     5 |       1 |        1 |   40 |     1 |     0 |     0 |       1 |           1 | 1,224 |

Wrong verdicts:

- Loops/c: FALSE(unreach-call), expected TRUE

| unsupported          | tasks | families |
| -------------------- | ----: | -------: |
| floating-point types |     1 | Floats 1 |

## y

| family | tasks | TRUE ok | FALSE ok | ok % | wrong | crash | error | CPU s |
| ------ | ----: | ------: | -------: | ---: | ----: | ----: | ----: | ----: |
| Loops  |     3 |       2 |        0 |   67 |     0 |     1 |     0 |     5 |

Crashes:

- Loops/e: 

## best of x, y
";
        assert!(text.starts_with(expected), "{text}");
        assert!(text.contains("| Loops  |     5 |       2 |        1 |   60 |"), "{text}");
    }

    #[test]
    fn compiled_programs_have_their_say() {
        let found = |task: &str, outcome, reason: &str| {
            let mut found = record("x", task, Status::Correct, false, 1.0);
            found.confirmed = Some(outcome);
            found.unconfirmed = reason.to_owned();
            found
        };
        let mut other = found("c", Outcome::NotConfirmed, "it ended");
        other.status = Status::Unknown;
        other.keyword = "not confirmed".to_owned();
        let records = [
            record("x", "s", Status::Correct, true, 1.0),
            found("a", Outcome::Confirmed, ""),
            found("b", Outcome::CouldNot, "the path needs what no harness can supply: x = 1"),
            found("d", Outcome::CouldNot, "the path needs what no harness can supply: y = 2"),
            other,
        ];
        let text = blocks(&records, &["x".to_owned()]);
        assert!(text.contains("| confirmed | could not | not confirmed |"), "{text}");
        assert!(text.contains("|         1 |         2 |             1 |"), "{text}");
        assert!(text.contains("\nNot confirmed by the compiled program:\n\n- Loops/c: it ended\n"), "{text}");
        assert!(text.contains("| the path needs what no harness can supply |     2 |"), "{text}");
        assert!(!blocks(&records[..1], &["x".to_owned()]).contains("confirmed"));
    }

    #[test]
    fn tables_are_stored() {
        let folder = std::env::temp_dir().join(format!("aster-tables-{}", std::process::id()));
        let records = ["x", "y"].map(|engine| record(engine, "a", Status::Correct, true, 1.0));
        let engines = ["x".to_owned(), "y".to_owned()];
        let both = Tables::new(&records, &engines, &["a note".to_owned()]);
        both.store(&folder).unwrap();
        assert!(both.text().starts_with("- a note\n\n## x\n"), "{}", both.text());
        assert!(both.text().contains("\n## Virtual best\n"), "{}", both.text());
        assert_eq!(fs::read_to_string(folder.join("tables.md")).unwrap(), both.text());
        assert!(fs::read_to_string(folder.join("best.csv")).unwrap().ends_with("total,0,1,0,1,0\n"));
        assert!(!folder.join("refinements.csv").exists());

        let one = Tables::new(&records[..1], &engines[..1], &[]);
        one.store(&folder).unwrap();
        assert!(one.text().starts_with("## x\n") && !one.text().contains("best"), "{}", one.text());
        assert!(!folder.join("best.csv").exists(), "of a run that is not the one in tables.md");
        fs::remove_dir_all(&folder).unwrap();
    }
}
