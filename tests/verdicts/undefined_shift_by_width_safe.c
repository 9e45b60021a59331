// expect: TRUE
// property: no-overflow
// The twin that is defined.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    unsigned x = 1;
    int n = __VERIFIER_nondet_int();
    if (n >= 0 && n < 32)
        x = x << n;
    return 0;
}
