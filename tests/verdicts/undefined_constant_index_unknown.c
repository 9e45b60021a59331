// expect: UNKNOWN(undefined behaviour)
// What is beyond the array is not known.
extern void reach_error(void);
int a[3];
int main(void)
{
    if (a[3] == 0)
        reach_error();
    return 0;
}
