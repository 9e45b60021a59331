// expect: TRUE
// property: valid-memsafety
// C11 6.7.6.2p5: an array of variable length with at least one element.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int length = __VERIFIER_nondet_int();
    if (length < 1 || length > 4)
        return 0;
    int array[length];
    array[0] = 1;
    return array[0];
}
