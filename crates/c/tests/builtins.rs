//! Where gcc's builtins and variable arguments stop being modelled, and what is undefined about them. That
//! they compute what gcc computes is tested by the programs that are compared with it.

use aster_c::{Checks, DataModel, LoadError, LoadOptions, load_text};
use aster_cfa::interpreter::{End, Interpreter, RunLimits, Unwatched};
use aster_term::{Sort, TermPool, Value};

const PRELUDE: &str = "extern void reach_error(void);\n\
    void check(int holds) { if (!holds) reach_error(); }\n\
    typedef __SIZE_TYPE__ size_t; typedef __builtin_va_list va_list;\n\
    int sum(int count, ...) {\n\
        va_list list; int total = 0; __builtin_va_start(list, count);\n\
        while (count-- > 0) total += __builtin_va_arg(list, int);\n\
        __builtin_va_end(list); return total; }\n";

fn try_run(text: &str, options: &LoadOptions) -> Result<End, LoadError> {
    let mut pool = TermPool::new();
    let program = load_text(&mut pool, "test.c", &format!("{PRELUDE}{text}"), options)?;
    let violations = program.validate(&pool);
    assert!(violations.is_empty(), "{violations:?} in\n{text}");
    let limits = RunLimits { max_steps: 100_000, ..RunLimits::default() };
    let mut interpreter = Interpreter::new(&program, &pool);
    // What is not initialised is zero.
    let mut inputs = Vec::new();
    let zero = |sort| Value::default_of(sort).expect("a value");
    loop {
        match interpreter.run(&inputs, limits, &mut Unwatched) {
            End::InputsExhausted { .. } if inputs.len() < 100 => inputs.push(zero(Sort::BitVec(32))),
            End::BadInput { index, expected, .. } => inputs[index] = zero(expected),
            end => return Ok(end),
        }
    }
}

fn run(text: &str, model: DataModel) -> End {
    let options = LoadOptions { data_model: model, ..LoadOptions::default() };
    try_run(text, &options).unwrap_or_else(|error| panic!("{}", error.render()))
}

const MODELS: [DataModel; 2] = [DataModel::Lp64, DataModel::Ilp32];

fn finishes(text: &str) {
    for model in MODELS {
        assert_eq!(run(text, model), End::Finished, "{model:?}: {text}");
    }
}

fn is_undefined(text: &str) {
    for model in MODELS {
        let end = run(text, model);
        assert!(matches!(end, End::Undefined { .. }), "{model:?}: {end:?} for {text}");
    }
}

fn is_unsupported(text: &str, message: &str) {
    for model in MODELS {
        match run(text, model) {
            End::Unsupported { what, .. } => assert!(what.contains(message), "{what} for {text}"),
            end => panic!("{model:?}: {end:?} for {text}"),
        }
    }
}

fn error_of(text: &str) -> String {
    match try_run(text, &LoadOptions::default()) {
        Err(LoadError::Diagnostics { diagnostics, .. }) => diagnostics[0].message.clone(),
        other => panic!("{other:?} for {text}"),
    }
}

#[test]
fn reading_more_arguments_than_were_passed_is_undefined() {
    finishes("int main(void) { check(sum(2, 20, 22) == 42); return 0; }");
    is_undefined("int main(void) { return sum(3, 1, 2); }");
    is_undefined("int main(void) { return sum(1); }");
    // Also if other calls passed more.
    is_undefined("int main(void) { sum(3, 1, 2, 3); return sum(3, 1, 2); }");
}

#[test]
fn arguments_die_with_the_function_that_got_them() {
    is_undefined(
        "struct holder { va_list list; } holder;\n\
         void keep(int n, ...) { __builtin_va_start(holder.list, n); }\n\
         int main(void) { keep(1, 42); return __builtin_va_arg(holder.list, int); }",
    );
    finishes(
        "int main(void) { for (int i = 0; i < 3; i++) check(sum(2, i, sum(1, i)) == 2 * i); return 0; }",
    );
}

#[test]
fn variable_arguments_that_are_not_modelled() {
    is_unsupported("int main(void) { _Complex double c = 1; return sum(1, c); }", "complex");
    is_unsupported(
        "int f(int n, ...) { va_list l; __builtin_va_start(l, n); return __builtin_va_arg(l, char); }\n\
         int main(void) { return f(1, 'a'); }",
        "promoted",
    );
    is_unsupported(
        "int main(void) { int (*f)(int, int, ...) = (int (*)(int, int, ...))sum; return f(1, 2, 3); }",
        "variable arguments",
    );
    is_unsupported(
        "int main(void) { int (*f)() = (int (*)())sum; return f(1, 2, 3); }",
        "variable arguments",
    );
}

#[test]
fn main_may_have_hidden_parameters() {
    finishes("int main(int argc, ...) { va_list l; __builtin_va_start(l, argc); return 0; }");
    finishes(
        "int depth; int main(void) { int a[2] = { depth, 1 }; int *p = &a[depth > 1];\n\
         if (depth++ < 2) { main(); } check(a[0] + 1 <= 3 && *p <= 1); return 0; }",
    );
}

