// expect: FALSE(no-overflow)
// property: no-overflow
// C11 6.5.7p4: a negative number is shifted to the left.
int main(void)
{
    int x = -1;
    int y = x << 1;
    return 0;
}
