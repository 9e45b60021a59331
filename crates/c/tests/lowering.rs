//! What lowered programs do when they run, and how their automata look.

use aster_c::{DataModel, LoadError, LoadOptions, load_text};
use aster_cfa::interpreter::{End, Interpreter, RunLimits, Unwatched};
use aster_cfa::{Label, Op, Program};
use aster_term::{BitVec, TermPool, Value};

const PRELUDE: &str = "extern void reach_error(void); extern void abort(void);\n\
    extern int __VERIFIER_nondet_int(void); extern _Bool __VERIFIER_nondet_bool(void);\n\
    extern unsigned char __VERIFIER_nondet_uchar(void); extern void __VERIFIER_assume(int);\n\
    void check(int holds) { if (!holds) reach_error(); }\n";

fn load(text: &str, data_model: DataModel) -> (Program, TermPool) {
    let mut pool = TermPool::new();
    let options = LoadOptions { data_model, ..LoadOptions::default() };
    let text = format!("{PRELUDE}{text}");
    match load_text(&mut pool, "test.c", &text, &options) {
        Ok(program) => {
            let violations = program.validate(&pool);
            assert!(violations.is_empty(), "{violations:?} in\n{text}");
            (program, pool)
        }
        Err(error) => panic!("{error} in\n{text}"),
    }
}

fn run_in(text: &str, inputs: &[(u32, i128)], model: DataModel) -> End {
    let (program, pool) = load(text, model);
    let inputs: Vec<Value> =
        inputs.iter().map(|&(width, value)| Value::BitVec(BitVec::from_signed(width, value))).collect();
    let limits = RunLimits { max_steps: 100_000, ..RunLimits::default() };
    Interpreter::new(&program, &pool).run(&inputs, limits, &mut Unwatched)
}

fn run(text: &str, inputs: &[(u32, i128)]) -> End {
    run_in(text, inputs, DataModel::Lp64)
}

/// The body of `main` runs to its end without a failing check, in both data models.
fn holds(body: &str) {
    holds_with("", body, &[]);
}

fn holds_with(globals: &str, body: &str, inputs: &[(u32, i128)]) {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let end = run_in(&format!("{globals}\nint main(void) {{ {body}\n return 0; }}"), inputs, model);
        assert_eq!(end, End::Finished, "{model:?}: {globals} {body}");
    }
}

fn is_error(end: &End) -> bool {
    matches!(end, End::Error { .. })
}

fn error_of(text: &str) -> String {
    let mut pool = TermPool::new();
    match load_text(&mut pool, "test.c", text, &LoadOptions::default()) {
        Err(LoadError::Diagnostics { diagnostics, .. }) => diagnostics[0].message.clone(),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("accepted:\n{text}"),
    }
}

#[test]
fn a_failing_check_is_an_error() {
    assert!(is_error(&run("int main(void) { check(1 == 2); return 0; }", &[])));
    assert_eq!(run("int main(void) { check(1 == 1); return 0; }", &[]), End::Finished);
}

#[test]
fn integer_promotions_and_conversions() {
    holds("unsigned char a = 200, b = 100; check(a + b == 300);");
    holds("unsigned char a = 255; a++; check(a == 0);");
    holds("signed char c = (signed char)200; check(c == -56);");
    holds("char c = (char)255; check(c < 0);");
    holds("check(-1 > 0u);");
    holds("unsigned short s = 65535; check(s * s < 0 || 1); check((unsigned)(s * s) == 4294836225u);");
    holds("_Bool b = 256; check(b == 1); b = 0; check(!b); b += 5; check(b == 1);");
    holds("long long x = 1; check((x << 40) == 1099511627776ll);");
    holds("unsigned x = 0; x--; check(x == 4294967295u); check(x > 0);");
    holds("int x = 2147483647; x++; check(x == -2147483647 - 1);");
    holds("unsigned long long u = -1; check(u == 18446744073709551615ull);");
    holds("short s = 32767; s++; check(s == -32768);");
    holds("unsigned char c = 1; check(~c == -2); check(!c == 0); check(-c == -1);");
    holds("check((1 ? -1 : 1u) == 4294967295u);");
}

