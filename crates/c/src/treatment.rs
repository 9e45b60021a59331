//! What becomes of attributes, pragmas, builtins and qualifiers: one table, which `docs/c-language.md` repeats.
//!
//! Whatever changes the meaning of a program is modelled or refused; what is in no row is refused too. A row that
//! says that something has no effect says why, since that is a claim about what gcc makes of a program.

/// What is done about a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Treatment {
    /// The program means what the word says.
    Modelled,
    /// The program means the same without it, for this reason.
    NoEffect(&'static str),
    /// What it concerns is not modelled: using it is refused.
    Refused,
}

use Treatment::{Modelled, NoEffect, Refused};

const OPTIMISATION: &str = "says how code is optimised or placed";
const DIAGNOSTIC: &str = "asks for or forbids warnings";
const PROMISE: &str = "promises something about a function, whose body or model says what it does";
const LINKING: &str = "says how other programs see the symbol";
const CONVENTION: &str = "a calling convention: caller and callee agree on it";
const INSTRUMENTATION: &str = "says what code is added for checks or profiles";
const ALIASING: &str = "aliasing rules are not relied on";
const TRANSACTION: &str = "means something only with -fgnu-tm";
const FOREIGN: &str = "gcc does not know it and goes on without it, unless an option asks for it";
const PREPROCESSOR: &str = "done when the preprocessor has run";
#[cfg(test)]
const ALONE: &str = "nothing outside of the program changes its objects";

