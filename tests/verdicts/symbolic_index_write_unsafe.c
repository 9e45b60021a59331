// expect: FALSE(unreach-call)
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int a[4] = { 0 };
    unsigned i = __VERIFIER_nondet_uint() % 4, j = __VERIFIER_nondet_uint() % 4;
    a[i] = 1;
    a[j] += 1;
    if (a[2] == 2) {
        reach_error();
    }
    return 0;
}
