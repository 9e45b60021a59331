// expect: UNKNOWN(undefined behaviour)
// C11 6.7.3p6: the compiler may use the old value.
extern void reach_error(void);
const int k = 5;
int main(void)
{
    *(int *)&k = 6;
    if (k == 6)
        reach_error();
    return 0;
}