/// Attributes, without underscores around them.
pub(crate) const ATTRIBUTES: &[(&str, Treatment)] = &[
    ("access", NoEffect(PROMISE)),
    ("alias", Modelled),
    ("aligned", Modelled),
    ("alloc_align", NoEffect(PROMISE)),
    ("alloc_size", NoEffect(PROMISE)),
    ("always_inline", NoEffect(OPTIMISATION)),
    ("artificial", NoEffect(DIAGNOSTIC)),
    ("assume", Refused),
    ("assume_aligned", NoEffect(PROMISE)),
    ("cdecl", NoEffect(CONVENTION)),
    ("cf_check", NoEffect(INSTRUMENTATION)),
    ("cleanup", Modelled),
    ("cold", NoEffect(OPTIMISATION)),
    ("common", NoEffect(LINKING)),
    ("const", NoEffect(PROMISE)),
    ("constructor", Modelled),
    ("copy", NoEffect("copies only attributes that have no effect")),
    ("deprecated", NoEffect(DIAGNOSTIC)),
    ("designated_init", NoEffect(DIAGNOSTIC)),
    ("destructor", Modelled),
    ("error", NoEffect(DIAGNOSTIC)),
    ("externally_visible", NoEffect(LINKING)),
    ("fallthrough", NoEffect(DIAGNOSTIC)),
    ("fastcall", NoEffect(CONVENTION)),
    ("fentry_name", NoEffect(INSTRUMENTATION)),
    ("fentry_section", NoEffect(INSTRUMENTATION)),
    ("flatten", NoEffect(OPTIMISATION)),
    ("force_align_arg_pointer", NoEffect(CONVENTION)),
    ("format", NoEffect(DIAGNOSTIC)),
    ("format_arg", NoEffect(DIAGNOSTIC)),
    ("function_return", NoEffect(INSTRUMENTATION)),
    ("gcc_struct", Modelled),
    ("gnu_inline", NoEffect("an inline body means the same as the function that it stands for")),
    ("hot", NoEffect(OPTIMISATION)),
    ("ifunc", Modelled),
    ("indirect_branch", NoEffect(INSTRUMENTATION)),
    ("indirect_return", NoEffect(INSTRUMENTATION)),
    ("interrupt", Refused),
    ("leaf", NoEffect(PROMISE)),
    ("malloc", NoEffect(PROMISE)),
    ("may_alias", NoEffect(ALIASING)),
    ("mode", Modelled),
    ("ms_abi", NoEffect(CONVENTION)),
    ("ms_hook_prologue", NoEffect(INSTRUMENTATION)),
    ("ms_struct", Modelled),
    ("naked", Refused),
    ("no_address_safety_analysis", NoEffect(INSTRUMENTATION)),
    ("no_caller_saved_registers", NoEffect(CONVENTION)),
    ("no_icf", NoEffect(OPTIMISATION)),
    ("no_instrument_function", NoEffect(INSTRUMENTATION)),
    ("no_profile_instrument_function", NoEffect(INSTRUMENTATION)),
    ("no_reorder", NoEffect(OPTIMISATION)),
    ("no_sanitize", NoEffect(INSTRUMENTATION)),
    ("no_sanitize_address", NoEffect(INSTRUMENTATION)),
    ("no_sanitize_coverage", NoEffect(INSTRUMENTATION)),
    ("no_sanitize_thread", NoEffect(INSTRUMENTATION)),
    ("no_sanitize_undefined", NoEffect(INSTRUMENTATION)),
    ("no_split_stack", NoEffect(INSTRUMENTATION)),
    ("no_stack_limit", NoEffect(INSTRUMENTATION)),
    ("no_stack_protector", NoEffect(INSTRUMENTATION)),
    ("nocf_check", NoEffect(INSTRUMENTATION)),
    ("noclone", NoEffect(OPTIMISATION)),
    ("nocommon", NoEffect(LINKING)),
    ("nodirect_extern_access", NoEffect(LINKING)),
    ("noinit", Refused),
    ("noinline", NoEffect(OPTIMISATION)),
    ("noipa", NoEffect(OPTIMISATION)),
    ("nonnull", NoEffect(PROMISE)),
    ("nonstring", NoEffect(DIAGNOSTIC)),
    ("noplt", NoEffect(LINKING)),
    ("noreturn", Modelled),
    ("nothrow", NoEffect(PROMISE)),
    ("optimize", NoEffect(OPTIMISATION)),
    ("packed", Modelled),
    ("patchable_function_entry", NoEffect(INSTRUMENTATION)),
    ("persistent", Refused),
    ("pure", NoEffect(PROMISE)),
    ("regparm", NoEffect(CONVENTION)),
    ("retain", NoEffect(LINKING)),
    ("returns_nonnull", NoEffect(PROMISE)),
    ("returns_twice", Refused),
    ("scalar_storage_order", Modelled),
    ("section", Modelled),
    ("selectany", Refused),
    ("sentinel", NoEffect(DIAGNOSTIC)),
    ("simd", NoEffect(OPTIMISATION)),
    ("sseregparm", NoEffect(CONVENTION)),
    ("stack_protect", NoEffect(INSTRUMENTATION)),
    ("stdcall", NoEffect(CONVENTION)),
    ("symver", NoEffect(LINKING)),
    ("sysv_abi", NoEffect(CONVENTION)),
    ("tainted_args", NoEffect(DIAGNOSTIC)),
    ("target", NoEffect(OPTIMISATION)),
    ("target_clones", NoEffect(OPTIMISATION)),
    ("thiscall", NoEffect(CONVENTION)),
    ("tls_model", NoEffect(LINKING)),
    ("transaction_callable", NoEffect(TRANSACTION)),
    ("transaction_may_cancel_outer", NoEffect(TRANSACTION)),
    ("transaction_pure", NoEffect(TRANSACTION)),
    ("transaction_safe", NoEffect(TRANSACTION)),
    ("transaction_unsafe", NoEffect(TRANSACTION)),
    ("transparent_union", Modelled),
    ("unavailable", NoEffect(DIAGNOSTIC)),
    ("uninitialized", NoEffect(INSTRUMENTATION)),
    ("unused", NoEffect(DIAGNOSTIC)),
    ("used", NoEffect(LINKING)),
    ("vector_size", Modelled),
    ("visibility", NoEffect(LINKING)),
    ("warn_if_not_aligned", NoEffect(DIAGNOSTIC)),
    ("warn_unused_result", NoEffect(DIAGNOSTIC)),
    ("warning", NoEffect(DIAGNOSTIC)),
    ("weak", Modelled),
    ("weakref", Modelled),
    ("zero_call_used_regs", NoEffect(INSTRUMENTATION)),
];

