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

extern long double __VERIFIER_nondet_longdouble(void);

struct point {
    float x;
    double y;
};

static double scaled(struct point p, float by)
{
    p.x *= by;
    return p.x + p.y;
}

int main(void)
{
    struct point p = { __VERIFIER_nondet_float(), __VERIFIER_nondet_double() };
    long double l = __VERIFIER_nondet_longdouble();
    check(!(scaled(p, 2) == 0.75 && p.y == 0.5 && l == -0x1.8p100L));
    return 0;
}
