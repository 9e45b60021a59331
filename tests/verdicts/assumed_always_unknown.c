// expect: UNKNOWN(undefined behaviour)
// options: --undefined assume
// Every run that gets there does something undefined: that is not assumed away, since nothing would be left.
extern void reach_error(void);

int main(void)
{
    int *nothing = 0;
    *nothing = 1;
    reach_error();
    return 0;
}
