// expect: TRUE
// only: auto
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* Euclid's algorithm by subtraction: as deep as the numbers are far apart. */
int common_divisor(int a, int b)
{
    if (a == b)
        return a;
    if (a < b)
        return common_divisor(b, a);
    return common_divisor(a - b, b);
}

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (a < 1 || b < 1)
        return 0;
    if (common_divisor(a, b) < 1)
        reach_error();
    return 0;
}
