//! Command lines and S-expressions: where one piece of text ends.

/// Splits a command line into words as a shell does: blanks separate, quotes of both kinds and the
/// backslash protect. Nothing is expanded. `None` if a quote is not closed.
pub(super) fn split_command(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = command.chars();
    while let Some(c) = characters.next() {
        match c {
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        end if end == c => break,
                        '\\' if c == '"' => word.push(characters.next()?),
                        inside => word.push(inside),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(characters.next()?),
            blank if blank.is_whitespace() => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Some(words)
}

/// Cuts a stream of bytes into S-expressions.
#[derive(Default)]
pub(super) struct Splitter {
    current: Vec<u8>,
    depth: usize,
    inside: Inside,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Inside {
    #[default]
    Plain,
    /// `"..."`; a doubled quote ends and starts a string again, which does no harm here.
    String,
    /// `|...|`
    Symbol,
    Comment,
}

impl Splitter {
    /// Takes one byte; gives the expression that it completes. An atom is complete at the byte after it.
    pub(super) fn feed(&mut self, byte: u8) -> Option<String> {
        match (self.inside, byte) {
            (Inside::Comment, b'\n') => self.inside = Inside::Plain,
            (Inside::Comment, _) => {}
            (Inside::String, b'"') | (Inside::Symbol, b'|') => {
                self.current.push(byte);
                self.inside = Inside::Plain;
            }
            (Inside::String | Inside::Symbol, _) => self.current.push(byte),
            (Inside::Plain, b';') => {
                self.inside = Inside::Comment;
                return self.end_of_atom();
            }
            (Inside::Plain, b'(') => {
                let atom = self.end_of_atom();
                self.depth += 1;
                self.current.push(byte);
                return atom;
            }
            (Inside::Plain, b')') => {
                self.current.push(byte);
                self.depth = self.depth.saturating_sub(1);
                return self.end_of_atom();
            }
            (Inside::Plain, byte) if byte.is_ascii_whitespace() => {
                if self.depth == 0 {
                    return self.end_of_atom();
                }
                self.current.push(byte);
            }
            (Inside::Plain, _) => {
                self.current.push(byte);
                match byte {
                    b'"' => self.inside = Inside::String,
                    b'|' => self.inside = Inside::Symbol,
                    _ => {}
                }
            }
        }
        None
    }

    /// How many bytes the incomplete expression holds.
    pub(super) fn pending(&self) -> usize {
        self.current.len()
    }

    fn end_of_atom(&mut self) -> Option<String> {
        if self.depth > 0 || self.current.is_empty() {
            return None;
        }
        Some(String::from_utf8_lossy(&std::mem::take(&mut self.current)).into_owned())
    }
}

/// The elements of a parenthesised list. `None` if the text is not one.
pub(super) fn list_items(text: &str) -> Option<Vec<String>> {
    let inside = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    let mut splitter = Splitter::default();
    let mut items: Vec<String> = inside.bytes().filter_map(|byte| splitter.feed(byte)).collect();
    items.extend(splitter.feed(b' '));
    (splitter.pending() == 0).then_some(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &str) -> Option<Vec<String>> {
        split_command(command)
    }

    #[test]
    fn commands_are_split_like_a_shell_does() {
        assert_eq!(words("z3 -in").unwrap(), ["z3", "-in"]);
        assert_eq!(
            words("  a 'b c' \"d \\\" e\" f\\ g h''i ''").unwrap(),
            ["a", "b c", "d \" e", "f g", "hi", ""]
        );
        assert_eq!(words("").unwrap(), Vec::<String>::new());
        assert_eq!(words("a 'b"), None);
        assert_eq!(words("a \"b"), None);
        assert_eq!(words("a \\"), None);
    }

    fn expressions(text: &str) -> Vec<String> {
        let mut splitter = Splitter::default();
        text.bytes().filter_map(|byte| splitter.feed(byte)).collect()
    }

    #[test]
    fn expressions_end_where_they_should() {
        assert_eq!(
            expressions("sat\n(a (b \")\") |(|) ; (c\nunsat\n"),
            ["sat", "(a (b \")\") |(|)", "unsat"]
        );
        assert_eq!(expressions("sat(x)y "), ["sat", "(x)", "y"]);
        assert_eq!(expressions("(error \"a \"\"(\"\" b\")\n"), ["(error \"a \"\"(\"\" b\")"]);
        assert_eq!(expressions("((a"), Vec::<String>::new());
    }

    #[test]
    fn lists_are_taken_apart() {
        assert_eq!(list_items("((x #x00)\n (|y )| (_ bv1 8)))").unwrap(), ["(x #x00)", "(|y )| (_ bv1 8))"]);
        assert_eq!(list_items("(a b)").unwrap(), ["a", "b"]);
        assert_eq!(list_items("()").unwrap(), Vec::<String>::new());
        assert_eq!(list_items("a"), None);
        assert_eq!(list_items("((a)"), None);
    }
}
