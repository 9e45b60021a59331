// expect: FALSE(no-overflow)
// property: no-overflow
// C11 6.5.5p5: the value of the quotient is not used.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int z = __VERIFIER_nondet_int();
    1 / z;
    return 0;
}
