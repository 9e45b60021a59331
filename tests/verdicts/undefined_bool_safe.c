// expect: TRUE
// C11 6.3.2.1p2: a variable of type _Bool that was not initialised is 0 or 1.
extern void reach_error(void);

int main(void)
{
    _Bool unset;
    if (unset != 0 && unset != 1)
        reach_error();
    return 0;
}
