//! Whether a run did what was claimed.

use crate::observe::{Frame, Observation, Report, What};
use crate::sandbox::{Ending, Limit};
use crate::{Claim, Confirmation};
use aster_cfa::ErrorKind;
use aster_evidence::{AccessedObject, InvalidAccess};
use std::path::Path;

/// How far beyond the ends of an object AddressSanitizer is sure to watch: there are at least so many bytes that belong to none.
const WATCHED_BYTES: u128 = 16;

/// The smallest address that may be mapped: below it every access is a fault.
const NULL_PAGE: u128 = 4096;

/// What the sanitizers are not sure to see although it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blind {
    /// What follows may be anything.
    Always(&'static str),
    /// A run that shows nothing says nothing; one that shows something else contradicts the claim.
    IfSilent(&'static str),
}

/// A row says what the sanitizers are blind to, and why.
type Row = (fn(&Claim<'_>) -> bool, Blind);

/// What no run can confirm or refute; everything else that is claimed must be seen.
const BLIND: &[Row] = &[
    (|claim| claim.in_unused, Blind::IfSilent("nobody uses the value, and gcc does not compute it")),
    (
        |claim| access(claim).is_some_and(|access| distance(access).is_some_and(|far| far > WATCHED_BYTES)),
        Blind::Always(
            "the access is farther from the object than AddressSanitizer watches, and may meet another object",
        ),
    ),
    (
        |claim| access(claim).is_some_and(|access| distance(access) == Some(0)),
        Blind::IfSilent(
            "the access is inside of an object that must not be accessed this way (a constant, or misaligned), which the \
             sanitizers need not see",
        ),
    ),
    (
        |claim| {
            access(claim).is_some_and(|access| access.object.as_ref().is_some_and(|object| object.size == 0))
        },
        Blind::Always("AddressSanitizer gives one byte to allocations of none"),
    ),
    (
        |claim| access(claim).is_some_and(|access| access.object.is_none() && access.address >= NULL_PAGE),
        Blind::IfSilent(
            "what the access meets has no object in Aster, and in the compiled program it may be the place of another one",
        ),
    ),
    (
        |claim| access(claim).is_some_and(is_before_variable),
        Blind::Always("AddressSanitizer does not watch what is before global variables"),
    ),
    (
        |claim| access(claim).is_some_and(is_misaligned),
        Blind::IfSilent("AddressSanitizer looks at the beginning only where an access is not aligned"),
    ),
    (
        |claim| is_access(claim) && statement_text(claim).is_some_and(is_wide),
        Blind::IfSilent("AddressSanitizer does not look into most functions for wide characters"),
    ),
    (
        |claim| is_access(claim) && statement_text(claim).is_some_and(has_variable_precision),
        Blind::IfSilent(
            "AddressSanitizer does not look at texts that are printed with a precision that is an argument",
        ),
    ),
    (
        |claim| claim.kind == ErrorKind::MemoryLeak,
        Blind::IfSilent(
            "LeakSanitizer takes everything that looks like a pointer for one, also what was left behind in registers and \
             on the stack",
        ),
    ),
];

/// An access before a variable, which may be a global one.
fn is_before_variable(access: &InvalidAccess) -> bool {
    access.object.as_ref().is_some_and(|object| object.name.is_some() && access.address < object.address)
}

/// An access of a word that begins inside of the object and is not where such words are.
fn is_misaligned(access: &InvalidAccess) -> bool {
    let begins = |object: &AccessedObject| {
        access.address >= object.address && access.address - object.address < object.size
    };
    access.length > 0
        && !access.address.is_multiple_of(access.length)
        && access.object.as_ref().is_some_and(begins)
}

/// A call of a function of `<wchar.h>`.
fn is_wide(statement: &str) -> bool {
    ["wcs", "wmem", "wprintf", "fputws", "%ls"].iter().any(|name| statement.contains(name))
}

/// `printf` with `%.*s`.
fn has_variable_precision(statement: &str) -> bool {
    statement.contains("printf") && statement.contains(".*")
}

/// The lines of the statement where something is wrong.
fn statement_text<'a>(claim: &Claim<'a>) -> Option<&'a str> {
    let line = |number: u32| claim.place_text.lines().nth((number as usize).saturating_sub(1));
    let (first, last) = statement(claim.place_text, claim.line).into_inner();
    let (first, last) = (line(first)?, line(last)?);
    let start = first.as_ptr() as usize - claim.place_text.as_ptr() as usize;
    let end = last.as_ptr() as usize + last.len() - claim.place_text.as_ptr() as usize;
    claim.place_text.get(start..end)
}

fn is_access(claim: &Claim<'_>) -> bool {
    claim.kind == ErrorKind::InvalidDereference
}

fn access<'a>(claim: &'a Claim<'_>) -> Option<&'a InvalidAccess> {
    claim.access.filter(|_| is_access(claim))
}

/// How many bytes beyond the ends of the object an access begins or ends; `None` if there is no object.
fn distance(access: &InvalidAccess) -> Option<u128> {
    let object = access.object.as_ref()?;
    let before = object.address.saturating_sub(access.address);
    let end = access.address.saturating_add(access.length);
    let behind = end.saturating_sub(object.address.saturating_add(object.size));
    // It counts where the access touches what is not the object's.
    let begins = access.address.saturating_sub(object.address.saturating_add(object.size));
    Some(if before > 0 {
        before
    } else if behind > 0 {
        begins.max(1)
    } else {
        0
    })
}

/// What AddressSanitizer calls an invalid `free`.
const INVALID_FREE: [&str; 4] =
    ["attempting double-free", "attempting free on address", "alloc-dealloc-mismatch", "bad-free"];

/// Functions that free memory.
const FREEING: [&str; 4] = ["free", "cfree", "realloc", "reallocarray"];

/// Reports of AddressSanitizer that are no invalid access: calls that are wrong otherwise, and what ends the program for
/// another reason.
const NO_ACCESS: [&str; 6] =
    ["memcpy-param-overlap", "strcpy-param-overlap", "strcat-param-overlap", "FPE", "ILL", "ABRT"];

/// What keeps AddressSanitizer from running the program as Aster understands it: stack and memory of any size.
const EXHAUSTED: [&str; 6] = [
    "stack-overflow",
    "out-of-memory",
    "allocation-size-too-big",
    "requested allocation size",
    "calloc-overflow",
    "failed to allocate",
];

/// What UndefinedBehaviorSanitizer says of operations whose result does not fit, of divisions and of shifts.
const OVERFLOWS: [&str; 6] = [
    "signed integer overflow",
    "negation of",
    "division by zero",
    "division of",
    "shift exponent",
    "left shift of",
];

/// True if the report is of the kind that is claimed.
fn is_of_kind(report: &Report, claim: &Claim<'_>) -> bool {
    let begins_with = |words: &[&str]| words.iter().any(|word| report.text.starts_with(word));
    match claim.kind {
        ErrorKind::Reached => report.what == What::Reached,
        ErrorKind::Overflow => report.what == What::Undefined && begins_with(&OVERFLOWS),
        ErrorKind::InvalidDereference => {
            let is_access = |report: &Report| {
                !begins_with(&INVALID_FREE) && !begins_with(&NO_ACCESS) && !is_fault_of_free(report, claim)
            };
            report.what == What::Address && is_access(report)
                || report.what == What::Undefined
                    && report.text.contains("misaligned address")
                    && access(claim).is_none_or(|access| distance(access) == Some(0) || is_misaligned(access))
        }
        ErrorKind::InvalidFree => {
            report.what == What::Address && (begins_with(&INVALID_FREE) || is_fault_of_free(report, claim))
        }
        ErrorKind::MemoryLeak | ErrorKind::MemoryNotFreed => report.what == What::Leaks,
    }
}

/// AddressSanitizer's `free` itself trips over what cannot be written, such as a string literal.
fn is_fault_of_free(report: &Report, claim: &Claim<'_>) -> bool {
    let is_free = |frame: &Frame| FREEING.contains(&frame.function.trim_start_matches("__interceptor_"));
    let mut inner = report.frames.iter().take_while(|frame| !is_of_program(frame, claim));
    report.text.starts_with("SEGV") && inner.any(is_free)
}

/// True if the report ends the run, or would if it were not the last thing to happen.
fn ends_the_run(report: &Report, claim: &Claim<'_>) -> bool {
    match report.what {
        // What the property does not ask about only tells, and the run goes on as Aster understands it.
        What::Undefined => claim.kind == ErrorKind::Overflow && is_of_kind(report, claim),
        // That is how a program ends that leaves memory behind, too.
        What::Abort => !matches!(claim.kind, ErrorKind::MemoryLeak | ErrorKind::MemoryNotFreed),
        // Libraries have memory of their own, which is none of the program's.
        What::Leaks => frames_of_program(report, claim).next().is_some(),
        _ => true,
    }
}

/// What a run says about a claim. `missing` is what the path needs and the harness cannot supply.
pub(crate) fn judge(claim: &Claim<'_>, missing: &[String], run: &Observation) -> Confirmation {
    if let Some(reason) = hindrance(run) {
        return Confirmation::CouldNot(reason);
    }
    // Up to the first report that ends the run, others count if they are what was claimed.
    let decisive = run.reports.iter().position(|report| ends_the_run(report, claim));
    let counted = &run.reports[..decisive.map_or(run.reports.len(), |decisive| decisive + 1)];
    if counted.iter().any(|report| is_of_kind(report, claim) && is_at_place(report, claim)) {
        return Confirmation::Confirmed;
    }
    let decisive = decisive.and_then(|decisive| run.reports.get(decisive));
    if decisive.is_some_and(|report| report.frames.is_empty() && is_of_kind(report, claim)) {
        // They use functions of the C library that the program may have replaced by its own.
        let reason = "the compiled program fails in this way, but the sanitizers do not tell where";
        return Confirmation::CouldNot(reason.to_owned());
    }
    if !missing.is_empty() {
        let missing = missing.join("; ");
        return Confirmation::CouldNot(format!("the path needs what no harness can supply: {missing}"));
    }
    for (applies, blind) in BLIND {
        match blind {
            Blind::Always(reason) if applies(claim) => return Confirmation::CouldNot((*reason).to_owned()),
            Blind::IfSilent(reason) if applies(claim) && decisive.is_none() => {
                return Confirmation::CouldNot((*reason).to_owned());
            }
            _ => {}
        }
    }
    if !claim.unsupplied.is_empty() {
        let names: Vec<String> = claim.unsupplied.iter().map(|name| format!("`{name}`")).collect();
        let names = names.join(", ");
        return Confirmation::CouldNot(format!("the error depends on values that nobody supplies: {names}"));
    }
    Confirmation::NotConfirmed(describe(claim, run, decisive))
}

/// Why the run does not count at all.
fn hindrance(run: &Observation) -> Option<String> {
    let limit = match run.ending {
        Ending::Stopped(Limit::Time) => Some("took too long"),
        Ending::Stopped(Limit::Memory) => Some("took too much memory"),
        Ending::Stopped(Limit::Output) => Some("printed too much"),
        Ending::Stopped(Limit::Processes) => Some("made processes"),
        Ending::Stopped(Limit::User) => Some("was interrupted"),
        Ending::Exited(_) | Ending::Signal(_) => None,
    };
    if let Some(limit) = limit {
        return Some(format!("the run {limit}"));
    }
    let report = run.reports.iter().find(|report| {
        let is_exhausted = EXHAUSTED.iter().any(|word| report.text.starts_with(word));
        report.what == What::Defect || report.what == What::Address && is_exhausted
    })?;
    Some(match report.what {
        What::Defect => format!("the sanitizers cannot work here: {}", report.text),
        _ => format!("the run needs more stack or memory than it gets: {}", report.text),
    })
}

/// Leaks are told at the end, with the places where memory was allocated, which must be in the program; where it was lost, nobody
/// saw.
fn is_at_place(report: &Report, claim: &Claim<'_>) -> bool {
    match claim.kind {
        ErrorKind::MemoryLeak | ErrorKind::MemoryNotFreed => {
            frames_of_program(report, claim).next().is_some()
        }
        // An error function that the program defines itself is called in one place and ends the program in another.
        ErrorKind::Reached => {
            let is_error = |frame: &Frame| claim.error_functions.contains(&frame.function);
            let mut frames = frames_of_program(report, claim);
            let Some(innermost) = frames.next() else { return false };
            is_same(innermost, claim)
                || is_error(innermost) && frames.next().is_some_and(|caller| is_same(caller, claim))
        }
        _ => frames_of_program(report, claim).next().is_some_and(|frame| is_same(frame, claim)),
    }
}

/// The active calls in the program's own files.
fn frames_of_program<'a>(report: &'a Report, claim: &'a Claim<'_>) -> impl Iterator<Item = &'a Frame> {
    report.frames.iter().filter(|frame| is_of_program(frame, claim))
}

