use super::*;
use crate::{DataModel, LoadOptions, load_text};
use aster_cfa::Label;
use aster_term::TermPool;

fn models() -> Vec<&'static str> {
    paragraphs().iter().filter_map(|paragraph| paragraph.defines?.strip_prefix(PREFIX)).collect()
}

#[test]
fn paragraphs_are_functions_that_use_only_each_other() {
    let paragraphs = paragraphs();
    let defined: Vec<&str> = paragraphs.iter().filter_map(|paragraph| paragraph.defines).collect();
    let unique: FxHashSet<&str> = defined.iter().copied().collect();
    assert_eq!(unique.len(), defined.len());
    for paragraph in paragraphs {
        let code: Vec<&str> = paragraph.text.lines().filter(|line| !line.starts_with("//")).collect();
        let is_code = code.iter().any(|line| !line.is_empty());
        let in_prelude = paragraph.start < PRELUDE.len();
        assert_eq!(paragraph.defines.is_some(), is_code && !in_prelude, "{}", paragraph.text);
        for word in words(&code.join("\n")).filter(|word| word.starts_with("__aster")) {
            let is_type = word == "__aster_size" || word == "__asterlib_tm";
            assert!(unique.contains(word) || is_type, "{word} in {}", paragraph.text);
        }
    }
    for name in MEMORY_FUNCTIONS {
        assert!(!models().contains(name), "{name}");
    }
}

#[test]
fn only_what_is_mentioned_is_kept() {
    let kept = |program: &str| {
        let unneeded = unneeded(program)?;
        let paragraphs = paragraphs();
        let kept =
            paragraphs.iter().filter(|paragraph| !unneeded.contains(&(paragraph.start, paragraph.end)));
        Some(kept.filter_map(|paragraph| paragraph.defines).collect::<Vec<_>>())
    };
    assert_eq!(kept("int main(void) { return my_strlen(1) + number(2); }"), None);
    assert_eq!(kept("strlen(s)"), Some(vec!["__aster_strlen"]));
    assert_eq!(kept("__builtin_strcat(s)"), Some(vec!["__aster_strlen", "__aster_strcat"]));
}

#[test]
fn all_models_are_checked() {
    let text = format!("char *names = \"{}\";\nint main(void) {{ return 0; }}\n", models().join(" "));
    assert_eq!(unneeded(&text), Some(vec![]));
    for data_model in [DataModel::Ilp32, DataModel::Lp64] {
        let options = LoadOptions { data_model, ..LoadOptions::default() };
        if let Err(error) = load_text(&mut TermPool::new(), "all.c", &text, &options) {
            panic!("{}", error.render());
        }
    }
}

#[test]
fn models_stand_in_for_functions_without_body() {
    let procedures = |text: &str| {
        let mut pool = TermPool::new();
        let program = load_text(&mut pool, "a.c", text, &LoadOptions::default()).unwrap();
        assert_eq!(program.validate(&pool), []);
        program.procedures().map(|id| program.procedure(id).name.clone()).collect::<Vec<_>>()
    };
    let has = |text: &str, name: &str| procedures(text).contains(&name.to_owned());
    assert!(has("int isdigit(int c); int main(void) { return isdigit(3); }", "__aster_isdigit"));
    assert!(has("int main(void) { return isdigit(3); }", "__aster_isdigit"));
    assert!(has("int main(void) { return __builtin_isdigit(3); }", "__aster_isdigit"));
    assert!(has("unsigned htonl(unsigned v); int main(void) { return htonl(3); }", "__aster_htonl"));
    // Functions of the program's own by the same name.
    assert!(!has(
        "int isdigit(int c) { return 1; } int main(void) { return isdigit(3); }",
        "__aster_isdigit"
    ));
    assert!(!has("int isdigit(int c, int d); int main(void) { return isdigit(3, 4); }", "__aster_isdigit"));
    assert!(!has("int isdigit(char *p); int main(void) { return isdigit(0); }", "__aster_isdigit"));
}

