// expect: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct inner { short s; char c[3]; };
struct outer { int id; struct inner in[2]; };

static struct outer change(struct outer o, int x) {
    o.id = x;
    o.in[1].c[2] = (char)x;
    return o;
}

int main(void) {
    struct outer a = { 1, { { 2, "ab" }, { 3, "cd" } } }, b;
    int x = __VERIFIER_nondet_int();
    b = change(a, x);
    if (a.id != 1 || a.in[1].c[2] != 0 || b.id != x || b.in[1].c[2] != (char)x || b.in[0].c[1] != 'b') {
        reach_error();
    }
    return 0;
}
