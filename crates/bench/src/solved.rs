//! Several engines side by side, in the layout of Tables I and III of the FMCAD 2024 paper on symbolic
//! execution with predicate abstraction: what each solves correctly, family by family, unsafe and safe tasks
//! apart, and what a virtual best solver gains.

use crate::results::{Record, Status};
use crate::table::Table;
use std::collections::{BTreeMap, BTreeSet};

/// The names of the files that the tables are stored in.
pub const FILES: [&str; 3] = ["solved.csv", "best.csv", "refinements.csv"];

/// Numbers of unsafe and safe tasks, in the order of the paper's columns.
#[derive(Clone, Copy, Default)]
struct Count {
    unsafe_tasks: usize,
    safe_tasks: usize,
}

impl Count {
    fn add(&mut self, safe: bool) {
        *(if safe { &mut self.safe_tasks } else { &mut self.unsafe_tasks }) += 1;
    }

    fn sum(self) -> usize {
        self.unsafe_tasks + self.safe_tasks
    }

    fn cells(self) -> [String; 2] {
        [self.unsafe_tasks.to_string(), self.safe_tasks.to_string()]
    }
}

/// A task by family and name.
type Key<'a> = (&'a str, &'a str);

/// The tasks whose expected verdict is known, with who solved them.
struct Solved<'a> {
    engines: &'a [String],
    /// Whether the task is safe.
    tasks: BTreeMap<Key<'a>, bool>,
    /// For each engine, the tasks that it decided correctly.
    by_engine: Vec<BTreeSet<Key<'a>>>,
}

impl<'a> Solved<'a> {
    fn new(records: &'a [Record], engines: &'a [String]) -> Self {
        let mut tasks = BTreeMap::new();
        let mut by_engine = vec![BTreeSet::new(); engines.len()];
        for record in records {
            let Some(expected) = record.expected else { continue };
            let Some(engine) = engines.iter().position(|engine| *engine == record.engine) else { continue };
            tasks.insert(key(record), expected);
            if record.is_correct() {
                by_engine[engine].insert(key(record));
            }
        }
        Solved { engines, tasks, by_engine }
    }

