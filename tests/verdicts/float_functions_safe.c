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

extern float floorf(float), ceilf(float), truncf(float), roundf(float), fabsf(float);
extern float copysignf(float, float), fminf(float, float), fmaxf(float, float);

int main(void)
{
    float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float();
    __VERIFIER_assume(x == x && y == y);
    check(floorf(x) <= x && ceilf(x) >= x);
    check(fabsf(truncf(x)) <= fabsf(x));
    check(fabsf(x) > 1e6f || fabsf(roundf(x) - x) <= 0.5f);
    check(fminf(x, y) <= fmaxf(x, y));
    check(fabsf(copysignf(x, y)) == fabsf(x));
    check(__builtin_isnan(x) == 0 && !__builtin_isunordered(x, y));
    return 0;
}
