// expect: FALSE(valid-deref)
// property: valid-memsafety
// C11 6.5.6p8: an access far above or below the object.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int t[8], other[8];
    int *p = &t[__VERIFIER_nondet_int()];
    *p = 1;
    return 0;
}
