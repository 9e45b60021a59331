// expect: FALSE(valid-deref)
// property: valid-memsafety
// C11 6.5.2.5p5: a compound literal lives in its block.
int main(void)
{
    int *p;
    {
        p = &(int){3};
    }
    return *p;
}
