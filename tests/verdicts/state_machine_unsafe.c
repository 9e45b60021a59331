// expect: FALSE(unreach-call)

// The error needs a particular sequence of inputs; the states in between must not be taken for each other.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int progress = 0;
    while (1) {
        int digit = __VERIFIER_nondet_int();
        if (digit == 7 - progress)
            progress++;
        else
            progress = 0;
        if (progress == 5)
            reach_error();
    }
}
