use super::scan::{Marker, scan};
use super::*;
use crate::parse;

fn scanned(text: &str) -> String {
    scan(text.as_bytes()).text
}

fn prepared(text: &str) -> PreparedSource {
    PreparedSource::new(&Input::from_text("input.c", text), &LoadOptions::default()).unwrap()
}

fn has_compiler() -> bool {
    let found = std::process::Command::new(LoadOptions::default().compiler).arg("--version").output();
    if found.is_err() {
        eprintln!("skipped: there is no C compiler");
    }
    found.is_ok()
}

/// The position of what `needle` marks in the prepared text.
fn position(prepared: &PreparedSource, needle: &str) -> (String, u32, u32, u32) {
    let start = prepared.text.rfind(needle).unwrap();
    let span = prepared.span(lang_c::span::Span::span(start, start + needle.len()));
    (prepared.sources.file(span.file).name.clone(), span.line, span.column, span.length)
}

#[test]
fn comments_become_blanks() {
    assert_eq!(scanned("a /* b\n c */ d\n"), "a     \n      d\n");
    assert_eq!(scanned("a // b /* c\nd\n"), "a          \nd\n");
    assert_eq!(scanned("a /**/ b /***/ c //*/\n"), "a      b       c     \n");
    assert_eq!(scanned("a / b\n"), "a / b\n");
    assert_eq!(scanned("// a \\\n still\nb\n"), "      \n      \nb\n");
}

#[test]
fn literals_keep_what_looks_like_comments() {
    for text in ["\"/* no */ // no\"\n", "'\"' \"'\" '\\'' \"\\\"//\"\n", "L\"//\" u8\"/*\" U'/'\n"] {
        assert_eq!(scanned(text), text);
        assert!(scan(text.as_bytes()).problems.is_empty());
    }
    assert_eq!(scanned("'\"' /* ' */ 1\n"), "'\"'         1\n");
}

#[test]
fn the_last_line_gets_its_end() {
    assert_eq!(scanned(""), "\n");
    assert_eq!(scanned("int x;"), "int x;\n");
    assert_eq!(scanned("int x; // end"), "int x;       \n");
}

#[test]
fn line_markers_and_pragmas_become_blanks() {
    let text = "# 12 \"a b.h\" 1 3\nint x;\n#line 7\n#pragma pack(1)\n #ident \"x\"\n#\n";
    let scan = scan(text.as_bytes());
    assert_eq!(scan.text.trim(), "int x;");
    assert_eq!(scan.text.len(), text.len());
    assert_eq!(scan.directive, None);
    let first = Marker { offset: 17, line: 12, file: Some("a b.h".to_owned()) };
    assert_eq!(scan.markers, [first, Marker { offset: 32, line: 7, file: None }]);
    assert_eq!(
        scan.layout_pragmas.iter().map(|p| (p.offset, p.text.as_str())).collect::<Vec<_>>(),
        [(32, "pack(1)")]
    );
    assert_eq!(super::scan::scan(b"int x; _Pragma(\"pack(1)\") int y;\n").layout_pragmas[0].offset, 7);
    assert!(super::scan::scan(b"_Pragma(\"once\")\n").layout_pragmas.is_empty());
}

#[test]
fn directives_are_noticed() {
    for text in
        ["#include <a.h>\n", "  # define A\n", "/* c */ #if 1\n", "x;\n%:define A\n", "#def\\\nine A\n"]
    {
        assert!(scan(text.as_bytes()).directive.is_some(), "{text}");
    }
    for text in
        ["x # y\n", "\"\\n#define\"\n", "/*\n#define A\n*/\n", "// \\\n#define A\n", "#pragma a \\\n#b\n"]
    {
        assert_eq!(scan(text.as_bytes()).directive, None, "{text}");
    }
    // A quote in a directive that is skipped must not hide what follows.
    assert_eq!(scan(b"#error don't\nint x;\n").text.trim(), "int x;");
    assert_eq!(scan(b"#define A /* two\n lines */ 1\nint x;\n").text.trim(), "int x;");
}

