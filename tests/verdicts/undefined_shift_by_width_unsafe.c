// expect: FALSE(no-overflow)
// property: no-overflow
// C11 6.5.7p3: the count is not less than the width.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    unsigned x = 1;
    int n = __VERIFIER_nondet_int();
    if (n >= 0 && n <= 32)
        x = x << n;
    return 0;
}
