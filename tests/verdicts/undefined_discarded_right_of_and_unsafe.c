// expect: FALSE(valid-deref)
// property: valid-memsafety
// C11 6.5.13p4: the right operand is evaluated if the left one is not zero.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int v[4];
    unsigned i = __VERIFIER_nondet_int();
    i && v[i];
    return 0;
}