#[test]
fn predefined_macros_are_noticed() {
    for name in ["__LINE__", "__FILE__", "__INT_MAX__", "__SIZEOF_LONG__"] {
        assert!(dialect::is_predefined_macro(name), "{name}");
    }
    for name in ["__FUNCTION__", "__PRETTY_FUNCTION__", "__func__", "__VERIFIER_assume", "____", "__1__"] {
        assert!(!dialect::is_predefined_macro(name), "{name}");
    }
}

#[test]
fn continuations_vanish() {
    assert_eq!(scanned("in\\\nt x\\  \n;\n"), "int x   \n;\n");
    assert_eq!(scanned("\"a\\\nb\"\n"), "\"ab\"\n");
    assert_eq!(scanned("x +\\\n= 12\\\r\n34;\n"), "x += 1234;\n");
    let source = prepared("int ab\\\ncd; int xyz;\n");
    assert_eq!(position(&source, "abcd"), ("input.c".to_owned(), 1, 5, 3));
    assert_eq!(position(&source, "xyz"), ("input.c".to_owned(), 2, 9, 3));
}

#[test]
fn bytes_that_are_not_ascii() {
    assert_eq!(scanned("\u{feff}int x; // \u{e9}\n"), "   int x;      \n".to_owned());
    assert_eq!(scan(b"int x; /* \xE9 */ y\n").text, "int x;         y\n");
    assert_eq!(scan(b"\"\xE9\" '\xFF'\n").text, "\"\\351\" '\\377'\n");
    assert_eq!(scanned("\"\u{e9}\" L'\u{e9}'\n"), "\"\\303\\251\" L'\u{e9}'\n");
    let source = prepared("char *s = \"\u{e9}\u{e9}\"; int xyz;\n");
    assert_eq!(position(&source, "xyz").2, 23);
    let problems = scan(b"int \xC3\xA9; \xFF \x01\n").problems;
    let messages: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(messages, ["unexpected character '\u{e9}'", "unexpected byte 0xff", "unexpected byte 0x01"]);
}

#[test]
fn positions_survive_windows_line_ends() {
    let source = prepared("int x;\r\n/* c\r\n */ int abc;\r\n");
    assert_eq!(position(&source, "abc"), ("input.c".to_owned(), 3, 9, 3));
}

#[test]
fn markers_in_the_users_own_file_do_not_move_positions() {
    let source = prepared("# 100 \"other.c\"\nint abc;\n");
    assert_eq!(position(&source, "abc"), ("input.c".to_owned(), 2, 5, 3));
}

#[test]
fn spans_are_cut_at_the_end_of_the_line() {
    let source = prepared("int f(void) {   \n  return 1;\n}\n");
    let whole = source.span(lang_c::span::Span::span(0, source.text.len()));
    assert_eq!((whole.line, whole.column, whole.length), (1, 1, 13));
    let end = source.span(lang_c::span::Span::span(source.text.len(), source.text.len()));
    assert_eq!((end.line, end.length), (3, 1));
    let none = source.span(lang_c::span::Span::none());
    assert_eq!((none.line, none.column, none.length), (1, 1, 1));
}

#[test]
fn positions_lead_through_the_preprocessor() {
    if !has_compiler() {
        return;
    }
    let text = "#define ADD(a, b) ((a) + (b))\n#define CALL other(1)\n#if 0\nint no;\n#endif\n\n\
                int f(int first) {\n    int sum = ADD(first, 22); return sum;\n    CALL;\n}\n";
    let source = prepared(text);
    let name = || "input.c".to_owned();
    assert_eq!(position(&source, "int f("), (name(), 7, 1, 6));
    assert_eq!(position(&source, "22"), (name(), 8, 26, 2));
    assert_eq!(position(&source, "return"), (name(), 8, 31, 6));
    // What only the macro has is shown as the line that uses the macro.
    assert_eq!(position(&source, "other"), (name(), 9, 5, 5));
    assert_eq!(prepared("#define A\nint a = __LINE__;\n").text.trim(), "int a = 2;");
}

