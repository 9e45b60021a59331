// expect: TRUE

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

extern double sin(double), exp(double), sqrt(double);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x >= 0 && x < 100);
    double s = sin(x);
    check(s >= -1 && s <= 1);
    check(exp(x) >= 0);
    check(exp(0) == 1 && sin(0) == 0);
    return 0;
}
