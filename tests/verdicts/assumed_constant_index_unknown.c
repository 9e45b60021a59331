// expect: UNKNOWN(undefined behaviour)
// options: --undefined assume
// An access that is out of bounds in every run that gets there is a mistake, not a case that can be left out.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int a[3] = {0, 0, 0};
    if (__VERIFIER_nondet_int())
        a[3] = 1;
    if (a[0])
        reach_error();
    return 0;
}
