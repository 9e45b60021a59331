// expect: TRUE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
void *calloc(unsigned long count, unsigned long size);

int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    long *p = calloc(16, sizeof *p);
    if (i < 16 && p[i] != 0) {
        reach_error();
    }
    return 0;
}
