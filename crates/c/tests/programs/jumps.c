/* Control flow around declarations of arrays and structures, conversions between models, odd places. */
void report(unsigned long long value);
#define R(...) report((unsigned long long)(__VA_ARGS__))
struct pair { int a, b; };

static int around(int n) {
    int i = 0, sum = 0;
again:;
    int a[3] = { i, i + 1 };
    struct pair p = { .b = i };
    a[2] += p.b;
    sum += a[0] + a[1] * 10 + a[2] * 100 + p.a;
    p.a = 77;
    a[2] = 5;
    if (++i < n) {
        goto again;
    }
    return sum;
}
static int skip(int n) {
    switch (n) {
        int a[2];
    case 0:
        a[0] = 4;
        a[1] = a[0] + 1;
        return a[0] * a[1];
    case 1: {
        struct pair p = { 1, 2 };
        if (0) {
    case 2:
            p.a = 9;
            p.b = 8;
        }
        return p.a * 10 + p.b;
    }
    default:
        a[1] = n;
        return a[1];
    }
}
static int into(int n) {
    struct pair p;
    if (n) {
        goto inside;
    }
    {
        int b[2] = { 1, 2 };
        p.a = b[1];
        if (0) {
        inside:
            b[0] = 6;
            b[1] = 7;
            p.a = b[0];
        }
        p.b = b[1];
    }
    return p.a * 10 + p.b;
}
static int loops(void) {
    int total = 0;
    for (struct pair p = { 0, 10 }; p.a < p.b; p.a++, p.b--) {
        int grid[2][2] = { { p.a }, { 0, p.b } };
        if (grid[0][0] == 2) {
            continue;
        }
        for (int *q = &grid[0][0]; q < &grid[0][0] + 4; q++) {
            total = total * 2 + *q;
            if (*q > 8) {
                break;
            }
        }
        grid[0][1] = 50;
    }
    while (({ int t[2] = { total, 3 }; t[1] += t[0] & 1; total /= t[1]; total; }) > 10) {
        total -= ({ struct pair z = { 1, 2 }; z.a + z.b; });
    }
    return total;
}
static int shadow(int x) {
    int a[2] = { x, 1 };
    {
        int a[3] = { 5, x };
        a[2] = 8;
        x = a[1] + a[2];
    }
    { struct pair a = { x, a.a }; x = a.a; }
    return x * 10 + a[1];
}
static int by_address(int a, char b, struct pair c, int d[2], _Bool e) { int *p = &a; char *q = &b; struct pair *r = &c; _Bool *f = &e; *p += 1; *q += 1; r->a += 1; d[0] += 1; *f = !*f; return a + b + c.a * 10 + d[0] * 100 + e * 1000; }
static int comma_tricks(int x) { int a[3] = { 1, 2, 3 }, i = 0; (x > 0 ? a : a + 1)[1] = 50; *(i++, a) = 60; (*&a)[i] += 1; *({ i++; &a[i]; }) -= 2; return a[0] * 10000 + a[1] * 100 + a[2]; }
static int short_circuit(int *p) { int n = 0; n += p && *p > 3; n += (!p || *p < 3) * 10; n += p ? *p : 1000; return n; }
static int logic(int n) { int a[4] = { 0, 1, 2, 3 }, i = n; return (a[i & 3] && a[i++ & 3] > 1) + (a[i & 3]++ || a[i & 3]--) * 10 + a[n & 3] * 100 + i * 1000; }
typedef char *string; typedef int triple[3]; typedef triple *triples;
static long long sizes(void) { triple t = { 1, 2, 3 }; triples u = &t; string s = "abc"; return sizeof(triple) + sizeof *u * 100 + (*u)[2] * 10000 + s[1] * 1000000LL; }
static unsigned long unsigned_long(int x) { unsigned long v = x; long w = (unsigned)x; size_t: R(v); R(w); R((unsigned long)-1 > 0xFFFFFFFFu); R((long)(int)v); return v >> 4; }
static int assigned(int *p, int *q) { return *p = *q = *p + 1, *p += *q -= 1, *p; }
static int returns_void_expression_helper; static void vf(int *p) { *p = 4; } static void vg(int *p) { return vf(p); }
struct list { int v; struct list *n; }; static int stack_list(int depth, struct list *up) { struct list me = { depth, up }; if (depth < 4) { return stack_list(depth + 1, &me); } int s = 0; for (struct list *l = &me; l; l = l->n) { s = s * 10 + l->v; l->v++; } return s; }
static unsigned hash(const void *data, int size) { const unsigned char *p = data; unsigned h = 5381; while (size--) { h = h * 33 ^ *p++; } return h; }
static int sort(int *a, int n) { int moves = 0; for (int i = 1; i < n; i++) { int k = a[i], j = i - 1; for (; j >= 0 && a[j] > k; j--, moves++) { a[j + 1] = a[j]; } a[j + 1] = k; } return moves; }
static int sieve(void) { _Bool composite[50] = { 1, 1 }; int count = 0; for (int i = 2; i < 50; i++) { if (!composite[i]) { count++; for (int j = i * i; j < 50; j += i) { composite[j] = 1; } } } return count; }
static int copy_string(char *t, const char *s) { char *start = t; while ((*t++ = *s++)) { } return t - start; }
int main(void) {
    R(around(4)); for (int i = 0; i < 4; i++) { R(skip(i)); } R(into(0)); R(into(1)); R(loops()); R(shadow(3)); int d[2] = { 1, 2 }; R(by_address(1, 2, (struct pair){ 3, 4 }, d, 0)); R(d[0]); R(comma_tricks(1)); R(comma_tricks(0)); int five = 5; R(short_circuit(&five)); R(short_circuit(0)); five = 1; R(short_circuit(&five));
    for (int i = 0; i < 4; i++) { R(logic(i)); } R(sizes()); R(unsigned_long(-5)); int p = 1, q = 2; R(assigned(&p, &q)); R(q); vg(&p); R(p); R(stack_list(0, 0)); struct pair pairs[3] = { { 1, 2 }, { 3, 4 } }; R(hash(pairs, sizeof pairs)); R(hash("text", 4)); int numbers[7] = { 5, 3, 8, 1, 9, 2, 7 }; R(sort(numbers, 7)); for (int i = 0; i < 7; i++) { R(numbers[i]); } R(sieve()); char text[12]; R(copy_string(text, "copied")); R(hash(text, 7));
    R(__builtin_choose_expr(1, p, q)); R(_Generic(pairs[0].a, int: 1, default: 2)); R(sizeof(struct pair[p]));
    return 0;
}
