// expect: FALSE(no-overflow)
// property: no-overflow
// C11 6.3.2.2: a cast to void evaluates its operand.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    (void)(x * 2);
    return 0;
}
