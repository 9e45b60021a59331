// expect: FALSE(unreach-call)

extern double sin(double);
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    double s = sin(x);
    /* Nothing depends on the sine. */
    if (x > 2 && x * x < 4.5)
        reach_error();
    return s > 0;
}
