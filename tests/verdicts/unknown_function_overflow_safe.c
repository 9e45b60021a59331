// expect: TRUE
// property: no-overflow
// The twin of unknown_function_overflow_unsafe.c.
extern int any(int);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int() % 1000;
    any(x * 2);
    return 0;
}