#[test]
fn checked_functions_are_those_without_check() {
    finishes(
        "char *__strcpy_chk(char *, const char *, size_t); void *__memcpy_chk(void *, const void *, size_t, size_t);\n\
         int __printf_chk(int, const char *, ...);\n\
         int main(void) { char a[8], b[8]; __strcpy_chk(a, \"text\", 8); __memcpy_chk(b, a, 5, 8);\n\
         check(b[3] == 't' && b[4] == 0); __builtin___strcat_chk(b, \"!\", __builtin_object_size(b, 1));\n\
         check(b[4] == '!'); __printf_chk(1, \"%s\", b); return 0; }",
    );
    // They end the program before anything undefined happens.
    for call in [
        "__builtin___strcpy_chk(a, \"text\", 4)",
        "__builtin___strcpy_chk(s.a, \"text\", __builtin_object_size(s.a, 1))",
        "__builtin___strncpy_chk(a, \"text\", 5, 4)",
        "__builtin___strcat_chk(a, \"xxx\", 4)",
        "__builtin___strncat_chk(a, \"xyz\", 3, 4)",
        "__builtin___memcpy_chk(s.a, \"text\", five, __builtin_object_size(s.a, 1))",
        "__builtin___memset_chk(a, 0, 5, 4)",
        "__builtin___mempcpy_chk(a, \"text\", 5, 4)",
    ] {
        let start = "int main(void) { struct { char a[4]; int b; } s; char a[4] = \"a\"; int five = 5;";
        let text = format!("{start} {call}; reach_error(); return 0; }}");
        for model in MODELS {
            let end = run(&text, model);
            assert!(matches!(end, End::Halted { .. } | End::Blocked { .. }), "{model:?}: {end:?} for {call}");
        }
    }
    // The program's own function goes first, wherever it is.
    finishes(
        "void *__memcpy_chk(void *, const void *, size_t, size_t); int calls;\n\
         int main(void) { int a = 1, b = 2; __memcpy_chk(&a, &b, sizeof a, sizeof a); check(a == 1 && calls == 1); return 0; }\n\
         void *__memcpy_chk(void *to, const void *from, size_t n, size_t size) { calls++; return to; }",
    );
}

#[test]
fn what_wraps_by_definition_is_no_overflow() {
    let checks = Checks { overflow: true, ..Checks::default() };
    for (statement, overflows) in [
        ("check(__builtin_add_overflow(x, 1, &x));", false),
        ("long long l = x; check(!__builtin_mul_overflow(l, 4294967295u, &l));", false),
        ("check(__sync_fetch_and_add(&x, 1) == 2147483647); check(x < 0);", false),
        ("check(__atomic_sub_fetch(&x, -1, 5) < 0);", false),
        ("x++;", true),
    ] {
        for model in MODELS {
            let options = LoadOptions { data_model: model, checks, ..LoadOptions::default() };
            let text = format!("int x = 2147483647; int main(void) {{ {statement} return 0; }}");
            let end = try_run(&text, &options).unwrap_or_else(|error| panic!("{}", error.render()));
            assert_eq!(matches!(end, End::Error { .. }), overflows, "{end:?} for {text}");
            assert!(overflows || end == End::Finished, "{end:?} for {text}");
        }
    }
}

#[test]
fn builtins_that_are_not_modelled() {
    is_unsupported(
        "int main(void) { __int128 a = 1; return __builtin_add_overflow(a, 1, &a); }",
        "overflow check of a wide number",
    );
    is_unsupported("int main(void) { int a = 1; return __sync_fetch_and_nand(&a, 1); }", "__sync_");
}

#[test]
fn wrong_uses_are_reported() {
    for (text, message) in [
        ("int main(void) { int a; return __builtin_add_overflow(1, 2); }", "takes 3 arguments"),
        ("int main(void) { int a; return __builtin_add_overflow(1, 2, a); }", "pointer to an integer"),
        ("int main(void) { _Bool a; return __builtin_add_overflow(1, 2, &a); }", "pointer to an integer"),
        ("int main(void) { va_list l; __builtin_va_start(l, l); return 0; }", "without a variable number"),
        ("int main(void) { int l; return __builtin_va_arg(l, int); }", "'va_list' is required"),
        ("int main(void) { int l; return __builtin_object_size(&l, l); }", "constant between 0 and 3"),
        ("int main(void) { int l; return __sync_fetch_and_add(&l); }", "too few arguments"),
    ] {
        let found = error_of(text);
        assert!(found.contains(message), "{found:?} for {text}");
    }
}

#[test]
fn types_that_differ_in_qualifiers_are_not_told_apart() {
    finishes(
        "int main(void) { short *p = 0; check(_Generic(p, long *: 1, short *: 2, default: 3) == 2); return 0; }",
    );
    finishes("const int c = 1; int main(void) { check(_Generic(c, int: 1, default: 2) == 1); return 0; }");
    let what = "depends on qualifiers";
    is_unsupported("int main(void) { char *p = 0; return _Generic(p, const char *: 1, default: 2); }", what);
    is_unsupported("const short c; int main(void) { return _Generic(&c, short *: 1, default: 2); }", what);
    is_unsupported(
        "const struct s { int m; } c; int main(void) { return _Generic(&c.m, int *: 1, default: 2); }",
        what,
    );
    is_unsupported("int main(void) { return __builtin_types_compatible_p(char *, const char *); }", what);
}

#[test]
fn gotos_to_other_addresses_are_not_modelled() {
    let other = "void *f(void) { return &&l; l: return 0; } int main(void) { void *p = f(); void *q = &&m; m: \
        if (q) { q = 0; goto *p; } return 0; }";
    is_unsupported(other, "goto to an address");
    is_unsupported("int main(void) { goto *(void *)0; }", "goto to an address");
    is_undefined("int main(void) { int x = *(int *)&&l; l: return x; }");
}
