//! Spellings that the parser does not know, and what is written in their place.

/// What happens to a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rewrite {
    /// It stays.
    Keep,
    /// Something else that means the same is written.
    With(&'static str),
    /// It is a pragma together with the parenthesised list that follows.
    Pragma,
    /// It is dropped together with everything up to the next semicolon.
    DropStatement,
}

/// The type that the parser reads for `__int128`, which it does not know: a type specifier that goes
/// with `signed` and `unsigned`. Neither C nor any compiler has a type of this name.
const INT128: &str = "_Float16x";

/// Stands for `$` in names, which the parser does not know there.
pub(crate) const DOLLAR: &str = "__aster_dollar__";

/// A name as the source has it.
pub(crate) fn source_name(name: &str) -> String {
    name.replace(DOLLAR, "$")
}

/// How a word is written for the parser.
pub(crate) fn rewrite(word: &str) -> Rewrite {
    match word {
        // A pragma in the middle of the text.
        "_Pragma" => Rewrite::Pragma,
        // Labels local to a block: as long as no label is defined twice, they are labels as any other.
        "__label__" => Rewrite::DropStatement,
        "__int128" | "__int128_t" => Rewrite::With(INT128),
        "__uint128_t" => Rewrite::With("unsigned _Float16x"),
        "__auto_type" => Rewrite::With("__typeof__(__aster_auto_type)"),
        "__const__" => Rewrite::With("const"),
        "__thread" => Rewrite::With("_Thread_local"),
        "__float128" => Rewrite::With("_Float128"),
        // The 80-bit format of x86.
        "__float80" => Rewrite::With("_Float64x"),
        _ => Rewrite::Keep,
    }
}

/// How a number is written for the parser, if not as it is: GNU's suffixes of the types above.
pub(crate) fn rewrite_number(number: &str) -> Option<String> {
    let hexadecimal = number.starts_with("0x") || number.starts_with("0X");
    if !number.contains(if hexadecimal { ['p', 'P'] } else { ['.', 'e'] }) {
        return None;
    }
    let value = number.strip_suffix(['q', 'Q', 'w', 'W'])?;
    let suffix = if number.ends_with(['q', 'Q']) { "f128" } else { "f64x" };
    Some(format!("{value}{suffix}"))
}

/// True for names that the preprocessor defines on its own: `__LINE__`, `__INT_MAX__`, ... A text that
/// uses them needs a preprocessor, unless it has already been through one.
pub(crate) fn is_predefined_macro(word: &str) -> bool {
    let Some(name) = word.strip_prefix("__").and_then(|rest| rest.strip_suffix("__")) else {
        return false;
    };
    let upper = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.bytes().all(upper)
        && !matches!(name, "FUNCTION" | "PRETTY_FUNCTION")
}

/// True for keywords that start a declaration.
pub(crate) fn starts_declaration(word: &str) -> bool {
    matches!(
        word,
        "auto"
            | "char"
            | "const"
            | "double"
            | "enum"
            | "extern"
            | "float"
            | "int"
            | "long"
            | "register"
            | "short"
            | "signed"
            | "static"
            | "struct"
            | "typedef"
            | "union"
            | "unsigned"
            | "void"
            | "volatile"
            | "_Bool"
            | "_Alignas"
            | "_Atomic"
            | "_Thread_local"
            | "__auto_type"
            | "__int128"
            | "__typeof__"
            | "typeof"
            | "__extension__"
    )
}

/// True for words that cannot be the name of a function.
pub(crate) fn is_keyword(word: &str) -> bool {
    starts_declaration(word)
        || word.starts_with("__attribute")
        || word.starts_with("__asm")
        || word.starts_with("__typeof")
        || matches!(
            word,
            "asm" | "_Static_assert" | "_Pragma" | "inline" | "__inline" | "__inline__" | "_Noreturn"
        )
}

/// The bracket that a digraph stands for.
pub(crate) fn digraph(first: u8, second: Option<u8>) -> Option<&'static str> {
    match (first, second?) {
        (b'<', b'%') => Some("{"),
        (b'%', b'>') => Some("}"),
        (b'<', b':') => Some("["),
        (b':', b'>') => Some("]"),
        _ => None,
    }
}
