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

static float half(int n) { return n / 2.0f; }

int main(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= -1000 && n <= 1000);
    float f = n;
    check((int)f == n);
    check((int)half(n) == n / 2);
    check((_Bool)f == (n != 0));
    check(!f == !n);
    check((f < 0) == (n < 0));
    double d = f;
    d += 0.25;
    check((long)d == (n < 0 ? n + 1 : n) || n < 0);
    n *= 1.0;
    check(n == (int)f);
    return 0;
}
