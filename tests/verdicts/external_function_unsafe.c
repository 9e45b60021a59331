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

extern int read_sensor(int channel);

int main(void)
{
    int a = read_sensor(1);
    int b = read_sensor(1);
    check(a == b);
    return 0;
}
