//! Property files (`.prp`): what a program must not do, read by content.

use std::fs;
use std::path::{Path, PathBuf};

/// What counts as an error of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The name as the community knows it.
    pub name: &'static str,
    /// Calling one of these is an error.
    pub error_functions: Vec<String>,
    /// A failing `assert` is an error.
    pub assert_is_error: bool,
    /// What else is an error.
    pub requirements: Vec<Requirement>,
    /// The file that it was read from.
    pub file: Option<PathBuf>,
}

/// Undefined behaviour and waste that a property may forbid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Requirement {
    /// No signed overflow.
    NoOverflow,
    /// Only memory of living objects is accessed.
    ValidDeref,
    /// Only allocated memory is freed, once.
    ValidFree,
    /// Allocated memory is freed or pointed to.
    ValidMemtrack,
    /// Allocated memory is freed.
    ValidMemcleanup,
}

/// What may not happen besides calls: the formula (without blanks), the name of the property that it belongs to, and what it requires.
const REQUIREMENTS: [(&str, &str, Requirement); 5] = [
    ("G!overflow", "no-overflow", Requirement::NoOverflow),
    ("Gvalid-deref", "valid-memsafety", Requirement::ValidDeref),
    ("Gvalid-free", "valid-memsafety", Requirement::ValidFree),
    ("Gvalid-memtrack", "valid-memsafety", Requirement::ValidMemtrack),
    ("Gvalid-memcleanup", "valid-memcleanup", Requirement::ValidMemcleanup),
];

/// The names of properties, for messages.
pub const NAMES: &str =
    "unreach-call, no-overflow, valid-memsafety, valid-deref, valid-free, valid-memtrack, valid-memcleanup";

impl Property {
    /// True if the property asks for calls only: what else is undefined is left open.
    pub fn is_about_calls(&self) -> bool {
        self.requirements.is_empty()
    }

    /// The property of this name, as its file would say it: one of [`NAMES`].
    pub fn named(name: &str) -> Option<Self> {
        let default = Property { assert_is_error: false, ..Property::default() };
        if name == default.name {
            return Some(default);
        }
        let belongs =
            |formula: &str, property: &str| property == name || formula.strip_prefix('G') == Some(name);
        let required = REQUIREMENTS.iter().filter(|(formula, property, _)| belongs(formula, property));
        let requirements: Vec<_> = required.clone().map(|(.., requirement)| *requirement).collect();
        let (_, name, _) = required.clone().next()?;
        Some(Property { name, error_functions: Vec::new(), requirements, ..default })
    }
}

/// No failing `assert` and no call of an error function: what is checked when nothing else is asked for.
impl Default for Property {
    fn default() -> Self {
        Property {
            name: "unreach-call",
            error_functions: vec!["__VERIFIER_error".to_owned(), "reach_error".to_owned()],
            assert_is_error: true,
            requirements: Vec::new(),
            file: None,
        }
    }
}

/// Why there is no property.
#[derive(Debug, thiserror::Error)]
pub enum PropertyError {
    /// The file could not be read.
    #[error("{}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        error: std::io::Error,
    },
    /// The text is not a property.
    #[error("{}:{line}: {message}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Where, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// A property, but not one that can be checked.
    #[error("{}:{line}: the property `{property}` is not supported yet (supported: unreach-call, no-overflow, valid-memsafety, valid-memcleanup)", path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// Where, from 1.
        line: usize,
        /// Its name, or its formula if it has none.
        property: String,
    },
}

/// Reads a property file.
pub fn load(path: &Path) -> Result<Property, PropertyError> {
    let bytes = fs::read(path).map_err(|error| PropertyError::Read { path: path.to_owned(), error })?;
    let text = String::from_utf8_lossy(&bytes);
    parse(&text, path)
}

