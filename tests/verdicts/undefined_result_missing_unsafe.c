// expect: FALSE(unreach-call)
// C11 6.9.1p12: the value of a function that returned none is arbitrary.
extern void reach_error(void);

static int nothing(int given)
{
    if (given)
        return 1;
}

int main(void)
{
    if (nothing(0) == 123456)
        reach_error();
    return 0;
}
