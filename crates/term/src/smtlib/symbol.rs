//! Names of variables as SMT-LIB 2 symbols.

use std::borrow::Cow;
use std::fmt::{self, Display, Write};

/// The name as a symbol: different names give different symbols, none of which means anything to a solver or
/// is used by the printers of this crate. Ordinary names stay as they are.
///
/// `%` escapes: `%7c;` is the character `|`, and `%_` starts names that are taken, such as `%_and`. [`shared`] has other
/// symbols with it.
pub(super) fn symbol(name: &str) -> Cow<'_, str> {
    if name.bytes().all(is_simple) && !name.starts_with(|c: char| c.is_ascii_digit()) && !is_taken(name) {
        return Cow::Borrowed(name);
    }
    let mut text = String::new();
    if is_taken(name) {
        text.push_str("%_");
    }
    for c in name.chars() {
        match c {
            '|' | '\\' | '%' => escape(c, &mut text),
            ' '..='~' => text.push(c),
            _ => escape(c, &mut text),
        }
    }
    if text.bytes().all(|b| is_simple(b) || b == b'%') && !text.starts_with(|c: char| c.is_ascii_digit()) {
        Cow::Owned(text)
    } else {
        Cow::Owned(format!("|{text}|"))
    }
}

/// The symbol of a subterm that has a number. No variable has it: after a `%` there is never a `t`.
pub(super) fn shared(number: usize) -> impl Display {
    fmt::from_fn(move |f| write!(f, "%t{number}"))
}

fn escape(c: char, text: &mut String) {
    let _ = write!(text, "%{:x};", u32::from(c));
}

/// Characters of simple symbols, but for `%`, which escapes here.
fn is_simple(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"~!@$^&*_-+=<>.?/".contains(&byte)
}

/// Quoting does not make a symbol another one, so names that mean something need a new one.
fn is_taken(name: &str) -> bool {
    name.is_empty()
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || WORDS.binary_search(&name).is_ok()
        || !name.contains(|c: char| c.is_alphanumeric() || c == '_')
}

/// `.` and `@` are for solvers; the others begin names of the theories.
const PREFIXES: [&str; 18] = [
    ".", "@", "bag.", "bv", "char.", "datatype", "ff.", "fp.", "int.", "is-", "nbv", "re.", "rel.", "seq.",
    "set.", "str.", "tuple", "ubv_",
];

/// Reserved words and symbols of the theories, also of those that solvers add to the standard. Sorted.
const WORDS: [&str; 98] = [
    "Array",
    "BINARY",
    "Bag",
    "BitVec",
    "Bool",
    "DECIMAL",
    "FiniteField",
    "Float128",
    "Float16",
    "Float32",
    "Float64",
    "FloatingPoint",
    "HEXADECIMAL",
    "Int",
    "List",
    "NUMERAL",
    "NaN",
    "RNA",
    "RNE",
    "RTN",
    "RTP",
    "RTZ",
    "Real",
    "RegLan",
    "Relation",
    "RoundingMode",
    "STRING",
    "Seq",
    "Set",
    "String",
    "Table",
    "Tuple",
    "Unicode",
    "UninterpretedSort",
    "_",
    "abs",
    "and",
    "arccos",
    "arcsin",
    "arctan",
    "array-ext",
    "as",
    "as-array",
    "choice",
    "complement",
    "concat",
    "cons",
    "const",
    "cos",
    "default",
    "distinct",
    "div",
    "divisible",
    "eqrange",
    "exists",
    "exp",
    "ext_rotate_left",
    "ext_rotate_right",
    "extract",
    "false",
    "forall",
    "fp",
    "head",
    "iand",
    "if",
    "iff",
    "implies",
    "insert",
    "int2bv",
    "intersection",
    "is",
    "is_int",
    "ite",
    "lambda",
    "let",
    "map",
    "match",
    "member",
    "mod",
    "nil",
    "not",
    "or",
    "par",
    "pi",
    "real.pi",
    "rem",
    "repeat",
    "rotate_left",
    "rotate_right",
    "select",
    "sign_extend",
    "sin",
    "sqrt",
    "store",
    "subset",
    "tail",
    "tan",
    "xor",
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn the_words_are_sorted() {
        let mut sorted = WORDS.to_vec();
        sorted.sort_unstable();
        assert_eq!(sorted, WORDS);
    }

    #[test]
    fn ordinary_names_stay() {
        for name in ["x", "main_x", "x!12", "counter.next", "f@3", "A", "Length"] {
            assert_eq!(symbol(name), name);
        }
    }

    #[test]
    fn other_names_are_quoted_escaped_or_renamed() {
        assert_eq!(symbol("main::x"), "|main::x|");
        assert_eq!(symbol("1x"), "|1x|");
        assert_eq!(symbol("a b"), "|a b|");
        assert_eq!(symbol("a|b"), "|a%7c;b|");
        assert_eq!(symbol("a\\b"), "|a%5c;b|");
        assert_eq!(symbol("100%"), "|100%25;|");
        assert_eq!(symbol("é\n"), "|%e9;%a;|");
        assert_eq!(symbol("and"), "%_and");
        assert_eq!(symbol("bvadd"), "%_bvadd");
        assert_eq!(symbol(".t0"), "%_.t0");
        assert_eq!(symbol("%t0"), "|%25;t0|");
        assert_eq!(symbol(""), "%_");
        assert_eq!(symbol("<="), "%_<=");
    }

    #[test]
    fn different_names_give_different_symbols() {
        let parts =
            ["", "t0", "%", "%_", "|", "\\", ";", "7c", "%7c;", "and", "x", ".", "|x|", " ", "é", "e9"];
        let mut seen: BTreeMap<String, String> = BTreeMap::new();
        for a in parts {
            for b in parts {
                for c in parts {
                    let name = format!("{a}{b}{c}");
                    let text = symbol(&name).trim_matches('|').to_owned();
                    assert!(!text.starts_with("%t"), "{name}");
                    let earlier = seen.insert(text, name.clone());
                    assert!(earlier.is_none() || earlier.as_ref() == Some(&name), "{name} and {earlier:?}");
                }
            }
        }
    }
}
