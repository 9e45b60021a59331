// expect: UNKNOWN(undefined behaviour)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int before = 1, a[3] = { 0 }, after = 2;
    int i = __VERIFIER_nondet_int();
    if (i <= 3) {
        a[i] = 7;
    }
    if (before != 1 || after != 2) {
        reach_error();
    }
    return 0;
}