    /// A row for each family and one for all: its name, the number of its tasks that pass each test, and
    /// what `last` makes of these.
    fn rows(
        &self,
        tests: &[&dyn Fn(&Key<'a>) -> bool],
        last: &dyn Fn(&[Count]) -> Option<usize>,
    ) -> Vec<Vec<String>> {
        let mut families: BTreeMap<&str, Vec<Count>> = BTreeMap::new();
        let mut total = vec![Count::default(); tests.len()];
        for (task, &safe) in &self.tasks {
            let counts = families.entry(task.0).or_insert_with(|| vec![Count::default(); tests.len()]);
            for (column, test) in tests.iter().enumerate() {
                if test(task) {
                    counts[column].add(safe);
                    total[column].add(safe);
                }
            }
        }
        let row = |name: &str, counts: &[Count]| {
            let mut cells = vec![name.to_owned()];
            cells.extend(counts.iter().flat_map(|count| count.cells()));
            cells.extend(last(counts).map(|number| number.to_string()));
            cells
        };
        let mut rows: Vec<_> = families.iter().map(|(name, counts)| row(name, counts)).collect();
        rows.push(row("total", &total));
        rows
    }
}

fn key(record: &Record) -> Key<'_> {
    (&record.family, &record.task)
}

/// The heads of the two columns of a count.
fn heads(name: &str) -> [String; 2] {
    [format!("{name} U"), format!("{name} S")]
}

/// The tables for several engines, in this order; none for a single one, which has nothing to stand beside.
pub fn tables(records: &[Record], engines: &[String]) -> Vec<Table> {
    if engines.len() < 2 {
        return Vec::new();
    }
    let solved = Solved::new(records, engines);
    let mut tables = vec![side_by_side(&solved, records), virtual_best(&solved)];
    tables.extend(refinements(records, engines));
    tables
}

/// Table I: what each engine solves.
fn side_by_side(solved: &Solved<'_>, records: &[Record]) -> Table {
    let mut header = vec!["family".to_owned()];
    header.extend(heads("total"));
    header.extend(solved.engines.iter().flat_map(|engine| heads(engine)));
    let own: Vec<_> = solved.by_engine.iter().map(|own| move |task: &Key<'_>| own.contains(task)).collect();
    let mut tests: Vec<&dyn Fn(&Key<'_>) -> bool> = vec![&|_| true];
    tests.extend(own.iter().map(|test| test as &dyn Fn(&Key<'_>) -> bool));
    Table {
        file: FILES[0],
        title: "Correctly solved unsafe (U) and safe (S) tasks".to_owned(),
        rows: solved.rows(&tests, &|_| None),
        header,
        notes: reservations(solved, records),
    }
}

/// What one should know before the numbers of different engines are compared.
fn reservations(solved: &Solved<'_>, records: &[Record]) -> Vec<String> {
    let mut notes = Vec::new();
    for engine in solved.engines {
        let own = || records.iter().filter(|record| record.engine == *engine);
        let rated: BTreeSet<_> = own().filter(|record| record.expected.is_some()).map(key).collect();
        if rated.len() < solved.tasks.len() {
            notes.push(format!("{engine}: results for {} of {} tasks only", rated.len(), solved.tasks.len()));
        }
        let wrong = own().filter(|record| record.status == Status::Wrong).count();
        if wrong > 0 {
            notes.push(format!("{engine}: {wrong} wrong, not counted"));
        }
    }
    let unrated: BTreeSet<_> = records.iter().filter(|record| record.expected.is_none()).map(key).collect();
    if !unrated.is_empty() {
        notes.push(format!("{} tasks without an expected verdict are left out", unrated.len()));
    }
    notes
}

/// Table III: the first engine alone, the best of all for each task, and how many more that solves.
fn virtual_best(solved: &Solved<'_>) -> Table {
    let first = &solved.by_engine[0];
    let any: BTreeSet<_> = solved.by_engine.iter().flatten().copied().collect();
    let mut header = vec!["family".to_owned()];
    header.extend(heads(&format!("best of {}", solved.engines[0])));
    header.extend(heads("best of all"));
    header.push("gain".to_owned());
    let rows = solved.rows(&[&|task| first.contains(task), &|task| any.contains(task)], &|counts| {
        Some(counts[1].sum() - counts[0].sum())
    });
    Table { file: FILES[1], title: "Virtual best".to_owned(), header, rows, notes: Vec::new() }
}

/// How often the engines refined for what they decided, and the share of time that went into
/// interpolation, as far as the reports said so. None if no report did.
fn refinements(records: &[Record], engines: &[String]) -> Option<Table> {
    let decided = |engine: &str| -> Vec<&Record> {
        records.iter().filter(|record| record.engine == engine && record.is_decided()).collect()
    };
    let any =
        |known: &dyn Fn(&Record) -> bool| records.iter().any(|record| record.is_decided() && known(record));
    let timed = any(&|record| record.interpolation.is_some());
    if !timed && !any(&|record| record.refinements.is_some()) {
        return None;
    }
    let rows = engines.iter().map(|engine| {
        let decided = decided(engine);
        let mut counts: Vec<u64> = decided.iter().filter_map(|record| record.refinements).collect();
        counts.sort_unstable();
        let without = counts.iter().filter(|&&count| count == 0).count();
        let times = decided.iter().filter_map(|record| Some((record.interpolation?, record.wall)));
        let (part, whole) = times.fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let number = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
        let mut cells = vec![
            engine.clone(),
            decided.len().to_string(),
            number((!counts.is_empty()).then_some(without as f64)),
            number(median(&counts)),
            number(counts.last().map(|&most| most as f64)),
        ];
        if timed {
            cells.push(if whole > 0.0 { format!("{:.1}", 100.0 * part / whole) } else { String::new() });
        }
        cells
    });
    let mut header = vec!["engine", "decided", "unrefined", "median refinements", "most refinements"];
    if timed {
        header.push("interpolation %");
    }
    Some(Table {
        file: FILES[2],
        title: "Refinements for decided tasks".to_owned(),
        rows: rows.collect(),
        header: header.into_iter().map(str::to_owned).collect(),
        notes: Vec::new(),
    })
}

/// The median of numbers in order.
fn median(sorted: &[u64]) -> Option<f64> {
    let upper = *sorted.get(sorted.len() / 2)?;
    let lower = sorted[(sorted.len() - 1) / 2];
    Some((lower as f64 + upper as f64) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::record;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    /// Two families and three engines that complement each other.
    fn made_up() -> Vec<Record> {
        use Status::{Correct, Unknown, Wrong};
        let mut records = Vec::new();
        for (family, task, safe, results) in [
            ("Arrays", "a1", false, [Correct, Unknown, Correct]),
            ("Arrays", "a2", false, [Unknown, Unknown, Unknown]),
            ("Arrays", "a3", true, [Unknown, Correct, Unknown]),
            ("Loops", "l1", true, [Correct, Correct, Unknown]),
            ("Loops", "l2", true, [Unknown, Correct, Correct]),
            ("Loops", "l3", true, [Wrong, Unknown, Correct]),
            ("Loops", "l4", false, [Correct, Unknown, Correct]),
        ] {
            for (engine, status) in ["symexec", "ia", "ia:threshold=1"].into_iter().zip(results) {
                let mut record = record(engine, task, status, safe, 2.0);
                record.family = family.to_owned();
                records.push(record);
            }
        }
        records
    }

    #[test]
    fn solved_tasks_side_by_side() {
        let tables = tables(&made_up(), &names(&["symexec", "ia", "ia:threshold=1"]));
        let [table, _] = tables.as_slice() else { panic!("two tables") };
        let expected = "\
## Correctly solved unsafe (U) and safe (S) tasks

| family | total U | total S | symexec U | symexec S | ia U | ia S | ia:threshold=1 U | ia:threshold=1 S |
| ------ | ------: | ------: | --------: | --------: | ---: | ---: | ---------------: | ---------------: |
| Arrays |       2 |       1 |         1 |         0 |    0 |    1 |                1 |                0 |
| Loops  |       1 |       3 |         1 |         1 |    0 |    2 |                1 |                2 |
| total  |       3 |       4 |         2 |         1 |    0 |    3 |                2 |                2 |

- symexec: 1 wrong, not counted
";
        assert_eq!(table.markdown(), expected);
        assert_eq!(
            table.csv(),
            "family,total U,total S,symexec U,symexec S,ia U,ia S,ia:threshold=1 U,ia:threshold=1 S\n\
             Arrays,2,1,1,0,0,1,1,0\nLoops,1,3,1,1,0,2,1,2\ntotal,3,4,2,1,0,3,2,2\n"
        );
    }

    #[test]
    fn virtual_best_and_gain() {
        let records = made_up();
        let best = |engines: &[&str]| tables(&records, &names(engines))[1].csv();
        assert_eq!(
            best(&["symexec", "ia", "ia:threshold=1"]),
            "family,best of symexec U,best of symexec S,best of all U,best of all S,gain\n\
             Arrays,1,0,1,1,1\nLoops,1,1,1,3,2\ntotal,2,1,2,4,3\n"
        );
        assert_eq!(
            best(&["ia", "symexec"]),
            "family,best of ia U,best of ia S,best of all U,best of all S,gain\n\
             Arrays,0,1,1,1,1\nLoops,0,2,1,2,1\ntotal,0,3,2,3,2\n"
        );
    }

    #[test]
    fn refinements_of_decided_tasks() {
        let mut records = made_up();
        // In the order of the tasks that `ia` decides: a3, l1, l2; what it gave up on does not count.
        for (record, count) in
            records.iter_mut().filter(|record| record.engine == "ia" && record.is_correct()).zip([7, 0, 2])
        {
            record.refinements = Some(count);
            record.interpolation = Some(0.5);
        }
        for record in records.iter_mut().filter(|record| record.engine == "ia" && !record.is_decided()) {
            record.refinements = Some(1000);
        }
        for (record, count) in records
            .iter_mut()
            .filter(|record| record.engine == "ia:threshold=1" && record.is_correct())
            .zip(0..)
        {
            record.refinements = Some(count);
        }
        let tables = tables(&records, &names(&["symexec", "ia", "ia:threshold=1"]));
        assert_eq!(
            tables[2].csv(),
            "engine,decided,unrefined,median refinements,most refinements,interpolation %\n\
             symexec,4,,,,\nia,3,1,2,7,25.0\nia:threshold=1,4,1,1.5,3,\n"
        );
        for record in &mut records {
            record.interpolation = None;
        }
        let untimed = super::tables(&records, &names(&["ia", "ia:threshold=1"]));
        assert_eq!(
            untimed[2].csv(),
            "engine,decided,unrefined,median refinements,most refinements\nia,3,1,2,7\nia:threshold=1,4,1,1.5,3\n"
        );
    }

    #[test]
    fn what_is_missing_is_said() {
        let mut records = made_up();
        records.retain(|record| record.engine != "ia" || record.family != "Arrays");
        let mut free = record("ia", "free", Status::Unrated, true, 1.0);
        free.expected = None;
        records.push(free);
        let tables = tables(&records, &names(&["symexec", "ia"]));
        assert_eq!(
            tables[0].notes,
            [
                "symexec: 1 wrong, not counted",
                "ia: results for 4 of 7 tasks only",
                "1 tasks without an expected verdict are left out"
            ]
        );
        assert!(super::tables(&records, &names(&["symexec"])).is_empty());
    }

    #[test]
    fn medians() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3]), Some(3.0));
        assert_eq!(median(&[0, 1]), Some(0.5));
        assert_eq!(median(&[0, 1, 9]), Some(1.0));
        assert_eq!(median(&[u64::MAX, u64::MAX]), Some(u64::MAX as f64));
    }
}
