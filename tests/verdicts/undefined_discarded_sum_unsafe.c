// expect: FALSE(no-overflow)
// property: no-overflow
// C11 6.5p5: the left of a comma is evaluated.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    x = (x + 1, 0);
    return 0;
}
