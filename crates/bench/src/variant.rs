//! An engine with options of its own, written as one word: `symexec-ia:threshold=1+no-sharing`.

use std::fmt;
use std::str::FromStr;

/// An engine and the options of `aster check` that it is run with. What was written is its name in
/// results and tables, so two spellings of the same thing are two variants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    name: String,
    engine: String,
    options: Vec<String>,
}

/// Why a text is not a variant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VariantError {
    /// Nothing before the colon.
    #[error("the name of an engine is missing")]
    Engine,
    /// Not an option without its dashes.
    #[error(
        "`{0}` is not an option of `aster check` without its dashes; write for example symexec-ia:threshold=1+no-sharing"
    )]
    Option(String),
}

impl Variant {
    /// The text as it was written.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments of `aster check` that stand for it. Whether these options exist is not known here.
    pub fn arguments(&self) -> impl Iterator<Item = &str> {
        ["--engine", &self.engine].into_iter().chain(self.options.iter().map(String::as_str))
    }
}

impl FromStr for Variant {
    type Err = VariantError;

    fn from_str(text: &str) -> Result<Self, VariantError> {
        let name = text.trim();
        let (engine, options) = match name.split_once(':') {
            Some((engine, options)) => (engine, Some(options)),
            None => (name, None),
        };
        if engine.is_empty() || engine.starts_with('-') {
            return Err(VariantError::Engine);
        }
        let option = |part: &str| {
            if part.starts_with(|c: char| c.is_ascii_alphabetic()) {
                // In one word with its value, so that no value is taken for an option.
                Ok(format!("--{part}"))
            } else {
                Err(VariantError::Option(part.to_owned()))
            }
        };
        let options =
            options.into_iter().flat_map(|list| list.split('+')).map(option).collect::<Result<_, _>>()?;
        Ok(Variant { name: name.to_owned(), engine: engine.to_owned(), options })
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(text: &str) -> Vec<String> {
        text.parse::<Variant>().unwrap().arguments().map(str::to_owned).collect()
    }

    #[test]
    fn variants_are_read() {
        assert_eq!(arguments("symexec"), ["--engine", "symexec"]);
        assert_eq!(
            arguments(" symexec-ia:threshold=1+no-sharing"),
            ["--engine", "symexec-ia", "--threshold=1", "--no-sharing"]
        );
        assert_eq!(arguments("symexec:solver=z3 a=b"), ["--engine", "symexec", "--solver=z3 a=b"]);
        assert_eq!(" x:a=1".parse::<Variant>().unwrap().name(), "x:a=1");
    }

    #[test]
    fn bad_variants_are_refused() {
        for text in ["", " ", ":threshold=1", "--search"] {
            assert_eq!(text.parse::<Variant>(), Err(VariantError::Engine), "{text}");
        }
        for (text, part) in [("x:", ""), ("x:a++b", ""), ("x:--a", "--a"), ("x:=1", "=1"), ("x:a+-v", "-v")] {
            assert_eq!(text.parse::<Variant>(), Err(VariantError::Option(part.to_owned())), "{text}");
        }
    }
}
