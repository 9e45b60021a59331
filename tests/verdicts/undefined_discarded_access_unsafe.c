// expect: FALSE(valid-deref)
// property: valid-memsafety
// C11 6.3.2.1p2: the value of the element is not used.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int v[4];
    int i = __VERIFIER_nondet_int();
    if (i >= 0)
        v[i];
    return 0;
}