#[test]
fn sizes_depend_on_the_data_model() {
    let text = "struct s { char a; long long b; double d; long double l; char t; };\n\
        struct bits { int a : 3; unsigned b : 30; char c; };\n\
        struct packed { char a; int b; } __attribute__((packed));\n\
        union u { char c[5]; int i; };\n\
        struct flexible { int n; char data[]; };\n\
        int a[] = { 1, 2, [9] = 3, 4 }; char text[] = \"abc\"; struct { int x, y; } p[] = { 1, 2, 3, 4, { 5 } };\n\
        int main(void) {\n";
    let ilp32 = "check(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(struct s) == 36);\n\
        check(sizeof(long double) == 12 && __builtin_offsetof(struct s, d) == 12);";
    let lp64 = "check(sizeof(long) == 8 && sizeof(void *) == 8 && sizeof(struct s) == 64);\n\
        check(sizeof(long double) == 16 && __builtin_offsetof(struct s, d) == 16);";
    let both = "check(sizeof(struct bits) == 12 && sizeof(struct packed) == 5 && sizeof(union u) == 8);\n\
        check(sizeof(struct flexible) == 4 && sizeof a == 44 && sizeof text == 4 && sizeof p == 24);\n\
        check(sizeof(char) == 1 && sizeof 'a' == 4 && sizeof(__int128) == 16 && sizeof \"abcd\" == 5);\n\
        check((long)&((struct packed *)0)->b == 1); return 0; }";
    assert_eq!(run_in(&format!("{text}{ilp32}{both}"), &[], DataModel::Ilp32), End::Finished);
    assert_eq!(run_in(&format!("{text}{lp64}{both}"), &[], DataModel::Lp64), End::Finished);
}

#[test]
fn constants_have_the_types_of_the_standard() {
    holds("check(sizeof 2147483647 == 4 && sizeof 2147483648 == 8 || sizeof(long) == 4);");
    holds("check(0xffffffff > 0 && sizeof 0xffffffff == 4); check(-0xffffffff == 1);");
    holds("check('\\n' == 10 && '\\x41' == 'A' && '\\101' == 'A' && '\\377' == -1 && 'ab' == 24930);");
    holds("enum e { A, B = 7, C, D = -1 }; check(A == 0 && C == 8 && D < 0); enum e x = D; check(x < 0);");
    holds("enum f { F } y = F; check(y - 1 > 0);");
    holds("check(010 == 8 && 0b101 == 5 && 1u - 2 > 0);");
}

#[test]
fn divisions_and_shifts() {
    holds("check(-7 / 2 == -3 && -7 % 2 == -1 && 7 / -2 == -3 && 7 % -2 == 1);");
    holds("int x = -7, y = 2; check(x / y == -3 && x % y == -1 && x >> 1 == -4);");
    holds("unsigned x = 4294967289u; check(x / 2 == 2147483644u && x >> 1 == 2147483644u);");
    holds(
        "int one = 1, n = 33; check(one << n == 2); unsigned long long l = 1; check(l << 33 == 8589934592ull);",
    );
    let divide = "int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); int c = a / b; \
        check(0); return c; }";
    assert!(is_error(&run(divide, &[(32, 7), (32, 2)])));
    assert!(matches!(run(divide, &[(32, 7), (32, 0)]), End::Blocked { .. }));
    assert!(matches!(run(divide, &[(32, i128::from(i32::MIN)), (32, -1)]), End::Blocked { .. }));
}

#[test]
fn evaluation_goes_from_left_to_right() {
    holds("int x = 1; int y = x + x++; check(y == 2 && x == 2);");
    holds("int x = 1; int y = x++ + x; check(y == 3);");
    holds("int x = 5; int y = x++ * 10 + x--; check(y == 56 && x == 5);");
    holds("int x = 1; x += x++; check(x == 2);");
    let globals =
        "int g = 1; int f(void) { g = 10; return 100; } int pair(int a, int b) { return a * 1000 + b; }";
    holds_with(globals, "int a = g + f(); check(a == 101); check(pair(g, g = 2) == 10002);", &[]);
    holds_with(globals, "g += f(); check(g == 101);", &[]);
    holds("int i = 0; int a = (i = 3, i + 1); check(a == 4); int b = i = 7; check(b == 7 && i == 7);");
}

