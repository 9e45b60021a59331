// expect: FALSE(unreach-call)
// A call changes a global variable although its result is always the same.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int deepest;

static int dig(int n) {
    if (n > deepest) deepest = n;
    if (n <= 0) return 0;
    dig(n / 2);
    return 0;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (dig(n) != 0) reach_error();
    if (deepest == 1000) reach_error();
    return 0;
}
