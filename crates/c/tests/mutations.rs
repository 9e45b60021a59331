//! Damaged programs: whatever the reader is given, it answers with a program or with messages that have a place,
//! soon, and without a panic. The damage is random, with fixed seeds.
//!
//! `ASTER_MUTATIONS=N` makes N mutants of each program instead of a few, `ASTER_MUTATION_SEED=S` others, and
//! `ASTER_MUTATION_FILE=F` writes each mutant to a file before it is read, to be found there after a crash.
#![allow(clippy::unwrap_used)]

use aster_c::{Checks, DataModel, LoadError, LoadOptions, load_text};
use aster_term::TermPool;
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Mutants of each program.
const MUTANTS: u64 = 3;

/// The reader takes milliseconds.
const LONGEST: Duration = Duration::from_secs(20);

/// What is put in the place of other tokens.
const WORDS: [&str; 102] = [
    "/*",
    "*/",
    "//",
    "\\\n",
    "\u{e9}",
    "\u{b}\r",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    "=",
    "==",
    "*",
    "&",
    "&&",
    "+",
    "-",
    "--",
    "->",
    ".",
    "...",
    "?",
    ":",
    "!",
    "~",
    "<<",
    ">>=",
    "/",
    "%",
    "0",
    "1",
    "-1",
    "08",
    "0x",
    "1e999",
    "1.5f",
    "1.5i",
    "2147483648",
    "18446744073709551616",
    "99999999999999999999999999999999999999999999",
    "0x1p",
    "'a'",
    "''",
    "'ab",
    "\"",
    "\"text\"",
    "L\"wide\"",
    "\\",
    "@",
    "$",
    "`",
    "int",
    "unsigned",
    "long long",
    "char",
    "void",
    "double",
    "_Bool",
    "__int128",
    "float _Complex",
    "struct s",
    "struct { int x; }",
    "union { int i; char c; }",
    "enum { A, B = 5 }",
    "typedef",
    "static",
    "extern",
    "const",
    "volatile",
    "register",
    "inline",
    "auto",
    "_Atomic",
    "_Alignas(16)",
    "_Static_assert",
    "_Generic",
    "__attribute__((packed))",
    "__attribute__((aligned(64)))",
    "__attribute__((vector_size(16)))",
    "__extension__",
    "__typeof__(1)",
    "sizeof",
    "_Alignof",
    "__builtin_offsetof",
    "__builtin_choose_expr",
    "__builtin_va_arg",
    "__label__ x;",
    "&&x",
    "if",
    "else",
    "for (;;)",
    "while",
    "do",
    "switch",
    "case 1:",
    "default:",
    "goto x;",
    "return",
];

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        if bound == 0 { 0 } else { (self.next() % bound as u64) as usize }
    }
}

/// Words, numbers, blanks, and single bytes of anything else.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut last = ' ';
    for character in text.chars() {
        let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
        let joins = is_word(last) && is_word(character) || last == ' ' && character == ' ';
        match tokens.last_mut() {
            Some(token) if joins => token.push(character),
            _ => tokens.push(character.to_string()),
        }
        last = character;
    }
    tokens
}

/// Damages a program in one to four places.
fn mutant(original: &[String], random: &mut Random) -> String {
    let mut tokens = original.to_vec();
    for _ in 0..=random.below(4) {
        if tokens.is_empty() {
            tokens.push(";".to_owned());
        }
        let at = random.below(tokens.len());
        let other = random.below(tokens.len());
        let word = WORDS[random.below(WORDS.len())].to_owned();
        match random.below(9) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, format!(" {word} ")),
            2 => tokens[at] = format!(" {word} "),
            3 => tokens.swap(at, other),
            4 => tokens[at] = tokens[other].clone(),
            5 => tokens.truncate(at.max(1)),
            // A stretch again, or gone.
            6 => {
                let stretch = tokens[at..(at + random.below(30)).min(tokens.len())].to_vec();
                tokens.splice(other..other, stretch);
            }
            7 => drop(tokens.drain(at..(at + 1 + random.below(30)).min(tokens.len()))),
            // Much of the same.
            _ => {
                let repeated = if random.below(2) == 0 { word } else { tokens[at].clone() };
                tokens.insert(at, format!("{repeated} ").repeat(1 + random.below(60)));
            }
        }
    }
    tokens.concat()
}

