//! Text for people: the verdict and what stands before it.

use crate::analysis::Verdict;
use aster_bench::report::{Evidence, Frontier, Invariant, Position, Proof, Reason, UnknownFunction, Warning};
use aster_bench::units::show_count;
use std::fmt::Write;

/// The keyword where the compiled program did something else than Aster said.
pub const NOT_CONFIRMED: &str = "not confirmed";
/// How many places of the frontier are shown.
const FRONTIER_LINES: usize = 10;
/// How many places are shown where something undefined is assumed not to happen.
const ASSUMED_LINES: usize = 20;
/// How many abstract states of a proof are shown, and how much of each.
const STATE_LINES: usize = 20;
const STATE_LENGTH: usize = 400;

/// The verdict line.
pub fn verdict_line(verdict: &Verdict) -> String {
    match verdict {
        Verdict::True(_) => "TRUE".to_owned(),
        Verdict::False { property, .. } => format!("FALSE({property})"),
        Verdict::Unknown { reason, .. } => format!("UNKNOWN({})", reason.keyword),
    }
}

/// The exit code that belongs to a verdict.
pub fn exit_code(verdict: &Verdict) -> i32 {
    match verdict {
        Verdict::True(_) => 0,
        Verdict::False { .. } => 10,
        Verdict::Unknown { .. } => 20,
    }
}

/// Everything that is printed for a verdict; the verdict line is the last one. `assumed` is what `TRUE` assumes,
/// `evidence` what is said about the harness and the compiled program.
pub fn text(verdict: &Verdict, assumed: &[Warning], evidence: &str) -> String {
    let mut out = String::new();
    match verdict {
        Verdict::True(proof) => {
            if let Some(proof) = proof {
                show_proof(&mut out, proof);
            }
            show_assumed(&mut out, assumed);
        }
        Verdict::False { text, .. } => {
            out.push_str(text.trim_end());
            out.push_str("\n\n");
            out.push_str(evidence);
        }
        Verdict::Unknown { reason, frontier } => {
            explain(&mut out, reason);
            show_frontier(&mut out, frontier);
        }
    }
    out.push_str(&verdict_line(verdict));
    out.push('\n');
    out
}

fn show_proof(out: &mut String, proof: &Proof) {
    let checked = match &proof.evidence {
        Evidence::LoopInvariants { invariants } if invariants.is_empty() => {
            out.push_str("No loop can be reached: all paths were explored.\n\n");
            return;
        }
        Evidence::LoopInvariants { invariants } => {
            out.push_str("Whenever a loop head is reached, this holds:\n");
            for Invariant { position: Position { file, line, column, .. }, functions, formula } in invariants
            {
                let _ = writeln!(out, "  {file}:{line}:{column} in {}\n    {formula}", functions.join(" > "));
            }
            "it holds at first, every path between loop heads keeps it, and it excludes the error"
        }
        Evidence::ExactFragment { states } => {
            out.push_str("After finitely many steps every run that goes on is in one of these abstract states for good:\n");
            show_states(out, states);
            "every run ends or gets there without an error, no transition leads out, and they exclude the error"
        }
        Evidence::InductiveSet { states } => {
            out.push_str("Every run is in one of these abstract states all the time:\n");
            show_states(out, states);
            "every run starts there, no transition leads out, and they exclude the error"
        }
    };
    match &proof.unchecked {
        None => {
            let _ = writeln!(out, "Checked: {checked}.\n");
        }
        Some(reason) => {
            let _ = writeln!(out, "Not checked: {reason}\n");
        }
    }
}

fn show_states(out: &mut String, states: &[String]) {
    for state in states.iter().take(STATE_LINES) {
        match state.char_indices().nth(STATE_LENGTH) {
            Some((end, _)) => {
                let _ = writeln!(out, "  {}…", &state[..end]);
            }
            None => {
                let _ = writeln!(out, "  {state}");
            }
        }
    }
    if states.len() > STATE_LINES {
        let rest = show_count((states.len() - STATE_LINES) as u64);
        let all = show_count(states.len() as u64);
        let _ = writeln!(out, "  and {rest} more, {all} in all (--json has them whole)");
    }
}

fn show_assumed(out: &mut String, assumed: &[Warning]) {
    if assumed.is_empty() {
        return;
    }
    out.push_str("Assumed, because the property does not ask for it: no undefined behaviour here:\n");
    for Warning { what, position: Position { file, line, column, .. } } in assumed.iter().take(ASSUMED_LINES)
    {
        let _ = writeln!(out, "  {file}:{line}:{column}: {what}");
    }
    if assumed.len() > ASSUMED_LINES {
        let rest = show_count((assumed.len() - ASSUMED_LINES) as u64);
        let _ = writeln!(out, "  and {rest} places more (--json has them all)");
    }
    out.push('\n');
}

