// expect: UNKNOWN(libm)
// How many digits there are is not computed.
extern int printf(const char *format, ...);
extern void __VERIFIER_error(void);

int main(void) {
    if (printf("%d", 100) == 2) __VERIFIER_error();
    return 0;
}
