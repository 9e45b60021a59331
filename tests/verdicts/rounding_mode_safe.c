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

extern int fesetround(int), fegetround(void);
extern double rint(double);

int main(void)
{
    volatile float one = 1, small = 0x1p-30f;
    check(fegetround() == 0 && one + small == one);
    check(fesetround(0x800) == 0 && one + small > one && -one - small == -one);
    check(fesetround(0x400) == 0 && one + small == one && -one - small < -one);
    check(fesetround(0xc00) == 0 && one - small < one && rint(-2.7) == -2);
    check(fesetround(1) != 0 && fegetround() == 0xc00);
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x > 1 && x < 2);
    fesetround(0x800);
    float up = x + small;
    fesetround(0x400);
    float down = x + small;
    check(down == x && down < up);
    return 0;
}
