// expect: FALSE(unreach-call)

// Both variables hold inputs, but whether they hold the same one makes a difference.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = a;
    while (1) {
        if (a != b)
            reach_error();
        if (__VERIFIER_nondet_int())
            b = __VERIFIER_nondet_int();
    }
}
