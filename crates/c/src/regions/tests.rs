use super::*;
use crate::source::{Input, PreparedSource};
use crate::typed::{Callee, ExprKind, Initializer, Stmt, StmtKind};
use crate::typed::{LValue, LValueKind};
use crate::{DataModel, LoadOptions, check, parse};

/// A program and its regions; things are named by the names of variables and functions, which must be
/// unique.
struct Analysed<'a> {
    typed: &'a TypedProgram,
    regions: Regions<'a>,
}

fn with_model(data_model: DataModel, text: &str, look: impl FnOnce(Analysed)) {
    let options = LoadOptions { data_model, ..LoadOptions::default() };
    let text = format!(
        "typedef unsigned long size_t; void *malloc(size_t); void *calloc(size_t, size_t);\n\
         void *realloc(void *, size_t); void free(void *); void *memset(void *, int, size_t);\n\
         void *memcpy(void *, const void *, size_t); int nondet(void);\n{text}"
    );
    let prepared = PreparedSource::new(&Input::from_text("input.c", &text), &options).unwrap();
    let unit = parse::parse(&prepared, 1 << 20).unwrap();
    let Ok(typed) = check::check(&unit, &prepared, &options) else { panic!("not accepted: {text}") };
    look(Analysed { typed: &typed, regions: Regions::analyse(&typed) });
}

fn with(text: &str, look: impl FnOnce(Analysed)) {
    with_model(DataModel::Lp64, text, look);
}

impl Analysed<'_> {
    fn object(&self, name: &str) -> ObjectId {
        // The checker also enters the parameters of declarations, before those of the definition.
        let found = self.typed.objects.iter().rposition(|object| object.name == name);
        ObjectId::from_index(found.unwrap_or_else(|| panic!("no variable {name}")))
    }

    fn function(&self, name: &str) -> FunctionId {
        let found = self.typed.functions.iter().position(|function| function.name == name);
        FunctionId::from_index(found.unwrap_or_else(|| panic!("no function {name}")))
    }

    /// The region of a variable.
    fn region(&self, name: &str) -> Option<RegionId> {
        self.regions.of_object(self.object(name))
    }

    fn read(&self, name: &str) -> Expr {
        let object = self.object(name);
        let info = &self.typed.objects[object.index()];
        let place = LValue { kind: LValueKind::Object(object), ty: info.ty };
        Expr::new(&self.typed.types, ExprKind::Load(place), info.ty, info.span)
    }

    /// The region that the value of a scalar variable points into.
    fn points(&self, name: &str) -> Option<RegionId> {
        self.regions.of_pointer(&self.read(name))
    }

    fn info(&self, name: &str) -> &RegionInfo {
        self.regions.info(self.region(name).unwrap_or_else(|| panic!("{name} is not in memory")))
    }

    fn target(&self, name: &str) -> &RegionInfo {
        self.regions.info(self.points(name).unwrap_or_else(|| panic!("{name} points to nothing")))
    }

    fn callees(&self, pointer: &str) -> Vec<&str> {
        let callees = self.regions.callees(&self.read(pointer));
        callees.iter().map(|id| self.typed.functions[id.index()].name.as_str()).collect()
    }
}

#[test]
fn only_what_has_an_address_is_in_memory() {
    with("struct s { int a; } s; int x, y, z[2]; int main(void) { int *p = &x; y = *p; return s.a; }", |a| {
        for (name, expected) in [("s", true), ("x", true), ("y", false), ("z", true), ("p", false)] {
            assert_eq!(a.regions.in_memory(a.object(name)), expected, "{name}");
            assert_eq!(a.region(name).is_some(), expected, "{name}");
        }
        assert_eq!(a.points("p"), a.region("x"));
        assert_eq!(a.points("y"), None);
        assert_eq!(a.info("x").objects, [a.object("x")]);
    });
}

#[test]
fn unrelated_arrays_are_apart() {
    with(
        "int a[10], b[10], c[10]; int main(void) { int *p = a, *q = b; q = p + 1; p[1] = b[2] + c[3]; }",
        |a| {
            assert_eq!(a.region("a"), a.region("b"));
            assert_ne!(a.region("a"), a.region("c"));
            assert_eq!(a.info("c").objects, [a.object("c")]);
            assert_eq!(a.info("a").objects, [a.object("a"), a.object("b")]);
            assert!(a.info("a").through_pointers);
            assert!(!a.info("c").through_pointers);
        },
    );
}

