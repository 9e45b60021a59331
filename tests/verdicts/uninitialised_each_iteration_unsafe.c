// expect: FALSE(unreach-call)

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

/* Each iteration passes the declaration again, and the value is arbitrary again. */
int main(void)
{
    int i, first = 0;
    for (i = 0; i < 2; i++) {
        int x;
        if (i == 0)
            first = x;
        else
            check(x == first);
    }
    return 0;
}