#[test]
fn short_circuits_skip_effects() {
    let globals = "int n; int hit(int r) { n++; return r; }";
    holds_with(globals, "check(!(0 && hit(1)) && n == 0); check(1 || hit(1)); check(n == 0);", &[]);
    holds_with(globals, "int a = hit(1) && hit(0) && hit(1); check(a == 0 && n == 2);", &[]);
    holds_with(globals, "int a = n ? hit(5) : hit(6); check(a == 6 && n == 1);", &[]);
    holds_with(
        globals,
        "n > 0 && hit(1); n == 0 || hit(1); check(n == 0); n++ ? hit(1) : 0; check(n == 1);",
        &[],
    );
    holds_with(globals, "int z = 0; int a = z != 0 && 10 / z > 1; check(a == 0);", &[]);
    holds_with(globals, "int a = hit(3) ?: 9; check(a == 3 && n == 1); a = hit(0) ?: 9; check(a == 9);", &[]);
    holds_with(globals, "if (!(hit(0) || hit(1))) check(0); while (hit(1) && n < 10) ; check(n == 10);", &[]);
}

#[test]
fn loops_and_jumps() {
    holds(
        "int s = 0; for (int i = 0; i < 10; i++) { if (i == 3) continue; if (i == 6) break; s += i; } check(s == 12);",
    );
    holds("int i = 0; do i++; while (i < 5); check(i == 5); do { i = 9; break; } while (1); check(i == 9);");
    holds("int i = 0; again: i++; if (i < 4) goto again; check(i == 4);");
    holds("int i = 0, s = 0; while (1) { if (i++ == 4) goto out; s += i; } out: check(s == 10);");
    holds("int x = 0; goto inside; if (x) { inside: x = 5; } check(x == 5);");
    holds("int s = 0; for (;;) { s++; if (s > 3) break; } check(s == 4);");
    holds(
        "int i = 0, s = 0; for (i = 0; i < 3; i++) for (int j = 0; j < 3; j++) { if (j == 1) continue; s++; } check(s == 6);",
    );
}

#[test]
fn switches() {
    let globals = "int f(int x) { int r = 0; switch (x) { case 1: r += 1; case 2: r += 10; break; default: r = 7; \
        case 5 ... 8: r += 100; break; case -1: r = -1; } return r; }\n\
        int duff(int n) { int s = 0; switch (n % 4) { case 0: do { s++; case 3: s++; case 2: s++; case 1: s++; } \
        while ((n -= 4) > 0); } return s; }";
    holds_with(globals, "check(f(1) == 11 && f(2) == 10 && f(3) == 107 && f(6) == 100 && f(-1) == -1);", &[]);
    holds_with(globals, "check(duff(7) == 7 && duff(8) == 8 && duff(1) == 1);", &[]);
    holds("int x = 3; switch (x) { case 1: check(0); } switch (x) { default: x = 4; } check(x == 4);");
    holds("char c = 'b'; switch (c) { case 'a': check(0); break; case 'b': c = 0; } check(!c);");
    holds(
        "int n = 0; for (int i = 0; i < 5; i++) { switch (i) { case 2: continue; case 3: break; } n++; } check(n == 4);",
    );
    holds("unsigned char c = 200; switch (c) { case 200: c = 1; break; case -56: check(0); } check(c == 1);");
}

