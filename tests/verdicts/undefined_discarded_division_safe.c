// expect: TRUE
// property: no-overflow
// The twin that is defined.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int z = __VERIFIER_nondet_int();
    if (z != 0)
        1 / z;
    return 0;
}