/// Programs of the repository that need no preprocessor.
fn programs() -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    for folder in ["tests/programs", "tests/errors", "../../tests/verdicts", "../../examples"] {
        files.extend(std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
    }
    files.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    let read = files.into_iter().filter_map(|path| {
        let text = String::from_utf8(std::fs::read(&path).unwrap()).ok()?;
        (!text.contains('#')).then_some((path, text))
    });
    read.collect()
}

fn options(random: &mut Random) -> LoadOptions {
    let checked = random.below(2) == 0;
    LoadOptions {
        data_model: if random.below(2) == 0 { DataModel::Lp64 } else { DataModel::Ilp32 },
        checks: Checks { overflow: checked, memory: checked, leaks: checked, cleanup: false },
        ..LoadOptions::default()
    }
}

/// What is wrong with what the reader said, if anything is.
fn complaint(text: &str, options: &LoadOptions) -> Option<String> {
    let mut pool = TermPool::new();
    let error = match load_text(&mut pool, "input.c", text, options) {
        Ok(program) => {
            let violations = program.validate(&pool);
            return (!violations.is_empty()).then(|| format!("a broken automaton: {violations:?}"));
        }
        Err(error) => error,
    };
    let rendered = error.render();
    let lines = text.lines().count().max(1) + 1;
    match &error {
        LoadError::Diagnostics { diagnostics, .. } if diagnostics.is_empty() => Some("no message".to_owned()),
        LoadError::Diagnostics { .. } => {
            let place = rendered.strip_prefix("input.c:").and_then(|rest| rest.split_once(": error: "));
            let numbers = place.and_then(|(place, _)| place.split_once(':'));
            let (line, column) = numbers.map(|(line, column)| (line.parse(), column.parse())).unzip();
            let is_inside = |number: Option<Result<usize, _>>, most: usize| {
                number.is_some_and(|number: Result<usize, std::num::ParseIntError>| {
                    number.is_ok_and(|number| (1..=most).contains(&number))
                })
            };
            let good = is_inside(line, lines) && is_inside(column, text.len() + 2);
            (!good).then(|| format!("a message without a place: {rendered}"))
        }
        LoadError::NotText { .. } => None,
        LoadError::Io { .. } | LoadError::Preprocessor { .. } => Some(rendered),
    }
}

#[test]
fn damaged_programs_are_read_or_refused() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let mutants = number("ASTER_MUTATIONS").unwrap_or(MUTANTS);
    let mut random = Random(number("ASTER_MUTATION_SEED").unwrap_or(0));
    let file = std::env::var_os("ASTER_MUTATION_FILE");
    let current = Arc::new(Mutex::new(String::new()));
    let shown = current.clone();
    let (sender, receiver) = channel();
    let worker = std::thread::Builder::new().stack_size(64 << 20).spawn(move || {
        let programs = programs();
        assert!(programs.len() > 100, "only {} programs were found", programs.len());
        for (path, text) in programs {
            let tokens = tokens(&text);
            for _ in 0..mutants {
                let text = mutant(&tokens, &mut random);
                if let Some(file) = &file {
                    std::fs::write(file, &text).unwrap();
                }
                *current.lock().unwrap() = text.clone();
                let complaint = complaint(&text, &options(&mut random));
                assert_eq!(complaint, None, "a mutant of {}:\n{text}", path.display());
                sender.send(()).unwrap();
            }
        }
    });
    let worker = worker.unwrap();
    loop {
        match receiver.recv_timeout(LONGEST) {
            Ok(()) => {}
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                panic!("this does not come to an end:\n{}", shown.lock().unwrap());
            }
        }
    }
    if let Err(panic) = worker.join() {
        eprintln!("the text was:\n{}", shown.lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
        std::panic::resume_unwind(panic);
    }
}
