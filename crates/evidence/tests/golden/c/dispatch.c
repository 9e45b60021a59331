extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int twice(int n) { return 2 * n; }
static int square(int n) { return n * n; }

int main(void)
{
    int (*operations[2])(int) = {twice, square};
    int which = __VERIFIER_nondet_int();
    int result;
    if (which != 0 && which != 1)
        return 0;
    int *out = &result;
    *out = operations[which](__VERIFIER_nondet_int());
    if (result == 49)
        reach_error();
    return 0;
}
