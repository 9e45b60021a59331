// expect: FALSE(valid-deref)
// property: valid-memsafety
// C11 6.7.6.2p5: the array may have no elements; none can be accessed then.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int length = __VERIFIER_nondet_int();
    if (length < 0 || length > 4)
        return 0;
    int array[length];
    array[0] = 1;
    return array[0];
}