#[test]
fn switches_with_many_cases() {
    // Not in the order of their values, with gaps and ranges, from below zero to above.
    let case = |number: i32| match number % 3 {
        0 => format!("case {}: return r + {number};", number * 10 - 2000),
        1 => format!("case {} ... {}: return r + {number};", number * 10 - 2000, number * 10 - 1995),
        _ => format!("case {}: r += {number};", number * 10 - 2000),
    };
    let cases: String = (0..400).map(|index| case(index * 7 % 400)).collect();
    for ty in ["int", "unsigned", "long long"] {
        let globals = format!(
            "int f({ty} x) {{ int r = 0; switch (x) {{ {cases} default: r += 100000; }} return r; }}\n\
             int g(unsigned char x) {{ int r = 0; switch (x) {{ {cases} }} return -1; }}"
        );
        holds_with(&globals, "check(f(-2000) == 0 && f(-1999) == 100000 && f(1990) == 399);", &[]);
        holds_with(&globals, "check(f(-1990) == 1 && f(-1985) == 1 && f(-1984) == 100000);", &[]);
        holds_with(&globals, "check(f(0x7fffffff) == 100000 && f(-0x7fffffff) == 100000);", &[]);
        // The case after that of 20 is that of 27.
        holds_with(&globals, "check(f(200 - 2000) == 20 + 27);", &[]);
        holds_with(&globals, "check(g(200) == 220 && g(40) == 204 && g(45) == -1);", &[]);
    }
    let edges = |cases: usize| {
        let cases: String =
            (0..cases).map(|number| format!("case {number}: return {};", number % 7)).collect();
        let text = format!(
            "int f(int x) {{ switch (x) {{ {cases} }} return 9; }} int main(void) {{ return f(3); }}"
        );
        let mut pool = TermPool::new();
        load_text(&mut pool, "test.c", &text, &LoadOptions::default()).unwrap().edges().count()
    };
    assert!(
        edges(4000) < 5 * edges(1000),
        "{} edges, {} with a quarter of the cases",
        edges(4000),
        edges(1000)
    );
}

#[test]
fn functions() {
    let globals = "int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n\
        int even(unsigned n); int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }\n\
        int even(unsigned n) { if (n == 0) return 1; return odd(n - 1); }\n\
        int old(a, b) char a; int b; { return a + b; }\n\
        int sum(int n, ...) { return n; } unsigned char narrow(int x) { return x; }\n\
        static int counter(void) { static int n = 3; return n++; } void nothing(void) { return; }\n\
        typedef int (*unused)(int); inline static int twice(int x) { return 2 * x; }";
    holds_with(globals, "check(fib(10) == 55); check(even(10) && odd(7)); check(old(257, 1) == 2);", &[]);
    holds_with(
        globals,
        "check(sum(4, 5, 6) == 4); check(narrow(300) == 44); nothing(); check(twice(4) == 8);",
        &[],
    );
    holds_with(globals, "counter(); counter(); check(counter() == 5);", &[]);
    holds_with("int f() { return 1; }", "check(f(1, 2) == 1);", &[]);
    holds_with("", "undeclared_void(); } void undeclared_void() { } int other() {", &[]);
    holds_with(
        "",
        "check(undeclared_later() == 4);} int undeclared_later() { return 4; } int other() {",
        &[],
    );
}

#[test]
fn globals_are_zero_or_have_their_initialiser() {
    let globals = "int a; int b = 3 * 4 + sizeof(int); static unsigned char c = 300; int a; extern int b; \
        long long d = -1; enum { K = 5 } e = K; int *p; _Bool t = 7;";
    holds_with(globals, "check(a == 0 && b == 16 && c == 44 && d == -1 && e == 5 && p == 0 && t == 1);", &[]);
    holds_with(
        "int g = 1;",
        "int g = 2; { extern int g; check(g == 1); } { int g = 3; check(g == 3); } check(g == 2);",
        &[],
    );
}

#[test]
fn inputs_in_call_order() {
    let text = "int main(void) { int x = __VERIFIER_nondet_int(); unsigned char c = __VERIFIER_nondet_uchar(); \
        _Bool b = __VERIFIER_nondet_bool(); __VERIFIER_assume(x > 5); if (x == 6 && c == 255 && b) reach_error(); \
        return 0; }";
    assert!(is_error(&run(text, &[(32, 6), (8, -1), (8, 1)])));
    assert_eq!(run(text, &[(32, 6), (8, 1), (8, 1)]), End::Finished);
    assert!(matches!(run(text, &[(32, 5), (8, 1), (8, 1)]), End::Blocked { .. }));
    assert!(matches!(run(text, &[(32, 6), (8, 1), (8, 2)]), End::Blocked { .. }));
}

