//! Changes of a program's text that change nothing about what it does must not change its verdict: each program in
//! `tests/verdicts` is changed in every way that fits, and checked.
//!
//! The changes go by lines, as the programs there are written: a line that is not clearly a whole statement stays as it is.

#![allow(clippy::unwrap_used)]

mod common;

use common::verdict_files::{expectation, for_each, programs};
use common::{Folder, check};
use std::path::Path;

/// A way to change a text; the lines are those of functions' bodies only.
struct Change {
    name: &'static str,
    apply: fn(&str) -> String,
}

const CHANGES: &[Change] = &[
    Change {
        name: "statements in blocks",
        apply: |text| each_statement(text, |line| format!("{{ {line} }}")),
    },
    Change {
        name: "statements in loops of one round",
        apply: |text| each_statement(text, |line| format!("do {{ {line} }} while (0);")),
    },
    Change { name: "discarded values stored", apply: |text| each_statement(text, stored) },
    Change { name: "conditions and results named", apply: named },
    Change { name: "main called by main", apply: called },
    Change { name: "attributes without effect", apply: attributed },
];

/// The place where the body of a line begins, and whether a statement may begin there: the line before ended one.
fn lines_with_context(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut before = "";
    text.lines().map(move |line| {
        let begins = before.ends_with([';', '{', '}']);
        if !line.trim().is_empty() && !line.trim_start().starts_with("//") {
            before = line.split("//").next().unwrap_or_default().trim_end();
        }
        (line, begins)
    })
}

fn joined(lines: impl Iterator<Item = String>) -> String {
    lines.map(|line| line + "\n").collect()
}

/// The indentation and the rest of a line.
fn indented(line: &str) -> (&str, &str) {
    line.split_at(line.len() - line.trim_start().len())
}

/// True for an assignment or a call that is a statement of its own.
fn is_statement(statement: &str) -> bool {
    let Some(body) = statement.strip_suffix(';') else { return false };
    let is_balanced =
        body.matches('(').count() == body.matches(')').count() && !body.contains([';', '{', '}', '"', '\'']);
    let first: String = body.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let rest = body[first.len()..].trim_start_matches(|c: char| c.is_alphanumeric() || "_.[]->".contains(c));
    let is_assignment = ["= ", "+= ", "-= ", "*= ", "/= ", "%= ", "<<= ", ">>= "]
        .iter()
        .any(|operator| rest.strip_prefix(' ').is_some_and(|rest| rest.starts_with(operator)));
    let is_call = rest.starts_with('(') && body.ends_with(')');
    let is_keyword =
        ["return", "if", "while", "for", "switch", "goto", "case", "sizeof"].contains(&first.as_str());
    is_balanced && !is_keyword && (body.starts_with('*') || !first.is_empty()) && (is_assignment || is_call)
}

fn each_statement(text: &str, change: fn(&str) -> String) -> String {
    joined(lines_with_context(text).map(|(line, begins)| {
        let (indent, statement) = indented(line);
        // Memory of `alloca` and jumps' targets would belong to the block.
        let changes =
            begins && !indent.is_empty() && is_statement(statement) && !statement.contains("alloca");
        if changes { format!("{indent}{}", change(statement)) } else { line.to_owned() }
    }))
}

/// What a call gives, or an expression that is cast to void, is kept in a variable.
fn stored(statement: &str) -> String {
    const WITH_RESULT: [&str; 12] = [
        "malloc", "calloc", "realloc", "strlen", "strcpy", "strcat", "memcpy", "memset", "memmove", "puts",
        "printf", "strcmp",
    ];
    let body = statement.strip_suffix(';').unwrap_or(statement);
    let value = match body.strip_prefix("(void)") {
        Some(value) => value,
        None if WITH_RESULT
            .iter()
            .any(|name| body.strip_prefix(name).is_some_and(|rest| rest.starts_with('('))) =>
        {
            body
        }
        None => return statement.to_owned(),
    };
    format!("{{ __auto_type kept = {value}; (void)kept; }}")
}

