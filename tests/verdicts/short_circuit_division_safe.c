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
    int d = __VERIFIER_nondet_int();
    int r = 7;
    if (d != 0 && 100 / d > 50)
        r = d;
    check(r == 7 || r == 1);
    return 0;
}
