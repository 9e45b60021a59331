// expect: FALSE(unreach-call)
// The clock may be set back.
extern long time(long *where);
extern void __VERIFIER_error(void);

int main(void) {
    long before = time(0), after = time(0);
    if (after < before) __VERIFIER_error();
    return 0;
}
