// expect: TRUE
// C11 6.9.1p12: the function returns nothing, and nobody uses its value.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int nothing(int given)
{
    if (given)
        return 1;
}

int main(void)
{
    int given = __VERIFIER_nondet_int();
    int result = given;
    nothing(given);
    if (given && nothing(given) != 1)
        reach_error();
    return result;
}