/// Reads a property from a text such as `CHECK( init(main()), LTL(G ! call(reach_error())) )`; `path` is
/// for messages.
pub fn parse(text: &str, path: &Path) -> Result<Property, PropertyError> {
    let mut cursor = Cursor { text, position: 0 };
    let mut found: Option<Property> = None;
    loop {
        cursor.skip_blanks_and_comments();
        if cursor.rest().is_empty() {
            break;
        }
        let line = cursor.line();
        let malformed = |cursor: &Cursor<'_>, message: String| PropertyError::Malformed {
            path: path.to_owned(),
            line: cursor.line(),
            message,
        };
        let function = statement(&mut cursor).map_err(|message| malformed(&cursor, message))?;
        match function {
            Statement::UnreachCall(name) => {
                let property = found.get_or_insert_with(|| Property {
                    name: "unreach-call",
                    error_functions: Vec::new(),
                    assert_is_error: false,
                    requirements: Vec::new(),
                    file: Some(path.to_owned()),
                });
                property.error_functions.push(name);
            }
            Statement::Requirement(name, requirement) => {
                let property = found.get_or_insert_with(|| Property {
                    name,
                    error_functions: Vec::new(),
                    assert_is_error: false,
                    requirements: Vec::new(),
                    file: Some(path.to_owned()),
                });
                property.requirements.push(requirement);
            }
            Statement::Other(property) => {
                return Err(PropertyError::Unsupported { path: path.to_owned(), line, property });
            }
        }
    }
    found.ok_or_else(|| PropertyError::Malformed {
        path: path.to_owned(),
        line: 1,
        message: "the file holds no property; expected `CHECK( init(main()), LTL(...) )`".to_owned(),
    })
}

enum Statement {
    UnreachCall(String),
    Requirement(&'static str, Requirement),
    Other(String),
}

fn statement(cursor: &mut Cursor<'_>) -> Result<Statement, String> {
    if cursor.eat("COVER") {
        let argument = cursor.parenthesised()?;
        return Ok(Statement::Other(format!("COVER({})", squeeze(argument))));
    }
    cursor.expect("CHECK")?;
    cursor.expect("(")?;
    cursor.expect("init")?;
    let entry = squeeze(cursor.parenthesised()?);
    cursor.expect(",")?;
    cursor.expect("LTL")?;
    let formula = squeeze(cursor.parenthesised()?);
    cursor.expect(")")?;
    if entry != "main()" {
        return Ok(Statement::Other(format!("init({entry})")));
    }
    if let Some(name) = formula.strip_prefix("G!call(").and_then(|rest| rest.strip_suffix("())"))
        && is_identifier(name)
    {
        return Ok(Statement::UnreachCall(name.to_owned()));
    }
    if let Some((_, name, requirement)) = REQUIREMENTS.iter().find(|(known, ..)| *known == formula) {
        return Ok(Statement::Requirement(name, *requirement));
    }
    Ok(Statement::Other(known_name(&formula).map_or(formula, str::to_owned)))
}

/// The community's name of a formula (given without blanks).
fn known_name(formula: &str) -> Option<&'static str> {
    Some(match formula {
        "G!data-race" => "no-data-race",
        "Fend" => "termination",
        "Gdef-behavior" => "def-behavior",
        _ => return None,
    })
}

fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The text without its blanks.
fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

