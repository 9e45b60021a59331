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

static int counter;

static int bump(void)
{
    return ++counter;
}

int main(void)
{
    int a, b = 1;
    a = counter + bump() * 10;
    check(a == 10);
    b += b++ + 0 * bump();
    check(counter == 2);
    a = (bump(), bump());
    check(a == 4);
    check((0 && bump()) == 0 && counter == 4);
    check((1 || bump()) == 1 && counter == 4);
    return 0;
}