#[test]
fn uninitialised_locals_are_inputs_again_and_again() {
    let text = "int main(void) { for (int i = 0; i < 2; i++) { int x; if (i == 0 && x == 1) continue; \
        if (i == 1 && x == 2) reach_error(); } return 0; }";
    assert!(is_error(&run(text, &[(32, 1), (32, 2)])));
    assert_eq!(run(text, &[(32, 1), (32, 1)]), End::Finished);
    let bypassed = "int main(void) { goto in; { int x = 5; in: if (x == 9) reach_error(); } return 0; }";
    assert!(is_error(&run(bypassed, &[(32, 9)])));
    let in_switch = "int main(void) { switch (1) { int x; case 1: if (x == 9) reach_error(); } return 0; }";
    assert!(is_error(&run(in_switch, &[(32, 9)])));
    let no_return = "int f(void) { } int main(void) { if (f() == 3) reach_error(); return 0; }";
    assert!(is_error(&run(no_return, &[(32, 3)])));
}

#[test]
fn what_is_not_modelled_is_harmless_unless_reached() {
    for (declaration, use_) in [
        ("_Complex double d;", "x = d == 1.0;"),
        ("extern int kill(int, int);", "x = kill(1, 2);"),
        ("", "__asm__(\"nop\");"),
    ] {
        let text = |condition| {
            format!("int x; {declaration} int main(void) {{ if ({condition}) {{ {use_} }} return 0; }}")
        };
        assert_eq!(run(&text("x"), &[]), End::Finished, "{use_}");
        assert!(
            matches!(run(&text("!x"), &[(64, 0)]), End::Unsupported { .. }),
            "{use_}: {:?}",
            run(&text("!x"), &[(64, 0)])
        );
    }
}

#[test]
fn floating_point_that_is_not_modelled() {
    let unsupported = |text: &str, what: &str| {
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            match run_in(text, &[], model) {
                End::Unsupported { what: found, .. } => assert!(found.contains(what), "{found} for {text}"),
                end => panic!("{end:?} for {text}"),
            }
        }
    };
    unsupported("double tgamma(double); int main(void) { return tgamma(3) == 2; }", "tgamma");
    unsupported("float fabs(float); int main(void) { return fabs(3) == 2; }", "another type");
    unsupported("int main(void) { _Float16 h = 1; return h + h > 1; }", "_Float16");
    unsupported("int fetestexcept(int); int main(void) { return fetestexcept(1); }", "fetestexcept");
    let errno = "extern int *__errno_location(void); double sqrt(double), ldexp(double, int);\n";
    unsupported(&format!("{errno} int main(void) {{ sqrt(-1); return *__errno_location(); }}"), "errno");
    unsupported(
        &format!("{errno} int main(void) {{ ldexp(1, 5000); return *__errno_location(); }}"),
        "errno",
    );
    let rounding = "int fesetround(int); double cos(double);\n";
    unsupported(&format!("{rounding} int main(void) {{ fesetround(0); return cos(1) > 0; }}"), "rounding");
    // The caller puts an `int` where the function does not look for a `float`.
    unsupported("int main(void) { int f(); return f(1); } int f(float x) { return x > 0; }", "argument");
    unsupported(
        "int main(void) { float f(); return f(1.5f) > 0; } float f(float x) { return x; }",
        "argument",
    );
    holds_with("float half(x) float x; { return x / 2; }", "check(half(3.0f) == 1.5f);", &[]);
}

