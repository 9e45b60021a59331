// expect: TRUE
// property: no-overflow
// The twin that is defined.
int main(void)
{
    int x = 1;
    int y = x << 1;
    int z = -4 >> 1;
    return 0;
}
