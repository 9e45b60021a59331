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

/* The smallest int has no positive counterpart: wrap-around leaves it negative. */
static int absolute(int x)
{
    return x < 0 ? -x : x;
}

int main(void)
{
    check(absolute(__VERIFIER_nondet_int()) >= 0);
    return 0;
}
