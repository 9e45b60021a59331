//! Properties other than reachability: overflow and memory safety.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Folder, Run, check};

const NO_OVERFLOW: &str = "CHECK( init(main()), LTL(G ! overflow) )\n";
const MEMSAFETY: &str = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
    CHECK( init(main()), LTL(G valid-memtrack) )\n";
const CLEANUP: &str = "CHECK( init(main()), LTL(G valid-memcleanup) )\n";
const HEADER: &str = "extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);\n\
    extern void *malloc(unsigned long); extern void *calloc(unsigned long, unsigned long); extern void free(void *);\n\
    extern void exit(int);\n";

/// Each body of `main` has its verdict.
fn expect_all(name: &str, property: &str, cases: &[(&str, &str)]) {
    let folder = Folder::new(name);
    let property = folder.write("property.prp", property);
    for (index, (body, verdict)) in cases.iter().enumerate() {
        let text = format!("{HEADER}int main(void) {{ {body} return 0; }}\n");
        let file = folder.write(&format!("{index}.c"), text);
        let code = match verdict.as_bytes()[0] {
            b'T' => 0,
            b'F' => 10,
            _ => 20,
        };
        let run = check(&file, &["--property", property.to_str().unwrap(), "--timeout", "20s"]);
        assert_eq!((run.last_line(), run.code), (*verdict, Some(code)), "{body}\n{}", run.stdout);
    }
}

#[test]
fn signed_results_must_fit_their_type() {
    let bad = "FALSE(no-overflow)";
    expect_all(
        "overflow",
        NO_OVERFLOW,
        &[
            ("int x = __VERIFIER_nondet_int(); x = x + 1;", bad),
            ("int x = __VERIFIER_nondet_int(); if (x < 2147483647) x++;", "TRUE"),
            ("int x = __VERIFIER_nondet_int(); if (x < 100 && x > -100) x = x * x;", "TRUE"),
            ("int x = __VERIFIER_nondet_int(); if (x < 46342 && x > 0) x = x * x;", bad),
            ("unsigned x = __VERIFIER_nondet_uint(); x = x * x + 7u;", "TRUE"),
            ("int x = __VERIFIER_nondet_int(); x = -x;", bad),
            ("int x = __VERIFIER_nondet_int(); if (x != 0) x = 10 / x;", "TRUE"),
            ("int x = __VERIFIER_nondet_int(); x = 10 % x;", bad),
            ("int x = __VERIFIER_nondet_int(); if (x != 0) x = __VERIFIER_nondet_int() / x;", bad),
            ("int x = __VERIFIER_nondet_int(); x = 1 << x;", bad),
            ("int x = __VERIFIER_nondet_int(); if (x >= 0 && x < 31) x = 1 << x;", "TRUE"),
            ("int x = __VERIFIER_nondet_int(); if (x >= 0 && x < 32) x = 1 << x;", bad),
            ("char c = (char)__VERIFIER_nondet_int(); c++; c += 100;", "TRUE"),
            ("int x = 2147483647 + 1;", bad),
            ("extern int abs(int); int x = abs(__VERIFIER_nondet_int());", bad),
            ("int x = __VERIFIER_nondet_int(); int y = x < 2147483647 && x + 1 > 0;", "TRUE"),
            ("long long x = __VERIFIER_nondet_int(); x = x * x * 4;", bad),
        ],
    );
}

#[test]
fn memory_must_be_used_as_it_was_allocated() {
    let (deref, freed, leak) = ("FALSE(valid-deref)", "FALSE(valid-free)", "FALSE(valid-memtrack)");
    expect_all(
        "memsafety",
        MEMSAFETY,
        &[
            ("int a[3]; int i = __VERIFIER_nondet_int(); if (i >= 0 && i < 3) a[i] = 1;", "TRUE"),
            ("int a[3]; int i = __VERIFIER_nondet_int(); if (i >= 0 && i <= 3) a[i] = 1;", deref),
            ("int *p = malloc(8); p[1] = 2; free(p);", "TRUE"),
            ("int *p = malloc(8); p[2] = 2; free(p);", deref),
            ("char *p = malloc(8); *(int *)(p + 5) = 2; free(p);", deref),
            ("int *p = malloc(8); free(p); *p = 1;", deref),
            ("int *p = malloc(8); free(p); free(p);", freed),
            ("int *p = malloc(8); free(p + 1);", freed),
            ("int x; free(&x);", freed),
            ("free(0);", "TRUE"),
            ("int *p = 0; *p = 1;", deref),
            ("int *p = malloc(4);", leak),
            ("int *p = malloc(4); p = malloc(4); free(p);", leak),
            ("int *p = calloc(2, 4); int i = p[1]; free(p); if (i) { int *q = 0; *q = 1; }", "TRUE"),
            ("int *p = malloc(4); exit(0);", "TRUE"),
            ("int a[4], b[4]; int *p = b; p = a; p = p + 8; *p = 1;", deref),
            ("int a[4], b[4]; int *p = b; p = a; p += 8; *p = 1;", deref),
            ("int a[4], b[4]; int *p = b; for (p = a; p < a + 4; p++) *p = 1;", "TRUE"),
        ],
    );
}

