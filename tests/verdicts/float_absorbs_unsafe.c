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
    __VERIFIER_assume(x > 1.0f && x < 1e9f);
    /* From 2^24 on one is too small to change anything. */
    check(x + 1.0f > x);
    return 0;
}
