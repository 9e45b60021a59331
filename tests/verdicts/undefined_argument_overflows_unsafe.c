// expect: FALSE(no-overflow)
// property: no-overflow
// C11 6.5.2.2p10: arguments are evaluated, also those of functions that are not known.
extern int __VERIFIER_nondet_int(void);
extern int any(int);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    any(x * 2);
    return 0;
}
