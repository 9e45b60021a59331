// expect: TRUE
// only: symexec

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
    unsigned int n = __VERIFIER_nondet_uint();
    unsigned int i, sum = 0;
    __VERIFIER_assume(n <= 8);
    for (i = 0; i < n; i++)
        sum += i;
    check(2 * sum == n * (n - 1) || n == 0);
    return 0;
}
