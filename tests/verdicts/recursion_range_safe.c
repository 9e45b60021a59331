// expect: TRUE
// only: symexec-ia
// Whatever the depth: what a call gives is at most 4, so that the caller's sum is at most 5.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int height(int n) {
    if (n <= 0) return 0;
    int below = height(n - 1) + 1;
    return below > 4 ? 4 : below;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (height(n) + 1 > 5) reach_error();
    return 0;
}
