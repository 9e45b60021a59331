// expect: TRUE
// The time is also stored.
extern long time(long *where);
extern double difftime(long later, long earlier);
extern long __VERIFIER_nondet_long(void);
extern void __VERIFIER_error(void);

int main(void) {
    long stored = -7, now = time(&stored);
    if (stored != now || now < -1) __VERIFIER_error();
    long any = __VERIFIER_nondet_long() % 1000;
    if (difftime(any, any) != 0) __VERIFIER_error();
    if (difftime(1L << 53, -1) != 9007199254740992.0) __VERIFIER_error();
    return 0;
}