/// Standard attributes, between `[[` and `]]`.
pub(crate) const STANDARD_ATTRIBUTES: &[(&str, Treatment)] = &[
    ("deprecated", NoEffect(DIAGNOSTIC)),
    ("fallthrough", NoEffect(DIAGNOSTIC)),
    ("maybe_unused", NoEffect(DIAGNOSTIC)),
    ("nodiscard", NoEffect(DIAGNOSTIC)),
    ("noreturn", Modelled),
];

/// Pragmas by how they start, the longest one that fits counting.
pub(crate) const PRAGMAS: &[(&str, Treatment)] = &[
    ("GCC dependency", NoEffect(DIAGNOSTIC)),
    ("GCC diagnostic", NoEffect(DIAGNOSTIC)),
    ("GCC error", NoEffect(PREPROCESSOR)),
    ("GCC ivdep", NoEffect(OPTIMISATION)),
    ("GCC optimize", NoEffect(OPTIMISATION)),
    ("GCC pch_preprocess", NoEffect(PREPROCESSOR)),
    ("GCC poison", NoEffect(PREPROCESSOR)),
    ("GCC pop_options", NoEffect(OPTIMISATION)),
    ("GCC push_options", NoEffect(OPTIMISATION)),
    ("GCC reset_options", NoEffect(OPTIMISATION)),
    ("GCC system_header", NoEffect(DIAGNOSTIC)),
    ("GCC target", NoEffect(OPTIMISATION)),
    ("GCC unroll", NoEffect(OPTIMISATION)),
    ("GCC visibility", NoEffect(LINKING)),
    ("GCC warning", NoEffect(DIAGNOSTIC)),
    ("STDC CX_LIMITED_RANGE", NoEffect("complex arithmetic is refused")),
    ("STDC FENV_ACCESS", NoEffect(FOREIGN)),
    ("STDC FLOAT_CONST_DECIMAL64", Refused),
    ("STDC FP_CONTRACT", NoEffect(FOREIGN)),
    ("acc", NoEffect(FOREIGN)),
    ("alloc_text", NoEffect(FOREIGN)),
    ("aux", NoEffect(FOREIGN)),
    ("clang", NoEffect(FOREIGN)),
    ("comment", NoEffect(FOREIGN)),
    ("endregion", NoEffect(FOREIGN)),
    ("function", NoEffect(FOREIGN)),
    ("ident", NoEffect(FOREIGN)),
    ("inline", NoEffect(FOREIGN)),
    ("intrinsic", NoEffect(FOREIGN)),
    ("ivdep", NoEffect(FOREIGN)),
    ("loop", NoEffect(FOREIGN)),
    ("mark", NoEffect(FOREIGN)),
    ("merger", NoEffect(FOREIGN)),
    ("message", NoEffect(DIAGNOSTIC)),
    ("ms_struct", NoEffect(FOREIGN)),
    ("nounroll", NoEffect(FOREIGN)),
    ("omp", NoEffect(FOREIGN)),
    ("once", NoEffect(PREPROCESSOR)),
    ("optimize", NoEffect(FOREIGN)),
    ("pack", Modelled),
    ("pop_macro", NoEffect(PREPROCESSOR)),
    ("push_macro", NoEffect(PREPROCESSOR)),
    ("redefine_extname", Refused),
    ("region", NoEffect(FOREIGN)),
    ("scalar_storage_order", Modelled),
    ("simd", NoEffect(FOREIGN)),
    ("unroll", NoEffect(FOREIGN)),
    ("vector", NoEffect(FOREIGN)),
    ("warning", NoEffect(FOREIGN)),
    ("weak", Modelled),
];

