// expect: FALSE(unreach-call)

// The first input is asked for after many steps: a program that has taken none until then is not one without inputs.

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 30000; i++) {
        sum += i;
    }
    int x = __VERIFIER_nondet_int();
    if (x == 12345678) {
        reach_error();
    }
    return sum == 0;
}
