// expect: FALSE(unreach-call)
// The twin of recursion_range_safe.c: a height of 4 is possible.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int height(int n) {
    if (n <= 0) return 0;
    int below = height(n - 1) + 1;
    return below > 4 ? 4 : below;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 10 && height(n) + 1 > 4) reach_error();
    return 0;
}
