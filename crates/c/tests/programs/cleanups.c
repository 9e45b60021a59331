void report(unsigned long long value);
#define R(...) report((unsigned long long)(__VA_ARGS__))
#define CLEAN(f) __attribute__((cleanup(f)))
static int level;
static void tell(int *p) { R(*p); *p = -1; }
static void tell_pointer(int **p) { R(**p); **p = 99; }
static int leave(void *p) { R(1000 + *(int *)p); level--; return 5; }
struct pair { int a, b; };
static void tell_pair(struct pair *p) { R(p->a * 100 + p->b); p->a = 7; }
static int returned(int n) { int x CLEAN(tell) = n; if (n > 2) return x; { int y CLEAN(tell) = n + 10; x += y; } return x + 1; }
static struct pair whole(void) { struct pair p CLEAN(tell_pair) = {3, 4}; return p; }
static void order(void) { int a CLEAN(tell) = 1; int b CLEAN(tell) = 2; int plain = 3; int *c CLEAN(tell_pointer) = &plain; int d CLEAN(tell) = 4; b += a + d; R(b); }
static void jumps(int n) {
again:;
    int x CLEAN(tell) = n;
    if (n++ < 3) goto again;
    for (int i CLEAN(leave) = 0; i < 4; i++) {
        int y CLEAN(tell) = i;
        if (i == 1) continue;
        if (i == 2) break;
        R(y);
    }
    switch (n) { case 4: { int z CLEAN(tell) = 44; if (x > 0) break; R(0); } case 5: R(5); }
    while (1) { int w CLEAN(tell) = 8; if (w) goto out; }
out:
    R(77);
}
static int value(void) {
    int r = ({ int v CLEAN(tell) = 6; v * 2; });
    struct pair p = ({ struct pair v CLEAN(tell_pair) = {1, 2}; v; });
    ({ int v CLEAN(tell) = 60; R(v); });
    R(p.a); return r + ({ int u = 3; int v CLEAN(tell) = u; u += v; u; });
}
static int deep(int n) { int x CLEAN(leave) = n; level++; if (n == 0) return level; int r = deep(n - 1); return r * 2 + level; }
static int variable(int n) { int a[n]; int x CLEAN(tell) = n; for (int i = 0; i < n; i++) a[i] = i; return a[n - 1] + x; }
int main(void) {
    R(returned(1)); R(returned(5)); struct pair p = whole(); R(p.a); R(p.b); order(); jumps(0); R(value()); R(deep(3)); R(variable(4));
    static int kept CLEAN(tell) = 5; R(kept);
    if (1) { int x CLEAN(tell) = 70; } R(71);
    return 0;
}
