// expect: FALSE(unreach-call)

#include <math.h>

extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    double angle = __VERIFIER_nondet_double();
    __VERIFIER_assume(angle > 1000.0 && angle < 2000.0);
    if (fmod(angle, 360.0) == 0.5)
        reach_error();
    return 0;
}
