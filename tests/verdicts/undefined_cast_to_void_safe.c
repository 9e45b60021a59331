// expect: TRUE
// property: no-overflow
// The twin that is defined.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int() % 1000;
    (void)(x * 2);
    return 0;
}
