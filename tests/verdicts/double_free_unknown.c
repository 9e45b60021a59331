// expect: UNKNOWN(undefined behaviour)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void *malloc(unsigned long size);
void free(void *pointer);

int main(void) {
    char *p = malloc(10);
    p[0] = 1;
    if (__VERIFIER_nondet_int()) {
        free(p);
    }
    free(p);
    if (__VERIFIER_nondet_int() == 0 && p == 0) {
        reach_error();
    }
    return 0;
}
