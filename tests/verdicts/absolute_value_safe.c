// expect: TRUE

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

static int absolute(int x)
{
    return x < 0 ? -x : x;
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > -2147483647 - 1);
    check(absolute(x) >= 0);
    return 0;
}
