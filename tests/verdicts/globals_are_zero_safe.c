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

int global;
static long other;

static int calls(void)
{
    static int count;
    return ++count;
}

int main(void)
{
    check(global == 0 && other == 0);
    check(calls() == 1);
    check(calls() == 2);
    return 0;
}
