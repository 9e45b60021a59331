// expect: TRUE
// property: no-overflow
// C11 6.3.1.3p3: a number that its new signed type cannot hold keeps its low bits, as gcc defines it.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    signed char narrow = __VERIFIER_nondet_uint();
    narrow += 100;
    narrow++;
    return narrow == (signed char)300;
}