/// Compilers may shorten folders: the names of files must do.
fn is_of_program(frame: &Frame, claim: &Claim<'_>) -> bool {
    let file = Path::new(&frame.file).file_name();
    file.is_some() && (file == Path::new(claim.file).file_name() || file == claim.program.file_name())
}

/// The same line, or another one of the same statement: compilers place a statement at any of its lines.
fn is_same(frame: &Frame, claim: &Claim<'_>) -> bool {
    let same_file = Path::new(&frame.file).file_name() == Path::new(claim.file).file_name();
    same_file && (frame.line == claim.line || statement(claim.place_text, claim.line).contains(&frame.line))
}

/// The lines of the statement that a line is part of, as far as semicolons and braces at the ends of lines tell.
fn statement(text: &str, line: u32) -> std::ops::RangeInclusive<u32> {
    let lines: Vec<&str> = text.lines().collect();
    let index = (line as usize).saturating_sub(1);
    if index >= lines.len() {
        return line..=line;
    }
    let ends = |line: &str| {
        let code = line.split("//").next().unwrap_or_default().trim_end();
        code.trim().is_empty() || code.starts_with('#') || code.ends_with([';', '{', '}', ':'])
    };
    let first = (0..index).rev().take_while(|&before| !ends(lines[before])).last().unwrap_or(index);
    let last = (index..lines.len()).find(|&at| ends(lines[at])).unwrap_or(index);
    first as u32 + 1..=last as u32 + 1
}

/// What the run did instead, as a sentence.
fn describe(claim: &Claim<'_>, run: &Observation, decisive: Option<&Report>) -> String {
    let place = |report: &Report| {
        let frame = frames_of_program(report, claim).next().or(report.frames.first());
        frame.map(|frame| format!(" at {}:{}", frame.file, frame.line)).unwrap_or_default()
    };
    let Some(report) = decisive else {
        let ending = match run.ending {
            Ending::Exited(code) => format!("the compiled program ended with exit code {code}"),
            Ending::Signal(signal) => format!("the compiled program was ended by signal {signal}"),
            Ending::Stopped(_) => "the compiled program had to be stopped".to_owned(),
        };
        let note =
            run.reports.last().map(|report| format!(", after it told of {}{}", report.text, place(report)));
        return ending + &note.unwrap_or_default();
    };
    let place = place(report);
    match report.what {
        What::Reached => format!("the compiled program reached an error{place}"),
        What::OffPath => format!("the compiled program took another way{}", report.text),
        What::Abort => "the compiled program ended itself".to_owned(),
        What::Leaks => "the compiled program left memory behind".to_owned(),
        What::Address | What::Undefined | What::Defect => {
            format!("the compiled program failed otherwise{place}: {}", report.text)
        }
    }
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
