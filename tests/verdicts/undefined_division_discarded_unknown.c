// expect: UNKNOWN(undefined behaviour)
// Compilers leave the division out, so that the program may go on.
extern void reach_error(void);
int main(void)
{
    int z = 0;
    1 / z;
    reach_error();
    return 0;
}
