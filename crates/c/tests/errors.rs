//! Error messages: each `tests/errors/NAME.c` must give exactly what `NAME.expected` says. Run with
//! `ASTER_BLESS=1` to write the expectations anew.

use aster_c::{LoadError, LoadOptions, load, load_text};
use aster_term::TermPool;
use std::path::{Path, PathBuf};

fn error_of(result: Result<aster_cfa::Program, LoadError>) -> String {
    match result {
        Ok(_) => "no error\n".to_owned(),
        Err(error) => error.render(),
    }
}

fn load_error(path: &Path, options: &LoadOptions) -> String {
    error_of(load(&mut TermPool::new(), path, options))
}

fn text_error(text: &str, options: &LoadOptions) -> String {
    error_of(load_text(&mut TermPool::new(), "input.c", text, options))
}

fn compiler_is_missing() -> bool {
    let compiler = LoadOptions::default().compiler;
    let found = std::process::Command::new(compiler).arg("--version").output();
    if found.is_err() {
        eprintln!("skipped: there is no C compiler");
    }
    found.is_err()
}

#[test]
fn messages_are_as_expected() {
    let bless = std::env::var_os("ASTER_BLESS").is_some();
    let no_compiler = compiler_is_missing();
    let directory = std::fs::read_dir("tests/errors").unwrap();
    let mut files: Vec<PathBuf> = directory.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    assert!(files.len() > 20);
    let mut wrong = Vec::new();
    for file in files {
        let text = String::from_utf8(std::fs::read(&file).unwrap()).unwrap();
        if no_compiler && text.contains("#include") {
            continue;
        }
        let actual = load_error(&file, &LoadOptions::default());
        let expected_file = file.with_extension("expected");
        if bless {
            std::fs::write(&expected_file, &actual).unwrap();
            continue;
        }
        let expected = std::fs::read_to_string(&expected_file).unwrap_or_default();
        if actual != expected {
            wrong.push(format!("{}:\n--- expected\n{expected}--- actual\n{actual}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_missing_file_is_reported() {
    let message = load_error(Path::new("tests/errors/there is no such file.c"), &LoadOptions::default());
    assert_eq!(message, "error: cannot read tests/errors/there is no such file.c: no such file\n");
}

#[test]
fn a_directory_is_reported() {
    let message = load_error(Path::new("tests/errors"), &LoadOptions::default());
    assert_eq!(message, "error: cannot read tests/errors: it is a directory\n");
}

#[test]
fn binary_files_are_refused() {
    let path = std::env::temp_dir().join(format!("aster-binary-{}.c", std::process::id()));
    for (bytes, reason) in [
        (b"\x7fELF\x02\x01\x01\x00\x00".as_slice(), "binary data (a zero byte at offset 7)"),
        (b"\xff\xfei\0n\0t\0".as_slice(), "it is UTF-16, UTF-8 is expected"),
        (b"\x01\x02\x03\x04\x05int x;".as_slice(), "binary data"),
    ] {
        std::fs::write(&path, bytes).unwrap();
        let message = load_error(&path, &LoadOptions::default());
        std::fs::remove_file(&path).unwrap();
        assert_eq!(message, format!("error: {} is not source text: {reason}\n", path.display()));
    }
}

#[test]
fn a_missing_compiler_matters_only_for_files_with_directives() {
    let options = LoadOptions { compiler: "aster-no-such-compiler".to_owned(), ..LoadOptions::default() };
    let message = text_error("int x;\n#include <stdio.h>\nint main(void) { return 0; }\n", &options);
    assert_eq!(
        message,
        "error: cannot preprocess input.c: line 2 needs a C preprocessor, but 'aster-no-such-compiler' is not \
         installed (set CC to the C compiler to use, or preprocess the file first)\n"
    );
    let message = text_error("int main(void) { return __LINE__; }\n", &options);
    assert!(message.contains("line 1 needs a C preprocessor"), "{message}");
    assert_eq!(text_error("int main(void) { return 0; }\n", &options), "no error\n");
    assert_eq!(
        text_error("#pragma once\n# 1 \"x.c\"\nint main(void) { return 0; }\n", &options),
        "no error\n"
    );
}

#[test]
fn the_compilers_messages_are_passed_on() {
    if compiler_is_missing() {
        return;
    }
    let options = LoadOptions::default();
    let message = text_error("#include \"no/such/header.h\"\nint main(void) { return 0; }\n", &options);
    let summary = format!("error: cannot preprocess input.c: '{}' reports errors\n", options.compiler);
    assert!(message.starts_with(&summary), "{message}");
    assert!(message.contains("no/such/header.h"), "{message}");
    let message = text_error("#if 1\nint main(void) { return 0; }\n", &options);
    assert!(message.contains("unterminated"), "{message}");
}

#[test]
fn deep_nesting_is_loaded_or_refused() {
    let options = LoadOptions::default();
    let deep = |open: &str, close: &str, levels: usize| {
        let (open, close) = (open.repeat(levels), close.repeat(levels));
        text_error(&format!("int main(void) {{ int x = 1; return {open}x{close}; }}\n"), &options)
    };
    assert_eq!(deep("(", ")", 10_000), "no error\n");
    assert_eq!(deep("- ", "", 10_000), "no error\n");
    assert_eq!(deep("x + ", "", 10_000), "no error\n");
    assert_eq!(deep("x ? 1 : ", "", 10_000), "no error\n");
    let message = deep("(1 + ", ")", 10_000);
    assert!(message.contains("nested too deeply"), "{}", &message[..300]);
    let message = deep("(", ")", 1_000_000);
    assert!(message.contains("nested too deeply"), "{}", &message[..300]);
    let blocks = format!("int main(void) {}return 0;{}\n", "{".repeat(10_000), "}".repeat(10_000));
    assert_eq!(text_error(&blocks, &options), "no error\n");
    let chain =
        format!("int main(void) {{ int x = 1; {} return x; }}\n", "if (x) x = 2; else ".repeat(10_000));
    assert_eq!(text_error(&chain, &options), "no error\n");
}