#[test]
fn builtins_have_their_type_without_a_declaration() {
    let text = "_Static_assert(sizeof(__builtin_strlen(\"a\")) == 8, \"\");
        _Static_assert(sizeof(strlen(\"a\")) == 8, \"\");
        _Static_assert(sizeof(strtol(\"a\", 0, 0)) == 4, \"\");
        int main(void) { return 0; }";
    load_text(&mut TermPool::new(), "a.c", text, &LoadOptions::default()).unwrap();
}

#[test]
fn positions_in_models_are_those_of_the_library() {
    let text = "int main(void) { return isdigit(3); }\n";
    let mut pool = TermPool::new();
    let program = load_text(&mut pool, "a.c", text, &LoadOptions::default()).unwrap();
    let model = program.procedure_named("__aster_isdigit").unwrap();
    let edges = program.edges().filter(|&edge| program.node(program.edge(edge).source).procedure == model);
    let spans: Vec<_> = edges.map(|edge| program.edge(edge).span).collect();
    assert!(!spans.is_empty());
    for span in spans {
        assert_eq!(program.sources.file(span.file).name, FILE_NAME);
        let line = program.sources.line(span).unwrap();
        assert!(line.contains("'9'") || line.contains("isdigit") || line == "}", "{line}");
    }
    let calls = program.edges().filter(|&edge| matches!(program.edge(edge).label, Label::Call(_)));
    let user =
        calls.map(|edge| program.edge(edge).span).find(|span| program.sources.file(span.file).name == "a.c");
    assert!(user.is_some_and(|span| span.line == 1 && span.column == 25));
}

/// Functions that the lowering knows, or refuses by name.
fn of_lowering() -> Vec<(&'static str, bool)> {
    let known = crate::lower::library_functions().into_iter();
    known.map(|(name, is_known)| (without_builtin(name), is_known)).collect()
}

#[test]
fn the_table_agrees_with_the_code() {
    let mut known: Vec<&str> = models().into_iter().map(documented_name).collect();
    known.extend(math::documented());
    known.extend(outside::names());
    known.extend(MEMORY_FUNCTIONS);
    known.extend(of_lowering().into_iter().filter(|(_, is_known)| *is_known).map(|(name, _)| name));
    let is_own =
        |name: &&str| name.starts_with("__VERIFIER_") || *name == "reach_error" || *name == "__isnan";
    let mut listed: FxHashSet<&str> = FxHashSet::default();
    for (names, how, _) in table::TABLE {
        for name in names.split(' ') {
            assert!(listed.insert(name), "{name} is listed twice");
            let is_known = known.contains(&name);
            assert_eq!(*how != table::Known::Refused, is_known, "{name}");
        }
    }
    for name in known.iter().filter(|name| !is_own(name)) {
        assert!(listed.contains(name), "{name} is not listed");
    }
    for (name, _) in of_lowering().iter().filter(|(name, _)| !is_own(name)) {
        assert!(listed.contains(name), "{name} is not listed");
    }
}

#[test]
fn the_documentation_has_the_table() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/library.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (start, end) = ("<!-- table -->\n", "<!-- end of table -->");
    let (before, rest) = text.split_once(start).unwrap();
    let (shown, after) = rest.split_once(end).unwrap();
    let wanted = format!("\n{}\n", table::markdown());
    if std::env::var_os("ASTER_BLESS").is_some() {
        std::fs::write(&path, format!("{before}{start}{wanted}{end}{after}")).unwrap();
    } else {
        assert_eq!(shown, wanted, "docs/library.md is not that of the code; ASTER_BLESS=1 writes it anew");
    }
}

/// Functions of `<math.h>` are listed by their name for `double`.
fn documented_name(name: &str) -> &str {
    let is_model = |name: &str| math::text().contains(&format!("{PREFIX}{name}("));
    match name.strip_suffix(['f', 'l']) {
        Some(base) if is_model(name) && is_model(base) => base,
        _ => name,
    }
}
