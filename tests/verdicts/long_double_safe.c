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

extern long double fabsl(long double);

struct sample {
    char tag;
    long double value;
};

int main(void)
{
    int n = __VERIFIER_nondet_int();
    struct sample s = { 'a', n }, t = s;
    t.value = -t.value;
    check(s.value == n && t.value + n == 0 && t.tag == 'a');
    check((int)fabsl(t.value) == n || n < 0);
    /* The x87 has 64 bits of precision. */
    long double large = 0x1p63L;
    check(large + 1 > large && 2 * large + 1 == 2 * large);
    double narrow = 0x1p63;
    check(narrow + 1 == narrow);
    return 0;
}
