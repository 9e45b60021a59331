// expect: TRUE

#include <math.h>

extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    double angle = __VERIFIER_nondet_double();
    __VERIFIER_assume(angle >= -1e300 && angle <= 1e300);
    double turned = fmod(angle, 360.0);
    check(fabs(turned) < 360.0);
    check(fabs(remainder(angle, 360.0)) <= 180.0);
    check(angle < 0.0 ? turned <= 0.0 : turned >= 0.0);

    float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 0.0f && isfinite(x) && y > 0.0f);
    check(fmodf(x, y) < y);
    return 0;
}
