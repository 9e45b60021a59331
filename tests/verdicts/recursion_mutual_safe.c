// expect: TRUE
// only: auto
// property: no-overflow
// Two functions that call each other; the argument never falls below zero.
extern int __VERIFIER_nondet_int(void);
static int steps;
static int odd(int n);

static int even(int n) {
    if (n == 0) return 1;
    int result = odd(n - 1);
    steps = 0;
    return result;
}

static int odd(int n) {
    if (n == 0) return 0;
    int result = even(n - 1);
    steps = 1;
    return result;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0) return 0;
    return even(n) + 1;
}
