// expect: FALSE(unreach-call)
// options: --undefined assume
// Signed overflow wraps around, as gcc does it with -fwrapv: it is not undefined here.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x > 0 && x + 1 < 0)
        reach_error();
    return 0;
}
