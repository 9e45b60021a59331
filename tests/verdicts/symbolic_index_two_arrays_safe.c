// expect: TRUE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int a[4] = { 1, 2, 3, 4 }, b[4] = { 5, 6, 7, 8 };
    unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();
    if (i >= 4 || j >= 4) {
        return 0;
    }
    int before = b[j];
    a[i] = 100;
    int *p = __VERIFIER_nondet_uint() ? a : b;
    p[j] = b[j];
    if (b[j] != before || a[i] < (i == j ? 5 : 100)) {
        reach_error();
    }
    return 0;
}
