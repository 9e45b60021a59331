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

int main(void)
{
    int x = __VERIFIER_nondet_int();
    _Bool b = x;
    _Bool c = __VERIFIER_nondet_bool();
    check(b == (x != 0));
    check(c == 0 || c == 1);
    b = 256;
    check(b == 1);
    return 0;
}
