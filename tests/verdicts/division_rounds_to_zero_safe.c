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
    int a = -7, b = 2;
    check(a / b == -3);
    check(a % b == -1);
    check(7 / -2 == -3);
    check(7 % -2 == 1);
    check((a >> 1) == -4);
    check(((unsigned int)a >> 28) == 15);
    return 0;
}
