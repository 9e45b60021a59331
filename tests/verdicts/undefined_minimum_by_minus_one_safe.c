// expect: TRUE
// property: no-overflow
// The twin that is defined.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = -2147483647;
    int n = __VERIFIER_nondet_int();
    if (n != 0)
        x = x % n;
    return 0;
}
