// expect: UNKNOWN(undefined behaviour)
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
void *malloc(unsigned long size);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 100) {
        return 0;
    }
    char *p = malloc(n);
    p[n] = 0;
    if (n > 100) {
        reach_error();
    }
    return 0;
}
