/* Extensions of GNU C and newer C: types from initialisers, unions from members, wide bit-fields, addresses of labels. */
void report(unsigned long long value);
#define R(...) report((unsigned long long)(__VA_ARGS__))
#define MAX(a, b) ({ __auto_type a_ = (a); __auto_type b_ = (b); a_ > b_ ? a_ : b_; })

_Static_assert(sizeof(int) == 4);
_Static_assert(sizeof(char[2]) == 2, "a message, with a comma");
struct asserts { char c; _Static_assert(sizeof(long long) == 8); char d; };

struct aligned { char a; _Alignas(16) char b; _Alignas(long long) char c; _Alignas(2) _Alignas(8) char d; char e; };
struct nested { char a; struct { char x; _Alignas(4) char y; } in; _Alignas(0) char z; };
enum { EIGHT = 8 };
typedef short two_bytes;
struct named { char a; _Alignas(EIGHT) char b; _Alignas(two_bytes) char c; char d; };
static _Alignas(32) char aligned_global;

union number { int i; unsigned u; float f; };
union pointers { int *i; char *c; void *v; } __attribute__((transparent_union));
typedef union { int *i; const char *c; } arg __attribute__((transparent_union));
static int first(union pointers p) { return p.i ? *p.i : -1; }
static int second(arg p, int n) { return p.c[n]; }

struct wide { unsigned long long u : 40; long long s : 40; unsigned long long full : 64; unsigned long long w : 33; long long t : 63; };
struct longs { unsigned long a : 30, b : 2; long c : 17; unsigned long d : 32; };
struct narrow { unsigned u : 3; int s : 3; unsigned full : 32; };

