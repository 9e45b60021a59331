// expect: UNKNOWN(undefined behaviour)
// An argument of another type than its directive.
extern int printf(const char *format, ...);
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int chosen = __VERIFIER_nondet_int();
    if (chosen) printf("%s", 5);
    if (chosen) __VERIFIER_error();
    return 0;
}
