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

struct pair {
    int a, b;
};

static struct pair shared = { 1, 2 };

static int change(int value)
{
    shared.a = value;
    return value;
}

static int use(struct pair before, int value, struct pair after)
{
    return before.a * 100 + value * 10 + after.a;
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
    check(use(shared, change(5), shared) == 155);
    check(shared.a == 5);
    return 0;
}