/// What is told about undefined behaviour.
pub fn warnings(warnings: &[Warning]) -> String {
    let mut out = String::new();
    for Warning { what, position } in warnings {
        let Position { file, line, column, .. } = position;
        let _ = writeln!(
            out,
            "{file}:{line}:{column}: warning: undefined behaviour: {what}; this path ends here"
        );
        snippet(&mut out, position);
    }
    out
}

/// What is told about functions that nothing is known about.
pub fn unknown_functions(functions: &[UnknownFunction]) -> String {
    let mut out = String::new();
    for UnknownFunction { name, declared, position } in functions {
        let Position { file, line, column, .. } = position;
        if !declared {
            let _ = writeln!(out, "{file}:{line}:{column}: warning: '{name}' is called and never declared");
        }
        let _ = writeln!(
            out,
            "{file}:{line}:{column}: warning: '{name}' has no body: it may give anything, and change what its arguments point to"
        );
        snippet(&mut out, position);
    }
    out
}

/// What an error depends on that the program does not say.
pub fn depends_on(names: &[String]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    let (has, does) = if names.len() == 1 { ("has", "it really does") } else { ("have", "they really do") };
    format!(
        "\nThe error depends on {}, which {has} no body: what {does} may be something else.\n",
        quoted.join(", ")
    )
}

fn explain(out: &mut String, reason: &Reason) {
    let _ = writeln!(out, "{}", reason.message.trim_end());
    if let Some(position) = &reason.position {
        frame(out, position);
    }
    if matches!(reason.keyword.as_str(), "internal error" | "replay mismatch" | NOT_CONFIRMED) {
        let _ = writeln!(out, "This is a defect of Aster; please report it together with the program.");
    }
}

/// The place and its source line.
pub fn frame(out: &mut String, position: &Position) {
    let Position { file, line, column, .. } = position;
    let _ = writeln!(out, "  --> {file}:{line}:{column}");
    snippet(out, position);
}

/// The source line with a marker below the place.
fn snippet(out: &mut String, position: &Position) {
    let Position { line, column, length, text, .. } = position;
    let Some(text) = text else { return };
    let gutter = line.to_string().len();
    let before = (*column as usize).saturating_sub(1);
    let (text, before) = window(text, before);
    // The marker is aligned by characters; tabs stay tabs so that it stands where the text does.
    let indent: String =
        text.get(..before).unwrap_or_default().chars().map(|c| if c == '\t' { c } else { ' ' }).collect();
    let rest = text.get(before..).unwrap_or_default();
    let marked = rest.char_indices().take_while(|(index, _)| *index < *length as usize).count().max(1);
    let _ = writeln!(out, "{:gutter$} |", "");
    let _ = writeln!(out, "{line} | {text}");
    let _ = writeln!(out, "{:gutter$} | {indent}{}", "", "^".repeat(marked));
}

/// Cuts a very long line around byte `place`; gives the part and the place in it.
fn window(text: &str, place: usize) -> (&str, usize) {
    const WIDTH: usize = 160;
    if text.len() <= WIDTH {
        return (text, place);
    }
    let boundary = |mut index: usize| {
        index = index.min(text.len());
        while !text.is_char_boundary(index) {
            index -= 1;
        }
        index
    };
    let start = boundary(place.saturating_sub(WIDTH / 4));
    let end = boundary(start + WIDTH);
    (&text[start..end], place.saturating_sub(start))
}

