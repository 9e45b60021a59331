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
    char a = __VERIFIER_nondet_char();
    unsigned char b = (unsigned char)a;
    int sum = a + a;
    check(sum >= -256 && sum <= 254);
    check(b >= 0 && b <= 255);
    check((a < 0) == (b > 127));
    return 0;
}