#[test]
fn direct_indexing_is_not_through_pointers() {
    let direct = "struct s { int m[4]; } s; int a[10]; int main(void) { int i = nondet(); s.m[i] = 2; a[i] = 1; return i[a]; }";
    with(direct, |a| {
        assert!(!a.info("a").through_pointers);
        assert!(!a.info("s").through_pointers);
    });
    let pointer = "int a[10]; int main(void) { int *p, i = nondet(); p = a; p[i] = 1; }";
    with(pointer, |a| assert!(a.info("a").through_pointers));
    let member = "struct s { int m[4]; } s; int main(void) { struct s *p = &s; p->m[1] = 1; }";
    with(member, |a| assert!(a.info("s").through_pointers));
    let unused = "int a[10]; int main(void) { int *p = a; }";
    with(unused, |a| assert!(!a.info("a").through_pointers));
    let filled = "int a[10]; int main(void) { memset(a, 0, sizeof(a)); }";
    with(filled, |a| assert!(!a.info("a").through_pointers));
    let freed = "int main(void) { void *p = malloc(4); free(p); }";
    with(freed, |a| assert!(a.target("p").through_pointers));
}

#[test]
fn pointers_flow_through_parameters_and_results() {
    with(
        "int x, y; int *id(int *p) { return p; } void set(int **to, int *v) { *to = v; }
         int main(void) { int *q, *r = id(&x); set(&q, &y); return *q; }",
        |a| {
            assert_eq!(a.points("r"), a.region("x"));
            assert_eq!(a.points("q"), a.region("y"));
            assert_ne!(a.region("x"), a.region("y"));
            assert_eq!(a.points("to"), a.region("q"));
        },
    );
}

#[test]
fn pointers_flow_through_conditionals_commas_and_statement_expressions() {
    with(
        "int x, y, z, w; int main(void) { int *p = nondet() ? &x : (int *)0; int *q = (nondet(), &y);
         int *r = ({ int *t = &z; t; }); int *s; s = r == q ? &w : s; }",
        |a| {
            assert_eq!(a.points("p"), a.region("x"));
            assert_eq!(a.points("q"), a.region("y"));
            assert_eq!(a.points("r"), a.region("z"));
            assert_eq!(a.points("s"), a.region("w"));
        },
    );
}

#[test]
fn pointers_flow_through_fields_and_initialisers() {
    with(
        "int x, y, z; struct s { int *p; int n; }; struct s s = { &x, 3 }; int *table[2] = { [1] = &z };
         int main(void) { struct s t; struct s *u = &t; u->p = &y; int *q = t.p, *r = s.p, *v = table[0];
         struct s local = { .p = &y }; int *w = local.p; }",
        |a| {
            assert_eq!(a.points("q"), a.region("y"));
            assert_eq!(a.points("r"), a.region("x"));
            assert_eq!(a.points("v"), a.region("z"));
            assert_eq!(a.points("w"), a.region("y"));
            assert_ne!(a.region("x"), a.region("y"));
        },
    );
}

const LIST: &str = "struct node { struct node *next; int data; };
    struct node *make(int d) { struct node *n = malloc(sizeof(struct node)); n->data = d; n->next = 0; return n; }
    int main(void) { struct node *l = 0; int sum = 0;
      for (int i = 0; i < 3; i++) { struct node *e = make(i); e->next = l; l = e; }
      for (struct node *w = l; w; w = w->next) sum += w->data;
      int *alone = malloc(4); *alone = sum; return sum; }";

#[test]
fn lists_are_one_region_and_their_numbers_are_no_addresses() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        with_model(model, LIST, |a| {
            assert!(a.points("l").is_some());
            assert_eq!(a.points("w"), a.points("l"));
            assert_eq!(a.points("n"), a.points("l"));
            assert_eq!(a.target("l").allocations.len(), 1);
            assert_ne!(a.points("alone"), a.points("l"));
            assert_eq!(a.points("sum"), None);
            assert_eq!(a.target("l").cell, 4);
            assert!(a.target("l").through_pointers);
        });
    }
}

#[test]
fn allocations_are_known_by_their_position() {
    with("int main(void) { int *p = (int *)malloc(4); p = realloc(p, 8); int *q = calloc(1, 4); }", |a| {
        let info = a.target("p");
        assert_eq!(info.allocations.len(), 2);
        for &span in &info.allocations {
            assert_eq!(a.regions.of_allocation(span), a.points("p"));
        }
        assert_ne!(a.points("p"), a.points("q"));
        assert_eq!(a.regions.of_allocation(Span::none()), None);
    });
}

