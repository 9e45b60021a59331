//! Claims about small programs: right ones are confirmed, wrong ones are not.
#![allow(clippy::unwrap_used)]

mod common;

use aster_cfa::ErrorKind;
use aster_confirm::{Claim, Confirmation, Kernel, Limits, Model, Sandbox};
use aster_evidence::Harness;
use common::{Folder, has_compiler};
use std::path::Path;
use std::time::Duration;

/// A harness as `aster-evidence` writes it, for results of one function.
fn harness(inputs: &[i32]) -> Harness {
    let list: Vec<String> = inputs.iter().map(i32::to_string).collect();
    let text = format!(
        "#include <stdio.h>\n#include <stdlib.h>\n
        void aster_reached(void) __attribute__((weak));
        static void aster_error(void) {{
            fputs(\"aster: error reached\\n\", stderr);
            if (aster_reached) aster_reached();
            _Exit(99);
        }}
        static const int inputs[] = {{{}}};
        int input(void) {{
            static unsigned next;
            if (next == sizeof inputs / sizeof *inputs - 1) {{
                fputs(\"aster: the run does not follow the counterexample: no input is left for input\\n\", stderr);
                _Exit(98);
            }}
            return inputs[next++];
        }}
        void reach_error(void) {{ aster_error(); }}\n",
        [list, vec!["0".to_owned()]].concat().join(", ")
    );
    Harness { text, missing: Vec::new() }
}

const WAYS: [(Model, &str); 2] = [(Model::Lp64, "-m64"), (Model::Ilp32, "-m32")];

struct Case<'a> {
    text: &'a str,
    kind: ErrorKind,
    line: u32,
    inputs: &'a [i32],
}

fn confirm(sandbox: &Sandbox, folder: &Folder, case: &Case<'_>, model: Model) -> Confirmation {
    let program = folder.write("program.c", case.text);
    let file = program.to_str().unwrap();
    let claim = Claim {
        program: Path::new(&program),
        text: case.text,
        place_text: case.text,
        model,
        kind: case.kind,
        file,
        line: case.line,
        access: None,
        in_unused: false,
        unsupplied: &[],
        error_functions: &[],
    };
    sandbox.confirm(&claim, &harness(case.inputs), &|| false)
}

/// The sandbox of this machine, if it confines programs.
fn sandbox() -> Option<Sandbox> {
    let sandbox = Sandbox::of_this_machine();
    if !sandbox.kernel.confines() {
        eprintln!("skipped: this kernel confines no programs: {:?}", sandbox.kernel);
    }
    sandbox.kernel.confines().then_some(sandbox)
}

const CALLS: &str = "extern int input(void);\nextern void reach_error(void);\nint main(void) {\n  if (input() == 7)\n    reach_error();\n  return 0;\n}\n";
const SUM: &str =
    "extern int input(void);\nint main(void) {\n  int x = input();\n  x = x + 1;\n  return x > 0;\n}\n";
const BEYOND: &str = "#include <stdlib.h>\nextern int input(void);\nint main(void) {\n  int *p = malloc(8);\n  int i = input();\n  p[i] = 1;\n  free(p);\n  return 0;\n}\n";
const TWICE: &str = "#include <stdlib.h>\nextern int input(void);\nint main(void) {\n  int *p = malloc(8);\n  free(p);\n  if (input())\n    free(p);\n  return 0;\n}\n";
const LEFT: &str = "#include <stdlib.h>\nextern int input(void);\nint *g;\nint main(void) {\n  g = malloc(8);\n  if (input())\n    exit(0);\n  free(g);\n  return 0;\n}\n";
const LOST: &str = "#include <stdlib.h>\nextern int input(void);\nint *g;\nint main(void) {\n  g = malloc(8);\n  if (input())\n    g = malloc(4);\n  free(g);\n  return 0;\n}\n";

const CASES: [Case<'_>; 7] = [
    Case { text: CALLS, kind: ErrorKind::Reached, line: 5, inputs: &[7] },
    Case { text: SUM, kind: ErrorKind::Overflow, line: 4, inputs: &[i32::MAX] },
    Case { text: BEYOND, kind: ErrorKind::InvalidDereference, line: 6, inputs: &[2] },
    Case { text: BEYOND, kind: ErrorKind::InvalidDereference, line: 6, inputs: &[120] },
    Case { text: TWICE, kind: ErrorKind::InvalidFree, line: 7, inputs: &[1] },
    Case { text: LEFT, kind: ErrorKind::MemoryNotFreed, line: 7, inputs: &[1] },
    Case { text: LOST, kind: ErrorKind::MemoryLeak, line: 9, inputs: &[1] },
];

#[test]
fn right_claims_are_confirmed() {
    let folder = Folder::new("right");
    let Some(sandbox) = sandbox() else { return };
    for (model, option) in WAYS {
        if has_compiler(&folder, &[option, "-fsanitize=address,undefined"]) {
            for case in &CASES {
                let result = confirm(&sandbox, &folder, case, model);
                assert_eq!(result, Confirmation::Confirmed, "{option} {:?}", case.kind);
            }
        }
    }
}

#[test]
fn wrong_claims_are_not_confirmed() {
    let folder = Folder::new("wrong");
    let Some(sandbox) = sandbox() else { return };
    if !has_compiler(&folder, &["-fsanitize=address,undefined"]) {
        return;
    }
    // With another input the program does nothing wrong. What LeakSanitizer does not see may be there all the same.
    for case in &CASES {
        let wrong = Case { inputs: &[0], ..*case };
        let result = confirm(&sandbox, &folder, &wrong, Model::Lp64);
        match case.kind {
            ErrorKind::MemoryLeak => assert!(matches!(result, Confirmation::CouldNot(_)), "{result:?}"),
            kind => assert!(matches!(result, Confirmation::NotConfirmed(_)), "{kind:?}: {result:?}"),
        }
    }
    // The place, the kind, and the number of inputs matter.
    let elsewhere = Case { line: 4, ..CASES[2] };
    let result = confirm(&sandbox, &folder, &elsewhere, Model::Lp64);
    assert!(
        matches!(&result, Confirmation::NotConfirmed(what) if what.contains("heap-buffer-overflow")),
        "{result:?}"
    );
    let otherwise = Case { kind: ErrorKind::InvalidFree, ..CASES[2] };
    let result = confirm(&sandbox, &folder, &otherwise, Model::Lp64);
    assert!(matches!(result, Confirmation::NotConfirmed(_)), "{result:?}");
    let too_few = Case { inputs: &[], ..CASES[0] };
    let result = confirm(&sandbox, &folder, &too_few, Model::Lp64);
    assert!(
        matches!(&result, Confirmation::NotConfirmed(what) if what.contains("no input is left")),
        "{result:?}"
    );
}

/// `part` is in the reason why nothing was confirmed.
fn could_not(result: &Confirmation, part: &str) {
    assert!(matches!(result, Confirmation::CouldNot(reason) if reason.contains(part)), "{result:?}");
}

#[test]
fn what_cannot_be_run_is_told() {
    let folder = Folder::new("cannot");
    let Some(sandbox) = sandbox() else { return };
    if !has_compiler(&folder, &["-fsanitize=address,undefined"]) {
        return;
    }
    let broken = Case { text: "int main(void) { return }\n", ..CASES[0] };
    could_not(&confirm(&sandbox, &folder, &broken, Model::Lp64), "gcc refuses the program");
    let program = folder.write("program.c", CALLS);
    let claim = Claim {
        program: &program,
        text: CALLS,
        place_text: CALLS,
        model: Model::Lp64,
        kind: ErrorKind::Reached,
        file: "program.c",
        line: 5,
        access: None,
        in_unused: false,
        unsupplied: &[],
        error_functions: &[],
    };
    could_not(&sandbox.confirm(&claim, &harness(&[7]), &|| true), "interrupted");
    let limits = Limits { time: Duration::from_secs(1), ..sandbox.limits };
    let endless = Case { text: "int main(void) { for (;;) ; }\n", ..CASES[0] };
    could_not(&confirm(&Sandbox { limits, ..sandbox }, &folder, &endless, Model::Lp64), "took too long");
    let deep = Case {
        text: "int f(int n) { int a[100]; a[n % 100] = n; return f(n + 1) + a[0]; }\nint main(void) { return f(0); }\n",
        ..CASES[0]
    };
    could_not(&confirm(&sandbox, &folder, &deep, Model::Lp64), "more stack or memory");
}

/// What a kernel without Landlock, and one without anything, lets run: programs that could do no harm anyway.
#[test]
fn kernels_that_do_not_confine_run_harmless_programs_only() {
    let folder = Folder::new("old-kernel");
    if !has_compiler(&folder, &["-fsanitize=address,undefined"]) {
        return;
    }
    let victim = folder.path("victim");
    for kernel in [Kernel { files: false, calls: true }, Kernel { files: false, calls: false }] {
        // What the kernel of the machine has not cannot be used.
        let probed = Kernel::probe();
        if kernel.calls && !probed.calls {
            continue;
        }
        let sandbox = Sandbox { kernel, limits: Limits::default() };
        for case in &CASES {
            assert_eq!(
                confirm(&sandbox, &folder, case, Model::Lp64),
                Confirmation::Confirmed,
                "{:?}",
                case.kind
            );
        }
        let call = |statement: &str| CALLS.replace("  return 0;", &format!("  {statement};\n  return 0;"));
        let opens =
            format!("extern int open(const char *, int, ...); open(\"{}\", 65, 0600)", victim.display());
        for (statement, reason) in [
            (opens.as_str(), "calls open"),
            ("extern int system(const char *); system(\"true\")", "calls system"),
            ("__asm__(\"nop\")", "asm"),
        ] {
            let text = call(statement);
            let case = Case { text: &text, ..CASES[0] };
            let result = confirm(&sandbox, &folder, &case, Model::Lp64);
            could_not(&result, reason);
            could_not(&result, "it lacks Landlock");
        }
        let included = Case { text: &format!("#include \"own.h\"\n{CALLS}"), line: 6, ..CASES[0] };
        folder.write("own.h", "");
        could_not(&confirm(&sandbox, &folder, &included, Model::Lp64), "files of its own");
    }
    assert!(!victim.exists());
}

/// Lines are those of the text as it is, whatever it says about where they came from.
#[test]
fn preprocessed_programs_have_their_own_lines() {
    let folder = Folder::new("preprocessed");
    let Some(sandbox) = sandbox() else { return };
    if !has_compiler(&folder, &["-fsanitize=address,undefined"]) {
        return;
    }
    let text = format!("# 1 \"elsewhere.c\"\n# 700 \"elsewhere.c\" 2\n{CALLS}");
    let case = Case { text: &text, line: 7, ..CASES[0] };
    assert_eq!(confirm(&sandbox, &folder, &case, Model::Lp64), Confirmation::Confirmed);
}

/// The place may be in a file that the program includes.
#[test]
fn errors_in_headers_are_found_there() {
    let folder = Folder::new("headers");
    let Some(sandbox) = sandbox() else { return };
    if !has_compiler(&folder, &["-fsanitize=address,undefined"]) {
        return;
    }
    let header_text =
        "extern int input(void);\nstatic void set(int *p) {\n  p[input()] =\n    1\n    + 2;\n}\n";
    let header = folder.write("set.h", header_text);
    let text = "#include <stdlib.h>\n#include \"set.h\"\nint main(void) {\n  int *p = malloc(8);\n  set(p);\n  free(p);\n  return 0;\n}\n";
    let program = folder.write("program.c", text);
    let claim = Claim {
        program: &program,
        text,
        model: Model::Lp64,
        kind: ErrorKind::InvalidDereference,
        file: header.to_str().unwrap(),
        line: 5,
        place_text: header_text,
        access: None,
        in_unused: false,
        unsupplied: &[],
        error_functions: &[],
    };
    let result = sandbox.confirm(&claim, &harness(&[2]), &|| false);
    assert_eq!(result, Confirmation::Confirmed);
    let result = sandbox.confirm(&Claim { line: 1, ..claim }, &harness(&[2]), &|| false);
    assert!(matches!(result, Confirmation::NotConfirmed(_)), "{result:?}");
}

/// A program without end loses memory, too.
#[test]
fn lost_memory_is_seen_while_the_program_runs() {
    let folder = Folder::new("endless");
    let Some(sandbox) = sandbox() else { return };
    if !has_compiler(&folder, &["-fsanitize=address,undefined"]) {
        return;
    }
    let sandbox = Sandbox { limits: Limits { time: Duration::from_secs(6), ..sandbox.limits }, ..sandbox };
    let text = "#include <stdlib.h>\nextern int input(void);\nint *g;\n\
        int main(void) {\n  g = malloc(8);\n  if (input())\n    g = 0;\n  for (;;)\n    ;\n}\n";
    let case = Case { text, kind: ErrorKind::MemoryLeak, line: 8, inputs: &[1] };
    for (model, option) in WAYS {
        if has_compiler(&folder, &[option, "-fsanitize=address,undefined"]) {
            assert_eq!(confirm(&sandbox, &folder, &case, model), Confirmation::Confirmed, "{option}");
        }
    }
    let kept = Case { inputs: &[0], ..case };
    could_not(&confirm(&sandbox, &folder, &kept, Model::Lp64), "took too long");
}