struct Cursor<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    fn line(&self) -> usize {
        1 + self.text[..self.position].bytes().filter(|&b| b == b'\n').count()
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.position += rest.len() - rest.trim_start().len();
    }

    fn skip_blanks_and_comments(&mut self) {
        loop {
            self.skip_blanks();
            let rest = self.rest();
            if !rest.starts_with('#') && !rest.starts_with("//") {
                return;
            }
            self.position += rest.find('\n').unwrap_or(rest.len());
        }
    }

    fn eat(&mut self, token: &str) -> bool {
        self.skip_blanks();
        let found = self.rest().starts_with(token);
        if found {
            self.position += token.len();
        }
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.eat(token) {
            return Ok(());
        }
        let found: String = self.rest().chars().take_while(|&c| c != '\n').take(20).collect();
        let found = if found.is_empty() {
            "the end of the file".to_owned()
        } else {
            format!("`{}`", found.escape_debug())
        };
        Err(format!(
            "not a property: expected `{token}` of `CHECK( init(main()), LTL(...) )` but found {found}"
        ))
    }

    /// The text between a parenthesis, which comes next, and the one that closes it.
    fn parenthesised(&mut self) -> Result<&'a str, String> {
        self.expect("(")?;
        let rest = self.rest();
        let mut depth = 1_usize;
        for (index, character) in rest.char_indices() {
            match character {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.position += index + 1;
                return Ok(&rest[..index]);
            }
        }
        Err("not a property: a parenthesis is not closed".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Property, String> {
        parse(text, Path::new("p.prp")).map_err(|error| error.to_string())
    }

    #[test]
    fn unreachable_calls_are_read() {
        let property = read("CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )\n\n").unwrap();
        assert_eq!(property.error_functions, ["__VERIFIER_error"]);
        assert!(!property.assert_is_error);
        let property = read("# comment\nCHECK(init( main() ),LTL( G! call( reach_error( ) ) ))").unwrap();
        assert_eq!(property.error_functions, ["reach_error"]);
        let property =
            read("CHECK(init(main()),LTL(G!call(a())))\nCHECK(init(main()),LTL(G!call(b())))").unwrap();
        assert_eq!(property.error_functions, ["a", "b"]);
    }

    #[test]
    fn overflow_and_memory_are_requirements() {
        use Requirement::{NoOverflow, ValidDeref, ValidFree, ValidMemcleanup};
        for (text, name, requirements) in [
            ("CHECK( init(main()), LTL(G ! overflow) )", "no-overflow", vec![NoOverflow]),
            (
                "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )",
                "valid-memsafety",
                vec![ValidFree, ValidDeref],
            ),
            ("CHECK( init(main()), LTL(G valid-memcleanup) )", "valid-memcleanup", vec![ValidMemcleanup]),
        ] {
            let property = read(text).unwrap();
            assert_eq!((property.name, property.requirements), (name, requirements));
            assert!(property.error_functions.is_empty() && !property.assert_is_error);
        }
    }

    #[test]
    fn properties_have_names() {
        for name in NAMES.split(", ") {
            let text = match name {
                "unreach-call" => "CHECK(init(main()),LTL(G!call(__VERIFIER_error())))\nCHECK(init(main()),LTL(G!call(reach_error())))".to_owned(),
                "no-overflow" => "CHECK(init(main()),LTL(G!overflow))".to_owned(),
                "valid-memsafety" => ["valid-deref", "valid-free", "valid-memtrack"]
                    .map(|part| format!("CHECK(init(main()),LTL(G {part}))\n"))
                    .concat(),
                part => format!("CHECK(init(main()),LTL(G {part}))"),
            };
            assert_eq!(Property::named(name), Some(Property { file: None, ..read(&text).unwrap() }));
        }
        assert_eq!(Property::named("termination"), None);
    }

    #[test]
    fn other_properties_are_named_and_refused() {
        for (text, name) in [
            ("CHECK( init(main()), LTL(F end) )", "termination"),
            ("CHECK( init(main()), LTL(G ! data-race) )", "no-data-race"),
            (
                "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
                "COVER(init(main()),FQL(COVEREDGES(@DECISIONEDGE)))",
            ),
            ("CHECK( init(start()), LTL(G ! call(f())) )", "init(start())"),
            ("CHECK( init(main()), LTL(G ! call(f(1))) )", "G!call(f(1))"),
        ] {
            let error = read(text).unwrap_err();
            assert!(
                error.starts_with(&format!("p.prp:1: the property `{name}` is not supported yet")),
                "{error}"
            );
        }
    }

    #[test]
    fn malformed_files_say_where() {
        for (text, start) in [
            ("", "p.prp:1: the file holds no property"),
            ("# only\n", "p.prp:1: the file holds no property"),
            ("\n\nhello", "p.prp:3: not a property: expected `CHECK`"),
            ("CHECK( init(main()), LTL(G ! call(f()))", "p.prp:1: not a property: expected `)`"),
            ("CHECK( init(main()), LTL(G ! call(f())", "p.prp:1: not a property: a parenthesis"),
            ("CHECK( init(main()),\n CTL(G ! call(f())))", "p.prp:2: not a property: expected `LTL`"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(start), "{error}");
        }
    }
}
