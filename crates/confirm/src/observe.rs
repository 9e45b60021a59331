//! What a run did, read from what the harness and the sanitizers printed.

use crate::sandbox::{Ending, Finished};
use aster_evidence::{ERROR_MESSAGE, OTHER_MESSAGE};

/// What a run prints that ends itself by `abort`.
pub(crate) const ABORT_MESSAGE: &str = "aster: abort";

/// One active call: where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// The function, where it is known.
    pub(crate) function: String,
    pub(crate) file: String,
    pub(crate) line: u32,
}

/// What was reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// The error function was called, or an assertion failed.
    Reached,
    /// The inputs do not fit the run.
    OffPath,
    /// The program ended itself by `abort`.
    Abort,
    /// AddressSanitizer found something.
    Address,
    /// LeakSanitizer found something.
    Leaks,
    /// UndefinedBehaviorSanitizer found something.
    Undefined,
    /// A sanitizer could not do its work.
    Defect,
}

/// A report, with the calls that were active, the innermost first; if it is about leaks, those of all allocations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Report {
    pub(crate) what: What,
    /// The words after the name of the sanitizer.
    pub(crate) text: String,
    pub(crate) frames: Vec<Frame>,
}

/// Everything that a run did, as far as it can be seen.
#[derive(Clone, Debug)]
pub(crate) struct Observation {
    pub(crate) ending: Ending,
    pub(crate) reports: Vec<Report>,
}

/// Beginnings of messages; what stands after them describes the report.
const MESSAGES: [(&str, What); 9] = [
    (ERROR_MESSAGE, What::Reached),
    (OTHER_MESSAGE, What::OffPath),
    (ABORT_MESSAGE, What::Abort),
    ("ERROR: AddressSanitizer: ", What::Address),
    ("ERROR: LeakSanitizer: ", What::Leaks),
    (": runtime error: ", What::Undefined),
    ("LeakSanitizer has encountered a fatal error", What::Defect),
    ("AddressSanitizer: CHECK failed", What::Defect),
    ("error while loading shared libraries", What::Defect),
];

impl Observation {
    pub(crate) fn new(finished: &Finished) -> Self {
        let mut reports: Vec<Report> = Vec::new();
        // The calls of a report stand in one block; further blocks tell where memory was allocated or freed.
        let mut in_first_block = false;
        for line in finished.messages.lines() {
            if let Some(report) = report(line) {
                in_first_block = true;
                reports.push(report);
            } else if let Some(frame) = frame(line) {
                if let Some(report) = reports.last_mut().filter(|_| in_first_block) {
                    report.frames.extend(frame);
                }
            } else if reports.last().is_some_and(|report| !report.frames.is_empty()) {
                // Leaks are told together, in a block each.
                in_first_block = reports.last().is_some_and(|report| report.what == What::Leaks);
            }
        }
        Observation { ending: finished.ending, reports }
    }
}

fn report(line: &str) -> Option<Report> {
    let (message, what) = MESSAGES.iter().find(|(message, _)| line.contains(message))?;
    let (before, after) = line.split_once(message)?;
    let text = if *what == What::Defect { line.trim() } else { after.trim() }.to_owned();
    let frames = match what {
        What::Undefined => place(before).into_iter().collect(),
        _ => Vec::new(),
    };
    Some(Report { what: what.clone(), text, frames })
}

/// A line such as `    #1 0x5566 in main /tmp/a.c:12`; the inner `None` is a call whose place is not known.
fn frame(line: &str) -> Option<Option<Frame>> {
    let rest = line.trim_start().strip_prefix('#')?;
    let (number, rest) = rest.split_once(' ')?;
    number.parse::<u32>().ok()?;
    let Some((_, named)) = rest.split_once(" in ") else { return Some(None) };
    Some(
        named
            .split_once(' ')
            .and_then(|(function, at)| Some(Frame { function: function.to_owned(), ..place(at)? })),
    )
}

/// `file:line` or `file:line:column`.
fn place(text: &str) -> Option<Frame> {
    let mut parts = text.trim().rsplitn(3, ':');
    let (last, middle, first) = (parts.next()?, parts.next()?, parts.next());
    let frame = |file: &str, line: u32| Frame { function: String::new(), file: file.to_owned(), line };
    match (first, middle.parse(), last.parse()) {
        (Some(file), Ok(line), Ok::<u32, _>(_)) => Some(frame(file, line)),
        (Some(file), Err(_), Ok(line)) => Some(frame(&format!("{file}:{middle}"), line)),
        (None, _, Ok(line)) => Some(frame(middle, line)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observed(messages: &str) -> Vec<Report> {
        Observation::new(&Finished { ending: Ending::Exited(1), messages: messages.to_owned() }).reports
    }

    fn at(function: &str, file: &str, line: u32) -> Frame {
        Frame { function: function.to_owned(), file: file.to_owned(), line }
    }

    #[test]
    fn reports_of_addresses() {
        let text = "\
text of the program=================================================================
==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x60 at pc 0x55 bp 0x7f sp 0x7f
READ of size 4 at 0x60 thread T0
    #0 0x55 in __interceptor_strlen ../../src/x.cpp:389
    #1 0x55 in f /tmp/a folder/p.c:13
    #2 0x55 in main /tmp/p.c:20
    #3 0xf7 (/lib32/libc.so.6+0x232d4)

0x60 is located 4 bytes to the right of 40-byte region
freed by thread T0 here:
    #0 0x7f in __interceptor_free x.cpp:69
    #1 0x55 in main /tmp/p.c:10

SUMMARY: AddressSanitizer: heap-use-after-free /tmp/p.c:13 in f
";
        let reports = observed(text);
        assert_eq!(reports.len(), 1, "{reports:?}");
        assert_eq!(reports[0].what, What::Address);
        assert!(reports[0].text.starts_with("heap-use-after-free on"));
        let expected = [
            at("__interceptor_strlen", "../../src/x.cpp", 389),
            at("f", "/tmp/a folder/p.c", 13),
            at("main", "/tmp/p.c", 20),
        ];
        assert_eq!(reports[0].frames, expected);
    }

    #[test]
    fn reports_of_others() {
        let text = "p.c:3:9: runtime error: signed integer overflow: 1 + 2147483647 cannot be represented in type 'int'\n\
            aster: error reached\n    #0 0x1 in e h.c:4\n    #1 0x1 in main p.c:6\n\
            aster: the run does not follow the counterexample: no input is left for f\n";
        let reports = observed(text);
        let kinds: Vec<_> = reports.iter().map(|report| report.what.clone()).collect();
        assert_eq!(kinds, [What::Undefined, What::Reached, What::OffPath]);
        assert_eq!(reports[0].frames, [at("", "p.c", 3)]);
        assert!(reports[0].text.starts_with("signed integer overflow"));
        assert_eq!(reports[1].frames, [at("e", "h.c", 4), at("main", "p.c", 6)]);
        assert_eq!(reports[2].text, ": no input is left for f");
    }

    #[test]
    fn places() {
        assert_eq!(place("a:b.c:7"), Some(at("", "a:b.c", 7)));
        assert_eq!(place("b.c:7:1"), Some(at("", "b.c", 7)));
        assert_eq!(place("(/tmp/p+0x1140)"), None);
    }
}