fn show_frontier(out: &mut String, frontier: &[Frontier]) {
    if frontier.is_empty() {
        return;
    }
    let _ = writeln!(out, "Unexplored states were waiting at");
    let place = |entry: &Frontier| {
        let Position { file, line, column, .. } = &entry.position;
        format!("{file}:{line}:{column}")
    };
    let shown = &frontier[..frontier.len().min(FRONTIER_LINES)];
    let width = shown.iter().map(|entry| place(entry).len()).max().unwrap_or(0);
    let counts: Vec<_> = shown.iter().map(|entry| show_count(entry.states)).collect();
    let count_width = counts.iter().map(String::len).max().unwrap_or(0);
    for (entry, count) in shown.iter().zip(counts) {
        let text = entry.position.text.as_deref().map(str::trim).unwrap_or_default();
        let (text, _) = window(text, 0);
        let line = format!("  {:width$}  {count:>count_width$}  {text}", place(entry));
        let _ = writeln!(out, "{}", line.trim_end());
    }
    if let Some(rest) = frontier.get(FRONTIER_LINES..).filter(|rest| !rest.is_empty()) {
        let states: u64 = rest.iter().map(|entry| entry.states).sum();
        let _ = writeln!(out, "  and {} more places ({} states)", rest.len(), show_count(states));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Failure;
    use aster_cfa::{ErrorKind, SourceMap, Span};
    use aster_evidence::Place;

    fn at(line: u32, column: u32, length: u32, text: &str) -> Position {
        Position { file: "a.c".to_owned(), line, column, length, text: Some(text.to_owned()) }
    }

    fn unknown(position: Option<Position>, frontier: Vec<Frontier>) -> String {
        let reason = Reason {
            keyword: "unsupported".to_owned(),
            message: "not modelled: floating-point types".to_owned(),
            construct: None,
            position,
        };
        text(&Verdict::Unknown { reason, frontier }, &[], "")
    }

    #[test]
    fn reasons_have_a_code_frame() {
        let shown = unknown(Some(at(12, 4, 6, "\tx = über_f(1.0);")), vec![]);
        assert_eq!(
            shown,
            "not modelled: floating-point types\n  --> a.c:12:4\n   |\n12 | \tx = über_f(1.0);\n   | \t  ^^^^^\nUNKNOWN(unsupported)\n"
        );
        // Positions beyond the line, or inside a character, are no reason to fail.
        for column in [0, 7, 50] {
            assert!(unknown(Some(at(1, column, 99, "\tx = ü;")), vec![]).ends_with("UNKNOWN(unsupported)\n"));
        }
        let long = "ü".repeat(5000);
        assert!(unknown(Some(at(1, 4001, 2, &long)), vec![]).len() < 1000);
    }

    #[test]
    fn warnings_come_with_their_line() {
        let what = "a null pointer is read".to_owned();
        let warning = Warning { what, position: at(3, 5, 2, "x = *p;") };
        assert_eq!(
            warnings(&[warning]),
            "a.c:3:5: warning: undefined behaviour: a null pointer is read; this path ends here\n  |\n3 | x = *p;\n  |     ^^\n"
        );
        assert_eq!(warnings(&[]), "");
    }

    #[test]
    fn functions_without_body_are_told() {
        let unknown = |declared| UnknownFunction {
            name: "ask".to_owned(),
            declared,
            position: at(3, 5, 3, "x = ask();"),
        };
        let body = "a.c:3:5: warning: 'ask' has no body: it may give anything, and change what its arguments point to\n  |\n3 | x = ask();\n  |     ^^^\n";
        assert_eq!(unknown_functions(&[unknown(true)]), body);
        let both = unknown_functions(&[unknown(false)]);
        assert_eq!(both, format!("a.c:3:5: warning: 'ask' is called and never declared\n{body}"));
        assert_eq!(depends_on(&[]), "");
        let names = ["a".to_owned(), "b".to_owned()];
        assert!(depends_on(&names).contains("on 'a', 'b', which have no body: what they really do"));
    }

    #[test]
    fn the_frontier_is_cut() {
        let frontier = (1..=12).map(|n| Frontier { position: at(n, 1, 1, "  x++;"), states: 2000 }).collect();
        let shown = unknown(None, frontier);
        assert!(shown.contains("  a.c:1:1   2,000  x++;\n"), "{shown}");
        assert!(shown.contains("  and 2 more places (4,000 states)\nUNKNOWN"), "{shown}");
    }

    #[test]
    fn verdict_lines_and_exit_codes() {
        assert_eq!(text(&Verdict::True(None), &[], ""), "TRUE\n");
        assert_eq!(exit_code(&Verdict::True(None)), 0);
        let counterexample = serde_json::Value::Null;
        let mut sources = SourceMap::default();
        let span = Span::line_start(sources.add("a.c", ""), 1);
        let place = Place { span, file: "a.c".to_owned(), line: 1, column: 1 };
        let found = Verdict::False {
            property: "unreach-call",
            counterexample,
            text: "the path\n".to_owned(),
            harness: None,
            failure: Failure {
                kind: ErrorKind::Reached,
                place,
                access: None,
                in_unused: false,
                unsupplied: Vec::new(),
            },
        };
        assert_eq!(text(&found, &[], ""), "the path\n\nFALSE(unreach-call)\n");
        assert_eq!(exit_code(&found), 10);
    }
}
