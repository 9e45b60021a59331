// expect: FALSE(valid-deref)
// property: valid-memsafety
// C11 6.2.4p6: a jump leaves the block.
int main(void)
{
    int *p;
    {
        int x = 3;
        p = &x;
        goto out;
    }
out:
    return *p;
}
