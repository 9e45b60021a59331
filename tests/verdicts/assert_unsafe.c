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

extern void __assert_fail(const char *, const char *, unsigned int, const char *);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    ((x ^ 0x5au) != 0xa5u) ? (void)0 : __assert_fail("x", "f", 1, "main");
    return 0;
}