/// Qualifiers, storage classes and specifiers that could mean more than they do here. The syntax tree tells them apart,
/// so that only the document needs the table.
#[cfg(test)]
pub(crate) const SPECIFIERS: &[(&str, Treatment)] = &[
    ("_Atomic", NoEffect("there is one thread")),
    ("_Complex", Refused),
    ("_Decimal", Refused),
    ("_Thread_local", NoEffect("there is one thread")),
    ("asm label", Modelled),
    ("asm label of a local variable", Refused),
    ("const", NoEffect("writing to what is const is undefined")),
    ("inline", NoEffect("an inline body means the same as the function that it stands for")),
    ("register", NoEffect(OPTIMISATION)),
    ("restrict", NoEffect(ALIASING)),
    ("volatile", NoEffect(ALONE)),
];

/// What is done about an attribute, written with or without underscores around it.
pub(crate) fn attribute(name: &str) -> Treatment {
    find(ATTRIBUTES, plain_name(name))
}

/// What is done about a standard attribute.
pub(crate) fn standard_attribute(name: &str) -> Treatment {
    find(STANDARD_ATTRIBUTES, plain_name(name))
}

/// The name of an attribute without the underscores that may be around it.
pub(crate) fn plain_name(name: &str) -> &str {
    match name.strip_prefix("__") {
        Some("const") => "const",
        Some(rest) => rest.strip_suffix("__").unwrap_or(name),
        None => name,
    }
}

/// What is done about a pragma, given without `#pragma`.
pub(crate) fn pragma(text: &str) -> Treatment {
    let mut words =
        text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    match first {
        // An empty pragma says nothing.
        "" if text.trim().is_empty() => NoEffect(FOREIGN),
        "GCC" | "STDC" => find(PRAGMAS, &format!("{first} {}", words.next().unwrap_or_default())),
        _ => find(PRAGMAS, first),
    }
}

fn find(table: &[(&str, Treatment)], name: &str) -> Treatment {
    table.iter().find(|row| row.0 == name).map_or(Refused, |row| row.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(table: &[(&str, Treatment)], out: &mut String) {
        for (name, treatment) in table {
            let (what, why) = match treatment {
                Modelled => ("modelled", ""),
                NoEffect(why) => ("no effect", *why),
                Refused => ("refused", ""),
            };
            out.push_str(&format!("| `{name}` | {what} | {why} |\n"));
        }
    }

    /// `ASTER_BLESS=1` writes the tables into the document.
    #[test]
    fn the_document_has_the_same_tables() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/c-language.md");
        let text = std::fs::read_to_string(path).expect("the document is there");
        let mut expected = text.clone();
        for (title, table) in [
            ("attributes", ATTRIBUTES),
            ("standard attributes", STANDARD_ATTRIBUTES),
            ("pragmas", PRAGMAS),
            ("specifiers", SPECIFIERS),
        ] {
            let (begin, end) = (format!("<!-- {title} -->\n"), format!("<!-- end of {title} -->\n"));
            let start = expected.find(&begin).expect("the table begins") + begin.len();
            let stop = expected.find(&end).expect("the table ends");
            let mut rows_text = "| name | treatment | why |\n|---|---|---|\n".to_owned();
            rows(table, &mut rows_text);
            expected.replace_range(start..stop, &rows_text);
        }
        if std::env::var_os("ASTER_BLESS").is_some() {
            std::fs::write(path, &expected).expect("the document can be written");
        } else {
            assert_eq!(text, expected, "run with ASTER_BLESS=1 to write the tables");
        }
    }

    #[test]
    fn what_is_not_in_the_table_is_refused() {
        assert_eq!(attribute("no_such_attribute"), Refused);
        assert_eq!(attribute("__packed__"), Modelled);
        assert_eq!(attribute("__packed"), Refused);
        assert_eq!(pragma("no such pragma"), Refused);
        assert_eq!(pragma(" GCC  diagnostic push"), NoEffect(DIAGNOSTIC));
        assert_eq!(pragma("GCC unheard_of"), Refused);
        assert_eq!(pragma("pack(1)"), Modelled);
        assert_eq!(standard_attribute("packed"), Refused);
    }

    #[test]
    fn rows_are_sorted_and_unique() {
        for table in [ATTRIBUTES, STANDARD_ATTRIBUTES, PRAGMAS, SPECIFIERS] {
            assert!(table.windows(2).all(|pair| pair[0].0 < pair[1].0));
        }
    }
}
