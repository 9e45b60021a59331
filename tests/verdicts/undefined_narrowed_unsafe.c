// expect: FALSE(no-overflow)
// property: no-overflow
// C11 6.5p5: what is narrowed keeps its bits; the sum before that must fit its type.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    signed char narrow = __VERIFIER_nondet_int() + 1;
    return narrow;
}
