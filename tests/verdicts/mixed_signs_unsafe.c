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

/* The comparison is unsigned: every negative int is larger than 1u. */
int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < 0)
        check(x < 1u);
    return 0;
}