#[test]
fn integers_carry_addresses() {
    with(
        "int a[4], b[4]; int main(void) { unsigned long n = (unsigned long)&a[1]; n = n & -(n % 7);
         int *p = (int *)n; unsigned long m = (unsigned long)b; int *q = (int *)m; }",
        |a| {
            assert_eq!(a.points("p"), a.region("a"));
            assert_eq!(a.points("q"), a.region("b"));
            assert_ne!(a.points("p"), a.points("q"));
            assert_eq!(a.info("a").cell, 1, "arithmetic may give any address");
            assert_eq!(a.info("b").cell, 16);
        },
    );
}

#[test]
fn reading_pointers_as_numbers_keeps_what_they_point_to() {
    let union = "int x; union u { int *p; long n; } u; int main(void) { u.p = &x; long k = u.n; }";
    with(union, |a| assert_eq!(a.points("k"), a.region("x")));
    let cast = "int x; int main(void) { int *p = &x; void *v = &p; long *l = v; long k = *l; }";
    with(cast, |a| assert_eq!(a.points("k"), a.region("x")));
    let bytes = "int x; int main(void) { int *p = &x, *q; char *from = (char *)&p, *to = (char *)&q;
        for (int i = 0; i < 8; i++) to[i] = from[i]; }";
    with(bytes, |a| assert_eq!(a.points("q"), a.region("x")));
    let copied = "int x; int main(void) { int *p = &x; long k; memcpy(&k, &p, 8); }";
    with(copied, |a| assert_eq!(a.points("k"), a.region("x")));
    let deep = "struct s { int *p; long n; } s; int x;
        int main(void) { s.p = &x; struct s *p = &s; void *v = &p; long **l = v; long k = **l; }";
    with(deep, |a| assert_eq!(a.points("k"), a.region("x")));
    let unprototyped = "int x; long take(l) long *l; { return *l; }
        int main(void) { int *p = &x; long k = take(&p); }";
    with(unprototyped, |a| assert_eq!(a.points("k"), a.region("x")));
}

#[test]
fn function_pointers_in_tables() {
    with(
        "int x, y; struct ops { int *(*get)(int *); int (*other)(void); };
         int *first(int *p) { return p; } int *second(int *p2) { return &y; } int third(void) { return 1; }
         struct ops table[] = { { first, third }, { .get = &second } };
         int main(void) { int i = nondet(); int *(*f)(int *) = table[i].get; int *r = f(&x);
           int *(*g)(int *) = first; int *s = g(&x); return table[0].other(); }",
        |a| {
            assert_eq!(a.callees("f"), ["first", "second", "third"], "fields are not told apart");
            assert_eq!(a.points("r"), a.region("x"));
            assert_eq!(a.points("p2"), a.region("x"));
            assert_eq!(a.region("x"), a.region("y"));
        },
    );
}

#[test]
fn calls_through_pointers_need_not_fit() {
    with(
        "int x, y; void two(int *p, int *q) { *q = *p; } int one(int *r) { return *r; }
         int main(void) { void (*f)() = two; f(&x, &y); f = (void (*)())one; f(&x); }",
        |a| {
            assert_eq!(a.callees("f"), ["two", "one"]);
            assert_eq!(a.points("q"), a.region("y"));
            assert_eq!(a.points("r"), a.region("x"));
        },
    );
}

#[test]
fn library_functions_behind_pointers_have_their_effects() {
    with(
        "int main(void) { void *(*get)(size_t) = malloc; int *p = get(4); int **(*other)(size_t) = (void *)get; }",
        |a| {
            assert_eq!(a.callees("get"), ["malloc"]);
            assert_eq!(a.target("p").allocations.len(), 1);
        },
    );
}

#[test]
fn structures_by_value() {
    with(
        "int x, y; struct s { int *p; int n; }; struct s s, t;
         int use(struct s param) { return *param.p; }
         struct s give(void) { struct s local; local.p = &y; return local; }
         int main(void) { s.p = &x; t = give(); int *q = give().p; return use(s); }",
        |a| {
            assert_eq!(a.region("param"), a.region("s"));
            assert_eq!(a.region("local"), a.regions.of_result(a.function("give")));
            assert_eq!(a.region("local"), a.region("<result>"));
            assert_ne!(a.region("local"), a.region("t"), "an assignment copies");
            assert_eq!(a.points("q"), a.region("y"));
            assert_ne!(a.region("x"), a.region("y"));
            assert_eq!(a.regions.of_result(a.function("use")), None);
            assert_eq!(a.info("s").cell, 8, "the number is never accessed");
        },
    );
}

