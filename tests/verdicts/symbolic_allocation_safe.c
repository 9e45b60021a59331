// expect: TRUE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
void *malloc(unsigned long size);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = __VERIFIER_nondet_uint();
    if (n > 100 || i >= n) {
        return 0;
    }
    int *p = malloc(n * sizeof *p), *q = malloc(sizeof *q);
    *q = 6;
    p[i] = 5;
    if (*q != 6 || p[i] != 5 || p == q) {
        reach_error();
    }
    return 0;
}