/// What is branched on, and what is returned, has a name first.
fn named(text: &str) -> String {
    let mut count = 0;
    joined(lines_with_context(text).map(|(line, begins)| {
        let (indent, statement) = indented(line);
        let condition = statement
            .strip_prefix("if (")
            .and_then(|rest| rest.strip_suffix(") {").or(rest.strip_suffix(')')));
        let result = statement.strip_prefix("return ").and_then(|rest| rest.strip_suffix(';'));
        let is_whole = |text: &&str| {
            let mut open = 0i32;
            text.chars().all(|c| {
                open += i32::from(c == '(') - i32::from(c == ')');
                open >= 0
            }) && open == 0
                && !text.contains([';', '{'])
        };
        count += 1;
        match (condition.filter(is_whole), result.filter(is_whole)) {
            (Some(condition), _) if begins => {
                let rest = if statement.ends_with('{') { " {" } else { "" };
                format!("{indent}_Bool named_{count} = ({condition}) != 0;\n{indent}if (named_{count}){rest}")
            }
            (_, Some(result)) if result != "0" => {
                format!("{indent}{{ __auto_type named_{count} = {result}; return named_{count}; }}")
            }
            _ => line.to_owned(),
        }
    }))
}

fn called(text: &str) -> String {
    if text.matches("main").count() != 1 || !text.contains("int main(void)") {
        return text.to_owned();
    }
    let inner = text.replace("int main(void)", "static int inner_main(void)");
    format!("{inner}\nint main(void)\n{{\n    inner_main();\n    return 0;\n}}\n")
}

fn attributed(text: &str) -> String {
    const TYPES: [&str; 7] =
        ["int ", "char ", "unsigned ", "long ", "short ", "long long ", "unsigned char "];
    joined(lines_with_context(text).map(|(line, begins)| {
        let (indent, rest) = indented(line);
        let is_function = indent.is_empty() && rest.contains('(') && !rest.contains([';', '=']);
        if is_function
            && (rest.starts_with("static ") || rest.starts_with("int main("))
            && !rest.contains("inline")
        {
            return format!("__attribute__((noinline, cold)) {line}");
        }
        let declared = TYPES.iter().find_map(|ty| Some((ty, rest.strip_prefix(ty)?)));
        if let Some((ty, name)) = declared.filter(|_| begins && !indent.is_empty()) {
            let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
            let (name, rest) = name.split_at(end);
            if !name.is_empty()
                && (rest == ";" || rest.starts_with(" = ") && rest.ends_with(';') && !rest.contains(','))
            {
                return format!("{indent}{ty}{name} __attribute__((unused)){rest}");
            }
        }
        line.to_owned()
    }))
}

/// What became of the changes.
#[derive(Default)]
struct Counts {
    changed: usize,
    /// No verdict was found in time: abstraction does not find the same predicates for every text.
    ran_out: usize,
}

/// What the changes of a program do to its verdict, if anything.
fn differences(folder: &Folder, number: usize, program: &Path) -> (Counts, Vec<String>) {
    let text = std::fs::read_to_string(program).unwrap();
    let expected = expectation(&text);
    let auto = expected.exceptions.iter().find(|(engine, _)| engine == "auto");
    let wanted = auto.map_or(&expected.verdict, |(_, verdict)| verdict);
    let mut arguments: Vec<&str> = expected.arguments.iter().map(String::as_str).collect();
    let engine = expected.only.as_deref().unwrap_or("auto");
    arguments.extend(["--engine", engine]);
    if !arguments.contains(&"--timeout") {
        arguments.extend(["--timeout", "20s"]);
    }
    let mut counts = Counts::default();
    let mut differences = Vec::new();
    for change in CHANGES {
        let new = (change.apply)(&text);
        if new.trim_end() == text.trim_end() {
            continue;
        }
        counts.changed += 1;
        let run = check(&folder.write(&format!("{number}.c"), &new), &arguments);
        let fits = match wanted.as_str() {
            "UNKNOWN" => run.last_line().starts_with("UNKNOWN("),
            verdict => run.last_line() == verdict,
        };
        if !fits && run.last_line() == "UNKNOWN(timeout)" {
            counts.ran_out += 1;
        } else if !fits {
            let (name, found) = (program.file_name().unwrap().display(), run.last_line());
            differences
                .push(format!("{name}, {}: expected {wanted}, found {found}\n{}", change.name, run.stderr));
        }
    }
    (counts, differences)
}

#[test]
fn changes_without_meaning_change_no_verdict() {
    let folder = Folder::new("metamorphic");
    let programs = programs();
    let found = for_each(&programs, |number, program| differences(&folder, number, program));
    let changed: usize = found.iter().map(|(counts, _)| counts.changed).sum();
    let ran_out: usize = found.iter().map(|(counts, _)| counts.ran_out).sum();
    let differences: Vec<String> = found.into_iter().flat_map(|(_, differences)| differences).collect();
    assert!(differences.is_empty(), "{} of {changed}\n{}", differences.len(), differences.join("\n"));
    assert!(100 * ran_out < changed, "{ran_out} of {changed} ran out of time");
    assert!(changed > 3 * programs.len(), "only {changed} changes fit");
}
