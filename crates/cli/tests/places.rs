//! Where errors are told that happen in library functions: at the user's call, with the object, and without internal names.
#![allow(clippy::unwrap_used)]

mod common;

use common::*;

const DECLARATIONS: &str = "typedef unsigned long size;\nextern void *malloc(size);\nextern void free(void *);\nextern void *realloc(void *, size);\n\
    extern char *strcpy(char *, const char *);\nextern char *strcat(char *, const char *);\nextern size strlen(const char *);\n\
    extern void *memcpy(void *, const void *, size);\nextern int puts(const char *);\nextern int printf(const char *, ...);\n\
    extern int atoi(const char *);\nextern long strtol(const char *, char **, int);\nextern int atexit(void (*)(void));\n\
    extern void qsort(void *, size, size, int (*)(const void *, const void *));\nextern int __VERIFIER_nondet_int(void);\n\
    extern void reach_error(void);\n\
    static int compare(const void *a, const void *b) { return ((const int *)a)[3] - *(const int *)b; }\n\
    static char open[2] = {1, 2};\nstatic void late(void) { puts(open); }\n";

/// Checks a statement for memory safety, and gives all that is printed.
fn told(folder: &Folder, name: &str, statement: &str) -> String {
    let text = format!(
        "{DECLARATIONS}int main(void) {{\n  char t[4] = \"abc\"; int a[3] = {{3, 1, 2}};\n  {statement}\n  return t[0] + a[0];\n}}\n"
    );
    let run =
        check(&folder.write(&format!("{name}.c"), text), &["-p", "valid-memsafety", "--timeout", "60s"]);
    assert_eq!(run.code, Some(10), "{statement}\n{}\n{}", run.stdout, run.stderr);
    assert!(!run.stdout.contains("<library>") && !run.stdout.contains("__aster"), "{}", run.stdout);
    run.stdout
}

#[test]
fn errors_are_told_at_the_call_with_the_object() {
    let folder = Folder::new("places");
    let cases = [
        ("strcpy(t, \"hello\");", "1 byte accessed at offset 4 of 't' of 4 bytes"),
        ("strcat(t, \"d\");", "1 byte accessed at offset 4 of 't' of 4 bytes"),
        ("memcpy(a, t, 8);", "8 bytes accessed at offset 0 of 't' of 4 bytes"),
        ("t[3] = 1; strlen(t);", "1 byte accessed at offset 4 of 't' of 4 bytes"),
        ("puts(open);", "1 byte accessed at offset 2 of 'open' of 2 bytes"),
        ("printf(\"%s\", open);", "1 byte accessed at offset 2 of 'open' of 2 bytes"),
        ("t[3] = 49; t[0] = t[1] = t[2] = 49; atoi(t);", "1 byte accessed at offset 4 of 't' of 4 bytes"),
        ("strlen(0);", "memory is accessed through a null pointer"),
        ("strtol(\"1\", (char **)8, 10);", "memory is accessed at 0x8, where no object is alive"),
        (
            "strcpy((char *)\"abc\", \"x\");",
            "1 byte written at offset 0 of an object of 4 bytes, which is constant",
        ),
        ("free(t);", "'t' of 4 bytes is freed, which was not allocated by malloc or its relatives"),
        ("char *p = malloc(4); free(p + 1);", "an object of 4 bytes is freed at offset 1, not at its start"),
        ("char *p = malloc(4); free(p); free(p);", "is freed, where no object is alive"),
        ("char *p = malloc(4); free(p); p = realloc(p, 8);", "is freed, where no object is alive"),
    ];
    for (index, (statement, message)) in cases.into_iter().enumerate() {
        let out = told(&folder, &format!("case{index}"), statement);
        let line = out.lines().find(|line| line.starts_with("> 22 | ")).unwrap_or_else(|| panic!("{out}"));
        assert!(
            line.contains(&format!("ERROR: {message}")) || line.contains(message),
            "{message} is not in {out}"
        );
        assert!(
            out.contains(&format!(
                "Path to the error at {}:22:",
                folder.path(&format!("case{index}.c")).display()
            )),
            "{out}"
        );
    }
}

#[test]
fn callbacks_are_told_where_they_are() {
    let folder = Folder::new("callbacks");
    let out = told(&folder, "qsort", "qsort(a, 3, sizeof *a, compare);");
    // One level below `main`: the frames of the library are none of the source's.
    let line = out.lines().find(|line| line.starts_with("> ")).unwrap();
    assert!(line.starts_with("> 17 | | static int compare"), "{out}");
    assert!(line.contains("4 bytes accessed at offset 12 of 'a' of 12 bytes"), "{out}");
    let out = told(&folder, "atexit", "atexit(late);");
    assert!(out.contains("> 19 | static void late") && !out.contains("<end>"), "{out}");
}

#[test]
fn undefined_behaviour_and_runs_are_told_at_the_call() {
    let folder = Folder::new("undefined-places");
    let text = format!(
        "{DECLARATIONS}int main(void) {{\n  char t[4];\n  strcpy(t, \"hello\");\n  if (t[0] == __VERIFIER_nondet_int()) reach_error();\n  \
         return 0;\n}}\n"
    );
    let file = folder.write("undefined.c", text);
    let run = check(&file, &[]);
    run.expect("UNKNOWN(undefined behaviour)", 20);
    assert!(run.stderr.contains("undefined.c:22:3: warning: undefined behaviour"), "{}", run.stderr);
    assert!(run.stdout.contains("undefined.c:22:3\n") && run.stdout.contains("strcpy(t, "), "{}", run.stdout);
    let run = aster(&["run", file.to_str().unwrap()]);
    assert_eq!(run.code, Some(20));
    assert!(
        run.stdout.contains("undefined at") && run.stdout.contains("undefined.c:22:3: "),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains("<library>"), "{}", run.stdout);
}

#[test]
fn inputs_of_library_functions_are_named_after_the_call() {
    let folder = Folder::new("library-inputs");
    let text = "typedef struct _IO_FILE FILE;\nextern FILE *stdin;\nextern char *fgets(char *, int, FILE *);\nextern void reach_error(void);\n\
        int main(void) {\n  char t[3];\n  if (fgets(t, 3, stdin) && t[0] == 'x') reach_error();\n  return 0;\n}\n";
    let run = check(&folder.write("line.c", text), &["--timeout", "60s"]);
    run.expect("FALSE(unreach-call)", 10);
    assert!(run.stdout.contains("fgets() = 120"), "{}", run.stdout);
    assert!(run.stdout.contains("line.c:7:7)") && !run.stdout.contains("<library>"), "{}", run.stdout);
    assert!(!run.stdout.contains("__builtin_"), "{}", run.stdout);
}
