// expect: FALSE(unreach-call)
// Output can fail.
extern int printf(const char *format, ...);
extern void __VERIFIER_error(void);

int main(void) {
    if (printf("hello") != 5) __VERIFIER_error();
    return 0;
}
