// expect: TRUE

// What is kept from one round to the next is an input, another one each time, with the same condition on it.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int previous = __VERIFIER_nondet_int();
    if (previous < 0)
        return 0;
    while (1) {
        int next = __VERIFIER_nondet_int();
        if (previous < 0)
            reach_error();
        if (next >= 0)
            previous = next;
    }
}
