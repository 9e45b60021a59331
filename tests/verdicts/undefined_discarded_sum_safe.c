// expect: TRUE
// property: no-overflow
// The twin that is defined.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < 1000)
        x = (x + 1, 0);
    return 0;
}
