// expect: TRUE
// property: valid-memsafety
// The twin that is defined.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int t[8], other[8];
    int k = __VERIFIER_nondet_int();
    int *p = &t[k];
    if (k >= 0 && k < 8)
        *p = 1;
    return 0;
}