#[test]
fn results_that_are_known_by_bounds_are_inputs() {
    let text = "double sin(double); int main(void) { check(sin(1) <= 1 && sin(1) >= -1); return 0; }";
    for bits in [0i128, 0x3ff0_0000_0000_0000, 0x4000_0000_0000_0000, 0x7ff8_0000_0000_0000] {
        assert_eq!(run(text, &[(64, bits), (64, bits)]), End::Finished);
    }
    let (program, _) = load(text, DataModel::Lp64);
    let origins = program.edges().filter_map(|edge| match &program.edge(edge).label {
        Label::Op(Op::Havoc(_, input)) => Some(input.origin.clone()),
        _ => None,
    });
    assert_eq!(origins.collect::<Vec<_>>(), [aster_cfa::InputOrigin::Approximated("sin".into())]);
}

#[test]
fn constants_are_computed_as_the_compiler_does() {
    holds("enum { A = (int)2.5 + (int)-2.5 }; int a[(unsigned char)3.9]; check(A == 0 && sizeof a == 12);");
    holds("check(0.1f != 0.1 && 0.1f == (float)0.1 && 0x1.8p1 == 3 && 1e-400 == 0 && 1e400 == 2e400);");
    holds("check(sizeof 1.0f == 4 && sizeof 1.0 == 8 && sizeof 1.0L > 8 && sizeof(1.0f + 1) == 4);");
    holds("check(__builtin_nan(\"\") != __builtin_nan(\"\") && __builtin_inf() > 1e308);");
    holds("static union { float f; unsigned u; } w = { __builtin_nan(\"\") }; check(w.u == 0x7fc00000u);");
    holds("static union { float f; unsigned u; } w = { __builtin_nanf(\"5\") }; check(w.u == 0x7fc00005u);");
    holds(
        "_Float16 h = 1.5f; _Float128 q = 0.1Q; check(h == 1.5 && (float)h * 2 == 3 && q != 0.1 && sizeof q == 16);",
    );
}

#[test]
fn library_functions() {
    let globals = "extern int printf(const char *, ...); extern int puts(const char *); extern int abs(int); extern int toupper(int);";
    holds_with(globals, "int n = 0; printf(\"%d %s\\n\", n++, \"x\"); puts(\"y\"); check(n == 1);", &[]);
    holds_with(globals, "check(abs(-5) == 5 && toupper('x') == 'X' && toupper('1') == '1');", &[]);
    holds("check(isdigit('7') && !isdigit('x') && isspace(' ') && ispunct('!') && __builtin_isalpha('q'));");
    holds("check(htonl(0x01020304) == 0x04030201 && toascii(0x1c1) == 0x41);");
    holds("check(__builtin_bswap32(0x01020304u) == 0x04030201u && __builtin_popcount(0xf0fu) == 8);");
    holds(
        "check(__builtin_clz(1u) == 31 && __builtin_ctz(8u) == 3 && __builtin_ffs(0) == 0 && __builtin_expect(5, 1) == 5);",
    );
    let text = "extern void exit(int); int main(void) { exit(1); reach_error(); }";
    assert!(matches!(run(text, &[]), End::Halted { .. } | End::Finished));
    let text = "void assert(int); int main(void) { assert(__VERIFIER_nondet_int() > 3); return 0; }";
    assert!(is_error(&run(text, &[(32, 3)])));
    assert_eq!(run(text, &[(32, 4)]), End::Finished);
    let text = "void assert(int); int main(void) { int x = __VERIFIER_nondet_int(); assert(x == 1 && \"text\"); return 0; }";
    assert!(is_error(&run(text, &[(32, 0)])));
    assert_eq!(run(text, &[(32, 1)]), End::Finished);
    let text =
        "extern int ext(int); int main(void) { if (ext(1) == 5 && ext(1) == 6) reach_error(); return 0; }";
    assert!(is_error(&run(text, &[(32, 5), (32, 6)])));
    let text = "extern void die(void) __attribute__((noreturn)); int main(void) { die(); reach_error(); }";
    assert!(!is_error(&run(text, &[])));
}

#[test]
fn statement_expressions_and_typeof() {
    holds("int x = ({ int y = 3; y++; y * 2; }); check(x == 8); __typeof__(x) z = x; check(z == 8);");
    holds("unsigned char c = 5; __typeof__(c + 1) w = 300; check(w == 300);");
    holds("int r = _Generic(1u, int: 1, unsigned: 2, default: 3); check(r == 2);");
    holds("__int128 a = 1; a <<= 100; check((a >> 98) == 4); unsigned __int128 b = -1; check(b > 0);");
}

