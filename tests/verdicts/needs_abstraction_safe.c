// expect: UNKNOWN
// expect symexec-ia: TRUE
// expect auto: TRUE
// options: --timeout 3s
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

/* Safe, but with infinitely many feasible paths: plain symbolic execution never ends. */
int main(void)
{
    unsigned int x = 0;
    while (__VERIFIER_nondet_bool())
        x += 2;
    check(x % 2 == 0);
    return 0;
}
