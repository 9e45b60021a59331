// expect: FALSE(valid-deref)
// property: valid-memsafety
// C11 6.2.4p2: the block of the variable was left.
int main(void)
{
    int *p;
    {
        int x = 3;
        p = &x;
    }
    return *p;
}
