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

enum colour { RED, GREEN, BLUE };

int main(void)
{
    enum colour c = (enum colour)(__VERIFIER_nondet_uint() % 3);
    int seen = 0;
    switch (c) {
    case RED:
        seen = 1;
        break;
    case GREEN:
        seen = 1;
        break;
    }
    check(seen);
    return 0;
}
