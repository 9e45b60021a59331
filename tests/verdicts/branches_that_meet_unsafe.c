// expect: FALSE(unreach-call)

// The greatest of some numbers, one of which is mistaken for another.

extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint();
    unsigned b = __VERIFIER_nondet_uint();
    unsigned c = __VERIFIER_nondet_uint();
    unsigned d = __VERIFIER_nondet_uint();
    unsigned e = __VERIFIER_nondet_uint();
    unsigned greatest = 0;
    if (a > greatest)
        greatest = a;
    if (b > greatest)
        greatest = b;
    if (c > greatest)
        greatest = c;
    if (d > greatest)
        greatest = c;
    if (e > greatest)
        greatest = e;
    if (a > greatest || b > greatest || c > greatest || d > greatest || e > greatest)
        reach_error();
    return 0;
}