#[test]
fn compound_literals_are_variables() {
    with(
        "struct s { int *p; }; int x; int main(void) { struct s *q = &(struct s){ &x }; int *r = q->p; }",
        |a| {
            assert_eq!(a.points("q"), a.region("<compound literal>"));
            assert_eq!(a.points("r"), a.region("x"));
        },
    );
}

#[test]
fn string_literals_are_interned() {
    with(
        "char own[] = \"abc\"; int main(void) { const char *p = \"xyz\", *q = \"xyz\", *r = \"uvw\"; int *w = L\"xyz\"; }",
        |a| {
            assert_eq!(a.points("p"), a.points("q"));
            assert_ne!(a.points("p"), a.points("r"));
            assert_ne!(a.points("p"), a.points("w"));
            let [id] = a.target("p").strings[..] else { panic!("one literal") };
            assert_eq!(a.regions.literal(id).bytes, b"xyz");
            assert_eq!(Some(a.regions.of_string(id)), a.points("p"));
            let ty = a.typed.objects[a.object("own").index()].ty;
            assert_eq!(a.regions.string(b"xyz", ty), Some(id));
            assert_eq!(a.regions.string(b"abc", ty), None, "it only initialises");
            assert_eq!((a.target("p").cell, a.target("w").cell, a.info("own").cell), (1, 4, 1));
        },
    );
}

#[test]
fn cells_divide_every_access() {
    let cells: &[(&str, u64)] = &[
        ("int v[10]; int main(void) { return v[nondet()]; }", 4),
        ("struct { int a, b; } v; int main(void) { return v.a + v.b; }", 4),
        ("struct { char c; int n; } v; int main(void) { return v.c + v.n; }", 1),
        ("struct { int *p; int n; } v; int main(void) { v.p = 0; return v.n; }", 4),
        ("struct { int *p; int n; } v; int main(void) { v.p = 0; }", 8),
        ("long v[4]; int main(void) { v[1] = 2; }", 8),
        ("long double v[4]; int main(void) { v[1] = 2; }", 16),
        ("struct { long a; int b, c; } v; int main(void) { v.a = 1; v.c = 2; }", 4),
        ("struct { unsigned a : 3, b : 5; } v; int main(void) { return v.a + v.b; }", 4),
        ("int v[4]; int main(void) { memset(v, 0, sizeof(v)); v[0] = 1; }", 4),
        ("int v[4]; int main(void) { memset(v, 0, 6); v[0] = 1; }", 2),
        ("long v[4]; int main(void) { memset(v, 0, nondet()); }", 8),
        ("long v[4]; int main(void) { memset(v, 0, nondet() * 4); }", 4),
        ("long v[4]; int main(void) { void *p = v; memset(p, 0, nondet()); }", 1),
        ("long v[4], w[4]; int main(void) { memcpy(v, w, sizeof(long)); v[0] = 1; }", 8),
        ("int v[4]; int main(void) { char *p = (char *)v; free(p); v[1] = 1; }", 4),
        ("int v[4]; int main(void) { char *p = (char *)v; *p = 1; }", 1),
        ("int v[4]; int main(void) { int *p = (int *)((char *)v + 8); *p = 1; }", 4),
        ("int v[4]; int main(void) { int *p = (int *)((char *)v + 2); *p = 1; }", 2),
        ("int v[4]; int main(void) { char *p = (char *)v; p++; }", 1),
        ("int v[4]; int main(void) { int *p = (int *)((long)v + 8); *p = 1; }", 4),
        ("int v[4]; int main(void) { long n = (long)v; n += 2; *(int *)n = 1; }", 2),
        ("int v[4]; int main(void) { long n = (long)v; *(int *)((n | 1) & ~1L) = 1; }", 1),
        ("int v[4]; int main(void) { int *p = (int *)((long)v + nondet()); *p = 1; }", 1),
        ("int v[4]; int main(void) { long n = (long)v >> 1; *(int *)n = 1; }", 1),
        ("int v[4]; int main(void) { double d = (long)v; *(int *)(long)(d + 4) = 1; }", 1),
        ("float v[4]; int main(void) { v[1] = 2; }", 4),
        ("struct s { int a; short b, c; } v, w; int main(void) { v = w; }", 8),
        ("struct s { long a; struct { short b, c; } i; } v; int main(void) { void *p = &v.i; }", 8),
        ("struct s { long a; int x; struct { short b, c; } i; } v; int main(void) { void *p = &v.i; }", 4),
        ("struct s { short a, b, c, d; } v = { .b = 1 }; int main(void) { }", 2),
    ];
    for (text, expected) in cells {
        with(text, |a| assert_eq!(a.info("v").cell, *expected, "{text}"));
    }
    let pair = "struct { int *p; int n; } v; int main(void) { v.p = 0; return v.n; }";
    with_model(DataModel::Ilp32, pair, |a| assert_eq!(a.info("v").cell, 4));
    let long_double = "long double v[4]; int main(void) { v[1] = 2; }";
    with_model(DataModel::Ilp32, long_double, |a| assert_eq!(a.info("v").cell, 4));
}

