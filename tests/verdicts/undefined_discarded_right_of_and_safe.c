// expect: TRUE
// property: valid-memsafety
// The twin that is defined.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int v[4];
    unsigned i = __VERIFIER_nondet_int();
    i < 4 && v[i];
    return 0;
}