#[test]
fn data_models_reach_the_preprocessor() {
    if !has_compiler() {
        return;
    }
    let text = "#include <limits.h>\n#include <stdint.h>\nlong m = LONG_MAX; char c = CHAR_MIN;\n";
    let expand = |data_model| {
        let options = LoadOptions { data_model, ..LoadOptions::default() };
        PreparedSource::new(&Input::from_text("input.c", text), &options).map(|source| source.text)
    };
    let wide = expand(crate::DataModel::Lp64).unwrap();
    assert!(wide.contains("0x7fffffffffffffffL") || wide.contains("9223372036854775807L"), "{wide}");
    // Not every compiler can do this; then it must say so.
    match expand(crate::DataModel::Ilp32) {
        Ok(narrow) => assert!(narrow.contains("0x7fffffffL") || narrow.contains("2147483647L"), "{narrow}"),
        Err(error) => assert!(matches!(error, LoadError::Preprocessor { .. })),
    }
}

/// Every text must be something that the parser reads.
#[test]
fn gnu_dialect_is_parsed() {
    let texts = [
        "__int128 a; unsigned __int128 b; __int128_t c; __uint128_t d;",
        "int f(int x) { return x ?: 3; } int g(int x) { return x ? /* c */ : 3; }",
        "int f(int x) { __label__ l, m; goto l; l: m: return 0; }",
        "f(x) { return x; } main() { return 0; }",
        "old(a, b) int a; char b; { return a + b; }",
        ";;; int x;; ; void f(void) {}; struct s { int a; }; int y;",
        "int f(void) { l: int x = 0; switch (x) { case 1: default: } m: }",
        "int f(int x) { switch (x) { case 1: x++; __attribute__((fallthrough)); default: ; } return 0; }",
        "int f(void) { l: __attribute__((unused)); return 0; }",
        "__thread int z; extern __thread int v; __const__ int u;",
        "int f(void) { return '\\e' + \"\\e[1m\"[0]; }",
        "__float128 d = 1.0q; __float80 e = 1.5w; double h = 0x1.8p3, i = 1e5;",
        "[[nodiscard]] int f(void); int g(int x) { [[fallthrough]]; return x; }",
        "int f(void) <% int x<:3:>; return x<:0:>; %>",
        "int f(void) { _Pragma(\"omp parallel\") return 0; }",
        "_Static_assert(sizeof(int) == 4, \"x\"); static __inline__ int f(void) { return __extension__ ({ 1; }); }",
        "extern int f(int) __asm__(\"\" \"g\") __attribute__((__nothrow__, __leaf__));",
        "int f(int n, ...) { __builtin_va_list a; __typeof__(n) m = n; return m; }",
        "struct s { int a; }; struct s f(void) { struct s x = { .a = 1 }, y = { a: 2 }; return x; }",
        "typedef int t; t f(t (x)) { t t = 1; return t; }",
    ];
    for text in texts {
        let result = parse::parse(&prepared(text), 1 << 20);
        assert!(result.is_ok(), "{text}: {:?}", result.err());
    }
}

#[test]
fn rewriting_leaves_ordinary_text_alone() {
    let text = "typedef int t; t (g); static int f(int a) { l: a = a ? a : 1; return a; }\n\
                struct s { int a : 3; } x = { 1 }, h(int); int y[] = { [0] = 1 };\n";
    assert_eq!(scanned(text), text);
}

#[test]
fn headers_are_parsed() {
    if !has_compiler() {
        return;
    }
    let headers =
        ["assert", "ctype", "limits", "math", "pthread", "stdbool", "stdint", "stdio", "stdlib", "string"];
    let mut text: String = headers.iter().map(|header| format!("#include <{header}.h>\n")).collect();
    text += "int main(void) { bool b = true; assert(b && INT_MAX > 0); return EXIT_SUCCESS; }\n";
    for data_model in [crate::DataModel::Lp64, crate::DataModel::Ilp32] {
        let options = LoadOptions { data_model, ..LoadOptions::default() };
        match PreparedSource::new(&Input::from_text("input.c", &text), &options) {
            Ok(source) => {
                let result = parse::parse(&source, 8 << 20);
                assert!(result.is_ok(), "{data_model:?}: {:?}", result.err());
                assert_eq!(position(&source, "main").1, 11);
            }
            Err(error) => eprintln!("skipped for {data_model:?}: {error}"),
        }
    }
}
