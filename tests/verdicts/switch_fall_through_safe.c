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
    int y = 0;
    switch (x) {
    case 1:
        y += 1;
    case 2:
        y += 2;
        break;
    default:
        y = 10;
    case 3:
        y += 3;
    }
    if (x == 1)
        check(y == 3);
    else if (x == 2)
        check(y == 2);
    else if (x == 3)
        check(y == 3);
    else
        check(y == 13);
    return 0;
}