#[test]
fn all_memory_must_be_freed_at_the_end() {
    expect_all(
        "cleanup",
        CLEANUP,
        &[
            ("int *p = malloc(4); if (__VERIFIER_nondet_int()) free(p);", "FALSE(valid-memcleanup)"),
            ("int *p = malloc(4); free(p);", "TRUE"),
            ("int *p = malloc(4); exit(0);", "FALSE(valid-memcleanup)"),
        ],
    );
}

#[test]
fn what_is_undefined_stops_or_is_assumed_away() {
    let folder = Folder::new("assumed");
    let property = folder.write("unreach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    let overflow = folder.write("overflow.prp", NO_OVERFLOW);
    let [property, overflow] = [&property, &overflow].map(|path| path.to_str().unwrap());
    let file = folder.write(
        "a.c",
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n    int a[2] = {0, 0};\n\
         \x20   int i = __VERIFIER_nondet_int();\n    if (a[i]) reach_error();\n    return i > 0 ? i - 1 : 0;\n}\n",
    );
    let places = |run: &Run| {
        let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        let lines =
            report["assumed"].as_array().unwrap().iter().map(|place| place["position"]["line"].as_u64());
        (report["verdict"].as_str().unwrap().to_owned(), lines.flatten().collect::<Vec<_>>())
    };
    let (stopped, assumed) =
        (("UNKNOWN(undefined behaviour)".to_owned(), vec![]), ("TRUE".to_owned(), vec![6]));
    for engine in ["auto", "symexec", "symexec-ia"] {
        for (arguments, wanted) in [
            (&[][..], &stopped),
            (&["--undefined", "assume"], &assumed),
            (&["--property", property], &assumed),
            (&["--property", "unreach-call"], &assumed),
            (&["--property", property, "--undefined", "stop"], &stopped),
            (&["--property", overflow], &stopped),
        ] {
            let run = check(&file, &[arguments, &["--engine", engine, "--json"]].concat());
            assert_eq!(&places(&run), wanted, "{engine} {arguments:?}");
        }
    }
    let run = check(&file, &["--property", property]);
    run.expect("TRUE", 0);
    let text = "Assumed, because the property does not ask for it: no undefined behaviour here:\n";
    assert!(run.stdout.starts_with(text) && run.stdout.contains("a.c:6:9: "), "{}", run.stdout);
    assert_eq!(run.stderr, "");
}

#[test]
fn properties_have_names_and_tasks_may_have_several() {
    let folder = Folder::new("several");
    folder.write("u.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    folder.write("o.prp", NO_OVERFLOW);
    let file = folder.write(
        "a.c",
        "extern int __VERIFIER_nondet_int(void);\nint main(void) { return __VERIFIER_nondet_int() + 1; }\n",
    );
    let task = |name: &str, properties: &[&str]| {
        let properties: String =
            properties.iter().map(|file| format!("  - property_file: {file}\n")).collect();
        folder.write(name, format!("format_version: '2.0'\ninput_files: a.c\nproperties:\n{properties}"))
    };
    check(&file, &["--property", "no-overflow"]).expect("FALSE(no-overflow)", 10);
    check(&file, &["--property", "no-overflows"]).expect_error("can be one of unreach-call, no-overflow");
    check(&task("one.yml", &["o.prp"]), &[]).expect("FALSE(no-overflow)", 10);
    let both = task("both.yml", &["u.prp", "o.prp"]);
    check(&both, &[]).expect_error("both.yml asks for several properties; choose one with --property: ");
    check(&both, &["--property", "unreach-call"]).expect("TRUE", 0);
    check(&both, &["--property", folder.path("o.prp").to_str().unwrap()]).expect("FALSE(no-overflow)", 10);
}

#[test]
fn allocation_fails_only_if_it_may() {
    let folder = Folder::new("may-fail");
    let text = format!(
        "{HEADER}extern void reach_error(void);\nint main(void) {{ int *p = malloc(4); if (!p) reach_error(); free(p); return 0; }}\n"
    );
    let file = folder.write("a.c", text);
    check(&file, &[]).expect("TRUE", 0);
    check(&file, &["--malloc-may-fail"]).expect("FALSE(unreach-call)", 10);
}
