// expect: FALSE(unreach-call)

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

int main(void)
{
    float x = __VERIFIER_nondet_float();
    /* Not if it is not a number. */
    check(x == x);
    return 0;
}