#[test]
fn the_start_passes_arguments_to_main() {
    let text = "int main(int argc, char **argv) { if (argc == 2) reach_error(); return 0; }";
    assert!(is_error(&run(text, &[(32, 2), (64, 0)])));
    assert!(matches!(run(text, &[(32, -1), (64, 0)]), End::Blocked { .. }));
}

fn edges_of(text: &str) -> (usize, usize) {
    let (program, pool) = load(text, DataModel::Lp64);
    let main = program.procedures().find(|&p| program.procedure(p).name == "main").expect("main");
    let edges: Vec<_> =
        program.edges().filter(|&edge| program.node(program.edge(edge).source).procedure == main).collect();
    let always = edges
        .iter()
        .filter(|&&edge| matches!(program.edge(edge).label, Label::Op(Op::Assume(t)) if pool.bool_constant(t) == Some(true)))
        .count();
    (edges.len(), always)
}

#[test]
fn automata_are_small() {
    // Havoc, two branches, the assignment of the result.
    assert_eq!(
        edges_of("int main(void) { int x = __VERIFIER_nondet_int(); while (x > 0 && x != 5) ; return x; }").1,
        0
    );
    assert_eq!(
        edges_of("int main(void) { int x = __VERIFIER_nondet_int(); if (x) { } else { } return 1; }"),
        (2, 0)
    );
    assert_eq!(edges_of("int main(void) { int x = 0; do { x = 1; } while (0); return x; }"), (3, 0));
    assert_eq!(edges_of("int main(void) { int x = 0; for (int i = 0; i < 3; i++) x += i; return x; }").0, 7);
    assert_eq!(edges_of("void main(void) { while (1) ; }"), (0, 0));
}

#[test]
fn type_errors_are_reported() {
    for (text, message) in [
        ("short long x; int main(void) { return 0; }", "cannot be combined"),
        ("int main(void) { return y; }", "'y' undeclared"),
        ("int f(int a); int main(void) { return f(); }", "too few arguments"),
        ("int f(int a); int main(void) { return f(1, 2); }", "too many arguments"),
        ("struct s { int i; }; int main(void) { struct s s; return s + 1; }", "invalid operands"),
        ("struct s { int i; }; int main(void) { struct s s; if (s) return 1; return 0; }", "scalar"),
        ("int main(void) { 3 = 4; return 0; }", "lvalue required"),
        ("int main(void) { break; return 0; }", "break statement"),
        ("int main(void) { case 1: return 0; }", "case label not within"),
        ("int main(void) { switch (1) { case 1: case 1: ; } return 0; }", "duplicate case"),
        ("int main(void) { goto nowhere; return 0; }", "'nowhere'"),
        ("int main(void) { l: l: return 0; }", "duplicate label"),
        ("void f(void); int main(void) { return f() + 1; }", "void value"),
        ("int x; long x; int main(void) { return 0; }", "conflicting types"),
        ("int f(void); long f(int x) { return x; } int main(void) { return 0; }", "conflicting types"),
        ("int f(void) { return 1; } int f(void) { return 2; } int main(void) { return 0; }", "redefinition"),
        ("int x = 1; int x = 2; int main(void) { return 0; }", "redefinition"),
        ("struct s { int i; }; int main(void) { struct s s; return s.j; }", "no member named 'j'"),
        ("int main(void) { int x; int x; return 0; }", "redeclaration"),
        ("int main(void) { int x; return *x; }", "unary '*'"),
        ("struct s; int main(void) { struct s s; return 0; }", "isn't known"),
        ("_Static_assert(sizeof(int) == 5, \"five\"); int main(void) { return 0; }", "five"),
        ("int other(void) { return 0; }", "no function 'main'"),
    ] {
        let found = error_of(text);
        assert!(found.contains(message), "{found:?} for {text}");
    }
}
