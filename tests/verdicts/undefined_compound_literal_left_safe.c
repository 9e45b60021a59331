// expect: TRUE
// property: valid-memsafety
// The twin that is defined.
int main(void)
{
    int *p;
    p = &(int){3};
    {
        *p = 0;
    }
    return *p;
}
