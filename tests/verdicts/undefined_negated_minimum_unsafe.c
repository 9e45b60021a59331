// expect: FALSE(no-overflow)
// property: no-overflow
// C11 6.5.3.3p3: the negative of the smallest number.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    -x;
    return 0;
}
