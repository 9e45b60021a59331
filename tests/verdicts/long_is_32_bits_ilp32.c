// expect: TRUE
// data-model: ilp32
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

int main(void)
{
    long x = 2147483647L;
    check(sizeof(long) == 4);
    check(sizeof(long long) == 8);
    x = x + 1;
    check(x < 0);
    return 0;
}
