// expect: TRUE
// property: no-overflow
// C11 6.5.7p5: a negative number is shifted to the right, which gcc defines.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int number = __VERIFIER_nondet_int();
    return (number >> 3) < 0;
}
