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

union word {
    float f;
    unsigned u;
};

static unsigned bits(float f)
{
    union word w = { f };
    return w.u;
}

int main(void)
{
    float x = __VERIFIER_nondet_float();
    union word w;
    w.f = x;
    w.u ^= 0x80000000u;
    check(bits(-x) == w.u);
    w.u &= 0x7fffffffu;
    check(x != x || w.f >= 0);
    check((bits(x) & 0x7fffffffu) <= 0x7f800000u || x != x);
    unsigned char *byte = (unsigned char *)&x;
    check((byte[3] >> 7) == bits(x) >> 31);
    float copy = x;
    check(bits(copy) == bits(x));
    return 0;
}
