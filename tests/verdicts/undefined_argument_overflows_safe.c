// expect: TRUE
// property: no-overflow
// The twin that is defined.
extern int __VERIFIER_nondet_int(void);
extern int any(int);
int main(void)
{
    int x = __VERIFIER_nondet_int() % 100;
    any(x * 2);
    return 0;
}
