// expect: TRUE
// options: --undefined assume
// Runs in which the index is too large are left out.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int squares[4] = {0, 1, 4, 9};
    int i = __VERIFIER_nondet_int();
    int square = squares[i];
    if (i < 0 || i > 3 || square != i * i)
        reach_error();
    return 0;
}