#[test]
fn recursion_is_found_in_all_its_forms() {
    with(
        "int fact(int n) { return n ? n * fact(n - 1) : 1; } int odd(int n);
         int even(int n) { return n ? odd(n - 1) : 1; } int odd(int n) { return n ? even(n - 1) : 0; }
         int (*hook)(int); int back(int n) { return hook(n); } int plain(int n) { return fact(n) + even(n); }
         int main(void) { hook = back; return plain(3) + back(2); }",
        |a| {
            let recursive = |name: &str| a.regions.is_recursive(a.function(name));
            let expected = [
                ("fact", true),
                ("odd", true),
                ("even", true),
                ("back", true),
                ("plain", false),
                ("main", false),
            ];
            for (name, expected) in expected {
                assert_eq!(recursive(name), expected, "{name}");
            }
            assert!(a.regions.same_cycle(a.function("odd"), a.function("even")));
            assert!(a.regions.same_cycle(a.function("fact"), a.function("fact")));
            assert!(!a.regions.same_cycle(a.function("fact"), a.function("even")));
            assert!(!a.regions.same_cycle(a.function("plain"), a.function("plain")));
        },
    );
}

#[test]
fn models_take_the_place_of_library_functions() {
    let text = "int x; int *stored; int *library(int *); int *model(int *p) { stored = p; return p; }
        int main(void) { int *r = library(&x); }";
    let options = LoadOptions::default();
    let prepared = PreparedSource::new(&Input::from_text("input.c", text), &options).unwrap();
    let unit = parse::parse(&prepared, 1 << 20).unwrap();
    let Ok(mut typed) = check::check(&unit, &prepared, &options) else { panic!("not accepted") };
    let position = |name: &str| typed.functions.iter().position(|function| function.name == name).unwrap();
    let (library, model) = (position("library"), position("model"));
    typed.functions[library].model = Some(FunctionId::from_index(model));
    let a = Analysed { typed: &typed, regions: Regions::analyse(&typed) };
    assert_eq!(a.points("r"), a.region("x"));
    assert_eq!(a.points("stored"), a.region("x"));
}

#[test]
fn what_comes_from_outside_points_to_no_object() {
    with(
        "char *getenv(const char *); int main(int argc, char **argv) { char *p = getenv(\"HOME\"), *q = argv[1]; }",
        |a| {
            for name in ["p", "q", "argv"] {
                assert_eq!(a.points(name), None, "{name}");
            }
        },
    );
}

#[test]
fn parameters_of_declarations_are_no_variables() {
    with("struct s { int a; }; int take(struct s named); int main(void) { return 0; }", |a| {
        assert_eq!(a.region("named"), None);
        assert_eq!(a.regions.regions().count(), 0);
    });
}

/// Everything that the walk says about an expression must be found again by asking.
#[test]
fn places_agree_with_pointers() {
    with("int a[3]; int *p = a; int main(void) { *p = 1; }", |a| {
        let Some(Initializer::Scalar(value)) = &a.typed.objects[a.object("p").index()].initializer else {
            panic!("an initialiser")
        };
        assert_eq!(a.regions.of_pointer(value), a.region("a"));
        assert_eq!(a.regions.regions().count(), 1);
    });
    with("int f(void); int (*g)(void) = f; int main(void) { return g(); }", |a| {
        let body = a.typed.functions[a.function("main").index()].body.as_ref().unwrap();
        let StmtKind::Block(statements) = &body.statement.kind else { panic!("a block") };
        let [Stmt { kind: StmtKind::Return(Some(value)), .. }] = &statements[..] else { panic!("a return") };
        let ExprKind::Call(Callee::Pointer(pointer), ..) = &value.kind else { panic!("a call") };
        assert_eq!(a.regions.callees(pointer), [a.function("f")]);
    });
}
