// expect: FALSE(unreach-call)
// options: --undefined assume
// What is assumed away does not hide an error that comes before it, nor one on another path.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int squares[4] = {0, 1, 4, 9};
    int i = __VERIFIER_nondet_int();
    int square = squares[i];
    if (square == 4)
        reach_error();
    return 0;
}