static void wide_fields(void) {
    struct wide x = { ~0ull, -1, ~0ull, ~0ull, -1 };
    R(sizeof x); R(x.u); R(x.s); R(x.full); R(x.w); R(x.t);
    R(x.u + 1); R(x.u + 1 == 0); R(x.u << 4); R((x.u << 4) >> 4); R(x.u + 1ll); R(x.u * 3); R(-x.u); R(~x.u);
    R(x.u > -1); R(x.s < 0u); R(x.s + 1u); R(x.s >> 3); R(x.w + x.u); R(x.w + 1); R(x.u + x.s < 0); R(x.t - 2);
    R(x.u / 3); R(x.u % 1000); R(x.s / 7); R(x.u & -2); R(x.u ? 1 : 2); R(!x.u); R(x.s == x.u);
    x.u++; R(x.u); x.u--; R(x.u); x.u += 5; R(x.u); x.u -= 10; R(x.u); x.u <<= 8; R(x.u); x.s *= 100000; R(x.s);
    x.s = 0x7fffffffffll; R(x.s + 0); R(x.s - 1); x.u = 1ull << 39; R(x.u + x.u); R(x.u * 2 == 0); R((x.u = 1ull << 39) * 2);
    R(x.w << 1); R(x.u++ + x.u); R((0, x.u) << 20); R(1 ? x.u : x.u); R((x.u ?: 7) << 30);
    int a[4] = { 1, 2, 3, 4 }; x.u = 2; x.w = 3; R(a[x.u]); R(*(a + x.w)); R(1 << x.u);
    switch (x.u + 1) { case 3: R(33); break; default: R(44); }
    struct longs l = { ~0ul, 3, -7, ~0ul };
    R(sizeof l); R(l.a + 1); R(l.b); R(l.c * 2); R(l.d); R(l.d + 1); R(l.a - l.d); R(l.c - l.a); R(-l.a < 0); R(-l.d < 0);
}
static void narrow_fields(void) {
    struct narrow n = { 5, -3, 7 };
    R((n.u = 5) - 6 < 0); R(n.u++ - 7 < 0); R((n.u += 1) - 9 < 0); R((0, n.u) - 9 < 0); R(n.full - 9 < 0); R((n.full = 1) - 2 < 0);
    R((1 ? n.u : n.u) - 8 < 0); R(sizeof(1 ? (char)1 : (char)2)); R(sizeof((0, (char)1))); R((n.s = 5)); R((n.u = 13)); R(n.s--); R(--n.s);
}
static void automatic_types(void) {
    __auto_type x = 5; __auto_type y = 5ll; const __auto_type z = (char)3; static __auto_type s = 7u;
    int a[3] = { 1, 2, 3 }; __auto_type p = a; __auto_type f = &wide_fields;
    R(sizeof x); R(sizeof y); R(sizeof z); R(p[1]); R(s); R(sizeof(s - 8 > 0)); R(f == wide_fields);
    R(MAX(3, 4)); R(MAX(-1, 1u)); R(MAX(7ll, 2)); R(MAX(MAX(1, 2), MAX(5, 4)));
    { __auto_type x = 1ll; R(sizeof x); }
    for (__auto_type i = 0; i < 2; i++) R(i);
}
static void compatible_types(void) {
    struct narrow n; int a[4]; typedef int number;
    R(__builtin_types_compatible_p(int, int)); R(__builtin_types_compatible_p(int, number)); R(__builtin_types_compatible_p(int, unsigned));
    R(__builtin_types_compatible_p(const int, volatile number)); R(__builtin_types_compatible_p(typeof(a), typeof(&a[0])));
    R(__builtin_types_compatible_p(struct narrow, struct wide)); R(__builtin_types_compatible_p(typeof(n), struct narrow));
    R(__builtin_types_compatible_p(long, int)); R(__builtin_types_compatible_p(int *, long *)); R(__builtin_types_compatible_p(char, signed char));
    R(__builtin_types_compatible_p(long long[3], long long[3])); R(__builtin_types_compatible_p(long long[3], long long[4]));
    R(sizeof(typeof(a))); R(sizeof(typeof(typeof(n)))); typeof(typeof(a)) b = { 4 }; R(sizeof b); R(sizeof(__typeof__(number)));
    R(__builtin_choose_expr(__builtin_types_compatible_p(typeof(a[0]), int), 11, 22));
}
static void unions(void) {
    int i = 5; unsigned u = 7; char c = 'c', text[] = "text"; union number n = (union number)i;
    R(n.i); n = (union number)u; R(n.u); R(((union number)-1).u); R(((union number)(u + 1)).i);
    R(first(&i)); R(first((void *)&i)); R(first(0)); union pointers p = { .i = &i }; R(first(p)); R(second(text, 1)); R(second("literal", 2)); R(first((union pointers)&i));
    R(sizeof(struct aligned)); R(__builtin_offsetof(struct aligned, b)); R(__builtin_offsetof(struct aligned, c)); R(__builtin_offsetof(struct aligned, d)); R(__builtin_offsetof(struct aligned, e));
    R(sizeof(struct nested)); R(__builtin_offsetof(struct nested, in.y)); R(sizeof(struct named)); R(__builtin_offsetof(struct named, b)); R(__builtin_offsetof(struct named, c));
    _Alignas(16) struct { char c; } local = { 3 }; R(local.c); R(aligned_global); R(_Alignof(struct aligned)); (void)c;
}
static void literals(void) {
    const char *s = "\u00e9\U0001F600x\u20ac"; while (*s) R(*s++);
    for (int i = 0; i < 5; i++) R(u"a\u00e9\U0001F600"[i]); for (int i = 0; i < 3; i++) { R(U"\u00e9\U0001F600"[i]); R(L"\u20ac\x41"[i]); }
    R(sizeof "\u00e9"); R(sizeof u8"\u20ac"); R(u'\u20ac'); R(U'\U0001F600'); R(L'\u00e9'); R('\\'); R("\\u0041"[1]); R("\\\u00e9"[0]); R(sizeof "\\u00e9"); R("\u0040"[0]);
}
static int dispatch(const char *code) {
    static const void *const table[] = { &&add, &&twice, &&done };
    int value = 0;
    goto *table[*code++ - 'a'];
add:
    value++;
    goto *table[*code++ - 'a'];
twice:
    value *= 2;
    goto *table[*code++ - 'a'];
done:
    return value;
}
static int loops(int n) {
    void *next = n > 3 ? &&large : &&small; int sum = 0;
    for (int i = 0; i < n; i++) {
        int local = i * 2;
        goto *next;
    large:
        sum += local; next = (void *)&&small; continue;
    small:
        sum += 100; next = n > 5 ? &&large : next;
    }
    return sum + (next != &&small) + (&&large != 0) + (next && &&small != &&large ? 1000 : 0);
}
struct box { int v[3]; };
static struct box global = { { 1, 2, 3 } };
static int change(int n) { global.v[0] += n; return n; }
static int take(struct box a, int n, struct box b) { a.v[1] += n; return a.v[0] * 10000 + a.v[1] * 100 + b.v[0]; }
static int recurse(struct box b, int depth) { return depth ? recurse(b, change(depth - 1)) * 2 + b.v[0] : b.v[0]; }
static void by_value(void) {
    struct box local = { { 4, 5, 6 } }, *p = &local;
    R(take(global, 7, global)); R(take(local, 1, local)); R(take(*p, p->v[1], *p)); R(recurse(local, 3)); R(local.v[0]);
}
int main(void) {
    wide_fields(); narrow_fields(); automatic_types(); compatible_types(); unions(); literals(); by_value();
    R(dispatch("aabac")); R(dispatch("c")); R(dispatch("aaabbbac")); R(loops(2)); R(loops(5)); R(loops(9));
    return 0;
}
