// expect: TRUE
// property: valid-memsafety
// The twin that is defined.
int main(void)
{
    int *p;
    {
        int x = 3;
        p = &x;
        return *p;
    }
}
