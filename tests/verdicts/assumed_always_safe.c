// expect: TRUE
// options: --undefined assume
// No run gets to the error without something undefined before it.
extern void reach_error(void);

int main(void)
{
    int *nothing = 0;
    *nothing = 1;
    reach_error();
    return 0;
}
