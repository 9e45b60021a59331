// expect: FALSE(no-overflow)
// property: no-overflow
// C11 6.5.5p6: the quotient does not fit.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = -2147483647 - 1;
    int n = __VERIFIER_nondet_int();
    if (n != 0)
        x = x % n;
    return 0;
}
