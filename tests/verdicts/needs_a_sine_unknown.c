// expect: UNKNOWN(libm)

extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

extern double sin(double);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x >= 0 && x < 100);
    /* Only bounds of the sine are known, so that no inputs can be told. */
    check(sin(x) < 0.5);
    return 0;
}
