// expect: TRUE
// only: auto
// options: --timeout 60s
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

/* What is noted in iteration k is noted when the loop has gone past k. To count up to 5000 does not show it, and neither do
   the values of k one by one. */
int main(void)
{
    int k = __VERIFIER_nondet_int();
    int noted = 0;
    for (int i = 0; i < 5000; i++)
        if (i == k || __VERIFIER_nondet_bool())
            if (i == k)
                noted = 1;
    for (int i = 0; i < 5000; i++)
        if (i == k)
            check(noted);
    return 0;
}
