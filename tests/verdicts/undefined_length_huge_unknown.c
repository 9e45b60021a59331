// expect: UNKNOWN(unsupported)
// expect concrete: UNKNOWN
// property: valid-memsafety
// C11 6.7.6.2p5: an array that is larger than all memory.
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned long length = __VERIFIER_nondet_ulong();
    if (length == 0)
        return 0;
    char array[length];
    array[0] = 1;
    return array[0];
}
